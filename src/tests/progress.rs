//! The shared progress of whole games (behaviour.md 7).

use mp_protocol::SessionId;
use mp_protocol::game::{Message, Progress};

use super::{Party, hero};
use crate::game::{Give, Phase};

/// All of them in the level.
fn playing() -> Party {
    let mut party = Party::of(&["Host", "Ann", "Bob"]);
    party.start();
    party.ticks(3);
    party
}

impl Party {
    fn given(&self, place: usize) -> Vec<Give> {
        let mut given = self.players[place].game.world.given.borrow_mut();
        let mut given = std::mem::take(&mut *given);
        given.sort();
        given
    }

    /// The game itself gives its hero something.
    fn finds(&self, place: usize, what: Give) {
        let world = &self.players[place].game.world;
        world.give(what);
        world.given.borrow_mut().clear();
    }
}

/// B7.1, B7.2: an item, a gold bolt and a planet reach every game, with a banner in those that lack it.
#[test]
fn what_one_finds_reaches_every_game() {
    let mut party = playing();
    party.finds(1, Give::GoldBolt(6));
    party.finds(2, Give::Item(12));
    party.finds(0, Give::Planet(3));
    party.ticks(3);
    assert_eq!(party.given(0), [Give::Item(12), Give::GoldBolt(6)]);
    assert_eq!(party.given(1), [Give::Item(12), Give::Planet(3)]);
    assert_eq!(party.given(2), [Give::GoldBolt(6), Give::Planet(3)]);
    party.ticks(700);
    assert!((0..3).all(|place| party.given(place).is_empty()));
}

/// B7.1: once that player has control, and not while its game loads.
#[test]
fn a_game_without_control_is_given_it_later() {
    let mut party = playing();
    party.players[2].game.control.set(false);
    party.finds(1, Give::Item(12));
    party.ticks(10);
    assert_eq!((party.given(0), party.given(2)), (vec![Give::Item(12)], vec![]));
    party.players[2].game.control.set(true);
    party.players[2].game.phase.set(Phase::Loading);
    party.ticks(10);
    assert_eq!(party.given(2), []);
    party.players[2].game.phase.set(Phase::Playing);
    party.ticks(1);
    assert_eq!(party.given(2), [Give::Item(12)]);
}

/// B7.3: what a member said counts though its connection goes the tick after.
#[test]
fn what_was_said_counts_though_its_finder_is_lost() {
    let mut party = playing();
    party.finds(1, Give::GoldBolt(6));
    party.tick();
    party.lose(1);
    party.ticks(3);
    assert_eq!(party.given(0), [Give::GoldBolt(6)]);
    assert_eq!(party.given(1), [Give::GoldBolt(6)]);
}

/// A game that was played before the party, or is not the party's yet, gives nothing to it.
#[test]
fn what_a_game_had_before_the_party_is_not_the_partys() {
    let mut party = Party::of(&["Host", "Ann"]);
    party.finds(1, Give::Item(30));
    party.ticks(400);
    assert_eq!(party.given(0), []);
    *party.players[1].game.world.progress.borrow_mut() = crate::game::Progress::default();
    party.start();
    party.ticks(400);
    assert_eq!(party.given(0), []);
    party.finds(1, Give::Item(30));
    party.tick();
    party.players[1].game.title();
    party.ticks(3);
    assert_eq!(party.given(0), [Give::Item(30)]);
}

/// One who comes to a game that is on is told at once what the party has.
#[test]
fn one_who_comes_late_is_told_at_once() {
    let mut party = playing();
    party.finds(1, Give::Item(12));
    party.ticks(60);
    let late = party.enter("Cleo");
    party.players[late].game.play(0, hero([0.0; 3]));
    party.ticks(3);
    assert_eq!(party.given(late), [Give::Item(12)]);
}

/// Issue 6, bad input: lists of 255 are malformed and change nothing, and cost their sender.
#[test]
fn progress_of_255_items_changes_nothing() {
    let mut party = playing();
    let mut bytes = vec![23, 255];
    bytes.extend([1; 255]);
    bytes.extend([0, 0]);
    party.players[0].data(SessionId(8), &bytes);
    party.ticks(3);
    assert!((0..3).all(|place| party.given(place).is_empty()));
    let all = Progress { items: &[1; 64], gold_bolts: &[], planets: &[] };
    let mut bytes = Vec::new();
    Message::Progress(all).encode(&mut bytes).expect("fits");
    party.players[0].data(SessionId(8), &bytes);
    party.ticks(3);
    assert_eq!(party.given(0).len(), 37, "only what the game knows");
}
