//! The invariants that take more than one tick: that the bolts of the host's levels are credited once
//! each, and that nobody loses what he had.
//!
//! Bolts are counted by their value, and every step on a bolt's way has an account of its own: what went
//! from the host's levels is what the host took or told others is theirs ([`BoltWords`]), at every tick;
//! no game adds more than it was told is its own; and what the host told one who stays, that one's game
//! adds in time. Nothing is forgiven to a host or to one who stays, whoever else goes.

use std::collections::BTreeMap;

use super::checks::lacking;
use super::{BoltWords, Role, Sight};
use crate::game::BoltAccount;
use crate::progress::Progress;

/// For how long at a time one who stays may be owed what the host told it, in seconds.
const OWED_S: f64 = 5.0;

/// The bolts of a party. B6.7: nobody is paid twice for a bolt, and none is lost.
#[derive(Clone, Debug, Default)]
pub(super) struct Bolts {
    /// For how long what a game did and what its link says of it may differ, in seconds.
    lag_s: f64,
    games: BTreeMap<String, Account>,
    /// What was told to others, and by them, in games that run no more.
    paid_before: i64,
    granted_before: i64,
    /// Since when the players were told of more than was paid.
    over_since: Option<f64>,
    over_told: bool,
}

/// One game's, since it runs.
#[derive(Clone, Debug, Default)]
struct Account {
    bolts: BoltAccount,
    words: BoltWords,
    /// What the mod had added when the game came into its party.
    given_before: i64,
    /// Since when what went from the host's levels is not what was taken and paid, and the least by which.
    apart: Option<(f64, i64)>,
    /// Since when it is owed something that the host paid, and the least of it.
    owed: Option<(f64, i64)>,
    /// What was said of it already.
    told: Told,
}

#[derive(Clone, Copy, Debug, Default)]
struct Told {
    apart: bool,
    own: bool,
    more: bool,
    less: bool,
}

impl Bolts {
    /// Where what a game's link says of it may come so many seconds late.
    pub(super) fn with_lag(lag_s: f64) -> Self {
        Self { lag_s, ..Self::default() }
    }

    /// Takes in a tick; what is wrong, each once.
    pub(super) fn look(&mut self, at: f64, games: &[Sight]) -> Vec<String> {
        self.forget_ended(games);
        let mut wrong = Vec::new();
        for game in games {
            let account = self.games.entry(game.name.clone()).or_default();
            wrong.extend(account.apart(at, self.lag_s, game));
            wrong.extend(account.own(game));
            wrong.extend(account.more(game));
            account.take(game);
        }
        if let Some(host) = games.iter().find(|game| game.role == Role::Host) {
            for game in games.iter().filter(|game| game.role == Role::Member) {
                let account = self.games.entry(game.name.clone()).or_default();
                wrong.extend(account.less(at, host, game));
            }
        }
        wrong.extend(self.told_more_than_paid(at));
        wrong
    }

    fn forget_ended(&mut self, games: &[Sight]) {
        let (mut paid, mut granted) = (0, 0);
        self.games.retain(|name, account| {
            let runs = games.iter().any(|game| game.name == *name);
            if !runs {
                paid += account.words.paid;
                granted += account.words.granted;
            }
            runs
        });
        self.paid_before += paid;
        self.granted_before += granted;
    }

    /// A word of BOLTS reaches one player, and once.
    fn told_more_than_paid(&mut self, at: f64) -> Option<String> {
        let words = self.games.values().map(|account| &account.words);
        let (paid, granted) = words.fold((self.paid_before, self.granted_before), |all, words| {
            (all.0 + words.paid, all.1 + words.granted)
        });
        let over = granted - paid;
        if over <= 0 {
            self.over_since = None;
            return None;
        }
        let since = *self.over_since.get_or_insert(at);
        if at - since < self.lag_s || std::mem::replace(&mut self.over_told, true) {
            return None;
        }
        Some(format!("the players were told of {over} more than the host paid"))
    }
}

impl Account {
    fn take(&mut self, game: &Sight) {
        if game.words.parties != self.words.parties {
            (self.given_before, self.owed) = (game.bolts.given, None);
        }
        self.bolts = game.bolts;
        self.words.clone_from(&game.words);
    }

    /// What went from the host's levels is what it took itself and what it paid.
    fn apart(&mut self, at: f64, lag_s: f64, game: &Sight) -> Option<String> {
        let of = &game.bolts;
        let gone = of.dropped - of.expired - of.left_behind - of.lying;
        let owed = gone - (of.credited - of.given) - game.words.paid;
        if game.role != Role::Host || owed == 0 {
            self.apart = None;
            return None;
        }
        let same = self.apart.filter(|(_, least)| least.signum() == owed.signum());
        let (since, least) = same.unwrap_or((at, owed));
        let least = owed.signum() * least.abs().min(owed.abs());
        self.apart = Some((since, least));
        if at - since < lag_s || std::mem::replace(&mut self.told.apart, true) {
            return None;
        }
        let (host, count) = (&game.name, least.abs());
        Some(if least > 0 {
            format!("{count} that went from the levels of {host} was credited to nobody")
        } else {
            format!("{count} more than went from the levels of {host} was credited")
        })
    }

    /// A member's game adds nothing by itself.
    fn own(&mut self, game: &Sight) -> Option<String> {
        let stays = game.words.session.is_some() && game.words.parties == self.words.parties;
        let took = game.bolts.credited - game.bolts.given;
        let more = took - (self.bolts.credited - self.bolts.given);
        if game.role != Role::Member || !stays || more <= 0 {
            return None;
        }
        let told = std::mem::replace(&mut self.told.own, true);
        (!told).then(|| format!("{}, a member, took {more} without the host's word", game.name))
    }

    /// No game adds more than it was told is its own.
    fn more(&mut self, game: &Sight) -> Option<String> {
        let more = game.bolts.given - game.words.granted;
        if more <= 0 || std::mem::replace(&mut self.told.more, true) {
            return None;
        }
        Some(format!("{} was credited {more} more than it was told is its own", game.name))
    }

    /// What the host paid a member that stays is added there.
    fn less(&mut self, at: f64, host: &Sight, game: &Sight) -> Option<String> {
        let paid = game.words.session.and_then(|session| host.words.paid_to.get(&session));
        let reached = host.linked && game.linked && game.level.is_some();
        let given = game.bolts.given - self.given_before;
        let owed = paid.filter(|_| reached).map_or(0, |paid| paid - given);
        if owed <= 0 {
            self.owed = None;
            return None;
        }
        let (since, least) = self.owed.unwrap_or((at, owed));
        let least = least.min(owed);
        self.owed = Some((since, least));
        if at - since < OWED_S || std::mem::replace(&mut self.told.less, true) {
            return None;
        }
        Some(format!("{least} that {} paid was not added for {}", host.name, game.name))
    }
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
