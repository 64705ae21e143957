//! The hero: what the pad makes him do, what is done to him, and how he comes back when he dies. He
//! knows no mod: what he does to others goes out as effects, which the world settles.

mod look;
mod motion;
mod weapons;

use std::collections::VecDeque;

pub use look::{HeroState, PIECE_CLASSES, WRENCH_CLASS};
pub use motion::RUN_SPEED;
pub(super) use motion::wrapped;
pub use weapons::Item;
pub(super) use weapons::{can_be_hit, distance_to};

use self::look::start_of;
use self::weapons::{Action, FlyingWrench};
use super::collision::Aabb;
use super::digest::Digest;
use super::level::Level;
use super::moby::{MobyId, Mobys};
use super::pad::{Button, Pad};
use super::pose::Animation;
use super::rate::TickRate;
use super::rng::Rng;
use super::vec3::Vec3;
use super::world::{Effect, Event, Hit};
use crate::progress::Progress;

/// Health at the start of a level and after he came back.
pub const FULL_HEALTH: i16 = 4;
/// How long nothing hurts him after a hit, and how long he cannot be moved then, in seconds.
const SAFE_SECONDS: f32 = 1.2;
const HURT_SECONDS: f32 = 0.4;
/// How long he is dead.
const DYING_SECONDS: f32 = 1.5;

/// The hero.
#[derive(Clone, Debug, PartialEq)]
pub struct Hero {
    pub(super) position: Vec3,
    velocity: Vec3,
    yaw: f32,
    grounded: bool,
    /// Jumps since he last stood, two at most.
    jumps: u8,
    state: HeroState,
    pub(super) health: i16,
    animation: Animation,
    /// Ticks until he fidgets, while he stands.
    patience: u32,
    pub(super) teleported: bool,
    /// Ticks until he can be hurt again, until he can be moved, and until he comes back.
    safe: u16,
    hurt: u16,
    dying: u16,
    /// Where he comes back, and where he looks then.
    back: (Vec3, f32),
    /// What he stands on that may move, and where that was.
    rides: Option<(MobyId, Vec3)>,
    /// In his hand, and the weapon Circle uses.
    item: Item,
    weapon: Item,
    blaster_ammo: u16,
    bombs: u16,
    action: Option<Action>,
    wrench: Option<FlyingWrench>,
}

/// What there is around the hero for a tick of his life.
pub(super) struct Around<'a> {
    pub pad: Pad,
    pub before: Pad,
    pub level: &'a Level,
    pub mobys: &'a Mobys,
    pub rate: TickRate,
    pub rng: &'a mut Rng,
    pub progress: &'a Progress,
    pub effects: &'a mut Vec<Effect>,
    pub events: &'a mut VecDeque<Event>,
    pub boxes: &'a mut Vec<Aabb>,
}

impl Hero {
    /// The hero at the level's start, with that health.
    #[must_use]
    pub fn at_start(level: &Level, rate: TickRate, health: i16) -> Self {
        Self {
            position: level.start,
            velocity: Vec3::ZERO,
            yaw: level.start_yaw,
            grounded: true,
            jumps: 0,
            state: HeroState::Stand,
            health,
            animation: start_of(HeroState::Stand, rate),
            patience: u32::from(rate.ticks(5.0)),
            teleported: true,
            safe: 0,
            hurt: 0,
            dying: 0,
            back: (level.start, level.start_yaw),
            rides: None,
            item: Item::Wrench,
            weapon: Item::BombGlove,
            blaster_ammo: Item::Blaster.full(),
            bombs: Item::BombGlove.full(),
            action: None,
            wrench: None,
        }
    }

    /// Where his feet are.
    #[must_use]
    pub const fn position(&self) -> Vec3 {
        self.position
    }

    /// Units a second.
    #[must_use]
    pub const fn velocity(&self) -> Vec3 {
        self.velocity
    }

    /// What he is doing.
    #[must_use]
    pub const fn state(&self) -> HeroState {
        self.state
    }

    /// What is left of him; 0 or less: dead.
    #[must_use]
    pub const fn health(&self) -> i16 {
        self.health
    }

    /// What is in his hand.
    #[must_use]
    pub const fn item(&self) -> Item {
        self.item
    }

    /// How often that weapon can still be used.
    #[must_use]
    pub const fn ammo(&self, item: Item) -> u16 {
        match item {
            Item::Wrench => u16::MAX,
            Item::Blaster => self.blaster_ammo,
            Item::BombGlove => self.bombs,
        }
    }

    /// One tick of his life.
    pub(super) fn step(&mut self, around: &mut Around<'_>) {
        self.teleported = false;
        if self.dying > 0 {
            self.be_dead(around);
            return;
        }
        self.safe = self.safe.saturating_sub(1);
        self.hurt = self.hurt.saturating_sub(1);
        let was_grounded = self.grounded;
        let pushed = self.go(around);
        if self.position.z < around.level.abyss {
            self.die(around.rate, around.events);
        } else {
            self.use_items(around);
            self.talk(around);
            self.pass_checkpoints(around.level);
        }
        self.animate(around.rate, was_grounded, pushed, around.rng);
    }

    fn be_dead(&mut self, around: &mut Around<'_>) {
        self.dying -= 1;
        if self.dying > 0 {
            let rate = around.rate;
            self.animate(rate, true, false, around.rng);
            return;
        }
        let (back, yaw) = self.back;
        let start = Self::at_start(around.level, around.rate, FULL_HEALTH);
        *self = Self {
            position: back,
            yaw,
            back: self.back,
            weapon: self.weapon,
            blaster_ammo: self.blaster_ammo,
            bombs: self.bombs,
            ..start
        };
        around.events.push_back(Event::CameBack);
    }

    /// Takes a hit, unless he was hit just before or is dead; whether he did.
    pub(super) fn take(&mut self, hit: &Hit, rate: TickRate, events: &mut VecDeque<Event>) -> bool {
        if self.safe > 0 || self.health <= 0 {
            return false;
        }
        // Any damage at all costs a whole one; `as` saturates.
        #[allow(clippy::cast_possible_truncation)]
        let damage = hit.damage.ceil() as i16;
        self.health = self.health.saturating_sub(damage.max(0));
        self.velocity = hit.velocity;
        self.grounded = false;
        self.action = None;
        self.safe = rate.ticks(SAFE_SECONDS);
        self.hurt = rate.ticks(HURT_SECONDS);
        if self.health <= 0 {
            self.die(rate, events);
        }
        true
    }

    fn die(&mut self, rate: TickRate, events: &mut VecDeque<Event>) {
        self.health = self.health.min(0);
        self.velocity = Vec3::ZERO;
        self.dying = rate.ticks(DYING_SECONDS);
        self.action = None;
        self.wrench = None;
        self.rides = None;
        events.push_back(Event::Died);
    }

    /// Heals him by one, up to his full health.
    pub(super) fn heal(&mut self) {
        if self.health > 0 {
            self.health = (self.health + 1).min(FULL_HEALTH);
        }
    }

    /// Fills his weapons up by a quarter.
    pub(super) fn load(&mut self) {
        let more = |ammo: u16, item: Item| (ammo + item.full() / 4).min(item.full());
        self.blaster_ammo = more(self.blaster_ammo, Item::Blaster);
        self.bombs = more(self.bombs, Item::BombGlove);
    }

    fn talk(&self, around: &mut Around<'_>) {
        const REACH: f32 = 2.8;
        if !around.pad.presses(Button::Triangle, around.before) || !self.grounded {
            return;
        }
        let services = around.mobys.iter().filter(|moby| {
            moby.class.is(super::class::kind::SERVICE)
                && (moby.position - self.position).length() < REACH
        });
        let distance = |moby: &super::Moby| (moby.position - self.position).length();
        if let Some(moby) = services.min_by(|a, b| distance(a).total_cmp(&distance(b))) {
            around.events.push_back(Event::Used {
                moby: moby.id,
                key: moby.key,
                class: moby.class,
            });
        }
    }

    fn pass_checkpoints(&mut self, level: &Level) {
        for point in &level.checkpoints {
            let way = point.position - self.position;
            if way.flat_length() < point.radius && way.z.abs() < 3.0 {
                self.back = (point.position, point.yaw);
            }
        }
    }

    pub(super) fn digest(&self, digest: &mut Digest) {
        for v in [self.position, self.velocity] {
            digest.floats(v.x, v.y).float(v.z);
        }
        digest.float(self.yaw).byte(self.state as u8).byte(u8::from(self.grounded));
        digest.word(u64::from(self.health.cast_unsigned())).word(u64::from(self.patience));
        digest.byte(self.animation.frame).float(self.animation.time);
        digest.byte(u8::from(self.teleported)).byte(self.jumps);
        let waits = [self.safe, self.hurt, self.dying, self.blaster_ammo];
        digest.word(waits.into_iter().fold(0, |all, wait| all << 16 | u64::from(wait)));
        digest.word(u64::from(self.bombs)).byte(self.item as u8).byte(self.weapon as u8);
        let back = self.back.0;
        digest.floats(back.x, back.y).float(back.z);
        let (rides, at) = self.rides.unwrap_or_default();
        digest.word(u64::from(rides.0)).floats(at.x, at.y).float(at.z);
        self.digest_items(digest);
    }
}
