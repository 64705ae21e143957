//! A scene in the picture: its camera, and those who act in it instead of the heroes.

use super::SCALE;
use super::camera::Camera;
use super::colour::Colour;
use super::scene::{Actor, Face, push_turned};
use crate::scenes::{ActorView, SceneView};
use crate::sim::{Animation, HeroPose, HeroState, RUN_SPEED, Vec3};

/// Seen from this far, a unit is as large as outside of scenes.
const DISTANCE: f32 = 16.0;
/// The classes of mobys that look like a hero, and like the ship.
const HERO: i16 = 0;
const PERSON: i16 = 901;
const SHIP: i16 = 903;

/// The eye of a scene, in a picture of that size.
pub(super) fn camera(view: &SceneView, size: (usize, usize)) -> Camera {
    let way = view.target - view.eye;
    let scale = SCALE * DISTANCE / way.length().max(1.0);
    Camera::new(way, view.target, size, 2.0 * scale)
}

/// Those of a scene who look like a hero.
pub(super) fn cast(view: &SceneView, seconds: f32) -> Vec<Actor> {
    let heroes = view.actors.iter().filter(|actor| [HERO, PERSON].contains(&actor.class));
    heroes
        .map(|actor| Actor {
            name: actor.name.clone(),
            pose: pose(actor, seconds),
            armed: actor.class == HERO,
            own: false,
        })
        .collect()
}

/// The ships of a scene.
pub(super) fn ships(view: &SceneView, faces: &mut Vec<Face>) {
    const fn part(middle: [f32; 3], half: [f32; 3], colour: Colour) -> (Vec3, Vec3, Colour) {
        let [x, y, z] = middle;
        let [wide, deep, high] = half;
        (Vec3::new(x, y, z), Vec3::new(wide, deep, high), colour)
    }
    const PARTS: [(Vec3, Vec3, Colour); 4] = [
        part([0.0, 0.0, 0.9], [1.9, 0.7, 0.5], Colour::rgb(196, 92, 60)),
        part([0.5, 0.0, 1.5], [0.6, 0.5, 0.3], Colour::rgb(126, 200, 226)),
        part([-0.8, 0.0, 0.8], [0.6, 2.0, 0.12], Colour::rgb(224, 206, 160)),
        part([-1.9, 0.0, 0.9], [0.25, 0.5, 0.35], Colour::rgb(90, 96, 110)),
    ];
    for ship in view.actors.iter().filter(|actor| actor.class == SHIP) {
        for (middle, half, colour) in PARTS {
            let place = |at: Vec3| (middle + at).turned(ship.yaw) + ship.position;
            push_turned(faces, place(Vec3::ZERO), half, &place, colour);
        }
    }
}

/// He goes as fast as he moves.
fn pose(actor: &ActorView, seconds: f32) -> HeroPose {
    let (state, frames) = if actor.speed > 0.5 * RUN_SPEED {
        (HeroState::Run, 45.0)
    } else if actor.speed > 0.1 {
        (HeroState::Walk, 30.0)
    } else {
        (HeroState::Stand, 30.0)
    };
    let at = (seconds * frames) % 40.0;
    // Within 0 and 40.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let frame = at as u8;
    let time = at - f32::from(frame);
    HeroPose {
        position: actor.position,
        rotation: Vec3::new(0.0, 0.0, actor.yaw),
        animation: Animation { sequence: state as u8, frame, time, ..Animation::default() },
        ..HeroPose::default()
    }
}
