//! Net ids: the party's names for mobys that the host's game makes (B6.10).

use std::collections::VecDeque;
use std::time::Duration;

use mp_netcode::LocalTime;
use mp_protocol::game::{MobyId, NetId};
use mp_protocol::limits::MOBY_KEY_MAX;

use super::registry::Registry;

/// For how long an id of one that is gone is not used again (B6.10).
const RESTS_FOR: Duration = Duration::from_secs(60);

/// Gives out net ids. See the module.
#[derive(Debug, Default)]
pub(super) struct NetIds {
    next: u16,
    /// Ids of mobys that are gone, the first to go first.
    resting: VecDeque<(NetId, LocalTime)>,
}

impl NetIds {
    /// An id that none of the level's mobys has, and none had lately; `None` if all are taken.
    pub(super) fn give(&mut self, registry: &Registry, now: LocalTime) -> Option<NetId> {
        while self.resting.front().is_some_and(|&(_, gone)| now.since(gone) >= RESTS_FOR) {
            self.resting.pop_front();
        }
        for _ in 0..=MOBY_KEY_MAX {
            let id = NetId::new(self.next)?;
            self.next = if self.next == MOBY_KEY_MAX { 0 } else { self.next + 1 };
            let rests = self.resting.iter().any(|&(resting, _)| resting == id);
            if !rests && registry.handle(MobyId::Net(id)).is_none() {
                return Some(id);
            }
        }
        None
    }

    /// The moby of that id is gone.
    pub(super) fn gone(&mut self, id: NetId, now: LocalTime) {
        self.resting.push_back((id, now));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: u64) -> LocalTime {
        LocalTime::from_micros(seconds * 1_000_000)
    }

    /// B6.10: a net id is not used again within 60 s.
    #[test]
    fn an_id_rests_for_60_seconds() {
        let (mut nets, registry) = (NetIds::default(), Registry::default());
        let first = nets.give(&registry, at(0)).expect("an id");
        nets.gone(first, at(10));
        for _ in 0..MOBY_KEY_MAX {
            assert_ne!(nets.give(&registry, at(69)), Some(first));
        }
        assert_ne!(nets.give(&registry, at(69)), Some(first));
        let again = (0..=MOBY_KEY_MAX).find(|_| nets.give(&registry, at(70)) == Some(first));
        assert!(again.is_some(), "after that it is");
    }
}
