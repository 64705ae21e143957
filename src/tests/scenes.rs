//! Scenes that everyone sees, what skips them, and how they end together (B5.6 to B5.8).

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

/// B5.7
#[test]
fn the_hosts_start_skips_the_scene_everywhere() {
    let mut party = playing(&["Nova_7", "Orbit", "Quark"]);
    party.players[2].game.phase.set(Phase::Paused);
    begin(&mut party, 1);
    let host = party.host();
    assert!(host.skips(Skip::Level(1)));
    host.game.scene_over();
    play(&mut party, 3);
    assert_eq!(did(&party.players[1]), ["play scene 1: true", "skip Level(1)"]);
    party.players[2].game.phase.set(Phase::Playing);
    play(&mut party, 30);
    assert_eq!(did(&party.players[2]), [""; 0], "one that was still to play it does not");
    for player in &party.players {
        assert_eq!(held(player), None);
    }
}

/// B5.7
#[test]
fn the_hosts_skip_of_the_opening_skips_that_of_a_member_that_still_loads() {
    let mut party = loading(&["Nova_7", "Orbit"]);
    party.host().game.play(0, hero([0.0; 3]));
    begin(&mut party, 0);
    let host = party.host();
    assert!(host.skips(Skip::Level(0)));
    host.game.scene_over();
    play(&mut party, SECOND);
    party.players[1].game.did();
    party.players[1].game.play(0, hero([0.0; 3]));
    party.players[1].game.show(SceneKind::Level, Some(0));
    play(&mut party, 3);
    assert_eq!(did(&party.players[1]), ["skip Level(0)"]);
    assert_eq!(plays(&party.players[1]), None);
}

/// B5.7
#[test]
fn one_skip_skips_one_scene_only_however_long_start_is_held() {
    let mut party = playing(&["Nova_7", "Orbit"]);
    begin(&mut party, 1);
    let host = party.host();
    assert!(host.skips(Skip::Level(1)));
    // At once the next one plays in the host's game.
    host.game.show(SceneKind::Level, Some(2));
    play(&mut party, 10);
    let done = ["play scene 1: true", "skip Level(1)", "play scene 2: true"];
    assert_eq!(did(&party.players[1]), done);
    play(&mut party, 2 * SECOND);
    assert_eq!(plays(&party.players[1]), Some(2), "it plays on");
}

/// B5.7: what an old SKIP, another play's, a scene's of before, or a movie's while none plays, skips.
#[test]
fn a_skip_that_means_nothing_that_plays_here_skips_nothing() {
    let mut party = playing(&["Nova_7", "Orbit"]);
    let host = party.host().id;
    begin(&mut party, 1);
    party.host().game.scene_over();
    play(&mut party, SECOND);
    begin(&mut party, 2);
    did(&party.players[1]);
    let first = skip(SkipWhat::HostScene, 5, 1, 1);
    let other_play = skip(SkipWhat::HostScene, 6, 2, 2);
    let movie = skip(SkipWhat::Movie, 7, 1, 0);
    let own = skip(SkipWhat::GameScene, 8, 1, 0);
    let old = skip(SkipWhat::HostScene, 8, 1, 2);
    let older_mods = encoded(&SkipNews { origin: host, target: None }.into());
    for bytes in [first, other_play, movie, own, old, older_mods] {
        party.players[1].data(host, &bytes);
        play(&mut party, 2);
        assert_eq!(did(&party.players[1]), [""; 0], "{bytes:?}");
    }
    party.players[1].data(host, &skip(SkipWhat::HostScene, 9, 1, 2));
    play(&mut party, 2);
    assert_eq!(did(&party.players[1]), ["skip Level(2)"]);
}

/// B5.7
#[test]
fn a_skipped_movie_is_skipped_in_every_game_also_where_it_begins_a_moment_later_and_no_other() {
    let mut party = playing(&["Nova_7", "Orbit", "Quark"]);
    let host = party.host();
    assert!(host.picks(3));
    for player in &party.players {
        player.game.fly();
    }
    party.ticks(3);
    party.players[0].game.show(SceneKind::Movie, None);
    party.players[1].game.show(SceneKind::Movie, None);
    party.ticks(3);
    let host = party.host();
    assert!(host.skips(Skip::Movie));
    host.game.scene_over();
    party.ticks(3);
    assert_eq!(did(&party.players[1]), ["skip Movie"]);
    party.players[2].game.show(SceneKind::Movie, None);
    party.ticks(3);
    assert_eq!(did(&party.players[2]), ["skip Movie"]);
    // The next one is another.
    party.players[2].game.fly();
    party.players[2].game.show(SceneKind::Movie, None);
    party.ticks(3);
    assert_eq!(did(&party.players[2]), [""; 0]);
}

/// B5.7
#[test]
fn the_landing_that_the_host_skips_is_skipped_where_it_plays_and_the_intro_after_it_is_not() {
    let mut party = playing(&["Nova_7", "Orbit", "Quark"]);
    for player in &party.players {
        player.game.show(SceneKind::Own, None);
    }
    play(&mut party, 10);
    party.players[2].game.show(SceneKind::Level, Some(0));
    play(&mut party, 10);
    let host = party.host();
    assert!(host.skips(Skip::Own));
    host.game.show(SceneKind::Level, Some(0));
    play(&mut party, 2);
    assert!(did(&party.players[1]).contains(&"skip Own".to_owned()));
    assert_eq!(did(&party.players[2]), [""; 0]);
}

/// B5.7
#[test]
fn a_members_start_says_who_can_skip_and_skips_nothing() {
    let mut party = playing(&["Nova_7", "Orbit"]);
    begin(&mut party, 1);
    for what in [Skip::Level(1), Skip::Own, Skip::Movie] {
        let member = &mut party.players[1];
        assert!(!member.skips(what));
        assert_eq!(member.game.messages.take(), ["Only the host can skip"]);
    }
    play(&mut party, 10);
    assert_eq!((plays(&party.players[0]), plays(&party.players[1])), (Some(1), Some(1)));
    let mut alone = Player::new("Skid", 9);
    assert!(alone.skips(Skip::Level(1)), "alone everyone skips");
}

/// B5.8
#[test]
fn the_host_out_of_its_scene_waits_until_everyone_is_out_and_ends_theirs() {
    let mut party = playing(&["Nova_7", "Orbit", "Quark"]);
    begin(&mut party, 1);
    play(&mut party, 2 * SECOND);
    party.host().game.scene_over();
    party.tick();
    assert!(held(party.host()).is_some(), "the others are still in it");
    play(&mut party, 10);
    for player in &party.players {
        assert_eq!((plays(player), held(player)), (None, None));
    }
    assert_eq!(did(&party.players[1]), ["play scene 1: true", "skip Level(1)"]);
}

/// B5.8
#[test]
fn the_host_waits_10_seconds_for_one_that_does_not_come_out() {
    let mut party = playing(&["Nova_7", "Orbit"]);
    party.players[1].game.phase.set(Phase::Paused);
    begin(&mut party, 1);
    party.host().game.scene_over();
    play(&mut party, 10 * SECOND - 30);
    assert!(held(party.host()).is_some());
    play(&mut party, SECOND);
    assert_eq!(held(party.host()), None);
}

/// B5.8
#[test]
fn a_member_out_of_its_scene_waits_for_the_hosts_end() {
    let mut party = playing(&["Nova_7", "Orbit"]);
    begin(&mut party, 1);
    party.players[1].game.scene_over();
    play(&mut party, 20 * SECOND);
    assert_eq!(held(&party.players[1]).as_deref(), Some("Waiting for the other players"));
    assert!(!party.players[1].mp.parties().0.can_be_hurt());
    party.host().game.scene_over();
    play(&mut party, 3);
    assert_eq!(held(&party.players[1]), None);
    assert!(party.players[1].mp.parties().0.can_be_hurt());
}

/// B5.8: a host that says for ever that a scene plays, or whose game hangs in one, holds nobody for ever.
#[test]
fn a_member_waits_90_seconds_for_a_host_whose_scene_does_not_end_and_is_told() {
    for silent in [false, true] {
        let mut party = playing(&["Nova_7", "Orbit"]);
        begin(&mut party, 1);
        party.players[1].game.scene_over();
        let passes = |party: &mut Party, ticks: u32| {
            for _ in 0..ticks {
                party.now = party.now + TICK;
                let now = party.now;
                let hanging = usize::from(silent);
                for player in &mut party.players[hanging..] {
                    player.game.plays_for(TICK);
                    player.mp.tick(&player.game, now);
                    player.take_commands();
                }
                party.route();
            }
        };
        passes(&mut party, 40 * SECOND);
        // A look at the menu begins nothing anew.
        party.players[1].game.phase.set(Phase::Paused);
        passes(&mut party, 3);
        party.players[1].game.phase.set(Phase::Playing);
        passes(&mut party, 49 * SECOND);
        assert!(held(&party.players[1]).is_some(), "silent: {silent}");
        assert_eq!(party.players[1].game.messages.take(), [""; 0]);
        passes(&mut party, 2 * SECOND);
        assert_eq!(held(&party.players[1]), None, "silent: {silent}");
        assert!(party.players[1].mp.parties().0.can_be_hurt());
        passes(&mut party, 60 * SECOND);
        assert_eq!(held(&party.players[1]), None, "silent: {silent}");
        let words = "The host is still in a scene: the game goes on without it";
        assert_eq!(party.players[1].game.messages.take(), [words], "told once");
    }
}

/// B5.8: the next scene is waited for as long as the first.
#[test]
fn a_host_out_of_the_scene_that_did_not_end_is_waited_for_in_the_next() {
    let mut party = playing(&["Nova_7", "Orbit"]);
    begin(&mut party, 1);
    party.players[1].game.scene_over();
    play(&mut party, 91 * SECOND);
    assert_eq!(held(&party.players[1]), None);
    party.host().game.scene_over();
    play(&mut party, SECOND);
    begin(&mut party, 2);
    party.players[1].game.scene_over();
    play(&mut party, SECOND);
    assert!(held(&party.players[1]).is_some());
}

/// B5.8
#[test]
fn one_who_leaves_or_is_ignored_is_waited_for_no_longer() {
    for leaves in [true, false] {
        let mut party = playing(&["Nova_7", "Orbit"]);
        party.players[1].game.phase.set(Phase::Paused);
        begin(&mut party, 1);
        party.host().game.scene_over();
        play(&mut party, 10);
        assert!(held(party.host()).is_some());
        let id = party.players[1].id;
        if leaves {
            party.players.truncate(1);
            party.host().report(Event::Party(PartyNews::Left { id }));
        } else {
            (0..20).for_each(|_| party.host().data(id, &[0]));
        }
        play(&mut party, 2);
        assert_eq!(held(party.host()), None);
    }
}

/// B5.8: the game's own scenes, by POSE's flag 4.
#[test]
fn a_landing_ends_together_for_one_that_began_late_only_once_it_had_as_long() {
    let mut party = playing(&["Nova_7", "Orbit", "Quark"]);
    party.players[0].game.show(SceneKind::Own, None);
    party.players[1].game.show(SceneKind::Own, None);
    play(&mut party, SECOND);
    party.players[2].game.show(SceneKind::Own, None);
    play(&mut party, SECOND);
    party.host().game.scene_over();
    play(&mut party, 10);
    assert_eq!(did(&party.players[1]), ["skip Own"]);
    assert_eq!(did(&party.players[2]), [""; 0]);
    assert!(held(party.host()).is_some(), "the host waits for the late one");
    play(&mut party, SECOND);
    assert_eq!(did(&party.players[2]), ["skip Own"]);
    play(&mut party, 10);
    assert_eq!(held(party.host()), None);
}

/// B5.8: until a player has control, nothing of the host's world hurts it.
#[test]
fn nobody_is_hurt_before_control() {
    let mut party = playing(&["Nova_7", "Orbit"]);
    let hurt = |party: &Party| {
        [0, 1].map(|place: usize| party.players[place].mp.parties().0.can_be_hurt())
    };
    assert_eq!(hurt(&party), [true, true]);
    party.players[1].game.phase.set(Phase::Paused);
    play(&mut party, 3);
    assert_eq!(hurt(&party), [true, true], "the world goes on under a menu");
    party.players[1].game.phase.set(Phase::Playing);
    begin(&mut party, 1);
    assert_eq!(hurt(&party), [false, false]);
    party.players[1].game.control.set(false);
    party.host().game.scene_over();
    play(&mut party, SECOND);
    assert_eq!(hurt(&party), [true, false], "the scene is over, and the hero not yet the player's");
    party.players[1].game.control.set(true);
    play(&mut party, 3);
    assert_eq!(hurt(&party), [true, true]);
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
