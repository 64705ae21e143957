//! The mod's hooks: set, and asked when the game asks something. A hook the mod left out is the game's
//! own way, and so is everything before the mod set any.

use std::ffi::c_void;

use sdk_bindings::{OpenracHooks, REFUSE};

use super::args::Arg;
use super::door::{Door, enter};
use super::faults::FaultKind;
use super::scenes::NO_NUMBER;
use super::table::calls;
use crate::game::Skip;

calls! {
    fn hooks_set(door, hooks: *const OpenracHooks) {
        let hooks = if hooks.is_null() { OpenracHooks::ZERO } else { hooks.sized()? };
        door.hooks.set(hooks);
        Ok(())
    }
}

impl Door {
    /// Asks whether the hero may leave for that level.
    pub(super) fn ask_travel(&self, level: i32, by_ship: bool) -> Result<(), FaultKind> {
        let hooks = self.hooks.get();
        let Some(on_travel) = hooks.on_travel else { return Ok(()) };
        // SAFETY: the mod gave hook and user together, and is loaded.
        let answer = unsafe { on_travel(hooks.user, level, u8::from(by_ship)) };
        self.take_answer(answer)
    }

    /// Asks whether Start may skip what plays.
    pub(super) fn ask_skip(&self, what: Skip, scene: Option<i32>) -> Result<(), FaultKind> {
        let hooks = self.hooks.get();
        let Some(on_skip) = hooks.on_skip else { return Ok(()) };
        // SAFETY: as above.
        let answer = unsafe { on_skip(hooks.user, what as u8, scene.unwrap_or(NO_NUMBER)) };
        self.take_answer(answer)
    }

    fn take_answer(&self, answer: u8) -> Result<(), FaultKind> {
        if answer == REFUSE {
            self.game()?.refuse();
        }
        Ok(())
    }
}
