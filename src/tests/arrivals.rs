//! What one who arrives in the host's level, or comes back to life in it, is told: all of it, in order, and
//! by the way that loses nothing (B6.4).

use mp_protocol::game::Kind;

use super::world::{ENEMY, key, playing};
use super::{Party, SECOND, hero};
use crate::game::{Kinds, MobyHandle, Phase};

const DOOR: Kinds = Kinds::PLATFORM;
const SHUT: [f32; 3] = [9.0, 9.0, 0.0];
const OPEN: [f32; 3] = [9.0, 9.0, 3.0];

impl Party {
    /// So many ticks of which no snapshot arrives, only what goes as DATA. The kinds of what the host sent
    /// that player, in order.
    fn ticks_without_snapshots(&mut self, place: usize, ticks: u32) -> Vec<u8> {
        let id = self.players[place].id;
        let mut kinds = Vec::new();
        for _ in 0..ticks {
            self.step();
            self.players[0].worlds.clear();
            let events = self.players[0].events.iter();
            kinds.extend(events.filter(|(to, _)| *to == Some(id)).map(|(_, bytes)| bytes[0]));
            self.route();
        }
        kinds
    }

    /// A door that is open in the host's game before its mod sees it, and shut in the others'.
    fn open_door(&mut self) -> Vec<MobyHandle> {
        let places = [OPEN, SHUT, SHUT];
        let put = |(player, place): (&super::Player, _)| {
            player.game.world.put(Some(3), DOOR | Kinds::UPDATES, place)
        };
        self.players.iter().zip(places).map(put).collect()
    }

    /// Bob's game leaves the level for another, and is there for long.
    fn bob_is_elsewhere(&mut self) {
        self.players[2].game.play(4, hero([0.0; 3]));
        self.ticks(10 * SECOND);
    }

    /// Bob's game comes into the host's level, where the door stands as the level's file put it.
    fn bob_arrives(&mut self) -> MobyHandle {
        self.players[2].game.play(0, hero([0.0; 3]));
        let world = &self.players[2].game.world;
        world.clear();
        world.put(Some(3), DOOR | Kinds::UPDATES, SHUT)
    }
}

/// B6.4: also what had moved before the host's mod first saw it, and stands still since.
#[test]
fn what_moved_before_the_host_saw_it_is_where_it_is_for_one_who_arrives() {
    let mut party = playing();
    party.open_door();
    party.bob_is_elsewhere();
    let door = party.bob_arrives();
    party.ticks_without_snapshots(2, SECOND);
    assert_eq!(party.position(2, door), OPEN, "within 1 s, though every snapshot is lost");
}

/// B6.4: and what moved before the host's game was away from its level for a moment.
#[test]
fn what_moved_before_the_host_was_away_is_where_it_is_for_one_who_arrives() {
    let mut party = playing();
    let doors = party.placed(3, DOOR);
    party.moves(0, doors[0], OPEN);
    party.bob_is_elsewhere();
    party.players[0].game.phase.set(Phase::Movie);
    party.ticks(SECOND);
    party.players[0].game.phase.set(Phase::Playing);
    party.ticks(10 * SECOND);
    let door = party.bob_arrives();
    party.ticks_without_snapshots(2, SECOND);
    assert_eq!(party.position(2, door), OPEN);
}

/// B6.4: what is not to be seen in the host's game is not to be seen.
#[test]
fn what_is_hidden_is_hidden_for_one_who_arrives() {
    let mut party = playing();
    let doors = party.open_door();
    party.players[0].game.world.change(doors[0], |door| door.hidden = true);
    party.bob_is_elsewhere();
    let door = party.bob_arrives();
    party.ticks_without_snapshots(2, SECOND);
    assert!(party.players[2].game.world.moby(door).expect("it is there").hidden);
}

/// B6.4: who is dead, then who was made, then where everything is; after its own respawn as at its
/// arrival.
#[test]
fn the_dead_come_first_then_what_was_made_then_where_all_is() {
    let mut party = playing();
    let dead = party.placed(8, ENEMY);
    party.open_door();
    party.makes(ENEMY, [1.0; 3]);
    party.ends(0, dead[0]);
    party.bob_is_elsewhere();
    let all = [Kind::Dead, Kind::Spawn, Kind::World].map(|kind| kind as u8);
    let door = party.bob_arrives();
    assert_eq!(party.ticks_without_snapshots(2, SECOND), all);
    // His own respawn puts the door back.
    party.players[2].game.hero.borrow_mut().as_mut().expect("a hero").health = 0;
    party.ticks(10);
    party.players[2].game.world.remove(door);
    let door = party.players[2].game.world.put(Some(3), DOOR | Kinds::UPDATES, SHUT);
    party.players[2].game.hero.borrow_mut().as_mut().expect("a hero").health = 4;
    assert_eq!(party.ticks_without_snapshots(2, SECOND), all);
    assert_eq!(party.position(2, door), OPEN);
    assert_eq!(party.players[0].game.world.records.get(), key(8).get() + 1);
}

/// B6.4: while nothing is heard of one it may have died, or have been at the title and come back.
#[test]
fn one_that_died_and_came_back_unheard_is_told_all_again() {
    let mut party = playing();
    let dead = party.placed(8, ENEMY);
    party.ends(0, dead[0]);
    party.ticks(2 * SECOND);
    for tick in 0..SECOND {
        let health = if tick < 50 { 0 } else { 4 };
        party.players[2].game.hero.borrow_mut().as_mut().expect("a hero").health = health;
        party.step();
        party.players[2].states.clear();
        party.route();
    }
    // His own respawn brought the enemy back.
    let place = [1.0; 3];
    let enemy = party.players[2].game.world.put(Some(8), ENEMY | Kinds::UPDATES, place);
    assert_eq!(party.ticks_without_snapshots(2, SECOND), [Kind::Dead as u8]);
    assert!(party.players[2].game.world.moby(enemy).is_none(), "it is dead for all");
    // A snapshot's worth of loss is nothing of the kind.
    for _ in 0..20 {
        party.step();
        party.players[2].states.clear();
        party.route();
    }
    assert_eq!(party.ticks_without_snapshots(2, SECOND), [0; 0]);
}
