//! One party of four from one seed, in which everything goes wrong: prints what happened to whom, where
//! they met, and the number that equal seeds share.
//!
//! `cargo run -p mp-lab --example one_party -- 7` (the seed; 1 without one)

use std::error::Error;
use std::time::Instant;

use mp_lab::{Lab, Options};

fn main() -> Result<(), Box<dyn Error>> {
    let seed = std::env::args().nth(1).map_or(Ok(1), |word| word.parse())?;
    let options = Options { seed, seconds: 20, players: 4, conditions: None, chaos: true };
    let start = Instant::now();
    let outcome = Lab::new(options).run();
    outcome.told.iter().for_each(|line| println!("{line}"));
    println!(
        "seed {seed}: {:?}, digest {:016x}; {:.0} s of play in {:.1} s",
        outcome.place,
        outcome.digest,
        outcome.played().as_secs_f64(),
        start.elapsed().as_secs_f64()
    );
    match outcome.failed {
        None => Ok(()),
        Some(failed) => Err(format!("{}\n{}", failed.what.join("\n"), failed.screens).into()),
    }
}
