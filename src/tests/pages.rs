//! What the pages show and do (behaviour.md 2).

use super::*;
use mp_sockets::{ConnectError, HostError, Traffic};

/// Host directly, then a new game.
fn host_directly(player: &mut Player) {
    player.choose(PageId::Direct, "Host directly", LocalTime::ZERO);
    player.show(PageId::Saves, LocalTime::ZERO);
    player.choose(PageId::Saves, "New game", LocalTime::ZERO);
    player.take_commands();
}

/// B2.6
#[test]
fn triangle_goes_from_the_address_to_direct_connect_to_home_to_the_menu() {
    let mut player = Player::new("Nova_7", 7);
    for page in [PageId::Join, PageId::Direct, PageId::Home] {
        player.mp.page_event(page, PageEvent::Back, &player.game, LocalTime::ZERO);
    }
    let steps = player.game.did();
    let steps: Vec<_> = steps.iter().filter(|step| !step.starts_with("sound")).collect();
    assert_eq!(steps, ["open Direct", "open Home", "close"]);
}

/// B2.6
#[test]
fn the_title_shows_the_address_as_it_stands_and_join_connects_to_it() {
    let mut player = Player::new("Nova_7", 7);
    let step = PageEvent::Step { row: 3, right: true, held_ticks: 0 };
    player.mp.page_event(PageId::Join, step, &player.game, LocalTime::ZERO);
    assert_eq!(player.page(PageId::Join, LocalTime::ZERO).title, "Join 192.168.1.2:7770");
    player.choose(PageId::Join, "Join", LocalTime::ZERO);
    player.take_commands();
    let (link, to, name) = (LinkId(1), address("192.168.1.2:7770").into(), "Nova_7".to_owned());
    assert_eq!(player.asked, [Command::Connect { link, to, name }]);
    assert_eq!(player.footer(PageId::Join, LocalTime::ZERO), "Connecting to 192.168.1.2:7770");
}

/// B2.6, B3.5
#[test]
fn a_host_that_is_not_there_is_said_tried_again_and_given_up_by_triangle() {
    let mut player = Player::new("Nova_7", 7);
    player.choose(PageId::Join, "Join", LocalTime::ZERO);
    player.take_commands();
    let retry_in = Duration::from_millis(3_500);
    player.report(Event::ConnectFailed { why: ConnectError::Refused, retry_in });
    player.mp.tick(&player.game, LocalTime::ZERO);
    let footer = player.footer(PageId::Join, LocalTime::ZERO);
    assert_eq!(footer, "Nobody hosts at 192.168.1.1:7770: trying again in 4 s");
    let later = LocalTime::ZERO + Duration::from_secs(3);
    let footer = player.footer(PageId::Join, later);
    assert_eq!(footer, "Nobody hosts at 192.168.1.1:7770: trying again in 1 s");

    player.mp.page_event(PageId::Join, PageEvent::Back, &player.game, later);
    player.take_commands();
    assert!(player.closed);
    player.report(Event::Connecting { attempt: 2 });
    player.mp.tick(&player.game, later);
    assert_eq!(player.footer(PageId::Direct, later), "");
}

/// B2.6
#[test]
fn a_taken_port_is_said_and_the_page_stays() {
    let mut player = Player::new("Nova_7", 7);
    host_directly(&mut player);
    player.game.did();
    player.report(Event::HostFailed { port: 7770, why: HostError::PortInUse });
    player.mp.tick(&player.game, LocalTime::ZERO);
    assert_eq!(player.footer(PageId::Saves, LocalTime::ZERO), "Port 7770 is in use");
    assert_eq!(player.game.did(), [""; 0]);
    assert_eq!(player.mp.shown(), Some(PageId::Saves));
}

/// B1.3
#[test]
fn the_direct_port_is_the_settings_and_nonsense_is_said_and_counts_as_7770() {
    for (setting, port, logged) in [("", 7770, 1), ("0", 0, 1), ("7001", 7001, 1), ("h", 7770, 2)] {
        let game = FakeGame::default();
        game.settings.borrow_mut().insert("DirectPort", setting.to_owned());
        let mut player = Player::in_game("Nova_7", 7, game);
        host_directly(&mut player);
        assert!(matches!(&player.asked[..], [Command::Host { port: asked, .. }] if *asked == port));
        assert_eq!(player.game.logged.borrow().len(), logged, "{setting:?}");
    }
}

/// B2.7
#[test]
fn the_lobby_lists_the_members_and_where_they_are() {
    let mut party = Party::of(&["Nova_7", "Orbit"]);
    assert_eq!(
        party.text(0, PageId::Lobby),
        "Hosting on 192.168.1.20:7770\n  2 players, not all ready\n- (Start)\n- Leave\n\
         - Playing: New game\n- Nova_7 (host)\n- Orbit (not ready)\n- Round trip 12 ms UDP"
    );
    assert_eq!(
        party.text(1, PageId::Lobby),
        "Party at 192.168.1.1:7770\n  2 players, not all ready\n- Ready\n- Leave\n\
         - Playing: New game\n- Nova_7 (host)\n- Orbit (not ready)\n- Round trip 12 ms UDP"
    );
}

/// B2.7
#[test]
fn entering_a_party_opens_the_lobby_in_the_pages_place() {
    let party = Party::of(&["Nova_7", "Orbit"]);
    for player in &party.players {
        assert_eq!(player.game.page.get(), Some(PageId::Lobby));
    }
}

/// B2.7
#[test]
fn start_is_refused_with_a_sound_until_all_are_ready() {
    let mut party = Party::of(&["Nova_7", "Orbit"]);
    party.host().game.did();
    party.choose(0, PageId::Lobby, "Start");
    assert_eq!(party.host().game.did(), ["sound Refused"]);
    assert!(party.text(0, PageId::Lobby).ends_with("> Wait until everyone is ready"));
}

/// B2.7: no word stays that is no longer true.
#[test]
fn a_lobby_says_neither_who_left_and_is_back_nor_to_wait_for_those_who_are_ready() {
    let mut party = Party::of(&["Nova_7", "Orbit"]);
    party.lose(1);
    party.tick();
    assert!(party.text(0, PageId::Lobby).ends_with("> Orbit left"));
    party.enter("Quark");
    assert!(party.text(0, PageId::Lobby).ends_with("> Orbit left"));
    party.enter("Orbit");
    let lobby = party.text(0, PageId::Lobby);
    assert!(!lobby.contains("left"), "{lobby}");
    party.choose(0, PageId::Lobby, "Start");
    assert!(party.text(0, PageId::Lobby).ends_with("> Wait until everyone is ready"));
    for place in 1..3 {
        party.choose(place, PageId::Lobby, "Ready");
    }
    party.ticks(2);
    let lobby = party.text(0, PageId::Lobby);
    assert!(lobby.contains("- Start") && !lobby.contains("Wait"), "{lobby}");
}

/// B2.7
#[test]
fn the_host_alone_may_start() {
    let mut party = Party::of(&["Nova_7"]);
    party.choose(0, PageId::Lobby, "Start");
    assert!(party.host().game.did().contains(&"start NewGame: true".to_owned()));
    assert!(party.text(0, PageId::Lobby).ends_with("> Starting"));
}

/// B2.7, B2.8
#[test]
fn leave_and_triangle_ask_first_in_words_that_fit() {
    let mut party = Party::of(&["Nova_7", "Orbit"]);
    for (place, words) in [(0, "ask Stop hosting?"), (1, "ask Leave the party?")] {
        let now = party.now;
        let player = &mut party.players[place];
        player.game.did();
        player.choose(PageId::Lobby, "Leave", now);
        player.mp.page_event(PageId::Lobby, PageEvent::Back, &player.game, now);
        player.choose(PageId::Pause, "Leave party", now);
        let asked: Vec<_> =
            player.game.did().into_iter().filter(|did| did.starts_with("ask")).collect();
        assert_eq!(asked, [words; 3]);
        assert!(!player.closed);
    }
}

/// B2.8
#[test]
fn the_pause_page_says_where_the_party_is_and_who_is_in_it() {
    let mut party = Party::of(&["Nova_7", "Orbit"]);
    party.start();
    party.ticks(130);
    assert_eq!(
        party.text(1, PageId::Pause),
        "Multiplayer\n  Party at 192.168.1.1:7770\n  The host is on Veldin\n\
         - Nova_7 (host) 12 ms UDP\n- Orbit (you) 12 ms UDP\n- Leave party\n\
         - Say \"Over here!\"\n- Say \"Wait for me\"\n- Say \"Let's go\"\n- Say \"Help!\"\n\
         - Say \"Thanks!\""
    );
    assert!(party.text(0, PageId::Pause).contains("- Orbit 12 ms UDP"));
}

/// B2.7, B2.8: a stranger's name cannot pass for the host's mark.
#[test]
fn only_the_host_is_marked_as_the_host() {
    let mut party = Party::of(&["Nova_7", "Eve (host)"]);
    let (lobby, pause) = (party.text(0, PageId::Lobby), party.text(0, PageId::Pause));
    assert!(lobby.contains("- Eve \u{FFFD}host\u{FFFD} (not ready)\n"), "{lobby}");
    assert!(pause.contains("- Eve \u{FFFD}host\u{FFFD} "), "{pause}");
    assert_eq!((lobby.matches("(host").count(), pause.matches("(host").count()), (1, 1));
}

/// B2.8
#[test]
fn out_of_a_party_the_pause_page_says_so() {
    let mut player = Player::new("Nova_7", 7);
    let page = player.page(PageId::Pause, LocalTime::ZERO);
    assert_eq!(text(&page), "Multiplayer\n  Not in a party");
}

/// B3.2
#[test]
fn a_link_that_is_silent_is_said() {
    let mut party = Party::of(&["Nova_7", "Orbit"]);
    party.players[1].report(Event::Liveness(mp_netcode::Grade::Interrupted));
    party.tick();
    assert!(party.text(1, PageId::Pause).ends_with("> Connection interrupted"));
}

#[test]
fn a_row_that_is_not_there_does_nothing() {
    let mut player = Player::new("Nova_7", 7);
    for page in PageId::ALL {
        for event in [
            PageEvent::Choose { row: usize::MAX },
            PageEvent::Step { row: usize::MAX, right: true, held_ticks: u32::MAX },
        ] {
            player.mp.page_event(page, event, &player.game, LocalTime::ZERO);
        }
    }
    assert_eq!(player.game.did(), [""; 0]);
}

/// B2.6
#[test]
fn the_address_last_joined_is_kept_until_the_game_ends() {
    let mut player = Player::new("Nova_7", 7);
    let step = PageEvent::Step { row: 3, right: true, held_ticks: 0 };
    player.mp.page_event(PageId::Join, step, &player.game, LocalTime::ZERO);
    player.choose(PageId::Join, "Join", LocalTime::ZERO);
    player.take_commands();
    player.connected();
    let (code, host) = ("DIRECT".to_owned(), SessionId(9));
    let members = vec![player.member(), Member { id: host, name: "Orbit".to_owned() }];
    let info = PartyNews::Info { code, host, members, description: String::new() };
    player.report(Event::Party(info));
    player.mp.tick(&player.game, LocalTime::ZERO);
    player.leave();
    player.show(PageId::Home, LocalTime::ZERO);
    player.choose(PageId::Home, "Direct connect", LocalTime::ZERO);
    assert_eq!(player.page(PageId::Join, LocalTime::ZERO).title, "Join 192.168.1.2:7770");
}

/// B2.8: UDP or TCP and the round trip, every 2 s.
#[test]
fn the_pause_page_follows_each_link_every_2_s() {
    let mut party = Party::of(&["Nova_7", "Orbit", "Quark"]);
    party.start();
    party.ticks(130);
    let quality = Quality {
        round_trip: Duration::from_millis(80),
        server_offset_micros: OFFSET_MICROS,
        udp: false,
        jitter: Duration::ZERO,
        loss: 0.0,
        bytes: Traffic::default(),
    };
    party.players[1].report(Event::Quality(quality));
    // To the host within 2 s, and on to everyone within 2 more.
    party.ticks(240);
    for place in 0..3 {
        let page = party.text(place, PageId::Pause);
        let you = if place == 1 { " (you)" } else { "" };
        assert!(page.contains(&format!("- Orbit{you} 80 ms TCP\n")), "{page}");
        assert!(page.contains("Nova_7 (host") && page.contains("12 ms UDP"), "{page}");
    }
}

/// B2.8: the level is the host's, wherever this player is.
#[test]
fn the_pause_page_names_the_hosts_level() {
    let mut party = Party::of(&["Nova_7", "Orbit"]);
    party.start();
    assert!(!party.text(1, PageId::Lobby).contains("Veldin"));
    party.host().game.play(15, hero([0.0; 3]));
    party.ticks(2);
    for place in 0..2 {
        let page = party.text(place, PageId::Pause);
        assert!(page.contains("  The host is on Pokitaru\n"), "{page}");
    }
}

/// B2.9
#[test]
fn leaving_a_direct_party_goes_back_to_home_which_tries_the_server_again() {
    let mut party = Party::of(&["Nova_7", "Orbit"]);
    for place in [1, 0] {
        let now = party.now;
        let player = &mut party.players[place];
        player.show(PageId::Lobby, now);
        player.leave();
        assert_eq!(player.game.page.get(), Some(PageId::Home));
        player.take_commands();
        assert!(player.closed);
        player.asked.clear();
        player.show(PageId::Home, now);
        player.take_commands();
        assert!(matches!(&player.asked[..], [Command::Connect { .. }]), "{:?}", player.asked);
    }
}

/// B2.9: the direct pages never show the server's state.
#[test]
fn the_direct_pages_say_nothing_of_a_server_that_is_not_there() {
    let mut player = Player::new("Nova_7", 7);
    player.show(PageId::Home, LocalTime::ZERO);
    player.take_commands();
    let retry_in = Duration::from_secs(2);
    player.report(Event::ConnectFailed { why: ConnectError::Refused, retry_in });
    player.mp.tick(&player.game, LocalTime::ZERO);
    assert!(player.footer(PageId::Home, LocalTime::ZERO).starts_with("Server unreachable"));
    player.choose(PageId::Home, "Direct connect", LocalTime::ZERO);
    player.choose(PageId::Direct, "Host directly", LocalTime::ZERO);
    for page in [PageId::Direct, PageId::Join, PageId::Saves] {
        assert_eq!(player.footer(page, LocalTime::ZERO), "", "{page:?}");
    }
}
