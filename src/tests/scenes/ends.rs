//! How long who is out of a scene waits for whom, and when each has control again (B5.8).

use super::*;

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
