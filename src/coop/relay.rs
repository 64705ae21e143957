//! The host passes a member's poses on to all, bytes unchanged, at most 30 a second a member: of more,
//! the newest (B5.2).

use std::collections::BTreeMap;
use std::time::Duration;

use mp_netcode::LocalTime;
use mp_protocol::SessionId;

use crate::session::Session;

/// POSE a second that are passed on of one member (B5.2).
const PASSED_ON_PER_SECOND: u32 = 30;

#[derive(Debug, Default)]
struct Lane {
    pending: Option<Vec<u8>>,
    next: LocalTime,
}

/// What is still to be passed on, by member.
#[derive(Debug, Default)]
pub(super) struct PoseRelay {
    lanes: BTreeMap<SessionId, Lane>,
}

impl PoseRelay {
    /// A member's pose came.
    pub(super) fn came(&mut self, sender: SessionId, bytes: &[u8]) {
        self.lanes.entry(sender).or_default().pending = Some(bytes.to_vec());
    }

    /// Passes on what may go now.
    pub(super) fn tick(&mut self, session: &mut Session, now: LocalTime) {
        for (&sender, lane) in &mut self.lanes {
            if now < lane.next {
                continue;
            }
            if let Some(bytes) = lane.pending.take() {
                // After a quiet time no burst is owed: the beat begins anew.
                let interval = Duration::from_secs(1) / PASSED_ON_PER_SECOND;
                lane.next = if now.since(lane.next) < interval {
                    lane.next + interval
                } else {
                    now + interval
                };
                session.pass_on_pose(sender, bytes);
            }
        }
    }

    /// Forgets one who left.
    pub(super) fn forget(&mut self, id: SessionId) {
        self.lanes.remove(&id);
    }
}
