//! The calls about the memory card, and the start of a game from a save; and the card's files, which the
//! game's own saves are written to.

use std::ffi::c_void;

use sdk_bindings::{LEVEL_NONE, OpenracCardSave, PLAY_NEW, PLAY_SAVE};

use super::args::Arg;
use super::door::{Door, enter};
use super::faults::FaultKind;
use super::table::calls;
use crate::card::{SAVE_SIZE, Save, Slot, store};
use crate::game::Start;

calls! {
    fn card_save(door, slot: u8, out: *mut OpenracCardSave) -> u8 {
        let game = door.game()?;
        let Some(slot) = game.card_slot(slot) else { return Ok(0) };
        let mut save = OpenracCardSave::ZERO;
        save.used = u8::from(*slot != Slot::Empty);
        save.damaged = u8::from(matches!(slot, Slot::Damaged(_)));
        if let Some(held) = slot.save() {
            save.level = i32::from(held.level);
            save.gold_bolts = held.progress.gold_bolt_count();
            save.seconds_played = held.seconds_played;
        }
        out.set(save)?;
        Ok(1)
    }

    fn save_read(door, slot: u8, buf: *mut u8, capacity: usize) -> usize {
        let game = door.game()?;
        let Some(Slot::Used { file, .. }) = game.card_slot(slot) else { return Ok(0) };
        // SAFETY: it is the capacity that came with the buffer.
        unsafe { buf.fill(capacity, file) }?;
        Ok(file.len())
    }

    fn save_capture(door, buf: *mut u8, capacity: usize) -> usize {
        let Some(save) = door.game()?.capture() else { return Ok(0) };
        let file = save.encode();
        // SAFETY: it is the capacity that came with the buffer.
        unsafe { buf.fill(capacity, &file) }?;
        Ok(file.len())
    }

    fn play_start(door, mode: u8, save: *const u8, save_size: usize, level: i32) -> u8 {
        let level = (level != LEVEL_NONE).then_some(level);
        let start = match mode {
            PLAY_NEW => Start::New,
            PLAY_SAVE if save_size != SAVE_SIZE => return Ok(0),
            PLAY_SAVE => {
                let size = u32::try_from(save_size).expect("a save is small");
                // SAFETY: it is the size that came with the save.
                let file = unsafe { save.many(size, SAVE_SIZE) }?;
                match Save::decode(&file) {
                    Ok(save) => Start::Save(Box::new(save)),
                    Err(_) => return Ok(0),
                }
            }
            other => return Err(FaultKind::Unknown(other)),
        };
        Ok(u8::from(door.game()?.play_start(start, level)))
    }
}

impl Door {
    /// Puts in the card of the game's directory, if it has one.
    pub(super) fn insert_card(&self) -> Result<(), FaultKind> {
        let directory = &self.setup.work_dir;
        if !directory.as_os_str().is_empty() {
            self.game()?.insert_card(store::read(directory));
        }
        Ok(())
    }

    /// Writes what the game wants saved.
    pub(super) fn write_saves(&self) -> Result<(), FaultKind> {
        loop {
            let write = self.game()?.poll_write();
            let Some(write) = write else { return Ok(()) };
            let written = store::write(&self.setup.work_dir, write.slot, &write.file);
            if let Err(error) = &written {
                self.game_says(format!("save{}.bin: {error}", write.slot));
            }
            self.game()?.written(&write, written.is_ok());
        }
    }
}
