//! The party router: who is connected, who is in which party, and who hears what (protocol.md 1 and 2).
//! The relay runs it for many parties, a direct host for one; both get the same rules.
//!
//! It is sans-IO: [`Router`]'s inputs are method calls with `now`, its outputs are drained with
//! [`Router::poll_output`] until `None`, and [`Router::poll_timeout`] says when it next wants
//! [`Router::advance`]. It must never read a clock, open a socket, start a thread, log, or draw
//! randomness of its own: all of these are the driver's. Same inputs, same outputs.
//!
//! A driver's loop, one wake-up at a time:
//!
//! 1. Hand in all that is ready: [`Router::connect`], [`Router::received`], [`Router::closed`],
//!    [`Router::datagram`]; then call [`Router::advance`].
//! 2. Drain [`Router::poll_output`]. For [`Output::Write`], write [`Router::outgoing`] and report it with
//!    [`Router::wrote`], now and whenever the socket takes more, until nothing is left.
//! 3. Sleep until the sockets or [`Router::poll_timeout`].
//!
//! A server may have several routers, one a thread ([`Router::sharded`]). They share [`Commons`]; a
//! [`Departure`] is to be handed to the router it names, a datagram that [`Router::datagram`] gives back
//! likewise. A router alone never has either.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

mod address;
mod commons;
mod config;
mod connection;
mod counters;
mod directory;
mod frames;
mod links;
mod lobby;
mod output;
mod parts;
mod party;
mod queue;
mod rates;
mod router;
mod shard;
mod timers;
mod traffic;
mod udp;

pub use address::origin;
pub use commons::Commons;
pub use config::{Config, Limits, Mode};
pub use connection::ConnectionId;
pub use counters::{Counters, DropReason};
pub use output::{CloseReason, LocalAddress, Note, NoteReason, Output};
pub use party::Code;
pub use rates::Strike;
pub use router::{Queues, Router};
pub use shard::{Departure, Shard};
