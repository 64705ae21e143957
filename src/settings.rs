//! What the launcher's page says, read once when the mod loads (B1.3). A setting that is not understood
//! counts as the usual one, and the game's log says so.

use mp_protocol::limits::PORT;

use crate::game::{Game, LogLevel, Setting};

/// The settings that pages and chat go by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The port that Host directly takes; 0: any that is free.
    pub direct_port: u16,
    /// Whether chat shows.
    pub chat: bool,
    /// Whether phrases are offered.
    pub quick_phrases: bool,
}

impl Settings {
    /// As the game gives them.
    pub fn read(game: &dyn Game) -> Self {
        Self {
            direct_port: direct_port(game),
            chat: is_on(game, Setting::Chat, true),
            quick_phrases: is_on(game, Setting::QuickPhrases, true),
        }
    }
}

/// Whether a setting that is on or off is on. `usually` counts for one that is empty or says neither.
pub fn is_on(game: &dyn Game, setting: Setting, usually: bool) -> bool {
    read(game, setting, switched).unwrap_or(usually)
}

/// Whether words switch something on; `None`: they say neither on nor off.
pub fn switched(words: &str) -> Option<bool> {
    match words.to_ascii_lowercase().as_str() {
        "on" | "true" | "yes" | "1" => Some(true),
        "off" | "false" | "no" | "0" => Some(false),
        _ => None,
    }
}

fn direct_port(game: &dyn Game) -> u16 {
    read(game, Setting::DirectPort, |words| words.parse().ok()).unwrap_or(PORT)
}

/// What a setting says; `None` if it is empty, or not understood, which is logged.
fn read<T>(game: &dyn Game, setting: Setting, parse: impl Fn(&str) -> Option<T>) -> Option<T> {
    let words = game.setting(setting);
    if words.trim().is_empty() {
        return None;
    }
    let parsed = parse(words.trim());
    if parsed.is_none() {
        let key = setting.key();
        let words = format!("{key} setting not understood: {words:?}; it is as usual");
        game.log(LogLevel::Warning, &words);
    }
    parsed
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::fake::FakeGame;

    /// B1.3
    #[test]
    fn on_and_off_are_understood_and_all_else_is_said_and_as_usual() {
        let game = FakeGame::default();
        let chat = |words: &str| {
            game.settings.borrow_mut().insert("Chat", words.to_owned());
            [true, false].map(|usually| is_on(&game, Setting::Chat, usually))
        };
        for (setting, on) in [
            ("on", true),
            (" True ", true),
            ("1", true),
            ("OFF", false),
            ("0", false),
            ("No", false),
        ] {
            assert_eq!(chat(setting), [on; 2], "{setting:?}");
        }
        assert_eq!(chat(""), [true, false]);
        assert_eq!(*game.logged.borrow(), [""; 0]);
        for setting in ["maybe", "2"] {
            assert_eq!(chat(setting), [true, false], "{setting:?}");
            let line = format!("Chat setting not understood: {setting:?}; it is as usual");
            assert_eq!(game.logged.take(), [line.clone(), line]);
        }
    }
}
