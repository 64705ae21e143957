//! The invariants that take more than one tick: that the bolts of the host's levels are credited once
//! each, and that nobody loses what he had.
//!
//! Bolts are counted by their value over the whole party, since who is paid is known only from what he
//! has more: what went from the host's levels, and neither expired nor was left behind, is what the
//! players were credited. More: one was paid twice. Less, for longer than a message takes: one was lost.

use std::collections::BTreeMap;

use super::checks::lacking;
use super::{Role, Sight};
use crate::game::BoltAccount;
use crate::progress::Progress;

/// For how long more may be credited than went, in seconds: within a tick, games are seen one by one.
const OVER: f64 = 0.5;
/// For how long at a time something may be owed, in seconds.
const OWED: f64 = 5.0;
/// For how long after a player went what it was to get may be lost, in seconds: as long as it takes until
/// it is known that it went (B3.2), and a little.
const GOING: f64 = 15.0;

/// The bolts of a party. B6.7: nobody is paid twice for a bolt, and none is lost.
#[derive(Clone, Debug, Default)]
pub(super) struct Bolts {
    /// The host, and what had gone from its levels when it was first seen.
    host: Option<(String, i64)>,
    /// What each player had been credited when it was seen last.
    before: BTreeMap<String, i64>,
    /// What all were credited since.
    credited: i64,
    /// What was owed to players who went, and may never be paid.
    forgiven: i64,
    forgiving_until: f64,
    /// Since when more was credited than went.
    over_since: Option<f64>,
    over_told: bool,
    /// The least that was owed since a time.
    least: Option<(f64, i64)>,
}

impl Bolts {
    /// Takes in a tick; what is wrong, once.
    pub(super) fn look(&mut self, at: f64, games: &[Sight]) -> Option<String> {
        let Some(host) = games.iter().find(|game| game.role == Role::Host) else {
            *self = Self::default();
            return None;
        };
        let gone = gone(&host.bolts);
        let begins =
            self.host.as_ref().is_none_or(|(name, from)| *name != host.name || gone < *from);
        if begins {
            *self = Self { host: Some((host.name.clone(), gone)), ..Self::default() };
        }
        self.count(at, host.level.is_some(), games);
        let from = self.host.as_ref().map_or(gone, |(_, from)| *from);
        let owed = gone - from - self.credited;
        let settled = games
            .iter()
            .all(|game| game.role == Role::Alone || (game.linked && game.level.is_some()));
        self.over(at, owed).or_else(|| self.lost(at, owed, settled))
    }

    /// Adds up what was credited since the tick before. While the host is in no level, those who still
    /// are play on by themselves, and what they find is theirs.
    fn count(&mut self, at: f64, shared: bool, games: &[Sight]) {
        let party = games.iter().filter(|game| game.role != Role::Alone);
        let now: BTreeMap<String, i64> =
            party.map(|game| (game.name.clone(), game.bolts.credited)).collect();
        for (name, before) in &self.before {
            match now.get(name) {
                Some(now) if now >= before && shared => self.credited += now - before,
                Some(now) if now >= before => self.forgiving_until = at + GOING,
                // It left, or its game was started anew.
                _ => self.forgiving_until = at + GOING,
            }
        }
        self.before = now;
    }

    fn over(&mut self, at: f64, owed: i64) -> Option<String> {
        if owed >= 0 {
            (self.over_since, self.over_told) = (None, false);
            return None;
        }
        let since = *self.over_since.get_or_insert(at);
        if self.over_told || at - since < OVER {
            return None;
        }
        self.over_told = true;
        let over = -owed;
        Some(format!("the party was credited {over} more than went from the host's levels"))
    }

    fn lost(&mut self, at: f64, owed: i64, settled: bool) -> Option<String> {
        if !settled {
            self.least = None;
            return None;
        }
        let (since, least) = self.least.unwrap_or((at, owed));
        self.least = Some((since, least.min(owed)));
        if at - since < OWED {
            return None;
        }
        self.least = None;
        let lost = least.min(owed) - self.forgiven;
        if lost <= 0 {
            return None;
        }
        self.forgiven += lost;
        let forgiving = at < self.forgiving_until;
        (!forgiving)
            .then(|| format!("{lost} that went from the host's levels was credited to nobody"))
    }
}

/// What went from a game's levels to somebody.
const fn gone(of: &BoltAccount) -> i64 {
    of.dropped - of.expired - of.left_behind - of.lying
}

/// What each player had. B7.1: nothing is taken.
#[derive(Clone, Debug, Default)]
pub(super) struct Kept {
    had: BTreeMap<String, Progress>,
}

impl Kept {
    /// Takes in a tick; who lacks what he had, in words that stay the same while he does.
    pub(super) fn look(&mut self, games: &[Sight]) -> Vec<String> {
        let mut wrong = Vec::new();
        for game in games {
            if game.is_out() || game.role == Role::Alone {
                self.had.remove(&game.name);
            } else if game.level.is_some() {
                let had = self.had.entry(game.name.clone());
                let had = had.or_insert_with(|| game.progress.clone());
                let name = &game.name;
                let lost = lacking(&game.progress, had);
                wrong.extend(lost.map(|what| format!("{name} no longer has {what}")));
                join(had, &game.progress);
            }
        }
        wrong
    }
}

fn join(had: &mut Progress, has: &Progress) {
    let all = |had: &mut [bool], has: &[bool]| {
        had.iter_mut().zip(has).for_each(|(had, has)| *had |= has);
    };
    all(&mut had.items, &has.items);
    all(&mut had.gold_bolts, &has.gold_bolts);
    all(&mut had.planets, &has.planets);
}
