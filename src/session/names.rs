//! Which name a player goes by (B1.2). Nothing here reads a setting or makes up a number by itself.

/// The launcher's placeholder, which stands in the setting when the launcher did not fill it in.
const PLACEHOLDER: &str = "${player_name}";

/// Whether a player may be called that: 3 to 16 letters, digits and underscores.
pub fn is_valid(name: &str) -> bool {
    (3..=16).contains(&name.len())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// The player's name: the setting's, else the launcher's, else `Player` and three digits made of
/// `random`.
pub fn choose(setting: &str, launcher: &str, random: u64) -> String {
    for name in [setting.trim(), launcher.trim()] {
        if name != PLACEHOLDER && is_valid(name) {
            return name.to_owned();
        }
    }
    format!("Player{:03}", random % 1000)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// B1.2
    #[test]
    fn the_setting_comes_before_the_launcher() {
        assert_eq!(choose("Nova_7", "Orbit", 0), "Nova_7");
    }

    /// B1.2
    #[test]
    fn a_setting_left_empty_unfilled_or_not_valid_gives_way_to_the_launcher() {
        for setting in ["", "${player_name}", "ab", "seventeen_letters", "No va", "Nóva", "a-b-c"]
        {
            assert_eq!(choose(setting, "Orbit", 0), "Orbit", "{setting:?}");
        }
    }

    /// B1.2
    #[test]
    fn without_either_it_is_player_and_three_digits() {
        assert_eq!(choose("", "", 1_007), "Player007");
        assert_eq!(choose("${player_name}", "x", u64::MAX), "Player615");
    }

    /// B1.2
    #[test]
    fn names_are_3_to_16_letters_digits_and_underscores() {
        assert!(is_valid("abc") && is_valid("sixteen_letters_"));
        assert!(!is_valid("ab") && !is_valid("seventeen_letters"));
    }
}
