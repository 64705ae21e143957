//! Chat and the phrases that a player can say (B1.3; protocol.md 1, CHAT).

use super::*;

const ROW: &str = "Say \"Over here!\"";

fn off(setting: &'static str) -> FakeGame {
    let game = FakeGame::default();
    game.settings.borrow_mut().insert(setting, "off".to_owned());
    game
}

/// B1.3
#[test]
fn a_phrase_reaches_everyone_in_a_level_as_a_message_with_the_name() {
    let mut party = Party::of(&["Nova_7", "Orbit", "Quark"]);
    party.start();
    party.choose(1, PageId::Pause, ROW);
    party.tick();
    for player in &party.players {
        assert_eq!(player.game.messages.take(), ["Orbit: Over here!"]);
    }
}

/// B1.3
#[test]
fn the_lobby_shows_the_last_four_lines() {
    let mut party = Party::of(&["Nova_7", "Orbit"]);
    let host = party.players[0].id;
    for n in 1..=5 {
        party.players[1].said(host, &format!("line {n}"));
    }
    party.tick();
    let lobby = party.text(1, PageId::Lobby);
    assert!(
        lobby.ends_with("- Nova_7: line 2\n- Nova_7: line 3\n- Nova_7: line 4\n- Nova_7: line 5")
    );
    assert!(party.players[1].game.messages.take().is_empty(), "there is no level to show it over");
    party.players[1].report(Event::Party(PartyNews::End));
    party.tick();
    assert!(!party.text(1, PageId::Lobby).contains("line"), "another party does not read it");
}

/// B1.3
#[test]
fn the_chat_setting_turns_what_comes_off() {
    let mut party = Party::playing(off("Chat"), "New game", &["Nova_7", "Orbit"]);
    party.start();
    party.choose(1, PageId::Pause, ROW);
    party.tick();
    assert_eq!(party.host().game.messages.take(), [""; 0]);
    assert!(!party.text(0, PageId::Lobby).contains("Over here!"));
    assert!(party.text(0, PageId::Pause).contains(ROW));
}

/// B1.3
#[test]
fn the_phrases_setting_takes_them_off_the_page() {
    let mut party = Party::playing(off("QuickPhrases"), "New game", &["Nova_7", "Orbit"]);
    party.start();
    assert!(!party.text(0, PageId::Pause).contains("Say"));
    party.choose(1, PageId::Pause, ROW);
    party.tick();
    assert_eq!(party.host().game.messages.take(), ["Orbit: Over here!"]);
}

/// protocol.md 1: CHAT at most 2 a second.
#[test]
fn a_player_says_two_lines_a_second_and_more_are_refused() {
    let mut party = Party::of(&["Nova_7", "Orbit"]);
    party.start();
    for _ in 0..5 {
        party.choose(1, PageId::Pause, ROW);
    }
    party.tick();
    assert_eq!(party.host().game.messages.take().len(), 2);
    assert!(party.players[1].game.did().contains(&"sound Refused".to_owned()));
    assert!(party.text(1, PageId::Pause).ends_with("> Wait a moment"));
    party.ticks(60);
    party.choose(1, PageId::Pause, ROW);
    party.tick();
    assert_eq!(party.host().game.messages.take().len(), 1);
}

/// protocol.md 3, "Malformed": nothing that one who is ignored says counts.
#[test]
fn strangers_and_those_who_are_ignored_are_not_heard() {
    let mut party = Party::of(&["Nova_7", "Orbit"]);
    party.start();
    let orbit = party.players[1].id;
    party.host().said(SessionId(99), "hello");
    for _ in 0..20 {
        party.host().data(orbit, &[4]);
    }
    party.host().said(orbit, "hello");
    party.tick();
    let messages = party.host().game.messages.take();
    assert!(messages.iter().all(|message| !message.contains("hello")), "{messages:?}");
}

#[test]
fn what_would_turn_or_blank_a_page_is_shown_as_a_replacement() {
    let mut party = Party::of(&["Nova_7", "Orbit"]);
    party.start();
    let host = party.players[0].id;
    party.players[1].said(host, "\u{202E}evil\u{200B}");
    let odd = Member { id: SessionId(50), name: "\u{2066}a\u{3164}b\u{E0041}".to_owned() };
    party.players[1].report(Event::Party(PartyNews::Joined(odd)));
    party.tick();
    let messages = party.players[1].game.messages.take();
    assert_eq!(messages, ["Nova_7: \u{FFFD}evil\u{FFFD}", "\u{FFFD}a\u{FFFD}b\u{FFFD} joined"]);
    assert!(party.text(1, PageId::Pause).contains("- \u{FFFD}a\u{FFFD}b\u{FFFD} -"));
}
