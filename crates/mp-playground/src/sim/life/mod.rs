//! What mobys do by themselves: their updates, by class. An update changes its own moby, reads the rest,
//! and leaves effects; it never reaches into another.

mod bolts;
pub(super) mod enemies;
pub(super) mod platforms;
mod projectiles;
mod services;

use super::class::{Class, kind};
use super::collision::{self, Aabb, Body};
use super::hero::wrapped;
use super::level::{Level, Params};
use super::moby::{Moby, MobyId, Mobys};
use super::rate::TickRate;
use super::vec3::Vec3;
use super::world::{Effect, HeroView, How, Making, boxes_near};
use crate::progress::Progress;

pub(super) use bolts::{HOMING, LANDED};

/// What falls does so, in units a second, a second.
const GRAVITY: f32 = 18.0;

/// What there is around a moby for a tick of its life.
pub(super) struct Life<'a> {
    pub level: &'a Level,
    pub mobys: &'a Mobys,
    pub rate: TickRate,
    pub hero: HeroView,
    pub progress: &'a Progress,
    pub effects: &'a mut Vec<Effect>,
    pub boxes: &'a mut Vec<Aabb>,
}

/// One tick of a moby.
pub(super) fn update(moby: &mut Moby, life: &mut Life<'_>) {
    moby.timer = moby.timer.saturating_sub(1);
    match moby.class {
        Class::Bolt | Class::BigBolt => bolts::bolt(moby, life),
        Class::Nanotech | Class::Ammo | Class::GoldBolt | Class::Find => bolts::pickup(moby, life),
        Class::Biter | Class::Hatchling => enemies::biter(moby, life),
        Class::Shooter => enemies::shooter(moby, life),
        Class::Nest => enemies::nest(moby, life),
        Class::Door => platforms::door(moby, life),
        Class::Lift => platforms::lift(moby, life),
        Class::Bridge => platforms::bridge(moby, life),
        Class::MovingPlatform => platforms::to_and_fro(moby, life),
        Class::Vendor | Class::Person | Class::HelpDesk | Class::Ship => {
            services::service(moby, life);
        }
        Class::EnemyShot => projectiles::enemy_shot(moby, life),
        Class::BlasterShot => projectiles::blaster_shot(moby, life),
        Class::Bomb => projectiles::bomb(moby, life),
        Class::Debris | Class::Explosion => projectiles::effect(moby, life),
        // Crates and switches wait for what is done to them.
        Class::BoltCrate | Class::NanotechCrate | Class::AmmoCrate | Class::Switch => {}
        // These have no update.
        Class::Hero | Class::Lamp | Class::Plant => {}
    }
}

/// A moby as it is when it was just made.
pub(super) fn born(making: &Making, rate: TickRate) -> Moby {
    let Making { class, position, yaw, velocity, maker, seed } = *making;
    let params = Params::of(class);
    let mut moby = Moby::new(class, position, yaw, params.size, seed, rate);
    moby.bolts = params.bolts;
    moby.maker = maker;
    let ahead = Vec3::heading(yaw);
    if class.is(kind::BOLT | kind::PICKUP) {
        bolts::throw(&mut moby, rate);
    } else if class.is(kind::PROJECTILE) {
        // One a mod makes flies where it looks.
        let given = velocity != Vec3::ZERO;
        moby.velocity = if given { velocity } else { ahead * projectiles::speed(class) };
        moby.timer = rate.ticks(projectiles::SECONDS);
    } else if class.is(kind::EFFECT) {
        moby.timer = rate.ticks(projectiles::EFFECT_SECONDS);
    } else if class.is(kind::ENEMY) {
        moby.grounded = false;
    }
    moby
}

/// What is left of a moby, to be made where it is.
pub(super) fn debris(moby: &Moby) -> Effect {
    Effect::Make(Making {
        class: Class::Debris,
        position: moby.position,
        yaw: moby.rotation.z,
        velocity: Vec3::ZERO,
        maker: moby.id,
        seed: 0,
    })
}

impl Life<'_> {
    /// The moby ends by itself.
    fn end(&mut self, moby: &mut Moby) {
        moby.going = true;
        self.effects.push(Effect::Gone { moby: moby.id, how: How::Own, by: MobyId::NONE });
    }

    /// From the moby's foot to the hero's, and how far he is.
    fn way_to_hero(&self, moby: &Moby) -> (Vec3, f32) {
        let way = self.hero.position - moby.position;
        (way, way.length())
    }

    /// Moves a body by its velocity for a tick, as far as boxes let it; falling is up to the caller.
    fn walk(&mut self, moby: &mut Moby) {
        let body = Body { half_width: moby.size.x, height: moby.size.z };
        let by = moby.velocity * self.rate.seconds();
        let reach = body.reach(moby.position, by);
        boxes_near(self.level, self.mobys, &reach, moby.id, self.boxes);
        let moved = collision::moved(self.boxes, body, moby.position, by, moby.grounded);
        for (hit, speed) in [
            (moved.hit_x, &mut moby.velocity.x),
            (moved.hit_y, &mut moby.velocity.y),
            (moved.hit_z, &mut moby.velocity.z),
        ] {
            if hit {
                *speed = 0.0;
            }
        }
        moby.position = moved.position;
        moby.grounded = moved.grounded;
    }
}

/// Turns a moby towards an angle, so many radians a second at most.
fn turn(moby: &mut Moby, yaw: f32, speed: f32, rate: TickRate) {
    let most = speed * rate.seconds();
    let by = wrapped(yaw - moby.rotation.z).clamp(-most, most);
    moby.rotation.z = wrapped(moby.rotation.z + by);
}
