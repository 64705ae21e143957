//! What is written over a view: names, the HUD, messages, the page that shows.

use super::camera::Camera;
use super::colour::Colour;
use super::marks::{Area, EDGE, LETTER, Marks, text_width};
use super::raster::whole;
use super::scene::Actor;
use crate::game::{PageView, Screen, StandIn};
use crate::sim::{HEIGHT, Item, Vec3};
use crate::text::wrapped;

pub(super) const INK: Colour = Colour::rgb(236, 240, 255);
pub(super) const DIM: Colour = Colour::rgb(132, 138, 160);
pub(super) const GOLD: Colour = Colour::rgb(255, 206, 92);
const FRAME: Colour = Colour::rgb(96, 150, 220);
pub(super) const PAPER: Colour = Colour::rgb(18, 26, 58);

/// How high a line of text is, with the space below it.
const LINE: usize = 2 * LETTER + 6;

/// The same for what is said over the game.
const SAID: usize = LETTER + 6;

/// How large the names over the heroes are written.
const NAME_SCALE: usize = 2;

/// The names over the heroes' heads.
pub(super) fn names(
    marks: &mut Marks,
    camera: &Camera,
    actors: &[Actor],
    colour_of: impl Fn(&str) -> Colour,
) {
    for actor in actors {
        let head = actor.pose.position + Vec3::new(0.0, 0.0, HEIGHT + 0.45);
        let at = camera.project(head);
        let (x, y) = (at.x, at.y);
        let half = text_width(&actor.name, NAME_SCALE) / 2;
        if x < 0.0 || y < 0.0 || whole(x) >= marks.width || whole(y) >= marks.height {
            continue;
        }
        let left = whole(x).saturating_sub(half);
        let top = whole(y).saturating_sub(LETTER * NAME_SCALE);
        let colour = colour_of(&actor.name).towards(Colour::WHITE, 0.35);
        marks.text(&actor.name, left, top, NAME_SCALE, colour);
    }
}

/// Who plays where, how he is, and what he has.
pub(super) fn hud(marks: &mut Marks, name: &str, colour: Colour, game: &StandIn) {
    marks.text(name, 12, 12, 2, colour.towards(Colour::WHITE, 0.2));
    let Some(world) = game.world() else {
        return marks.text(&game.phase().to_string(), 12, 12 + LINE, 1, INK);
    };
    marks.text(&world.level().name, 12, 12 + LINE, 1, INK);
    let hero = world.hero();
    for pip in 0..usize::try_from(hero.health()).unwrap_or(0).min(16) {
        let x = marks.width.saturating_sub(24 + pip * 14);
        let area = Area { x: x + 1, y: 12, width: 10, height: 10 };
        marks.panel(Area { x, y: 11, width: 12, height: 12 }, EDGE, 1.0);
        marks.panel(area, Colour::rgb(88, 200, 255), 1.0);
    }
    let (item, ammo) = match hero.item() {
        Item::Wrench => ("Wrench", None),
        Item::BombGlove => ("Bomb Glove", Some(hero.ammo(Item::BombGlove))),
        Item::Blaster => ("Blaster", Some(hero.ammo(Item::Blaster))),
    };
    let held = ammo.map_or_else(|| item.to_owned(), |ammo| format!("{item} {ammo}"));
    let bolts = format!("{} bolts", game.progress().bolts);
    for (text, y, ink) in [(bolts, 28, GOLD), (held, 42, INK)] {
        let x = marks.width.saturating_sub(12 + text_width(&text, 1));
        marks.text(&text, x, y, 1, ink);
    }
}

/// What is said, and the page.
pub(super) fn screen(marks: &mut Marks, screen: &Screen) {
    match (&screen.page, &screen.prompt) {
        (Some(page), _) => draw_page(marks, page, screen),
        (None, Some(_)) => draw_page(marks, &PageView::default(), screen),
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
    let lines = wrapped(text, marks.width.saturating_sub(60) / LETTER);
    let width = lines.iter().map(|line| text_width(line, 1)).max().unwrap_or(0);
    let height = lines.len() * SAID + 10;
    let top = bottom.saturating_sub(height);
    let x = marks.width.saturating_sub(width) / 2;
    let area = Area { x: x.saturating_sub(10), y: top, width: width + 20, height };
    marks.panel(area, PAPER, 0.8);
    for (index, line) in lines.iter().enumerate() {
        let x = marks.width.saturating_sub(text_width(line, 1)) / 2;
        marks.text(line, x, top + 7 + index * SAID, 1, ink);
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

fn draw_page(marks: &mut Marks, page: &PageView, screen: &Screen) {
    let count = 2 + page.lines.len() + page.rows.len() + page.footer.len();
    let asked = usize::from(screen.prompt.is_some()) * 2;
    let width = (marks.width * 4 / 5).max(240).min(marks.width);
    let height = ((count + asked) * LINE + 24).min(marks.height);
    let (x, y) = ((marks.width - width) / 2, (marks.height - height) / 2);
    let frame = Area { x, y, width, height };
    marks.panel(frame, FRAME, 0.9);
    let (inner, tall) = (width.saturating_sub(4), height.saturating_sub(4));
    let inside = Area { x: x + 2, y: y + 2, width: inner, height: tall };
    marks.panel(inside, PAPER, 0.94);
    let (left, mut top) = (x + 16, y + 14);
    marks.text(&page.title, left, top, if fits(&page.title, 2, width) { 2 } else { 1 }, GOLD);
    top += LINE + 4;
    for line in &page.lines {
        marks.text(line, left, top, 1, INK);
        top += LINE;
    }
    for (index, row) in page.rows.iter().enumerate() {
        let on = screen.cursor == Some(index) && screen.prompt.is_none();
        if on {
            let bar =
                Area { x: x + 8, y: top - 5, width: width.saturating_sub(16), height: LINE - 2 };
            marks.panel(bar, FRAME, 0.55);
        }
        let ink = if row.dim { DIM } else { INK };
        marks.text(&row.label, left + 4, top, 1, ink);
        let value = (x + width).saturating_sub(24 + text_width(&row.value, 1));
        marks.text(&row.value, value, top, 1, if row.dim { DIM } else { GOLD });
        top += LINE;
    }
    if let Some(prompt) = &screen.prompt {
        marks.text(&prompt.text, left, top, 1, GOLD);
        let (yes, no) = if prompt.on_yes { (">", " ") } else { (" ", ">") };
        let answers = format!("{yes}{}   {no}{}", prompt.yes, prompt.no);
        marks.text(&answers, left, top + LINE, 1, INK);
        top += 2 * LINE;
    }
    for line in &page.footer {
        marks.text(line, left, top + 4, 1, DIM.towards(INK, 0.4));
        top += LINE;
    }
}

fn fits(text: &str, scale: usize, width: usize) -> bool {
    text_width(text, scale) + 32 <= width
}
