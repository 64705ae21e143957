//! What others may send that no game of ours does: the player reads a sentence, and the game is given
//! nothing.

use super::saves::{BUILD, play_of};
use super::*;
use mp_protocol::game::{Level, Play, PlayFrom, PlayId, Pose, Start};
use mp_sockets::{LostReason, PartyRow};

/// Characters that turn, blank, break or overrun a line: marks and isolates of direction, zero width, soft
/// hyphen, separators of lines and paragraphs, spaces, combining marks, fillers, variation selectors, tags,
/// private use, what is no character, emoji.
const ODD: [char; 28] = [
    '\u{202A}',
    '\u{202E}',
    '\u{2066}',
    '\u{2069}',
    '\u{200E}',
    '\u{200F}',
    '\u{061C}',
    '\u{200B}',
    '\u{200D}',
    '\u{2060}',
    '\u{FEFF}',
    '\u{AD}',
    '\u{2028}',
    '\u{2029}',
    '\u{A0}',
    '\u{3000}',
    '\u{0301}',
    '\u{20DD}',
    '\u{3164}',
    '\u{115F}',
    '\u{2800}',
    '\u{FE0F}',
    '\u{E0041}',
    '\u{E000}',
    '\u{10FFFE}',
    '\u{FFF9}',
    '\u{1F600}',
    '\u{1D165}',
];

/// As a page shows a name that has one of them.
const SHOWN: &str = "a\u{FFFD}b";

fn logged(player: &Player, words: &str) -> usize {
    player.game.logged.borrow().iter().filter(|line| line.contains(words)).count()
}

/// B2.3, B2.7, B2.8, B5.1
#[test]
fn a_name_with_any_odd_character_is_shown_with_a_replacement_everywhere() {
    for odd in ODD {
        let name = format!("a{odd}b");
        let mut party = playing(&["Nova_7"]);
        let id = SessionId(50);
        let member = Member { id, name: name.clone() };
        party.host().report(Event::Party(PartyNews::Joined(member)));
        party.host().said(id, &format!("he{odd}llo"));
        party.tick();
        assert_eq!(
            party.host().game.messages.take(),
            [format!("{SHOWN} joined"), format!("{SHOWN}: he\u{FFFD}llo")],
            "{}",
            odd.escape_unicode()
        );
        let lobby = party.text(0, PageId::Lobby);
        assert!(lobby.contains(&format!("\n- {SHOWN} (not ready)\n")), "{lobby}");
        assert!(lobby.ends_with(&format!("\n- {SHOWN}: he\u{FFFD}llo")), "{lobby}");
        assert!(party.text(0, PageId::Pause).contains(&format!("\n- {SHOWN} -\n")));
        // Its figure's name is the game's to draw.
        let pose = sent_by(&mut party, 0);
        let Ok(Message::Pose(pose)) = Message::decode(&pose) else { panic!("a pose") };
        party.host().data(id, &encoded(&Message::Pose(Pose { owner: id, ..pose })));
        party.tick();
        assert_eq!(party.host().game.figure().expect("is seen").name, SHOWN);
        party.host().report(Event::Party(PartyNews::Left { id }));
        party.tick();
        assert_eq!(party.host().game.messages.take(), [format!("{SHOWN} left")]);
    }
}

/// B2.3, B2.5, B2.7
#[test]
fn a_party_with_odd_words_is_listed_and_joined_with_replacements() {
    for odd in ODD {
        let odd = format!("a{odd}b");
        let mut player = Player::new("Nova_7", 7);
        player.show(PageId::Home, LocalTime::ZERO);
        player.take_commands();
        player.connected();
        let row = PartyRow {
            code: "ABCDEF".to_owned(),
            host: odd.clone(),
            members: 1,
            size: 4,
            description: odd.clone(),
        };
        player.report(Event::Party(PartyNews::List(vec![row])));
        player.mp.tick(&player.game, LocalTime::ZERO);
        let browse = text(&player.page(PageId::Browse, LocalTime::ZERO));
        assert!(browse.contains(&format!("\n- {SHOWN} {SHOWN}  1/4\n")), "{browse}");
        let host = Member { id: SessionId(9), name: odd.clone() };
        player.report(Event::Party(PartyNews::Info {
            code: odd.clone(),
            host: host.id,
            members: vec![host, player.member()],
            description: odd,
        }));
        player.mp.tick(&player.game, LocalTime::ZERO);
        let lobby = text(&player.page(PageId::Lobby, LocalTime::ZERO));
        assert!(lobby.starts_with(&format!("Party {SHOWN}\n")), "{lobby}");
        assert!(lobby.contains(&format!("\n- Playing: {SHOWN}\n- {SHOWN} (host)\n")), "{lobby}");
    }
}

/// B2.9: of a description of 257 bytes, as of all else that a server may not say, the log has the details.
#[test]
fn a_link_that_broke_the_protocol_is_said_and_why_is_in_the_log() {
    const WHY: &str = "INFO description: 257 is out of range";
    let mut player = Player::new("Nova_7", 7);
    player.choose(PageId::Join, "Join", LocalTime::ZERO);
    player.take_commands();
    player.connected();
    player.report(Event::Lost { why: LostReason::Protocol(WHY.to_owned()) });
    player.mp.tick(&player.game, LocalTime::ZERO);
    let footer = player.footer(PageId::Join, LocalTime::ZERO);
    assert_eq!(
        footer,
        format!("Connecting to 192.168.1.1:7770 | the server broke the protocol: {WHY}")
    );
    assert_eq!(logged(&player, WHY), 1);
    assert!(!player.game.did().iter().any(|did| did.starts_with("start")));
}

/// A member in its lobby that has heard START and what follows.
fn told_to_start(what_follows: &[u8]) -> Party {
    let mut party = Party::of(&["Nova_7", "Orbit"]);
    let host = party.players[0].id;
    party.players[1].game.did();
    party.players[1].data(host, &encoded(&Start.into()));
    party.step();
    assert!(party.text(1, PageId::Lobby).ends_with("> Starting"));
    party.players[1].data(host, what_follows);
    party.step();
    party
}

/// B4.2: a size of 2 GiB, of -1, of nothing, of more than a save has; a level that is none.
#[test]
fn a_play_that_cannot_be_is_said_and_starts_nothing() {
    let good = play_of(1, 100, Level::NONE);
    let sizes = [i32::MAX, i32::MIN, -1, 0, 262_145].map(|size| (10, size));
    for (at, number) in sizes.into_iter().chain([(6, -2), (6, 128)]) {
        let mut bad = good.clone();
        bad[at..at + 4].copy_from_slice(&number.to_be_bytes());
        let mut party = told_to_start(&bad);
        let lobby = party.text(1, PageId::Lobby);
        assert!(lobby.ends_with("> Could not get the host's game"), "{number}: {lobby}");
        assert_eq!(party.players[1].game.did(), [""; 0], "{number}");
        assert_eq!(logged(&party.players[1], "malformed message from Nova_7"), 1, "{number}");
        // One that can be starts all the same.
        let host = party.players[0].id;
        let from = PlayFrom::NewGame;
        let new_game = Play { play: PlayId(2), from, level: Level::NONE, build: BUILD };
        party.players[1].data(host, &encoded(&new_game.into()));
        party.step();
        assert_eq!(party.players[1].game.did(), ["start NewGame: true"], "{number}");
    }
}

/// B4.2, B4.5: one that plays keeps its level, whatever PLAY the host makes up.
#[test]
fn a_play_that_cannot_be_takes_nobody_out_of_its_level() {
    let mut bad = play_of(1, 100, Level::NONE);
    bad[10..14].copy_from_slice(&i32::MAX.to_be_bytes());
    let mut party = playing(&["Nova_7", "Orbit"]);
    let host = party.players[0].id;
    (0..50).for_each(|_| party.players[1].data(host, &bad));
    party.step();
    assert_eq!(party.players[1].game.did(), [""; 0]);
    assert_eq!(party.players[1].footer(PageId::Pause, LocalTime::ZERO), "");
}

/// B4.2: a START that nothing follows.
#[test]
fn a_start_without_a_game_is_said_after_10_s() {
    let mut party = told_to_start(&[]);
    for _ in 0..590 {
        party.step();
    }
    assert!(party.text(1, PageId::Lobby).ends_with("> Starting"));
    for _ in 0..20 {
        party.step();
    }
    let lobby = party.text(1, PageId::Lobby);
    assert!(lobby.ends_with("> Could not get the host's game"), "{lobby}");
    assert_eq!(party.players[1].game.did(), [""; 0]);
}

/// B4.2: nor does a host that says START for ever keep one at `Starting`, or from its lobby's rows.
#[test]
fn a_host_that_says_start_for_ever_is_seen_through() {
    let mut party = told_to_start(&[]);
    let host = party.players[0].id;
    let mut said = 0;
    for _ in 0..20 * SECOND {
        party.players[1].data(host, &encoded(&Start.into()));
        party.step();
        let lobby = party.text(1, PageId::Lobby);
        said += u32::from(lobby.ends_with("> Could not get the host's game"));
        assert!(lobby.contains("- Ready\n- Leave\n"), "{lobby}");
    }
    assert!(said > 0, "never told");
    assert_eq!(party.players[1].game.did(), [""; 0]);
    party.players[1].leave();
    assert!(party.players[1].game.did().contains(&"open Home".to_owned()));
}

/// B5.1, protocol.md 3, "Malformed": whose poses are none is ignored, which the host's player reads over
/// the level and on both pages; its figure goes.
#[test]
fn one_that_sends_poses_that_are_none_is_ignored_in_words() {
    let mut party = playing(&["Nova_7", "Orbit"]);
    let orbit = party.players[1].id;
    assert!(party.host().game.figure().is_some());
    let mut bad = sent_by(&mut party, 1);
    bad[17..21].copy_from_slice(&f32::NAN.to_be_bytes());
    for _ in 0..19 {
        party.host().data(orbit, &bad);
    }
    party.step();
    assert_eq!(party.host().game.messages.take(), [""; 0]);
    party.host().data(orbit, &bad);
    party.step();
    let words = "Orbit is ignored: its game sends what makes no sense";
    assert_eq!(party.host().game.messages.take(), [words]);
    assert!(party.text(0, PageId::Lobby).contains("- Orbit (ignored)\n"));
    assert!(party.text(0, PageId::Pause).contains("- Orbit (ignored) "));
    assert_eq!(party.host().game.figure(), None);
}
