//! What a frame says: packets, each way (protocol.md 1).
//!
//! A packet is decoded as the direction demands: one that only the other side may send is refused.
//! Bytes past the known fields are ignored, for a newer peer may send more.

mod client;
mod server;

pub use client::ClientPacket;
pub use server::{ListRow, Member, PartyInfo, ServerPacket, encode_data};

use core::fmt;

use crate::error::Malformed;

/// Packet ids.
mod id {
    pub const HELLO: u8 = 0;
    pub const PARTY: u8 = 1;
    pub const CHAT: u8 = 2;
    pub const DATA: u8 = 3;
    pub const ERROR: u8 = 4;
    pub const TIME: u8 = 5;
    pub const UDP: u8 = 6;
}

/// PARTY's opcodes.
mod op {
    pub const CREATE: u8 = 0;
    pub const JOIN: u8 = 1;
    pub const LEAVE: u8 = 2;
    pub const INFO: u8 = 3;
    pub const JOINED: u8 = 4;
    pub const LEFT: u8 = 5;
    pub const END: u8 = 6;
    pub const FIND: u8 = 7;
    pub const LIST: u8 = 8;
}

/// Why a server refused (ERROR's reason, protocol.md 1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum ErrorReason {
    /// JOIN named a code that no party has.
    NoSuchParty = 0,
    /// The party has no room.
    Full = 1,
    /// CREATE, JOIN or FIND from one in a party.
    AlreadyInOne = 2,
    /// DATA or CHAT from one in no party.
    NotInOne = 3,
    /// HELLO's name is not valid; the connection is closed.
    BadName = 4,
    /// The address has too many connections; the connection is closed.
    TooManyConnections = 5,
    /// Frames or datagrams over a limit are dropped.
    TooFast = 6,
}

impl ErrorReason {
    const ALL: [Self; 7] = [
        Self::NoSuchParty,
        Self::Full,
        Self::AlreadyInOne,
        Self::NotInOne,
        Self::BadName,
        Self::TooManyConnections,
        Self::TooFast,
    ];

    /// The reason of this number.
    ///
    /// # Errors
    /// No reason has it.
    pub fn from_u8(number: u8) -> Result<Self, Malformed> {
        let unknown = Malformed::UnknownKind { what: "ERROR reason", kind: number };
        Self::ALL.get(usize::from(number)).copied().ok_or(unknown)
    }
}

impl fmt::Display for ErrorReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoSuchParty => "no such party",
            Self::Full => "the party is full",
            Self::AlreadyInOne => "already in a party",
            Self::NotInOne => "not in a party",
            Self::BadName => "bad name",
            Self::TooManyConnections => "too many connections",
            Self::TooFast => "too fast",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::ErrorReason;

    #[test]
    fn an_error_reason_is_its_number() {
        for number in 0..=6 {
            assert_eq!(ErrorReason::from_u8(number).unwrap() as u8, number);
        }
        assert!(ErrorReason::from_u8(7).is_err());
    }
}
