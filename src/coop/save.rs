//! What a game starts from, and a save on its way in: CHUNKs put together to the byte (B4.2). Nothing of a
//! save is looked at, and nothing is set aside for what has not come yet.

use std::time::Duration;

use mp_netcode::LocalTime;
use mp_protocol::game::{Chunk, PlayId};
use mp_protocol::limits::SAVE_MAX;
use thiserror::Error;

use crate::game::Start;

/// How long the next chunk of a save may take: 16,000 bytes at 1.6 KB a second.
pub(super) const CHUNK_WITHIN: Duration = Duration::from_secs(10);
/// How long all of it may: the largest at that pace, and some. Without it a host that sends a byte now and
/// then would leave a player at `Starting` for a day.
const SAVE_WITHIN: Duration = Duration::from_secs(180);

/// What a game starts from: what the host chose for its party (B2.4), and what came of it at a member.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct HostSave(Vec<u8>);

impl HostSave {
    /// A new game.
    pub const NEW_GAME: Self = Self(Vec::new());

    /// A save, which only the game reads; `None` if it is empty or larger than PLAY carries.
    pub fn of(save: Vec<u8>) -> Option<Self> {
        let fits = u32::try_from(save.len()).is_ok_and(|size| (1..=SAVE_MAX).contains(&size));
        fits.then_some(Self(save))
    }

    /// As the game is told.
    pub(super) fn as_start(&self) -> Start<'_> {
        if self.0.is_empty() { Start::NewGame } else { Start::Save(&self.0) }
    }

    /// The save's bytes; none of a new game.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// How many bytes that are.
    pub(super) fn size(&self) -> u32 {
        u32::try_from(self.0.len()).expect("SAVE_MAX at most")
    }
}

/// What is wrong with a save's chunks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub(super) enum Broken {
    /// Bytes before it are missing.
    #[error("its chunk at {at} came after {had} bytes")]
    Gap { at: usize, had: usize },
    /// It was there already.
    #[error("its chunk at {at} came again after {had} bytes")]
    Overlap { at: usize, had: usize },
    /// More than PLAY said.
    #[error("it has more than {size} bytes")]
    TooLong { size: usize },
    /// Nothing came for long.
    #[error("only {had} of {size} bytes came")]
    Silent { had: usize, size: usize },
    /// It comes too slowly to be waited for.
    #[error("only {had} of {size} bytes came in {} s", SAVE_WITHIN.as_secs())]
    Slow { had: usize, size: usize },
}

/// A save of which a part is there.
#[derive(Debug)]
pub(super) struct Incoming {
    play: PlayId,
    size: usize,
    bytes: Vec<u8>,
    began: LocalTime,
    heard: LocalTime,
}

impl Incoming {
    /// A save of `size` bytes, checked by PLAY's decoder; `now` is the patient clock.
    pub(super) fn new(play: PlayId, size: u32, now: LocalTime) -> Self {
        Self { play, size: size as usize, bytes: Vec::new(), began: now, heard: now }
    }

    /// Takes a chunk. Those of another play are dropped. Returns the save when it is whole.
    pub(super) fn take(
        &mut self,
        chunk: &Chunk,
        now: LocalTime,
    ) -> Result<Option<HostSave>, Broken> {
        if chunk.play != self.play {
            return Ok(None);
        }
        let (at, had, size) = (chunk.offset as usize, self.bytes.len(), self.size);
        if at > had {
            return Err(Broken::Gap { at, had });
        }
        if at < had {
            return Err(Broken::Overlap { at, had });
        }
        if chunk.bytes.len() > size - had {
            return Err(Broken::TooLong { size });
        }
        self.heard = now;
        self.bytes.extend_from_slice(chunk.bytes);
        Ok((self.bytes.len() == size).then(|| HostSave(std::mem::take(&mut self.bytes))))
    }

    /// What to say of one that stopped coming, or comes too slowly, by the patient clock.
    pub(super) fn late(&self, now: LocalTime) -> Option<Broken> {
        let (had, size) = (self.bytes.len(), self.size);
        if now.since(self.heard) >= CHUNK_WITHIN {
            Some(Broken::Silent { had, size })
        } else if now.since(self.began) >= SAVE_WITHIN {
            Some(Broken::Slow { had, size })
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn take(save: &mut Incoming, offset: u32, bytes: &[u8]) -> Result<Option<Vec<u8>>, Broken> {
        let taken = save.take(&Chunk { play: PlayId(3), offset, bytes }, LocalTime::ZERO);
        taken.map(|whole| whole.map(|save| save.0))
    }

    fn of_ten() -> Incoming {
        Incoming::new(PlayId(3), 10, LocalTime::ZERO)
    }

    /// B4.2
    #[test]
    fn chunks_in_order_make_the_save() {
        let mut save = of_ten();
        assert_eq!(take(&mut save, 0, &[1; 4]), Ok(None));
        assert_eq!(take(&mut save, 4, &[2; 4]), Ok(None));
        assert_eq!(take(&mut save, 8, &[3; 2]), Ok(Some(vec![1, 1, 1, 1, 2, 2, 2, 2, 3, 3])));
    }

    /// B4.2
    #[test]
    fn a_gap_an_overlap_and_what_exceeds_the_size_break_it() {
        assert_eq!(take(&mut of_ten(), 4, &[1; 4]), Err(Broken::Gap { at: 4, had: 0 }));
        let mut twice = of_ten();
        assert_eq!(take(&mut twice, 0, &[1; 4]), Ok(None));
        assert_eq!(take(&mut twice, 0, &[1; 4]), Err(Broken::Overlap { at: 0, had: 4 }));
        assert_eq!(take(&mut twice, 3, &[1; 4]), Err(Broken::Overlap { at: 3, had: 4 }));
        let mut long = of_ten();
        assert_eq!(take(&mut long, 0, &[1; 6]), Ok(None));
        assert_eq!(take(&mut long, 6, &[1; 5]), Err(Broken::TooLong { size: 10 }));
        assert_eq!(take(&mut of_ten(), 0, &[0; 11]), Err(Broken::TooLong { size: 10 }));
    }

    /// protocol.md 3, "Elsewhere"
    #[test]
    fn chunks_of_another_play_are_dropped() {
        let mut save = of_ten();
        let other = Chunk { play: PlayId(2), offset: 7, bytes: &[9; 10] };
        assert!(matches!(save.take(&other, LocalTime::ZERO), Ok(None)));
        assert_eq!(take(&mut save, 0, &[1; 10]), Ok(Some(vec![1; 10])));
    }

    /// protocol.md 3: 1 to 262,144 bytes.
    #[test]
    fn a_save_that_play_cannot_carry_is_none() {
        assert!(HostSave::of(Vec::new()).is_none());
        assert!(HostSave::of(vec![0; SAVE_MAX as usize]).is_some());
        assert!(HostSave::of(vec![0; SAVE_MAX as usize + 1]).is_none());
    }

    /// protocol.md, "Sizes are checked before anything is allocated": a PLAY of any size costs nothing until
    /// its bytes come.
    #[test]
    fn nothing_is_set_aside_for_what_has_not_come() {
        let save = Incoming::new(PlayId(1), SAVE_MAX, LocalTime::ZERO);
        assert_eq!(save.bytes.capacity(), 0);
    }
}
