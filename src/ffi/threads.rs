//! Where an instance's socket thread is started, and how long it and the trace's may take to end.

use std::time::Duration;

use mp_sockets::{Clock, Handle};

/// What `unload` may take in all (interface.md, "Rules of the ABI").
pub(super) const UNLOAD: Duration = Duration::from_millis(500);

/// Starts the socket thread. It ends when it is joined, or when the handle is dropped.
pub(super) fn start(clock: Clock) -> std::io::Result<Handle> {
    mp_sockets::start(clock)
}
