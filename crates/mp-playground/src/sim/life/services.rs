//! Vendors, people, help desks, the ship: they stand there and look at one who comes near. What they
//! offer is begun by the hero. A person may be there only until he has what it is about.

use super::{Life, turn};
use crate::sim::class::Class;
use crate::sim::moby::Moby;

/// States: nobody is near, someone is.
const ALONE: i16 = 0;
const GREETS: i16 = 1;

const NEAR: f32 = 5.0;

pub(super) fn service(moby: &mut Moby, life: &mut Life<'_>) {
    let until = moby.params(life.level).until;
    if until.is_some_and(|gift| life.progress.has(gift) == Some(true)) {
        return life.end(moby);
    }
    let (way, distance) = life.way_to_hero(moby);
    let near = life.hero.alive && distance < NEAR;
    moby.set_state(if near { GREETS } else { ALONE });
    if near && moby.class == Class::Person {
        turn(moby, way.yaw(), 4.0, life.rate);
    }
}
