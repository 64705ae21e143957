//! What is not taken of what the others say in a level, and why: each is dropped, counted by reason, told
//! to the trace, and changes nothing in the game (B3.4, protocol.md 3).

use std::collections::BTreeMap;

use mp_protocol::game::Kind;
use thiserror::Error;

/// Why a message is dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Error)]
pub enum Refused {
    /// More of them a second than the game allows (B3.4).
    #[error("{0:?} over its rate")]
    TooOften(Kind),
    /// About, or from, another level than this game's.
    #[error("{0:?} of another level")]
    OtherLevel(Kind),
    /// About a moby that is not, or is no more.
    #[error("{0:?} of no moby")]
    NoMoby(Kind),
    /// About a moby that this is never said of: a claim for a crate, a hit on a bolt.
    #[error("{0:?} of the wrong kind of moby")]
    WrongMoby(Kind),
    /// So old that the ids in it may be others' by now.
    #[error("{0:?} of long ago")]
    Old(Kind),
    /// A HIT or a DAMAGE of less than nothing, or of more than any weapon deals (B3.4).
    #[error("{0:?} of that much damage")]
    Damage(Kind),
    /// A HIT or a DAMAGE that throws faster than any weapon does.
    #[error("{0:?} of that much push")]
    Push(Kind),
    /// A CLAIM for what somebody else has, or the asker itself.
    #[error("CLAIM of what was given already")]
    Taken,
    /// It hurts a hero whom nobody controls (B5.8).
    #[error("DAMAGE of one without control")]
    NoControl,
}

/// How often what was refused.
#[derive(Debug, Default)]
pub(crate) struct RefusedCounts(BTreeMap<Refused, u64>);

impl RefusedCounts {
    /// Counts it.
    pub(crate) fn count(&mut self, why: Refused) {
        *self.0.entry(why).or_default() += 1;
    }

    /// Each, and how often it was.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (Refused, u64)> {
        self.0.iter().map(|(why, count)| (*why, *count))
    }

    /// How often that was.
    pub(crate) fn of(&self, why: Refused) -> u64 {
        self.0.get(&why).copied().unwrap_or_default()
    }
}
