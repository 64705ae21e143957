//! A page of the game's menus as a mod defines it.

use core::ffi::c_void;

use crate::OpenracStr;

/// What a prompt calls with its answer (`PROMPT_*`).
pub type OpenracPromptDone = Option<unsafe extern "C" fn(done_user: *mut c_void, answer: u8)>;

interface_struct! {
    /// A row of a page's list.
    OpenracRow {
        /// Its words.
        label: OpenracStr;
        /// Shown beside the label; empty for none.
        value: OpenracStr;
        /// `ROW_*`.
        kind: u8;
        /// 0: drawn bright.
        dim: u8;
        /// 0.
        reserved: [u8; 6];
    }
}

interface_struct! {
    /// A page, which the game draws with its own list, font, frame and sounds, and copies in
    /// page_add. The callbacks title to footer_line are asked whenever the page is drawn and only
    /// answer: not from these: any call of the game.
    OpenracPageDef {
        /// Bytes, this struct.
        size: u32;
        /// 0.
        reserved: u32;
        /// The first argument of every call below.
        user: *mut c_void;
    }
    calls {
        /// The line at the top.
        fn title() -> OpenracStr;
        /// How many lines stand between the title and the list.
        fn line_count() -> u32;
        /// One of these lines; index from 0.
        fn line(index: u32) -> OpenracStr;
        /// How many rows the list has.
        fn row_count() -> u32;
        /// Fills `*out` and answers 1; 0 when there is no such row.
        fn row(index: u32, out: *mut OpenracRow) -> u8;
        /// How many lines stand at the foot.
        fn footer_count() -> u32;
        /// One of these lines; index from 0.
        fn footer_line(index: u32) -> OpenracStr;
        /// Cross on a row, a dim one too. The game makes no sound for it: menu_sound is the mod's
        /// to call.
        fn choose(row: u32);
        /// Left (direction -1) or Right (1) on a value row: at the press with held_ticks 0, then at
        /// each repeat of the game's menus with the ticks it was held. The game makes no sound for
        /// it.
        fn step(row: u32, direction: i32, held_ticks: u32);
        /// Triangle. The page stays until the mod opens another or closes it. No sound, as for
        /// choose.
        fn back();
        /// The page became the one that shows; told before it is first drawn.
        fn shown();
        /// It is that no more: another opened, it closed, or the game left its menus. A prompt over
        /// it is no such thing.
        fn hidden();
        /// Once a tick while it shows, before OpenracMod.tick.
        fn tick();
    }
}
