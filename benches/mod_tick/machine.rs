//! What the machine adds to a time: a loop that asks the system for nothing, timed beside the mod, about as
//! long as its tick. Whatever lies between its median and its 99th percentile is not the mod's doing: an
//! interrupt, the core's twin, a virtual machine's host.

use std::hint::black_box;
use std::time::Duration;

use cpu_time::ThreadTime;

/// What the loop reads, in bytes: more than fits in a first-level cache, as a game's state does.
const MEMORY: usize = 256 << 10;
/// A cache line.
const STEP: usize = 64;

/// See the module.
pub struct Machine {
    memory: Vec<u8>,
    rounds: usize,
    at: usize,
    times: Vec<Duration>,
}

impl Machine {
    /// One whose loop takes about that long when nothing comes between.
    pub fn new(length: Duration) -> Self {
        let mut machine = Self { memory: vec![1; MEMORY], rounds: 1_000, at: 0, times: Vec::new() };
        loop {
            let quickest = (0..20).map(|_| machine.run()).min().unwrap_or_default();
            if quickest >= length {
                return machine;
            }
            machine.rounds += machine.rounds / 4;
        }
    }

    /// Once more.
    pub fn look(&mut self) {
        let time = self.run();
        self.times.push(time);
    }

    /// The times so far.
    pub fn take(&mut self) -> Vec<Duration> {
        std::mem::take(&mut self.times)
    }

    fn run(&mut self) -> Duration {
        let begin = ThreadTime::now();
        let mut sum = 0_usize;
        for _ in 0..self.rounds {
            sum += usize::from(self.memory[self.at]);
            self.at = (self.at + STEP) % self.memory.len();
        }
        black_box(sum);
        begin.elapsed()
    }
}
