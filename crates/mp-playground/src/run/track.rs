//! Where the heroes truly were, where their figures stood in the other games, and how far these lie
//! apart.
//!
//! A figure is shown a while behind on purpose, so it is compared with where its player was when the
//! picture says it was: for each second the one lag, from 0 to 400 ms, that fits that second best, then
//! each tick's distance at that lag. One lag a second keeps it honest: a figure that hurries and dawdles
//! within it is off by what it does so.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::report::{FigureReport, PlayerReport, Spread};
use crate::game::{Figure, Phase, StandIn};
use crate::sim::{MobyId, Vec3};

/// The lags tried, in milliseconds.
const LAGS_MS: std::ops::RangeInclusive<u16> = 0..=400;
const LAG_STEP: usize = 4;
/// The longest of them, in seconds.
pub(super) const LONGEST_LAG: f64 = 0.4;
/// How long one lag must do, in seconds.
pub(super) const WINDOW: f64 = 1.0;
/// Samples further apart than this, in seconds, have an absence between them, not a slow machine.
const APART: f64 = 1.0;
/// A figure that does not move for so many ticks while its player moves at more than this many units a
/// second, as long before as it is behind, has stalled.
const STALL_TICKS: usize = 3;
/// A step shorter than this, in units, is none.
pub(super) const STANDS: f32 = 0.005;
const MOVING: f32 = 1.0;
/// A step longer than this, in units, is a jump (B5.3).
const JUMP: f32 = 8.0;
/// A window in which the player went less far than this, in units, does not tell a lag.
pub(super) const STILL: f32 = 0.5;

/// A place at a time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sample {
    /// Seconds since 1970.
    pub at: f64,
    /// Where, in the game's units.
    pub place: [f32; 3],
}

/// Where one player's figure was shown.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Seen {
    /// The player, whose name another may have too.
    pub name: String,
    /// When and where.
    pub samples: Vec<Sample>,
    /// The newest figure that was this player's: one that goes and comes is made anew.
    #[serde(skip)]
    figure: MobyId,
}

/// What one game saw, tick by tick while its hero was in a level.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Track {
    /// The player.
    pub name: String,
    /// Its own hero.
    pub own: Vec<Sample>,
    /// When it could show the others: in a scene, nobody is (B5.4).
    pub watching: Vec<f64>,
    /// The figures that were shown, in the order they came.
    pub seen: Vec<Seen>,
    /// The enemies killed in this game, by whose figure did it; under the empty name, its own hero.
    pub kills: BTreeMap<String, u32>,
    /// How many bolts the mod took out of this game.
    pub removed: u64,
}

impl Track {
    /// Of that player's game, with nothing written down yet.
    #[must_use]
    pub fn new(name: &str) -> Self {
        Self { name: name.to_owned(), ..Self::default() }
    }

    /// Writes down where the game's hero is at that time, and the figures that it shows. A dead hero is not
    /// to be seen (B5.4): it is away until it comes back.
    pub fn look(&mut self, at: f64, game: &StandIn) {
        let Some(hero) = game.hero_pose().filter(|hero| hero.health > 0) else { return };
        self.own.push(Sample { at, place: hero.position.into() });
        if game.phase() == Phase::Scene {
            return;
        }
        self.watching.push(at);
        self.see(at, &game.figures().iter().collect::<Vec<_>>());
    }

    /// Writes down those of the level's figures that are shown.
    fn see(&mut self, at: f64, figures: &[&Figure]) {
        for figure in figures.iter().filter(|figure| figure.shown) {
            if let Some(pose) = &figure.pose {
                let sample = Sample { at, place: pose.position.into() };
                self.seen_as(figure, figures).samples.push(sample);
            }
        }
    }

    /// The one whose figure it is: whose it was before, else one of that name whose figure is gone, else
    /// one that has just come. So two players of one name stay two.
    fn seen_as(&mut self, figure: &Figure, figures: &[&Figure]) -> &mut Seen {
        let gone = |seen: &Seen| figures.iter().all(|figure| figure.moby != seen.figure);
        let known = self.seen.iter().position(|seen| seen.figure == figure.moby);
        let back = || self.seen.iter().position(|seen| seen.name == figure.name && gone(seen));
        let index = known.or_else(back).unwrap_or_else(|| {
            self.seen.push(Seen { name: figure.name.clone(), ..Seen::default() });
            self.seen.len() - 1
        });
        let seen = &mut self.seen[index];
        seen.figure = figure.moby;
        seen
    }

    /// Where the figure of that player was shown, the first of them if others are called so too.
    fn seen_of(&self, name: &str) -> &[Sample] {
        let seen = self.seen.iter().find(|seen| seen.name == name);
        seen.map(|seen| seen.samples.as_slice()).unwrap_or_default()
    }

    /// Writes down what came about in the game since it started.
    pub fn end(&mut self, game: &StandIn) {
        self.kills.clone_from(game.kills());
        self.removed = game.bolt_account().removed;
    }
}

/// The time in which all of them were in the level, from and to.
fn together(tracks: &[Track]) -> Option<(f64, f64)> {
    let from = tracks.iter().map(|track| track.own.first().map_or(f64::INFINITY, |s| s.at));
    let to = tracks.iter().map(|track| track.own.last().map_or(f64::NEG_INFINITY, |s| s.at));
    let (from, to) = (from.fold(f64::NEG_INFINITY, f64::max), to.fold(f64::INFINITY, f64::min));
    (from < to).then_some((from, to))
}

/// Gives each player the figures of the others, from what the games wrote down in the same order.
pub fn fill_figures(players: &mut [PlayerReport], tracks: &[Track]) {
    let Some(interval) = together(tracks) else { return };
    for (player, watcher) in players.iter_mut().zip(tracks) {
        let others = tracks.iter().filter(|track| track.name != watcher.name);
        player.figures = others.map(|watched| figure(watcher, watched, interval)).collect();
    }
}

/// The figures one game saw, as far as it can tell by itself: how much of its own time in the level.
pub(super) fn seen(watcher: &Track) -> Vec<FigureReport> {
    let figures = watcher.seen.iter().map(|Seen { name, samples, .. }| FigureReport {
        name: name.clone(),
        shown_share: share(samples.len(), watcher.watching.len()),
        error_units: None,
        lag_ms: None,
        stalls: 0,
        teleports: jumps(samples),
    });
    figures.collect()
}

/// How well `watched` was shown in the game of `watcher` between those times.
fn figure(watcher: &Track, watched: &Track, (from, to): (f64, f64)) -> FigureReport {
    // One that was away, and comes back, is not to be seen meanwhile.
    let both = |at| (from..=to).contains(&at) && place_at(&watched.own, at).is_some();
    let ticks = watcher.watching.iter().filter(|&&at| both(at)).count();
    let seen = watcher.seen_of(&watched.name).iter();
    let seen: Vec<Sample> = seen.filter(|sample| both(sample.at)).copied().collect();
    let (mut errors, mut lags, mut stalls) = (Vec::new(), Vec::new(), 0);
    // Where every lag can be tried: one that has just come was nowhere a lag ago.
    let tried = |sample: &&Sample| place_at(&watched.own, sample.at - LONGEST_LAG).is_some();
    let settled: Vec<Sample> = seen.iter().filter(tried).copied().collect();
    let mut rest = settled.as_slice();
    while let Some(first) = rest.first() {
        let count = rest.partition_point(|sample| sample.at < first.at + WINDOW);
        let (window, later) = rest.split_at(count);
        rest = later;
        let Some((lag, distances)) = best_lag(window, &watched.own) else { continue };
        errors.extend(distances);
        stalls += stalls_in(window, &watched.own, lag);
        if way(window) > STILL {
            lags.push(f64::from(lag));
        }
    }
    FigureReport {
        name: watched.name.clone(),
        shown_share: share(seen.len(), ticks),
        error_units: Spread::of(errors.into_iter().map(f64::from).collect()),
        lag_ms: Spread::of(lags),
        stalls,
        teleports: jumps(&seen),
    }
}

/// How the figures of one game are shown in the newest second: the longest lag that fits one, in
/// milliseconds, and the largest mean distance at those lags, in units. `None`: there is none to judge.
pub(super) fn newest<'a>(
    watcher: &Track,
    watched: impl Iterator<Item = &'a Track>,
) -> Option<(u16, f32)> {
    let judged = watched.filter(|watched| watched.name != watcher.name).filter_map(|watched| {
        let seen = watcher.seen_of(&watched.name);
        let (newest, now) = (seen.last()?.at, watcher.own.last()?.at);
        // One that is no longer shown has nothing new to tell.
        if now - newest > APART {
            return None;
        }
        let from = seen.partition_point(|sample| sample.at < newest - WINDOW);
        let window = &seen[from..];
        let (lag, distances) = best_lag(window, &watched.own)?;
        let count = f32::from(u16::try_from(distances.len()).ok()?);
        Some((lag, distances.iter().sum::<f32>() / count))
    });
    judged.reduce(|(lag, error), (other, off)| (lag.max(other), error.max(off)))
}

/// How often the figure stood still while its player moved, `lag` milliseconds before.
fn stalls_in(window: &[Sample], truth: &[Sample], lag: u16) -> usize {
    let back = f64::from(lag) / 1_000.0;
    let runs = window.chunk_by(|a, b| distance(a.place, b.place) < STANDS);
    let stalled = runs.filter(|run| run.len() > STALL_TICKS).filter(|run| {
        let [Some(first), Some(last)] = [run.first(), run.last()] else { return false };
        let [Some(from), Some(to)] = [first, last].map(|end| place_at(truth, end.at - back)) else {
            return false;
        };
        #[allow(clippy::cast_possible_truncation)] // a second at most
        let seconds = (last.at - first.at) as f32;
        distance(from, to) > MOVING * seconds
    });
    stalled.count()
}

/// How far it went, in units.
pub(super) fn way(samples: &[Sample]) -> f32 {
    samples.windows(2).map(|two| distance(two[0].place, two[1].place)).sum()
}

/// How often it jumped.
fn jumps(samples: &[Sample]) -> usize {
    let steps = samples.windows(2).filter(|two| two[1].at - two[0].at < APART);
    steps.filter(|two| distance(two[0].place, two[1].place) > JUMP).count()
}

/// The lag in milliseconds that fits best, and each sample's distance at it. `None`: not every lag can
/// be tried, because the player was not there all the time.
pub(super) fn best_lag(window: &[Sample], truth: &[Sample]) -> Option<(u16, Vec<f32>)> {
    let tried = LAGS_MS.step_by(LAG_STEP).map(|lag| {
        let back = f64::from(lag) / 1_000.0;
        let distances: Option<Vec<f32>> = window
            .iter()
            .map(|sample| Some(distance(sample.place, place_at(truth, sample.at - back)?)))
            .collect();
        Some((lag, distances?))
    });
    let total = |distances: &[f32]| distances.iter().sum::<f32>();
    let tried: Option<Vec<_>> = tried.collect();
    tried?.into_iter().min_by(|(_, a), (_, b)| total(a).total_cmp(&total(b)))
}

/// Where the hero was at that time, between two ticks in a straight line; `None`: it was away.
fn place_at(truth: &[Sample], at: f64) -> Option<[f32; 3]> {
    let after = truth.partition_point(|sample| sample.at < at);
    let (before, after) = (truth.get(after.checked_sub(1)?)?, truth.get(after)?);
    if after.at - before.at > APART {
        return None;
    }
    #[allow(clippy::cast_possible_truncation)] // between 0 and 1
    let share = ((at - before.at) / (after.at - before.at)) as f32;
    Some(Vec3::from(before.place).towards(after.place.into(), share).into())
}

pub(super) fn distance(a: [f32; 3], b: [f32; 3]) -> f32 {
    (Vec3::from(a) - Vec3::from(b)).length()
}

fn share(part: usize, whole: usize) -> f64 {
    let count = |count: usize| f64::from(u32::try_from(count).unwrap_or(u32::MAX));
    if whole == 0 { 0.0 } else { count(part) / count(whole) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::HeroPose;

    /// A player that runs to and fro, and one that sees it `lag` behind, off by `off`.
    fn tracks(lag: f64, off: f32) -> (Track, Track) {
        let at = |tick: u32| 1_700_000_000.0 + f64::from(tick) / 60.0;
        #[allow(clippy::cast_possible_truncation)]
        let place = |at: f64, off: f32| {
            let at = at - 1_700_000_000.0;
            [(8.0 * (at * 1.3).sin()) as f32, (at * 2.1).cos() as f32 + off, 0.0]
        };
        let samples = |lag: f64, off| {
            (0..600).map(|t| Sample { at: at(t), place: place(at(t) - lag, off) }).collect()
        };
        let watched = Track { name: "B".to_owned(), own: samples(0.0, 0.0), ..Track::default() };
        let name = "B".to_owned();
        let seen = vec![Seen { name, samples: samples(lag, off), ..Seen::default() }];
        let watching = (0..600).map(at).collect();
        let watcher = Track {
            name: "A".to_owned(),
            own: samples(0.0, 0.0),
            watching,
            seen,
            ..Track::default()
        };
        (watcher, watched)
    }

    fn report(lag: f64, off: f32) -> FigureReport {
        let (watcher, watched) = tracks(lag, off);
        let interval = together(&[watcher.clone(), watched.clone()]).expect("they overlap");
        figure(&watcher, &watched, interval)
    }

    #[test]
    fn a_figure_that_only_lags_has_no_error_and_its_lag_is_found() {
        let report = report(0.12, 0.0);
        let (error, lag) = (report.error_units.expect("seen"), report.lag_ms.expect("moves"));
        assert!(error.p95 < 0.02, "{error:?}");
        assert!((lag.p50 - 120.0).abs() <= 4.0, "{lag:?}");
        assert!(report.shown_share > 0.99, "{report:?}");
    }

    #[test]
    fn who_plays_a_scene_is_not_to_see_anybody() {
        let (mut watcher, watched) = tracks(0.1, 0.0);
        let in_scene = |at: f64| at - 1_700_000_000.0 < 4.0;
        watcher.watching.retain(|at| !in_scene(*at));
        watcher.seen[0].samples.retain(|sample| !in_scene(sample.at));
        let report = figure(&watcher, &watched, (0.0, f64::INFINITY));
        assert!((report.shown_share - 1.0).abs() < 1e-9, "{report:?}");
    }

    #[test]
    fn a_second_whose_past_is_not_known_whole_is_left_out() {
        let (mut watcher, watched) = tracks(0.12, 0.0);
        watcher.own.drain(..4);
        watcher.seen[0].samples.drain(..4);
        let interval = together(&[watcher.clone(), watched.clone()]).expect("they overlap");
        let error = figure(&watcher, &watched, interval).error_units.expect("seen");
        assert!(error.max < 0.05, "{error:?}");
    }

    #[test]
    fn a_figure_beside_its_player_is_off_by_that_much() {
        let error = report(0.1, 1.5).error_units.expect("seen");
        assert!(error.p50 > 0.9, "{error:?}");
    }

    #[test]
    fn a_figure_later_than_any_lag_tried_is_off() {
        let error = report(0.8, 0.0).error_units.expect("seen");
        assert!(error.p95 > 1.0, "{error:?}");
    }

    #[test]
    fn a_figure_that_stands_while_its_player_runs_has_stalled() {
        let (mut watcher, watched) = tracks(0.1, 0.0);
        assert_eq!(report(0.1, 0.0).stalls, 0);
        let seen = &mut watcher.seen[0].samples;
        // Four ticks in twelve, it does not move.
        for (tick, sample) in seen.clone().into_iter().enumerate() {
            let stays = tick - tick % 12;
            if tick % 12 < 5 {
                seen[tick] = Sample { at: sample.at, place: seen[stays].place };
            }
        }
        let interval = together(&[watcher.clone(), watched.clone()]).expect("they overlap");
        let stalls = figure(&watcher, &watched, interval).stalls;
        assert!((25..=50).contains(&stalls), "{stalls} in 10 s");
    }

    #[test]
    fn one_that_was_away_is_not_missed() {
        let (mut watcher, mut watched) = tracks(0.1, 0.0);
        let away = |sample: &Sample| (3.0..6.0).contains(&(sample.at - 1_700_000_000.0));
        watched.own.retain(|sample| !away(sample));
        watcher.seen[0].samples.retain(|sample| !away(sample));
        let interval = together(&[watcher.clone(), watched.clone()]).expect("they overlap");
        let report = figure(&watcher, &watched, interval);
        assert!(report.shown_share > 0.99, "{report:?}");
        assert!(report.error_units.expect("seen").p95 < 0.02, "{report:?}");
    }

    #[test]
    fn one_never_shown_has_no_share_and_no_error() {
        let (mut watcher, watched) = tracks(0.1, 0.0);
        watcher.seen.clear();
        let report = figure(&watcher, &watched, (0.0, f64::INFINITY));
        assert!(report.shown_share.abs() < f64::EPSILON && report.error_units.is_none());
        assert_eq!(together(&[Track::default(), watched]), None);
    }

    #[test]
    fn two_of_one_name_stay_two_and_one_that_comes_back_stays_one() {
        let figure = |number, shown| Figure {
            name: "Nova".to_owned(),
            moby: MobyId::figure(number),
            pose: Some(HeroPose::default()),
            shown,
            pieces: Vec::new(),
        };
        let mut track = Track::new("A");
        for figures in [
            vec![figure(1, true), figure(2, true)],
            // One is away for a while, and then made anew.
            vec![figure(1, false), figure(2, true)],
            vec![figure(2, true)],
            vec![figure(2, true), figure(3, true)],
        ] {
            #[allow(clippy::cast_precision_loss)]
            let at = track.watching.len() as f64;
            track.watching.push(at);
            track.see(at, &figures.iter().collect::<Vec<_>>());
        }
        let shares: Vec<_> = seen(&track).into_iter().map(|of| (of.name, of.shown_share)).collect();
        assert_eq!(shares, [("Nova".to_owned(), 0.5), ("Nova".to_owned(), 1.0)]);
    }
}
