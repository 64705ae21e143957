//! What the game's thread and the socket thread hand over by, besides a channel: no type of ours is known
//! here, so that `tests/loom.rs` can play it through in every order two threads can run in. Nothing here
//! waits but what says so.

use std::time::Instant;

use crate::sync::{AtomicBool, Condvar, Mutex, Ordering, wait_until};

/// What one thread adds to and another takes from.
#[derive(Debug, Default)]
pub(crate) struct Handoff<T> {
    held: Mutex<T>,
    came: Condvar,
    ended: AtomicBool,
}

impl<T> Handoff<T> {
    /// Adds to what is held, and says that something came.
    pub(crate) fn put<R>(&self, put: impl FnOnce(&mut T) -> R) -> R {
        let answer = put(&mut self.held.lock());
        self.came.notify_one();
        answer
    }

    /// Looks at what is held, and changes it.
    pub(crate) fn with<R>(&self, work: impl FnOnce(&mut T) -> R) -> R {
        work(&mut self.held.lock())
    }

    /// Takes, unless the other thread is at it in this very moment.
    pub(crate) fn try_take(&self, take: impl FnOnce(&mut T)) {
        if let Some(mut held) = self.held.try_lock() {
            take(&mut held);
        }
    }

    /// Takes, after waiting until `deadline` for something that is `there`. Only for threads that may
    /// wait.
    pub(crate) fn take_until(
        &self,
        deadline: Instant,
        there: impl Fn(&T) -> bool,
        take: impl FnOnce(&mut T),
    ) {
        let mut held = self.held.lock();
        while !there(&held) && !self.ended.load(Ordering::Acquire) {
            let timed_out;
            (held, timed_out) = wait_until(&self.came, held, deadline);
            if timed_out {
                break;
            }
        }
        take(&mut held);
    }

    /// No more will come: waiting has no use.
    pub(crate) fn end(&self) {
        let held = self.held.lock();
        self.ended.store(true, Ordering::Release);
        drop(held);
        self.came.notify_all();
    }
}

/// Wakes a thread that may be asleep, once for all that came since it looked last.
#[derive(Debug, Default)]
pub(crate) struct Bell {
    /// It has been rung, and the thread has not looked yet: ringing again has no use.
    rung: AtomicBool,
}

impl Bell {
    /// Rings, after something was put where the thread looks. `wake` wakes it, and says if it could.
    pub(crate) fn ring(&self, wake: impl FnOnce() -> bool) {
        if !self.rung.swap(true, Ordering::AcqRel) && !wake() {
            // What was put is there; the next ring tries again.
            self.rung.store(false, Ordering::Release);
        }
    }

    /// The thread is awake. Called before it looks for what was put: what comes from now on rings again.
    pub(crate) fn hear(&self) {
        self.rung.swap(false, Ordering::AcqRel);
    }
}
