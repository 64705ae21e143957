//! What the game is doing, in the words and numbers of the mod interface.

/// A phase; its number is the interface's (`OPENRAC_PHASE_*`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Phase {
    /// Starting up.
    Boot = 0,
    /// The title, or a menu of the game's own in it.
    Title = 1,
    /// A mod's page in the title.
    TitlePage = 2,
    /// A level is being read.
    Loading = 3,
    /// In a level.
    Playing = 4,
    /// In a level, under the pause menu or a page of it.
    Paused = 5,
    /// Somebody talks, or the ship asks where to.
    Dialog = 6,
    /// At a vendor.
    Vendor = 7,
    /// A scene plays.
    Scene = 8,
    /// A movie plays.
    Movie = 9,
    /// On the way to another level.
    Travel = 10,
    /// The hero is dead, and is about to come back.
    Dying = 11,
}

impl std::fmt::Display for Phase {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Boot => "BOOT",
            Self::Title => "TITLE",
            Self::TitlePage => "TITLE_PAGE",
            Self::Loading => "LOADING",
            Self::Playing => "PLAYING",
            Self::Paused => "PAUSED",
            Self::Dialog => "DIALOG",
            Self::Vendor => "VENDOR",
            Self::Scene => "SCENE",
            Self::Movie => "MOVIE",
            Self::Travel => "TRAVEL",
            Self::Dying => "DYING",
        })
    }
}
