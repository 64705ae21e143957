//! Whether the player has control of its hero: why not, told to the game once at each change, and what
//! follows from it for what the host's world may do to it (B5.5, B5.8).

use super::here::Here;
use crate::game::Game;

/// Why nobody moves, in the words that show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hold {
    /// Not everyone has arrived (B5.5).
    Arrivals,
    /// Not everyone is out of a scene (B5.8).
    Scenes,
}

impl Hold {
    fn words(self) -> &'static str {
        match self {
            Self::Arrivals => "Waiting for the other players to arrive",
            Self::Scenes => "Waiting for the other players",
        }
    }
}

/// The control of this game's hero.
#[derive(Debug, Default)]
pub(super) struct Control {
    held: Option<Hold>,
    /// The player had control since it came to this level, and no scene took it since.
    had: bool,
}

impl Control {
    /// One tick: takes control from the player, or gives it back.
    pub(super) fn tick(&mut self, here: &Here, hold: Option<Hold>, game: &dyn Game) {
        if self.held != hold {
            self.held = hold;
            game.control_hold(hold.map(Hold::words));
        }
        let taken = here.level.is_none() || here.scene.is_some() || hold.is_some();
        self.had = !taken && (self.had || here.in_control);
    }

    /// The party is over: what was held is let go.
    pub(super) fn release(&mut self, game: &dyn Game) {
        if self.held.take().is_some() {
            game.control_hold(None);
        }
        self.had = false;
    }

    /// Whether it is us who keep control from the player.
    pub(super) fn is_held(&self) -> bool {
        self.held.is_some()
    }

    /// Whether the host's world may hurt the hero: only once its player had control of it here. Under a
    /// menu, where the world goes on, it still may.
    pub(super) fn can_be_hurt(&self) -> bool {
        self.had
    }
}
