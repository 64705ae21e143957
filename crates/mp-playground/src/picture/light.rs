//! The colour of each pixel: a low sun with shadows, a blue sky, the grid on the ground.

use super::camera::{Camera, Projected};
use super::canvas::Canvas;
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

/// The drawing's colours, half as wide and high as its raster, which `camera` looked at: each the mean
/// of four. Where all four see the same face its light is reckoned once.
pub(super) fn shade(drawing: &Drawing, raster: &Raster, camera: &Camera) -> Canvas {
    let sun = Sun::over(drawing);
    let (width, height) = (raster.width / 2, raster.height / 2);
    let mut canvas = Canvas::new(width, height);
    for (index, pixel) in canvas.pixels.iter_mut().enumerate() {
        let (row, column) = (2 * (index / width), 2 * (index % width));
        let four = [(0, 0), (0, 1), (1, 0), (1, 1)].map(|(down, right)| {
            let (row, column) = (row + down, column + right);
            let seen = raster.seen[row * raster.width + column];
            (seen.face, Projected { x: centre(column), y: centre(row), depth: seen.depth })
        });
        if four.iter().all(|(face, _)| *face == NOTHING) {
            *pixel = drawing.theme.sky_at(centre(row) / centre(raster.height));
            continue;
        }
        let points = four.map(|(_, at)| camera.unproject(at));
        let face = |number: u32| usize::try_from(number).ok().and_then(|at| drawing.faces.get(at));
        *pixel = match face(four[0].0) {
            Some(only) if four.iter().all(|(face, _)| *face == four[0].0) => {
                let middle = points[0].towards(points[3], 0.5);
                let pattern = points.iter().map(|&point| pattern(only, point, drawing.grid));
                surface(only, middle, &sun, drawing).times(pattern.sum::<f32>() / 4.0)
            }
            _ => {
                let colours = four.iter().zip(points).map(|((number, at), point)| {
                    let Some(face) = face(*number) else {
                        return drawing.theme.sky_at(at.y / centre(raster.height));
                    };
                    let colour = surface(face, point, &sun, drawing);
                    colour.times(pattern(face, point, drawing.grid))
                });
                colours.fold(Colour::BLACK, Colour::plus).times(0.25)
            }
        };
    }
    canvas
}

/// A face's colour in its light, without its pattern.
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
    face.colour.lit(light)
}

/// How bright a face is there, beside its light.
fn pattern(face: &Face, point: Vec3, grid: bool) -> f32 {
    match face.finish {
        Finish::Ground => ground(point, grid),
        // Little of the sky comes to the foot of a wall.
        Finish::Side => 0.8 + 0.2 * ((point.z - face.foot()) / 1.2).min(1.0),
        Finish::Plain | Finish::Bright => 1.0,
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
