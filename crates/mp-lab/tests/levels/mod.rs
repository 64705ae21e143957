//! Every level of the stand-in game, each by a host and a member, and one who comes late: what hangs on the
//! party's progress follows in each game, and what moves and opens follows the host's world (B6.4, B7).

use std::collections::{BTreeMap, VecDeque};

use mp_lab::Place;
use mp_playground::game::{Phase, StandIn, Used};
use mp_playground::progress::{Gift, Progress};
use mp_playground::sim::{
    Button, Class, Hit, Level, Moby, MobyId, TICKS_PER_SECOND, Vec3, kind, mask,
};

use super::table::{Table, row};

const HOST: usize = 0;
const MEMBER: usize = 1;
const LATE: usize = 2;
const SECOND: u64 = TICKS_PER_SECOND as u64;

/// What a moby may be off, in units: what it goes in a tick.
const OFF_MAX: f32 = 0.3;
/// How long ago the host's may have been there, in ticks: the delay of the playback and of the link.
const AGO_MAX: usize = 36;
/// What each game runs for itself (B6.1).
const OWN: u32 = kind::CRATE | kind::STATIC | kind::BOLT | kind::PICKUP | kind::SERVICE;

/// Where each placed moby that the host runs is in a game, by its key.
fn places(table: &Table, player: usize) -> BTreeMap<u16, Vec3> {
    let runs = |moby: &&Moby| moby.kinds() & kind::UPDATES != 0 && moby.kinds() & OWN == 0;
    table.games[player].0.look(|game| {
        let placed = game.mobys().filter(runs).filter_map(|moby| Some((moby.key?, moby.position)));
        placed.collect()
    })
}

/// Plays on, and keeps where the host's mobys were.
struct Watched {
    table: Table,
    was: VecDeque<BTreeMap<u16, Vec3>>,
}

impl Watched {
    fn tick(&mut self) {
        self.table.tick();
        if self.was.len() == AGO_MAX {
            self.was.pop_front();
        }
        self.was.push_back(places(&self.table, HOST));
    }

    fn ticks(&mut self, ticks: u64) {
        (0..ticks).for_each(|_| self.tick());
    }

    fn until(&mut self, what: &str, within: u64, holds: impl Fn(&Table) -> bool) {
        for _ in 0..within {
            if holds(&self.table) {
                return;
            }
            self.tick();
        }
        assert!(holds(&self.table), "{what}: not in {within} ticks");
    }

    /// Every moby of the host's is where it was there a moment ago.
    fn follows_the_host(&self, player: usize) {
        let shown = places(&self.table, player);
        let there = self.was.back().expect("ticked");
        assert!(there.keys().eq(shown.keys()), "the same are alive: {there:?} {shown:?}");
        for (key, at) in &shown {
            let off = |was: &BTreeMap<u16, Vec3>| was.get(key).map(|was| (*was - *at).length());
            let off = self.was.iter().filter_map(off).fold(f32::INFINITY, f32::min);
            assert!(off < OFF_MAX, "player {player}, moby {key}: {off} from where the host's was");
        }
    }

    /// Whether a game still has a moby of that key.
    fn has(&self, player: usize, key: u16) -> bool {
        self.table.games[player].0.look(|game| game.mobys().any(|moby| moby.key == Some(key)))
    }
}

fn progress(table: &Table, player: usize) -> Progress {
    table.games[player].0.look(|game| game.progress().clone())
}

/// Everything to find in a level, with its key.
fn gifts(level: &Level) -> Vec<(u16, Gift)> {
    let all = (0..).zip(&level.mobys);
    all.filter_map(|(key, placed)| Some((key, placed.params.gives?))).collect()
}

/// The hero of that game hits every switch of its level.
fn hits_the_switches(game: &mut StandIn) {
    let switches: Vec<(MobyId, Vec3)> = game
        .mobys()
        .filter(|moby| moby.class == Class::Switch)
        .map(|moby| (moby.id, moby.position))
        .collect();
    assert!(!switches.is_empty());
    for (target, position) in switches {
        let hit = Hit {
            target,
            attacker: MobyId::HERO,
            mask: mask::WRENCH,
            damage: 1.0,
            position,
            velocity: Vec3::ZERO,
        };
        let begun = game.hit_post(&hit).expect("a switch that is there");
        assert!(begun.0);
        while game.poll_ask(false).is_some() {}
    }
}

/// The rows of the ship's list in a game.
fn destinations(watched: &mut Watched, player: usize) -> Vec<String> {
    watched.table.games[player].0.change(|game| game.used(Used::Ship));
    watched.tick();
    let screen = watched.table.games[player].0.look(StandIn::screen);
    let page = screen.page.expect("the ship asks where to");
    watched.table.presses = Some((player, Button::Triangle));
    watched.until("the ship asks no more", SECOND, |table| {
        table.games[player].0.look(StandIn::phase) == Phase::Playing
    });
    page.rows.into_iter().map(|row| row.label).collect()
}

/// A host and a member in that level, from a save in which nothing is found.
fn two_in(level: &Level) -> Watched {
    let number = u8::try_from(level.number).expect("a level's number");
    let seed = u64::from(number);
    let mut table = Table::new(3, number, Place::Direct, "latency=40,jitter=10,loss=2", seed);
    [HOST, MEMBER].into_iter().for_each(|player| table.enter(player, Place::Direct, &row(number)));
    table.choose(HOST, "Start");
    table.until("both play", |table| {
        let plays = |player: usize| table.games[player].0.look(StandIn::in_control);
        plays(HOST) && plays(MEMBER)
    });
    for player in [HOST, MEMBER] {
        assert_eq!(table.games[player].0.look(StandIn::level), Some(level.number));
    }
    Watched { table, was: VecDeque::new() }
}

/// B7.1, B7.2, B7.3: what there is to find in a level, one finds and both have; it and who waited for it
/// is gone in both games, and the ship of both goes where it leads. Bolts stay each player's own.
fn progress_follows(watched: &mut Watched, level: &Level) {
    let gifts = gifts(level);
    let bolts = [HOST, MEMBER].map(|player| progress(&watched.table, player).bolts);
    for (number, (_, gift)) in gifts.iter().enumerate() {
        let finder = number % 2;
        assert!(watched.table.games[finder].0.change(|game| game.give(*gift)), "{gift:?}");
    }
    watched.until("both have all", 2 * SECOND, |table| {
        progress(table, HOST).items == progress(table, MEMBER).items
            && progress(table, HOST).gold_bolts == progress(table, MEMBER).gold_bolts
            && progress(table, HOST).planets == progress(table, MEMBER).planets
    });
    for player in [HOST, MEMBER] {
        let has = progress(&watched.table, player);
        assert!(gifts.iter().all(|(_, gift)| has.has(*gift) == Some(true)), "{}", level.name);
        assert_eq!(has.bolts, bolts[player], "{}", level.name);
    }
    watched.ticks(SECOND);
    let waits = (0_u16..).zip(&level.mobys).filter(|(_, placed)| placed.params.until.is_some());
    let waits: Vec<u16> = waits.map(|(key, _)| key).collect();
    assert!(!waits.is_empty(), "{}", level.name);
    for player in [HOST, MEMBER] {
        for key in &waits {
            assert!(!watched.has(player, *key), "{}: player {player}, person {key}", level.name);
        }
        let known = destinations(watched, player);
        for (_, gift) in &gifts {
            let Gift::Planet(planet) = gift else { continue };
            let name = i32::try_from(*planet).ok().and_then(Level::name_of).expect("a level");
            assert!(known.contains(&name), "{}: player {player}: {known:?}", level.name);
        }
    }
    for (key, _) in &gifts {
        let there = [HOST, MEMBER].map(|player| watched.has(player, *key));
        assert!(!there[MEMBER] || there[HOST], "{}: moby {key}", level.name);
    }
}

/// B6.4: one who comes late has, a second after it arrived, the host's world as it is: nothing that was
/// found, nobody who is gone, and every moby where the host's is.
fn one_who_comes_late_finds_it_so(watched: &mut Watched, level: &Level) {
    watched.table.enter(LATE, Place::Direct, "");
    watched.table.until("the late one is in the level", |table| {
        table.games[LATE].0.look(StandIn::level) == Some(level.number)
    });
    watched.ticks(SECOND);
    watched.follows_the_host(LATE);
    let has = progress(&watched.table, LATE);
    for (key, placed) in (0_u16..).zip(&level.mobys) {
        let Some(gift) = placed.params.gives.or(placed.params.until) else { continue };
        assert_eq!(has.has(gift), Some(true), "{}: {gift:?}", level.name);
        assert!(!watched.has(LATE, key), "{}: moby {key}", level.name);
    }
}

/// B6.1, B6.4, B7.1, B7.2.
#[test]
fn in_every_level_progress_and_the_hosts_world_are_followed_also_by_one_who_comes_late() {
    for level in Level::all() {
        let mut watched = two_in(level);
        let before = places(&watched.table, HOST);
        watched.table.games[HOST].0.change(hits_the_switches);
        watched.ticks(4 * SECOND);
        let after = places(&watched.table, HOST);
        let opened = level.mobys.iter().flat_map(|placed| &placed.params.opens);
        for key in opened {
            assert!((before[key] - after[key]).length() > 1.0, "{}: {key} opened", level.name);
        }
        watched.follows_the_host(MEMBER);
        progress_follows(&mut watched, level);
        one_who_comes_late_finds_it_so(&mut watched, level);
        watched.follows_the_host(MEMBER);
    }
}
