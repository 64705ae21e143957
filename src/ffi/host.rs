//! The game behind its table: `trait Game` in terms of the interface's calls. What a call gives is
//! copied and checked here, so nothing of the interface passes on.

use std::cell::{Cell, RefCell};
use std::ffi::c_void;
use std::num::NonZeroU32;
use std::ptr::null;

use sdk_bindings as sdk;
use sdk_bindings::{
    OpenracCameras, OpenracCardSave, OpenracMoby, OpenracPageDef, OpenracPageHandle, OpenracPose,
    OpenracProgress, OpenracScene, OpenracStr, OpenracVec3,
};

use super::convert_world::handle_to_game;
use super::table::{Group, Table};
use super::{convert, convert_world};
use super::{hooks, pages};
use crate::game::{
    Cameras, CardSlot, EYES_MAX, Figure, Game, Give, HeroPose, Hit, Kill, LogLevel, MenuSound,
    Moby, MobyHandle, MobyPose, PageId, Phase, Pieces, Progress, PromptId, Scene, Setting, Shot,
    Skip, Start,
};

/// Mobys that are listed at most: far more than a level has.
const MOBYS_MAX: u32 = 16_384;
/// Bytes of a save that are taken at most: what PLAY can carry.
const SAVE_MAX: usize = mp_protocol::limits::SAVE_MAX as usize;

/// See the module.
pub(super) struct HostGame {
    table: Table,
    /// The instance, which the game gives back with each callback.
    user: Cell<*mut c_void>,
    handles: Cell<[OpenracPageHandle; PageId::ALL.len()]>,
    asked: Cell<Option<PromptId>>,
    /// Where the game lists its mobys, kept so that no tick allocates.
    mobys: RefCell<Vec<OpenracMoby>>,
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
            mobys: RefCell::default(),
            muted: Cell::new(false),
        }
    }

    pub(super) fn set_user(&self, user: *mut c_void) {
        self.user.set(user);
    }

    /// The game is called no more, or, with false, it is again.
    pub(super) fn mute(&self, muted: bool) {
        self.muted.set(muted);
    }

    pub(super) fn is_mute(&self) -> bool {
        self.muted.get()
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

    /// Has the game ask and tell while it plays.
    pub(super) fn set_hooks(&self) {
        let hooks = hooks::table(self.user.get());
        call!(self.play.hooks_set(&raw const hooks), else ());
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

    /// Has a call fill a buffer with a save. `None`: none.
    fn save(&self, fill: impl Fn(*mut u8, usize) -> usize) -> Option<Vec<u8>> {
        let mut save = vec![0; sdk::SAVE_SIZE];
        let mut size = fill(save.as_mut_ptr(), save.len());
        if size > SAVE_MAX {
            self.log(LogLevel::Warning, &format!("a save of {size} bytes is too large"));
            return None;
        }
        if size > save.len() {
            save.resize(size, 0);
            size = fill(save.as_mut_ptr(), save.len());
        }
        save.truncate(size);
        (size > 0 && size == save.len()).then_some(save)
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
        let key = OpenracStr::new(setting.key());
        Self::text(call!(self.base.setting(key), else OpenracStr::ZERO))
    }

    fn launcher_name(&self) -> String {
        Self::text(call!(self.base.launcher_name(), else OpenracStr::ZERO))
    }

    fn build(&self) -> String {
        Self::text(call!(self.base.build(), else OpenracStr::ZERO))
    }

    fn work_dir(&self) -> String {
        Self::text(call!(self.base.work_dir(), else OpenracStr::ZERO))
    }

    fn frame(&self) -> u64 {
        call!(self.base.frame(), else 0)
    }

    fn tick_rate(&self) -> u8 {
        call!(self.base.tick_rate(), else 60)
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

    fn level_records(&self) -> u16 {
        call!(self.play.level_records(), else 0)
    }

    fn in_control(&self) -> bool {
        call!(self.play.in_control(), else 0) != 0
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

    fn figure_moby(&self, figure: Figure) -> Option<MobyHandle> {
        convert_world::handle_from_game(call!(self.play.figure_moby(figure.0.get()), else 0))
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

    fn figure_show(&self, figure: Figure, show: bool) {
        call!(self.play.figure_show(figure.0.get(), u8::from(show)), else ());
    }

    fn figure_wear(&self, figure: Figure, pieces: &Pieces) -> usize {
        let (pieces, count) = convert::pieces_to_game(pieces);
        let loaded = call!(
            self.play.figure_wear(figure.0.get(), pieces.as_ptr(), count),
            else 0
        );
        usize::try_from(loaded.min(count)).unwrap_or_default()
    }

    fn figure_fire(&self, figure: Figure, shot: &Shot) {
        let shot = convert_world::shot_to_game(shot);
        call!(self.play.figure_fire(figure.0.get(), &raw const shot), else ());
    }

    fn figure_remove(&self, figure: Figure) {
        call!(self.play.figure_remove(figure.0.get()), else ());
    }

    fn card_save(&self, slot: u8) -> CardSlot {
        let mut save = OpenracCardSave::ZERO;
        match call!(self.play.card_save(slot, &raw mut save), else 0) {
            0 => CardSlot::Empty,
            _ => convert_world::card_from_game(&save),
        }
    }

    fn save_read(&self, slot: u8) -> Option<Vec<u8>> {
        self.save(|buffer, size| call!(self.play.save_read(slot, buffer, size), else 0))
    }

    fn save_capture(&self) -> Option<Vec<u8>> {
        self.save(|buffer, size| call!(self.play.save_capture(buffer, size), else 0))
    }

    fn play_start(&self, start: Start, level: Option<i32>) -> bool {
        let (mode, save, size) = match start {
            Start::NewGame => (sdk::PLAY_NEW, null(), 0),
            Start::Save(save) => (sdk::PLAY_SAVE, save.as_ptr(), save.len()),
        };
        let level = level.unwrap_or(sdk::LEVEL_NONE);
        call!(self.play.play_start(mode, save, size, level), else 0) != 0
    }

    fn title_return(&self, page: PageId) {
        call!(self.play.title_return(self.handle(page)), else ());
    }

    fn travel(&self, level: i32) {
        call!(self.play.travel(level), else ());
    }

    fn control_hold(&self, words: Option<&str>) {
        let text = words.map_or(OpenracStr::ZERO, OpenracStr::new);
        call!(self.play.control_hold(u8::from(words.is_some()), text), else ());
    }

    fn menus_pause(&self, pause: bool) {
        call!(self.play.menus_pause(u8::from(pause)), else ());
    }

    fn message(&self, text: &str, seconds: f32) {
        call!(self.play.message(OpenracStr::new(text), seconds), else ());
    }

    fn scene(&self) -> Option<Scene> {
        let mut scene = OpenracScene::ZERO;
        let plays = call!(self.play.scene(&raw mut scene), else 0) != 0;
        plays.then(|| convert_world::scene_from_game(&scene))
    }

    fn play_scene(&self, number: i32) -> bool {
        call!(self.play.play_scene(number), else 0) != 0
    }

    fn scene_skip(&self, skip: Skip) {
        let (what, scene) = convert_world::skip_to_game(skip);
        call!(self.play.scene_skip(what, scene), else ());
    }

    fn mobys(&self, list: &mut Vec<Moby>) {
        list.clear();
        // Asked again from inside its own call there is no list.
        let Ok(mut buffer) = self.mobys.try_borrow_mut() else { return };
        let count = loop {
            let capacity = u32::try_from(buffer.len()).expect("no longer than the most");
            let count = call!(self.world.mobys(buffer.as_mut_ptr(), capacity), else 0);
            let count = count.min(MOBYS_MAX);
            if count <= capacity {
                break count;
            }
            let room = count.saturating_add(count / 4).min(MOBYS_MAX);
            buffer.resize(usize::try_from(room).expect("a few thousand"), OpenracMoby::ZERO);
        };
        let count = usize::try_from(count).expect("no more than the buffer has");
        list.extend(buffer[..count].iter().filter_map(convert_world::moby_from_game));
    }

    fn moby_drive(&self, moby: MobyHandle, drive: bool) {
        call!(self.world.moby_drive(moby.0.get(), u8::from(drive)), else ());
    }

    fn moby_pose(&self, moby: MobyHandle, pose: &MobyPose, hidden: bool) {
        let pose = convert_world::moby_pose_to_game(pose);
        call!(self.world.moby_pose(moby.0.get(), &raw const pose, u8::from(hidden)), else ());
    }

    fn moby_kill(&self, moby: MobyHandle, how: Kill) {
        let how = match how {
            Kill::Quiet => sdk::KILL_QUIET,
            Kill::Death => sdk::KILL_DEATH,
        };
        call!(self.world.moby_kill(moby.0.get(), how), else ());
    }

    fn moby_break(&self, moby: MobyHandle, by: Option<MobyHandle>) -> bool {
        call!(self.world.moby_break(moby.0.get(), handle_to_game(by)), else 0) != 0
    }

    fn moby_make(&self, class: i16, position: [f32; 3], yaw: f32) -> Option<MobyHandle> {
        let position = convert::vec3(position);
        let moby = call!(self.world.moby_make(class, position, yaw), else 0);
        convert_world::handle_from_game(moby)
    }

    fn hit_post(&self, hit: &Hit) -> bool {
        let hit = convert_world::hit_to_game(hit);
        call!(self.world.hit_post(&raw const hit), else 0) != 0
    }

    fn hero_hit(&self, hit: &Hit) {
        let hit = convert_world::hit_to_game(hit);
        call!(self.world.hero_hit(&raw const hit), else ());
    }

    fn eyes(&self, points: &[[f32; 3]]) {
        let mut eyes = [OpenracVec3::ZERO; EYES_MAX];
        let mut count = 0;
        for (eye, &point) in eyes.iter_mut().zip(points) {
            *eye = convert::vec3(point);
            count += 1;
        }
        call!(self.world.eyes(eyes.as_ptr(), count), else ());
    }

    fn cameras(&self) -> Option<Cameras> {
        let mut cameras = OpenracCameras::ZERO;
        if !self.may_call(self.table.world) {
            return None;
        }
        call!(self.world.cameras(&raw mut cameras), else ());
        convert_world::cameras_from_game(&cameras)
    }

    fn bolts_add(&self, count: i32) {
        call!(self.world.bolts_add(count), else ());
    }

    fn progress(&self) -> Progress {
        let mut progress = OpenracProgress::ZERO;
        call!(self.world.progress(&raw mut progress), else ());
        convert_world::progress_from_game(&progress)
    }

    fn progress_give(&self, what: Give) {
        let (what, index) = match what {
            Give::Item(index) => (sdk::GIVE_ITEM, index),
            Give::GoldBolt(index) => (sdk::GIVE_GOLD_BOLT, index),
            Give::Planet(index) => (sdk::GIVE_PLANET, index),
        };
        call!(self.world.progress_give(what, index.into()), else ());
    }
}
