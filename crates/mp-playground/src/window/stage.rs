//! What passes between the games' thread and the window's: what shows, and what the person does.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::picture::Shown;
use crate::sim::Pad;

/// The games' side and the window's side of it are the same; a copy is the same stage.
#[derive(Clone, Debug)]
pub struct Stage(Arc<Mutex<Inner>>);

#[derive(Debug)]
struct Inner {
    /// What the window has not taken yet.
    shown: Option<Vec<Shown>>,
    games: usize,
    /// The game that the person plays, now and at first.
    played: Option<usize>,
    first: Option<usize>,
    pad: Pad,
    /// Buttons that were pressed since a game read the pad.
    pressed: Pad,
    closed: bool,
}

impl Stage {
    /// A stage for so many games, of which a person plays that one at first.
    pub(crate) fn new(games: usize, first: Option<usize>) -> Self {
        let (shown, played, pad, pressed) = (None, first, Pad::NEUTRAL, Pad::NEUTRAL);
        let inner = Inner { shown, games, played, first, pad, pressed, closed: false };
        Self(Arc::new(Mutex::new(inner)))
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        // Nothing that panics is done while it is locked, so what it holds is whole.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Shows the games, if the window took what was shown before.
    pub fn show(&self, games: impl FnOnce() -> Vec<Shown>) {
        if self.inner().shown.is_none() {
            let games = games();
            self.inner().shown = Some(games);
        }
    }

    /// Reads the person's pad, if it is this game that he plays: once a tick.
    #[must_use]
    pub fn read_pad(&self, game: usize) -> Option<Pad> {
        let mut inner = self.inner();
        if inner.played != Some(game) {
            return None;
        }
        let pressed = std::mem::replace(&mut inner.pressed, Pad::NEUTRAL);
        Some(inner.pad.and(pressed))
    }

    /// Whether the person plays that game.
    #[must_use]
    pub fn is_played(&self, game: usize) -> bool {
        self.inner().played == Some(game)
    }

    /// Whether the person closed the window: whatever runs is to end.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.inner().closed
    }

    pub(crate) fn take(&self) -> Option<Vec<Shown>> {
        self.inner().shown.take()
    }

    pub(crate) fn set_pad(&self, pad: Pad) {
        let mut inner = self.inner();
        inner.pressed = inner.pressed.and(pad.common_buttons(pad));
        inner.pad = pad;
    }

    /// The person plays that game.
    pub(super) fn pick(&self, game: usize) {
        let mut inner = self.inner();
        if game < inner.games {
            inner.played = Some(game);
        }
    }

    /// The person plays the next game; after the last, as at first.
    pub(super) fn pick_next(&self) {
        let mut inner = self.inner();
        inner.played = match inner.played {
            None => Some(0),
            Some(game) if game + 1 < inner.games => Some(game + 1),
            Some(_) => inner.first,
        };
    }

    pub(crate) fn close(&self) {
        self.inner().closed = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::StandIn;
    use crate::picture::Plots;
    use crate::sim::Button;

    #[test]
    fn tab_goes_from_game_to_game_and_then_to_the_bots() {
        let stage = Stage::new(2, None);
        let cross = Pad::NEUTRAL.with(Button::Cross);
        let pads = || {
            stage.set_pad(cross);
            [stage.read_pad(0), stage.read_pad(1)]
        };
        assert_eq!(pads(), [None, None]);
        stage.pick_next();
        assert_eq!(pads(), [Some(cross), None]);
        stage.pick_next();
        assert_eq!(pads(), [None, Some(cross)]);
        stage.pick_next();
        assert_eq!(pads(), [None, None]);
        stage.pick(1);
        stage.pick(2);
        assert_eq!(pads(), [None, Some(cross)], "there is no third");
    }

    #[test]
    fn the_only_game_of_a_person_stays_his() {
        let stage = Stage::new(1, Some(0));
        assert!(stage.is_played(0));
        stage.pick_next();
        assert!(stage.is_played(0));
    }

    #[test]
    fn a_press_that_no_tick_saw_is_read_by_the_next_and_by_no_other() {
        let stage = Stage::new(1, Some(0));
        let cross = Pad::NEUTRAL.with(Button::Cross);
        stage.set_pad(cross.with_stick(1.0, 0.0));
        stage.set_pad(Pad::NEUTRAL);
        assert_eq!(stage.read_pad(0), Some(cross), "but not the stick, which is back");
        assert_eq!(stage.read_pad(0), Some(Pad::NEUTRAL));
    }

    #[test]
    fn what_nobody_takes_is_not_copied_again() {
        let stage = Stage::new(1, None);
        let mut copies = 0;
        let mut show = || {
            stage.show(|| {
                copies += 1;
                let (game, plots) = (StandIn::new(copies), Plots::default());
                vec![Shown { name: "Ann".to_owned(), game, plots, played: false }]
            });
        };
        show();
        show();
        assert_eq!(stage.take().map(|shown| shown.len()), Some(1));
        assert!(stage.take().is_none());
        show();
        assert!(stage.take().is_some());
        assert_eq!(copies, 2);
    }
}
