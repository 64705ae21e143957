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
mod stage;

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, BufReader, BufWriter};
use std::path::Path;
use std::time::Duration;

use camera::Camera;
use canvas::{Area, Canvas};
use colour::Colour;
use light::Sun;
use raster::Raster;
use scene::Actor;

use crate::game::{SceneKind, StandIn};
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
        let actors: Vec<Vec<Actor>> =
            views.iter().map(|view| scene::actors(view.game, view.name)).collect();
        let names: BTreeSet<&str> = (views.iter().map(|view| view.name))
            .chain(actors.iter().flatten().map(|actor| actor.name.as_str()))
            .collect();
        let colour_of =
            |name: &str| colour::of_hero(names.iter().position(|&n| n == name).unwrap_or(0));
        let mut all = Canvas::for_views(views.len());
        for (index, (view, actors)) in views.iter().zip(&actors).enumerate() {
            all.put(&draw(*view, actors, &colour_of), place(index));
        }
        Self::from_canvas(&all)
    }

    /// Pictures of one game each, side by side as [`Picture::of`] lays them.
    ///
    /// # Panics
    /// Without a picture.
    #[must_use]
    pub fn beside(pictures: &[Self]) -> Self {
        let mut all = Canvas::for_views(pictures.len());
        for (index, picture) in pictures.iter().enumerate() {
            all.put(&picture.to_canvas(), place(index));
        }
        Self::from_canvas(&all)
    }

    /// Reads one that was written by [`Picture::save`].
    ///
    /// # Errors
    /// What the system says of the file, or that it is no such picture.
    pub fn load(file: &Path) -> io::Result<Self> {
        let mut reader = png::Decoder::new(BufReader::new(File::open(file)?)).read_info()?;
        let (width, height) = reader.info().size();
        let size = reader.output_buffer_size().filter(|_| width < 10_000 && height < 10_000);
        let mut rgb = vec![0; size.ok_or_else(|| io::Error::other("too large"))?];
        let frame = reader.next_frame(&mut rgb)?;
        if frame.color_type != png::ColorType::Rgb || frame.bit_depth != png::BitDepth::Eight {
            return Err(io::Error::other("not a picture of this program"));
        }
        Ok(Self { width, height, rgb })
    }

    fn to_canvas(&self) -> Canvas {
        let size = |pixels| usize::try_from(pixels).expect("a size in memory");
        let pixels = self.rgb.chunks_exact(3).map(|dot| Colour::rgb(dot[0], dot[1], dot[2]));
        Canvas { width: size(self.width), height: size(self.height), pixels: pixels.collect() }
    }

    fn from_canvas(canvas: &Canvas) -> Self {
        let size = |pixels| u32::try_from(pixels).expect("a few views are small");
        Self {
            width: size(canvas.width),
            height: size(canvas.height),
            rgb: canvas.pixels.iter().flat_map(|pixel| pixel.bytes()).collect(),
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

impl Canvas {
    /// One that so many views fit into, two in a row.
    fn for_views(count: usize) -> Self {
        assert!(count > 0, "there is something to show");
        let along = |count: usize, size: usize| count * size + (count - 1) * GAP;
        Self::new(along(count.min(2), WIDTH), along(count.div_ceil(2), HEIGHT))
    }
}

/// Where the view of that number has its corner.
const fn place(index: usize) -> (usize, usize) {
    (index % 2 * (WIDTH + GAP), index / 2 * (HEIGHT + GAP))
}

/// One game's view. The world is drawn at twice the size and halved, which smooths its edges.
fn draw(view: View<'_>, actors: &[Actor], colour_of: &impl Fn(&str) -> Colour) -> Canvas {
    let look = view.game.look();
    let size = (2 * WIDTH, 2 * HEIGHT);
    let staged = view.game.scene_view();
    let camera = match &staged {
        Some(scene) => stage::camera(scene, size),
        None => Camera::new(LOOK, focus(actors), size, 2.0 * SCALE),
    };
    // Nobody but its cast is in a scene; a moby's shot shows the world as it is.
    let now = view.game.scene().filter(|now| now.kind != SceneKind::Camera);
    let cast = staged.as_ref().zip(now).map(|(scene, now)| {
        stage::cast(scene, Duration::from_millis(now.elapsed_ms.into()).as_secs_f32())
    });
    let actors = cast.as_deref().unwrap_or(actors);
    let mut faces = scene::faces(view.game, actors, colour_of);
    if let Some(scene) = &staged {
        stage::ships(scene, &mut faces);
    }
    let sun = Sun::over(&faces, Vec3::ZERO);
    let raster = Raster::of(&faces, &camera, size);
    let colours = light::shade(&raster, &faces, &camera, &sun, look.grid);
    let mut canvas = Canvas::halved(&colours, WIDTH, HEIGHT);
    let health = actors.iter().find(|actor| actor.own).map(|actor| actor.pose.health);
    if look.names && staged.is_none() {
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
