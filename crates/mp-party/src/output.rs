//! What the router hands its driver, and the arena that datagrams wait in until it does.

use alloc::collections::VecDeque;
use alloc::vec::Vec;
use core::net::{IpAddr, SocketAddr};
use core::ops::Range;

use mp_protocol::{FrameError, Malformed, SessionId};

use crate::connection::ConnectionId;
use crate::party::Code;
use crate::rates::Strike;

/// How many bytes of datagrams may wait for the driver; more are dropped, as a network would.
const ARENA_BYTES: usize = 4 * 1024 * 1024;

/// Where a datagram came in, so that its answer leaves from there (protocol.md 2). Opaque to the router.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LocalAddress {
    /// Which of the driver's sockets.
    pub socket: u32,
    /// Which of the machine's addresses, where the system tells.
    pub ip: Option<IpAddr>,
}

/// One thing for the driver to do.
#[derive(Debug, PartialEq, Eq)]
pub enum Output<'a> {
    /// Send this datagram. Those to one destination that came one after the other stay so.
    Datagram {
        /// Whose it is: for a driver that groups them.
        id: ConnectionId,
        /// Whom to.
        to: SocketAddr,
        /// Where it must leave from.
        from: LocalAddress,
        /// At most 1,200 bytes, lent until the next call.
        bytes: &'a [u8],
    },
    /// The connection has bytes in `Router::outgoing`. Said once until all of them are written.
    Write(ConnectionId),
    /// Close the connection; the router has forgotten it.
    Close {
        /// Which connection.
        id: ConnectionId,
        /// Why, for one line in a log.
        why: CloseReason,
        /// All that was queued is written, so end the sending side and let the peer read it; otherwise
        /// what is not written yet is lost and nothing need be waited for.
        flushed: bool,
    },
    /// Something worth a line in a log.
    Note(Note),
}

/// Something worth a line in a log; it holds no secret and nothing a client wrote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Note {
    /// Which connection it is about.
    pub id: ConnectionId,
    /// Its address; none for a direct host's own client.
    pub address: Option<IpAddr>,
    /// What happened.
    pub reason: NoteReason,
}

/// What a note tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoteReason {
    /// It said HELLO and has this session.
    Greeted(SessionId),
    /// It was over this limit, and was told so with ERROR 6.
    TooFast(Strike),
    /// Its party began; it is the host.
    PartyBegan(Code),
    /// Its party is over.
    PartyEnded(Code),
}

/// Why the router closed a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CloseReason {
    /// A frame that protocol.md does not allow.
    #[error("a malformed frame: {0}")]
    Malformed(Malformed),
    /// A frame whose length protocol.md does not allow.
    #[error("{0}")]
    BadLength(FrameError),
    /// Something else came before HELLO.
    #[error("the first frame is not HELLO")]
    NoHello,
    /// HELLO came twice.
    #[error("a second HELLO")]
    SecondHello,
    /// The name is not one; it was told with ERROR 4.
    #[error("a bad name")]
    BadName,
    /// The address, or a direct host, has enough connections; it was told with ERROR 5.
    #[error("too many connections")]
    TooManyConnections,
    /// Too many strikes.
    #[error("too fast for too long")]
    TooFast,
    /// No complete HELLO in time.
    #[error("no complete HELLO in time")]
    HelloTimeout,
    /// A frame was begun and not completed in time.
    #[error("a frame was not completed in time")]
    FrameTimeout,
    /// No complete frame in time.
    #[error("silent for too long")]
    Silent,
    /// Its outgoing queue is full: it does not read.
    #[error("the outgoing queue is full")]
    QueueFull,
    /// Its outgoing queue is the longest, and all of them together are too long.
    #[error("the outgoing queues are full, and this one is the longest")]
    AllQueuesFull,
    /// Every session id is used up.
    #[error("no session ids left")]
    NoSessions,
    /// The router was stopped.
    #[error("the host stops")]
    Stopped,
    /// The driver asked for it.
    #[error("closed by the host")]
    Disconnected,
}

#[derive(Debug)]
struct Waiting {
    id: ConnectionId,
    to: SocketAddr,
    from: LocalAddress,
    bytes: Range<usize>,
}

/// An event that waits for the driver, in the order things happened.
#[derive(Debug)]
pub(crate) enum Event {
    Close { id: ConnectionId, why: CloseReason, flushed: bool },
    Note(Note),
}

/// All that waits for the driver but the connections' own bytes.
#[derive(Debug, Default)]
pub(crate) struct Outputs {
    arena: Vec<u8>,
    datagrams: VecDeque<Waiting>,
    writes: VecDeque<ConnectionId>,
    events: VecDeque<Event>,
}

impl Outputs {
    /// Queues a datagram of what `encode` appends and says how long it is; none if too much waits
    /// already.
    pub(crate) fn datagram(
        &mut self,
        id: ConnectionId,
        to: SocketAddr,
        from: LocalAddress,
        encode: impl FnOnce(&mut Vec<u8>),
    ) -> Option<usize> {
        if self.datagrams.is_empty() {
            self.arena.clear();
        }
        let start = self.arena.len();
        if start >= ARENA_BYTES {
            return None;
        }
        encode(&mut self.arena);
        self.datagrams.push_back(Waiting { id, to, from, bytes: start..self.arena.len() });
        Some(self.arena.len() - start)
    }

    pub(crate) fn write(&mut self, id: ConnectionId) {
        self.writes.push_back(id);
    }

    pub(crate) fn event(&mut self, event: Event) {
        self.events.push_back(event);
    }

    /// The next connection that was said to have bytes (it may be gone since).
    pub(crate) fn next_write(&mut self) -> Option<ConnectionId> {
        self.writes.pop_front()
    }

    /// The next output but for `Output::Write`, datagrams first: they are the urgent ones.
    pub(crate) fn next_datagram(&mut self) -> Option<Output<'_>> {
        let Waiting { id, to, from, bytes } = self.datagrams.pop_front()?;
        Some(Output::Datagram { id, to, from, bytes: &self.arena[bytes] })
    }

    pub(crate) fn next_event(&mut self) -> Option<Output<'_>> {
        Some(match self.events.pop_front()? {
            Event::Close { id, why, flushed } => Output::Close { id, why, flushed },
            Event::Note(note) => Output::Note(note),
        })
    }

    pub(crate) fn has_datagrams(&self) -> bool {
        !self.datagrams.is_empty()
    }
}
