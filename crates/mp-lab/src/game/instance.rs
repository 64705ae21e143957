//! A game with the mod in it: the order of a tick, and every call that the game wants made of the mod.

use mp_netcode::LocalTime;
use mp_playground::card::Card;
use mp_playground::game::{ModCall, StandIn};
use mp_playground::sim::Pad;
use mp_sockets::{FarEnd, Handle};
use openrac_multiplayer::game::PageEvent;
use openrac_multiplayer::multiplayer::Multiplayer;

use super::{LabGame, Settings, convert, page_of};

/// See the module.
pub struct Instance {
    game: LabGame,
    mp: Multiplayer,
}

impl Instance {
    /// Starts a game with the mod in it. The far end of the mod's handle is for the network.
    #[must_use]
    pub fn start(settings: Settings, seed: u64, card: Option<Card>) -> (Self, FarEnd) {
        let (handle, far) = Handle::detached();
        let game = LabGame::new(settings, seed, card);
        let mp = Multiplayer::new(&game, handle, seed);
        (Self { game, mp }, far)
    }

    /// One tick with this pad, at this time on the machine's clock.
    pub fn tick(&mut self, pad: Pad, now: LocalTime) {
        self.game.stand_in().read_pad(pad);
        self.make_calls(now);
        self.mp.tick(&self.game, now);
        self.make_calls(now);
        self.game.stand_in().begin_step();
        self.game.settle();
        self.write_saves();
        self.make_calls(now);
        self.draw(now);
    }

    /// The game between two ticks.
    pub fn look<T>(&self, look: impl FnOnce(&StandIn) -> T) -> T {
        look(&self.game.stand_in())
    }

    /// Changes the game between two ticks: for deliberate faults.
    pub fn change<T>(&self, change: impl FnOnce(&mut StandIn) -> T) -> T {
        change(&mut self.game.stand_in())
    }

    /// The game as the mod sees it.
    #[must_use]
    pub const fn game(&self) -> &LabGame {
        &self.game
    }

    fn make_calls(&mut self, now: LocalTime) {
        loop {
            let call = self.game.stand_in().poll_call();
            let Some(call) = call else { return };
            self.make(call, now);
        }
    }

    fn make(&mut self, call: ModCall, now: LocalTime) {
        let (page, event) = match call {
            ModCall::Shown(page) => (page, PageEvent::Shown),
            ModCall::Hidden(page) => (page, PageEvent::Hidden),
            ModCall::Back(page) => (page, PageEvent::Back),
            ModCall::Choose(page, row) => (page, PageEvent::Choose { row: index(row) }),
            ModCall::Step(page, row, direction, held_ticks) => {
                (page, PageEvent::Step { row: index(row), right: direction > 0, held_ticks })
            }
            ModCall::PromptDone(yes) => {
                if let Some(prompt) = self.game.take_asked() {
                    self.mp.answered(prompt, yes, &self.game);
                }
                return;
            }
            ModCall::OnTravel { .. } | ModCall::OnSkip { .. } => return,
        };
        let page = page_of(page).expect("the mod added it");
        self.mp.page_event(page, event, &self.game, now);
    }

    fn draw(&mut self, now: LocalTime) {
        let shown = self.game.stand_in().page_shown();
        let Some(shown) = shown else { return };
        let page = page_of(shown).expect("the mod added it");
        let view = self.mp.page(page, &self.game, now);
        self.game.stand_in().page_seen(shown, convert::page(view));
    }

    /// The card takes whatever the game saves.
    fn write_saves(&mut self) {
        let mut game = self.game.stand_in();
        while let Some(write) = game.poll_write() {
            game.written(&write, true);
        }
    }
}

fn index(row: u32) -> usize {
    usize::try_from(row).expect("a 32-bit number fits")
}
