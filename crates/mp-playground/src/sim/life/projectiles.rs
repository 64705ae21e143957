//! What is shot and thrown, and what is left of things for a moment.

use super::{GRAVITY, Life};
use crate::sim::class::Class;
use crate::sim::collision;
use crate::sim::hero::{can_be_hit, distance_to};
use crate::sim::moby::{Moby, MobyId};
use crate::sim::vec3::Vec3;
use crate::sim::world::{Effect, Hit, Making, mask};

/// How long a projectile flies, and how long an effect is seen, in seconds.
pub(super) const SECONDS: f32 = 2.0;
pub(super) const EFFECT_SECONDS: f32 = 0.7;
/// Nearer than this to the hero's middle a shot hits him; to a moby's body, that.
const HERO_WIDTH: f32 = 0.7;
const MOBY_WIDTH: f32 = 0.35;
/// How far a bomb reaches, what it does, and how hard it pushes.
const BLAST: f32 = 3.0;
const BLAST_DAMAGE: f32 = 3.0;
const BLAST_PUSH: f32 = 8.0;
/// How hard a shot pushes.
const PUSH: f32 = 5.0;
const PUSH_UP: f32 = 3.0;

/// How fast one flies that a mod makes, in units a second.
pub(super) fn speed(class: Class) -> f32 {
    match class {
        Class::BlasterShot => 30.0,
        Class::Bomb => 9.0,
        _ => 10.0,
    }
}

pub(super) fn enemy_shot(moby: &mut Moby, life: &mut Life<'_>) {
    fly(moby, life);
    let middle = life.hero.position + Vec3::UP * (0.5 * collision::HEIGHT);
    if life.hero.alive && (middle - moby.position).length() < HERO_WIDTH {
        let hit = hit(moby, life, life.hero.moby, mask::SHOT, 1.0);
        life.effects.push(Effect::Hit(hit));
        life.end(moby);
    } else if is_over(moby, life) {
        life.end(moby);
    }
}

pub(super) fn blaster_shot(moby: &mut Moby, life: &mut Life<'_>) {
    fly(moby, life);
    if let Some(target) = struck(moby, life) {
        let hit = hit(moby, life, target, mask::BLASTER, 1.0);
        life.effects.push(Effect::Hit(hit));
        life.end(moby);
    } else if is_over(moby, life) {
        life.end(moby);
    }
}

pub(super) fn bomb(moby: &mut Moby, life: &mut Life<'_>) {
    moby.velocity.z -= GRAVITY * life.rate.seconds();
    fly(moby, life);
    if struck(moby, life).is_none() && !is_over(moby, life) {
        return;
    }
    let mobys = life.mobys;
    for near in mobys.iter().filter(|near| can_be_hit(near)) {
        if distance_to(near, moby.position) < BLAST {
            let away = Vec3::heading((near.position - moby.position).yaw());
            life.effects.push(Effect::Hit(Hit {
                velocity: away * BLAST_PUSH + Vec3::UP * PUSH_UP,
                ..hit(moby, life, near.id, mask::BOMB, BLAST_DAMAGE)
            }));
        }
    }
    life.effects.push(Effect::Make(Making {
        class: Class::Explosion,
        position: moby.position,
        yaw: 0.0,
        velocity: Vec3::ZERO,
        maker: moby.id,
        seed: 0,
    }));
    life.end(moby);
}

pub(super) fn effect(moby: &mut Moby, life: &mut Life<'_>) {
    if moby.timer == 0 {
        life.end(moby);
    }
}

fn fly(moby: &mut Moby, life: &Life<'_>) {
    moby.position += moby.velocity * life.rate.seconds();
}

/// Whether it has flown long enough, or into the level.
fn is_over(moby: &Moby, life: &Life<'_>) -> bool {
    moby.timer == 0 || collision::inside(life.level, moby.position)
}

/// What of the hero's enemies, crates and switches it touches: the first by its slot.
fn struck(moby: &Moby, life: &Life<'_>) -> Option<MobyId> {
    let at = moby.position;
    let touched =
        life.mobys.iter().find(|other| can_be_hit(other) && distance_to(other, at) < MOBY_WIDTH);
    touched.map(|other| other.id)
}

fn hit(moby: &Moby, life: &Life<'_>, target: MobyId, mask: u32, damage: f32) -> Hit {
    let push = Vec3::heading(moby.velocity.yaw()) * PUSH + Vec3::UP * PUSH_UP;
    // What it does, it does for whoever shot it.
    let lives = moby.maker == MobyId::HERO || life.mobys.get(moby.maker).is_some();
    let attacker = if lives { moby.maker } else { moby.id };
    Hit { target, attacker, mask, damage, position: moby.position, velocity: push }
}
