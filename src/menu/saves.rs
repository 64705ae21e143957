//! Choose a save: what the party is to play (B2.4). The card is only read here.

use mp_protocol::limits::DESCRIPTION_MAX;

use super::view::View;
use super::{Action, Parts};
use crate::coop::HostSave;
use crate::game::{CARD_SLOTS, CardSave, CardSlot, Game};
use crate::session::NEW_GAME;

/// Where the party that the save is for is hosted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) enum HostOn {
    /// On the server: Create match.
    #[default]
    Server,
    /// On this computer: Host directly.
    Direct,
}

/// What a row of the page is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Choice {
    NewGame,
    Slot(u8),
}

/// What the card's slots hold, as of when the page showed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Card([CardSlot; CARD_SLOTS as usize]);

impl Default for Card {
    fn default() -> Self {
        Self([CardSlot::Empty; CARD_SLOTS as usize])
    }
}

impl Card {
    pub(super) fn read(game: &dyn Game) -> Self {
        let mut card = Self::default();
        for (slot, held) in (0..).zip(&mut card.0) {
            *held = game.card_save(slot);
        }
        card
    }
}

pub(super) fn view(card: &Card, host_on: HostOn, parts: &Parts) -> View {
    let mut view = View::new("Choose a save");
    view.line("What the party plays. Starting it does not write your card.");
    let open = host_on == HostOn::Direct || parts.session.is_online();
    view.button_if(open, NEW_GAME, Action::Play(Choice::NewGame));
    for (slot, held) in (0..).zip(&card.0) {
        let action = Action::Play(Choice::Slot(slot));
        match held {
            CardSlot::Empty => view.button_if(false, "Empty", Action::NoSave),
            CardSlot::Damaged => view.button_if(false, "Damaged", Action::NoSave),
            CardSlot::Save(save) => {
                let played = played(save.played.as_secs());
                let value = format!("{}, {played}", gold_bolts(save));
                view.choice_if(open, planet(save, parts.game), value, action);
            }
        }
    }
    view
}

/// What is chosen, with the words that the others read of it; why not, if it cannot be had.
pub(super) fn choose(choice: Choice, game: &dyn Game) -> Result<(HostSave, String), &'static str> {
    let Choice::Slot(slot) = choice else { return Ok((HostSave::NEW_GAME, NEW_GAME.to_owned())) };
    let CardSlot::Save(save) = game.card_save(slot) else { return Err(UNREADABLE) };
    let bytes = game.save_read(slot).and_then(HostSave::of).ok_or(UNREADABLE)?;
    Ok((bytes, description(&planet(&save, game), &save)))
}

const UNREADABLE: &str = "This save cannot be read";

/// `Pokitaru, 12 gold bolts`, within what CREATE carries.
fn description(planet: &str, save: &CardSave) -> String {
    let bolts = format!(", {}", gold_bolts(save));
    let mut words = planet.replace(char::is_control, " ");
    while words.len() + bolts.len() > DESCRIPTION_MAX {
        words.pop();
    }
    words + &bolts
}

fn planet(save: &CardSave, game: &dyn Game) -> String {
    let name = game.level_name(save.level);
    if name.is_empty() { format!("Planet {}", save.level) } else { name }
}

fn gold_bolts(save: &CardSave) -> String {
    let plural = if save.gold_bolts == 1 { "" } else { "s" };
    format!("{} gold bolt{plural}", save.gold_bolts)
}

/// `1:02:03`: hours, minutes, seconds.
fn played(seconds: u64) -> String {
    format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn save(gold_bolts: u32) -> CardSave {
        CardSave { level: 15, gold_bolts, played: Duration::ZERO }
    }

    /// B2.4
    #[test]
    fn a_description_is_the_planet_and_the_gold_bolts() {
        assert_eq!(description("Pokitaru", &save(12)), "Pokitaru, 12 gold bolts");
        assert_eq!(description("Pokitaru", &save(1)), "Pokitaru, 1 gold bolt");
    }

    /// protocol.md 1
    #[test]
    fn a_description_fits_create_whatever_the_planet_is_called() {
        let long = description(&"ż".repeat(200), &save(u32::MAX));
        assert!(long.len() <= DESCRIPTION_MAX && long.ends_with("ż, 4294967295 gold bolts"));
        assert!(!description("Po\nki", &save(0)).contains(char::is_control));
    }

    /// B2.4
    #[test]
    fn time_played_is_hours_minutes_and_seconds() {
        assert_eq!(played(0), "0:00:00");
        assert_eq!(played(3_600 * 101 + 59 * 60 + 7), "101:59:07");
    }
}
