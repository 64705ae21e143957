//! The stand-in game behind the mod's trait `Game`: what the playground's C table and the mod's boundary
//! are together, without C. The game is borrowed for the length of a call's own body only, and never
//! while the mod runs.

mod convert;
mod hooks;
mod instance;

pub use instance::Instance;

use std::cell::{Cell, OnceCell, RefCell, RefMut};
use std::collections::VecDeque;
use std::num::NonZeroU32;

use mp_netcode::LocalTime;
use mp_playground::card::{Card, SAVE_SIZE, Save, Slot};
use mp_playground::game::{Begun, Menu, PageId as Page, Refusal, Sound, StandIn, Start as Begins};
use mp_playground::sim::{Level, MobyId, Vec3};
use openrac_multiplayer::front::{Core, Front};
use openrac_multiplayer::game::{
    Cameras, CardSlot, Figure, Game, Give, HeroPose, Hit, Kill, LogLevel, MenuSound, Moby,
    MobyHandle, MobyPose, PageId, Phase, Pieces, Progress, PromptId, Scene, Setting, Shot, Skip,
    Start,
};

/// `<game version>/<disc>`, the same everywhere.
const BUILD: &str = "playground/1";

/// How many lines of the log are kept.
const LOG_LINES: usize = 12;

/// What a player set the mod to.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// The player's name.
    pub name: String,
    /// Where the server is.
    pub server: String,
}

/// See the module.
pub struct LabGame {
    stand_in: RefCell<StandIn>,
    settings: Settings,
    asked: Cell<Option<PromptId>>,
    /// The newest lines of the mod's.
    log: RefCell<VecDeque<String>>,
    /// What the mod did that it must not: the call, and why.
    faults: RefCell<Vec<String>>,
    /// The mod.
    front: OnceCell<Front>,
    /// The time of this tick.
    now: Cell<LocalTime>,
    /// A hook runs from which nothing may be made or killed.
    decides: Cell<bool>,
}

impl LabGame {
    /// A game that is about to start, with that card in it, still without a mod.
    fn new(settings: Settings, seed: u64, card: Card) -> Self {
        let mut stand_in = StandIn::new(seed);
        stand_in.insert_card(card);
        for page in PageId::ALL {
            let added = stand_in.page_add();
            debug_assert_eq!(added, Some(page_to(page)));
        }
        let game = Self {
            stand_in: RefCell::new(stand_in),
            settings,
            asked: Cell::new(None),
            log: RefCell::default(),
            faults: RefCell::default(),
            front: OnceCell::new(),
            now: Cell::default(),
            decides: Cell::new(false),
        };
        for (menu, after, page) in
            [(Menu::Main, "Load Game", PageId::Home), (Menu::Pause, "Video", PageId::Pause)]
        {
            let added = game.stand_in().menu_item(menu, after, "Multiplayer", page_to(page));
            game.held_to("menu_item", added);
        }
        game
    }

    /// The game, for as long as one body needs it.
    fn stand_in(&self) -> RefMut<'_, StandIn> {
        self.stand_in.borrow_mut()
    }

    /// What the mod did that it must not.
    #[must_use]
    pub fn faults(&self) -> Vec<String> {
        self.faults.borrow().clone()
    }

    /// What the mod wrote to the log last, a line each.
    #[must_use]
    pub fn newest_log(&self) -> String {
        self.log.borrow().iter().fold(String::new(), |all, line| format!("{all}  log: {line}\n"))
    }

    /// The question that waits for an answer.
    fn take_asked(&self) -> Option<PromptId> {
        self.asked.take()
    }

    fn load(&self, core: Box<dyn Core>) {
        let loaded = self.front.set(Front::new(core));
        debug_assert!(loaded.is_ok(), "a game has one mod");
    }

    fn now(&self) -> LocalTime {
        self.now.get()
    }

    fn set_time(&self, now: LocalTime) {
        self.now.set(now);
    }

    /// Whether `moby_make` and `moby_kill` may be called now.
    fn may_make_and_kill(&self, call: &'static str) -> bool {
        let may = !self.decides.get();
        if !may {
            self.faults.borrow_mut().push(format!("{call}: not from here"));
        }
        may
    }

    /// What a call answers; a refusal is a fault of the mod's, and it answers nothing.
    fn held_to<T>(&self, call: &'static str, answer: Result<T, Refusal>) -> Option<T> {
        answer.map_err(|refusal| self.faults.borrow_mut().push(format!("{call}: {refusal}"))).ok()
    }

    /// As [`Self::held_to`], of a call that only began what it does.
    fn begun<T>(&self, call: &'static str, answer: Result<Begun<T>, Refusal>) -> Option<T> {
        let Begun(answer) = self.held_to(call, answer)?;
        self.settle();
        Some(answer)
    }
}

/// The page's handle in the game.
fn page_to(page: PageId) -> Page {
    Page(u32::try_from(page.index() + 1).expect("a few pages"))
}

/// The page of a handle.
fn page_of(page: Page) -> Option<PageId> {
    let index = usize::try_from(page.0).ok()?.checked_sub(1)?;
    PageId::ALL.get(index).copied()
}

impl Game for LabGame {
    fn log(&self, level: LogLevel, text: &str) {
        let mut log = self.log.borrow_mut();
        if log.len() == LOG_LINES {
            log.pop_front();
        }
        log.push_back(format!("{level:?} {text}"));
        // In a party that keeps to the rules there is nothing to warn of.
        if level != LogLevel::Info {
            self.faults.borrow_mut().push(format!("it warns: {text}"));
        }
    }

    fn setting(&self, setting: Setting) -> String {
        match setting {
            Setting::Name => self.settings.name.clone(),
            Setting::Server => self.settings.server.clone(),
            Setting::Chat | Setting::QuickPhrases => "1".to_owned(),
            Setting::VerboseLog => "0".to_owned(),
            Setting::DirectPort => String::new(),
        }
    }

    fn launcher_name(&self) -> String {
        String::new()
    }

    fn build(&self) -> String {
        BUILD.to_owned()
    }

    fn work_dir(&self) -> String {
        String::new()
    }

    fn frame(&self) -> u64 {
        self.stand_in().frame()
    }

    fn tick_rate(&self) -> u8 {
        self.stand_in().tick_rate()
    }

    fn page_open(&self, page: PageId) {
        let opened = self.stand_in().page_open(page_to(page));
        self.held_to("page_open", opened);
    }

    fn page_close(&self) {
        self.stand_in().page_close();
    }

    fn page_cursor(&self, row: usize) {
        self.stand_in().page_cursor(u32::try_from(row).unwrap_or(u32::MAX));
    }

    fn prompt(&self, prompt: PromptId, text: &str, yes: &str, no: &str) {
        if self.stand_in().prompt(text, yes, no) {
            self.asked.set(Some(prompt));
        }
    }

    fn menu_sound(&self, sound: MenuSound) {
        self.stand_in().menu_sound(match sound {
            MenuSound::Move => Sound::Move,
            MenuSound::Choose => Sound::Choose,
            MenuSound::Back => Sound::Back,
            MenuSound::Refused => Sound::Refused,
        });
    }

    fn phase(&self) -> Phase {
        convert::phase(self.stand_in().phase())
    }

    fn level(&self) -> Option<i32> {
        self.stand_in().level()
    }

    fn level_name(&self, level: i32) -> String {
        Level::name_of(level).unwrap_or_default()
    }

    fn level_records(&self) -> u16 {
        self.stand_in().level_records()
    }

    fn in_control(&self) -> bool {
        self.stand_in().in_control()
    }

    fn hero_pose(&self) -> Option<HeroPose> {
        self.stand_in().hero_pose().as_ref().and_then(convert::hero)
    }

    fn figure_make(&self, name: &str) -> Option<Figure> {
        let figure = self.stand_in().figure_make(name)?;
        let shown = self.stand_in().figure_show(figure, true);
        self.held_to("figure_show", shown);
        NonZeroU32::new(figure).map(Figure)
    }

    fn figure_moby(&self, figure: Figure) -> Option<MobyHandle> {
        let moby = self.stand_in().figure_moby(figure.0.get());
        self.held_to("figure_moby", moby)?.and_then(convert::handle_of)
    }

    fn figure_pose(&self, figure: Figure, pose: &HeroPose) -> bool {
        if self.figure_moby(figure).is_none() {
            return false;
        }
        let posed = self.stand_in().figure_pose(figure.0.get(), convert::figure(pose));
        self.held_to("figure_pose", posed);
        true
    }

    fn figure_show(&self, figure: Figure, show: bool) {
        let shown = self.stand_in().figure_show(figure.0.get(), show);
        self.held_to("figure_show", shown);
    }

    fn figure_wear(&self, figure: Figure, pieces: &Pieces) -> usize {
        let pieces: Vec<_> = pieces.iter().map(convert::piece_to).collect();
        let loaded = self.stand_in().figure_wear(figure.0.get(), &pieces);
        let loaded = self.held_to("figure_wear", loaded).unwrap_or_default();
        usize::try_from(loaded).unwrap_or_default()
    }

    fn figure_fire(&self, figure: Figure, shot: &Shot) {
        let fired = self.stand_in().figure_fire(figure.0.get(), convert::shot_to(shot));
        self.held_to("figure_fire", fired);
    }

    fn figure_remove(&self, figure: Figure) {
        let removed = self.stand_in().figure_remove(figure.0.get());
        self.held_to("figure_remove", removed);
    }

    fn card_save(&self, slot: u8) -> CardSlot {
        self.stand_in().card_slot(slot).map_or(CardSlot::Empty, convert::card_slot)
    }

    fn save_read(&self, slot: u8) -> Option<Vec<u8>> {
        match self.stand_in().card_slot(slot) {
            Some(Slot::Used { file, .. }) => Some(file.to_vec()),
            _ => None,
        }
    }

    fn save_capture(&self) -> Option<Vec<u8>> {
        Some(self.stand_in().capture()?.encode())
    }

    fn play_start(&self, start: Start<'_>, level: Option<i32>) -> bool {
        let start = match start {
            Start::NewGame => Begins::New,
            Start::Save(file) if file.len() != SAVE_SIZE => return false,
            Start::Save(file) => match Save::decode(file) {
                Ok(save) => Begins::Save(Box::new(save)),
                Err(_) => return false,
            },
        };
        self.stand_in().play_start(start, level)
    }

    fn title_return(&self, page: PageId) {
        let returned = self.stand_in().title_return(Some(page_to(page)));
        self.held_to("title_return", returned);
    }

    fn travel(&self, level: i32) {
        self.stand_in().travel(level);
    }

    fn control_hold(&self, words: Option<&str>) {
        self.stand_in().control_hold(words);
    }

    fn menus_pause(&self, pause: bool) {
        self.stand_in().menus_pause(pause);
    }

    fn message(&self, text: &str, seconds: f32) {
        let shown = self.stand_in().message(text, seconds);
        self.held_to("message", shown);
    }

    fn scene(&self) -> Option<Scene> {
        self.stand_in().scene().as_ref().map(convert::scene)
    }

    fn play_scene(&self, number: i32) -> bool {
        self.stand_in().play_scene(number)
    }

    fn scene_skip(&self, skip: Skip) {
        let (what, scene) = convert::skip_to(skip);
        self.stand_in().scene_skip(what, scene);
    }

    fn mobys(&self, list: &mut Vec<Moby>) {
        list.clear();
        list.extend(self.stand_in().mobys().filter_map(convert::moby));
    }

    fn moby_drive(&self, moby: MobyHandle, drive: bool) {
        let driven = self.stand_in().moby_drive(MobyId(moby.0.get()), drive);
        self.held_to("moby_drive", driven);
    }

    fn moby_pose(&self, moby: MobyHandle, pose: &MobyPose, hidden: bool) {
        let (position, rotation, animation) = convert::moby_pose(pose);
        let moby = MobyId(moby.0.get());
        let posed = self.stand_in().moby_pose(moby, position, rotation, animation, hidden);
        self.held_to("moby_pose", posed);
    }

    fn moby_kill(&self, moby: MobyHandle, how: Kill) {
        if !self.may_make_and_kill("moby_kill") {
            return;
        }
        let killed = self.stand_in().moby_kill(MobyId(moby.0.get()), how == Kill::Death);
        self.begun("moby_kill", killed);
    }

    fn moby_break(&self, moby: MobyHandle, by: Option<MobyHandle>) -> bool {
        let broken = self.stand_in().moby_break(MobyId(moby.0.get()), convert::handle_to(by));
        self.begun("moby_break", broken).unwrap_or(false)
    }

    fn moby_make(&self, class: i16, position: [f32; 3], yaw: f32) -> Option<MobyHandle> {
        if !self.may_make_and_kill("moby_make") {
            return None;
        }
        let made = self.stand_in().moby_make(class, position.into(), yaw);
        self.held_to("moby_make", made)?.and_then(convert::handle_of)
    }

    fn hit_post(&self, hit: &Hit) -> bool {
        let posted = self.stand_in().hit_post(&convert::hit_to(hit));
        self.begun("hit_post", posted).unwrap_or(false)
    }

    fn hero_hit(&self, hit: &Hit) {
        let posted = self.stand_in().hero_hit(&convert::hit_to(hit));
        self.begun("hero_hit", posted);
    }

    fn eyes(&self, points: &[[f32; 3]]) {
        let points: Vec<Vec3> = points.iter().map(|&point| point.into()).collect();
        let set = self.stand_in().eyes(&points);
        self.held_to("eyes", set);
    }

    fn cameras(&self) -> Option<Cameras> {
        self.stand_in().cameras().as_ref().map(convert::cameras)
    }

    fn bolts_add(&self, count: i32) {
        self.stand_in().bolts_add(count);
    }

    fn progress(&self) -> Progress {
        convert::progress(self.stand_in().progress())
    }

    fn progress_give(&self, what: Give) {
        self.stand_in().give(convert::gift(what));
    }
}
