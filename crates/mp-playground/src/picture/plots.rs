//! The network overlay: what is known of a game's link, as small plots over time.

use std::collections::VecDeque;

use super::colour::Colour;
use super::marks::{Area, LETTER, Marks, text_width};
use super::overlay::{self, GOLD, INK, PAPER};
use super::raster::whole;

/// How many values a plot shows, a pixel each.
const VALUES: usize = 100;
/// How high a plot is, in pixels, and its row with it.
const HEIGHT: usize = 14;
const ROW: usize = HEIGHT + 6;
/// Where the plots begin, right of their names; the values stand right of them.
const NAMES: usize = 11 * LETTER;
const FIGURES: usize = 11 * LETTER;

/// What is known of a game's link at a moment; `None` of what is not.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LinkFigures {
    /// As the mod's own page says, while it shows, in milliseconds.
    pub round_trip_ms: Option<f32>,
    /// How much the round trip varies from one to the next, in milliseconds.
    pub jitter_ms: Option<f32>,
    /// Datagrams lost on the way, both ways.
    pub lost_per_s: Option<f32>,
    /// How far behind their players the figures are shown, in milliseconds: what the way and the
    /// buffers take.
    pub behind_ms: Option<f32>,
    /// How far the figures are from where their players were then, in units.
    pub error_units: Option<f32>,
    /// From this game.
    pub bytes_up_per_s: Option<f32>,
    /// To this game.
    pub bytes_down_per_s: Option<f32>,
    /// CPU time in the mod in the newest tick, in microseconds.
    pub mod_tick_us: Option<f32>,
}

/// One row: its name, its unit, how many digits behind the point, what a full plot is at least.
struct Row {
    name: &'static str,
    unit: &'static str,
    digits: usize,
    full: f32,
    of: fn(&LinkFigures) -> Option<f32>,
}

const ROWS: [Row; 8] = [
    Row { name: "round trip", unit: " ms", digits: 0, full: 50.0, of: |link| link.round_trip_ms },
    Row { name: "jitter", unit: " ms", digits: 1, full: 20.0, of: |link| link.jitter_ms },
    Row { name: "lost", unit: " /s", digits: 1, full: 5.0, of: |link| link.lost_per_s },
    Row { name: "buffer", unit: " ms", digits: 0, full: 200.0, of: |link| link.behind_ms },
    Row { name: "error", unit: " u", digits: 2, full: 0.5, of: |link| link.error_units },
    Row { name: "up", unit: " B/s", digits: 0, full: 4_000.0, of: |link| link.bytes_up_per_s },
    Row { name: "down", unit: " B/s", digits: 0, full: 4_000.0, of: |link| link.bytes_down_per_s },
    Row { name: "mod's tick", unit: " us", digits: 0, full: 50.0, of: |link| link.mod_tick_us },
];

/// The figures of the last while, the newest last.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plots(VecDeque<LinkFigures>);

impl Plots {
    /// Adds what is known now; the oldest goes.
    pub fn add(&mut self, figures: LinkFigures) {
        if self.0.len() == VALUES {
            self.0.pop_front();
        }
        self.0.push_back(figures);
    }

    /// What was known last of a row.
    fn newest(&self, row: &Row) -> Option<f32> {
        self.0.iter().rev().find_map(row.of)
    }
}

/// Draws the plots in the right upper corner: a bar a value, a gap where it is not known, and the newest
/// known value in figures. What nothing is known of has no plot: a game alone knows little of its link.
pub(super) fn draw(marks: &mut Marks, plots: &Plots, colour: Colour) {
    let width = NAMES + VALUES + FIGURES + 16;
    let x = marks.width.saturating_sub(width + 8);
    let known: Vec<_> = ROWS.iter().filter_map(|row| Some((row, plots.newest(row)?))).collect();
    if known.is_empty() {
        return;
    }
    let area = Area { x, y: 56 * overlay::scale(marks), width, height: known.len() * ROW + 12 };
    marks.panel(area, PAPER, 0.8);
    for (index, (row, newest)) in known.into_iter().enumerate() {
        let top = area.y + 8 + index * ROW;
        marks.text(row.name, x + 8, top + (HEIGHT - LETTER) / 2, 1, INK);
        let box_area = Area { x: x + 8 + NAMES, y: top, width: VALUES, height: HEIGHT };
        marks.panel(box_area, Colour::BLACK, 0.35);
        let values: Vec<Option<f32>> = plots.0.iter().map(row.of).collect();
        bars(marks, box_area, &values, row.full, colour);
        let words = format!("{newest:.*}{}", row.digits, row.unit);
        let right = (x + width).saturating_sub(8 + text_width(&words, 1));
        marks.text(&words, right, top + (HEIGHT - LETTER) / 2, 1, GOLD);
    }
}

fn bars(marks: &mut Marks, area: Area, values: &[Option<f32>], full: f32, colour: Colour) {
    let full = values.iter().flatten().fold(full, |full, &value| full.max(value));
    let from = VALUES - values.len();
    let height = f32::from(u16::try_from(area.height).unwrap_or(u16::MAX));
    for (index, value) in values.iter().enumerate() {
        let Some(value) = value else { continue };
        let bar = whole((value / full * height).max(1.0)).min(area.height);
        let bar =
            Area { x: area.x + from + index, y: area.y + area.height - bar, width: 1, height: bar };
        marks.panel(bar, colour, 0.9);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::marks::Mark;

    fn texts(plots: &Plots) -> Vec<String> {
        let mut marks = Marks::new((640, 540));
        draw(&mut marks, plots, Colour::WHITE);
        let texts = marks.list.into_iter().filter_map(|mark| match mark {
            Mark::Text { text, .. } => Some(text),
            Mark::Panel { .. } => None,
        });
        texts.collect()
    }

    #[test]
    fn what_is_not_known_is_not_shown_and_what_was_known_last_stays() {
        let mut plots = Plots::default();
        plots.add(LinkFigures::default());
        assert!(texts(&plots).is_empty());
        plots.add(LinkFigures { round_trip_ms: Some(12.0), ..LinkFigures::default() });
        plots.add(LinkFigures { lost_per_s: Some(1.5), ..LinkFigures::default() });
        let texts = texts(&plots);
        assert_eq!(texts, ["round trip", "12 ms", "lost", "1.5 /s"]);
    }

    #[test]
    fn a_plot_holds_so_many_values_and_no_bar_leaves_it() {
        let mut plots = Plots::default();
        for value in 0..500_u16 {
            let jitter_ms = Some(f32::from(value));
            plots.add(LinkFigures { jitter_ms, ..LinkFigures::default() });
        }
        assert_eq!(plots.0.len(), VALUES);
        let mut marks = Marks::new((640, 540));
        draw(&mut marks, &plots, Colour::WHITE);
        let Mark::Panel { area: all, .. } = marks.list[0] else { panic!("the panel is first") };
        for mark in &marks.list {
            if let Mark::Panel { area, .. } = mark {
                assert!(area.y >= all.y && area.y + area.height <= all.y + all.height);
                assert!(area.x >= all.x && area.x + area.width <= all.x + all.width);
            }
        }
    }
}
