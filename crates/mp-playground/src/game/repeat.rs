//! How a held direction repeats in the menus.

use crate::sim::{Button, Pad};

/// Held this long, a direction begins to repeat, in ticks (0.4 s).
const FIRST: u32 = 24;
/// And then once in so many ticks (about 8 a second).
const EVERY: u32 = 8;

/// The direction held now, and for how long.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Repeat {
    held: Option<(Button, u32)>,
}

impl Repeat {
    /// Reads the pad of the next tick: the direction to act on in it, with the ticks it was held (0 at
    /// its press), or `None` when nothing is due. The newest direction pressed counts.
    pub fn step(&mut self, pad: Pad, before: Pad) -> Option<(Button, u32)> {
        let directions = [Button::Up, Button::Down, Button::Left, Button::Right];
        if let Some(pressed) = directions.into_iter().find(|&button| pad.presses(button, before)) {
            self.held = Some((pressed, 0));
            return self.held;
        }
        self.held = match self.held {
            Some((button, ticks)) if pad.holds(button) => Some((button, ticks.saturating_add(1))),
            _ => None,
        };
        self.held.filter(|&(_, ticks)| ticks >= FIRST && (ticks - FIRST).is_multiple_of(EVERY))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_held_direction_acts_at_once_then_after_a_while_then_steadily() {
        let (mut repeat, mut before) = (Repeat::default(), Pad::NEUTRAL);
        let pad = Pad::NEUTRAL.with(Button::Right);
        let mut acts = Vec::new();
        for tick in 0..60 {
            if let Some((button, held)) = repeat.step(pad, before) {
                assert_eq!((button, held), (Button::Right, tick));
                acts.push(tick);
            }
            before = pad;
        }
        assert_eq!(acts, [0, 24, 32, 40, 48, 56]);
        assert_eq!(repeat.step(Pad::NEUTRAL, pad), None);
        assert_eq!(repeat.step(pad, Pad::NEUTRAL), Some((Button::Right, 0)), "pressed anew");
    }

    #[test]
    fn the_newest_direction_counts() {
        let mut repeat = Repeat::default();
        let left = Pad::NEUTRAL.with(Button::Left);
        let both = left.with(Button::Up);
        assert_eq!(repeat.step(left, Pad::NEUTRAL), Some((Button::Left, 0)));
        assert_eq!(repeat.step(both, left), Some((Button::Up, 0)));
        assert_eq!(repeat.step(left, both), None, "the one let go of does not act again");
    }
}
