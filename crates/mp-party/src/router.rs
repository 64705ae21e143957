//! The router's inputs and outputs. What a frame, a lobby request or a datagram does is in the modules
//! named after them; closing, which any of them may bring about, ends every input here.

use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::net::IpAddr;

use mp_netcode::LocalTime;
use mp_protocol::{ClientPacket, Malformed, SessionId};

use crate::address::Full;
use crate::commons::{Commons, Shared};
use crate::config::{Config, Mode};
use crate::connection::ConnectionId;
use crate::counters::Counters;
use crate::links::Links;
use crate::output::{CloseReason, Output};
use crate::party::Parties;
use crate::shard::{Departure, Shard};

/// What waits to be written to a router's connections.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Queues {
    /// Open connections, those on their way out among them.
    pub connections: usize,
    /// Bytes queued for all of them.
    pub bytes: usize,
    /// Bytes in the longest queue.
    pub longest: usize,
}

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
    pub(crate) shard: Shard,
    /// The next session's id, while there are any left.
    pub(crate) next_session: Option<i32>,
    /// No party begins any more.
    pub(crate) closed_to_parties: bool,
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
        Self::with_commons(config, Shard::ONLY, Shared::own(), Box::new(random))
    }

    /// One of a server's routers. `commons` calls what it is given with the [`Commons`] of that server,
    /// once, before it returns.
    ///
    /// # Errors
    /// As for [`Router::new`].
    pub fn sharded(
        config: Config,
        shard: Shard,
        commons: impl FnMut(&mut dyn FnMut(&mut Commons)) + Send + 'static,
        random: impl FnMut() -> u64 + Send + 'static,
    ) -> Result<Self, Malformed> {
        Self::with_commons(config, shard, Shared::new(Box::new(commons)), Box::new(random))
    }

    fn with_commons(
        config: Config,
        shard: Shard,
        commons: Shared,
        random: Box<dyn FnMut() -> u64 + Send>,
    ) -> Result<Self, Malformed> {
        if let Mode::Direct { description } = &config.mode {
            ClientPacket::Create { description }.encode(&mut Vec::new())?;
        }
        Ok(Self {
            mode: config.mode,
            udp_port: config.udp_port,
            epoch_ms: config.epoch_ms,
            random,
            links: Links::new(config.limits, commons),
            parties: Parties::default(),
            sessions: BTreeMap::new(),
            shard,
            next_session: Some(shard.first_session()),
            closed_to_parties: false,
            stopped: false,
        })
    }

    /// A client connected from `address`. One too many of it gets ERROR 5 and is closed; where all places
    /// are taken, that one does that has gone without HELLO for the longest, if there is one. After
    /// [`Router::stop`] everyone is closed.
    pub fn connect(&mut self, now: LocalTime, address: IpAddr) -> ConnectionId {
        let counts = !self.stopped && self.find_place(now, address);
        let id = self.links.open(now, Some(address), counts);
        if self.stopped {
            self.links.doom(id, CloseReason::Stopped);
        } else if !counts {
            self.links.refuse(id);
        }
        self.settle(now);
        id
    }

    /// Counts one more for its address, if there is room or can be made.
    fn find_place(&mut self, now: LocalTime, address: IpAddr) -> bool {
        let taken = self.links.count(address);
        if taken != Err(Full::All) {
            return taken.is_ok();
        }
        // Strangers who only connect must not lock out those who come to play.
        let Some(oldest) = self.links.oldest_newcomer() else { return false };
        self.links.refuse(oldest);
        self.settle(now);
        self.links.count(address).is_ok()
    }

    /// A client in the same process: a direct host's own, which hosts the party. It counts for no
    /// address; in all else it is held to the same rules.
    pub fn connect_local(&mut self, now: LocalTime) -> ConnectionId {
        let id = self.links.open(now, None, false);
        if self.stopped {
            self.links.doom(id, CloseReason::Stopped);
        }
        self.settle(now);
        id
    }

    /// Bytes came by TCP, cut anywhere. Those of a connection that is closing are ignored. One that has
    /// to go on in another of the server's routers is handed out, and forgotten here.
    pub fn received(
        &mut self,
        now: LocalTime,
        id: ConnectionId,
        bytes: &[u8],
    ) -> Option<Departure> {
        Counters::add(&mut self.links.counters.bytes_in, bytes.len());
        let departed = self.read_frames(now, id, bytes);
        self.settle(now);
        departed
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

    /// From now on no party begins: CREATE, and a FIND that finds none, get ERROR 1.
    pub const fn close_to_parties(&mut self) {
        self.closed_to_parties = true;
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

    pub(crate) const fn is_stopped(&self) -> bool {
        self.stopped
    }

    /// What waits to be written.
    #[must_use]
    pub fn queues(&self) -> Queues {
        let mut queues = Queues::default();
        for id in self.links.connections.ids() {
            let bytes = self.outgoing(id).len();
            queues.connections += 1;
            queues.bytes += bytes;
            queues.longest = queues.longest.max(bytes);
        }
        queues
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
            let session = session.id;
            self.sessions.remove(&session);
            if !self.shard.is_only() {
                self.links.commons.with(|commons| commons.sessions.remove(&session));
            }
        }
    }
}
