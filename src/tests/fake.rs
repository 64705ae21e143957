//! A game for tests: it does what it is told and keeps what the mod did. Never compiled into the library.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::time::Duration;

use super::fake_world::FakeWorld;
use mp_protocol::game::Piece;

use crate::game::{
    Cameras, CardSave, CardSlot, Figure, Game, Give, HeroPose, Hit, Kill, LogLevel, MenuSound,
    Moby, MobyHandle, MobyPose, PageId, Phase, Pieces, Progress, PromptId, Scene, SceneKind,
    Setting, Shot, Skip, Start,
};

/// The game. Its fields are what the game says and what the mod did, in order.
pub(crate) struct FakeGame {
    pub(crate) phase: Cell<Phase>,
    pub(crate) level: Cell<Option<i32>>,
    pub(crate) hero: RefCell<Option<HeroPose>>,
    pub(crate) starts: Cell<bool>,
    pub(crate) build: &'static str,
    pub(crate) launcher_name: &'static str,
    pub(crate) settings: RefCell<BTreeMap<&'static str, String>>,
    pub(crate) page: Cell<Option<PageId>>,
    pub(crate) did: RefCell<Vec<String>>,
    pub(crate) logged: RefCell<Vec<String>>,
    pub(crate) messages: RefCell<Vec<String>>,
    /// For how long the newest message shows.
    pub(crate) message_seconds: Cell<f32>,
    pub(crate) figures: RefCell<BTreeMap<Figure, FakeFigure>>,
    pub(crate) control: Cell<bool>,
    pub(crate) scene: Cell<Option<Scene>>,
    /// Whether it has the scenes that it is told to play.
    pub(crate) scenes: Cell<bool>,
    /// The card's slots, and the bytes of the saves in them.
    pub(crate) card: RefCell<BTreeMap<u8, (CardSlot, Vec<u8>)>>,
    /// The save that the game started from last.
    pub(crate) started: RefCell<Vec<u8>>,
    /// What save_capture gives.
    pub(crate) capture: RefCell<Option<Vec<u8>>>,
    /// The words under which nobody moves.
    pub(crate) hold: RefCell<Option<String>>,
    pub(crate) fired: RefCell<Vec<(Figure, Shot)>>,
    /// The classes of pieces that it cannot load.
    pub(crate) no_room_for: RefCell<Vec<i16>>,
    pub(crate) world: FakeWorld,
    /// What the mod had not let go of when it left for the title last.
    pub(crate) left_behind: RefCell<Vec<String>>,
    pub(crate) figures_made: Cell<u32>,
}

/// A figure as last posed.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FakeFigure {
    pub(crate) name: String,
    pub(crate) pose: Option<HeroPose>,
    pub(crate) pieces: Pieces,
    pub(crate) shown: bool,
}

impl Default for FakeGame {
    fn default() -> Self {
        Self {
            phase: Cell::new(Phase::Title),
            level: Cell::new(None),
            hero: RefCell::new(None),
            starts: Cell::new(true),
            build: "1.2.0/PLAY-00001",
            launcher_name: "",
            settings: RefCell::default(),
            page: Cell::new(None),
            did: RefCell::default(),
            logged: RefCell::default(),
            messages: RefCell::default(),
            message_seconds: Cell::new(0.0),
            figures: RefCell::default(),
            control: Cell::new(true),
            scene: Cell::new(None),
            scenes: Cell::new(true),
            card: RefCell::default(),
            started: RefCell::default(),
            capture: RefCell::default(),
            hold: RefCell::default(),
            fired: RefCell::default(),
            no_room_for: RefCell::default(),
            world: FakeWorld::default(),
            left_behind: RefCell::default(),
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

    /// Puts a save in a slot of the card.
    pub(crate) fn save(&self, slot: u8, level: i32, gold_bolts: u32, bytes: Vec<u8>) {
        let played = Duration::from_secs(3_723);
        let held = CardSlot::Save(CardSave { level, gold_bolts, played });
        self.card.borrow_mut().insert(slot, (held, bytes));
    }

    /// Back to the title, its figures gone with the level.
    pub(crate) fn title(&self) {
        self.phase.set(Phase::Title);
        self.level.set(None);
        *self.hero.borrow_mut() = None;
        self.figures.borrow_mut().clear();
        self.scene.set(None);
        self.world.clear();
    }

    /// A scene or movie begins.
    pub(crate) fn show(&self, kind: SceneKind, number: Option<i32>) {
        self.phase.set(if kind == SceneKind::Movie { Phase::Movie } else { Phase::Scene });
        self.scene.set(Some(Scene { kind, number, elapsed: Duration::ZERO }));
    }

    /// It is over.
    pub(crate) fn scene_over(&self) {
        let was_movie = self.scene.take().is_some_and(|scene| scene.kind == SceneKind::Movie);
        self.phase.set(if was_movie { Phase::Loading } else { Phase::Playing });
    }

    /// What plays goes on for so long.
    pub(crate) fn plays_for(&self, time: Duration) {
        self.scene
            .set(self.scene.get().map(|scene| Scene { elapsed: scene.elapsed + time, ..scene }));
    }

    /// Leaves the level for another, its figures gone with it.
    pub(crate) fn fly(&self) {
        self.title();
        self.phase.set(Phase::Travel);
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

    /// What the mod has taken hold of in the level and not let go.
    pub(crate) fn not_let_go(&self) -> Vec<String> {
        let figures = self.figures.borrow().values().map(|figure| figure.name.clone()).collect();
        let driven = self.world.driven.borrow().iter().map(|moby| format!("{moby:?}")).collect();
        let made = self.world.made.borrow();
        let made = made.iter().filter(|made| self.world.moby(**made).is_some());
        let made = made.map(|moby| format!("{moby:?}")).collect();
        let eyes = self.world.eyes.borrow().iter().map(|eye| format!("{eye:?}")).collect();
        let held = self.hold.borrow().iter().cloned().collect();
        let kinds: [(&str, Vec<String>); 5] = [
            ("figure", figures),
            ("driven", driven),
            ("made", made),
            ("eye", eyes),
            ("held", held),
        ];
        kinds
            .iter()
            .flat_map(|(kind, all)| all.iter().map(move |one| format!("{kind} {one}")))
            .collect()
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
        self.settings.borrow().get(setting.key()).cloned().unwrap_or_default()
    }

    fn launcher_name(&self) -> String {
        self.launcher_name.to_owned()
    }

    fn build(&self) -> String {
        self.build.to_owned()
    }

    fn work_dir(&self) -> String {
        String::new()
    }

    fn frame(&self) -> u64 {
        0
    }

    fn tick_rate(&self) -> u8 {
        60
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
        match level {
            0 => "Veldin".to_owned(),
            15 => "Pokitaru".to_owned(),
            1..20 => format!("Level {level}"),
            _ => String::new(),
        }
    }

    fn level_records(&self) -> u16 {
        self.world.records.get()
    }

    fn in_control(&self) -> bool {
        let free = self.hold.borrow().is_none() && self.phase.get() == Phase::Playing;
        self.control.get() && free
    }

    fn hero_pose(&self) -> Option<HeroPose> {
        self.hero.borrow().clone()
    }

    fn figure_make(&self, name: &str) -> Option<Figure> {
        self.figures_made.set(self.figures_made.get() + 1);
        let figure = Figure(NonZeroU32::new(self.figures_made.get())?);
        let made = FakeFigure {
            name: name.to_owned(),
            pose: None,
            pieces: Pieces::default(),
            shown: true,
        };
        self.figures.borrow_mut().insert(figure, made);
        Some(figure)
    }

    fn figure_moby(&self, figure: Figure) -> Option<MobyHandle> {
        self.figures.borrow().contains_key(&figure).then(|| FakeWorld::figure_moby(figure))
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

    fn figure_show(&self, figure: Figure, show: bool) {
        if let Some(made) = self.figures.borrow_mut().get_mut(&figure) {
            made.shown = show;
        }
    }

    fn figure_wear(&self, figure: Figure, pieces: &Pieces) -> usize {
        match self.figures.borrow_mut().get_mut(&figure) {
            Some(made) => {
                let room = |piece: &&Piece| !self.no_room_for.borrow().contains(&piece.class);
                made.pieces = pieces.iter().filter(room).copied().collect();
                made.pieces.len()
            }
            None => 0,
        }
    }

    fn figure_fire(&self, figure: Figure, shot: &Shot) {
        self.fired.borrow_mut().push((figure, *shot));
    }

    fn figure_remove(&self, figure: Figure) {
        self.figures.borrow_mut().remove(&figure);
    }

    fn card_save(&self, slot: u8) -> CardSlot {
        self.card.borrow().get(&slot).map_or(CardSlot::Empty, |(slot, _)| *slot)
    }

    fn save_read(&self, slot: u8) -> Option<Vec<u8>> {
        self.card.borrow().get(&slot).map(|(_, save)| save.clone())
    }

    fn save_capture(&self) -> Option<Vec<u8>> {
        self.capture.borrow().clone()
    }

    fn play_start(&self, start: Start, level: Option<i32>) -> bool {
        let start = match start {
            Start::NewGame => "NewGame".to_owned(),
            Start::Save(save) => {
                save.clone_into(&mut self.started.borrow_mut());
                format!("Save of {}", save.len())
            }
        };
        let level = level.map_or(String::new(), |level| format!(" in {level}"));
        self.done(format!("start {start}{level}: {}", self.starts.get()));
        self.starts.get()
    }

    fn title_return(&self, page: PageId) {
        *self.left_behind.borrow_mut() = self.not_let_go();
        self.title();
        self.page.set(Some(page));
        self.done(format!("title {page:?}"));
    }

    fn travel(&self, level: i32) {
        self.done(format!("travel {level}"));
    }

    fn control_hold(&self, words: Option<&str>) {
        *self.hold.borrow_mut() = words.map(str::to_owned);
    }

    fn menus_pause(&self, pause: bool) {
        self.done(format!("menus pause {pause}"));
    }

    fn message(&self, text: &str, seconds: f32) {
        self.messages.borrow_mut().push(text.to_owned());
        self.message_seconds.set(seconds);
    }

    fn scene(&self) -> Option<Scene> {
        self.scene.get()
    }

    fn play_scene(&self, number: i32) -> bool {
        let may = self.scenes.get() && self.phase.get() == Phase::Playing;
        self.done(format!("play scene {number}: {may}"));
        if may {
            self.show(SceneKind::Level, Some(number));
        }
        may
    }

    fn scene_skip(&self, skip: Skip) {
        self.done(format!("skip {skip:?}"));
        let plays = self.scene.get().and_then(|scene| match (scene.kind, scene.number) {
            (SceneKind::Level, Some(number)) => Some(Skip::Level(number)),
            (SceneKind::Own, _) => Some(Skip::Own),
            (SceneKind::Movie, _) => Some(Skip::Movie),
            _ => None,
        });
        if plays == Some(skip) {
            self.scene_over();
        }
    }

    fn mobys(&self, list: &mut Vec<Moby>) {
        list.clear();
        list.extend(self.world.mobys.borrow().iter());
    }

    fn moby_drive(&self, moby: MobyHandle, drive: bool) {
        self.world.drive(moby, drive);
    }

    fn moby_pose(&self, moby: MobyHandle, pose: &MobyPose, hidden: bool) {
        self.world.pose(moby, pose, hidden);
    }

    fn moby_kill(&self, moby: MobyHandle, how: Kill) {
        self.world.kill(moby, how);
    }

    fn moby_break(&self, moby: MobyHandle, by: Option<MobyHandle>) -> bool {
        self.world.break_crate(moby, by)
    }

    fn moby_make(&self, class: i16, position: [f32; 3], yaw: f32) -> Option<MobyHandle> {
        self.world.make(class, position, yaw)
    }

    fn hit_post(&self, hit: &Hit) -> bool {
        self.world.post(hit)
    }

    fn hero_hit(&self, hit: &Hit) {
        self.world.hero_hits.borrow_mut().push(*hit);
    }

    fn eyes(&self, points: &[[f32; 3]]) {
        *self.world.eyes.borrow_mut() = points.to_vec();
    }

    fn cameras(&self) -> Option<Cameras> {
        Some(FakeWorld::cameras())
    }

    fn bolts_add(&self, count: i32) {
        self.world.bolts.set(self.world.bolts.get() + count);
    }

    fn progress(&self) -> Progress {
        *self.world.progress.borrow()
    }

    fn progress_give(&self, what: Give) {
        self.world.give(what);
    }
}
