//! Flag bytes. Bits that mean nothing to this version are kept, for a newer mod's may.

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
