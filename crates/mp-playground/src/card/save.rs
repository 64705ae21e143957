//! What a save keeps, and how it is written in the chunks of its sections.

use std::collections::BTreeSet;

use super::sections::{Chunks, Damage, LEVELS, decode, encode};
use crate::progress::Progress;

/// Moby records a level may have at most for a save to remember them: keys are below this.
pub const RECORDS: u16 = 2_048;
/// Scenes a level may have at most for a save to remember them.
pub const SCENES: u8 = 32;

/// The global section's chunks.
const LEVEL: i32 = 1;
const BOLTS: i32 = 2;
const HEALTH: i32 = 3;
const SECONDS: i32 = 4;
const ITEMS: i32 = 5;
const GOLD_BOLTS: i32 = 6;
const PLANETS: i32 = 7;
/// A level section's chunks.
const GONE: i32 = 1;
const SEEN: i32 = 2;

/// What a level keeps of what was done in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LevelMemory {
    /// The records whose mobys are gone for good, by their key, below [`RECORDS`].
    pub gone: BTreeSet<u16>,
    /// The level's scenes that were shown and are not shown by themselves again, a bit a scene.
    pub seen: u32,
}

/// A game at a moment, as its save keeps it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Save {
    /// The level the hero is in, below [`LEVELS`].
    pub level: u8,
    /// His health, 1 and up.
    pub health: i16,
    /// Seconds played since the new game.
    pub seconds_played: u32,
    /// What he has.
    pub progress: Progress,
    /// What each level keeps.
    pub levels: [LevelMemory; LEVELS],
}

impl Save {
    /// A save of an hour's play in that level, with full health and nothing found.
    #[must_use]
    pub fn in_level(level: u8) -> Self {
        Self {
            level,
            health: 4,
            seconds_played: 3_600,
            progress: Progress::new(),
            levels: std::array::from_fn(|_| LevelMemory::default()),
        }
    }

    /// The save as a file, of [`SAVE_SIZE`](super::SAVE_SIZE) bytes.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let bytes = |had: &[bool]| had.iter().map(|&had| u8::from(had)).collect::<Vec<u8>>();
        let global = Chunks::from([
            (LEVEL, u32::from(self.level).to_le_bytes().to_vec()),
            (BOLTS, self.progress.bolts.to_le_bytes().to_vec()),
            (HEALTH, self.health.to_le_bytes().to_vec()),
            (SECONDS, self.seconds_played.to_le_bytes().to_vec()),
            (ITEMS, bytes(&self.progress.items)),
            (GOLD_BOLTS, bytes(&self.progress.gold_bolts)),
            (PLANETS, bytes(&self.progress.planets)),
        ]);
        let level = |level: &LevelMemory| {
            let mut gone = vec![0_u8; usize::from(RECORDS / 8)];
            for &key in level.gone.iter().filter(|&&key| key < RECORDS) {
                gone[usize::from(key / 8)] |= 1 << (key % 8);
            }
            Chunks::from([(GONE, gone), (SEEN, level.seen.to_le_bytes().to_vec())])
        };
        encode(&global, &self.levels.each_ref().map(level))
    }

    /// The save of a file.
    ///
    /// # Errors
    /// What is damaged: nothing of it can be trusted then.
    pub fn decode(file: &[u8]) -> Result<Self, Damage> {
        let (global, levels) = decode(file)?;
        let global = Section { number: 0, chunks: &global };
        let level = u32::from_le_bytes(global.array(LEVEL)?);
        let level = u8::try_from(level).ok().filter(|&level| usize::from(level) < LEVELS);
        let health = i16::from_le_bytes(global.array(HEALTH)?);
        let bolts = i32::from_le_bytes(global.array(BOLTS)?);
        let progress = Progress {
            items: global.flags(ITEMS)?,
            gold_bolts: global.flags(GOLD_BOLTS)?,
            planets: global.flags(PLANETS)?,
            bolts: if bolts >= 0 { bolts } else { return Err(global.wrong(BOLTS)) },
        };
        let mut memories: [LevelMemory; LEVELS] = std::array::from_fn(|_| LevelMemory::default());
        for (index, (memory, chunks)) in memories.iter_mut().zip(&levels).enumerate() {
            *memory = level_memory(&Section { number: index + 1, chunks })?;
        }
        Ok(Self {
            level: level.ok_or_else(|| global.wrong(LEVEL))?,
            health: if health > 0 { health } else { return Err(global.wrong(HEALTH)) },
            seconds_played: u32::from_le_bytes(global.array(SECONDS)?),
            progress,
            levels: memories,
        })
    }
}

fn level_memory(section: &Section<'_>) -> Result<LevelMemory, Damage> {
    let bits: [u8; RECORDS as usize / 8] = section.array(GONE)?;
    let gone = (0..RECORDS).filter(|key| bits[usize::from(key / 8)] >> (key % 8) & 1 == 1);
    Ok(LevelMemory { gone: gone.collect(), seen: u32::from_le_bytes(section.array(SEEN)?) })
}

struct Section<'a> {
    number: usize,
    chunks: &'a Chunks,
}

impl Section<'_> {
    const fn wrong(&self, id: i32) -> Damage {
        Damage::Chunk { section: self.number, id }
    }

    fn array<const N: usize>(&self, id: i32) -> Result<[u8; N], Damage> {
        let bytes = self.chunks.get(&id).and_then(|bytes| bytes.as_slice().try_into().ok());
        bytes.ok_or_else(|| self.wrong(id))
    }

    fn flags<const N: usize>(&self, id: i32) -> Result<[bool; N], Damage> {
        let bytes: [u8; N] = self.array(id)?;
        let all = bytes.iter().all(|&byte| byte <= 1);
        if all { Ok(bytes.map(|byte| byte == 1)) } else { Err(self.wrong(id)) }
    }
}
