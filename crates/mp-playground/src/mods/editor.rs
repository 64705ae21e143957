//! A text that a pad writes: a place in it, and the character there.

use crate::game::{PageView, Row, RowKind};

/// What can be written: what the settings of mods are made of.
const CHARACTERS: &str = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.:[]%${}";
/// The most characters of a text.
const MAX: usize = 64;

/// The rows of its page, from the top.
const PLACE: u32 = 0;
const CHARACTER: u32 = 1;
const INSERT: u32 = 2;
const REMOVE: u32 = 3;
const DONE: u32 = 4;

/// See the module.
#[derive(Clone, Debug)]
pub(super) struct Editor {
    text: Vec<char>,
    /// Up to one behind the text's end, where a character can be put.
    place: usize,
}

/// Whether the player goes on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Edit {
    GoesOn,
    Done(String),
}

impl Editor {
    /// Begins at the end of a text.
    pub(super) fn new(text: &str) -> Self {
        let text: Vec<char> = text.chars().collect();
        Self { place: text.len(), text }
    }

    /// Cross on a row.
    pub(super) fn choose(&mut self, row: u32) -> Edit {
        match row {
            INSERT if self.text.len() < MAX => self.text.insert(self.place, 'a'),
            REMOVE if self.place < self.text.len() => {
                self.text.remove(self.place);
            }
            // Behind the end it is the last one that goes, as with a key.
            REMOVE => {
                self.text.pop();
                self.place = self.text.len();
            }
            DONE => return Edit::Done(self.text.iter().collect()),
            _ => {}
        }
        Edit::GoesOn
    }

    /// Left (-1) or Right (1) on a row.
    pub(super) fn step(&mut self, row: u32, direction: i32) {
        match row {
            PLACE => self.place = stepped(self.place, direction, self.text.len() + 1),
            CHARACTER => self.step_character(direction),
            _ => {}
        }
    }

    fn step_character(&mut self, direction: i32) {
        let all: Vec<char> = CHARACTERS.chars().collect();
        if let Some(character) = self.text.get_mut(self.place) {
            let at = all.iter().position(|one| one == character);
            *character = at.map_or(all[0], |at| all[stepped(at, direction, all.len())]);
        } else if self.text.len() < MAX {
            self.text.push(all[0]);
        }
    }

    /// Its page, under the setting's name and above its help.
    pub(super) fn view(&self, title: &str, help: &str) -> PageView {
        let character = self.text.get(self.place).map_or_else(|| "-".to_owned(), char::to_string);
        let place = format!("{} of {}", self.place + 1, self.text.len());
        let value =
            |label: &str, value: String| Row { value, kind: RowKind::Value, ..Row::action(label) };
        PageView {
            title: title.to_owned(),
            lines: vec![self.text.iter().collect(), format!("{:>1$}", '^', self.place + 1)],
            rows: vec![
                value("Place", place),
                value("Character", character),
                Row::action("Insert"),
                Row::action("Remove"),
                Row::action("Done"),
            ],
            footer: (!help.is_empty()).then(|| help.to_owned()).into_iter().collect(),
        }
    }
}

/// One on or one back among so many, round the ends.
fn stepped(at: usize, direction: i32, count: usize) -> usize {
    if direction < 0 { (at + count - 1) % count } else { (at + 1) % count }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(editor: &Editor) -> String {
        editor.text.iter().collect()
    }

    #[test]
    fn a_pad_writes_any_text() {
        let mut editor = Editor::new("Nov");
        editor.step(CHARACTER, 1);
        assert_eq!(text(&editor), "Nova", "behind the end one is put");
        editor.step(CHARACTER, 1);
        editor.step(CHARACTER, -1);
        editor.step(CHARACTER, -1);
        assert_eq!(text(&editor), "Nov}", "round the ends");
        editor.step(PLACE, 1);
        editor.choose(REMOVE);
        assert_eq!(text(&editor), "Nov", "behind the end the last one goes");
        editor.step(PLACE, 1);
        editor.choose(REMOVE);
        assert_eq!(text(&editor), "ov", "from the end to the beginning, and the one there goes");
        editor.choose(INSERT);
        editor.step(CHARACTER, 1);
        assert_eq!(editor.choose(DONE), Edit::Done("bov".to_owned()));
    }

    #[test]
    fn a_text_ends_at_its_most_and_at_nothing() {
        let mut editor = Editor::new(&"x".repeat(MAX));
        editor.step(CHARACTER, 1);
        editor.choose(INSERT);
        assert_eq!(editor.text.len(), MAX);
        let mut editor = Editor::new("");
        editor.choose(REMOVE);
        editor.step(PLACE, -1);
        assert_eq!(editor.choose(DONE), Edit::Done(String::new()));
    }
}
