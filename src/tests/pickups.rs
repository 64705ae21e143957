//! What is broken and taken in every game, and what comes out of it (B6.3, B6.6, B6.8).

use super::world::{ENEMY, playing};
use super::{Party, SECOND};
use crate::game::{Kill, Kinds, MobyHandle, Phase};
use crate::hooks::{Asked, Happened};

impl Party {
    /// The host's game makes a moby that another left behind.
    fn leaves_behind(&mut self, maker: Option<MobyHandle>, kinds: Kinds) {
        let kinds = kinds | Kinds::UPDATES;
        let moby = self.players[0].game.world.put(None, kinds, [1.0, 2.0, 3.0]);
        self.happens(0, Happened::Made { moby, class: 602, kinds, maker });
        self.ticks(3);
    }

    fn made(&self, place: usize) -> usize {
        self.players[place].game.world.made.borrow().len()
    }

    fn killed(&self, place: usize) -> Vec<(MobyHandle, Kill)> {
        std::mem::take(&mut *self.players[place].game.world.killed.borrow_mut())
    }
}

/// B6.8: a placed pickup that one takes is gone from every game, without debris.
#[test]
fn a_placed_pickup_that_one_takes_is_gone_from_every_game() {
    let mut party = playing();
    for taker in 0..3 {
        let key = u16::try_from(taker).expect("three");
        let pickups = party.placed(key, Kinds::PICKUP);
        party.happens(taker, Happened::PickedUp { moby: pickups[taker], by: None });
        party.ends(taker, pickups[taker]);
        party.ticks(5);
        for other in (0..3).filter(|other| *other != taker) {
            assert_eq!(party.killed(other), [(pickups[other], Kill::Quiet)], "{taker} took it");
        }
    }
}

/// B6.8: what a nanotech or ammo crate gives, each game's own crate makes; what an enemy drops is SPAWNed.
#[test]
fn what_a_crate_gives_is_not_made_in_the_others_by_the_host() {
    let mut party = playing();
    let [broken, enemy] = [(4, Kinds::CRATE), (5, ENEMY)].map(|(n, kinds)| party.placed(n, kinds));
    party.leaves_behind(Some(broken[0]), Kinds::PICKUP);
    assert_eq!([party.made(1), party.made(2)], [0, 0]);
    party.leaves_behind(Some(enemy[0]), Kinds::PICKUP);
    assert_eq!([party.made(1), party.made(2)], [1, 1]);
}

/// B6.10: an enemy's shots are the host's to make; those of a hero each game shows by itself (SHOT).
#[test]
fn an_enemys_shot_is_in_every_game_and_the_heros_own_is_not_made_twice() {
    let mut party = playing();
    let enemy = party.placed(5, ENEMY);
    party.leaves_behind(None, Kinds::PROJECTILE);
    assert_eq!([party.made(1), party.made(2)], [0, 0]);
    party.leaves_behind(Some(enemy[0]), Kinds::PROJECTILE);
    assert_eq!([party.made(1), party.made(2)], [1, 1]);
}

/// B6.6: a crate that broke in the host's game breaks in the others' with debris and sound, also where the
/// game will not break it by itself; B6.3: and so does an enemy die.
#[test]
fn what_goes_in_the_hosts_game_goes_with_its_debris() {
    let mut party = playing();
    let [broken, enemy] = [(4, Kinds::CRATE), (5, ENEMY)].map(|(n, kinds)| party.placed(n, kinds));
    party.players[2].game.world.unbreakable.set(true);
    party.ends(0, broken[0]);
    party.ends(0, enemy[0]);
    party.ticks(3);
    assert_eq!(*party.players[1].game.world.broken.borrow(), [(broken[1], None)]);
    assert_eq!(party.killed(1), [(enemy[1], Kill::Death)]);
    assert_eq!(party.killed(2), [(broken[2], Kill::Death), (enemy[2], Kill::Death)]);
}

/// B6.3: a member's game that loads, or is in a menu, changes nothing in the others, nor does what becomes
/// of the level that it leaves.
#[test]
fn a_member_that_loads_changes_nothing_in_the_others() {
    let mut party = playing();
    let all = [(3, ENEMY), (4, Kinds::CRATE), (5, Kinds::PICKUP), (6, Kinds::BOLT)];
    let all = all.map(|(number, kinds)| party.placed(number, kinds));
    party.ticks(SECOND);
    for phase in [Phase::Paused, Phase::Loading, Phase::Travel] {
        party.players[1].game.phase.set(phase);
        if phase != Phase::Paused {
            party.players[1].game.world.clear();
            party.ticks(2);
            for moby in all.iter().map(|mobys| mobys[1]) {
                party.happens(1, Happened::Broke { moby, by: None });
                party.happens(1, Happened::PickedUp { moby, by: None });
                party.ends(1, moby);
            }
            party.asks(1, &Asked::Bolt { moby: all[3][1], collector: None, value: 5 });
        }
        party.ticks(2 * SECOND);
    }
    for mobys in all {
        assert!(party.is_there(0, mobys[0]) && party.is_there(2, mobys[2]));
    }
}
