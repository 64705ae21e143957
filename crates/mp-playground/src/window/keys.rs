//! The keyboard as a pad.
//!
//! | keys | pad |
//! |---|---|
//! | W A S D, arrows | the stick, as the picture shows the world, and the pad's own arrows, for menus |
//! | Space, Enter | Cross |
//! | J, left Ctrl | Square |
//! | K, left Alt | Circle |
//! | L, Backspace | Triangle |
//! | P, Escape | Start |
//! | Q E, Z C | L1 R1, L2 R2 |

use std::collections::BTreeSet;

use miniquad::KeyCode;

use crate::picture::drawing::LOOK;
use crate::sim::{Button, Pad};

/// The keys that are held, and those that were pressed since the pad was read: a tap between two reads
/// is a press too.
#[derive(Debug, Default)]
pub(super) struct Keys {
    held: BTreeSet<u16>,
    pressed: BTreeSet<u16>,
}

/// What a key of the keyboard holds of the pad.
const BUTTONS: [(KeyCode, Button); 24] = [
    (KeyCode::Up, Button::Up),
    (KeyCode::Down, Button::Down),
    (KeyCode::Left, Button::Left),
    (KeyCode::Right, Button::Right),
    (KeyCode::W, Button::Up),
    (KeyCode::S, Button::Down),
    (KeyCode::A, Button::Left),
    (KeyCode::D, Button::Right),
    (KeyCode::Space, Button::Cross),
    (KeyCode::Enter, Button::Cross),
    (KeyCode::KpEnter, Button::Cross),
    (KeyCode::J, Button::Square),
    (KeyCode::LeftControl, Button::Square),
    (KeyCode::K, Button::Circle),
    (KeyCode::LeftAlt, Button::Circle),
    (KeyCode::L, Button::Triangle),
    (KeyCode::Backspace, Button::Triangle),
    (KeyCode::P, Button::Start),
    (KeyCode::Escape, Button::Start),
    (KeyCode::Q, Button::L1),
    (KeyCode::E, Button::R1),
    (KeyCode::Z, Button::L2),
    (KeyCode::C, Button::R2),
    (KeyCode::Pause, Button::Start),
];

impl Keys {
    pub(super) fn press(&mut self, key: KeyCode) {
        self.held.insert(key as u16);
        self.pressed.insert(key as u16);
    }

    pub(super) fn release(&mut self, key: KeyCode) {
        self.held.remove(&(key as u16));
    }

    /// Lets go of all: the window lost the keyboard, and hears of no key any more.
    pub(super) fn release_all(&mut self) {
        *self = Self::default();
    }

    fn has(&self, key: KeyCode) -> bool {
        self.held.contains(&(key as u16)) || self.pressed.contains(&(key as u16))
    }

    /// Reads the pad.
    pub(super) fn pad(&mut self) -> Pad {
        let held = BUTTONS.iter().filter(|(key, _)| self.has(*key));
        let pad = held.fold(Pad::NEUTRAL, |pad, (_, button)| pad.with(*button));
        let push = |button| if pad.holds(button) { 1.0 } else { 0.0 };
        let right = push(Button::Right) - push(Button::Left);
        let up = push(Button::Up) - push(Button::Down);
        let (east, north) = over_ground(right, up);
        self.pressed.clear();
        pad.with_stick(east, north)
    }
}

/// A push in the picture, to the right and up, as the push over the ground that looks like it.
pub(super) fn over_ground(right: f32, up: f32) -> (f32, f32) {
    let length = LOOK.x.hypot(LOOK.y);
    let (ahead_east, ahead_north) = (LOOK.x / length, LOOK.y / length);
    (ahead_east * up + ahead_north * right, ahead_north * up - ahead_east * right)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Phase, StandIn};
    use crate::picture::camera::Camera;
    use crate::sim::Vec3;

    #[test]
    fn a_push_goes_where_the_picture_shows_it() {
        let camera = Camera::new(LOOK, Vec3::ZERO, (640, 540), 30.0);
        for (right, up) in [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)] {
            let (east, north) = over_ground(right, up);
            let at = camera.project(Vec3::new(east, north, 0.0));
            let (x, y) = (at.x - 320.0, 270.0 - at.y);
            assert!(x * right >= 0.0 && y * up >= 0.0);
            assert!((x * up).abs() < 0.01 && (y * right).abs() < 0.01, "{right} {up}: {x} {y}");
        }
    }

    #[test]
    fn a_held_key_is_a_held_button_until_it_is_let_go_or_the_keyboard_is_lost() {
        let mut keys = Keys::default();
        keys.press(KeyCode::Space);
        keys.press(KeyCode::W);
        assert!(keys.pad().holds(Button::Cross));
        assert!(keys.pad().stick() != (0.0, 0.0));
        keys.release(KeyCode::Space);
        assert!(!keys.pad().holds(Button::Cross));
        keys.release_all();
        assert_eq!(keys.pad(), Pad::NEUTRAL);
    }

    #[test]
    fn a_tap_between_two_reads_is_read_once() {
        let mut keys = Keys::default();
        keys.press(KeyCode::Space);
        keys.release(KeyCode::Space);
        assert!(keys.pad().holds(Button::Cross));
        assert_eq!(keys.pad(), Pad::NEUTRAL);
    }

    /// One tick of the menus of a game with that pad, after one in which nothing was held.
    #[test]
    fn letters_go_through_menus_a_row_a_press_as_arrows_do() {
        for [up, down, right] in
            [[KeyCode::W, KeyCode::S, KeyCode::D], [KeyCode::Up, KeyCode::Down, KeyCode::Right]]
        {
            let (mut keys, mut game) = (Keys::default(), StandIn::new(0));
            while game.phase() != Phase::Title {
                game.step();
            }
            let mut hold = |key, ticks| {
                keys.press(key);
                for _ in 0..ticks {
                    game.read_pad(keys.pad());
                    game.step();
                }
                keys.release(key);
                game.read_pad(keys.pad());
                game.step();
                game.screen()
            };
            let cursors = [down, down, up, down].map(|key| hold(key, 5).cursor);
            assert_eq!(cursors, [Some(1), Some(2), Some(1), Some(2)]);
            hold(KeyCode::Space, 1);
            assert_eq!(hold(right, 5).row("Names over heroes").expect("a row").1.value, "Off");
        }
    }

    #[test]
    fn opposite_keys_are_no_push() {
        let mut keys = Keys::default();
        [KeyCode::W, KeyCode::S].into_iter().for_each(|key| keys.press(key));
        assert_eq!(keys.pad().stick(), (0.0, 0.0));
    }
}
