//! Ready, Start and those who come later (behaviour.md 4); what malformed messages cost.

use super::*;
use crate::game::Phase;
use mp_protocol::game::{Level, Play, PlayFrom, PlayId, Start};

fn play(build: &str, from: PlayFrom) -> Vec<u8> {
    encoded(&Play { play: PlayId(1), from, level: Level::NONE, build }.into())
}

/// B4.1
#[test]
fn ready_reaches_everyone_and_one_who_comes_later_is_told() {
    let mut party = Party::of(&["Nova_7", "Orbit", "Quark"]);
    party.choose(1, PageId::Lobby, "Ready");
    party.ticks(2);
    for place in 0..3 {
        let page = party.text(place, PageId::Lobby);
        assert!(page.contains("Orbit (ready)") && page.contains("Quark (not ready)"), "{page}");
    }
    party.enter("Skid");
    party.ticks(2);
    let page = party.text(3, PageId::Lobby);
    assert!(page.contains("Orbit (ready)") && page.contains("Skid (not ready)"), "{page}");
}

/// B4.1
#[test]
fn ready_can_be_taken_back() {
    let mut party = Party::of(&["Nova_7", "Orbit"]);
    party.choose(1, PageId::Lobby, "Ready");
    party.ticks(2);
    assert!(party.text(0, PageId::Lobby).contains("- Start"));
    party.choose(1, PageId::Lobby, "Not ready");
    party.ticks(2);
    assert!(party.text(0, PageId::Lobby).contains("- (Start)"));
}

/// B4.2: and nobody waits there for the others.
#[test]
fn start_takes_every_game_out_of_the_menu_without_a_barrier() {
    let mut party = Party::of(&["Nova_7", "Orbit", "Quark"]);
    party.press_start();
    for player in &party.players {
        assert!(player.game.did().contains(&"start NewGame: true".to_owned()));
    }
    party.host().game.play(0, hero([0.0; 3]));
    party.ticks(120);
    assert_eq!(*party.host().game.hold.borrow(), None);
}

/// B4.2
#[test]
fn a_game_that_cannot_start_yet_is_tried_again_and_then_says_so() {
    let mut party = Party::of(&["Nova_7", "Orbit"]);
    party.players[1].game.starts.set(false);
    party.choose(1, PageId::Lobby, "Ready");
    party.ticks(2);
    party.choose(0, PageId::Lobby, "Start");
    party.ticks(60);
    assert!(party.players[1].game.did().len() > 30);
    party.ticks(300);
    assert!(party.text(1, PageId::Lobby).ends_with("> The game cannot start now"));
    party.players[1].game.did();
    party.ticks(10);
    assert_eq!(party.players[1].game.did(), [""; 0]);
}

/// B4.3
#[test]
fn another_build_is_refused_and_both_are_named_in_the_log() {
    let mut party = Party::of(&["Nova_7", "Orbit"]);
    let host = party.players[0].id;
    party.players[1].game.did();
    party.players[1].data(host, &play("0.7.0/1.2.0/OTHER", PlayFrom::NewGame));
    party.tick();
    assert!(party.text(1, PageId::Lobby).ends_with("> Incompatible version"));
    let logged = party.players[1].game.logged.borrow().join("\n");
    assert!(logged.contains("0.7.0/1.2.0/OTHER"), "{logged}");
    assert!(logged.contains("0.7.0/1.2.0/PLAY-00001"), "{logged}");
    assert_eq!(party.players[1].game.did(), [""; 0]);
}

/// B4.5
#[test]
fn a_member_already_in_a_level_keeps_it_when_a_new_play_comes() {
    let mut party = Party::of(&["Nova_7", "Orbit"]);
    party.start();
    let host = party.players[0].id;
    party.players[1].game.did();
    party.players[1].data(host, &encoded(&Start.into()));
    party.players[1].data(host, &play("0.7.0/1.2.0/PLAY-00001", PlayFrom::NewGame));
    party.ticks(3);
    assert_eq!(party.players[1].game.did(), [""; 0]);
    assert_eq!(party.players[1].game.phase.get(), Phase::Playing);
}

/// B5.10
#[test]
fn menus_stop_the_world_alone_but_not_in_a_party() {
    let mut party = Party::of(&["Nova_7", "Orbit"]);
    party.start();
    assert!(party.players[1].game.did().contains(&"menus pause false".to_owned()));
    party.players[1].leave();
    assert!(party.players[1].game.did().contains(&"menus pause true".to_owned()));
}

/// protocol.md 3, "Malformed"
#[test]
fn what_a_member_may_not_say_reaches_nothing() {
    let mut party = Party::of(&["Nova_7", "Orbit"]);
    let member = party.players[1].id;
    party.host().game.did();
    party.host().data(member, &play("0.7.0/1.2.0/PLAY-00001", PlayFrom::NewGame));
    party.host().data(member, &[]);
    party.host().data(member, &[7, 1, 2, 3]);
    party.tick();
    assert_eq!(party.host().game.did(), [""; 0]);
    let logged = party.host().game.logged.borrow().clone();
    assert_eq!(logged.len(), 2, "the name, and one line for the malformed ones: {logged:?}");
    assert!(logged[1].contains("Orbit") && logged[1].contains("Play"), "{logged:?}");
}

/// protocol.md 3, "Malformed"
#[test]
fn a_member_that_sends_twenty_malformed_messages_is_ignored_and_a_direct_host_closes_it() {
    let mut party = Party::of(&["Nova_7", "Orbit"]);
    let member = party.players[1].id;
    party.host().asked.clear();
    for count in 1..=21 {
        party.host().data(member, &[0xFF, 0xFF, 0]);
        party.host().data(member, &[4]);
        party.tick();
        let asked: Vec<_> = party.host().asked.drain(..).collect();
        let closes = (count == 20).then_some(Command::Disconnect { session: member });
        assert_eq!(asked, Vec::from_iter(closes), "after {count}");
    }
    party.choose(1, PageId::Lobby, "Ready");
    party.ticks(3);
    assert!(party.text(0, PageId::Lobby).contains("Orbit (ignored)"));
    let logged = party.host().game.logged.borrow().clone();
    assert!(logged.last().is_some_and(|line| line.contains("connection is closed")), "{logged:?}");
}

/// protocol.md 3, "Malformed"
#[test]
fn nobody_waits_for_a_member_that_is_ignored() {
    let mut party = Party::of(&["Nova_7", "Orbit", "Quark"]);
    let member = party.players[1].id;
    for _ in 0..20 {
        party.host().data(member, &[4]);
    }
    party.choose(2, PageId::Lobby, "Ready");
    party.ticks(3);
    let lobby = party.text(0, PageId::Lobby);
    assert!(lobby.contains("- Start") && lobby.contains("Orbit (ignored)"), "{lobby}");
}

/// protocol.md 3, "Malformed": the host ignores members, no member its host.
#[test]
fn a_host_that_passes_on_poses_of_strangers_is_still_heard() {
    let mut party = playing(&["Nova_7", "Orbit"]);
    let mut strangers = sent_by(&mut party, 0);
    let (host, before) = (party.players[0].id, party.players[1].game.logged.borrow().len());
    strangers[1..5].copy_from_slice(&99_i32.to_be_bytes());
    for _ in 0..100 {
        party.players[1].data(host, &strangers);
    }
    party.ticks(60);
    assert!(party.players[1].game.figure().is_some());
    assert_eq!(party.players[1].game.logged.borrow().len(), before, "it is no fault of the host");
    for _ in 0..100 {
        party.players[1].data(host, &[0xFF; 3]);
        party.players[1].data(host, &[1, 1]);
    }
    party.ticks(60);
    assert!(party.players[1].game.figure().is_some());
}

/// B4.3
#[test]
fn a_host_of_another_build_that_repeats_itself_does_not_fill_the_log() {
    let mut party = Party::of(&["Nova_7", "Orbit"]);
    let host = party.players[0].id;
    let before = party.players[1].game.logged.borrow().len();
    let long = "\u{1}".repeat(30_000);
    for _ in 0..50 {
        party.players[1].data(host, &play(&long, PlayFrom::NewGame));
        party.tick();
    }
    let logged = party.players[1].game.logged.borrow().clone();
    assert_eq!(logged.len(), before + 1);
    assert!(logged.last().is_some_and(|line| line.len() < 1_000), "{logged:?}");
}

/// B2.7, protocol.md 1
#[test]
fn a_party_holds_no_more_than_a_party_can() {
    let mut party = Party::of(&["Nova_7", "Orbit"]);
    for id in 50..90 {
        let member = Member { id: SessionId(id), name: format!("N{id}") };
        party.players[1].report(Event::Party(PartyNews::Joined(member)));
    }
    party.tick();
    assert!(party.text(1, PageId::Lobby).contains("4 players"));
}

/// B5.10
#[test]
fn menus_do_not_stop_a_partys_world_and_do_again_once_it_is_over() {
    let mut party = Party::of(&["Nova_7", "Orbit"]);
    party.start();
    for player in &party.players {
        assert!(player.game.did().contains(&"menus pause false".to_owned()));
    }
    party.ticks(30);
    party.host().leave();
    assert!(party.host().game.did().contains(&"menus pause true".to_owned()));
    party.players[1].report(Event::Party(PartyNews::End));
    party.ticks(2);
    assert!(party.players[1].game.did().contains(&"menus pause true".to_owned()));
    let mut alone = Player::new("Skid", 9);
    alone.game.play(0, hero([0.0; 3]));
    alone.mp.tick(&alone.game, LocalTime::ZERO);
    assert!(!alone.game.did().contains(&"menus pause false".to_owned()));
}

/// A direct host's log says whom it turned away, and that it can take nobody; its party plays on.
#[test]
fn what_a_direct_host_closed_or_could_not_accept_is_in_its_log() {
    let mut party = Party::of(&["Nova_7", "Orbit"]);
    let (address, why) = ([192, 0, 2, 7].into(), "a second HELLO".to_owned());
    party.host().report(Event::Closed { address, why, unsaid: 2 });
    let why = "Too many open files".to_owned();
    party.host().report(Event::NotAccepting { why });
    party.tick();
    let logged = party.host().game.logged.take();
    let last = &logged[logged.len() - 2..];
    assert_eq!(
        last,
        [
            "closed a connection of 192.0.2.7: a second HELLO (2 others closed before it were not told)",
            "nobody can connect just now: Too many open files",
        ]
    );
}
