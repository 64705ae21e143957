//! What is written over a view: names, the HUD, messages, the page that shows.

use super::camera::Camera;
use super::canvas::{Area, Canvas, LETTER, text_width};
use super::colour::Colour;
use super::raster::whole;
use super::scene::Actor;
use crate::game::{PageView, Screen};
use crate::sim::{HEIGHT, Vec3};

const INK: Colour = Colour::rgb(236, 240, 255);
const DIM: Colour = Colour::rgb(132, 138, 160);
const GOLD: Colour = Colour::rgb(255, 206, 92);
const FRAME: Colour = Colour::rgb(96, 150, 220);
const PAPER: Colour = Colour::rgb(18, 26, 58);

/// How high a line of text is, with the space below it.
const LINE: usize = 2 * LETTER + 6;

/// How large the names over the heroes are written.
const NAME_SCALE: usize = 2;

/// The names over the heroes' heads.
pub(super) fn names(
    canvas: &mut Canvas,
    camera: &Camera,
    actors: &[Actor],
    colour_of: impl Fn(&str) -> Colour,
) {
    for actor in actors {
        let head = actor.pose.position + Vec3::new(0.0, 0.0, HEIGHT + 0.45);
        let at = camera.project(head);
        // The camera is that of the picture at twice the size.
        let (x, y) = (at.x / 2.0, at.y / 2.0);
        let half = text_width(&actor.name, NAME_SCALE) / 2;
        if x < 0.0 || y < 0.0 || whole(x) >= canvas.width || whole(y) >= canvas.height {
            continue;
        }
        let left = whole(x).saturating_sub(half);
        let top = whole(y).saturating_sub(LETTER * NAME_SCALE);
        let colour = colour_of(&actor.name).towards(Colour::WHITE, 0.35);
        canvas.text(&actor.name, left, top, NAME_SCALE, colour);
    }
}

/// Everything else: who plays where, how he is, what is said, and the page.
pub(super) fn screen(
    canvas: &mut Canvas,
    name: &str,
    colour: Colour,
    health: Option<i16>,
    screen: &Screen,
) {
    canvas.text(name, 12, 12, 2, colour.towards(Colour::WHITE, 0.2));
    let place = screen.level.clone().unwrap_or_else(|| screen.phase.to_string());
    canvas.text(&place, 12, 12 + LINE, 1, INK);
    for pip in 0..usize::try_from(health.unwrap_or(0)).unwrap_or(0).min(16) {
        let x = canvas.width - 24 - pip * 14;
        let area = Area { x, y: 12, width: 10, height: 10 };
        canvas.panel(Area { x: x - 1, y: 11, width: 12, height: 12 }, Colour::rgb(16, 12, 24), 1.0);
        canvas.panel(area, Colour::rgb(88, 200, 255), 1.0);
    }
    if let Some(page) = &screen.page {
        draw_page(canvas, page, screen);
    }
    let said = [&screen.held, &screen.message, &screen.line];
    for (index, text) in said.into_iter().flatten().enumerate() {
        let y = canvas.height.saturating_sub(LINE * (index + 2));
        let width = text_width(text, 1);
        let x = canvas.width.saturating_sub(width) / 2;
        let area =
            Area { x: x.saturating_sub(10), y: y - 6, width: width + 20, height: LETTER + 12 };
        canvas.panel(area, PAPER, 0.8);
        canvas.text(text, x, y, 1, GOLD);
    }
}

fn draw_page(canvas: &mut Canvas, page: &PageView, screen: &Screen) {
    let count = 2 + page.lines.len() + page.rows.len() + page.footer.len();
    let asked = usize::from(screen.prompt.is_some()) * 2;
    let width = (canvas.width * 4 / 5).max(240).min(canvas.width);
    let height = ((count + asked) * LINE + 24).min(canvas.height);
    let (x, y) = ((canvas.width - width) / 2, (canvas.height - height) / 2);
    let frame = Area { x, y, width, height };
    canvas.panel(frame, FRAME, 0.9);
    let inside = Area { x: x + 2, y: y + 2, width: width - 4, height: height - 4 };
    canvas.panel(inside, PAPER, 0.94);
    let (left, mut top) = (x + 16, y + 14);
    canvas.text(&page.title, left, top, if fits(&page.title, 2, width) { 2 } else { 1 }, GOLD);
    top += LINE + 4;
    for line in &page.lines {
        canvas.text(line, left, top, 1, INK);
        top += LINE;
    }
    for (index, row) in page.rows.iter().enumerate() {
        let on = screen.cursor == Some(index) && screen.prompt.is_none();
        if on {
            let bar = Area { x: x + 8, y: top - 5, width: width - 16, height: LINE - 2 };
            canvas.panel(bar, FRAME, 0.55);
        }
        let ink = if row.dim { DIM } else { INK };
        canvas.text(&row.label, left + 4, top, 1, ink);
        let value = (x + width).saturating_sub(24 + text_width(&row.value, 1));
        canvas.text(&row.value, value, top, 1, if row.dim { DIM } else { GOLD });
        top += LINE;
    }
    if let Some(prompt) = &screen.prompt {
        canvas.text(&prompt.text, left, top, 1, GOLD);
        let (yes, no) = if prompt.on_yes { (">", " ") } else { (" ", ">") };
        let answers = format!("{yes}{}   {no}{}", prompt.yes, prompt.no);
        canvas.text(&answers, left, top + LINE, 1, INK);
        top += 2 * LINE;
    }
    for line in &page.footer {
        canvas.text(line, left, top + 4, 1, DIM.towards(INK, 0.4));
        top += LINE;
    }
}

fn fits(text: &str, scale: usize, width: usize) -> bool {
    text_width(text, scale) + 32 <= width
}
