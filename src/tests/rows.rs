//! Rows, footers and prompts of behaviour.md 1 and 2, where no other test of the pages goes.

use super::*;
use crate::front::Core;
use mp_protocol::ErrorReason;
use mp_sockets::{ConnectError, PartyRequest};

const NOW: LocalTime = LocalTime::ZERO;

fn tick(player: &mut Player) {
    player.mp.tick(&player.game, NOW);
    player.take_commands();
}

fn online() -> Player {
    let mut player = Player::new("Nova_7", 7);
    player.show(PageId::Home, NOW);
    player.take_commands();
    player.connected();
    tick(&mut player);
    player.asked.clear();
    player.game.did();
    player
}

/// In a party of the server's that the player hosts, or another does, of so many.
fn in_party(hosts: bool, members: i32) -> Player {
    let mut player = online();
    let host = if hosts { player.id } else { SessionId(8) };
    let others =
        (8..7 + members).map(|id| Member { id: SessionId(id), name: format!("Other{id}") });
    player.report(Event::Party(PartyNews::Info {
        code: "H7KQ2M".to_owned(),
        host,
        members: std::iter::once(player.member()).chain(others).collect(),
        description: "New game".to_owned(),
    }));
    tick(&mut player);
    player.game.did();
    player
}

fn named(setting: &str, launcher_name: &'static str) -> String {
    let game = FakeGame { launcher_name, ..FakeGame::default() };
    game.settings.borrow_mut().insert("Name", setting.to_owned());
    let (handle, _far) = Handle::detached();
    let mut mp = Multiplayer::new(&game, handle, 1_042);
    let home = mp.page(PageId::Home, &game, NOW);
    home.rows.last().expect("it has rows").value.clone()
}

/// B1.2, B2.2: as Home says it.
#[test]
fn the_name_is_the_settings_else_the_launchers_else_made_up() {
    assert_eq!(named("Nova_7", "Orbit"), "Nova_7");
    for setting in ["", "${player_name}", "No", "Nova 7"] {
        assert_eq!(named(setting, "Orbit"), "Orbit", "{setting:?}");
        assert_eq!(named(setting, "O"), "Player042", "{setting:?}");
    }
}

/// B2.2: no page that closes ends it, nor a level of one's own; the game's end does.
#[test]
fn the_connection_lasts_until_the_game_ends() {
    let mut player = online();
    player.mp.page_event(PageId::Home, PageEvent::Back, &player.game, NOW);
    player.mp.page_event(PageId::Home, PageEvent::Hidden, &player.game, NOW);
    player.game.play(0, hero([0.0; 3]));
    tick(&mut player);
    player.game.title();
    tick(&mut player);
    player.show(PageId::Home, NOW);
    tick(&mut player);
    assert!(!player.closed);
    assert_eq!(player.asked, [], "it is not opened again");
    assert_eq!(player.footer(PageId::Home, NOW), "Connected");
    let Player { mp, game, far, .. } = player;
    let net = Box::new(mp).end(&game);
    assert!(net.is_some(), "to be joined");
    let mut said = std::iter::from_fn(|| far.try_next());
    assert!(said.any(|command| command == Command::Close));
}

/// B2.2, B2.7: as the game's own menus do.
#[test]
fn choosing_and_going_back_sound_and_words_do_nothing() {
    let mut player = online();
    let sounds = |player: &Player| {
        let did = player.game.did();
        did.into_iter().filter(|did| did.starts_with("sound")).collect::<Vec<_>>()
    };
    for page in [PageId::Browse, PageId::Code, PageId::Saves, PageId::Direct, PageId::Join] {
        player.mp.page_event(page, PageEvent::Back, &player.game, NOW);
        assert_eq!(sounds(&player), ["sound Back"], "{page:?}");
    }
    player.choose(PageId::Home, "Your name", NOW);
    assert_eq!(player.game.did(), [""; 0]);
    for row in ["Direct connect", "Browse games", "Create match", "Join by code"] {
        player.show(PageId::Home, NOW);
        player.take_commands();
        player.connected();
        tick(&mut player);
        player.game.did();
        player.choose(PageId::Home, row, NOW);
        assert_eq!(sounds(&player), ["sound Choose"], "{row}");
    }
}

/// B2.3
#[test]
fn refresh_asks_at_once() {
    let mut player = online();
    player.show(PageId::Browse, NOW);
    player.take_commands();
    player.asked.clear();
    player.choose(PageId::Browse, "Refresh", NOW);
    player.take_commands();
    assert_eq!(player.asked, [Command::Party(PartyRequest::List)]);
    // And three seconds from then, not from before.
    player.asked.clear();
    tick(&mut player);
    assert_eq!(player.asked, []);
}

/// B2.6
#[test]
fn the_address_has_a_row_a_part_two_for_the_port_and_join() {
    let mut player = Player::new("Nova_7", 7);
    assert_eq!(
        text(&player.page(PageId::Join, NOW)),
        "Join 192.168.1.1:7770\n- Address part 1 192\n- Address part 2 168\n- Address part 3 1\n\
         - Address part 4 1\n- Port 7770\n- Port by 100 7770\n- Join"
    );
    player.choose(PageId::Join, "Join", NOW);
    let page = text(&player.page(PageId::Join, NOW));
    assert!(page.contains("\n  Triangle gives up\n"), "{page}");
}

/// B2.6: as the game tells of a row that is held: each time for how long.
#[test]
fn a_row_that_is_held_steps_ten_at_a_time_after_a_moment_with_the_games_sound() {
    let mut player = Player::new("Nova_7", 7);
    let mut title = |row, right, held_ticks| {
        let step = PageEvent::Step { row, right, held_ticks };
        player.mp.page_event(PageId::Join, step, &player.game, NOW);
        assert_eq!(player.game.did(), ["sound Move"]);
        player.page(PageId::Join, NOW).title
    };
    assert_eq!(title(3, true, 0), "Join 192.168.1.2:7770");
    assert_eq!(title(3, true, 30), "Join 192.168.1.3:7770");
    assert_eq!(title(3, true, 90), "Join 192.168.1.13:7770");
    assert_eq!(title(3, false, 90), "Join 192.168.1.3:7770");
    assert_eq!(title(3, false, 90), "Join 192.168.1.249:7770", "the end wraps");
    assert_eq!(title(4, true, 0), "Join 192.168.1.249:7771");
    assert_eq!(title(5, true, 90), "Join 192.168.1.249:8771");
}

/// B2.7: four at most, the host marked, each ready or not.
#[test]
fn the_lobby_of_a_full_party_lists_all_four() {
    let mut player = in_party(true, 4);
    assert_eq!(
        text(&player.page(PageId::Lobby, NOW)),
        "Party H7KQ2M\n  4 players, not all ready\n- (Start)\n- Leave\n- Playing: New game\n\
         - Nova_7 (host)\n- Other8 (not ready)\n- Other9 (not ready)\n- Other10 (not ready)\n\
         - Round trip 12 ms UDP"
    );
}

/// B2.7, B4.4: Join the game takes Ready's place while the host's game is on, and not before or after.
#[test]
fn join_the_game_is_offered_while_the_hosts_game_is_on() {
    let mut party = Party::of(&["Nova_7", "Orbit"]);
    let row = |party: &mut Party| {
        let now = party.now;
        party.players[1].page(PageId::Lobby, now).rows[0].label.clone()
    };
    assert_eq!(row(&mut party), "Ready");
    party.start();
    party.ticks(70);
    party.players[1].game.title();
    party.ticks(3);
    assert_eq!(row(&mut party), "Join the game");
    party.host().game.title();
    party.ticks(70);
    assert_eq!(row(&mut party), "Not ready", "the host is back at its lobby");
}

/// B2.8: a server's party has its code there, and its host is asked in other words.
#[test]
fn the_pause_page_of_a_servers_party_has_the_code_and_asks_whether_to_end_it() {
    for (hosts, words) in [(true, "ask End the party?"), (false, "ask Leave the party?")] {
        let mut player = in_party(hosts, 2);
        let page = text(&player.page(PageId::Pause, NOW));
        assert!(page.starts_with("Multiplayer\n  Party H7KQ2M\n"), "{page}");
        let you = if hosts { "- Nova_7 (host, you) " } else { "- Nova_7 (you) " };
        assert!(page.contains(you), "{page}");
        assert_eq!(page.contains("- Other8 (host) "), !hosts, "{page}");
        player.choose(PageId::Pause, "Leave party", NOW);
        player.choose(PageId::Lobby, "Leave", NOW);
        player.mp.page_event(PageId::Lobby, PageEvent::Back, &player.game, NOW);
        let did = player.game.did();
        let asked: Vec<_> = did.iter().filter(|did| did.starts_with("ask")).collect();
        assert_eq!(asked, [words; 3]);
        player.mp.answered(PromptId::Leave, false, &player.game);
        player.take_commands();
        assert_eq!(player.asked, [], "No leaves nothing");
    }
}

/// B2.9: one whom the server does not let in hears why, and it is tried again.
#[test]
fn a_server_that_turns_one_away_is_said_to_and_tried_again() {
    for (reason, words) in [
        (ErrorReason::BadName, "bad name"),
        (ErrorReason::TooManyConnections, "too many connections"),
    ] {
        let mut player = Player::new("Nova_7", 7);
        player.show(PageId::Home, NOW);
        player.take_commands();
        let retry_in = Duration::from_secs(2);
        player.report(Event::ConnectFailed { why: ConnectError::Rejected(reason), retry_in });
        tick(&mut player);
        let footer = player.footer(PageId::Home, NOW);
        assert!(footer.starts_with("Server unreachable"), "{footer}");
        assert!(footer.contains(words) && footer.ends_with("trying again in 3 s"), "{footer}");
    }
    // While connected, a name that is refused after all.
    let mut player = online();
    player.report(Event::Refused(ErrorReason::BadName));
    tick(&mut player);
    let footer = player.footer(PageId::Home, NOW);
    assert_eq!(footer, "Connected | The server does not take that name");
}

/// B4.4: it loaded without getting ready, and keeps no later Start waiting.
#[test]
fn one_who_was_given_the_game_that_is_on_counts_as_ready() {
    let mut party = playing(&["Nova_7"]);
    let place = party.enter("Orbit");
    assert!(party.text(0, PageId::Lobby).contains("not all ready"));
    *party.host().game.capture.borrow_mut() = Some(vec![1; 64]);
    party.ticks(5);
    assert!(party.players[place].game.did().contains(&"start Save of 64 in 0: true".to_owned()));
    for place in 0..2 {
        let lobby = party.text(place, PageId::Lobby);
        assert!(lobby.contains("- Orbit (ready)\n"), "{lobby}");
    }
    assert!(party.text(0, PageId::Lobby).contains("\n- Start\n"));
}

/// B5.7: for 3 s; likewise B5.5's.
#[test]
fn what_only_the_host_does_is_said_for_3_s() {
    let mut party = playing(&["Nova_7", "Orbit"]);
    let member = &mut party.players[1];
    member.skips(Skip::Own);
    assert_eq!(member.game.messages.take(), ["Only the host can skip"]);
    assert!((member.game.message_seconds.take() - 3.0).abs() < f32::EPSILON);
    member.picks(3);
    assert!((member.game.message_seconds.take() - 3.0).abs() < f32::EPSILON);
}
