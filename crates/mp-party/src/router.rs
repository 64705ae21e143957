//! The router's inputs and outputs. What a frame, a lobby request or a datagram does is in the modules
//! named after them; closing, which any of them may bring about, ends every input here.

use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::net::IpAddr;

use mp_netcode::LocalTime;
use mp_protocol::{ClientPacket, ErrorReason, Malformed, SessionId};

use crate::config::{Config, Mode};
use crate::connection::ConnectionId;
use crate::counters::Counters;
use crate::links::Links;
use crate::output::{CloseReason, Output};
use crate::party::Parties;

/// The party router. The crate's page says how it is driven.
pub struct Router {
    pub(crate) mode: Mode,
    pub(crate) udp_port: Option<u16>,
    pub(crate) epoch_ms: i64,
    /// 64 random bits a call.
    pub(crate) random: Box<dyn FnMut() -> u64 + Send>,
    pub(crate) links: Links,
    pub(crate) parties: Parties,
    pub(crate) sessions: BTreeMap<SessionId, ConnectionId>,
    /// The last session id given; 0 before the first.
    pub(crate) last_session: i32,
    stopped: bool,
}

impl Router {
    /// A router without connections. `random` gives 64 random bits a call, for tokens and codes: the
    /// operating system's generator, but in tests.
    ///
    /// # Errors
    /// A direct host's description cannot be sent.
    pub fn new(
        config: Config,
        random: impl FnMut() -> u64 + Send + 'static,
    ) -> Result<Self, Malformed> {
        if let Mode::Direct { description } = &config.mode {
            ClientPacket::Create { description }.encode(&mut Vec::new())?;
        }
        Ok(Self {
            mode: config.mode,
            udp_port: config.udp_port,
            epoch_ms: config.epoch_ms,
            random: Box::new(random),
            links: Links::new(config.limits),
            parties: Parties::default(),
            sessions: BTreeMap::new(),
            last_session: 0,
            stopped: false,
        })
    }

    /// A client connected from `address`. One too many gets ERROR 5 and is closed; after
    /// [`Router::stop`] everyone is closed.
    pub fn connect(&mut self, now: LocalTime, address: IpAddr) -> ConnectionId {
        let limits = &self.links.limits;
        let full = self.links.addresses.count(address) >= limits.connections_per_address
            || matches!(self.mode, Mode::Direct { .. })
                && self.links.addresses.total() >= limits.direct_clients;
        let id = self.links.open(now, Some(address));
        if self.stopped {
            self.links.doom(id, CloseReason::Stopped);
        } else if full {
            self.links.counters.refused += 1;
            self.links.send_error(id, ErrorReason::TooManyConnections);
            self.links.doom(id, CloseReason::TooManyConnections);
        }
        self.settle(now);
        id
    }

    /// A client in the same process: a direct host's own, which hosts the party. It counts for no
    /// address; in all else it is held to the same rules.
    pub fn connect_local(&mut self, now: LocalTime) -> ConnectionId {
        let id = self.links.open(now, None);
        if self.stopped {
            self.links.doom(id, CloseReason::Stopped);
        }
        self.settle(now);
        id
    }

    /// Bytes came by TCP, cut anywhere. Those of a connection that is closing are ignored.
    pub fn received(&mut self, now: LocalTime, id: ConnectionId, bytes: &[u8]) {
        self.read_frames(now, id, bytes);
        self.settle(now);
    }

    /// The connection is gone: the peer closed it, or it failed.
    pub fn closed(&mut self, now: LocalTime, id: ConnectionId) {
        self.part(id);
        self.links.forget(id);
        self.settle(now);
    }

    /// Closes a connection once what is queued for it is written.
    pub fn disconnect(&mut self, now: LocalTime, id: ConnectionId) {
        self.links.doom(id, CloseReason::Disconnected);
        self.settle(now);
    }

    /// Time has passed: closes those who are too late. To be called after what came in was handed in,
    /// so that a driver that was held up blames nobody for it.
    pub fn advance(&mut self, now: LocalTime) {
        self.links.expire(now);
        self.settle(now);
    }

    /// Ends every party (END to all in it) and closes every connection once that is written.
    pub fn stop(&mut self, now: LocalTime) {
        self.stopped = true;
        for party in self.parties.keys().collect::<Vec<_>>() {
            self.end_party(party);
        }
        for id in self.links.connections.ids().collect::<Vec<_>>() {
            self.links.doom(id, CloseReason::Stopped);
        }
        self.settle(now);
    }

    /// The bytes to write to a connection; none for one that is forgotten.
    #[must_use]
    pub fn outgoing(&self, id: ConnectionId) -> &[u8] {
        self.links.connections.get(id).map_or(&[], |connection| connection.queue.bytes())
    }

    /// The first `count` bytes of [`Router::outgoing`] are written. A closing connection whose last
    /// bytes these were is closed.
    pub fn wrote(&mut self, id: ConnectionId, count: usize) {
        self.links.wrote(id, count);
    }

    /// The next thing to do, datagrams first. Drain it until `None` after every batch of inputs.
    pub fn poll_output(&mut self) -> Option<Output<'_>> {
        let Links { outputs, connections, .. } = &mut self.links;
        if outputs.has_datagrams() {
            return outputs.next_datagram();
        }
        while let Some(id) = outputs.next_write() {
            if connections.get(id).is_some_and(|connection| !connection.queue.is_empty()) {
                return Some(Output::Write(id));
            }
        }
        outputs.next_event()
    }

    /// When [`Router::advance`] is wanted next, unless something comes first. It may be early.
    #[must_use]
    pub fn poll_timeout(&self) -> Option<LocalTime> {
        self.links.next_timer()
    }

    /// The connection of a session, while it lasts.
    #[must_use]
    pub fn connection_of(&self, session: SessionId) -> Option<ConnectionId> {
        self.sessions.get(&session).copied()
    }

    /// What was counted so far.
    #[must_use]
    pub const fn counters(&self) -> &Counters {
        &self.links.counters
    }

    /// Lets those go that the input at hand was the end of, and those whose queues that filled.
    pub(crate) fn settle(&mut self, now: LocalTime) {
        while let Some(id) = self.links.next_doomed() {
            self.part(id);
            self.links.begin_closing(now, id);
        }
    }

    /// Ends a connection's party and session, as far as it has them.
    fn part(&mut self, id: ConnectionId) {
        self.leave(id);
        let connection = self.links.connections.get(id);
        if let Some(session) = connection.and_then(|connection| connection.session()) {
            self.sessions.remove(&session.id);
        }
    }
}
