//! What a router is told at its start: which kind of host it serves and the limits it holds.

use alloc::string::String;
use core::time::Duration;

use mp_protocol::limits;

/// What a router is told at its start.
#[derive(Clone, Debug)]
pub struct Config {
    /// A server of many parties or a direct host of one.
    pub mode: Mode,
    /// Every limit of protocol.md 1.
    pub limits: Limits,
    /// The UDP port that sessions are told of: `Some(0)` is the same as TCP's, `None` offers no UDP.
    pub udp_port: Option<u16>,
    /// Wall time at `LocalTime` zero, in milliseconds since 1970: what TIME's server clock starts from.
    pub epoch_ms: i64,
}

/// Which kind of host the router serves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mode {
    /// A relay: any number of parties, each with a code of its own.
    Server,
    /// A direct host: the one party `DIRECT`, hosted by the client of `Router::connect_local`.
    Direct {
        /// The party's description (the save's words), 0 to 256 bytes without control characters.
        description: String,
    },
}

/// The limits of protocol.md 1, each a setting; the defaults are protocol.md's. A rate's bucket starts
/// full and holds two seconds' worth of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Connections an address may have (IPv6 by its first 64 bits).
    pub connections_per_address: usize,
    /// Connections there may be in all, a direct host's own client not counted; those over it are refused
    /// as those over an address's are.
    pub connections: usize,
    /// Frames a second a connection.
    pub frames_per_second: u32,
    /// Bytes of frames a second a connection, length fields included.
    pub frame_bytes_per_second: u32,
    /// How many times a member's frames and bytes of frames a party's host may send.
    pub host_frame_rate_factor: u32,
    /// Datagrams a second a connection.
    pub datagrams_per_second: u32,
    /// Datagrams a second a party's host.
    pub host_datagrams_per_second: u32,
    /// CHAT a second a connection.
    pub chats_per_second: u32,
    /// LIST, JOIN, FIND and CREATE together, a second a connection.
    pub lobby_requests_per_second: u32,
    /// Strikes within [`Limits::strike_window`] that close a connection.
    pub strikes: usize,
    /// How long a strike counts, and how long one ERROR 6 stands for the strikes after it.
    pub strike_window: Duration,
    /// From connecting to a complete HELLO.
    pub hello_timeout: Duration,
    /// From a later frame's first byte to its last.
    pub frame_timeout: Duration,
    /// Without a complete frame.
    pub silence_timeout: Duration,
    /// An outgoing queue that reaches this many bytes closes its connection.
    pub queue_bytes: usize,
    /// What a member sends may not bring its host's queue over this many bytes.
    pub host_queue_bytes: usize,
    /// What may wait in all outgoing queues together: over it the connection with the longest is closed.
    pub all_queues_bytes: usize,
    /// How long a closing connection may take to have its last bytes written.
    pub flush_timeout: Duration,
}

impl Limits {
    /// A direct host's: the same, and 8 clients in all.
    #[must_use]
    pub fn direct() -> Self {
        Self { connections: limits::DIRECT_CLIENTS_MAX, ..Self::default() }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections_per_address: limits::CONNECTIONS_PER_ADDRESS,
            connections: usize::MAX,
            frames_per_second: limits::FRAMES_PER_SECOND,
            frame_bytes_per_second: limits::FRAME_BYTES_PER_SECOND,
            host_frame_rate_factor: limits::HOST_FRAME_RATE_FACTOR,
            datagrams_per_second: limits::DATAGRAMS_PER_SECOND,
            host_datagrams_per_second: limits::HOST_DATAGRAMS_PER_SECOND,
            chats_per_second: limits::CHATS_PER_SECOND,
            lobby_requests_per_second: limits::LOBBY_REQUESTS_PER_SECOND,
            strikes: usize::try_from(limits::STRIKES_MAX).expect("10 fits"),
            strike_window: limits::STRIKE_WINDOW,
            hello_timeout: limits::FRAME_TIMEOUT,
            frame_timeout: limits::FRAME_TIMEOUT,
            silence_timeout: limits::SILENCE_TIMEOUT,
            queue_bytes: limits::QUEUE_MAX,
            host_queue_bytes: limits::HOST_QUEUE_FROM_MEMBERS_MAX,
            all_queues_bytes: usize::MAX,
            // Well within the 2 s in which a stopping server is gone (programs.md).
            flush_timeout: Duration::from_millis(500),
        }
    }
}
