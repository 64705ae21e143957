//! A call from a thread that is not the game's, made on purpose: it is how it is known that such a call
//! is noticed. It does what a mod with that mistake would do.

use std::ffi::c_void;
use std::thread;

use sdk_bindings::OpenracHost;

use super::Game;

/// The table's call and its `user`, taken to another thread.
struct Stray {
    frame: unsafe extern "C" fn(*mut c_void) -> u64,
    user: *mut c_void,
}

// SAFETY: what the call does on another thread is look at the door's gate, which is `Sync`, and be
// refused; `user` points to the door, which outlives the thread: it is joined before the game is used.
unsafe impl Send for Stray {}

impl Stray {
    fn call(&self) {
        // SAFETY: `user` is the door's, as the table has it, and the door is alive.
        unsafe { (self.frame)(self.user) };
    }
}

impl Game {
    /// Asks the game for its frame from another thread: the deliberate fault of a mod that does not keep
    /// to the game's thread.
    pub fn call_from_another_thread(&mut self) {
        let OpenracHost { frame, user, .. } = *self.table;
        let stray = Stray { frame: frame.expect("the table has every call"), user };
        thread::scope(|scope| {
            scope.spawn(move || stray.call());
        });
    }
}
