//! The simulation: a level, its mobys and a hero in it, one fixed step a tick. It reads no clock and has
//! no callbacks; equal seeds and equal pads give equal states, tick for tick. Copied, compared and
//! digested at will. [`world`](self::World) says how a step is made and how a mod takes part in it.

mod class;
mod collision;
mod digest;
mod hero;
mod level;
mod life;
mod moby;
mod pad;
mod pose;
mod rate;
mod rng;
mod vec3;
mod world;

pub use class::{Class, Traits, kind};
pub use collision::{Aabb, HALF_WIDTH, HEIGHT, ground_below};
pub use digest::Digest;
pub use hero::{FULL_HEALTH, Hero, HeroState, Item, PIECE_CLASSES, RUN_SPEED, WRENCH_CLASS};
pub use level::{BoxKind, Checkpoint, Grid, Level, LevelError, Params, Placed, Solid};
pub use moby::{MOBYS, Moby, MobyId, Mobys};
pub use pad::{Button, Pad};
pub use pose::{Animation, HeroPose, Piece};
pub use rate::{TICKS_PER_SECOND, TickRate};
pub use rng::Rng;
pub use vec3::Vec3;
pub use world::{
    Answer, Ask, BoltTally, Cameras, EYES_MAX, Event, HeroView, Hit, How, Making, Refusal, Shot,
    Start, World, mask,
};

#[cfg(test)]
use life::LANDED;
#[cfg(test)]
mod tests;
