//! The simulation: a level and a hero in it, one fixed step a tick. It reads no clock and knows no mod;
//! equal seeds and equal pads give equal states, tick for tick. Copied, compared and digested at will.

mod collision;
mod digest;
mod hero;
mod level;
mod pad;
mod pose;
mod rng;
mod vec3;

use std::sync::Arc;

pub use collision::{HALF_WIDTH, HEIGHT, ground_below};
pub use digest::Digest;
pub use hero::{Hero, HeroState, RUN_SPEED, WRENCH_CLASS};
pub use level::{BoxKind, Level, LevelError, Solid};
pub use pad::{Button, Pad};
pub use pose::{Animation, HeroPose, Piece};
pub use rng::Rng;
pub use vec3::Vec3;

/// Steps a second.
pub const TICKS_PER_SECOND: u32 = 60;
/// How long a step is, in seconds.
pub const TICK_SECONDS: f32 = 1.0 / 60.0;

/// A level being played.
#[derive(Clone, Debug, PartialEq)]
pub struct World {
    level: Arc<Level>,
    tick: u64,
    rng: Rng,
    hero: Hero,
    pad: Pad,
}

impl World {
    /// The level at its start, with its hero.
    #[must_use]
    pub fn new(level: Arc<Level>, seed: u64) -> Self {
        let hero = Hero::at_start(&level);
        Self { level, tick: 0, rng: Rng::new(seed), hero, pad: Pad::NEUTRAL }
    }

    /// The level.
    #[must_use]
    pub fn level(&self) -> &Level {
        &self.level
    }

    /// The hero.
    #[must_use]
    pub const fn hero(&self) -> &Hero {
        &self.hero
    }

    /// Steps taken so far.
    #[must_use]
    pub const fn tick(&self) -> u64 {
        self.tick
    }

    /// One step with this pad.
    pub fn step(&mut self, pad: Pad) {
        self.hero.step(pad, self.pad, &self.level, &mut self.rng);
        self.pad = pad;
        self.tick += 1;
    }

    /// One number for all that changes in it: equal for equal states.
    #[must_use]
    pub fn digest(&self) -> u64 {
        let mut digest = Digest::new();
        digest.word(self.tick).word(self.rng.state());
        self.hero.digest(&mut digest);
        digest.value()
    }
}

#[cfg(test)]
mod tests;
