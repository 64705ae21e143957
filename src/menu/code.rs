//! Join by code: a row a character (B2.5).

use mp_protocol::limits::{PARTY_CODE_ALPHABET, PARTY_CODE_CHARS};

use super::view::View;
use super::{Action, Parts};

/// The code as it stands, each character as its place in the alphabet.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct CodeRows([usize; PARTY_CODE_CHARS]);

impl CodeRows {
    /// The code.
    pub(super) fn code(self) -> String {
        self.0.map(|place| char::from(PARTY_CODE_ALPHABET[place])).iter().collect()
    }

    /// Steps a character; the ends wrap.
    pub(super) fn step(&mut self, character: usize, right: bool) {
        let step = if right { 1 } else { PARTY_CODE_ALPHABET.len() - 1 };
        self.0[character] = (self.0[character] + step) % PARTY_CODE_ALPHABET.len();
    }
}

pub(super) fn view(rows: CodeRows, parts: &Parts) -> View {
    let code = rows.code();
    let mut view = View::new(format!("Join {code}"));
    for (place, character) in code.chars().enumerate() {
        let label = format!("Character {}", place + 1);
        view.value(label, character.to_string(), Action::Character(place));
    }
    view.button_if(parts.session.is_online(), "Join", Action::JoinCode(code));
    view
}
