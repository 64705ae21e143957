//! Crates that members broke, on their way to break in the host's game (B6.6, B6.7).
//!
//! The host's copy breaks the game's own way and drops; one that will not break within 3 s is deleted
//! without a drop, so that no crate stands in one game only.

use std::time::Duration;

use mp_netcode::LocalTime;
use mp_protocol::SessionId;
use mp_protocol::game::MobyKey;

/// How long the host's copy is tried to be broken (B6.7).
const BREAKS_WITHIN: Duration = Duration::from_secs(3);

/// A crate that is broken in a member's game and stands in the host's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ToBreak {
    /// Which.
    pub(super) key: MobyKey,
    /// Who broke it.
    pub(super) by: SessionId,
    since: LocalTime,
}

impl ToBreak {
    /// Whether it was tried for long enough.
    pub(super) fn is_over(&self, now: LocalTime) -> bool {
        now.since(self.since) >= BREAKS_WITHIN
    }
}

/// The crates that are still to break in the host's game. See the module.
#[derive(Debug, Default)]
pub(super) struct CratesToBreak(Vec<ToBreak>);

impl CratesToBreak {
    /// A member broke that one. Who said so first did it.
    pub(super) fn broke(&mut self, key: MobyKey, by: SessionId, now: LocalTime) {
        if self.0.iter().all(|to_break| to_break.key != key) {
            self.0.push(ToBreak { key, by, since: now });
        }
    }

    /// The one at that place, to be tried.
    pub(super) fn get(&self, place: usize) -> Option<ToBreak> {
        self.0.get(place).copied()
    }

    /// That one is in the host's level no more.
    pub(super) fn gone(&mut self, key: MobyKey) {
        self.0.retain(|to_break| to_break.key != key);
    }

    /// The level is left.
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(number: u16) -> MobyKey {
        MobyKey::new(number).expect("a key")
    }

    fn at(ms: u64) -> LocalTime {
        LocalTime::from_micros(ms * 1_000)
    }

    /// B6.7: tried for 3 s, and by whoever said so first.
    #[test]
    fn a_crate_is_tried_for_3_seconds() {
        let mut crates = CratesToBreak::default();
        crates.broke(key(5), SessionId(2), at(0));
        crates.broke(key(5), SessionId(3), at(2_000));
        let to_break = crates.get(0).expect("one");
        assert_eq!((to_break.by, crates.get(1)), (SessionId(2), None));
        assert!(!to_break.is_over(at(2_999)));
        assert!(to_break.is_over(at(3_000)));
        crates.gone(key(5));
        assert_eq!(crates.get(0), None);
    }
}
