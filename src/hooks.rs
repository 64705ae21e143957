//! What the game asks and tells the mod while it plays, as values; and what holds of the answers while
//! the mod itself is at work. Nothing is decided here.

use crate::game::{Figure, Gone, Hit, Kinds, MobyHandle, Shot, Skip};

/// What the game asks before it does something, to be answered with whether it may.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Asked {
    /// The hero is about to leave for a level. Refused: the ship lands again.
    Travel {
        /// Which level.
        level: i32,
        /// By the ship, not by a scene or a door.
        by_ship: bool,
    },
    /// Start was pressed in a scene or a movie. Refused: it plays on.
    Skip(Skip),
    /// A moby is about to be made in play, by the game. Refused: it is not made.
    Make {
        /// Of the game's moby classes.
        class: i16,
        /// What it is.
        kinds: Kinds,
        /// Who makes it; `None`: the level's own code.
        maker: Option<MobyHandle>,
        /// Where, in the game's units.
        position: [f32; 3],
    },
    /// A hit is about to land. Refused: it does not.
    Hit(Hit),
    /// A bolt reached the hero or a figure. Refused: the count stays as it is; the bolt is gone either
    /// way.
    Bolt {
        /// The bolt.
        moby: MobyHandle,
        /// Whose it is: the hero's moby or a figure's.
        collector: Option<MobyHandle>,
        /// In bolts.
        value: i32,
    },
}

/// What is answered before each update of a moby.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gate {
    /// It updates.
    Run,
    /// It does not.
    Skip,
    /// It updates, and sees that figure as the hero.
    StandIn(Figure),
}

/// What the game tells when it happened.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Happened {
    /// The hero fired.
    Shot(Shot),
    /// A moby was made in play, by the game.
    Made {
        /// The moby.
        moby: MobyHandle,
        /// Of the game's moby classes.
        class: i16,
        /// What it is.
        kinds: Kinds,
        /// Who made it; `None`: the level's own code.
        maker: Option<MobyHandle>,
    },
    /// A moby went: its handle may be another's by the time this is read.
    Gone {
        /// What it was.
        moby: MobyHandle,
        /// Who removed it.
        how: Gone,
        /// The moby that did, if one did.
        by: Option<MobyHandle>,
    },
    /// A crate broke.
    Broke {
        /// The crate.
        moby: MobyHandle,
        /// What broke it, if anything.
        by: Option<MobyHandle>,
    },
    /// A pickup that is no bolt was taken.
    PickedUp {
        /// The pickup.
        moby: MobyHandle,
        /// The hero's moby.
        by: Option<MobyHandle>,
    },
}

/// What is answered while the mod is at work and cannot be asked: from inside a call of its own, such as
/// the break of a crate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Standing {
    /// The kinds of moby that are not to be made, nor taken if they are bolts.
    pub refused: Kinds,
}

impl Standing {
    /// Whether what is asked may be. What this does not know of goes the game's own way.
    #[must_use]
    pub fn allows(self, asked: &Asked) -> bool {
        match asked {
            Asked::Make { kinds, .. } => !kinds.any(self.refused),
            Asked::Bolt { .. } => !Kinds::BOLT.any(self.refused),
            Asked::Travel { .. } | Asked::Skip(_) | Asked::Hit(_) => true,
        }
    }
}
