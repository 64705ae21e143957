//! Bolts and other pickups: they fly out of what broke, land, and wait there; a bolt then flies to one
//! who comes near, another pickup is taken by touch.
//!
//! A bolt's flight follows from its place and yaw alone, so that one made elsewhere from these two flies
//! the same way and lands in the same place.

use super::{Effect, GRAVITY, Life, turn};
use crate::sim::collision;
use crate::sim::level::Params;
use crate::sim::moby::Moby;
use crate::sim::rate::TickRate;
use crate::sim::vec3::Vec3;

/// States: it flies out, it lies, it flies to the hero.
pub const FLYING: i16 = 0;
pub const LANDED: i16 = 1;
pub const HOMING: i16 = 2;

/// How it flies out, along the ground and up, in units a second.
const OUT: f32 = 2.2;
const UP: f32 = 6.0;
/// How long it flies before the hero draws it, in seconds.
const FREE_SECONDS: f32 = 0.45;
/// Nearer than this the hero draws a bolt, and farther than this he loses one that flies to him.
const DRAWN: f32 = 3.5;
const LOST: f32 = 8.0;
/// How fast it flies to him at most, and how fast it gets there, in units a second (a second).
const SPEED: f32 = 18.0;
const HASTE: f32 = 40.0;
/// Nearer than this to his middle it is his.
const TAKEN: f32 = 0.6;
/// One who comes nearer than this takes another pickup.
const TOUCH: f32 = 1.2;

/// Sends one on its way out.
pub(super) fn throw(moby: &mut Moby, rate: TickRate) {
    moby.velocity = Vec3::heading(moby.rotation.z) * OUT + Vec3::UP * UP;
    moby.state = FLYING;
    moby.timer = rate.ticks(FREE_SECONDS);
    moby.grounded = false;
}

pub(super) fn bolt(moby: &mut Moby, life: &mut Life<'_>) {
    let (way, distance) = way_to(moby, life);
    match moby.state {
        HOMING if !life.hero.alive || distance > LOST => {
            moby.velocity = Vec3::ZERO;
            moby.set_state(FLYING);
        }
        HOMING => home_in(moby, life, way, distance),
        _ if life.hero.alive && moby.timer == 0 && distance < DRAWN => moby.set_state(HOMING),
        FLYING => fly(moby, life),
        _ => {}
    }
}

fn home_in(moby: &mut Moby, life: &mut Life<'_>, way: Vec3, distance: f32) {
    let speed = (moby.velocity.length() + HASTE * life.rate.seconds()).min(SPEED);
    moby.velocity = way.unit() * speed;
    moby.position += moby.velocity * life.rate.seconds().min(distance / speed);
    if distance < TAKEN {
        let collector = life.hero.moby;
        life.effects.push(Effect::Bolt { moby: moby.id, collector });
        life.end(moby);
    }
}

pub(super) fn pickup(moby: &mut Moby, life: &mut Life<'_>) {
    let params: &Params = moby.params(life.level);
    if params.gives.is_some_and(|gift| life.progress.has(gift) == Some(true)) {
        // It was got elsewhere: by a mod, from another player.
        life.end(moby);
        return;
    }
    if moby.state == FLYING {
        fly(moby, life);
    }
    turn(moby, moby.rotation.z + 1.0, 2.0, life.rate);
    let (_, distance) = way_to(moby, life);
    if life.hero.alive && moby.timer == 0 && distance < TOUCH {
        life.effects.push(Effect::Take { moby: moby.id });
        life.effects.push(Effect::Pickup { moby: moby.id, by: life.hero.moby });
        life.end(moby);
    }
}

/// From its middle to the hero's.
fn way_to(moby: &Moby, life: &Life<'_>) -> (Vec3, f32) {
    let way = life.hero.position + Vec3::UP * (0.5 * collision::HEIGHT) - moby.middle();
    (way, way.length())
}

fn fly(moby: &mut Moby, life: &mut Life<'_>) {
    let seconds = life.rate.seconds();
    moby.velocity.z -= GRAVITY * seconds;
    let ground = collision::ground_below(life.level, moby.position);
    let next = moby.position + moby.velocity * seconds;
    // The level's walls stop it; what moves in the level does not, as it may stand elsewhere in another
    // player's game.
    if collision::inside(life.level, Vec3::new(next.x, next.y, moby.position.z)) {
        moby.velocity = Vec3::new(0.0, 0.0, moby.velocity.z);
        moby.position.z = next.z;
    } else {
        moby.position = next;
    }
    if let Some(ground) = ground.filter(|&ground| moby.position.z <= ground) {
        moby.position.z = ground;
        moby.velocity = Vec3::ZERO;
        moby.set_state(LANDED);
    }
    if moby.position.z < life.level.abyss {
        life.end(moby);
    }
}
