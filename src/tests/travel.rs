//! Following the host's ship (B5.5).

use super::*;
use crate::game::{Phase, SceneKind};
use mp_protocol::game::{HostLevel, Level, PlayId, Travel};

const ARRIVALS: &str = "Waiting for the other players to arrive";

/// The host picks that planet, and the ship leaves.
fn depart(party: &mut Party, level: i32) {
    let host = party.host();
    assert!(host.picks(level), "the host flies");
    party.ticks(3);
    party.host().game.fly();
    party.ticks(3);
}

fn land(party: &mut Party, place: usize, level: i32) {
    party.players[place].game.play(level, hero([0.0; 3]));
    party.ticks(3);
}

/// How often each level was left for.
fn travels(player: &Player) -> Vec<String> {
    let did = player.game.did();
    did.into_iter().filter(|what| what.starts_with("travel")).collect()
}

fn can_be_hurt(player: &Player) -> bool {
    player.mp.parties().0.can_be_hurt()
}

fn is_arriving(player: &Player) -> bool {
    let (coop, session) = player.mp.parties();
    coop.is_arriving(session)
}

/// B5.5
#[test]
fn the_hosts_ship_takes_every_member_out_of_its_level_at_once_from_any_phase() {
    for phase in [
        Phase::Playing,
        Phase::Paused,
        Phase::Dialog,
        Phase::Vendor,
        Phase::Scene,
        Phase::Dying,
        Phase::Loading,
        Phase::Travel,
        Phase::Movie,
    ] {
        let mut party = playing(&["Nova_7", "Orbit", "Quark"]);
        for player in &party.players[1..] {
            player.game.phase.set(phase);
            if !phase.has_hero() {
                player.game.level.set(None);
            }
        }
        let host = party.host();
        assert!(host.picks(3));
        // What the hook sent is delivered with this tick, and done in the next.
        party.ticks(2);
        for player in &party.players[1..] {
            assert_eq!(travels(player), ["travel 3"], "{phase:?}");
        }
        assert_eq!(travels(&party.players[0]), [""; 0], "the host's ship flies by itself");
    }
}

/// B5.5
#[test]
fn nobody_has_control_until_everyone_has_arrived() {
    let mut party = playing(&["Nova_7", "Orbit", "Quark"]);
    depart(&mut party, 3);
    for player in &party.players[1..] {
        player.game.fly();
    }
    party.ticks(3);
    land(&mut party, 1, 3);
    assert_eq!(held(&party.players[1]).as_deref(), Some(ARRIVALS), "the first there waits");
    land(&mut party, 0, 3);
    assert_eq!(held(party.host()).as_deref(), Some(ARRIVALS), "and so does the host");
    party.ticks(10 * SECOND);
    for place in 0..2 {
        assert_eq!(held(&party.players[place]).as_deref(), Some(ARRIVALS), "{place}");
        assert!(!can_be_hurt(&party.players[place]), "{place} is not hurt meanwhile");
    }
    party.players[2].game.play(3, hero([0.0; 3]));
    party.tick();
    assert_eq!(held(&party.players[2]).as_deref(), Some(ARRIVALS), "not even for a moment");
    party.ticks(3 * SECOND);
    for player in &party.players {
        assert_eq!(held(player), None);
        assert!(can_be_hurt(player));
        assert_eq!(travels(player).len(), usize::from(player.id.0 != 7), "nobody flies twice");
    }
}

/// B5.5: nothing of the host's world shows until all have arrived.
#[test]
fn the_party_arrives_from_the_take_off_until_everyone_is_there() {
    let mut party = playing(&["Nova_7", "Orbit"]);
    let arriving = |party: &Party| {
        let players = party.players.iter();
        players.map(is_arriving).collect::<Vec<_>>()
    };
    assert_eq!(arriving(&party), [false, false]);
    depart(&mut party, 3);
    assert_eq!(arriving(&party), [true, true]);
    party.players[1].game.fly();
    party.ticks(3);
    land(&mut party, 0, 3);
    assert_eq!(arriving(&party), [true, true]);
    land(&mut party, 1, 3);
    party.ticks(3);
    assert_eq!(arriving(&party), [false, false]);
}

/// B5.5
#[test]
fn one_that_never_comes_is_waited_for_90_seconds_after_the_host_arrived() {
    let mut party = playing(&["Nova_7", "Orbit"]);
    depart(&mut party, 3);
    party.players[1].game.fly();
    party.ticks(20 * SECOND);
    land(&mut party, 0, 3);
    party.ticks(89 * SECOND);
    assert_eq!(held(party.host()).as_deref(), Some(ARRIVALS));
    party.ticks(2 * SECOND);
    assert_eq!(held(party.host()), None);
    land(&mut party, 1, 3);
    assert_eq!(held(&party.players[1]), None, "the one that was late waits for nobody");
}

/// B5.5
#[test]
fn a_member_waits_90_seconds_for_a_host_that_never_comes() {
    let mut party = playing(&["Nova_7", "Orbit"]);
    depart(&mut party, 3);
    party.players[1].game.fly();
    party.ticks(3);
    land(&mut party, 1, 3);
    party.ticks(89 * SECOND);
    assert_eq!(held(&party.players[1]).as_deref(), Some(ARRIVALS));
    party.ticks(2 * SECOND);
    assert_eq!(held(&party.players[1]), None);
}

/// B5.5, B5.8
#[test]
fn one_that_left_is_waited_for_no_longer() {
    let mut party = playing(&["Nova_7", "Orbit", "Quark"]);
    depart(&mut party, 3);
    land(&mut party, 0, 3);
    party.players[1].game.fly();
    party.ticks(3);
    land(&mut party, 1, 3);
    let id = party.players[2].id;
    party.players.truncate(2);
    for player in &party.players {
        player.report(Event::Party(PartyNews::Left { id }));
    }
    party.ticks(3);
    assert_eq!((held(&party.players[0]), held(&party.players[1])), (None, None));
}

/// B5.5, protocol.md 3, "Malformed": one that is ignored is waited for nowhere.
#[test]
fn one_that_is_ignored_is_waited_for_no_longer() {
    let mut party = playing(&["Nova_7", "Orbit"]);
    depart(&mut party, 3);
    land(&mut party, 0, 3);
    assert!(held(party.host()).is_some());
    let id = party.players[1].id;
    (0..20).for_each(|_| party.host().data(id, &[0]));
    party.ticks(2);
    assert_eq!(held(party.host()), None);
}

/// B5.5
#[test]
fn a_host_that_is_alone_waits_for_nobody() {
    let mut party = playing(&["Nova_7"]);
    depart(&mut party, 3);
    land(&mut party, 0, 3);
    assert_eq!(held(party.host()), None);
}

/// B5.5
#[test]
fn a_travel_while_one_still_loads_ends_where_the_host_is() {
    let mut party = playing(&["Nova_7", "Orbit"]);
    depart(&mut party, 3);
    party.players[1].game.fly();
    party.ticks(3);
    assert_eq!(travels(&party.players[1]), ["travel 3"]);
    party.players[1].game.phase.set(Phase::Loading);
    land(&mut party, 0, 3);
    depart(&mut party, 4);
    assert_eq!(travels(&party.players[1]), ["travel 4"], "out of the load");
    // The game finishes what it was loading all the same.
    land(&mut party, 1, 3);
    assert_eq!(travels(&party.players[1]), ["travel 4"], "and is told again");
    assert_eq!(held(&party.players[1]), None, "nobody waits in the wrong level");
    party.players[1].game.fly();
    party.ticks(3);
    land(&mut party, 0, 4);
    assert_eq!(held(party.host()).as_deref(), Some(ARRIVALS));
    land(&mut party, 1, 4);
    party.ticks(3);
    assert_eq!((held(&party.players[0]), held(&party.players[1])), (None, None));
}

/// B5.5
#[test]
fn a_travel_back_to_the_same_level_is_one_like_any_other() {
    let mut party = playing(&["Nova_7", "Orbit"]);
    let host = party.host();
    assert!(host.picks(0));
    party.ticks(3);
    assert_eq!(travels(&party.players[1]), ["travel 0"]);
    assert_eq!(held(party.host()), None, "it is still to leave");
    party.host().game.fly();
    party.players[1].game.fly();
    party.ticks(3);
    land(&mut party, 0, 0);
    assert_eq!(held(party.host()).as_deref(), Some(ARRIVALS));
    land(&mut party, 1, 0);
    party.ticks(3);
    assert_eq!((held(&party.players[0]), held(&party.players[1])), (None, None));
}

/// B5.5
#[test]
fn one_that_joins_after_two_travels_flies_nowhere_and_is_waited_for_at_the_next() {
    let mut party = playing(&["Nova_7"]);
    for level in [3, 4] {
        depart(&mut party, level);
        land(&mut party, 0, level);
    }
    *party.host().game.capture.borrow_mut() = Some(vec![1; 64]);
    let place = party.enter("Orbit");
    party.ticks(5);
    let game = &party.players[place].game;
    assert!(game.did().iter().any(|what| what.starts_with("start")), "it gets the host's game");
    game.phase.set(Phase::Loading);
    party.ticks(3);
    land(&mut party, place, 4);
    party.ticks(SECOND);
    assert_eq!(travels(&party.players[place]), [""; 0]);
    depart(&mut party, 5);
    assert_eq!(travels(&party.players[place]), ["travel 5"]);
    land(&mut party, 0, 5);
    assert_eq!(held(party.host()).as_deref(), Some(ARRIVALS));
}

/// B5.5
#[test]
fn one_at_the_title_is_not_waited_for_and_flies_nowhere() {
    let mut party = playing(&["Nova_7", "Orbit"]);
    party.players[1].game.title();
    party.ticks(3);
    depart(&mut party, 3);
    land(&mut party, 0, 3);
    assert_eq!(held(party.host()), None);
    assert_eq!(travels(&party.players[1]), [""; 0]);
}

/// B5.5
#[test]
fn a_members_own_pick_is_refused_in_words_and_the_hosts_and_a_lone_players_is_not() {
    let mut party = playing(&["Nova_7", "Orbit"]);
    let member = &mut party.players[1];
    assert!(!member.picks(3));
    let words = "Only the host flies the ship to another planet";
    assert_eq!(member.game.messages.take(), [words]);
    party.ticks(SECOND);
    assert_eq!(travels(&party.players[1]), [""; 0]);
    assert_eq!(held(party.host()), None);
    let mut alone = Player::new("Skid", 9);
    assert!(alone.picks(3));
    assert_eq!(alone.game.messages.take(), [""; 0]);
}

/// B5.5, B4.5
#[test]
fn a_member_that_finds_itself_in_another_level_than_the_hosts_travels_there() {
    let mut party = playing(&["Nova_7", "Orbit"]);
    party.players[1].game.level.set(Some(6));
    party.ticks(3);
    assert_eq!(travels(&party.players[1]), ["travel 0"]);
    party.ticks(3 * SECOND);
    let again = travels(&party.players[1]);
    assert!((2..=3).contains(&again.len()), "a game that did not leave is told again: {again:?}");
    party.players[1].game.fly();
    party.ticks(3);
    land(&mut party, 1, 0);
    party.ticks(3 * SECOND);
    assert_eq!(travels(&party.players[1]), [""; 0]);
}

/// B4.5: what is broken in the level is whole in the host's next game, so one who stayed loads it, too.
#[test]
fn one_who_stays_in_the_level_in_which_the_host_begins_another_game_loads_it_anew() {
    for by_start in [true, false] {
        let mut party = playing(&["Nova_7", "Orbit"]);
        party.host().game.title();
        party.ticks(2 * SECOND);
        assert_eq!(travels(&party.players[1]), [""; 0], "it goes on for now");
        if by_start {
            // Its member is ready since the first.
            party.choose(0, PageId::Lobby, "Start");
            party.ticks(3);
        }
        land(&mut party, 0, 0);
        assert_eq!(travels(&party.players[1]), ["travel 0"], "by Start: {by_start}");
        party.players[1].game.fly();
        party.ticks(3);
        land(&mut party, 1, 0);
        party.ticks(5 * SECOND);
        assert_eq!(travels(&party.players[1]), [""; 0], "once");
        assert_eq!(travels(&party.players[0]), [""; 0]);
    }
}

/// B5.5
#[test]
fn the_hosts_death_and_its_way_to_the_title_are_no_travels() {
    let mut party = playing(&["Nova_7", "Orbit"]);
    for phase in [Phase::Dying, Phase::Loading, Phase::Playing] {
        party.host().game.phase.set(phase);
        party.host().game.level.set((phase != Phase::Loading).then_some(0));
        party.ticks(2 * SECOND);
    }
    party.host().game.title();
    party.ticks(2 * SECOND);
    assert_eq!(travels(&party.players[1]), [""; 0]);
    assert_eq!(held(&party.players[1]), None);
}

/// B5.5
#[test]
fn a_host_that_goes_to_the_title_on_the_way_is_waited_for_no_longer() {
    let mut party = playing(&["Nova_7", "Orbit"]);
    depart(&mut party, 3);
    party.players[1].game.fly();
    party.ticks(3);
    land(&mut party, 1, 3);
    assert!(held(&party.players[1]).is_some());
    party.host().game.title();
    party.ticks(3);
    assert_eq!(held(&party.players[1]), None);
}

/// B5.5
#[test]
fn a_host_whose_ship_does_not_leave_after_all_gets_its_members_back() {
    let mut party = playing(&["Nova_7", "Orbit"]);
    let host = party.host();
    assert!(host.picks(3));
    party.ticks(3);
    party.players[1].game.fly();
    party.ticks(3);
    land(&mut party, 1, 3);
    party.ticks(4 * SECOND);
    assert_eq!(travels(&party.players[1]), ["travel 3", "travel 0", "travel 0"]);
    assert_eq!(held(&party.players[1]), None);
}

/// B5.5, B5.9
#[test]
fn the_end_of_the_party_gives_control_back() {
    let mut party = playing(&["Nova_7", "Orbit"]);
    depart(&mut party, 3);
    land(&mut party, 0, 3);
    assert!(held(party.host()).is_some());
    party.host().leave();
    assert_eq!(held(party.host()), None);
}

/// B5.5, protocol.md 3: a LEVEL before 0.5 knows of no travel: its level is followed.
#[test]
fn an_older_hosts_level_is_followed_without_a_wait() {
    let mut party = playing(&["Nova_7", "Orbit"]);
    let host = party.players[0].id;
    let say = |party: &mut Party, level: i32| {
        let level = Level::new(level).expect("a level");
        let old = HostLevel { play: PlayId(1), level, scene: false, travel: None };
        party.players[1].data(host, &encoded(&old.into()));
        let now = party.now;
        let member = &mut party.players[1];
        member.mp.tick(&member.game, now);
    };
    say(&mut party, 3);
    assert_eq!(travels(&party.players[1]), ["travel 3"]);
    party.players[1].game.fly();
    say(&mut party, 3);
    party.players[1].game.play(3, hero([0.0; 3]));
    say(&mut party, 3);
    assert_eq!(held(&party.players[1]), None);
}

/// B5.5, protocol.md 3: a LINK before 0.7 says nothing of arriving: the poses do.
#[test]
fn an_older_member_has_arrived_when_its_pose_is_of_the_level() {
    let mut party = playing(&["Nova_7", "Orbit"]);
    let older = |party: &mut Party, ticks: u32| {
        for _ in 0..ticks {
            party.tick();
            let id = party.players[1].id;
            let bytes = [64, 0, 0, 0, 20, 1];
            party.host().data(id, &bytes);
        }
    };
    depart(&mut party, 3);
    party.players[1].game.fly();
    older(&mut party, 3);
    party.host().game.play(3, hero([0.0; 3]));
    older(&mut party, 10);
    assert_eq!(held(party.host()).as_deref(), Some(ARRIVALS));
    party.players[1].game.play(3, hero([0.0; 3]));
    older(&mut party, 5);
    assert_eq!(held(party.host()), None);
}

/// B5.5, B5.8
#[test]
fn those_who_arrived_and_still_see_the_ship_land_are_waited_for_too() {
    let mut party = playing(&["Nova_7", "Orbit"]);
    depart(&mut party, 3);
    party.players[1].game.fly();
    party.ticks(3);
    for place in 0..2 {
        party.players[place].game.play(3, hero([0.0; 3]));
        party.players[place].game.show(SceneKind::Own, None);
        party.ticks(60);
    }
    party.host().game.scene_over();
    let mut held_ticks = 0;
    for _ in 0..30 {
        party.tick();
        held_ticks += u32::from(held(party.host()).is_some());
    }
    assert_eq!(held_ticks, 30, "the member lands");
    party.ticks(3 * SECOND);
    assert_eq!(held(party.host()), None);
}

/// B5.5, B5.8: the word that everyone arrived may overtake the pose that says who still sees the landing.
#[test]
fn the_host_has_no_moment_of_control_between_the_last_arrival_and_the_pose_of_its_landing() {
    let mut party = playing(&["Nova_7", "Orbit"]);
    depart(&mut party, 3);
    party.players[1].game.fly();
    party.ticks(3);
    land(&mut party, 0, 3);
    party.host().game.show(SceneKind::Own, None);
    party.ticks(60);
    party.host().game.scene_over();
    party.ticks(3);
    party.players[1].game.play(3, hero([0.0; 3]));
    party.players[1].game.show(SceneKind::Own, None);
    for tick in 0..20 {
        party.now = party.now + TICK;
        for player in &mut party.players {
            player.mp.tick(&player.game, party.now);
            player.take_commands();
        }
        if tick < 6 {
            party.players[1].states.clear();
        }
        party.route();
        assert!(held(party.host()).is_some(), "{tick}");
    }
}

/// B5.5, and protocol.md 3: the game is given nothing of a level that it does not have.
#[test]
fn a_host_in_a_level_that_this_game_does_not_have_takes_nobody_there_and_the_player_is_told() {
    let level = |number| Level::new(number).expect("a level");
    let host_level = |at, travel| HostLevel { play: PlayId(1), level: at, scene: false, travel };
    let flies = |dest, number| Some(Travel { number, dest, arriving: true });
    for lie in [
        host_level(level(99), None),
        host_level(level(0), flies(level(99), 1)),
        host_level(level(127), flies(level(127), 2)),
    ] {
        let mut party = playing(&["Nova_7", "Orbit"]);
        let host = party.players[0].id;
        party.players[1].game.messages.take();
        for _ in 0..3 * SECOND {
            party.players[1].data(host, &encoded(&lie.into()));
            party.step();
        }
        let member = &party.players[1];
        assert_eq!(travels(member), [""; 0], "{lie:?}");
        assert_eq!(held(member), None, "{lie:?}");
        let words = "The host is in a level that this game does not have";
        assert_eq!(member.game.messages.take(), [words], "told once, not each time: {lie:?}");
    }
}
