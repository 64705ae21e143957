//! What the game does, and where it stands: settings, phases, saves, scenes.

use std::time::Duration;

/// How much a log line matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogLevel {
    /// What happened, for a report.
    Info,
    /// Something is off, and the mod goes on without it.
    Warning,
    /// Something failed that the player asked for.
    Error,
}

/// The settings that the launcher shows for the mod (behaviour.md 1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setting {
    /// The server, B1.1.
    Server,
    /// The player's name, B1.2.
    Name,
    /// Whether the trace is written, B1.3.
    VerboseLog,
    /// Whether chat shows, B1.3.
    Chat,
    /// Whether phrases are offered, B1.3.
    QuickPhrases,
    /// The port that a direct host listens on, B1.3.
    DirectPort,
}

impl Setting {
    /// Its name in the launcher's manifest.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Self::Server => "Server",
            Self::Name => "Name",
            Self::VerboseLog => "VerboseLog",
            Self::Chat => "Chat",
            Self::QuickPhrases => "QuickPhrases",
            Self::DirectPort => "DirectPort",
        }
    }
}

/// What the game is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Starting.
    Boot,
    /// The title's main menu.
    Title,
    /// A page of the title's.
    TitlePage,
    /// A level loads.
    Loading,
    /// A level is played.
    Playing,
    /// The pause menu.
    Paused,
    /// Somebody talks.
    Dialog,
    /// A vendor's menu.
    Vendor,
    /// A scene plays.
    Scene,
    /// A movie plays.
    Movie,
    /// Between two levels.
    Travel,
    /// The hero is dying.
    Dying,
}

impl Phase {
    /// Whether the game is in a level, or on its way to or out of one: not at the title.
    pub fn in_game(self) -> bool {
        !matches!(self, Self::Boot | Self::Title | Self::TitlePage)
    }

    /// Whether there is a hero with a place in a level.
    pub fn has_hero(self) -> bool {
        self.in_game() && !matches!(self, Self::Loading | Self::Travel | Self::Movie)
    }
}

/// How the game starts from the title.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start<'a> {
    /// A new game.
    NewGame,
    /// A save, as [`Game::save_read`](super::Game::save_read) and
    /// [`Game::save_capture`](super::Game::save_capture) give them.
    Save(&'a [u8]),
}

/// What a slot of the memory card holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CardSlot {
    /// Nothing.
    Empty,
    /// Something that cannot be read.
    Damaged,
    /// A save.
    Save(CardSave),
}

/// A save on the memory card, in the words of its slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CardSave {
    /// The level it was saved in.
    pub level: i32,
    /// How many gold bolts it has.
    pub gold_bolts: u32,
    /// For how long it was played.
    pub played: Duration,
}

/// How many slots the memory card has, numbered from 0.
pub const CARD_SLOTS: u8 = 5;

/// The scene or movie that plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scene {
    /// What kind of scene it is.
    pub kind: SceneKind,
    /// The level's number of it, if it has one.
    pub number: Option<i32>,
    /// Since its start.
    pub elapsed: Duration,
}

/// Whose scene it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SceneKind {
    /// A scene of the level's own.
    Level,
    /// The game's own around it: landing, take-off, intro.
    Own,
    /// A movie.
    Movie,
    /// A moby's shot, such as a gold bolt's.
    Camera,
}

/// What Start skips.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Skip {
    /// A scene of the game's own.
    Own,
    /// The level's scene of that number.
    Level(i32),
    /// A movie.
    Movie,
}
