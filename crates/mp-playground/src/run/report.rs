//! The figures of a run: what `--report` writes. What they must be is not said here: see `judge`.

use std::fs;
use std::io;
use std::path::Path;

use mp_netcode::conditioner::{Conditions, Percent};
use serde::{Deserialize, Serialize};

use crate::game::{Screen, StandIn};
use crate::invariants::{Broken, Invariant, Role};

/// How values are spread.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs)] // the words say it
pub struct Spread {
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
pub struct FigureReport {
    /// The other player.
    pub name: String,
    /// Of the ticks both were in the level, from 0 to 1.
    pub shown_share: f64,
    /// How far it was from where the player was when the picture says it was.
    pub error_units: Option<Spread>,
    /// How far behind it was.
    pub lag_ms: Option<Spread>,
    /// How often it stood still while its player moved.
    pub stalls: usize,
    /// How often it jumped.
    pub teleports: usize,
}

/// The shared world's mobys, as this game showed them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct WorldReport {
    /// How many its mod drove at once, at most: a member's, those that the host's game runs.
    pub driven: usize,
    /// How far those of them that are placed in the level, and moved in either game, were from where the
    /// host's were when the picture says they were. Null for the host and one that saw none move; in
    /// `play` and with a process for each game, where nobody sees two games at one time.
    pub error_units: Option<Spread>,
    /// How old what it showed of them was. Null as above.
    pub age_ms: Option<Spread>,
}

/// The bolts of one player, since its game started.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BoltsReport {
    /// How many it has.
    pub count: i32,
    /// Those that lay in its game's levels, and that its game dropped.
    pub dropped: i64,
    /// Those that it was credited.
    pub credited: i64,
    /// Bolts that its mod asked the host for; of the host, that it was asked for. Null in `play`: its mod
    /// does not say so, and nobody reads its line.
    pub claims: Option<u64>,
    /// Of these, how many brought nothing, for another was first or the bolt was gone. Null but for the
    /// host: a member is not told.
    pub refused: Option<u64>,
}

/// What was said between mods.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Messages {
    /// Messages that reached this game.
    #[serde(rename = "in")]
    pub received: u64,
    /// Messages that it sent.
    #[serde(rename = "out")]
    pub sent: u64,
    /// Messages that its mod dropped as malformed, too many or elsewhere's: always null, for the mod says
    /// so nowhere but in its trace and on its network page, which a run does without.
    pub dropped: Option<u64>,
}

/// One game.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PlayerReport {
    /// The player.
    pub name: String,
    /// Its session.
    pub id: Option<i32>,
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
    /// Ticks a second.
    pub tick_rate: u8,
    /// CPU time of the game's thread in the mod, a tick in the level.
    pub mod_tick_us: Option<Spread>,
    /// TCP and UDP, without their headers. A direct host's: what its members' links carry.
    pub bytes_up_per_s: Option<f64>,
    /// As above, to the game.
    pub bytes_down_per_s: Option<f64>,
    /// The others, as this game showed them.
    pub figures: Vec<FigureReport>,
    /// The shared world's mobys here.
    pub world: WorldReport,
    /// Its bolts.
    pub bolts: BoltsReport,
    /// How many enemies it killed, in its game and in the host's. Null for a member in `play`: the host's
    /// game knows.
    pub kills: Option<u32>,
    /// What it has.
    pub items: usize,
    /// As above.
    pub gold_bolts: usize,
    /// As above.
    pub planets: usize,
    /// How many scenes its game played.
    pub scenes: usize,
    /// What passed its link. A direct host's: what its members' links carry.
    pub messages: Option<Messages>,
    /// At the end: the phase.
    pub phase: String,
    /// And what the page that showed said.
    pub page: String,
    /// And its last lines.
    pub footer: Vec<String>,
    /// What the mod did that it must not.
    pub faults: Vec<String>,
}

impl PlayerReport {
    /// What a game shows of itself as it is, and on its screen. What passed its link, and what was measured
    /// meanwhile, is still to be filled in.
    #[must_use]
    pub fn of(name: &str, role: Role, game: &StandIn, screen: &Screen) -> Self {
        let (progress, bolts) = (game.progress(), game.bolt_account());
        let had = |things: &[bool]| things.iter().filter(|&&had| had).count();
        // Whom a member killed, the host's game knows.
        let own = game.kills().get("").copied().unwrap_or_default();
        Self {
            name: name.to_owned(),
            id: None,
            role: match role {
                Role::Host => "host",
                Role::Member => "member",
                Role::Alone => "solo",
            }
            .to_owned(),
            level: game.level().unwrap_or(-1),
            round_trip_ms: None,
            udp: None,
            ticks: 0,
            tick_rate: game.tick_rate(),
            mod_tick_us: None,
            bytes_up_per_s: None,
            bytes_down_per_s: None,
            figures: Vec::new(),
            world: WorldReport::default(),
            bolts: BoltsReport {
                count: progress.bolts,
                dropped: bolts.dropped,
                credited: bolts.credited,
                ..BoltsReport::default()
            },
            kills: (role != Role::Member).then_some(own),
            items: had(&progress.items),
            gold_bolts: had(&progress.gold_bolts),
            planets: had(&progress.planets),
            scenes: 0,
            messages: None,
            phase: screen.phase.to_string(),
            page: screen.title().to_owned(),
            footer: screen.footer().to_vec(),
            faults: Vec::new(),
        }
    }
}

/// The link that every game had, one way.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Link {
    latency_ms: u128,
    jitter_ms: u128,
    loss_percent: f64,
    duplicate_percent: f64,
    reorder_percent: f64,
}

impl From<Conditions> for Link {
    fn from(of: Conditions) -> Self {
        let percents = [of.loss, of.duplicate, of.reorder].map(Percent::get);
        let [loss_percent, duplicate_percent, reorder_percent] = percents;
        let [latency_ms, jitter_ms] = [of.latency, of.jitter].map(|delay| delay.as_millis());
        Self { latency_ms, jitter_ms, loss_percent, duplicate_percent, reorder_percent }
    }
}

/// An invariant that this run could not check, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unchecked {
    /// Which.
    pub invariant: Invariant,
    /// Why.
    pub why: String,
}

/// What a run was.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Course {
    pub seconds: u32,
    pub seed: u64,
    pub conditions: Option<Conditions>,
}

/// A whole run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Report {
    /// How long it was played.
    pub seconds: u32,
    /// The bots' and the links'.
    pub seed: u64,
    /// What the links were made to be.
    pub conditions: Option<Link>,
    /// Nothing was broken.
    pub ok: bool,
    /// What did not hold, and where.
    pub broken: Vec<Broken>,
    /// What nobody looked at.
    pub unchecked: Vec<Unchecked>,
    /// The games, the host first.
    pub players: Vec<PlayerReport>,
}

impl Report {
    pub(super) fn of(
        course: Course,
        players: Vec<PlayerReport>,
        broken: Vec<Broken>,
        unchecked: Vec<Unchecked>,
    ) -> Self {
        let Course { seconds, seed, conditions } = course;
        let conditions = conditions.map(Link::from);
        Self { seconds, seed, conditions, ok: broken.is_empty(), broken, unchecked, players }
    }

    pub(crate) fn save(&self, file: &Path) -> io::Result<()> {
        fs::write(file, serde_json::to_string_pretty(self)?)
    }

    pub(crate) fn read(file: &Path) -> io::Result<Self> {
        Ok(serde_json::from_slice(&fs::read(file)?)?)
    }
}

#[cfg(test)]
impl PlayerReport {
    /// One that saw another well, for tests.
    pub(super) fn example(name: &str, other: &str) -> Self {
        let figure = FigureReport {
            name: other.to_owned(),
            shown_share: 1.0,
            error_units: Spread::of(vec![0.0; 10]),
            lag_ms: Spread::of(vec![100.0]),
            stalls: 0,
            teleports: 0,
        };
        Self {
            name: name.to_owned(),
            id: Some(1),
            role: "host".to_owned(),
            level: 0,
            round_trip_ms: Some(1),
            udp: Some(true),
            ticks: 600,
            tick_rate: 60,
            mod_tick_us: None,
            bytes_up_per_s: None,
            bytes_down_per_s: None,
            figures: vec![figure],
            world: WorldReport::default(),
            bolts: BoltsReport::default(),
            kills: None,
            items: 1,
            gold_bolts: 0,
            planets: 1,
            scenes: 0,
            messages: None,
            phase: "PLAYING".to_owned(),
            page: String::new(),
            footer: Vec::new(),
            faults: Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_has_every_field_and_says_what_was_not_checked() {
        let conditions = "latency=60,jitter=20,loss=2.5".parse().ok();
        let course = Course { seconds: 10, seed: 1, conditions };
        let players = vec![PlayerReport::example("A", "B")];
        let unseen = vec![Unchecked { invariant: Invariant::BoltsOnce, why: "dark".to_owned() }];
        let report = Report::of(course, players, Vec::new(), unseen);
        let json = serde_json::to_value(&report).expect("is JSON");
        let keys = |value: &serde_json::Value| -> Vec<String> {
            value.as_object().expect("an object").keys().cloned().collect()
        };
        for key in ["seconds", "seed", "conditions", "ok", "broken", "players"] {
            assert!(keys(&json).contains(&key.to_owned()), "{key}");
        }
        let of_player = [
            "name",
            "id",
            "role",
            "level",
            "round_trip_ms",
            "udp",
            "ticks",
            "mod_tick_us",
            "bytes_up_per_s",
            "bytes_down_per_s",
            "figures",
            "world",
            "bolts",
            "kills",
            "items",
            "gold_bolts",
            "planets",
            "scenes",
            "messages",
        ];
        for key in of_player {
            assert!(keys(&json["players"][0]).contains(&key.to_owned()), "{key}");
        }
        let of_parts = [
            ("world", &["driven", "error_units", "age_ms"][..]),
            ("bolts", &["count", "dropped", "credited", "claims", "refused"]),
        ];
        for (part, of_part) in of_parts {
            for key in of_part {
                assert!(
                    keys(&json["players"][0][part]).contains(&(*key).to_owned()),
                    "{part} {key}"
                );
            }
        }
        for key in ["shown_share", "error_units", "stalls", "teleports"] {
            assert!(keys(&json["players"][0]["figures"][0]).contains(&key.to_owned()), "{key}");
        }
        assert_eq!(json["conditions"]["loss_percent"], 2.5);
        assert_eq!(json["unchecked"][0]["invariant"], "bolts-once");
        assert_eq!(json["unchecked"][0]["why"], "dark");
        let read: Report = serde_json::from_value(json).expect("as it was written");
        assert_eq!(read.conditions, report.conditions);
    }

    #[test]
    fn a_spread_is_of_the_values_themselves() {
        let spread = Spread::of((0..=100).map(f64::from).collect()).expect("values");
        assert_eq!(spread, Spread { p50: 50.0, p95: 95.0, p99: 99.0, max: 100.0 });
        assert_eq!(Spread::of(Vec::new()), None);
    }
}
