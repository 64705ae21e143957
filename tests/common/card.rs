//! A game's memory card.

use std::path::Path;

use mp_playground::card::{Save, store};

/// Puts a save into the first slot of that game's card, and makes its directory if there is none.
pub fn with_a_save(work_dir: &Path, level: u8, gold_bolts: usize) {
    let mut save = Save { seconds_played: 3_723, ..Save::in_level(level) };
    save.progress.gold_bolts[..gold_bolts].fill(true);
    std::fs::create_dir_all(work_dir).expect("the target folder can be written");
    store::write(work_dir, 0, &save.encode()).expect("likewise");
}
