//! A bot that goes for the things of a level: it runs to the nearest of the kinds it wants, swings at
//! what can be hit and walks into what can be taken. Where there is none in sight, it walks about.

use std::collections::VecDeque;

use super::walker::Walker;
use crate::game::StandIn;
use crate::sim::{Button, HeroPose, Moby, MobyId, Pad, Rng, TICKS_PER_SECOND, Vec3, kind};

/// What is farther than this is not gone for, in units over the ground, and up or down.
const SIGHT: f32 = 22.0;
const STEP: f32 = 2.5;
/// As near as this, beyond the thing's half width, it swings.
const REACH: f32 = 1.2;
/// How long it tries to get to one, and how many it gave up it remembers.
const PATIENCE: u32 = 5 * TICKS_PER_SECOND;
const REMEMBERED: usize = 12;
/// From one swing to the next, and how long it runs against something before it jumps, in ticks.
const SWING: u32 = 26;
const BLOCKED: u32 = 12;
/// Slower than this, in units a second, something is in its way.
const SLOW: f32 = 1.0;

/// The mind of a bot that hunts.
#[derive(Clone, Debug)]
pub(super) struct Hunter {
    /// [`kind`] bits.
    wanted: u32,
    /// Of its taste: which of two things as near it likes better.
    seed: u64,
    target: Option<(MobyId, u32)>,
    given_up: VecDeque<MobyId>,
    next_swing: u32,
    blocked: u32,
}

impl Hunter {
    pub(super) const fn new(wanted: u32, seed: u64) -> Self {
        Self { wanted, seed, target: None, given_up: VecDeque::new(), next_swing: 0, blocked: 0 }
    }

    /// Goes for these kinds from now on.
    pub(super) const fn want(&mut self, wanted: u32) {
        self.wanted = wanted;
        self.target = None;
    }

    /// The pad of the next tick, for a hero like this.
    pub(super) fn pad(&mut self, hero: &HeroPose, game: &StandIn, walker: &mut Walker) -> Pad {
        self.next_swing = self.next_swing.saturating_sub(1);
        let Some(moby) = self.choose(hero.position, game) else { return walker.pad(hero) };
        let way = moby.position - hero.position;
        let distance = way.x.hypot(way.y).max(f32::EPSILON);
        let hits = moby.kinds() & (kind::ENEMY | kind::CRATE) != 0;
        let in_reach = hits && distance < REACH + moby.size.x;
        // In reach it only turns to it.
        let push = if in_reach { 0.3 } else { 1.0 };
        let pad = Pad::NEUTRAL.with_stick(way.x / distance * push, way.y / distance * push);
        if in_reach && self.next_swing == 0 {
            self.next_swing = SWING;
            return pad.with(Button::Square);
        }
        let slow = hero.velocity.x.hypot(hero.velocity.y) < SLOW && !in_reach;
        self.blocked = if slow { self.blocked + 1 } else { 0 };
        if self.blocked < BLOCKED {
            return pad;
        }
        self.blocked = 0;
        pad.with(Button::Cross)
    }

    /// The thing it is after: the same until it is gone or too hard to get, then the nearest.
    fn choose<'a>(&mut self, here: Vec3, game: &'a StandIn) -> Option<&'a Moby> {
        if let Some((id, left)) = &mut self.target {
            *left = left.saturating_sub(1);
            let there = game.mobys().find(|moby| moby.id == *id && !moby.hidden);
            if *left > 0 && there.is_some() {
                return there;
            }
            if there.is_some() {
                if self.given_up.len() == REMEMBERED {
                    self.given_up.pop_front();
                }
                self.given_up.push_back(*id);
            }
        }
        let in_sight = game.mobys().filter(|moby| {
            let way = moby.position - here;
            moby.kinds() & self.wanted != 0
                && !moby.hidden
                && !self.given_up.contains(&moby.id)
                && way.x.hypot(way.y) < SIGHT
                && way.z.abs() < STEP
        });
        // Each has a taste of its own, so that four bots beside each other do not all do the same.
        let taste = |moby: &Moby| Rng::new(self.seed ^ u64::from(moby.id.0)).between(1.0, 2.5);
        let far = |moby: &Moby| (moby.position - here).length() * taste(moby);
        let nearest = in_sight.min_by(|a, b| far(a).total_cmp(&far(b)));
        self.target = nearest.map(|moby| (moby.id, PATIENCE));
        nearest
    }
}
