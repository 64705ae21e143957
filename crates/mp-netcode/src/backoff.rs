//! How long to wait before the next attempt (B2.9: backing off to 30 s).
//!
//! The jitter keeps the clients of a server that restarts from all coming back at the same moment. The
//! random numbers are the caller's: nothing here has a generator.

use core::time::Duration;

/// A wait that doubles with every attempt, with jitter, from `first` to `max`.
///
/// The n-th wait (from 0) lies evenly between `first` x 2^n and twice that; from where that would pass
/// `max` on, between half of `max` and `max`. With 1 s and 30 s: 1 to 2 s, 2 to 4, 4 to 8, 8 to 16, then
/// 15 to 30.
#[derive(Clone, Debug)]
pub struct Backoff {
    first: Duration,
    max: Duration,
    shortest: Duration,
}

impl Backoff {
    /// Waits from `first` to `max`; a `max` under twice `first` is taken as that.
    #[must_use]
    pub fn new(first: Duration, max: Duration) -> Self {
        Self { first, max: max.max(first.saturating_mul(2)), shortest: first }
    }

    /// The wait before the next attempt. `random` is any number, drawn evenly.
    pub fn next_delay(&mut self, random: u32) -> Duration {
        let shortest = self.shortest;
        self.shortest = shortest.saturating_mul(2).min(self.max / 2);
        let extra_us = (shortest.as_micros() * u128::from(random)) >> u32::BITS;
        shortest.saturating_add(Duration::from_micros(u64::try_from(extra_us).unwrap_or(u64::MAX)))
    }

    /// An attempt came through: the next wait is the first again.
    pub fn reset(&mut self) {
        self.shortest = self.first;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIRST: Duration = Duration::from_secs(1);
    const MAX: Duration = Duration::from_secs(30);

    fn delays(random: u32) -> [f64; 7] {
        let mut backoff = Backoff::new(FIRST, MAX);
        core::array::from_fn(|_| backoff.next_delay(random).as_secs_f64())
    }

    #[test]
    fn doubles_from_1_second_and_stays_within_30() {
        assert_eq!(delays(0), [1.0, 2.0, 4.0, 8.0, 15.0, 15.0, 15.0]);
        let longest = delays(u32::MAX);
        for (delay, limit) in longest.iter().zip([2.0, 4.0, 8.0, 16.0, 30.0, 30.0, 30.0]) {
            assert!((limit - 0.001..=limit).contains(delay), "{longest:?}");
        }
    }

    #[test]
    fn jitter_spreads_evenly_at_every_length() {
        assert_eq!(delays(1 << 31), [1.5, 3.0, 6.0, 12.0, 22.5, 22.5, 22.5]);
    }

    #[test]
    fn starts_over_after_a_success() {
        let mut backoff = Backoff::new(FIRST, MAX);
        for _ in 0..5 {
            backoff.next_delay(0);
        }
        backoff.reset();
        assert_eq!(backoff.next_delay(0), FIRST);
    }

    #[test]
    fn the_longest_durations_do_not_overflow() {
        let mut backoff = Backoff::new(Duration::MAX, Duration::ZERO);
        for _ in 0..3 {
            assert!(backoff.next_delay(u32::MAX) > Duration::from_secs(1));
        }
    }
}
