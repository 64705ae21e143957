//! The hero's shape: a few boxes that swing as he goes, and what he wears and holds.

use std::f32::consts::{FRAC_PI_2, TAU};

use super::colour::Colour;
use super::scene::{Actor, Face};
use super::shape::{Block, push_turned};
use crate::sim::{HeroPose, HeroState, PIECE_CLASSES, Piece, Vec3};

/// How much is dark and how much is light on him besides his own colour.
const SKIN: Colour = Colour::rgb(250, 214, 150);
const DARK: Colour = Colour::rgb(70, 52, 44);
const METAL: Colour = Colour::rgb(206, 214, 222);
const PAINT: Colour = Colour::rgb(214, 92, 60);
const LIGHT: Colour = Colour::rgb(120, 240, 250);
/// Where arms and legs hang.
const SHOULDER: f32 = 1.0;
const HIP: f32 = 0.6;
/// Of a piece that is not on a joint.
const LOOSE: u8 = 4;

/// One box of him, before he is turned: its middle, half its size, the joint it swings about (forwards)
/// and the angle.
struct Part {
    middle: Vec3,
    half: Vec3,
    joint: Vec3,
    swing: f32,
    colour: Colour,
}

impl Part {
    const fn new(middle: [f32; 3], half: [f32; 3], colour: Colour) -> Self {
        Self {
            middle: Vec3::new(middle[0], middle[1], middle[2]),
            half: Vec3::new(half[0], half[1], half[2]),
            joint: Vec3::ZERO,
            swing: 0.0,
            colour,
        }
    }

    const fn at_joint(self, height: f32, swing: f32) -> Self {
        Self { joint: Vec3::new(0.0, 0.0, height), swing, ..self }
    }
}

/// How he holds himself: how far his limbs swing forwards, in radians, how deep he crouches, in units,
/// and how far he leans back, in radians.
#[derive(Clone, Copy, Debug, Default)]
struct Stance {
    legs: f32,
    left: f32,
    right: f32,
    crouch: f32,
    lean: f32,
    /// How high the point is that he leans about, in units.
    pivot: f32,
}

/// Adds the faces of a hero.
pub(super) fn hero(actor: &Actor, colour: Colour, faces: &mut Vec<Face>) {
    let pose = &actor.pose;
    let stance = stance(pose);
    let mut parts = body(stance, colour);
    for piece in &actor.pieces {
        if piece.flags & LOOSE == 0 {
            parts.extend(worn(piece, stance));
        } else {
            thrown(piece, faces);
        }
    }
    for part in parts {
        let place = |at: Vec3| {
            let swung = pitched(part.middle + at - part.joint, part.swing);
            let low = part.joint + swung - Vec3::new(0.0, 0.0, stance.crouch);
            let pivot = Vec3::new(0.0, 0.0, stance.pivot);
            (pivot + pitched(low - pivot, stance.lean)).turned(pose.rotation.z) + pose.position
        };
        push_turned(faces, place(Vec3::ZERO), part.half, &place, part.colour);
    }
}

/// Swung forwards about the axis to his left.
fn pitched(at: Vec3, angle: f32) -> Vec3 {
    let (sin, cos) = angle.sin_cos();
    Vec3::new(at.x * cos - at.z * sin, at.y, at.z * cos + at.x * sin)
}

fn body(stance: Stance, colour: Colour) -> Vec<Part> {
    let dark = colour.times(0.72);
    let mut parts = vec![
        Part::new([0.0, 0.0, 0.8], [0.18, 0.25, 0.26], colour),
        Part::new([0.0, 0.0, 0.58], [0.19, 0.26, 0.05], DARK),
        Part::new([0.02, 0.0, 1.27], [0.25, 0.27, 0.22], SKIN),
        Part::new([0.27, 0.0, 1.2], [0.06, 0.16, 0.11], Colour::WHITE.times(0.94)),
        Part::new([-0.02, 0.0, 1.5], [0.24, 0.2, 0.03], colour),
        Part::new([-0.36, 0.0, 0.56], [0.2, 0.05, 0.05], colour)
            .at_joint(HIP, -0.5 - stance.legs * 0.2),
    ];
    for (side, leg, arm) in [(-1.0, stance.legs, stance.right), (1.0, -stance.legs, stance.left)] {
        let leg_parts = [
            Part::new([0.0, side * 0.15, 0.36], [0.09, 0.09, 0.26], DARK),
            Part::new([0.07, side * 0.15, 0.07], [0.2, 0.12, 0.08], dark),
        ];
        parts.extend(leg_parts.map(|part| part.at_joint(HIP, leg)));
        let arm_parts = [
            Part::new([0.0, side * 0.33, 0.82], [0.08, 0.07, 0.2], SKIN),
            Part::new([0.0, side * 0.33, 0.6], [0.1, 0.1, 0.08], dark),
        ];
        parts.extend(arm_parts.map(|part| part.at_joint(SHOULDER, arm)));
        parts.push(Part::new([0.25, side * 0.12, 1.35], [0.03, 0.05, 0.07], DARK));
        parts.push(Part::new([-0.08, side * 0.27, 1.56], [0.05, 0.1, 0.24], colour));
    }
    parts
}

/// A piece on him: in his right hand, or on his back.
fn worn(piece: &Piece, stance: Stance) -> Vec<Part> {
    let [wrench, clank, blaster, glove] = PIECE_CLASSES;
    let in_hand = |part: Part| part.at_joint(SHOULDER, stance.right);
    let class = piece.moby_class;
    if class == wrench {
        let handle = Part::new([0.16, -0.33, 0.6], [0.36, 0.04, 0.04], METAL);
        let head = Part::new([0.5, -0.33, 0.6], [0.09, 0.14, 0.05], METAL);
        vec![in_hand(handle), in_hand(head)]
    } else if class == clank {
        vec![
            Part::new([-0.3, 0.0, 0.82], [0.12, 0.18, 0.18], METAL),
            Part::new([-0.28, 0.0, 1.1], [0.12, 0.15, 0.1], METAL.times(0.9)),
            Part::new([-0.41, 0.0, 1.12], [0.02, 0.1, 0.04], Colour::rgb(110, 230, 130)),
        ]
    } else if class == blaster {
        let barrel = Part::new([0.04, -0.33, 0.36], [0.06, 0.06, 0.24], PAINT);
        let muzzle = Part::new([0.04, -0.33, 0.12], [0.08, 0.08, 0.05], LIGHT);
        let grip = Part::new([-0.08, -0.33, 0.5], [0.1, 0.04, 0.05], DARK);
        vec![in_hand(barrel), in_hand(muzzle), in_hand(grip)]
    } else if class == glove {
        let glove = Part::new([0.0, -0.33, 0.56], [0.15, 0.14, 0.14], PAINT);
        let band = Part::new([0.0, -0.33, 0.7], [0.16, 0.15, 0.03], METAL);
        vec![in_hand(glove), in_hand(band)]
    } else {
        Vec::new()
    }
}

/// A piece that flies by itself: the wrench.
fn thrown(piece: &Piece, faces: &mut Vec<Face>) {
    let [x, y, z]: [f32; 3] = piece.rotation.into();
    let blocks = [
        Block::new([0.0, 0.0, 0.0], [0.42, 0.05, 0.05], METAL),
        Block::new([0.42, 0.0, 0.0], [0.1, 0.17, 0.07], METAL),
        Block::new([-0.42, 0.0, 0.0], [0.07, 0.09, 0.06], METAL),
    ];
    for block in blocks {
        block.push(faces, piece.position, x + y + z);
    }
}

/// How he holds himself, from his animation.
fn stance(pose: &HeroPose) -> Stance {
    let frame = f32::from(pose.animation.frame) + pose.animation.time;
    let is = |state: HeroState| pose.animation.sequence == state as u8;
    let wave = |frames: f32| (frame / frames * TAU).sin();
    let walk =
        |legs: f32, arms: f32| Stance { legs, left: arms, right: -arms, ..Stance::default() };
    if is(HeroState::Run) {
        Stance { crouch: 0.03, ..walk(wave(20.0) * 0.95, wave(20.0) * 1.1) }
    } else if is(HeroState::Walk) {
        walk(wave(24.0) * 0.55, wave(24.0) * 0.5)
    } else if is(HeroState::Jump) || is(HeroState::Fall) {
        walk(0.7, 1.6)
    } else if is(HeroState::SecondJump) {
        // A somersault.
        Stance { lean: -(frame / 14.0) * TAU, pivot: 0.8, ..walk(0.9, 1.2) }
    } else if is(HeroState::Land) {
        Stance { crouch: 0.14, ..walk(0.3, 0.4) }
    } else if is(HeroState::Swing) || is(HeroState::Throw) || is(HeroState::ThrowBomb) {
        // From behind his head to in front of his knees.
        let share = (frame / 10.0).min(1.0);
        let right = 2.8 - 2.6 * share;
        Stance { legs: 0.4, left: -0.5, right, crouch: 0.06, lean: -0.2 * share, pivot: 0.0 }
    } else if is(HeroState::Shoot) {
        Stance { legs: 0.2, left: 1.2, right: FRAC_PI_2, ..Stance::default() }
    } else if is(HeroState::Hurt) {
        Stance { legs: 0.3, left: 2.0, right: 1.8, lean: 0.4, ..Stance::default() }
    } else if is(HeroState::Dead) {
        let share = (frame / 12.0).min(1.0);
        let lean = FRAC_PI_2 * share;
        Stance { left: 1.0, right: 1.2, lean, crouch: 0.0, legs: 0.1, pivot: 0.2 }
    } else {
        walk(0.0, wave(40.0) * 0.08)
    }
}
