//! Leaving and being left (B5.9).

use super::*;
use crate::game::Phase;
use mp_sockets::LostReason;

fn ended(party: &mut Party, place: usize, event: Event) {
    party.players[place].game.did();
    party.players[place].report(event);
    party.tick();
}

/// Every phase of a game that is not at the title.
pub(super) const PHASES: [Phase; 9] = [
    Phase::Loading,
    Phase::Playing,
    Phase::Paused,
    Phase::Dialog,
    Phase::Vendor,
    Phase::Scene,
    Phase::Movie,
    Phase::Travel,
    Phase::Dying,
];

/// B5.9
#[test]
fn the_partys_end_takes_a_member_to_the_title_from_any_phase_and_says_why() {
    for phase in PHASES {
        for (event, words) in [
            (Event::Party(PartyNews::End), "The host left: the party is over"),
            (Event::Lost { why: LostReason::Silent }, "The host went away"),
        ] {
            let mut party = Party::of(&["Nova_7", "Orbit"]);
            party.start();
            party.players[1].game.phase.set(phase);
            ended(&mut party, 1, event);
            let did = party.players[1].game.did();
            assert!(did.contains(&"title Home".to_owned()), "{phase:?}: {did:?}");
            let footer = party.text(1, PageId::Home);
            assert!(footer.ends_with(&format!("> {words}")), "{phase:?}: {footer}");
        }
    }
}

/// B5.9: from any phase, and of its own choice nothing is said.
#[test]
fn leaving_takes_a_player_to_the_title_from_any_phase() {
    for phase in PHASES {
        for place in 0..2 {
            let mut party = Party::of(&["Nova_7", "Orbit"]);
            party.start();
            let player = &mut party.players[place];
            player.game.phase.set(phase);
            player.leave();
            player.take_commands();
            assert!(player.game.did().contains(&"title Home".to_owned()), "{phase:?}");
            assert!(player.closed);
            let home = party.text(place, PageId::Home);
            assert!(home.ends_with("- Your name Nova_7") || home.ends_with("- Your name Orbit"));
        }
    }
}

/// B3.2
#[test]
fn a_host_whose_game_is_silent_is_not_gone_while_its_link_lives() {
    let mut party = playing(&["Nova_7", "Orbit"]);
    for _ in 0..60 * 60 {
        party.now = party.now + TICK;
        let now = party.now;
        let member = &mut party.players[1];
        member.mp.tick(&member.game, now);
        member.take_commands();
    }
    assert_eq!(party.players[1].game.figure(), None, "B5.4: silent for 5 s");
    assert_eq!(party.players[1].game.phase.get(), Phase::Playing);
    assert!(party.text(1, PageId::Pause).contains("- Nova_7 (host)"));
}

/// B5.9
#[test]
fn a_direct_link_lost_says_that_the_host_went_away() {
    let mut party = Party::of(&["Nova_7", "Orbit"]);
    party.start();
    ended(&mut party, 1, Event::Lost { why: LostReason::Closed });
    assert!(party.players[1].game.did().contains(&"title Home".to_owned()));
    assert!(party.text(1, PageId::Home).ends_with("> The host went away"));
    assert!(party.players[1].closed, "a direct link is not tried again by itself");
}

/// B5.9
#[test]
fn one_in_the_titles_pages_goes_back_to_home() {
    let mut party = Party::of(&["Nova_7", "Orbit"]);
    ended(&mut party, 1, Event::Party(PartyNews::End));
    assert_eq!(party.players[1].game.did(), ["menus pause true", "open Home"]);
}

/// B5.9
#[test]
fn the_host_leaving_goes_to_the_title_too() {
    let mut party = Party::of(&["Nova_7", "Orbit"]);
    party.start();
    party.host().game.did();
    party.host().leave();
    assert!(party.host().game.did().contains(&"title Home".to_owned()));
    party.host().take_commands();
    assert!(party.host().closed);
    let home = party.text(0, PageId::Home);
    assert!(home.ends_with("- Your name Nova_7"), "it was its choice, so nothing is said: {home}");
}

/// B5.9
#[test]
fn a_member_that_goes_leaves_no_figure_and_the_others_are_told() {
    let mut party = playing(&["Nova_7", "Orbit"]);
    assert!(party.host().game.figure().is_some());
    let id = party.players[1].id;
    party.players[1].closed = true;
    party.players.truncate(1);
    party.host().report(Event::Party(PartyNews::Left { id }));
    party.tick();
    assert_eq!(party.host().game.figure(), None);
    assert_eq!(party.host().game.messages.borrow().as_slice(), ["Orbit left"]);
    assert!(party.text(0, PageId::Pause).ends_with("> Orbit left"));
    assert_eq!(party.host().game.phase.get(), Phase::Playing);
}

/// B3.3
#[test]
fn one_who_comes_back_is_one_member_and_one_figure_in_any_order() {
    for left_first in [true, false] {
        let mut party = playing(&["Nova_7", "Orbit"]);
        let old = party.players[1].id;
        let back = Member { id: SessionId(99), name: "Orbit".to_owned() };
        let left = Event::Party(PartyNews::Left { id: old });
        let joined = Event::Party(PartyNews::Joined(back));
        let (first, second) = if left_first { (left, joined) } else { (joined, left) };
        party.host().report(first);
        party.host().report(second);
        party.players[1].id = SessionId(99);
        party.players[1].connected();
        party.ticks(60);
        assert!(party.host().game.figure().is_some());
        let page = party.text(0, PageId::Pause);
        assert_eq!(page.matches("- Orbit").count(), 1, "{page}");
    }
}

/// B3.5
#[test]
fn what_a_link_that_was_given_up_still_says_is_passed_over() {
    let mut player = Player::new("Nova_7", 7);
    player.choose(PageId::Join, "Join", LocalTime::ZERO);
    player.take_commands();
    let old = player.link;
    player.mp.page_event(PageId::Join, PageEvent::Back, &player.game, LocalTime::ZERO);
    player.choose(PageId::Join, "Join", LocalTime::ZERO);
    player.take_commands();
    player.link = old;
    player.connected();
    player.report(Event::Lost { why: LostReason::Closed });
    player.mp.tick(&player.game, LocalTime::ZERO);
    assert_eq!(player.footer(PageId::Join, LocalTime::ZERO), "Connecting to 192.168.1.1:7770");
}

/// B5.9
#[test]
fn a_socket_thread_that_ended_ends_the_party_in_words() {
    let mut party = Party::of(&["Nova_7"]);
    party.start();
    let Player { mut mp, game, far, .. } = party.players.remove(0);
    game.did();
    drop(far);
    for _ in 0..5 {
        party.now = party.now + TICK;
        mp.tick(&game, party.now);
    }
    assert!(game.did().contains(&"title Home".to_owned()));
    let footer = mp.page(PageId::Home, &game, party.now).footer.join(" ");
    assert!(footer.contains("The network stopped"), "{footer}");
}
