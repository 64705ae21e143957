//! The world calls and hooks, made and answered by a mod written in C (`world_mod.c`): what they do, and
//! that what a mod must not do is refused, counted, and leaves the world whole.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use mp_playground::game::{Phase, Refusal, StandIn};
use mp_playground::host::{FaultKind, Game, ModLibrary, Setup};
use mp_playground::sim::{Button, Class, Level, Pad, Rng};

use crate::{reach, support};

const NEUTRAL: Pad = Pad::NEUTRAL;

fn library() -> &'static Path {
    static FILE: OnceLock<PathBuf> = OnceLock::new();
    FILE.get_or_init(|| support::compile("world_mod.c"))
}

/// A game on Veldin whose mod follows a plan.
struct Run {
    game: Game,
    log: Vec<String>,
}

impl Run {
    fn new(plan: &str) -> Self {
        let settings = BTreeMap::from([("Do".to_owned(), plan.to_owned())]);
        let library = ModLibrary::open(library()).expect("is a mod");
        let game = Game::load(&library, Setup { settings, seed: 5, ..Setup::default() });
        let mut run = Self { game: game.expect("loads"), log: Vec::new() };
        run.until(Phase::Title);
        run.tick(NEUTRAL.with(Button::Cross));
        run.until(Phase::Scene);
        run.tick(NEUTRAL.with(Button::Start));
        run.until(Phase::Playing);
        run
    }

    /// The log after so many ticks of playing with that button pressed in tick 20.
    fn log_after(plan: &str, ticks: u32, button: Option<Button>) -> (Self, Vec<String>) {
        let mut run = Self::new(plan);
        for tick in 0..ticks {
            let pad = button.filter(|_| tick == 20).map_or(NEUTRAL, |button| NEUTRAL.with(button));
            run.tick(pad);
        }
        let log = std::mem::take(&mut run.log);
        (run, log)
    }

    fn tick(&mut self, pad: Pad) {
        self.game.tick(pad);
        self.log.extend(self.game.take_log().into_iter().map(|line| line.text));
    }

    fn until(&mut self, phase: Phase) {
        for _ in 0..2_000 {
            if self.game.look(StandIn::phase) == phase {
                return;
            }
            self.tick(NEUTRAL);
        }
        panic!("never {phase}: {}", self.game.screen());
    }

    fn faults(&self) -> Vec<(&'static str, FaultKind)> {
        self.game.faults().into_iter().map(|fault| (fault.call, fault.kind)).collect()
    }

    fn count(&self, class: Class) -> usize {
        self.game.look(|game| game.mobys().filter(|moby| moby.class == class).count())
    }

    fn health(&self) -> i16 {
        self.game.look(|game| game.hero_pose().expect("in a level").health)
    }
}

const NOT_FINITE: FaultKind = FaultKind::Refused(Refusal::NotFinite);

/// Whether the fault is about a moby that is not there; its handle is the game's own affair.
fn is_stale(kind: &FaultKind) -> bool {
    matches!(kind, FaultKind::Refused(Refusal::StaleMoby(_)))
}

#[test]
fn the_list_has_every_placed_moby_by_its_key() {
    let (run, log) = Run::log_after("5,list", 10, None);
    let count = Level::find(0).expect("Veldin").records();
    assert_eq!(
        log,
        [format!(
            "{count} mobys, {count} by key, {count} records, 8 enemies, {count} without room"
        )]
    );
    assert_eq!(run.faults(), [("mobys", FaultKind::Null)]);
}

#[test]
fn a_driven_moby_is_posed_and_does_not_run_until_it_is_let_go() {
    let (run, log) = Run::log_after("5,drive 30,driven 60,driven", 70, None);
    assert_eq!(log[0], "at 3.0 4.0, ran 0, hidden 1, frame 1");
    assert!(log[1].contains("ran 1"), "{log:?}");
    let kinds = run.faults();
    assert!(matches!(kinds[0], ("moby_pose", FaultKind::Refused(Refusal::NotDriven(_)))));
    assert_eq!(kinds[1..], [("moby_pose", NOT_FINITE)]);
}

#[test]
fn killed_quietly_loudly_or_broken_it_is_told_before_the_call_returns() {
    let (run, log) = Run::log_after("5,end 6,report", 10, None);
    let told = [
        "quiet: 0 made, 1 gone",
        "loud: 1 made, 2 gone",
        // Five bolts and debris, of this one and the debris before.
        "broken: 1, 7 made, 3 gone, 1 broke",
        "no crate: 0",
    ];
    assert_eq!(log[..4], told);
    let faults = run.faults();
    assert!(faults[0].0 == "moby_kill" && is_stale(&faults[0].1), "{faults:?}");
    assert!(faults[1].0 == "moby_break" && is_stale(&faults[1].1), "{faults:?}");
    assert_eq!(faults[2..], [("moby_kill", FaultKind::Unknown(9))]);
}

#[test]
fn a_posted_hit_lands_without_being_asked_about() {
    let (run, log) = Run::log_after("5,hit", 10, None);
    assert_eq!(log, ["hit 1 0, broke 1, hero lost 1, asked 0"]);
    let faults = run.faults();
    assert!(faults[0].0 == "hero_hit" && is_stale(&faults[0].1), "{faults:?}");
    assert_eq!(faults[1..], [("hit_post", NOT_FINITE), ("hit_post", FaultKind::Null)]);
    assert_eq!(run.health(), 3);
}

#[test]
fn the_world_runs_around_eyes_too() {
    let (run, log) = Run::log_after("4,ran 5,look 8,ran", 10, None);
    let numbers = |line: &str| {
        line.split([' ', ',', ':']).filter_map(|word| word.parse::<u32>().ok()).collect::<Vec<_>>()
    };
    assert_eq!(numbers(&log[0])[0], 0, "{log:?}");
    assert_eq!(log[1], "cameras -9 -9, 8");
    assert!(numbers(&log[2])[0] > 0, "{log:?}");
    assert_eq!(run.faults(), [("eyes", FaultKind::TooMany(4)), ("eyes", NOT_FINITE)]);
}

#[test]
fn every_hook_is_told_of_its_own() {
    let (mut run, log) = Run::log_after("5,crate 40,report", 120, Some(Button::Square));
    assert!(
        log[0].starts_with("gate 1, make 6, made 6, gone 1, hit 1, bolt 0, broke 1"),
        "{log:?}"
    );
    assert_eq!((run.count(Class::Debris), run.faults()), (0, vec![]));
    run.tick(NEUTRAL);
    let (_, log) = Run::log_after("5,bolt 100,report", 110, None);
    assert!(log[0].contains("bolt 1, broke 0"), "{log:?}");
    let (_, log) = Run::log_after("5,nanotech 100,report", 110, None);
    assert!(log[0].contains("pickup 1"), "{log:?}");
    let (_, log) = Run::log_after("100,report", 110, Some(Button::Circle));
    assert!(log[0].contains("shot 1") && log[0].contains("make 2, made 2"), "{log:?}");
    let (run, log) = Run::log_after("5,biter 100,report", 110, None);
    assert!(log[0].contains("hit 1"), "{log:?}");
    assert_eq!(run.health(), 3, "delivered");
}

#[test]
fn what_a_mod_refuses_or_swallows_does_not_happen() {
    let (run, log) = Run::log_after("5,crate 5,refuse 60,report", 70, Some(Button::Square));
    assert!(log[0].contains("make 6, made 1"), "{log:?}");
    assert_eq!(
        run.count(Class::Bolt),
        Level::find(0).map_or(0, |level| {
            level.mobys.iter().filter(|placed| placed.class == Class::Bolt).count()
        })
    );
    let (run, log) = Run::log_after("5,biter 5,swallow 100,report", 110, None);
    assert!(log[0].contains("hit "), "{log:?}");
    assert_eq!(run.health(), 4);
    let (run, log) = Run::log_after("5,bolt 5,swallow 100,report 100,where", 110, None);
    assert!(log[0].contains("bolt 1"), "{log:?}");
    assert_eq!((log[1].as_str(), run.game.look(|game| game.progress().bolts)), ("it is gone", 0));
}

#[test]
fn a_skipped_moby_stands_still() {
    let (run, log) = Run::log_after("5,biter 5,skip 100,report", 110, None);
    assert!(log[0].contains("hit 0"), "{log:?}");
    let skipped = run.game.look(|game| {
        game.mobys().filter(|moby| moby.class == Class::Biter && moby.key.is_none()).all(|m| !m.ran)
    });
    assert!(skipped && run.health() == 4);
}

#[test]
fn a_figure_stands_in_for_the_hero_once_it_was_posed() {
    let (run, log) = Run::log_after("5,stand-in 7,pose 120,report", 130, None);
    assert!(log[0].ends_with("figure 1 1") || log[0].ends_with("figure 2 1"), "{log:?}");
    assert_eq!(run.health(), 4);
    assert!(matches!(run.faults()[..], [("gate", FaultKind::Refused(Refusal::NotPosed(_)))]));
    let (run, _) = Run::log_after("5,stand-in 7,pose 20,remove", 30, None);
    let faults = run.faults();
    let stale = |kind: &FaultKind| matches!(kind, FaultKind::Refused(Refusal::StaleFigure(_)));
    assert!(faults.iter().any(|(call, kind)| *call == "gate" && stale(kind)), "{faults:?}");
}

#[test]
fn nothing_is_made_or_killed_from_inside_a_gate_or_on_make() {
    let (run, _) = Run::log_after("5,crate 10,meddle", 60, Some(Button::Square));
    let refused = [("moby_kill", FaultKind::NotFromHere), ("moby_make", FaultKind::NotFromHere)];
    assert_eq!(run.faults(), refused);
    assert_eq!(run.count(Class::Biter), 5, "all live");
}

#[test]
fn answers_that_stand_for_nothing_count_as_the_games_own_way() {
    let (run, _) = Run::log_after("5,biter 5,nonsense 100,report", 110, None);
    let unknown = [("gate", FaultKind::Unknown(9)), ("on_hit", FaultKind::Unknown(9))];
    assert_eq!(run.faults(), unknown);
    assert_eq!(run.health(), 3);
}

#[test]
fn unknown_classes_bad_numbers_and_other_threads_make_nothing() {
    let (run, log) = Run::log_after("5,crate 6,thread 7,unknown 8,where", 10, None);
    assert_eq!(log, ["not made", "it is there"]);
    assert_eq!(run.faults(), [("moby_kill", FaultKind::WrongThread), ("moby_make", NOT_FINITE)]);
}

/// A mod with every hook set that answers the game's own way changes nothing, in a minute of anything.
#[test]
fn hooks_that_say_nothing_change_nothing() {
    let mut run = Run::new("");
    let mut plain = StandIn::new(5);
    let mut rng = Rng::new(29);
    let press = |game: &mut StandIn, pad| {
        game.read_pad(pad);
        game.step();
    };
    let frame = run.game.look(StandIn::frame);
    // The same way into the level.
    let mut other = Run::new("");
    assert_eq!(other.game.look(StandIn::frame), frame);
    while plain.phase() != Phase::Title {
        press(&mut plain, NEUTRAL);
    }
    press(&mut plain, NEUTRAL.with(Button::Cross));
    while plain.phase() != Phase::Scene {
        press(&mut plain, NEUTRAL);
    }
    press(&mut plain, NEUTRAL.with(Button::Start));
    while plain.phase() != Phase::Playing {
        press(&mut plain, NEUTRAL);
    }
    for tick in 0..3_600_u16 {
        let yaw = f32::from(tick / 90) * 1.3;
        let mut pad = NEUTRAL.with_stick(yaw.cos(), yaw.sin());
        for button in [Button::Cross, Button::Square, Button::Circle] {
            pad = if rng.below(10) == 0 { pad.with(button) } else { pad };
        }
        run.tick(pad);
        other.tick(pad);
        press(&mut plain, pad);
        assert_eq!(run.game.look(StandIn::digest), plain.digest(), "tick {tick}");
    }
    assert_eq!(run.faults(), []);
    assert_eq!(run.game.look(StandIn::digest), other.game.look(StandIn::digest));
}

/// What the mod noted as reached, once it did all that these tests have it do, with the game's end.
pub fn reached() -> Vec<String> {
    let plan = "5,list 5,drive 5,end 5,hit 5,look 6,crate 6,nanotech 6,bolt 60,stand-in 61,pose \
                119,report 119,remove 120,reached";
    let press = |tick| match tick {
        20 => NEUTRAL.with(Button::Square),
        40 => NEUTRAL.with(Button::Circle),
        _ => NEUTRAL,
    };
    let mut run = Run::new(plan);
    (0..130).for_each(|tick| run.tick(press(tick)));
    let mut reached = reach::reached_in(run.log.iter().map(String::as_str));
    reached.extend(reach::at_the_end(run.game));
    reached
}
