//! The play calls and hooks about the card, starts, travel and scenes, made by a mod written in C
//! (`play_mod.c`): what the game answers, and that what a mod must not do is refused and counted.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use mp_playground::card::{Save, Slot, store};
use mp_playground::game::{Phase, Refusal, StandIn};
use mp_playground::host::{FaultKind, Game, ModLibrary, Setup};
use mp_playground::progress::Gift;
use mp_playground::sim::{Button, Pad};

use crate::{reach, support};

/// The phases' numbers, for plans.
const TITLE: u8 = Phase::Title as u8;
const PLAYING: u8 = Phase::Playing as u8;
const PAUSED: u8 = Phase::Paused as u8;
const SCENE: u8 = Phase::Scene as u8;
const MOVIE: u8 = Phase::Movie as u8;
const LOADING: u8 = Phase::Loading as u8;

fn library() -> &'static Path {
    static FILE: OnceLock<PathBuf> = OnceLock::new();
    FILE.get_or_init(|| support::compile("play_mod.c"))
}

/// Every table of hooks this mod sets first is too short, on purpose.
const SHORT: (&str, FaultKind) = ("hooks_set", FaultKind::ShortTable(4));

/// A game whose mod follows a plan.
struct Run {
    game: Game,
    log: Vec<String>,
}

impl Run {
    fn new(work_dir: &Path, plan: &[(u8, u32, &str)]) -> Self {
        let plan: Vec<String> =
            plan.iter().map(|(phase, tick, what)| format!("{phase},{tick},{what}")).collect();
        let settings = BTreeMap::from([("Do".to_owned(), plan.join(" "))]);
        let setup = Setup { settings, seed: 5, work_dir: work_dir.to_owned(), ..Setup::default() };
        let library = ModLibrary::open(library()).expect("is a mod");
        Self { game: Game::load(&library, setup).expect("loads"), log: Vec::new() }
    }

    /// A game without a card.
    fn cardless(plan: &[(u8, u32, &str)]) -> Self {
        Self::new(Path::new(""), plan)
    }

    fn tick(&mut self, pad: Pad) {
        self.game.tick(pad);
        self.log.extend(self.game.take_log().into_iter().map(|line| line.text));
    }

    fn run(&mut self, ticks: u32) {
        for _ in 0..ticks {
            self.tick(Pad::NEUTRAL);
        }
    }

    /// Goes on until the game is in that phase.
    fn until(&mut self, phase: Phase) {
        for _ in 0..2_000 {
            if self.phase() == phase {
                return;
            }
            self.run(1);
        }
        panic!("never {phase}: {}\n{:?}", self.game.screen(), self.log);
    }

    fn press(&mut self, button: Button) {
        self.tick(Pad::NEUTRAL.with(button));
        self.run(1);
    }

    /// Walks the hero to that place.
    fn walk(&mut self, x: f32, y: f32) {
        for _ in 0..600 {
            let at = self.game.look(StandIn::hero_pose).expect("a hero").position;
            let (east, north) = (x - at.x, y - at.y);
            if east.hypot(north) < 0.5 {
                return self.run(30);
            }
            let length = east.hypot(north).max(1.0);
            self.tick(Pad::NEUTRAL.with_stick(east / length, north / length));
        }
        panic!("something is in the way to {x} {y}");
    }

    /// Goes to Veldin's ship, past the crates, and picks the second planet that the hero knows.
    fn board(&mut self) {
        self.walk(5.5, -11.5);
        self.walk(12.0, -9.0);
        self.press(Button::Triangle);
        let screen = self.game.screen();
        assert_eq!(screen.title(), "Select a planet", "{:?}", self.game.look(StandIn::hero_pose));
        self.press(Button::Down);
        self.press(Button::Cross);
    }

    fn phase(&self) -> Phase {
        self.game.screen().phase
    }

    fn faults(&self) -> Vec<(&'static str, FaultKind)> {
        self.game.faults().into_iter().map(|fault| (fault.call, fault.kind)).collect()
    }
}

/// A directory of its own for a test, empty at first.
fn directory(name: &str) -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("card-{name}"));
    drop(fs::remove_dir_all(&directory));
    fs::create_dir_all(&directory).expect("can be made");
    directory
}

/// A save on Veldin with so many gold bolts, made without a mod.
fn save(gold_bolts: usize) -> Save {
    let mut game = StandIn::new(1);
    for tick in 0..200 {
        game.read_pad(match tick {
            40 => Pad::NEUTRAL.with(Button::Cross),
            150 => Pad::NEUTRAL.with(Button::Start),
            _ => Pad::NEUTRAL,
        });
        game.step();
    }
    for index in 0..gold_bolts {
        assert!(game.give(Gift::GoldBolt(index)));
    }
    game.capture().expect("plays")
}

#[test]
fn a_mod_sees_what_the_cards_slots_hold() {
    let folder = directory("seen");
    store::write(&folder, 0, &save(2).encode()).expect("can be written");
    store::write(&folder, 3, b"no save").expect("can be written");
    let mut run = Run::new(&folder, &[(TITLE, 1, "cards")]);
    run.until(Phase::Title);
    run.run(1);
    let expected = [
        "slot 0: used 1 damaged 0 level 0 gold 2 size 59912 59912",
        "slot 1: used 0 damaged 0 level 0 gold 0 size 0 0",
        "slot 2: used 0 damaged 0 level 0 gold 0 size 0 0",
        "slot 3: used 1 damaged 1 level 0 gold 0 size 0 0",
        "slot 4: used 0 damaged 0 level 0 gold 0 size 0 0",
        "slot 5: none, size 0",
    ];
    assert_eq!(run.log, expected);
    assert_eq!(run.faults(), [SHORT, ("card_save", FaultKind::Null)]);
}

#[test]
fn a_save_is_read_and_started_and_the_card_is_as_before() {
    let folder = directory("started");
    let file = save(7).encode();
    store::write(&folder, 2, &file).expect("can be written");
    let mut run =
        Run::new(&folder, &[(TITLE, 1, "cards"), (TITLE, 2, "save"), (PLAYING, 1, "save")]);
    run.until(Phase::Playing);
    run.run(60);
    assert_eq!(run.game.look(|game| game.progress().gold_bolt_count()), 7);
    assert_eq!(run.log[6..], ["start 1", "start 0"], "the second is not in the title");
    assert_eq!(fs::read(store::file_of(&folder, 2)).expect("is there"), file);
    assert_eq!(fs::read_dir(&folder).expect("is there").count(), 1);
}

#[test]
fn what_is_no_save_no_level_or_no_mode_does_not_start() {
    let folder = directory("refused");
    store::write(&folder, 0, &save(0).encode()).expect("can be written");
    let plan = [
        (TITLE, 1, "cards"),
        (TITLE, 2, "cut"),
        (TITLE, 3, "flipped"),
        (TITLE, 4, "no-level"),
        (TITLE, 5, "no-mode"),
        (TITLE, 6, "null"),
    ];
    let mut run = Run::new(&folder, &plan);
    run.until(Phase::Title);
    run.run(60);
    assert_eq!(run.phase(), Phase::Title);
    assert_eq!(run.log[6..], ["start 0"; 5], "{:?}\n{:?}", run.log, run.faults());
    let faults = [
        ("card_save", FaultKind::Null),
        ("play_start", FaultKind::Unknown(9)),
        ("play_start", FaultKind::Null),
    ];
    assert_eq!(run.faults()[1..], faults);
}

#[test]
fn a_capture_is_had_while_playing_or_paused_and_starts_the_same_game_elsewhere() {
    let plan = [
        (TITLE, 1, "capture"),
        (TITLE, 2, "new"),
        (LOADING, 1, "capture"),
        (SCENE, 1, "capture"),
        (PLAYING, 1, "progress"),
        (PAUSED, 1, "capture"),
        (PAUSED, 2, "title"),
        (Phase::TitlePage as u8, 1, "save"),
    ];
    let mut run = Run::cardless(&plan);
    run.until(Phase::Playing);
    run.run(5);
    run.press(Button::Start);
    run.until(Phase::TitlePage);
    assert_eq!(run.game.screen().title(), "Play");
    run.until(Phase::Playing);
    let none = "captured 0 0";
    let expected = [none, "start 1", none, none, "has 1 1 1", "captured 59912 59912", "start 1"];
    assert_eq!(run.log, expected);
    let had = run.game.look(|game| (game.progress().bolts, game.progress().gold_bolts[79]));
    assert_eq!(had, (40, true));
    let faults =
        [("progress_give", FaultKind::TooMany(20)), ("progress_give", FaultKind::Unknown(9))];
    assert_eq!(run.faults()[1..], faults);
}

#[test]
fn a_mod_plays_and_skips_scenes() {
    let plan = [
        (TITLE, 1, "play-1"),
        (TITLE, 2, "new"),
        (SCENE, 31, "scene"),
        (SCENE, 32, "play-1"),
        (SCENE, 33, "skip-own"),
        (SCENE, 34, "skip-1"),
        (SCENE, 35, "skip-9"),
        (SCENE, 36, "skip-0"),
        (PLAYING, 1, "scene"),
        (PLAYING, 2, "play-9"),
        (PLAYING, 3, "play-1"),
        (SCENE, 2, "scene"),
        (SCENE, 3, "skip-1"),
    ];
    let mut run = Run::cardless(&plan);
    run.until(Phase::Playing);
    run.until(Phase::Scene);
    run.until(Phase::Playing);
    // The plan's `SCENE, 2` and `SCENE, 3` came in the opening already.
    let opening = ["play_scene 1: 0", "start 1", "scene 0 kind 0 at 16", "scene 0 kind 0 at 500"];
    assert_eq!(run.log[..4], opening);
    let rest = ["play_scene 1: 0", "no scene", "play_scene 9: 0", "play_scene 1: 1"];
    assert_eq!(run.log[4..], rest);
    assert_eq!(run.faults(), [SHORT, ("scene_skip", FaultKind::Unknown(9))]);
}

#[test]
fn start_in_a_scene_or_a_movie_asks_the_mod_which_may_refuse() {
    let mut run =
        Run::cardless(&[(TITLE, 1, "new"), (SCENE, 60, "refuse"), (MOVIE, 30, "no-hooks")]);
    run.until(Phase::Scene);
    run.run(70);
    run.press(Button::Start);
    assert_eq!(
        (run.phase(), run.log.last().map(String::as_str)),
        (Phase::Scene, Some("on_skip 1 0"))
    );
    assert_eq!(run.game.screen().message.as_deref(), Some("Only the host can skip"));
    assert_eq!(run.faults(), [SHORT], "a hook may call the game");
    let mut run =
        Run::cardless(&[(TITLE, 1, "new"), (PLAYING, 1, "travel"), (MOVIE, 30, "no-hooks")]);
    run.until(Phase::Scene);
    run.press(Button::Start);
    run.until(Phase::Movie);
    run.press(Button::Start);
    assert_eq!(
        (run.phase(), run.log.last().map(String::as_str)),
        (Phase::Loading, Some("on_skip 2 -1"))
    );
    run.until(Phase::Scene);
    run.press(Button::Start);
    assert_eq!(
        (run.phase(), run.log.last().map(String::as_str)),
        (Phase::Playing, Some("on_skip 0 -1"))
    );
}

#[test]
fn the_ships_way_to_another_planet_asks_the_mod_which_may_refuse() {
    for (refuses, level) in [("refuse", 0), ("message", 3)] {
        let plan = [
            (TITLE, 1, "new"),
            (SCENE, 1, "skip-0"),
            (PLAYING, 1, "progress"),
            (PLAYING, 2, refuses),
        ];
        let mut run = Run::cardless(&plan);
        run.until(Phase::Playing);
        run.board();
        assert_eq!(
            (run.phase(), run.log.last().map(String::as_str)),
            (Phase::Scene, Some("on_travel 3 1"))
        );
        run.until(Phase::Playing);
        assert_eq!(run.game.look(StandIn::level), Some(level));
    }
}

#[test]
fn without_hooks_the_game_goes_its_own_way() {
    let mut run = Run::cardless(&[(TITLE, 1, "new"), (SCENE, 1, "no-hooks"), (SCENE, 2, "refuse")]);
    run.until(Phase::Scene);
    run.run(5);
    run.press(Button::Start);
    assert_eq!((run.phase(), run.log.len()), (Phase::Playing, 1), "{:?}", run.log);
}

#[test]
fn travel_and_the_title_are_had_from_a_scene_and_refused_where_there_is_no_such_place() {
    let plan = [
        (TITLE, 1, "travel"),
        (TITLE, 2, "new"),
        (SCENE, 5, "travel-77"),
        (SCENE, 6, "title-99"),
        (SCENE, 7, "travel"),
        (MOVIE, 20, "scene"),
        (MOVIE, 21, "title"),
    ];
    let mut run = Run::cardless(&plan);
    run.until(Phase::Travel);
    run.until(Phase::TitlePage);
    assert_eq!(run.game.screen().title(), "Play");
    assert_eq!(run.log, ["start 1", "scene -1 kind 2 at 316"], "on_travel is not asked");
    assert_eq!(run.faults()[1..], [("title_return", FaultKind::Refused(Refusal::NoPage(99)))]);
}

#[test]
fn control_menus_and_lines_are_the_mods_to_hold() {
    let plan = [
        (TITLE, 1, "new"),
        (SCENE, 1, "skip-0"),
        (PLAYING, 1, "hold"),
        (PLAYING, 2, "message"),
        (PLAYING, 20, "free"),
        (PLAYING, 21, "go-on"),
    ];
    let mut run = Run::cardless(&plan);
    run.until(Phase::Playing);
    run.run(5);
    let screen = run.game.screen();
    assert_eq!(
        (screen.held.as_deref(), screen.message.as_deref()),
        (Some("Waiting"), Some("Hello"))
    );
    assert!(!run.game.look(StandIn::in_control));
    run.run(30);
    assert!(run.game.look(StandIn::in_control));
    run.press(Button::Start);
    let tick = |run: &Run| run.game.look(|game| game.world().map(|world| world.tick()));
    let before = tick(&run);
    run.run(10);
    assert_eq!(tick(&run), before.map(|tick| tick + 10), "the world goes on under the menu");
}

#[test]
fn what_the_game_saves_is_in_the_file_and_a_disk_that_fails_is_said() {
    let folder = directory("own");
    let mut run = Run::new(&folder, &[(TITLE, 1, "new")]);
    run.until(Phase::Playing);
    run.run(2);
    let slot = store::read(&folder).slots[0].clone();
    let seen = slot.save().expect("the opening is a moment of the story").levels[0].seen;
    assert_eq!(seen, 1);
    assert_eq!(run.game.look(|game| game.card_slot(0).cloned()), Some(slot));
    drop(run);
    let folder = directory("fails");
    fs::create_dir(folder.join("save0.bin.new")).expect("can be made");
    let mut run = Run::new(&folder, &[(TITLE, 1, "new")]);
    run.until(Phase::Playing);
    run.run(2);
    assert_eq!(store::read(&folder).slots[0], Slot::Empty);
    assert_eq!(run.game.screen().message.as_deref(), Some("The game could not be saved"));
    assert!(run.log.iter().any(|line| line.starts_with("save0.bin: ")), "{:?}", run.log);
}

/// What the mod noted as reached, once it did all that these tests have it do, with the game's end.
pub fn reached() -> Vec<String> {
    let plan = [
        (TITLE, 1, "cards"),
        (TITLE, 2, "new"),
        (SCENE, 1, "scene"),
        (SCENE, 2, "play-1"),
        (SCENE, 3, "skip-9"),
        (PLAYING, 1, "progress"),
        (PLAYING, 2, "capture"),
        (PLAYING, 3, "hold"),
        (PLAYING, 4, "free"),
        (PLAYING, 5, "go-on"),
        (PLAYING, 6, "message"),
        (PLAYING, 7, "where"),
        (MOVIE, 1, "travel"),
        (MOVIE, 2, "title"),
        (Phase::TitlePage as u8, 1, "reached"),
    ];
    let mut run = Run::cardless(&plan);
    run.until(Phase::Scene);
    run.run(10);
    run.press(Button::Start);
    run.until(Phase::Playing);
    run.run(10);
    run.board();
    run.until(Phase::TitlePage);
    run.run(2);
    let mut reached = reach::reached_in(run.log.iter().map(String::as_str));
    reached.extend(reach::at_the_end(run.game));
    reached
}
