//! Where the host's mobys were, where a member showed them, and how far apart that is: at the one lag a
//! second that fits best, as figures are judged, and only of those that moved.

use std::collections::BTreeMap;
use std::fmt;

use mp_playground::game::StandIn;
use mp_playground::sim::{TICKS_PER_SECOND, Vec3};

/// A second, in ticks; and the longest lag tried.
const WINDOW: usize = TICKS_PER_SECOND as usize;
const LAG_MAX: usize = WINDOW * 2 / 5;
/// What moves less than this in a second rests, in units.
const RESTS: f32 = 0.05;

/// Where the placed mobys of one game were, tick by tick, by their keys: the host's, or those that a member
/// shows where the host's were.
#[derive(Clone, Default)]
pub struct Sight(Vec<BTreeMap<u16, Vec3>>);

/// How far off they were.
pub struct Error {
    /// How many moved at a time.
    moving: usize,
    /// In units, sorted.
    distances: Vec<f32>,
    /// In milliseconds, sorted.
    lags: Vec<f64>,
}

impl Sight {
    /// Takes in a tick of the host's game, or of a member's.
    pub fn look(&mut self, game: &StandIn, is_host: bool) {
        let looked_at = game.mobys().filter(|moby| is_host || moby.driven);
        let placed = looked_at.filter_map(|moby| Some((moby.key?, moby.position)));
        self.0.push(placed.collect());
    }

    /// How far this game's were from where the host's had been.
    pub fn error(&self, host: &Self) -> Error {
        let mut error = Error { moving: 0, distances: Vec::new(), lags: Vec::new() };
        let (mut begin, mut windows) = (LAG_MAX, 0);
        while begin + WINDOW <= self.0.len() {
            let mut moving = host.moving(begin - LAG_MAX, begin + WINDOW);
            moving.retain(|key| self.0[begin].contains_key(key));
            let tried = (0..=LAG_MAX).map(|lag| (lag, self.apart(host, begin, lag, &moving)));
            let sum = |distances: &[f32]| distances.iter().sum::<f32>();
            let best = tried.min_by(|(_, a), (_, b)| sum(a).total_cmp(&sum(b)));
            if let Some((lag, distances)) = best.filter(|(_, distances)| !distances.is_empty()) {
                error.distances.extend(distances);
                let ticks = u32::try_from(lag).expect("less than a second");
                error.lags.push(f64::from(ticks) * 1_000.0 / f64::from(TICKS_PER_SECOND));
            }
            error.moving += moving.len();
            windows += 1;
            begin += WINDOW;
        }
        error.moving /= windows.max(1);
        error.distances.sort_by(f32::total_cmp);
        error.lags.sort_by(f64::total_cmp);
        error
    }

    /// The keys of what moved between two ticks.
    fn moving(&self, from: usize, to: usize) -> Vec<u16> {
        let first = &self.0[from];
        let moved = |key: &&u16| {
            let places = self.0[from..to].iter().filter_map(|places| places.get(*key));
            places.into_iter().any(|place| (*place - first[*key]).length() > RESTS)
        };
        first.keys().filter(moved).copied().collect()
    }

    /// The distances of a second, at that lag.
    fn apart(&self, host: &Self, begin: usize, lag: usize, keys: &[u16]) -> Vec<f32> {
        let mut distances = Vec::new();
        for tick in begin..begin + WINDOW {
            let (shown, was) = (&self.0[tick], &host.0[tick - lag]);
            let both = keys.iter().filter_map(|key| Some((*shown.get(key)?, *was.get(key)?)));
            distances.extend(both.map(|(shown, was)| (shown - was).length()));
        }
        distances
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { moving, distances, lags } = self;
        let at = |percent: usize| {
            let index = distances.len().saturating_sub(1) * percent / 100;
            distances.get(index).copied().unwrap_or_default()
        };
        let lag = lags.get(lags.len() / 2).copied().unwrap_or_default();
        let (p50, p95) = (at(50), at(95));
        write!(f, "{moving:>6}              {p50:>8.3}   {p95:>5.3}   {lag:>7.0}")
    }
}
