//! The colour of each pixel: a low sun with shadows, a blue sky, the grid on the ground.

use super::camera::{Camera, Projected};
use super::colour::Colour;
use super::raster::{NOTHING, Raster, centre};
use super::scene::{Face, Finish};
use crate::sim::Vec3;

/// Where the sunlight goes.
const SUN: Vec3 = Vec3::new(0.34, 0.56, -0.72);
/// The map of what the sun sees: its size in pixels and its pixels a unit.
const MAP: usize = 1_536;
const MAP_SCALE: f32 = 26.0;
/// Nearer to what the sun sees than this is not in shadow, in units.
const BIAS: f32 = 0.06;

/// How much of each colour the sun and the sky give.
const SUN_COLOUR: [f32; 3] = [0.84, 0.74, 0.56];
const SKY_COLOUR: [f32; 3] = [0.46, 0.48, 0.60];

/// What the sun sees.
pub(super) struct Sun {
    camera: Camera,
    map: Raster,
}

impl Sun {
    /// The sun over a scene about that place.
    pub(super) fn over(faces: &[Face], about: Vec3) -> Self {
        let camera = Camera::new(SUN, about, (MAP, MAP), MAP_SCALE);
        let map = Raster::of(faces, &camera, (MAP, MAP));
        Self { camera, map }
    }

    /// How much of the sun comes there, from 0 to 1: soft at the edge of a shadow.
    fn share(&self, point: Vec3, normal: Vec3) -> f32 {
        let at = self.camera.project(point + normal * 0.06);
        let open = |dx: f32, dy: f32| {
            let seen = self.map.at(at.x + dx, at.y + dy);
            seen.is_none_or(|seen| at.depth < seen.depth + BIAS)
        };
        let around = [(-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0), (1.0, 1.0), (0.0, 0.0)];
        let lit = around.iter().filter(|&&(dx, dy)| open(dx, dy)).count();
        f32::from(u8::try_from(lit).unwrap_or(5)) / 5.0
    }
}

/// The colours of a picture of these faces, line by line.
pub(super) fn shade(
    raster: &Raster,
    faces: &[Face],
    camera: &Camera,
    sun: &Sun,
    grid: bool,
) -> Vec<Colour> {
    let mut colours = Vec::with_capacity(raster.seen.len());
    for (index, seen) in raster.seen.iter().enumerate() {
        let (row, column) = (index / raster.width, index % raster.width);
        if seen.face == NOTHING {
            colours.push(sky(centre(row) / centre(raster.height)));
            continue;
        }
        let face = &faces[usize::try_from(seen.face).unwrap_or(0)];
        let at = Projected { x: centre(column), y: centre(row), depth: seen.depth };
        colours.push(surface(face, camera.unproject(at), sun, grid));
    }
    colours
}

fn surface(face: &Face, point: Vec3, sun: &Sun, grid: bool) -> Colour {
    if face.finish == Finish::Bright {
        return face.colour;
    }
    let facing = face.normal.dot(-SUN.unit()).max(0.0);
    let sunlight = if facing > 0.0 { facing * sun.share(point, face.normal) } else { 0.0 };
    let skylight = 0.75 + 0.25 * face.normal.z;
    let mut light = [0.0; 3];
    for (light, (sun, sky)) in light.iter_mut().zip(SUN_COLOUR.into_iter().zip(SKY_COLOUR)) {
        *light = sun * sunlight + sky * skylight;
    }
    let colour = face.colour.lit(light);
    match face.finish {
        Finish::Ground => colour.times(ground(point, grid)),
        // Little of the sky comes to the foot of a wall.
        Finish::Side => {
            let height = point.z - face.corners.iter().map(|c| c.z).fold(f32::INFINITY, f32::min);
            colour.times(0.8 + 0.2 * (height / 1.2).min(1.0))
        }
        Finish::Plain | Finish::Bright => colour,
    }
}

/// How bright the ground is there: tiles of two shades, and the grid's lines.
fn ground(point: Vec3, grid: bool) -> f32 {
    let tile = (point.x.div_euclid(2.0) + point.y.div_euclid(2.0)).rem_euclid(2.0);
    let shade = if tile < 1.0 { 1.0 } else { 0.955 };
    let to_line = |at: f32| (at - at.round()).abs();
    let on_line = to_line(point.x).min(to_line(point.y)) < 0.025;
    if grid && on_line { shade * 0.86 } else { shade }
}

/// The sky, from the top (0) to the bottom (1) of the picture.
fn sky(height: f32) -> Colour {
    Colour::rgb(38, 30, 62).towards(Colour::rgb(214, 122, 84), height.powf(1.4))
}
