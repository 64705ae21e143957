//! What the game's thread says to the socket thread and hears from it. Values only: nothing here opens
//! a socket, reads a clock or waits.

use std::fmt;
use std::net::{IpAddr, SocketAddr};
use std::ops::Deref;
use std::time::Duration;

use mp_netcode::conditioner::Conditions;
use mp_netcode::{Grade, LocalTime};
use mp_protocol::{ErrorReason, SessionId};
use thiserror::Error;

/// The game's own number for a link, given with [`Command::Connect`] or [`Command::Host`] and echoed in
/// every [`Report`] about it, so that what an older link still had to say is told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LinkId(pub u32);

/// A game message, as it goes over the wire. It may be a part of a save: Debug shows its length only.
#[derive(Clone, PartialEq, Eq)]
pub struct Bytes(pub Vec<u8>);

impl fmt::Debug for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes", self.0.len())
    }
}

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl From<Vec<u8>> for Bytes {
    fn from(bytes: Vec<u8>) -> Self {
        Self(bytes)
    }
}

/// What the game's thread asks for. [`Party`](Command::Party), [`Chat`](Command::Chat),
/// [`Event`](Command::Event) and [`State`](Command::State) go to the link that is connected; while none
/// is, they have no receiver and are dropped.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// Links to a server or a direct host, in place of any link there is. Keeps trying, 1 s apart and
    /// backing off to 30 s, and comes back by itself after a loss, until [`Command::Close`]; a name is
    /// looked up anew each time.
    Connect {
        /// Echoed in every report.
        link: LinkId,
        /// Where the server's TCP listens.
        to: Destination,
        /// The player's name, 1 to 32 characters.
        name: String,
    },
    /// Listens as a direct host, in place of any link there is, and links its own client in-process.
    Host {
        /// Echoed in every report.
        link: LinkId,
        /// The port for TCP and UDP; 0 takes any that is free for both.
        port: u16,
        /// The host's name, 1 to 32 characters.
        name: String,
        /// The party's description, up to 256 bytes.
        description: String,
    },
    /// Ends the link or the hosting at once, from any state. A LEAVE, or each member's END, still goes
    /// out as far as the network takes it. Nothing is reported about that link afterwards.
    Close,
    /// From now on the way to a server or a direct host is as bad as that, each way, for developers: the
    /// default is as it is. Also of later links; a direct host's own client has no such way.
    Simulate(Conditions),
    /// A direct host closes the connection of a member of its party, as it does with one that said too
    /// much that is malformed (protocol.md 3). Elsewhere, and for a session that is gone, it does
    /// nothing.
    Disconnect {
        /// Whose.
        session: SessionId,
    },
    /// A party request; LIST, JOIN, FIND and CREATE go out at most 2 a second together.
    Party(PartyRequest),
    /// A line of chat, 1 to 256 bytes; at most 2 a second go out, the rest waits.
    Chat {
        /// The line.
        text: String,
    },
    /// Something that must arrive, once and in order: goes as DATA, held back under the server's limits
    /// (protocol.md 1), never dropped while the link and the party last.
    Event {
        /// Who gets it; `None`: everyone (from a member the host gets it, whatever this says).
        target: Option<SessionId>,
        /// The game message, up to 65,531 bytes.
        bytes: Bytes,
    },
    /// Something that only counts while it is the newest: goes by datagram, by DATA or by both
    /// (protocol.md 2).
    State {
        /// Who gets it, as for [`Command::Event`].
        target: Option<SessionId>,
        /// While it waits to go out, a newer state for the same target and key takes its place.
        key: u32,
        /// The game message, up to 65,531 bytes; over 1,183 it goes as DATA only.
        bytes: Bytes,
    },
}

/// Where a link goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Destination {
    /// To one address.
    Address(SocketAddr),
    /// To the first address of a name that answers.
    Name {
        /// The name, as the system's look-up takes it, 1 to 253 bytes, no control character.
        host: String,
        /// The port.
        port: u16,
    },
}

impl From<SocketAddr> for Destination {
    fn from(address: SocketAddr) -> Self {
        Self::Address(address)
    }
}

impl fmt::Display for Destination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Address(address) => address.fmt(f),
            Self::Name { host, port } => write!(f, "{host}:{port}"),
        }
    }
}

/// What can be asked about a party (protocol.md 1, PARTY).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PartyRequest {
    /// A party of one's own.
    Create {
        /// Up to 256 bytes, no control character.
        description: String,
    },
    /// Into the party that has this code.
    Join {
        /// 1 to 16 bytes; lower case too.
        code: String,
    },
    /// Out of the party; has no answer.
    Leave,
    /// Into any party with room, else into a new one.
    Find,
    /// The parties with room. One that still waits to go out is not asked twice.
    List,
}

/// One thing that happened to a link.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// The link it happened to.
    pub link: LinkId,
    /// What happened.
    pub event: Event,
}

/// What can happen to a link.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// The direct host listens, on TCP and UDP.
    Hosting {
        /// The port it listens on.
        port: u16,
        /// This machine's IPv4 addresses, without loopback and link-local ones, in ascending order.
        addresses: Vec<IpAddr>,
    },
    /// The direct host could not listen; the link is over.
    HostFailed {
        /// The port that was asked for.
        port: u16,
        /// Why.
        why: HostError,
    },
    /// An attempt to connect began.
    Connecting {
        /// 1 for the first since the command or since the last time it was connected.
        attempt: u32,
    },
    /// That attempt came to nothing; the next begins by itself.
    ConnectFailed {
        /// Why.
        why: ConnectError,
        /// How long until the next attempt, 1 to 30 s.
        retry_in: Duration,
    },
    /// The server answered HELLO.
    Connected {
        /// Who we are to everyone on this server; a new number each time.
        session: SessionId,
    },
    /// A link that was connected ended. One to a server is tried again by itself; a direct host has
    /// stopped.
    Lost {
        /// Why.
        why: LostReason,
    },
    /// News of the party.
    Party(PartyNews),
    /// A line of chat, our own among them.
    Chat {
        /// Who said it.
        sender: SessionId,
        /// The line.
        text: String,
    },
    /// The server refused what we asked (protocol.md 1, ERROR).
    Refused(ErrorReason),
    /// A game message.
    Data {
        /// Whom the server names as its sender.
        sender: SessionId,
        /// The message, as sent.
        bytes: Bytes,
        /// When it was read off the network: the game may take it up to a tick or, from a load, long
        /// after.
        at: LocalTime,
        /// Whether it came by datagram.
        udp: bool,
    },
    /// The direct host closed someone's connection, of its own accord.
    Closed {
        /// Whose.
        address: IpAddr,
        /// Why.
        why: String,
        /// How many more there were since the last that was told: one a second is, and one a reason of an
        /// address in ten.
        unsaid: u32,
    },
    /// The direct host can accept nobody just now; it tries on. Told once in ten seconds.
    NotAccepting {
        /// Why, in the system's words.
        why: String,
    },
    /// The link as measured: at each answer to TIME, and when datagrams begin or cease to come.
    Quality(Quality),
    /// Whether the link hears the server (B3.2), at each change; it begins as live.
    Liveness(Grade),
}

/// How good a link is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quality {
    /// There and back, smoothed by 5 % a sample.
    pub round_trip: Duration,
    /// The server's clock is the local clock plus this many microseconds.
    pub server_offset_micros: i64,
    /// Whether state goes by datagram alone.
    pub udp: bool,
    /// How much the round trip varies from sample to sample, smoothed.
    pub jitter: Duration,
    /// All bytes of this connection so far, frames and datagrams, without the network's own headers.
    pub bytes: Traffic,
    /// The share of the others' poses that did not come, by datagram or as DATA, of the newest 128 of
    /// each, 0 to 1.
    pub loss: f32,
}

/// How much went over a link.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// Bytes that came.
    pub received: u64,
    /// Bytes that went out.
    pub sent: u64,
}

/// News of the party (protocol.md 1, PARTY).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PartyNews {
    /// We are in a party, and this is it.
    Info {
        /// `DIRECT` for a direct host's.
        code: String,
        /// The host; our own session if we are it.
        host: SessionId,
        /// Everyone, we and the host included.
        members: Vec<Member>,
        /// The host's words about it.
        description: String,
    },
    /// Someone came.
    Joined(Member),
    /// Someone is no longer there.
    Left {
        /// Who.
        id: SessionId,
    },
    /// The party is over: the host left, was lost or stopped.
    End,
    /// The parties with room, newest first.
    List(Vec<PartyRow>),
}

/// One of a party.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// Its session.
    pub id: SessionId,
    /// Its name.
    pub name: String,
}

/// A party as LIST names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartyRow {
    /// Its code.
    pub code: String,
    /// The host's name.
    pub host: String,
    /// How many are in it.
    pub members: u8,
    /// How many it holds.
    pub size: u8,
    /// The host's words about it.
    pub description: String,
}

/// Why an attempt to connect came to nothing.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ConnectError {
    /// Nobody listens on that port.
    #[error("the server refused the connection")]
    Refused,
    /// There is no address of that name, or nobody who could tell.
    #[error("no address was found for that name")]
    NotFound,
    /// No answer within 5 s of connecting, or none to HELLO or to the look-up of a name within 10 s.
    #[error("the server did not answer in time")]
    TimedOut,
    /// There is no way to that address.
    #[error("the server cannot be reached from here")]
    Unreachable,
    /// The connection ended before HELLO was answered.
    #[error("the server closed the connection before it answered")]
    Closed,
    /// The server answered HELLO with an ERROR.
    #[error("the server turned us away: {0}")]
    Rejected(ErrorReason),
    /// What answered does not speak the protocol.
    #[error("what answered does not speak the protocol: {0}")]
    Protocol(String),
    /// Anything else, in the system's words.
    #[error("{0}")]
    Other(String),
}

/// Why a link that was connected ended.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum LostReason {
    /// The server closed the connection, or is gone.
    #[error("the server closed the connection")]
    Closed,
    /// Nothing came for 10 s (B3.2).
    #[error("nothing came from the server for 10 seconds")]
    Silent,
    /// The server sent what the protocol does not allow.
    #[error("the server broke the protocol: {0}")]
    Protocol(String),
    /// The game read nothing while over 1 MiB came in (B3.6).
    #[error("the game stood still while over 1 MiB came in")]
    GameStalled,
    /// The connection failed, in the system's words.
    #[error("the connection failed: {0}")]
    Failed(String),
}

/// Why a direct host could not listen.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum HostError {
    /// Someone else, on this machine, has the port for TCP or for UDP.
    #[error("the port is in use")]
    PortInUse,
    /// Anything else, in the system's words.
    #[error("{0}")]
    Other(String),
}

/// Why a command was not taken. The command is lost; the caller decides what that means.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SendError {
    /// More waits to go out than is held: 4,096 commands, or 4 MiB of events and state.
    #[error("too much waits to go out")]
    Full,
    /// The protocol has no room for it: a name, a text or a message too long, or with characters it
    /// does not take.
    #[error("not to be sent: {0}")]
    Invalid(String),
    /// The socket thread has ended.
    #[error("the socket thread has ended")]
    Ended,
    /// The socket thread has ended, as it could not wait for its sockets: why, in the system's words.
    #[error("the socket thread failed: {0}")]
    Failed(String),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_that_is_told_of_shows_its_length_and_none_of_its_bytes() {
        let bytes = || Bytes(vec![0xa5; 300]);
        let at = LocalTime::ZERO;
        let event = Event::Data { sender: SessionId(7), bytes: bytes(), at, udp: false };
        let shown = [
            format!("{:?}", Command::Event { target: None, bytes: bytes() }),
            format!("{:#?}", Command::State { target: None, key: 1, bytes: bytes() }),
            format!("{:x?}", Report { link: LinkId(1), event }),
        ];
        for shown in shown {
            assert!(shown.contains("300 bytes"), "{shown}");
            assert!(!shown.contains("165") && !shown.contains("a5"), "{shown}");
        }
    }
}
