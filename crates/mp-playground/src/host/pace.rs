//! Real time: the only place of the playground that looks at a clock to play by it, and waits.

use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use crate::sim::TickRate;

/// A game further behind than this lets the lost ticks be, as the console does.
const LATE: Duration = Duration::from_millis(100);

/// Keeps a game at its disc's ticks a second.
#[derive(Debug)]
pub struct Pacer {
    start: Instant,
    /// Seconds since 1970 at the start: so that two processes' times can be laid side by side.
    wall: f64,
    due: Instant,
    tick: Duration,
}

impl Pacer {
    /// Begins now.
    #[must_use]
    pub fn start(rate: TickRate) -> Self {
        let start = Instant::now();
        let wall = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs_f64();
        let tick = Duration::from_secs(1) / u32::from(rate.per_second());
        Self { start, wall, due: start, tick }
    }

    /// The next tick after no more than `wait`, and the time as [`Self::next_tick`] answers it: for menus
    /// that nobody watches, and for what need not be in real time.
    pub fn hurry(&mut self, wait: Duration) -> f64 {
        thread::sleep(wait);
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
        self.due += self.tick;
        self.wall + self.start.elapsed().as_secs_f64()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_is_kept_at_its_discs_rate() {
        for (rate, least) in [(TickRate::Ntsc, 11.0 / 60.0), (TickRate::Pal, 11.0 / 50.0)] {
            let mut pacer = Pacer::start(rate);
            let first = pacer.next_tick();
            let last = (0..11).map(|_| pacer.next_tick()).last().expect("eleven ticks");
            // The first is due at once; a busy machine is late for the others, never early.
            assert!(last - first > least - 0.001, "{rate:?}: {} s", last - first);
        }
    }
}
