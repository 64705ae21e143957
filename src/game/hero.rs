//! The hero, and the figures that stand for the others' heroes.

use core::num::NonZeroU32;

use arrayvec::ArrayVec;
use mp_protocol::game::{AnimTime, Animation as WireAnimation, Piece, PoseAnimSpeed};
use mp_protocol::limits::POSE_PIECES_MAX;

/// The fastest animation that the wire can carry, either way.
const SPEED_MAX: f32 = 32.0;

/// What a hero wears and holds, each piece in the wire's resolution.
pub type Pieces = ArrayVec<Piece, POSE_PIECES_MAX>;

/// A figure: what stands for another player's hero in this game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Figure(pub NonZeroU32);

/// A hero's animation. What the numbers name is the game's own; only time and speed are quantities.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Animation {
    /// The sequence's number.
    pub sequence: u8,
    /// The frame shown.
    pub frame: u8,
    /// The frame it goes to.
    pub next_frame: u8,
    /// How far it is from one to the other, 0 to 1.
    pub time: f32,
    /// Its speed; 1 is as made, negative runs backwards.
    pub speed: f32,
}

impl Animation {
    /// As the wire carries it: the nearest that it can. `None` if its time or its speed is no number.
    #[must_use]
    pub fn to_wire(self) -> Option<WireAnimation> {
        Some(WireAnimation {
            seq: self.sequence,
            frame: self.frame,
            next_frame: self.next_frame,
            time: AnimTime::from_f32(self.time.clamp(0.0, 1.0))?,
            speed: PoseAnimSpeed::from_f32(self.speed.clamp(-SPEED_MAX, SPEED_MAX))?,
        })
    }
}

impl From<WireAnimation> for Animation {
    fn from(wire: WireAnimation) -> Self {
        Self {
            sequence: wire.seq,
            frame: wire.frame,
            next_frame: wire.next_frame,
            time: wire.time.to_f32(),
            speed: wire.speed.to_f32(),
        }
    }
}

/// A hero's pose: where he is and what he looks like.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct HeroPose {
    /// Where, in the game's units.
    pub position: [f32; 3],
    /// Radians, within ±π.
    pub rotation: [f32; 3],
    /// Units a second.
    pub velocity: [f32; 3],
    /// The game's number for what he does.
    pub state: i16,
    /// 0 and less: dead.
    pub health: i16,
    /// The item in his hand.
    pub item: i16,
    /// How he moves.
    pub animation: Animation,
    /// The animation blends into its next.
    pub blending: bool,
    /// He did not walk here: no path leads from the last pose to this one.
    pub teleport: bool,
    /// What he wears and holds.
    pub pieces: Pieces,
}

/// A shot that the hero fired, or that a figure is to fire.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shot {
    /// What was fired, by item number.
    pub item: i16,
    /// Where it begins, in the game's units.
    pub position: [f32; 3],
    /// Units a second.
    pub velocity: [f32; 3],
    /// The game's own four numbers, given back to it as they were.
    pub aim: [f32; 4],
}
