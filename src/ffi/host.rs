//! The game behind its table: `trait Game` in terms of the interface's calls. What a call gives is
//! copied and checked here, so nothing of the interface passes on.

use std::cell::Cell;
use std::ffi::c_void;
use std::num::NonZeroU32;
use std::ptr::null;

use sdk_bindings as sdk;
use sdk_bindings::{OpenracPageDef, OpenracPageHandle, OpenracPose, OpenracStr};

use super::convert;
use super::pages;
use super::table::{Group, Table};
use crate::game::{
    Figure, Game, HeroPose, LogLevel, MenuSound, PageId, Phase, Pieces, PromptId, Setting, Start,
};

/// See the module.
pub(super) struct HostGame {
    table: Table,
    /// The instance, which the game gives back with each callback.
    user: Cell<*mut c_void>,
    handles: Cell<[OpenracPageHandle; PageId::ALL.len()]>,
    asked: Cell<Option<PromptId>>,
    /// The game is called no more: the mod panicked, or the game has unloaded it.
    muted: Cell<bool>,
}

/// Calls the game, if that group is on and the game may be called; else gives the neutral answer.
macro_rules! call {
    ($self:ident.$group:ident.$call:ident($($argument:expr),*), else $otherwise:expr) => {
        match $self.table.calls.$call {
            Some(call) if $self.may_call($self.table.$group) => {
                let user = $self.table.calls.user;
                // SAFETY: the entry was promised that the calls of this table may be called with its
                // user on the game's thread until unload, and `muted` is set before that ends.
                // Strings and structs given here outlive the call.
                unsafe { call(user, $($argument),*) }
            }
            _ => $otherwise,
        }
    };
}

impl HostGame {
    pub(super) fn new(table: Table) -> Self {
        Self {
            table,
            user: Cell::new(std::ptr::null_mut()),
            handles: Cell::default(),
            asked: Cell::new(None),
            muted: Cell::new(false),
        }
    }

    pub(super) fn set_user(&self, user: *mut c_void) {
        self.user.set(user);
    }

    pub(super) fn mute(&self) {
        self.muted.set(true);
    }

    pub(super) fn unmute(&self) {
        self.muted.set(false);
    }

    fn may_call(&self, group: Group) -> bool {
        group.is_on() && !self.muted.get()
    }

    /// Says which groups are off, and because of which call.
    pub(super) fn say_what_is_off(&self) {
        let Table { base, pages, play, world, .. } = self.table;
        for Group { name, missing } in [base, pages, play, world] {
            if let Some(call) = missing {
                self.log(LogLevel::Warning, &format!("{name} is off: the game has no {call}"));
            }
        }
    }

    /// Adds the pages and the items that open two of them (B2.1, B2.8).
    pub(super) fn add_pages(&self) {
        if !self.table.pages.is_on() {
            return;
        }
        let mut handles = [0; PageId::ALL.len()];
        for page in PageId::ALL {
            let definition = pages::definition(page, self.user.get());
            handles[page.index()] = self.page_add(&definition);
            if handles[page.index()] == 0 {
                self.log(LogLevel::Error, &format!("the game did not take the page {page:?}"));
            }
        }
        self.handles.set(handles);
        self.menu_item(sdk::MENU_MAIN, "Load Game", PageId::Home);
        self.menu_item(sdk::MENU_PAUSE, "Video", PageId::Pause);
    }

    fn page_add(&self, definition: &OpenracPageDef) -> OpenracPageHandle {
        call!(self.pages.page_add(definition), else 0)
    }

    fn menu_item(&self, menu: u8, after: &str, page: PageId) {
        let (after_str, label) = (OpenracStr::new(after), OpenracStr::new("Multiplayer"));
        let handle = self.handle(page);
        if call!(self.pages.menu_item(menu, after_str, label, handle), else 0) == 0 {
            self.log(LogLevel::Error, &format!("the game did not take an item after {after}"));
        }
    }

    fn handle(&self, page: PageId) -> OpenracPageHandle {
        self.handles.get()[page.index()]
    }

    /// The question that was asked and not answered yet.
    pub(super) fn take_asked(&self) -> Option<PromptId> {
        self.asked.take()
    }

    /// Copies a string that the game gave.
    fn text(given: OpenracStr) -> String {
        // SAFETY: the game gave it just now, and has not been called since.
        unsafe { given.to_string_lossy() }
    }
}

impl Game for HostGame {
    fn log(&self, level: LogLevel, text: &str) {
        let level = match level {
            LogLevel::Info => sdk::LOG_INFO,
            LogLevel::Warning => sdk::LOG_WARN,
            LogLevel::Error => sdk::LOG_ERROR,
        };
        call!(self.base.log(level, OpenracStr::new(text)), else ());
    }

    fn setting(&self, setting: Setting) -> String {
        let key = OpenracStr::new(match setting {
            Setting::Server => "Server",
            Setting::Name => "Name",
            Setting::DirectPort => "DirectPort",
        });
        Self::text(call!(self.base.setting(key), else OpenracStr::ZERO))
    }

    fn launcher_name(&self) -> String {
        Self::text(call!(self.base.launcher_name(), else OpenracStr::ZERO))
    }

    fn build(&self) -> String {
        Self::text(call!(self.base.build(), else OpenracStr::ZERO))
    }

    fn page_open(&self, page: PageId) {
        call!(self.pages.page_open(self.handle(page)), else ());
    }

    fn page_close(&self) {
        call!(self.pages.page_close(), else ());
    }

    fn page_cursor(&self, row: usize) {
        let row = u32::try_from(row).unwrap_or(u32::MAX);
        call!(self.pages.page_cursor(row), else ());
    }

    fn prompt(&self, prompt: PromptId, text: &str, yes: &str, no: &str) {
        self.asked.set(Some(prompt));
        let (words, yes, no) = (OpenracStr::new(text), OpenracStr::new(yes), OpenracStr::new(no));
        let done = Some(pages::answered as unsafe extern "C" fn(*mut c_void, u8));
        let user = self.user.get();
        if call!(self.pages.prompt(words, yes, no, done, user), else 0) == 0 {
            self.asked.set(None);
            self.log(LogLevel::Warning, &format!("the game did not ask: {text}"));
        }
    }

    fn menu_sound(&self, sound: MenuSound) {
        let sound = match sound {
            MenuSound::Move => sdk::SOUND_MOVE,
            MenuSound::Choose => sdk::SOUND_CHOOSE,
            MenuSound::Back => sdk::SOUND_BACK,
            MenuSound::Refused => sdk::SOUND_REFUSED,
        };
        call!(self.pages.menu_sound(sound), else ());
    }

    fn phase(&self) -> Phase {
        convert::phase(call!(self.play.phase(), else sdk::PHASE_TITLE))
    }

    fn level(&self) -> Option<i32> {
        let level = call!(self.play.level(), else sdk::LEVEL_NONE);
        (level >= 0).then_some(level)
    }

    fn level_name(&self, level: i32) -> String {
        Self::text(call!(self.play.level_name(level), else OpenracStr::ZERO))
    }

    fn hero_pose(&self) -> Option<HeroPose> {
        let mut pose = OpenracPose::ZERO;
        let there = call!(self.play.hero_pose(&raw mut pose), else 0) != 0;
        there.then(|| convert::pose_from_game(&pose)).flatten()
    }

    fn figure_make(&self, name: &str) -> Option<Figure> {
        let figure = call!(self.play.figure_make(OpenracStr::new(name)), else 0);
        let figure = Figure(NonZeroU32::new(figure)?);
        call!(self.play.figure_show(figure.0.get(), 1), else ());
        Some(figure)
    }

    fn figure_pose(&self, figure: Figure, pose: &HeroPose) -> bool {
        let figure = figure.0.get();
        if call!(self.play.figure_moby(figure), else 0) == 0 {
            return false;
        }
        let pose = convert::pose_to_game(pose);
        call!(self.play.figure_pose(figure, &raw const pose), else ());
        true
    }

    fn figure_wear(&self, figure: Figure, pieces: &Pieces) -> usize {
        let (pieces, count) = convert::pieces_to_game(pieces);
        let loaded = call!(
            self.play.figure_wear(figure.0.get(), pieces.as_ptr(), count),
            else 0
        );
        usize::try_from(loaded.min(count)).unwrap_or_default()
    }

    fn figure_remove(&self, figure: Figure) {
        call!(self.play.figure_remove(figure.0.get()), else ());
    }

    fn play_start(&self, start: Start) -> bool {
        let mode = match start {
            Start::NewGame => sdk::PLAY_NEW,
        };
        call!(self.play.play_start(mode, null(), 0, sdk::LEVEL_NONE), else 0) != 0
    }

    fn title_return(&self, page: PageId) {
        call!(self.play.title_return(self.handle(page)), else ());
    }

    fn menus_pause(&self, pause: bool) {
        call!(self.play.menus_pause(u8::from(pause)), else ());
    }

    fn message(&self, text: &str, seconds: f32) {
        call!(self.play.message(OpenracStr::new(text), seconds), else ());
    }
}
