//! How long it takes from the host's Start until everyone plays, over links of 60 ms one way: games, mod,
//! links and router in one thread, so that only what travels takes time. And what follows the host in each
//! level (`levels`).

mod levels;
mod table;

use std::time::Duration;

use mp_lab::{NAMES, Place};
use mp_playground::game::StandIn;
use table::{LEVEL, Table, row};

/// B4.2: a save is with three members in under 3 s, over links of 60 ms and 2 % loss. Loss shows to those
/// above TCP as time only: the jitter stands for the three round trips of a slow start and for a segment
/// that is sent again after its time-out, twice in a row.
#[test]
fn a_save_is_with_three_members_in_under_3_s_over_bad_links() {
    for seed in 1..=12 {
        for place in [Place::Relay, Place::Direct] {
            let mut table =
                Table::new(NAMES.len(), LEVEL, place, "latency=60,jitter=900,loss=2", seed);
            table.meet(place, &row(LEVEL));
            let times = table.start();
            let slowest = times.iter().map(|(left, _)| *left).max().expect("four");
            assert!(slowest < Duration::from_secs(3), "seed {seed}, {place:?}: {times:?}");
            for (number, (game, _)) in table.games.iter().enumerate() {
                assert_eq!(game.look(StandIn::level), Some(LEVEL.into()), "{}", NAMES[number]);
            }
        }
    }
}

/// B4.2: from Start to control there is the load, which the host has too, and two round trips at most.
#[test]
fn everyone_has_control_two_round_trips_after_the_host_at_most() {
    for place in [Place::Relay, Place::Direct] {
        // To the relay and on to the member, or straight to it, and back.
        let round_trip = Duration::from_millis(if place == Place::Relay { 240 } else { 120 });
        for save in [row(LEVEL), "New game".to_owned()] {
            let mut table = Table::new(NAMES.len(), LEVEL, place, "latency=60", 1);
            table.meet(place, &save);
            let times = table.start();
            let host = times[0].1;
            for (_, control) in &times[1..] {
                let after = control.saturating_sub(host);
                assert!(after <= 2 * round_trip, "{place:?}, {save}: {times:?}");
            }
        }
    }
}
