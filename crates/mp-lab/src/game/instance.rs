//! A game with the mod in it, and the order of a tick.

use mp_netcode::LocalTime;
use mp_playground::card::Card;
use mp_playground::game::StandIn;
use mp_playground::sim::Pad;
use mp_sockets::{FarEnd, Handle};
use openrac_multiplayer::front::Core;
use openrac_multiplayer::multiplayer::Multiplayer;

use super::{LabGame, Settings, convert, page_of};

/// See the module.
pub struct Instance {
    game: LabGame,
}

impl Instance {
    /// Starts a game with the mod in it. The far end of the mod's handle is for the network.
    #[must_use]
    pub fn start(settings: Settings, seed: u64, card: Card) -> (Self, FarEnd) {
        Self::start_as(settings, seed, card, |multiplayer| Box::new(multiplayer))
    }

    /// The same, with the mod inside something that looks on.
    #[must_use]
    pub fn start_as(
        settings: Settings,
        seed: u64,
        card: Card,
        core: impl FnOnce(Multiplayer) -> Box<dyn Core>,
    ) -> (Self, FarEnd) {
        let (handle, far) = Handle::detached();
        let game = LabGame::new(settings, seed, card);
        let multiplayer = Multiplayer::new(&game, handle, seed);
        game.load(core(multiplayer));
        (Self { game }, far)
    }

    /// One tick with this pad, at this time on the machine's clock: the pads are read, the mod ticks, the
    /// world steps, what shows is drawn.
    pub fn tick(&mut self, pad: Pad, now: LocalTime) {
        let game = &self.game;
        game.set_time(now);
        game.stand_in().read_pad(pad);
        game.make_calls();
        game.front().tick(game, now);
        game.make_calls();
        game.stand_in().begin_step();
        game.settle();
        self.write_saves();
        game.make_calls();
        self.draw();
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

    fn draw(&self) {
        let shown = self.game.stand_in().page_shown();
        let Some(shown) = shown else { return };
        let page = page_of(shown).expect("the mod added it");
        let view = self.game.front().view(page, Clone::clone);
        self.game.stand_in().page_seen(shown, convert::page(view));
    }

    /// The card takes whatever the game saves.
    fn write_saves(&self) {
        let mut game = self.game.stand_in();
        while let Some(write) = game.poll_write() {
            game.written(&write, true);
        }
    }
}
