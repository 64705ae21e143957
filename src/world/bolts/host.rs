//! The host's word on every bolt of its level (B6.7): where each is on its way, whose it becomes, and
//! that it is paid for once.
//!
//! [`HostBolts`] is told what its game's bolts do and who asks for which, in the order it comes, and says
//! whom to pay and which bolt to take out. It must never pay twice for a bolt, nor remove one that nobody
//! was paid for.

use std::collections::VecDeque;
use std::time::Duration;

use mp_netcode::LocalTime;
use mp_protocol::SessionId;
use mp_protocol::game::MobyId;
use thiserror::Error;

use crate::world::snapshots::distance_squared;

/// One that stays within so many units for so long has landed. Nothing thrown up hangs as long at its
/// highest point; a landed bolt may hover.
const REST_UNITS: f32 = 0.25;
const REST_FOR: Duration = Duration::from_millis(500);

/// Where a bolt is on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::world) enum BoltState {
    /// It flies out of what broke.
    Falling,
    /// It flies to that player.
    Flying(SessionId),
    /// It has landed and waits.
    Lying,
    /// That member was the first to ask for it, and is paid when [`HostBolts::poll_grant`] says so.
    Claimed(SessionId),
    /// That player has been paid for it. It is on its way out of every game.
    Credited(SessionId),
    /// It is in the level no more.
    Gone,
}

/// Why a claim brings nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub(in crate::world) enum ClaimRefused {
    /// It was never there, or is no more.
    #[error("a claim for a bolt that is gone")]
    Gone,
    /// Somebody, perhaps the asker itself, was first.
    #[error("a claim for a bolt that is another's")]
    Taken,
}

/// Whose a bolt is that reached somebody in the host's game, which takes it out by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::world) enum Reached {
    /// The host's own: its game adds it.
    Keep,
    /// That member's, who is to be told now that so many are its own (BOLTS). The game adds nothing.
    Pay(u32),
    /// It is paid for already. The game adds nothing.
    Nothing,
}

/// A claim that is granted: tell `to` that so many bolts are its own (BOLTS), and take the bolt out of
/// the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::world) struct Grant {
    /// A member of the party.
    pub(in crate::world) to: SessionId,
    /// The bolt's value.
    pub(in crate::world) count: u32,
    /// The bolt.
    pub(in crate::world) id: MobyId,
}

#[derive(Clone, Copy, Debug)]
struct Bolt {
    id: MobyId,
    value: u32,
    state: BoltState,
    /// It has lain: each game runs its own copy from then on.
    loose: bool,
    /// Whom its update saw as the hero last.
    toward: SessionId,
    /// Where it has been close to since then.
    place: [f32; 3],
    since: LocalTime,
}

/// The bolts of the host's level. See the module.
#[derive(Debug, Default)]
pub(in crate::world) struct HostBolts {
    /// By id.
    bolts: Vec<Bolt>,
    /// Bolts that were asked for, the first first.
    claims: VecDeque<MobyId>,
}

impl HostBolts {
    /// A bolt of the game's, as a tick left it: one placed in the level lies there from the start, any
    /// other falls first. `me` is the host.
    pub(in crate::world) fn saw(
        &mut self,
        id: MobyId,
        value: i32,
        place: [f32; 3],
        me: SessionId,
        now: LocalTime,
    ) {
        let bolt = self.entry(id, value, place, me, now);
        let rests = distance_squared(bolt.place, place) <= REST_UNITS * REST_UNITS;
        if !rests {
            (bolt.place, bolt.since) = (place, now);
        }
        match bolt.state {
            BoltState::Lying if !rests => bolt.state = BoltState::Flying(bolt.toward),
            BoltState::Falling | BoltState::Flying(_)
                if rests && now.since(bolt.since) >= REST_FOR =>
            {
                (bolt.state, bolt.loose) = (BoltState::Lying, true);
            }
            BoltState::Flying(to) if to != bolt.toward => {
                bolt.state = BoltState::Flying(bolt.toward);
            }
            _ => {}
        }
    }

    /// That player stands in for the hero in a bolt's next update (B6.5).
    pub(in crate::world) fn sees(&mut self, id: MobyId, player: SessionId) {
        if let Some(bolt) = self.find(id) {
            bolt.toward = player;
        }
    }

    /// A bolt reached that player in the host's game, and goes there. `by` is a member of the party, or
    /// `me`, the host.
    pub(in crate::world) fn reached(
        &mut self,
        id: MobyId,
        value: i32,
        by: SessionId,
        me: SessionId,
        now: LocalTime,
    ) -> Reached {
        let bolt = self.entry(id, value, [0.0; 3], me, now);
        if !bolt.is_free() {
            return Reached::Nothing;
        }
        bolt.state = BoltState::Credited(by);
        if by == me { Reached::Keep } else { Reached::Pay(bolt.value) }
    }

    /// A member asks for a bolt that its hero collected: it is its own if nobody was first, though it
    /// flies to another.
    ///
    /// # Errors
    /// Why it brings nothing.
    pub(in crate::world) fn claim(
        &mut self,
        id: MobyId,
        by: SessionId,
    ) -> Result<(), ClaimRefused> {
        match self.state(id) {
            BoltState::Gone => return Err(ClaimRefused::Gone),
            BoltState::Claimed(_) | BoltState::Credited(_) => return Err(ClaimRefused::Taken),
            BoltState::Falling | BoltState::Flying(_) | BoltState::Lying => {}
        }
        if let Some(bolt) = self.find(id) {
            bolt.state = BoltState::Claimed(by);
            self.claims.push_back(id);
        }
        Ok(())
    }

    /// A member left: what flew to it flies to the nearest again, and what it asked for and was not paid
    /// for is anyone's.
    pub(in crate::world) fn left(&mut self, member: SessionId, me: SessionId) {
        for bolt in &mut self.bolts {
            if bolt.toward == member {
                bolt.toward = me;
            }
            if matches!(bolt.state, BoltState::Flying(to) | BoltState::Claimed(to) if to == member)
            {
                bolt.state = if bolt.loose { BoltState::Lying } else { BoltState::Falling };
            }
        }
    }

    /// A bolt is in the level no more, for whatever reason.
    pub(in crate::world) fn gone(&mut self, id: MobyId) {
        if let Ok(place) = self.place(id) {
            self.bolts.remove(place);
        }
    }

    /// The level is left: its bolts stay behind.
    pub(in crate::world) fn clear(&mut self) {
        self.bolts.clear();
        self.claims.clear();
    }

    /// The next claim that is granted, in the order they came, until `None`.
    pub(in crate::world) fn poll_grant(&mut self) -> Option<Grant> {
        while let Some(id) = self.claims.pop_front() {
            let Some(bolt) = self.find(id) else { continue };
            if let BoltState::Claimed(to) = bolt.state {
                bolt.state = BoltState::Credited(to);
                return Some(Grant { to, count: bolt.value, id });
            }
        }
        None
    }

    /// Where a bolt is on its way.
    pub(in crate::world) fn state(&self, id: MobyId) -> BoltState {
        self.place(id).map_or(BoltState::Gone, |place| self.bolts[place].state)
    }

    /// Whether each game runs its own copy of a bolt: it has landed once.
    pub(in crate::world) fn is_loose(&self, id: MobyId) -> bool {
        self.place(id).is_ok_and(|place| self.bolts[place].loose)
    }

    fn place(&self, id: MobyId) -> Result<usize, usize> {
        self.bolts.binary_search_by_key(&id, |bolt| bolt.id)
    }

    fn find(&mut self, id: MobyId) -> Option<&mut Bolt> {
        let place = self.place(id).ok()?;
        Some(&mut self.bolts[place])
    }

    fn entry(
        &mut self,
        id: MobyId,
        value: i32,
        place: [f32; 3],
        me: SessionId,
        now: LocalTime,
    ) -> &mut Bolt {
        let at = self.place(id).unwrap_or_else(|at| {
            let loose = matches!(id, MobyId::Key(_));
            let state = if loose { BoltState::Lying } else { BoltState::Falling };
            let value = u32::try_from(value).unwrap_or_default();
            let bolt = Bolt { id, value, state, loose, toward: me, place, since: now };
            self.bolts.insert(at, bolt);
            at
        });
        &mut self.bolts[at]
    }
}

impl Bolt {
    /// Whether nobody was promised or paid it yet.
    fn is_free(&self) -> bool {
        !matches!(self.state, BoltState::Claimed(_) | BoltState::Credited(_))
    }
}
