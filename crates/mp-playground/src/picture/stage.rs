//! A scene in the picture: its camera, and those who act in it instead of the heroes.

use super::camera::Camera;
use super::scene::{Actor, Face};
use super::things::{self, Thing};
use crate::scenes::{ActorView, SceneView};
use crate::sim::{Animation, Class, HeroPose, HeroState, Piece, RUN_SPEED, Vec3, WRENCH_CLASS};

/// How many units fit across the smaller side of a view, for each that the eye is away.
const LENS: f32 = 1.1;

/// The eye of a scene: where it looks to, what is in the middle, and how many units fit across.
pub(super) fn eye(view: &SceneView) -> (Vec3, Vec3, f32) {
    let way = view.target - view.eye;
    (way, view.target, way.length().max(1.0) * LENS)
}

/// Those of a scene who look like a hero.
pub(super) fn cast(view: &SceneView, seconds: f32) -> Vec<Actor> {
    let heroes = view.actors.iter().filter(|actor| actor.class == Class::Hero as i16);
    heroes
        .map(|actor| Actor {
            name: actor.name.clone(),
            pose: pose(actor, seconds),
            pieces: vec![Piece { moby_class: WRENCH_CLASS, ..Piece::default() }],
            own: false,
        })
        .collect()
}

/// Adds all others of a scene.
pub(super) fn others(view: &SceneView, camera: &Camera, seconds: f32, faces: &mut Vec<Face>) {
    let others = view.actors.iter().filter(|actor| camera.sees(actor.position, 4.0));
    for actor in others.filter(|actor| actor.class != Class::Hero as i16) {
        let Some(class) = Class::of_number(actor.class) else { continue };
        let thing = Thing {
            share: (seconds * 1.2).fract(),
            speed: actor.speed,
            flying: actor.speed > 0.1,
            ..Thing::new(class, actor.position, actor.yaw)
        };
        things::push(&thing, faces);
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
