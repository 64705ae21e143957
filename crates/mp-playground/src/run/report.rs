//! The figures of a run: what `--report` writes, and what a run must reach.

use std::fs;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

/// A figure must show its player for more than this share of the time.
const SHOWN: f64 = 0.8;
/// And be nearer to it than this, in units, in 95 of 100 ticks.
const ERROR_UNITS: f64 = 1.0;

/// How values are spread.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Spread {
    pub p50: f64,
    pub p95: f64,
    pub p99: f64,
    pub max: f64,
}

impl Spread {
    /// Of these values; `None` of none.
    pub(crate) fn of(mut values: Vec<f64>) -> Option<Self> {
        values.sort_by(f64::total_cmp);
        let last = values.len().checked_sub(1)?;
        let at = |percent: usize| values[last * percent / 100];
        Some(Self { p50: at(50), p95: at(95), p99: at(99), max: values[last] })
    }
}

/// How one other player was shown.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct FigureReport {
    pub name: String,
    /// Of the ticks both were in the level, from 0 to 1.
    pub shown_share: f64,
    pub error_units: Option<Spread>,
    pub lag_ms: Option<Spread>,
}

/// One game.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct PlayerReport {
    pub name: String,
    /// `host`, `member` or `solo`.
    pub role: String,
    /// -1: none.
    pub level: i32,
    /// As its pause menu's Multiplayer page says.
    pub round_trip_ms: Option<u32>,
    /// As that page says.
    pub udp: Option<bool>,
    /// Ticks in the level.
    pub ticks: usize,
    /// CPU time of the game's thread in the mod, a tick in the level.
    pub mod_tick_us: Option<Spread>,
    pub figures: Vec<FigureReport>,
    /// At the end: the phase, and what the page that showed said.
    pub phase: String,
    pub page: String,
    pub footer: Vec<String>,
    /// What the mod did that it must not.
    pub faults: Vec<String>,
}

/// A whole run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Report {
    pub seconds: u32,
    pub seed: u64,
    pub ok: bool,
    /// What went wrong, in words.
    pub broken: Vec<String>,
    pub players: Vec<PlayerReport>,
}

impl Report {
    /// The report of these players, judged: everyone is to see everyone.
    pub(crate) fn judged(seconds: u32, seed: u64, players: Vec<PlayerReport>) -> Self {
        let mut broken: Vec<String> = players.iter().flat_map(broken_by).collect();
        for player in &players {
            for other in players.iter().filter(|other| other.name != player.name) {
                if !player.figures.iter().any(|figure| figure.name == other.name) {
                    broken.push(format!("{} and {} were never together", player.name, other.name));
                }
            }
        }
        Self { seconds, seed, ok: broken.is_empty(), broken, players }
    }

    /// The report of one player, who cannot know where the others truly were: only the mod's faults
    /// count.
    pub(crate) fn of_one(seconds: u32, seed: u64, player: PlayerReport) -> Self {
        let broken = faults_of(&player);
        Self { seconds, seed, ok: broken.is_empty(), broken, players: vec![player] }
    }

    pub(crate) fn save(&self, file: &Path) -> io::Result<()> {
        fs::write(file, serde_json::to_string_pretty(self)?)
    }

    pub(crate) fn read(file: &Path) -> io::Result<Self> {
        Ok(serde_json::from_slice(&fs::read(file)?)?)
    }
}

fn broken_by(player: &PlayerReport) -> Vec<String> {
    let mut broken = Vec::new();
    for figure in &player.figures {
        let (watcher, other, share) = (&player.name, &figure.name, figure.shown_share);
        if share <= SHOWN {
            broken.push(format!("{watcher} saw {other} only {:.0} % of the time", share * 100.0));
        }
        if let Some(error) = figure.error_units.filter(|error| error.p95 >= ERROR_UNITS) {
            let p95 = error.p95;
            broken.push(format!("{other} in the game of {watcher} was {p95:.2} units off (p95)"));
        }
    }
    broken.extend(faults_of(player));
    broken
}

fn faults_of(player: &PlayerReport) -> Vec<String> {
    player.faults.iter().map(|fault| format!("{}: {fault}", player.name)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn player(name: &str, other: &str, share: f64, error: f64) -> PlayerReport {
        let figure = FigureReport {
            name: other.to_owned(),
            shown_share: share,
            error_units: Spread::of(vec![error; 10]),
            lag_ms: Spread::of(vec![100.0]),
        };
        PlayerReport {
            name: name.to_owned(),
            role: "host".to_owned(),
            level: 0,
            round_trip_ms: Some(1),
            udp: Some(true),
            ticks: 600,
            mod_tick_us: None,
            figures: vec![figure],
            phase: "PLAYING".to_owned(),
            page: String::new(),
            footer: Vec::new(),
            faults: Vec::new(),
        }
    }

    #[test]
    fn a_run_is_good_when_both_saw_the_other_well() {
        let players = vec![player("A", "B", 0.99, 0.2), player("B", "A", 0.81, 0.99)];
        let report = Report::judged(10, 1, players);
        assert!(report.ok, "{:?}", report.broken);
    }

    #[test]
    fn each_failure_is_named() {
        let mut bad = player("A", "B", 0.8, 1.0);
        bad.faults.push("figure_pose: not finite (3 times)".to_owned());
        let mut blind = player("B", "A", 1.0, 0.0);
        blind.figures.clear();
        let report = Report::judged(10, 1, vec![bad, blind]);
        let expected = [
            "A saw B only 80 % of the time",
            "B in the game of A was 1.00 units off (p95)",
            "A: figure_pose: not finite (3 times)",
            "B and A were never together",
        ];
        assert_eq!(report.broken, expected);
        assert!(!report.ok);
    }

    #[test]
    fn a_spread_is_of_the_values_themselves() {
        let spread = Spread::of((0..=100).map(f64::from).collect()).expect("values");
        assert_eq!(spread, Spread { p50: 50.0, p95: 95.0, p99: 99.0, max: 100.0 });
        assert_eq!(Spread::of(Vec::new()), None);
    }
}
