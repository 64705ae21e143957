//! When to play: how far behind a sender, and the cursor that keeps that distance.
//!
//! The two ends' clocks and the way between them are unknown; what is known is how long after its stamp
//! each pose arrived. The least of the last seconds is the way's; what exceeds it is jitter. All times
//! are microseconds as `i64` and saturate, since a stamp may be anything.
//!
//! The cursor never goes back, and never jumps where it can be caught up with.

use alloc::collections::VecDeque;
use core::time::Duration;

use crate::time::ServerTime;

/// How far behind the quickest arrival a steady stream plays (B5.3).
pub const BASE_DELAY: Duration = Duration::from_millis(100);

/// The most that jitter makes of [`BASE_DELAY`] (B5.3).
pub const MAX_DELAY: Duration = Duration::from_millis(250);

/// How much faster or slower than time the cursor runs at most, in percent (B5.3).
pub const MAX_RATE_PERCENT: u8 = 15;

const BASE_DELAY_US: i64 = 100_000;
const MAX_DELAY_US: i64 = 250_000;
const MAX_RATE: i64 = MAX_RATE_PERCENT as i64;

/// Arrivals count for this long: long enough to see what jitter there is, short enough to follow a
/// route that changed.
const WINDOW_US: i64 = 4_000_000;

/// The most arrivals kept: 30 a second over the window, and some.
const MAX_ARRIVALS: usize = 128;

/// This share of the arrivals is waited for, in percent; extrapolation covers the rest.
const QUANTILE_PERCENT: usize = 95;

/// How fast the delay grows and shrinks, in thousandths of the time that passes: it grows in time for
/// the next late pose, and shrinks only once the link has been good for a while.
const GROWTH_PER_MILLE: i64 = 60;
const SHRINKING_PER_MILLE: i64 = 20;

/// The cursor makes up for an error in about this time.
const CATCH_UP_US: i64 = 1_000_000;

/// A cursor further than this behind its aim jumps to it, rather than replay at 1.15 times what is over.
const MAX_BEHIND_US: i64 = MAX_DELAY_US;

/// Not played for this long (the game loaded), the cursor takes up at its aim.
const MAX_PAUSE_US: i64 = 500_000;

/// The playback of one sender's stream.
#[derive(Clone, Debug)]
pub(super) struct PlaybackClock {
    arrivals: VecDeque<Arrival>,
    delays: Option<Delays>,
    cursor: Option<Cursor>,
}

#[derive(Clone, Copy, Debug)]
struct Arrival {
    at_us: i64,
    /// From stamp to arrival, by this end's idea of the server's clock: only differences mean anything.
    took_us: i64,
}

#[derive(Clone, Copy, Debug)]
struct Delays {
    /// The quickest arrival of the window.
    quickest_us: i64,
    /// Where the window says to play, and where we do: both as a distance from now, way included. They
    /// are not kept as a delay past `quickest_us`, so that the cursor's aim stays when that changes.
    wanted_us: i64,
    behind_us: i64,
}

#[derive(Clone, Copy, Debug)]
struct Cursor {
    at_us: i64,
    now_us: i64,
}

/// One advance of the cursor.
#[derive(Clone, Copy, Debug)]
pub(super) struct Advance {
    /// Where the cursor was, once it had jumped if it had to.
    pub(super) from_us: i64,
    /// Where it is.
    pub(super) to_us: i64,
    /// The time that passed.
    pub(super) elapsed_us: i64,
}

impl Delays {
    fn delay_us(&self) -> i64 {
        self.behind_us.saturating_sub(self.quickest_us).clamp(BASE_DELAY_US, MAX_DELAY_US)
    }

    fn aim_us(&self, now_us: i64) -> i64 {
        now_us.saturating_sub(self.quickest_us.saturating_add(self.delay_us()))
    }

    fn slew(&mut self, elapsed_us: i64) {
        let missing_us = self.wanted_us.saturating_sub(self.behind_us);
        let growth_us = elapsed_us.saturating_mul(GROWTH_PER_MILLE) / 1_000;
        let shrinking_us = elapsed_us.saturating_mul(SHRINKING_PER_MILLE) / 1_000;
        self.behind_us = self.behind_us.saturating_add(missing_us.clamp(-shrinking_us, growth_us));
    }
}

impl PlaybackClock {
    pub(super) fn new() -> Self {
        Self { arrivals: VecDeque::with_capacity(MAX_ARRIVALS), delays: None, cursor: None }
    }

    /// Forgets everything: the next pose is the first.
    pub(super) fn reset(&mut self) {
        self.arrivals.clear();
        self.delays = None;
        self.cursor = None;
    }

    /// A pose stamped `stamp` arrived at `now`.
    pub(super) fn observe(&mut self, now: ServerTime, stamp: ServerTime) {
        let now_us = now.as_micros();
        let oldest_us = now_us.saturating_sub(WINDOW_US);
        while self.arrivals.len() == MAX_ARRIVALS
            || self.arrivals.front().is_some_and(|arrival| arrival.at_us < oldest_us)
        {
            self.arrivals.pop_front();
        }
        let took_us = now.micros_since(stamp);
        self.arrivals.push_back(Arrival { at_us: now_us, took_us });

        let mut sorted = [i64::MAX; MAX_ARRIVALS];
        let count = self.arrivals.len();
        for (slot, arrival) in sorted.iter_mut().zip(&self.arrivals) {
            *slot = arrival.took_us;
        }
        let sorted = &mut sorted[..count];
        sorted.sort_unstable();
        let quickest_us = sorted[0];
        let slow_us = sorted[(count * QUANTILE_PERCENT).div_ceil(100) - 1];
        let wanted_us =
            slow_us.saturating_add(BASE_DELAY_US).min(quickest_us.saturating_add(MAX_DELAY_US));
        let behind_us = self.delays.map_or(wanted_us, |delays| delays.behind_us);
        self.delays = Some(Delays { quickest_us, wanted_us, behind_us });
    }

    /// Moves the cursor to where it is to be at `now`, but never past `limit_us` and never back. `None`
    /// before the first pose.
    pub(super) fn advance(&mut self, now: ServerTime, limit_us: i64) -> Option<Advance> {
        let delays = self.delays.as_mut()?;
        let now_us = now.as_micros();
        let Some(last) = self.cursor else {
            let at_us = delays.aim_us(now_us).min(limit_us);
            self.cursor = Some(Cursor { at_us, now_us });
            return Some(Advance { from_us: at_us, to_us: at_us, elapsed_us: 0 });
        };
        // Our idea of the server's clock may step back by a little: no time passes until it is over.
        let elapsed_us = now_us.saturating_sub(last.now_us).max(0);
        delays.slew(elapsed_us);
        let aim_us = delays.aim_us(now_us);
        let on_time_us = last.at_us.saturating_add(elapsed_us);
        let error_us = aim_us.saturating_sub(on_time_us);
        let held = |at_us: i64| at_us.min(limit_us).max(last.at_us);
        let (from_us, to_us) = if error_us > MAX_BEHIND_US || elapsed_us > MAX_PAUSE_US {
            (held(aim_us), held(aim_us))
        } else {
            let most_us = elapsed_us * MAX_RATE / 100;
            let made_up_us = error_us.saturating_mul(elapsed_us) / CATCH_UP_US;
            let to_us = on_time_us.saturating_add(made_up_us.clamp(-most_us, most_us));
            (last.at_us, held(to_us))
        };
        self.cursor = Some(Cursor { at_us: to_us, now_us });
        Some(Advance { from_us, to_us, elapsed_us })
    }

    /// Where the cursor is; `None` before the first [`Self::advance`].
    pub(super) fn cursor_us(&self) -> Option<i64> {
        self.cursor.map(|cursor| cursor.at_us)
    }

    /// How far behind the quickest arrival the cursor aims.
    pub(super) fn delay(&self) -> Duration {
        let us = self.delays.map_or(BASE_DELAY_US, |delays| delays.delay_us());
        Duration::from_micros(us.unsigned_abs())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_public_delays_are_the_ones_computed_with() {
        assert_eq!(crate::time::micros(BASE_DELAY), BASE_DELAY_US);
        assert_eq!(crate::time::micros(MAX_DELAY), MAX_DELAY_US);
    }
}
