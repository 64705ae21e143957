//! What a host's words cost a member that says another thing every tick: no more than a party that plays
//! brings about, and what was said last counts in the end (B5.5, B4.5).

use super::saves::{Member1, chunk_of, play_of};
use super::*;
use mp_protocol::game::{HostLevel, Level, PlayId, Scene, Travel};

const WANT: u8 = 8;
const SCENE_STATE: u8 = 21;
const PROGRESS: u8 = 23;
const LINK: u8 = 64;

/// A LEVEL of a host that flies.
fn flies(play: i32, number: u16, dest: i32) -> Vec<u8> {
    let level = |number| Level::new(number).expect("a level");
    let travel = Some(Travel { number, dest: level(dest), arriving: true });
    encoded(&HostLevel { play: PlayId(play), level: level(0), scene: false, travel }.into())
}

/// The member hears that, each tick for ten seconds, and none of its host's own words. How much of that
/// kind it says.
fn hears_for_ten_seconds(
    party: &mut Party,
    kind: u8,
    words: impl Fn(u16) -> Vec<Vec<u8>>,
) -> usize {
    let host = party.players[0].id;
    let mut said = 0;
    for tick in 1..=600 {
        for bytes in words(tick) {
            party.players[1].data(host, &bytes);
        }
        party.step();
        said += party.players[1].events.drain(..).filter(|(_, bytes)| bytes[0] == kind).count();
    }
    said
}

/// What may be at most in ten seconds: twice 4, and 4 in each second.
const TEN_SECONDS: usize = 48;

/// B5.5
#[test]
fn a_travel_of_another_number_each_tick_is_left_for_seldom_and_ends_where_the_host_is() {
    for at_title in [false, true] {
        let mut party = playing(&["Nova_7", "Orbit"]);
        if at_title {
            party.players[1].game.title();
        }
        let travels = |tick: u16| vec![flies(1, tick, 1 + i32::from(tick % 5))];
        let links = hears_for_ten_seconds(&mut party, LINK, travels);
        assert!(links <= TEN_SECONDS + 5, "each 2 s too: {links}");
        let did = party.players[1].game.did();
        let left: Vec<_> = did.iter().filter(|what| what.starts_with("travel")).collect();
        if at_title {
            assert_eq!(left, [""; 0]);
            continue;
        }
        assert!((10..=TEN_SECONDS).contains(&left.len()), "{left:?}");
        let last = flies(1, 601, 7);
        hears_for_ten_seconds(&mut party, LINK, |_| vec![last.clone()]);
        let did = party.players[1].game.did();
        assert!(did.iter().all(|what| what == "travel 7") && !did.is_empty(), "{did:?}");
    }
}

/// B4.5
#[test]
fn another_play_each_tick_makes_nobody_tell_its_progress_again_each_tick() {
    let mut party = playing(&["Nova_7", "Orbit"]);
    let said =
        hears_for_ten_seconds(&mut party, PROGRESS, |tick| vec![flies(i32::from(tick), 1, 3)]);
    assert!(said <= TEN_SECONDS + 2, "each 5 s too: {said}");
    let scenes = hears_for_ten_seconds(&mut party, PROGRESS, |_| vec![flies(9_999, 1, 3)]);
    assert!(scenes <= 4, "{scenes}");
    assert_eq!(party.players[1].mp.parties().0.play(), PlayId(9_999), "the last counts");
}

/// B5.6
#[test]
fn another_scene_each_tick_is_answered_seldom() {
    let mut party = playing(&["Nova_7", "Orbit"]);
    party.players[1].game.scenes.set(false);
    let said = hears_for_ten_seconds(&mut party, SCENE_STATE, |sequence| {
        let (play, level) = (PlayId(1), Level::new(0).expect("a level"));
        vec![encoded(&Scene { play, level, scene: Some(1), sequence, elapsed_ms: 0 }.into())]
    });
    assert!(said <= TEN_SECONDS, "{said}");
}

/// B4.2: a broken save is asked for once more, and not for each that comes.
#[test]
fn broken_saves_without_end_are_asked_for_seldom() {
    let mut member = Member1::new();
    let said = hears_for_ten_seconds(&mut member.0, WANT, |tick| {
        let broken = |n: u16| {
            let play = i32::from(tick * 10 + n);
            [play_of(play, 100, Level::NONE), chunk_of(play, 60, &[2; 40])]
        };
        (0..10).flat_map(broken).collect()
    });
    assert!((1..=TEN_SECONDS).contains(&said), "{said}");
    assert_eq!(member.footer(), "Could not get the host's game");
}

/// B4.5: a game that was told to leave the title is not told again by each PLAY.
#[test]
fn plays_that_come_while_the_game_leaves_the_title_start_nothing_anew() {
    let mut member = Member1::new();
    let said = hears_for_ten_seconds(&mut member.0, WANT, |tick| {
        let play = tick.into();
        vec![play_of(play, 1, Level::NONE), chunk_of(play, 0, &[1])]
    });
    assert_eq!(said, 0);
    // It never left, which is said after 5 s; the play after that starts again.
    assert_eq!(member.did(), ["start Save of 1: true"; 2]);
}
