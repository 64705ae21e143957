//! What the hero does with what is in his hand. Square swings the wrench, with R1 held throws it; Circle
//! uses the weapon, which Left and Right choose.

use super::look::HeroState;
use super::{Around, Hero};
use crate::progress::{Gift, Progress};
use crate::sim::class::{Class, kind};
use crate::sim::collision;
use crate::sim::digest::Digest;
use crate::sim::hero::motion::wrapped;
use crate::sim::moby::{Moby, MobyId};
use crate::sim::pad::Button;
use crate::sim::vec3::Vec3;
use crate::sim::world::{Effect, Hit, Making, Shot, mask};

/// How far the wrench reaches, beyond what it hits, and how far to its sides, in radians.
const REACH: f32 = 1.7;
const REACH_SIDE: f32 = 1.3;
/// How fast a thrown wrench flies, in units a second, and for how long before it turns back.
const WRENCH_SPEED: f32 = 16.0;
const WRENCH_SECONDS: f32 = 0.5;
/// A thrown wrench turns so fast, in radians a second.
const WRENCH_TURN: f32 = 20.0;
/// A thrown wrench hits what is nearer than this, beyond its half width.
const WRENCH_WIDTH: f32 = 0.5;
/// How fast the Blaster shoots and a bomb is thrown, in units a second.
const BLASTER_SPEED: f32 = 30.0;
const BOMB_SPEED: f32 = 9.0;
const BOMB_RISE: f32 = 5.0;
/// How far, and within what angle in radians, the Blaster looks for something to aim at.
const AIM_RANGE: f32 = 16.0;
const AIM_SIDE: f32 = 0.5;
/// How hard the wrench pushes, along the ground and up.
const PUSH: f32 = 7.0;
const PUSH_UP: f32 = 3.0;

/// What can be in his hand, by the game's number of the item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
#[allow(missing_docs)] // the game's names
pub enum Item {
    Wrench = 8,
    BombGlove = 10,
    Blaster = 15,
}

impl Item {
    /// Whether he has it. The wrench and the Bomb Glove he begins with.
    fn is_had(self, progress: &Progress) -> bool {
        self != Self::Blaster || progress.has(Gift::Item(usize::from(self as u8))) == Some(true)
    }

    /// How often it can be used when it is full.
    #[must_use]
    pub const fn full(self) -> u16 {
        match self {
            Self::Wrench => u16::MAX,
            Self::BombGlove => 20,
            Self::Blaster => 80,
        }
    }
}

/// What he is at with his hands, and for how long.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Action {
    pub state: HeroState,
    ticks: u16,
    /// When it happens, and when it is over, in ticks.
    moment: u16,
    end: u16,
}

/// The wrench on its way.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct FlyingWrench {
    pub position: Vec3,
    velocity: Vec3,
    spin: f32,
    /// Ticks until it turns back; 0: it comes back.
    out: u16,
    /// What it hit last, which it does not hit again.
    hit: MobyId,
}

impl FlyingWrench {
    pub fn rotation(&self) -> Vec3 {
        Vec3::new(0.0, 0.0, self.spin)
    }
}

impl Hero {
    pub(super) fn use_items(&mut self, around: &mut Around<'_>) {
        self.choose_weapon(around);
        self.begin_action(around);
        if let Some(action) = &mut self.action {
            let (state, now) = (action.state, action.ticks == action.moment);
            action.ticks += 1;
            self.action.take_if(|action| action.ticks >= action.end);
            if now {
                match state {
                    HeroState::Swing => self.swing(around),
                    HeroState::Throw => self.throw_wrench(around),
                    HeroState::ThrowBomb => self.throw_bomb(around),
                    _ => self.shoot(around),
                }
            }
        }
        self.fly_wrench(around);
    }

    fn choose_weapon(&mut self, around: &Around<'_>) {
        let pressed = |button| around.pad.presses(button, around.before);
        if pressed(Button::Left) || pressed(Button::Right) {
            let other = if self.weapon == Item::Blaster { Item::BombGlove } else { Item::Blaster };
            if other.is_had(around.progress) {
                self.weapon = other;
                self.item = other;
            }
        }
    }

    fn begin_action(&mut self, around: &Around<'_>) {
        if self.action.is_some() || self.hurt > 0 || self.wrench.is_some() {
            return;
        }
        let pressed = |button| around.pad.presses(button, around.before);
        let (state, item, moment, end) = if pressed(Button::Square) {
            if around.pad.holds(Button::R1) {
                (HeroState::Throw, Item::Wrench, 0.1, 0.45)
            } else {
                (HeroState::Swing, Item::Wrench, 0.1, 0.35)
            }
        } else if pressed(Button::Circle) && self.ammo(self.weapon) > 0 {
            match self.weapon {
                Item::BombGlove => (HeroState::ThrowBomb, Item::BombGlove, 0.2, 0.5),
                _ => (HeroState::Shoot, Item::Blaster, 0.0, 0.2),
            }
        } else {
            return;
        };
        self.item = item;
        let ticks = |seconds| around.rate.ticks(seconds);
        self.action = Some(Action { state, ticks: 0, moment: ticks(moment), end: ticks(end) });
    }

    fn swing(&self, around: &mut Around<'_>) {
        for moby in around.mobys.iter().filter(|moby| can_be_hit(moby)) {
            let way = moby.position - self.position;
            let near = way.flat_length() < REACH + moby.size.x;
            let level = way.z < collision::HEIGHT && way.z + moby.size.z > 0.0;
            let ahead = wrapped(way.yaw() - self.yaw).abs() < REACH_SIDE;
            if near && level && ahead {
                around.effects.push(Effect::Hit(self.hit(moby, mask::WRENCH, 1.0)));
            }
        }
    }

    fn hit(&self, moby: &Moby, mask: u32, damage: f32) -> Hit {
        let away = Vec3::heading((moby.position - self.position).yaw());
        Hit {
            target: moby.id,
            attacker: MobyId::HERO,
            mask,
            damage,
            position: moby.middle(),
            velocity: away * PUSH + Vec3::UP * PUSH_UP,
        }
    }

    fn throw_wrench(&mut self, around: &Around<'_>) {
        self.wrench = Some(FlyingWrench {
            position: self.hand(),
            velocity: Vec3::heading(self.yaw) * WRENCH_SPEED,
            spin: 0.0,
            out: around.rate.ticks(WRENCH_SECONDS),
            hit: MobyId::NONE,
        });
    }

    fn fly_wrench(&mut self, around: &mut Around<'_>) {
        let hand = self.hand();
        let Some(wrench) = &mut self.wrench else { return };
        let seconds = around.rate.seconds();
        wrench.out = wrench.out.saturating_sub(1);
        if wrench.out == 0 {
            wrench.velocity = (hand - wrench.position).unit() * WRENCH_SPEED;
        }
        wrench.position += wrench.velocity * seconds;
        wrench.spin = wrapped(wrench.spin + WRENCH_TURN * seconds);
        if wrench.out > 0 && collision::inside(around.level, wrench.position) {
            wrench.out = 1;
        }
        let (at, last, out) = (wrench.position, wrench.hit, wrench.out);
        let struck = around.mobys.iter().find(|moby| {
            can_be_hit(moby) && moby.id != last && distance_to(moby, at) < WRENCH_WIDTH
        });
        if let Some(moby) = struck {
            wrench.hit = moby.id;
            let hit = self.hit(moby, mask::THROWN, 1.0);
            around.effects.push(Effect::Hit(hit));
        }
        if out == 0 && (hand - at).length() < WRENCH_SPEED * seconds {
            self.wrench = None;
        }
    }

    fn shoot(&mut self, around: &mut Around<'_>) {
        let from = self.hand();
        let aimed = around.mobys.iter().filter(|moby| moby.class.is(kind::ENEMY | kind::CRATE));
        let aimed = aimed.filter(|moby| !moby.going && !moby.hidden).filter(|moby| {
            let way = moby.middle() - from;
            way.length() < AIM_RANGE && wrapped(way.yaw() - self.yaw).abs() < AIM_SIDE
        });
        // An enemy before any crate, then the nearest.
        let rank = |moby: &Moby| {
            (moby.middle() - from).length()
                + if moby.class.is(kind::ENEMY) { 0.0 } else { AIM_RANGE }
        };
        let target = aimed.min_by(|a, b| rank(a).total_cmp(&rank(b))).map(Moby::middle);
        let way = target.map_or(Vec3::heading(self.yaw), |target| (target - from).unit());
        let aim = target.map_or([0.0; 4], |at| [at.x, at.y, at.z, 1.0]);
        self.blaster_ammo = self.blaster_ammo.saturating_sub(1);
        self.fire(around, Class::BlasterShot, way * BLASTER_SPEED, aim);
    }

    fn throw_bomb(&mut self, around: &mut Around<'_>) {
        self.bombs = self.bombs.saturating_sub(1);
        let velocity = Vec3::heading(self.yaw) * BOMB_SPEED + Vec3::UP * BOMB_RISE;
        self.fire(around, Class::Bomb, velocity, [0.0; 4]);
    }

    fn fire(&self, around: &mut Around<'_>, class: Class, velocity: Vec3, aim: [f32; 4]) {
        let (position, item) = (self.hand(), i16::from(self.item as u8));
        around.effects.push(Effect::Shot(Shot { position, velocity, aim, item }));
        around.effects.push(Effect::Make(Making {
            class,
            position,
            yaw: velocity.yaw(),
            velocity,
            maker: MobyId::HERO,
            seed: 0,
        }));
    }

    /// In front of him, at the height of his hands.
    fn hand(&self) -> Vec3 {
        self.position + Vec3::heading(self.yaw) * 0.6 + Vec3::UP * 0.9
    }

    pub(super) fn digest_items(&self, digest: &mut Digest) {
        if let Some(action) = &self.action {
            digest.byte(action.state as u8).word(u64::from(action.ticks));
        }
        if let Some(wrench) = &self.wrench {
            let (at, to) = (wrench.position, wrench.velocity);
            digest.floats(at.x, at.y).floats(at.z, wrench.spin).floats(to.x, to.y);
            digest.word(u64::from(wrench.out)).word(u64::from(wrench.hit.0));
        }
    }
}

/// Whether weapons do anything to it.
pub(in crate::sim) fn can_be_hit(moby: &Moby) -> bool {
    let target = moby.class.is(kind::CRATE | kind::ENEMY) || moby.class == Class::Switch;
    target && !moby.going && !moby.hidden
}

/// How far a point is from a moby's body; 0 or less: inside.
pub(in crate::sim) fn distance_to(moby: &Moby, at: Vec3) -> f32 {
    let way = at - moby.position;
    let above = (way.z - moby.size.z).max(-way.z).max(0.0);
    (way.flat_length() - moby.size.x).max(above)
}
