//! What to play: one sender's poses, in order of sequence, placed by stamp.
//!
//! A track answers where the sender is at a moment, on a curve where it has poses on both sides of it.
//! A jump parts two poses: there is no curve across it, so each pose has a `side`, a number that changes
//! at every jump.

use alloc::collections::VecDeque;
use core::time::Duration;

use super::curve::{self, Vec3};
use crate::sequence::Sequence;
use crate::time::ServerTime;

/// The most poses a track holds. At 30 a second the largest delay and the extrapolation past it take
/// 12; the rest is for a burst.
pub const CAPACITY: usize = 32;

/// How far past the newest pose its velocity carries it before it stands (B5.3).
pub const MAX_EXTRAPOLATION: Duration = Duration::from_millis(150);

pub(super) const MAX_EXTRAPOLATION_US: i64 = 150_000;

/// A step between two poses of more than this many units is a teleport (B5.3).
pub const TELEPORT_STEP: f32 = 8.0;

/// Where a sender was, and when.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// When, on the server's clock.
    pub stamp: ServerTime,
    /// Where, in units.
    pub position: [f32; 3],
    /// Three angles in radians.
    pub rotation: [f32; 3],
    /// Units a second.
    pub velocity: [f32; 3],
    /// What the position is relative to (a level's number): a pose in another one is a teleport.
    pub segment: i32,
    /// How many poses ago the sender says that it jumped: 0, with this one; `None`, not lately. Said in
    /// some poses after the jump too, it outlives the loss of the pose it came with.
    pub teleport: Option<u8>,
}

/// Whether two positions are more than [`TELEPORT_STEP`] apart.
pub(super) fn is_jump(a: Vec3, b: Vec3) -> bool {
    curve::distance_squared(a, b) > TELEPORT_STEP * TELEPORT_STEP
}

/// A pose in its place.
#[derive(Clone, Debug)]
pub(super) struct Entry<T> {
    pub(super) sequence: Sequence,
    pub(super) pose: Pose,
    pub(super) step: T,
    side: u32,
}

impl<T> Entry<T> {
    fn jumps_from(&self, earlier: &Self) -> bool {
        let (here, there) = (&self.pose, &earlier.pose);
        let steps = earlier.sequence.distance_to(self.sequence);
        let jumped_since = here.teleport.is_some_and(|ago| i16::from(ago) < steps);
        jumped_since || here.segment != there.segment || is_jump(here.position, there.position)
    }
}

/// Where the sender is at a moment.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sample {
    /// The entry at or before the moment; the oldest if none is.
    pub(super) index: usize,
    pub(super) side: u32,
    pub(super) position: Vec3,
    pub(super) rotation: Vec3,
    pub(super) velocity: Vec3,
    /// How far past the entry its velocity carried it; zero on a curve.
    pub(super) carried_us: i64,
}

/// One sender's poses. Stamps never decrease from one to the next.
#[derive(Clone, Debug)]
pub(super) struct Track<T> {
    entries: VecDeque<Entry<T>>,
    /// The side of the next pose after everything was dropped.
    next_side: u32,
}

impl<T> Track<T> {
    pub(super) fn new() -> Self {
        Self { entries: VecDeque::with_capacity(CAPACITY), next_side: 0 }
    }

    /// Drops every pose. The next one is across a jump from them.
    pub(super) fn clear(&mut self) {
        if let Some(newest) = self.entries.back() {
            self.next_side = newest.side.wrapping_add(1);
        }
        self.entries.clear();
    }

    pub(super) fn newest(&self) -> Option<&Entry<T>> {
        self.entries.back()
    }

    pub(super) fn get(&self, index: usize) -> Option<&Entry<T>> {
        self.entries.get(index)
    }

    /// Where a pose older than the newest belongs: before the entry of this index. An entry of the same
    /// sequence has it too.
    pub(super) fn place_of(&self, sequence: Sequence) -> usize {
        self.newest().map_or(0, |newest| {
            let ahead = newest.sequence.distance_to(sequence);
            self.entries.partition_point(|e| newest.sequence.distance_to(e.sequence) < ahead)
        })
    }

    /// Puts a pose before the entry of this index (the number of entries: at the end), and drops the
    /// oldest if there is no room. The caller has seen to it that the stamps stay in order.
    pub(super) fn insert(&mut self, index: usize, sequence: Sequence, pose: Pose, step: T) {
        let mut index = index.min(self.entries.len());
        if self.entries.len() == CAPACITY {
            self.entries.pop_front();
            index = index.saturating_sub(1);
        }
        self.entries.insert(index, Entry { sequence, pose, step, side: self.next_side });
        // What was one step may be two now, and a step may be short enough or no longer be.
        for later in index.max(1)..self.entries.len() {
            let (earlier, entry) = (&self.entries[later - 1], &self.entries[later]);
            let jumps = entry.jumps_from(earlier);
            self.entries[later].side = earlier.side.wrapping_add(u32::from(jumps));
        }
    }

    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Where the sender is at the moment `at_us`; `None` without a pose.
    pub(super) fn sample(&self, at_us: i64) -> Option<Sample> {
        let after = self.entries.partition_point(|e| e.pose.stamp.as_micros() <= at_us);
        let Some(index) = after.checked_sub(1) else {
            // Before the oldest it stands there.
            return self
                .entries
                .front()
                .map(|oldest| Sample { velocity: [0.0; 3], ..rest(0, oldest) });
        };
        let entry = self.entries.get(index)?;
        match self.entries.get(after) {
            Some(next) if next.side == entry.side => Some(between(index, entry, next, at_us)),
            _ => Some(carried(index, entry, at_us)),
        }
    }
}

/// The entry as it is.
fn rest<T>(index: usize, entry: &Entry<T>) -> Sample {
    Sample {
        index,
        side: entry.side,
        position: entry.pose.position,
        rotation: curve::wrap_angles(entry.pose.rotation),
        velocity: entry.pose.velocity,
        carried_us: 0,
    }
}

/// On the curve from `entry` to `next`, which is later than `at_us`.
fn between<T>(index: usize, entry: &Entry<T>, next: &Entry<T>, at_us: i64) -> Sample {
    let (a, b) = (&entry.pose, &next.pose);
    let gap_us = b.stamp.micros_since(a.stamp);
    let t = (at_us.saturating_sub(a.stamp.as_micros()) as f32 / gap_us as f32).clamp(0.0, 1.0);
    let gap_s = gap_us as f32 / 1e6;
    Sample {
        position: curve::hermite(
            a.position,
            covered(a.velocity, gap_s),
            b.position,
            covered(b.velocity, gap_s),
            t,
        ),
        rotation: curve::mix_angles(a.rotation, b.rotation, t),
        velocity: curve::mix(a.velocity, b.velocity, t),
        ..rest(index, entry)
    }
}

/// Past `entry` with no curve on from it: carried by its velocity for a while, then standing.
fn carried<T>(index: usize, entry: &Entry<T>, at_us: i64) -> Sample {
    let past_us = at_us.saturating_sub(entry.pose.stamp.as_micros());
    let carried_us = past_us.min(MAX_EXTRAPOLATION_US);
    let way = covered(entry.pose.velocity, carried_us as f32 / 1e6);
    let resting = rest(index, entry);
    Sample {
        position: core::array::from_fn(|i| resting.position[i] + way[i]),
        velocity: if past_us < MAX_EXTRAPOLATION_US { resting.velocity } else { [0.0; 3] },
        carried_us,
        ..resting
    }
}

/// The distance a velocity covers, held in each coordinate to what would be a teleport: so that no
/// velocity, and no long gap, throws a curve far off the poses it joins.
fn covered(velocity: Vec3, seconds: f32) -> Vec3 {
    velocity.map(|v| (v * seconds).clamp(-TELEPORT_STEP, TELEPORT_STEP))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pose(ms: i64, x: f32) -> Pose {
        Pose {
            stamp: ServerTime::from_millis(ms),
            position: [x, 0.0, 0.0],
            rotation: [0.0; 3],
            velocity: [0.0; 3],
            segment: 1,
            teleport: None,
        }
    }

    #[test]
    fn the_public_extrapolation_is_the_one_computed_with() {
        assert_eq!(crate::time::micros(MAX_EXTRAPOLATION), MAX_EXTRAPOLATION_US);
    }

    #[test]
    fn a_late_pose_turns_a_jump_into_two_steps() {
        let mut track = Track::new();
        track.insert(0, Sequence(1), pose(0, 0.0), ());
        track.insert(1, Sequence(3), pose(100, 10.0), ());
        assert_eq!(track.sample(50_000).map(|s| s.position[0]), Some(0.0));
        track.insert(track.place_of(Sequence(2)), Sequence(2), pose(50, 5.0), ());
        assert_eq!(track.sample(50_000).map(|s| s.position[0]), Some(5.0));
        assert_eq!(track.sample(75_000).map(|s| s.position[0]), Some(7.5));
    }

    /// B5.3
    #[test]
    fn a_jump_said_again_in_later_poses_is_one_jump_whichever_of_them_is_lost() {
        for lost in 0..8u16 {
            let mut track = Track::new();
            for sequence in (0..8).filter(|sequence| *sequence != lost) {
                // The jump is with pose 3, and poses 4 to 6 say it again.
                let ago = u8::try_from(sequence).ok().and_then(|s| s.checked_sub(3));
                let teleport = ago.filter(|ago| *ago <= 3);
                let x = if sequence < 3 { 0.0 } else { 5.0 };
                let said = Pose { teleport, ..pose(i64::from(sequence) * 50, x) };
                track.insert(track.len(), Sequence(sequence), said, ());
            }
            let first = track.get(0).map_or(0, |entry| entry.side);
            let last = track.newest().map_or(0, |entry| entry.side);
            assert_eq!(last - first, 1, "{lost} lost");
            let shown = (0..350).filter_map(|ms| track.sample(ms * 1_000));
            assert!(shown.map(|s| s.position[0]).all(|x| x == 0.0 || x == 5.0), "{lost} lost");
        }
    }

    #[test]
    fn a_second_jump_shortly_after_the_first_is_another_one() {
        let mut track = Track::new();
        for (sequence, teleport) in [(0, None), (1, Some(0)), (2, Some(1)), (4, Some(1))] {
            let said = Pose { teleport, ..pose(i64::from(sequence) * 50, 0.0) };
            track.insert(track.len(), Sequence(sequence), said, ());
        }
        assert_eq!(track.newest().map(|entry| entry.side), Some(2));
    }

    #[test]
    fn full_it_drops_the_oldest_and_never_grows() {
        let mut track = Track::new();
        let room = track.entries.capacity();
        for i in 0..200u8 {
            let ms = i64::from(i);
            track.insert(track.len(), Sequence(u16::from(i)), pose(ms, 0.0), i);
        }
        assert_eq!((track.len(), track.entries.capacity()), (CAPACITY, room));
        assert_eq!(track.get(0).map(|e| e.step), Some(168));
    }

    #[test]
    fn a_long_gap_does_not_throw_the_curve_off() {
        let mut track = Track::new();
        let fast = Pose { velocity: [100.0, 0.0, 0.0], ..pose(0, 0.0) };
        track.insert(0, Sequence(1), fast, ());
        track.insert(1, Sequence(2), pose(5_000, 1.0), ());
        let furthest = (0..5_000).filter_map(|ms| track.sample(ms * 1_000));
        assert!(furthest.map(|s| s.position[0]).fold(0.0, f32::max) < 1.0 + 8.0 * 4.0 / 27.0);
    }
}
