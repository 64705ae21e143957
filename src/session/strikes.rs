//! Who sent how many malformed messages: after 20 in 10 seconds a member is ignored until it leaves
//! (protocol.md 3, "Malformed").

use std::collections::{BTreeMap, VecDeque};

use mp_netcode::LocalTime;
use mp_protocol::SessionId;
use mp_protocol::limits::{MALFORMED_MAX, MALFORMED_WINDOW};

/// What a malformed message led to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Strike {
    /// The first for a while.
    First,
    /// One more.
    Counted,
    /// The one that was too many.
    TooMany,
}

/// The counts, by sender, and when each kind was last told of.
#[derive(Debug, Default)]
pub(super) struct Strikes {
    recent: BTreeMap<SessionId, VecDeque<LocalTime>>,
    first_told: Option<LocalTime>,
    too_many_told: Option<LocalTime>,
    untold: u32,
}

impl Strikes {
    /// Counts a malformed message.
    pub(super) fn count(&mut self, sender: SessionId, now: LocalTime) -> Strike {
        let recent = self.recent.entry(sender).or_default();
        recent.push_back(now);
        while recent.front().is_some_and(|&first| now.since(first) > MALFORMED_WINDOW) {
            recent.pop_front();
        }
        if recent.len() < MALFORMED_MAX as usize {
            return if recent.len() == 1 { Strike::First } else { Strike::Counted };
        }
        self.recent.remove(&sender);
        Strike::TooMany
    }

    /// The line for the log, if one may go there now: one of each kind in 10 seconds, whoever it is about,
    /// since one who comes back is another. The next says how many were left out.
    pub(super) fn told(&mut self, strike: Strike, line: String, now: LocalTime) -> Option<String> {
        let last = match strike {
            Strike::First => &mut self.first_told,
            Strike::TooMany => &mut self.too_many_told,
            Strike::Counted => return None,
        };
        if last.is_some_and(|last| now.since(last) < MALFORMED_WINDOW) {
            self.untold = self.untold.saturating_add(1);
            return None;
        }
        *last = Some(now);
        match std::mem::take(&mut self.untold) {
            0 => Some(line),
            untold => Some(format!("{line} (and {untold} such lines before it)")),
        }
    }

    /// Forgets one who left.
    pub(super) fn forget(&mut self, sender: SessionId) {
        self.recent.remove(&sender);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(ms: u64) -> LocalTime {
        LocalTime::from_micros(ms * 1000)
    }

    #[test]
    fn twenty_in_ten_seconds_are_too_many() {
        let mut strikes = Strikes::default();
        assert_eq!(strikes.count(SessionId(2), at(0)), Strike::First);
        for n in 1..19 {
            assert_eq!(strikes.count(SessionId(2), at(n * 500)), Strike::Counted);
        }
        assert_eq!(strikes.count(SessionId(2), at(9_600)), Strike::TooMany);
        assert_eq!(strikes.count(SessionId(3), at(9_600)), Strike::First);
    }

    #[test]
    fn slower_ones_never_are() {
        let mut strikes = Strikes::default();
        for n in 0..200 {
            assert_ne!(strikes.count(SessionId(2), at(n * 530)), Strike::TooMany);
        }
    }

    #[test]
    fn one_that_comes_again_and_again_does_not_fill_the_log() {
        let mut strikes = Strikes::default();
        let mut lines = Vec::new();
        for id in 0..600 {
            let (who, now) = (SessionId(id), at(u64::try_from(id).expect("from 0") * 16));
            for _ in 0..20 {
                let strike = strikes.count(who, now);
                lines.extend(strikes.told(strike, format!("{strike:?} of {id}"), now));
            }
        }
        assert_eq!(lines, ["First of 0", "TooMany of 0"]);
        let again = strikes.told(Strike::First, "again".to_owned(), at(10_000));
        assert_eq!(again.as_deref(), Some("again (and 1198 such lines before it)"));
    }

    #[test]
    fn one_who_left_starts_anew() {
        let mut strikes = Strikes::default();
        for _ in 0..19 {
            strikes.count(SessionId(2), at(0));
        }
        strikes.forget(SessionId(2));
        assert_eq!(strikes.count(SessionId(2), at(0)), Strike::First);
    }
}
