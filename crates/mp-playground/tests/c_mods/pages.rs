//! The stand-in game against a mod written in C (`mod.c`), compiled here with the interface's header:
//! what a mod can do, and that what it must not do is refused, counted and harms nothing.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use mp_playground::bots::{Bot, Errand, Habit};
use mp_playground::game::{Phase, Refusal};
use mp_playground::host::{FaultKind, Game, ModLibrary, Setup};
use mp_playground::run::{Play, play};
use mp_playground::sim::{Button, Pad, TICKS_PER_SECOND};

use crate::{reach, support};

/// Compiles `mod.c` into a library, once.
fn library() -> &'static Path {
    static FILE: OnceLock<PathBuf> = OnceLock::new();
    FILE.get_or_init(|| support::compile("mod.c"))
}

fn setup() -> Setup {
    Setup { build: "1.2.0/PLAY-00001".to_owned(), seed: 5, ..Setup::default() }
}

/// A game and someone who chooses rows in it.
struct Player {
    game: Game,
    bot: Bot,
}

impl Player {
    fn new() -> Self {
        let library = ModLibrary::open(library()).expect("is a mod");
        let game = Game::load(&library, setup()).expect("loads");
        let mut player = Self { game, bot: Bot::new(Errand::None, Habit::Stand, 1) };
        player.run(TICKS_PER_SECOND);
        player
    }

    /// One who is in the level, on the mod's page of the pause menu.
    fn paused() -> Self {
        let mut player = Self::new();
        player.choose("New Game");
        player.run(2 * TICKS_PER_SECOND);
        player.press(Button::Start);
        assert_eq!(player.game.screen().phase, Phase::Playing, "the opening scene is skipped");
        player.press(Button::Start);
        player.choose("Test");
        player
    }

    fn run(&mut self, ticks: u32) {
        for _ in 0..ticks {
            self.game.tick(Pad::NEUTRAL);
        }
    }

    fn press(&mut self, button: Button) {
        self.game.tick(Pad::NEUTRAL.with(button));
        self.run(1);
    }

    fn choose(&mut self, label: &str) {
        self.bot.send(Errand::Choose(label.to_owned()));
        for _ in 0..20 * TICKS_PER_SECOND {
            let pad = self.game.look(|game| self.bot.pad(game));
            self.game.tick(pad);
            if self.bot.is_idle() {
                return;
            }
        }
        panic!("no {label} to choose:\n{}", self.game.screen());
    }

    fn faults(&self) -> Vec<(&'static str, FaultKind, u64)> {
        let faults = self.game.faults();
        faults.into_iter().map(|fault| (fault.call, fault.kind, fault.count)).collect()
    }

    fn line(&self) -> String {
        self.game.screen().page.expect("a page shows").lines[0].clone()
    }
}

#[test]
fn a_page_of_a_mod_shows_what_the_mod_says() {
    let mut player = Player::new();
    assert_eq!(player.game.take_log()[0].text, "loaded");
    player.choose("Test");
    let screen = player.game.screen();
    assert_eq!((screen.phase, screen.title()), (Phase::TitlePage, "Test"));
    assert_eq!(screen.footer(), ["ticked"]);
    assert_eq!(screen.row("Value").map(|(at, _)| at), Some(1));
    player.press(Button::Down);
    for _ in 0..50 {
        player.game.tick(Pad::NEUTRAL.with(Button::Right));
    }
    player.run(1);
    assert!(player.line().starts_with("value 23, shown 1, hidden 0"), "{}", player.line());
    player.press(Button::Triangle);
    assert_eq!(player.game.screen().phase, Phase::Title);
    assert_eq!(player.faults(), []);
}

#[test]
fn opening_a_page_calls_back_before_it_returns() {
    let mut player = Player::new();
    player.choose("Test");
    player.choose("Other");
    assert_eq!(player.game.screen().title(), "Other");
    player.press(Button::Triangle);
    assert!(player.line().starts_with("value 0, shown 2, hidden 1, inside 1"), "{}", player.line());
    assert_eq!(player.faults(), []);
}

#[test]
fn a_question_comes_back_with_its_answer() {
    let mut player = Player::new();
    player.choose("Test");
    player.choose("Ask");
    player.choose("Yes");
    assert!(player.line().ends_with("answers 1 of 1"), "{}", player.line());
    player.choose("Ask");
    player.press(Button::Triangle);
    assert!(player.line().ends_with("answers 2 of 0"), "{}", player.line());
    assert_eq!(player.faults(), []);
}

#[test]
fn a_figure_is_made_posed_and_shown_in_the_level() {
    let mut player = Player::paused();
    player.choose("Figure");
    let (name, at, shown) = player.game.look(|game| {
        let figure = game.figures().iter().next().expect("a figure").clone();
        (figure.name, figure.pose.expect("posed").position.x, figure.shown)
    });
    assert_eq!((name.as_str(), shown), ("Skid", true));
    assert!((at - 1.0).abs() < f32::EPSILON);
    player.choose("Stop");
    player.run(2);
    let screen = player.game.screen();
    assert_eq!((screen.phase, screen.title()), (Phase::TitlePage, "Test"));
    player.choose("Remove");
    assert_eq!(player.faults(), [], "removing it after its level is right");
    player.choose("Remove");
    assert_eq!(player.faults().len(), 1, "removing it twice is not");
}

#[test]
fn another_thread_is_refused() {
    let mut player = Player::new();
    player.choose("Test");
    player.choose("Wrong thread");
    player.choose("Wrong thread");
    assert_eq!(player.faults(), [("message", FaultKind::WrongThread, 2)]);
    assert_eq!(player.game.screen().message, None);
}

#[test]
fn stale_handles_and_bad_poses_are_refused() {
    let mut player = Player::paused();
    player.choose("Figure");
    for label in ["Stale", "Bad pose", "No page"] {
        player.choose(label);
    }
    let expected = [
        ("figure_show", FaultKind::Refused(Refusal::StaleFigure(12_345)), 1),
        ("moby_kill", FaultKind::Refused(Refusal::StaleMoby(7)), 1),
        ("figure_pose", FaultKind::Refused(Refusal::NotFinite), 1),
        ("page_open", FaultKind::Refused(Refusal::NoPage(99)), 1),
    ];
    assert_eq!(player.faults(), expected);
    let finite = player.game.look(|game| {
        game.figures().iter().all(|figure| figure.pose.as_ref().is_some_and(|p| p.is_finite()))
    });
    assert!(finite, "the good pose stays");
}

#[test]
fn bad_strings_and_tables_are_refused() {
    let mut player = Player::paused();
    player.choose("Bad text");
    player.choose("Bad table");
    let expected = [
        ("message", FaultKind::NotUtf8, 1),
        ("message", FaultKind::Null, 1),
        ("page_add", FaultKind::ShortTable(4), 1),
        ("hero_pose", FaultKind::Null, 1),
    ];
    assert_eq!(player.faults(), expected);
}

#[test]
fn a_callback_that_may_only_answer_may_not_call() {
    let mut player = Player::new();
    player.choose("Test");
    player.choose("Nosy");
    assert_eq!(player.faults()[0].1, FaultKind::NotFromHere);
    assert_eq!(player.game.screen().title(), "Test", "the page shows all the same");
}

#[test]
fn a_string_of_the_games_is_gone_at_the_next_call() {
    let mut player = Player::new();
    player.choose("Test");
    player.choose("Keep");
    assert_eq!(player.game.screen().message.as_deref(), Some("gone"));
    assert_eq!(player.faults(), []);
}

#[test]
fn unloading_calls_the_mod_once_more_and_is_clean() {
    let player = Player::paused();
    assert_eq!(player.game.unload(), []);
}

#[test]
fn a_library_that_is_no_mod_or_refuses_says_so_in_one_line() {
    let missing = ModLibrary::open(Path::new("no/such/file")).expect_err("is not there");
    assert!(missing.to_string().starts_with("no/such/file: "), "{missing}");
    let library = ModLibrary::open(library()).expect("is a mod");
    let settings = BTreeMap::from([("Refuse".to_owned(), "1".to_owned())]);
    let Err(refused) = Game::load(&library, Setup { settings, ..setup() }) else {
        panic!("loads though it should refuse");
    };
    let line = refused.to_string();
    assert!(line.contains("refused to load") && line.ends_with("told to refuse"), "{line}");
    assert!(!line.contains('\n'), "{line}");
}

#[test]
fn a_loaded_mod_that_does_nothing_changes_nothing_in_the_world() {
    let mut player = Player::new();
    let mut plain = mp_playground::game::StandIn::new(5);
    for _ in 0..TICKS_PER_SECOND {
        plain.read_pad(Pad::NEUTRAL);
        plain.step();
    }
    for tick in 0..1_200_u16 {
        let mut pad = Pad::NEUTRAL.with_stick((f32::from(tick) / 40.0).sin(), 0.7);
        if tick == 0 || tick % 90 == 50 {
            pad = pad.with(Button::Cross);
        }
        player.game.tick(pad);
        plain.read_pad(pad);
        plain.step();
        let digest = mp_playground::game::StandIn::digest;
        assert_eq!(player.game.look(digest), digest(&plain), "tick {tick}");
    }
    assert_eq!(plain.phase(), Phase::Playing);
}

#[test]
fn a_lone_game_runs_in_real_time_and_writes_what_it_saw() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("lone");
    let (report, picture) = (folder.join("report.json"), folder.join("picture.png"));
    let clip = folder.join("clip.gif");
    let options = Play {
        name: "Alex".to_owned(),
        bot: Habit::Stand,
        seconds: Some(1),
        seed: 1,
        report: Some(report.clone()),
        picture: Some(picture.clone()),
        clip: Some(clip.clone()),
        work_dir: Some(folder.clone()),
        library: Some(library().to_path_buf()),
        ..Play::default()
    };
    assert!(play(&options).expect("plays"), "the mod broke no rule");
    let report = std::fs::read_to_string(report).expect("is written");
    assert!(report.contains("\"phase\": \"TITLE\"") && report.contains("\"ok\": true"), "{report}");
    assert!(std::fs::read(picture).expect("is written").starts_with(b"\x89PNG"));
    assert!(std::fs::read(clip).expect("is written").starts_with(b"GIF89a"));
    let log = std::fs::read_to_string(folder.join("Alex/run.log")).expect("is written");
    assert!(log.contains("[2] loaded"), "{log}");
    assert!(log.contains("[2] reached OpenracMod.unload"), "what it says at its end, too: {log}");
}

/// What the mod noted as reached, once it did all that its page has, with the game's end.
pub fn reached() -> Vec<String> {
    let mut player = Player::new();
    player.choose("Test");
    for label in ["Base", "Keep", "Sounds", "Message", "Value", "Ask", "Yes", "Other"] {
        player.choose(label);
    }
    player.press(Button::Triangle);
    player.choose("Cursor");
    player.press(Button::Right);
    player.choose("Stop");
    player.press(Button::Triangle);
    player.choose("New Game");
    player.run(2 * TICKS_PER_SECOND);
    player.press(Button::Start);
    player.press(Button::Start);
    for label in ["Test", "Figure", "Dress", "Remove", "Reached"] {
        player.choose(label);
    }
    reach::at_the_end(player.game)
}
