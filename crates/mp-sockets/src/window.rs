//! A rate that is never exceeded in any second, however the second is chosen. A client keeps itself
//! under the server's limits with it, so that nothing it sends is ever dropped (protocol.md 1).

use std::collections::VecDeque;
use std::time::Duration;

use mp_netcode::LocalTime;

const SPAN: Duration = Duration::from_secs(1);

/// Lets at most a given amount through in any second.
#[derive(Clone, Debug)]
pub(crate) struct Window {
    limit: usize,
    passed: VecDeque<(LocalTime, usize)>,
    sum: usize,
}

impl Window {
    /// `limit` in any second; nothing has passed yet.
    pub(crate) fn new(limit: usize) -> Self {
        Self { limit, passed: VecDeque::new(), sum: 0 }
    }

    /// What passed before stays counted under the new limit.
    pub(crate) fn set_limit(&mut self, limit: usize) {
        self.limit = limit;
    }

    /// Whether `amount` may pass now. More than the limit may only pass alone.
    pub(crate) fn has_room(&mut self, now: LocalTime, amount: usize) -> bool {
        self.room_at(now, amount) <= now
    }

    /// Counts `amount` as passed now.
    pub(crate) fn pass(&mut self, now: LocalTime, amount: usize) {
        self.sum += amount;
        self.passed.push_back((now, amount));
    }

    /// The first moment, from now on, at which `amount` may pass if nothing else does until then.
    pub(crate) fn room_at(&mut self, now: LocalTime, amount: usize) -> LocalTime {
        while let Some((at, old)) = self.passed.front().copied() {
            if at + SPAN > now {
                break;
            }
            self.sum -= old;
            self.passed.pop_front();
        }
        let mut sum = self.sum;
        let mut room = now;
        for (at, old) in &self.passed {
            if sum + amount <= self.limit {
                break;
            }
            sum -= old;
            room = *at + SPAN;
        }
        room
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(ms: u64) -> LocalTime {
        LocalTime::from_micros(ms * 1000)
    }

    #[test]
    fn lets_the_limit_through_at_once_and_then_waits() {
        let mut window = Window::new(3);
        for at in [0, 10, 20] {
            assert!(window.has_room(ms(at), 1));
            window.pass(ms(at), 1);
        }
        assert!(!window.has_room(ms(20), 1));
        assert_eq!(window.room_at(ms(20), 1), ms(1000));
        assert_eq!(window.room_at(ms(20), 2), ms(1010));
        assert!(!window.has_room(ms(999), 1));
        assert!(window.has_room(ms(1000), 1));
    }

    #[test]
    fn no_second_has_more_than_the_limit_whatever_is_asked() {
        let mut window = Window::new(50);
        let mut passed = Vec::new();
        let mut random = 1_u64;
        let mut now = 0;
        while passed.len() < 2000 {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            now += random >> 50;
            let at = LocalTime::from_micros(now);
            if window.has_room(at, 1) {
                window.pass(at, 1);
                passed.push(now);
            }
        }
        for (index, start) in passed.iter().enumerate() {
            let end = passed[index..].iter().take_while(|at| **at < start + 1_000_000).count();
            assert!(end <= 50, "{end} within a second of {start}");
        }
    }

    #[test]
    fn an_amount_over_the_limit_passes_alone() {
        let mut window = Window::new(10);
        assert!(window.has_room(ms(0), 25));
        window.pass(ms(0), 25);
        assert_eq!(window.room_at(ms(0), 1), ms(1000));
    }
}
