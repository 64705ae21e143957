//! The level's mobys, and what happens to them.

use core::num::NonZeroU32;

use mp_protocol::game::MobyKey;

use super::Animation;

/// A live moby. Valid until that moby is gone; another one may then get the same number. What is asked of
/// one that is gone does nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MobyHandle(pub NonZeroU32);

/// What kinds of moby one is: bits that may go together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Kinds(pub u32);

impl Kinds {
    /// In the level's file: it has a key.
    pub const PLACED: Self = Self(0x001);
    /// It has an update of its own.
    pub const UPDATES: Self = Self(0x002);
    /// An enemy.
    pub const ENEMY: Self = Self(0x004);
    /// A creature.
    pub const CREATURE: Self = Self(0x008);
    /// A crate.
    pub const CRATE: Self = Self(0x010);
    /// A bolt.
    pub const BOLT: Self = Self(0x020);
    /// A pickup that is no bolt.
    pub const PICKUP: Self = Self(0x040);
    /// A platform.
    pub const PLATFORM: Self = Self(0x080);
    /// A part of the scenery.
    pub const STATIC: Self = Self(0x100);
    /// A vendor, the ship, a person, a help desk.
    pub const SERVICE: Self = Self(0x200);
    /// A projectile.
    pub const PROJECTILE: Self = Self(0x400);
    /// An effect.
    pub const EFFECT: Self = Self(0x800);

    /// Whether any of `kinds` is among them.
    #[must_use]
    pub const fn any(self, kinds: Self) -> bool {
        self.0 & kinds.0 != 0
    }
}

impl core::ops::BitOr for Kinds {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// A live moby of the level, as the newest tick left it. Every number in it is finite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moby {
    /// Which.
    pub handle: MobyHandle,
    /// Its record in the level's file, the same in every game; `None` for one made in play.
    pub key: Option<MobyKey>,
    /// Of the game's moby classes.
    pub class: i16,
    /// What it is.
    pub kinds: Kinds,
    /// Where it is, and its animation.
    pub pose: MobyPose,
    /// As the game counts it.
    pub health: f32,
    /// A bolt's, in bolts.
    pub value: i32,
    /// Of its class's states.
    pub state: i16,
    /// It is not drawn.
    pub hidden: bool,
    /// Its update ran in this tick.
    pub ran: bool,
    /// It was drawn in this tick.
    pub drawn: bool,
    /// From the point that the run list measured from, in the game's units.
    pub distance: f32,
    /// Beyond this distance it does not run; 0: always runs.
    pub update_distance: f32,
    /// Beyond this distance it is not drawn; 0: always drawn.
    pub draw_distance: f32,
}

/// Where a moby is, and its animation.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct MobyPose {
    /// In the game's units.
    pub position: [f32; 3],
    /// Radians about each axis, within ±π.
    pub rotation: [f32; 3],
    /// Where its animation stands; speed in frames a tick.
    pub animation: Animation,
}

/// How a moby is removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kill {
    /// Nothing is seen or heard of it.
    Quiet,
    /// Debris and sound; no drops.
    Death,
}

/// How a moby went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gone {
    /// Its own update removed it.
    Own,
    /// Another moby did.
    Other,
    /// A mod did.
    Mod,
}

/// A hit: one about to land, or one to be dealt.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// Who is hit; `None`: the hero, where the call says so.
    pub target: Option<MobyHandle>,
    /// Who deals it, if anyone.
    pub attacker: Option<MobyHandle>,
    /// The game's own kinds of hit.
    pub mask: u32,
    /// As the game counts it.
    pub damage: f32,
    /// Where, in the game's units.
    pub position: [f32; 3],
    /// The push, in units a second.
    pub velocity: [f32; 3],
}

/// The points that the world is seen and run from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cameras {
    /// The camera that mods read.
    pub mods: [f32; 3],
    /// The point that the run list measured from.
    pub run_list: [f32; 3],
    /// The one that the pause menu puts up.
    pub pause_menu: [f32; 3],
}

/// How many more points the world can run around.
pub const EYES_MAX: usize = 3;
