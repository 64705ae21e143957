//! The hero as the mod interface shows him (interface.md, `hero_pose`): plain values.

use super::vec3::Vec3;

/// Where an animation stands.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Animation {
    /// Which animation, by the game's number.
    pub sequence: u8,
    /// The frame it is at or past.
    pub frame: u8,
    /// The frame it goes to.
    pub next_frame: u8,
    /// How far it is between the two, from 0 up to 1.
    pub time: f32,
    /// Frames a tick.
    pub speed: f32,
}

impl Animation {
    /// One tick on, in an animation of so many frames that starts again at its end or stays there.
    pub(super) fn advance(&mut self, length: u8, repeats: bool) {
        // A mod may have set any speed: what is too fast or backwards is held to what can be shown.
        self.time = (self.time + self.speed).clamp(0.0, 16.0);
        while self.time >= 1.0 {
            self.time -= 1.0;
            self.frame = self.next_frame;
            self.next_frame = self.next_frame.saturating_add(1);
            if self.next_frame >= length {
                self.next_frame = if repeats { 0 } else { length - 1 };
            }
        }
    }
}

/// A thing worn or held.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Piece {
    /// The game's slot of it.
    pub slot: u8,
    /// Which part of the thing.
    pub part: u8,
    /// The item it belongs to.
    pub item: u8,
    /// The wearer's joint it hangs on.
    pub joint: u8,
    /// Its moby class.
    pub moby_class: i16,
    /// Bits: 1 hidden, 2 blending, 4 loose.
    pub flags: u8,
    /// Where its own animation stands.
    pub animation: Animation,
    /// Where a loose one is.
    pub position: Vec3,
    /// How a loose one is turned, in radians.
    pub rotation: Vec3,
}

/// The hero as he is, or a figure as it is to be.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HeroPose {
    /// Where the feet are.
    pub position: Vec3,
    /// Turned about x, y and z, in radians within ±π.
    pub rotation: Vec3,
    /// Units a second.
    pub velocity: Vec3,
    /// The hero's state, by the game's number.
    pub state: i16,
    /// 0 or less: dead.
    pub health: i16,
    /// The item in his hand.
    pub item: i16,
    /// Bits: 1 blending, 2 teleport, 4 in a scene.
    pub flags: u8,
    /// Where the animation stands.
    pub animation: Animation,
    /// What he wears and holds, [`HeroPose::PIECES`] at most.
    pub pieces: Vec<Piece>,
}

impl HeroPose {
    /// How many pieces a pose has at most (interface.md).
    pub const PIECES: usize = 8;
    /// The flag of a hero who came here otherwise than by moving.
    pub const TELEPORT: u8 = 2;

    /// Whether every number in it is finite.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        let still =
            |animation: &Animation| animation.time.is_finite() && animation.speed.is_finite();
        self.position.is_finite()
            && self.rotation.is_finite()
            && self.velocity.is_finite()
            && still(&self.animation)
            && self.pieces.iter().all(Piece::is_finite)
    }
}

impl Piece {
    /// Whether every number in it is finite.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        self.position.is_finite()
            && self.rotation.is_finite()
            && self.animation.time.is_finite()
            && self.animation.speed.is_finite()
    }
}
