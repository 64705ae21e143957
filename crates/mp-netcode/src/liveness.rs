//! How alive a peer is, from when it was last heard (B3.2).
//!
//! It judges only by what it is told: anything received counts. It closes nothing itself.

use core::time::Duration;

use crate::time::LocalTime;

/// How alive a peer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Grade {
    /// Heard lately.
    Live,
    /// Silent for a while; it may come back.
    Interrupted,
    /// Silent for so long that it is taken for lost.
    Gone,
}

/// The time since a peer was last heard, graded.
#[derive(Clone, Debug)]
pub struct Liveness {
    heard: LocalTime,
    interrupted_after: Duration,
    gone_after: Duration,
}

impl Liveness {
    /// A peer heard just now. Silence of `interrupted_after` makes it [`Grade::Interrupted`], silence of
    /// `gone_after` [`Grade::Gone`].
    #[must_use]
    pub const fn new(now: LocalTime, interrupted_after: Duration, gone_after: Duration) -> Self {
        Self { heard: now, interrupted_after, gone_after }
    }

    /// Something was received at `now`. A moment before the last one changes nothing.
    pub fn heard(&mut self, now: LocalTime) {
        self.heard = self.heard.max(now);
    }

    /// The grade at `now`.
    #[must_use]
    pub fn grade(&self, now: LocalTime) -> Grade {
        let silence = now.since(self.heard);
        if silence >= self.gone_after {
            Grade::Gone
        } else if silence >= self.interrupted_after {
            Grade::Interrupted
        } else {
            Grade::Live
        }
    }

    /// When the grade next changes if nothing is heard: a driver may sleep until then. `None` once gone.
    #[must_use]
    pub fn next_change(&self, now: LocalTime) -> Option<LocalTime> {
        match self.grade(now) {
            Grade::Live => Some(self.heard + self.interrupted_after.min(self.gone_after)),
            Grade::Interrupted => Some(self.heard + self.gone_after),
            Grade::Gone => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(ms: u64) -> LocalTime {
        LocalTime::from_micros(ms * 1_000)
    }

    fn heard_at(ms: u64) -> Liveness {
        Liveness::new(at(ms), Duration::from_secs(2), Duration::from_secs(10))
    }

    #[test]
    fn silence_is_graded_at_its_two_limits() {
        let link = heard_at(1_000);
        let grades = [1_000, 2_999, 3_000, 10_999, 11_000].map(|ms| link.grade(at(ms)));
        use Grade::{Gone, Interrupted, Live};
        assert_eq!(grades, [Live, Live, Interrupted, Interrupted, Gone]);
    }

    #[test]
    fn whatever_is_heard_makes_it_live_again() {
        let mut link = heard_at(0);
        assert_eq!(link.grade(at(5_000)), Grade::Interrupted);
        link.heard(at(5_000));
        assert_eq!(link.grade(at(6_999)), Grade::Live);
    }

    #[test]
    fn a_moment_in_the_past_takes_nothing_back() {
        let mut link = heard_at(5_000);
        link.heard(at(0));
        assert_eq!(link.grade(at(6_000)), Grade::Live);
    }

    #[test]
    fn waking_at_each_next_change_sees_every_grade() {
        let link = heard_at(500);
        let first = link.next_change(at(500)).expect("live");
        assert_eq!((first, link.grade(first)), (at(2_500), Grade::Interrupted));
        let second = link.next_change(first).expect("interrupted");
        assert_eq!((second, link.grade(second)), (at(10_500), Grade::Gone));
        assert_eq!(link.next_change(second), None);
    }
}
