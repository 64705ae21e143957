//! How often the game ticks, by its disc. Times in the simulation are seconds until a rate makes them
//! ticks.

/// Ticks a second of a disc for NTSC, the one most games here play.
pub const TICKS_PER_SECOND: u32 = 60;

/// The disc's rate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TickRate {
    /// 60 ticks a second.
    #[default]
    Ntsc,
    /// 50 ticks a second.
    Pal,
}

impl TickRate {
    /// Ticks a second.
    #[must_use]
    pub const fn per_second(self) -> u8 {
        match self {
            Self::Ntsc => 60,
            Self::Pal => 50,
        }
    }

    /// How long a tick is, in seconds.
    #[must_use]
    pub const fn seconds(self) -> f32 {
        match self {
            Self::Ntsc => 1.0 / 60.0,
            Self::Pal => 1.0 / 50.0,
        }
    }

    /// The ticks of so many seconds, rounded; from 0 to `u16::MAX`.
    #[must_use]
    pub fn ticks(self, seconds: f32) -> u16 {
        // `as` saturates, and no time in the game is that long.
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let ticks = (seconds * f32::from(self.per_second())).round() as u16;
        ticks
    }
}
