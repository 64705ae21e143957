//! What the mod costs the game's thread in real time: the CPU time that thread spends in it a tick, in four
//! stand-in games of one party, through the built library; in a small level, and in the one of 300 mobys, for
//! the host with three members and for each member.
//!
//! The limit of 1 % of a 60 Hz tick (B3.1) is judged by `cargo bench -p mp-lab --bench tick`, which can tell a
//! heavy tick from one that the machine made long. Here every tick is one after 16 ms of something else, with
//! caches as those left them, and pays for the waking of another thread. So a loop that asks the system for
//! nothing is timed beside it: where its 99th percentile is far over its median, so is everyone's.
//!
//! Told too: the bytes a second that reach each member, and how far the mobys that move are, in its game, from
//! where the host's were.
//!
//! `cargo bench --bench mod_tick`, with `-- --short` for five seconds a level instead of thirty.
#![allow(clippy::disallowed_types, clippy::disallowed_methods, reason = "games in real time")]

#[path = "../../tests/common/library.rs"]
mod library;
mod machine;
mod sight;
#[path = "../../tests/common/table.rs"]
mod table;

use std::net::{Ipv4Addr, SocketAddr};
use std::time::{Duration, Instant};

use machine::Machine;
use mp_playground::game::StandIn;
use mp_playground::proxy::{Plan, Proxy};
use mp_playground::sim::Level;
use sight::Sight;
use table::Table;

/// A full party.
const NAMES: [&str; 4] = ["Alex", "Blair", "Casey", "Drew"];
/// The level of a new game, and the one of 300 mobys.
const LEVELS: [i32; 2] = [0, 3];
/// A tick of a 60 Hz game, in microseconds.
const TICK_MICROS: f64 = 16_666.7;
/// How long the loop beside them is.
const LOOP: Duration = Duration::from_micros(40);

fn main() {
    let short = std::env::args().any(|argument| argument == "--short");
    let ticks = if short { 300 } else { 1_800 };
    let (mut table, port) = Table::with_host(NAMES[0], NAMES.len() - 1);
    let server = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let link = |name: &&'static str| {
        let link = Proxy::start(server, Plan::default()).expect("loopback has a free port");
        table.join(name, link.address().port());
        link
    };
    let links: Vec<Proxy> = NAMES[1..].iter().map(link).collect();
    table.until_all_play();
    for level in LEVELS {
        if table.level(0) != Some(level) {
            table.fly(0, level);
        }
        everyone_plays_in(level, &mut table);
        measure(level, &mut table, &links, ticks);
    }
    table.end();
}

/// Until all of them are there, have control and see each other.
fn everyone_plays_in(level: i32, table: &mut Table) {
    table.until("everyone plays there and sees everyone", |table| {
        let others = |seat: usize| NAMES.iter().filter(move |name| **name != NAMES[seat]);
        (0..NAMES.len()).all(|seat| {
            table.level(seat) == Some(level)
                && table.has_control(seat)
                && others(seat).all(|name| table.figure(seat, name).is_some())
        })
    });
}

/// Plays for so many ticks, and says what that cost.
fn measure(level: i32, table: &mut Table, links: &[Proxy], ticks: usize) {
    let mut spent = vec![Vec::with_capacity(ticks); table.players.len()];
    let mut sights = vec![Sight::default(); table.players.len()];
    let bytes = || links.iter().map(|link| link.traffic().bytes_down).collect::<Vec<_>>();
    let (before, begin) = (bytes(), Instant::now());
    let mut machine = Machine::new(LOOP);
    for _ in 0..ticks {
        table.wait();
        machine.look();
        for (times, time) in spent.iter_mut().zip(table.tick_now()) {
            times.push(time);
        }
        for (seat, sight) in sights.iter_mut().enumerate() {
            table.players[seat].game.look(|game| sight.look(game, seat == 0));
        }
    }
    let (after, seconds) = (bytes(), begin.elapsed().as_secs_f64());
    let mobys = table.players[0].game.look(|game| game.mobys().count());
    let name = Level::name_of(level).expect("there is such a level");
    println!("{name}, {mobys} mobys, {ticks} ticks, four players (a tick: {TICK_MICROS} us)");
    println!("player      CPU time in the mod a tick, us     p99 of a tick");
    println!("               p50       p99       max");
    for (player, times) in table.players.iter().zip(&mut spent) {
        say(player.name, times);
    }
    say("(a loop)", &mut machine.take());
    println!("player      bytes/s to it   driven   moving   error, units: p50     p95   lag, ms");
    for (seat, player) in table.players.iter().enumerate().skip(1) {
        #[allow(clippy::cast_precision_loss, reason = "some seconds' bytes")]
        let rate = (after[seat - 1] - before[seat - 1]) as f64 / seconds;
        let driven = player.game.look(driven);
        let error = sights[seat].error(&sights[0]);
        println!("{:<10} {rate:>14.0}   {driven:>6}   {error}", player.name);
    }
    println!();
}

/// A row of times.
fn say(name: &str, times: &mut [Duration]) {
    times.sort_unstable();
    let (p50, p99, max) = (at(times, 50), at(times, 99), at(times, 100));
    let share = p99 / TICK_MICROS * 100.0;
    println!("{name:<10} {p50:>7.1}   {p99:>7.1}   {max:>7.1}     {share:.2} %");
}

/// How many mobys a game shows where another has them.
fn driven(game: &StandIn) -> usize {
    game.mobys().filter(|moby| moby.driven).count()
}

/// A percentile of sorted times, in microseconds.
fn at(times: &[Duration], percent: usize) -> f64 {
    times[(times.len() - 1) * percent / 100].as_secs_f64() * 1e6
}
