//! The connections and what waits to leave on them: sending, striking, and closing up to the moment a
//! connection is forgotten. It must never know of parties: what a close means to them is the router's.

use alloc::boxed::Box;
use alloc::collections::VecDeque;
use alloc::vec::Vec;
use core::net::{IpAddr, SocketAddr};

use mp_netcode::LocalTime;
use mp_protocol::datagram::ServerDatagram;
use mp_protocol::limits::FRAME_PREFIX;
use mp_protocol::{ErrorReason, Malformed, ServerPacket, SessionId, encode_data};

use crate::address::Full;
use crate::commons::Shared;
use crate::config::Limits;
use crate::connection::{Connection, ConnectionId, Connections, Stage};
use crate::counters::{Counters, DropReason};
use crate::output::{CloseReason, Event, LocalAddress, Note, NoteReason, Outputs};
use crate::queue::Spares;
use crate::rates::Strike;
use crate::timers::Timers;

/// Why an encoder of our own packets cannot fail.
const CHECKED: &str = "every part was checked on the way in";

/// Bytes of a DATA frame but for what it carries: length, packet id, sender.
pub(crate) const DATA_OVERHEAD: usize = FRAME_PREFIX + 1 + 4;
/// Bytes of a CHAT frame but for its text: length, packet id, sender, the text's length.
pub(crate) const CHAT_OVERHEAD: usize = FRAME_PREFIX + 1 + 4 + 2;

/// Of what members may fill of a host's queue, one part in so many is each member's own.
const HOST_QUEUE_SHARES: usize = 8;

pub(crate) struct Links {
    pub(crate) limits: Limits,
    pub(crate) connections: Connections,
    pub(crate) commons: Shared,
    pub(crate) outputs: Outputs,
    pub(crate) counters: Counters,
    timers: Timers,
    pub(crate) spares: Spares,
    /// Bytes in all outgoing queues.
    queued: usize,
    /// Those to be closed when the input at hand is dealt with.
    doomed: VecDeque<ConnectionId>,
    /// Those that have not said HELLO, oldest first, and among them some that have since.
    newcomers: VecDeque<ConnectionId>,
}

impl Links {
    pub(crate) fn new(limits: Limits, commons: Shared) -> Self {
        Self {
            limits,
            connections: Connections::default(),
            commons,
            outputs: Outputs::default(),
            counters: Counters::default(),
            timers: Timers::default(),
            spares: Spares::default(),
            queued: 0,
            doomed: VecDeque::new(),
            newcomers: VecDeque::new(),
        }
    }

    /// Takes in a connection; one that `counts` is counted for its address until it begins to close.
    pub(crate) fn open(
        &mut self,
        now: LocalTime,
        address: Option<IpAddr>,
        counts: bool,
    ) -> ConnectionId {
        let connection = Box::new(Connection::new(now, address, counts, &self.limits));
        self.counters.connections += 1;
        let id = self.connections.insert(connection);
        if counts {
            // Looked for to forget those in front that have greeted or are gone.
            let _oldest = self.oldest_newcomer();
            self.newcomers.push_back(id);
        }
        self.arm(id);
        id
    }

    /// The connection that has gone without HELLO for the longest.
    pub(crate) fn oldest_newcomer(&mut self) -> Option<ConnectionId> {
        while let Some(id) = self.newcomers.front().copied() {
            if self.heard(id).is_some_and(|it| matches!(it.stage, Stage::Connected)) {
                return Some(id);
            }
            self.newcomers.pop_front();
        }
        None
    }

    /// Closes a connection for which there is no room, with ERROR 5.
    pub(crate) fn refuse(&mut self, id: ConnectionId) {
        self.counters.refused += 1;
        self.send_error(id, ErrorReason::TooManyConnections);
        self.doom(id, CloseReason::TooManyConnections);
    }

    /// Takes in a connection that was another router's.
    pub(crate) fn reopen(&mut self, mut connection: Box<Connection>) -> ConnectionId {
        connection.timer = LocalTime::from_micros(u64::MAX);
        let waits = !connection.queue.is_empty();
        connection.announced = waits;
        self.queued += connection.queue.len();
        let id = self.connections.insert(connection);
        if waits {
            self.outputs.write(id);
        }
        self.arm(id);
        id
    }

    /// Takes out a connection that goes on to another router.
    pub(crate) fn take_out(&mut self, id: ConnectionId) -> Option<Box<Connection>> {
        let connection = self.connections.remove(id)?;
        self.queued -= connection.queue.len();
        Some(connection)
    }

    /// The connection, unless it is on its way out.
    pub(crate) fn heard(&mut self, id: ConnectionId) -> Option<&mut Connection> {
        self.connections.get_mut(id).filter(|connection| !connection.is_leaving())
    }

    /// Queues a packet for one who is not on its way out.
    pub(crate) fn send(&mut self, id: ConnectionId, packet: &ServerPacket<'_>) {
        self.push(id, |bytes| packet.encode(bytes));
    }

    /// Queues a frame that is encoded already.
    pub(crate) fn send_frame(&mut self, id: ConnectionId, frame: &[u8]) {
        self.push(id, |bytes| {
            bytes.extend_from_slice(frame);
            Ok(())
        });
    }

    pub(crate) fn send_error(&mut self, id: ConnectionId, reason: ErrorReason) {
        self.send(id, &ServerPacket::Error(reason));
    }

    pub(crate) fn send_data(&mut self, id: ConnectionId, sender: SessionId, data: &[u8]) {
        self.push(id, |bytes| encode_data(sender, data, bytes));
    }

    fn push(
        &mut self,
        id: ConnectionId,
        encode: impl FnOnce(&mut Vec<u8>) -> Result<(), Malformed>,
    ) {
        let Self { connections, spares, outputs, counters, limits, queued, .. } = self;
        let Some(connection) = connections.get_mut(id).filter(|it| !it.is_leaving()) else {
            return;
        };
        let before = connection.queue.len();
        connection.queue.push(spares, |bytes| encode(bytes).expect(CHECKED));
        let after = connection.queue.len();
        *queued += after - before;
        counters.frames_out += 1;
        Counters::add(&mut counters.bytes_out, after - before);
        if !connection.announced {
            connection.announced = true;
            outputs.write(id);
        }
        if after >= limits.queue_bytes {
            self.doom(id, CloseReason::QueueFull);
        }
    }

    /// Queues a datagram.
    pub(crate) fn send_datagram(
        &mut self,
        id: ConnectionId,
        to: SocketAddr,
        from: LocalAddress,
        datagram: &ServerDatagram<'_>,
    ) {
        let sent =
            self.outputs.datagram(id, to, from, |bytes| datagram.encode(bytes).expect(CHECKED));
        match sent {
            Some(bytes) => {
                self.counters.datagrams_out += 1;
                Counters::add(&mut self.counters.datagram_bytes_out, bytes);
            }
            None => self.counters.count_drop(DropReason::ArenaFull),
        }
    }

    /// Sends state by datagram to one who hears ours, as DATA to another (protocol.md 2).
    pub(crate) fn send_state(
        &mut self,
        now: LocalTime,
        id: ConnectionId,
        sender: SessionId,
        state: &[u8],
    ) {
        match self.state_path(now, id) {
            Some((to, from)) => {
                let datagram = ServerDatagram::State { sender, bytes: state };
                self.send_datagram(id, to, from, &datagram);
            }
            None => self.send_data(id, sender, state),
        }
    }

    /// Where state goes by datagram to this connection, if it does.
    pub(crate) fn state_path(
        &self,
        now: LocalTime,
        id: ConnectionId,
    ) -> Option<(SocketAddr, LocalAddress)> {
        let binding = self.connections.get(id)?.session()?.binding?;
        binding.carries_state(now).then_some((binding.to, binding.from))
    }

    /// Whether `bytes` more of a member's would bring its host's queue over what the members may fill. One
    /// with less than its own share in it has room though others filled the rest, so that a flood costs no
    /// one else a message, or a strike.
    pub(crate) fn would_overfill_host(
        &self,
        host: ConnectionId,
        from: ConnectionId,
        bytes: usize,
    ) -> bool {
        let Some(connection) = self.connections.get(host) else { return false };
        let after = connection.queue.len() + bytes;
        let of_its_own =
            connection.parts.of(from) + bytes <= self.limits.host_queue_bytes / HOST_QUEUE_SHARES;
        let held =
            if of_its_own { self.limits.queue_bytes - 1 } else { self.limits.host_queue_bytes };
        after > held
    }

    /// A member put so many bytes in its host's queue.
    pub(crate) fn filled_host(&mut self, host: ConnectionId, from: ConnectionId, bytes: usize) {
        if let Some(connection) = self.heard(host) {
            connection.parts.add(from, bytes);
        }
    }

    /// Counts a strike, with what it brings: ERROR 6 at the first, the end at the last.
    pub(crate) fn strike(&mut self, now: LocalTime, id: ConnectionId, limit: Strike) {
        self.counters.count_strike(limit);
        let Some(connection) = self.connections.get_mut(id) else { return };
        let penalty = connection.rates.strike(now, &self.limits);
        if penalty.tell {
            self.send_error(id, ErrorReason::TooFast);
            self.note(id, NoteReason::TooFast(limit));
        }
        if penalty.close {
            self.doom(id, CloseReason::TooFast);
        }
    }

    pub(crate) fn note(&mut self, id: ConnectionId, reason: NoteReason) {
        let address = self.connections.get(id).and_then(|connection| connection.address);
        self.outputs.event(Event::Note(Note { id, address, reason }));
    }

    /// Marks a connection to be closed; the first reason stands.
    pub(crate) fn doom(&mut self, id: ConnectionId, why: CloseReason) {
        if let Some(connection) = self.heard(id) {
            connection.doomed = Some(why);
            self.doomed.push_back(id);
        }
    }

    /// The next to be closed. Where all queues together are too long, the one with the longest: who reads
    /// slowest pays, however many they are, and the server's memory is bounded.
    pub(crate) fn next_doomed(&mut self) -> Option<ConnectionId> {
        if self.doomed.is_empty()
            && self.queued > self.limits.all_queues_bytes
            && let Some(longest) = self.longest_queue()
        {
            self.doom(longest, CloseReason::AllQueuesFull);
        }
        self.doomed.pop_front()
    }

    /// Whose queue is the longest, of those that are not on their way out; a direct host's own client, which
    /// is in the same process, is not among them.
    fn longest_queue(&self) -> Option<ConnectionId> {
        let remote = |id: &ConnectionId| {
            self.connections.get(*id).is_some_and(|it| it.address.is_some() && !it.is_leaving())
        };
        let length = |id: &ConnectionId| self.connections.get(*id).map(|it| it.queue.len());
        self.connections.ids().filter(remote).max_by_key(length)
    }

    /// Begins to close a doomed connection, which its party and session have let go of: its last bytes
    /// are still written, unless it does not read.
    pub(crate) fn begin_closing(&mut self, now: LocalTime, id: ConnectionId) {
        let Some(connection) = self.connections.get_mut(id) else { return };
        let Some(why) = connection.doomed else { return };
        connection.stage = Stage::Closing { why, since: now };
        connection.reader = Default::default();
        connection.frame_begun = None;
        let flushed = connection.queue.is_empty();
        self.uncount(id);
        if flushed || matches!(why, CloseReason::QueueFull | CloseReason::AllQueuesFull) {
            self.finish(id, why, flushed);
        } else {
            self.arm(id);
        }
    }

    /// Takes written bytes off a connection's queue; a closing one without any left is closed.
    pub(crate) fn wrote(&mut self, id: ConnectionId, count: usize) {
        let Some(connection) = self.connections.get_mut(id) else { return };
        let before = connection.queue.len();
        connection.parts.wrote(count, before);
        connection.queue.consume(&mut self.spares, count);
        self.queued -= before - connection.queue.len();
        if connection.queue.is_empty() {
            connection.announced = false;
            if let Stage::Closing { why, .. } = connection.stage {
                self.finish(id, why, true);
            }
        }
    }

    /// Closes a connection: the driver is told, and it is forgotten.
    fn finish(&mut self, id: ConnectionId, why: CloseReason, flushed: bool) {
        self.forget(id);
        self.outputs.event(Event::Close { id, why, flushed });
    }

    /// Forgets a connection that is closed.
    pub(crate) fn forget(&mut self, id: ConnectionId) {
        self.uncount(id);
        if let Some(mut connection) = self.take_out(id) {
            connection.queue.clear(&mut self.spares);
            self.counters.connections_ended += 1;
        }
    }

    /// Counts one more for its address, unless there is no room.
    pub(crate) fn count(&mut self, address: IpAddr) -> Result<(), Full> {
        let (each, all) = (self.limits.connections_per_address, self.limits.connections);
        self.commons.with(|commons| commons.addresses.add(address, each, all))
    }

    fn uncount(&mut self, id: ConnectionId) {
        let Some(connection) = self.connections.get_mut(id) else { return };
        if let Some(address) = connection.counted.take() {
            self.commons.with(|commons| commons.addresses.remove(address));
        }
    }

    /// Has the timers look at a connection no later than its deadline.
    pub(crate) fn arm(&mut self, id: ConnectionId) {
        let Some(connection) = self.connections.get_mut(id) else { return };
        let (deadline, _) = connection.deadline(&self.limits);
        if deadline < connection.timer {
            connection.timer = deadline;
            self.timers.set(deadline, id);
        }
    }

    pub(crate) fn next_timer(&self) -> Option<LocalTime> {
        self.timers.next()
    }

    /// Closes, or dooms, whoever's deadline has passed.
    pub(crate) fn expire(&mut self, now: LocalTime) {
        while let Some((at, id)) = self.timers.pop_due(now) {
            let Some(connection) = self.connections.get_mut(id) else { continue };
            if connection.timer != at {
                continue;
            }
            connection.timer = LocalTime::from_micros(u64::MAX);
            let (deadline, why) = connection.deadline(&self.limits);
            if deadline > now {
                self.arm(id);
            } else if matches!(connection.stage, Stage::Closing { .. }) {
                self.finish(id, why, false);
            } else {
                self.doom(id, why);
            }
        }
    }
}
