//! What the launcher's page says, read once when the mod loads (B1.3). A setting that is not understood
//! counts as the usual one.

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
            chat: is_on(&game.setting(Setting::Chat), true),
            quick_phrases: is_on(&game.setting(Setting::QuickPhrases), true),
        }
    }
}

/// Whether a setting that is on or off is on. `usually` counts for one that is empty or says neither.
pub fn is_on(setting: &str, usually: bool) -> bool {
    match setting.trim().to_ascii_lowercase().as_str() {
        "on" | "true" | "yes" | "1" => true,
        "off" | "false" | "no" | "0" => false,
        _ => usually,
    }
}

fn direct_port(game: &dyn Game) -> u16 {
    let setting = game.setting(Setting::DirectPort);
    if setting.trim().is_empty() {
        return PORT;
    }
    setting.trim().parse().unwrap_or_else(|_| {
        let words = format!("DirectPort setting not understood: {setting:?}; using {PORT}");
        game.log(LogLevel::Warning, &words);
        PORT
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// B1.3
    #[test]
    fn on_and_off_are_understood_and_all_else_is_as_usual() {
        for (setting, on) in
            [("on", true), (" True ", true), ("1", true), ("OFF", false), ("0", false)]
        {
            assert_eq!([is_on(setting, true), is_on(setting, false)], [on; 2], "{setting:?}");
        }
        for setting in ["", "maybe", "2"] {
            assert!(is_on(setting, true) && !is_on(setting, false), "{setting:?}");
        }
    }
}
