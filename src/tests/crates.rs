//! Crates and pickups (B6.6, B6.8).

use mp_protocol::game::{Broke, Killed, Kind, Level, MobyKey};

use super::world::playing;
use crate::game::{Kill, Kinds};
use crate::hooks::{Asked, Happened};
use crate::world::Refused;

const CRATE: Kinds = Kinds::CRATE;

fn broke(level: i32, key: u16) -> Broke {
    let key = MobyKey::new(key).expect("a key");
    Broke { level: Level::new(level).expect("a level"), key }
}

/// B6.6, B6.7: the host's copy of a crate that a member broke breaks, drops and all, as if by the member.
#[test]
fn a_crate_that_a_member_broke_breaks_in_the_hosts_game() {
    let mut party = playing();
    let crates = party.placed(4, CRATE);
    party.happens(1, Happened::Broke { moby: crates[1], by: None });
    party.ends(1, crates[1]);
    party.ticks(2);
    let ann = party.figure_of(1, 0);
    assert_eq!(*party.players[0].game.world.broken.borrow(), [(crates[0], Some(ann))]);
    // The host's game tells of it, and Bob's copy breaks as it would have: with what is its own to give.
    party.ticks(200);
    assert_eq!(*party.players[2].game.world.broken.borrow(), [(crates[2], None)]);
    assert!(party.players[1].game.world.broken.borrow().is_empty());
    assert_eq!(party.players[0].game.world.broken.borrow().len(), 1);
    assert!(party.players[0].game.world.killed.borrow().is_empty());
}

/// B6.7: one that the host's game does not break within 3 s is deleted without a drop.
#[test]
fn a_crate_that_will_not_break_is_deleted_after_3_seconds() {
    let mut party = playing();
    let crates = party.placed(4, CRATE);
    party.players[0].game.world.unbreakable.set(true);
    party.happens(1, Happened::Broke { moby: crates[1], by: None });
    party.ticks(178);
    assert!(party.is_there(0, crates[0]));
    party.ticks(6);
    assert_eq!(*party.players[0].game.world.killed.borrow(), [(crates[0], Kill::Quiet)]);
}

/// B6.8: a placed pickup is taken from the host's game by the first to collect it. The end of one that
/// came out of something is its game's own.
#[test]
fn a_placed_pickup_that_a_member_took_is_taken_in_the_hosts_game() {
    let mut party = playing();
    let pickup = party.placed(5, Kinds::PICKUP);
    let dropped = party.players[1].game.world.put(None, Kinds::PICKUP, [0.0; 3]);
    for (place, moby) in [(1, pickup[1]), (1, dropped), (2, pickup[2])] {
        party.happens(place, Happened::PickedUp { moby, by: None });
        party.ends(place, moby);
    }
    party.ticks(2);
    assert_eq!(*party.players[0].game.world.killed.borrow(), [(pickup[0], Kill::Quiet)]);
}

/// B6.8: the end of what an enemy dropped is each game's own; B6.3: an enemy's is everyone's.
#[test]
fn an_enemys_end_is_everyones_and_its_pickups_is_not() {
    let mut party = playing();
    let enemy = party.placed(3, Kinds::ENEMY);
    let kinds = Kinds::PICKUP | Kinds::UPDATES;
    let moby = party.players[0].game.world.put(None, kinds, [1.0, 2.0, 3.0]);
    party.happens(0, Happened::Made { moby, class: 602, kinds, maker: Some(enemy[0]) });
    party.ends(0, enemy[0]);
    party.ticks(3);
    assert!(!party.is_there(1, enemy[1]) && !party.is_there(2, enemy[2]));
    let made = [1, 2].map(|place| party.players[place].game.world.made.borrow()[0]);
    party.ends(0, moby);
    party.ticks(3);
    assert!(party.is_there(1, made[0]) && party.is_there(2, made[1]));
}

/// B6.8: what a nanotech or ammo crate gives, each game's own crate makes; what an enemy drops, only the
/// host's game.
#[test]
fn a_members_game_makes_what_its_crates_give_but_not_what_enemies_drop() {
    let mut party = playing();
    let crates = party.placed(4, CRATE);
    let enemy = party.placed(3, Kinds::ENEMY);
    let make = |maker| Asked::Make { class: 602, kinds: Kinds::PICKUP, maker, position: [0.0; 3] };
    assert!(party.asks(1, &make(Some(crates[1]))));
    assert!(!party.asks(1, &make(Some(enemy[1]))));
    assert!(party.asks(0, &make(Some(enemy[0]))));
}

/// B3.4; issue 6, bad input: KILLED by a member is malformed; BROKE of what is no crate, is not there, is of
/// another level or comes too often changes nothing.
#[test]
fn what_is_no_break_changes_nothing() {
    let mut party = playing();
    let enemy = party.placed(3, Kinds::ENEMY);
    let key = MobyKey::new(3).expect("a key");
    party.says(1, Killed { level: Level::new(0).expect("a level"), keys: [key].as_slice().into() });
    for (level, key) in [(0, 3), (0, 9), (4, 3)] {
        party.says(1, broke(level, key));
    }
    party.ticks(3);
    assert!((0..3).all(|place| party.is_there(place, enemy[place])));
    assert_eq!(party.refused(Refused::WrongMoby(Kind::Broke)), 1);
    assert_eq!(party.refused(Refused::NoMoby(Kind::Broke)), 1);
    assert_eq!(party.refused(Refused::OtherLevel(Kind::Broke)), 1);
    (0..300).for_each(|_| party.says(1, broke(0, 9)));
    party.ticks(1);
    assert!(party.refused(Refused::TooOften(Kind::Broke)) >= 180);
}
