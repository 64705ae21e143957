//! The page that shows, and the question over it, written over a view: as large as there is room for, no
//! text beyond its frame, and of a long list the part where the cursor is.

use std::ops::Range;

use super::colour::Colour;
use super::marks::{Area, LETTER, Marks, text_width};
use super::overlay::{DIM, FRAME, GOLD, INK, LINE, PAPER};
use crate::game::{PageView, Row, RowKind, Screen};
use crate::text::wrapped;

/// Between the frame and the text, in pixels.
const MARGIN: usize = 16;
/// Lines are never nearer to each other than this.
const CLOSEST: usize = LETTER + 2;

/// Draws the page in the middle of the view, in letters twice as large if all of it fits then.
pub(super) fn draw(marks: &mut Marks, page: &PageView, screen: &Screen) {
    let large = Layout::of(page, screen, (marks.width, marks.height), 2);
    let layout =
        if large.fits { large } else { Layout::of(page, screen, (marks.width, marks.height), 1) };
    layout.draw(marks, page, screen);
}

/// A page's texts, broken into lines, and how they are laid out.
struct Layout {
    scale: usize,
    frame: Area,
    /// From a line to the next.
    line: usize,
    /// How many letters a line has at most.
    letters: usize,
    lines: Vec<String>,
    /// Those of the page's rows that there is room for.
    rows: Range<usize>,
    question: Vec<String>,
    footer: Vec<String>,
    /// Nothing had to be cut or pushed together.
    fits: bool,
}

impl Layout {
    fn of(page: &PageView, screen: &Screen, size: (usize, usize), scale: usize) -> Self {
        let width = (size.0 * 4 / 5).max(240).min(size.0);
        let letters = width.saturating_sub(2 * MARGIN) / (LETTER * scale);
        let all = |lines: &[String]| -> Vec<String> {
            lines.iter().flat_map(|line| broken(line, letters)).collect()
        };
        let (lines, footer) = (all(&page.lines), all(&page.footer));
        let question: Vec<String> =
            screen.prompt.iter().flat_map(|prompt| broken(&prompt.text, letters)).collect();
        let answers = usize::from(screen.prompt.is_some());
        let others = 2 + lines.len() + question.len() + answers + footer.len();
        let room = size.1.saturating_sub(24);
        let rows = page.rows.len().min((room / CLOSEST).saturating_sub(others).max(1));
        let first = screen.cursor.map_or(0, |cursor| (cursor + 1).saturating_sub(rows));
        let count = others + rows;
        let wanted = LINE * scale;
        let line = wanted.min(room / count).max(CLOSEST);
        let height = (count * line + 24).min(size.1);
        let frame = Area { x: (size.0 - width) / 2, y: (size.1 - height) / 2, width, height };
        let texts = page.lines.iter().chain(&page.footer);
        let mut words = texts.flat_map(|text| text.split_whitespace());
        let whole = words.all(|word| word.chars().count() <= letters);
        let uncut = page.rows.iter().all(|row| row_letters(row) <= letters);
        let title = page.title.chars().count() <= letters;
        let fits = whole && uncut && title && line == wanted;
        let rows = first..(first + rows).min(page.rows.len());
        Self { scale, frame, line, letters, lines, rows, question, footer, fits }
    }

    fn draw(&self, marks: &mut Marks, page: &PageView, screen: &Screen) {
        let Area { x, y, width, height } = self.frame;
        marks.panel(self.frame, FRAME, 0.9);
        let (inner, tall) = (width.saturating_sub(4), height.saturating_sub(4));
        marks.panel(Area { x: x + 2, y: y + 2, width: inner, height: tall }, PAPER, 0.94);
        let (left, mut top) = (x + MARGIN, y + 14);
        let larger = text_width(&page.title, self.scale + 1) + 2 * MARGIN <= width
            && (self.scale + 1) * LETTER < self.line + 4;
        let scale = if larger { self.scale + 1 } else { self.scale };
        marks.text(&cut(&page.title, self.letters), left, top, scale, GOLD);
        top += self.line + 4;
        for line in &self.lines {
            marks.text(line, left, top, self.scale, INK);
            top += self.line;
        }
        for index in self.rows.clone() {
            let on = screen.cursor == Some(index) && screen.prompt.is_none();
            self.draw_row(marks, &page.rows[index], on, top);
            top += self.line;
        }
        for line in &self.question {
            marks.text(line, left, top, self.scale, GOLD);
            top += self.line;
        }
        if let Some(prompt) = &screen.prompt {
            let (yes, no) = if prompt.on_yes { (">", " ") } else { (" ", ">") };
            let answers = format!("{yes}{}   {no}{}", prompt.yes, prompt.no);
            marks.text(&answers, left, top, self.scale, INK);
            top += self.line;
        }
        for line in &self.footer {
            marks.text(line, left, top + 4, self.scale, DIM.towards(INK, 0.4));
            top += self.line;
        }
    }

    fn draw_row(&self, marks: &mut Marks, row: &Row, on: bool, top: usize) {
        let Area { x, width, .. } = self.frame;
        if on {
            let height = self.line - 2;
            let above = (height.saturating_sub(LETTER * self.scale)) / 2;
            let bar = Area { x: x + 8, y: top.saturating_sub(above), width: width - 16, height };
            marks.panel(bar, FRAME, 0.55);
        }
        let room = self.letters.saturating_sub(row.value.chars().count() + 2);
        // On the bar, what is dim is to be read all the same.
        let dim = if on { DIM.towards(INK, 0.5) } else { DIM };
        // What is only told is a little dimmer than what can be chosen.
        let bright = |ink: Colour| match row.kind {
            _ if row.dim => dim,
            RowKind::Text => ink.towards(DIM, 0.4),
            RowKind::Action | RowKind::Value => ink,
        };
        marks.text(&cut(&row.label, room), x + MARGIN + 4, top, self.scale, bright(INK));
        let value = (x + width).saturating_sub(MARGIN + 8 + text_width(&row.value, self.scale));
        marks.text(&row.value, value.max(x + MARGIN), top, self.scale, bright(GOLD));
    }
}

/// How many letters a row takes, with what keeps its two texts apart.
fn row_letters(row: &Row) -> usize {
    row.label.chars().count() + row.value.chars().count() + 3
}

/// A line in lines of so many letters; one without any stays one.
fn broken(line: &str, letters: usize) -> Vec<String> {
    if line.chars().count() <= letters { vec![line.to_owned()] } else { wrapped(line, letters) }
}

/// The text, or its beginning with dots behind it.
fn cut(text: &str, letters: usize) -> String {
    if text.chars().count() <= letters {
        return text.to_owned();
    }
    let kept: String = text.chars().take(letters.saturating_sub(3)).collect();
    kept + "..."
}

#[cfg(test)]
mod tests {
    use super::super::marks::Mark;
    use super::*;
    use crate::game::Phase;

    fn screen(cursor: Option<usize>) -> Screen {
        Screen {
            phase: Phase::TitlePage,
            level: None,
            page: None,
            cursor,
            prompt: None,
            message: None,
            held: None,
            line: None,
        }
    }

    fn row(label: &str, value: &str) -> Row {
        let (label, value) = (label.to_owned(), value.to_owned());
        Row { label, value, kind: RowKind::Action, dim: false }
    }

    /// Where the texts are, of a page drawn in a view of that size with the cursor on that row.
    fn texts(page: &PageView, cursor: usize, size: (usize, usize)) -> Vec<(String, Area)> {
        let mut marks = Marks::new(size);
        draw(&mut marks, page, &screen(Some(cursor)));
        let texts = marks.list.into_iter().filter_map(|mark| match mark {
            Mark::Text { text, x, y, scale, .. } if !text.is_empty() => {
                let (width, height) = (text_width(&text, scale), LETTER * scale);
                Some((text, Area { x, y, width, height }))
            }
            Mark::Text { .. } | Mark::Panel { .. } => None,
        });
        texts.collect()
    }

    #[test]
    fn a_short_page_is_written_large_and_a_full_one_as_it_fits() {
        let height = |rows: usize| {
            let rows = vec![row("New Game", ""); rows];
            let page = PageView { title: "Title".to_owned(), rows, ..PageView::default() };
            texts(&page, 0, (640, 540))[1].1.height
        };
        assert_eq!((height(4), height(14)), (2 * LETTER, LETTER));
    }

    #[test]
    fn no_text_leaves_the_view_or_lies_over_another_however_much_there_is() {
        let words = "much to say about nothing at all ".repeat(5);
        for (rows, size) in [(3, (640, 540)), (40, (640, 540)), (12, (318, 268)), (3, (960, 720))] {
            let page = PageView {
                title: words.clone(),
                lines: vec![words.clone(), String::new()],
                rows: vec![row(&words, "1 gold bolt, 0:30"); rows],
                footer: vec![words.clone()],
            };
            let texts = texts(&page, 0, size);
            for (index, (text, area)) in texts.iter().enumerate() {
                let inside = area.x + area.width <= size.0 && area.y + area.height <= size.1;
                assert!(inside, "{text:?} {area:?} in {size:?}");
                let over = texts[..index].iter().find(|(_, there)| {
                    area.x < there.x + there.width
                        && there.x < area.x + area.width
                        && area.y < there.y + there.height
                        && there.y < area.y + area.height
                });
                assert_eq!(over, None, "{text:?} {area:?}");
            }
        }
    }

    #[test]
    fn what_is_only_told_is_dimmer_than_what_can_be_chosen_and_brighter_than_what_is_refused() {
        let bright = |kind, dim| {
            let rows = vec![Row { kind, dim, ..row("Your name", "Nova") }];
            let page = PageView { rows, ..PageView::default() };
            let mut marks = Marks::new((640, 540));
            draw(&mut marks, &page, &screen(None));
            let inks = marks.list.into_iter().filter_map(|mark| match mark {
                Mark::Text { text, colour, .. } if !text.is_empty() => Some(colour.bytes()),
                Mark::Text { .. } | Mark::Panel { .. } => None,
            });
            inks.map(|bytes| bytes.map(u32::from).iter().sum::<u32>()).collect::<Vec<_>>()
        };
        let [chosen, told, refused] =
            [(RowKind::Value, false), (RowKind::Text, false), (RowKind::Value, true)]
                .map(|(kind, dim)| bright(kind, dim));
        assert_eq!([chosen.len(), told.len(), refused.len()], [2, 2, 2]);
        for text in 0..2 {
            assert!(chosen[text] > told[text] && told[text] > refused[text], "{text}");
        }
    }

    #[test]
    fn of_a_list_too_long_for_the_view_the_part_with_the_cursor_is_shown() {
        let rows = (0..128).map(|number| row(&format!("party {number}"), "2/4")).collect();
        let page = PageView { title: "Browse games".to_owned(), rows, ..PageView::default() };
        for cursor in [0, 60, 127] {
            let texts = texts(&page, cursor, (640, 540));
            let wanted = format!("party {cursor}");
            assert!(texts.iter().any(|(text, _)| *text == wanted), "{cursor}");
        }
    }
}
