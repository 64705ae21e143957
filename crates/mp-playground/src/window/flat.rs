//! What is written over a picture, as rectangles for the graphics card, and the sheet of letters they
//! are cut from: each letter at two sizes, and its edge at both.

use crate::picture::colour::Colour;
use crate::picture::marks::{Area, EDGE, LETTER, Mark, Marks, dots};
use crate::picture::theme::Theme;

/// How many letters are in a line of the sheet, and how many there are.
const IN_LINE: u8 = 32;
const LETTERS: u8 = 255;
/// How wide and high the sheet is, in pixels.
pub(super) const SHEET: (u16, u16) = (640, 448);
/// A covered place beside the letters, for panels.
const COVERED: (f32, f32) = (620.0, 20.0);
/// The sky is drawn in so many strips.
const STRIPS: u8 = 24;

/// A corner of a rectangle: where it is, in pixels; where in the sheet, from 0 to 1; its colour and
/// cover, from 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub(super) struct Corner {
    pub position: [f32; 2],
    pub place: [f32; 2],
    pub colour: [f32; 4],
}

/// The rectangles of a list of marks, four corners each, `zoom` pixels of the window for one of the
/// list's.
pub(super) fn corners(marks: &Marks, zoom: f32, into: &mut Vec<Corner>) {
    for mark in &marks.list {
        match mark {
            Mark::Panel { area, colour, cover } => panel(*area, [*colour; 2], *cover, zoom, into),
            Mark::Text { text, x, y, scale, colour } => {
                for (edge, ink) in [(true, EDGE), (false, *colour)] {
                    for (index, letter) in text.chars().enumerate() {
                        let at = (float(x + index * LETTER * scale), float(*y));
                        write(letter, at, float(*scale), edge, ink, zoom, into);
                    }
                }
            }
        }
    }
}

/// The sky of a picture of that size.
pub(super) fn sky(theme: &Theme, (width, height): (usize, usize), into: &mut Vec<Corner>) {
    let strip = |number: u8| f32::from(number) / f32::from(STRIPS);
    for number in 0..STRIPS {
        let (top, bottom) = (strip(number), strip(number + 1));
        let start = into.len();
        let colours = [theme.sky_at(top), theme.sky_at(bottom)];
        panel(Area { x: 0, y: 0, width, height: 1 }, colours, 1.0, 1.0, into);
        for corner in &mut into[start..] {
            let share = if corner.position[1] > 0.5 { bottom } else { top };
            corner.position[1] = share * float(height);
        }
    }
}

fn panel(area: Area, [top, bottom]: [Colour; 2], cover: f32, zoom: f32, into: &mut Vec<Corner>) {
    let place = [COVERED.0 / f32::from(SHEET.0), COVERED.1 / f32::from(SHEET.1)];
    let (left, right) = (float(area.x), float(area.x + area.width));
    let (high, low) = (float(area.y), float(area.y + area.height));
    for (x, y, colour) in
        [(left, high, top), (right, high, top), (right, low, bottom), (left, low, bottom)]
    {
        let colour = shares(colour, cover);
        into.push(Corner { position: [x * zoom, y * zoom], place, colour });
    }
}

/// One letter, or its edge, which is a pixel wide at every scale.
fn write(
    letter: char,
    (x, y): (f32, f32),
    scale: f32,
    edge: bool,
    ink: Colour,
    zoom: f32,
    into: &mut Vec<Corner>,
) {
    let large = scale > 1.5;
    let cell = Cell { letter: number_of(letter), large, edge };
    let (left, top) = cell.corner();
    let (left, top, side) = (f32::from(left), f32::from(top), f32::from(cell.side()));
    // The larger letters are drawn as the larger ones of the sheet, enlarged.
    let by = if large { scale / 2.0 } else { scale };
    for (right, down) in [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)] {
        let along = |from: f32, share: f32| (from - by + share * side * by) * zoom;
        into.push(Corner {
            position: [along(x, right), along(y, down)],
            place: [
                (left + right * side) / f32::from(SHEET.0),
                (top + down * side) / f32::from(SHEET.1),
            ],
            colour: shares(ink, 1.0),
        });
    }
}

fn shares(colour: Colour, cover: f32) -> [f32; 4] {
    let [red, green, blue] = colour.shares();
    [red, green, blue, cover]
}

fn float(pixels: usize) -> f32 {
    f32::from(u16::try_from(pixels).unwrap_or(u16::MAX))
}

fn number_of(letter: char) -> u8 {
    u8::try_from(u32::from(letter)).unwrap_or(b'?')
}

/// Where a letter is in the sheet.
#[derive(Clone, Copy)]
struct Cell {
    letter: u8,
    large: bool,
    edge: bool,
}

impl Cell {
    /// How wide and high it is: the letter and a pixel round it.
    const fn side(self) -> u16 {
        if self.large { 18 } else { 10 }
    }

    const fn corner(self) -> (u16, u16) {
        let side = self.side();
        let lines = 8 * side;
        let above = if self.large { 0 } else { 288 };
        let above = if self.edge { above + lines } else { above };
        let (column, line) = (self.letter % IN_LINE, self.letter / IN_LINE);
        (column as u16 * side, above + line as u16 * side)
    }
}

/// The sheet, four bytes a pixel: white, and covered where there is ink.
pub(super) fn sheet() -> Vec<u8> {
    let mut sheet = vec![0_u8; 4 * usize::from(SHEET.0) * usize::from(SHEET.1)];
    let mut cover = |x: u16, y: u16| {
        let at = 4 * (usize::from(y) * usize::from(SHEET.0) + usize::from(x));
        sheet[at..at + 4].fill(u8::MAX);
    };
    for letter in 0..=LETTERS {
        let dots = dots(char::from(letter));
        for (large, edge) in [(true, false), (true, true), (false, false), (false, true)] {
            let (left, top) = Cell { letter, large, edge }.corner();
            let scale = if large { 2 } else { 1 };
            let rim = u16::from(edge);
            for (row, bits) in (0..).zip(dots) {
                for column in (0..8_u16).filter(|column| bits >> column & 1 == 1) {
                    let (x, y) = (left + 1 + column * scale, top + 1 + row * scale);
                    for down in y - rim..y + scale + rim {
                        (x - rim..x + scale + rim).for_each(|right| cover(right, down));
                    }
                }
            }
        }
    }
    for y in 0..40 {
        (600..640).for_each(|x| cover(x, y));
    }
    sheet
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_letter_of_the_sheet_is_the_pictures() {
        let sheet = sheet();
        let covered = |x: u16, y: u16| {
            sheet[4 * (usize::from(y) * usize::from(SHEET.0) + usize::from(x)) + 3] > 0
        };
        for letter in 0..=LETTERS {
            let (left, top) = Cell { letter, large: false, edge: false }.corner();
            for (row, bits) in (0..).zip(dots(char::from(letter))) {
                for column in 0..8 {
                    let ink = bits >> column & 1 == 1;
                    assert_eq!(covered(left + 1 + column, top + 1 + row), ink, "{letter}");
                }
            }
        }
    }

    #[test]
    fn a_mark_is_a_rectangle_and_a_letter_two() {
        let mut marks = Marks::new((100, 100));
        let area = Area { x: 10, y: 20, width: 30, height: 40 };
        marks.panel(area, Colour::WHITE, 0.5);
        marks.text("abc", 5, 6, 2, Colour::WHITE);
        let mut into = Vec::new();
        corners(&marks, 2.0, &mut into);
        assert_eq!(into.len(), 4 * (1 + 2 * 3));
        assert_eq!(into[0].position, [20.0, 40.0]);
        assert_eq!(into[2].position, [80.0, 120.0]);
        // The first letter's edge begins a pixel before the letter.
        assert_eq!(into[4].position, [8.0, 10.0]);
        assert_eq!(into[6].position, [44.0, 46.0]);
    }
}
