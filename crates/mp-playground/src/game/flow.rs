//! How the game goes on: what a press in the menus does, and from phase to phase.

use std::collections::BTreeSet;

use super::menus::{Asker, Choice, OwnPage, Press};
use super::show::{Show, Then};
use super::{Arrival, Asked, Leaving, Menu, ModCall, PageId, Phase, Sound, StandIn};
use crate::scenes::Own;
use crate::sim::{FULL_HEALTH, Level, Pad, Start, Vec3, World};

/// How long the game takes to start, and a level to load, in seconds.
const BOOT: f32 = 0.5;
const LOADING: f32 = 1.0;
/// How long the ship flies before the movie.
const TRAVEL: f32 = 1.0;
/// How long `No memory card` shows, in seconds.
const NO_CARD: f32 = 3.0;

impl StandIn {
    pub(super) fn press(&mut self, press: Press) {
        match press {
            Press::Moved => self.sound(Sound::Move),
            Press::Toggled => self.sound(Sound::Choose),
            Press::Chosen(choice) => self.choose(choice),
            Press::Back => self.back(),
            Press::ModChosen(page, row) => self.calls.push_back(ModCall::Choose(page, row)),
            Press::ModStepped(page, row, direction, held) => {
                self.calls.push_back(ModCall::Step(page, row, direction, held));
            }
            Press::ModBack(page) => self.calls.push_back(ModCall::Back(page)),
            Press::Slot(page, slot) => self.choose_slot(page, slot),
            Press::Answered(Asker::Overwrite(slot), yes) => {
                self.sound(if yes { Sound::Choose } else { Sound::Back });
                if yes {
                    self.save_to(slot);
                }
            }
            Press::Answered(Asker::Mod, yes) => self.calls.push_back(ModCall::PromptDone(yes)),
            Press::Answered(Asker::Quit, yes) => {
                self.sound(if yes { Sound::Choose } else { Sound::Back });
                if yes {
                    self.leaving = Some(Leaving::Title(None));
                }
            }
        }
    }

    fn choose(&mut self, choice: Choice) {
        if let (Choice::Own(OwnPage::Load | OwnPage::Save), None) = (choice, &self.card) {
            self.sound(Sound::Refused);
            return self.say("No memory card", NO_CARD);
        }
        self.sound(Sound::Choose);
        match choice {
            Choice::NewGame => {
                self.leaving = Some(Leaving::Begin(Box::new(Arrival::new_game())));
            }
            Choice::Resume => self.resume(),
            Choice::Quit => {
                self.menus.ask(Asker::Quit, "Quit to the title?", "Yes", "No");
            }
            Choice::Own(page) => self.menus.open_own(page),
            Choice::Mod(page) => self.open(page),
        }
    }

    fn back(&mut self) {
        if self.menus.page_is_open() {
            self.menus.close_page();
        } else if self.menus.menu() == Some(Menu::Pause) {
            self.resume();
        } else {
            return;
        }
        self.sound(Sound::Back);
    }

    fn resume(&mut self) {
        self.close_menus();
        self.set_phase(Phase::Playing);
    }

    pub(super) fn open(&mut self, page: PageId) {
        self.end_page();
        self.menus.open_mod(page);
        if self.phase == Phase::Title {
            self.set_phase(Phase::TitlePage);
        }
        self.calls.push_back(ModCall::Shown(page));
    }

    /// Takes away the page over the menu, with the question over it.
    pub(super) fn end_page(&mut self) {
        if self.menus.drop_prompt() == Some(Asker::Mod) {
            self.calls.push_back(ModCall::PromptDone(false));
        }
        if let Some(page) = self.page_shown() {
            self.calls.push_back(ModCall::Hidden(page));
        }
        self.menus.close_page();
        if self.phase == Phase::TitlePage {
            self.set_phase(Phase::Title);
        }
    }

    pub(super) fn close_menus(&mut self) {
        self.end_page();
        self.menus.hide();
        self.spent = self.pad;
    }

    /// Leaves the level or the title: nothing of it stays.
    pub(super) fn leave(&mut self) {
        self.close_menus();
        self.figures.leave_level();
        self.tally.leave(self.world.take().as_ref());
        self.show = None;
        self.service = None;
        self.asked = None;
    }

    pub(super) fn enter_title(&mut self) {
        self.set_phase(Phase::Title);
        self.menus.show(Menu::Main);
    }

    /// Leaves for another planet, to arrive there whole. A game that begins where it would have arrived
    /// begins there instead.
    pub(super) fn fly(&mut self, level: i32) {
        self.leave();
        let (game, slot) = self.arriving.take().map_or((None, None), |a| (a.game, a.slot));
        self.arriving =
            Some(Box::new(Arrival { level, game, slot, health: FULL_HEALTH, by_ship: true }));
        self.set_phase(Phase::Travel);
    }

    pub(super) fn go_on(&mut self) {
        match self.asked.take() {
            Some(Asked::Skip) => self.skip(),
            Some(Asked::Travel(level)) => return self.take_off(level, true),
            Some(Asked::NoTravel(level)) => return self.take_off(level, false),
            None => {}
        }
        match self.phase {
            Phase::Boot if self.was_so_for(BOOT) => self.enter_title(),
            Phase::Loading if self.was_so_for(LOADING) => {
                if let Some(arrival) = self.arriving.take() {
                    self.arrive(*arrival);
                }
            }
            Phase::Travel if self.was_so_for(TRAVEL) => {
                self.begin(Show::own(Own::Movie, Vec3::ZERO, Then::Load));
            }
            Phase::Scene | Phase::Movie => self.step_show(),
            Phase::Playing | Phase::Dying => self.step_world(),
            Phase::Paused | Phase::Dialog | Phase::Vendor if !self.menus_pause => {
                self.step_world();
            }
            _ => {}
        }
    }

    /// Whether the phase has lasted for so many seconds.
    fn was_so_for(&self, seconds: f32) -> bool {
        self.phase_ticks >= u32::from(self.rate.ticks(seconds))
    }

    fn arrive(&mut self, arrival: Arrival) {
        if let Some(game) = arrival.game {
            self.campaign = *game;
            self.slot = arrival.slot;
        }
        let level = Level::find(arrival.level).expect("only levels there are get loaded");
        let memory = usize::try_from(level.number).ok().and_then(|at| self.campaign.levels.get(at));
        let none = BTreeSet::new();
        let start = Start {
            seed: self.seed,
            rate: self.rate,
            progress: &self.campaign.progress,
            health: arrival.health,
            gone: memory.map_or(&none, |memory| &memory.gone),
        };
        self.world = Some(World::new(level, start));
        if arrival.by_ship {
            self.begin(Show::own(Own::Landing, self.ship(), Then::Play));
        } else {
            self.enter_level();
        }
    }

    pub(super) fn step_world(&mut self) {
        let pad =
            if self.in_control() { self.pad.without_buttons_of(self.spent) } else { Pad::NEUTRAL };
        if let Some(world) = &mut self.world {
            world.begin(pad);
        }
        self.figures.step(self.rate);
    }

    pub(super) fn set_phase(&mut self, phase: Phase) {
        self.phase = phase;
        self.phase_ticks = 0;
    }

    pub(super) fn sound(&mut self, which: Sound) {
        *match which {
            Sound::Move => &mut self.sounds.moved,
            Sound::Choose => &mut self.sounds.chosen,
            Sound::Back => &mut self.sounds.back,
            Sound::Refused => &mut self.sounds.refused,
        } += 1;
    }
}
