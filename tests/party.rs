//! One direct party in one process: the built library in stand-in games, over real sockets.
#![allow(
    clippy::disallowed_types,
    clippy::disallowed_methods,
    reason = "end to end: real sockets, processes and time"
)]

#[path = "common/library.rs"]
mod library;
#[path = "common/table.rs"]
mod table;

use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::time::{Duration, Instant};

use mp_playground::bots::Errand;
use mp_playground::game::Phase;
use table::Table;

/// How far behind a figure may be at most, in ticks: 250 ms and what a loaded machine adds.
const BEHIND_TICKS: usize = 40;
/// How near to where its player was, in units.
const NEAR: f32 = 1.0;

/// B5.1, B5.3
#[test]
fn two_games_show_each_others_hero_where_it_was_a_moment_ago() {
    let (mut table, port) = Table::with_host("Alex", 1);
    table.join("Blair", port);
    table.until_all_play();
    table.until("each sees the other", |table| {
        table.figure(0, "Blair").is_some() && table.figure(1, "Alex").is_some()
    });
    let mut places = [Vec::new(), Vec::new()];
    let mut near = 0;
    let ticks = 180;
    for tick in 0..ticks + BEHIND_TICKS {
        table.tick();
        for (player, places) in places.iter_mut().enumerate() {
            places.push(table.place(player));
        }
        if tick < BEHIND_TICKS {
            continue;
        }
        let seen = [(0, "Alex", 1), (1, "Blair", 0)];
        near += seen
            .into_iter()
            .filter(|&(player, name, by)| {
                let Some(figure) = table.figure(by, name) else { return false };
                let lately = places[player].iter().rev().take(BEHIND_TICKS);
                lately.into_iter().any(|place| (*place - figure).length() < NEAR)
            })
            .count();
    }
    let moved = places.iter().all(|of| of.iter().any(|at| (*at - of[0]).length() > 5.0));
    assert!(moved, "the bots walked");
    assert!(near * 10 > ticks * 2 * 9, "near in {near} of {}", ticks * 2);
    table.end();
}

/// B5.9
#[test]
fn a_member_that_leaves_is_gone_and_said_and_the_party_plays_on() {
    let (mut table, port) = Table::with_host("Alex", 1);
    table.join("Blair", port);
    table.until_all_play();
    table.until("the host sees the member", |table| table.figure(0, "Blair").is_some());
    let member = table.players.remove(1);
    assert!(member.game.unload().is_empty());
    table.until("the figure goes", |table| table.figure(0, "Blair").is_none());
    table.until("the host is told", |table| table.screen(0).to_string().contains("Blair left"));
    assert_eq!(table.screen(0).phase, Phase::Playing);
    table.end();
}

/// B5.9
#[test]
fn the_hosts_end_takes_the_member_to_the_title_which_says_why() {
    let (mut table, port) = Table::with_host("Alex", 1);
    table.join("Blair", port);
    table.until_all_play();
    let host = table.players.remove(0);
    assert!(host.game.unload().is_empty());
    table.until("the member is told", |table| {
        let screen = table.screen(0);
        screen.phase == Phase::TitlePage
            && screen.to_string().contains("The host left: the party is over")
    });
    table.end();
}

/// protocol.md 1
#[test]
fn a_malformed_frame_closes_that_connection_and_no_other() {
    let (mut table, port) = Table::with_host("Alex", 1);
    table.join("Blair", port);
    table.until_all_play();
    table.until("the host sees the member", |table| table.figure(0, "Blair").is_some());
    for bad in
        [&[0, 0, 0, 0][..], &[0, 1, 0, 1, 0], &[0, 0, 0, 1, 9], &[0, 0, 0, 2, 0, 7], b"GET / "]
    {
        let mut stranger = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).expect("listens");
        stranger.set_read_timeout(Some(Duration::from_millis(1))).expect("a time-out");
        stranger.write_all(bad).expect("is read");
        table.until("the stranger is closed", |_| {
            matches!(stranger.read(&mut [0; 64]), Ok(0))
                || matches!(stranger.read(&mut [0; 64]), Err(e) if e.kind() == std::io::ErrorKind::ConnectionReset)
        });
    }
    table.ticks(60);
    assert!(table.figure(0, "Blair").is_some() && table.figure(1, "Alex").is_some());
    table.end();
}

/// B2.6
#[test]
fn a_taken_port_is_said_on_the_page() {
    let taken = TcpListener::bind((Ipv4Addr::UNSPECIFIED, 0)).expect("a free port");
    let port = taken.local_addr().expect("bound").port();
    let mut table = Table::new();
    table.sit_with("Alex", Errand::Host { ready: 0 }, port, table::NO_SERVER);
    let words = format!("Port {port} is in use");
    table.until("the page says so", |table| table.screen(0).to_string().contains(&words));
    table.end();
}

/// B2.6, B3.5
#[test]
fn a_host_that_is_not_there_is_said_tried_again_and_given_up_at_once() {
    let free = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
    let address = match free.local_addr().expect("bound") {
        std::net::SocketAddr::V4(address) => address,
        std::net::SocketAddr::V6(_) => unreachable!("bound to an IPv4 address"),
    };
    drop(free);
    let mut table = Table::new();
    table.sit("Blair", Errand::Join { address });
    let words = format!("Nobody hosts at {address}: trying again in");
    table.until("the footer says so", |table| table.screen(0).to_string().contains(&words));
    table.until("it tries again", |table| {
        table.screen(0).to_string().contains(&format!("Connecting to {address}"))
            || table.screen(0).to_string().contains(&words)
    });
    let begin = Instant::now();
    table.end();
    assert!(begin.elapsed() < Duration::from_millis(500), "ends at once: {:?}", begin.elapsed());
}

/// B4.4
#[test]
fn one_who_joins_while_the_game_is_on_comes_into_the_hosts_level() {
    let (mut table, port) = Table::with_host("Alex", 0);
    table.until_all_play();
    table.join("Blair", port);
    table.until_all_play();
    table.until("each sees the other", |table| {
        table.figure(0, "Blair").is_some() && table.figure(1, "Alex").is_some()
    });
    table.end();
}
