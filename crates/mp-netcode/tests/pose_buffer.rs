//! The rules of B5.3, one by one, on poses made by hand. Times are milliseconds on the
//! server's clock; a pose stamped s arrives at s unless the test says otherwise.

use std::time::Duration;

use mp_netcode::interpolation::{MAX_EXTRAPOLATION, TELEPORT_STEP};
use mp_netcode::{Played, Pose, PoseBuffer, Pushed, Sequence, ServerTime};

const FRAME_MS: usize = 10;
const SPEED: f32 = 8.0;

type Buffer = PoseBuffer<u16>;

fn ms(ms: i64) -> ServerTime {
    ServerTime::from_millis(ms)
}

/// A runner along x at 8 units a second, at 0 when the clock is.
fn runner(stamp_ms: i64) -> Pose {
    Pose {
        stamp: ms(stamp_ms),
        position: [SPEED * stamp_ms as f32 / 1e3, 0.0, 0.0],
        rotation: [0.0; 3],
        velocity: [SPEED, 0.0, 0.0],
        segment: 1,
        teleport: None,
    }
}

fn stander(stamp_ms: i64, x: f32) -> Pose {
    Pose { position: [x, 0.0, 0.0], velocity: [0.0; 3], ..runner(stamp_ms) }
}

/// Pushes a pose at its own stamp. The sequence doubles as what steps.
fn push(buffer: &mut Buffer, sequence: u16, pose: Pose) -> Pushed {
    buffer.push(pose.stamp, Sequence(sequence), pose, sequence)
}

/// The runner's pose of this sequence: one every 50 ms.
fn push_run(buffer: &mut Buffer, sequence: u16) -> Pushed {
    push(buffer, sequence, runner(i64::from(sequence) * 50))
}

fn play(buffer: &mut Buffer, now_ms: i64) -> Played<'_, u16> {
    buffer.play(ms(now_ms)).expect("a pose is there")
}

/// Plays a runner up to and with this pose, a frame every 10 ms.
fn run_until(buffer: &mut Buffer, last: u16) {
    for sequence in 0..=last {
        push_run(buffer, sequence);
        for frame in 0..5 {
            play(buffer, i64::from(sequence) * 50 + frame * 10);
        }
    }
}

#[test]
fn an_empty_buffer_shows_nothing() {
    let mut buffer = Buffer::new();
    assert!(buffer.play(ms(0)).is_none());
    assert_eq!((buffer.delay(), buffer.depth()), (Duration::from_millis(100), Duration::ZERO));
}

#[test]
fn the_first_pose_shows_at_once_and_stands_until_its_time() {
    let mut buffer = Buffer::new();
    push(&mut buffer, 1, runner(1_000));
    for now in [1_000, 1_050, 1_099] {
        let played = play(&mut buffer, now);
        assert_eq!(
            (played.position[0], played.velocity, played.teleported),
            (8.0, [0.0; 3], false)
        );
        assert_eq!(played.cursor, ms(now - 100));
    }
    assert_eq!(buffer.depth(), Duration::from_millis(1));
}

/// B5.3
#[test]
fn extrapolation_stops_after_150_ms_and_stands() {
    let mut buffer = Buffer::new();
    run_until(&mut buffer, 20);
    // The newest pose is of 1,000 ms; it is shown at 1,100.
    let carried = play(&mut buffer, 1_200);
    assert!((carried.position[0] - 8.8).abs() < 1e-4 && !carried.stalled, "{carried:?}");
    assert_eq!((carried.extrapolated, carried.velocity[0]), (Duration::from_millis(100), SPEED));
    for now in [1_250, 1_300, 1_700] {
        let standing = play(&mut buffer, now);
        assert!((standing.position[0] - 9.2).abs() < 1e-4 && standing.stalled, "{standing:?}");
        assert_eq!((standing.extrapolated, standing.velocity), (MAX_EXTRAPOLATION, [0.0; 3]));
    }
    assert_eq!(buffer.stats().stalls, 1);
}

/// B5.3
#[test]
fn a_wrong_extrapolation_is_taken_back_without_a_jump() {
    let mut buffer = Buffer::new();
    run_until(&mut buffer, 20);
    let carried = play(&mut buffer, 1_200).position[0];
    // It had stopped at once.
    push(&mut buffer, 21, Pose { stamp: ms(1_050), ..stander(0, 8.0) });
    push(&mut buffer, 23, Pose { stamp: ms(1_150), ..stander(0, 8.0) });
    let mut last = carried;
    for now in (1_210..1_500).step_by(FRAME_MS) {
        let x = play(&mut buffer, now).position[0];
        assert!((last - x).abs() < 0.1, "{now}: {last} then {x}");
        last = x;
    }
    assert_eq!(buffer.stats().teleports, 0);
    assert!((last - 8.0).abs() < 0.05, "{last}");
}

/// B5.3
#[test]
fn what_steps_is_that_of_the_pose_at_or_before_the_cursor() {
    let mut buffer = Buffer::new();
    run_until(&mut buffer, 20);
    push_run(&mut buffer, 21);
    push_run(&mut buffer, 22);
    for (now, step) in [(1_140, 20), (1_149, 20), (1_150, 21), (1_199, 21), (1_200, 22)] {
        let played = play(&mut buffer, now);
        assert_eq!((*played.step, played.cursor), (step, ms(now - 100)));
    }
}

/// Runs to 1,000 ms, then to `there` in the next pose, and checks that nothing between is ever shown.
#[track_caller]
fn check_teleport(there: Pose) {
    let mut buffer = Buffer::new();
    run_until(&mut buffer, 20);
    push(&mut buffer, 21, Pose { stamp: ms(1_050), ..there });
    let (mut jumps, mut last_segment) = (0, 1);
    for now in (1_050..1_400).step_by(FRAME_MS) {
        if now == 1_100 {
            push(&mut buffer, 22, Pose { stamp: ms(1_100), teleport: None, ..there });
        }
        let played = play(&mut buffer, now);
        jumps += u32::from(played.teleported);
        let expected =
            if now < 1_150 { SPEED * (now - 100) as f32 / 1e3 } else { there.position[0] };
        assert!((played.position[0] - expected).abs() < 1e-4, "{now}: {played:?}");
        assert_eq!(played.teleported, now == 1_150, "{now}: {played:?}");
        last_segment = played.segment;
    }
    assert_eq!((jumps, last_segment), (1, there.segment));
    assert_eq!(buffer.stats().teleports, 1);
}

/// B5.3
#[test]
fn a_flagged_teleport_jumps_at_its_time() {
    check_teleport(Pose { teleport: Some(0), ..stander(0, 10.0) });
}

/// B5.3
#[test]
fn another_segment_jumps_at_its_time() {
    check_teleport(Pose { segment: 2, ..stander(0, 10.0) });
}

/// B5.3
#[test]
fn a_step_over_8_units_jumps_at_its_time() {
    check_teleport(stander(0, 8.0 + TELEPORT_STEP + 0.01));
}

/// B5.3
#[test]
fn a_step_of_8_units_slides() {
    let mut buffer = Buffer::new();
    push(&mut buffer, 0, stander(0, 0.0));
    push(&mut buffer, 1, stander(50, TELEPORT_STEP));
    play(&mut buffer, 100);
    assert_eq!(play(&mut buffer, 125).position[0], TELEPORT_STEP / 2.0);
    assert_eq!(buffer.stats().teleports, 0);
}

/// B5.3
#[test]
fn rotations_take_the_short_way() {
    let mut buffer = Buffer::new();
    push(&mut buffer, 0, Pose { rotation: [3.0, -3.0, 0.5], ..stander(0, 0.0) });
    push(&mut buffer, 1, Pose { rotation: [-3.0, 3.0, 1.5], ..stander(50, 0.0) });
    for now in 100..=150 {
        let rotation = play(&mut buffer, now).rotation;
        assert!(rotation[0].abs() >= 2.999 && rotation[1].abs() >= 2.999, "{rotation:?}");
        assert!((0.5..=1.5).contains(&rotation[2]), "{rotation:?}");
    }
}

/// B5.3
#[test]
fn duplicates_late_poses_and_ones_out_of_order_change_nothing() {
    let mut buffer = Buffer::new();
    for sequence in [10, 12, 14, 18] {
        push(&mut buffer, sequence, runner(i64::from(sequence) * 50));
    }
    play(&mut buffer, 900);
    let before = play(&mut buffer, 900).position;
    assert_eq!(push(&mut buffer, 18, stander(900, 5.0)), Pushed::Duplicate);
    assert_eq!(push(&mut buffer, 12, stander(600, 5.0)), Pushed::Duplicate);
    assert_eq!(push(&mut buffer, 9, stander(450, 5.0)), Pushed::TooOld);
    assert_eq!(push(&mut buffer, 11, stander(550, 5.0)), Pushed::TooOld);
    assert_eq!(push(&mut buffer, 15, stander(650, 5.0)), Pushed::OutOfOrder);
    assert_eq!(play(&mut buffer, 900).position, before);
    let stats = buffer.stats();
    assert_eq!((stats.duplicates, stats.late, stats.contradictions), (2, 1, 1));
}

/// B5.3
#[test]
fn a_pose_that_was_overtaken_is_put_in_its_place() {
    let mut buffer = Buffer::new();
    push(&mut buffer, 65_535, stander(0, 0.0));
    push(&mut buffer, 1, stander(100, 0.0));
    assert_eq!(push(&mut buffer, 0, stander(50, 4.0)), Pushed::Reordered);
    play(&mut buffer, 140);
    assert_eq!(play(&mut buffer, 150).position[0], 4.0);
}

/// B5.3
#[test]
fn after_a_stall_and_a_burst_it_is_near_again_within_a_second() {
    for stall in [3u16, 6, 10, 20, 100] {
        let mut buffer = Buffer::new();
        run_until(&mut buffer, 40);
        let burst_ms = i64::from(40 + stall) * 50;
        let mut last_cursor = play(&mut buffer, 2_050).cursor;
        for now in (2_050..burst_ms).step_by(FRAME_MS) {
            last_cursor = play(&mut buffer, now).cursor;
        }
        for sequence in 41..=40 + stall {
            buffer.push(
                ms(burst_ms),
                Sequence(sequence),
                runner(i64::from(sequence) * 50),
                sequence,
            );
        }
        for now in (burst_ms..burst_ms + 3_000).step_by(FRAME_MS) {
            if now % 50 == 0 && now > burst_ms {
                push_run(&mut buffer, u16::try_from(now / 50).expect("a short test"));
            }
            let played = play(&mut buffer, now);
            assert!(played.cursor >= last_cursor);
            last_cursor = played.cursor;
            let truth = SPEED * (now - 250) as f32 / 1e3;
            if now >= burst_ms + 1_000 {
                assert!(played.position[0] >= truth - 0.4, "{stall}: {now}: {played:?}");
            }
        }
    }
}

#[test]
fn a_long_silence_ends_with_the_next_pose() {
    let mut buffer = Buffer::new();
    run_until(&mut buffer, 20);
    for now in (1_050..61_000).step_by(FRAME_MS) {
        play(&mut buffer, now);
    }
    for sequence in 21..40 {
        push(&mut buffer, sequence, runner(60_000 + i64::from(sequence) * 50));
        play(&mut buffer, 60_000 + i64::from(sequence) * 50);
    }
    let played = play(&mut buffer, 62_000);
    assert!((played.position[0] - SPEED * 61.9).abs() < 0.1, "{played:?}");
    let stats = buffer.stats();
    assert_eq!((stats.stalls, stats.teleports), (1, 1));
}

/// A load of 30 s: nothing is played, then everything or only the newest pose is there at once.
#[track_caller]
fn check_load(arrived: impl Iterator<Item = u16>, teleports_at_once: u64) {
    let mut buffer = Buffer::new();
    run_until(&mut buffer, 20);
    for sequence in arrived {
        buffer.push(ms(31_000), Sequence(sequence), runner(i64::from(sequence) * 50), sequence);
    }
    let first = play(&mut buffer, 31_000);
    assert!(first.cursor >= ms(31_000 - 250), "{first:?}");
    // The only pose there is shows when it is its time.
    play(&mut buffer, 31_040);
    assert_eq!(buffer.stats().teleports, teleports_at_once);
    push_run(&mut buffer, 621);
    push_run(&mut buffer, 622);
    play(&mut buffer, 31_100);
    assert_eq!(buffer.stats().teleports, 1);
    for sequence in 623..700 {
        push_run(&mut buffer, sequence);
        let now = i64::from(sequence) * 50;
        let played = play(&mut buffer, now);
        let truth = SPEED * played.cursor.as_millis() as f32 / 1e3;
        assert!(!played.teleported && !played.stalled, "{played:?}");
        assert!((played.position[0] - truth).abs() < 0.05, "{played:?}");
        assert!(played.cursor >= ms(now - 300), "{now}: {played:?}");
    }
}

/// B3.6, B5.3
#[test]
fn after_a_load_it_takes_up_where_everything_that_came_meanwhile_leads() {
    check_load(21..=620, 1);
}

/// B3.6, B5.3
#[test]
fn after_a_load_it_takes_up_at_the_only_pose_that_was_kept() {
    check_load([620].into_iter(), 0);
}

#[test]
fn a_sender_whose_stamps_go_back_begins_anew() {
    let mut buffer = Buffer::new();
    run_until(&mut buffer, 20);
    // Ten seconds ahead, as far as the protocol lets through.
    assert_eq!(buffer.push(ms(1_050), Sequence(21), runner(11_050), 21), Pushed::Newest);
    play(&mut buffer, 1_050);
    let back = runner(1_100);
    assert_eq!(push(&mut buffer, 22, back), Pushed::Restarted);
    for sequence in 23..60 {
        push_run(&mut buffer, sequence);
        play(&mut buffer, i64::from(sequence) * 50);
    }
    let played = play(&mut buffer, 3_000);
    assert!((played.position[0] - SPEED * 2.9).abs() < 0.05, "{played:?}");
    assert_eq!(buffer.stats().contradictions, 1);
}

#[test]
fn a_sender_whose_stamps_and_sequences_both_go_back_begins_anew_once_the_last_is_stale() {
    let mut buffer = Buffer::new();
    run_until(&mut buffer, 20);
    buffer.push(ms(1_050), Sequence(20_000), runner(11_050), 20_000);
    play(&mut buffer, 1_050);
    play(&mut buffer, 1_600);
    for sequence in 21..=60 {
        assert_eq!(push_run(&mut buffer, sequence), Pushed::TooOld);
    }
    push_run(&mut buffer, 61);
    assert_eq!(push_run(&mut buffer, 62), Pushed::Restarted);
    play(&mut buffer, 3_100);
    assert_eq!(*play(&mut buffer, 3_200).step, 62);
}

#[test]
fn a_silence_of_half_a_round_of_sequences_does_not_lock_the_sender_out() {
    for first in [20 + 32_767u16, 20 + 32_768, 20 + 32_769, 20 + 50_000] {
        let mut buffer = Buffer::new();
        run_until(&mut buffer, 20);
        let pushed = push(&mut buffer, first, runner(3_000_000));
        assert!([Pushed::Newest, Pushed::Restarted].contains(&pushed), "{first}: {pushed:?}");
        assert_eq!(push(&mut buffer, first + 1, runner(3_000_050)), Pushed::Newest);
        play(&mut buffer, 3_000_100);
        assert_eq!(*play(&mut buffer, 3_000_150).step, first + 1);
    }
}

#[test]
fn a_step_of_our_own_clock_is_survived_and_never_plays_back() {
    for step_ms in [-5_000, -20, 20, 5_000] {
        let mut buffer = Buffer::new();
        run_until(&mut buffer, 40);
        let mut last_cursor = ServerTime::from_millis(0);
        for sequence in 41..200 {
            let now = ms(i64::from(sequence) * 50 + step_ms);
            buffer.push(now, Sequence(sequence), runner(i64::from(sequence) * 50), sequence);
            let played = buffer.play(now).expect("a pose is there");
            assert!(played.cursor >= last_cursor, "{step_ms}: {played:?}");
            last_cursor = played.cursor;
        }
        let behind_ms = 199 * 50 - last_cursor.as_millis();
        assert!((50..=260).contains(&behind_ms), "{step_ms}: {behind_ms}");
    }
}

#[test]
fn cleared_it_begins_with_the_next_pose() {
    let mut buffer = Buffer::new();
    run_until(&mut buffer, 20);
    buffer.clear();
    assert!(buffer.play(ms(1_050)).is_none());
    assert_eq!(push(&mut buffer, 3, stander(1_100, 100.0)), Pushed::Newest);
    let played = play(&mut buffer, 1_100);
    assert_eq!((played.position[0], played.teleported), (100.0, false));
}
