//! The timeline: a band a player, in it a lane for each kind of line, from the first moment to the last.
//! A mark is a line; where many fall together it is brighter. Under them stands what each lane is.

use std::collections::BTreeMap;

use crate::picture::Picture;
use crate::picture::colour::Colour;
use crate::picture::marks::{Area, LETTER, Marks};

use super::{Merged, seconds, words};

/// The lanes, as the lines are called, each with its colour.
const LANES: [(&str, Colour); 10] = [
    ("pause", Colour::rgb(200, 200, 210)),
    ("run", Colour::rgb(120, 228, 236)),
    ("vis", Colour::rgb(86, 216, 104)),
    ("despawn", Colour::rgb(255, 92, 72)),
    ("eyes", Colour::rgb(190, 130, 255)),
    ("snap", Colour::rgb(64, 132, 255)),
    ("drive", Colour::rgb(255, 176, 32)),
    ("msg", Colour::rgb(236, 84, 196)),
    ("census", Colour::rgb(150, 150, 120)),
    ("other", Colour::rgb(120, 120, 130)),
];
const PAPER: Colour = Colour::rgb(24, 22, 34);
const BAND: Colour = Colour::rgb(38, 36, 52);
const INK: Colour = Colour::rgb(228, 226, 236);

const WIDTH: usize = 1_280;
/// Where the lanes begin, right of their names.
const LEFT: usize = 96;
const RIGHT: usize = 16;
const LANE: usize = 12;
const HEAD: usize = 20;
const AXIS: usize = 28;
/// What stands over the legend, and for the lane of what has none of its own.
const MARK: &str = "a mark is a line of the trace: the brighter, the more fall together";
const OTHER: &str = "start, clock, over (see trace --help), and what this reader does not know";
/// How many moments are written under the lanes.
const MOMENTS: usize = 9;
/// How much of a mark one line is.
const COVER: f32 = 0.55;

/// Draws it.
pub(super) fn draw(merged: &Merged) -> Picture {
    Picture::of_marks(&marks(merged))
}

pub(super) fn marks(merged: &Merged) -> Marks {
    let band = HEAD + LANES.len() * LANE + 8;
    let axis_y = merged.players.len().max(1) * band;
    let legend_y = axis_y + AXIS;
    let height = legend_y + HEAD + LANES.len() * LANE + 8;
    let mut marks = Marks::new((WIDTH, height));
    marks.panel(Area { x: 0, y: 0, width: WIDTH, height }, PAPER, 1.0);
    let (begin, end) = span(merged);
    for (index, player) in merged.players.iter().enumerate() {
        let top = index * band;
        marks.text(player, 8, top + 6, 1, INK);
        for (lane, (name, colour)) in LANES.iter().enumerate() {
            let y = top + HEAD + lane * LANE;
            let area = Area { x: LEFT, y, width: WIDTH - LEFT - RIGHT, height: LANE - 2 };
            marks.panel(area, BAND, 1.0);
            marks.text(name, 8, y + 1, 1, *colour);
        }
    }
    for ((player, lane, x), count) in places(merged, begin, end) {
        let area =
            Area { x: LEFT + x, y: player * band + HEAD + lane * LANE, width: 2, height: LANE - 2 };
        marks.panel(area, LANES[lane].1, 1.0 - (1.0 - COVER).powi(count));
    }
    axis(&mut marks, axis_y, end.saturating_sub(begin));
    legend(&mut marks, legend_y);
    marks
}

fn legend(marks: &mut Marks, y: usize) {
    marks.text(MARK, LEFT, y + 6, 1, INK);
    for (lane, (name, colour)) in LANES.iter().enumerate() {
        let y = y + HEAD + lane * LANE;
        marks.text(name, 8, y + 1, 1, *colour);
        marks.text(words::meaning(name).unwrap_or(OTHER), LEFT, y + 1, 1, INK);
    }
}

fn span(merged: &Merged) -> (i64, i64) {
    let first = merged.entries.first().map_or(0, |entry| entry.at_ms);
    let last = merged.entries.last().map_or(0, |entry| entry.at_ms);
    // What lies at the very end of time lies at the end of the picture.
    let first = first.min(i64::MAX - 1);
    (first, last.max(first + 1))
}

/// How many lines lie at each player, lane and pixel.
fn places(merged: &Merged, begin: i64, end: i64) -> BTreeMap<(usize, usize, usize), i32> {
    let pixels = i128::try_from(WIDTH - LEFT - RIGHT - 2).expect("a picture is small");
    let mut places = BTreeMap::new();
    for entry in &merged.entries {
        let lane = LANES
            .iter()
            .position(|(name, _)| *name == entry.line.what())
            .unwrap_or(LANES.len() - 1);
        let since = |at: i64| i128::from(at) - i128::from(begin);
        let along = since(entry.at_ms) * pixels / since(end);
        if let Ok(x) = usize::try_from(along) {
            let count: &mut i32 = places.entry((entry.player, lane, x)).or_default();
            *count = count.saturating_add(1);
        }
    }
    places
}

fn axis(marks: &mut Marks, y: usize, length_ms: i64) {
    for moment in 0..MOMENTS {
        let x = LEFT + (WIDTH - LEFT - RIGHT - 1) * moment / (MOMENTS - 1);
        marks.panel(Area { x, y: 0, width: 1, height: y + 4 }, INK, 0.12);
        let at = i128::try_from(moment).expect("few moments") * i128::from(length_ms) / 8;
        let words = format!("{:.1} s", seconds(i64::try_from(at).unwrap_or(i64::MAX)));
        marks.text(
            &words,
            x.saturating_sub(words.len() * LETTER / 2).min(WIDTH - words.len() * LETTER),
            y + 10,
            1,
            INK,
        );
    }
}
