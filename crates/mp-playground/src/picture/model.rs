//! The hero's shape: a few boxes that swing as he goes.

use std::f32::consts::TAU;

use super::colour::Colour;
use super::scene::{Actor, Face, push_turned};
use crate::sim::{HeroPose, HeroState, Vec3};

/// How much is dark and how much is light on him besides his own colour.
const SKIN: Colour = Colour::rgb(250, 214, 150);
const DARK: Colour = Colour::rgb(70, 52, 44);
const METAL: Colour = Colour::rgb(206, 214, 222);

/// One box of him, before he is turned: its middle, half its size, the joint it swings about (forwards)
/// and the angle.
struct Part {
    middle: Vec3,
    half: Vec3,
    joint: Vec3,
    swing: f32,
    colour: Colour,
}

/// Adds the faces of a hero.
pub(super) fn hero(actor: &Actor, colour: Colour, faces: &mut Vec<Face>) {
    let pose = &actor.pose;
    for part in parts(pose, actor.armed, colour) {
        let place = |at: Vec3| {
            let from_joint = part.middle + at - part.joint;
            let (sin, cos) = part.swing.sin_cos();
            let swung = Vec3::new(
                from_joint.x * cos + from_joint.z * sin,
                from_joint.y,
                from_joint.z * cos - from_joint.x * sin,
            );
            (part.joint + swung).turned(pose.rotation.z) + pose.position
        };
        push_turned(faces, place(Vec3::ZERO), part.half, &place, part.colour);
    }
}

fn parts(pose: &HeroPose, armed: bool, colour: Colour) -> Vec<Part> {
    let (legs, arms, crouch) = swings(pose);
    let part = |middle: (f32, f32, f32), half: (f32, f32, f32), colour| Part {
        middle: Vec3::new(middle.0, middle.1, middle.2 - crouch),
        half: Vec3::new(half.0, half.1, half.2),
        joint: Vec3::new(0.0, 0.0, 0.9),
        swing: 0.0,
        colour,
    };
    let swung = |part: Part, height: f32, swing| Part {
        joint: Vec3::new(0.0, 0.0, height - crouch),
        swing,
        ..part
    };
    let dark = colour.times(0.72);
    let mut parts = Vec::new();
    for (side, way) in [(-1.0, legs), (1.0, -legs)] {
        parts.push(swung(part((0.0, side * 0.15, 0.36), (0.09, 0.09, 0.26), DARK), 0.6, way));
        parts.push(swung(part((0.07, side * 0.15, 0.07), (0.2, 0.12, 0.08), dark), 0.6, way));
    }
    parts.push(part((0.0, 0.0, 0.8), (0.18, 0.25, 0.26), colour));
    parts.push(part((0.0, 0.0, 0.58), (0.19, 0.26, 0.05), DARK));
    for (side, way) in [(-1.0, -arms), (1.0, arms)] {
        parts.push(swung(part((0.0, side * 0.33, 0.82), (0.08, 0.07, 0.2), SKIN), 1.0, way));
        parts.push(swung(part((0.0, side * 0.33, 0.6), (0.1, 0.1, 0.08), dark), 1.0, way));
    }
    parts.push(part((0.02, 0.0, 1.27), (0.25, 0.27, 0.22), SKIN));
    parts.push(part((0.27, 0.0, 1.2), (0.06, 0.16, 0.11), Colour::WHITE.times(0.94)));
    for side in [-1.0, 1.0] {
        parts.push(part((0.25, side * 0.12, 1.35), (0.03, 0.05, 0.07), DARK));
        parts.push(part((-0.08, side * 0.27, 1.56), (0.05, 0.1, 0.24), colour));
    }
    parts.push(part((-0.02, 0.0, 1.5), (0.24, 0.2, 0.03), colour));
    let tail = part((-0.36, 0.0, 0.56), (0.2, 0.05, 0.05), colour);
    parts.push(swung(tail, 0.6, 0.5 + legs * 0.2));
    if armed {
        let handle = part((0.16, -0.33, 0.6), (0.36, 0.04, 0.04), METAL);
        parts.push(swung(handle, 1.0, -arms));
        let head = part((0.5, -0.33, 0.6), (0.09, 0.14, 0.05), METAL);
        parts.push(swung(head, 1.0, -arms));
    }
    parts
}

/// How far legs and arms swing, in radians, and how deep he crouches, from his animation.
fn swings(pose: &HeroPose) -> (f32, f32, f32) {
    let frame = f32::from(pose.animation.frame) + pose.animation.time;
    let is = |state: HeroState| pose.animation.sequence == state as u8;
    let turn = |frames: f32| (frame / frames * TAU).sin();
    if is(HeroState::Run) {
        (turn(20.0) * 0.95, turn(20.0) * 1.1, 0.03)
    } else if is(HeroState::Walk) {
        (turn(24.0) * 0.55, turn(24.0) * 0.5, 0.0)
    } else if is(HeroState::Jump) || is(HeroState::Fall) {
        (0.7, 1.6, 0.0)
    } else if is(HeroState::Land) {
        (0.3, 0.4, 0.14)
    } else {
        (0.0, turn(40.0) * 0.08, 0.0)
    }
}
