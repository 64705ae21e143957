//! A page with what its rows do, so that what a player chose is what it saw.

use super::Action;
use crate::game::{PageView, Row, RowKind};

/// A page and, a row, what choosing it does.
#[derive(Debug)]
pub(super) struct View {
    /// What is drawn.
    pub(super) page: PageView,
    actions: Vec<Action>,
}

impl View {
    /// An empty page under a title.
    pub(super) fn new(title: impl Into<String>) -> Self {
        Self { page: PageView { title: title.into(), ..PageView::default() }, actions: Vec::new() }
    }

    /// Adds a line between title and list.
    pub(super) fn line(&mut self, words: impl Into<String>) {
        self.page.lines.push(words.into());
    }

    /// Adds a row that Cross chooses.
    pub(super) fn button(&mut self, label: impl Into<String>, action: Action) {
        self.row(label.into(), String::new(), RowKind::Button, false, action);
    }

    /// Adds one that may be chosen only if `open`: else it is dim, and refused with the game's sound.
    pub(super) fn button_if(&mut self, open: bool, label: &str, action: Action) {
        self.row(label.to_owned(), String::new(), RowKind::Button, !open, action);
    }

    /// Adds a row that Cross chooses, with words on its right.
    pub(super) fn choice(&mut self, label: String, value: String, action: Action) {
        self.choice_if(true, label, value, action);
    }

    /// Adds one that may be chosen only if `open`.
    pub(super) fn choice_if(&mut self, open: bool, label: String, value: String, action: Action) {
        self.row(label, value, RowKind::Button, !open, action);
    }

    /// Adds a row whose value Left and Right step.
    pub(super) fn value(&mut self, label: String, value: String, action: Action) {
        self.row(label, value, RowKind::Value, false, action);
    }

    /// Adds words to the list.
    pub(super) fn text(&mut self, label: impl Into<String>, value: impl Into<String>) {
        self.row(label.into(), value.into(), RowKind::Text, false, Action::Nothing);
    }

    fn row(&mut self, label: String, value: String, kind: RowKind, dim: bool, action: Action) {
        self.page.rows.push(Row { label, value, kind, dim });
        self.actions.push(action);
    }

    /// Whether a row that does this is dim.
    pub(super) fn is_dim(&self, action: &Action) -> bool {
        let mut rows = self.actions.iter().zip(&self.page.rows);
        rows.any(|(does, row)| does == action && row.dim)
    }

    /// What choosing a row does and whether it is dim; `None` if there is no such row.
    pub(super) fn action(&self, row: usize) -> Option<(Action, bool)> {
        Some((self.actions.get(row)?.clone(), self.page.rows.get(row)?.dim))
    }
}
