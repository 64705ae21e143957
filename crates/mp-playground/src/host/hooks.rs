//! The mod's hooks: set, and asked when the game asks something. A hook the mod left out is the game's
//! own way, and so is everything before the mod set any.

use std::ffi::c_void;

use sdk_bindings::OpenracHooks;

use super::args::Arg;
use super::door::{Door, enter};
use super::table::calls;

calls! {
    fn hooks_set(door, hooks: *const OpenracHooks) {
        let hooks = if hooks.is_null() { OpenracHooks::ZERO } else { hooks.sized()? };
        door.hooks.set(hooks);
        Ok(())
    }
}
