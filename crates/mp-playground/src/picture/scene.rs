//! What there is to see of a game, as flat faces with a colour each: the level's boxes, its things, the
//! heroes, the shots, or the scene that plays.

use super::camera::Camera;
use super::colour::Colour;
use super::model;
use super::shape::push_box;
use super::theme::Theme;
use super::things::{self, Thing};
use crate::game::StandIn;
use crate::sim::{BoxKind, HALF_WIDTH, HEIGHT, HeroPose, Level, Piece, Solid, Vec3};

/// What a face is made of: how it is drawn besides its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Finish {
    /// As it is.
    Plain,
    /// Ground: a grid of one unit, if the player wants it.
    Ground,
    /// A side of the level: darker near its foot.
    Side,
    /// Shines by itself: no shadow falls on it.
    Bright,
}

/// A flat face with four corners, in order round it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Face {
    pub corners: [Vec3; 4],
    /// Outwards, of length 1.
    pub normal: Vec3,
    pub colour: Colour,
    pub finish: Finish,
}

impl Face {
    /// The height of its lowest corner.
    pub(crate) fn foot(&self) -> f32 {
        self.corners.iter().map(|corner| corner.z).fold(f32::INFINITY, f32::min)
    }
}

/// A hero in the picture: the game's own or a figure.
#[derive(Clone, Debug)]
pub(super) struct Actor {
    pub name: String,
    pub pose: HeroPose,
    /// What he wears and holds.
    pub pieces: Vec<Piece>,
    /// The game's own hero, not a figure.
    pub own: bool,
}

/// The heroes to be seen, the game's own first.
pub(super) fn actors(game: &StandIn, name: &str) -> Vec<Actor> {
    let own = game.hero_pose().map(|pose| Actor {
        name: name.to_owned(),
        pieces: pose.pieces.clone(),
        pose,
        own: true,
    });
    let figures = game.figures().iter().filter(|figure| figure.shown).filter_map(|figure| {
        Some(Actor {
            name: figure.name.clone(),
            pose: figure.pose.clone()?,
            pieces: figure.pieces.clone(),
            own: false,
        })
    });
    own.into_iter().chain(figures).collect()
}

/// The faces of what the camera sees, and of what is so near that its shadow may fall into the picture.
pub(super) fn faces(
    game: &StandIn,
    actors: &[Actor],
    camera: &Camera,
    theme: &Theme,
    colour_of: impl Fn(&str) -> Colour,
) -> Vec<Face> {
    let mut faces = Vec::new();
    if let Some(world) = game.world() {
        let own = actors.iter().find(|actor| actor.own).map(|actor| actor.pose.position);
        level_faces(world.level(), camera, theme, own, &mut faces);
    }
    for actor in actors.iter().filter(|actor| is_near(camera, actor.pose.position, 2.0)) {
        model::hero(actor, colour_of(&actor.name), &mut faces);
    }
    for shot in game.figures().shots() {
        let half = Vec3::new(0.12, 0.12, 0.12);
        let finish = [Finish::Bright; 2];
        push_box(&mut faces, shot - half, shot + half, Colour::rgb(255, 240, 150), finish);
    }
    for moby in game.mobys().filter(|moby| !moby.hidden) {
        let half = Vec3::new(0.0, 0.0, 0.5 * moby.size.z);
        let radius = (Vec3::new(moby.size.x, moby.size.y, 0.0) + half).length();
        if is_near(camera, moby.position + half, radius.max(2.0)) {
            things::push(&Thing::of(moby), &mut faces);
        }
    }
    faces
}

/// How much of what hides the hero is left, above his feet, in units.
const CUT: f32 = 0.4;
/// How far a shadow falls, at most, in units.
const SHADOW: f32 = 6.0;

fn is_near(camera: &Camera, middle: Vec3, radius: f32) -> bool {
    camera.sees(middle, radius + SHADOW)
}

fn level_faces(
    level: &Level,
    camera: &Camera,
    theme: &Theme,
    own: Option<Vec3>,
    faces: &mut Vec<Face>,
) {
    let seen = level.solids.iter().filter(|solid| {
        let half = (solid.high - solid.low) * 0.5;
        is_near(camera, solid.low + half, half.length())
    });
    for solid in seen {
        let top = match solid.kind {
            BoxKind::Floor | BoxKind::Platform => Finish::Ground,
            BoxKind::Wall | BoxKind::House | BoxKind::Step | BoxKind::Rock => Finish::Plain,
        };
        let mut high = solid.high;
        // What hides the player's own hero is cut down, as in a doll's house.
        if let Some(own) = own.filter(|&own| hides(solid, own, camera)) {
            high.z = high.z.min(own.z + CUT);
        }
        if high.z <= solid.low.z {
            continue;
        }
        push_box(faces, solid.low, high, theme.solid(solid.kind), [top, Finish::Side]);
    }
}

/// Whether the box is between the camera and the hero's chest.
fn hides(solid: &Solid, own: Vec3, camera: &Camera) -> bool {
    let chest = own + Vec3::new(0.0, 0.0, 0.7 * HEIGHT);
    let to_eye = -camera.forward();
    let (mut enter, mut leave) = (0.0_f32, f32::INFINITY);
    let axes = [
        (chest.x, to_eye.x, solid.low.x - HALF_WIDTH, solid.high.x + HALF_WIDTH),
        (chest.y, to_eye.y, solid.low.y - HALF_WIDTH, solid.high.y + HALF_WIDTH),
        (chest.z, to_eye.z, solid.low.z, solid.high.z),
    ];
    for (from, way, low, high) in axes {
        // Along an axis it does not move, an infinity or none of the box is met.
        let (a, b) = ((low - from) / way, (high - from) / way);
        enter = enter.max(a.min(b));
        leave = leave.min(a.max(b));
    }
    enter < leave && solid.high.z > own.z + CUT
}
