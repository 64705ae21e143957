//! Scenes that everyone sees (B5.6), and what is said of them; what skips them, and how they end together, is
//! beside this.

mod ends;
mod skips;

use super::*;
use crate::game::{Phase, SceneKind};
use mp_protocol::game::{PlayId, Skip as SkipNews, SkipTarget, SkipWhat};

/// They left the title for the host's game, and it still loads.
fn loading(names: &[&'static str]) -> Party {
    let mut party = Party::of(names);
    party.start();
    for player in &party.players {
        player.game.fly();
        player.game.phase.set(Phase::Loading);
    }
    party.ticks(10);
    party
}

/// Ticks in which what plays goes on.
fn play(party: &mut Party, ticks: u32) {
    for _ in 0..ticks {
        for player in &party.players {
            player.game.plays_for(TICK);
        }
        party.tick();
    }
}

/// A scene of the level's own starts in the host's game.
fn begin(party: &mut Party, number: i32) {
    party.host().game.show(SceneKind::Level, Some(number));
    play(party, 3);
}

/// What the mod did about scenes since last asked.
fn did(player: &Player) -> Vec<String> {
    let about = |what: &String| what.starts_with("play scene") || what.starts_with("skip");
    player.game.did().into_iter().filter(about).collect()
}

fn plays(player: &Player) -> Option<i32> {
    player.game.scene.get().and_then(|scene| scene.number)
}

fn skip(what: SkipWhat, sequence: u16, play: i32, scene: u16) -> Vec<u8> {
    let target = Some(SkipTarget { sequence, play: PlayId(play), what, scene });
    encoded(&SkipNews { origin: SessionId(7), target }.into())
}

/// B5.6
#[test]
fn a_scene_of_the_hosts_starts_in_every_members_game_from_its_start() {
    let mut party = playing(&["Nova_7", "Orbit", "Quark"]);
    begin(&mut party, 1);
    for player in &party.players[1..] {
        assert_eq!(did(player), ["play scene 1: true"]);
    }
    play(&mut party, 4 * SECOND);
    for player in &party.players[1..] {
        assert_eq!(did(player), [""; 0], "once only");
    }
    assert_eq!(did(&party.players[0]), [""; 0], "and none in the host's");
}

/// B5.6
#[test]
fn a_member_in_a_menu_starts_it_when_the_menu_closes_even_past_the_hosts_end_and_sees_all_of_it() {
    for phase in [Phase::Paused, Phase::Dialog, Phase::Vendor, Phase::Dying] {
        let mut party = playing(&["Nova_7", "Orbit"]);
        party.players[1].game.phase.set(phase);
        begin(&mut party, 1);
        play(&mut party, 4 * SECOND);
        party.host().game.scene_over();
        play(&mut party, SECOND);
        assert_eq!(did(&party.players[1]), [""; 0], "{phase:?}");
        party.players[1].game.phase.set(Phase::Playing);
        play(&mut party, 4 * SECOND - 10);
        assert_eq!(did(&party.players[1]), ["play scene 1: true"], "{phase:?}");
        // As long as the host saw it, and no longer.
        play(&mut party, 20);
        assert_eq!(did(&party.players[1]), ["skip Level(1)"], "{phase:?}");
    }
}

/// B5.6
#[test]
fn a_member_without_control_starts_it_when_it_has_control() {
    let mut party = playing(&["Nova_7", "Orbit"]);
    party.players[1].game.control.set(false);
    begin(&mut party, 1);
    assert_eq!(did(&party.players[1]), [""; 0]);
    party.players[1].game.control.set(true);
    play(&mut party, 2);
    assert_eq!(did(&party.players[1]), ["play scene 1: true"]);
}

/// B5.6: a load that kept it until after the host's end.
#[test]
fn a_member_that_loads_meanwhile_sees_it_when_it_is_there() {
    let mut party = playing(&["Nova_7", "Orbit"]);
    party.players[1].game.level.set(None);
    party.players[1].game.phase.set(Phase::Loading);
    begin(&mut party, 1);
    play(&mut party, 2 * SECOND);
    party.host().game.scene_over();
    play(&mut party, SECOND);
    party.players[1].game.play(0, hero([0.0; 3]));
    play(&mut party, 3);
    assert_eq!(did(&party.players[1]), ["play scene 1: true"]);
}

/// B5.6: only in that level.
#[test]
fn a_member_in_another_level_and_one_at_the_title_do_not_play_it() {
    let mut party = playing(&["Nova_7", "Orbit", "Quark"]);
    party.players[1].game.level.set(Some(5));
    party.players[2].game.title();
    party.ticks(3);
    begin(&mut party, 1);
    party.host().game.scene_over();
    play(&mut party, 3);
    for place in 1..3 {
        party.players[place].game.play(0, hero([0.0; 3]));
        play(&mut party, 30);
        assert_eq!(did(&party.players[place]), [""; 0], "{place}");
    }
}

/// B5.6: the opening begins in every game by itself.
#[test]
fn an_intro_that_every_game_begins_by_itself_plays_once_whoever_is_first() {
    for member_first in [true, false] {
        let mut party = Party::of(&["Nova_7", "Orbit"]);
        party.start();
        for player in &party.players {
            player.game.fly();
            player.game.phase.set(Phase::Loading);
        }
        party.ticks(10);
        for player in &party.players {
            player.game.did();
        }
        let order = if member_first { [1, 0] } else { [0, 1] };
        for place in order {
            party.players[place].game.play(0, hero([0.0; 3]));
            party.players[place].game.show(SceneKind::Level, Some(0));
            play(&mut party, 2 * SECOND);
        }
        for place in order {
            party.players[place].game.scene_over();
            play(&mut party, 2 * SECOND);
        }
        assert_eq!(did(&party.players[1]), [""; 0], "member first: {member_first}");
        for player in &party.players {
            assert_eq!(held(player), None);
        }
        // The same scene, once more and later, is another one.
        begin(&mut party, 0);
        assert_eq!(did(&party.players[1]), ["play scene 0: true"]);
    }
}

/// B5.6: a member that was done with its intro before the host began to play its own.
#[test]
fn a_member_that_was_done_with_its_intro_waits_for_the_hosts_and_does_not_see_it_again() {
    let mut party = loading(&["Nova_7", "Orbit"]);
    party.players[1].game.play(0, hero([0.0; 3]));
    party.players[1].game.show(SceneKind::Level, Some(0));
    play(&mut party, 2 * SECOND);
    party.players[1].game.scene_over();
    play(&mut party, 2 * SECOND);
    party.players[1].game.did();
    party.host().game.play(0, hero([0.0; 3]));
    begin(&mut party, 0);
    assert_eq!(did(&party.players[1]), [""; 0]);
    assert!(held(&party.players[1]).is_some());
    party.host().game.scene_over();
    play(&mut party, 3);
    assert_eq!((held(&party.players[0]), held(&party.players[1])), (None, None));
}

/// B5.6
#[test]
fn a_game_that_has_no_such_scene_is_out_of_it_after_two_seconds() {
    let mut party = playing(&["Nova_7", "Orbit"]);
    party.players[1].game.scenes.set(false);
    begin(&mut party, 1);
    party.host().game.scene_over();
    play(&mut party, 10);
    assert!(held(party.host()).is_some());
    play(&mut party, 2 * SECOND);
    assert_eq!(held(party.host()), None);
}

/// B7.2
#[test]
fn a_gold_bolts_shot_is_the_collectors_alone() {
    for place in 0..2 {
        let mut party = playing(&["Nova_7", "Orbit"]);
        party.players[place].game.show(SceneKind::Camera, None);
        play(&mut party, SECOND);
        party.players[place].game.scene_over();
        for _ in 0..30 {
            play(&mut party, 1);
            assert_eq!((held(&party.players[0]), held(&party.players[1])), (None, None));
        }
        assert_eq!(did(&party.players[1 - place]), [""; 0]);
        assert_eq!(did(&party.players[place]), [""; 0]);
    }
}

/// B5.6: a member speaks to somebody that the others do not.
#[test]
fn a_members_own_scene_is_its_own_and_ends_by_itself() {
    let mut party = playing(&["Nova_7", "Orbit"]);
    party.players[1].game.show(SceneKind::Level, Some(1));
    play(&mut party, 5 * SECOND);
    assert_eq!((did(&party.players[0]), did(&party.players[1])), (vec![], vec![]));
    assert_eq!(held(party.host()), None);
}

/// B5.8, protocol.md 3: SCENE_STATE at each change and once a second; none once it is over everywhere.
#[test]
fn a_member_says_how_far_it_is_at_each_change_and_once_a_second() {
    let mut party = playing(&["Nova_7", "Orbit"]);
    party.players[1].game.phase.set(Phase::Paused);
    let mut said = Vec::new();
    let mut tick = |party: &mut Party, ticks: u32| {
        for _ in 0..ticks {
            party.now = party.now + TICK;
            for player in &mut party.players {
                player.game.plays_for(TICK);
                player.mp.tick(&player.game, party.now);
                player.take_commands();
            }
            let events = party.players[1].events.iter();
            said.extend(events.filter(|(_, b)| b[0] == 21).map(|(_, b)| b[1..].to_vec()));
            party.route();
        }
        std::mem::take(&mut said)
    };
    party.host().game.show(SceneKind::Level, Some(1));
    let still = tick(&mut party, 2 * SECOND + 30);
    assert_eq!(still, vec![[0, 0, 0, 1, 0, 1, 0].to_vec(); 3]);
    party.players[1].game.phase.set(Phase::Playing);
    let playing = tick(&mut party, SECOND + 30);
    assert_eq!(playing, vec![[0, 0, 0, 1, 0, 1, 1].to_vec(); 2]);
    party.players[1].game.scene_over();
    party.host().game.scene_over();
    let out = tick(&mut party, 5 * SECOND);
    assert_eq!(out, vec![[0, 0, 0, 1, 0, 1, 2].to_vec(); 1]);
}

/// B5.6, protocol.md 3: SCENE at its start, once a second, at its end, around LEVEL's word of it.
#[test]
fn the_host_says_what_it_plays_at_its_start_once_a_second_and_at_its_end() {
    let mut party = playing(&["Nova_7"]);
    party.ticks(SECOND);
    let said = |party: &mut Party, ticks: u32| {
        let mut said = Vec::new();
        for _ in 0..ticks {
            let now = party.now + TICK;
            party.now = now;
            let host = party.host();
            host.game.plays_for(TICK);
            host.mp.tick(&host.game, now);
            host.take_commands();
            for (_, bytes) in host.events.drain(..) {
                match Message::decode(&bytes) {
                    Ok(Message::Scene(scene)) => {
                        said.push(format!("{:?} of {}", scene.scene, scene.sequence));
                    }
                    Ok(Message::Level(level)) => said.push(format!("in a scene: {}", level.scene)),
                    _ => {}
                }
            }
        }
        said
    };
    party.host().game.show(SceneKind::Level, Some(4));
    assert_eq!(said(&mut party, 1), ["Some(4) of 1", "in a scene: true"]);
    let a_second = ["Some(4) of 1", "in a scene: true"];
    assert_eq!(said(&mut party, SECOND + 5), a_second);
    party.host().game.show(SceneKind::Level, Some(5));
    assert_eq!(said(&mut party, 1), ["Some(5) of 2"], "the newer ends the older");
    party.host().game.scene_over();
    assert_eq!(said(&mut party, 1), ["in a scene: false", "None of 2"]);
    party.host().game.show(SceneKind::Own, None);
    assert_eq!(said(&mut party, 1), ["in a scene: true"]);
}
