//! A stream over a bad link, one way: late, but whole and in order. Loss shows to those above TCP only
//! as time, which jitter stands for.

use alloc::collections::VecDeque;

use super::Conditions;
use super::random::Random;
use crate::time::LocalTime;

/// A stream's bytes on their way over a link, in the pieces they were pushed in.
#[derive(Clone, Debug)]
pub struct StreamConditioner<T> {
    conditions: Conditions,
    random: Random,
    on_the_way: VecDeque<(LocalTime, T)>,
    cut_until: LocalTime,
    held_bytes: usize,
}

impl<T: AsRef<[u8]>> StreamConditioner<T> {
    /// A stream with nothing on it. Of the conditions only latency and jitter count.
    #[must_use]
    pub const fn new(conditions: Conditions, seed: u64) -> Self {
        Self {
            conditions,
            random: Random::new(seed),
            on_the_way: VecDeque::new(),
            cut_until: LocalTime::ZERO,
            held_bytes: 0,
        }
    }

    /// What is pushed from now on meets these; what is on its way arrives as it would have.
    pub const fn set_conditions(&mut self, conditions: Conditions) {
        self.conditions = conditions;
    }

    /// Sends a piece on its way. One that would be early waits behind those before it.
    pub fn push(&mut self, now: LocalTime, piece: T) {
        let took = self.conditions.latency + self.random.up_to(self.conditions.jitter);
        self.held_bytes += piece.as_ref().len();
        self.on_the_way.push_back((now + took, piece));
    }

    /// Cuts the link until then: nothing comes out before, and nothing is lost. A moment that has passed
    /// mends it.
    pub const fn cut_until(&mut self, end: LocalTime) {
        self.cut_until = end;
    }

    /// The next piece that has arrived by now; call until `None`.
    pub fn poll(&mut self, now: LocalTime) -> Option<T> {
        self.poll_timeout().filter(|due| *due <= now)?;
        let (_, piece) = self.on_the_way.pop_front()?;
        self.held_bytes -= piece.as_ref().len();
        Some(piece)
    }

    /// Takes all that is on its way, due or not, in order: the link is over.
    pub fn drain(&mut self) -> impl Iterator<Item = T> + '_ {
        self.held_bytes = 0;
        self.on_the_way.drain(..).map(|(_, piece)| piece)
    }

    /// When [`poll`](Self::poll) wants to be called; `None`: nothing is on its way.
    #[must_use]
    pub fn poll_timeout(&self) -> Option<LocalTime> {
        self.on_the_way.front().map(|(due, _)| (*due).max(self.cut_until))
    }

    /// How many bytes are on their way: what a caller bounds, by not taking more from the sender.
    #[must_use]
    pub const fn held_bytes(&self) -> usize {
        self.held_bytes
    }
}
