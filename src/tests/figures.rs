//! Poses sent and figures shown (B5.1 to B5.4).

use super::*;
use crate::game::{Phase, SceneKind};
use mp_protocol::game::{
    AnimTime, Animation as WireAnimation, Piece, PieceFlags, Pose, PoseAnimSpeed, PoseFlags,
};

/// Where the others' figure stands in a player's game.
fn seen(player: &Player) -> Option<[f32; 3]> {
    let shown = player.game.figure().filter(|figure| figure.shown);
    shown.and_then(|figure| figure.pose).map(|pose| pose.position)
}

fn walk(party: &mut Party, place: usize, ticks: u32, speed: f32) {
    for _ in 0..ticks {
        if let Some(hero) = party.players[place].game.hero.borrow_mut().as_mut() {
            hero.velocity = [speed, 0.0, 0.0];
            hero.position[0] += speed / 60.0;
        }
        party.tick();
    }
}

/// B5.1, B5.3
#[test]
fn a_walking_player_is_seen_about_100_ms_behind_in_every_game() {
    let mut party = Party::of(&["Nova_7", "Orbit"]);
    party.start();
    walk(&mut party, 1, 180, 6.0);
    let hero = party.players[1].game.hero.borrow().clone().expect("plays");
    let figure = seen(party.host()).expect("is seen");
    let behind_ms = (hero.position[0] - figure[0]) / 6.0 * 1_000.0;
    assert!((90.0..160.0).contains(&behind_ms), "{behind_ms} ms");
    let shown = party.host().game.figure().expect("is seen");
    assert_eq!(shown.name, "Orbit");
    let pose = shown.pose.expect("posed");
    assert_eq!((pose.health, pose.item, pose.animation.sequence), (4, 10, 5));
    assert!((pose.velocity[0] - 6.0).abs() < 0.1);
}

/// B5.2
#[test]
fn members_see_each_other_through_the_host() {
    let mut party = Party::of(&["Nova_7", "Orbit", "Quark"]);
    party.start();
    walk(&mut party, 1, 60, 6.0);
    let figures = party.players[2].game.figures.borrow();
    let names: Vec<_> = figures.values().map(|figure| figure.name.clone()).collect();
    assert_eq!(names, ["Nova_7", "Orbit"]);
}

/// B5.2, protocol.md 3, "When"
#[test]
fn poses_go_20_a_second_with_a_hero_and_one_a_second_without() {
    let mut party = Party::of(&["Nova_7"]);
    let sent = |party: &mut Party, ticks: u32| {
        let mut poses = 0;
        for _ in 0..ticks {
            party.now = party.now + TICK;
            let player = &mut party.players[0];
            player.mp.tick(&player.game, party.now);
            player.take_commands();
            poses += player.states.drain(..).count();
        }
        poses
    };
    sent(&mut party, 60);
    assert_eq!(sent(&mut party, 300), 5);
    party.players[0].game.play(0, hero([0.0; 3]));
    sent(&mut party, 1);
    assert_eq!(sent(&mut party, 300), 100);
    party.players[0].game.phase.set(Phase::Paused);
    assert_eq!(sent(&mut party, 300), 100, "menus too");
    party.players[0].game.phase.set(Phase::TitlePage);
    assert_eq!(
        sent(&mut party, 60),
        5,
        "that it is gone is said again at once: a pose may be lost"
    );
    assert_eq!(sent(&mut party, 300), 5);
}

/// protocol.md 3, "Order"
#[test]
fn stamps_never_decrease_when_the_clock_steps_back() {
    let mut party = Party::of(&["Nova_7"]);
    party.start();
    let mut last = i64::MIN;
    for step in 0..60_i64 {
        let player = &party.players[0];
        player.report(Event::Quality(Quality {
            round_trip: Duration::from_millis(12),
            server_offset_micros: OFFSET_MICROS - step * 20_000,
            udp: true,
            jitter: Duration::ZERO,
            loss: 0.0,
            bytes: Traffic::default(),
        }));
        party.step();
        for state in party.host().states.drain(..) {
            let Ok(Message::Pose(pose)) = Message::decode(&state) else { panic!("a pose") };
            assert!(pose.stamp_ms >= last, "{} after {last}", pose.stamp_ms);
            last = pose.stamp_ms;
        }
    }
}

/// B5.4
#[test]
fn a_player_in_another_level_has_no_figure() {
    let mut party = playing(&["Nova_7", "Orbit"]);
    assert!(seen(party.host()).is_some());
    party.players[1].game.level.set(Some(3));
    party.ticks(30);
    assert_eq!(seen(party.host()), None);
    party.players[1].game.level.set(Some(0));
    party.ticks(30);
    assert!(seen(party.host()).is_some());
}

/// B5.4
#[test]
fn a_player_that_dies_has_no_figure_until_it_comes_back_by_a_teleport() {
    let mut party = playing(&["Nova_7", "Orbit"]);
    let set = |party: &mut Party, health: i16, teleport: bool| {
        let mut hero = party.players[1].game.hero.borrow_mut();
        let hero = hero.as_mut().expect("plays");
        (hero.health, hero.teleport) = (health, teleport);
    };
    set(&mut party, 0, false);
    party.ticks(30);
    assert_eq!(seen(party.host()), None);
    set(&mut party, 4, false);
    party.ticks(30);
    assert_eq!(seen(party.host()), None, "he has health again but has not come back");
    set(&mut party, 4, true);
    party.tick();
    set(&mut party, 4, false);
    party.ticks(30);
    assert!(seen(party.host()).is_some());
}

/// B5.4: every pose that says the teleport may be lost, on a line that is bad for half a second.
#[test]
fn a_player_whose_return_was_lost_is_seen_again_once_it_is_alive_for_a_second() {
    let mut party = playing(&["Nova_7", "Orbit"]);
    party.players[1].game.hero.borrow_mut().as_mut().expect("plays").health = 0;
    party.ticks(30);
    assert_eq!(seen(party.host()), None);
    party.players[1].game.play(0, HeroPose { teleport: true, ..hero([0.0; 3]) });
    for tick in 0..30 {
        party.step();
        party.players[1].states.clear();
        party.route();
        if tick == 0 {
            party.players[1].game.play(0, hero([0.0; 3]));
        }
    }
    party.ticks(30);
    assert_eq!(seen(party.host()), None, "it may not have come back yet");
    party.ticks(60);
    assert!(seen(party.host()).is_some());
    party.players[1].game.hero.borrow_mut().as_mut().expect("plays").health = 0;
    party.ticks(30);
    assert_eq!(seen(party.host()), None, "it dies as any other");
}

/// B5.4
#[test]
fn a_player_silent_for_5_seconds_has_no_figure() {
    let mut party = playing(&["Nova_7", "Orbit"]);
    party.players[0].closed = true;
    party.ticks(290);
    assert!(seen(party.host()).is_some());
    party.ticks(20);
    assert_eq!(seen(party.host()), None);
}

/// B3.6
#[test]
fn a_stall_of_this_game_counts_as_100_ms_and_removes_nobody() {
    let mut party = playing(&["Nova_7", "Orbit"]);
    party.now = party.now + Duration::from_secs(30);
    party.ticks(2);
    assert!(seen(party.host()).is_some());
}

/// B5.4
#[test]
fn nobody_is_shown_while_a_scene_plays_here() {
    let mut party = playing(&["Nova_7", "Orbit"]);
    for kind in [SceneKind::Level, SceneKind::Own, SceneKind::Camera] {
        party.players[0].game.show(kind, None);
        party.ticks(2);
        assert_eq!(seen(party.host()), None, "{kind:?}");
        // What goes for it in a world that goes on still finds it.
        assert!(party.host().game.figure().is_some(), "{kind:?}");
        party.players[0].game.scene_over();
        party.ticks(2);
        assert!(seen(party.host()).is_some(), "{kind:?}");
    }
}

/// B5.3
#[test]
fn a_teleport_jumps() {
    let mut party = Party::of(&["Nova_7", "Orbit"]);
    party.start();
    party.ticks(60);
    party.players[1].game.play(0, HeroPose { teleport: true, ..hero([5.0, 0.0, 0.0]) });
    party.tick();
    party.players[1].game.play(0, hero([5.0, 0.0, 0.0]));
    for _ in 0..30 {
        party.tick();
        let x = seen(party.host()).expect("is seen")[0];
        assert!(x == 0.0 || x == 5.0, "slid to {x}");
    }
    assert_eq!(seen(party.host()).map(|at| at[0]), Some(5.0));
}

/// B5.3, protocol.md 3: a pose that a teleport came with may be lost: the next ones say it again, and
/// it shows as one jump.
#[test]
fn a_teleport_jumps_once_whichever_of_its_poses_are_lost() {
    for lost in 0..5 {
        let mut party = Party::of(&["Nova_7", "Orbit"]);
        party.start();
        party.ticks(60);
        party.players[1].game.play(0, HeroPose { teleport: true, ..hero([5.0, 0.0, 0.0]) });
        let mut loses = lost;
        let mut jumps = 0;
        for tick in 0..60 {
            party.now = party.now + TICK;
            for player in &mut party.players {
                player.mp.tick(&player.game, party.now);
                player.take_commands();
            }
            let states = &mut party.players[1].states;
            while loses > 0 && !states.is_empty() {
                states.remove(0);
                loses -= 1;
            }
            party.route();
            if tick == 0 {
                party.players[1].game.play(0, hero([5.0, 0.0, 0.0]));
            }
            let pose = party.host().game.figure().and_then(|figure| figure.pose).expect("is seen");
            assert!(pose.position[0] == 0.0 || pose.position[0] == 5.0, "{lost} lost: {pose:?}");
            jumps += u32::from(pose.teleport);
        }
        assert_eq!(jumps, 1, "{lost} lost");
        assert_eq!(seen(party.host()).map(|at| at[0]), Some(5.0), "{lost} lost");
    }
}

/// protocol.md 3: a teleport that lasts is one, and floods nobody.
#[test]
fn a_teleport_that_the_game_says_for_long_is_sent_as_one() {
    let mut party = Party::of(&["Nova_7"]);
    party.start();
    party.ticks(60);
    party.host().states.clear();
    party.host().game.play(0, HeroPose { teleport: true, ..hero([5.0, 0.0, 0.0]) });
    let mut said = Vec::new();
    for _ in 0..60 {
        party.step();
        for state in party.host().states.drain(..) {
            let Ok(Message::Pose(pose)) = Message::decode(&state) else { panic!("a pose") };
            said.push(pose.flags.teleport_ago());
        }
    }
    let ago: Vec<_> = (0..8).map(Some).collect();
    assert_eq!(said[..8], ago[..]);
    assert!(said[8..].iter().all(Option::is_none) && said.len() <= 21, "{said:?}");
}

/// B5.1: a weapon that there is no room for is asked for again; meanwhile there is the wrench, or nothing.
#[test]
fn a_figure_whose_weapon_cannot_be_had_holds_the_wrench_or_nothing_until_it_can() {
    let piece = |slot, item, class| Piece {
        slot,
        part: 0,
        item,
        class,
        joint: 5,
        flags: PieceFlags::default(),
        animation: WireAnimation {
            seq: 0,
            frame: 0,
            next_frame: 1,
            time: AnimTime::default(),
            speed: PoseAnimSpeed::default(),
        },
        placement: None,
    };
    let (wrench, blaster, clank) = (piece(0, 8, 71), piece(0, 15, 73), piece(1, 2, 72));
    let mut party = Party::of(&["Nova_7", "Orbit"]);
    party.start();
    let wear = |party: &mut Party, item: i16, pieces: &[Piece]| {
        let pieces = pieces.iter().copied().collect();
        party.players[1].game.play(0, HeroPose { item, pieces, ..hero([0.0; 3]) });
        party.ticks(30);
        party.host().game.figure().expect("is seen").pieces.to_vec()
    };
    party.host().game.no_room_for.borrow_mut().push(73);
    assert_eq!(wear(&mut party, 15, &[blaster, clank]), [clank], "nobody held a wrench yet");
    assert_eq!(wear(&mut party, 8, &[wrench, clank]), [wrench, clank]);
    assert_eq!(wear(&mut party, 15, &[blaster, clank]), [wrench, clank]);
    party.host().game.no_room_for.borrow_mut().push(71);
    assert_eq!(wear(&mut party, 15, &[blaster]), []);
    party.host().game.no_room_for.borrow_mut().clear();
    party.ticks(90);
    assert_eq!(party.host().game.figure().expect("is seen").pieces.to_vec(), [blaster]);
}

/// B5.2: at most 30 a second of a member's, of more the newest, bytes unchanged, to all.
#[test]
fn of_a_members_poses_30_a_second_are_passed_on_as_they_came_and_of_more_the_newest() {
    let mut party = Party::of(&["Nova_7", "Orbit", "Quark"]);
    party.start();
    party.ticks(60);
    let orbit = party.players[1].id;
    let state = sent_by(&mut party, 1);
    let Ok(Message::Pose(pose)) = Message::decode(&state) else { panic!("a pose") };
    let mut sequence = pose.sequence;
    let mut passed_on = Vec::new();
    for _ in 0..60 {
        party.now = party.now + TICK;
        for _ in 0..3 {
            sequence += 1;
            let mut bytes = encoded(&Message::Pose(Pose { sequence, ..pose }));
            // A newer mod's may say more.
            bytes.push(77);
            party.host().data(orbit, &bytes);
        }
        let now = party.now;
        let host = party.host();
        host.mp.tick(&host.game, now);
        host.take_commands();
        passed_on
            .extend(host.states.drain(..).filter(|state| state[1..5] == orbit.0.to_be_bytes()));
    }
    assert!((29..=31).contains(&passed_on.len()), "{}", passed_on.len());
    for state in passed_on {
        let Ok(Message::Pose(passed)) = Message::decode(&state) else { panic!("a pose") };
        assert_eq!((passed.sequence - pose.sequence) % 3, 0, "the newest of its tick");
        assert_eq!(state.last(), Some(&77), "as it came");
    }
}

/// B5.1, protocol.md 3, "Malformed"
#[test]
fn a_pose_that_is_not_finite_or_far_away_or_of_no_level_shows_nothing_and_is_counted() {
    let mut party = Party::of(&["Nova_7", "Orbit"]);
    party.start();
    party.ticks(60);
    let orbit = party.players[1].id;
    let good = sent_by(&mut party, 1);
    let with = |at: usize, bytes: &[u8]| {
        let mut bad = good.clone();
        bad[at..at + bytes.len()].copy_from_slice(bytes);
        bad
    };
    // The level is byte 15; position, rotation and velocity begin at 17, 29 and 41.
    let bad = [
        with(17, &f32::NAN.to_be_bytes()),
        with(17, &1e6_f32.to_be_bytes()),
        with(29, &f32::INFINITY.to_be_bytes()),
        with(41, &f32::NEG_INFINITY.to_be_bytes()),
        with(15, &(-2_i8).to_be_bytes()),
    ];
    for bytes in &bad {
        party.host().data(orbit, bytes);
    }
    party.ticks(20);
    assert_eq!(seen(party.host()), Some([0.0; 3]));
    assert!(party.host().game.logged.borrow().iter().any(|line| line.contains("malformed")));
    // A level that this game does not have is just another one.
    party.players[1].game.level.set(Some(127));
    party.ticks(20);
    assert_eq!(seen(party.host()), None);
    (0..15).for_each(|_| party.host().data(orbit, &bad[0]));
    party.ticks(2);
    assert!(party.host().asked.contains(&Command::Disconnect { session: orbit }), "counted");
}

/// B5.4: the pose that one comes back to life with may be lost.
#[test]
fn one_that_comes_back_to_life_is_seen_though_that_pose_is_lost() {
    let mut party = Party::of(&["Nova_7", "Orbit"]);
    party.start();
    party.ticks(60);
    party.players[1].game.play(0, HeroPose { health: 0, ..hero([0.0; 3]) });
    party.ticks(30);
    assert_eq!(seen(party.host()), None);
    party.players[1].game.play(0, HeroPose { teleport: true, ..hero([3.0, 0.0, 0.0]) });
    party.now = party.now + TICK;
    for player in &mut party.players {
        player.mp.tick(&player.game, party.now);
        player.take_commands();
    }
    assert_eq!(party.players[1].states.len(), 1);
    party.players[1].states.clear();
    party.players[1].game.play(0, hero([3.0, 0.0, 0.0]));
    party.ticks(30);
    assert_eq!(seen(party.host()), Some([3.0, 0.0, 0.0]));
}

/// B3.4, protocol.md 3, "Malformed"
#[test]
fn a_pose_that_is_anothers_or_from_the_future_shows_nothing() {
    let mut party = playing(&["Nova_7", "Orbit", "Quark"]);
    let state = sent_by(&mut party, 1);
    let Ok(Message::Pose(pose)) = Message::decode(&state) else { panic!("a pose") };
    let orbit = party.players[1].id;
    let mut far = pose;
    far.position = [50.0, 0.0, 0.0];
    far.flags = PoseFlags::TELEPORT;
    far.sequence = pose.sequence.wrapping_add(1);
    let (mut anothers, mut early) = (far, far);
    anothers.owner = party.players[2].id;
    early.stamp_ms += 20_000;
    for bad in [anothers, early] {
        let mut bytes = Vec::new();
        Message::Pose(bad).encode(&mut bytes).expect("encodes");
        party.host().data(orbit, &bytes);
        party.ticks(30);
        let figures = party.host().game.figures.borrow().clone();
        for figure in figures.values() {
            assert_eq!(figure.pose.as_ref().map(|pose| pose.position[0]), Some(0.0));
        }
    }
}

/// B5.4
#[test]
fn a_figure_that_goes_with_its_level_is_made_again() {
    let mut party = playing(&["Nova_7", "Orbit"]);
    party.host().game.figures.borrow_mut().clear();
    party.ticks(3);
    assert!(seen(party.host()).is_some());
}

#[test]
fn a_hero_that_the_wire_has_no_room_for_is_not_sent_and_said_once() {
    let mut party = Party::of(&["Nova_7"]);
    party.start();
    party.host().states.clear();
    party.host().game.play(0, hero([f32::NAN, 0.0, 0.0]));
    let before = party.host().game.logged.borrow().len();
    party.ticks(60);
    assert_eq!(party.host().game.logged.borrow().len(), before + 1);
}

/// B5.2, protocol.md 2: what is passed on to everyone must fit a datagram.
#[test]
fn a_pose_too_large_for_a_datagram_is_not_passed_on() {
    let mut party = playing(&["Nova_7", "Orbit"]);
    let orbit = party.players[1].id;
    let mut state = sent_by(&mut party, 1);
    state.resize(60_000, 0);
    let now = party.now;
    party.host().data(orbit, &state);
    let host = party.host();
    host.states.clear();
    host.mp.tick(&host.game, now);
    host.take_commands();
    assert!(host.states.iter().all(|state| state.len() < 1_200));
}
