//! The picture, drawn by software: each game from above and aslant, side by side, with what is written
//! over it. The same scene at the same tick gives the same bytes.

mod camera;
mod canvas;
mod colour;
mod light;
mod model;
mod overlay;
mod raster;
mod scene;

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, BufWriter};
use std::path::Path;

use camera::Camera;
use canvas::{Area, Canvas};
use colour::Colour;
use light::Sun;
use raster::Raster;
use scene::Actor;

use crate::game::StandIn;
use crate::sim::Vec3;

/// How wide and high a view is, in pixels.
const WIDTH: usize = 640;
const HEIGHT: usize = 540;
/// Between two views.
const GAP: usize = 4;
/// Where the camera looks to: north-west and down.
const LOOK: Vec3 = Vec3::new(-0.58, 0.58, -0.62);
/// Pixels a unit.
const SCALE: f32 = 30.0;
/// A hero further away than this from the game's own does not pull the camera, in units.
const PULL: f32 = 16.0;

/// A game to be drawn, and its player's name.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// The game.
    pub game: &'a StandIn,
    /// The player's name.
    pub name: &'a str,
}

/// A finished picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    width: u32,
    height: u32,
    /// Red, green and blue, line by line from the top.
    rgb: Vec<u8>,
}

impl Picture {
    /// Draws the games side by side, two in a row.
    ///
    /// # Panics
    /// Without a game.
    #[must_use]
    pub fn of(views: &[View<'_>]) -> Self {
        assert!(!views.is_empty(), "there is a game to draw");
        let actors: Vec<Vec<Actor>> =
            views.iter().map(|view| scene::actors(view.game, view.name)).collect();
        let names: BTreeSet<&str> = (views.iter().map(|view| view.name))
            .chain(actors.iter().flatten().map(|actor| actor.name.as_str()))
            .collect();
        let colour_of =
            |name: &str| colour::of_hero(names.iter().position(|&n| n == name).unwrap_or(0));
        let columns = views.len().min(2);
        let rows = views.len().div_ceil(2);
        let along = |count: usize, size: usize| count * size + (count - 1) * GAP;
        let mut all = Canvas::new(along(columns, WIDTH), along(rows, HEIGHT));
        for (index, (view, actors)) in views.iter().zip(&actors).enumerate() {
            let canvas = draw(*view, actors, &colour_of);
            all.put(&canvas, index % 2 * (WIDTH + GAP), index / 2 * (HEIGHT + GAP));
        }
        let size = |pixels| u32::try_from(pixels).expect("a few views are small");
        Self {
            width: size(all.width),
            height: size(all.height),
            rgb: all.pixels.iter().flat_map(|pixel| pixel.bytes()).collect(),
        }
    }

    /// Writes the picture as a PNG.
    ///
    /// # Errors
    /// What the system says of the file.
    pub fn save(&self, file: &Path) -> io::Result<()> {
        let out = BufWriter::new(File::create(file)?);
        let mut encoder = png::Encoder::new(out, self.width, self.height);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(&self.rgb)?;
        Ok(writer.finish()?)
    }
}

/// One game's view. The world is drawn at twice the size and halved, which smooths its edges.
fn draw(view: View<'_>, actors: &[Actor], colour_of: &impl Fn(&str) -> Colour) -> Canvas {
    let look = view.game.look();
    let size = (2 * WIDTH, 2 * HEIGHT);
    let camera = Camera::new(LOOK, focus(actors), size, 2.0 * SCALE);
    let faces = scene::faces(view.game, actors, colour_of);
    let sun = Sun::over(&faces, Vec3::ZERO);
    let raster = Raster::of(&faces, &camera, size);
    let colours = light::shade(&raster, &faces, &camera, &sun, look.grid);
    let mut canvas = Canvas::halved(&colours, WIDTH, HEIGHT);
    let health = actors.iter().find(|actor| actor.own).map(|actor| actor.pose.health);
    if look.names {
        overlay::names(&mut canvas, &camera, actors, colour_of);
    }
    overlay::screen(&mut canvas, view.name, colour_of(view.name), health, &view.game.screen());
    let edge = Area { x: 0, y: 0, width: WIDTH, height: 3 };
    canvas.panel(edge, colour_of(view.name), 1.0);
    canvas
}

/// The middle of the heroes near the game's own.
fn focus(actors: &[Actor]) -> Vec3 {
    let Some(own) = actors.iter().find(|actor| actor.own) else { return Vec3::ZERO };
    let own = own.pose.position;
    let near =
        actors.iter().map(|actor| actor.pose.position).filter(|&at| (at - own).length() < PULL);
    let (sum, count) = near.fold((Vec3::ZERO, 0.0), |(sum, count), at| (sum + at, count + 1.0));
    let middle = sum * (1.0 / count);
    Vec3::new(middle.x, middle.y, 0.8)
}

#[cfg(test)]
mod tests;
