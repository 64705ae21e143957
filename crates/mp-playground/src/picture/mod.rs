//! The picture: each game from above and aslant, side by side, with what is written over it. What there
//! is to draw is made into lists first (`drawing`); here they are drawn by software. The same scene at
//! the same tick gives the same bytes.

pub(crate) mod camera;
mod canvas;
mod clip;
pub(crate) mod colour;
pub(crate) mod drawing;
pub(crate) mod light;
pub(crate) mod marks;
mod model;
mod names;
mod overlay;
mod page;
mod plots;
mod raster;
pub(crate) mod scene;
mod shape;
mod stage;
pub(crate) mod theme;
mod things;

use std::fs::File;
use std::io::{self, BufReader, BufWriter};
use std::path::Path;

use canvas::Canvas;
pub use clip::{Clip, Shown};
use colour::Colour;
use drawing::{Colours, Drawing, place};
use marks::Marks;
pub use plots::{LinkFigures, Plots};
use raster::Raster;

use crate::game::StandIn;

/// How wide and high a view is, in pixels.
const WIDTH: usize = 640;
const HEIGHT: usize = 540;
/// Between two views.
pub(crate) const GAP: usize = 4;

/// A game to be drawn, and its player.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// The game.
    pub game: &'a StandIn,
    /// The player's name.
    pub name: &'a str,
    /// What is known of its link, if that is to be seen.
    pub plots: Option<&'a Plots>,
    /// Whether a person plays it now.
    pub played: bool,
}

impl<'a> View<'a> {
    /// The view of a game that nobody watches the link of.
    #[must_use]
    pub const fn new(game: &'a StandIn, name: &'a str) -> Self {
        Self { game, name, plots: None, played: false }
    }
}

/// A finished picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    pub(crate) width: u32,
    pub(crate) height: u32,
    /// Red, green and blue, line by line from the top.
    pub(crate) rgb: Vec<u8>,
}

impl Picture {
    /// Draws the games side by side, two in a row.
    ///
    /// # Panics
    /// Without a game.
    #[must_use]
    pub fn of(views: &[View<'_>]) -> Self {
        Self::sized(views, room_for(views.len()))
    }

    /// The same in that many pixels across and down.
    #[must_use]
    pub(crate) fn sized(views: &[View<'_>], size: (usize, usize)) -> Self {
        let colours = Colours::of(views);
        let mut all = Canvas::new(size.0, size.1);
        for (index, view) in views.iter().enumerate() {
            let area = place(index, views.len(), size, GAP);
            let drawing = Drawing::of(view, &colours, (area.width, area.height));
            all.put(&draw(&drawing), (area.x, area.y));
        }
        Self::from_canvas(&all)
    }

    /// Pictures of one game each, side by side as [`Picture::of`] lays them.
    ///
    /// # Panics
    /// Without a picture.
    #[must_use]
    pub fn beside(pictures: &[Self]) -> Self {
        let size = room_for(pictures.len());
        let mut all = Canvas::new(size.0, size.1);
        for (index, picture) in pictures.iter().enumerate() {
            let area = place(index, pictures.len(), size, GAP);
            all.put(&picture.to_canvas(), (area.x, area.y));
        }
        Self::from_canvas(&all)
    }

    /// Only what is written, on black.
    #[must_use]
    pub(crate) fn of_marks(marks: &Marks) -> Self {
        let mut canvas = Canvas::new(marks.width, marks.height);
        canvas.mark(marks);
        Self::from_canvas(&canvas)
    }

    /// How wide and high it is, in pixels.
    #[must_use]
    pub const fn size(&self) -> (u32, u32) {
        (self.width, self.height)
    }

    /// Red, green and blue, line by line from the top.
    #[must_use]
    pub fn rgb(&self) -> &[u8] {
        &self.rgb
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

/// How many pixels a picture of so many views has, across and down.
///
/// # Panics
/// Without a view.
fn room_for(count: usize) -> (usize, usize) {
    assert!(count > 0, "there is something to show");
    let along = |count: usize, size: usize| count * size + (count - 1) * GAP;
    (along(count.min(2), WIDTH), along(count.div_ceil(2), HEIGHT))
}

/// One game's view. The world is drawn at twice the size and halved, which smooths its edges.
fn draw(drawing: &Drawing) -> Canvas {
    let (width, height) = (drawing.marks.width, drawing.marks.height);
    let camera = drawing.camera.enlarged(2.0);
    let raster = Raster::of(&drawing.faces, &camera, (2 * width, 2 * height));
    let mut canvas = light::shade(drawing, &raster, &camera);
    canvas.mark(&drawing.marks);
    canvas
}

#[cfg(test)]
mod tests;
