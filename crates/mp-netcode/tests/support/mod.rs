//! A hero whose every moment is known, a link between it and a [`PoseBuffer`], and what playback made of
//! it: for the tests and for `examples/playback.rs`. One seed, no clock.

use std::collections::BTreeMap;
use std::f64::consts::{PI, TAU};
use std::fmt;
use std::time::Duration;

use mp_netcode::{PlaybackStats, Pose, PoseBuffer, Sequence, ServerTime};

/// Where the hero's stamps begin: any moment will do.
pub const EPOCH_US: i64 = 1_700_000_000_000_000;

const FRAME_US: i64 = 16_667;
const POSE_US: i64 = 50_000;
const LONG_WAY_US: u32 = 60_000;

/// A link, one way.
#[derive(Clone, Copy, Debug)]
pub struct Link {
    pub latency_ms: u32,
    /// Evenly between nothing and this much more.
    pub jitter_ms: u32,
    pub loss_percent: u32,
    pub duplicate_percent: u32,
    /// Taking the long way: more than a pose's time later than the rest, so that the next overtakes it.
    pub reorder_percent: u32,
    /// The first sequence number sent.
    pub first: Sequence,
    pub seed: u64,
}

impl Default for Link {
    fn default() -> Self {
        Self {
            latency_ms: 0,
            jitter_ms: 0,
            loss_percent: 0,
            duplicate_percent: 0,
            reorder_percent: 0,
            first: Sequence(0),
            seed: 1,
        }
    }
}

/// SplitMix64.
pub struct Generator(pub u64);

impl Generator {
    pub fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Evenly from 0 to `limit` - 1; 0 for a limit of 0.
    pub fn below(&mut self, limit: u32) -> u32 {
        u32::try_from(self.draw() % u64::from(limit.max(1))).expect("below a u32")
    }

    pub fn percent(&mut self, percent: u32) -> bool {
        self.below(100) < percent
    }
}

/// The hero at a moment: it runs a circle of 5 units at 8 units a second, and jumps 2.4 units high every
/// 1.2 seconds.
#[allow(clippy::cast_possible_truncation, reason = "a pose holds f32")]
pub fn hero(at_us: i64) -> Pose {
    let seconds = (at_us - EPOCH_US) as f64 / 1e6;
    let (radius, speed) = (5.0, 8.0);
    let angle = (seconds * speed / radius).rem_euclid(TAU);
    let in_jump = seconds.rem_euclid(1.2);
    let (height, rise) = if in_jump < 0.8 {
        (12.0 * in_jump - 15.0 * in_jump * in_jump, 12.0 - 30.0 * in_jump)
    } else {
        (0.0, 0.0)
    };
    let narrow = |v: [f64; 3]| v.map(|c| c as f32);
    Pose {
        stamp: ServerTime::from_micros(at_us),
        position: narrow([radius * angle.cos(), height, radius * angle.sin()]),
        velocity: narrow([-speed * angle.sin(), rise, speed * angle.cos()]),
        rotation: narrow([0.0, angle - PI, 0.0]),
        segment: 1,
        teleport: None,
    }
}

/// One frame of playback.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    pub now_us: i64,
    pub cursor_us: i64,
    pub position: [f32; 3],
    /// Units between what is shown and where the hero was at the moment shown.
    pub error: f32,
    pub delay: Duration,
    pub teleported: bool,
    pub stalled: bool,
}

/// A playback from its first pose on.
pub struct Playback {
    pub frames: Vec<Frame>,
    pub stats: PlaybackStats,
}

pub fn distance(a: [f32; 3], b: [f32; 3]) -> f32 {
    (0..3).map(|i| (a[i] - b[i]).powi(2)).sum::<f32>().sqrt()
}

/// Plays the hero for `seconds` at 60 frames a second, sent 20 times a second over `link`. What has
/// arrived is taken before each frame, with the moment it arrived.
pub fn play(link: Link, seconds: u32) -> Playback {
    let mut random = Generator(link.seed);
    let mut arrivals = BTreeMap::new();
    let mut sequence = link.first;
    let mut order = 0u32;
    for sent in 0..i64::from(seconds) * 1_000_000 / POSE_US {
        let stamp_us = EPOCH_US + sent * POSE_US;
        sequence = sequence.next();
        if random.percent(link.loss_percent) {
            continue;
        }
        for _ in 0..=u32::from(random.percent(link.duplicate_percent)) {
            let mut took_us = link.latency_ms * 1_000 + random.below(link.jitter_ms * 1_000);
            // Nothing is drawn for a link that keeps the order: its rows stay as they were.
            if link.reorder_percent > 0 && random.percent(link.reorder_percent) {
                took_us += LONG_WAY_US;
            }
            arrivals.insert((stamp_us + i64::from(took_us), order), (sequence, stamp_us));
            order += 1;
        }
    }

    let mut buffer = PoseBuffer::new();
    let mut frames = Vec::new();
    let mut arrivals = arrivals.into_iter().peekable();
    for frame in 0..i64::from(seconds) * 1_000_000 / FRAME_US {
        let now_us = EPOCH_US + frame * FRAME_US;
        while let Some(((at_us, _), (sequence, stamp_us))) =
            arrivals.next_if(|((at_us, _), _)| *at_us <= now_us)
        {
            buffer.push(ServerTime::from_micros(at_us), sequence, hero(stamp_us), ());
        }
        let Some(played) = buffer.play(ServerTime::from_micros(now_us)) else { continue };
        let cursor_us = played.cursor.as_micros();
        let (position, teleported, stalled) = (played.position, played.teleported, played.stalled);
        // Before the first pose the figure stands where that pose is.
        let truth = hero(cursor_us.max(EPOCH_US));
        let error = distance(position, truth.position);
        let delay = buffer.delay();
        frames.push(Frame { now_us, cursor_us, position, error, delay, teleported, stalled });
    }
    Playback { frames, stats: buffer.stats() }
}

impl Playback {
    /// What is left once playback has had a second to settle.
    fn settled(&self) -> &[Frame] {
        &self.frames[self.frames.len().min(60)..]
    }

    /// The value under which `percent` of the settled frames' values lie.
    pub fn quantile(&self, percent: usize, value: impl Fn(&Frame) -> f32) -> f32 {
        let mut values: Vec<f32> = self.settled().iter().map(value).collect();
        values.sort_by(f32::total_cmp);
        values
            .get((values.len() * percent / 100).min(values.len().saturating_sub(1)))
            .copied()
            .unwrap_or(0.0)
    }

    pub fn error(&self, percent: usize) -> f32 {
        self.quantile(percent, |frame| frame.error)
    }

    /// Milliseconds from the moment shown to now.
    pub fn lag_ms(&self, percent: usize) -> f32 {
        self.quantile(percent, |frame| (frame.now_us - frame.cursor_us) as f32 / 1e3)
    }

    pub fn delay_ms(&self, percent: usize) -> f32 {
        self.quantile(percent, |frame| frame.delay.as_secs_f32() * 1e3)
    }

    /// The longest way from one frame to the next, in units.
    pub fn longest_step(&self) -> f32 {
        let steps =
            self.settled().windows(2).map(|pair| distance(pair[0].position, pair[1].position));
        steps.fold(0.0, f32::max)
    }
}

/// The columns of [`Row`].
pub const HEADER: &str = "latency jitter loss twice swapped | error p50   p95   max | longest step | lag p50  p95 | delay p95 | stalls  late duplicates teleports";

/// One link's line of a table: milliseconds, percent, units.
pub struct Row<'a>(pub Link, pub &'a Playback);

impl fmt::Display for Row<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(link, playback) = self;
        write!(
            f,
            "{:>7} {:>6} {:>4} {:>5} {:>7} | {:>9.2} {:>5.2} {:>5.2} | {:>12.2} | {:>7.0} {:>4.0} | {:>9.0} | {:>6} {:>5} {:>10} {:>9}",
            link.latency_ms,
            link.jitter_ms,
            link.loss_percent,
            link.duplicate_percent,
            link.reorder_percent,
            playback.error(50),
            playback.error(95),
            playback.error(100),
            playback.longest_step(),
            playback.lag_ms(50),
            playback.lag_ms(95),
            playback.delay_ms(95),
            playback.stats.stalls,
            playback.stats.late,
            playback.stats.duplicates,
            playback.stats.teleports,
        )
    }
}
