//! The numbers of the mobys that the host's game made: one is not used again within 60 s, so that what is
//! said late of its old life is not taken for the new one (B6.10).

use std::collections::{BTreeSet, VecDeque};
use std::time::Duration;

use mp_netcode::LocalTime;
use mp_protocol::game::NetId;
use mp_protocol::limits::MOBY_KEY_MAX;

/// How long a number rests (B6.10).
const RESTS_FOR: Duration = Duration::from_secs(60);

/// The numbers in use and at rest. See the module.
#[derive(Debug, Default)]
pub(super) struct NetIds {
    next: u16,
    used: BTreeSet<NetId>,
    /// The longest at rest first.
    resting: VecDeque<(NetId, LocalTime)>,
}

impl NetIds {
    /// A number for a new moby; `None` while all are in use or at rest.
    pub(super) fn take(&mut self, now: LocalTime) -> Option<NetId> {
        while self.resting.front().is_some_and(|&(_, since)| now.since(since) >= RESTS_FOR) {
            if let Some((net, _)) = self.resting.pop_front() {
                self.used.remove(&net);
            }
        }
        // Asked in every tick by what has none, so not looked for where there is none.
        if self.used.len() > usize::from(MOBY_KEY_MAX) {
            return None;
        }
        for _ in 0..=MOBY_KEY_MAX {
            let net = NetId::new(self.next)?;
            self.next = if self.next == MOBY_KEY_MAX { 0 } else { self.next + 1 };
            if self.used.insert(net) {
                return Some(net);
            }
        }
        None
    }

    /// That moby is no more.
    pub(super) fn give_back(&mut self, net: NetId, now: LocalTime) {
        self.resting.push_back((net, now));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(ms: u64) -> LocalTime {
        LocalTime::from_micros(ms * 1_000)
    }

    /// B6.10: a net id is not used again within 60 s.
    #[test]
    fn a_number_rests_for_60_seconds() {
        let mut nets = NetIds::default();
        let first = nets.take(at(0)).expect("all are free");
        for _ in 0..MOBY_KEY_MAX {
            assert!(nets.take(at(0)).is_some_and(|net| net != first));
        }
        assert_eq!(nets.take(at(0)), None, "all are in use");
        nets.give_back(first, at(1_000));
        assert_eq!(nets.take(at(60_999)), None);
        assert_eq!(nets.take(at(61_000)), Some(first));
    }
}
