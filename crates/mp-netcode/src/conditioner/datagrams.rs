//! Datagrams over a bad link, one way.

use core::time::Duration;

use alloc::collections::BTreeMap;

use super::Conditions;
use super::random::Random;
use crate::time::LocalTime;

/// How much later than its time a reordered datagram comes: more than the 50 ms between two poses
/// (protocol.md 3), so that the next one overtakes it.
pub const HELD_BACK: Duration = Duration::from_millis(60);

/// What became of what was pushed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Conditioned {
    /// All that were pushed.
    pub pushed: u64,
    /// Never came out, by chance or because the link was cut.
    pub lost: u64,
    /// Came out twice.
    pub duplicated: u64,
    /// Were held back.
    pub reordered: u64,
}

/// Datagrams on their way over a link.
///
/// ```
/// # use mp_netcode::conditioner::DatagramConditioner;
/// # use mp_netcode::LocalTime;
/// # use std::time::Duration;
/// let mut link = DatagramConditioner::new("latency=60".parse().unwrap(), 1);
/// let now = LocalTime::from_micros(1_000);
/// link.push(now, "hello");
/// assert_eq!(link.poll(now), None);
/// let due = link.poll_timeout().unwrap();
/// assert_eq!(due, now + Duration::from_millis(60));
/// assert_eq!(link.poll(due), Some("hello"));
/// ```
#[derive(Clone, Debug)]
pub struct DatagramConditioner<T> {
    conditions: Conditions,
    random: Random,
    /// By when each is due, then by when it was pushed.
    on_the_way: BTreeMap<(LocalTime, u64), T>,
    order: u64,
    cut_until: LocalTime,
    counts: Conditioned,
}

impl<T: Clone> DatagramConditioner<T> {
    /// A link with nothing on it.
    #[must_use]
    pub const fn new(conditions: Conditions, seed: u64) -> Self {
        Self {
            conditions,
            random: Random::new(seed),
            on_the_way: BTreeMap::new(),
            order: 0,
            cut_until: LocalTime::ZERO,
            counts: Conditioned { pushed: 0, lost: 0, duplicated: 0, reordered: 0 },
        }
    }

    /// What is pushed from now on meets these; what is on its way arrives as it would have.
    pub const fn set_conditions(&mut self, conditions: Conditions) {
        self.conditions = conditions;
    }

    /// Sends one on its way. Each kind of chance is drawn every time, so that what happens to a datagram
    /// does not hang on what happened to those before.
    pub fn push(&mut self, now: LocalTime, datagram: T) {
        self.counts.pushed += 1;
        let lost = self.random.happens(self.conditions.loss);
        let twice = self.random.happens(self.conditions.duplicate);
        let held_back = self.random.happens(self.conditions.reorder);
        let took =
            [(); 2].map(|()| self.conditions.latency + self.random.up_to(self.conditions.jitter));
        if lost || now < self.cut_until {
            self.counts.lost += 1;
            return;
        }
        self.counts.reordered += u64::from(held_back);
        let held = if held_back { HELD_BACK } else { Duration::ZERO };
        if twice {
            self.counts.duplicated += 1;
            self.send(now + took[1] + held, datagram.clone());
        }
        self.send(now + took[0] + held, datagram);
    }

    fn send(&mut self, due: LocalTime, datagram: T) {
        self.on_the_way.insert((due, self.order), datagram);
        self.order += 1;
    }

    /// Cuts the link until then: what is pushed before is lost; what is on its way arrives. A moment
    /// that has passed mends it.
    pub const fn cut_until(&mut self, end: LocalTime) {
        self.cut_until = end;
    }

    /// The next one that has arrived by now; call until `None`.
    pub fn poll(&mut self, now: LocalTime) -> Option<T> {
        let first = self.on_the_way.first_entry()?;
        (first.key().0 <= now).then(|| first.remove())
    }

    /// Forgets all that is on its way.
    pub fn clear(&mut self) {
        self.on_the_way.clear();
    }

    /// When [`poll`](Self::poll) wants to be called; `None`: nothing is on its way.
    #[must_use]
    pub fn poll_timeout(&self) -> Option<LocalTime> {
        self.on_the_way.first_key_value().map(|((due, _), _)| *due)
    }

    /// How many are on their way.
    #[must_use]
    pub fn held(&self) -> usize {
        self.on_the_way.len()
    }

    /// What became of all so far.
    #[must_use]
    pub const fn counts(&self) -> Conditioned {
        self.counts
    }
}
