//! What there is to see of a game, as flat faces with a colour each: the level's boxes, the heroes, the
//! shots.

use super::colour::Colour;
use super::model;
use crate::game::StandIn;
use crate::sim::{BoxKind, Level, Solid, Vec3};

/// What a face is made of: how it is drawn besides its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Finish {
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
#[derive(Clone, Copy, Debug)]
pub(super) struct Face {
    pub corners: [Vec3; 4],
    /// Outwards, of length 1.
    pub normal: Vec3,
    pub colour: Colour,
    pub finish: Finish,
}

/// A hero in the picture: the game's own or a figure.
#[derive(Clone, Debug)]
pub(super) struct Actor {
    pub name: String,
    pub pose: crate::sim::HeroPose,
    /// Whether a wrench is in the hand.
    pub armed: bool,
    /// The game's own hero, not a figure.
    pub own: bool,
}

/// The heroes to be seen, the game's own first.
pub(super) fn actors(game: &StandIn, name: &str) -> Vec<Actor> {
    let own = game.hero_pose().map(|pose| Actor {
        name: name.to_owned(),
        armed: !pose.pieces.is_empty(),
        pose,
        own: true,
    });
    let figures = game.figures().iter().filter(|figure| figure.shown).filter_map(|figure| {
        Some(Actor {
            name: figure.name.clone(),
            pose: figure.pose.clone()?,
            armed: !figure.pieces.is_empty(),
            own: false,
        })
    });
    own.into_iter().chain(figures).collect()
}

/// The faces of the whole scene.
pub(super) fn faces(
    game: &StandIn,
    actors: &[Actor],
    colour_of: impl Fn(&str) -> Colour,
) -> Vec<Face> {
    let mut faces = Vec::new();
    if let Some(world) = game.world() {
        level_faces(world.level(), &mut faces);
    }
    for actor in actors {
        model::hero(actor, colour_of(&actor.name), &mut faces);
    }
    for shot in game.figures().shots() {
        let half = Vec3::new(0.12, 0.12, 0.12);
        let finish = [Finish::Bright; 2];
        push_box(&mut faces, shot - half, shot + half, Colour::rgb(255, 240, 150), finish);
    }
    faces
}

fn level_faces(level: &Level, faces: &mut Vec<Face>) {
    for Solid { kind, low, high } in &level.solids {
        let (colour, top) = match kind {
            BoxKind::Floor => (Colour::rgb(206, 160, 104), Finish::Ground),
            BoxKind::Wall => (Colour::rgb(176, 104, 72), Finish::Plain),
            BoxKind::House => (Colour::rgb(104, 146, 156), Finish::Plain),
            BoxKind::Platform => (Colour::rgb(158, 150, 164), Finish::Ground),
            BoxKind::Step => (Colour::rgb(186, 154, 124), Finish::Plain),
            BoxKind::Rock => (Colour::rgb(150, 108, 86), Finish::Plain),
        };
        push_box(faces, *low, *high, colour, [top, Finish::Side]);
    }
}

/// Adds a box with its sides along the axes; `finish` of its top and of its sides.
fn push_box(faces: &mut Vec<Face>, low: Vec3, high: Vec3, colour: Colour, finish: [Finish; 2]) {
    let start = faces.len();
    let middle = low.towards(high, 0.5);
    push_turned(faces, middle, (high - low) * 0.5, &|at| at + middle, colour);
    for face in &mut faces[start..] {
        face.finish = if face.normal.z > 0.5 { finish[0] } else { finish[1] };
    }
}

/// Adds the six faces of a box of that half size about the origin, each corner put in its place.
pub(super) fn push_turned(
    faces: &mut Vec<Face>,
    inside: Vec3,
    half: Vec3,
    place: &dyn Fn(Vec3) -> Vec3,
    colour: Colour,
) {
    // The corners of each face, as signs of x, y and z.
    const SIDES: [[[i8; 3]; 4]; 6] = [
        [[1, -1, -1], [1, 1, -1], [1, 1, 1], [1, -1, 1]],
        [[-1, -1, -1], [-1, 1, -1], [-1, 1, 1], [-1, -1, 1]],
        [[-1, 1, -1], [1, 1, -1], [1, 1, 1], [-1, 1, 1]],
        [[-1, -1, -1], [1, -1, -1], [1, -1, 1], [-1, -1, 1]],
        [[-1, -1, 1], [1, -1, 1], [1, 1, 1], [-1, 1, 1]],
        [[-1, -1, -1], [1, -1, -1], [1, 1, -1], [-1, 1, -1]],
    ];
    for side in SIDES {
        let corners = side.map(|[x, y, z]| {
            place(Vec3::new(half.x * f32::from(x), half.y * f32::from(y), half.z * f32::from(z)))
        });
        let flat = (corners[1] - corners[0]).cross(corners[3] - corners[0]).unit();
        let outwards = flat.dot(corners[0].towards(corners[2], 0.5) - inside) > 0.0;
        let normal = if outwards { flat } else { -flat };
        faces.push(Face { corners, normal, colour, finish: Finish::Plain });
    }
}
