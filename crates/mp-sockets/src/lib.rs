//! The only sockets, threads and clock of OpenRAC multiplayer: TCP and UDP in, events out.
//!
//! One socket thread an instance owns every socket. It drives the link to a server or a direct host
//! (HELLO, the clock, BIND, the fallback to TCP, liveness, pacing) and, for a direct host, the party
//! router, with the game's own client linked in-process; so a game that stands still stays linked. The
//! game's thread holds a [`Handle`]: commands go in, reports come out, and neither ever waits.
//!
//! This crate must never know what a game message means, beyond which are state.

mod api;
mod bad_link;
mod batch;
mod client;
mod clock;
mod closings;
mod command;
mod handle;
mod handoff;
mod in_process;
mod inbox;
mod linger;
pub mod link;
mod listen;
mod platform;
mod resolver;
mod server;
mod strays;
mod sync;
mod thread;
mod tokens;
mod window;

pub use api::{
    Bytes, Command, ConnectError, Destination, Event, HostError, LinkId, LostReason, Member,
    PartyNews, PartyRequest, PartyRow, Quality, Report, SendError, Traffic,
};
pub use clock::{Clock, wall_ms};
pub use command::HOST_MAX;
pub use handle::{COMMANDS_MAX, FarEnd, Handle, QUEUED_MAX, start};
pub use inbox::{INBOX_MAX, STATE_HELD_WHOLE, Stalled};
pub use linger::{LINGER, Lingering};
pub use platform::is_no_ipv6;
pub use server::{Io, News, Server};
pub use strays::Strays;
pub use tokens::{Tokens, WAKER};
