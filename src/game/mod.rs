//! The game, safe and typed: everything of the mod is written against [`Game`], and only `src/ffi` knows
//! that a C table stands behind it. No raw pointer, handle type or string of the C interface may pass
//! through here.
//!
//! Every call is made on the game's thread, from inside a call of the game's, and none of them waits. A
//! call that the loaded game does not have answers as documented (`None`, `false`) and has been logged
//! once at load.

mod hero;
mod moby;
mod pages;
mod play;
mod progress;

pub use hero::{Animation, Figure, HeroPose, Pieces, Shot};
pub use moby::{Cameras, EYES_MAX, Gone, Hit, Kill, Kinds, Moby, MobyHandle, MobyPose};
pub use pages::{MenuSound, PageEvent, PageId, PageView, PromptId, Row, RowKind};
pub use play::{
    CARD_SLOTS, CardSave, CardSlot, LogLevel, Phase, Scene, SceneKind, Setting, Skip, Start,
};
pub use progress::{GOLD_BOLTS, Give, ITEMS, PLANETS, Progress};

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
    /// The game's directory, where its logs are written.
    fn work_dir(&self) -> String;
    /// Ticks since the start.
    fn frame(&self) -> u64;
    /// Ticks a second: 50 or 60, by the disc.
    fn tick_rate(&self) -> u8;

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
    /// How many moby records the level's file has: keys are below this. 0 in no level.
    fn level_records(&self) -> u16;
    /// Whether the player has control of the hero.
    fn in_control(&self) -> bool;
    /// The hero as he is now, `None` while there is none.
    fn hero_pose(&self) -> Option<HeroPose>;

    /// Makes a figure, which shows; `None` when the game cannot now.
    fn figure_make(&self, name: &str) -> Option<Figure>;
    /// The moby that a figure is; `None` when it is gone.
    fn figure_moby(&self, figure: Figure) -> Option<MobyHandle>;
    /// Poses a figure; false if it is gone (its level ended).
    fn figure_pose(&self, figure: Figure, pose: &HeroPose) -> bool;
    /// Shows or hides a figure.
    fn figure_show(&self, figure: Figure, show: bool);
    /// Gives a figure what it wears and holds; how many pieces the game could load.
    fn figure_wear(&self, figure: Figure, pieces: &Pieces) -> usize;
    /// Fires a shot from a figure: shown only, it hits nothing.
    fn figure_fire(&self, figure: Figure, shot: &Shot);
    /// Removes a figure; one that is gone already is no error.
    fn figure_remove(&self, figure: Figure);

    /// What a slot of the memory card holds, 0 up to [`CARD_SLOTS`].
    fn card_save(&self, slot: u8) -> CardSlot;
    /// A slot's save; `None` if there is none that can be read.
    fn save_read(&self, slot: u8) -> Option<Vec<u8>>;
    /// The game as it is now, as a save; `None` when it cannot be captured now.
    fn save_capture(&self) -> Option<Vec<u8>>;
    /// Leaves the title for a game, in that level or where it begins; false if the game cannot now. The
    /// card is not touched.
    fn play_start(&self, start: Start, level: Option<i32>) -> bool;
    /// Leaves the level, from any phase, for the title with that page open.
    fn title_return(&self, page: PageId);
    /// Leaves for that level at once, from any phase of a level; the mod is not asked.
    fn travel(&self, level: i32);
    /// With words: the player cannot move the hero, and they show. `None`: the hero is the player's.
    fn control_hold(&self, words: Option<&str>);
    /// Whether menus stop the world.
    fn menus_pause(&self, pause: bool);
    /// Shows words in the level for some seconds.
    fn message(&self, text: &str, seconds: f32);

    /// The scene or movie that plays.
    fn scene(&self) -> Option<Scene>;
    /// Starts a scene of this level's own from its start; false: no such scene, or not now.
    fn play_scene(&self, number: i32) -> bool;
    /// Ends what plays if it is that.
    fn scene_skip(&self, skip: Skip);

    /// Lists the level's live mobys, figures not among them, in place of what `list` held.
    fn mobys(&self, list: &mut Vec<Moby>);
    /// While a moby is driven its update does not run; its animation plays, its collision follows.
    fn moby_drive(&self, moby: MobyHandle, drive: bool);
    /// Poses a driven moby.
    fn moby_pose(&self, moby: MobyHandle, pose: &MobyPose, hidden: bool);
    /// Removes a moby.
    fn moby_kill(&self, moby: MobyHandle, how: Kill);
    /// Breaks a crate the game's own way, drops and all, as if by that moby. False: not a crate, or gone.
    fn moby_break(&self, moby: MobyHandle, by: Option<MobyHandle>) -> bool;
    /// Makes a moby, yaw in radians; `None` when the game cannot now. No hook is told.
    fn moby_make(&self, class: i16, position: [f32; 3], yaw: f32) -> Option<MobyHandle>;
    /// Deals a hit as if the game had; false: there is no such target.
    fn hit_post(&self, hit: &Hit) -> bool;
    /// Deals the hero a hit; its target is not looked at.
    fn hero_hit(&self, hit: &Hit);
    /// The world runs around these points too, until they are set anew: the first [`EYES_MAX`] count.
    fn eyes(&self, points: &[[f32; 3]]);
    /// Where the cameras are; `None` if the game does not say.
    fn cameras(&self) -> Option<Cameras>;
    /// Adds to the hero's bolts.
    fn bolts_add(&self, count: i32);
    /// What this game has.
    fn progress(&self) -> Progress;
    /// Gives the hero something as the game gives it, with its banner but without its scene. What is had
    /// already is not given.
    fn progress_give(&self, what: Give);
}
