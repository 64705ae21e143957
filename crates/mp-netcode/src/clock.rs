//! The round trip and the server's clock, from echoes (protocol.md 1, "TIME").
//!
//! It only averages what it is given: it never asks, and never judges whether a server's clock is
//! likely. A sample moves the estimate, so [`ClockSync::server_time`] may step back by a little: who
//! stamps with it keeps its stamps from decreasing.

use core::time::Duration;

use crate::time::{LocalTime, ServerTime, micros};

/// A sample counts one part in this many: 5 % (protocol.md 1).
const SMOOTHING: i64 = 20;

/// Round trip, jitter and offset, each smoothed by 5 % a sample, the first sample whole.
#[derive(Clone, Debug, Default)]
pub struct ClockSync {
    estimate: Option<Estimate>,
}

#[derive(Clone, Debug)]
struct Estimate {
    round_trip_us: i64,
    /// Mean deviation of the round trips.
    jitter_us: i64,
    /// Server time at local time zero.
    offset_us: i64,
}

impl ClockSync {
    /// A clock that knows nothing yet.
    #[must_use]
    pub const fn new() -> Self {
        Self { estimate: None }
    }

    /// Takes an echo: `sent` and `received` on this clock, `server` the server's clock as it answered.
    ///
    /// Returns false, and changes nothing, for an echo of a moment still to come, which a server could
    /// make up.
    pub fn sample(&mut self, sent: LocalTime, received: LocalTime, server: ServerTime) -> bool {
        if sent > received {
            return false;
        }
        let round_trip_us = micros(received.since(sent));
        let offset_us = server
            .as_micros()
            .saturating_add(round_trip_us / 2)
            .saturating_sub_unsigned(received.as_micros());
        match &mut self.estimate {
            None => self.estimate = Some(Estimate { round_trip_us, jitter_us: 0, offset_us }),
            Some(estimate) => {
                let deviation_us = round_trip_us.saturating_sub(estimate.round_trip_us);
                smooth(&mut estimate.jitter_us, deviation_us.saturating_abs());
                smooth(&mut estimate.round_trip_us, round_trip_us);
                smooth(&mut estimate.offset_us, offset_us);
            }
        }
        true
    }

    /// The smoothed round trip; `None` before the first sample.
    #[must_use]
    pub fn round_trip(&self) -> Option<Duration> {
        self.estimate.as_ref().map(|e| Duration::from_micros(e.round_trip_us.unsigned_abs()))
    }

    /// The mean deviation of the round trips, smoothed likewise; `None` before the first sample.
    #[must_use]
    pub fn jitter(&self) -> Option<Duration> {
        self.estimate.as_ref().map(|e| Duration::from_micros(e.jitter_us.unsigned_abs()))
    }

    /// The server's clock at `now`, as well as is known; `None` before the first sample.
    #[must_use]
    pub fn server_time(&self, now: LocalTime) -> Option<ServerTime> {
        let estimate = self.estimate.as_ref()?;
        Some(ServerTime::from_micros(estimate.offset_us.saturating_add_unsigned(now.as_micros())))
    }
}

/// Moves `value` by 5 % of its distance to `sample`.
fn smooth(value: &mut i64, sample: i64) {
    *value = value.saturating_add(sample.saturating_sub(*value) / SMOOTHING);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn local(ms: u64) -> LocalTime {
        LocalTime::from_micros(ms * 1_000)
    }

    #[test]
    fn knows_nothing_before_the_first_sample() {
        let clock = ClockSync::new();
        assert_eq!(clock.round_trip(), None);
        assert_eq!(clock.jitter(), None);
        assert_eq!(clock.server_time(local(1)), None);
    }

    #[test]
    fn the_first_sample_counts_whole() {
        let mut clock = ClockSync::new();
        assert!(clock.sample(local(100), local(180), ServerTime::from_millis(5_000)));
        assert_eq!(clock.round_trip(), Some(Duration::from_millis(80)));
        // The answer left half a round trip ago.
        assert_eq!(clock.server_time(local(180)), Some(ServerTime::from_millis(5_040)));
        assert_eq!(clock.server_time(local(1_180)), Some(ServerTime::from_millis(6_040)));
    }

    #[test]
    fn every_later_sample_counts_5_percent() {
        let mut clock = ClockSync::new();
        clock.sample(local(0), local(100), ServerTime::from_millis(50));
        assert_eq!(clock.server_time(LocalTime::ZERO), Some(ServerTime::from_millis(0)));
        clock.sample(local(1_000), local(1_200), ServerTime::from_millis(1_120));
        assert_eq!(clock.round_trip(), Some(Duration::from_millis(105)));
        assert_eq!(clock.jitter(), Some(Duration::from_millis(5)));
        // The second sample's offset is 1,120 + 100 - 1,200 = 20 ms.
        assert_eq!(clock.server_time(LocalTime::ZERO), Some(ServerTime::from_millis(1)));
    }

    #[test]
    fn an_echo_of_the_future_is_refused() {
        let mut clock = ClockSync::new();
        assert!(!clock.sample(local(2), local(1), ServerTime::from_millis(0)));
        assert_eq!(clock.round_trip(), None);
    }

    #[test]
    fn absurd_server_clocks_saturate() {
        let extremes = [i64::MIN, i64::MAX, 0, i64::MAX, i64::MIN];
        for first in extremes {
            let mut clock = ClockSync::new();
            for server in core::iter::once(first).chain(extremes) {
                clock.sample(local(0), local(10), ServerTime::from_millis(server));
                clock.sample(
                    LocalTime::ZERO,
                    LocalTime::from_micros(u64::MAX),
                    ServerTime::from_millis(server),
                );
                assert!(clock.server_time(LocalTime::from_micros(u64::MAX)).is_some());
            }
        }
    }
}
