//! Hits, and the bolts they bring.

use super::{Level, MobyId};
use crate::error::Malformed;
use crate::wire::{Fields, Reader, Writer};

/// HIT: the member hit the host's moby.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// Which.
    pub id: MobyId,
    /// How.
    pub blow: Blow,
}

/// DAMAGE: the host's moby hit that member.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Damage {
    /// Which, if any.
    pub attacker: MobyId,
    /// How.
    pub blow: Blow,
}

/// What a hit does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Blow {
    /// The game's kinds of damage.
    pub mask: u32,
    /// How much. What the game allows is the receiver's to check.
    pub damage: f32,
    /// Where, in the game's units.
    pub position: [f32; 3],
    /// In units a second.
    pub velocity: [f32; 3],
}

impl Fields<'_> for Hit {
    fn read(r: &mut Reader<'_>) -> Result<Self, Malformed> {
        Ok(Self { id: MobyId::read("HIT id", r)?, blow: Blow::read(r)? })
    }

    fn write(&self, w: &mut Writer<'_>) -> Result<(), Malformed> {
        self.id.write(w);
        self.blow.write(w)
    }
}

impl Fields<'_> for Damage {
    fn read(r: &mut Reader<'_>) -> Result<Self, Malformed> {
        Ok(Self { attacker: MobyId::read("DAMAGE attacker id", r)?, blow: Blow::read(r)? })
    }

    fn write(&self, w: &mut Writer<'_>) -> Result<(), Malformed> {
        self.attacker.write(w);
        self.blow.write(w)
    }
}

impl Fields<'_> for Blow {
    fn read(r: &mut Reader<'_>) -> Result<Self, Malformed> {
        Ok(Self {
            mask: r.u32("hit's mask")?,
            damage: r.f32("hit's damage")?,
            position: r.position("hit's position")?,
            velocity: r.f32s("hit's velocity")?,
        })
    }

    fn write(&self, w: &mut Writer<'_>) -> Result<(), Malformed> {
        w.u32(self.mask);
        w.f32("hit's damage", self.damage)?;
        w.position("hit's position", self.position)?;
        w.f32s("hit's velocity", &self.velocity)
    }
}

/// BOLTS: bolts that are that member's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bolts {
    /// How many: nothing is ever taken.
    pub count: u32,
}

impl Fields<'_> for Bolts {
    fn read(r: &mut Reader<'_>) -> Result<Self, Malformed> {
        Ok(Self { count: r.count_i32("BOLTS count")? })
    }

    fn write(&self, w: &mut Writer<'_>) -> Result<(), Malformed> {
        w.count_i32("BOLTS count", self.count)
    }
}

/// CLAIM: the member's hero collected that bolt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim {
    /// In which level.
    pub level: Level,
    /// Which.
    pub id: MobyId,
}

impl Fields<'_> for Claim {
    fn read(r: &mut Reader<'_>) -> Result<Self, Malformed> {
        Ok(Self { level: Level::read_i8("CLAIM level", r)?, id: MobyId::read("CLAIM id", r)? })
    }

    fn write(&self, w: &mut Writer<'_>) -> Result<(), Malformed> {
        self.level.write_i8(w);
        self.id.write(w);
        Ok(())
    }
}
