//! Flag bytes. Bits that mean nothing to this version are kept, for a newer mod's may.

use crate::limits::TELEPORT_AGO_MAX;

macro_rules! flags {
    ($(#[$doc:meta])* $name:ident { $($(#[$flag_doc:meta])* $flag:ident = $bit:literal;)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct $name(pub u8);

        impl $name {
            $($(#[$flag_doc])* pub const $flag: Self = Self($bit);)*

            /// Whether all of `flags` are set.
            #[must_use]
            pub const fn contains(self, flags: Self) -> bool {
                self.0 & flags.0 == flags.0
            }
        }

        impl core::ops::BitOr for $name {
            type Output = Self;

            fn bitor(self, other: Self) -> Self {
                Self(self.0 | other.0)
            }
        }
    };
}

flags! {
    /// POSE's flags.
    PoseFlags {
        /// The animation is blending into the next frame.
        BLENDING = 1;
        /// The hero did not move here, it is here: do not interpolate.
        TELEPORT = 2;
        /// The hero is in a scene.
        IN_SCENE = 4;
    }
}

impl PoseFlags {
    const AGO_SHIFT: u32 = 3;

    /// The same flags, and how many poses ago the hero last teleported: 0, with this one; `None`, and
    /// over [`TELEPORT_AGO_MAX`], not lately.
    #[must_use]
    pub const fn with_teleport(self, ago: Option<u8>) -> Self {
        let teleport = match ago {
            Some(0) => Self::TELEPORT.0,
            Some(ago) if ago <= TELEPORT_AGO_MAX => ago << Self::AGO_SHIFT,
            _ => 0,
        };
        Self(self.0 & !(Self::TELEPORT.0 | TELEPORT_AGO_MAX << Self::AGO_SHIFT) | teleport)
    }

    /// How many poses ago the hero last teleported: 0, with this one; `None`, not lately, or an older
    /// mod's that says so only once.
    #[must_use]
    pub const fn teleport_ago(self) -> Option<u8> {
        if self.contains(Self::TELEPORT) {
            return Some(0);
        }
        match self.0 >> Self::AGO_SHIFT & TELEPORT_AGO_MAX {
            0 => None,
            ago => Some(ago),
        }
    }
}

flags! {
    /// A piece's flags.
    PieceFlags {
        /// It is not drawn.
        HIDDEN = 1;
        /// The animation is blending into the next frame.
        BLENDING = 2;
        /// It is not on its joint but has a place of its own.
        LOOSE = 4;
    }
}

flags! {
    /// A WORLD moby's flags.
    MobyFlags {
        /// It is not drawn.
        HIDDEN = 1;
        /// A bolt that has landed: each game runs it as its own.
        LOOSE = 2;
    }
}

#[cfg(test)]
mod tests {
    use super::PoseFlags;

    #[test]
    fn a_teleport_is_said_for_seven_poses_and_no_other_bit_is_touched() {
        let others = PoseFlags(0b1100_0101);
        for ago in (0..=7).map(Some).chain([None]) {
            let flags = others.with_teleport(ago);
            assert_eq!((flags.teleport_ago(), flags.0 & 0b1100_0101), (ago, others.0), "{ago:?}");
            assert_eq!(flags.contains(PoseFlags::TELEPORT), ago == Some(0));
        }
        let late = PoseFlags::default().with_teleport(Some(3));
        assert_eq!(late.with_teleport(Some(8)).teleport_ago(), None);
        assert_eq!(late.0, 0b1_1000);
    }
}
