//! The game's table, the one a mod is loaded with.

use core::ffi::c_void;

use crate::{
    OpenracCameras, OpenracCardSave, OpenracFigureHandle, OpenracHit, OpenracHooks, OpenracMoby,
    OpenracMobyHandle, OpenracMobyPose, OpenracPageDef, OpenracPageHandle, OpenracPiece,
    OpenracPose, OpenracProgress, OpenracPromptDone, OpenracScene, OpenracShot, OpenracStr,
    OpenracVec3,
};

interface_struct! {
    /// The game's calls, by group. The header says for each what it does and from where.
    OpenracHost {
        /// Bytes, this struct.
        size: u32;
        /// The game's: see [`VERSION_MAJOR`](crate::VERSION_MAJOR).
        major: u16;
        /// The game's: see [`VERSION_MINOR`](crate::VERSION_MINOR).
        minor: u16;
        /// The first argument of every call below.
        user: *mut c_void;
    }
    calls {
        // Base (1.0)

        /// A line in the game's log, without a line end. level: `LOG_*`.
        fn log(level: u8, text: OpenracStr);
        /// The mod's setting of that name (Server, Name, VerboseLog, Chat, QuickPhrases,
        /// DirectPort); empty when it is not set.
        fn setting(key: OpenracStr) -> OpenracStr;
        /// The launcher's multiplayer name; empty without a launcher.
        fn launcher_name() -> OpenracStr;
        /// `<game version>/<disc>`.
        fn build() -> OpenracStr;
        /// The game's directory, where its logs are written.
        fn work_dir() -> OpenracStr;
        /// Ticks since the start.
        fn frame() -> u64;
        /// Ticks a second: 50 or 60, by the disc.
        fn tick_rate() -> u8;

        // Pages (1.7)

        /// Adds a page, which stays until the mod is unloaded. 0: the game has no room for it.
        fn page_add(def: *const OpenracPageDef) -> OpenracPageHandle;
        /// Puts an item that opens a page under another item of a menu (`MENU_*`; after: that
        /// item's label, such as "Load Game" or "Video"). Answers 1, or 0 when there is no such
        /// item or page.
        fn menu_item(menu: u8, after: OpenracStr, label: OpenracStr, page: OpenracPageHandle) -> u8;
        /// Shows that page in place of the mod's page that shows, cursor on its first row the
        /// cursor can be on. Only while a menu or a page shows; else nothing happens.
        fn page_open(page: OpenracPageHandle);
        /// Closes the mod's page that shows: back to the menu it came from.
        fn page_close();
        /// Moves the cursor of the page that shows.
        fn page_cursor(row: u32);
        /// Asks, in the game's prompt box, over the page that shows. Answers 1, and done is then
        /// called once with [`PROMPT_YES`](crate::PROMPT_YES) or [`PROMPT_NO`](crate::PROMPT_NO)
        /// (Triangle, and the page's end, are a no); or answers 0 (a prompt shows already, or no
        /// menu or page does) and done is not called. done_user is done's first argument.
        fn prompt(
            text: OpenracStr,
            yes: OpenracStr,
            no: OpenracStr,
            done: OpenracPromptDone,
            done_user: *mut c_void,
        ) -> u8;
        /// One of the menus' own sounds (`SOUND_*`). The game itself makes only the one of a cursor
        /// that moves between rows.
        fn menu_sound(which: u8);

        // Play (1.8)

        /// What the game is doing: `PHASE_*`.
        fn phase() -> u8;
        /// The level the game is in, 0 and up, or [`LEVEL_NONE`](crate::LEVEL_NONE).
        fn level() -> i32;
        /// A level's name as the game writes it; empty when there is no such level.
        fn level_name(level: i32) -> OpenracStr;
        /// How many moby records the level's file has: keys are below this. 0 in no level.
        fn level_records() -> u16;
        /// The player has control of the hero.
        fn in_control() -> u8;
        /// The hero as he is after the newest tick. Answers 1, or 0 while there is no hero.
        fn hero_pose(out: *mut OpenracPose) -> u8;
        /// Makes a figure: a moby of the hero's class that runs none of his logic, collides with
        /// nothing and that nothing aims at. It is hidden until it is shown, and gone with its
        /// level. name: whose it is. 0: the game cannot make one now.
        fn figure_make(name: OpenracStr) -> OpenracFigureHandle;
        /// The moby a figure is; 0 when it is gone.
        fn figure_moby(figure: OpenracFigureHandle) -> OpenracMobyHandle;
        /// Poses it. The pose's pieces are not looked at: figure_wear is for these.
        fn figure_pose(figure: OpenracFigureHandle, pose: *const OpenracPose);
        /// 0 hides it.
        fn figure_show(figure: OpenracFigureHandle, show: u8);
        /// Has it wear these and nothing else (count 0 to [`POSE_PIECES`](crate::POSE_PIECES)).
        /// Answers how many of them the game could load now; for the others it may be asked again.
        fn figure_wear(figure: OpenracFigureHandle, pieces: *const OpenracPiece, count: u32) -> u32;
        /// Fires a shot from it, which is shown only: it hits nothing.
        fn figure_fire(figure: OpenracFigureHandle, shot: *const OpenracShot);
        /// Its handle is not valid after this.
        fn figure_remove(figure: OpenracFigureHandle);
        /// What a slot of the memory card holds. Answers 1; 0 when there is no such slot.
        fn card_save(slot: u8, out: *mut OpenracCardSave) -> u8;
        /// Copies a slot's save into buf, if it fits. Answers its size in bytes; 0: none, or
        /// damaged.
        fn save_read(slot: u8, buf: *mut u8, capacity: usize) -> usize;
        /// Copies the game as it is now, as a save, into buf, if it fits. Answers its size in bytes
        /// ([`SAVE_SIZE`](crate::SAVE_SIZE)); 0: it cannot be captured now.
        fn save_capture(buf: *mut u8, capacity: usize) -> usize;
        /// Leaves the title for a new game ([`PLAY_NEW`](crate::PLAY_NEW); save is not looked at)
        /// or that save ([`PLAY_SAVE`](crate::PLAY_SAVE)), in that level or where the save is
        /// ([`LEVEL_NONE`](crate::LEVEL_NONE); a new game's first level). The card is not touched.
        /// save is copied. Answers 1; 0: not in the title, or no save.
        fn play_start(mode: u8, save: *const u8, save_size: usize, level: i32) -> u8;
        /// Leaves the level, from any phase, for the title and there opens that page (0: none).
        fn title_return(page: OpenracPageHandle);
        /// Leaves for that level at once, from any phase of a level; on_travel is not asked.
        fn travel(level: i32);
        /// While hold is set, the player cannot move the hero, and text shows.
        fn control_hold(hold: u8, text: OpenracStr);
        /// 0: the world goes on under the game's menus. 1, as at the start: it stands still.
        fn menus_pause(pause: u8);
        /// Shows a line over the game for so long; a new one takes the place of the old.
        fn message(text: OpenracStr, seconds: f32);
        /// The scene or movie that plays. Answers 1, or 0 when none does.
        fn scene(out: *mut OpenracScene) -> u8;
        /// Starts a scene of this level's own from its start. Answers 1; 0: no such scene, or not
        /// now.
        fn play_scene(scene: i32) -> u8;
        /// Ends what plays if it is that (`SKIP_*`); else nothing happens.
        fn scene_skip(what: u8, scene: i32);
        /// Sets the mod's hooks, in place of the ones set before; NULL: none. Play's and World's.
        fn hooks_set(hooks: *const OpenracHooks);

        // World (1.9)

        /// Lists the level's live mobys, figures not among them, into buf, at most capacity of
        /// them. Answers how many there are.
        fn mobys(buf: *mut OpenracMoby, capacity: u32) -> u32;
        /// While a moby is driven its update does not run; its animation plays, its collision
        /// follows.
        fn moby_drive(moby: OpenracMobyHandle, drive: u8);
        /// Poses a driven moby.
        fn moby_pose(moby: OpenracMobyHandle, pose: *const OpenracMobyPose, hidden: u8);
        /// Removes a moby (how: `KILL_*`); on_gone is told ([`GONE_MOD`](crate::GONE_MOD)).
        fn moby_kill(moby: OpenracMobyHandle, how: u8);
        /// Breaks a crate the game's own way, drops and all, as if by that moby; then on_broke.
        /// Answers 1; 0: not a crate, or gone already.
        fn moby_break(moby: OpenracMobyHandle, by: OpenracMobyHandle) -> u8;
        /// Makes a moby. 0: the game cannot now. on_make and on_made are not called. yaw in
        /// radians.
        fn moby_make(moby_class: i16, position: OpenracVec3, yaw: f32) -> OpenracMobyHandle;
        /// Deals a hit as if the game had. Answers 1; 0: there is no such target.
        fn hit_post(hit: *const OpenracHit) -> u8;
        /// Deals the hero a hit; its target is not looked at.
        fn hero_hit(hit: *const OpenracHit);
        /// The world runs around these points too (0 to [`EYES_MAX`](crate::EYES_MAX)), until they
        /// are set anew.
        fn eyes(points: *const OpenracVec3, count: u32);
        /// Where the cameras are.
        fn cameras(out: *mut OpenracCameras);
        /// Adds to the hero's bolts.
        fn bolts_add(count: i32);
        /// What this game has.
        fn progress(out: *mut OpenracProgress);
        /// Gives the hero an item, a gold bolt or a planet (`GIVE_*`, its index in OpenracProgress)
        /// as the game gives it, with its banner but without its scene. What is had already is not
        /// given.
        fn progress_give(what: u8, index: u32);
    }
}
