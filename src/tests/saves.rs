//! Choose a save, and starting from it (B2.4, B4.2 to B4.5).

use super::*;
use crate::game::{CardSlot, Phase};
use mp_protocol::game::{Chunk, Level, Play, PlayFrom, PlayId, Start, Want};

/// A save of Ratchet & Clank: 59,912 bytes.
fn save_bytes() -> Vec<u8> {
    (0..59_912_u32).map(|n| u8::try_from(n * 7 % 251).expect("under 251")).collect()
}

fn with_card() -> FakeGame {
    let game = FakeGame::default();
    game.save(1, 15, 12, save_bytes());
    game.card.borrow_mut().insert(3, (CardSlot::Damaged, Vec::new()));
    game
}

fn party_of_a_save(names: &[&'static str]) -> Party {
    Party::playing(with_card(), "Pokitaru", names)
}

pub(super) const BUILD: &str = "0.7.0/1.2.0/PLAY-00001";

pub(super) fn play_of(play: i32, size: u32, level: Level) -> Vec<u8> {
    let from = PlayFrom::Save { size };
    encoded(&Play { play: PlayId(play), from, level, build: BUILD }.into())
}

pub(super) fn chunk_of(play: i32, offset: u32, bytes: &[u8]) -> Vec<u8> {
    encoded(&Chunk { play: PlayId(play), offset, bytes }.into())
}

/// What the member sent of that kind since last asked, in a tick that nobody else hears of.
fn sent(player: &mut Player, kind: u8, now: LocalTime) -> usize {
    player.mp.tick(&player.game, now);
    player.take_commands();
    player.events.drain(..).filter(|(_, bytes)| bytes[0] == kind).count()
}

const WANT: u8 = 8;

/// A member in a lobby, alone with what its host sends it.
pub(super) struct Member1(pub(super) Party);

impl Member1 {
    pub(super) fn new() -> Self {
        let party = Party::of(&["Nova_7", "Orbit"]);
        party.players[1].game.did();
        Self(party)
    }

    pub(super) fn hears(&mut self, messages: &[Vec<u8>]) -> &mut Self {
        let host = self.0.players[0].id;
        for bytes in messages {
            self.0.players[1].data(host, bytes);
        }
        self
    }

    /// A tick of the member alone. Returns how often it asked for the host's game.
    pub(super) fn asks(&mut self) -> usize {
        self.0.now = self.0.now + TICK;
        let now = self.0.now;
        sent(&mut self.0.players[1], WANT, now)
    }

    pub(super) fn did(&mut self) -> Vec<String> {
        self.0.players[1].game.did()
    }

    pub(super) fn footer(&mut self) -> String {
        let now = self.0.now;
        self.0.players[1].footer(PageId::Lobby, now)
    }
}

/// B2.4
#[test]
fn the_page_lists_a_new_game_and_the_cards_five_slots() {
    let mut player = Player::in_game("Nova_7", 7, with_card());
    player.choose(PageId::Direct, "Host directly", LocalTime::ZERO);
    assert_eq!(player.game.page.get(), Some(PageId::Saves));
    player.show(PageId::Saves, LocalTime::ZERO);
    assert_eq!(
        text(&player.page(PageId::Saves, LocalTime::ZERO)),
        "Choose a save\n  What the party plays. Starting it does not write your card.\n- New game\n- (Empty)\n\
         - Pokitaru 12 gold bolts, 1:02:03\n- (Empty)\n- (Damaged)\n- (Empty)"
    );
}

/// B2.4
#[test]
fn an_empty_or_damaged_slot_is_refused_with_the_games_sound() {
    let mut player = Player::in_game("Nova_7", 7, with_card());
    player.choose(PageId::Direct, "Host directly", LocalTime::ZERO);
    player.show(PageId::Saves, LocalTime::ZERO);
    for label in ["Empty", "Damaged"] {
        player.game.did();
        player.choose(PageId::Saves, label, LocalTime::ZERO);
        player.take_commands();
        assert_eq!(player.game.did(), ["sound Refused"]);
        assert_eq!(player.asked, []);
        assert_eq!(player.footer(PageId::Saves, LocalTime::ZERO), "There is no save to play");
    }
}

/// B2.4
#[test]
fn a_save_that_the_game_cannot_read_after_all_is_said_and_hosts_nothing() {
    let mut player = Player::in_game("Nova_7", 7, with_card());
    player.choose(PageId::Direct, "Host directly", LocalTime::ZERO);
    player.show(PageId::Saves, LocalTime::ZERO);
    player.game.save(1, 15, 12, Vec::new());
    player.choose(PageId::Saves, "Pokitaru", LocalTime::ZERO);
    player.take_commands();
    assert_eq!(player.asked, []);
    assert_eq!(player.footer(PageId::Saves, LocalTime::ZERO), "This save cannot be read");
}

/// B2.4
#[test]
fn create_match_and_host_directly_come_here_and_send_the_saves_words() {
    let words = "Pokitaru, 12 gold bolts".to_owned();
    let mut direct = Player::in_game("Nova_7", 7, with_card());
    direct.choose(PageId::Direct, "Host directly", LocalTime::ZERO);
    direct.show(PageId::Saves, LocalTime::ZERO);
    direct.choose(PageId::Saves, "Pokitaru", LocalTime::ZERO);
    direct.take_commands();
    let [Command::Host { description, .. }] = &direct.asked[..] else {
        panic!("{:?}", direct.asked)
    };
    assert_eq!(*description, words);

    let mut online = Player::in_game("Nova_7", 7, with_card());
    online.show(PageId::Home, LocalTime::ZERO);
    online.take_commands();
    online.connected();
    online.mp.tick(&online.game, LocalTime::ZERO);
    online.asked.clear();
    online.choose(PageId::Home, "Create match", LocalTime::ZERO);
    assert_eq!(online.game.page.get(), Some(PageId::Saves));
    online.show(PageId::Saves, LocalTime::ZERO);
    online.choose(PageId::Saves, "Pokitaru", LocalTime::ZERO);
    online.choose(PageId::Saves, "Pokitaru", LocalTime::ZERO);
    online.take_commands();
    let create = Command::Party(PartyRequest::Create { description: words });
    assert_eq!(online.asked, [create], "once: a second would be refused");
}

/// B2.4, B2.6: Triangle goes back to where Choose a save was opened.
#[test]
fn triangle_goes_back_to_home_or_to_direct_connect() {
    let mut player = Player::new("Nova_7", 7);
    player.show(PageId::Home, LocalTime::ZERO);
    player.take_commands();
    player.connected();
    player.mp.tick(&player.game, LocalTime::ZERO);
    for (page, row, back) in [
        (PageId::Home, "Create match", PageId::Home),
        (PageId::Direct, "Host directly", PageId::Direct),
    ] {
        player.choose(page, row, LocalTime::ZERO);
        player.mp.page_event(PageId::Saves, PageEvent::Back, &player.game, LocalTime::ZERO);
        assert_eq!(player.game.page.get(), Some(back));
    }
}

/// B2.2, B2.4: what needs the server is dim while it is not there.
#[test]
fn a_match_cannot_be_created_once_the_server_is_gone() {
    let mut player = Player::in_game("Nova_7", 7, with_card());
    player.show(PageId::Home, LocalTime::ZERO);
    player.take_commands();
    player.connected();
    player.mp.tick(&player.game, LocalTime::ZERO);
    player.choose(PageId::Home, "Create match", LocalTime::ZERO);
    player.show(PageId::Saves, LocalTime::ZERO);
    player.report(Event::Lost { why: mp_sockets::LostReason::Closed });
    player.mp.tick(&player.game, LocalTime::ZERO);
    let page = text(&player.page(PageId::Saves, LocalTime::ZERO));
    assert!(page.contains("- (New game)") && page.contains("- (Pokitaru 12"), "{page}");
}

/// B2.7
#[test]
fn the_lobby_says_what_the_party_plays() {
    let mut party = party_of_a_save(&["Nova_7", "Orbit"]);
    for place in 0..2 {
        let lobby = party.text(place, PageId::Lobby);
        assert!(lobby.contains("- Playing: Pokitaru, 12 gold bolts\n"), "{lobby}");
    }
}

/// B4.2: the save is whole in every game, in the level it was saved in, and no card is written (the
/// game's own call does not).
#[test]
fn start_plays_the_hosts_save_in_every_game() {
    let mut party = party_of_a_save(&["Nova_7", "Orbit", "Quark", "Skid"]);
    party.press_start();
    for player in &party.players {
        assert!(player.game.did().contains(&"start Save of 59912: true".to_owned()));
        assert_eq!(*player.game.started.borrow(), save_bytes());
    }
}

/// B4.2: START, then PLAY, then the save in chunks of at most 16,000 bytes, and from Start to the load
/// there is no word that waits for an answer.
#[test]
fn a_start_is_one_burst() {
    let mut party = party_of_a_save(&["Nova_7", "Orbit"]);
    party.choose(1, PageId::Lobby, "Ready");
    party.ticks(2);
    let now = party.now;
    let host = party.host();
    host.events.clear();
    host.choose(PageId::Lobby, "Start", now);
    host.take_commands();
    let kinds: Vec<_> =
        host.events.iter().map(|(to, bytes)| (*to, bytes[0], bytes.len())).collect();
    let chunk = |size: usize| (None, 5, size + 9);
    assert_eq!(kinds[0], (None, 3, 1));
    assert_eq!(kinds[1], (None, 4, 1 + 4 + 1 + 4 + 4 + 2 + BUILD.len()));
    assert_eq!(kinds[2..6], [chunk(16_000), chunk(16_000), chunk(16_000), chunk(11_912)]);
    assert_eq!(kinds.len(), 6);
}

/// B4.2
#[test]
fn a_broken_save_is_asked_for_once_more_and_then_said() {
    let whole = [chunk_of(1, 0, &[1; 60]), chunk_of(1, 60, &[2; 40])];
    let broken: [(&str, Vec<Vec<u8>>); 5] = [
        ("a gap", vec![chunk_of(1, 60, &[2; 40])]),
        ("twice", vec![whole[0].clone(), whole[0].clone()]),
        ("an overlap", vec![whole[0].clone(), chunk_of(1, 59, &[2; 41])]),
        ("past the end", vec![whole[0].clone(), chunk_of(1, 60, &[2; 41])]),
        ("out of order", vec![whole[1].clone(), whole[0].clone()]),
    ];
    for (what, chunks) in broken {
        let mut member = Member1::new();
        let play = [play_of(1, 100, Level::NONE)];
        assert_eq!(member.hears(&play).hears(&chunks).asks(), 1, "{what}");
        assert_eq!(member.footer(), "Waiting for the host's game", "{what}");
        assert_eq!(member.hears(&whole).asks(), 0, "{what}: nothing counts until PLAY comes again");
        assert_eq!(member.hears(&play).hears(&chunks).asks(), 0, "{what}");
        assert_eq!(member.footer(), "Could not get the host's game", "{what}");
        assert_eq!(member.did(), [""; 0], "{what}: the game is given nothing");
        // Whole at last.
        member.hears(&play).hears(&whole).asks();
        assert_eq!(member.did(), ["start Save of 100: true"], "{what}");
    }
}

/// B4.2: once for each play.
#[test]
fn the_broken_save_of_the_next_play_is_asked_for_again_too() {
    let mut member = Member1::new();
    let broken = |play| [play_of(play, 100, Level::NONE), chunk_of(play, 60, &[2; 40])];
    for (play, asks) in [(1, 1), (1, 0), (2, 1), (2, 0)] {
        assert_eq!(member.hears(&broken(play)).asks(), asks, "play {play}");
    }
}

/// B4.2: a game that says that it leaves the title and stays there.
#[test]
fn a_game_that_never_leaves_the_title_is_said_and_the_next_play_starts_again() {
    let mut member = Member1::new();
    let play = [play_of(1, 100, Level::NONE), chunk_of(1, 0, &[1; 100])];
    member.hears(&play).asks();
    assert_eq!(member.did(), ["start Save of 100: true"]);
    let asked: usize = (0..310).map(|_| member.asks()).sum();
    assert_eq!((asked, member.footer().as_str()), (0, "The game cannot start now"));
    member.hears(&play).asks();
    assert_eq!(member.did(), ["start Save of 100: true"]);
}

/// B4.2
#[test]
fn a_save_that_stops_coming_is_asked_for_once_more_and_then_said() {
    let mut member = Member1::new();
    for asks in [1, 0] {
        member.hears(&[play_of(1, 100, Level::NONE), chunk_of(1, 0, &[1; 60])]);
        let asked: usize = (0..620).map(|_| member.asks()).sum();
        assert_eq!(asked, asks);
    }
    assert_eq!(member.footer(), "Could not get the host's game");
    assert_eq!(member.did(), [""; 0]);
}

/// B4.2: a host that sends a byte now and then leaves nobody waiting for ever.
#[test]
fn a_save_that_comes_too_slowly_is_asked_for_once_more_and_then_said() {
    let mut member = Member1::new();
    for asks in [1, 0] {
        member.hears(&[play_of(1, 100, Level::NONE)]);
        let mut asked = 0;
        for nth in 0..22 {
            member.hears(&[chunk_of(1, nth, &[1])]);
            asked += (0..500).map(|_| member.asks()).sum::<usize>();
        }
        assert_eq!(asked, asks);
    }
    assert_eq!(member.footer(), "Could not get the host's game");
    assert_eq!(member.did(), [""; 0]);
}

/// B4.2: the largest save at the slowest pace that is waited for.
#[test]
fn a_save_that_comes_slowly_and_whole_starts() {
    let mut member = Member1::new();
    member.hears(&[play_of(1, 262_144, Level::NONE)]);
    for offset in (0..262_144).step_by(16_000) {
        let asked: usize = (0..590).map(|_| member.asks()).sum();
        assert_eq!(asked, 0);
        let length = usize::try_from(262_144 - offset).expect("small").min(16_000);
        member.hears(&[chunk_of(1, offset, &vec![1; length])]);
    }
    member.asks();
    assert_eq!(member.did(), ["start Save of 262144: true"]);
}

/// B4.2, protocol.md 3, "Elsewhere"
#[test]
fn chunks_of_another_play_are_dropped() {
    let mut member = Member1::new();
    member.hears(&[play_of(2, 100, Level::NONE), chunk_of(1, 0, &[9; 100])]);
    assert_eq!(member.asks(), 0);
    assert_eq!(member.did(), [""; 0]);
    member.hears(&[chunk_of(2, 0, &[1; 100]), chunk_of(2, 100, &[9; 100])]).asks();
    assert_eq!(member.did(), ["start Save of 100: true"]);
}

/// B4.2
#[test]
fn a_play_of_a_level_that_this_game_does_not_have_is_said_and_starts_nothing() {
    let mut member = Member1::new();
    member.hears(&[play_of(1, 100, Level::new(99).expect("a level's number"))]);
    assert_eq!(member.hears(&[chunk_of(1, 0, &[1; 100])]).asks(), 0);
    assert_eq!(member.footer(), "Could not get the host's game");
    assert_eq!(member.did(), [""; 0]);
}

/// B4.2: a host that starts again and again keeps nobody from playing, leaving or reading the log.
#[test]
fn a_host_that_sends_start_and_play_for_ever_costs_nothing() {
    let mut member = Member1::new();
    let logged = member.0.players[1].game.logged.borrow().len();
    for n in 1..2_000 {
        member.hears(&[
            encoded(&Start.into()),
            play_of(n, 262_144, Level::NONE),
            chunk_of(n, 0, &[0]),
        ]);
        assert_eq!(member.asks(), 0);
    }
    assert_eq!(member.did(), [""; 0]);
    assert_eq!(member.footer(), "Starting");
    assert_eq!(member.0.players[1].game.logged.borrow().len(), logged);
    member.0.players[1].game.play(0, hero([0.0; 3]));
    for n in 1..2_000 {
        member.hears(&[encoded(&Start.into()), play_of(n, 262_144, Level::NONE)]).asks();
    }
    assert_eq!(member.footer(), "", "one in a level is not told that it starts");
    assert_eq!(member.0.players[1].game.phase.get(), Phase::Playing);
    member.0.players[1].leave();
    assert!(member.did().contains(&"title Home".to_owned()));
}

/// B4.4: the host's game as it is, in the host's level, as soon as it can be captured.
#[test]
fn one_who_comes_while_the_game_is_on_gets_it_as_it_is_as_soon_as_it_can_be_captured() {
    let mut party = Party::of(&["Nova_7", "Orbit"]);
    party.start();
    party.host().game.play(15, hero([0.0; 3]));
    party.host().game.phase.set(Phase::Scene);
    let place = party.enter("Quark");
    party.ticks(100);
    let did = party.players[place].game.did();
    assert!(!did.iter().any(|did| did.starts_with("start")), "{did:?}");
    party.host().game.phase.set(Phase::Playing);
    *party.host().game.capture.borrow_mut() = Some(save_bytes());
    party.ticks(3);
    let did = party.players[place].game.did();
    assert!(did.contains(&"start Save of 59912 in 15: true".to_owned()), "{did:?}");
    assert_eq!(*party.players[place].game.started.borrow(), save_bytes());
    party.ticks(200);
    let again = party.players[1].game.did();
    assert!(!again.iter().any(|did| did.starts_with("start")), "nobody else gets it: {again:?}");
}

/// B4.4: one that comes between Start and the host's level gets the game too.
#[test]
fn one_who_comes_while_the_hosts_game_loads_gets_it_after() {
    let mut party = Party::of(&["Nova_7", "Orbit"]);
    party.press_start();
    let place = party.enter("Quark");
    party.host().game.phase.set(Phase::Loading);
    party.ticks(100);
    *party.host().game.capture.borrow_mut() = Some(save_bytes());
    party.host().game.play(0, hero([0.0; 3]));
    party.ticks(3);
    let did = party.players[place].game.did();
    assert!(did.contains(&"start Save of 59912 in 0: true".to_owned()), "{did:?}");
}

/// B4.4: a start that the host was told had failed goes on all the same, as any other.
#[test]
fn a_host_that_leaves_the_title_late_gives_its_game_to_who_comes() {
    let mut party = Party::of(&["Nova_7", "Orbit"]);
    party.press_start();
    party.ticks(6 * SECOND);
    assert!(party.text(0, PageId::Lobby).ends_with("> The game cannot start now"));
    *party.host().game.capture.borrow_mut() = Some(save_bytes());
    party.host().game.play(0, hero([0.0; 3]));
    party.ticks(3);
    let place = party.enter("Quark");
    party.ticks(3);
    let did = party.players[place].game.did();
    assert!(did.contains(&"start Save of 59912 in 0: true".to_owned()), "{did:?}");
}

/// B4.4
#[test]
fn one_who_quit_to_the_title_finds_join_the_game_in_its_lobby() {
    let mut party = Party::of(&["Nova_7", "Orbit"]);
    party.start();
    *party.host().game.capture.borrow_mut() = Some(save_bytes());
    party.ticks(70);
    party.players[1].game.title();
    party.ticks(2);
    let now = party.now;
    party.players[1].game.page.set(Some(PageId::Home));
    party.players[1].show(PageId::Home, now);
    assert_eq!(party.players[1].game.page.get(), Some(PageId::Lobby));
    party.players[1].game.did();
    party.choose(1, PageId::Lobby, "Join the game");
    party.ticks(3);
    let did = party.players[1].game.did();
    assert!(did.contains(&"start Save of 59912 in 0: true".to_owned()), "{did:?}");
}

/// B4.4: asking for ever costs the host one game in three seconds.
#[test]
fn one_that_asks_for_the_game_again_and_again_gets_it_seldom() {
    let mut party = Party::of(&["Nova_7", "Orbit"]);
    party.start();
    *party.host().game.capture.borrow_mut() = Some(save_bytes());
    let member = party.players[1].id;
    let want = encoded(&Want { play: PlayId(0) }.into());
    let mut plays = 0;
    for _ in 0..540 {
        party.now = party.now + TICK;
        for _ in 0..5 {
            party.host().data(member, &want);
        }
        let now = party.now;
        plays += sent(party.host(), 4, now);
    }
    assert_eq!(plays, 3);
}

/// B4.4: a host that is no longer in its game gives none.
#[test]
fn a_host_at_the_title_has_no_game_to_give() {
    let mut party = Party::of(&["Nova_7", "Orbit"]);
    party.start();
    *party.host().game.capture.borrow_mut() = Some(save_bytes());
    party.host().game.title();
    party.ticks(70);
    let member = party.players[1].id;
    party.host().data(member, &encoded(&Want { play: PlayId(0) }.into()));
    let now = party.now + TICK;
    assert_eq!(sent(party.host(), 4, now), 0);
}

/// B4.5
#[test]
fn a_member_in_a_level_keeps_its_progress_when_a_save_comes_and_takes_the_plays_number() {
    let mut party = Party::of(&["Nova_7", "Orbit"]);
    party.start();
    let host = party.players[0].id;
    party.players[1].game.did();
    party.players[1].data(host, &play_of(9, 100, Level::NONE));
    party.players[1].data(host, &chunk_of(9, 0, &[1; 100]));
    party.ticks(3);
    assert_eq!(party.players[1].game.did(), [""; 0]);
    // Its number goes with what it asks for.
    party.players[1].game.title();
    let now = party.now;
    sent(&mut party.players[1], WANT, now);
    party.players[1].events.clear();
    party.players[1].choose(PageId::Lobby, "Join the game", now);
    party.players[1].take_commands();
    let want = encoded(&Want { play: PlayId(9) }.into());
    assert!(party.players[1].events.contains(&(None, want)), "{:?}", party.players[1].events);
}

/// B4.5: one that went into a level of its own while the save came keeps that.
#[test]
fn a_save_that_is_whole_only_when_this_game_plays_starts_nothing() {
    let mut member = Member1::new();
    member.hears(&[play_of(1, 100, Level::NONE), chunk_of(1, 0, &[1; 60])]).asks();
    member.0.players[1].game.play(0, hero([0.0; 3]));
    member.asks();
    member.hears(&[chunk_of(1, 60, &[1; 40])]).asks();
    member.0.players[1].game.title();
    member.asks();
    let did = member.did();
    assert!(!did.iter().any(|did| did.starts_with("start")), "{did:?}");
}

/// B3.5, B5.9: leaving while a save is on its way is at once, and what still comes of it starts nothing.
#[test]
fn leaving_while_a_save_comes_is_at_once() {
    let mut member = Member1::new();
    member.hears(&[play_of(1, 100, Level::NONE), chunk_of(1, 0, &[1; 60])]).asks();
    member.0.players[1].leave();
    member.0.players[1].take_commands();
    assert!(member.0.players[1].closed);
    member.hears(&[chunk_of(1, 60, &[1; 40])]).asks();
    let did = member.did();
    assert!(!did.iter().any(|did| did.starts_with("start")), "{did:?}");
}

/// B5.9: a party that ends between Start and the level takes the player to the title all the same.
#[test]
fn a_party_that_ends_as_it_starts_starts_nothing() {
    let mut party = party_of_a_save(&["Nova_7", "Orbit"]);
    party.press_start();
    party.players[1].game.did();
    party.players[1].report(Event::Party(PartyNews::End));
    party.tick();
    assert!(party.players[1].game.did().contains(&"title Home".to_owned()));
}
