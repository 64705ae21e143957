//! A game's thread that stands still, and a socket thread that does (B3.1, B3.6).

use super::saves::play_of;
use super::*;
use crate::game::{Phase, SceneKind};
use mp_protocol::game::{Chunk, Level, PlayId};

/// As long as the longest load.
const STALL: Duration = Duration::from_secs(30);

impl Party {
    /// Ticks in which one player's thread stands still, and what the others say waits for it.
    fn ticks_without(&mut self, place: usize, ticks: u32) {
        for _ in 0..ticks {
            self.now = self.now + TICK;
            let now = self.now;
            for (_, player) in self.players.iter_mut().enumerate().filter(|(at, _)| *at != place) {
                player.mp.tick(&player.game, now);
                player.take_commands();
            }
            self.route();
        }
    }

    /// Everyone's thread stands still for so long: one tick, that much later.
    fn stall(&mut self, time: Duration) {
        self.now = self.now + time;
        self.tick();
    }
}

fn figures(player: &Player) -> Vec<crate::game::Figure> {
    player.game.figures.borrow().keys().copied().collect()
}

/// Everything that a player can do on every page, each of them shown, and a tick between.
fn do_everything(player: &mut Player, now: LocalTime) {
    for page in PageId::ALL {
        player.show(page, now);
        player.mp.tick(&player.game, now);
        for row in 0..player.page(page, now).rows.len() {
            for event in [
                PageEvent::Choose { row },
                PageEvent::Step { row, right: true, held_ticks: 0 },
                PageEvent::Back,
            ] {
                player.mp.page_event(page, event, &player.game, now);
                player.mp.tick(&player.game, now);
            }
        }
        player.mp.page_event(page, PageEvent::Hidden, &player.game, now);
    }
    player.leave();
    player.mp.tick(&player.game, now);
}

/// B3.1: at the title without a link, greeted by a server, hosting a party that plays, and a member of one;
/// what is in the inbox is read, and nobody reads what is said. What waited would stand here for ever: no
/// function that may is let into the mod (clippy.toml), and what it sends by is refused instead
/// (`too_much_to_send_is_refused_and_never_waited_for` of mp-sockets).
#[test]
fn nothing_that_a_player_does_waits_for_the_socket_thread() {
    let now = LocalTime::ZERO;
    let mut alone = Player::new("Nova_7", 7);
    (0..400).for_each(|_| do_everything(&mut alone, now));
    let waiting = std::iter::from_fn(|| alone.far.try_next()).count();
    assert_eq!(waiting, mp_sockets::COMMANDS_MAX, "as many as may wait");
    let mut online = Player::new("Nova_7", 7);
    online.show(PageId::Home, now);
    online.take_commands();
    online.connected();
    do_everything(&mut online, now);
    for place in 0..2 {
        let mut party = Party::of(&["Nova_7", "Orbit"]);
        party.start();
        for _ in 0..600 {
            party.now = party.now + TICK;
            for player in &mut party.players {
                player.mp.tick(&player.game, party.now);
            }
        }
        let now = party.now;
        do_everything(&mut party.players[place], now);
    }
}

/// B3.6, B5.4: the others lose sight of it meanwhile, and see it again.
#[test]
fn one_whose_game_stood_still_for_30_s_missed_nothing_but_its_figure() {
    let mut party = playing(&["Nova_7", "Orbit", "Quark"]);
    assert_eq!(party.host().game.figures.borrow().len(), 2);
    party.ticks_without(1, 6 * SECOND);
    assert_eq!(party.host().game.figures.borrow().len(), 1, "silent for 5 s");
    // The party goes on: somebody speaks, somebody leaves, the host flies and is there.
    let now = party.now;
    party.players[2].choose(PageId::Pause, "Say \"Over here!\"", now);
    party.ticks_without(1, SECOND);
    party.lose(2);
    assert!(party.host().picks(3));
    party.ticks_without(1, 10);
    party.host().game.fly();
    party.ticks_without(1, 10);
    party.host().game.play(3, hero([0.0; 3]));
    party.ticks_without(1, 22 * SECOND);

    let member = &party.players[1];
    assert_eq!((member.game.messages.take(), member.game.did()), (vec![], vec![]));
    party.tick();
    let member = &party.players[1];
    assert_eq!(member.game.messages.take(), ["Quark: Over here!", "Quark left"]);
    assert_eq!(member.game.did(), ["travel 3"]);
    assert!(!member.closed);
    member.game.fly();
    party.ticks(3);
    party.players[1].game.play(3, hero([0.0; 3]));
    party.ticks(SECOND);
    for player in &party.players {
        assert_eq!(held(player), None);
        assert!(player.game.figure().is_some_and(|figure| figure.shown));
    }
}

/// B3.6: a tick first takes all that came.
#[test]
fn a_pose_that_waits_in_the_inbox_keeps_its_figure_through_a_stall() {
    let mut party = playing(&["Nova_7", "Orbit"]);
    let before = figures(party.host());
    // Silent for 4.95 s: another 100 ms would be too much.
    party.players[1].closed = true;
    let now = party.now;
    for _ in 0..297 {
        party.now = party.now + TICK;
        let now = party.now;
        let host = party.host();
        host.mp.tick(&host.game, now);
        host.take_commands();
    }
    let member = &mut party.players[1];
    member.mp.tick(&member.game, now + TICK * 290);
    member.take_commands();
    assert!(!member.states.is_empty());
    party.route();
    party.now = party.now + STALL;
    let now = party.now;
    let host = party.host();
    host.mp.tick(&host.game, now);
    assert_eq!(figures(party.host()), before, "it is the same figure, not another");
}

/// B3.6, B4.2: likewise.
#[test]
fn a_save_whose_next_part_waits_in_the_inbox_is_not_asked_for_again() {
    const WANT: u8 = 8;
    let mut party = Party::of(&["Nova_7", "Orbit"]);
    let host = party.players[0].id;
    let chunk = |offset| Chunk { play: PlayId(1), offset, bytes: &[1; 50] };
    party.players[1].data(host, &play_of(1, 100, Level::NONE));
    party.players[1].data(host, &encoded(&chunk(0).into()));
    // 9.95 s: another 100 ms would be too much.
    party.ticks(598);
    party.players[1].game.did();
    party.players[1].data(host, &encoded(&chunk(50).into()));
    party.now = party.now + STALL;
    party.step();
    assert_eq!(party.players[1].game.did(), ["start Save of 100: true"]);
    assert!(party.players[1].events.iter().all(|(_, bytes)| bytes[0] != WANT));
}

/// B3.6: of the longest stalls a waiting counts 100 ms each.
#[test]
fn no_stall_ends_a_wait_for_the_others() {
    // For one to arrive, 90 s: of the host, and of a member.
    for (waits, comes_not) in [(0, 1), (1, 0)] {
        let mut party = playing(&["Nova_7", "Orbit"]);
        assert!(party.host().picks(3));
        party.ticks(3);
        party.players.iter().for_each(|player| player.game.fly());
        party.ticks(3);
        party.players[waits].game.play(3, hero([0.0; 3]));
        party.ticks(3);
        (0..20).for_each(|_| party.stall(STALL));
        assert!(held(&party.players[waits]).is_some(), "{waits} waits for {comes_not}");
    }
    // For one to be out of a scene, 10 s.
    let mut party = playing(&["Nova_7", "Orbit"]);
    party.players[1].game.phase.set(Phase::Paused);
    party.host().game.show(SceneKind::Level, Some(1));
    party.ticks(3);
    party.host().game.scene_over();
    party.ticks(3);
    (0..20).for_each(|_| party.stall(STALL));
    assert!(held(party.host()).is_some());
    // For its own game to have that scene, 2 s.
    party.players[1].game.scenes.set(false);
    party.players[1].game.phase.set(Phase::Playing);
    (0..15).for_each(|_| party.stall(STALL));
    party.players[1].game.scenes.set(true);
    party.tick();
    assert!(party.players[1].game.did().contains(&"play scene 1: true".to_owned()));
}

/// B3.6: a game that loads long before it leaves the title, or that cannot start yet, 5 s.
#[test]
fn no_stall_ends_a_start() {
    for starts in [true, false] {
        let mut party = Party::of(&["Nova_7", "Orbit"]);
        party.players[1].game.starts.set(starts);
        party.press_start();
        (0..20).for_each(|_| party.stall(STALL));
        let lobby = party.text(1, PageId::Lobby);
        assert!(lobby.ends_with("> Starting"), "{starts}: {lobby}");
    }
}

/// B3.6: what came over the 1 MiB that is held cost the link its life; the log says why, the page what
/// came of it.
#[test]
fn a_game_that_stood_still_for_too_much_reads_why_it_is_at_the_title() {
    let mut party = playing(&["Nova_7", "Orbit"]);
    party.players[1].report(Event::Lost { why: mp_sockets::LostReason::GameStalled });
    party.tick();
    let logged = party.players[1].game.logged.borrow().join("\n");
    assert!(logged.contains("the game stood still while over 1 MiB came in"), "{logged}");
    assert!(party.players[1].game.did().contains(&"title Home".to_owned()));
    assert!(party.text(1, PageId::Home).ends_with("> The host went away"));
}
