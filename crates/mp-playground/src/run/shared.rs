//! How the shared world came out: how far a member's mobys were from where the host's had been, whose
//! the kills were, and which claims for bolts brought something.
//!
//! A driven moby is judged as a figure is (`track`): for each second the one lag that fits it best, then
//! each tick's distance at that lag. What stands in one place in both games is left out: among hundreds
//! that do, nothing else would be seen.

use std::collections::{BTreeMap, VecDeque};

use super::report::{PlayerReport, Spread};
use super::track::{self, Sample, Track};
use crate::game::StandIn;

/// How long before a second the host's places are kept, in seconds: the longest lag, and a slow tick.
const KEPT: f64 = track::LONGEST_LAG + 0.6;
/// How many grains a unit has: errors that differ by less are one.
const GRAINS: f32 = 1_000.0;

/// The placed mobys of one game at one tick.
#[derive(Clone, Debug)]
pub struct Places {
    level: i32,
    /// By key: where, and whether a mod drives it. What is gone or hidden is nowhere.
    mobys: Vec<Option<([f32; 3], bool)>>,
}

impl Places {
    /// Of that game as it is; `None`: it is in no level.
    #[must_use]
    pub fn of(game: &StandIn) -> Option<Self> {
        let mut mobys = vec![None; game.level_records().into()];
        for moby in game.mobys().filter(|moby| !moby.hidden) {
            if let Some(key) = moby.key {
                mobys[usize::from(key)] = Some((moby.position.into(), moby.driven));
            }
        }
        Some(Self { level: game.level()?, mobys })
    }

    fn place(&self, key: usize) -> Option<[f32; 3]> {
        Some(self.mobys.get(key)?.as_ref()?.0)
    }

    fn driven(&self) -> impl Iterator<Item = usize> {
        let mobys = self.mobys.iter().enumerate();
        mobys.filter_map(|(key, moby)| moby.as_ref()?.1.then_some(key))
    }
}

/// Judges the members' worlds by the host's, second by second.
#[derive(Debug, Default)]
pub struct Worlds {
    host: VecDeque<(f64, Places)>,
    members: Vec<Member>,
}

/// One member's second so far, and what came of those before.
#[derive(Debug, Default)]
struct Member {
    second: Vec<(f64, Places)>,
    errors: Errors,
    lags_ms: Vec<f64>,
}

impl Worlds {
    /// Takes in a tick of all games, the host's first.
    pub fn look(&mut self, at: f64, games: Vec<Option<Places>>) {
        let mut games = games.into_iter();
        let Some(host) = games.next().flatten() else { return self.forget() };
        let level = host.level;
        if self.host.back().is_some_and(|(_, before)| before.level != level) {
            self.forget();
        }
        self.host.push_back((at, host));
        while self.host.front().is_some_and(|(then, _)| at - then > track::WINDOW + KEPT) {
            self.host.pop_front();
        }
        self.members.resize_with(games.len().max(self.members.len()), Member::default);
        for (member, places) in self.members.iter_mut().zip(games) {
            // A second that is not whole tells nothing.
            match places.filter(|places| places.level == level) {
                Some(places) => member.look(at, places, &self.host),
                None => member.second.clear(),
            }
        }
    }

    fn forget(&mut self) {
        self.host.clear();
        self.members.iter_mut().for_each(|member| member.second.clear());
    }

    /// Gives the members, who are in the order of the games, what came out.
    pub fn fill(self, players: &mut [PlayerReport]) {
        for (player, member) in players.iter_mut().skip(1).zip(self.members) {
            player.world.error_units = member.errors.spread();
            player.world.age_ms = Spread::of(member.lags_ms);
        }
    }
}

impl Member {
    fn look(&mut self, at: f64, places: Places, host: &VecDeque<(f64, Places)>) {
        self.second.push((at, places));
        let Some((first, _)) = self.second.first() else { return };
        if at - first < track::WINDOW {
            return;
        }
        let second = std::mem::take(&mut self.second);
        let Some((_, last)) = second.last() else { return };
        for key in last.driven() {
            // One that came or went within the second, or was driven only for a part of it, is judged
            // for that part.
            let driven = second.iter().filter_map(|(at, places)| {
                let (place, driven) = places.mobys.get(key).copied().flatten()?;
                driven.then_some(Sample { at: *at, place })
            });
            let driven: Vec<Sample> = driven.collect();
            self.judge(&driven, &past(host, key));
        }
    }

    fn judge(&mut self, shown: &[Sample], truth: &[Sample]) {
        let stands = |of: &[Sample]| {
            of.iter().all(|sample| track::distance(sample.place, shown[0].place) < track::STANDS)
        };
        if stands(shown) && stands(truth) {
            return;
        }
        let Some((lag, distances)) = track::best_lag(shown, truth) else { return };
        self.errors.add(&distances);
        if track::way(shown) > track::STILL {
            self.lags_ms.push(f64::from(lag));
        }
    }
}

/// Where the host's moby of that key was.
fn past(host: &VecDeque<(f64, Places)>, key: usize) -> Vec<Sample> {
    let there =
        host.iter().filter_map(|(at, places)| Some(Sample { at: *at, place: places.place(key)? }));
    there.collect()
}

/// Errors by how often each was: there are thousands a second.
#[derive(Debug, Default)]
struct Errors(BTreeMap<u32, u64>);

impl Errors {
    fn add(&mut self, units: &[f32]) {
        for units in units {
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // it saturates
            let grains = (units * GRAINS).round() as u32;
            *self.0.entry(grains).or_default() += 1;
        }
    }

    fn spread(&self) -> Option<Spread> {
        let last = self.0.values().sum::<u64>().checked_sub(1)?;
        let at = |percent: u64| {
            let mut left = last * percent / 100;
            let found = self.0.iter().find(|&(_, &count)| {
                let here = left < count;
                left = left.saturating_sub(count);
                here
            });
            found.map_or(0.0, |(&grains, _)| f64::from(grains) / f64::from(GRAINS))
        };
        Some(Spread { p50: at(50), p95: at(95), p99: at(99), max: at(100) })
    }
}

/// Gives the players what takes the host's game and all links to know: whose its kills were, and how many
/// claims brought nothing. `claims` are those that each game sent, by the players' names, the host first;
/// one whose game left nothing behind is not among the players.
pub fn fill_accounts(players: &mut [PlayerReport], tracks: &[Track], claims: &[(&str, u64)]) {
    let Some((host_name, _)) = claims.first() else { return };
    let Some(host) = tracks.iter().find(|track| track.name == *host_name) else { return };
    for (player, track) in players.iter_mut().zip(tracks) {
        let own = track.kills.get("").copied().unwrap_or_default();
        let there = host.kills.get(&player.name).copied().unwrap_or_default();
        player.kills = Some(own + there);
        let sent = claims.iter().find(|(name, _)| *name == player.name);
        player.bolts.claims = sent.map(|(_, claims)| *claims);
        if player.name == *host_name {
            let asked = claims.iter().map(|(_, claims)| claims).sum();
            player.bolts.claims = Some(asked);
            player.bolts.refused = Some(asked.saturating_sub(host.removed));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The host's moby 1 runs to and fro and its moby 2 stands; a member shows them `lag` seconds late and
    /// `off` aside, and drives them.
    fn played(lag: f64, off: f32, ticks: u32) -> Worlds {
        let place = |at: f64, off: f32| {
            #[allow(clippy::cast_possible_truncation)]
            let place = [(8.0 * (at * 1.3).sin()) as f32, (at * 2.1).cos() as f32 + off, 0.0];
            Some((place, off > 0.0 || lag > 0.0))
        };
        let mut worlds = Worlds::default();
        for tick in 0..ticks {
            let at = f64::from(tick) / 60.0;
            let stands = |driven| Some(([5.0; 3], driven));
            let host = Places { level: 3, mobys: vec![None, place(at, 0.0), stands(false)] };
            let host = Places {
                mobys: host.mobys.iter().map(|m| m.map(|m| (m.0, false))).collect(),
                ..host
            };
            let shown = Places { level: 3, mobys: vec![None, place(at - lag, off), stands(true)] };
            worlds.look(at, vec![Some(host), Some(shown)]);
        }
        worlds
    }

    fn judged(lag: f64, off: f32) -> (Option<Spread>, Option<Spread>) {
        let mut member = played(lag, off, 600).members.remove(0);
        (member.errors.spread(), Spread::of(std::mem::take(&mut member.lags_ms)))
    }

    #[test]
    fn a_moby_that_is_only_late_has_no_error_and_its_age_is_found() {
        let (error, age) = judged(0.12, 0.0);
        let (error, age) = (error.expect("moves"), age.expect("moves"));
        assert!(error.p95 < 0.02, "{error:?}");
        assert!((age.p50 - 120.0).abs() <= 4.0, "{age:?}");
    }

    #[test]
    fn one_beside_the_hosts_is_off_by_that_much() {
        let (error, _) = judged(0.1, 1.5);
        assert!(error.expect("moves").p50 > 0.9, "{error:?}");
    }

    #[test]
    fn what_stands_in_both_games_counts_only_where_they_differ() {
        let stands = |x| vec![Some(([x, 0.0, 0.0], true))];
        let judged = |x| {
            let mut worlds = Worlds::default();
            for tick in 0..200 {
                let games = [0.0, x].map(|x| Some(Places { level: 0, mobys: stands(x) }));
                worlds.look(f64::from(tick) / 60.0, games.into());
            }
            worlds.members.remove(0).errors.spread()
        };
        assert_eq!(judged(0.0), None);
        let error = judged(2.0).expect("it is elsewhere");
        assert!((error.p50 - 2.0).abs() < 1e-6, "{error:?}");
    }

    #[test]
    fn a_second_of_another_level_or_of_a_moby_that_is_not_driven_is_not_judged() {
        let with = |level, driven| {
            let mut worlds = Worlds::default();
            for tick in 0..200_u16 {
                let x = f32::from(tick) * 0.1;
                let here = Places { level: 0, mobys: vec![Some(([x, 0.0, 0.0], false))] };
                let there = Places { level, mobys: vec![Some(([x, 9.0, 0.0], driven))] };
                worlds.look(f64::from(tick) / 60.0, vec![Some(here), Some(there)]);
            }
            worlds.members.remove(0).errors.spread()
        };
        assert!(with(0, true).is_some());
        assert_eq!((with(1, true), with(0, false)), (None, None));
    }

    #[test]
    fn a_host_that_travels_is_not_compared_with_where_it_was_in_the_level_before() {
        let mut worlds = Worlds::default();
        for tick in 0..480_u16 {
            let level = i32::from(tick / 240);
            let x = if level == 0 { f32::from(tick) } else { 500.0 + f32::from(tick) };
            let games = [(x, false), (x, true)].map(|(x, driven)| {
                Some(Places { level, mobys: vec![Some(([x, 0.0, 0.0], driven))] })
            });
            worlds.look(f64::from(tick) / 60.0, games.into());
        }
        let error = worlds.members.remove(0).errors.spread().expect("moves");
        assert!(error.max < 0.01, "{error:?}");
    }

    #[test]
    fn kills_are_the_hosts_games_to_tell_and_a_claim_that_took_no_bolt_out_was_refused() {
        let track = |name: &str, kills: &[(&str, u32)], removed| Track {
            name: name.to_owned(),
            kills: kills.iter().map(|&(name, count)| (name.to_owned(), count)).collect(),
            removed,
            ..Track::default()
        };
        let mut players = vec![PlayerReport::example("A", "B"), PlayerReport::example("B", "A")];
        let tracks = [track("A", &[("", 2), ("B", 3)], 4), track("B", &[("", 1)], 9)];
        fill_accounts(&mut players, &tracks, &[("A", 0), ("B", 6)]);
        let [a, b] = [&players[0], &players[1]].map(|p| (p.kills, p.bolts.claims, p.bolts.refused));
        assert_eq!((a, b), ((Some(2), Some(6), Some(2)), (Some(4), Some(6), None)));
        // Without the host's game, nobody knows.
        let mut alone = vec![PlayerReport::example("B", "A")];
        fill_accounts(&mut alone, &tracks[1..], &[("A", 0), ("B", 6)]);
        assert_eq!((alone[0].kills, alone[0].bolts.claims), (None, None));
    }
}
