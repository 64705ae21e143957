//! What mobys do to each other, as values: an update never reaches into another moby, it leaves effects,
//! and the world settles them one by one, asking whoever listens about each.

use crate::progress::Gift;
use crate::sim::class::Class;
use crate::sim::moby::MobyId;
use crate::sim::vec3::Vec3;

/// The kinds of hit (interface.md, `on_hit`'s mask), as bits.
pub mod mask {
    /// The wrench, swung.
    pub const WRENCH: u32 = 0x01;
    /// The wrench, thrown.
    pub const THROWN: u32 = 0x02;
    /// The Blaster.
    pub const BLASTER: u32 = 0x04;
    /// A bomb.
    pub const BOMB: u32 = 0x08;
    /// An enemy's teeth.
    pub const BITE: u32 = 0x10;
    /// An enemy's shot.
    pub const SHOT: u32 = 0x20;
}

/// A hit, before it lands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// Who is hit: a moby, the hero, or a figure that stands in for him.
    pub target: MobyId,
    /// Who deals it, or none.
    pub attacker: MobyId,
    /// [`mask`] bits.
    pub mask: u32,
    /// How much.
    pub damage: f32,
    /// Where it lands.
    pub position: Vec3,
    /// The push, in units a second.
    pub velocity: Vec3,
}

/// A shot as the mod interface has it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shot {
    /// Where it starts.
    pub position: Vec3,
    /// Units a second.
    pub velocity: Vec3,
    /// The game's own four numbers: the point aimed at and 1, or all 0.
    pub aim: [f32; 4],
    /// The item that fired it.
    pub item: i16,
}

/// A moby to be made in play.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Making {
    /// Its class.
    pub class: Class,
    /// Where.
    pub position: Vec3,
    /// Where it looks, in radians from east.
    pub yaw: f32,
    /// Units a second, of a projectile. Anything else starts as its class and yaw say.
    pub velocity: Vec3,
    /// Who makes it, or none.
    pub maker: MobyId,
    /// Of its own chance.
    pub seed: u64,
}

/// How a moby went (interface.md, `on_gone`); the number is the interface's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum How {
    /// Its own update removed it.
    Own = 0,
    /// Another moby did.
    Other = 1,
    /// A mod did.
    Mod = 2,
}

/// Something to be settled.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::sim) enum Effect {
    Make(Making),
    Made {
        moby: MobyId,
        maker: MobyId,
    },
    Hit(Hit),
    /// A bolt reached that collector.
    Bolt {
        moby: MobyId,
        collector: MobyId,
    },
    /// A pickup that is no bolt does what it does for the hero. Nobody is asked.
    Take {
        moby: MobyId,
    },
    /// It was taken.
    Pickup {
        moby: MobyId,
        by: MobyId,
    },
    Broke {
        moby: MobyId,
        by: MobyId,
    },
    /// It is removed once everyone was told.
    Gone {
        moby: MobyId,
        how: How,
        by: MobyId,
    },
    Shot(Shot),
}

/// What the game asks or tells a mod in the middle of a step: one hook of interface.md each.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Ask {
    /// `gate`: run, skip, or a stand-in?
    Gate(MobyId),
    /// `on_make`: make or refuse?
    Make(Making),
    /// `on_made`.
    Made {
        /// The new moby.
        moby: MobyId,
        /// Its class.
        class: Class,
        /// Who made it, or none.
        maker: MobyId,
    },
    /// `on_gone`: the handle is good until this is answered.
    Gone {
        /// Who goes.
        moby: MobyId,
        /// How.
        how: How,
        /// Who removed it, or none.
        by: MobyId,
    },
    /// `on_hit`: deliver or swallow?
    Hit(Hit),
    /// `on_bolt`: keep or swallow?
    Bolt {
        /// The bolt.
        moby: MobyId,
        /// The hero, or a figure that stands in for him.
        collector: MobyId,
        /// In bolts.
        value: i32,
    },
    /// `on_broke`.
    Broke {
        /// The crate.
        moby: MobyId,
        /// Who broke it, or none.
        by: MobyId,
    },
    /// `on_pickup`.
    Pickup {
        /// The pickup.
        moby: MobyId,
        /// Who took it.
        by: MobyId,
    },
    /// `on_shot`.
    Shot(Shot),
}

/// What a mod answers. Where it was only told, it does not matter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Answer {
    /// The game's own way: run, make, deliver, keep.
    OwnWay,
    /// The other one: skip, refuse, swallow.
    Not,
    /// Of a gate: run, and see this one as the hero.
    StandIn(HeroView),
}

/// The hero as mobys see him: himself, or a figure that stands in for him.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeroView {
    /// His moby.
    pub moby: MobyId,
    /// Where his feet are.
    pub position: Vec3,
    /// Units a second.
    pub velocity: Vec3,
    /// The dead are not hunted, and collect nothing.
    pub alive: bool,
}

/// What happened in the world that the game around it acts on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Event {
    /// The hero died.
    Died,
    /// He came back where he was last safe.
    CameBack,
    /// He took something placed in the level that is never there again, and that he did not have: a gold
    /// bolt, whose scene begins, or a thing to find.
    Took {
        /// Its record.
        key: u16,
        /// What it was.
        gift: Gift,
        /// Where it was.
        position: Vec3,
    },
    /// An enemy was killed.
    Killed {
        /// By whom, or none.
        by: MobyId,
    },
    /// Triangle beside a vendor, a person, a help desk or the ship.
    Used {
        /// Its moby.
        moby: MobyId,
        /// Its record.
        key: Option<u16>,
        /// Its class.
        class: Class,
    },
}

/// The effects still to be settled. A call of a mod in the middle of a step settles its own effects at
/// once, before those that wait: it opens a frame for them.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Effects {
    pub list: Vec<Effect>,
    /// The step's own frame, then those of calls, the innermost last.
    frames: Vec<Frame>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Frame {
    start: usize,
    next: usize,
    /// What was asked about and is not answered yet.
    asked: Option<Effect>,
}

/// How deep calls of a mod may lie in each other: one that breaks a crate in a hook about a crate that
/// broke, and so on.
const DEPTH_MAX: usize = 64;

impl Effects {
    pub fn new() -> Self {
        Self { list: Vec::new(), frames: vec![Frame::default()] }
    }

    /// The effect of the open frame to settle next, which counts as settled from now on.
    pub fn take(&mut self) -> Option<Effect> {
        let inner = self.frames.len() > 1;
        let next = self.open_frame().next;
        let effect = self.list.get(next).copied();
        if effect.is_some() {
            self.open_frame().next += 1;
        } else if !inner {
            self.list.clear();
            *self.open_frame() = Frame::default();
        }
        effect
    }

    /// Opens a frame: what is added from now on is settled first. False: too deep.
    pub fn open(&mut self) -> bool {
        let may = self.frames.len() < DEPTH_MAX;
        if may {
            let start = self.list.len();
            self.frames.push(Frame { start, next: start, asked: None });
        }
        may
    }

    /// Closes the open frame, all of whose effects are settled. False: only the step's own is open.
    pub fn close(&mut self) -> bool {
        if self.frames.len() == 1 {
            return false;
        }
        let frame = self.frames.pop().expect("more than one");
        debug_assert_eq!(frame.next, self.list.len(), "all of it is settled");
        self.list.truncate(frame.start);
        true
    }

    #[cfg(test)]
    pub fn room(&self) -> [usize; 2] {
        [self.list.capacity(), self.frames.capacity()]
    }

    /// Keeps the effect of the open frame that was asked about.
    pub fn ask(&mut self, effect: Effect) {
        self.open_frame().asked = Some(effect);
    }

    /// The effect of the open frame that was asked about.
    pub fn asked(&mut self) -> Option<Effect> {
        self.open_frame().asked.take()
    }

    fn open_frame(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("the step's own frame is always there")
    }
}
