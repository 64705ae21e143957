//! Which texts the wire may carry.

use core::ops::RangeInclusive;

use crate::error::{Malformed, TextFault, in_range};
use crate::limits::NAME_CHARS_MAX;

/// Whether a player may be called this: 1 to [`NAME_CHARS_MAX`] characters (Unicode scalar values),
/// none of them a control character, category Cc (protocol.md 1).
#[must_use]
pub fn name_is_valid(name: &str) -> bool {
    check_name("name", name).is_ok()
}

/// As [`name_is_valid`], saying what is wrong.
pub(crate) fn check_name<'a>(what: &'static str, name: &'a str) -> Result<&'a str, Malformed> {
    in_range(what, name.chars().count(), 1..=NAME_CHARS_MAX)?;
    check_no_control(what, name)
}

/// A text of so many bytes without a control character.
pub(crate) fn check_line<'a>(
    what: &'static str,
    text: &'a str,
    bytes: RangeInclusive<usize>,
) -> Result<&'a str, Malformed> {
    in_range(what, text.len(), bytes)?;
    check_no_control(what, text)
}

fn check_no_control<'a>(what: &'static str, text: &'a str) -> Result<&'a str, Malformed> {
    if text.chars().any(char::is_control) {
        return Err(Malformed::BadText { what, fault: TextFault::Control });
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::name_is_valid;

    #[test]
    fn a_name_is_1_to_32_characters_and_no_control() {
        assert!(!name_is_valid(""));
        assert!(name_is_valid("N"));
        // Characters, not bytes: 32 of four bytes each.
        assert!(name_is_valid(&"\u{1F527}".repeat(32)));
        assert!(!name_is_valid(&"n".repeat(33)));
        for control in ["\0", "a\n", "\u{7f}", "\u{9f}b"] {
            assert!(!name_is_valid(control), "{control:?}");
        }
        // Category Cf, not Cc.
        assert!(name_is_valid("a\u{200d}b"));
    }
}
