//! With the mod on and no party, the game is the plain game: the same recorded pad leads to the same
//! state, second by second.

#[path = "common/library.rs"]
mod library;

use mp_playground::bots::{Bot, Errand, Habit};
use mp_playground::game::{Phase, StandIn};
use mp_playground::host::{Game, ModLibrary, Setup};
use mp_playground::run::Recording;
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
fn recorded() -> Recording {
    let rate = TickRate::Ntsc;
    let mut game = StandIn::new(SEED).with_rate(rate);
    let mut bot = Bot::new(Errand::Choose("New Game".to_owned()), Habit::Walk, SEED);
    let mut recording = Recording::new(SEED, rate);
    let (mut paused, mut walked) = (0, 0.0_f32);
    for number in 0..SECONDS * 60 {
        if number == 30 * 60 {
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
    assert!(paused >= 90 && walked > 50.0, "it was played: {paused} ticks paused, {walked} units");
    recording
}

#[test]
fn a_recorded_minute_is_the_same_with_the_mod_as_without_it() {
    let recording = recorded();
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
