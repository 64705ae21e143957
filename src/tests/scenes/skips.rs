//! Who skips a scene or a movie, and where (B5.7).

use super::*;

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
