//! One player: the game with the mod in it, the bot that plays, and when its next tick is.

use std::time::Duration;

use mp_netcode::LocalTime;
use mp_playground::bots::{Bot, Errand, Habit};
use mp_playground::card::Card;
use mp_playground::game::{Phase, StandIn};
use mp_playground::invariants::{Role, Sight};
use mp_playground::sim::{Button, Digest, Level, Pad, Rng, TICKS_PER_SECOND};

use crate::game::{Instance, Settings};
use crate::guide::{Goal, Guide, Place};
use crate::network::{Network, RELAY};

/// Everyone's names, the host's first.
pub const NAMES: [&str; 4] = ["Alex", "Blair", "Casey", "Drew"];
const SECOND: u64 = TICKS_PER_SECOND as u64;
/// How long a button is pressed, in ticks.
const PRESS_TICKS: u32 = 2;
const MICROS_PER_SECOND: u64 = 1_000_000;

/// See the module.
pub(crate) struct Seat {
    pub(crate) number: usize,
    pub(crate) name: &'static str,
    pub(crate) guide: Guide,
    /// The game that runs, unless it has crashed.
    pub(crate) game: Option<Instance>,
    bot: Bot,
    /// The row that the bot is to choose.
    choosing: Option<String>,
    rng: Rng,
    card: Card,
    /// Where its first tick is; the others follow at the disc's rate.
    phase: LocalTime,
    ticks: u64,
    /// It stands still until then.
    stalled_until: LocalTime,
    /// What it presses, whatever the bot does, and for how many ticks.
    pressing: Option<(Button, u32)>,
    /// What its game did when it was looked at last, and where.
    was: Option<(Phase, Option<i32>)>,
}

impl Seat {
    pub(crate) fn new(number: usize, goal: Goal, place: Place, seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        // No two games' ticks fall together.
        let phase = LocalTime::from_micros(u64::from(rng.below(16_000)));
        let bot = Bot::new(Errand::None, Habit::Play, rng.bits());
        Self {
            number,
            name: NAMES[number],
            guide: Guide::new(goal, place),
            game: None,
            bot,
            choosing: None,
            rng,
            card: Card::default(),
            phase,
            ticks: 0,
            stalled_until: LocalTime::ZERO,
            pressing: None,
            was: None,
        }
    }

    /// Starts the game, with the mod in it and the card that it had.
    pub(crate) fn start(&mut self, network: &mut Network) {
        let settings = Settings { name: self.name.to_owned(), server: RELAY.to_owned() };
        let seed = self.rng.bits();
        let (game, far) = Instance::start(settings, seed, self.card.clone());
        network.start(self.number, far);
        self.bot = Bot::new(Errand::None, Habit::Play, self.rng.bits());
        self.choosing = None;
        self.game = Some(game);
    }

    /// Its process is gone.
    pub(crate) fn crash(&mut self) {
        if let Some(game) = self.game.take() {
            self.card = game.look(|game| game.card().cloned()).unwrap_or_default();
        }
    }

    /// When its next tick is.
    pub(crate) fn next_tick(&self) -> LocalTime {
        let at = self.ticks * MICROS_PER_SECOND / u64::from(TICKS_PER_SECOND);
        self.phase + Duration::from_micros(at)
    }

    /// Its game's thread stands still for so long.
    pub(crate) fn stall(&mut self, now: LocalTime, time: Duration) {
        self.stalled_until = self.stalled_until.max(now + time);
    }

    pub(crate) fn is_stalled(&self, now: LocalTime) -> bool {
        now < self.stalled_until
    }

    /// Gives the bot something to do in the level.
    pub(crate) fn send(&mut self, errand: Errand) {
        self.choosing = None;
        self.bot.send(errand);
    }

    /// Presses Start once.
    pub(crate) fn press_start(&mut self) {
        self.pressing = Some((Button::Start, PRESS_TICKS));
    }

    /// One tick of the game, if it runs and does not stand still.
    pub(crate) fn tick(&mut self, network: &Network) {
        let at = self.next_tick();
        self.ticks += 1;
        if self.is_stalled(at) {
            return;
        }
        let Some(mut game) = self.game.take() else { return };
        let pad = game.look(|game| self.pad(game));
        game.tick(pad, network.time_of(self.number));
        self.game = Some(game);
    }

    fn pad(&mut self, game: &StandIn) -> Pad {
        if let Some((button, left)) = self.pressing {
            self.pressing = left.checked_sub(1).map(|left| (button, left));
            return Pad::NEUTRAL.with(button);
        }
        match game.phase() {
            Phase::Title | Phase::TitlePage => self.go_through_the_menus(game),
            // Whatever it was in there for is done, or came to nothing.
            Phase::Paused if self.bot.is_idle() && self.ticks.is_multiple_of(SECOND) => {
                self.pressing = Some((Button::Triangle, PRESS_TICKS));
            }
            _ => {}
        }
        self.bot.pad(game)
    }

    fn go_through_the_menus(&mut self, game: &StandIn) {
        let screen = game.screen();
        let there = |label: &String| screen.row(label).is_some();
        if self.bot.is_idle() || self.choosing.as_ref().is_some_and(|label| !there(label)) {
            self.choosing = self.guide.next(&screen, self.ticks);
            let errand = self.choosing.clone().map_or(Errand::None, Errand::Choose);
            self.bot.send(errand);
        }
    }

    /// Whether it plays in a level.
    pub(crate) fn plays(&self) -> bool {
        self.game.as_ref().is_some_and(|game| game.look(StandIn::phase) == Phase::Playing)
    }

    /// What it is after in a party.
    pub(crate) fn role(&self) -> Role {
        match self.guide.goal {
            Goal::Alone => Role::Alone,
            Goal::Host { .. } => Role::Host,
            Goal::Join { .. } => Role::Member,
        }
    }

    /// The game as the invariants see it, while there is one.
    pub(crate) fn sight(&self) -> Option<Sight> {
        let game = self.game.as_ref()?;
        let mut sight = game.look(|stand_in| Sight::of(self.name, self.role(), stand_in));
        sight.faults = game.game().faults();
        Some(sight)
    }

    /// What its game does now and where, if that has changed.
    pub(crate) fn news(&mut self) -> Option<String> {
        let is = self.game.as_ref().map(|game| game.look(|game| (game.phase(), game.level())));
        if std::mem::replace(&mut self.was, is) == is {
            return None;
        }
        let (phase, level) = is?;
        let level = level.and_then(Level::name_of).unwrap_or_default();
        Some(format!("{phase} {level}"))
    }

    /// What is on its screen, and what its mod wrote to the log last.
    pub(crate) fn in_words(&self) -> String {
        let Some(game) = &self.game else { return format!("{} has crashed", self.name) };
        let log = game.game().newest_log();
        format!("{} is here:\n{}{log}", self.name, game.look(StandIn::screen))
    }

    /// What a player could tell two runs apart by.
    pub(crate) fn digest(&self, digest: &mut Digest) {
        let game = self.game.as_ref().map_or(0, |game| game.look(StandIn::digest));
        digest.word(self.ticks).word(game);
    }
}
