//! Whole streams over simulated links: how near playback keeps to a hero that runs and jumps.

#[allow(dead_code, reason = "each user of the module takes a part of it")]
mod support;

use mp_netcode::Sequence;
use mp_netcode::interpolation::{BASE_DELAY, MAX_DELAY, MAX_RATE_PERCENT};
use support::{Link, Playback, play};

/// The hero's top speed is 14.4 units a second: what it covers in a frame at the fastest playback.
const FASTEST_STEP: f32 = 14.5 * 1.15 / 60.0;

const MAX_DELAY_US: i64 = 250_000;

/// Checks what holds on every link: the cursor never goes back and never runs more than 15 % fast or
/// slow, but where it stands, and where it was more than the largest delay behind its aim and jumped.
fn check_cursor(playback: &Playback, context: &str) {
    for pair in playback.frames.windows(2) {
        let (last, frame) = (pair[0], pair[1]);
        let passed_us = frame.now_us - last.now_us;
        let played_us = frame.cursor_us - last.cursor_us;
        assert!(played_us >= 0, "{context}: {last:?} then {frame:?}");
        assert!((BASE_DELAY..=MAX_DELAY).contains(&frame.delay), "{context}: {frame:?}");
        let jumped = played_us - passed_us > MAX_DELAY_US;
        if !last.stalled && !frame.stalled && !jumped {
            let most_us = passed_us * i64::from(MAX_RATE_PERCENT) / 100;
            assert!((played_us - passed_us).abs() <= most_us, "{context}: {last:?} then {frame:?}");
        }
    }
}

/// B5.1, B5.3
#[test]
fn a_steady_stream_is_shown_100_ms_behind_and_within_a_tenth_of_a_unit() {
    let playback = play(Link::default(), 60);
    check_cursor(&playback, "steady");
    assert!(playback.error(95) < 0.1, "{}", playback.error(95));
    for percent in [1, 50, 99] {
        let lag_ms = playback.lag_ms(percent);
        assert!((98.0..=102.0).contains(&lag_ms), "{lag_ms}");
    }
    assert!(playback.longest_step() <= FASTEST_STEP);
    assert_eq!((playback.stats.stalls, playback.stats.late), (0, 0));
}

/// B5.3
#[test]
fn bad_links_are_shown_near_the_truth_and_without_a_jump() {
    for seed in 0..40u32 {
        let link = Link {
            latency_ms: seed % 5 * 50,
            jitter_ms: seed % 4 * 20,
            loss_percent: seed % 3 * 10,
            duplicate_percent: seed % 2 * 20,
            reorder_percent: seed % 3 * 5,
            first: Sequence(0),
            seed: seed.into(),
        };
        let playback = play(link, 60);
        let context = format!("{link:?}");
        check_cursor(&playback, &context);
        assert!(playback.error(95) < 0.15, "{context}: {}", playback.error(95));
        assert!(playback.error(100) < 2.0, "{context}: {}", playback.error(100));
        assert!(playback.longest_step() < 2.0 * FASTEST_STEP, "{context}");
        assert_eq!(playback.stats.teleports, 0, "{context}");
        assert_eq!(playback.stats.duplicates > 0, link.duplicate_percent > 0, "{context}");
    }
}

/// B5.3
#[test]
fn links_past_saving_keep_the_cursors_rules() {
    for seed in 0..20 {
        let link = Link { jitter_ms: 1_000, loss_percent: 40, seed, ..Link::default() };
        let playback = play(link, 60);
        assert!(playback.stats.stalls > 10 && playback.stats.late > 100, "{link:?}");
        check_cursor(&playback, &format!("{link:?}"));
    }
}

/// B5.3
#[test]
fn the_delay_is_100_ms_plus_what_the_jitter_needs() {
    for (jitter_ms, expected_ms) in [(0, 100.0..102.0), (60, 150.0..162.0), (400, 240.0..251.0)] {
        let delay_ms = play(Link { jitter_ms, ..Link::default() }, 60).delay_ms(50);
        assert!(expected_ms.contains(&delay_ms), "{jitter_ms}: {delay_ms}");
    }
}

/// B5.3
#[test]
fn the_delay_changes_slowly() {
    let playback = play(Link { jitter_ms: 200, ..Link::default() }, 60);
    // What the window's least arrival moves by is not the cursor's to follow: so the moment aimed at.
    for pair in playback.frames.windows(2) {
        let change_us = (pair[1].now_us - pair[1].cursor_us) - (pair[0].now_us - pair[0].cursor_us);
        assert!(change_us.abs() <= 2_500, "{pair:?}");
    }
}

/// B5.3
#[test]
fn the_way_there_makes_no_difference() {
    let near = play(Link { jitter_ms: 30, ..Link::default() }, 20);
    let far = play(Link { jitter_ms: 30, latency_ms: 200, ..Link::default() }, 20);
    assert!((far.lag_ms(50) - near.lag_ms(50) - 200.0).abs() < 2.0);
    assert!((far.error(95) - near.error(95)).abs() < 0.01);
}

#[test]
fn sequences_wrap_unseen() {
    let link = Link { jitter_ms: 60, loss_percent: 10, ..Link::default() };
    let plain = play(link, 30);
    let wrapping = play(Link { first: Sequence(65_400), ..link }, 30);
    assert_eq!(plain.stats, wrapping.stats);
    for (a, b) in plain.frames.iter().zip(&wrapping.frames) {
        assert_eq!((a.cursor_us, a.position), (b.cursor_us, b.position));
    }
}
