//! Bad input of the shared world (issue 6), besides hits, claims and breaks: nothing of it changes a game,
//! each is counted by its reason, and the party plays on.

use mp_protocol::game::{Dead, Despawn, Killed, Kind, MobyId, Spawn, World};

use super::world::{ENEMY, key, level, net, playing, told_at};
use super::{Party, SECOND};
use crate::game::{Give, Kinds};
use crate::world::Refused;

fn spawn(number: u16) -> Spawn {
    Spawn { level: level(0), net: net(number), class: 500, position: [2.0; 3], yaw: 0.0 }
}

/// How many messages reached that player that were none, for that reason.
fn dropped(party: &Party, place: usize, why: &str) -> u64 {
    let (_, session) = party.players[place].mp.parties();
    session.dropped().find(|(reason, _)| *reason == why).map_or(0, |(_, count)| count)
}

fn refused(party: &Party, place: usize, why: Refused) -> u64 {
    party.players[place].mp.refused(why)
}

/// B6.3: KILLED is not a member's to say, about whatever.
#[test]
fn killed_by_a_member_kills_nothing() {
    let mut party = playing();
    let kinds = [ENEMY, Kinds::CRATE, Kinds::PICKUP, Kinds::BOLT];
    let mobys = kinds.map(|kinds| {
        let number = u16::try_from(party.players[0].game.world.mobys.borrow().len());
        party.placed(number.expect("few"), kinds)
    });
    let keys = [0, 1, 2, 3].map(key);
    party.says(1, Killed { level: level(0), keys: keys.as_slice().into() });
    party.ticks(SECOND);
    for of in mobys {
        assert!((0..3).all(|place| party.is_there(place, of[place])));
    }
    assert_eq!(dropped(&party, 0, "not its sender's to say"), 1);
}

/// B6.10: WORLD for a net id that is no more makes nothing.
#[test]
fn world_for_one_that_is_gone_makes_nothing() {
    let mut party = playing();
    party.hears(1, spawn(7));
    party.ticks(2);
    let made = party.players[1].game.world.made.borrow()[0];
    let nets = [net(7)];
    party.hears(1, Despawn { level: level(0), nets: nets.as_slice().into() });
    party.ticks(2);
    assert!(!party.is_there(1, made));
    let mobys = [told_at(MobyId::Net(net(7)), [50.0; 3])];
    let stamp_ms = party.stamp_ms();
    party.hears(1, World { level: level(0), stamp_ms, mobys: mobys.as_slice().into() });
    party.ticks(SECOND);
    assert_eq!(party.players[1].game.world.made.borrow().len(), 1);
    assert_eq!(refused(&party, 1, Refused::NoMoby(Kind::World)), 1);
}

/// B6.10: state of a net id's former life, which ended over 60 s ago, is not taken for the new one.
#[test]
fn world_of_a_former_life_moves_nothing() {
    let mut party = playing();
    party.hears(1, spawn(7));
    party.ticks(2);
    let former_ms = party.stamp_ms();
    let nets = [net(7)];
    party.hears(1, Despawn { level: level(0), nets: nets.as_slice().into() });
    party.ticks(61 * SECOND);
    party.hears(1, spawn(7));
    party.ticks(2);
    let made = party.players[1].game.world.made.borrow()[1];
    let mobys = [told_at(MobyId::Net(net(7)), [50.0; 3])];
    party.hears(1, World { level: level(0), stamp_ms: former_ms, mobys: mobys.as_slice().into() });
    party.ticks(SECOND);
    assert_eq!(party.position(1, made), [2.0; 3]);
    assert_eq!(refused(&party, 1, Refused::Old(Kind::World)), 1);
}

/// WORLD about what each game runs itself drives nothing.
#[test]
fn world_about_a_crate_moves_nothing() {
    let mut party = playing();
    let crates = party.placed(4, Kinds::CRATE);
    let mobys = [told_at(MobyId::Key(key(4)), [50.0; 3])];
    let stamp_ms = party.stamp_ms();
    party.hears(1, World { level: level(0), stamp_ms, mobys: mobys.as_slice().into() });
    party.ticks(SECOND);
    assert_eq!(party.position(1, crates[1]), [9.0, 9.0, 0.0]);
    assert!(!party.drives(1, crates[1]));
    assert_eq!(refused(&party, 1, Refused::WrongMoby(Kind::World)), 1);
}

/// B6.4: DEAD with more records than the level has, or with fewer, is another level's.
#[test]
fn dead_with_other_records_than_the_levels_kills_nothing() {
    let mut party = playing();
    let enemy = party.placed(3, ENEMY);
    for records in [5, 3, 32_767] {
        let bits =
            Dead::bits_of(records, [key(0), key(3)].into_iter().take(1 + usize::from(records > 3)));
        party.hears(1, Dead { level: level(0), records, bits: &bits });
    }
    party.ticks(SECOND);
    assert!(party.is_there(1, enemy[1]));
    assert_eq!(refused(&party, 1, Refused::NoMoby(Kind::Dead)), 3);
}

/// B7.1: a PROGRESS of 255 items gives nobody anything.
#[test]
fn progress_of_255_items_is_counted_and_gives_nothing() {
    let mut party = playing();
    let given = |party: &Party, place: usize| -> Vec<Give> {
        party.players[place].game.world.given.borrow().clone()
    };
    let mut bytes = vec![Kind::Progress as u8, 255];
    bytes.extend([1; 255]);
    bytes.extend([0, 0]);
    let (host, ann) = (party.players[0].id, party.players[1].id);
    party.players[0].data(ann, &bytes);
    party.players[1].data(host, &bytes);
    party.ticks(SECOND);
    assert!((0..3).all(|place| given(&party, place).is_empty()));
    for place in 0..2 {
        assert_eq!(dropped(&party, place, "malformed"), 1);
    }
}
