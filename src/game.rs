//! The game, safe and typed: everything of the mod is written against [`Game`], and only `src/ffi` knows
//! that a C table stands behind it. No raw pointer, handle type or string of the C interface may pass
//! through here.
//!
//! Every call is made on the game's thread, from inside a call of the game's, and none of them waits. A
//! call that the loaded game does not have answers as documented (`None`, `false`) and has been logged
//! once at load.

use core::num::NonZeroU32;

use arrayvec::ArrayVec;
use mp_protocol::game::Piece;
use mp_protocol::limits::POSE_PIECES_MAX;

/// What a hero wears and holds, each piece in the wire's resolution.
pub type Pieces = ArrayVec<Piece, POSE_PIECES_MAX>;

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
    /// The port that a direct host listens on, B1.3.
    DirectPort,
}

/// The pages that the mod adds to the game's own menus (behaviour.md 2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PageId {
    /// What the main menu's Multiplayer opens, B2.2.
    Home,
    /// The games that others host, B2.3.
    Browse,
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
}

impl PageId {
    /// All pages, in the order they are added to the game.
    pub const ALL: [Self; 7] =
        [Self::Home, Self::Browse, Self::Code, Self::Direct, Self::Join, Self::Lobby, Self::Pause];

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

/// A figure: what stands for another player's hero in this game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Figure(pub NonZeroU32);

/// A hero's animation. What the numbers name is the game's own; only time and speed are quantities.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Animation {
    /// The sequence's number.
    pub sequence: u8,
    /// The frame shown.
    pub frame: u8,
    /// The frame it goes to.
    pub next_frame: u8,
    /// How far it is from one to the other, 0 to 1.
    pub time: f32,
    /// Its speed; 1 is as made, negative runs backwards.
    pub speed: f32,
}

/// A hero's pose: where he is and what he looks like.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct HeroPose {
    /// Where, in the game's units.
    pub position: [f32; 3],
    /// Radians, within ±π.
    pub rotation: [f32; 3],
    /// Units a second.
    pub velocity: [f32; 3],
    /// The game's number for what he does.
    pub state: i16,
    /// 0 and less: dead.
    pub health: i16,
    /// The item in his hand.
    pub item: i16,
    /// How he moves.
    pub animation: Animation,
    /// The animation blends into its next.
    pub blending: bool,
    /// He did not walk here: no path leads from the last pose to this one.
    pub teleport: bool,
    /// What he wears and holds.
    pub pieces: Pieces,
}

/// How the game starts from the title.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// A new game, in the level where those begin.
    NewGame,
}

/// The host: the game that loaded the mod.
pub trait Game {
    /// Writes a line to the game's log.
    fn log(&self, level: LogLevel, text: &str);
    /// What the launcher's page says for a setting; empty if nothing.
    fn setting(&self, setting: Setting) -> String;
    /// The launcher's own name for the player; empty without a launcher.
    fn launcher_name(&self) -> String;
    /// `<game version>/<disc>`.
    fn build(&self) -> String;

    /// Shows a page in the place of whatever menu or page shows now.
    fn page_open(&self, page: PageId);
    /// Leaves the mod's pages for the menu they hang in.
    fn page_close(&self);
    /// Puts the shown page's cursor on a row.
    fn page_cursor(&self, row: usize);
    /// Asks a question; the answer comes as a prompt event.
    fn prompt(&self, prompt: PromptId, text: &str, yes: &str, no: &str);
    /// Plays a menu sound.
    fn menu_sound(&self, sound: MenuSound);

    /// What the game is doing.
    fn phase(&self) -> Phase;
    /// The level's number, `None` when there is none (the title).
    fn level(&self) -> Option<i32>;
    /// The level's name; empty if the game knows none.
    fn level_name(&self, level: i32) -> String;
    /// The hero as he is now, `None` while there is none.
    fn hero_pose(&self) -> Option<HeroPose>;

    /// Makes a figure; `None` when the game cannot now.
    fn figure_make(&self, name: &str) -> Option<Figure>;
    /// Poses a figure; false if it is gone (its level ended).
    fn figure_pose(&self, figure: Figure, pose: &HeroPose) -> bool;
    /// Gives a figure what it wears and holds; how many pieces the game could load.
    fn figure_wear(&self, figure: Figure, pieces: &Pieces) -> usize;
    /// Removes a figure; one that is gone already is no error.
    fn figure_remove(&self, figure: Figure);

    /// Leaves the title for a game; false if the game cannot now. The card is not touched.
    fn play_start(&self, start: Start) -> bool;
    /// Leaves the level, from any phase, for the title with that page open.
    fn title_return(&self, page: PageId);
    /// Whether menus stop the world.
    fn menus_pause(&self, pause: bool);
    /// Shows words in the level for some seconds.
    fn message(&self, text: &str, seconds: f32);
}
