//! Shots that are shown only (B5.1): the hero's told to the others, and a member's passed on by the host,
//! bytes unchanged, at most 20 a second of each (B5.2).

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use mp_netcode::LocalTime;
use mp_protocol::SessionId;
use mp_protocol::game as messages;
use mp_protocol::game::Level;

use crate::game::Shot;

/// SHOT a second of one player (B5.2).
const PER_SECOND: usize = 20;

/// At most so many in any second.
#[derive(Debug, Default)]
struct Pace {
    sent: VecDeque<LocalTime>,
}

impl Pace {
    /// Whether one more may go now; if so, it did.
    fn may(&mut self, now: LocalTime) -> bool {
        self.sent.pop_front_if(|first| now.since(*first) >= Duration::from_secs(1));
        let may = self.sent.len() < PER_SECOND;
        if may {
            self.sent.push_back(now);
        }
        may
    }
}

/// Who fired how much lately.
#[derive(Debug, Default)]
pub(super) struct ShotRelay {
    own: Pace,
    members: BTreeMap<SessionId, Pace>,
}

impl ShotRelay {
    /// Whether a shot of this player's own may be told now.
    pub(super) fn may_send(&mut self, now: LocalTime) -> bool {
        self.own.may(now)
    }

    /// Whether one of a member's may be passed on now, and shown here.
    pub(super) fn may_pass_on(&mut self, sender: SessionId, now: LocalTime) -> bool {
        self.members.entry(sender).or_default().may(now)
    }

    /// Forgets one who left.
    pub(super) fn forget(&mut self, id: SessionId) {
        self.members.remove(&id);
    }
}

/// A shot as the wire carries it.
pub(super) fn to_wire(owner: SessionId, level: Level, shot: &Shot) -> messages::Shot {
    let Shot { item, position, velocity, aim } = *shot;
    messages::Shot { owner, level, item, position, velocity, aim }
}

/// The shot that a figure fires.
pub(super) fn from_wire(shot: &messages::Shot) -> Shot {
    let messages::Shot { item, position, velocity, aim, .. } = *shot;
    Shot { item, position, velocity, aim }
}
