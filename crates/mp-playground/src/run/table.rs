//! The table at the end of a run.

use std::fmt::Write as _;

use super::report::{FigureReport, PlayerReport, Report, Spread};

const COLUMNS: [(&str, usize); 12] = [
    ("player", 10),
    ("role", 8),
    ("round trip", 12),
    ("by", 5),
    ("sees", 10),
    ("shown", 9),
    ("error p50", 11),
    ("p95", 8),
    ("lag", 9),
    ("mod tick p50", 14),
    ("p99", 9),
    ("max", 0),
];

/// A line a player and other it sees; errors in units, times as they say.
pub(super) fn table(report: &Report) -> String {
    let mut table = line(&COLUMNS.map(|(head, _)| head.to_owned()));
    for player in &report.players {
        if player.figures.is_empty() {
            table += &line(&cells(player, None));
        }
        for figure in &player.figures {
            table += &line(&cells(player, Some(figure)));
        }
    }
    table
}

fn cells(player: &PlayerReport, figure: Option<&FigureReport>) -> [String; 12] {
    let or_dash = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
    let error = figure.and_then(|figure| figure.error_units);
    let units = |of: fn(&Spread) -> f64| or_dash(error.map(|error| format!("{:.3}", of(&error))));
    let us = |of: fn(&Spread) -> f64| {
        or_dash(player.mod_tick_us.map(|spread| format!("{:.0} us", of(&spread))))
    };
    let lag = figure.and_then(|figure| figure.lag_ms);
    [
        player.name.clone(),
        player.role.clone(),
        or_dash(player.round_trip_ms.map(|ms| format!("{ms} ms"))),
        or_dash(player.udp.map(|udp| if udp { "UDP" } else { "TCP" }.to_owned())),
        or_dash(figure.map(|figure| figure.name.clone())),
        or_dash(figure.map(|figure| format!("{:.1} %", figure.shown_share * 100.0))),
        units(|error| error.p50),
        units(|error| error.p95),
        or_dash(lag.map(|lag| format!("{:.0} ms", lag.p50))),
        us(|tick| tick.p50),
        us(|tick| tick.p99),
        us(|tick| tick.max),
    ]
}

fn line(cells: &[String; 12]) -> String {
    let mut line = String::new();
    for (cell, (_, width)) in cells.iter().zip(COLUMNS) {
        write!(line, "{cell:<width$}").expect("a String takes any text");
    }
    line.trim_end().to_owned() + "\n"
}
