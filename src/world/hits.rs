//! Hits across the games (B6.3, B6.5): a member's on the host's mobys, gathered on their way out.
//!
//! HITs of one moby in one tick are one HIT (protocol.md 1), and no more go than the host takes (B3.4):
//! what is over waits, and is merged with what comes.

use mp_netcode::{LocalTime, TokenBucket};
use mp_protocol::game::{Blow, Hit, MobyId};

/// The most damage that one HIT deals (B3.4).
pub(super) const DAMAGE_MAX: f32 = 1_000.0;

/// HIT a second that are sent: what the host takes (B3.4) less a quarter, so that none is dropped where
/// the network bunches them.
const HITS_PER_SECOND: u32 = 90;

/// Hits on their way to the host. See the module.
#[derive(Debug)]
pub(super) struct OutgoingHits {
    /// In the order the mobys were first hit.
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
        let (mut mask, mut damage) = (0, 0.0);
        if let Some(place) = self.hits.iter().position(|hit| hit.id == id) {
            let before = self.hits.remove(place).blow;
            (mask, damage) = (before.mask, before.damage);
        }
        let damage = (damage + blow.damage).clamp(0.0, DAMAGE_MAX);
        self.hits.push(Hit { id, blow: Blow { mask: mask | blow.mask, damage, ..blow } });
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
        assert_eq!(all, [Hit { id: id(4), blow: blow(1, 1.0) }, Hit { id: id(3), blow: merged }]);
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
