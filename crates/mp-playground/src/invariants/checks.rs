//! The invariants that one tick shows: each a function that says what is wrong in it, in words that stay
//! the same while it is.

use super::{Invariant, Role, Sight};
use crate::game::Phase;
use crate::progress::{Gift, ITEM_NAMES, Progress};
use crate::sim::Level;

/// What is wrong in a tick.
type Check = fn(&[Sight]) -> Vec<String>;

/// Every invariant that a tick shows, and for how long it may be broken, in seconds: as programs.md says
/// where it does; a lost player is silent for 5 s before its figure goes (B5.4); a host waits 10 s at
/// most for the others to get out of a scene (B5.8), and one that began it late sees it to the end.
pub(super) const CHECKS: &[(Invariant, f64, Check)] = &[
    (Invariant::NoFigureLeft, 2.0, figures_left),
    (Invariant::NoFigureLeft, 8.0, figures_of_the_lost),
    (Invariant::LevelFollows, 10.0, levels_apart),
    (Invariant::CardKept, 0.0, cards_changed),
    (Invariant::InterfaceRules, 0.0, rules_broken),
    (Invariant::DeadEverywhere, 2.0, alive_elsewhere),
    (Invariant::ProgressEqual, 2.0, progress_apart),
    (Invariant::ControlAfterScene, 12.0, held_for_nothing),
    (Invariant::ControlAfterScene, 30.0, left_in_a_scene),
];

/// The party's host, if it can be reached.
fn host(games: &[Sight]) -> Option<&Sight> {
    games.iter().find(|game| game.role == Role::Host && game.linked)
}

/// The members that are in the same level as their host, each with it.
fn beside_the_host(games: &[Sight]) -> impl Iterator<Item = (&Sight, &Sight)> {
    let host = host(games).filter(|host| host.level.is_some());
    let members = games.iter().filter(|game| game.role == Role::Member && game.linked);
    members.filter_map(move |member| Some((host?, member))).filter(|(h, m)| h.level == m.level)
}

/// B3.3, B5.4: a figure is of one who is in the level, and the only one.
fn figures_left(games: &[Sight]) -> Vec<String> {
    let mut wrong = Vec::new();
    for game in games.iter().filter(|game| game.linked) {
        for (index, name) in game.figures.iter().enumerate() {
            let player = games.iter().find(|other| other.name == *name);
            let watcher = &game.name;
            if player.is_some_and(|player| player.linked && player.level != game.level) {
                wrong.push(format!("{watcher} has a figure of {name}, who is not in the level"));
            } else if game.figures[..index].contains(name) {
                wrong.push(format!("{watcher} has two figures of {name}"));
            }
        }
    }
    wrong
}

/// B3.3, B5.4: nor of one whose game has ended.
fn figures_of_the_lost(games: &[Sight]) -> Vec<String> {
    let mut wrong = Vec::new();
    for game in games.iter().filter(|game| game.linked) {
        let there = |name: &&String| games.iter().any(|other| other.name == **name);
        let lost = game.figures.iter().filter(|name| !there(name));
        let watcher = &game.name;
        wrong.extend(lost.map(|name| format!("{watcher} has a figure of {name}, who is gone")));
    }
    wrong
}

/// B5.5: who is in a level is in the host's.
fn levels_apart(games: &[Sight]) -> Vec<String> {
    let Some(host) = host(games) else { return Vec::new() };
    let Some(there) = host.level else { return Vec::new() };
    let members = games.iter().filter(|game| game.takes_part());
    let elsewhere = members.filter_map(|game| Some((game, game.level?)));
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

/// B6.3, B6.4, B6.6, B6.8: what is dead in the host's level is dead in every member's.
fn alive_elsewhere(games: &[Sight]) -> Vec<String> {
    let mut wrong = Vec::new();
    for (host, member) in beside_the_host(games) {
        for (word, (here, there)) in member.live.iter().zip(&host.live).enumerate() {
            let mut extra = here & !there;
            while extra != 0 {
                let key = word * 64 + extra.trailing_zeros() as usize;
                extra &= extra - 1;
                let (name, host) = (&member.name, &host.name);
                wrong.push(format!("moby {key} is there for {name}, gone for its host {host}"));
            }
        }
    }
    wrong
}

/// B7.1: what anyone has, everyone has who has control.
fn progress_apart(games: &[Sight]) -> Vec<String> {
    let mut wrong = Vec::new();
    let takers = games.iter().filter(|game| game.takes_part() && game.level.is_some());
    for game in takers.clone().filter(|game| game.in_control) {
        for other in takers.clone() {
            let (name, giver) = (&game.name, &other.name);
            let lacking = lacking(&game.progress, &other.progress);
            wrong.extend(lacking.map(|what| format!("{name} lacks {what}, which {giver} has")));
        }
    }
    wrong
}

/// What `has` lacks of `all`, in words.
pub(super) fn lacking(has: &Progress, all: &Progress) -> impl Iterator<Item = String> {
    let lacks = |has: &[bool], all: &[bool], gift: fn(usize) -> Gift| {
        let both = has.iter().zip(all).enumerate();
        let lacking = both.filter(|(_, (has, all))| **all && !**has);
        lacking.map(|(index, _)| in_words(gift(index))).collect::<Vec<_>>()
    };
    let items = lacks(&has.items, &all.items, Gift::Item);
    let gold_bolts = lacks(&has.gold_bolts, &all.gold_bolts, Gift::GoldBolt);
    let planets = lacks(&has.planets, &all.planets, Gift::Planet);
    items.into_iter().chain(gold_bolts).chain(planets)
}

fn in_words(gift: Gift) -> String {
    let level = |index: usize| i32::try_from(index).ok().and_then(Level::name_of);
    match gift {
        Gift::Item(index) => format!("the {}", ITEM_NAMES.get(index).unwrap_or(&"Nothing")),
        Gift::GoldBolt(index) => format!("gold bolt {index}"),
        Gift::Planet(index) => level(index).unwrap_or_else(|| format!("planet {index}")),
    }
}

/// B5.5, B5.8: nobody's control is held while nobody is in a scene or on the way.
fn held_for_nothing(games: &[Sight]) -> Vec<String> {
    let party: Vec<_> = games.iter().filter(|game| game.role != Role::Alone).collect();
    let busy = [Phase::Scene, Phase::Movie, Phase::Travel, Phase::Loading];
    if party.iter().any(|game| !game.linked || busy.contains(&game.phase)) {
        return Vec::new();
    }
    let held = party.iter().filter(|game| game.phase == Phase::Playing && !game.in_control);
    held.map(|game| format!("{} has no control, and nobody is in a scene", game.name)).collect()
}

/// B5.8: a member comes out of the host's scene after it.
fn left_in_a_scene(games: &[Sight]) -> Vec<String> {
    let left = beside_the_host(games)
        .filter(|(host, member)| host.in_control && member.phase == Phase::Scene);
    left.map(|(_, member)| format!("{} is in a scene, its host has control", member.name)).collect()
}
