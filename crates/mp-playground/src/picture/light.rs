//! The colour of each pixel: a low sun with shadows, a blue sky, the grid on the ground.

use super::camera::{Camera, Projected};
use super::colour::Colour;
use super::drawing::{Drawing, MAP, SUN};
use super::raster::{NOTHING, Raster, centre};
use super::scene::{Face, Finish};
use crate::sim::Vec3;

/// Nearer to what the sun sees than this is not in shadow, in units.
pub(crate) const BIAS: f32 = 0.06;

/// What the sun sees.
struct Sun {
    camera: Camera,
    map: Raster,
}

impl Sun {
    fn over(drawing: &Drawing) -> Self {
        let map = Raster::of(&drawing.faces, &drawing.sun, (MAP, MAP));
        Self { camera: drawing.sun, map }
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

/// The colours of the drawing, line by line, as the camera sees it.
pub(super) fn shade(drawing: &Drawing, raster: &Raster, camera: &Camera) -> Vec<Colour> {
    let sun = Sun::over(drawing);
    let mut colours = Vec::with_capacity(raster.seen.len());
    for (index, seen) in raster.seen.iter().enumerate() {
        let (row, column) = (index / raster.width, index % raster.width);
        if seen.face == NOTHING {
            colours.push(drawing.theme.sky_at(centre(row) / centre(raster.height)));
            continue;
        }
        let face = &drawing.faces[usize::try_from(seen.face).unwrap_or(0)];
        let at = Projected { x: centre(column), y: centre(row), depth: seen.depth };
        colours.push(surface(face, camera.unproject(at), &sun, drawing));
    }
    colours
}

fn surface(face: &Face, point: Vec3, sun: &Sun, drawing: &Drawing) -> Colour {
    let theme = &drawing.theme;
    if face.finish == Finish::Bright {
        return face.colour;
    }
    let facing = face.normal.dot(-SUN.unit()).max(0.0);
    let sunlight = if facing > 0.0 { facing * sun.share(point, face.normal) } else { 0.0 };
    let skylight = 0.75 + 0.25 * face.normal.z;
    let mut light = [0.0; 3];
    for (light, (sun, sky)) in light.iter_mut().zip(theme.sunlight.into_iter().zip(theme.skylight))
    {
        *light = sun * sunlight + sky * skylight;
    }
    let colour = face.colour.lit(light);
    match face.finish {
        Finish::Ground => colour.times(ground(point, drawing.grid)),
        // Little of the sky comes to the foot of a wall.
        Finish::Side => {
            let height = point.z - face.foot();
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
