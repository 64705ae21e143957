//! What a mod may do to the world (interface.md, World). A call that makes something happen only begins
//! it: the driver settles it with `poll` and `answer` before it returns to the mod.

use super::{Effect, Hit, How, Making, MobyId, World};
use crate::sim::class::{Class, kind};
use crate::sim::life;
use crate::sim::pose::Animation;
use crate::sim::vec3::Vec3;

/// How many eyes there are at most (interface.md).
pub const EYES_MAX: usize = 3;

/// Why the world does not do what it was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// No moby of that handle is there.
    #[error("moby {} is stale", .0.0)]
    Stale(MobyId),
    /// Only a driven moby can be posed.
    #[error("moby {} is not driven", .0.0)]
    NotDriven(MobyId),
    /// Calls lie too deep in each other.
    #[error("calls lie too deep in each other")]
    TooDeep,
}

/// The three points the world is seen and run from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cameras {
    /// The camera.
    pub mods: Vec3,
    /// Where the run list measured from in the newest step.
    pub run_list: Vec3,
    /// The one the pause menu puts up: it shows the level's start.
    pub pause_menu: Vec3,
}

impl World {
    /// Drives a moby, so that its update does not run, or lets it go.
    ///
    /// # Errors
    /// [`Refusal::Stale`].
    pub fn drive(&mut self, moby: MobyId, drive: bool) -> Result<(), Refusal> {
        let moby = self.mobys.get_mut(moby).ok_or(Refusal::Stale(moby))?;
        moby.driven = drive;
        Ok(())
    }

    /// Poses a driven moby; its collision follows.
    ///
    /// # Errors
    /// [`Refusal::Stale`], [`Refusal::NotDriven`].
    pub fn pose(
        &mut self,
        id: MobyId,
        position: Vec3,
        rotation: Vec3,
        animation: Animation,
        hidden: bool,
    ) -> Result<(), Refusal> {
        let mut moby = *self.mobys.get(id).ok_or(Refusal::Stale(id))?;
        if !moby.driven {
            return Err(Refusal::NotDriven(id));
        }
        (moby.position, moby.rotation) = (position, rotation);
        (moby.animation, moby.hidden) = (animation, hidden);
        self.mobys.put(&self.level, moby);
        Ok(())
    }

    /// Begins the end of a moby; `debris`: with debris, but no drops. One that goes already goes on.
    ///
    /// # Errors
    /// [`Refusal::Stale`], [`Refusal::TooDeep`].
    pub fn kill(&mut self, id: MobyId, debris: bool) -> Result<(), Refusal> {
        let mut moby = *self.mobys.get(id).ok_or(Refusal::Stale(id))?;
        self.open()?;
        if moby.going {
            return Ok(());
        }
        moby.going = true;
        self.mobys.put(&self.level, moby);
        self.bolts.removed += u64::from(moby.value() > 0);
        if debris {
            self.debris(&moby);
        }
        self.effects.list.push(Effect::Gone { moby: id, how: How::Mod, by: MobyId::NONE });
        Ok(())
    }

    /// Begins to break a crate the game's own way; false: it is none, or breaks already.
    ///
    /// # Errors
    /// [`Refusal::Stale`], [`Refusal::TooDeep`].
    pub fn break_crate(&mut self, crate_id: MobyId, by: MobyId) -> Result<bool, Refusal> {
        self.check(crate_id)?;
        self.check(by)?;
        self.open()?;
        Ok(self.break_up(crate_id, by))
    }

    /// Makes a moby of that class there; `None`: there is no room, or the class is not made in play.
    pub fn make(&mut self, class: i16, position: Vec3, yaw: f32) -> Option<MobyId> {
        let made = kind::CRATE
            | kind::BOLT
            | kind::PICKUP
            | kind::CREATURE
            | kind::PROJECTILE
            | kind::EFFECT;
        let class = Class::of_number(class).filter(|class| class.is(made))?;
        // The same moby made anywhere by a mod does the same.
        let seed = u64::from(position.x.to_bits()) << 32 | u64::from(position.y.to_bits());
        let (velocity, maker) = (Vec3::ZERO, MobyId::NONE);
        let making = Making { class, position, yaw, velocity, maker, seed };
        self.mobys.add(&self.level, life::born(&making, self.rate))
    }

    /// Begins a hit as if the game had dealt it; false: there is no such target.
    ///
    /// # Errors
    /// [`Refusal::Stale`] of the attacker, [`Refusal::TooDeep`].
    pub fn hit(&mut self, hit: &Hit) -> Result<bool, Refusal> {
        self.check(hit.attacker)?;
        self.open()?;
        let there = hit.target != MobyId::NONE && self.is_there(hit.target);
        if there {
            self.land(hit);
        }
        Ok(there)
    }

    /// Sets the points the world runs around too, [`EYES_MAX`] at most.
    pub fn set_eyes(&mut self, points: &[Vec3]) {
        self.eyes.clear();
        self.eyes.extend(points.iter().take(EYES_MAX));
    }

    /// The points the world is seen and run from.
    #[must_use]
    pub fn cameras(&self) -> Cameras {
        Cameras {
            mods: self.camera(),
            run_list: self.run_point,
            pause_menu: self.level.start + super::CAMERA,
        }
    }

    fn check(&self, moby: MobyId) -> Result<(), Refusal> {
        let known = moby == MobyId::NONE || self.is_there(moby);
        if known { Ok(()) } else { Err(Refusal::Stale(moby)) }
    }

    fn open(&mut self) -> Result<(), Refusal> {
        if self.effects.open() { Ok(()) } else { Err(Refusal::TooDeep) }
    }
}
