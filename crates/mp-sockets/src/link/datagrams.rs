//! The link's way by UDP: BIND, whether datagrams come back, and the state that goes by it
//! (protocol.md 2).

use mp_netcode::LocalTime;
use mp_protocol::datagram::{ClientDatagram, ClientDatagramKind};
use mp_protocol::{SessionId, Token, limits};

use super::state::StateQueue;
use crate::window::Window;

/// Datagrams a second as a member and as a host: what leaves the server's limits (300 and 1,200) room
/// for those that the network bunches up, and for BIND.
const MEMBER_RATE: usize = 250;
const HOST_RATE: usize = 1000;

/// The way by UDP, once the server has offered it.
#[derive(Debug)]
pub(super) struct Datagrams {
    session: SessionId,
    token: Token,
    next_bind: LocalTime,
    /// When the newest datagram came.
    came: Option<LocalTime>,
    pub(super) state: StateQueue,
    rate: Window,
}

impl Datagrams {
    pub(super) fn new(now: LocalTime, session: SessionId, token: Token, hosts: bool) -> Self {
        let mut new = Self {
            session,
            token,
            next_bind: now,
            came: None,
            state: StateQueue::default(),
            rate: Window::new(MEMBER_RATE),
        };
        new.set_hosts(hosts);
        new
    }

    pub(super) fn set_hosts(&mut self, hosts: bool) {
        self.rate.set_limit(if hosts { HOST_RATE } else { MEMBER_RATE });
    }

    /// Datagrams come back: state goes by them alone, and BIND says heard.
    pub(super) fn comes_back(&self, now: LocalTime) -> bool {
        self.came.is_some_and(|at| now.since(at) < limits::HEARD_TIMEOUT)
    }

    /// A datagram of the server's came.
    pub(super) fn came(&mut self, now: LocalTime) {
        self.came = Some(now);
    }

    /// The next datagram that is to go now.
    pub(super) fn next(&mut self, now: LocalTime) -> Option<Vec<u8>> {
        if self.next_bind <= now {
            return Some(self.bind(now));
        }
        if self.state.is_empty() || !self.rate.has_room(now, 1) {
            return None;
        }
        let ((target, _), bytes) = self.state.pop()?;
        self.rate.pass(now, 1);
        Some(self.encode(ClientDatagramKind::State { target, bytes: &bytes }))
    }

    /// When [`Self::next`] next has one, or [`Self::comes_back`] changes.
    pub(super) fn next_wake(&mut self, now: LocalTime) -> LocalTime {
        let state = (!self.state.is_empty()).then(|| self.rate.room_at(now, 1));
        let silent = self.came.map(|at| at + limits::HEARD_TIMEOUT).filter(|at| *at > now);
        [state, silent].into_iter().flatten().fold(self.next_bind, LocalTime::min)
    }

    fn bind(&mut self, now: LocalTime) -> Vec<u8> {
        self.next_bind = now + limits::BIND_INTERVAL;
        let heard = self.comes_back(now);
        self.encode(ClientDatagramKind::Bind { heard, size: limits::DATAGRAM_MAX })
    }

    fn encode(&self, what: ClientDatagramKind<'_>) -> Vec<u8> {
        let mut bytes = Vec::new();
        ClientDatagram { session: self.session, token: self.token, what }
            .encode(&mut bytes)
            .expect("BIND is full-size, and larger state is not queued here");
        bytes
    }
}
