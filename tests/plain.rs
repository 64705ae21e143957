//! With the mod on and no party, the game is the plain game: the same recorded pad leads to the same
//! state, second by second.

#[path = "common/library.rs"]
mod library;

use std::path::{Path, PathBuf};

use mp_playground::bots::{Bot, Errand, Habit};
use mp_playground::game::{Phase, StandIn};
use mp_playground::host::{Game, ModLibrary, Setup};
use mp_playground::run::{Play, Recording, play};
use mp_playground::sim::{Pad, TickRate};

const SECONDS: usize = 60;
const SEED: u64 = 11;

/// One tick of a game without a mod.
fn tick(game: &mut StandIn, pad: Pad) {
    game.read_pad(pad);
    while game.poll_call().is_some() {}
    game.step();
    while game.poll_call().is_some() {}
}

/// A minute from the title on: a new game, play, a pause, play.
fn recorded(rate: TickRate) -> Recording {
    let ticks = usize::from(rate.per_second());
    let mut game = StandIn::new(SEED).with_rate(rate);
    let mut bot = Bot::new(Errand::Choose("New Game".to_owned()), Habit::Play, SEED);
    let mut recording = Recording::new(SEED, rate);
    let (mut paused, mut walked) = (0, 0.0_f32);
    for number in 0..SECONDS * ticks {
        if number == 30 * ticks {
            bot.send(Errand::Pause { ticks: 90 });
        }
        let before = game.hero_pose();
        let pad = bot.pad(&game);
        tick(&mut game, pad);
        paused += usize::from(game.phase() == Phase::Paused);
        if let (Some(before), Some(now)) = (before, game.hero_pose()) {
            walked += (now.position - before.position).length();
        }
        recording.push(pad);
        recording.note(|| game.digest());
    }
    let bolts = game.progress().bolts;
    assert!(
        paused >= 90 && walked > 50.0 && bolts > 0,
        "it was played: {paused} ticks paused, {walked} units, {bolts} bolts"
    );
    recording
}

#[test]
fn a_recorded_minute_is_the_same_with_the_mod_as_without_it_at_either_rate() {
    for rate in [TickRate::Ntsc, TickRate::Pal] {
        is_the_same_with_the_mod(&recorded(rate));
    }
}

fn is_the_same_with_the_mod(recording: &Recording) {
    let library =
        ModLibrary::open(&library::library()).expect("cargo built the mod beside this test");
    let setup = Setup {
        settings: [("Name", "Alex"), ("Server", "127.0.0.1:1")]
            .map(|(key, value)| (key.to_owned(), value.to_owned()))
            .into(),
        build: "1.2.0/PLAY-00001".to_owned(),
        seed: recording.seed,
        rate: recording.rate,
        ..Setup::default()
    };
    let mut with = Game::load(&library, setup).expect("the mod loads");
    let mut without = StandIn::new(recording.seed).with_rate(recording.rate);
    let mut compared = 0;
    for number in 0..recording.ticks() {
        let pad = recording.pad(number);
        with.tick(pad);
        tick(&mut without, pad);
        let digest = with.look(StandIn::digest);
        assert_eq!(digest, without.digest(), "tick {number}");
        if let Some(recorded) = recording.digest(number + 1) {
            assert_eq!(digest, recorded, "tick {number}");
            compared += 1;
        }
    }
    assert_eq!(compared, SECONDS);
    assert!(with.unload().is_empty());
}

/// The same path as the program's own: `play --pad`, with its clock, its card and its bot's seat.
#[test]
fn the_beginning_of_that_minute_replays_to_the_same_digests_in_play() {
    const BEGINNING: usize = 6;
    let minute = recorded(TickRate::Ntsc);
    let mut beginning = Recording::new(minute.seed, minute.rate);
    for number in 0..BEGINNING * usize::from(minute.rate.per_second()) {
        beginning.push(minute.pad(number));
        beginning.note(|| minute.digest(number + 1).expect("one a second"));
    }
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("beginning");
    std::fs::create_dir_all(&folder).expect("can be made");
    let [file, again] = ["minute", "again"].map(|name| folder.join(name));
    beginning.save(&file).expect("can be written");
    assert!(played(&folder, Some(file), Some(again.clone())), "the same digests");
    let replayed = Recording::load(&again).expect("is one");
    assert_eq!(replayed, beginning);
    let last = BEGINNING * usize::from(minute.rate.per_second());
    assert_ne!(replayed.digest(last), None, "compared to its end");
}

/// A second at the title, by that pad or the bot; whether nothing was wrong.
fn played(folder: &Path, pad: Option<PathBuf>, record_pad: Option<PathBuf>) -> bool {
    let options = Play {
        name: "Alex".to_owned(),
        bot: Habit::Play,
        seconds: pad.is_none().then_some(1),
        pad,
        record_pad,
        seed: SEED,
        work_dir: Some(folder.to_path_buf()),
        library: Some(library::library()),
        ..Play::default()
    };
    play(&options).expect("plays")
}

#[test]
fn a_run_replays_what_it_recorded_and_says_when_it_went_another_way() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("pads");
    std::fs::create_dir_all(&folder).expect("can be made");
    let [first, again, other] = ["first", "again", "other"].map(|name| folder.join(name));
    assert!(played(&folder, None, Some(first.clone())));
    assert!(played(&folder, Some(first.clone()), Some(again.clone())), "the same digests");
    let [recorded, replayed] = [&first, &again].map(|file| Recording::load(file).expect("is one"));
    assert_eq!(recorded, replayed);
    assert!(recorded.ticks() >= 60 && recorded.digest(60).is_some());
    let text = recorded.to_string();
    let digest = text.lines().find(|line| line.starts_with("digest ")).expect("one a second");
    std::fs::write(&other, text.replace(digest, "digest 60 0")).expect("can be written");
    assert!(!played(&folder, Some(other), None), "another digest is said");
}
