//! The host's world in the members' games: driven and posed (B6.1), told of (B6.2), as it is to one who
//! arrives (B6.4), and who is whose hero (B6.5, B6.9).

use mp_protocol::game::{
    Dead, HostLevel, Killed, Kind, Level, Message, MobyFlags, MobyId, PlayId, Spawn, Want, World,
    WorldMoby,
};

use super::world::{ENEMY, key, level, net, playing, told_at};
use super::{Party, hero};
use crate::front::Core as _;
use crate::game::{Gone, Kill, Kinds, Phase};
use crate::hooks::{Gate, Happened};
use crate::world::Refused;

const UPDATES: Kinds = Kinds::UPDATES;

/// B6.1: every placed moby with an update of its own is driven, but not what each game runs itself.
#[test]
fn a_member_drives_what_the_host_runs_and_nothing_else() {
    let mut party = playing();
    let own = [Kinds::CRATE, Kinds::STATIC, Kinds::BOLT, Kinds::PICKUP, Kinds::SERVICE];
    let hosts = [ENEMY, Kinds::PLATFORM, Kinds::default()];
    let mut number = 0;
    let mut put = |party: &mut Party, kinds| {
        number += 1;
        party.placed(number, kinds)
    };
    let own = own.map(|kinds| put(&mut party, kinds));
    let hosts = hosts.map(|kinds| put(&mut party, kinds));
    let still = party.players[1].game.world.put(Some(40), Kinds::default(), [0.0; 3]);
    party.ticks(3);
    assert!(own.iter().all(|mobys| !party.drives(1, mobys[1])));
    assert!(hosts.iter().all(|mobys| party.drives(1, mobys[1]) && party.drives(2, mobys[2])));
    assert!(!party.drives(1, still), "it has no update");
    assert!(party.players[0].game.world.driven.borrow().is_empty(), "the host runs its own");
}

/// B6.1: what it drives a member lets go when it leaves the party, and when the host leaves the level.
#[test]
fn a_member_lets_go_when_it_leaves() {
    let mut party = playing();
    let enemy = party.placed(3, ENEMY);
    let made = party.makes(ENEMY, [1.0; 3]);
    party.ticks(3);
    assert!(party.drives(1, enemy[1]) && party.drives(2, enemy[2]) && party.is_there(0, made));
    let copy = party.players[2].game.world.made.borrow()[0];
    party.players[1].leave();
    assert!(party.players[1].game.world.driven.borrow().is_empty());
    party.players[0].game.play(4, hero([0.0; 3]));
    party.ticks(3);
    assert!(!party.drives(2, enemy[2]) && party.is_there(2, enemy[2]));
    assert!(!party.is_there(2, copy), "only the host's game had it");
}

/// B6.1: a moby is where the host's was a moment ago, on the straight way, and never past the newest.
#[test]
fn a_member_shows_a_moby_where_the_hosts_was_a_moment_ago() {
    let mut party = playing();
    let enemy = party.placed(3, ENEMY);
    party.ticks(60);
    let mut was = Vec::new();
    for tick in 0..120_u8 {
        let x = f32::from(tick) * 0.1;
        party.moves(0, enemy[0], [x, 0.0, 0.0]);
        party.tick();
        was.push(x);
        if tick > 30 {
            let shown = party.position(1, enemy[1])[0];
            let lag = (x - shown) / 0.1 * 16.667;
            assert!((95.0..190.0).contains(&lag), "tick {tick}: {lag} ms behind");
        }
    }
    party.ticks(30);
    assert_eq!(party.position(1, enemy[1]), party.position(0, enemy[0]));
}

/// B6.2: each member in the level is told 15 times a second, of 46 at most: of those that move the
/// nearest to it.
#[test]
fn a_member_is_told_of_the_nearest_that_move() {
    let mut party = playing();
    let mobys: Vec<_> = (0..100_u16)
        .map(|number| {
            let place = [f32::from(number), 0.0, 0.0];
            party.players[0].game.world.put(Some(number), ENEMY | UPDATES, place)
        })
        .collect();
    party.players[1].game.play(0, hero([80.0, 0.0, 0.0]));
    party.ticks(240);
    let (mut near, mut snapshots, mut moved) = (0, 0, [0_u32; 100]);
    for tick in 0..240_u32 {
        for (number, &moby) in (0_u16..).zip(&mobys) {
            let y = if tick % 2 == 0 { 0.0 } else { 0.1 };
            party.moves(0, moby, [f32::from(number), y, 0.0]);
        }
        for told in party.told_to(1, 1) {
            snapshots += 1;
            assert!(told.len() <= 46, "{}", told.len());
            for moby in told {
                let MobyId::Key(key) = moby.id else { panic!("none was made") };
                moved[usize::from(key.get())] += 1;
                near += u32::from((62..=98).contains(&key.get()));
            }
        }
    }
    assert!((59..=61).contains(&snapshots), "{snapshots} in 4 s");
    assert!(near >= 37 * snapshots - 40, "those nearest 80 are in every snapshot: {near}");
    assert!(moved.iter().all(|&times| times > 0), "and none is left out for 4 s: {moved:?}");
}

/// B6.2: one that comes to rest is told of for 1 s more, and then at least every 5 s.
#[test]
fn one_at_rest_is_told_of_for_a_second_and_then_seldom() {
    let mut party = playing();
    let enemy = party.placed(3, ENEMY);
    party.ticks(300);
    party.moves(0, enemy[0], [5.0, 0.0, 0.0]);
    let names = |told: &[WorldMoby]| told.iter().any(|moby| moby.id == MobyId::Key(key(3)));
    let told = party.told_to(1, 60);
    assert!(told.iter().filter(|told| names(told)).count() >= 14);
    party.ticks(20);
    let told = party.told_to(1, 300);
    let times = told.iter().filter(|told| names(told)).count();
    assert!((1..=4).contains(&times), "{times} times in 5 s");
}

/// B6.2, B6.1: a landed bolt is told of once, then once a second, and its game runs it from then on.
#[test]
fn a_landed_bolt_is_let_go_and_told_of_once_a_second() {
    let mut party = playing();
    let bolt = party.makes(Kinds::BOLT, [20.0, 20.0, 4.0]);
    for tick in 0..20_u8 {
        party.moves(0, bolt, [20.0, 20.0, 4.0 - f32::from(tick) * 0.2]);
        party.tick();
    }
    let copy = party.players[1].game.world.made.borrow()[0];
    assert!(party.drives(1, copy), "it flies");
    party.ticks(60);
    assert!(!party.drives(1, copy), "it has landed");
    let landed = party.position(1, copy);
    assert!(landed.iter().zip(party.position(0, bolt)).all(|(a, b)| (a - b).abs() < 1e-3));
    let told = party.told_to(1, 180).concat();
    let loose = |moby: &&WorldMoby| moby.flags.contains(MobyFlags::LOOSE);
    assert_eq!((told.iter().filter(loose).count(), told.len()), (3, 3), "{told:?}");
}

/// Out of the format's range (protocol.md 3): along one axis, and along none alone.
const FAR_OUT: [[f32; 3]; 2] = [[100_001.0, 0.0, 0.0], [80_000.0, 80_000.0, 0.0]];

/// B6.2: a moby out of the format's range is left out, and the others are told of.
#[test]
fn a_moby_out_of_range_is_left_out() {
    let mut party = playing();
    let enemies = [party.placed(3, ENEMY), party.placed(4, ENEMY)];
    party.ticks(10);
    for (far, near) in FAR_OUT.into_iter().zip([7.0, 8.0]) {
        party.moves(0, enemies[0][0], far);
        party.moves(0, enemies[1][0], [near, 0.0, 0.0]);
        let told = party.told_to(1, 20).concat();
        assert!(told.iter().all(|moby| moby.id == MobyId::Key(key(4))) && !told.is_empty());
        party.ticks(20);
        assert_eq!(party.position(1, enemies[1][1]), [near, 0.0, 0.0]);
    }
}

/// B6.2, B6.4: one who arrives is told of a creature that is out of range now, as of any other: it may
/// come back.
#[test]
fn a_creature_out_of_range_is_made_for_one_who_arrives() {
    for far in FAR_OUT {
        let mut party = playing();
        let made = party.makes(ENEMY, [1.0, 2.0, 3.0]);
        party.players[2].game.play(4, hero([0.0; 3]));
        party.ticks(30);
        party.moves(0, made, far);
        party.players[2].game.play(0, hero([0.0; 3]));
        party.players[2].game.world.made.borrow_mut().clear();
        party.ticks(60);
        let copy = party.players[2].game.world.made.borrow().first().copied();
        let copy = copy.unwrap_or_else(|| panic!("{far:?}: nothing was made"));
        party.moves(0, made, [4.0, 5.0, 6.0]);
        party.ticks(60);
        assert_eq!(party.position(2, copy), [4.0, 5.0, 6.0]);
    }
}

/// B6.2, B6.10: a creature that is made out of range is told of once it is in range.
#[test]
fn a_creature_made_out_of_range_is_told_of_when_it_is_in_range() {
    for far in FAR_OUT {
        let mut party = playing();
        let moby = party.makes(ENEMY, far);
        party.ticks(30);
        assert!(party.players[1].game.world.made.borrow().is_empty());
        party.moves(0, moby, [4.0, 5.0, 6.0]);
        party.ticks(60);
        let copy = party.players[1].game.world.made.borrow().first().copied();
        let copy = copy.unwrap_or_else(|| panic!("{far:?}: nothing was made"));
        assert_eq!(party.position(1, copy), [4.0, 5.0, 6.0]);
        party.ends(0, moby);
        party.ticks(4);
        assert!(!party.is_there(1, copy), "its end is told too");
    }
}

/// One that ended out of range leaves nothing to whatever gets its handle: a moby that each game makes by
/// itself is told of by nobody (B6.8).
#[test]
fn a_handle_of_a_creature_that_ended_out_of_range_names_no_other() {
    let mut party = playing();
    let moby = party.makes(ENEMY, FAR_OUT[0]);
    party.ticks(3);
    // The next moby of the host's game gets its handle within a tick.
    party.happens(0, Happened::Gone { moby, how: Gone::Own, by: None });
    party.moves(0, moby, [4.0, 5.0, 6.0]);
    party.ticks(10);
    assert!(party.players[1].game.world.made.borrow().is_empty());
}

/// B6.3: nothing goes because a snapshot is missing, and a game in a menu or that loads changes nothing
/// in the others.
#[test]
fn what_the_host_does_not_list_stays() {
    let mut party = playing();
    let enemy = party.placed(3, ENEMY);
    party.ticks(30);
    for phase in [Phase::Paused, Phase::Loading, Phase::Movie] {
        party.players[0].game.phase.set(phase);
        party.players[0].game.world.mobys.borrow_mut().clear();
        party.ticks(120);
    }
    assert!(party.is_there(1, enemy[1]) && party.is_there(2, enemy[2]));
}

/// B6.4: to one who arrives, what is dead is gone without debris, what was made is there, and what is not
/// where the level's file put it is there within 1 s, though it stands still.
#[test]
fn one_who_arrives_finds_the_world_as_it_is() {
    let mut party = playing();
    let [dead, door, still] = [3, 4, 5].map(|number| party.placed(number, ENEMY));
    party.players[2].game.play(4, hero([0.0; 3]));
    party.ticks(30);
    party.ends(0, dead[0]);
    party.moves(0, door[0], [9.0, 9.0, 7.0]);
    party.makes(ENEMY, [2.0, 2.0, 0.0]);
    party.ticks(600);
    assert!(party.is_there(2, dead[2]), "it is elsewhere");
    party.players[2].game.play(0, hero([0.0; 3]));
    let mut told = Vec::new();
    for _ in 0..8 {
        party.step();
        for (_, bytes) in &party.players[0].events {
            if let Ok(Message::World(world)) = Message::decode(bytes) {
                told.extend(world.mobys.iter().map(|moby| moby.id));
            }
        }
        party.route();
    }
    let placed = [4, 5].map(|number| MobyId::Key(key(number)));
    assert_eq!(told, placed, "as DATA, which no loss leaves out");
    let world = &party.players[2].game.world;
    assert_eq!(*world.killed.borrow(), [(dead[2], Kill::Quiet)]);
    assert_eq!(world.made.borrow().len(), 1);
    party.ticks(30);
    assert_eq!(party.position(2, door[2]), [9.0, 9.0, 7.0]);
    assert_eq!(party.position(2, still[2]), [9.0, 9.0, 0.0]);
    let spawn = Spawn { level: level(0), net: net(0), class: 500, position: [2.0; 3], yaw: 0.0 };
    party.hears(2, spawn);
    party.ticks(2);
    assert_eq!(party.players[2].game.world.made.borrow().len(), 1, "a known one is ignored");
}

/// B6.4: and so does one that was at the title, though every pose that said so was lost.
#[test]
fn one_who_asks_for_the_game_again_is_told_of_the_world_again() {
    let mut party = playing();
    let dead = party.placed(3, ENEMY);
    party.ends(0, dead[0]);
    party.ticks(60);
    let member = party.players[2].id;
    let mut want = Vec::new();
    Message::from(Want { play: PlayId(0) }).encode(&mut want).expect("a message that fits");
    party.players[0].data_at(party.now, member, &want);
    let mut told = 0;
    for _ in 0..8 {
        party.step();
        let host = &party.players[0];
        let to_it = host.events.iter().filter(|(target, _)| *target == Some(member));
        told += to_it.filter(|(_, bytes)| bytes[0] == Kind::Dead as u8).count();
        party.route();
    }
    assert_eq!(told, 1);
}

/// B6.4: and so does one that came back to life.
#[test]
fn one_who_came_back_to_life_is_told_again() {
    let mut party = playing();
    let enemy = party.placed(3, ENEMY);
    party.ticks(10);
    party.ends(0, enemy[0]);
    party.ticks(10);
    // Its own respawn brought the enemy back there.
    let again = party.players[1].game.world.put(Some(3), ENEMY | UPDATES, [9.0, 9.0, 0.0]);
    party.players[1].game.hero.borrow_mut().as_mut().expect("a hero").health = 0;
    party.ticks(10);
    assert!(party.is_there(1, again));
    party.players[1].game.hero.borrow_mut().as_mut().expect("a hero").health = 4;
    party.ticks(10);
    assert!(!party.is_there(1, again));
}

/// B6.5: each of the host's mobys sees the player nearest it; what each game runs for its own player, and
/// all in a member's game, sees that game's own.
#[test]
fn each_moby_sees_the_player_nearest_it() {
    let mut party = playing();
    let [enemy, vendor] =
        [(3, ENEMY), (4, Kinds::SERVICE)].map(|(n, kinds)| party.placed(n, kinds));
    for (place, near) in [([41.0, 0.0, 0.0], 1), ([0.0, 39.0, 0.0], 2)] {
        party.moves(0, enemy[0], place);
        party.moves(0, vendor[0], place);
        party.ticks(2);
        let Gate::StandIn(figure) = party.players[0].mp.gate(enemy[0]) else { panic!("no one") };
        let moby = crate::game::Game::figure_moby(&party.players[0].game, figure);
        assert_eq!(moby, Some(party.figure_of(near, 0)));
        assert_eq!(party.players[0].mp.gate(vendor[0]), Gate::Run);
        assert_eq!(party.players[near].mp.gate(enemy[near]), Gate::Run);
    }
    party.moves(0, enemy[0], [1.0, 1.0, 0.0]);
    party.ticks(2);
    assert_eq!(party.players[0].mp.gate(enemy[0]), Gate::Run, "the host himself is nearest");
}

/// B6.9: the host's world runs around the members too, and no longer when they left.
#[test]
fn the_hosts_world_runs_around_the_members() {
    let mut party = playing();
    party.ticks(5);
    assert_eq!(*party.players[0].game.world.eyes.borrow(), [[40.0, 0.0, 0.0], [0.0, 40.0, 0.0]]);
    assert!(party.players[1].game.world.eyes.borrow().is_empty());
    party.players[2].game.play(4, hero([0.0; 3]));
    party.ticks(30);
    assert_eq!(*party.players[0].game.world.eyes.borrow(), [[40.0, 0.0, 0.0]]);
}

/// B6.10: what the host's game makes is made, followed and taken out; late word of it is not taken.
#[test]
fn what_the_hosts_game_makes_comes_moves_and_goes() {
    let mut party = playing();
    let made = party.makes(ENEMY, [1.0, 2.0, 3.0]);
    party.ticks(20);
    let copies = [1, 2].map(|place| party.players[place].game.world.made.borrow()[0]);
    party.moves(0, made, [3.0, 2.0, 1.0]);
    party.ticks(20);
    for (place, copy) in [1, 2].into_iter().zip(copies) {
        assert_eq!(party.position(place, copy), [3.0, 2.0, 1.0]);
    }
    let late = party.told_to(1, 5).pop();
    party.happens(0, Happened::Gone { moby: made, how: Gone::Own, by: None });
    party.players[0].game.world.remove(made);
    party.ticks(4);
    assert!(!party.is_there(1, copies[0]) && !party.is_there(2, copies[1]));
    let late = late.unwrap_or_else(|| vec![told_at(MobyId::Net(net(0)), [1.0; 3])]);
    let stamp_ms = party.stamp_ms();
    party.hears(1, World { level: level(0), stamp_ms, mobys: late.as_slice().into() });
    party.ticks(3);
    assert_eq!(party.players[1].game.world.made.borrow().len(), 1, "its old life is over");
}

/// A game that cannot make a moby yet makes it as soon as it can (B6.10).
#[test]
fn what_cannot_be_made_now_is_made_later() {
    let mut party = playing();
    party.players[1].game.world.full.set(true);
    party.makes(Kinds::PICKUP, [1.0, 2.0, 3.0]);
    party.ticks(10);
    assert!(party.players[1].game.world.made.borrow().is_empty());
    party.players[1].game.world.full.set(false);
    party.ticks(2);
    assert_eq!(party.players[1].game.world.made.borrow().len(), 1);
}

/// Issue 6, bad input: what a member has not to say, what is of another level, of the future or of no moby
/// changes nothing; the party plays on.
#[test]
fn bad_news_of_the_world_changes_nothing() {
    let mut party = playing();
    let enemy = party.placed(3, ENEMY);
    party.ticks(60);
    let moby = WorldMoby { flags: MobyFlags::HIDDEN, ..told_at(MobyId::Key(key(3)), [50.0; 3]) };
    let now_ms = party.stamp_ms();
    let mobys = [moby];
    let world = |level, stamp_ms| World { level, stamp_ms, mobys: mobys.as_slice().into() };
    party.says(1, world(level(0), now_ms));
    party.hears(1, world(level(4), now_ms));
    party.hears(1, world(level(0), now_ms + 60_000));
    let keys = [key(3)];
    party.hears(1, Killed { level: level(4), keys: keys.as_slice().into() });
    let bits = Dead::bits_of(9, keys);
    party.hears(1, Dead { level: level(0), records: 9, bits: &bits });
    party.ticks(60);
    for (place, &enemy) in enemy.iter().enumerate() {
        assert_eq!(party.position(place, enemy), [9.0, 9.0, 0.0], "in game {place}");
    }
    let refused = |why| party.players[1].mp.refused(why);
    assert_eq!(refused(Refused::OtherLevel(Kind::World)), 1);
    assert_eq!(refused(Refused::OtherLevel(Kind::Killed)), 1);
    assert_eq!(refused(Refused::NoMoby(Kind::Dead)), 1);
}

/// B6.1: a stall may hide that the host was at the title between two games in one level.
#[test]
fn what_the_host_made_before_it_was_away_goes_though_it_is_back_in_the_same_tick() {
    let mut party = playing();
    party.makes(ENEMY, [1.0, 2.0, 3.0]);
    party.ticks(10);
    let copy = party.players[1].game.world.made.borrow()[0];
    assert!(party.is_there(1, copy));
    for level in [Level::NONE, level(0)] {
        party.hears(1, HostLevel { play: PlayId(1), level, scene: false, travel: None });
    }
    party.step();
    assert!(!party.is_there(1, copy));
}
