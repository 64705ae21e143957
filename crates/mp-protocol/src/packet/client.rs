//! Client to server.

use alloc::vec::Vec;

use super::{id, op};
use crate::error::Malformed;
use crate::frame::append_frame;
use crate::limits::{CHAT_MAX, CODE_MAX, DESCRIPTION_MAX, STR_MAX, VERSION_MAX};
use crate::wire::{Reader, Writer};

/// A packet a client sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClientPacket<'a> {
    /// The first frame on every connection.
    Hello {
        /// `rac1-multiplayer/<semver>`: 1 to 64 bytes.
        version: &'a str,
        /// Any text: a name that is not [valid](crate::name_is_valid) is answered with ERROR 4, not
        /// refused here.
        name: &'a str,
    },
    /// Makes a party.
    Create {
        /// 0 to 256 bytes, no control character.
        description: &'a str,
    },
    /// Enters the party of this code.
    Join {
        /// 1 to 16 bytes, in either case.
        code: &'a str,
    },
    /// Leaves the party; there is no answer.
    Leave,
    /// Enters any party with room, or makes one.
    Find,
    /// Asks for the parties with room.
    List,
    /// Says something to the party.
    Chat {
        /// 1 to 256 bytes, no control character.
        text: &'a str,
    },
    /// Sends bytes within the party: a member's go to the host alone.
    Data {
        /// The host's: a member's session id, or 0 for all the others.
        target: i32,
        /// At most [`DATA_MAX`](crate::limits::DATA_MAX) bytes.
        bytes: &'a [u8],
    },
    /// Asks for the server's clock.
    Time {
        /// The client's monotonic clock, in milliseconds.
        clock_ms: i64,
    },
}

impl<'a> ClientPacket<'a> {
    /// Reads a frame's body (packet id and payload).
    ///
    /// # Errors
    /// What makes the frame a protocol error: the connection is to be closed.
    pub fn decode(body: &'a [u8]) -> Result<Self, Malformed> {
        let mut r = Reader::new(body);
        match r.u8("packet id")? {
            id::HELLO => Ok(Self::Hello {
                version: r.text("HELLO version", 1..=VERSION_MAX)?,
                name: r.text("HELLO name", 0..=STR_MAX)?,
            }),
            id::PARTY => Self::decode_party(&mut r),
            id::CHAT => Ok(Self::Chat { text: r.line("CHAT text", 1..=CHAT_MAX)? }),
            id::DATA => Ok(Self::Data { target: r.i32("DATA target")?, bytes: r.rest() }),
            id::TIME => Ok(Self::Time { clock_ms: r.i64("TIME clock")? }),
            id::ERROR => Err(Malformed::WrongSide { what: "ERROR" }),
            id::UDP => Err(Malformed::WrongSide { what: "UDP" }),
            kind => Err(Malformed::UnknownKind { what: "packet id", kind }),
        }
    }

    fn decode_party(r: &mut Reader<'a>) -> Result<Self, Malformed> {
        match r.u8("PARTY opcode")? {
            op::CREATE => {
                Ok(Self::Create { description: r.line("CREATE description", 0..=DESCRIPTION_MAX)? })
            }
            op::JOIN => Ok(Self::Join { code: r.text("JOIN code", 1..=CODE_MAX)? }),
            op::LEAVE => Ok(Self::Leave),
            op::FIND => Ok(Self::Find),
            op::LIST => Ok(Self::List),
            op::INFO => Err(Malformed::WrongSide { what: "INFO" }),
            op::JOINED => Err(Malformed::WrongSide { what: "JOINED" }),
            op::LEFT => Err(Malformed::WrongSide { what: "LEFT" }),
            op::END => Err(Malformed::WrongSide { what: "END" }),
            kind => Err(Malformed::UnknownKind { what: "PARTY opcode", kind }),
        }
    }

    /// Appends the whole frame, its length included.
    ///
    /// # Errors
    /// What [`decode`](Self::decode) would refuse, or a frame too long; `out` is as it was.
    pub fn encode(&self, out: &mut Vec<u8>) -> Result<(), Malformed> {
        append_frame("frame", out, |w| self.write(w))
    }

    fn write(&self, w: &mut Writer<'_>) -> Result<(), Malformed> {
        match *self {
            Self::Hello { version, name } => {
                w.u8(id::HELLO);
                w.text("HELLO version", version, 1..=VERSION_MAX)?;
                w.text("HELLO name", name, 0..=STR_MAX)?;
            }
            Self::Create { description } => {
                w.bytes(&[id::PARTY, op::CREATE]);
                w.line("CREATE description", description, 0..=DESCRIPTION_MAX)?;
            }
            Self::Join { code } => {
                w.bytes(&[id::PARTY, op::JOIN]);
                w.text("JOIN code", code, 1..=CODE_MAX)?;
            }
            Self::Leave => w.bytes(&[id::PARTY, op::LEAVE]),
            Self::Find => w.bytes(&[id::PARTY, op::FIND]),
            Self::List => w.bytes(&[id::PARTY, op::LIST]),
            Self::Chat { text } => {
                w.u8(id::CHAT);
                w.line("CHAT text", text, 1..=CHAT_MAX)?;
            }
            Self::Data { target, bytes } => {
                w.u8(id::DATA);
                w.i32(target);
                w.bytes(bytes);
            }
            Self::Time { clock_ms } => {
                w.u8(id::TIME);
                w.i64(clock_ms);
            }
        }
        Ok(())
    }
}
