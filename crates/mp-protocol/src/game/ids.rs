//! Levels, mobys and plays by number.

use crate::error::{Malformed, in_range, out_of_range};
use crate::limits::MOBY_KEY_MAX;
use crate::wire::{Fields, Reader, Writer};

/// The game's level number, 0 to 127, or none.
///
/// Some messages carry it as an i8, some as an i32; it fits both, so that any two compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Level(i8);

impl Level {
    /// No level; in PLAY, the save's; in a travel, no destination.
    pub const NONE: Self = Self(-1);

    /// The level of this number; `None` below -1 or above 127.
    #[must_use]
    pub fn new(number: i32) -> Option<Self> {
        i8::try_from(number).ok().filter(|&number| number >= -1).map(Self)
    }

    /// The number; `None` for no level.
    #[must_use]
    pub fn number(self) -> Option<u8> {
        u8::try_from(self.0).ok()
    }

    pub(super) fn read_i8(what: &'static str, r: &mut Reader<'_>) -> Result<Self, Malformed> {
        Ok(Self(in_range(what, r.i8(what)?, -1..=i8::MAX)?))
    }

    pub(super) fn read_i32(what: &'static str, r: &mut Reader<'_>) -> Result<Self, Malformed> {
        let number = r.i32(what)?;
        Self::new(number).ok_or_else(|| out_of_range(what, number))
    }

    pub(super) fn write_i8(self, w: &mut Writer<'_>) {
        w.i8(self.0);
    }

    pub(super) fn write_i32(self, w: &mut Writer<'_>) {
        w.i32(self.0.into());
    }
}

/// Which of the host's games is meant. WANT's 0: not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PlayId(pub i32);

/// A placed moby's key, its record in the level's file: 0 to [`MOBY_KEY_MAX`], the same in every game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MobyKey(u16);

/// The number of a moby that the host's game made: 0 to [`MOBY_KEY_MAX`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NetId(u16);

macro_rules! moby_number {
    ($name:ident, $what:literal) => {
        impl $name {
            /// The one of this number; `None` above [`MOBY_KEY_MAX`].
            #[must_use]
            pub const fn new(number: u16) -> Option<Self> {
                if number <= MOBY_KEY_MAX { Some(Self(number)) } else { None }
            }

            /// The number.
            #[must_use]
            pub const fn get(self) -> u16 {
                self.0
            }
        }

        impl Fields<'_> for $name {
            fn read(r: &mut Reader<'_>) -> Result<Self, Malformed> {
                Ok(Self(in_range($what, r.u16($what)?, 0..=MOBY_KEY_MAX)?))
            }

            fn write(&self, w: &mut Writer<'_>) -> Result<(), Malformed> {
                w.u16(self.0);
                Ok(())
            }
        }
    };
}

moby_number!(MobyKey, "moby key");
moby_number!(NetId, "moby net");

/// A moby, placed or made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MobyId {
    /// One the level's file places.
    Key(MobyKey),
    /// One the host's game made.
    Net(NetId),
    /// None.
    None,
}

impl MobyId {
    const NET: u16 = 0x8000;
    const NONE: u16 = 0xFFFF;

    /// The moby of a wire id; `None` for 0x7FFF, the one number that is no id.
    #[must_use]
    pub fn from_bits(bits: u16) -> Option<Self> {
        match bits {
            Self::NONE => Some(Self::None),
            Self::NET.. => NetId::new(bits - Self::NET).map(Self::Net),
            _ => MobyKey::new(bits).map(Self::Key),
        }
    }

    /// The wire id: a key, 0x8000 | net, or 0xFFFF.
    #[must_use]
    pub const fn to_bits(self) -> u16 {
        match self {
            Self::Key(key) => key.0,
            Self::Net(net) => Self::NET | net.0,
            Self::None => Self::NONE,
        }
    }

    pub(super) fn read(what: &'static str, r: &mut Reader<'_>) -> Result<Self, Malformed> {
        let bits = r.u16(what)?;
        Self::from_bits(bits).ok_or_else(|| out_of_range(what, bits))
    }

    pub(super) fn write(self, w: &mut Writer<'_>) {
        w.u16(self.to_bits());
    }
}

#[cfg(test)]
mod tests {
    use super::{Level, MobyId, MobyKey, NetId};

    #[test]
    fn every_moby_id_but_one_is_its_bits() {
        for bits in 0..=u16::MAX {
            assert_eq!(
                MobyId::from_bits(bits).map(MobyId::to_bits),
                (bits != 0x7FFF).then_some(bits)
            );
        }
        assert_eq!(MobyId::from_bits(0x7FFE), MobyKey::new(32_766).map(MobyId::Key));
        assert_eq!(MobyId::from_bits(0x8003), NetId::new(3).map(MobyId::Net));
        assert_eq!(MobyId::from_bits(0xFFFE), NetId::new(32_766).map(MobyId::Net));
        assert_eq!(MobyId::from_bits(0xFFFF), Some(MobyId::None));
        assert_eq!((MobyKey::new(32_767), NetId::new(32_767)), (None, None));
    }

    #[test]
    fn a_level_is_minus_1_to_127() {
        assert_eq!(Level::new(-2), None);
        assert_eq!(Level::new(-1), Some(Level::NONE));
        assert_eq!(Level::NONE.number(), None);
        assert_eq!(Level::new(127).and_then(Level::number), Some(127));
        assert_eq!(Level::new(128), None);
    }
}
