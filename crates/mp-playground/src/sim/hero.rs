//! The hero: how the pad moves him, and how his animation follows.

use std::f32::consts::{PI, TAU};

use super::collision;
use super::digest::Digest;
use super::level::Level;
use super::pad::{Button, Pad};
use super::pose::{Animation, HeroPose, Piece};
use super::rng::Rng;
use super::vec3::Vec3;
use super::{TICK_SECONDS, TICKS_PER_SECOND};

/// How fast he runs with the stick pushed all the way, in units a second.
pub const RUN_SPEED: f32 = 8.0;
/// Upwards at the start of a jump: with [`GRAVITY`] in the air for 1.2 s and 2.7 units high.
const JUMP_SPEED: f32 = 9.0;
/// Units a second, a second.
const GRAVITY: f32 = 15.0;
/// The fastest he falls.
const FALL_SPEED: f32 = 25.0;
/// How fast his speed follows the stick on the ground and in the air, in units a second, a second.
const GRIP: f32 = 60.0;
const AIR_GRIP: f32 = 25.0;
/// How fast he turns to where he goes, in radians a second.
const TURN: f32 = 14.0;
/// Below this he stands; below [`WALK_SPEED`] he walks.
const STAND_SPEED: f32 = 0.2;
const WALK_SPEED: f32 = 4.5;
/// A stick nearer its middle than this is at rest.
const DEAD_ZONE: f32 = 0.15;
/// Health at the start of a level.
const FULL_HEALTH: i16 = 4;
/// The wrench: its item and moby class.
const WRENCH_ITEM: u8 = 8;
/// The wrench's moby class: the only piece this game can show.
pub const WRENCH_CLASS: i16 = 71;

/// What the hero is doing; the number is his state and his animation sequence alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
#[allow(missing_docs)] // the words say it
pub enum HeroState {
    Stand = 0,
    Walk = 1,
    Run = 2,
    Jump = 3,
    Fall = 4,
    Land = 5,
    Fidget = 6,
}

impl HeroState {
    /// The animation's length in frames, whether it starts again at its end, and its frames a tick.
    const fn animation(self) -> (u8, bool, f32) {
        match self {
            Self::Stand => (40, true, 0.5),
            Self::Walk => (24, true, 0.5),
            Self::Run => (20, true, 0.75),
            Self::Jump => (16, false, 0.5),
            Self::Fall => (12, true, 0.5),
            Self::Land => (6, false, 0.5),
            Self::Fidget => (60, false, 0.5),
        }
    }
}

/// The hero.
#[derive(Clone, Debug, PartialEq)]
pub struct Hero {
    position: Vec3,
    velocity: Vec3,
    yaw: f32,
    grounded: bool,
    state: HeroState,
    health: i16,
    animation: Animation,
    /// Ticks until he fidgets, while he stands.
    patience: u32,
    teleported: bool,
}

impl Hero {
    /// The hero at the level's start.
    #[must_use]
    pub fn at_start(level: &Level) -> Self {
        Self {
            position: level.start,
            velocity: Vec3::ZERO,
            yaw: level.start_yaw,
            grounded: true,
            state: HeroState::Stand,
            health: FULL_HEALTH,
            animation: start_of(HeroState::Stand),
            patience: 5 * TICKS_PER_SECOND,
            teleported: true,
        }
    }

    /// Where his feet are.
    #[must_use]
    pub const fn position(&self) -> Vec3 {
        self.position
    }

    /// What he is doing.
    #[must_use]
    pub const fn state(&self) -> HeroState {
        self.state
    }

    /// The hero as the mod interface shows him.
    #[must_use]
    pub fn pose(&self) -> HeroPose {
        let wrench =
            Piece { item: WRENCH_ITEM, joint: 5, moby_class: WRENCH_CLASS, ..Piece::default() };
        HeroPose {
            position: self.position,
            rotation: Vec3::new(0.0, 0.0, self.yaw),
            velocity: self.velocity,
            state: i16::from(self.state as u8),
            health: self.health,
            item: i16::from(WRENCH_ITEM),
            flags: if self.teleported { HeroPose::TELEPORT } else { 0 },
            animation: self.animation,
            pieces: vec![wrench],
        }
    }

    /// One tick of his life.
    pub fn step(&mut self, pad: Pad, before: Pad, level: &Level, rng: &mut Rng) {
        self.teleported = false;
        let (east, north) = pad.stick();
        let push = if east.hypot(north) < DEAD_ZONE { (0.0, 0.0) } else { (east, north) };
        self.steer(push);
        if self.grounded && pad.presses(Button::Cross, before) {
            self.velocity.z = JUMP_SPEED;
            self.grounded = false;
        }
        let was_grounded = self.grounded;
        self.fall();
        let moved =
            collision::moved(level, self.position, self.velocity * TICK_SECONDS, self.grounded);
        self.position = moved.position;
        if moved.hit_x {
            self.velocity.x = 0.0;
        }
        if moved.hit_y {
            self.velocity.y = 0.0;
        }
        if moved.hit_z {
            self.velocity.z = 0.0;
        }
        self.grounded = moved.grounded;
        if self.position.z < level.abyss {
            *self = Self::at_start(level);
        }
        self.animate(was_grounded, push != (0.0, 0.0), rng);
    }

    /// Brings the velocity over the ground, and where he looks, nearer to what the stick says.
    fn steer(&mut self, (east, north): (f32, f32)) {
        let wish = Vec3::new(east, north, 0.0) * RUN_SPEED;
        let lack = Vec3::new(wish.x - self.velocity.x, wish.y - self.velocity.y, 0.0);
        let grip = TICK_SECONDS * if self.grounded { GRIP } else { AIR_GRIP };
        let share = grip / lack.length().max(grip);
        self.velocity += lack * share;
        if wish != Vec3::ZERO {
            let turn = wrapped(north.atan2(east) - self.yaw);
            let most = TURN * TICK_SECONDS;
            self.yaw = wrapped(self.yaw + turn.clamp(-most, most));
        }
    }

    fn fall(&mut self) {
        // One who stands is pressed down a tick's worth, so that the ground is felt under him.
        let speed = if self.grounded { 0.0 } else { self.velocity.z };
        self.velocity.z = (speed - GRAVITY * TICK_SECONDS).max(-FALL_SPEED);
    }

    fn animate(&mut self, was_grounded: bool, pushed: bool, rng: &mut Rng) {
        let speed = self.velocity.x.hypot(self.velocity.y);
        let (length, repeats, _) = self.state.animation();
        let over = !repeats && self.animation.frame + 1 >= length;
        let next = if !self.grounded {
            if self.velocity.z > 0.0 { HeroState::Jump } else { HeroState::Fall }
        } else if speed >= WALK_SPEED {
            HeroState::Run
        } else if speed >= STAND_SPEED || pushed {
            HeroState::Walk
        } else if !was_grounded || (self.state == HeroState::Land && !over) {
            HeroState::Land
        } else if self.patience == 0 || (self.state == HeroState::Fidget && !over) {
            HeroState::Fidget
        } else {
            HeroState::Stand
        };
        self.patience = match (next, self.patience) {
            (HeroState::Stand, ticks) => ticks.saturating_sub(1),
            (HeroState::Fidget, 0) => TICKS_PER_SECOND * (4 + rng.below(6)),
            (HeroState::Fidget, ticks) => ticks,
            (_, ticks) => ticks.max(2 * TICKS_PER_SECOND),
        };
        if next == self.state {
            advance(&mut self.animation, next);
        } else {
            self.state = next;
            self.animation = start_of(next);
        }
    }

    pub(super) fn digest(&self, digest: &mut Digest) {
        for v in [self.position, self.velocity] {
            digest.float(v.x).float(v.y).float(v.z);
        }
        digest.float(self.yaw).byte(self.state as u8).byte(u8::from(self.grounded));
        digest.word(u64::from(self.health.cast_unsigned())).word(u64::from(self.patience));
        digest
            .byte(self.animation.frame)
            .float(self.animation.time)
            .byte(u8::from(self.teleported));
    }
}

/// An angle brought within ±π.
fn wrapped(angle: f32) -> f32 {
    let turns = (angle + PI).rem_euclid(TAU) - PI;
    turns.clamp(-PI, PI)
}

fn start_of(state: HeroState) -> Animation {
    let (_, _, speed) = state.animation();
    Animation { sequence: state as u8, frame: 0, next_frame: 1, time: 0.0, speed }
}

fn advance(animation: &mut Animation, state: HeroState) {
    let (length, repeats, speed) = state.animation();
    animation.time += speed;
    while animation.time >= 1.0 {
        animation.time -= 1.0;
        animation.frame = animation.next_frame;
        animation.next_frame += 1;
        if animation.next_frame >= length {
            animation.next_frame = if repeats { 0 } else { length - 1 };
        }
    }
}
