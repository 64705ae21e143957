//! How a bot presses: a button at a time, long enough to be read and let go long enough to be pressed
//! again, as a person would.

use crate::sim::{Button, Pad};

/// How long a tap lasts, and how long nothing is pressed after it, in ticks: as quick as a nimble
/// player's. Meanwhile the page is drawn anew, so that the bot sees what the tap did.
const DOWN: u32 = 2;
const UP: u32 = 3;

/// What the bot's fingers are doing.
#[derive(Clone, Debug, Default)]
pub(super) struct Fingers {
    tap: Option<(Button, u32)>,
}

impl Fingers {
    /// Whether the last tap is over.
    pub(super) const fn are_free(&self) -> bool {
        self.tap.is_none()
    }

    /// Begins a tap.
    pub(super) fn tap(&mut self, button: Button) {
        self.tap = Some((button, 0));
    }

    /// The pad of the next tick.
    pub(super) fn pad(&mut self) -> Pad {
        let Some((button, ticks)) = &mut self.tap else { return Pad::NEUTRAL };
        *ticks += 1;
        let pad = if *ticks <= DOWN { Pad::NEUTRAL.with(*button) } else { Pad::NEUTRAL };
        self.tap.take_if(|(_, ticks)| *ticks >= DOWN + UP);
        pad
    }
}
