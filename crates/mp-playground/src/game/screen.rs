//! What a player sees of the menus and over the game, as rows of text. The picture draws it, bots and
//! tests read it.

use std::fmt;

use super::phase::Phase;

/// What a row does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RowKind {
    /// Cross chooses it.
    #[default]
    Action,
    /// Left and Right step it, Cross chooses it.
    Value,
    /// The cursor passes over it.
    Text,
}

/// A row of a page's list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    /// What it is.
    pub label: String,
    /// What stands beside it; empty for nothing.
    pub value: String,
    /// What it does.
    pub kind: RowKind,
    /// Greyed.
    pub dim: bool,
}

impl Row {
    /// A row Cross chooses.
    #[must_use]
    pub fn action(label: &str) -> Self {
        Self { label: label.to_owned(), ..Self::default() }
    }
}

/// A page as it is drawn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PageView {
    /// At its head.
    pub title: String,
    /// Between the title and the list.
    pub lines: Vec<String>,
    /// The list.
    pub rows: Vec<Row>,
    /// At its foot.
    pub footer: Vec<String>,
}

impl PageView {
    /// Whether the cursor can stand on that row.
    #[must_use]
    pub fn takes_cursor(&self, row: usize) -> bool {
        self.rows.get(row).is_some_and(|row| row.kind != RowKind::Text)
    }

    /// The row nearest to `wanted` the cursor can stand on, those below first.
    #[must_use]
    pub fn nearest(&self, wanted: usize) -> Option<usize> {
        let below = (wanted..self.rows.len()).find(|&row| self.takes_cursor(row));
        below.or_else(|| (0..wanted.min(self.rows.len())).rev().find(|&row| self.takes_cursor(row)))
    }

    /// The next row the cursor can stand on from `row`, down or up; past the end from the other end
    /// when `wraps`.
    #[must_use]
    pub fn next(&self, row: usize, down: bool, wraps: bool) -> Option<usize> {
        let count = self.rows.len();
        let ahead: Vec<usize> = if down {
            (row + 1..count).chain(0..row.min(count)).collect()
        } else {
            (0..row.min(count)).rev().chain((row + 1..count).rev()).collect()
        };
        let next = ahead.into_iter().find(|&row| self.takes_cursor(row))?;
        (wraps || (next > row) == down).then_some(next)
    }
}

/// A question over the page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PromptView {
    /// What is asked.
    pub text: String,
    /// The word for yes.
    pub yes: String,
    /// The word for no.
    pub no: String,
    /// Whether the cursor is on yes.
    pub on_yes: bool,
}

/// All that is written on the screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Screen {
    /// What the game is doing.
    pub phase: Phase,
    /// The level's name, in one.
    pub level: Option<String>,
    /// The menu or page that shows.
    pub page: Option<PageView>,
    /// The row of it the cursor is on.
    pub cursor: Option<usize>,
    /// The question over it.
    pub prompt: Option<PromptView>,
    /// A line over the game.
    pub message: Option<String>,
    /// Why nobody has control.
    pub held: Option<String>,
    /// What is said in the scene that plays.
    pub line: Option<String>,
}

impl Screen {
    /// The page's title; empty without a page.
    #[must_use]
    pub fn title(&self) -> &str {
        self.page.as_ref().map_or("", |page| &page.title)
    }

    /// The page's footer lines; none without a page.
    #[must_use]
    pub fn footer(&self) -> &[String] {
        self.page.as_ref().map_or(&[], |page| &page.footer)
    }

    /// The row with this label, and its place in the list.
    #[must_use]
    pub fn row(&self, label: &str) -> Option<(usize, &Row)> {
        self.page.as_ref()?.rows.iter().enumerate().find(|(_, row)| row.label == label)
    }

    /// Every text of the page, from the title to the footer; a row as its label and value.
    #[must_use]
    pub fn texts(&self) -> Vec<String> {
        let Some(page) = &self.page else { return Vec::new() };
        let rows = page.rows.iter().map(|row| format!("{} {}", row.label, row.value));
        std::iter::once(page.title.clone())
            .chain(page.lines.iter().cloned())
            .chain(rows.map(|row| row.trim_end().to_owned()))
            .chain(page.footer.iter().cloned())
            .collect()
    }
}

impl fmt::Display for Screen {
    /// The screen as lines of text: what a failed test or a log shows.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "[{}] {}", self.phase, self.level.as_deref().unwrap_or("-"))?;
        if let Some(page) = &self.page {
            writeln!(f, "== {} ==", page.title)?;
            for line in &page.lines {
                writeln!(f, "  {line}")?;
            }
            for (index, row) in page.rows.iter().enumerate() {
                let cursor = if self.cursor == Some(index) { '>' } else { ' ' };
                let dim = if row.dim { " (dim)" } else { "" };
                writeln!(f, "{cursor} {} {}{dim}", row.label, row.value)?;
            }
            for line in &page.footer {
                writeln!(f, "  -- {line}")?;
            }
        }
        if let Some(prompt) = &self.prompt {
            let (yes, no) = if prompt.on_yes { (">", " ") } else { (" ", ">") };
            writeln!(f, "? {}  {yes}{}  {no}{}", prompt.text, prompt.yes, prompt.no)?;
        }
        for text in [&self.line, &self.message, &self.held].into_iter().flatten() {
            writeln!(f, "! {text}")?;
        }
        Ok(())
    }
}
