//! What a UDP datagram says, each way (protocol.md 2).
//!
//! Whether the session is known and the token its own is the server's to look up.

use alloc::vec::Vec;

use crate::error::{Malformed, in_range};
use crate::id::{SessionId, Token};
use crate::limits::{DATAGRAM_HEADER, DATAGRAM_MAX, STATE_MAX};
use crate::wire::{Reader, Writer, append};

const BIND: u8 = 0;
const STATE: u8 = 1;

/// The shortest BIND: header and kind, no heard.
const BIND_MIN: usize = DATAGRAM_HEADER + 1;

/// Most bytes of state in a server's datagram, after kind and sender.
const SERVER_STATE_MAX: usize = DATAGRAM_MAX - 5;

/// A datagram a client sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClientDatagram<'a> {
    /// Who says it was them: any number, to be looked up.
    pub session: SessionId,
    /// What proves it.
    pub token: Token,
    /// What they say.
    pub what: ClientDatagramKind<'a>,
}

/// What a client's datagram says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClientDatagramKind<'a> {
    /// Where the client is to be reached, and whether it is.
    Bind {
        /// A datagram came in the last 15 seconds. True where it is not said (before 0.7).
        heard: bool,
        /// Bytes of the whole datagram, zeros after heard: 13 (heard not said) to
        /// [`DATAGRAM_MAX`].
        size: usize,
    },
    /// State for the party, as DATA but unreliable.
    State {
        /// As DATA's target.
        target: i32,
        /// At most [`STATE_MAX`] bytes.
        bytes: &'a [u8],
    },
}

/// A datagram a server or a direct host sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ServerDatagram<'a> {
    /// The answer to BIND.
    BindAnswer {
        /// Bytes of the whole datagram, all zero: [`bind_answer_size`] of the BIND.
        size: usize,
    },
    /// State from another in the party.
    State {
        /// Who sent it.
        sender: SessionId,
        /// What fits the datagram, which is more than a client sends.
        bytes: &'a [u8],
    },
}

/// How many bytes answer a BIND of `size` bytes: as many as it had from its kind on. So an answer is
/// never larger than what it answers, and one to a full-size BIND proves a path for full-size STATE.
#[must_use]
pub const fn bind_answer_size(size: usize) -> usize {
    size.saturating_sub(DATAGRAM_HEADER)
}

impl<'a> ClientDatagram<'a> {
    /// Reads a datagram.
    ///
    /// # Errors
    /// It is too long or too short, of no known kind, or heard is neither 0 nor 1: drop it and count.
    pub fn decode(bytes: &'a [u8]) -> Result<Self, Malformed> {
        in_range("datagram size", bytes.len(), 0..=DATAGRAM_MAX)?;
        let mut r = Reader::new(bytes);
        let session = SessionId(r.i32("datagram session")?);
        let token = r.token("datagram token")?;
        let what = match r.u8("datagram kind")? {
            BIND => ClientDatagramKind::Bind {
                heard: r.is_empty() || r.bool("BIND heard")?,
                size: bytes.len(),
            },
            STATE => ClientDatagramKind::State { target: r.i32("STATE target")?, bytes: r.rest() },
            kind => return Err(Malformed::UnknownKind { what: "datagram kind", kind }),
        };
        Ok(Self { session, token, what })
    }

    /// Appends the datagram.
    ///
    /// # Errors
    /// A size out of range; `out` is as it was.
    pub fn encode(&self, out: &mut Vec<u8>) -> Result<(), Malformed> {
        append(out, |w| {
            w.i32(self.session.0);
            w.token(self.token);
            match self.what {
                ClientDatagramKind::Bind { heard, size } => write_bind(w, heard, size),
                ClientDatagramKind::State { target, bytes } => {
                    w.u8(STATE);
                    w.i32(target);
                    in_range("STATE size", bytes.len(), 0..=STATE_MAX)?;
                    w.bytes(bytes);
                    Ok(())
                }
            }
        })
    }
}

fn write_bind(w: &mut Writer<'_>, heard: bool, size: usize) -> Result<(), Malformed> {
    // A BIND without heard means heard; one that means the contrary has to have room to say so.
    let least = if heard { BIND_MIN } else { BIND_MIN + 1 };
    in_range("BIND size", size, least..=DATAGRAM_MAX)?;
    w.u8(BIND);
    if size > BIND_MIN {
        w.bool(heard);
        w.zeros(size - BIND_MIN - 1);
    }
    Ok(())
}

impl<'a> ServerDatagram<'a> {
    /// Reads a datagram.
    ///
    /// # Errors
    /// It is too long or too short, of no known kind, or its sender no session: drop it and count.
    pub fn decode(bytes: &'a [u8]) -> Result<Self, Malformed> {
        in_range("datagram size", bytes.len(), 0..=DATAGRAM_MAX)?;
        let mut r = Reader::new(bytes);
        match r.u8("datagram kind")? {
            BIND => Ok(Self::BindAnswer { size: bytes.len() }),
            STATE => Ok(Self::State { sender: r.session("STATE sender")?, bytes: r.rest() }),
            kind => Err(Malformed::UnknownKind { what: "datagram kind", kind }),
        }
    }

    /// Appends the datagram.
    ///
    /// # Errors
    /// A size out of range, or a sender that is no session; `out` is as it was.
    pub fn encode(&self, out: &mut Vec<u8>) -> Result<(), Malformed> {
        append(out, |w| match *self {
            Self::BindAnswer { size } => {
                in_range("BIND answer size", size, 1..=DATAGRAM_MAX)?;
                w.u8(BIND);
                w.zeros(size - 1);
                Ok(())
            }
            Self::State { sender, bytes } => {
                w.u8(STATE);
                w.session("STATE sender", sender)?;
                in_range("STATE size", bytes.len(), 0..=SERVER_STATE_MAX)?;
                w.bytes(bytes);
                Ok(())
            }
        })
    }
}
