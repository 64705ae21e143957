use super::*;
use crate::bots::{Bot, Errand, Habit};
use crate::game::{BoltAccount, Phase, StandIn};

const TICKS_PER_S: u32 = 60;

/// Two in the same level, each with the other's figure.
fn party() -> [Sight; 2] {
    let sight = |name: &str, role, other: &str| Sight {
        phase: Phase::Playing,
        level: Some(0),
        in_control: true,
        figures: vec![other.to_owned()],
        live: vec![0b1111, 0b1],
        ..Sight::of(name, role, &StandIn::new(1))
    };
    [sight("Alex", Role::Host, "Blair"), sight("Blair", Role::Member, "Alex")]
}

/// What is broken of a party that is so at each tick of a minute.
fn over_a_minute(mut party: impl FnMut(u32) -> Vec<Sight>) -> Vec<String> {
    let mut watch = Watch::default();
    for tick in 0..60 * TICKS_PER_S {
        let at = f64::from(tick) / f64::from(TICKS_PER_S);
        watch.look(at, at, &party(tick));
    }
    watch.into_broken().iter().map(ToString::to_string).collect()
}

/// What is broken of a party that stays so for a minute.
fn broken(party: &[Sight]) -> Vec<String> {
    over_a_minute(|_| party.to_vec())
}

/// And of one that becomes so after ten seconds.
fn broken_later(change: impl Fn(&mut [Sight; 2])) -> Vec<String> {
    over_a_minute(|tick| {
        let mut party = party();
        if tick >= 10 * TICKS_PER_S {
            change(&mut party);
        }
        party.to_vec()
    })
}

#[test]
fn a_good_party_breaks_nothing() {
    assert_eq!(broken(&party()), [""; 0]);
}

#[test]
fn a_game_is_seen_as_it_is() {
    let mut game = StandIn::new(1);
    let sight = Sight::of("Alex", Role::Host, &game);
    assert!(sight.is_out() && sight.live.is_empty() && sight.level.is_none());
    let mut bot = Bot::new(Errand::Choose("New Game".to_owned()), Habit::Fight, 1);
    let live = |game: &StandIn| {
        let sight = Sight::of("Alex", Role::Host, game);
        let bits: u32 = sight.live.iter().map(|word| word.count_ones()).sum();
        usize::try_from(bits).expect("a level is small")
    };
    let mut earned = 0;
    for _ in 0..240 * TICKS_PER_S {
        game.read_pad(bot.pad(&game));
        while game.poll_call().is_some() {}
        game.step();
        while game.poll_call().is_some() {}
        assert_eq!(live(&game), game.mobys().filter(|moby| moby.key.is_some()).count());
        let BoltAccount { dropped, expired, left_behind, lying, credited, given, .. } =
            game.bolt_account();
        assert_eq!(dropped, expired + left_behind + lying + credited, "every bolt is somewhere");
        assert_eq!(given, 0, "there is no mod");
        assert_eq!(i64::from(game.progress().bolts), credited);
        earned = credited;
        if live(&game) + 6 < usize::from(game.level_records()) {
            bot.set_habit(Habit::Play);
        }
    }
    let sight = Sight::of("Alex", Role::Host, &game);
    assert_eq!((sight.level, sight.phase), (Some(0), game.phase()));
    assert!(earned > 0 && game.kills().get("").is_some(), "{earned} bolts, {:?}", game.kills());
}

/// B3.3, B5.4, B5.5
#[test]
fn each_invariant_is_named_once_and_with_the_place() {
    let mut left = party();
    (left[1].level, left[1].figures) = (None, Vec::new());
    let words = "no-figure-left: at 2.0 s, Alex has a figure of Blair, who is not in the level";
    assert_eq!(broken(&left), [words]);
    let words = "no-figure-left: at 8.0 s, Alex has a figure of Blair, who is gone";
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
    assert_eq!(broken(&rules), ["interface-rules: at 0.0 s, Blair: frame: from another thread"]);
}

#[test]
fn what_is_put_right_in_time_is_not_broken() {
    let (good, mut left) = (party(), party());
    (left[1].level, left[1].figures) = (None, Vec::new());
    let wrong = |tick: u32| tick % 180 < 110;
    assert_eq!(over_a_minute(|tick| if wrong(tick) { &left } else { &good }.to_vec()), [""; 0]);
}

/// B6.3, B6.6
#[test]
fn what_is_dead_for_the_host_is_to_be_dead_for_all_within_two_seconds() {
    let killed = |party: &mut [Sight; 2]| party[0].live = vec![0b1011, 0];
    let words = ["moby 2", "moby 64"].map(|moby| {
        format!("dead-everywhere: at 12.0 s, {moby} is there for Blair, gone for its host Alex")
    });
    assert_eq!(broken_later(killed), words);
    let elsewhere = |party: &mut [Sight; 2]| {
        killed(party);
        party[1].linked = false;
    };
    assert_eq!(broken_later(elsewhere), [""; 0], "while its link is cut it cannot know");
    let claimed = |party: &mut [Sight; 2]| party[1].live = vec![0b1, 0];
    assert_eq!(broken_later(claimed), [""; 0], "the host's world is the one that counts");
}

/// B7.1
#[test]
fn progress_is_equal_once_in_control_and_is_not_taken_back() {
    let found = |party: &mut [Sight; 2]| {
        party[0].progress.gold_bolts[7] = true;
        party[1].progress.items[15] = true;
    };
    let words = [
        "progress-equal: at 12.0 s, Alex lacks the Blaster, which Blair has",
        "progress-equal: at 12.0 s, Blair lacks gold bolt 7, which Alex has",
    ];
    assert_eq!(broken_later(found), words);
    let at_a_vendor = |party: &mut [Sight; 2]| {
        found(party);
        party.iter_mut().for_each(|game| game.in_control = false);
    };
    let held = "control-after-scene";
    let wrong = broken_later(at_a_vendor);
    assert!(wrong.iter().all(|words| words.starts_with(held)), "{wrong:?}");
    let forgotten = over_a_minute(|tick| {
        let mut party = party();
        let has = tick != 20 * TICKS_PER_S;
        party.iter_mut().for_each(|game| game.progress.planets[2] = has);
        party.to_vec()
    });
    let words = ["Alex", "Blair"]
        .map(|name| format!("progress-equal: at 20.0 s, {name} no longer has Aridia"));
    assert_eq!(forgotten, words);
}

/// B5.8
#[test]
fn control_comes_back_after_a_scene() {
    let held = |party: &mut [Sight; 2]| party[1].in_control = false;
    let words = "control-after-scene: at 22.0 s, Blair has no control, and nobody is in a scene";
    assert_eq!(broken_later(held), [words]);
    let both = |party: &mut [Sight; 2]| {
        held(party);
        party[0].phase = Phase::Scene;
    };
    assert_eq!(broken_later(both), [""; 0], "it waits for its host");
    let left = |party: &mut [Sight; 2]| {
        held(party);
        party[1].phase = Phase::Scene;
    };
    let words = "control-after-scene: at 40.0 s, Blair is in a scene, its host has control";
    assert_eq!(broken_later(left), [words]);
}

/// Blair's session.
const BLAIR: i32 = 7;

/// What is broken of a party whose host pays a bolt of one a second, which the member adds at once, but for
/// what `change` does from the twentieth on.
fn with_bolts(change: impl Fn(&mut [Sight; 2])) -> Vec<String> {
    over_a_minute(|tick| {
        let gone = i64::from(tick / TICKS_PER_S);
        let mut party = party();
        let [host, member] = &mut party;
        let (expired, left_behind, lying, credited) = (2, 3, 5, 4);
        let dropped = gone + expired + left_behind + lying + credited;
        host.bolts = BoltAccount { dropped, expired, left_behind, lying, credited, ..host.bolts };
        host.words.paid = gone;
        host.words.paid_to.insert(BLAIR, gone);
        (member.bolts.credited, member.bolts.given) = (100 + gone, gone);
        member.words =
            BoltWords { granted: gone, session: Some(BLAIR), parties: 1, ..BoltWords::default() };
        if gone >= 20 {
            change(&mut party);
        }
        party.to_vec()
    })
}

/// Of one bolt that went nobody was told.
fn never_paid([host, member]: &mut [Sight; 2]) {
    host.words.paid -= 1;
    host.words.paid_to.insert(BLAIR, host.words.paid);
    member.bolts.credited -= 1;
    (member.bolts.given, member.words.granted) = (host.words.paid, host.words.paid);
}

/// B6.7: what goes from the host's levels is credited once.
#[test]
fn a_bolt_is_credited_once() {
    assert_eq!(with_bolts(|_| {}), [""; 0]);
    let lost = with_bolts(never_paid);
    let words = "bolts-once: at 20.0 s, 1 that went from the levels of Alex was credited to nobody";
    assert_eq!(lost, [words]);
    let taken_too = with_bolts(|[host, _]| host.bolts.credited += 2);
    let words = "bolts-once: at 20.0 s, 2 more than went from the levels of Alex was credited";
    assert_eq!(taken_too, [words]);
}

/// B6.7: a member adds what the host's word says, all of it and no more.
#[test]
fn a_member_is_credited_what_it_was_told() {
    let given = |more: i64| {
        with_bolts(move |[_, member]| {
            member.bolts.credited += more;
            member.bolts.given += more;
        })
    };
    let words = "bolts-once: at 20.0 s, Blair was credited 1 more than it was told is its own";
    assert_eq!(given(1), [words]);
    let less = given(-2);
    assert_eq!(less.len(), 1, "{less:?}");
    assert!(less[0].ends_with("2 that Alex paid was not added for Blair"), "{less:?}");
    let words = "bolts-once: at 20.0 s, Blair, a member, took 3 without the host's word";
    assert_eq!(with_bolts(|[_, member]| member.bolts.credited += 3), [words]);
    let words = "bolts-once: at 20.0 s, the players were told of 1 more than the host paid";
    assert_eq!(with_bolts(|[_, member]| member.words.granted += 1), [words]);
}

/// B6.7: what one who goes is owed is lost with it, and nothing of the host's account is.
#[test]
fn what_is_owed_to_one_who_goes_may_be_lost_but_not_what_the_host_owes() {
    let leaves = |[host, member]: &mut [Sight; 2]| {
        host.words.paid_to.clear();
        (member.role, member.words.session) = (Role::Alone, None);
        (member.bolts.credited, member.bolts.given) = (110, 10);
        member.words.granted = 10;
    };
    assert_eq!(with_bolts(leaves), [""; 0]);
    let lost = with_bolts(|party| {
        never_paid(party);
        leaves(party);
    });
    assert_eq!(lost.len(), 1, "{lost:?}");
}

/// A link is a thread of its own: what it says comes a moment later.
#[test]
fn words_that_come_late_break_nothing_where_they_may() {
    let late = |lag_s: f64, late_s: u32| {
        let mut watch = Watch::with_lag(lag_s);
        for tick in 0..60 * TICKS_PER_S {
            let mut party = party();
            party[0].bolts.dropped = i64::from(tick / 600);
            party[0].words.paid = i64::from(tick.saturating_sub(late_s * TICKS_PER_S) / 600);
            let at = f64::from(tick) / f64::from(TICKS_PER_S);
            watch.look(at, at, &party);
        }
        watch.into_broken().len()
    };
    assert_eq!([late(0.0, 0), late(0.0, 1), late(5.0, 4), late(5.0, 6)], [0, 1, 0, 1]);
}
