//! One game at one tick, as far as an invariant looks at it.

use super::BoltWords;
use crate::game::{BoltAccount, Phase, StandIn};
use crate::progress::Progress;

/// What a game is in its party.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Role {
    /// In no party.
    #[default]
    Alone,
    /// Hosts it.
    Host,
    /// Is a member.
    Member,
}

/// One game at one tick.
#[derive(Clone, Debug, PartialEq)]
pub struct Sight {
    /// The player, by a name that no other has.
    pub name: String,
    /// What it is in its party, as whoever drives it knows.
    pub role: Role,
    /// What it says reaches the party, and the other way round. `false` while a test cuts its link: what
    /// must come about in a time then has more.
    pub linked: bool,
    /// What it is doing.
    pub phase: Phase,
    /// The level its hero is in.
    pub level: Option<i32>,
    /// The player has control of the hero.
    pub in_control: bool,
    /// Whose figures its level has, shown or not.
    pub figures: Vec<String>,
    /// The level's records that are still there, a bit each, the lowest first.
    pub live: Vec<u64>,
    /// What the hero has.
    pub progress: Progress,
    /// The bolts since the game's start.
    pub bolts: BoltAccount,
    /// What was said of bolts on its link.
    pub words: BoltWords,
    /// What the mod did that it must not.
    pub faults: Vec<String>,
    /// How the card's files differ from what the game has of them.
    pub card: Option<String>,
}

impl Sight {
    /// The game as it is between two ticks. Words, faults and the card are for whoever holds the link, the
    /// mod and the files to fill in.
    #[must_use]
    pub fn of(name: &str, role: Role, game: &StandIn) -> Self {
        Self {
            name: name.to_owned(),
            role,
            linked: true,
            phase: game.phase(),
            level: game.level(),
            in_control: game.in_control(),
            figures: game.figures().iter().map(|figure| figure.name.clone()).collect(),
            live: live(game),
            progress: game.progress().clone(),
            bolts: game.bolt_account(),
            words: BoltWords::default(),
            faults: Vec::new(),
            card: None,
        }
    }

    /// Whether it is in the party, and the party can reach it.
    pub(super) fn takes_part(&self) -> bool {
        self.linked && self.role != Role::Alone
    }

    /// Whether it is at the title, out of every game.
    pub(super) const fn is_out(&self) -> bool {
        matches!(self.phase, Phase::Boot | Phase::Title | Phase::TitlePage)
    }
}

fn live(game: &StandIn) -> Vec<u64> {
    let mut bits = vec![0; usize::from(game.level_records()).div_ceil(64)];
    for key in game.mobys().filter_map(|moby| moby.key) {
        bits[usize::from(key / 64)] |= 1 << (key % 64);
    }
    bits
}
