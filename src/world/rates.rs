//! How much of each kind a member may say: what the game allows and no more (B3.4).

use std::collections::BTreeMap;

use mp_netcode::{LocalTime, TokenBucket};
use mp_protocol::SessionId;
use mp_protocol::game::Kind;

/// HIT, CLAIM and BROKE a second that are taken of a member (B3.4).
const TAKEN_PER_SECOND: [(Kind, u32); 3] = [(Kind::Hit, 120), (Kind::Claim, 60), (Kind::Broke, 60)];

/// What each member has said lately.
#[derive(Debug, Default)]
pub(super) struct Rates {
    members: BTreeMap<SessionId, [TokenBucket; TAKEN_PER_SECOND.len()]>,
}

impl Rates {
    /// Whether one more of that kind is taken. Other kinds have no rate here.
    pub(super) fn take(&mut self, from: SessionId, kind: Kind, now: LocalTime) -> bool {
        let Some(place) = TAKEN_PER_SECOND.iter().position(|&(rated, _)| rated == kind) else {
            return true;
        };
        let full = || TAKEN_PER_SECOND.map(|(_, per_second)| TokenBucket::new(now, per_second));
        self.members.entry(from).or_insert_with(full)[place].take(now, 1)
    }

    /// Forgets one who left.
    pub(super) fn forget(&mut self, member: SessionId) {
        self.members.remove(&member);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// B3.4: 120 HIT and 60 CLAIM and BROKE a second of a member, and the others' are not less for it.
    #[test]
    fn each_member_has_its_own_rates() {
        let mut rates = Rates::default();
        let now = LocalTime::from_micros(9_000_000);
        for (kind, burst) in [(Kind::Hit, 240), (Kind::Claim, 120), (Kind::Broke, 120)] {
            let mut taken = || (0..500).filter(|_| rates.take(SessionId(2), kind, now)).count();
            assert_eq!(taken(), burst, "{kind:?}: two seconds' worth");
            assert!(rates.take(SessionId(3), kind, now));
        }
        assert!(rates.take(SessionId(2), Kind::Pose, now));
        rates.forget(SessionId(2));
        assert!(rates.take(SessionId(2), Kind::Hit, now));
    }
}
