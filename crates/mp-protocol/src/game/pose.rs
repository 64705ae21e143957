//! A player's hero: where it is, what it wears and holds, what it fires.

use super::{AnimTime, Level, PieceFlags, PoseAnimSpeed, PoseFlags};
use crate::error::{Malformed, out_of_range};
use crate::id::SessionId;
use crate::limits::POSE_PIECES_MAX;
use crate::list::List;
use crate::wire::{Fields, Reader, Writer};

/// POSE: a player's hero, 20 a second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose<'a> {
    /// Whose. On the host it must be the sender; on a member, somebody in the party.
    pub owner: SessionId,
    /// Which is newest: the newer of two is less than 32,768 ahead, wrapping.
    pub sequence: u16,
    /// When, by the server's clock, in milliseconds. See
    /// [`stamp_is_ahead`](super::stamp_is_ahead).
    pub stamp_ms: i64,
    /// In which level; [`Level::NONE`] without a hero.
    pub level: Level,
    /// How to show it.
    pub flags: PoseFlags,
    /// In the game's units.
    pub position: [f32; 3],
    /// In radians, within ±π.
    pub rotation: [f32; 3],
    /// In units a second.
    pub velocity: [f32; 3],
    /// The game's state of the hero.
    pub state: i16,
    /// Dead at 0 or less.
    pub health: i16,
    /// The item in hand.
    pub item: i16,
    /// What it does.
    pub animation: Animation,
    /// What it wears and holds: at most [`POSE_PIECES_MAX`]. None before 0.6.
    pub pieces: List<'a, Piece>,
}

/// What a hero or a piece plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Animation {
    /// The animation's number.
    pub seq: u8,
    /// Its frame.
    pub frame: u8,
    /// The frame after.
    pub next_frame: u8,
    /// How far it is to that.
    pub time: AnimTime,
    /// How fast it goes.
    pub speed: PoseAnimSpeed,
}

/// Something a hero wears or holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Piece {
    /// The game's slot for it.
    pub slot: u8,
    /// Which part of the item.
    pub part: u8,
    /// Which item.
    pub item: u8,
    /// Its moby class.
    pub class: i16,
    /// The hero's joint it is on.
    pub joint: u8,
    /// How to show it. [`PieceFlags::LOOSE`] is set exactly when `placement` is given.
    pub flags: PieceFlags,
    /// What it does.
    pub animation: Animation,
    /// A loose one's own place.
    pub placement: Option<Placement>,
}

/// Where a loose piece is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placement {
    /// In the game's units.
    pub position: [f32; 3],
    /// In radians, within ±π.
    pub rotation: [f32; 3],
}

impl<'a> Fields<'a> for Pose<'a> {
    fn read(r: &mut Reader<'a>) -> Result<Self, Malformed> {
        Ok(Self {
            owner: r.session("POSE owner")?,
            sequence: r.u16("POSE sequence")?,
            stamp_ms: r.i64("POSE stamp")?,
            level: Level::read_i8("POSE level", r)?,
            flags: PoseFlags(r.u8("POSE flags")?),
            position: r.position("POSE position")?,
            rotation: r.f32s("POSE rotation")?,
            velocity: r.f32s("POSE velocity")?,
            state: r.i16("POSE state")?,
            health: r.i16("POSE health")?,
            item: r.i16("POSE item")?,
            animation: Animation::read(r)?,
            pieces: if r.is_empty() {
                List::default()
            } else {
                let count = r.u8("POSE count")?;
                List::read("POSE count", r, count.into(), 0..=POSE_PIECES_MAX)?
            },
        })
    }

    fn write(&self, w: &mut Writer<'_>) -> Result<(), Malformed> {
        w.session("POSE owner", self.owner)?;
        w.u16(self.sequence);
        w.i64(self.stamp_ms);
        self.level.write_i8(w);
        w.u8(self.flags.0);
        w.position("POSE position", self.position)?;
        w.f32s("POSE rotation", &self.rotation)?;
        w.f32s("POSE velocity", &self.velocity)?;
        w.i16(self.state);
        w.i16(self.health);
        w.i16(self.item);
        self.animation.write(w)?;
        w.u8(self.pieces.count("POSE count", 0..=POSE_PIECES_MAX)?);
        self.pieces.write(w)
    }
}

impl Fields<'_> for Animation {
    fn read(r: &mut Reader<'_>) -> Result<Self, Malformed> {
        Ok(Self {
            seq: r.u8("POSE seq")?,
            frame: r.u8("POSE frame")?,
            next_frame: r.u8("POSE next frame")?,
            time: AnimTime(r.u8("POSE anim time")?),
            speed: PoseAnimSpeed(r.i16("POSE anim speed")?),
        })
    }

    fn write(&self, w: &mut Writer<'_>) -> Result<(), Malformed> {
        w.bytes(&[self.seq, self.frame, self.next_frame, self.time.0]);
        w.i16(self.speed.0);
        Ok(())
    }
}

impl Fields<'_> for Piece {
    fn read(r: &mut Reader<'_>) -> Result<Self, Malformed> {
        let slot = r.u8("POSE piece slot")?;
        let part = r.u8("POSE piece part")?;
        let item = r.u8("POSE piece item")?;
        let class = r.i16("POSE piece class")?;
        let joint = r.u8("POSE piece joint")?;
        let flags = PieceFlags(r.u8("POSE piece flags")?);
        let animation = Animation::read(r)?;
        let placement = if flags.contains(PieceFlags::LOOSE) {
            Some(Placement {
                position: r.position("POSE piece position")?,
                rotation: r.f32s("POSE piece rotation")?,
            })
        } else {
            None
        };
        Ok(Self { slot, part, item, class, joint, flags, animation, placement })
    }

    fn write(&self, w: &mut Writer<'_>) -> Result<(), Malformed> {
        if self.flags.contains(PieceFlags::LOOSE) != self.placement.is_some() {
            return Err(out_of_range("POSE piece flags", self.flags.0));
        }
        w.bytes(&[self.slot, self.part, self.item]);
        w.i16(self.class);
        w.bytes(&[self.joint, self.flags.0]);
        self.animation.write(w)?;
        if let Some(placement) = self.placement {
            w.position("POSE piece position", placement.position)?;
            w.f32s("POSE piece rotation", &placement.rotation)?;
        }
        Ok(())
    }
}

/// SHOT: a shot a player fired, to be shown and to hit nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shot {
    /// Whose. As POSE's.
    pub owner: SessionId,
    /// In which level.
    pub level: Level,
    /// With what.
    pub item: i16,
    /// From where, in the game's units.
    pub position: [f32; 3],
    /// In units a second.
    pub velocity: [f32; 3],
    /// The game's aim.
    pub aim: [f32; 4],
}

impl Fields<'_> for Shot {
    fn read(r: &mut Reader<'_>) -> Result<Self, Malformed> {
        Ok(Self {
            owner: r.session("SHOT owner")?,
            level: Level::read_i8("SHOT level", r)?,
            item: r.i16("SHOT item")?,
            position: r.position("SHOT position")?,
            velocity: r.f32s("SHOT velocity")?,
            aim: r.f32s("SHOT aim")?,
        })
    }

    fn write(&self, w: &mut Writer<'_>) -> Result<(), Malformed> {
        w.session("SHOT owner", self.owner)?;
        self.level.write_i8(w);
        w.i16(self.item);
        w.position("SHOT position", self.position)?;
        w.f32s("SHOT velocity", &self.velocity)?;
        w.f32s("SHOT aim", &self.aim)
    }
}
