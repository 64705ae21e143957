//! What a direct host says of connections that it closed: a line a second at most, and of each address
//! one a reason in 10 seconds, however many there are, with the count of those left unsaid.

use std::collections::VecDeque;
use std::mem::{Discriminant, discriminant};
use std::net::IpAddr;
use std::time::Duration;

use mp_netcode::LocalTime;
use mp_party::{CloseReason, origin};

/// How often one is told.
const INTERVAL: Duration = Duration::from_secs(1);
/// How long one stands for all of its address and reason.
const WINDOW: Duration = Duration::from_secs(10);

/// What was told, and when.
#[derive(Debug)]
struct Told {
    at: LocalTime,
    address: IpAddr,
    reason: Discriminant<CloseReason>,
}

/// When the next may be told.
#[derive(Debug, Default)]
pub(crate) struct Closings {
    /// What was told in the last 10 seconds, oldest first: ten at most.
    told: VecDeque<Told>,
    unsaid: u32,
}

impl Closings {
    /// One was closed. If it may be told now: how many before it were not.
    pub(crate) fn closed(
        &mut self,
        now: LocalTime,
        address: IpAddr,
        why: &CloseReason,
    ) -> Option<u32> {
        while self.told.front().is_some_and(|told| told.at + WINDOW <= now) {
            self.told.pop_front();
        }
        let (address, reason) = (origin(address), discriminant(why));
        let just_now = self.told.back().is_some_and(|told| now < told.at + INTERVAL);
        if just_now || self.told.iter().any(|it| (it.address, it.reason) == (address, reason)) {
            self.unsaid = self.unsaid.saturating_add(1);
            return None;
        }
        self.told.push_back(Told { at: now, address, reason });
        Some(std::mem::take(&mut self.unsaid))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(ms: u64) -> LocalTime {
        LocalTime::from_micros(ms * 1_000)
    }

    fn from(number: u8) -> IpAddr {
        [192, 0, 2, number].into()
    }

    #[test]
    fn one_a_second_is_told_and_the_others_are_counted() {
        let mut closings = Closings::default();
        let mut closed = |ms, number| closings.closed(at(ms), from(number), &CloseReason::Silent);
        assert_eq!(closed(0, 0), Some(0));
        assert_eq!(closed(1, 1), None);
        assert_eq!(closed(999, 2), None);
        assert_eq!(closed(1_000, 3), Some(2));
        assert_eq!(closed(5_000, 4), Some(0));
    }

    #[test]
    fn an_address_is_told_once_a_reason_in_ten_seconds() {
        let mut closings = Closings::default();
        let mut closed = |ms, why| closings.closed(at(ms), from(7), &why);
        assert_eq!(closed(0, CloseReason::NoHello), Some(0));
        assert_eq!(closed(5_000, CloseReason::NoHello), None);
        assert_eq!(closed(6_000, CloseReason::TooFast), Some(1));
        assert_eq!(closed(9_999, CloseReason::NoHello), None);
        assert_eq!(closed(10_000, CloseReason::NoHello), Some(1));
    }
}
