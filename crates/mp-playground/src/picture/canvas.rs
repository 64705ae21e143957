//! A picture being made, in its final pixels: panels, and text in an eight by eight font.

use font8x8::UnicodeFonts;

use super::colour::Colour;

/// How wide and high a letter is at scale 1, in pixels.
pub(super) const LETTER: usize = 8;

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

    /// Half as wide and high, each pixel the mean of four.
    pub(super) fn halved(large: &[Colour], width: usize, height: usize) -> Self {
        let mut canvas = Self::new(width, height);
        for (index, pixel) in canvas.pixels.iter_mut().enumerate() {
            let corner = index / width * 2 * (2 * width) + index % width * 2;
            let four = [corner, corner + 1, corner + 2 * width, corner + 2 * width + 1];
            let sum = four.iter().fold(Colour::BLACK, |sum, &at| sum.plus(large[at]));
            *pixel = sum.times(0.25);
        }
        canvas
    }

    /// Copies another canvas into this one, its corner there; what does not fit is cut off.
    pub(super) fn put(&mut self, other: &Self, (x, y): (usize, usize)) {
        let width = other.width.min(self.width.saturating_sub(x));
        for row in 0..other.height.min(self.height.saturating_sub(y)) {
            let (from, to) = (row * other.width, (y + row) * self.width + x);
            self.pixels[to..to + width].copy_from_slice(&other.pixels[from..from + width]);
        }
    }

    /// Lays a colour over a rectangle; `cover` 1 hides what was there. What lies outside is left out.
    pub(super) fn panel(&mut self, area: Area, colour: Colour, cover: f32) {
        for y in area.y..(area.y + area.height).min(self.height) {
            for x in area.x..(area.x + area.width).min(self.width) {
                let pixel = &mut self.pixels[y * self.width + x];
                *pixel = pixel.towards(colour, cover);
            }
        }
    }

    /// Writes a line of text with a dark edge, each dot of a letter `scale` pixels wide. What does not
    /// fit into the canvas is cut off.
    pub(super) fn text(&mut self, text: &str, x: usize, y: usize, scale: usize, colour: Colour) {
        for (edge, ink) in [(true, Colour::rgb(16, 12, 24)), (false, colour)] {
            for (index, letter) in text.chars().enumerate() {
                self.letter(letter, (x + index * LETTER * scale, y), scale, ink, edge);
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
        let dots = font8x8::BASIC_FONTS
            .get(letter)
            .or_else(|| font8x8::LATIN_FONTS.get(letter))
            .or_else(|| font8x8::BASIC_FONTS.get('?'))
            .unwrap_or([0xff; LETTER]);
        let rim = usize::from(edge);
        for (row, bits) in dots.iter().enumerate() {
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

/// A rectangle, in pixels.
#[derive(Clone, Copy, Debug)]
pub(super) struct Area {
    pub x: usize,
    pub y: usize,
    pub width: usize,
    pub height: usize,
}

/// How wide a line of text is, in pixels.
pub(super) fn text_width(text: &str, scale: usize) -> usize {
    text.chars().count() * LETTER * scale
}
