//! Shots that are shown only (B5.1, B5.2).

use super::*;
use crate::game::{Phase, Shot};
use crate::hooks::Happened;
use mp_protocol::game::{Level, Shot as ShotNews};

const SHOT: Shot = Shot {
    item: 15,
    position: [1.0, 2.0, 3.0],
    velocity: [30.0, 0.0, 0.0],
    aim: [0.1, 0.2, 0.3, 0.4],
};

fn playing(names: &[&'static str]) -> Party {
    let mut party = Party::of(names);
    party.start();
    party.ticks(60);
    party
}

fn fire(party: &mut Party, place: usize) {
    let player = &mut party.players[place];
    player.mp.happened(&Happened::Shot(SHOT), &player.game, LocalTime::ZERO);
}

fn fired(player: &Player) -> usize {
    player.game.fired.borrow().len()
}

/// B5.1: fired by the figure, as far behind as its poses play.
#[test]
fn a_members_shot_is_fired_by_its_figure_in_every_game_as_far_behind_as_its_poses() {
    let mut party = playing(&["Nova_7", "Orbit", "Quark"]);
    fire(&mut party, 1);
    let mut seen_at = [None; 3];
    for tick in 0..30 {
        party.tick();
        for (place, seen) in seen_at.iter_mut().enumerate() {
            if seen.is_none() && fired(&party.players[place]) > 0 {
                *seen = Some(tick);
            }
        }
    }
    // 100 ms are 6 ticks, and one or two on the way.
    assert!(matches!(seen_at, [Some(6..=8), None, Some(6..=9)]), "{seen_at:?}");
    for place in [0, 2] {
        let game = &party.players[place].game;
        let (figure, shot) = game.fired.borrow()[0];
        assert_eq!(game.figures.borrow()[&figure].name, "Orbit");
        assert_eq!(shot, SHOT);
    }
    assert_eq!(fired(&party.players[1]), 0, "its own comes back and is not fired again");
}

/// B5.1
#[test]
fn the_hosts_shot_is_fired_in_every_members_game() {
    let mut party = playing(&["Nova_7", "Orbit", "Quark"]);
    fire(&mut party, 0);
    party.ticks(30);
    let seen: Vec<_> = party.players.iter().map(fired).collect();
    assert_eq!(seen, [0, 1, 1]);
}

/// B5.2: at most 20 a second of a member's, bytes unchanged, to all.
#[test]
fn of_a_members_shots_20_a_second_are_passed_on_as_they_came() {
    let mut party = playing(&["Nova_7", "Orbit", "Quark"]);
    let orbit = party.players[1].id;
    let level = Level::new(0).expect("a level");
    let Shot { item, position, velocity, aim } = SHOT;
    let mut bytes =
        encoded(&ShotNews { owner: orbit, level, item, position, velocity, aim }.into());
    // A newer mod's may say more.
    bytes.push(77);
    let mut passed_on = Vec::new();
    for tick in 0..120 {
        party.now = party.now + TICK;
        if tick < 60 {
            (0..3).for_each(|_| party.players[0].data(orbit, &bytes));
        }
        let now = party.now;
        let host = party.host();
        host.mp.tick(&host.game, now);
        host.take_commands();
        passed_on.extend(host.events.drain(..).filter(|(_, bytes)| bytes[0] == 19));
    }
    assert_eq!(passed_on.len(), 20);
    assert!(passed_on.iter().all(|passed| *passed == (None, bytes.clone())));
}

/// B5.2
#[test]
fn this_player_tells_at_most_20_shots_a_second() {
    let mut party = playing(&["Nova_7", "Orbit"]);
    party.players[1].events.clear();
    (0..100).for_each(|_| fire(&mut party, 1));
    party.players[1].take_commands();
    assert_eq!(party.players[1].events.iter().filter(|(_, bytes)| bytes[0] == 19).count(), 20);
    party.ticks(61);
    fire(&mut party, 1);
    party.players[1].take_commands();
    assert_eq!(party.players[1].events.iter().filter(|(_, bytes)| bytes[0] == 19).count(), 1);
}

/// protocol.md 3, "Elsewhere"; B5.4
#[test]
fn a_shot_of_another_level_and_one_in_a_scene_is_not_seen() {
    let mut party = playing(&["Nova_7", "Orbit", "Quark"]);
    party.players[2].game.level.set(Some(3));
    fire(&mut party, 2);
    party.ticks(30);
    assert_eq!((fired(&party.players[0]), fired(&party.players[1])), (0, 0));
    party.players[0].game.phase.set(Phase::Scene);
    fire(&mut party, 1);
    party.ticks(30);
    assert_eq!(fired(&party.players[0]), 0);
}

/// B3.4, protocol.md 3, "Malformed"
#[test]
fn a_shot_that_is_anothers_or_not_finite_or_far_away_is_dropped_and_counted() {
    let mut party = playing(&["Nova_7", "Orbit", "Quark"]);
    let (orbit, quark) = (party.players[1].id, party.players[2].id);
    let level = Level::new(0).expect("a level");
    let Shot { item, position, velocity, aim } = SHOT;
    let good = encoded(&ShotNews { owner: orbit, level, item, position, velocity, aim }.into());
    let anothers = encoded(&ShotNews { owner: quark, level, item, position, velocity, aim }.into());
    let with = |at: usize, float: f32| {
        let mut bytes = good.clone();
        bytes[at..at + 4].copy_from_slice(&float.to_be_bytes());
        bytes
    };
    // Position from byte 8 on, then velocity, then aim.
    let bad =
        [anothers, with(8, f32::NAN), with(8, 1e6), with(24, f32::INFINITY), with(44, f32::NAN)];
    for bytes in &bad {
        party.host().data(orbit, bytes);
    }
    party.ticks(30);
    assert_eq!(party.players.iter().map(fired).collect::<Vec<_>>(), [0, 0, 0]);
    assert!(party.host().game.logged.borrow().iter().any(|line| line.contains("malformed")));
    (0..15).for_each(|_| party.host().data(orbit, &bad[1]));
    party.ticks(2);
    assert!(party.host().asked.contains(&Command::Disconnect { session: orbit }));
}
