//! A party over the relay: the built library in stand-in games, a real relay between them.
#![allow(
    clippy::disallowed_types,
    clippy::disallowed_methods,
    reason = "end to end: real sockets, processes and time"
)]

#[path = "common/library.rs"]
mod library;
#[path = "common/relay.rs"]
mod relay;
#[path = "common/table.rs"]
mod table;

use mp_playground::bots::Errand;
use mp_playground::game::Phase;
use relay::relay;
use table::Table;

/// Alex creates a match, Blair finds it among the games and joins, both play.
fn party(server: &str) -> Table {
    let mut table = Table::new();
    for name in ["Alex", "Blair"] {
        table.sit_with(name, Errand::None, 0, server);
    }
    for player in 0..2 {
        table.choose(player, "Multiplayer");
        table.until("the server says hello", |table| {
            let screen = table.screen(player);
            screen.row("Create match").is_some_and(|(_, row)| !row.dim)
        });
    }
    table.choose(0, "Create match");
    table.choose(0, "New game");
    table.until("the lobby shows the code", |table| table.screen(0).title().starts_with("Party "));
    table.choose(1, "Browse games");
    table.until("Alex's game is listed", |table| table.screen(1).row("Alex").is_some());
    table.choose(1, "Alex");
    table.until("the lobby opens", |table| table.screen(1).title().starts_with("Party "));
    table.choose(1, "Ready");
    table.until("Start can be chosen", |table| {
        table.screen(0).row("Start").is_some_and(|(_, row)| !row.dim)
    });
    table.choose(0, "Start");
    table.until_all_play();
    table
}

/// B2.2, B2.3, B4.2, B5.1
#[test]
fn a_match_is_created_found_joined_and_played_over_the_relay() {
    let (relay, server) = relay();
    let mut table = party(&server);
    table.until("each sees the other", |table| {
        table.figure(0, "Blair").is_some() && table.figure(1, "Alex").is_some()
    });
    table.end();
    assert!(relay.stop());
}

/// B2.9, B5.9
#[test]
fn a_relay_that_stops_takes_everyone_to_the_title_which_says_so() {
    let (relay, server) = relay();
    let mut table = party(&server);
    assert!(relay.stop());
    table.until("everyone is told", |table| {
        (0..2).all(|player| {
            let screen = table.screen(player);
            screen.phase == Phase::TitlePage && screen.to_string().contains("The server went away")
        })
    });
    table.end();
}
