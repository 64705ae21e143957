//! What a direct host says of connections that it closed: a line a second at most, however many there
//! are, with the count of those left unsaid.

use std::time::Duration;

use mp_netcode::LocalTime;

/// How often one is told.
const INTERVAL: Duration = Duration::from_secs(1);

/// When the next may be told.
#[derive(Debug, Default)]
pub(crate) struct Closings {
    next: LocalTime,
    unsaid: u32,
}

impl Closings {
    /// One was closed. If it may be told now: how many before it were not.
    pub(crate) fn closed(&mut self, now: LocalTime) -> Option<u32> {
        if now < self.next {
            self.unsaid = self.unsaid.saturating_add(1);
            return None;
        }
        self.next = now + INTERVAL;
        Some(std::mem::take(&mut self.unsaid))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_a_second_is_told_and_the_others_are_counted() {
        let at = |ms: u64| LocalTime::from_micros(ms * 1_000);
        let mut closings = Closings::default();
        assert_eq!(closings.closed(at(0)), Some(0));
        assert_eq!(closings.closed(at(1)), None);
        assert_eq!(closings.closed(at(999)), None);
        assert_eq!(closings.closed(at(1_000)), Some(2));
        assert_eq!(closings.closed(at(5_000)), Some(0));
    }
}
