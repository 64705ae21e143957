//! A game for tests: it does what it is told and keeps what the mod did. Never compiled into the library.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::num::NonZeroU32;

use crate::game::{
    Figure, Game, HeroPose, LogLevel, MenuSound, PageId, Phase, Pieces, PromptId, Setting, Start,
};

/// The game. Its fields are what the game says and what the mod did, in order.
pub(crate) struct FakeGame {
    pub(crate) phase: Cell<Phase>,
    pub(crate) level: Cell<Option<i32>>,
    pub(crate) hero: RefCell<Option<HeroPose>>,
    pub(crate) starts: Cell<bool>,
    pub(crate) build: &'static str,
    pub(crate) settings: RefCell<BTreeMap<&'static str, String>>,
    pub(crate) page: Cell<Option<PageId>>,
    pub(crate) did: RefCell<Vec<String>>,
    pub(crate) logged: RefCell<Vec<String>>,
    pub(crate) messages: RefCell<Vec<String>>,
    pub(crate) figures: RefCell<BTreeMap<Figure, FakeFigure>>,
    figures_made: Cell<u32>,
}

/// A figure as last posed.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FakeFigure {
    pub(crate) name: String,
    pub(crate) pose: Option<HeroPose>,
    pub(crate) pieces: Pieces,
}

impl Default for FakeGame {
    fn default() -> Self {
        Self {
            phase: Cell::new(Phase::Title),
            level: Cell::new(None),
            hero: RefCell::new(None),
            starts: Cell::new(true),
            build: "1.2.0/PLAY-00001",
            settings: RefCell::default(),
            page: Cell::new(None),
            did: RefCell::default(),
            logged: RefCell::default(),
            messages: RefCell::default(),
            figures: RefCell::default(),
            figures_made: Cell::new(0),
        }
    }
}

impl FakeGame {
    /// Puts the game in a level with a hero in it.
    pub(crate) fn play(&self, level: i32, hero: HeroPose) {
        self.phase.set(Phase::Playing);
        self.level.set(Some(level));
        *self.hero.borrow_mut() = Some(hero);
    }

    /// Back to the title, its figures gone with the level.
    pub(crate) fn title(&self) {
        self.phase.set(Phase::Title);
        self.level.set(None);
        *self.hero.borrow_mut() = None;
        self.figures.borrow_mut().clear();
    }

    /// What the mod did since last asked.
    pub(crate) fn did(&self) -> Vec<String> {
        self.did.take()
    }

    /// The only figure there is.
    pub(crate) fn figure(&self) -> Option<FakeFigure> {
        let figures = self.figures.borrow();
        assert!(figures.len() <= 1, "more than one figure: {figures:?}");
        figures.values().next().cloned()
    }

    fn done(&self, what: String) {
        self.did.borrow_mut().push(what);
    }
}

impl Game for FakeGame {
    fn log(&self, _level: LogLevel, text: &str) {
        self.logged.borrow_mut().push(text.to_owned());
    }

    fn setting(&self, setting: Setting) -> String {
        let name = match setting {
            Setting::Server => "Server",
            Setting::Name => "Name",
            Setting::DirectPort => "DirectPort",
        };
        self.settings.borrow().get(name).cloned().unwrap_or_default()
    }

    fn launcher_name(&self) -> String {
        String::new()
    }

    fn build(&self) -> String {
        self.build.to_owned()
    }

    fn page_open(&self, page: PageId) {
        self.page.set(Some(page));
        self.done(format!("open {page:?}"));
    }

    fn page_close(&self) {
        self.page.set(None);
        self.done("close".to_owned());
    }

    fn page_cursor(&self, row: usize) {
        self.done(format!("cursor {row}"));
    }

    fn prompt(&self, _prompt: PromptId, text: &str, _yes: &str, _no: &str) {
        self.done(format!("ask {text}"));
    }

    fn menu_sound(&self, sound: MenuSound) {
        self.done(format!("sound {sound:?}"));
    }

    fn phase(&self) -> Phase {
        self.phase.get()
    }

    fn level(&self) -> Option<i32> {
        self.level.get()
    }

    fn level_name(&self, level: i32) -> String {
        if level == 0 { "Veldin".to_owned() } else { format!("Level {level}") }
    }

    fn hero_pose(&self) -> Option<HeroPose> {
        self.hero.borrow().clone()
    }

    fn figure_make(&self, name: &str) -> Option<Figure> {
        self.figures_made.set(self.figures_made.get() + 1);
        let figure = Figure(NonZeroU32::new(self.figures_made.get())?);
        let made = FakeFigure { name: name.to_owned(), pose: None, pieces: Pieces::default() };
        self.figures.borrow_mut().insert(figure, made);
        Some(figure)
    }

    fn figure_pose(&self, figure: Figure, pose: &HeroPose) -> bool {
        match self.figures.borrow_mut().get_mut(&figure) {
            Some(made) => {
                made.pose = Some(pose.clone());
                true
            }
            None => false,
        }
    }

    fn figure_wear(&self, figure: Figure, pieces: &Pieces) -> usize {
        match self.figures.borrow_mut().get_mut(&figure) {
            Some(made) => {
                made.pieces = pieces.clone();
                pieces.len()
            }
            None => 0,
        }
    }

    fn figure_remove(&self, figure: Figure) {
        self.figures.borrow_mut().remove(&figure);
    }

    fn play_start(&self, start: Start) -> bool {
        self.done(format!("start {start:?}: {}", self.starts.get()));
        self.starts.get()
    }

    fn title_return(&self, page: PageId) {
        self.title();
        self.page.set(Some(page));
        self.done(format!("title {page:?}"));
    }

    fn menus_pause(&self, pause: bool) {
        self.done(format!("menus pause {pause}"));
    }

    fn message(&self, text: &str, _seconds: f32) {
        self.messages.borrow_mut().push(text.to_owned());
    }
}
