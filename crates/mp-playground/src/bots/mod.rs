//! Bots: players that see what is on the screen and where their hero is, and answer with a pad. They
//! have no other way into a game.

mod fingers;
mod menu;
mod walker;

use fingers::Fingers;
pub use menu::{Errand, hosting_place, hosting_port, is_stepping_an_address};
use menu::{Mind, Move};
use walker::Walker;

use crate::game::{Phase, StandIn};
use crate::sim::{Button, Pad};

/// What a bot does in a level.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Habit {
    /// Walks, runs and jumps about.
    #[default]
    Walk,
    /// Stands where it is.
    Stand,
}

/// A bot.
#[derive(Clone, Debug)]
pub struct Bot {
    errand: Errand,
    habit: Habit,
    mind: Mind,
    walker: Walker,
    fingers: Fingers,
}

impl Bot {
    /// A bot with an errand at the menus, and a habit in a level; `seed` decides where it goes.
    #[must_use]
    pub fn new(errand: Errand, habit: Habit, seed: u64) -> Self {
        Self {
            errand,
            habit,
            mind: Mind::default(),
            walker: Walker::new(seed),
            fingers: Fingers::default(),
        }
    }

    /// Gives it another errand.
    pub fn send(&mut self, errand: Errand) {
        self.errand = errand;
    }

    /// Whether there is nothing left for it to do at the menus.
    #[must_use]
    pub fn is_idle(&self) -> bool {
        self.errand == Errand::None && self.fingers.are_free()
    }

    /// The pad of the next tick, from what there is to see of the game.
    pub fn pad(&mut self, game: &StandIn) -> Pad {
        if !self.fingers.are_free() {
            return self.fingers.pad();
        }
        let screen = game.screen();
        if screen.phase == Phase::Playing && self.errand.ends_in_the_level() {
            self.errand = Errand::None;
        }
        if screen.phase == Phase::Playing && self.errand != Errand::ShowLink {
            let walks = self.habit == Habit::Walk && screen.held.is_none();
            let hero = game.hero_pose().filter(|_| walks);
            return hero.map_or(Pad::NEUTRAL, |hero| self.walker.pad(&hero));
        }
        let next = self.mind.next(&self.errand, &screen);
        if matches!(self.errand, Errand::Choose(_)) && next == Move::Tap(Button::Cross) {
            self.errand = Errand::None;
        }
        self.act(next)
    }

    fn act(&mut self, next: Move) -> Pad {
        match next {
            Move::Wait => Pad::NEUTRAL,
            Move::Hold(button) => Pad::NEUTRAL.with(button),
            Move::Tap(button) => {
                self.fingers.tap(button);
                self.fingers.pad()
            }
        }
    }
}
