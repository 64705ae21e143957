//! One sender's poses, played a little behind as smoothly as they allow (B5.3).
//!
//! What is shown is continuous but for teleports: where a pose shows that the extrapolation went wrong,
//! the error is taken back over a moment rather than at once. The buffer shows; it removes nothing: how
//! long a silent sender stays is the caller's.

use core::time::Duration;

use super::curve::{self, Vec3};
use super::playback_clock::{Advance, PlaybackClock};
use super::track::{self, MAX_EXTRAPOLATION_US, Pose, Sample, Track};
use crate::sequence::Sequence;
use crate::time::ServerTime;

/// What is wrong with the shown place falls to about a third in this time.
const BLEND_US: i64 = 100_000;

/// Once nothing newer came for this long, a pose that looks old is a sender's that began anew.
const STALE_US: i64 = 2_000_000;

/// What became of a pose that was pushed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pushed {
    /// It is the newest.
    Newest,
    /// It came after a newer one and was put in its place.
    Reordered,
    /// One of its sequence is there already.
    Duplicate,
    /// It came too late to be of use.
    TooOld,
    /// Its stamp is not between those of its neighbours by sequence.
    OutOfOrder,
    /// Its stamp or its sequence shows that the sender began anew: what was there is dropped.
    Restarted,
}

/// Counts since the buffer was made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlaybackStats {
    /// Times that playback came to stand for want of a pose.
    pub stalls: u64,
    /// Jumps shown.
    pub teleports: u64,
    /// Poses that were there already.
    pub duplicates: u64,
    /// Poses that came when their time had been played.
    pub late: u64,
    /// Poses that contradicted the others: those out of order, and those that made it begin anew.
    pub contradictions: u64,
}

/// What to show.
#[derive(Clone, Copy, Debug)]
pub struct Played<'a, T> {
    /// The moment shown, on the sender's stamps.
    pub cursor: ServerTime,
    /// In units.
    pub position: [f32; 3],
    /// Three angles in radians, within ±π.
    pub rotation: [f32; 3],
    /// Units a second; zero while it stands for want of a pose.
    pub velocity: [f32; 3],
    /// The segment (the level) the position is in.
    pub segment: i32,
    /// What steps: that of the pose at or before the cursor.
    pub step: &'a T,
    /// It jumped here since the last play: nothing is to be drawn between.
    pub teleported: bool,
    /// How far past the last pose of its curve this is.
    pub extrapolated: Duration,
    /// It stands, because no pose came for too long.
    pub stalled: bool,
}

/// The playback of one sender's poses. `T` is what steps from pose to pose and is not interpolated.
///
/// Push every pose as it arrives; play once a frame.
#[derive(Clone, Debug)]
pub struct PoseBuffer<T> {
    clock: PlaybackClock,
    track: Track<T>,
    /// When the newest pose arrived.
    newest_at: ServerTime,
    shown: Option<Shown>,
    stats: PlaybackStats,
}

#[derive(Clone, Copy, Debug)]
struct Shown {
    position: Vec3,
    rotation: Vec3,
    side: u32,
    stalled: bool,
}

impl<T> Default for PoseBuffer<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T> PoseBuffer<T> {
    /// An empty buffer. It allocates here and never again.
    #[must_use]
    pub fn new() -> Self {
        Self {
            clock: PlaybackClock::new(),
            track: Track::new(),
            newest_at: ServerTime::from_micros(0),
            shown: None,
            stats: PlaybackStats::default(),
        }
    }

    /// Takes a pose that arrived at `now`, which may be before the last play: the nearer it is to the
    /// true moment of arrival, the less jitter there seems to be.
    pub fn push(&mut self, now: ServerTime, sequence: Sequence, pose: Pose, step: T) -> Pushed {
        let Some(newest) = self.track.newest() else {
            return self.append(now, sequence, pose, step, Pushed::Newest);
        };
        let ahead = newest.sequence.distance_to(sequence);
        if ahead > 0 && pose.stamp >= newest.pose.stamp {
            return self.append(now, sequence, pose, step, Pushed::Newest);
        }
        let index = self.track.place_of(sequence);
        let next = self.track.get(index);
        if ahead <= 0 && next.is_some_and(|entry| entry.sequence == sequence) {
            self.stats.duplicates += 1;
            return Pushed::Duplicate;
        }
        // Stamps never go back, and nothing is overtaken by so much: the sender began anew, or was silent
        // until its sequences had gone half way round and look old. It must not be locked out by what
        // it said before.
        let stale = now.micros_since(self.newest_at).saturating_abs() > STALE_US;
        if ahead > 0 || stale {
            self.stats.contradictions += 1;
            self.track.clear();
            self.clock.reset();
            return self.append(now, sequence, pose, step, Pushed::Restarted);
        }
        self.insert(now, index, sequence, pose, step)
    }

    fn append(
        &mut self,
        now: ServerTime,
        sequence: Sequence,
        pose: Pose,
        step: T,
        pushed: Pushed,
    ) -> Pushed {
        self.observe(now, &pose);
        self.newest_at = now;
        self.track.insert(self.track.len(), sequence, pose, step);
        pushed
    }

    /// Takes a pose older than the newest, whose place is before the entry of this index.
    fn insert(
        &mut self,
        now: ServerTime,
        index: usize,
        sequence: Sequence,
        pose: Pose,
        step: T,
    ) -> Pushed {
        let earlier = index.checked_sub(1).and_then(|before| self.track.get(before));
        let (Some(earlier), Some(next)) = (earlier, self.track.get(index)) else {
            return Pushed::TooOld;
        };
        if pose.stamp < earlier.pose.stamp || pose.stamp > next.pose.stamp {
            self.stats.contradictions += 1;
            return Pushed::OutOfOrder;
        }
        let played = self.has_played(next.pose.stamp);
        self.observe(now, &pose);
        if played {
            return Pushed::TooOld;
        }
        self.track.insert(index, sequence, pose, step);
        Pushed::Reordered
    }

    fn observe(&mut self, now: ServerTime, pose: &Pose) {
        if self.has_played(pose.stamp) {
            self.stats.late += 1;
        }
        self.clock.observe(now, pose.stamp);
    }

    fn has_played(&self, stamp: ServerTime) -> bool {
        self.clock.cursor_us().is_some_and(|cursor_us| stamp.as_micros() <= cursor_us)
    }

    /// What to show at `now`; `None` before the first pose.
    pub fn play(&mut self, now: ServerTime) -> Option<Played<'_, T>> {
        let newest_us = self.track.newest()?.pose.stamp.as_micros();
        let limit_us = newest_us.saturating_add(MAX_EXTRAPOLATION_US);
        let advance = self.clock.advance(now, limit_us)?;
        let sample = self.track.sample(advance.to_us)?;
        let (error, teleported) = self.error(&advance, &sample);
        let position = core::array::from_fn(|i| sample.position[i] + error.position[i]);
        let rotation =
            curve::wrap_angles(core::array::from_fn(|i| sample.rotation[i] + error.rotation[i]));

        let stalled = advance.to_us.saturating_sub(newest_us) >= MAX_EXTRAPOLATION_US;
        let was_stalled = self.shown.is_some_and(|shown| shown.stalled);
        self.stats.stalls += u64::from(stalled && !was_stalled);
        self.stats.teleports += u64::from(teleported);
        self.shown = Some(Shown { position, rotation, side: sample.side, stalled });
        let entry = self.track.get(sample.index)?;
        Some(Played {
            cursor: ServerTime::from_micros(advance.to_us),
            position,
            rotation,
            velocity: sample.velocity,
            segment: entry.pose.segment,
            step: &entry.step,
            teleported,
            extrapolated: Duration::from_micros(sample.carried_us.unsigned_abs()),
            stalled,
        })
    }

    /// What of the difference between the place last shown and what the poses now say of that moment is
    /// still to be shown, and whether there was a jump instead.
    fn error(&self, advance: &Advance, sample: &Sample) -> (Error, bool) {
        let (Some(shown), Some(here)) = (self.shown, self.track.sample(advance.from_us)) else {
            return (Error::NONE, false);
        };
        if sample.side != shown.side || track::is_jump(shown.position, here.position) {
            return (Error::NONE, true);
        }
        let left = (1.0 - advance.elapsed_us as f32 / BLEND_US as f32).max(0.0);
        let turn = curve::angles_between(here.rotation, shown.rotation);
        let error = Error {
            position: core::array::from_fn(|i| (shown.position[i] - here.position[i]) * left),
            rotation: turn.map(|angle| angle * left),
        };
        (error, false)
    }

    /// Drops every pose and what was shown: the next pose is the first. The counts stay.
    pub fn clear(&mut self) {
        self.track.clear();
        self.clock.reset();
        self.shown = None;
    }

    /// How far behind the quickest arrival playback aims to be: 100 to 250 ms.
    #[must_use]
    pub fn delay(&self) -> Duration {
        self.clock.delay()
    }

    /// How far the newest pose is ahead of the cursor; zero before the first play.
    #[must_use]
    pub fn depth(&self) -> Duration {
        let ahead_us =
            self.clock.cursor_us().zip(self.track.newest()).map_or(0, |(at_us, newest)| {
                newest.pose.stamp.as_micros().saturating_sub(at_us).max(0)
            });
        Duration::from_micros(ahead_us.unsigned_abs())
    }

    /// The counts.
    #[must_use]
    pub const fn stats(&self) -> PlaybackStats {
        self.stats
    }
}

/// How wrong the place shown still is.
struct Error {
    position: Vec3,
    rotation: Vec3,
}

impl Error {
    const NONE: Self = Self { position: [0.0; 3], rotation: [0.0; 3] };
}
