//! Server to client.

use alloc::vec::Vec;

use super::{ErrorReason, id, op};
use crate::error::Malformed;
use crate::frame::append_frame;
use crate::id::{SessionId, Token};
use crate::limits::{CHAT_MAX, CODE_MAX, DESCRIPTION_MAX, LIST_ROWS_MAX, PARTY_SIZE};
use crate::list::List;
use crate::wire::{Fields, Reader, Writer};

/// A packet a server or a direct host sends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ServerPacket<'a> {
    /// The answer to HELLO.
    Hello {
        /// The receiver's own id.
        session: SessionId,
    },
    /// The party the receiver has just entered.
    Info(PartyInfo<'a>),
    /// Another entered the receiver's party.
    Joined {
        /// Its id.
        id: SessionId,
        /// Its name.
        name: &'a str,
    },
    /// Another left the receiver's party.
    Left {
        /// Its id.
        id: SessionId,
    },
    /// The party is over.
    End,
    /// The parties with room, newest first: at most
    /// [`LIST_ROWS_MAX`](crate::limits::LIST_ROWS_MAX).
    List(List<'a, ListRow<'a>>),
    /// Somebody in the party, the receiver too, said something.
    Chat {
        /// Who.
        sender: SessionId,
        /// 1 to 256 bytes, no control character.
        text: &'a str,
    },
    /// Bytes from another in the party.
    Data {
        /// Who sent them.
        sender: SessionId,
        /// At most [`DATA_MAX`](crate::limits::DATA_MAX) bytes.
        bytes: &'a [u8],
    },
    /// A refusal.
    Error(ErrorReason),
    /// The answer to TIME.
    Time {
        /// The client's clock as its TIME had it, in milliseconds.
        echo_ms: i64,
        /// The server's clock, in milliseconds.
        server_ms: i64,
    },
    /// What the client's datagrams need.
    Udp {
        /// What proves that they are its own.
        token: Token,
        /// Where they go; 0: the same port as TCP's.
        port: u16,
    },
}

/// A party, as INFO tells it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PartyInfo<'a> {
    /// The code others join by: 1 to 16 bytes.
    pub code: &'a str,
    /// The host's id.
    pub host: SessionId,
    /// Everyone in it, the host and the receiver too: 1 to [`PARTY_SIZE`].
    pub members: List<'a, Member<'a>>,
    /// What the host's CREATE said: 0 to 256 bytes, no control character.
    pub description: &'a str,
}

/// One of a party.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Member<'a> {
    /// Its id.
    pub id: SessionId,
    /// Its name, which is [valid](crate::name_is_valid).
    pub name: &'a str,
}

/// A party with room, as LIST tells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListRow<'a> {
    /// The code to join by: 1 to 16 bytes.
    pub code: &'a str,
    /// The host's name, which is [valid](crate::name_is_valid).
    pub host: &'a str,
    /// How many are in it.
    pub members: u8,
    /// How many it holds.
    pub size: u8,
    /// What the host's CREATE said: 0 to 256 bytes, no control character.
    pub description: &'a str,
}

impl<'a> ServerPacket<'a> {
    /// Reads a frame's body (packet id and payload).
    ///
    /// # Errors
    /// What makes the frame a protocol error: the connection is to be closed.
    pub fn decode(body: &'a [u8]) -> Result<Self, Malformed> {
        let mut r = Reader::new(body);
        match r.u8("packet id")? {
            id::HELLO => Ok(Self::Hello { session: r.session("HELLO session")? }),
            id::PARTY => Self::decode_party(&mut r),
            id::CHAT => Ok(Self::Chat {
                sender: r.session("CHAT sender")?,
                text: r.line("CHAT text", 1..=CHAT_MAX)?,
            }),
            id::DATA => Ok(Self::Data { sender: r.session("DATA sender")?, bytes: r.rest() }),
            id::ERROR => Ok(Self::Error(ErrorReason::from_u8(r.u8("ERROR reason")?)?)),
            id::TIME => {
                Ok(Self::Time { echo_ms: r.i64("TIME echo")?, server_ms: r.i64("TIME server")? })
            }
            id::UDP => Ok(Self::Udp { token: r.token("UDP token")?, port: r.u16("UDP port")? }),
            kind => Err(Malformed::UnknownKind { what: "packet id", kind }),
        }
    }

    fn decode_party(r: &mut Reader<'a>) -> Result<Self, Malformed> {
        match r.u8("PARTY opcode")? {
            op::INFO => Ok(Self::Info(PartyInfo::read(r)?)),
            op::JOINED => {
                Ok(Self::Joined { id: r.session("JOINED id")?, name: r.name("JOINED name")? })
            }
            op::LEFT => Ok(Self::Left { id: r.session("LEFT id")? }),
            op::END => Ok(Self::End),
            op::LIST => {
                let count = r.u16("LIST count")?;
                Ok(Self::List(List::read("LIST count", r, count.into(), 0..=LIST_ROWS_MAX)?))
            }
            op::CREATE => Err(Malformed::WrongSide { what: "CREATE" }),
            op::JOIN => Err(Malformed::WrongSide { what: "JOIN" }),
            op::LEAVE => Err(Malformed::WrongSide { what: "LEAVE" }),
            op::FIND => Err(Malformed::WrongSide { what: "FIND" }),
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
            Self::Hello { session } => {
                w.u8(id::HELLO);
                w.session("HELLO session", session)?;
            }
            Self::Info(info) => {
                w.bytes(&[id::PARTY, op::INFO]);
                info.write(w)?;
            }
            Self::Joined { id, name } => {
                w.bytes(&[id::PARTY, op::JOINED]);
                w.session("JOINED id", id)?;
                w.name("JOINED name", name)?;
            }
            Self::Left { id } => {
                w.bytes(&[id::PARTY, op::LEFT]);
                w.session("LEFT id", id)?;
            }
            Self::End => w.bytes(&[id::PARTY, op::END]),
            Self::List(rows) => {
                w.bytes(&[id::PARTY, op::LIST]);
                w.u16(rows.count("LIST count", 0..=LIST_ROWS_MAX)?);
                rows.write(w)?;
            }
            Self::Chat { sender, text } => {
                w.u8(id::CHAT);
                w.session("CHAT sender", sender)?;
                w.line("CHAT text", text, 1..=CHAT_MAX)?;
            }
            Self::Data { sender, bytes } => write_data(sender, bytes, w)?,
            Self::Error(reason) => w.bytes(&[id::ERROR, reason as u8]),
            Self::Time { echo_ms, server_ms } => {
                w.u8(id::TIME);
                w.i64(echo_ms);
                w.i64(server_ms);
            }
            Self::Udp { token, port } => {
                w.u8(id::UDP);
                w.token(token);
                w.u16(port);
            }
        }
        Ok(())
    }
}

/// Appends the whole frame of a [`ServerPacket::Data`]: what a router does most.
///
/// # Errors
/// `sender` is not 1 or more, or `bytes` are more than [`DATA_MAX`](crate::limits::DATA_MAX); `out` is
/// as it was.
pub fn encode_data(sender: SessionId, bytes: &[u8], out: &mut Vec<u8>) -> Result<(), Malformed> {
    append_frame("DATA", out, |w| write_data(sender, bytes, w))
}

fn write_data(sender: SessionId, bytes: &[u8], w: &mut Writer<'_>) -> Result<(), Malformed> {
    w.u8(id::DATA);
    w.session("DATA sender", sender)?;
    w.bytes(bytes);
    Ok(())
}

impl<'a> Fields<'a> for PartyInfo<'a> {
    fn read(r: &mut Reader<'a>) -> Result<Self, Malformed> {
        let code = r.text("INFO code", 1..=CODE_MAX)?;
        let host = r.session("INFO host")?;
        let count = r.u8("INFO count")?;
        Ok(Self {
            code,
            host,
            members: List::read("INFO count", r, count.into(), 1..=PARTY_SIZE)?,
            description: r.line("INFO description", 0..=DESCRIPTION_MAX)?,
        })
    }

    fn write(&self, w: &mut Writer<'_>) -> Result<(), Malformed> {
        w.text("INFO code", self.code, 1..=CODE_MAX)?;
        w.session("INFO host", self.host)?;
        w.u8(self.members.count("INFO count", 1..=PARTY_SIZE)?);
        self.members.write(w)?;
        w.line("INFO description", self.description, 0..=DESCRIPTION_MAX)
    }
}

impl<'a> Fields<'a> for Member<'a> {
    fn read(r: &mut Reader<'a>) -> Result<Self, Malformed> {
        Ok(Self { id: r.session("INFO member id")?, name: r.name("INFO member name")? })
    }

    fn write(&self, w: &mut Writer<'_>) -> Result<(), Malformed> {
        w.session("INFO member id", self.id)?;
        w.name("INFO member name", self.name)
    }
}

impl<'a> Fields<'a> for ListRow<'a> {
    fn read(r: &mut Reader<'a>) -> Result<Self, Malformed> {
        Ok(Self {
            code: r.text("LIST code", 1..=CODE_MAX)?,
            host: r.name("LIST host name")?,
            members: r.u8("LIST members")?,
            size: r.u8("LIST size")?,
            description: r.line("LIST description", 0..=DESCRIPTION_MAX)?,
        })
    }

    fn write(&self, w: &mut Writer<'_>) -> Result<(), Malformed> {
        w.text("LIST code", self.code, 1..=CODE_MAX)?;
        w.name("LIST host name", self.host)?;
        w.u8(self.members);
        w.u8(self.size);
        w.line("LIST description", self.description, 0..=DESCRIPTION_MAX)
    }
}
