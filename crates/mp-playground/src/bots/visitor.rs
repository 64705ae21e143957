//! A bot that goes to one thing of a level: along the way that is known to lead there, then straight; it
//! jumps at what is in its way, and presses Triangle beside what can be used.

use crate::game::StandIn;
use crate::sim::{Button, Class, HeroPose, Pad, Vec3};

/// What it goes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A gold bolt.
    GoldBolt,
    /// A person, who starts a scene.
    Person,
    /// The ship, to fly to that level.
    Ship(i32),
}

impl Place {
    const fn class(self) -> Class {
        match self {
            Self::GoldBolt => Class::GoldBolt,
            Self::Person => Class::Person,
            Self::Ship(_) => Class::Ship,
        }
    }
}

/// A way that is not straight.
struct Way {
    level: i32,
    to: Class,
    /// Points to pass, over the ground.
    by: &'static [(f32, f32)],
}

/// The ways that are known.
const WAYS: [Way; 3] = [
    // Up the steps to the platform in the north-west.
    Way {
        level: 0,
        to: Class::GoldBolt,
        by: &[(-1.5, 11.5), (-4.0, 11.5), (-6.0, 11.5), (-9.5, 11.5)],
    },
    Way { level: 0, to: Class::Person, by: &[(6.0, 3.5)] },
    // Round the platforms in the east.
    Way { level: 0, to: Class::Ship, by: &[(6.0, -5.0)] },
];

/// Nearer than this, in units over the ground, a point is passed, and a thing can be used.
const PASSED: f32 = 0.9;
const BESIDE: f32 = 2.0;
/// Slower than this, in units a second, for so many ticks: something is in its way.
const SLOW: f32 = 2.0;
const BLOCKED: u32 = 8;
/// From one press of Triangle to the next, in ticks.
const AGAIN: u32 = 30;

/// The mind of a bot on its way.
#[derive(Clone, Debug)]
pub(super) struct Visitor {
    place: Place,
    passed: usize,
    blocked: u32,
    wait: u32,
}

impl Visitor {
    pub(super) const fn new(place: Place) -> Self {
        Self { place, passed: 0, blocked: 0, wait: 0 }
    }

    /// The pad of the next tick; `None`: there is no such thing in the level, or no more.
    pub(super) fn pad(&mut self, hero: &HeroPose, game: &StandIn) -> Option<Pad> {
        let there = game.mobys().filter(|moby| moby.class == self.place.class() && !moby.hidden);
        let far = |at: Vec3| (at - hero.position).flat_length();
        let thing = there.min_by(|a, b| far(a.position).total_cmp(&far(b.position)))?;
        let level = game.level()?;
        let known = WAYS.iter().find(|way| way.level == level && way.to == self.place.class());
        let points = known.map_or(&[][..], |way| way.by);
        while points.get(self.passed).is_some_and(|&(x, y)| far(Vec3::new(x, y, 0.0)) < PASSED) {
            self.passed += 1;
        }
        let next = points.get(self.passed).map(|&(x, y)| Vec3::new(x, y, 0.0));
        self.wait = self.wait.saturating_sub(1);
        let usable = self.place != Place::GoldBolt;
        if usable && next.is_none() && far(thing.position) < BESIDE {
            if self.wait > 0 {
                return Some(Pad::NEUTRAL);
            }
            self.wait = AGAIN;
            return Some(Pad::NEUTRAL.with(Button::Triangle));
        }
        let way = next.unwrap_or(thing.position) - hero.position;
        let distance = way.flat_length().max(f32::EPSILON);
        let pad = Pad::NEUTRAL.with_stick(way.x / distance, way.y / distance);
        let slow = hero.velocity.flat_length() < SLOW;
        self.blocked = if slow { self.blocked + 1 } else { 0 };
        if self.blocked < BLOCKED {
            return Some(pad);
        }
        // Pressed again in the air, it is the second jump.
        self.blocked = 0;
        Some(pad.with(Button::Cross))
    }
}
