//! The thread that an instance was loaded on, which is the game's. A call from any other is refused and
//! noted here; this is all of an instance that such a thread may look at.

use std::sync::{Mutex, PoisonError};
use std::thread::{self, ThreadId};

/// See the module.
pub(super) struct Home {
    thread: ThreadId,
    /// The entries that were called from elsewhere, each once: there are no more than the interface has.
    strays: Mutex<Vec<Stray>>,
}

struct Stray {
    call: &'static str,
    told: bool,
}

impl Home {
    /// This thread.
    pub(super) fn here() -> Self {
        Self { thread: thread::current().id(), strays: Mutex::default() }
    }

    /// Whether this is that thread. If it is not, the call is noted.
    pub(super) fn admits(&self, call: &'static str) -> bool {
        if thread::current().id() == self.thread {
            return true;
        }
        let mut strays = self.strays.lock().unwrap_or_else(PoisonError::into_inner);
        if strays.iter().all(|stray| stray.call != call) {
            strays.push(Stray { call, told: false });
        }
        false
    }

    /// The entries that were called from elsewhere and have not been told of.
    pub(super) fn take_strays(&self) -> Vec<&'static str> {
        let mut strays = self.strays.lock().unwrap_or_else(PoisonError::into_inner);
        let untold = strays.iter_mut().filter(|stray| !stray.told);
        untold
            .map(|stray| {
                stray.told = true;
                stray.call
            })
            .collect()
    }
}
