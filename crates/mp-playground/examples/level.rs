//! A game without a mod and without a window: a bot plays the first level for some seconds, faster than
//! real time. Prints the game's digest, which equal seeds share, and draws what is there.
//!
//! `cargo run -p mp-playground --example level -- 10 level.png` (seconds, and where to draw)

use std::error::Error;
use std::path::Path;

use mp_playground::bots::{Bot, Errand, Habit};
use mp_playground::game::{Phase, StandIn};
use mp_playground::picture::{Picture, View};
use mp_playground::sim::Pad;

/// Of the simulation and of the bot.
const SEED: u64 = 1;

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let seconds: u32 = words.next().map_or(Ok(10), |word| word.parse())?;
    let mut game = StandIn::new(SEED);
    // Of the menus it wants a new game, and in the level it goes after what there is.
    let new_game = Errand::Choose("New Game".to_owned());
    let mut bot = Bot::new(new_game, Habit::Play, SEED).who_skips(60);
    while game.phase() != Phase::Playing {
        tick(&mut game, &mut bot);
    }
    for _ in 0..seconds * u32::from(game.tick_rate()) {
        tick(&mut game, &mut bot);
    }
    let bolts = game.progress().bolts;
    println!("{seconds} s in the level: {bolts} bolts, digest {:016x}", game.digest());
    if let Some(file) = words.next() {
        Picture::of(&[View::new(&game, "Nova_7")]).save(Path::new(&file))?;
        println!("drawn to {file}");
    }
    Ok(())
}

/// One tick, with nobody to answer what the game would ask a mod.
fn tick(game: &mut StandIn, bot: &mut Bot) {
    let pad: Pad = bot.pad(game);
    game.read_pad(pad);
    while game.poll_call().is_some() {}
    game.step();
    while game.poll_call().is_some() {}
}
