//! The locks and flags of `handoff`. `tests/loom.rs` puts loom's in their place.

use std::time::Instant;

use parking_lot::MutexGuard;
pub(crate) use parking_lot::{Condvar, Mutex};
pub(crate) use std::sync::atomic::{AtomicBool, Ordering};

/// Lets the lock go and waits to be told, until `deadline`; true with the lock: it is past that.
pub(crate) fn wait_until<'a, T>(
    told: &Condvar,
    mut held: MutexGuard<'a, T>,
    deadline: Instant,
) -> (MutexGuard<'a, T>, bool) {
    let timed_out = told.wait_until(&mut held, deadline).timed_out();
    (held, timed_out)
}
