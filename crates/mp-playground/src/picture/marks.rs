//! What is written over a picture, as a list: panels and lines of text, in final pixels. Whoever draws a
//! picture draws the same list.

use super::colour::Colour;

/// How wide and high a letter is at scale 1, in pixels.
pub(crate) const LETTER: usize = 8;

/// A rectangle, in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Area {
    pub x: usize,
    pub y: usize,
    pub width: usize,
    pub height: usize,
}

/// One thing to draw.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Mark {
    /// A colour laid over a rectangle; `cover` 1 hides what was there.
    Panel { area: Area, colour: Colour, cover: f32 },
    /// A line of text with a dark edge, each dot of a letter `scale` pixels wide.
    Text { text: String, x: usize, y: usize, scale: usize, colour: Colour },
}

/// The list for a picture of that size, in the order of drawing. What lies outside is cut off.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Marks {
    pub width: usize,
    pub height: usize,
    pub list: Vec<Mark>,
}

impl Marks {
    pub(crate) const fn new((width, height): (usize, usize)) -> Self {
        Self { width, height, list: Vec::new() }
    }

    pub(crate) fn panel(&mut self, area: Area, colour: Colour, cover: f32) {
        self.list.push(Mark::Panel { area, colour, cover });
    }

    pub(crate) fn text(&mut self, text: &str, x: usize, y: usize, scale: usize, colour: Colour) {
        self.list.push(Mark::Text { text: text.to_owned(), x, y, scale, colour });
    }
}

/// How wide a line of text is, in pixels.
pub(crate) fn text_width(text: &str, scale: usize) -> usize {
    text.chars().count() * LETTER * scale
}

/// The dots of a letter, a byte a line from the top, the lowest bit to the left.
pub(crate) fn dots(letter: char) -> [u8; LETTER] {
    use font8x8::UnicodeFonts as _;
    font8x8::BASIC_FONTS
        .get(letter)
        .or_else(|| font8x8::LATIN_FONTS.get(letter))
        .or_else(|| font8x8::BASIC_FONTS.get('?'))
        .unwrap_or([0xff; LETTER])
}

/// The edge of every text.
pub(crate) const EDGE: Colour = Colour::rgb(16, 12, 24);
