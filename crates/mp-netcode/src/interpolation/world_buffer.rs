//! Playback of a world that somebody else runs: many things told of in snapshots of one sender, each only
//! now and then. One [`WorldClock`] says when to show, and a [`LinearTrack`] a thing where it is then: on
//! the straight way between the two places told of around that moment, and never past the newest.

use core::time::Duration;

use super::curve;
use super::playback_clock::PlaybackClock;
use super::track::is_jump;
use crate::time::ServerTime;

/// The most places a track holds. At 15 a second the largest delay takes 4; the rest is for a burst.
const CAPACITY: usize = 8;

/// Told of this long after the last time, a thing has rested in between: a few snapshots in a row are
/// lost now and then, more are not.
const RESTED_US: i64 = 300_000;

/// How long such a thing is on its way to where it was told of next: about a snapshot's time.
const SETS_OUT_US: i64 = 67_000;

/// When to show what the snapshots of one sender tell of: the cursor of B5.3, which never
/// runs past the newest of them.
#[derive(Clone, Debug)]
pub struct WorldClock {
    clock: PlaybackClock,
    newest: Option<ServerTime>,
}

impl Default for WorldClock {
    fn default() -> Self {
        Self::new()
    }
}

impl WorldClock {
    /// Before the first snapshot.
    #[must_use]
    pub fn new() -> Self {
        Self { clock: PlaybackClock::new(), newest: None }
    }

    /// A snapshot stamped `stamp` arrived at `now`, by the server's clock both.
    pub fn arrived(&mut self, now: ServerTime, stamp: ServerTime) {
        self.newest = Some(self.newest.map_or(stamp, |newest| newest.max(stamp)));
        self.clock.observe(now, stamp);
    }

    /// The moment to show at `now`; `None` before the first snapshot.
    pub fn cursor(&mut self, now: ServerTime) -> Option<ServerTime> {
        let newest = self.newest?;
        let advance = self.clock.advance(now, newest.as_micros())?;
        Some(ServerTime::from_micros(advance.to_us))
    }

    /// How far behind the quickest arrival it aims to be: 100 to 250 ms.
    #[must_use]
    pub fn delay(&self) -> Duration {
        self.clock.delay()
    }
}

#[derive(Clone, Copy, Debug)]
struct Place<T> {
    at_us: i64,
    position: [f32; 3],
    rotation: [f32; 3],
    step: T,
}

/// Where a thing is at a moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sampled<T> {
    /// In the units it came in.
    pub position: [f32; 3],
    /// Radians, within ±π.
    pub rotation: [f32; 3],
    /// What does not go smoothly from one place to the next, as the earlier of the two has it.
    pub step: T,
}

/// The last places of one thing, in the order of their stamps. `T` is what comes with a place and is not
/// interpolated.
#[derive(Clone, Copy, Debug)]
pub struct LinearTrack<T> {
    places: [Option<Place<T>>; CAPACITY],
    len: usize,
}

impl<T: Copy> Default for LinearTrack<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: Copy> LinearTrack<T> {
    /// Nothing told of it yet.
    #[must_use]
    pub fn new() -> Self {
        Self { places: [None; CAPACITY], len: 0 }
    }

    /// It was there at `stamp`. Told twice of one moment, the first counts; one older than all of a full
    /// track is passed over.
    pub fn push(&mut self, stamp: ServerTime, position: [f32; 3], rotation: [f32; 3], step: T) {
        let at_us = stamp.as_micros();
        let mut place = self.len;
        while let Some(before) = place.checked_sub(1).and_then(|before| self.places[before]) {
            if before.at_us == at_us {
                return;
            }
            if before.at_us < at_us {
                break;
            }
            place -= 1;
        }
        if self.len == CAPACITY {
            if place == 0 {
                return;
            }
            self.places.copy_within(1.., 0);
            self.len -= 1;
            place -= 1;
        }
        self.places.copy_within(place..self.len, place + 1);
        self.places[place] = Some(Place { at_us, position, rotation, step });
        self.len += 1;
    }

    /// Whether nothing is told of after that moment: it stands where it was told of last.
    #[must_use]
    pub fn is_at_end(&self, cursor: ServerTime) -> bool {
        let newest = self.len.checked_sub(1).and_then(|newest| self.places[newest]);
        newest.is_none_or(|newest| newest.at_us <= cursor.as_micros())
    }

    /// Where it is at a moment; `None` before anything was told. Before the oldest place it stands there.
    #[must_use]
    pub fn sample(&self, cursor: ServerTime) -> Option<Sampled<T>> {
        let cursor_us = cursor.as_micros();
        let places = &self.places[..self.len];
        let after = places.iter().flatten().take_while(|place| place.at_us <= cursor_us).count();
        let here = places.get(after.saturating_sub(1)).copied().flatten()?;
        let standing = Sampled {
            position: here.position,
            rotation: curve::wrap_angles(here.rotation),
            step: here.step,
        };
        let next = places.get(after.max(1)).copied().flatten();
        let Some(next) = next.filter(|next| !is_jump(here.position, next.position)) else {
            return Some(standing);
        };
        let gap_us = next.at_us.saturating_sub(here.at_us);
        // What stood when it was told of last was told of seldom: it sets out only now.
        let before = after.checked_sub(2).and_then(|before| places[before]);
        let stood = before.is_some_and(|before| {
            (before.position, before.rotation) == (here.position, here.rotation)
        });
        let way_us = if stood || gap_us > RESTED_US { gap_us.min(SETS_OUT_US) } else { gap_us };
        let left_us = next.at_us.saturating_sub(cursor_us);
        if after == 0 || left_us >= way_us {
            return Some(standing);
        }
        let t = 1.0 - left_us as f32 / way_us as f32;
        Some(Sampled {
            position: curve::mix(here.position, next.position, t),
            rotation: curve::mix_angles(here.rotation, next.rotation, t),
            ..standing
        })
    }

    /// What the newest place came with.
    #[must_use]
    pub fn newest(&self) -> Option<T> {
        let newest = self.len.checked_sub(1)?;
        self.places[newest].map(|place| place.step)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(ms: i64) -> ServerTime {
        ServerTime::from_millis(ms)
    }

    fn track(places: &[(i64, f32)]) -> LinearTrack<i64> {
        let mut track = LinearTrack::new();
        for &(ms, x) in places {
            track.push(at(ms), [x, 0.0, 0.0], [0.0, 0.0, x], ms);
        }
        track
    }

    fn x(track: &LinearTrack<i64>, ms: i64) -> f32 {
        track.sample(at(ms)).expect("something was told").position[0]
    }

    #[test]
    fn it_is_at_its_end_from_the_newest_place_on_until_it_is_told_of_again() {
        let mut track = track(&[(0, 0.0), (100, 1.0)]);
        assert!(!track.is_at_end(at(99)));
        assert!(track.is_at_end(at(100)) && track.is_at_end(at(5_000)));
        track.push(at(200), [2.0; 3], [0.0; 3], 200);
        assert!(!track.is_at_end(at(100)));
        assert!(LinearTrack::<()>::new().is_at_end(at(0)), "nothing is told of after that");
    }

    #[test]
    fn between_two_places_it_is_on_the_straight_way() {
        let track = track(&[(0, 0.0), (100, 1.0), (200, 1.0)]);
        assert_eq!((x(&track, 0), x(&track, 25), x(&track, 150)), (0.0, 0.25, 1.0));
        let sampled = track.sample(at(50)).expect("told");
        assert_eq!((sampled.rotation[2], sampled.step), (0.5, 0));
    }

    #[test]
    fn it_never_goes_past_the_newest_place_nor_before_the_oldest() {
        let track = track(&[(100, 1.0), (200, 2.0)]);
        assert_eq!((x(&track, 0), x(&track, 200), x(&track, 9_000)), (1.0, 2.0, 2.0));
        assert_eq!(LinearTrack::<()>::new().sample(at(0)), None);
    }

    #[test]
    fn what_rested_sets_out_when_it_is_told_of_again_and_not_before() {
        let track = track(&[(0, 0.0), (5_000, 1.0)]);
        assert_eq!((x(&track, 2_500), x(&track, 4_930), x(&track, 5_000)), (0.0, 0.0, 1.0));
        assert!((0.4..0.6).contains(&x(&track, 4_966)));
    }

    #[test]
    fn what_stood_when_it_was_told_of_last_sets_out_no_earlier_for_that() {
        let stood = track(&[(0, 0.0), (2_000, 0.0), (2_200, 1.0)]);
        assert_eq!((x(&stood, 2_130), x(&stood, 2_200)), (0.0, 1.0));
        assert!((0.4..0.6).contains(&x(&stood, 2_166)));
        // One that moved was lost sight of.
        let moved = track(&[(0, 0.0), (100, 0.5), (300, 1.5)]);
        assert_eq!(x(&moved, 200), 1.0);
    }

    #[test]
    fn a_step_too_long_to_go_is_a_jump() {
        let track = track(&[(0, 0.0), (100, 9.0)]);
        assert_eq!((x(&track, 99), x(&track, 100)), (0.0, 9.0));
    }

    #[test]
    fn places_are_put_in_order_and_told_once_and_the_oldest_make_room() {
        let mut disorder = track(&[(0, 0.0), (200, 2.0), (100, 1.0), (200, 7.0)]);
        assert_eq!((x(&disorder, 150), x(&disorder, 300)), (1.5, 2.0));
        for step in 3..20_u8 {
            disorder.push(at(i64::from(step) * 100), [f32::from(step), 0.0, 0.0], [0.0; 3], 0);
        }
        assert_eq!((x(&disorder, 1_950), disorder.len), (19.0, CAPACITY));
        disorder.push(at(50), [99.0, 0.0, 0.0], [0.0; 3], 0);
        assert_eq!(x(&disorder, 0), 12.0);
    }

    #[test]
    fn the_cursor_keeps_its_delay_and_stops_at_the_newest_snapshot() {
        let mut clock = WorldClock::new();
        assert_eq!(clock.cursor(at(0)), None);
        for snapshot in 0..60 {
            let stamp = snapshot * 67;
            clock.arrived(at(stamp + 10), at(stamp));
            let cursor = clock.cursor(at(stamp + 10)).expect("a snapshot came");
            assert!(cursor <= at(stamp), "never past the newest");
            assert!(snapshot < 5 || at(stamp + 10).micros_since(cursor) <= 130_000);
        }
        assert_eq!(clock.cursor(at(60_000)), Some(at(59 * 67)));
    }
}
