//! Connections that are over, counted by why.

use mp_party::CloseReason;

/// Why, in words that do not vary from one time to the next; the first is the peer's own doing.
const REASONS: [&str; 16] = [
    "by the player",
    "malformed frame",
    "bad frame length",
    "no HELLO first",
    "second HELLO",
    "bad name",
    "too many connections",
    "too fast",
    "HELLO too late",
    "frame too slow",
    "silent",
    "queue full",
    "no session ids",
    "relay stops",
    "disconnected",
    "all queues full",
];

/// How many connections are over for each reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Closes([u64; REASONS.len()]);

impl Closes {
    /// Counts one; none: the peer closed it, or it failed.
    pub(crate) fn count(&mut self, why: Option<CloseReason>) {
        self.0[place(why)] += 1;
    }

    pub(crate) fn add(&mut self, other: &Self) {
        for (count, more) in self.0.iter_mut().zip(other.0) {
            *count += more;
        }
    }

    /// Every reason and its count.
    pub fn by_reason(&self) -> impl Iterator<Item = (&'static str, u64)> + '_ {
        REASONS.into_iter().zip(self.0)
    }
}

const fn place(why: Option<CloseReason>) -> usize {
    match why {
        None => 0,
        Some(CloseReason::Malformed(_)) => 1,
        Some(CloseReason::BadLength(_)) => 2,
        Some(CloseReason::NoHello) => 3,
        Some(CloseReason::SecondHello) => 4,
        Some(CloseReason::BadName) => 5,
        Some(CloseReason::TooManyConnections) => 6,
        Some(CloseReason::TooFast) => 7,
        Some(CloseReason::HelloTimeout) => 8,
        Some(CloseReason::FrameTimeout) => 9,
        Some(CloseReason::Silent) => 10,
        Some(CloseReason::QueueFull) => 11,
        Some(CloseReason::NoSessions) => 12,
        Some(CloseReason::Stopped) => 13,
        Some(CloseReason::Disconnected) => 14,
        Some(CloseReason::AllQueuesFull) => 15,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_reason_is_counted_under_its_own_words() {
        let mut closes = Closes::default();
        for (times, why, words) in [
            (1, None, "by the player"),
            (2, Some(CloseReason::TooManyConnections), "too many connections"),
            (3, Some(CloseReason::FrameTimeout), "frame too slow"),
            (4, Some(CloseReason::Disconnected), "disconnected"),
        ] {
            for _ in 0..times {
                closes.count(why);
            }
            assert!(closes.by_reason().any(|it| it == (words, times)), "{closes:?}");
        }
        assert_eq!(closes.by_reason().map(|(_, count)| count).sum::<u64>(), 10);
    }
}
