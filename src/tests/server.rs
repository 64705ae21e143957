//! Playing through a server: Home, Browse games, Join by code (B2.2 to B2.5, B2.9, B5.9).

use super::*;
use mp_netcode::Grade;
use mp_protocol::ErrorReason;
use mp_protocol::game::{HostLevel, Level, Play, PlayFrom, PlayId, Progress, Start};
use mp_sockets::{ConnectError, Destination, LostReason, PartyRow};

const NOW: LocalTime = LocalTime::ZERO;

/// A player on Home, its link on the way.
fn at_home() -> Player {
    let mut player = Player::new("Nova_7", 7);
    player.show(PageId::Home, NOW);
    player.take_commands();
    player
}

fn online() -> Player {
    let mut player = at_home();
    player.connected();
    tick(&mut player, NOW);
    player.asked.clear();
    player
}

fn tick(player: &mut Player, now: LocalTime) {
    player.mp.tick(&player.game, now);
    player.take_commands();
}

fn row(host: &str, code: &str) -> PartyRow {
    PartyRow {
        code: code.to_owned(),
        host: host.to_owned(),
        members: 2,
        size: 4,
        description: "Pokitaru, 12 gold bolts".to_owned(),
    }
}

fn in_party(player: &Player, host: SessionId) {
    player.report(Event::Party(PartyNews::Info {
        code: "H7KQ2M".to_owned(),
        host,
        members: vec![player.member(), Member { id: SessionId(9), name: "Orbit".to_owned() }],
        description: "New game".to_owned(),
    }));
}

/// B1.1, B2.2
#[test]
fn the_connection_opens_the_first_time_home_shows_and_only_then() {
    let mut player = Player::new("Nova_7", 7);
    tick(&mut player, NOW);
    assert_eq!(player.asked, []);
    player.show(PageId::Home, NOW);
    player.show(PageId::Home, NOW);
    player.take_commands();
    let to = Destination::Name { host: "game.openrac.dev".to_owned(), port: 7770 };
    assert_eq!(player.asked, [Command::Connect { link: LinkId(1), to, name: "Nova_7".to_owned() }]);
    assert_eq!(player.footer(PageId::Home, NOW), "Connecting to game.openrac.dev:7770");
}

/// B1.1
#[test]
fn a_setting_that_is_not_understood_is_said_and_direct_play_works() {
    let game = FakeGame::default();
    game.settings.borrow_mut().insert("Server", "h:0".to_owned());
    let mut player = Player::in_game("Nova_7", 7, game);
    player.show(PageId::Home, NOW);
    assert_eq!(player.footer(PageId::Home, NOW), "Server setting not understood: h:0");
    player.choose(PageId::Direct, "Host directly", NOW);
    player.show(PageId::Saves, NOW);
    player.choose(PageId::Saves, "New game", NOW);
    player.take_commands();
    assert!(matches!(&player.asked[..], [Command::Host { .. }]));
}

/// B2.2
#[test]
fn what_needs_the_server_is_dim_until_its_hello_and_the_cursor_then_moves_up() {
    let mut player = at_home();
    let dim = "Multiplayer\n- (Browse games)\n- (Create match)\n- (Join by code)\n- Direct connect\n\
               - Your name Nova_7\n> Connecting to game.openrac.dev:7770";
    assert_eq!(text(&player.page(PageId::Home, NOW)), dim);
    assert_eq!(player.game.did(), ["cursor 3"]);
    player.choose(PageId::Home, "Create match", NOW);
    player.take_commands();
    assert_eq!(player.game.did(), ["sound Refused"]);
    player.asked.clear();
    player.connected();
    tick(&mut player, NOW);
    assert_eq!(player.game.did(), ["cursor 0"]);
    player.choose(PageId::Home, "Create match", NOW);
    player.show(PageId::Saves, NOW);
    player.choose(PageId::Saves, "New game", NOW);
    player.take_commands();
    let description = "New game".to_owned();
    assert_eq!(player.asked, [Command::Party(PartyRequest::Create { description })]);
}

/// B2.3
#[test]
fn the_games_are_asked_for_every_3_s_while_they_show_and_not_once_more() {
    let mut player = online();
    let asked = |player: &mut Player| std::mem::take(&mut player.asked).len();
    player.show(PageId::Browse, NOW);
    player.take_commands();
    assert_eq!(asked(&mut player), 1);
    let mut now = NOW;
    for _ in 0..540 {
        now = now + TICK;
        tick(&mut player, now);
    }
    assert_eq!(asked(&mut player), 3);
    player.mp.page_event(PageId::Browse, PageEvent::Hidden, &player.game, now);
    for _ in 0..540 {
        now = now + TICK;
        tick(&mut player, now);
    }
    assert_eq!(asked(&mut player), 0);
}

/// B2.3
#[test]
fn a_row_a_party_says_whose_it_is_what_it_plays_and_how_full_it_is() {
    let mut player = online();
    assert!(text(&player.page(PageId::Browse, NOW)).contains("Asking the server"));
    player.report(Event::Party(PartyNews::List(Vec::new())));
    tick(&mut player, NOW);
    assert!(text(&player.page(PageId::Browse, NOW)).contains("Create match"));
    let rows = vec![row("Orbit", "H7KQ2M"), row("Quark", "ABCDEF")];
    player.report(Event::Party(PartyNews::List(rows)));
    tick(&mut player, NOW);
    let page = player.page(PageId::Browse, NOW);
    assert_eq!(
        text(&page),
        "Browse games\n- Refresh\n- Orbit Pokitaru, 12 gold bolts  2/4\n\
         - Quark Pokitaru, 12 gold bolts  2/4\n> Connected"
    );
    player.choose(PageId::Browse, "Quark", NOW);
    player.take_commands();
    let code = "ABCDEF".to_owned();
    assert_eq!(player.asked, [Command::Party(PartyRequest::Join { code })]);
}

/// B2.5
#[test]
fn a_code_is_stepped_character_by_character_and_joined() {
    let mut player = online();
    for (row, right) in [(0, true), (1, false), (5, true)] {
        let step = PageEvent::Step { row, right, held_ticks: 0 };
        player.mp.page_event(PageId::Code, step, &player.game, NOW);
    }
    assert_eq!(player.page(PageId::Code, NOW).title, "Join 3Z2223");
    player.choose(PageId::Code, "Character 1", NOW);
    player.choose(PageId::Code, "Join", NOW);
    player.take_commands();
    let code = "4Z2223".to_owned();
    assert_eq!(player.asked, [Command::Party(PartyRequest::Join { code })]);
    player.report(Event::Refused(ErrorReason::NoSuchParty));
    tick(&mut player, NOW);
    assert_eq!(player.footer(PageId::Code, NOW), "Connected | No party has that code");
}

/// B2.7
#[test]
fn the_lobbys_title_is_the_code() {
    let mut player = online();
    in_party(&player, SessionId(9));
    tick(&mut player, NOW);
    assert_eq!(player.game.page.get(), Some(PageId::Lobby));
    assert_eq!(player.page(PageId::Lobby, NOW).title, "Party H7KQ2M");
}

/// B2.9
#[test]
fn the_server_is_tried_again_and_its_going_away_is_said() {
    let mut player = at_home();
    let retry_in = Duration::from_millis(1_500);
    player.report(Event::ConnectFailed { why: ConnectError::Refused, retry_in });
    tick(&mut player, NOW);
    let footer = player.footer(PageId::Home, NOW);
    assert!(
        footer.starts_with("Server unreachable") && footer.ends_with("again in 2 s"),
        "{footer}"
    );
    player.connected();
    tick(&mut player, NOW);
    assert_eq!(player.footer(PageId::Home, NOW), "Connected");
    player.report(Event::Lost { why: LostReason::Closed });
    tick(&mut player, NOW);
    assert!(player.footer(PageId::Home, NOW).ends_with("| The server went away"));
    player.connected();
    tick(&mut player, NOW);
    assert_eq!(player.footer(PageId::Home, NOW), "Connected");
}

/// B2.9, B3.2: a link that comes back is another one, and begins as live.
#[test]
fn a_link_that_was_interrupted_and_lost_is_not_interrupted_when_it_comes_back() {
    let mut player = online();
    player.report(Event::Liveness(Grade::Interrupted));
    tick(&mut player, NOW);
    assert_eq!(player.footer(PageId::Home, NOW), "Connection interrupted");
    player.report(Event::Lost { why: LostReason::Silent });
    player.report(Event::Connected { session: SessionId(8) });
    tick(&mut player, NOW);
    assert_eq!(player.footer(PageId::Home, NOW), "Connected");
    in_party(&player, SessionId(9));
    tick(&mut player, NOW);
    let lobby = text(&player.page(PageId::Lobby, NOW));
    assert!(lobby.contains("- Round trip -"), "it has not been measured yet: {lobby}");
}

/// B2.9
#[test]
fn direct_connect_stops_the_servers_retries_and_home_takes_them_up_again() {
    let mut player = at_home();
    player.choose(PageId::Home, "Direct connect", NOW);
    player.take_commands();
    assert!(player.closed);
    assert_eq!(player.footer(PageId::Direct, NOW), "");
    player.asked.clear();
    player.mp.page_event(PageId::Direct, PageEvent::Back, &player.game, NOW);
    player.show(PageId::Home, NOW);
    player.take_commands();
    assert!(matches!(&player.asked[..], [Command::Connect { .. }]));
}

/// B3.3, B5.9
#[test]
fn a_party_over_leaves_the_servers_link_and_says_why() {
    for (event, words, online) in [
        (Event::Party(PartyNews::End), "The host left: the party is over", true),
        (Event::Lost { why: LostReason::Silent }, "The server went away", false),
    ] {
        let mut player = online_in_level();
        player.report(event);
        tick(&mut player, NOW);
        assert!(player.game.did().contains(&"title Home".to_owned()));
        player.show(PageId::Home, NOW);
        let footer = player.footer(PageId::Home, NOW);
        assert!(footer.ends_with(words), "{footer}");
        assert_eq!(footer.starts_with("Connected"), online, "{footer}");
        player.take_commands();
        assert!(!player.closed, "the server is tried again by itself");
    }
}

/// B5.9: from any phase.
#[test]
fn the_servers_link_lost_takes_a_player_to_the_title_from_any_phase() {
    for phase in leaving::PHASES {
        let mut player = online_in_level();
        player.game.phase.set(phase);
        player.report(Event::Lost { why: LostReason::Silent });
        tick(&mut player, NOW);
        assert!(player.game.did().contains(&"title Home".to_owned()), "{phase:?}");
        let footer = player.footer(PageId::Home, NOW);
        assert!(footer.ends_with("| The server went away"), "{phase:?}: {footer}");
    }
}

/// B2.8
#[test]
fn leaving_a_servers_party_says_leave_and_stays_connected() {
    let mut player = online_in_level();
    player.choose(PageId::Pause, "Leave party", NOW);
    player.leave();
    player.take_commands();
    assert!(player.asked.contains(&Command::Party(PartyRequest::Leave)));
    assert!(!player.closed);
    let did = player.game.did();
    assert!(did.contains(&"ask Leave the party?".to_owned()), "{did:?}");
    assert!(did.contains(&"title Home".to_owned()), "{did:?}");
    assert!(!player.page(PageId::Home, NOW).rows[0].dim);
}

fn online_in_level() -> Player {
    let mut player = online();
    in_party(&player, SessionId(9));
    tick(&mut player, NOW);
    player.game.play(0, hero([0.0; 3]));
    tick(&mut player, NOW);
    player.game.did();
    player
}

/// B5.9: what was on its way when the player left says nothing to it any more, nor to its next party. Else
/// the game that was left would start in the next one's lobby.
#[test]
fn what_a_party_that_was_left_still_says_is_passed_over() {
    let host = SessionId(9);
    let mut player = online();
    in_party(&player, host);
    tick(&mut player, NOW);
    player.leave();
    player.game.did();
    let level = HostLevel { play: PlayId(1), level: Level::NONE, scene: false, travel: None };
    let from = PlayFrom::NewGame;
    let play = Play { play: PlayId(1), from, level: Level::NONE, build: saves::BUILD };
    let has = [1; 37];
    let progress = Progress { items: &has, gold_bolts: &[1; 80], planets: &[1; 20] };
    for said in [Start.into(), play.into(), level.into(), progress.into()] {
        player.data(host, &encoded(&said));
    }
    player.report(Event::Party(PartyNews::End));
    tick(&mut player, NOW);
    assert_eq!(player.game.did(), [""; 0]);
    assert_eq!(player.footer(PageId::Home, NOW), "Connected");
    in_party(&player, host);
    for _ in 0..SECOND {
        tick(&mut player, NOW);
    }
    assert_eq!(player.game.did(), ["open Lobby"]);
    assert_eq!(player.footer(PageId::Lobby, NOW), "");
    player.data(host, &encoded(&HostLevel { level: Level::new(0).expect("one"), ..level }.into()));
    player.game.play(0, hero([0.0; 3]));
    tick(&mut player, NOW);
    let gave = player.game.did().into_iter().filter(|did| did.starts_with("give")).count();
    assert_eq!(gave, 0, "what the party that was left has is not this one's");
}

/// B2.5: a late answer finds the player gone from the pages, and takes it into no party unasked.
#[test]
fn a_party_that_lets_a_player_in_that_went_back_to_the_title_is_left_at_once() {
    for plays in [false, true] {
        let mut player = online();
        player.show(PageId::Code, NOW);
        player.choose(PageId::Code, "Join", NOW);
        player.mp.page_event(PageId::Code, PageEvent::Hidden, &player.game, NOW);
        if plays {
            player.game.play(0, hero([0.0; 3]));
        }
        in_party(&player, SessionId(9));
        player.game.did();
        tick(&mut player, NOW);
        assert_eq!(player.asked.last(), Some(&Command::Party(PartyRequest::Leave)));
        assert!(text(&player.page(PageId::Pause, NOW)).contains("Not in a party"));
        assert_eq!(player.game.did(), [""; 0], "it plays on, or stays where it is");
    }
}

/// B2.2, B2.9
#[test]
fn why_a_row_was_refused_is_said_until_it_may_be_chosen() {
    let mut player = at_home();
    player.choose(PageId::Home, "Create match", NOW);
    assert!(player.footer(PageId::Home, NOW).contains("This needs the server"));
    player.connected();
    tick(&mut player, NOW);
    assert_eq!(player.footer(PageId::Home, NOW), "Connected");
}

/// B2.9
#[test]
fn the_servers_answers_are_said_in_words_but_the_echo_of_a_party_that_ended() {
    for (reason, words) in [
        (ErrorReason::NoSuchParty, "No party has that code"),
        (ErrorReason::Full, "The party is full"),
        (ErrorReason::AlreadyInOne, "Already in a party"),
        (ErrorReason::TooManyConnections, "Too many connections from here"),
        (ErrorReason::TooFast, "Too fast: wait a moment"),
        (ErrorReason::NotInOne, "Joining 222222"),
    ] {
        let mut player = online();
        player.choose(PageId::Code, "Join", NOW);
        player.report(Event::Refused(reason));
        tick(&mut player, NOW);
        assert_eq!(player.footer(PageId::Code, NOW), format!("Connected | {words}"));
    }
}

/// B2.5: what was refused can be asked again.
#[test]
fn a_code_that_no_party_has_can_be_changed_and_tried_again() {
    let mut player = online();
    for _ in 0..2 {
        player.choose(PageId::Code, "Join", NOW);
        player.take_commands();
        assert_eq!(std::mem::take(&mut player.asked).len(), 1);
        player.report(Event::Refused(ErrorReason::NoSuchParty));
        tick(&mut player, NOW);
    }
}

/// B2.5
#[test]
fn in_the_party_the_lobby_takes_the_codes_place() {
    let mut player = online();
    player.show(PageId::Code, NOW);
    player.choose(PageId::Code, "Join", NOW);
    in_party(&player, SessionId(9));
    tick(&mut player, NOW);
    assert_eq!(player.game.page.get(), Some(PageId::Lobby));
}

/// B2.2, B2.5: what needs the server cannot be chosen once it is gone.
#[test]
fn a_code_cannot_be_joined_while_the_server_is_gone() {
    let mut player = online();
    player.report(Event::Lost { why: LostReason::Closed });
    tick(&mut player, NOW);
    player.asked.clear();
    player.game.did();
    player.choose(PageId::Code, "Join", NOW);
    player.take_commands();
    assert_eq!(player.asked, []);
    assert_eq!(player.game.did(), ["sound Refused"]);
}

/// B2.3: words of others that would turn or overrun the row.
#[test]
fn a_row_shows_odd_words_as_replacements_and_cut() {
    let mut player = online();
    let odd = PartyRow {
        host: "\u{202E}Orbit".to_owned(),
        description: "x".repeat(256),
        ..row("", "ABCDEF")
    };
    let created_by_find = PartyRow { description: String::new(), ..row("Quark", "H7KQ2M") };
    player.report(Event::Party(PartyNews::List(vec![odd, created_by_find])));
    tick(&mut player, NOW);
    let page = text(&player.page(PageId::Browse, NOW));
    assert!(page.contains(&format!("- \u{FFFD}Orbit {}...  2/4\n", "x".repeat(48))), "{page}");
    assert!(page.contains("- Quark New game  2/4\n"), "{page}");
    player.choose(PageId::Browse, "\u{FFFD}Orbit", NOW);
    player.take_commands();
    let code = "ABCDEF".to_owned();
    assert_eq!(player.asked, [Command::Party(PartyRequest::Join { code })]);
}

/// B2.9, protocol.md 1: a description of 257 bytes is the server's breach, which ends the link with words.
#[test]
fn a_server_that_breaks_the_protocol_is_said_to_have_gone_away() {
    let mut player = online();
    let words = "INFO description: 257 is out of range".to_owned();
    player.report(Event::Lost { why: LostReason::Protocol(words) });
    tick(&mut player, NOW);
    assert!(player.footer(PageId::Home, NOW).ends_with("The server went away"));
}
