//! What the hero is given: by the game when he finds it, and by a mod.

use super::StandIn;
use crate::progress::{Gift, Progress};
use crate::sim::TICKS_PER_SECOND;

/// How long the banner of a gift shows, in ticks.
const BANNER_TICKS: u32 = 4 * TICKS_PER_SECOND;

impl StandIn {
    /// What the hero has.
    #[must_use]
    pub const fn progress(&self) -> &Progress {
        &self.campaign.progress
    }

    /// Gives the hero something, with its banner. What he has already is not given, nor is anything
    /// outside a level. False: it was not given.
    pub fn give(&mut self, gift: Gift) -> bool {
        let given = self.world.is_some() && self.campaign.progress.give(gift);
        if given {
            self.say(&gift.banner(), BANNER_TICKS);
        }
        given
    }

    /// The hero found something: the game gives it and saves by itself.
    pub fn found(&mut self, gift: Gift) {
        if self.give(gift) {
            self.save_by_itself();
        }
    }

    /// Adds to the hero's bolts; outside a level there is none.
    pub fn bolts_add(&mut self, count: i32) {
        if self.world.is_some() {
            self.campaign.progress.add_bolts(count);
        }
    }
}
