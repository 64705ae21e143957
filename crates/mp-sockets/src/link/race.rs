//! Which of a name's addresses to link to: happy eyeballs (RFC 8305), in its simple form. The families
//! take turns, each attempt gets a head start on the next, and the first to connect wins; so a family
//! that leads nowhere costs a moment, not a time-out.

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::time::Duration;

use mp_netcode::LocalTime;

use crate::api::ConnectError;

/// An attempt's head start on the next (RFC 8305, section 5).
pub(crate) const HEAD_START: Duration = Duration::from_millis(250);
/// How long TCP may take to connect, from the last attempt that began.
pub(crate) const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// Addresses of one name that are tried.
pub(crate) const ADDRESSES_MAX: usize = 8;

/// Attempts at the addresses of one destination.
#[derive(Debug)]
pub(super) struct Race {
    waiting: VecDeque<SocketAddr>,
    running: usize,
    next_at: LocalTime,
    until: LocalTime,
    why: Option<ConnectError>,
}

impl Race {
    /// A race between these, in the order of the system's preference.
    pub(super) fn new(now: LocalTime, addresses: &[SocketAddr]) -> Self {
        let waiting = in_turns(addresses);
        Self { waiting, running: 0, next_at: now, until: now + CONNECT_TIMEOUT, why: None }
    }

    /// The next address to begin with now.
    pub(super) fn next(&mut self, now: LocalTime) -> Option<SocketAddr> {
        if now < self.next_at {
            return None;
        }
        let address = self.waiting.pop_front()?;
        self.running += 1;
        self.next_at = now + HEAD_START;
        self.until = now + CONNECT_TIMEOUT;
        Some(address)
    }

    /// An attempt failed; the next need not wait any longer.
    pub(super) fn failed(&mut self, now: LocalTime, why: ConnectError) {
        self.running = self.running.saturating_sub(1);
        self.next_at = now;
        // A family that this machine has no way for says nothing about the server.
        if self.why.as_ref().is_none_or(|why| *why == ConnectError::Unreachable) {
            self.why = Some(why);
        }
    }

    /// Why none will connect any more, once that is so.
    pub(super) fn lost(&self, now: LocalTime) -> Option<ConnectError> {
        if self.waiting.is_empty() && self.running == 0 {
            return Some(self.why.clone().unwrap_or(ConnectError::NotFound));
        }
        let said = self.why.clone().filter(|why| *why != ConnectError::Unreachable);
        (self.until <= now).then(|| said.unwrap_or(ConnectError::TimedOut))
    }

    /// When [`Self::next`] or [`Self::lost`] next has something to say.
    pub(super) fn next_wake(&self) -> LocalTime {
        if self.waiting.is_empty() { self.until } else { self.next_at }
    }
}

/// Each address once, the two families in turns, beginning with the first one's.
fn in_turns(addresses: &[SocketAddr]) -> VecDeque<SocketAddr> {
    let first_is_ipv6 = addresses.first().is_some_and(SocketAddr::is_ipv6);
    let (first, second): (Vec<_>, Vec<_>) =
        addresses.iter().partition(|address| address.is_ipv6() == first_is_ipv6);
    let (mut first, mut second) = (first.into_iter(), second.into_iter());
    let mut order = VecDeque::new();
    loop {
        let turn = [first.next(), second.next()];
        if turn == [None, None] || order.len() >= ADDRESSES_MAX {
            order.truncate(ADDRESSES_MAX);
            return order;
        }
        for address in turn.into_iter().flatten() {
            if !order.contains(address) {
                order.push_back(*address);
            }
        }
    }
}
