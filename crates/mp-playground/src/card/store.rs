//! The card's files, `save0.bin` to `save4.bin` in the game's directory. A save is written to a
//! temporary file beside it, flushed to the disk and renamed over it, so that at any moment there is the
//! old save or the new one, whole.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use super::{Card, Damage, SAVE_SIZE, SLOTS, Slot};

/// The file of a slot.
#[must_use]
pub fn file_of(directory: &Path, slot: usize) -> PathBuf {
    directory.join(format!("save{slot}.bin"))
}

/// The card in that directory. A file that cannot be read counts as damaged, not as empty: an empty slot
/// may be written.
#[must_use]
pub fn read(directory: &Path) -> Card {
    let mut card = Card::default();
    for (number, slot) in card.slots.iter_mut().enumerate() {
        *slot = read_slot(&file_of(directory, number));
    }
    card
}

fn read_slot(path: &Path) -> Slot {
    let read = File::open(path).and_then(|file| {
        // One byte more than a save tells a longer file from one, whatever its length.
        let mut bytes = Vec::with_capacity(SAVE_SIZE + 1);
        file.take(SAVE_SIZE as u64 + 1).read_to_end(&mut bytes)?;
        Ok(bytes)
    });
    match read {
        Ok(bytes) => Slot::of(bytes.into()),
        Err(error) if error.kind() == ErrorKind::NotFound => Slot::Empty,
        Err(_) => Slot::Damaged(Damage::Size(0)),
    }
}

/// Writes a slot's file, whole or not at all.
///
/// # Errors
/// The disk's; the old file is as it was.
///
/// # Panics
/// If there is no such slot.
pub fn write(directory: &Path, slot: usize, file: &[u8]) -> io::Result<()> {
    assert!(slot < SLOTS, "a card has {SLOTS} slots");
    let path = file_of(directory, slot);
    let temporary = path.with_extension("bin.new");
    let written = write_flushed(&temporary, file).and_then(|()| fs::rename(&temporary, &path));
    if let Err(error) = written {
        // It is of no use to anyone, and the error that counts is the first.
        drop(fs::remove_file(&temporary));
        return Err(error);
    }
    flush_directory(directory)
}

fn write_flushed(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = File::create(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

/// Makes the rename itself last. Windows has no handle of a directory to flush.
#[cfg(unix)]
fn flush_directory(directory: &Path) -> io::Result<()> {
    File::open(directory)?.sync_all()
}

#[cfg(not(unix))]
#[allow(clippy::unnecessary_wraps)] // it has the other's shape
fn flush_directory(_directory: &Path) -> io::Result<()> {
    Ok(())
}
