//! Hits across the games (B6.3, B6.5).

use std::time::Duration;

use mp_protocol::game::{Blow, Damage, Hit as HitMessage, Kind, MobyId, MobyKey};

use super::Party;
use super::world::playing;
use crate::game::{Hit, Kinds, MobyHandle, Scene, SceneKind};
use crate::hooks::Asked;
use crate::world::Refused;

const ENEMY: Kinds = Kinds::ENEMY;

fn hit(target: Option<MobyHandle>, attacker: Option<MobyHandle>, damage: f32) -> Hit {
    Hit { target, attacker, mask: 1, damage, position: [1.0, 2.0, 3.0], velocity: [4.0, 0.0, 0.0] }
}

fn message(key: u16, damage: f32) -> HitMessage {
    let blow = Blow { mask: 1, damage, position: [0.0; 3], velocity: [0.0; 3] };
    HitMessage { id: MobyId::Key(MobyKey::new(key).expect("a key")), blow }
}

fn posted(party: &Party, place: usize) -> Vec<Hit> {
    std::mem::take(&mut *party.players[place].game.world.posted.borrow_mut())
}

fn hero_hits(party: &Party, place: usize) -> Vec<Hit> {
    std::mem::take(&mut *party.players[place].game.world.hero_hits.borrow_mut())
}

/// B6.3: a member's hit on the host's moby does nothing there but show; the host's game takes the damage,
/// from the member's figure, all of a tick at once.
#[test]
fn a_members_hit_is_the_hosts_to_take() {
    let mut party = playing();
    let enemy = party.placed(3, ENEMY);
    assert!(!party.asks(1, &Asked::Hit(hit(Some(enemy[1]), None, 2.0))));
    assert!(!party.asks(1, &Asked::Hit(hit(Some(enemy[1]), None, 1.5))));
    party.ticks(2);
    let ann = party.figure_of(1, 0);
    assert_eq!(posted(&party, 0), [hit(Some(enemy[0]), Some(ann), 3.5)]);
    assert_eq!(posted(&party, 1), [hit(Some(enemy[1]), None, 0.0)], "shown at once");
    assert!(posted(&party, 2).is_empty());
}

/// B6.1, B6.3: what each game runs itself is hit in it, and so is all in the host's.
#[test]
fn what_each_game_runs_is_hit_there() {
    let mut party = playing();
    let crates = party.placed(4, Kinds::CRATE);
    let enemy = party.placed(3, ENEMY);
    assert!(party.asks(1, &Asked::Hit(hit(Some(crates[1]), None, 1.0))));
    assert!(party.asks(0, &Asked::Hit(hit(Some(enemy[0]), None, 1.0))));
    party.ticks(3);
    assert!(posted(&party, 0).is_empty());
}

/// B6.5: a hit on a stand-in is that player's, applied in its own game.
#[test]
fn a_hit_on_a_stand_in_is_that_players() {
    let mut party = playing();
    let enemy = party.placed(3, ENEMY);
    let bob = party.figure_of(2, 0);
    assert!(!party.asks(0, &Asked::Hit(hit(Some(bob), Some(enemy[0]), 1.0))));
    party.ticks(2);
    assert_eq!(hero_hits(&party, 2), [hit(None, Some(enemy[2]), 1.0)]);
    assert!(hero_hits(&party, 1).is_empty() && hero_hits(&party, 0).is_empty());
}

/// A player has no control yet.
fn arrives(party: &mut Party, place: usize) {
    let game = &party.players[place].game;
    game.control.set(false);
    game.scene.set(Some(Scene { kind: SceneKind::Own, number: None, elapsed: Duration::ZERO }));
    party.tick();
    party.players[place].game.scene.set(None);
    party.tick();
}

/// B5.8: until a player has control, nothing of the host's world hurts it, the host neither.
#[test]
fn one_without_control_is_not_hurt() {
    let mut party = playing();
    let enemy = party.placed(3, ENEMY);
    let bob = party.figure_of(2, 0);
    arrives(&mut party, 2);
    party.asks(0, &Asked::Hit(hit(Some(bob), Some(enemy[0]), 1.0)));
    party.ticks(2);
    assert!(hero_hits(&party, 2).is_empty());
    assert_eq!(party.players[2].mp.refused(Refused::NoControl), 1);
    let hero = party.players[0].game.world.put(None, Kinds::default(), [0.0; 3]);
    let bite = Asked::Hit(hit(Some(hero), Some(enemy[0]), 1.0));
    assert!(party.asks(0, &bite));
    arrives(&mut party, 0);
    assert!(!party.asks(0, &bite));
}

/// B3.4; issue 6, bad input: on a moby that is not, on a crate, of 1e9 or less than no damage, from another
/// level, 500 in a second.
#[test]
fn what_the_game_does_not_allow_is_no_hit() {
    let mut party = playing();
    party.placed(3, ENEMY);
    party.placed(4, Kinds::CRATE);
    for (key, damage) in [(9, 1.0), (4, 1.0), (3, 1e9), (3, -1.0)] {
        party.says(1, message(key, damage));
    }
    party.ticks(1);
    assert!(posted(&party, 0).is_empty());
    assert_eq!(party.refused(Refused::NoMoby(Kind::Hit)), 1);
    assert_eq!(party.refused(Refused::WrongMoby(Kind::Hit)), 1);
    assert_eq!(party.refused(Refused::Damage(Kind::Hit)), 2);

    party.players[1].game.level.set(Some(3));
    party.ticks(10);
    party.says(1, message(3, 1.0));
    party.ticks(1);
    assert!(posted(&party, 0).is_empty());
    assert_eq!(party.refused(Refused::OtherLevel(Kind::Hit)), 1);

    (0..500).for_each(|_| party.says(2, message(3, 1.0)));
    party.ticks(1);
    assert_eq!(posted(&party, 0).len(), 240, "two seconds' worth");
    assert_eq!(party.refused(Refused::TooOften(Kind::Hit)), 260);
}

/// Neither the host's enemies nor a member's hero are thrown out of the world.
#[test]
fn a_blow_that_throws_faster_than_any_weapon_is_refused() {
    let mut party = playing();
    party.placed(3, ENEMY);
    let thrown = |speed| {
        let mut hit = message(3, 1.0);
        hit.blow.velocity[2] = speed;
        hit
    };
    for speed in [1_000.0, 1_001.0, -1e30] {
        party.says(1, thrown(speed));
        let mut bytes = Vec::new();
        let damage = Damage { attacker: MobyId::None, blow: thrown(speed).blow };
        mp_protocol::game::Message::from(damage).encode(&mut bytes).expect("fits");
        party.players[2].data(party.players[0].id, &bytes);
    }
    party.ticks(1);
    assert_eq!(posted(&party, 0).len(), 1);
    assert_eq!(party.refused(Refused::Push(Kind::Hit)), 2);
    assert_eq!(hero_hits(&party, 2).len(), 1);
    assert_eq!(party.players[2].mp.refused(Refused::Push(Kind::Damage)), 2);
}

/// A DAMAGE of a host's own making hurts by no less than nothing, and nobody outside its level.
#[test]
fn damage_that_is_none_is_refused() {
    let mut party = playing();
    let blow = Blow { mask: 1, damage: -3.0, position: [0.0; 3], velocity: [0.0; 3] };
    let mut bytes = Vec::new();
    let damage = |damage| Damage { attacker: MobyId::None, blow: Blow { damage, ..blow } };
    mp_protocol::game::Message::from(damage(-3.0)).encode(&mut bytes).expect("fits");
    party.players[1].data(party.players[0].id, &bytes);
    party.ticks(1);
    party.players[1].game.level.set(Some(3));
    party.ticks(1);
    bytes.clear();
    mp_protocol::game::Message::from(damage(1.0)).encode(&mut bytes).expect("fits");
    party.players[1].data(party.players[0].id, &bytes);
    party.ticks(1);
    assert!(hero_hits(&party, 1).is_empty());
    assert_eq!(party.players[1].mp.refused(Refused::Damage(Kind::Damage)), 1);
    assert_eq!(party.players[1].mp.refused(Refused::OtherLevel(Kind::Damage)), 1);
}
