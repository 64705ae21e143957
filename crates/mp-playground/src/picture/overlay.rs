//! What is written over a view: the HUD and what is said. The names and the page have files of their own.

use super::colour::Colour;
use super::marks::{Area, EDGE, LETTER, Marks, text_width};
use super::page;
use crate::game::{PageView, Phase, Screen, StandIn};
use crate::sim::Item;
use crate::text::wrapped;

pub(super) const INK: Colour = Colour::rgb(236, 240, 255);
pub(super) const DIM: Colour = Colour::rgb(132, 138, 160);
pub(super) const GOLD: Colour = Colour::rgb(255, 206, 92);
pub(super) const FRAME: Colour = Colour::rgb(96, 150, 220);
pub(super) const PAPER: Colour = Colour::rgb(18, 26, 58);

/// How high a line of text is, with the space below it.
pub(super) const LINE: usize = 2 * LETTER + 6;

/// The same for what is said over the game.
const SAID: usize = LETTER + 6;

/// From so many pixels across, a view has room for letters twice as large.
const WIDE: usize = 900;

/// How large the HUD and what is said are written.
pub(super) const fn scale(marks: &Marks) -> usize {
    if marks.width < WIDE { 1 } else { 2 }
}

/// Who plays where, how he is, and what he has.
pub(super) fn hud(marks: &mut Marks, name: &str, colour: Colour, game: &StandIn) {
    let scale = scale(marks);
    marks.text(name, 12, 12, scale + 1, colour.towards(Colour::WHITE, 0.2));
    let below = 12 + (scale + 1) * LETTER + 6;
    let Some(world) = game.world() else {
        return waits(marks, game.phase());
    };
    marks.text(&world.level().name, 12, below, scale, INK);
    let hero = world.hero();
    for pip in 0..usize::try_from(hero.health()).unwrap_or(0).min(16) {
        let x = marks.width.saturating_sub((24 + pip * 14) * scale);
        let side = |pixels: usize| pixels * scale;
        let edge = Area { x, y: side(11), width: side(12), height: side(12) };
        let inner = Area { x: x + scale, y: side(12), width: side(10), height: side(10) };
        marks.panel(edge, EDGE, 1.0);
        marks.panel(inner, Colour::rgb(88, 200, 255), 1.0);
    }
    let (item, ammo) = match hero.item() {
        Item::Wrench => ("Wrench", None),
        Item::BombGlove => ("Bomb Glove", Some(hero.ammo(Item::BombGlove))),
        Item::Blaster => ("Blaster", Some(hero.ammo(Item::Blaster))),
    };
    let held = ammo.map_or_else(|| item.to_owned(), |ammo| format!("{item} {ammo}"));
    let bolts = bolts_in_words(game.progress().bolts);
    for (text, y, ink) in [(bolts, 28, GOLD), (held, 42, INK)] {
        let x = marks.width.saturating_sub(12 * scale + text_width(&text, scale));
        marks.text(&text, x, y * scale, scale, ink);
    }
}

fn bolts_in_words(bolts: i32) -> String {
    if bolts == 1 { "1 bolt".to_owned() } else { format!("{bolts} bolts") }
}

/// Where there is no level to see yet, what it waits for.
fn waits(marks: &mut Marks, phase: Phase) {
    let text = match phase {
        Phase::Boot => "Starting",
        Phase::Loading => "Loading",
        _ => return,
    };
    let x = marks.width.saturating_sub(text_width(text, 2)) / 2;
    marks.text(text, x, marks.height / 2, 2, INK);
}

/// What is said, and the page.
pub(super) fn screen(marks: &mut Marks, screen: &Screen) {
    match (&screen.page, &screen.prompt) {
        (Some(page), _) => page::draw(marks, page, screen),
        (None, Some(_)) => page::draw(marks, &PageView::default(), screen),
        (None, None) => {}
    }
    let said = [(&screen.held, GOLD), (&screen.message, GOLD), (&screen.line, Colour::WHITE)];
    let mut bottom = marks.height.saturating_sub(LETTER);
    for (text, ink) in said.into_iter().filter_map(|(text, ink)| Some((text.as_ref()?, ink))) {
        bottom = say(marks, text, ink, bottom);
    }
}

/// Writes what is said above `bottom`, and answers where there is room above it.
fn say(marks: &mut Marks, text: &str, ink: Colour, bottom: usize) -> usize {
    let scale = scale(marks);
    let lines = wrapped(text, marks.width.saturating_sub(60) / (LETTER * scale));
    let width = lines.iter().map(|line| text_width(line, scale)).max().unwrap_or(0);
    let height = lines.len() * SAID * scale + 10;
    let top = bottom.saturating_sub(height);
    let x = marks.width.saturating_sub(width) / 2;
    let area = Area { x: x.saturating_sub(10), y: top, width: width + 20, height };
    marks.panel(area, PAPER, 0.8);
    for (index, line) in lines.iter().enumerate() {
        let x = marks.width.saturating_sub(text_width(line, scale)) / 2;
        marks.text(line, x, top + 7 + index * SAID * scale, scale, ink);
    }
    top.saturating_sub(6)
}

/// The view's edge in the player's colour: a line at the top, a frame round the one a person plays.
pub(super) fn edge(marks: &mut Marks, colour: Colour, played: bool) {
    let (width, height) = (marks.width, marks.height);
    marks.panel(Area { x: 0, y: 0, width, height: 3 }, colour, 1.0);
    if played {
        let below = height.saturating_sub(3);
        let right = width.saturating_sub(3);
        marks.panel(Area { x: 0, y: below, width, height: 3 }, colour, 1.0);
        marks.panel(Area { x: 0, y: 0, width: 3, height }, colour, 1.0);
        marks.panel(Area { x: right, y: 0, width: 3, height }, colour, 1.0);
    }
}

#[cfg(test)]
mod tests {
    use super::bolts_in_words;

    #[test]
    fn one_bolt_is_one_bolt() {
        assert_eq!([0, 1, 2].map(bolts_in_words), ["0 bolts", "1 bolt", "2 bolts"]);
    }
}
