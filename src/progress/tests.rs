//! The shared progress of several games, whose words arrive when the test says so.

use std::time::Duration;

use super::*;

/// A party whose games are only what they have; the first is the host's. What is said arrives when
/// the test delivers it.
struct Party {
    players: Vec<Player>,
    now: LocalTime,
}

struct Player {
    shared: SharedProgress,
    play: PlayId,
    has: Option<Progress>,
    in_control: bool,
    said: Vec<Lists>,
    banners: Vec<Give>,
    /// Whether the game takes what it is given.
    takes: bool,
}

impl Party {
    fn of(count: usize) -> Self {
        let mut party = Self { players: Vec::new(), now: LocalTime::ZERO };
        (0..count).for_each(|_| party.enter());
        party
    }

    fn enter(&mut self) {
        self.players.push(Player {
            shared: SharedProgress::default(),
            play: PlayId(1),
            has: Some(Progress::default()),
            in_control: true,
            said: Vec::new(),
            banners: Vec::new(),
            takes: true,
        });
        self.players[0].shared.joined();
    }

    fn tick(&mut self) {
        self.now = self.now + Duration::from_millis(20);
        for (place, player) in self.players.iter_mut().enumerate() {
            let Player { shared, play, has, in_control, said, banners, takes } = player;
            let here =
                Here { play: *play, is_host: place == 0, has: *has, in_control: *in_control };
            shared.tick(&here, self.now);
            said.extend(std::iter::from_fn(|| shared.poll_say()));
            while let Some(give) = shared.poll_give() {
                banners.push(give);
                if *takes {
                    got(has.as_mut().expect("nothing is given to a game in no level"), give);
                }
            }
        }
    }

    /// What one said arrives.
    fn deliver(&mut self, from: usize) {
        let said = std::mem::take(&mut self.players[from].said);
        for (place, player) in self.players.iter_mut().enumerate() {
            if place != from && (from == 0 || place == 0) {
                said.iter().for_each(|lists| player.shared.came(player.play, &lists.message()));
            }
        }
    }

    fn ticks(&mut self, count: u32) {
        for _ in 0..count {
            self.tick();
            (0..self.players.len()).for_each(|from| self.deliver(from));
        }
    }

    fn collects(&mut self, player: usize, what: Give) {
        got(self.players[player].has.as_mut().expect("in a level"), what);
    }

    fn banners(&mut self, player: usize) -> Vec<Give> {
        let mut banners = std::mem::take(&mut self.players[player].banners);
        banners.sort();
        banners
    }
}

fn got(progress: &mut Progress, what: Give) {
    match what {
        Give::Item(index) => progress.items[usize::from(index)] = true,
        Give::GoldBolt(index) => progress.gold_bolts[usize::from(index)] = true,
        Give::Planet(index) => progress.planets[usize::from(index)] = true,
    }
}

/// B7.1: what anyone has, everyone has, each with its banner, and whoever found it without another.
#[test]
fn what_anyone_has_everyone_has() {
    let mut party = Party::of(3);
    party.ticks(3);
    party.collects(1, Give::Item(36));
    party.collects(2, Give::GoldBolt(79));
    party.collects(0, Give::Planet(19));
    party.ticks(3);
    assert_eq!(party.banners(0), [Give::Item(36), Give::GoldBolt(79)]);
    assert_eq!(party.banners(1), [Give::GoldBolt(79), Give::Planet(19)]);
    assert_eq!(party.banners(2), [Give::Item(36), Give::Planet(19)]);
    let has = party.players[0].has;
    assert!(party.players.iter().all(|player| player.has == has));
}

/// B7.1: given once that player is in control, and never to a game in no level.
#[test]
fn nothing_is_given_before_control() {
    let mut party = Party::of(2);
    party.ticks(2);
    party.players[1].in_control = false;
    party.collects(0, Give::Item(3));
    party.ticks(400);
    assert_eq!(party.banners(1), []);
    party.players[1].in_control = true;
    let has = party.players[1].has.take();
    party.ticks(400);
    assert_eq!(party.banners(1), []);
    party.players[1].has = has;
    party.ticks(1);
    assert_eq!(party.banners(1), [Give::Item(3)]);
}

/// B7.1: the host's word goes on at once, though its own game cannot be given anything now.
#[test]
fn the_host_without_control_holds_up_nobody() {
    let mut party = Party::of(3);
    party.ticks(2);
    party.players[0].in_control = false;
    party.collects(1, Give::GoldBolt(4));
    party.ticks(3);
    assert_eq!(party.banners(2), [Give::GoldBolt(4)]);
    assert_eq!(party.banners(0), []);
}

/// B7.1: nothing is taken, whatever a game says later.
#[test]
fn the_union_never_shrinks() {
    let mut party = Party::of(3);
    party.collects(1, Give::Item(5));
    party.ticks(3);
    // Loaded an older save of its own.
    party.players[1].has = Some(Progress::default());
    party.ticks(300);
    assert!(party.players.iter().all(|player| player.has.is_some_and(|has| has.items[5])));
}

/// B7.3: the same word twice, and two players' in one tick, count once each.
#[test]
fn the_same_word_twice_counts_once() {
    let mut party = Party::of(3);
    party.ticks(2);
    party.collects(1, Give::Item(5));
    party.collects(2, Give::Item(5));
    party.tick();
    let said = party.players[1].said.clone();
    party.players[1].said.extend(said);
    party.ticks(600);
    assert_eq!(party.banners(0), [Give::Item(5)]);
    assert_eq!(party.banners(1), []);
    assert_eq!(party.banners(2), []);
}

/// B7.3: what a member collected counts though its connection goes the tick after it said so.
#[test]
fn what_was_said_counts_though_its_finder_goes() {
    let mut party = Party::of(3);
    party.ticks(2);
    party.collects(1, Give::GoldBolt(9));
    party.tick();
    party.deliver(1);
    party.players.remove(1);
    party.ticks(3);
    assert_eq!(party.banners(0), [Give::GoldBolt(9)]);
    assert_eq!(party.banners(1), [Give::GoldBolt(9)]);
}

/// B7.3: one who comes back, in the host's game as it is, sees no banner again; one who comes to it
/// with less is told at once.
#[test]
fn one_who_comes_back_sees_no_banner_again() {
    let mut party = Party::of(2);
    party.collects(1, Give::Item(7));
    party.ticks(3);
    party.players.pop();
    party.enter();
    party.players[1].has = party.players[0].has;
    party.ticks(600);
    assert_eq!(party.banners(1), []);
    party.enter();
    party.ticks(3);
    assert_eq!(party.banners(2), [Give::Item(7)]);
}

/// B7.1: a give that the game is slow to show is not given twice; one it never took is given again.
#[test]
fn a_banner_is_not_shown_twice_while_the_game_is_slow() {
    let mut party = Party::of(2);
    party.players[1].takes = false;
    party.collects(0, Give::Item(1));
    party.ticks(200);
    assert_eq!(party.banners(1), [Give::Item(1)]);
    party.ticks(100);
    assert_eq!(party.banners(1), [Give::Item(1)]);
}

/// Protocol 3: PROGRESS at each change and every 5 s.
#[test]
fn progress_is_said_at_each_change_and_every_5_seconds() {
    let mut party = Party::of(1);
    party.tick();
    assert_eq!(party.players[0].said.len(), 1);
    (0..249).for_each(|_| party.tick());
    assert_eq!(party.players[0].said.len(), 1);
    party.tick();
    assert_eq!(party.players[0].said.len(), 2);
    party.collects(0, Give::Planet(2));
    party.tick();
    party.tick();
    assert_eq!(party.players[0].said.len(), 3);
}

/// A new play begins with what its own games have, and not with what they had before.
#[test]
fn another_play_begins_anew() {
    let mut party = Party::of(2);
    party.collects(1, Give::Item(7));
    party.ticks(3);
    for player in &mut party.players {
        (player.play, player.has) = (PlayId(2), None);
    }
    party.ticks(2);
    for player in &mut party.players {
        player.has = Some(Progress::default());
    }
    party.ticks(600);
    assert!(party.players.iter().all(|player| player.has == Some(Progress::default())));
}

/// What no game has is not given, and the longest lists that the wire carries are taken.
#[test]
fn what_the_game_does_not_know_is_left_out() {
    let mut party = Party::of(1);
    party.tick();
    let all = Message { items: &[1; 64], gold_bolts: &[1; 128], planets: &[255; 64] };
    party.players[0].shared.came(PlayId(1), &all);
    party.tick();
    assert_eq!(party.banners(0).len(), ITEMS + GOLD_BOLTS + PLANETS);
    let said = party.players[0].said.pop().expect("a change");
    assert_eq!(said.message().items.len(), ITEMS);
}
