//! A picture being made, in its final pixels.

use super::colour::Colour;
use super::marks::{Area, EDGE, LETTER, Mark, Marks, dots};

/// Pixels, line by line from the top.
#[derive(Clone, Debug)]
pub(super) struct Canvas {
    pub width: usize,
    pub height: usize,
    pub pixels: Vec<Colour>,
}

impl Canvas {
    pub(super) fn new(width: usize, height: usize) -> Self {
        Self { width, height, pixels: vec![Colour::BLACK; width * height] }
    }

    /// Copies another canvas into this one, its corner there; what does not fit is cut off.
    pub(super) fn put(&mut self, other: &Self, (x, y): (usize, usize)) {
        let width = other.width.min(self.width.saturating_sub(x));
        for row in 0..other.height.min(self.height.saturating_sub(y)) {
            let (from, to) = (row * other.width, (y + row) * self.width + x);
            self.pixels[to..to + width].copy_from_slice(&other.pixels[from..from + width]);
        }
    }

    /// Draws all that is written over the picture.
    pub(super) fn mark(&mut self, marks: &Marks) {
        for mark in &marks.list {
            match mark {
                Mark::Panel { area, colour, cover } => self.panel(*area, *colour, *cover),
                Mark::Text { text, x, y, scale, colour } => {
                    for (edge, ink) in [(true, EDGE), (false, *colour)] {
                        for (index, letter) in text.chars().enumerate() {
                            let at = (x + index * LETTER * scale, *y);
                            self.letter(letter, at, *scale, ink, edge);
                        }
                    }
                }
            }
        }
    }

    fn panel(&mut self, area: Area, colour: Colour, cover: f32) {
        for y in area.y..(area.y + area.height).min(self.height) {
            for x in area.x..(area.x + area.width).min(self.width) {
                let pixel = &mut self.pixels[y * self.width + x];
                *pixel = pixel.towards(colour, cover);
            }
        }
    }

    fn letter(
        &mut self,
        letter: char,
        (x, y): (usize, usize),
        scale: usize,
        ink: Colour,
        edge: bool,
    ) {
        let rim = usize::from(edge);
        for (row, bits) in dots(letter).iter().enumerate() {
            for column in (0..LETTER).filter(|column| bits >> column & 1 == 1) {
                let area = Area {
                    x: (x + column * scale).saturating_sub(rim),
                    y: (y + row * scale).saturating_sub(rim),
                    width: scale + 2 * rim,
                    height: scale + 2 * rim,
                };
                self.panel(area, ink, 1.0);
            }
        }
    }
}
