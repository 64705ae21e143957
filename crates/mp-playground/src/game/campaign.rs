//! What a game keeps from level to level: what the hero has, what is gone where, how long it was played.
//! This is what a save is made of.

use crate::card::{LEVELS, LevelMemory, Save};
use crate::progress::Progress;
use crate::sim::{Digest, TickRate};

/// One game from its start on Veldin.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Campaign {
    pub(super) progress: Progress,
    pub(super) levels: [LevelMemory; LEVELS],
    /// Ticks in a level so far.
    pub(super) ticks_played: u64,
}

impl Campaign {
    /// The game a save goes on with.
    pub(super) fn of(save: Save, rate: TickRate) -> Self {
        Self {
            progress: save.progress,
            levels: save.levels,
            ticks_played: u64::from(save.seconds_played) * u64::from(rate.per_second()),
        }
    }

    /// The save of a hero in that level with that health; `None` where a save cannot be: in a level
    /// without a section, or with a dead hero.
    pub(super) fn save(&self, level: i32, health: i16, rate: TickRate) -> Option<Save> {
        let level = u8::try_from(level).ok().filter(|&level| usize::from(level) < LEVELS)?;
        let seconds = self.ticks_played / u64::from(rate.per_second());
        (health > 0).then(|| Save {
            level,
            health,
            seconds_played: u32::try_from(seconds).unwrap_or(u32::MAX),
            progress: self.progress.clone(),
            levels: self.levels.clone(),
        })
    }

    pub(super) fn digest(&self, digest: &mut Digest) {
        let Progress { items, gold_bolts, planets, bolts } = &self.progress;
        for &had in items.iter().chain(gold_bolts).chain(planets) {
            digest.byte(u8::from(had));
        }
        digest.word(u64::from(bolts.cast_unsigned())).word(self.ticks_played);
        for level in &self.levels {
            digest.word(u64::from(level.seen));
            for &key in &level.gone {
                digest.word(u64::from(key));
            }
            // Ends the list, which another level's follows.
            digest.byte(0xff);
        }
    }
}
