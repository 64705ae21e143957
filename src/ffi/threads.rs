//! Where an instance's socket thread is started, and how long it and the trace's may take to end.

use std::time::Duration;

use mp_sockets::{Clock, Handle};

/// How long `unload` waits for both. It may take 500 ms in all (interface.md, "Rules of the ABI"), the rest of
/// what it does included.
pub(super) const UNLOAD: Duration = Duration::from_millis(450);

/// Starts the socket thread. It ends when it is joined, or when the handle is dropped.
pub(super) fn start(clock: Clock) -> std::io::Result<Handle> {
    mp_sockets::start(clock)
}
