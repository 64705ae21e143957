//! Pages, prompts and sounds: what the mod adds to the game's own menus. Nothing of what they say.

/// The pages that the mod adds to the game's own menus (behaviour.md 2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PageId {
    /// What the main menu's Multiplayer opens, B2.2.
    Home,
    /// The games that others host, B2.3.
    Browse,
    /// What a party is to play, B2.4.
    Saves,
    /// The rows of a party's code, B2.5.
    Code,
    /// Host directly and Join by address, B2.6.
    Direct,
    /// The rows of the address to join, which take Direct's place, B2.6.
    Join,
    /// The party before it plays, B2.7.
    Lobby,
    /// The pause menu's Multiplayer, B2.8.
    Pause,
    /// How the link does, for developers: offered while the verbose log is on (B1.3).
    Network,
}

impl PageId {
    /// All pages, in the order they are added to the game.
    pub const ALL: [Self; 9] = [
        Self::Home,
        Self::Browse,
        Self::Saves,
        Self::Code,
        Self::Direct,
        Self::Join,
        Self::Lobby,
        Self::Pause,
        Self::Network,
    ];

    /// The page's place in [`Self::ALL`].
    pub fn index(self) -> usize {
        self as usize
    }
}

/// What a row of a page is to the game, which draws and steps it accordingly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum RowKind {
    /// Cross chooses it.
    #[default]
    Button,
    /// Left and right step its value.
    Value,
    /// Words only: the cursor passes over it.
    Text,
}

/// One row of a page as the game draws it.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Row {
    /// The words on the left.
    pub label: String,
    /// The words on the right; empty for none.
    pub value: String,
    /// Button, value or words.
    pub kind: RowKind,
    /// Drawn dim: choosing it is refused with the game's sound.
    pub dim: bool,
}

/// A page as the game draws it: published by the menu after each event and each tick, so that the game
/// can read it at any moment.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct PageView {
    /// The title over the list.
    pub title: String,
    /// Lines between title and list.
    pub lines: Vec<String>,
    /// The list.
    pub rows: Vec<Row>,
    /// Lines under the list; the first says what the connection is doing (B2.9).
    pub footer: Vec<String>,
}

/// What a player did on a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageEvent {
    /// Cross on a row.
    Choose {
        /// The row's index in the view.
        row: usize,
    },
    /// Left or right on a row.
    Step {
        /// The row's index in the view.
        row: usize,
        /// To the right (more) or to the left (less).
        right: bool,
        /// For how many ticks it has been held: 0 at the first step.
        held_ticks: u32,
    },
    /// Triangle.
    Back,
    /// The page now shows.
    Shown,
    /// The page shows no longer.
    Hidden,
}

/// The questions that the mod asks with the game's prompt box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PromptId {
    /// Whether to leave the party, or to end it.
    Leave,
}

/// The menu sounds of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MenuSound {
    /// A value stepped.
    Move,
    /// A row chosen.
    Choose,
    /// A page left.
    Back,
    /// A row that cannot be chosen now.
    Refused,
}
