//! A level being played: the hero, the mobys, and the step that moves them.
//!
//! # Steps that stop to ask
//!
//! A mod's hooks are called in the middle of a step, and from inside a hook the mod calls the game: it
//! lists mobys, kills one, deals a hit, breaks a crate. So no borrow of the world may be held across a
//! hook, and the world must be whole whenever one is called. Both follow from how a step is made:
//!
//! - **A step is a machine.** [`World::begin`] starts it; [`World::poll`] goes on until there is
//!   something to ask or to tell, which it returns as a value ([`Ask`]); the driver lets go of the
//!   world, calls the hook, and gives the answer to [`World::answer`]. `None` from `poll`: the step is
//!   over. Whoever has no mod calls [`World::step`], which answers everything the game's own way; that a
//!   mod which does the same changes nothing is therefore so by construction, and tested.
//! - **Updates do not touch others.** A moby's update gets a copy of its moby, reads the rest, and leaves
//!   [`Effect`]s: hits, things to make, its own end. The copy is put back, and then the effects are
//!   settled one by one, each asked about first. So between any two questions every moby is in the table
//!   and consistent.
//! - **Calls within hooks nest.** `kill`, `break_crate` and `hit` open a frame of effects of their own,
//!   which the driver settles (again by `poll` and `answer`, until `None`) before it returns to the hook;
//!   the effects that waited come after. One that goes is marked at once (`going`): it cannot be hit,
//!   broken or killed again, so nesting ends. Frames are limited all the same ([`Refusal::TooDeep`]).
//! - **Nothing goes while it is looked at.** A moby is removed after its `on_gone` was answered. The world
//!   itself is dropped or replaced only between steps: leaving a level is a wish until then.
//!
//! Every moby draws from a chance of its own, seeded from its record or by its maker: which mobys run,
//! and whom they see as the hero, does not change what the others draw.

mod apply;
mod calls;
mod effects;
mod step;

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

pub use calls::{Cameras, EYES_MAX, Refusal};
pub(super) use effects::Effect;
use effects::Effects;
pub use effects::{Answer, Ask, Event, HeroView, Hit, How, Making, Shot, mask};

use super::collision::Aabb;
use super::digest::Digest;
use super::hero::Hero;
use super::level::Level;
use super::moby::{MobyId, Mobys};
use super::pad::Pad;
use super::rate::TickRate;
use super::rng::Rng;
use super::vec3::Vec3;
use crate::progress::Progress;

/// Where the camera stands from the hero.
const CAMERA: Vec3 = Vec3::new(0.0, -9.0, 8.0);

/// How a level begins.
#[derive(Clone, Copy, Debug)]
pub struct Start<'a> {
    /// Of all chance in it.
    pub seed: u64,
    /// The disc's.
    pub rate: TickRate,
    /// What the hero has: what he could only get once is not there again.
    pub progress: &'a Progress,
    /// His health.
    pub health: i16,
    /// The records that are gone for good.
    pub gone: &'a BTreeSet<u16>,
}

/// The bolts of a level so far, by their value in bolts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BoltTally {
    /// Placed in the level, or dropped by the game. What a mod makes is another game's.
    pub dropped: i64,
    /// Fell out of the world.
    pub expired: i64,
    /// Kept by the hero himself.
    pub taken: i64,
    /// How many a mod took out, whatever each is worth.
    pub removed: u64,
}

impl std::ops::Add for BoltTally {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            dropped: self.dropped + other.dropped,
            expired: self.expired + other.expired,
            taken: self.taken + other.taken,
            removed: self.removed + other.removed,
        }
    }
}

/// A level being played.
#[derive(Clone, Debug, PartialEq)]
pub struct World {
    level: Arc<Level>,
    rate: TickRate,
    tick: u64,
    rng: Rng,
    hero: Hero,
    before: Pad,
    mobys: Mobys,
    effects: Effects,
    stage: step::Stage,
    eyes: Vec<Vec3>,
    /// Where the run list measures from in this step: where the camera was at its start.
    run_point: Vec3,
    events: VecDeque<Event>,
    bolts: BoltTally,
    /// Emptied and filled by whoever moves.
    boxes: Vec<Aabb>,
}

impl World {
    /// The level at its start, with its hero.
    #[must_use]
    pub fn new(level: Arc<Level>, start: Start<'_>) -> Self {
        let Start { seed, rate, progress, health, gone } = start;
        let hero = Hero::at_start(&level, rate, health);
        let had = |key: u16| {
            let params = &level.mobys[usize::from(key)].params;
            let ends = params.gives.or(params.until);
            gone.contains(&key) || ends.is_some_and(|gift| progress.has(gift) == Some(true))
        };
        let mobys = Mobys::of(&level, seed, rate, had);
        let dropped = mobys.iter().map(|moby| i64::from(moby.value())).sum();
        Self {
            run_point: hero.position() + CAMERA,
            level,
            rate,
            tick: 0,
            rng: Rng::new(seed),
            hero,
            before: Pad::NEUTRAL,
            mobys,
            effects: Effects::new(),
            stage: step::Stage::Idle,
            eyes: Vec::with_capacity(EYES_MAX),
            events: VecDeque::new(),
            bolts: BoltTally { dropped, ..BoltTally::default() },
            boxes: Vec::new(),
        }
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

    /// The mobys, by their slots.
    #[must_use]
    pub const fn mobys(&self) -> &Mobys {
        &self.mobys
    }

    /// The bolts so far.
    #[must_use]
    pub const fn bolts(&self) -> BoltTally {
        self.bolts
    }

    /// Steps taken so far.
    #[must_use]
    pub const fn tick(&self) -> u64 {
        self.tick
    }

    /// How often it is stepped.
    #[must_use]
    pub const fn rate(&self) -> TickRate {
        self.rate
    }

    /// The next thing that happened, in order; to be drained after every step and call.
    pub fn poll_event(&mut self) -> Option<Event> {
        self.events.pop_front()
    }

    /// How much room everything that grows has: equal before and after a tick that allocated nothing.
    #[cfg(test)]
    pub(super) fn room(&self) -> [usize; 5] {
        let effects = self.effects.room();
        [effects[0], effects[1], self.events.capacity(), self.boxes.capacity(), self.mobys.room()]
    }

    /// One number for all that changes in it: equal for equal states.
    #[must_use]
    pub fn digest(&self) -> u64 {
        let mut digest = Digest::new();
        digest.word(self.tick).word(self.rng.state());
        self.hero.digest(&mut digest);
        self.mobys.digest(&mut digest);
        digest.value()
    }
}

/// Brings the boxes that meet `reach`: the level's and those of mobys, but not of `but`.
pub(super) fn boxes_near(
    level: &Level,
    mobys: &Mobys,
    reach: &Aabb,
    but: MobyId,
    boxes: &mut Vec<Aabb>,
) {
    boxes.clear();
    level.grid().near(reach.low, reach.high, |number| {
        let solid = &level.solids[number];
        let solid = Aabb { low: solid.low, high: solid.high };
        if solid.meets(reach) {
            boxes.push(solid);
        }
    });
    mobys.boxes(level, reach, but, boxes);
}
