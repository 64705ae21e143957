//! The stand-in game around the simulation: phases, menus, figures, messages. It is a machine without a
//! clock: the driver gives it each tick's pad and steps it; what it wants of the mod comes out of
//! [`StandIn::poll_call`], so that nothing of it is borrowed while the mod runs and calls back.
//!
//! A tick, in the driver's hands: [`StandIn::read_pad`]; the calls polled; the shown page's tick; the
//! mod's tick; [`StandIn::begin_step`], then what it asks the mod's hooks polled and answered
//! ([`StandIn::poll_ask`]); the calls polled; the shown page asked and given to
//! [`StandIn::page_seen`]; the mod's drawn.

mod calls;
mod campaign;
mod figures;
mod flow;
mod gifts;
mod menus;
mod phase;
mod repeat;
mod saves;
mod screen;
mod service;
mod show;
mod tally;
mod world;

use std::collections::VecDeque;

use campaign::Campaign;
pub use figures::{Figure, Figures};
use menus::Menus;
pub use menus::{Look, Menu};
pub use phase::Phase;
pub use saves::{CardWrite, Start};
pub use screen::{PageView, PromptView, Row, RowKind, Screen};
use service::Service;
pub use service::Used;
use show::Show;
pub use show::{SceneKind, SceneNow, Skip};
pub use tally::BoltAccount;
use tally::Tally;
pub use world::{Begun, Reply};

use crate::card::Card;
pub use crate::sim::Shot;
use crate::sim::{Button, Digest, Pad, Refusal as WorldRefusal, TickRate, World};

/// The level of a new game.
const FIRST_LEVEL: i32 = 0;

/// A page of the mod's: the handle it was given, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PageId(pub u32);

/// A call of the mod that the game wants made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModCall {
    /// The page became the one that shows.
    Shown(PageId),
    /// It is no more.
    Hidden(PageId),
    /// Cross on a row.
    Choose(PageId, u32),
    /// Left (-1) or Right (1) on a row, with the ticks it was held.
    Step(PageId, u32, i32, u32),
    /// Triangle.
    Back(PageId),
    /// The mod's question was answered.
    PromptDone(bool),
    /// The hero is about to leave for that level; [`StandIn::refuse`] is a no.
    OnTravel {
        /// The level.
        level: i32,
        /// He picked it in the ship.
        by_ship: bool,
    },
    /// Start was pressed in a scene or a movie; [`StandIn::refuse`] is a no.
    OnSkip {
        /// What it would end.
        what: Skip,
        /// The level's number of the scene, if it is one of the level's own.
        scene: Option<i32>,
    },
}

/// Why the game does not do what the mod asked: a fault of the mod's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// Removed already, or never given.
    #[error("figure {0} is stale")]
    StaleFigure(u32),
    /// Never given.
    #[error("there is no page {0}")]
    NoPage(u32),
    /// A number that is infinite or none.
    #[error("not finite")]
    NotFinite,
    /// A moby that is not there.
    #[error("moby {0} is stale")]
    StaleMoby(u32),
    /// A figure that was not posed yet cannot stand in for the hero.
    #[error("figure {0} was not posed yet")]
    NotPosed(u32),
    /// Only a driven moby can be posed.
    #[error("moby {0} is not driven")]
    NotDriven(u32),
    /// Hooks that call the game in hooks it calls, without an end.
    #[error("calls lie too deep in each other")]
    TooDeep,
}

impl From<WorldRefusal> for Refusal {
    fn from(refusal: WorldRefusal) -> Self {
        match refusal {
            WorldRefusal::Stale(moby) => Self::StaleMoby(moby.0),
            WorldRefusal::NotDriven(moby) => Self::NotDriven(moby.0),
            WorldRefusal::TooDeep => Self::TooDeep,
        }
    }
}

/// A sound of the menus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // the words say it
pub enum Sound {
    Move,
    Choose,
    Back,
    Refused,
}

/// How often each sound was made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct SoundCounts {
    pub moved: u32,
    pub chosen: u32,
    pub back: u32,
    pub refused: u32,
}

/// A level to come to, and how.
#[derive(Clone, Debug, PartialEq)]
struct Arrival {
    level: i32,
    /// The game that begins there; `None`: the one that is being played goes on.
    game: Option<Box<Campaign>>,
    /// The slot the game was loaded from.
    slot: Option<usize>,
    /// The hero's health there.
    health: i16,
    /// The ship brings him.
    by_ship: bool,
}

/// What the mod was asked, until the next step does it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Asked {
    Skip,
    Travel(i32),
    /// The same, and the mod says no.
    NoTravel(i32),
}

/// Where the game goes at its next step.
#[derive(Clone, Debug, PartialEq)]
enum Leaving {
    Begin(Box<Arrival>),
    Fly(i32),
    Title(Option<PageId>),
}

/// One game.
#[derive(Clone, Debug, PartialEq)]
pub struct StandIn {
    seed: u64,
    rate: TickRate,
    frame: u64,
    phase: Phase,
    phase_ticks: u32,
    /// The level that is being read.
    arriving: Option<Box<Arrival>>,
    campaign: Campaign,
    card: Option<Card>,
    writes: VecDeque<CardWrite>,
    /// The slot this game's own saves go to.
    slot: Option<usize>,
    world: Option<World>,
    menus: Menus,
    pages: u32,
    figures: Figures,
    message: Option<(String, u32)>,
    held: Option<String>,
    menus_pause: bool,
    leaving: Option<Leaving>,
    show: Option<Show>,
    service: Option<Service>,
    asked: Option<Asked>,
    pad: Pad,
    /// Buttons that closed a menu, until they are let go: the hero does not see them.
    spent: Pad,
    sounds: SoundCounts,
    tally: Tally,
    calls: VecDeque<ModCall>,
}

impl StandIn {
    /// A game that is about to start.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self {
            seed,
            rate: TickRate::default(),
            frame: 0,
            phase: Phase::Boot,
            phase_ticks: 0,
            arriving: None,
            campaign: Campaign::default(),
            card: None,
            writes: VecDeque::new(),
            slot: None,
            world: None,
            menus: Menus::new(),
            pages: 0,
            figures: Figures::default(),
            message: None,
            held: None,
            menus_pause: true,
            leaving: None,
            show: None,
            service: None,
            asked: None,
            pad: Pad::NEUTRAL,
            spent: Pad::NEUTRAL,
            sounds: SoundCounts::default(),
            tally: Tally::default(),
            calls: VecDeque::new(),
        }
    }

    /// The same game from a disc of that rate, chosen before its first tick.
    #[must_use]
    pub fn with_rate(mut self, rate: TickRate) -> Self {
        self.rate = rate;
        self
    }

    /// The first part of a tick: reads the pad, for the menus and for the hero.
    pub fn read_pad(&mut self, pad: Pad) {
        let before = std::mem::replace(&mut self.pad, pad);
        self.spent = self.spent.common_buttons(pad);
        if self.menus.menu().is_some() {
            if let Some(press) = self.menus.read(pad, before) {
                self.press(press);
            }
        } else if self.service.is_some() {
            self.read_service(pad, before);
        } else if pad.presses(Button::Start, before) {
            self.press_start();
        }
    }

    fn press_start(&mut self) {
        if self.show.is_some() {
            self.ask_to_skip();
        } else if self.phase == Phase::Playing && self.asked.is_none() {
            self.set_phase(Phase::Paused);
            self.menus.show(Menu::Pause);
            self.sound(Sound::Choose);
        }
    }

    /// The mod says no to what it was asked last.
    pub fn refuse(&mut self) {
        self.asked = match self.asked {
            Some(Asked::Travel(level) | Asked::NoTravel(level)) => Some(Asked::NoTravel(level)),
            Some(Asked::Skip) | None => None,
        };
    }

    /// The second part of a tick, for a game that no mod listens to.
    pub fn step(&mut self) {
        self.begin_step();
        while self.poll_ask(false).is_some() {}
    }

    /// Begins the second part of a tick: leaves for where the game is to go, and lets the world go on,
    /// which [`Self::poll_ask`] does until `None`.
    pub fn begin_step(&mut self) {
        self.frame += 1;
        self.phase_ticks = self.phase_ticks.saturating_add(1);
        if let Some((_, ticks)) = &mut self.message {
            *ticks -= 1;
        }
        self.message.take_if(|(_, ticks)| *ticks == 0);
        self.campaign.ticks_played += u64::from(self.world.is_some());
        match self.leaving.take() {
            Some(Leaving::Begin(arrival)) => {
                self.leave();
                self.arriving = Some(arrival);
                self.set_phase(Phase::Loading);
            }
            Some(Leaving::Title(page)) => {
                self.leave();
                self.arriving = None;
                self.enter_title();
                if let Some(page) = page {
                    self.open(page);
                }
            }
            Some(Leaving::Fly(level)) => self.fly(level),
            None => self.go_on(),
        }
    }

    /// The next call of the mod to be made; the driver makes all of them until `None`.
    pub fn poll_call(&mut self) -> Option<ModCall> {
        self.calls.pop_front()
    }

    /// The mod's page that shows, to be asked for what is on it and ticked.
    #[must_use]
    pub const fn page_shown(&self) -> Option<PageId> {
        self.menus.mod_page()
    }

    /// What is on the mod's page in this tick; dropped if another shows by now.
    pub fn page_seen(&mut self, page: PageId, view: PageView) {
        if self.page_shown() == Some(page) {
            self.menus.seen(view);
        }
    }

    /// All that is written on the screen.
    #[must_use]
    pub fn screen(&self) -> Screen {
        let (page, cursor, prompt) = match &self.service {
            Some(service) => {
                let (page, cursor) = service.view(self.progress(), self.level());
                (Some(page), Some(cursor), None)
            }
            None => self.menus.view(),
        };
        Screen {
            phase: self.phase,
            level: self.world.as_ref().map(|world| world.level().name.clone()),
            page,
            cursor,
            prompt,
            message: self.message.as_ref().map(|(text, _)| text.clone()),
            held: self.held.clone(),
            line: self.show.as_ref().and_then(|show| show.view(self.rate).line),
        }
    }

    /// The level being played.
    #[must_use]
    pub const fn world(&self) -> Option<&World> {
        self.world.as_ref()
    }

    /// The figures.
    #[must_use]
    pub const fn figures(&self) -> &Figures {
        &self.figures
    }

    /// One number for all that a player could tell two games apart by in a level: equal for equal
    /// states.
    #[must_use]
    pub fn digest(&self) -> u64 {
        let mut digest = Digest::new();
        digest.word(self.frame).byte(self.phase as u8).word(u64::from(self.phase_ticks));
        digest.word(self.world.as_ref().map_or(0, World::digest));
        self.campaign.digest(&mut digest);
        if let Some(show) = &self.show {
            show.digest(&mut digest);
        }
        if let Some(service) = &self.service {
            service.digest(&mut digest);
        }
        digest.value()
    }

    /// What the player set the picture to.
    #[must_use]
    pub const fn look(&self) -> Look {
        self.menus.look
    }

    /// The sounds made so far.
    #[must_use]
    pub const fn sounds(&self) -> SoundCounts {
        self.sounds
    }
}

#[cfg(test)]
mod tests;
