//! What the mod costs the game's thread: the CPU time that thread spends in it a tick, in four stand-in
//! games of one party in one level, through the built library. CPU time, so that a busy machine does not
//! count; the limit is 1 % of a 60 Hz tick for the 99th percentile (B3.1).
//!
//! `cargo bench --bench mod_tick`, with `-- --short` for five seconds instead of thirty.
#![allow(clippy::disallowed_types, clippy::disallowed_methods, reason = "games in real time")]

#[path = "../tests/common/library.rs"]
mod library;
#[path = "../tests/common/table.rs"]
mod table;

use std::process::ExitCode;
use std::time::Duration;

use table::Table;

/// A full party.
const NAMES: [&str; 4] = ["Alex", "Blair", "Casey", "Drew"];
/// A tick of a 60 Hz game, in microseconds.
const TICK_MICROS: f64 = 16_666.7;
/// The share of it that the mod may take.
const SHARE_MAX: f64 = 0.01;

fn main() -> ExitCode {
    let short = std::env::args().any(|argument| argument == "--short");
    let ticks = if short { 300 } else { 1_800 };
    let (mut table, port) = Table::with_host(NAMES[0], NAMES.len() - 1);
    NAMES[1..].iter().for_each(|name| table.join(name, port));
    table.until_all_play();
    table.until("everyone sees everyone", |table| {
        let others = |seat: usize| NAMES.iter().filter(move |name| **name != NAMES[seat]);
        (0..NAMES.len()).all(|seat| others(seat).all(|name| table.figure(seat, name).is_some()))
    });
    let mut spent = vec![Vec::with_capacity(ticks); table.players.len()];
    for _ in 0..ticks {
        for (times, time) in spent.iter_mut().zip(table.tick()) {
            times.push(time);
        }
    }
    println!("CPU time in the mod a tick, {ticks} ticks, four players (a tick: {TICK_MICROS} us)");
    println!("player      p50 us    p99 us    max us    p99 of a tick");
    let mut passed = true;
    for (player, times) in table.players.iter().zip(&mut spent) {
        times.sort_unstable();
        let (p50, p99, max) = (at(times, 50), at(times, 99), at(times, 100));
        let share = p99 / TICK_MICROS;
        passed &= share < SHARE_MAX;
        println!(
            "{:<10} {p50:>7.1}   {p99:>7.1}   {max:>7.1}    {:.2} %",
            player.name,
            share * 100.0
        );
    }
    table.end();
    if passed {
        println!("passed: under {} % of a tick", SHARE_MAX * 100.0);
        return ExitCode::SUCCESS;
    }
    println!("failed: the 99th percentile is to stay under {} % of a tick", SHARE_MAX * 100.0);
    ExitCode::FAILURE
}

/// A percentile of sorted times, in microseconds.
fn at(times: &[Duration], percent: usize) -> f64 {
    times[(times.len() - 1) * percent / 100].as_secs_f64() * 1e6
}
