//! What a run must reach: its figures are held to what a player would put up with, and what was broken
//! on the way is put with them.

use super::report::{Course, PlayerReport, Report, Unchecked};
use crate::invariants::{Broken, Invariant};

/// A figure must show its player for more than this share of the time.
const SHOWN: f64 = 0.8;
/// And be nearer to it than this, in units, in 95 of 100 ticks.
const ERROR_UNITS: f64 = 1.0;
/// And stand still while its player moves less often than this, a second.
const STALLS_PER_S: f64 = 0.25;

/// What takes all games of a tick side by side to be seen.
pub(crate) const TICK_BY_TICK: [Invariant; 5] = [
    Invariant::NoFigureLeft,
    Invariant::BoltsOnce,
    Invariant::DeadEverywhere,
    Invariant::ProgressEqual,
    Invariant::ControlAfterScene,
];

impl Report {
    /// The report of these players, judged: everyone is to see everyone, and nothing is to be broken.
    /// `unseen` are the invariants that nobody looked at.
    pub(crate) fn judged(
        course: Course,
        players: Vec<PlayerReport>,
        mut broken: Vec<Broken>,
        unseen: Vec<Unchecked>,
    ) -> Self {
        broken.extend(players.iter().flat_map(broken_by));
        add_faults(&mut broken, &players);
        broken.extend(elsewhere_at_the_end(&players));
        for player in &players {
            for other in players.iter().filter(|other| other.name != player.name) {
                if !player.figures.iter().any(|figure| figure.name == other.name) {
                    let what = format!("{} and {} were never together", player.name, other.name);
                    broken.push(over_all(Invariant::FigureShown, what));
                }
            }
        }
        Self::of(course, players, broken, unseen)
    }

    /// The report of one player, who cannot know where the others truly were.
    pub(crate) fn of_one(course: Course, player: PlayerReport, broken: Vec<Broken>) -> Self {
        let why = "one game alone does not show it".to_owned();
        let alone = [
            Invariant::FigureShown,
            Invariant::FigureError,
            Invariant::FigureFlow,
            Invariant::LevelFollows,
        ];
        let alone = alone.into_iter().chain(TICK_BY_TICK);
        let unseen = alone.map(|invariant| Unchecked { invariant, why: why.clone() }).collect();
        let (mut broken, players) = (broken, vec![player]);
        add_faults(&mut broken, &players);
        Self::of(course, players, broken, unseen)
    }
}

fn over_all(invariant: Invariant, what: String) -> Broken {
    Broken { invariant, at_s: None, what }
}

/// One that was thrown out of the party, or did not come back to it, is not where its host is.
fn elsewhere_at_the_end(players: &[PlayerReport]) -> Vec<Broken> {
    let Some((host, members)) = players.split_first() else { return Vec::new() };
    let elsewhere = members.iter().filter(|member| member.level != host.level);
    let told = |member: &PlayerReport| {
        let (name, level, phase) = (&member.name, member.level, &member.phase);
        let what = format!("{name} ended in level {level} ({phase}), its host in {}", host.level);
        over_all(Invariant::LevelFollows, what)
    };
    elsewhere.map(told).collect()
}

fn broken_by(player: &PlayerReport) -> Vec<Broken> {
    let mut broken = Vec::new();
    for figure in &player.figures {
        let (watcher, other, share) = (&player.name, &figure.name, figure.shown_share);
        if share <= SHOWN {
            let what = format!("{watcher} saw {other} only {:.0} % of the time", share * 100.0);
            broken.push(over_all(Invariant::FigureShown, what));
        }
        if let Some(error) = figure.error_units.filter(|error| error.p95 >= ERROR_UNITS) {
            let what =
                format!("{other} in the game of {watcher} was {:.2} units off (p95)", error.p95);
            broken.push(over_all(Invariant::FigureError, what));
        }
        let (stalls, seconds) =
            (as_float(figure.stalls), as_float(player.ticks) / f64::from(player.tick_rate));
        if stalls > STALLS_PER_S * seconds {
            let what = format!(
                "{other} in the game of {watcher} stalled {stalls} times in {seconds:.0} s"
            );
            broken.push(over_all(Invariant::FigureFlow, what));
        }
    }
    broken
}

fn as_float(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}

/// What the mods did that they must not, but for what was noticed while they did it.
fn add_faults(broken: &mut Vec<Broken>, players: &[PlayerReport]) {
    for player in players {
        for fault in &player.faults {
            let what = format!("{}: {fault}", player.name);
            let told = |known: &Broken| {
                known.invariant == Invariant::InterfaceRules && what.starts_with(&known.what)
            };
            if !broken.iter().any(told) {
                broken.push(over_all(Invariant::InterfaceRules, what));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::report::Spread;
    use super::*;

    const COURSE: Course = Course { seconds: 10, seed: 1, conditions: None };

    fn player(name: &str, other: &str, share: f64, error: f64) -> PlayerReport {
        let mut player = PlayerReport::example(name, other);
        player.figures[0].shown_share = share;
        player.figures[0].error_units = Spread::of(vec![error; 10]);
        player
    }

    #[test]
    fn a_run_is_good_when_both_saw_the_other_well() {
        let players = vec![player("A", "B", 0.99, 0.2), player("B", "A", 0.81, 0.99)];
        let report = Report::judged(COURSE, players, Vec::new(), Vec::new());
        assert!(report.ok, "{:?}", report.broken);
    }

    #[test]
    fn each_failure_is_named() {
        let mut bad = player("A", "B", 0.8, 1.0);
        bad.faults.push("figure_pose: not finite (3 times)".to_owned());
        bad.faults.push("frame: from another thread (9 times)".to_owned());
        bad.figures[0].stalls = 3;
        let mut blind = player("B", "A", 1.0, 0.0);
        blind.figures.clear();
        blind.level = -1;
        let seen =
            over_all(Invariant::CardKept, "B: save0.bin is not as the game has it".to_owned());
        let noticed =
            over_all(Invariant::InterfaceRules, "A: frame: from another thread".to_owned());
        let report = Report::judged(COURSE, vec![bad, blind], vec![seen, noticed], Vec::new());
        let broken: Vec<String> = report.broken.iter().map(ToString::to_string).collect();
        let expected = [
            "card-kept: B: save0.bin is not as the game has it",
            "interface-rules: A: frame: from another thread",
            "figure-shown: A saw B only 80 % of the time",
            "figure-error: B in the game of A was 1.00 units off (p95)",
            "figure-flow: B in the game of A stalled 3 times in 10 s",
            "interface-rules: A: figure_pose: not finite (3 times)",
            "level-follows: B ended in level -1 (PLAYING), its host in 0",
            "figure-shown: B and A were never together",
        ];
        assert_eq!(broken, expected);
        assert!(!report.ok);
    }
}
