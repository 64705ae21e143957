//! What the hero is given: by the game when he finds it, and by a mod.

use super::show::{Show, Then};
use super::{Phase, StandIn};
use crate::progress::{Gift, Progress};
use crate::scenes::Own;
use crate::sim::Vec3;

/// How long the banner of a gift shows, in seconds.
const BANNER: f32 = 4.0;

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
            self.say(&gift.banner(), BANNER);
        }
        given
    }

    /// The hero took something that lay there: the game gives it, saves by itself, and looks at a gold
    /// bolt for a moment.
    pub(super) fn took(&mut self, gift: Gift, position: Vec3) {
        if self.give(gift) {
            self.save_by_itself();
        }
        if matches!(gift, Gift::GoldBolt(_)) && self.phase == Phase::Playing {
            self.begin(Show::own(Own::GoldBolt, position, Then::Play));
        }
    }

    /// Takes a gold bolt away, as no game does: for deliberate faults.
    pub(crate) fn forget_gold_bolt(&mut self, index: usize) {
        if let Some(had) = self.campaign.progress.gold_bolts.get_mut(index) {
            *had = false;
        }
    }

    /// Adds to the hero's bolts; outside a level there is none.
    pub fn bolts_add(&mut self, count: i32) {
        if self.world.is_some() {
            self.campaign.progress.add_bolts(count);
            self.tally.given += i64::from(count.max(0));
        }
    }
}
