//! Levels and scenes together: the built library in stand-in games of this process, over real sockets.
#![allow(
    clippy::disallowed_types,
    clippy::disallowed_methods,
    reason = "end to end: real sockets, processes and time"
)]

#[path = "common/library.rs"]
mod library;
#[path = "common/table.rs"]
mod table;

use mp_playground::bots::Errand;
use mp_playground::game::{Phase, StandIn, Used};
use mp_playground::sim::{Button, World};
use table::Table;

const ARRIVALS: &str = "Waiting for the other players to arrive";

/// A scene that somebody plays through takes this many ticks at least.
const LONG: u32 = 120;

/// Three in the first level.
fn three() -> Table {
    let (mut table, port) = Table::with_host("Alex", 2);
    table.join("Blair", port);
    table.join("Casey", port);
    table.until_all_play();
    // The bots see that they are there, and press nothing more in menus.
    table.ticks(5);
    table
}

fn steps(table: &Table, player: usize) -> u64 {
    table.players[player].game.look(|game| game.world().map_or(0, World::tick))
}

/// B5.5
#[test]
fn the_host_flies_everyone_follows_and_nobody_has_control_until_all_are_there() {
    let mut table = three();
    // One of them is in a menu, where it would not move.
    table.players[2].taps = Some(Button::Start);
    table.until("a member pauses", |table| table.screen(2).phase == Phase::Paused);
    table.fly(0, 1);
    let mut waited = 0;
    table.until("everyone has control there", |table| {
        let there = (0..3).filter(|&player| table.level(player) == Some(1)).count();
        for player in 0..3 {
            let in_control = table.level(player) == Some(1) && table.has_control(player);
            assert!(!in_control || there == 3, "{player} has control alone:\n{}", table.screens());
        }
        waited += u32::from(table.screen(1).held.as_deref() == Some(ARRIVALS));
        there == 3 && (0..3).all(|player| table.has_control(player))
    });
    assert!(waited > 0, "the member was there first and was told why it waits");
    table.until("everyone sees everyone", |table| {
        [(0, "Blair"), (0, "Casey"), (1, "Alex"), (1, "Casey"), (2, "Alex"), (2, "Blair")]
            .into_iter()
            .all(|(player, name)| table.figure(player, name).is_some())
    });
    table.end();
}

/// B5.5
#[test]
fn a_members_own_pick_lands_again_and_is_told_who_flies() {
    let (mut table, port) = Table::with_host("Alex", 1);
    table.join("Blair", port);
    table.until_all_play();
    table.fly(1, 1);
    table.until("it is told", |table| {
        table.screen(1).message.as_deref() == Some("Only the host flies the ship to another planet")
    });
    table.until("it lands", |table| table.screen(1).phase == Phase::Scene);
    table.until("and plays on", |table| table.has_control(1));
    assert_eq!((table.level(0), table.level(1)), (Some(0), Some(0)));
    table.end();
}

/// B5.6, B5.7, B5.8: the opening of a new game.
#[test]
fn only_the_host_skips_the_opening_and_then_both_are_out() {
    let (mut table, port) = Table::with_host("Alex", 1);
    table.join("Blair", port);
    table.until("both are in the opening", |table| {
        (0..2).all(|player| table.screen(player).phase == Phase::Scene)
    });
    table.players[1].taps = Some(Button::Start);
    table.until("the member is told", |table| {
        table.screen(1).message.as_deref() == Some("Only the host can skip")
    });
    table.ticks(10);
    for player in 0..2 {
        assert_eq!(table.screen(player).phase, Phase::Scene, "it plays on");
    }
    table.players[0].taps = Some(Button::Start);
    table.ticks(1);
    let mut ticks = 0;
    table.until("both are out", |table| {
        ticks += 1;
        (0..2).all(|player| table.has_control(player))
    });
    assert!(ticks < LONG, "it was skipped, not played: {ticks} ticks");
    table.end();
}

/// B5.6, B5.8
#[test]
fn a_person_the_host_speaks_to_speaks_to_everyone_also_to_one_that_pauses_until_later() {
    let mut table = three();
    table.players[2].taps = Some(Button::Start);
    table.until("a member pauses", |table| table.screen(2).phase == Phase::Paused);
    table.players[0].game.change(|game| game.used(Used::Person(1)));
    table.until("the other member's plays it too", |table| {
        table.players[1].game.look(StandIn::scene).and_then(|scene| scene.number) == Some(1)
    });
    table.until("the host is out of it and waits", |table| {
        table.screen(0).phase == Phase::Playing && table.screen(0).held.is_some()
    });
    table.players[2].taps = Some(Button::Start);
    table.until("the one that paused plays it then", |table| {
        table.players[2].game.look(StandIn::scene).and_then(|scene| scene.number) == Some(1)
    });
    let mut seen = 0;
    table.until("everyone is out", |table| {
        seen += u32::from(table.screen(2).phase == Phase::Scene);
        (0..3).all(|player| table.has_control(player))
    });
    assert!(seen > LONG, "it saw all of it: {seen} ticks");
    table.end();
}

/// B5.10
#[test]
fn menus_dialogs_and_vendors_do_not_stop_a_partys_world() {
    let (mut table, port) = Table::with_host("Alex", 1);
    table.join("Blair", port);
    table.until_all_play();
    table.ticks(5);
    for player in 0..2 {
        for phase in [Phase::Paused, Phase::Dialog, Phase::Vendor] {
            go_to(&mut table, player, phase);
            let before = steps(&table, player);
            table.ticks(30);
            assert_eq!(table.screen(player).phase, phase);
            assert_eq!(steps(&table, player) - before, 30, "{player} {phase}");
            table.players[player].taps = Some(Button::Triangle);
            table.until("it plays on", |table| table.screen(player).phase == Phase::Playing);
        }
    }
    table.end();
}

/// B5.10
#[test]
fn menus_dialogs_and_vendors_stop_the_world_of_one_who_plays_alone() {
    let mut table = Table::new();
    table.sit("Alex", Errand::Choose("New Game".to_owned()));
    table.until_all_play();
    for phase in [Phase::Paused, Phase::Dialog, Phase::Vendor] {
        go_to(&mut table, 0, phase);
        let before = steps(&table, 0);
        table.ticks(30);
        assert_eq!((table.screen(0).phase, steps(&table, 0)), (phase, before));
        table.players[0].taps = Some(Button::Triangle);
        table.until("it plays on", |table| table.screen(0).phase == Phase::Playing);
    }
    table.end();
}

fn go_to(table: &mut Table, player: usize, phase: Phase) {
    match phase {
        Phase::Paused => table.players[player].taps = Some(Button::Start),
        Phase::Vendor => table.players[player].game.change(|game| game.used(Used::Vendor)),
        _ => table.players[player].game.change(|game| game.used(Used::HelpDesk)),
    }
    table.until("it is there", |table| table.screen(player).phase == phase);
}

/// B5.1
#[test]
fn a_bomb_that_one_throws_flies_in_the_others_game() {
    let (mut table, port) = Table::with_host("Alex", 1);
    table.join("Blair", port);
    table.until_all_play();
    for (who, other, name) in [(0, 1, "Alex"), (1, 0, "Blair")] {
        table.until("it is seen", |table| table.figure(other, name).is_some());
        let shots = |game: &StandIn| game.figures().shots().count();
        let mut held = 0;
        table.until("its bomb flies", |table| {
            // A press every other tick, until he is free to throw.
            held += 1;
            table.players[who].taps = (held % 2 == 0).then_some(Button::Circle);
            table.players[other].game.look(shots) > 0
        });
    }
    table.end();
}
