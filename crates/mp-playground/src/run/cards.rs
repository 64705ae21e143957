//! The games' cards in a run: a save to begin with, and whether the files are as the game has them.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::Path;

use crate::card::{Save, Slot, store};
use crate::game::StandIn;
use crate::progress::Progress;

/// A gold bolt that the save has.
pub(super) const FORGOTTEN: usize = 12;

/// Gives a card that has no first save one, so that there is something that must not change.
pub(super) fn give_a_save(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    if store::file_of(folder, 0).exists() {
        return Ok(());
    }
    // One who was on Kerwan, and knows the way to Novalis.
    let mut progress = Progress::default();
    progress.gold_bolts[FORGOTTEN..FORGOTTEN + 2].fill(true);
    progress.planets[1] = true;
    progress.planets[3] = true;
    let save =
        Save { level: 0, health: 4, seconds_played: 754, progress, levels: Default::default() };
    store::write(folder, 0, &save.encode())
}

/// How the files in the folder differ from the card that the game has: it is the game alone that
/// writes them.
pub(super) fn difference(game: &StandIn, folder: &Path) -> Option<String> {
    let slots = game.card()?.slots.iter().enumerate();
    let mut differences = slots.filter_map(|(number, slot)| {
        let file = store::file_of(folder, number);
        let words = match (fs::read(&file), slot) {
            (Ok(bytes), Slot::Used { file, .. }) if bytes == **file => return None,
            (Ok(_), Slot::Damaged(_)) => return None,
            (Err(error), Slot::Empty) if error.kind() == ErrorKind::NotFound => return None,
            (Ok(_), Slot::Used { .. }) => "is not as the game has it".to_owned(),
            (Ok(_), Slot::Empty) => "is not the game's".to_owned(),
            (Err(error), _) => error.to_string(),
        };
        Some(format!("save{number}.bin {words}"))
    });
    differences.next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_change_of_the_files_is_seen() {
        let folder =
            std::env::temp_dir().join(format!("mp-playground-cards-{}", std::process::id()));
        give_a_save(&folder).expect("the folder can be written");
        let mut game = StandIn::new(1);
        game.insert_card(store::read(&folder));
        assert!(game.card_slot(0).is_some_and(|slot| slot.save().is_some()));
        assert_eq!(difference(&game, &folder), None);
        let first = store::file_of(&folder, 0);
        let whole = fs::read(&first).expect("is there");
        let mut flipped = whole.clone();
        flipped[9_000] ^= 0x10;
        fs::write(&first, flipped).expect("can be written");
        let words = "save0.bin is not as the game has it";
        assert_eq!(difference(&game, &folder).as_deref(), Some(words));
        fs::write(&first, &whole).expect("can be written");
        fs::write(store::file_of(&folder, 3), &whole).expect("can be written");
        assert_eq!(difference(&game, &folder).as_deref(), Some("save3.bin is not the game's"));
        fs::remove_dir_all(&folder).expect("can be removed");
        assert!(difference(&game, &folder).is_some_and(|words| words.starts_with("save0.bin ")));
    }
}
