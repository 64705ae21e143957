//! A game's memory card.

use std::path::Path;

use mp_playground::card::{LevelMemory, Save, store};
use mp_playground::progress::Progress;

/// Puts a save into the first slot of that game's card, and makes its directory if there is none.
pub fn with_a_save(work_dir: &Path, level: u8, gold_bolts: usize) {
    let mut progress = Progress::new();
    progress.gold_bolts[..gold_bolts].fill(true);
    let save = Save {
        level,
        health: 4,
        seconds_played: 3_723,
        progress,
        levels: std::array::from_fn(|_| LevelMemory::default()),
    };
    std::fs::create_dir_all(work_dir).expect("the target folder can be written");
    store::write(work_dir, 0, &save.encode()).expect("likewise");
}
