//! Shapes of boxes: what everything in the picture is made of.

use super::colour::Colour;
use super::scene::{Face, Finish};
use crate::sim::Vec3;

/// Adds a box with its sides along the axes; `finish` of its top and of its sides.
pub(super) fn push_box(
    faces: &mut Vec<Face>,
    low: Vec3,
    high: Vec3,
    colour: Colour,
    finish: [Finish; 2],
) {
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

/// A box of a shape, in the shape's own axes: x is where it looks, z is up.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block {
    pub middle: Vec3,
    pub half: Vec3,
    /// Turned about its own upright axis, in radians.
    pub yaw: f32,
    /// Its nose lifted, in radians.
    pub pitch: f32,
    /// How wide and high its front is, of its back.
    pub taper: f32,
    pub colour: Colour,
    pub finish: Finish,
}

impl Block {
    pub(super) const fn new(middle: [f32; 3], half: [f32; 3], colour: Colour) -> Self {
        Self {
            middle: Vec3::new(middle[0], middle[1], middle[2]),
            half: Vec3::new(half[0], half[1], half[2]),
            yaw: 0.0,
            pitch: 0.0,
            taper: 1.0,
            colour,
            finish: Finish::Plain,
        }
    }

    /// Shining by itself.
    pub(super) const fn bright(self) -> Self {
        Self { finish: Finish::Bright, ..self }
    }

    pub(super) const fn turned(self, yaw: f32) -> Self {
        Self { yaw, ..self }
    }

    pub(super) const fn pitched(self, pitch: f32) -> Self {
        Self { pitch, ..self }
    }

    pub(super) const fn tapered(self, taper: f32) -> Self {
        Self { taper, ..self }
    }

    /// Adds its faces, for a shape that stands there and looks that way.
    pub(super) fn push(&self, faces: &mut Vec<Face>, at: Vec3, yaw: f32) {
        let start = faces.len();
        let (sin, cos) = self.pitch.sin_cos();
        let place = |corner: Vec3| {
            let share = 0.5 + 0.5 * corner.x / self.half.x;
            let by = 1.0 + (self.taper - 1.0) * share;
            let corner = Vec3::new(corner.x, corner.y * by, corner.z * by);
            let lifted = Vec3::new(
                corner.x * cos - corner.z * sin,
                corner.y,
                corner.x * sin + corner.z * cos,
            );
            (self.middle + lifted.turned(self.yaw)).turned(yaw) + at
        };
        push_turned(faces, self.middle.turned(yaw) + at, self.half, &place, self.colour);
        faces[start..].iter_mut().for_each(|face| face.finish = self.finish);
    }
}
