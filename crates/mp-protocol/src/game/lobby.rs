//! Getting ready, starting, and how everyone's link is.

use core::fmt;

use super::{Level, PlayId};
use crate::error::{Malformed, in_range};
use crate::id::SessionId;
use crate::limits::{CHUNK_MAX, PARTY_SIZE, SAVE_MAX, STR_MAX};
use crate::list::List;
use crate::wire::{Fields, Reader, Writer};

/// READY: the member is ready, or no longer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ready {
    /// Whether it is.
    pub ready: bool,
}

impl Fields<'_> for Ready {
    fn read(r: &mut Reader<'_>) -> Result<Self, Malformed> {
        Ok(Self { ready: r.bool("READY flag")? })
    }

    fn write(&self, w: &mut Writer<'_>) -> Result<(), Malformed> {
        w.bool(self.ready);
        Ok(())
    }
}

/// STATE: who is ready.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReadyStates<'a> {
    /// At most [`PARTY_SIZE`].
    pub members: List<'a, ReadyRow>,
}

/// One member in a [`ReadyStates`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadyRow {
    /// Who.
    pub id: SessionId,
    /// Whether it is ready.
    pub ready: bool,
}

impl<'a> Fields<'a> for ReadyStates<'a> {
    fn read(r: &mut Reader<'a>) -> Result<Self, Malformed> {
        let count = r.u8("STATE count")?;
        Ok(Self { members: List::read("STATE count", r, count.into(), 0..=PARTY_SIZE)? })
    }

    fn write(&self, w: &mut Writer<'_>) -> Result<(), Malformed> {
        w.u8(self.members.count("STATE count", 0..=PARTY_SIZE)?);
        self.members.write(w)
    }
}

impl Fields<'_> for ReadyRow {
    fn read(r: &mut Reader<'_>) -> Result<Self, Malformed> {
        Ok(Self { id: r.session("STATE id")?, ready: r.bool("STATE flag")? })
    }

    fn write(&self, w: &mut Writer<'_>) -> Result<(), Malformed> {
        w.session("STATE id", self.id)?;
        w.bool(self.ready);
        Ok(())
    }
}

/// START: the lobby's Start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Start;

impl Fields<'_> for Start {
    fn read(_: &mut Reader<'_>) -> Result<Self, Malformed> {
        Ok(Self)
    }

    fn write(&self, _: &mut Writer<'_>) -> Result<(), Malformed> {
        Ok(())
    }
}

/// PLAY: play this game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Play<'a> {
    /// The number of the host's game.
    pub play: PlayId,
    /// What it starts from.
    pub from: PlayFrom,
    /// Where it starts; [`Level::NONE`]: where the save was saved.
    pub level: Level,
    /// The host's build, `<mod>/<game>/<disc>`.
    pub build: &'a str,
}

/// What a play starts from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayFrom {
    /// A new game.
    NewGame,
    /// A save, which follows in CHUNKs.
    Save {
        /// Its bytes: 1 to [`SAVE_MAX`].
        size: u32,
    },
}

impl<'a> Fields<'a> for Play<'a> {
    fn read(r: &mut Reader<'a>) -> Result<Self, Malformed> {
        let play = PlayId(r.i32("PLAY play")?);
        let mode = in_range("PLAY mode", r.u8("PLAY mode")?, 0..=1)?;
        let level = Level::read_i32("PLAY level", r)?;
        let size = r.count_i32("PLAY save size")?;
        let from = if mode == 0 {
            in_range("PLAY save size", size, 0..=0)?;
            PlayFrom::NewGame
        } else {
            PlayFrom::Save { size: in_range("PLAY save size", size, 1..=SAVE_MAX)? }
        };
        Ok(Self { play, from, level, build: r.text("PLAY build", 0..=STR_MAX)? })
    }

    fn write(&self, w: &mut Writer<'_>) -> Result<(), Malformed> {
        let (mode, size) = match self.from {
            PlayFrom::NewGame => (0, 0),
            PlayFrom::Save { size } => (1, in_range("PLAY save size", size, 1..=SAVE_MAX)?),
        };
        w.i32(self.play.0);
        w.u8(mode);
        self.level.write_i32(w);
        w.count_i32("PLAY save size", size)?;
        w.text("PLAY build", self.build, 0..=STR_MAX)
    }
}

/// CHUNK: a part of PLAY's save. Debug does not show the save.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Chunk<'a> {
    /// Whose save.
    pub play: PlayId,
    /// Where in the save: below [`SAVE_MAX`]. Whether it is past the save's own end is the receiver's
    /// to check.
    pub offset: u32,
    /// 1 to [`CHUNK_MAX`] bytes.
    pub bytes: &'a [u8],
}

impl<'a> Fields<'a> for Chunk<'a> {
    fn read(r: &mut Reader<'a>) -> Result<Self, Malformed> {
        let play = PlayId(r.i32("CHUNK play")?);
        let offset = in_range("CHUNK offset", r.count_i32("CHUNK offset")?, 0..=SAVE_MAX - 1)?;
        let bytes = r.rest();
        in_range("CHUNK size", bytes.len(), 1..=CHUNK_MAX)?;
        Ok(Self { play, offset, bytes })
    }

    fn write(&self, w: &mut Writer<'_>) -> Result<(), Malformed> {
        in_range("CHUNK size", self.bytes.len(), 1..=CHUNK_MAX)?;
        w.i32(self.play.0);
        w.count_i32("CHUNK offset", in_range("CHUNK offset", self.offset, 0..=SAVE_MAX - 1)?)?;
        w.bytes(self.bytes);
        Ok(())
    }
}

impl fmt::Debug for Chunk<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Chunk")
            .field("play", &self.play)
            .field("offset", &self.offset)
            .field("size", &self.bytes.len())
            .finish()
    }
}

/// WANT: asks for the host's game again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Want {
    /// Which; 0: not known.
    pub play: PlayId,
}

impl Fields<'_> for Want {
    fn read(r: &mut Reader<'_>) -> Result<Self, Malformed> {
        Ok(Self { play: PlayId(r.i32("WANT play")?) })
    }

    fn write(&self, w: &mut Writer<'_>) -> Result<(), Malformed> {
        w.i32(self.play.0);
        Ok(())
    }
}

/// LINK: the member's link to the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    /// Its round trip, in milliseconds; `None`: not known.
    pub ping_ms: Option<u32>,
    /// Whether its state goes by UDP.
    pub udp: bool,
    /// Whether it has followed the host's ship. `None` (before 0.7): it has arrived when a POSE names
    /// the travel's level.
    pub arrival: Option<Arrival>,
}

/// How far a member is with the host's travel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Arrival {
    /// The newest travel it knows of.
    pub travel: u16,
    /// Whether it is there.
    pub arrived: bool,
}

impl Fields<'_> for Link {
    fn read(r: &mut Reader<'_>) -> Result<Self, Malformed> {
        let ping_ms = r.optional_i32("LINK ping")?;
        let udp = r.bool("LINK udp")?;
        let arrival = if r.is_empty() {
            None
        } else {
            Some(Arrival { travel: r.u16("LINK travel")?, arrived: r.bool("LINK arrived")? })
        };
        Ok(Self { ping_ms, udp, arrival })
    }

    fn write(&self, w: &mut Writer<'_>) -> Result<(), Malformed> {
        w.optional_i32("LINK ping", self.ping_ms)?;
        w.bool(self.udp);
        if let Some(arrival) = self.arrival {
            w.u16(arrival.travel);
            w.bool(arrival.arrived);
        }
        Ok(())
    }
}

/// LINKS: every member's link, the host's too.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Links<'a> {
    /// At most [`PARTY_SIZE`].
    pub members: List<'a, LinkRow>,
}

/// One member in a [`Links`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinkRow {
    /// Who.
    pub id: SessionId,
    /// Its round trip, in milliseconds; `None`: not known.
    pub ping_ms: Option<u32>,
    /// Whether its state goes by UDP.
    pub udp: bool,
}

impl<'a> Fields<'a> for Links<'a> {
    fn read(r: &mut Reader<'a>) -> Result<Self, Malformed> {
        let count = r.u8("LINKS count")?;
        Ok(Self { members: List::read("LINKS count", r, count.into(), 0..=PARTY_SIZE)? })
    }

    fn write(&self, w: &mut Writer<'_>) -> Result<(), Malformed> {
        w.u8(self.members.count("LINKS count", 0..=PARTY_SIZE)?);
        self.members.write(w)
    }
}

impl Fields<'_> for LinkRow {
    fn read(r: &mut Reader<'_>) -> Result<Self, Malformed> {
        Ok(Self {
            id: r.session("LINKS id")?,
            ping_ms: r.optional_i32("LINKS ping")?,
            udp: r.bool("LINKS udp")?,
        })
    }

    fn write(&self, w: &mut Writer<'_>) -> Result<(), Malformed> {
        w.session("LINKS id", self.id)?;
        w.optional_i32("LINKS ping", self.ping_ms)?;
        w.bool(self.udp);
        Ok(())
    }
}
