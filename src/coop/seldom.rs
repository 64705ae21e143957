//! Something that a player may bring about only so often. Whether what comes in between waits, or is passed
//! over, is the caller's.

use std::collections::BTreeMap;
use std::time::Duration;

use mp_netcode::LocalTime;
use mp_protocol::SessionId;

/// Who brought it about, and when last.
#[derive(Debug)]
pub(super) struct Seldom {
    every: Duration,
    last: BTreeMap<SessionId, LocalTime>,
}

impl Seldom {
    /// Once in so long for each player.
    pub(super) fn new(every: Duration) -> Self {
        Self { every, last: BTreeMap::new() }
    }

    /// Whether it may be now; if so, this was it.
    pub(super) fn may(&mut self, who: SessionId, now: LocalTime) -> bool {
        let due = self.is_due(who, now);
        if due {
            self.last.insert(who, now);
        }
        due
    }

    /// Whether it may be now.
    pub(super) fn is_due(&self, who: SessionId, now: LocalTime) -> bool {
        self.last.get(&who).is_none_or(|&last| now.since(last) >= self.every)
    }

    /// Forgets one who left.
    pub(super) fn forget(&mut self, who: SessionId) {
        self.last.remove(&who);
    }
}
