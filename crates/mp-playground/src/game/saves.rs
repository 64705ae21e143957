//! The memory card in the game: its pages, loading and saving, the saves the game makes by itself, and
//! the calls of the interface about it. The game touches no file: what is to be written comes out of
//! [`StandIn::poll_write`], and the card changes once the driver says that it was.

use std::sync::Arc;

use super::menus::{Asker, OwnPage};
use super::screen::Row;
use super::{Arrival, Campaign, Leaving, Menu, Phase, SceneKind, Sound, StandIn};
use crate::card::{Card, SLOTS, Save, Slot};
use crate::sim::{FULL_HEALTH, Level, TickRate};

/// How long a line about the card shows, in seconds.
const LINE: f32 = 3.0;

/// A save to be written to the card.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CardWrite {
    /// The slot, below [`SLOTS`].
    pub slot: usize,
    /// The file.
    pub file: Arc<[u8]>,
}

/// How a mod starts a game from the title.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Start {
    /// A new game.
    New,
    /// The game of a save.
    Save(Box<Save>),
}

impl StandIn {
    /// Puts a memory card in. Without one the game cannot load or save.
    pub fn insert_card(&mut self, card: Card) {
        self.card = Some(card);
        self.card_changed();
    }

    /// The card.
    #[must_use]
    pub const fn card(&self) -> Option<&Card> {
        self.card.as_ref()
    }

    /// What a slot of the card holds; `None`: no such slot.
    #[must_use]
    pub fn card_slot(&self, slot: u8) -> Option<&Slot> {
        static EMPTY: Slot = Slot::Empty;
        let slot = usize::from(slot);
        match &self.card {
            Some(card) => card.slots.get(slot),
            None => (slot < SLOTS).then_some(&EMPTY),
        }
    }

    /// The next save to be written; the driver writes all of them until `None`, and says of each how it
    /// went ([`StandIn::written`]).
    pub fn poll_write(&mut self) -> Option<CardWrite> {
        self.writes.pop_front()
    }

    /// A save was written to the card, whole; or it was not, and the slot is as before.
    pub fn written(&mut self, write: &CardWrite, whole: bool) {
        if !whole {
            self.say("The game could not be saved", LINE);
            return;
        }
        let slot = self.card.as_mut().and_then(|card| card.slots.get_mut(write.slot));
        if let Some(slot) = slot {
            *slot = Slot::of(Arc::clone(&write.file));
            self.say("Saved", LINE);
            self.card_changed();
        }
    }

    /// The game as it is now; `None`: it cannot be captured now.
    #[must_use]
    pub fn capture(&self) -> Option<Save> {
        let plays = [Phase::Playing, Phase::Paused, Phase::Dialog, Phase::Vendor];
        // The world goes on under a moby's shot.
        let is_shot = self.scene().is_some_and(|scene| scene.kind == SceneKind::Camera);
        let may = is_shot || plays.contains(&self.phase);
        let level = self.level().filter(|_| may)?;
        self.campaign.save(level, self.hero_pose()?.health, self.rate)
    }

    /// Leaves the title for a game in that level, or where it is to be (`None`). The card is not
    /// touched. False: not in the title, or no such level.
    pub fn play_start(&mut self, start: Start, level: Option<i32>) -> bool {
        let arrival = match start {
            Start::New => Arrival::new_game(),
            Start::Save(save) => Arrival::of_save(*save, self.rate),
        };
        let arrival = Arrival { level: level.unwrap_or(arrival.level), ..arrival };
        let may = self.menus.menu() == Some(Menu::Main) && Level::find(arrival.level).is_some();
        if may {
            self.leaving = Some(Leaving::Begin(Box::new(arrival)));
        }
        may
    }

    /// A save of the game's own: to the slot it was loaded from or saved to, or to the first empty one.
    /// One that holds another game, or is damaged, is never written so.
    pub(super) fn save_by_itself(&mut self) {
        let empty = |card: &Card| card.slots.iter().position(|slot| *slot == Slot::Empty);
        if let Some(slot) = self.slot.or_else(|| self.card.as_ref().and_then(empty)) {
            self.save_to(slot);
        }
    }

    /// Cross on a slot of the card's pages.
    pub(super) fn choose_slot(&mut self, page: OwnPage, slot: usize) {
        let held = self.card.as_ref().and_then(|card| card.slots.get(slot));
        match (page, held) {
            (OwnPage::Load, Some(Slot::Used { save, .. })) => {
                let arrival = Arrival::of_save((**save).clone(), self.rate);
                if Level::find(arrival.level).is_none() {
                    return self.sound(Sound::Refused);
                }
                self.leaving =
                    Some(Leaving::Begin(Box::new(Arrival { slot: Some(slot), ..arrival })));
                self.sound(Sound::Choose);
            }
            (OwnPage::Save, Some(Slot::Empty)) => {
                self.sound(Sound::Choose);
                self.save_to(slot);
            }
            (OwnPage::Save, Some(_)) => {
                self.sound(Sound::Choose);
                self.menus.ask(Asker::Overwrite(slot), "Write over this save?", "Yes", "No");
            }
            _ => self.sound(Sound::Refused),
        }
    }

    pub(super) fn save_to(&mut self, slot: usize) {
        let Some(save) = self.capture().filter(|_| self.card.is_some()) else { return };
        self.slot = Some(slot);
        self.writes.push_back(CardWrite { slot, file: save.encode().into() });
    }

    /// Shows a line for so many seconds.
    pub(super) fn say(&mut self, text: &str, seconds: f32) {
        self.message = Some((text.to_owned(), u32::from(self.rate.ticks(seconds))));
    }

    fn card_changed(&mut self) {
        let slots = self.card.iter().flat_map(|card| &card.slots);
        self.menus.set_slots(slots.enumerate().map(|(number, slot)| row(number, slot)).collect());
    }
}

impl Arrival {
    pub(super) fn new_game() -> Self {
        Self {
            level: super::FIRST_LEVEL,
            game: Some(Box::new(Campaign::default())),
            slot: None,
            health: FULL_HEALTH,
            by_ship: false,
        }
    }

    pub(super) fn of_save(save: Save, rate: TickRate) -> Self {
        Self {
            level: i32::from(save.level),
            health: save.health.min(FULL_HEALTH),
            game: Some(Box::new(Campaign::of(save, rate))),
            ..Self::new_game()
        }
    }
}

/// A slot as the card's pages list it.
fn row(number: usize, slot: &Slot) -> Row {
    let (what, value) = match slot {
        Slot::Empty => ("Empty".to_owned(), String::new()),
        Slot::Damaged(_) => ("Damaged".to_owned(), String::new()),
        Slot::Used { save, .. } => {
            let level = i32::from(save.level);
            let planet = Level::name_of(level).unwrap_or_else(|| format!("Planet {level}"));
            let (seconds, bolts) = (save.seconds_played, save.progress.gold_bolt_count());
            let time = format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
            let plural = if bolts == 1 { "" } else { "s" };
            (planet, format!("{bolts} gold bolt{plural}, {time}"))
        }
    };
    let dim = slot.save().is_none();
    Row { value, dim, ..Row::action(&format!("{}. {what}", number + 1)) }
}
