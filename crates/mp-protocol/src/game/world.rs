//! The host's world: where its mobys are, which came and which are gone.

use alloc::vec;
use alloc::vec::Vec;
use core::ops::RangeInclusive;

use super::{AnimTime, Level, MobyAngle, MobyAnimSpeed, MobyFlags, MobyId, MobyKey, NetId};
use crate::error::{Malformed, in_range};
use crate::limits::{MOBY_KEY_MAX, WORLD_MOBYS_MAX};
use crate::list::List;
use crate::wire::{Fields, Reader, Writer};

/// A list's count as wide as its u16; the message's length is its limit.
const ANY_U16: RangeInclusive<usize> = 0..=u16::MAX as usize;

/// WORLD: where the host's mobys are, 15 times a second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct World<'a> {
    /// In which level.
    pub level: Level,
    /// When, by the server's clock, in milliseconds. See
    /// [`stamp_is_ahead`](super::stamp_is_ahead).
    pub stamp_ms: i64,
    /// Some of them: at most [`WORLD_MOBYS_MAX`]. One that is not here has not gone.
    pub mobys: List<'a, WorldMoby>,
}

/// One moby in a [`World`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WorldMoby {
    /// Which.
    pub id: MobyId,
    /// In the game's units.
    pub position: [f32; 3],
    /// About each axis.
    pub rotation: [MobyAngle; 3],
    /// The animation's number.
    pub seq: u8,
    /// Its frame.
    pub frame: u8,
    /// How far it is to the next.
    pub anim_time: AnimTime,
    /// How fast it goes.
    pub anim_speed: MobyAnimSpeed,
    /// How to show it.
    pub flags: MobyFlags,
}

impl<'a> Fields<'a> for World<'a> {
    fn read(r: &mut Reader<'a>) -> Result<Self, Malformed> {
        let level = Level::read_i8("WORLD level", r)?;
        let stamp_ms = r.i64("WORLD stamp")?;
        let count = r.u8("WORLD count")?;
        let mobys = List::read("WORLD count", r, count.into(), 0..=WORLD_MOBYS_MAX)?;
        Ok(Self { level, stamp_ms, mobys })
    }

    fn write(&self, w: &mut Writer<'_>) -> Result<(), Malformed> {
        self.level.write_i8(w);
        w.i64(self.stamp_ms);
        w.u8(self.mobys.count("WORLD count", 0..=WORLD_MOBYS_MAX)?);
        self.mobys.write(w)
    }
}

impl Fields<'_> for WorldMoby {
    fn read(r: &mut Reader<'_>) -> Result<Self, Malformed> {
        Ok(Self {
            id: MobyId::read("WORLD id", r)?,
            position: r.position("WORLD position")?,
            rotation: [
                MobyAngle(r.i16("WORLD rotation")?),
                MobyAngle(r.i16("WORLD rotation")?),
                MobyAngle(r.i16("WORLD rotation")?),
            ],
            seq: r.u8("WORLD seq")?,
            frame: r.u8("WORLD frame")?,
            anim_time: AnimTime(r.u8("WORLD anim time")?),
            anim_speed: MobyAnimSpeed(r.u8("WORLD anim speed")?),
            flags: MobyFlags(r.u8("WORLD flags")?),
        })
    }

    fn write(&self, w: &mut Writer<'_>) -> Result<(), Malformed> {
        self.id.write(w);
        w.position("WORLD position", self.position)?;
        for angle in self.rotation {
            w.i16(angle.0);
        }
        w.bytes(&[self.seq, self.frame, self.anim_time.0, self.anim_speed.0, self.flags.0]);
        Ok(())
    }
}

/// KILLED: placed mobys gone in the host's game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Killed<'a> {
    /// In which level.
    pub level: Level,
    /// Which.
    pub keys: List<'a, MobyKey>,
}

impl<'a> Fields<'a> for Killed<'a> {
    fn read(r: &mut Reader<'a>) -> Result<Self, Malformed> {
        let level = Level::read_i8("KILLED level", r)?;
        let count = r.u16("KILLED count")?;
        Ok(Self { level, keys: List::read("KILLED count", r, count.into(), ANY_U16)? })
    }

    fn write(&self, w: &mut Writer<'_>) -> Result<(), Malformed> {
        self.level.write_i8(w);
        w.u16(self.keys.count("KILLED count", ANY_U16)?);
        self.keys.write(w)
    }
}

/// SPAWN: a moby the host's game made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spawn {
    /// In which level.
    pub level: Level,
    /// Its number from now on.
    pub net: NetId,
    /// Its moby class.
    pub class: i16,
    /// In the game's units.
    pub position: [f32; 3],
    /// In radians, within ±π.
    pub yaw: f32,
}

impl Fields<'_> for Spawn {
    fn read(r: &mut Reader<'_>) -> Result<Self, Malformed> {
        Ok(Self {
            level: Level::read_i8("SPAWN level", r)?,
            net: NetId::read(r)?,
            class: r.i16("SPAWN class")?,
            position: r.position("SPAWN position")?,
            yaw: r.f32("SPAWN yaw")?,
        })
    }

    fn write(&self, w: &mut Writer<'_>) -> Result<(), Malformed> {
        self.level.write_i8(w);
        self.net.write(w)?;
        w.i16(self.class);
        w.position("SPAWN position", self.position)?;
        w.f32("SPAWN yaw", self.yaw)
    }
}

/// DESPAWN: the end of mobys the host's game made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Despawn<'a> {
    /// In which level.
    pub level: Level,
    /// Which.
    pub nets: List<'a, NetId>,
}

impl<'a> Fields<'a> for Despawn<'a> {
    fn read(r: &mut Reader<'a>) -> Result<Self, Malformed> {
        let level = Level::read_i8("DESPAWN level", r)?;
        let count = r.u16("DESPAWN count")?;
        Ok(Self { level, nets: List::read("DESPAWN count", r, count.into(), ANY_U16)? })
    }

    fn write(&self, w: &mut Writer<'_>) -> Result<(), Malformed> {
        self.level.write_i8(w);
        w.u16(self.nets.count("DESPAWN count", ANY_U16)?);
        self.nets.write(w)
    }
}

/// DEAD: which of the level's placed mobys are gone, to one who arrives there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dead<'a> {
    /// In which level.
    pub level: Level,
    /// How many records it has: at most [`MOBY_KEY_MAX`] + 1.
    pub records: u16,
    /// A bit a record, least significant first, in just as many bytes as that takes.
    pub bits: &'a [u8],
}

impl<'a> Dead<'a> {
    /// The bits in which these of a level's records are set; records past the level's are left out.
    #[must_use]
    pub fn bits_of(records: u16, dead: impl IntoIterator<Item = MobyKey>) -> Vec<u8> {
        let mut bits = vec![0; usize::from(records.div_ceil(8))];
        for key in dead.into_iter().map(MobyKey::get).filter(|&key| key < records) {
            bits[usize::from(key / 8)] |= 1 << (key % 8);
        }
        bits
    }

    /// Those that are gone, in order.
    pub fn iter(&self) -> impl Iterator<Item = MobyKey> + use<'a> {
        let bits = self.bits;
        (0..self.records)
            .filter(move |record| {
                let byte = bits.get(usize::from(record / 8));
                byte.is_some_and(|byte| byte >> (record % 8) & 1 == 1)
            })
            .filter_map(MobyKey::new)
    }
}

impl<'a> Fields<'a> for Dead<'a> {
    fn read(r: &mut Reader<'a>) -> Result<Self, Malformed> {
        let level = Level::read_i8("DEAD level", r)?;
        let records = in_range("DEAD records", r.u16("DEAD records")?, 0..=MOBY_KEY_MAX + 1)?;
        let bits = r.take("DEAD bits", usize::from(records.div_ceil(8)))?;
        Ok(Self { level, records, bits })
    }

    fn write(&self, w: &mut Writer<'_>) -> Result<(), Malformed> {
        let records = in_range("DEAD records", self.records, 0..=MOBY_KEY_MAX + 1)?;
        let bytes = usize::from(records.div_ceil(8));
        in_range("DEAD bits", self.bits.len(), bytes..=bytes)?;
        self.level.write_i8(w);
        w.u16(records);
        w.bytes(self.bits);
        Ok(())
    }
}

/// BROKE: the member broke a crate or took a pickup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Broke {
    /// In which level.
    pub level: Level,
    /// Which.
    pub key: MobyKey,
}

impl Fields<'_> for Broke {
    fn read(r: &mut Reader<'_>) -> Result<Self, Malformed> {
        Ok(Self { level: Level::read_i8("BROKE level", r)?, key: MobyKey::read(r)? })
    }

    fn write(&self, w: &mut Writer<'_>) -> Result<(), Malformed> {
        self.level.write_i8(w);
        self.key.write(w)
    }
}
