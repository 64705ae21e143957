//! What the host's world looks like, moby by moby, and which of them a member is told of 15 times a
//! second (B6.2): those nearest it that moved, and what it was not told of for long.

use std::time::Duration;

use mp_netcode::LocalTime;
use mp_protocol::game::{
    AnimTime, MobyAngle, MobyAnimSpeed, MobyFlags, MobyId, WorldMoby, position_fits,
};
use mp_protocol::limits::WORLD_MOBYS_MAX;

use super::members::OTHERS;
use crate::game::{Moby, MobyPose};

/// One that comes to rest is told of for so long more (B6.2).
const STILL_TOLD_FOR: Duration = Duration::from_secs(1);
/// A landed bolt is told of so often (B6.2).
const LOOSE_EVERY: Duration = Duration::from_secs(1);
/// What rests is told of again after this long, where there is room: within B6.2's 5 s though a snapshot
/// or two be lost.
const REST_EVERY: Duration = Duration::from_secs(2);
/// And after this long it goes before what is on its way farther off, but takes no more than so much of
/// the room: enough for 400 at rest.
const OVERDUE: Duration = Duration::from_millis(3_500);
const OVERDUE_MAX: usize = 8;

/// A moby of the host's that the members show.
#[derive(Clone, Copy, Debug)]
struct Seen {
    id: MobyId,
    pose: MobyPose,
    hidden: bool,
    /// A bolt that landed: each game runs it itself.
    loose: bool,
    changed: LocalTime,
    /// When each of the others was told of it last.
    sent: [Option<LocalTime>; OTHERS],
    tick: u32,
}

/// What the members show of the host's level. See the module.
#[derive(Debug, Default)]
pub(super) struct Snapshots {
    /// By id.
    seen: Vec<Seen>,
    tick: u32,
    /// Where the next to be seen is, if they come in the same order as in the tick before.
    next: usize,
    /// Kept from one snapshot to the next, so that none allocates.
    near: Vec<(f32, usize)>,
    due: Vec<(Option<LocalTime>, usize)>,
    mobys: Vec<WorldMoby>,
}

impl Snapshots {
    /// A tick begins: what is not seen in it is gone at its end.
    pub(super) fn begin(&mut self) {
        self.tick = self.tick.wrapping_add(1);
        self.next = 0;
    }

    /// A moby, as the tick left it.
    pub(super) fn saw(&mut self, id: MobyId, moby: &Moby, loose: bool, now: LocalTime) {
        let now_so = (moby.pose, moby.hidden);
        let at = self.place_of(id).unwrap_or_else(|at| {
            let (pose, hidden) = now_so;
            let seen = Seen {
                id,
                pose,
                hidden,
                loose,
                changed: now,
                sent: [None; OTHERS],
                tick: self.tick,
            };
            self.seen.insert(at, seen);
            at
        });
        self.next = at + 1;
        let seen = &mut self.seen[at];
        seen.tick = self.tick;
        if now_so != (seen.pose, seen.hidden) {
            (seen.pose, seen.hidden, seen.changed) = (now_so.0, now_so.1, now);
        }
        if loose && !seen.loose {
            // That it landed is news to everyone.
            (seen.loose, seen.sent) = (true, [None; OTHERS]);
        }
    }

    /// Where that one is, or would be.
    fn place_of(&self, id: MobyId) -> Result<usize, usize> {
        if self.seen.get(self.next).is_some_and(|next| next.id == id) {
            return Ok(self.next);
        }
        self.seen.binary_search_by_key(&id, |seen| seen.id)
    }

    /// The tick is over.
    pub(super) fn end(&mut self) {
        let tick = self.tick;
        self.seen.retain(|seen| seen.tick == tick);
    }

    /// What the member of that slot, who stands there, is told of now.
    pub(super) fn pick(&mut self, slot: usize, position: [f32; 3], now: LocalTime) -> &[WorldMoby] {
        self.near.clear();
        self.due.clear();
        for (at, seen) in self.seen.iter().enumerate() {
            let sent = seen.sent[slot];
            let unsent_for = |time| sent.is_none_or(|sent| now.since(sent) >= time);
            if seen.loose {
                if unsent_for(LOOSE_EVERY) {
                    self.due.push((sent, at));
                }
            } else if now.since(seen.changed) <= STILL_TOLD_FOR && !unsent_for(OVERDUE) {
                self.near.push((distance_squared(position, seen.pose.position), at));
            } else if unsent_for(REST_EVERY) {
                self.due.push((sent, at));
            }
        }
        // The nearest first; what was not told for the longest first.
        self.near.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        self.due.sort_unstable();
        let reserved = self.due.len().min(OVERDUE_MAX);
        self.near.truncate(WORLD_MOBYS_MAX - reserved);
        self.due.truncate(WORLD_MOBYS_MAX - self.near.len());
        self.mobys.clear();
        let near = self.near.iter().map(|&(_, at)| at);
        for at in near.chain(self.due.iter().map(|&(_, at)| at)) {
            let seen = &mut self.seen[at];
            seen.sent[slot] = Some(now);
            self.mobys.extend(to_wire(seen));
        }
        &self.mobys
    }

    /// Every placed moby, also those that stand where the level's file put them: the game does not say
    /// where that was, and what this mod saw first may have moved before.
    pub(super) fn placed(&mut self) -> &[WorldMoby] {
        self.mobys.clear();
        let placed = self.seen.iter().filter(|seen| matches!(seen.id, MobyId::Key(_)));
        self.mobys.extend(placed.filter_map(to_wire));
        &self.mobys
    }

    /// The others' marks are another's now: that one was told of nothing.
    pub(super) fn forget(&mut self, slot: usize) {
        for seen in &mut self.seen {
            seen.sent[slot] = None;
        }
    }

    /// The level is left.
    pub(super) fn clear(&mut self) {
        self.seen.clear();
    }
}

/// A moby for the wire; `None` for one out of its range (B6.2).
fn to_wire(seen: &Seen) -> Option<WorldMoby> {
    let MobyPose { position, rotation, animation } = seen.pose;
    if !position_fits(position) {
        return None;
    }
    let [x, y, z] = rotation.map(MobyAngle::from_f32);
    let speed = MobyAnimSpeed(u8::MAX).to_f32();
    let flag = |set: bool, flag: MobyFlags| if set { flag } else { MobyFlags::default() };
    Some(WorldMoby {
        id: seen.id,
        position,
        rotation: [x?, y?, z?],
        seq: animation.sequence,
        frame: animation.frame,
        anim_time: AnimTime::from_f32(animation.time.clamp(0.0, 1.0))?,
        anim_speed: MobyAnimSpeed::from_f32(animation.speed.clamp(0.0, speed))?,
        flags: flag(seen.hidden, MobyFlags::HIDDEN) | flag(seen.loose, MobyFlags::LOOSE),
    })
}

/// The square of a distance.
pub(super) fn distance_squared(a: [f32; 3], b: [f32; 3]) -> f32 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum()
}
