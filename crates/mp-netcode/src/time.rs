//! The two times: this process's own and the server's.
//!
//! They are separate types so that one is never taken for the other; only [`ClockSync`] leads from the
//! first to the second. All arithmetic saturates: a stamp from the wire may be any `i64`.
//!
//! [`ClockSync`]: crate::ClockSync

use core::ops::{Add, Sub};
use core::time::Duration;

const MICROS_PER_MILLI: u64 = 1_000;

/// A moment on this process's monotonic clock: microseconds since its owner started.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LocalTime(u64);

impl LocalTime {
    /// The owner's start.
    pub const ZERO: Self = Self(0);

    /// The moment `micros` microseconds after the start.
    #[must_use]
    pub const fn from_micros(micros: u64) -> Self {
        Self(micros)
    }

    /// Microseconds since the start.
    #[must_use]
    pub const fn as_micros(self) -> u64 {
        self.0
    }

    /// Whole milliseconds since the start, rounded down.
    #[must_use]
    pub const fn as_millis(self) -> u64 {
        self.0 / MICROS_PER_MILLI
    }

    /// The time from `earlier` to this moment; zero if `earlier` is later.
    #[must_use]
    pub const fn since(self, earlier: Self) -> Duration {
        Duration::from_micros(self.0.saturating_sub(earlier.0))
    }
}

impl Add<Duration> for LocalTime {
    type Output = Self;

    /// Saturates at the end of time.
    fn add(self, rhs: Duration) -> Self {
        let micros = u64::try_from(rhs.as_micros()).unwrap_or(u64::MAX);
        Self(self.0.saturating_add(micros))
    }
}

/// A moment on the server's clock: microseconds since the server's epoch, which may be negative.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ServerTime(i64);

impl ServerTime {
    /// The moment `micros` microseconds after the server's epoch.
    #[must_use]
    pub const fn from_micros(micros: i64) -> Self {
        Self(micros)
    }

    /// A stamp as it travels, in milliseconds. Any `i64` will do; one that microseconds cannot hold
    /// saturates.
    #[must_use]
    pub const fn from_millis(millis: i64) -> Self {
        Self(millis.saturating_mul(MICROS_PER_MILLI.cast_signed()))
    }

    /// Microseconds since the server's epoch.
    #[must_use]
    pub const fn as_micros(self) -> i64 {
        self.0
    }

    /// Whole milliseconds since the server's epoch, rounded towards the past.
    #[must_use]
    pub const fn as_millis(self) -> i64 {
        self.0.div_euclid(MICROS_PER_MILLI.cast_signed())
    }

    /// Microseconds from `other` to this moment: negative if `other` is later; saturates.
    #[must_use]
    pub const fn micros_since(self, other: Self) -> i64 {
        self.0.saturating_sub(other.0)
    }
}

impl Add<Duration> for ServerTime {
    type Output = Self;

    /// Saturates at the end of time.
    fn add(self, rhs: Duration) -> Self {
        Self(self.0.saturating_add(micros(rhs)))
    }
}

impl Sub<Duration> for ServerTime {
    type Output = Self;

    /// Saturates at the beginning of time.
    fn sub(self, rhs: Duration) -> Self {
        Self(self.0.saturating_sub(micros(rhs)))
    }
}

/// A duration in microseconds, rounded down; saturates.
pub(crate) fn micros(duration: Duration) -> i64 {
    i64::try_from(duration.as_micros()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn local_time_counts_microseconds_and_never_runs_out() {
        let time = LocalTime::from_micros(1_999);
        assert_eq!(time.as_micros(), 1_999);
        assert_eq!(time.as_millis(), 1);
        assert_eq!((time + Duration::from_millis(2)).as_micros(), 3_999);
        assert_eq!(
            LocalTime::from_micros(u64::MAX) + Duration::MAX,
            LocalTime::from_micros(u64::MAX)
        );
    }

    #[test]
    fn since_a_later_moment_is_zero() {
        let (early, late) = (LocalTime::from_micros(5), LocalTime::from_micros(8));
        assert_eq!(late.since(early), Duration::from_micros(3));
        assert_eq!(early.since(late), Duration::ZERO);
    }

    #[test]
    fn any_stamp_from_the_wire_is_a_server_time() {
        assert_eq!(ServerTime::from_millis(i64::MAX), ServerTime::from_micros(i64::MAX));
        assert_eq!(ServerTime::from_millis(i64::MIN), ServerTime::from_micros(i64::MIN));
        assert_eq!(ServerTime::from_millis(-3).as_micros(), -3_000);
        assert_eq!(
            ServerTime::from_millis(i64::MAX) + Duration::MAX,
            ServerTime::from_millis(i64::MAX)
        );
        assert_eq!(
            ServerTime::from_millis(i64::MIN) - Duration::MAX,
            ServerTime::from_millis(i64::MIN)
        );
    }

    #[test]
    fn milliseconds_round_towards_the_past_on_both_sides_of_the_epoch() {
        assert_eq!(ServerTime::from_micros(1_999).as_millis(), 1);
        assert_eq!(ServerTime::from_micros(-1).as_millis(), -1);
    }

    #[test]
    fn differences_of_server_times_are_signed_and_saturate() {
        let (early, late) = (ServerTime::from_millis(i64::MIN), ServerTime::from_millis(i64::MAX));
        assert_eq!(late.micros_since(early), i64::MAX);
        assert_eq!(early.micros_since(late), i64::MIN);
        assert_eq!(ServerTime::from_micros(2).micros_since(ServerTime::from_micros(7)), -5);
    }
}
