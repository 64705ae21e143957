//! What must hold in every party (programs.md, Invariants): one function each for what a tick of all
//! games shows, and the list of them. What is measured over a whole run (how well figures are shown) is
//! judged in the report.
//!
//! A function looks at one tick and says what is wrong in it; [`Watch`] tells what is wrong for longer
//! than the invariant allows, once. It knows no clock: the time comes in.

use std::collections::BTreeMap;
use std::fmt;

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

/// The invariants that hang on what this version of the mod does not share between the games.
pub const NOT_SHARED: &[Invariant] = &[
    Invariant::BoltsOnce,
    Invariant::DeadEverywhere,
    Invariant::ProgressEqual,
    Invariant::ControlAfterScene,
];
/// Why those are not checked.
pub const NOT_SHARED_WORDS: &str = "not shared by this version of the mod";

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

/// One game at one tick, as far as an invariant looks at it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sight {
    /// The player.
    pub name: String,
    /// Hosts the party.
    pub is_host: bool,
    /// The level its hero is in.
    pub level: Option<i32>,
    /// Whose figures its level has, shown or not.
    pub figures: Vec<String>,
    /// What the mod did that it must not.
    pub faults: Vec<String>,
    /// How the card's files differ from what the game has of them.
    pub card: Option<String>,
}

/// What is wrong in a tick, in words that stay the same while it is.
type Check = fn(&[Sight]) -> Vec<String>;

/// Every invariant that a tick shows, and for how long it may be broken, in seconds.
const CHECKS: &[(Invariant, f64, Check)] = &[
    (Invariant::NoFigureLeft, 2.0, figures_left),
    (Invariant::LevelFollows, 10.0, levels_apart),
    (Invariant::CardKept, 0.0, cards_changed),
    (Invariant::InterfaceRules, 0.0, rules_broken),
];

/// Checks all games of a party tick by tick.
#[derive(Clone, Debug, Default)]
pub struct Watch {
    /// What is wrong, and since when; `None`: it was told.
    since: BTreeMap<(Invariant, String), Option<f64>>,
    broken: Vec<Broken>,
}

impl Watch {
    /// Takes in a tick, `at` seconds into the run.
    pub fn look(&mut self, at: f64, games: &[Sight]) {
        let mut before = std::mem::take(&mut self.since);
        for &(invariant, lasting, check) in CHECKS {
            for what in check(games) {
                let key = (invariant, what);
                let mut since = before.remove(&key).unwrap_or(Some(at));
                if since.take_if(|since| at - *since >= lasting).is_some() {
                    let what = key.1.clone();
                    self.broken.push(Broken { invariant, at_s: Some(at), what });
                }
                self.since.insert(key, since);
            }
        }
    }

    /// What did not hold.
    #[must_use]
    pub fn into_broken(self) -> Vec<Broken> {
        self.broken
    }
}

/// B3.3, B5.4: a figure is of one who is in the level, and the only one.
fn figures_left(games: &[Sight]) -> Vec<String> {
    let mut wrong = Vec::new();
    for game in games {
        for (index, name) in game.figures.iter().enumerate() {
            let player = games.iter().find(|other| other.name == *name);
            let watcher = &game.name;
            if player.is_none_or(|player| player.level != game.level) {
                wrong.push(format!("{watcher} has a figure of {name}, who is not in the level"));
            } else if game.figures[..index].contains(name) {
                wrong.push(format!("{watcher} has two figures of {name}"));
            }
        }
    }
    wrong
}

/// B5.5: who is in a level is in the host's.
fn levels_apart(games: &[Sight]) -> Vec<String> {
    let Some(host) = games.iter().find(|game| game.is_host) else { return Vec::new() };
    let Some(there) = host.level else { return Vec::new() };
    let elsewhere = games.iter().filter_map(|game| Some((game, game.level?)));
    let elsewhere = elsewhere.filter(|&(_, level)| level != there);
    elsewhere
        .map(|(game, level)| {
            format!("{} is in level {level}, its host {} in {there}", game.name, host.name)
        })
        .collect()
}

fn cards_changed(games: &[Sight]) -> Vec<String> {
    let changed = games.iter().filter_map(|game| Some((game, game.card.as_ref()?)));
    changed.map(|(game, words)| format!("{}: {words}", game.name)).collect()
}

fn rules_broken(games: &[Sight]) -> Vec<String> {
    let of_one = |game: &Sight| {
        let name = game.name.clone();
        game.faults.clone().into_iter().map(move |fault| format!("{name}: {fault}"))
    };
    games.iter().flat_map(of_one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn party() -> [Sight; 2] {
        let sight = |name: &str, other: &str| Sight {
            name: name.to_owned(),
            is_host: name == "Alex",
            level: Some(0),
            figures: vec![other.to_owned()],
            ..Sight::default()
        };
        [sight("Alex", "Blair"), sight("Blair", "Alex")]
    }

    /// What is broken of a party that stays so for a minute.
    fn broken(party: &[Sight]) -> Vec<String> {
        let mut watch = Watch::default();
        (0..3_600).for_each(|tick| watch.look(f64::from(tick) / 60.0, party));
        watch.into_broken().iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_good_party_breaks_nothing() {
        assert_eq!(broken(&party()), [""; 0]);
    }

    #[test]
    fn each_invariant_is_named_once_and_with_the_place() {
        let mut left = party();
        (left[1].level, left[1].figures) = (None, Vec::new());
        let words = "no-figure-left: at 2.0 s, Alex has a figure of Blair, who is not in the level";
        assert_eq!(broken(&left), [words]);
        assert_eq!(broken(&left[..1]), [words], "one whose game has ended is not in it either");
        let mut twice = party();
        twice[0].figures.push("Blair".to_owned());
        assert_eq!(broken(&twice), ["no-figure-left: at 2.0 s, Alex has two figures of Blair"]);
        let mut apart = party();
        apart[1].level = Some(3);
        apart.iter_mut().for_each(|game| game.figures.clear());
        let words = "level-follows: at 10.0 s, Blair is in level 3, its host Alex in 0";
        assert_eq!(broken(&apart), [words]);
        let mut card = party();
        card[0].card = Some("save0.bin changed".to_owned());
        assert_eq!(broken(&card), ["card-kept: at 0.0 s, Alex: save0.bin changed"]);
        let mut rules = party();
        rules[1].faults = vec!["frame: from another thread".to_owned()];
        assert_eq!(
            broken(&rules),
            ["interface-rules: at 0.0 s, Blair: frame: from another thread"]
        );
    }

    #[test]
    fn what_is_put_right_in_time_is_not_broken() {
        let (good, mut left) = (party(), party());
        (left[1].level, left[1].figures) = (None, Vec::new());
        let mut watch = Watch::default();
        for tick in 0..3_600_u32 {
            let wrong = tick % 180 < 110;
            watch.look(f64::from(tick) / 60.0, if wrong { &left } else { &good });
        }
        assert_eq!(watch.into_broken(), []);
    }
}
