//! Two traces that somebody sent, the second behind a zero: read, laid side by side, left out, printed.

use mp_playground::trace::{Merged, Wanted};

/// One input.
pub fn run(bytes: &[u8]) {
    let (first, second) = bytes.split_at(bytes.iter().position(|&byte| byte == 0).unwrap_or(0));
    let merged = Merged::of(&[("first", first), ("second", second)]);
    assert!(merged.entries.is_sorted_by_key(|entry| entry.at_ms));
    assert_eq!(merged.players.len(), 2);
    let lines = merged.to_string().lines().count();
    assert!(lines >= merged.entries.len() + merged.notes.len());
    let all = merged.entries.len();
    for wanted in [
        Wanted { moby: Some("17".to_owned()), ..Wanted::default() },
        Wanted { player: merged.players.first().cloned(), ..Wanted::default() },
        Wanted { from_s: Some(1.0), to_s: Some(2.0), ..Wanted::default() },
    ] {
        assert!(merged.clone().only(&wanted).entries.len() <= all);
    }
    assert_eq!(merged.clone().only(&Wanted::default()).entries, merged.entries);
    // It takes a while: now and then.
    if bytes.len() % 64 == 1 {
        let drawn = merged.draw(std::path::Path::new(if cfg!(unix) { "/dev/null" } else { "NUL" }));
        drawn.expect("nowhere takes all");
    }
}
