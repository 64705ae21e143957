//! A bot in a level: it goes from place to place in the middle of it, runs mostly, walks and stands at
//! times, jumps for fun and over what is in its way.

use crate::sim::{Button, HeroPose, Pad, Rng, TICKS_PER_SECOND, Vec3};

/// The places it goes to: within this of the middle, in units.
const RANGE: f32 = 9.0;
/// The middle, a little south of the level's.
const MIDDLE: Vec3 = Vec3::new(0.0, -3.0, 0.0);
/// Nearer than this it has arrived.
const ARRIVED: f32 = 0.8;
/// How long it tries to get to a place.
const PATIENCE: u32 = 4 * TICKS_PER_SECOND;

/// The mind of a bot in a level.
#[derive(Clone, Debug)]
pub(super) struct Walker {
    rng: Rng,
    place: Vec3,
    /// How hard it pushes the stick; 0: it stands a while.
    push: f32,
    ticks_left: u32,
    next_jump: u32,
}

impl Walker {
    pub(super) const fn new(seed: u64) -> Self {
        Self { rng: Rng::new(seed), place: MIDDLE, push: 0.0, ticks_left: 0, next_jump: 60 }
    }

    /// The pad of the next tick, for a hero like this.
    pub(super) fn pad(&mut self, hero: &HeroPose) -> Pad {
        let way = self.place - hero.position;
        let distance = way.x.hypot(way.y);
        self.ticks_left = self.ticks_left.saturating_sub(1);
        if self.ticks_left == 0 || (self.push > 0.0 && distance < ARRIVED) {
            self.choose();
        }
        if self.push == 0.0 {
            return Pad::NEUTRAL;
        }
        let speed = hero.velocity.x.hypot(hero.velocity.y);
        let blocked = speed < 0.5 && hero.velocity.z.abs() < 0.5;
        self.next_jump = self.next_jump.saturating_sub(if blocked { 4 } else { 1 });
        let pad =
            Pad::NEUTRAL.with_stick(way.x / distance * self.push, way.y / distance * self.push);
        if self.next_jump > 0 {
            return pad;
        }
        self.next_jump = 60 + self.rng.below(180);
        pad.with(Button::Cross)
    }

    fn choose(&mut self) {
        let mut anywhere = || self.rng.between(-RANGE, RANGE);
        self.place = MIDDLE + Vec3::new(anywhere(), anywhere(), 0.0);
        (self.push, self.ticks_left) = match self.rng.below(10) {
            0 => (0.0, 30 + self.rng.below(60)),
            1 | 2 => (0.5, PATIENCE),
            _ => (1.0, PATIENCE),
        };
    }
}
