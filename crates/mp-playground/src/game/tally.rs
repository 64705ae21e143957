//! What came about in a game since it started, over all its levels: for reports and for whoever checks
//! that no bolt is lost or paid twice. The game itself never looks at it.

use std::collections::BTreeMap;

use super::StandIn;
use crate::sim::{BoltTally, Moby, World};

/// The bolts of a game since its start, by their value where nothing else is said.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BoltAccount {
    /// Placed in its levels, or dropped by the game itself.
    pub dropped: i64,
    /// Fell out of the world.
    pub expired: i64,
    /// Lay or flew when their level was left.
    pub left_behind: i64,
    /// Lie or fly in the level being played.
    pub lying: i64,
    /// Were credited to this player: taken by the hero, or given by the mod.
    pub credited: i64,
    /// Of these, what the mod gave.
    pub given: i64,
    /// How many the mod took out of the level, whatever each is worth.
    pub removed: u64,
}

/// What is kept over the levels.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Tally {
    bolts: BoltTally,
    left_behind: i64,
    /// Bolts that a mod gave the hero.
    pub(super) given: i64,
    /// Enemies killed: by the player whose figure it was, the game's own hero under the empty name.
    pub(super) kills: BTreeMap<String, u32>,
}

impl Tally {
    /// Closes the account of a level that is left.
    pub(super) fn leave(&mut self, world: Option<&World>) {
        let Some(world) = world else { return };
        self.left_behind += lying(world);
        self.bolts = self.bolts + world.bolts();
    }
}

/// The value of the bolts that lie or fly in a level.
fn lying(world: &World) -> i64 {
    world.mobys().iter().map(Moby::value).map(i64::from).sum()
}

impl StandIn {
    /// The bolts since the start, the level being played included.
    #[must_use]
    pub fn bolt_account(&self) -> BoltAccount {
        let Tally { bolts, left_behind, given, .. } = self.tally;
        let now = self.world.as_ref().map(World::bolts).unwrap_or_default();
        let BoltTally { dropped, expired, taken, removed } = bolts + now;
        let lying = self.world.as_ref().map_or(0, lying);
        let credited = taken + given;
        BoltAccount { dropped, expired, left_behind, lying, credited, given, removed }
    }

    /// The enemies killed here since the start: by the player whose figure it was, the game's own hero
    /// under the empty name.
    #[must_use]
    pub const fn kills(&self) -> &BTreeMap<String, u32> {
        &self.tally.kills
    }
}
