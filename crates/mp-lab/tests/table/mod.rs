//! Games at one table, in one thread: at their title first, then through the menus into a party.

use std::time::Duration;

use mp_lab::game::{Instance, Settings};
use mp_lab::network::{Network, RELAY};
use mp_lab::{NAMES, Place};
use mp_netcode::LocalTime;
use mp_netcode::conditioner::Conditions;
use mp_playground::bots::{Bot, Errand, Habit};
use mp_playground::card::{Card, Save, Slot};
use mp_playground::game::{Phase, StandIn};
use mp_playground::sim::{Button, Pad, TICKS_PER_SECOND};
use mp_sockets::FarEnd;

/// The longest that anything may take, in ticks.
const PATIENCE: u64 = 60 * TICKS_PER_SECOND as u64;
/// A level that a save may be of.
pub const LEVEL: u8 = 1;

/// The games, their bots, and what lies between them.
pub struct Table {
    network: Network,
    pub games: Vec<(Instance, Bot)>,
    pub ticks: u64,
    /// A button that a player presses in the next tick, in the place of its bot.
    pub presses: Option<(usize, Button)>,
}

impl Table {
    /// A host with a save of that level in its card, and others, at the title.
    pub fn new(players: usize, level: u8, place: Place, conditions: &str, seed: u64) -> Self {
        let start = |_, settings, card| Instance::start(settings, seed, card);
        Self::with(players, level, place, conditions, seed, start)
    }

    /// The same, each game started so: with its number, its settings and its card.
    pub fn with(
        players: usize,
        level: u8,
        place: Place,
        conditions: &str,
        seed: u64,
        start: impl Fn(usize, Settings, Card) -> (Instance, FarEnd),
    ) -> Self {
        let conditions: Conditions = conditions.parse().expect("conditions");
        let mut network = Network::new(players, place == Place::Relay, conditions, seed);
        let mut card = Card::default();
        card.slots[0] = Slot::of(Save::in_level(level).encode().into());
        let games = NAMES[..players].iter().enumerate().map(|(number, name)| {
            let settings = Settings { name: (*name).to_owned(), server: RELAY.to_owned() };
            let card = if number == 0 { card.clone() } else { Card::default() };
            let (game, far) = start(number, settings, card);
            network.start(number, far);
            (game, Bot::new(Errand::None, Habit::Stand, seed))
        });
        let games = games.collect();
        Self { network, games, ticks: 0, presses: None }
    }

    /// A tick of every game.
    pub fn tick(&mut self) {
        self.ticks += 1;
        let micros = self.ticks * 1_000_000 / u64::from(TICKS_PER_SECOND);
        self.network.run_until(LocalTime::from_micros(micros));
        for (number, (game, bot)) in self.games.iter_mut().enumerate() {
            let pad = match self.presses.take_if(|(player, _)| *player == number) {
                Some((_, button)) => Pad::NEUTRAL.with(button),
                None => game.look(|game| bot.pad(game)),
            };
            game.tick(pad, self.network.time_of(number));
            self.network.settle();
        }
    }

    /// Ticks until something holds.
    pub fn until(&mut self, what: &str, holds: impl Fn(&Self) -> bool) {
        let begin = self.ticks;
        while !holds(self) {
            self.tick();
            if self.ticks > begin + PATIENCE {
                let screens =
                    self.games.iter().map(|(game, _)| game.look(StandIn::screen).to_string());
                panic!("{what}: not in time\n{}", screens.collect::<Vec<_>>().join("\n"));
            }
        }
    }

    /// Whether a row can be chosen.
    pub fn shows(&self, player: usize, label: &str) -> bool {
        let screen = self.games[player].0.look(StandIn::screen);
        screen.row(label).is_some_and(|(_, row)| !row.dim)
    }

    /// Has a player choose a row once it shows.
    pub fn choose(&mut self, player: usize, label: &str) {
        self.until(label, |table| table.shows(player, label));
        self.games[player].1.send(Errand::Choose(label.to_owned()));
        self.until(label, |table| table.games[player].1.is_idle());
    }

    /// Everyone in the lobby and ready.
    pub fn meet(&mut self, place: Place, save: &str) {
        (0..self.games.len()).for_each(|player| self.enter(player, place, save));
        self.until("Start can be chosen", |table| table.shows(0, "Start"));
    }

    /// One in the lobby and ready, or straight in the game that is on.
    pub fn enter(&mut self, player: usize, place: Place, save: &str) {
        let (way, join) = match place {
            Place::Relay => (&["Create match"][..], &["Browse games", NAMES[0]][..]),
            Place::Direct => (
                &["Direct connect", "Host directly"][..],
                &["Direct connect", "Join by address", "Join"][..],
            ),
        };
        self.choose(player, "Multiplayer");
        let rows = if player == 0 { way } else { join };
        rows.iter().for_each(|label| self.choose(player, label));
        if player == 0 {
            self.choose(player, save);
        } else if self.games[0].0.look(StandIn::level).is_none() {
            self.choose(player, "Ready");
        }
    }

    /// For everyone, how long it was from Start until it left the title, and until it had control.
    pub fn start(&mut self) -> Vec<(Duration, Duration)> {
        self.games[0].1.send(Errand::Choose("Start".to_owned()));
        let begin = self.ticks;
        let mut left = vec![None; self.games.len()];
        let mut plays = vec![None; self.games.len()];
        while plays.contains(&None) {
            for (number, (game, _)) in self.games.iter().enumerate() {
                let at = ticks(self.ticks - begin);
                let phase = game.look(StandIn::phase);
                if !matches!(phase, Phase::Title | Phase::TitlePage) {
                    left[number].get_or_insert(at);
                }
                if game.look(StandIn::in_control) {
                    plays[number].get_or_insert(at);
                }
            }
            self.tick();
            assert!(self.ticks < begin + PATIENCE, "not everyone plays");
        }
        left.into_iter().flatten().zip(plays.into_iter().flatten()).collect()
    }
}

fn ticks(ticks: u64) -> Duration {
    Duration::from_micros(ticks * 1_000_000 / u64::from(TICKS_PER_SECOND))
}

/// What a save in that level is called on the page that chooses one.
pub fn row(level: u8) -> String {
    mp_playground::sim::Level::name_of(level.into()).expect("a level of the playground's")
}
