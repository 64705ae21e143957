//! What a direct host says of connections that it closed, or could not accept: a line a second at most, and
//! of each address one a reason in 10 seconds, however many there are, with the count of those left unsaid.

use std::collections::VecDeque;
use std::mem::{Discriminant, discriminant};
use std::net::IpAddr;
use std::time::Duration;

use mp_netcode::LocalTime;
use mp_party::{CloseReason, origin};

use crate::api::Event;
use crate::server::News;

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
    /// When it was told last that none is accepted.
    not_accepting: Option<LocalTime>,
}

impl Closings {
    /// What the game is to be told of this, if it is to be now.
    pub(crate) fn news(&mut self, now: LocalTime, news: News) -> Option<Event> {
        match news {
            News::Closed { address, why: Some(why) } => {
                let unsaid = self.closed(now, address, &why)?;
                Some(Event::Closed { address, why: why.to_string(), unsaid })
            }
            News::NotAccepting(why) => {
                let is_due = self.not_accepting.is_none_or(|told| told + WINDOW <= now);
                is_due.then(|| {
                    self.not_accepting = Some(now);
                    Event::NotAccepting { why: why.to_string() }
                })
            }
            // What the peers do themselves is nothing to tell; a router alone sends nobody on.
            News::Closed { why: None, .. } | News::Departed(..) | News::Note(_) => None,
        }
    }

    /// One was closed. If it may be told now: how many before it were not.
    fn closed(&mut self, now: LocalTime, address: IpAddr, why: &CloseReason) -> Option<u32> {
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

    #[test]
    fn that_none_is_accepted_is_told_once_in_ten_seconds() {
        let mut closings = Closings::default();
        let mut told = |ms| {
            let why = std::io::Error::other("no descriptors left");
            closings.news(at(ms), News::NotAccepting(why))
        };
        let words = Event::NotAccepting { why: "no descriptors left".to_owned() };
        assert_eq!(told(100), Some(words.clone()));
        assert_eq!(told(200), None);
        assert_eq!(told(10_099), None);
        assert_eq!(told(10_100), Some(words));
    }
}
