//! Where the others are, as their poses say: to whom the host's world goes, and who has to be told all of
//! it anew.

use std::collections::BTreeMap;
use std::time::Duration;

use mp_netcode::{LocalTime, Sequence};
use mp_protocol::SessionId;
use mp_protocol::game::{Level, Pose};

/// How many others there can be.
pub(super) const OTHERS: usize = mp_protocol::limits::PARTY_SIZE - 1;

/// One of whom nothing is heard for so long, of 20 poses a second, may have died meanwhile or been at the title
/// and come back: what it missed is told again. No death and no load is as short.
const UNHEARD: Duration = Duration::from_millis(500);

/// One of the others.
#[derive(Clone, Copy, Debug)]
pub(super) struct Member {
    sequence: Sequence,
    /// When its newest pose came.
    heard: LocalTime,
    /// Where its newest pose was.
    pub(super) level: Level,
    /// In the game's units.
    pub(super) position: [f32; 3],
    dead: bool,
    /// It came into its level, or back to life there, and was not told of the world since.
    pub(super) is_new: bool,
    /// When its next snapshot is due.
    pub(super) next: LocalTime,
    /// Its place among the others' marks in what is sent (`snapshots`).
    pub(super) slot: usize,
}

/// The others, by id. See the module.
#[derive(Debug, Default)]
pub(super) struct Members(BTreeMap<SessionId, Member>);

impl Members {
    /// A pose came. More members than a party has do not, but one may come before the last has left.
    pub(super) fn came(&mut self, pose: &Pose, at: LocalTime) {
        let sequence = Sequence(pose.sequence);
        let level = pose.level;
        let dead = level.number().is_some() && pose.health <= 0;
        let slot = (0..OTHERS).find(|slot| self.0.values().all(|member| member.slot != *slot));
        let member = self.0.entry(pose.owner).or_insert_with(|| Member {
            sequence: Sequence(pose.sequence.wrapping_sub(1)),
            heard: at,
            level: Level::NONE,
            position: pose.position,
            dead: false,
            is_new: false,
            next: LocalTime::ZERO,
            slot: slot.unwrap_or_default(),
        });
        if !sequence.newer_than(member.sequence) {
            return;
        }
        let unheard = at.since(member.heard) >= UNHEARD;
        member.is_new |= level != member.level || (member.dead && !dead) || unheard;
        (member.sequence, member.level, member.dead) = (sequence, level, dead);
        member.heard = at;
        member.position = pose.position;
    }

    /// One asks for the host's game: it is at the title, whether or not a pose that said so got here, and
    /// is told of the world once it is in a level.
    pub(super) fn is_at_the_title(&mut self, id: SessionId) {
        if let Some(member) = self.0.get_mut(&id) {
            member.level = Level::NONE;
        }
    }

    /// In which level one is, if it said so.
    pub(super) fn level(&self, id: SessionId) -> Option<Level> {
        self.0.get(&id).map(|member| member.level)
    }

    /// Those in a level.
    pub(super) fn within(
        &mut self,
        level: Level,
    ) -> impl Iterator<Item = (SessionId, &mut Member)> + '_ {
        let members = self.0.iter_mut().filter(move |(_, member)| member.level == level);
        members.map(|(id, member)| (*id, member))
    }

    /// Everyone is to be told of the world anew: this game is in another level.
    pub(super) fn all_new(&mut self) {
        for member in self.0.values_mut() {
            member.is_new = true;
        }
    }

    /// Somebody left.
    pub(super) fn forget(&mut self, id: SessionId) {
        self.0.remove(&id);
    }
}
