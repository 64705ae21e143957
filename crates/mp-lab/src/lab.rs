//! A run: everyone's games and the network, tick by tick from one seed, and what must hold at each.

use std::collections::VecDeque;
use std::time::Duration;

use mp_netcode::conditioner::Conditions;
use mp_playground::game::StandIn;
use mp_playground::invariants::{Broken, Invariant, Sight, Watch};
use mp_playground::run::{Link, Report, Unchecked};
use mp_playground::sim::{Digest, Rng, TICKS_PER_SECOND};

use crate::chaos::Chaos;
use crate::guide::{Goal, Place};
use crate::measures::Measures;
use crate::network::Network;
use crate::seat::{NAMES, Seat};

/// How long everyone may take into the level, at first and when all is calm again, in seconds: a link
/// that was lost is tried again after 30 s at most (B2.9), and the menus take a while.
const APART_S: u32 = 90;
/// How long everyone has to be together for it, in seconds: what must hold within some time is judged
/// then, too.
const TOGETHER_S: u32 = 12;
/// For how long after someone was kept from playing nothing is judged that must hold within some time, in
/// seconds: that player's silence is noticed (B5.4), and what was missed is caught up with.
const SETTLING_S: u32 = 8;

/// What is told of a run, in lines.
const TOLD: usize = 100;

/// What a run is to be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// Of everything that is drawn.
    pub seed: u64,
    /// How long to play once the host is in a level, in seconds of the games.
    pub seconds: u32,
    /// How many play, 2 to 4.
    pub players: usize,
    /// What every link is, one way; else as good as can be, or with `chaos` drawn.
    pub conditions: Option<Conditions>,
    /// Things happen: leaves, stalls, crashes, partitions and the like.
    pub chaos: bool,
}

/// What a run came to.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// Its seed.
    pub seed: u64,
    /// Where its party met.
    pub place: Place,
    /// Ticks of the party.
    pub ticks: u64,
    /// One number for everything in all games: equal runs have equal ones.
    pub digest: u64,
    /// What happened to whom and when, the newest last: the end of it, where there was much.
    pub told: Vec<String>,
    /// What did not hold, in the order in which it was noticed; the run ends at the first.
    pub failed: Option<Failed>,
}

impl Outcome {
    /// How long it was, in the games' time.
    #[must_use]
    pub fn played(&self) -> Duration {
        Duration::from_secs_f64(seconds(self.ticks))
    }
}

/// Why a run ended before its end.
#[derive(Clone, Debug, PartialEq)]
pub struct Failed {
    /// The tick of the party.
    pub tick: u64,
    /// What did not hold.
    pub what: Vec<String>,
    /// What is on everyone's screen, and what each mod said last.
    pub screens: String,
}

/// See the module.
pub struct Lab {
    options: Options,
    place: Place,
    pub(crate) network: Network,
    pub(crate) seats: Vec<Seat>,
    chaos: Option<Chaos>,
    watch: Watch,
    digest: Digest,
    ticks: u64,
    /// The tick at which the host was in a level first.
    began: Option<u64>,
    /// For how many ticks nobody is kept from playing.
    settled: u64,
    /// How many ticks count for what must hold within some time.
    fair_ticks: u64,
    /// For how many ticks everyone is together, and for how many not everyone is that should be.
    together: u64,
    apart: u64,
    /// What happened, the newest last.
    told: VecDeque<String>,
    /// What there is for a report, if one is wanted.
    measures: Option<Measures>,
}

impl Lab {
    /// Everyone at the title, about to meet.
    #[must_use]
    pub fn new(options: Options) -> Self {
        let mut rng = Rng::new(options.seed);
        let place = if rng.below(2) == 0 { Place::Relay } else { Place::Direct };
        let goals: Vec<_> = (0..options.players).map(|seat| goal(seat, options.players)).collect();
        let chaos = options.chaos.then(|| Chaos::new(rng.bits(), options.seconds, goals.clone()));
        let drawn = chaos.as_ref().map(Chaos::conditions);
        let conditions = options.conditions.or(drawn).unwrap_or_default();
        let relay = place == Place::Relay;
        let mut network = Network::new(options.players, relay, conditions, rng.bits());
        let mut sit = |(number, goal)| {
            let mut seat = Seat::new(number, goal, place, rng.bits());
            seat.start(&mut network);
            seat
        };
        let seats = goals.into_iter().enumerate().map(&mut sit).collect();
        Self {
            options,
            place,
            network,
            seats,
            chaos,
            watch: Watch::default(),
            digest: Digest::new(),
            ticks: 0,
            began: None,
            settled: ticks(SETTLING_S),
            fair_ticks: 0,
            together: 0,
            apart: 0,
            told: VecDeque::new(),
            measures: None,
        }
    }

    /// Plays to the end, or until something does not hold.
    #[must_use]
    pub fn run(mut self) -> Outcome {
        self.play()
    }

    /// As [`Self::run`], and what was measured meanwhile.
    #[must_use]
    pub fn run_and_report(mut self) -> (Outcome, Report) {
        self.measures = Some(Measures::new(self.seats.len()));
        let outcome = self.play();
        let broken = self.found();
        let measures = self.measures.take().expect("put there above, and taken by nobody else");
        let seconds = seconds(self.ticks);
        let players = measures.players(&self.seats, &self.network, seconds);
        let Options { seed, seconds, conditions, .. } = self.options;
        let report = Report {
            seconds,
            seed,
            conditions: conditions.map(Link::from),
            ok: broken.is_empty(),
            broken,
            unchecked: unchecked(),
            players,
        };
        (outcome, report)
    }

    fn play(&mut self) -> Outcome {
        let failed = loop {
            self.tick();
            let broken = self.broken();
            if !broken.is_empty() {
                break Some(broken);
            }
            if self.is_over() {
                break None;
            }
        };
        let failed = failed.map(|what| Failed { tick: self.ticks, what, screens: self.screens() });
        Outcome {
            seed: self.options.seed,
            place: self.place,
            ticks: self.ticks,
            digest: self.digest.value(),
            told: std::mem::take(&mut self.told).into(),
            failed,
        }
    }

    /// In the end, everyone is together again.
    fn is_over(&self) -> bool {
        let Some(played) = self.played() else { return false };
        played >= ticks(self.options.seconds)
            && self
                .chaos
                .as_ref()
                .is_none_or(|chaos| chaos.is_over(played) && self.together >= ticks(TOGETHER_S))
    }

    /// For how many ticks it is played: since the host was in a level first.
    fn played(&self) -> Option<u64> {
        Some(self.ticks - self.began?)
    }

    /// A tick of every game.
    pub fn tick(&mut self) {
        let mut order: Vec<usize> = (0..self.seats.len()).collect();
        order.sort_by_key(|&seat| self.seats[seat].next_tick());
        for seat in order {
            self.network.run_until(self.seats[seat].next_tick());
            self.seats[seat].tick(&self.network);
            self.network.settle();
        }
        self.ticks += 1;
        if self.began.is_none() && self.seats[0].plays() {
            self.began = Some(self.ticks);
        }
        for seat in 0..self.seats.len() {
            if let Some(what) = self.seats[seat].news() {
                self.tell(seat, &what);
            }
        }
        // First, so that what a game did in its last tick counts.
        self.judge();
        if let Some(measures) = &mut self.measures {
            measures.look(seconds(self.ticks), &self.seats);
        }
        self.disturb();
        if self.ticks.is_multiple_of(u64::from(TICKS_PER_SECOND)) {
            self.seats.iter().for_each(|seat| seat.digest(&mut self.digest));
        }
    }

    fn disturb(&mut self) {
        let Some(played) = self.played() else { return };
        if let Some(mut chaos) = self.chaos.take() {
            chaos.tick(played, self);
            self.chaos = Some(chaos);
        }
    }

    /// Whether something keeps that player from playing as it should: no game, one that stands still, no
    /// network, or a connection to nobody.
    pub(crate) fn is_disturbed(&self, seat: usize) -> bool {
        let now = self.network.now();
        let of = &self.seats[seat];
        of.game.is_none()
            || of.is_stalled(now)
            || self.network.is_cut(seat)
            || self.network.is_haunted(seat)
    }

    /// Everyone in the host's level, and nobody kept from playing.
    #[must_use]
    pub fn is_together(&self) -> bool {
        let level = |seat: &Seat| seat.game.as_ref().and_then(|game| game.look(StandIn::level));
        let there = level(&self.seats[0]);
        let seats = 0..self.seats.len();
        there.is_some()
            && self.seats.iter().all(|seat| level(seat) == there)
            && !seats.into_iter().any(|seat| self.is_disturbed(seat))
    }

    fn judge(&mut self) {
        let disturbed: Vec<bool> =
            (0..self.seats.len()).map(|seat| self.is_disturbed(seat)).collect();
        let sight = |seat: &Seat| {
            let sight = seat.sight()?;
            let words = self.network.words(seat.number).clone();
            Some(Sight { linked: !disturbed[seat.number], words, ..sight })
        };
        let sights: Vec<Sight> = self.seats.iter().filter_map(sight).collect();
        // What has to be so within some time waits for those who cannot make it so.
        self.settled = if disturbed.contains(&true) { 0 } else { self.settled + 1 };
        if self.settled > ticks(SETTLING_S) {
            self.fair_ticks += 1;
        }
        self.watch.look(seconds(self.ticks), seconds(self.fair_ticks), &sights);
        let together = self.is_together();
        self.together = if together { self.together + 1 } else { 0 };
        // Until all have met, and when all is calm again.
        let played = self.played().unwrap_or_default();
        let is_due = self.chaos.as_ref().is_none_or(|chaos| played == 0 || chaos.is_over(played));
        self.apart = if together || !is_due { 0 } else { self.apart + 1 };
    }

    /// Changes a player's game between two ticks: for deliberate faults. Nothing if it has crashed.
    pub fn change(&mut self, player: usize, change: impl FnOnce(&mut StandIn)) {
        if let Some(game) = &self.seats[player].game {
            game.change(change);
        }
    }

    /// What did not hold so far, in words.
    #[must_use]
    pub fn broken(&self) -> Vec<String> {
        self.found().iter().map(ToString::to_string).collect()
    }

    fn found(&self) -> Vec<Broken> {
        let mut found = self.watch.broken().to_vec();
        let over_all = |invariant, what| Broken { invariant, at_s: None, what };
        let held = self.network.held_against().into_iter();
        found.extend(held.map(|what| over_all(Invariant::WellFormed, what)));
        if self.apart > ticks(APART_S) {
            let what = format!("not everyone is in the host's level after {APART_S} s");
            found.push(over_all(Invariant::LevelFollows, what));
        }
        found
    }

    /// Notes what happened to a player.
    pub(crate) fn tell(&mut self, seat: usize, what: &str) {
        if self.told.len() == TOLD {
            self.told.pop_front();
        }
        let (at, name) = (seconds(self.ticks), self.seats[seat].name);
        self.told.push_back(format!("{at:7.2} s  {name}: {what}"));
    }

    /// What everyone sees.
    fn screens(&self) -> String {
        self.seats.iter().map(Seat::in_words).collect::<Vec<_>>().join("\n")
    }
}

/// What a run here does not show.
fn unchecked() -> Vec<Unchecked> {
    let links = "it is measured and not judged: anything may happen to a link here";
    let files = "no game here has files or a process of its own";
    let figures = [Invariant::FigureShown, Invariant::FigureError, Invariant::FigureFlow];
    let of_files = [Invariant::CardKept, Invariant::RunsToTheEnd, Invariant::Replay];
    let all = figures.map(|invariant| (invariant, links)).into_iter();
    let all = all.chain(of_files.map(|invariant| (invariant, files)));
    all.map(|(invariant, why)| Unchecked { invariant, why: why.to_owned() }).collect()
}

/// What a player wants at first.
fn goal(seat: usize, players: usize) -> Goal {
    match seat {
        0 => Goal::Host { others: players - 1 },
        _ => Goal::Join { host: NAMES[0].to_owned() },
    }
}

fn ticks(seconds: u32) -> u64 {
    u64::from(seconds) * u64::from(TICKS_PER_SECOND)
}

fn seconds(ticks: u64) -> f64 {
    let ticks = u32::try_from(ticks).unwrap_or(u32::MAX);
    f64::from(ticks) / f64::from(TICKS_PER_SECOND)
}
