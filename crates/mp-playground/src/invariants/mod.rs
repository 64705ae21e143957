//! What must hold in every party (programs.md, Invariants), checked tick by tick: for the demo's games in
//! real time and for those of mp-lab without a clock alike. What is measured over a whole run (how well
//! figures are shown) is judged in the report.
//!
//! Each tick, take a [`Sight`] of every game ([`Sight::of`]) and give them to [`Watch::look`]; at the
//! end, or whenever, [`Watch::broken`] is what did not hold. It reads no clock, and touches no game.

mod accounts;
mod checks;
mod sight;
#[cfg(test)]
mod tests;
mod words;

use std::collections::BTreeMap;
use std::fmt;

use accounts::{Bolts, Kept};
pub use sight::{Role, Sight};
pub use words::BoltWords;

use serde::{Deserialize, Serialize};

/// An invariant of a party, or of one game in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Invariant {
    /// Who is in the same level is seen nearly all the time.
    FigureShown,
    /// A figure is where its player was when the picture says it was.
    FigureError,
    /// A figure moves as smoothly as its player.
    FigureFlow,
    /// One who left leaves no figure, and nobody has two.
    NoFigureLeft,
    /// Every member's level follows the host's.
    LevelFollows,
    /// The cards are byte for byte as before, but for what that game itself saved.
    CardKept,
    /// The mod breaks no rule of the interface.
    InterfaceRules,
    /// Every game runs until it is told to end.
    RunsToTheEnd,
    /// What passes a proxy is well formed.
    WellFormed,
    /// A recorded pad replays to the digests it was recorded with.
    Replay,
    /// Each bolt is credited at most once over the party, and none is lost.
    BoltsOnce,
    /// What is dead in the host's level is dead in every member's.
    DeadEverywhere,
    /// The party's progress is equal, and never shrinks.
    ProgressEqual,
    /// After a scene all have control.
    ControlAfterScene,
}

impl fmt::Display for Invariant {
    /// Its name in the report.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

/// An invariant that did not hold, and where.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Broken {
    /// Which.
    pub invariant: Invariant,
    /// Seconds into the run; `None`: over the whole of it.
    pub at_s: Option<f64>,
    /// Who, and what was wrong.
    pub what: String,
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.invariant)?;
        if let Some(at) = self.at_s {
            write!(f, "at {at:.1} s, ")?;
        }
        f.write_str(&self.what)
    }
}

/// Checks all games of a party tick by tick.
#[derive(Clone, Debug, Default)]
pub struct Watch {
    /// What is wrong, and since when; `None`: it was told.
    since: BTreeMap<(Invariant, String), Option<f64>>,
    bolts: Bolts,
    kept: Kept,
    broken: Vec<Broken>,
}

impl Watch {
    /// Of games whose [`Sight::words`] may come so many seconds after what they are about.
    #[must_use]
    pub fn with_lag(lag_s: f64) -> Self {
        Self { bolts: Bolts::with_lag(lag_s), ..Self::default() }
    }

    /// Takes in a tick, `at` seconds into the run, of which for `fair` seconds nobody was kept from what
    /// is to come about within some time. Neither ever decreases.
    pub fn look(&mut self, at: f64, fair: f64, games: &[Sight]) {
        let mut wrong = Vec::new();
        for &(invariant, lasting, check) in checks::CHECKS {
            wrong.extend(check(games).into_iter().map(|what| (invariant, lasting, what)));
        }
        let lost = self.kept.look(games).into_iter();
        wrong.extend(lost.map(|what| (Invariant::ProgressEqual, 0.0, what)));
        let mut before = std::mem::take(&mut self.since);
        for (invariant, lasting, what) in wrong {
            let key = (invariant, what);
            let mut since = before.remove(&key).unwrap_or(Some(fair));
            if since.take_if(|since| fair - *since >= lasting).is_some() {
                let what = key.1.clone();
                self.broken.push(Broken { invariant, at_s: Some(at), what });
            }
            self.since.insert(key, since);
        }
        let broken = |what| Broken { invariant: Invariant::BoltsOnce, at_s: Some(at), what };
        self.broken.extend(self.bolts.look(at, games).into_iter().map(broken));
    }

    /// What did not hold so far, in the order in which it was noticed.
    #[must_use]
    pub fn broken(&self) -> &[Broken] {
        &self.broken
    }

    /// What did not hold.
    #[must_use]
    pub fn into_broken(self) -> Vec<Broken> {
        self.broken
    }
}
