//! What others call themselves and say, made fit to be shown. The protocol lets a name, a description or
//! a line of chat hold any character but control characters (protocol.md 1); a page must not be turned
//! around, blanked or pushed off its edge by one.

/// Most characters of a name, of a description and of a line of chat that are shown: what a page's row,
/// and a line over the level, have room for.
const NAME_SHOWN: usize = 24;
pub(super) const DESCRIPTION_SHOWN: usize = 48;
pub(super) const CHAT_SHOWN: usize = 80;

/// The description of a party that starts a new game.
pub(crate) const NEW_GAME: &str = "New game";

/// What a party plays, in the host's words; one that FIND created has none, and plays a new game.
pub(super) fn or_new_game(description: &str) -> &str {
    if description.is_empty() { NEW_GAME } else { description }
}

/// What stands for a character that is not shown.
const REPLACEMENT: char = char::REPLACEMENT_CHARACTER;

/// Letters to Unicode, but drawn as nothing (its property Default_Ignorable_Code_Point).
const BLANK_LETTERS: [char; 4] = ['\u{115F}', '\u{1160}', '\u{3164}', '\u{FFA0}'];

/// The text as pages, messages and the log show it: letters and digits of any script and the
/// punctuation of Latin-1; any other character, bidirectional and other invisible ones among them, is a
/// replacement. Cut after `most` characters, and never empty.
pub(super) fn shown(text: &str, most: usize) -> String {
    let mut shown: String = text.trim().chars().take(most).map(shown_char).collect();
    if text.trim().chars().count() > most {
        shown.push_str("...");
    }
    if shown.is_empty() { REPLACEMENT.to_string() } else { shown }
}

/// What pages and lines put around a name, as in `Nova_7 (host)` and `Nova_7: Help!`: a name that holds it
/// could pass for another's.
const AROUND_NAMES: [char; 3] = ['(', ')', ':'];

/// A name as pages, messages and the log show it.
pub(super) fn shown_name(name: &str) -> String {
    let fit = |c| if AROUND_NAMES.contains(&c) { REPLACEMENT } else { c };
    shown(name, NAME_SHOWN).chars().map(fit).collect()
}

fn shown_char(c: char) -> char {
    let plain = c.is_alphanumeric() && !BLANK_LETTERS.contains(&c);
    let latin = matches!(c, ' '..='~' | '\u{A1}'..='\u{FF}') && c != '\u{AD}';
    if plain || latin { c } else { REPLACEMENT }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_of_any_script_digits_and_punctuation_stay() {
        for text in ["Nova_7", "Pokitaru, 12 gold bolts", "Łódź!", "ラチェット", "Ёж 2", "¿Qué?"]
        {
            assert_eq!(shown(text, 48), text);
        }
    }

    #[test]
    fn what_turns_or_blanks_a_line_is_replaced() {
        // Marks and isolates of direction, zero width, soft hyphen, line and paragraph separator,
        // combining marks, fillers, tags, private use, emoji.
        for c in [
            '\u{202E}',
            '\u{2066}',
            '\u{200F}',
            '\u{061C}',
            '\u{200B}',
            '\u{200D}',
            '\u{FEFF}',
            '\u{AD}',
            '\u{2028}',
            '\u{2029}',
            '\u{0301}',
            '\u{3164}',
            '\u{115F}',
            '\u{E0041}',
            '\u{E000}',
            '\u{2800}',
            '\u{1F600}',
            '\u{1}',
            '\u{7F}',
            '\u{85}',
            '\u{A0}',
        ] {
            assert_eq!(shown(&format!("a{c}b"), 24), "a\u{FFFD}b", "{:?}", c.escape_unicode());
        }
    }

    /// The marks are the pages' own.
    #[test]
    fn a_name_cannot_pass_for_the_hosts_or_for_a_line_of_anothers() {
        assert_eq!(shown_name("Eve (host)"), "Eve \u{FFFD}host\u{FFFD}");
        assert_eq!(shown_name("Nova_7: Help!"), "Nova_7\u{FFFD} Help!");
        assert_eq!(shown_name("\u{FF08}host\u{FF09}"), "\u{FFFD}host\u{FFFD}");
        assert_eq!(shown_name("Łódź_7"), "Łódź_7");
        assert_eq!(shown_name(&"x".repeat(25)), format!("{}...", "x".repeat(24)));
    }

    #[test]
    fn a_long_one_is_cut_and_a_blank_one_is_seen() {
        assert_eq!(shown(&"x".repeat(25), 24), format!("{}...", "x".repeat(24)));
        assert_eq!(shown(&"x".repeat(24), 24), "x".repeat(24));
        assert_eq!(shown("   ", 24), "\u{FFFD}");
        assert_eq!(shown("", 24), "\u{FFFD}");
    }
}
