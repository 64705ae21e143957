//! Where an instance's threads are started and joined.

use std::time::Duration;

use mp_sockets::{Clock, Handle};

/// What `unload` may take (interface.md, "Rules of the ABI").
const UNLOAD: Duration = Duration::from_millis(500);

/// Starts the socket thread. It ends when it is joined, or when the handle is dropped.
pub(super) fn start(clock: Clock) -> std::io::Result<Handle> {
    mp_sockets::start(clock)
}

/// Ends the socket thread and waits for it; false if it takes longer than an unload may.
pub(super) fn join(net: Handle) -> bool {
    net.join_within(UNLOAD)
}
