//! The bolts of the shared world (B6.7): the machines of the host and of a member, between the game and
//! the party.

mod host;
mod member;
#[cfg(test)]
mod tests;

use mp_protocol::SessionId;
use mp_protocol::game::{self as messages, Claim, MobyId};

use super::around::Around;
use super::refused::Refused;
use crate::game::{Kill, Moby, MobyHandle};
use host::{ClaimRefused, HostBolts, Reached};
use member::MemberBolts;

/// The bolts of this player's level. See the module.
#[derive(Debug)]
pub(super) struct Bolts {
    host: HostBolts,
    member: MemberBolts,
}

impl Bolts {
    /// None yet.
    pub(super) fn new() -> Self {
        Self { host: HostBolts::default(), member: MemberBolts::new() }
    }

    /// The host's bolt, as a tick left it.
    pub(super) fn saw(&mut self, id: MobyId, moby: &Moby, around: &Around) {
        self.host.saw(id, moby.value, moby.pose.position, around.me, around.now);
    }

    /// That player stands in for the hero in a bolt's update on the host.
    pub(super) fn sees(&mut self, id: MobyId, player: SessionId) {
        self.host.sees(id, player);
    }

    /// Whether each game runs its own copy of the host's bolt.
    pub(super) fn is_loose(&self, id: MobyId) -> bool {
        self.host.is_loose(id)
    }

    /// A bolt reached the hero or a figure in the host's game. Returns whether the game adds it.
    pub(super) fn host_reached(
        &mut self,
        moby: MobyHandle,
        collector: Option<MobyHandle>,
        value: i32,
        around: &mut Around,
    ) -> bool {
        // Whoever is in no party any more has no claim: then it is the host's.
        let by = collector.and_then(|moby| around.player_of(moby)).unwrap_or(around.me);
        let Some(id) = around.registry.id(moby) else { return true };
        match self.host.reached(id, value, by, around.me, around.now) {
            Reached::Keep => true,
            Reached::Pay(count) => {
                pay(by, count, around);
                false
            }
            Reached::Nothing => false,
        }
    }

    /// A member asks for a bolt. What is granted goes out at the next tick.
    pub(super) fn claim_came(
        &mut self,
        claim: &Claim,
        from: SessionId,
        around: &Around,
    ) -> Result<(), Refused> {
        let kind = messages::Kind::Claim;
        let moby = around.registry.handle(claim.id).ok_or(Refused::NoMoby(kind))?;
        if !around.registry.kinds(moby).any(crate::game::Kinds::BOLT) {
            return Err(Refused::WrongMoby(kind));
        }
        self.host.claim(claim.id, from).map_err(|why| match why {
            ClaimRefused::Gone => Refused::NoMoby(kind),
            ClaimRefused::Taken => Refused::Taken,
        })
    }

    /// A tick of the host: who asked first is paid, and the bolt leaves every game.
    pub(super) fn host_tick(&mut self, around: &mut Around) {
        while let Some(grant) = self.host.poll_grant() {
            pay(grant.to, grant.count, around);
            if let Some(moby) = around.registry.handle(grant.id) {
                around.game.moby_kill(moby, Kill::Quiet);
            }
        }
    }

    /// A member left.
    pub(super) fn left(&mut self, member: SessionId, me: SessionId) {
        self.host.left(member, me);
    }

    /// A bolt is in this game's level no more, or, to a member, in the host's.
    pub(super) fn gone(&mut self, id: MobyId, is_host: bool) {
        if is_host {
            self.host.gone(id);
        } else {
            self.member.gone(id);
        }
    }

    /// A bolt reached the hero in a member's game, which adds nothing: the host is asked for it. One that
    /// the host's game does not have is nobody's.
    pub(super) fn member_reached(&mut self, moby: MobyHandle, around: &mut Around) -> bool {
        if let Some(id) = around.registry.id(moby) {
            self.member.collected(id, around.now);
            self.claim(around);
        }
        false
    }

    /// The host says that so many are this player's.
    pub(super) fn granted(&mut self, count: u32) {
        self.member.granted(count);
    }

    /// Whether a member may make a bolt that the host lists and its game has not.
    pub(super) fn may_remake(&mut self, id: MobyId, around: &Around) -> bool {
        self.member.may_remake(id, around.now)
    }

    /// A tick of a member in the host's level.
    pub(super) fn member_tick(&mut self, around: &mut Around) {
        self.claim(around);
        self.add_granted(around);
    }

    /// Adds what the host granted, while there is a level.
    pub(super) fn add_granted(&mut self, around: &Around) {
        if around.game.phase().has_hero()
            && let Some(count) = self.member.poll_grant()
        {
            around.game.bolts_add(i32::try_from(count).unwrap_or(i32::MAX));
        }
    }

    /// The level is left.
    pub(super) fn clear(&mut self) {
        self.host.clear();
        self.member.clear();
    }

    fn claim(&mut self, around: &mut Around) {
        while let Some(id) = self.member.poll_claim(around.now) {
            around.session.send_message(None, &Claim { level: around.level, id }.into());
        }
    }
}

fn pay(to: SessionId, count: u32, around: &mut Around) {
    if count > 0 {
        around.session.send_message(Some(to), &messages::Bolts { count }.into());
    }
}
