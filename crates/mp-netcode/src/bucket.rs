//! A rate limit as a token bucket (protocol.md 1, "Limits").
//!
//! Integers only, so that no rounding lets through more than the rate, however often it is asked.

use crate::time::{LocalTime, micros};

/// A bucket holds this many seconds' worth (protocol.md 1).
const SECONDS_HELD: u64 = 2;

const MICROS_PER_SECOND: u64 = 1_000_000;

/// A token bucket that starts full and holds two seconds' worth.
///
/// 24 bytes: a server keeps several for every connection.
#[derive(Clone, Debug)]
pub struct TokenBucket {
    /// Millionths of a token: what `per_second` brings in a microsecond is then a whole number.
    level: u64,
    filled: LocalTime,
    per_second: u32,
}

impl TokenBucket {
    /// A full bucket that gains `per_second` tokens a second.
    #[must_use]
    pub const fn new(now: LocalTime, per_second: u32) -> Self {
        Self { level: capacity(per_second), filled: now, per_second }
    }

    /// Takes `amount` tokens if there are as many; takes none and returns false otherwise.
    ///
    /// A `now` before the last one counts as that one.
    pub fn take(&mut self, now: LocalTime, amount: u32) -> bool {
        self.fill(now);
        let wanted = u64::from(amount) * MICROS_PER_SECOND;
        let allowed = wanted <= self.level;
        if allowed {
            self.level -= wanted;
        }
        allowed
    }

    /// Changes the rate from `now` on. What the bucket holds stays, up to the new two seconds' worth.
    pub fn set_rate(&mut self, now: LocalTime, per_second: u32) {
        self.fill(now);
        self.per_second = per_second;
        self.level = self.level.min(capacity(per_second));
    }

    fn fill(&mut self, now: LocalTime) {
        let elapsed_us = micros(now.since(self.filled)).unsigned_abs();
        let gained = elapsed_us.saturating_mul(u64::from(self.per_second));
        self.level = self.level.saturating_add(gained).min(capacity(self.per_second));
        self.filled = self.filled.max(now);
    }
}

/// In millionths of a token; at most 2 x 2^32 x 10^6, which a `u64` holds.
const fn capacity(per_second: u32) -> u64 {
    per_second as u64 * SECONDS_HELD * MICROS_PER_SECOND
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(us: u64) -> LocalTime {
        LocalTime::from_micros(us)
    }

    /// How many of `tries` single tokens the bucket gives at `now`.
    fn given(bucket: &mut TokenBucket, now: LocalTime, tries: u32) -> u32 {
        (0..tries).map(|_| u32::from(bucket.take(now, 1))).sum()
    }

    #[test]
    fn starts_full_with_two_seconds_worth() {
        let mut bucket = TokenBucket::new(at(7), 200);
        assert_eq!(given(&mut bucket, at(7), 1_000), 400);
    }

    #[test]
    fn gains_its_rate_and_never_more_than_it_holds() {
        let mut bucket = TokenBucket::new(at(0), 4);
        assert_eq!(given(&mut bucket, at(0), 100), 8);
        assert_eq!(given(&mut bucket, at(249_999), 100), 0);
        assert_eq!(given(&mut bucket, at(250_000), 100), 1);
        assert_eq!(given(&mut bucket, at(3_600_000_000), 100), 8);
    }

    #[test]
    fn asking_every_microsecond_gains_nothing_by_rounding() {
        let mut bucket = TokenBucket::new(at(0), 3);
        given(&mut bucket, at(0), 6);
        let in_a_second: u32 = (1..=1_000_000).map(|us| given(&mut bucket, at(us), 1)).sum();
        assert_eq!(in_a_second, 3);
    }

    #[test]
    fn too_much_is_refused_whole() {
        let mut bucket = TokenBucket::new(at(0), 10);
        assert!(!bucket.take(at(0), 21));
        assert!(bucket.take(at(0), 20));
    }

    #[test]
    fn a_clock_that_steps_back_gains_nothing() {
        let mut bucket = TokenBucket::new(at(5_000_000), 1);
        assert_eq!(given(&mut bucket, at(5_000_000), 9), 2);
        assert_eq!(given(&mut bucket, at(0), 9), 0);
        assert_eq!(given(&mut bucket, at(5_000_000), 9), 0);
    }

    #[test]
    fn a_new_rate_keeps_what_is_held() {
        let mut bucket = TokenBucket::new(at(0), 4);
        given(&mut bucket, at(0), 5);
        bucket.set_rate(at(0), 16);
        assert_eq!(given(&mut bucket, at(0), 100), 3);
        assert_eq!(given(&mut bucket, at(2_000_000), 100), 32);
        bucket.set_rate(at(9_000_000), 4);
        assert_eq!(given(&mut bucket, at(9_000_000), 100), 8);
    }

    #[test]
    fn the_largest_figures_do_not_overflow() {
        let mut bucket = TokenBucket::new(at(0), u32::MAX);
        assert!(bucket.take(at(u64::MAX), u32::MAX));
        assert!(bucket.take(at(u64::MAX), u32::MAX));
        assert!(!bucket.take(at(u64::MAX), 1));
    }

    #[test]
    fn is_24_bytes() {
        assert_eq!(size_of::<TokenBucket>(), 24);
    }
}
