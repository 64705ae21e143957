//! No gamepad: this system's are not read.

use crate::sim::Pad;

/// The twin of the one that is read.
#[derive(Debug, Default)]
pub(in crate::window) struct Gamepad;

impl Gamepad {
    /// What is to be said of it before the first frame.
    pub(in crate::window) const NOTE: Option<&'static str> =
        Some("gamepads are not read on this system: play by the keyboard");

    /// Nothing, always.
    pub(in crate::window) const fn read(&mut self) -> Pad {
        Pad::NEUTRAL
    }
}
