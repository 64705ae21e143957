//! The one clock: monotonic, its origin shared by the game's thread and the socket thread, so that a
//! [`LocalTime`] means the same to both. Nothing outside this module asks the system for the time.

use std::time::{Instant, SystemTime, UNIX_EPOCH};

use mp_netcode::LocalTime;

/// A monotonic clock. Copies share its origin.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    origin: Instant,
}

impl Clock {
    /// A clock whose origin is now.
    #[must_use]
    #[expect(clippy::new_without_default, reason = "two defaults would not be the same clock")]
    pub fn new() -> Self {
        Self { origin: Instant::now() }
    }

    /// The time since the origin.
    #[must_use]
    pub fn now(&self) -> LocalTime {
        LocalTime::ZERO + self.origin.elapsed()
    }
}

/// The wall clock in milliseconds since 1970, where a direct host's server clock starts
/// (protocol.md 1, TIME). A system clock set before 1970 reads 0.
#[must_use]
pub fn wall_ms() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}
