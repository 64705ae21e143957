//! Every byte that OpenRAC multiplayer puts on the wire, and every limit it keeps.
//!
//! - [`limits`]: the limits, as named constants.
//! - [`FrameReader`]: cuts a TCP stream into frames.
//! - [`ClientPacket`], [`ServerPacket`]: what a frame says (protocol.md 1).
//! - [`datagram`]: what a UDP datagram says (protocol.md 2).
//! - [`game`]: what the mods say to each other inside DATA and STATE (protocol.md 3).
//!
//! Decoding borrows from the bytes it is given, checks lengths before anything else and allocates
//! nothing. Encoding appends to the caller's `Vec` and refuses exactly what decoding refuses, leaving
//! the `Vec` as it was. No input makes either panic.
//!
//! This crate knows layouts and ranges only: it must never hold the state of a connection or a party,
//! read a clock, open a socket, start a thread or log.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

mod error;
mod frame;
mod id;
mod list;
mod packet;
mod text;
mod wire;

pub mod datagram;
pub mod game;
pub mod limits;

pub use error::{Malformed, TextFault};
pub use frame::{FrameError, FrameReader};
pub use id::{SessionId, Token};
pub use list::List;
pub use packet::{
    ClientPacket, ErrorReason, ListRow, Member, PartyInfo, ServerPacket, encode_data,
};
pub use text::name_is_valid;

/// This mod's version: "since" in protocol.md counts by it.
pub const VERSION: &str = "0.7.0";

/// How a client of this version greets: HELLO's version field (protocol.md 1).
pub const HELLO_VERSION: &str = "rac1-multiplayer/0.7.0";

#[cfg(test)]
mod tests {
    use super::{HELLO_VERSION, VERSION};

    #[test]
    fn the_version_is_the_packages() {
        assert_eq!(VERSION, env!("CARGO_PKG_VERSION"));
        assert_eq!(HELLO_VERSION.strip_prefix("rac1-multiplayer/"), Some(VERSION));
    }
}
