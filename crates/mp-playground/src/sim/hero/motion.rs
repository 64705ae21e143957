//! How the hero runs, jumps, falls and is carried.

use std::f32::consts::{PI, TAU};

use super::{Around, Hero};
use crate::sim::collision::{self, Body, STEP};
use crate::sim::pad::Button;
use crate::sim::rate::TickRate;
use crate::sim::vec3::Vec3;

/// How fast he runs with the stick pushed all the way, in units a second.
pub const RUN_SPEED: f32 = 8.0;
/// Upwards at the start of a jump: with [`GRAVITY`] in the air for 1.2 s and 2.7 units high.
const JUMP_SPEED: f32 = 9.0;
/// Upwards at the start of the second jump, in the air.
const SECOND_JUMP_SPEED: f32 = 7.5;
/// Units a second, a second.
const GRAVITY: f32 = 15.0;
/// The fastest he falls.
const FALL_SPEED: f32 = 25.0;
/// How fast his speed follows the stick on the ground and in the air, in units a second, a second.
const GRIP: f32 = 60.0;
const AIR_GRIP: f32 = 25.0;
/// How fast he turns to where he goes, in radians a second.
const TURN: f32 = 14.0;
/// A stick nearer its middle than this is at rest.
const DEAD_ZONE: f32 = 0.15;
/// What moved farther than this in a tick did not carry him.
const CARRY_MAX: f32 = 1.0;

impl Hero {
    /// Moves him for a tick; whether the stick is pushed.
    pub(super) fn go(&mut self, around: &mut Around<'_>) -> bool {
        let (east, north) = around.pad.stick();
        let at_rest = east.hypot(north) < DEAD_ZONE || self.hurt > 0;
        let push = if at_rest { Vec3::ZERO } else { Vec3::new(east, north, 0.0) };
        self.steer(push, around.rate);
        self.jump(around);
        // One who stands is pressed down a tick's worth, so that the ground is felt under him.
        let speed = if self.grounded { 0.0 } else { self.velocity.z };
        self.velocity.z = (speed - GRAVITY * around.rate.seconds()).max(-FALL_SPEED);

        let carried = self.carried(around);
        let from = self.position + carried;
        let by = self.velocity * around.rate.seconds();
        let reach = Body::HERO.reach(from, by);
        around.find_boxes(&reach);
        let from = collision::pushed_out(around.boxes, Body::HERO, from);
        let moved = collision::moved(around.boxes, Body::HERO, from, by, self.grounded);
        self.position = moved.position;
        for (hit, speed) in [
            (moved.hit_x, &mut self.velocity.x),
            (moved.hit_y, &mut self.velocity.y),
            (moved.hit_z, &mut self.velocity.z),
        ] {
            if hit {
                *speed = 0.0;
            }
        }
        self.grounded = moved.grounded;
        if self.grounded {
            self.jumps = 0;
        }
        self.rides = self.platform_under(around);
        push != Vec3::ZERO
    }

    /// Brings the velocity over the ground, and where he looks, nearer to what the stick says.
    fn steer(&mut self, push: Vec3, rate: TickRate) {
        if self.hurt > 0 {
            return;
        }
        let wish = push * RUN_SPEED;
        let lack = Vec3::new(wish.x - self.velocity.x, wish.y - self.velocity.y, 0.0);
        let grip = rate.seconds() * if self.grounded { GRIP } else { AIR_GRIP };
        let share = grip / lack.length().max(grip);
        self.velocity += lack * share;
        if wish != Vec3::ZERO {
            let turn = wrapped(wish.yaw() - self.yaw);
            let most = TURN * rate.seconds();
            self.yaw = wrapped(self.yaw + turn.clamp(-most, most));
        }
    }

    fn jump(&mut self, around: &Around<'_>) {
        if self.hurt > 0 || !around.pad.presses(Button::Cross, around.before) {
            return;
        }
        let speed = match (self.grounded, self.jumps) {
            (true, _) => JUMP_SPEED,
            // One who fell off an edge has one jump left.
            (false, 0 | 1) => SECOND_JUMP_SPEED,
            (false, _) => return,
        };
        self.jumps = if self.grounded { 1 } else { 2 };
        self.velocity.z = speed;
        self.grounded = false;
    }

    /// How far what he stands on moved since he stepped.
    fn carried(&self, around: &Around<'_>) -> Vec3 {
        let Some((id, was)) = self.rides else { return Vec3::ZERO };
        let Some(moby) = around.mobys.get(id).filter(|_| self.grounded) else { return Vec3::ZERO };
        let by = moby.position - was;
        if by.length() <= CARRY_MAX { by } else { Vec3::ZERO }
    }

    fn platform_under(&self, around: &Around<'_>) -> Option<(super::MobyId, Vec3)> {
        if !self.grounded {
            return None;
        }
        let half = collision::HALF_WIDTH;
        let under = around.mobys.platforms().find(|moby| {
            let bounds = moby.bounds();
            (bounds.high.z - self.position.z).abs() < STEP
                && (bounds.low.x - half..bounds.high.x + half).contains(&self.position.x)
                && (bounds.low.y - half..bounds.high.y + half).contains(&self.position.y)
        });
        under.map(|moby| (moby.id, moby.position))
    }
}

impl Around<'_> {
    /// Brings the boxes that meet `reach`, the level's and the mobys'.
    fn find_boxes(&mut self, reach: &collision::Aabb) {
        crate::sim::world::boxes_near(
            self.level,
            self.mobys,
            reach,
            super::MobyId::HERO,
            self.boxes,
        );
    }
}

/// An angle brought within ±π.
pub(in crate::sim) fn wrapped(angle: f32) -> f32 {
    let turns = (angle + PI).rem_euclid(TAU) - PI;
    turns.clamp(-PI, PI)
}
