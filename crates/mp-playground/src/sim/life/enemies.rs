//! Enemies: they see the hero, or the figure that stands in for him, and go for him.

use super::{Effect, GRAVITY, Life, debris, turn};
use crate::sim::class::Class;
use crate::sim::collision;
use crate::sim::moby::Moby;
use crate::sim::rate::TickRate;
use crate::sim::vec3::Vec3;
use crate::sim::world::{Hit, Making, mask};

/// States: it waits, walks about or goes for the hero, winds up to bite or shoot, gets over it, was hit,
/// is dead.
const WAIT: i16 = 0;
const CHASE: i16 = 1;
const WIND_UP: i16 = 2;
const GET_OVER: i16 = 3;
const HURT: i16 = 4;
const DEAD: i16 = 5;

/// How far it sees, how far up and down, and how far from home it goes.
const SIGHT: f32 = 10.0;
const SIGHT_UP: f32 = 4.0;
const LEASH: f32 = 14.0;
/// A shooter sees farther.
const SHOOTER_SIGHT: f32 = 14.0;
/// Nearer than this it bites, and so near it still hits when the bite comes.
const BITE: f32 = 1.3;
const BITE_REACH: f32 = 1.8;
const BITE_PUSH: f32 = 6.0;
const PUSH_UP: f32 = 4.0;
/// A nest wakes nearer than this, and makes one in so many seconds.
const NEST_SIGHT: f32 = 14.0;
const NEST_SECONDS: f32 = 3.5;
/// How fast it turns, in radians a second.
const TURN: f32 = 8.0;
/// How fast it walks about, and chases, in units a second.
const STROLL: f32 = 1.5;
const RUN: f32 = 4.5;
const SMALL_RUN: f32 = 5.5;
/// How fast what was pushed comes to rest, in units a second, a second.
const FRICTION: f32 = 14.0;
/// Seconds: winding up, getting over it, hurt, dead, and how long it walks about or waits.
const WIND_UP_SECONDS: f32 = 0.35;
const AIM_SECONDS: f32 = 0.6;
const GET_OVER_SECONDS: f32 = 0.7;
const RELOAD_SECONDS: f32 = 1.4;
const HURT_SECONDS: f32 = 0.4;
const DEAD_SECONDS: f32 = 0.4;
const STROLL_SECONDS: f32 = 1.5;
/// An enemy's shot, in units a second.
const SHOT_SPEED: f32 = 10.0;

/// It was hit, and lives.
pub fn knock_back(moby: &mut Moby, push: Vec3, rate: TickRate) {
    if moby.class == Class::Nest {
        return;
    }
    moby.velocity = push;
    moby.grounded = false;
    moby.timer = rate.ticks(HURT_SECONDS);
    moby.set_state(HURT);
}

/// It was hit, and is dead in a moment.
pub fn die(moby: &mut Moby, push: Vec3, rate: TickRate) {
    knock_back(moby, push, rate);
    moby.timer = rate.ticks(DEAD_SECONDS);
    moby.set_state(DEAD);
}

pub(super) fn biter(moby: &mut Moby, life: &mut Life<'_>) {
    if rest(moby, life) {
        return;
    }
    let (way, distance) = life.way_to_hero(moby);
    let from_home = (life.hero.position - moby.home).length();
    let sees = life.hero.alive && way.z.abs() < SIGHT_UP && (distance < SIGHT && from_home < LEASH);
    match moby.state {
        WIND_UP if moby.timer == 0 => {
            if life.hero.alive && distance < BITE_REACH {
                hit_hero(moby, life, mask::BITE, way);
            }
            moby.timer = life.rate.ticks(GET_OVER_SECONDS);
            moby.set_state(GET_OVER);
        }
        WIND_UP => turn(moby, way.yaw(), TURN, life.rate),
        GET_OVER if moby.timer > 0 => {}
        _ if sees && distance < BITE => {
            stand(moby);
            moby.timer = life.rate.ticks(WIND_UP_SECONDS);
            moby.set_state(WIND_UP);
        }
        _ if sees => {
            let speed = if moby.class == Class::Hatchling { SMALL_RUN } else { RUN };
            moby.set_state(CHASE);
            go(moby, way.yaw(), speed, life.rate);
        }
        _ => stroll(moby, life),
    }
    stay_on_ground(moby, life);
}

/// Walks about near its home.
fn stroll(moby: &mut Moby, life: &Life<'_>) {
    if moby.timer == 0 {
        moby.timer = life.rate.ticks(STROLL_SECONDS) + life.rate.ticks(moby.rng.between(0.0, 2.0));
        let walks = moby.rng.below(2) == 0;
        let anywhere = moby.rng.between(-3.1, 3.1);
        let home = moby.home - moby.position;
        let yaw = if home.flat_length() > 3.0 { home.yaw() } else { anywhere };
        stand(moby);
        moby.set_state(if walks { CHASE } else { WAIT });
        if walks {
            moby.rotation.z = yaw;
        }
    }
    if moby.state == CHASE {
        go(moby, moby.rotation.z, STROLL, life.rate);
    } else {
        stand(moby);
        moby.set_state(WAIT);
    }
}

pub(super) fn shooter(moby: &mut Moby, life: &mut Life<'_>) {
    if rest(moby, life) {
        return;
    }
    let (way, distance) = life.way_to_hero(moby);
    let sees = life.hero.alive && distance < SHOOTER_SIGHT && way.z.abs() < SIGHT_UP;
    if sees {
        turn(moby, way.yaw(), TURN, life.rate);
    }
    match moby.state {
        WIND_UP if moby.timer == 0 => {
            shoot(moby, life, way);
            moby.timer = life.rate.ticks(RELOAD_SECONDS);
            moby.set_state(GET_OVER);
        }
        WIND_UP => {}
        GET_OVER if moby.timer > 0 => {}
        _ if sees => {
            moby.timer = life.rate.ticks(AIM_SECONDS);
            moby.set_state(WIND_UP);
        }
        _ => moby.set_state(WAIT),
    }
    stay_on_ground(moby, life);
}

fn shoot(moby: &mut Moby, life: &mut Life<'_>, way: Vec3) {
    let ahead = Vec3::heading(way.yaw());
    let position = moby.position + Vec3::UP * 1.0 + ahead * 0.8;
    let at = life.hero.position + Vec3::UP * (0.5 * collision::HEIGHT);
    let velocity = (at - position).unit() * SHOT_SPEED;
    life.effects.push(Effect::Make(Making {
        class: Class::EnemyShot,
        position,
        yaw: velocity.yaw(),
        velocity,
        maker: moby.id,
        seed: moby.rng.bits(),
    }));
}

pub(super) fn nest(moby: &mut Moby, life: &mut Life<'_>) {
    if moby.state == DEAD || moby.health <= 0.0 {
        dissolve(moby, life);
        return;
    }
    let (way, distance) = life.way_to_hero(moby);
    let wakes = life.hero.alive && distance < NEST_SIGHT;
    moby.set_state(if wakes { CHASE } else { WAIT });
    if wakes && moby.timer == 0 && moby.children < moby.params(life.level).limit {
        moby.timer = life.rate.ticks(NEST_SECONDS);
        let yaw = way.yaw() + moby.rng.between(-0.8, 0.8);
        life.effects.push(Effect::Make(Making {
            class: Class::Hatchling,
            position: moby.position + Vec3::heading(yaw) * 1.5 + Vec3::UP * 0.3,
            yaw,
            velocity: Vec3::ZERO,
            maker: moby.id,
            seed: moby.rng.bits(),
        }));
    }
}

/// What one that was hit or is dead does: it flies and slides; whether it is one.
fn rest(moby: &mut Moby, life: &mut Life<'_>) -> bool {
    if moby.state != HURT && moby.state != DEAD {
        return false;
    }
    if moby.state == DEAD && moby.timer == 0 {
        dissolve(moby, life);
        return true;
    }
    if moby.grounded {
        let slower = FRICTION * life.rate.seconds();
        let speed = moby.velocity.flat_length();
        moby.velocity = moby.velocity * ((speed - slower).max(0.0) / speed.max(slower));
    }
    fall(moby, life);
    if moby.state == HURT && moby.timer == 0 && moby.grounded {
        moby.set_state(WAIT);
    }
    true
}

fn dissolve(moby: &mut Moby, life: &mut Life<'_>) {
    life.effects.push(debris(moby));
    life.end(moby);
}

fn hit_hero(moby: &Moby, life: &mut Life<'_>, mask: u32, way: Vec3) {
    life.effects.push(Effect::Hit(Hit {
        target: life.hero.moby,
        attacker: moby.id,
        mask,
        damage: 1.0,
        position: life.hero.position + Vec3::UP * (0.5 * collision::HEIGHT),
        velocity: Vec3::heading(way.yaw()) * BITE_PUSH + Vec3::UP * PUSH_UP,
    }));
}

fn go(moby: &mut Moby, yaw: f32, speed: f32, rate: TickRate) {
    turn(moby, yaw, TURN, rate);
    let ahead = Vec3::heading(moby.rotation.z) * speed;
    moby.velocity = Vec3::new(ahead.x, ahead.y, moby.velocity.z);
}

fn stand(moby: &mut Moby) {
    moby.velocity = Vec3::new(0.0, 0.0, moby.velocity.z);
}

/// Moves it, but not over an edge.
fn stay_on_ground(moby: &mut Moby, life: &mut Life<'_>) {
    let still = moby.velocity.x == 0.0 && moby.velocity.y == 0.0;
    if moby.grounded && still {
        return;
    }
    let (before, was_grounded) = (moby.position, moby.grounded);
    fall(moby, life);
    if was_grounded && !moby.grounded {
        moby.position = before;
        moby.velocity = Vec3::ZERO;
        moby.grounded = true;
    }
}

fn fall(moby: &mut Moby, life: &mut Life<'_>) {
    moby.velocity.z =
        if moby.grounded { 0.0 } else { moby.velocity.z } - GRAVITY * life.rate.seconds();
    life.walk(moby);
    if moby.position.z < life.level.abyss {
        life.end(moby);
    }
}
