//! The memory card: five slots, each a save file or nothing. The card in the game is plain values; only
//! [`store`] touches files. A save that is damaged is shown as damaged and never loaded.

mod crc;
mod save;
mod sections;
pub mod store;
#[cfg(test)]
mod tests;

use std::sync::Arc;

pub use save::{LevelMemory, RECORDS, SCENES, Save};
pub use sections::{Damage, LEVELS, SAVE_SIZE, sealed};

/// How many slots a card has (interface.md).
pub const SLOTS: usize = 5;

/// What a slot holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Slot {
    /// Nothing.
    #[default]
    Empty,
    /// A file that is no whole save, and why.
    Damaged(Damage),
    /// A save, with its file as it is.
    Used {
        /// The file's bytes.
        file: Arc<[u8]>,
        /// What they say.
        save: Box<Save>,
    },
}

impl Slot {
    /// The slot of a file with these bytes.
    #[must_use]
    pub fn of(file: Arc<[u8]>) -> Self {
        match Save::decode(&file) {
            Ok(save) => Self::Used { file, save: Box::new(save) },
            Err(damage) => Self::Damaged(damage),
        }
    }

    /// The save in it that can be loaded.
    #[must_use]
    pub fn save(&self) -> Option<&Save> {
        match self {
            Self::Used { save, .. } => Some(save),
            Self::Empty | Self::Damaged(_) => None,
        }
    }
}

/// A card.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Card {
    /// Its slots, `save0.bin` first.
    pub slots: [Slot; SLOTS],
}
