//! Hits across the games: a member's on the host's mobys are the host's to take (B6.3), and what the
//! host's mobys deal a stand-in is that player's (B6.5).
//!
//! HITs of one moby in one tick are one HIT (protocol.md 1), and no more go than the host takes (B3.4):
//! what is over waits, and is merged with what comes.

use mp_netcode::{LocalTime, TokenBucket};
use mp_protocol::SessionId;
use mp_protocol::game::{Blow, Damage, Hit, Kind, MobyId};

use super::around::Around;
use super::refused::Refused;
use super::registry::{self, is_hosts};
use crate::game;

/// The most damage that one HIT deals (B3.4).
pub(super) const DAMAGE_MAX: f32 = 1_000.0;

/// How fast a blow throws what it hits at most, along each axis, in units a second: far over what any weapon
/// does, and nobody is thrown out of what positions may be (protocol.md 3).
pub(super) const PUSH_MAX: f32 = 1_000.0;

/// HIT a second that are sent: what the host takes (B3.4) less a quarter, so that none is dropped where
/// the network bunches them.
const HITS_PER_SECOND: u32 = 90;

/// Hits on their way to the host. See the module.
#[derive(Debug)]
pub(super) struct OutgoingHits {
    /// In the order the mobys were first hit, so that none that is hit over and over waits for ever.
    hits: Vec<Hit>,
    pace: TokenBucket,
}

impl OutgoingHits {
    /// None yet.
    pub(super) fn new() -> Self {
        Self { hits: Vec::new(), pace: TokenBucket::new(LocalTime::ZERO, HITS_PER_SECOND) }
    }

    /// One more. Several of one moby deal their damage together, from where the newest lands.
    pub(super) fn add(&mut self, id: MobyId, blow: Blow) {
        let waiting = self.hits.iter_mut().find(|hit| hit.id == id);
        let (mask, before) =
            waiting.as_ref().map_or((0, 0.0), |hit| (hit.blow.mask, hit.blow.damage));
        let damage = (before + blow.damage).clamp(0.0, DAMAGE_MAX);
        let hit = Hit { id, blow: Blow { mask: mask | blow.mask, damage, ..blow } };
        match waiting {
            Some(waiting) => *waiting = hit,
            None => self.hits.push(hit),
        }
    }

    /// The next to send in this tick.
    pub(super) fn poll(&mut self, now: LocalTime) -> Option<Hit> {
        if self.hits.is_empty() || !self.pace.take(now, 1) {
            return None;
        }
        Some(self.hits.remove(0))
    }

    /// The level is left: its mobys stay behind.
    pub(super) fn clear(&mut self) {
        self.hits.clear();
    }
}

/// A hit in a member's game: on the host's mobys it is the host's to take. Returns whether it lands here.
pub(super) fn member_hit(outgoing: &mut OutgoingHits, hit: &game::Hit, around: &Around) -> bool {
    let Some(target) = hit.target else { return true };
    let Some(id) = around.registry.id(target) else { return true };
    if !is_hosts(around.registry.kinds(target)) {
        return true;
    }
    outgoing.add(id, blow(hit));
    false
}

/// Whether a hit is on what all games share.
pub(super) fn is_shared(hit: &game::Hit, around: &Around) -> bool {
    hit.target.is_some_and(|target| registry::is_shared(around.registry.kinds(target)))
}

/// A tick of a member: its hits go to the host, and each shows at once as one of no damage.
pub(super) fn member_tick(outgoing: &mut OutgoingHits, around: &mut Around) {
    while let Some(hit) = outgoing.poll(around.now) {
        around.session.send_message(None, &hit.into());
        if let Some(target) = around.registry.handle(hit.id) {
            let shown = Blow { damage: 0.0, ..hit.blow };
            around.game.hit_post(&game_hit(Some(target), None, &shown));
        }
    }
}

/// A member's hit on the host's moby.
///
/// # Errors
/// Why the host's game does not take it.
pub(super) fn hit_came(hit: &Hit, from: SessionId, around: &Around) -> Result<(), Refused> {
    if !(0.0..=DAMAGE_MAX).contains(&hit.blow.damage) {
        return Err(Refused::Damage(Kind::Hit));
    }
    if !throws_as_weapons_do(&hit.blow) {
        return Err(Refused::Push(Kind::Hit));
    }
    let target = around.registry.handle(hit.id).ok_or(Refused::NoMoby(Kind::Hit))?;
    if !is_hosts(around.registry.kinds(target)) {
        return Err(Refused::WrongMoby(Kind::Hit));
    }
    around.game.hit_post(&game_hit(Some(target), around.moby_of(from), &hit.blow));
    Ok(())
}

/// A hit in the host's game: one that a stand-in takes is that player's. Returns whether it lands here.
pub(super) fn host_hit(hit: &game::Hit, around: &mut Around) -> bool {
    let attacker = hit.attacker.and_then(|moby| around.registry.id(moby));
    if let Some(player) = hit.target.and_then(|moby| around.player_of(moby)) {
        let damage = Damage { attacker: attacker.unwrap_or(MobyId::None), blow: blow(hit) };
        around.session.send_message(Some(player), &damage.into());
        return false;
    }
    // Nothing of the world's hurts a hero whom nobody controls (B5.8).
    let is_hero = hit.target.is_none_or(|moby| around.registry.id(moby).is_none());
    !is_hero || attacker.is_none() || around.can_be_hurt
}

/// The host's moby hit this player.
///
/// # Errors
/// Why the hero is not hurt.
pub(super) fn damage_came(damage: &Damage, around: &Around) -> Result<(), Refused> {
    if damage.blow.damage < 0.0 {
        return Err(Refused::Damage(Kind::Damage));
    }
    if !throws_as_weapons_do(&damage.blow) {
        return Err(Refused::Push(Kind::Damage));
    }
    if !around.can_be_hurt {
        return Err(Refused::NoControl);
    }
    let attacker = around.registry.handle(damage.attacker);
    around.game.hero_hit(&game_hit(None, attacker, &damage.blow));
    Ok(())
}

fn throws_as_weapons_do(blow: &Blow) -> bool {
    blow.velocity.iter().all(|speed| speed.abs() <= PUSH_MAX)
}

fn blow(hit: &game::Hit) -> Blow {
    let game::Hit { mask, damage, position, velocity, .. } = *hit;
    Blow { mask, damage, position, velocity }
}

fn game_hit(
    target: Option<game::MobyHandle>,
    attacker: Option<game::MobyHandle>,
    blow: &Blow,
) -> game::Hit {
    let Blow { mask, damage, position, velocity } = *blow;
    game::Hit { target, attacker, mask, damage, position, velocity }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use mp_protocol::game::MobyKey;

    use super::*;

    fn id(key: u16) -> MobyId {
        MobyId::Key(MobyKey::new(key).expect("a key"))
    }

    fn blow(mask: u32, damage: f32) -> Blow {
        Blow { mask, damage, position: [damage, 0.0, 0.0], velocity: [0.0; 3] }
    }

    /// Protocol 1: HITs of one moby in one tick are merged, and no damage is lost by it.
    #[test]
    fn hits_of_one_moby_in_one_tick_are_one() {
        let mut hits = OutgoingHits::new();
        hits.add(id(3), blow(1, 2.0));
        hits.add(id(4), blow(1, 1.0));
        hits.add(id(3), blow(4, 0.5));
        let all: Vec<_> = std::iter::from_fn(|| hits.poll(LocalTime::ZERO)).collect();
        let merged = Blow { mask: 5, damage: 2.5, position: [0.5, 0.0, 0.0], velocity: [0.0; 3] };
        assert_eq!(all, [Hit { id: id(3), blow: merged }, Hit { id: id(4), blow: blow(1, 1.0) }]);
    }

    /// Protocol 1: no more go than the host takes, and of those that are hit in every tick each in its turn.
    #[test]
    fn none_of_many_that_are_hit_in_every_tick_waits_for_the_others() {
        let mut hits = OutgoingHits::new();
        let mut now = LocalTime::ZERO;
        let mut last = [0; 30];
        for tick in 0..600 {
            (0..30).for_each(|key| hits.add(id(key), blow(1, 0.25)));
            while let Some(hit) = hits.poll(now) {
                last[usize::from(hit.id.to_bits())] = tick;
            }
            let longest = tick - last.iter().min().expect("there are thirty");
            assert!(longest <= 30, "tick {tick}: one waits for {longest} ticks");
            now = now + Duration::from_micros(16_667);
        }
    }

    /// B3.4: what goes is what the host takes: 0 to 1,000 damage, and no more than 120 a second.
    #[test]
    fn no_more_goes_than_the_host_takes() {
        let mut hits = OutgoingHits::new();
        hits.add(id(0), blow(1, 900.0));
        hits.add(id(0), blow(1, 900.0));
        hits.add(id(1), blow(1, -5.0));
        let mut now = LocalTime::ZERO;
        assert_eq!(hits.poll(now).map(|hit| hit.blow.damage), Some(1_000.0));
        assert_eq!(hits.poll(now).map(|hit| hit.blow.damage), Some(0.0));
        let (mut sent, mut dealt, mut given) = (2_u64, 0.0, 0.0);
        for tick in 0..600_u16 {
            for key in 0..4 {
                hits.add(id(key), blow(1, 0.25));
                given += 0.25;
            }
            while let Some(hit) = hits.poll(now) {
                dealt += hit.blow.damage;
                sent += 1;
            }
            now = now + Duration::from_micros(16_667);
            assert!(sent <= 240 + 2 * u64::from(tick), "more than the host takes: {sent}");
        }
        (0..4).for_each(|_| dealt += hits.poll(now).map_or(0.0, |hit| hit.blow.damage));
        now = now + Duration::from_secs(1);
        (0..4).for_each(|_| dealt += hits.poll(now).map_or(0.0, |hit| hit.blow.damage));
        assert_eq!(dealt, given, "what waits for the rate is not lost");
    }
}
