//! Real time: the only place of the playground that looks at a clock to play by it, and waits.

use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use crate::sim::TICKS_PER_SECOND;

/// A game further behind than this lets the lost ticks be, as the console does.
const LATE: Duration = Duration::from_millis(100);

/// Keeps a game at 60 ticks a second.
#[derive(Debug)]
pub struct Pacer {
    start: Instant,
    /// Seconds since 1970 at the start: so that two processes' times can be laid side by side.
    wall: f64,
    due: Instant,
}

impl Pacer {
    /// Begins now.
    #[must_use]
    pub fn start() -> Self {
        let start = Instant::now();
        let wall = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs_f64();
        Self { start, wall, due: start }
    }

    /// The next tick without waiting for it, and the time as [`Self::next_tick`] answers it: for menus
    /// that nobody watches.
    pub fn hurry(&mut self) -> f64 {
        self.due = Instant::now();
        self.wall + self.start.elapsed().as_secs_f64()
    }

    /// Waits until the next tick is due, and answers the time: seconds since 1970, never decreasing.
    pub fn next_tick(&mut self) -> f64 {
        let now = Instant::now();
        if now < self.due {
            thread::sleep(self.due - now);
        } else if now - self.due > LATE {
            self.due = now;
        }
        self.due += Duration::from_secs(1) / TICKS_PER_SECOND;
        self.wall + self.start.elapsed().as_secs_f64()
    }
}
