//! What goes into a WORLD, to whom, and how it is shown (B6.1, B6.2).

use std::collections::BTreeMap;
use std::ops::Range;
use std::time::Duration;

use mp_protocol::game::{MobyFlags, MobyId, WorldMoby};

use super::world::{ENEMY, key, playing};
use super::{Party, SECOND, hero, sent_by};
use crate::game::{Kinds, MobyHandle};

/// Ticks from one snapshot to the next.
const BEAT: u32 = 4;

impl Party {
    /// The host's mobys of those numbers, each a unit from the next.
    fn row(&self, numbers: Range<u16>) -> Vec<MobyHandle> {
        let put = |number| {
            let place = [f32::from(number), 5.0, 0.0];
            self.players[0].game.world.put(Some(number), ENEMY | Kinds::UPDATES, place)
        };
        numbers.map(put).collect()
    }
}

fn find(told: &[WorldMoby], number: u16) -> Option<WorldMoby> {
    told.iter().copied().find(|moby| moby.id == MobyId::Key(key(number)))
}

/// B6.2: a member that is elsewhere is told nothing of the host's level.
#[test]
fn only_members_in_the_hosts_level_are_told() {
    let mut party = playing();
    let mobys = party.row(0..3);
    party.players[2].game.play(4, hero([0.0; 3]));
    party.ticks(SECOND);
    let [ann, bob] = [1, 2].map(|place| party.players[place].id);
    let mut told = Vec::new();
    for tick in 0..SECOND {
        let x = if tick % 2 == 0 { 0.0 } else { 1.0 };
        party.moves(0, mobys[0], [x, 0.0, 0.0]);
        told.extend(party.told().into_iter().map(|(to, _)| to));
    }
    assert!(told.contains(&ann) && !told.contains(&bob), "{told:?}");
}

/// B6.2: what is animated, or hidden, or shown again is told of as what moves is: in every snapshot.
#[test]
fn what_is_animated_or_hidden_is_told_of_like_what_moves() {
    let mut party = playing();
    let mobys = party.row(0..60);
    party.ticks(10 * SECOND);
    let world = |party: &Party, change: &dyn Fn(&mut crate::game::Moby)| {
        party.players[0].game.world.change(mobys[7], change);
    };
    world(&party, &|moby| moby.pose.animation.sequence = 9);
    for told in party.told_to(1, 10 * BEAT) {
        assert_eq!(find(&told, 7).map(|moby| moby.seq), Some(9), "{told:?}");
    }
    party.ticks(10 * SECOND);
    for hidden in [true, false] {
        world(&party, &|moby| moby.hidden = hidden);
        for told in party.told_to(1, 10 * BEAT) {
            let moby = find(&told, 7).expect("in every snapshot");
            assert_eq!(moby.flags.contains(MobyFlags::HIDDEN), hidden);
        }
    }
}

/// B6.2: spare room repeats what rests, the longest unsent first, each at least every 5 s.
#[test]
fn what_rests_is_told_of_in_turn() {
    const COUNT: u16 = 300;
    let mut party = playing();
    // The higher numbers come a second before the lower ones, and so are told of before them each time.
    party.row(COUNT / 2..COUNT);
    party.ticks(SECOND);
    party.row(0..COUNT / 2);
    party.ticks(10 * SECOND);
    let mut last: BTreeMap<u16, usize> = BTreeMap::new();
    let mut judged = 0;
    let mut told = party.told_to(1, 10 * SECOND);
    // After a stall of the host more wait than one snapshot has room for. The member was heard meanwhile.
    for _ in 0..17 {
        party.now = party.now + Duration::from_millis(250);
        let pose = sent_by(&mut party, 1);
        let (member, now) = (party.players[1].id, party.now);
        party.players[0].data_at(now, member, &pose);
    }
    told.extend(party.told_to(1, 10 * SECOND));
    for (at, told) in told.into_iter().enumerate() {
        let now: Vec<u16> = told.iter().map(|moby| moby.id.to_bits()).collect();
        // Once each was told of, it is known which waited for the longest.
        if last.len() == usize::from(COUNT) && !now.is_empty() {
            let newest = now.iter().map(|number| last[number]).max();
            let waiting = last.iter().filter(|(number, _)| !now.contains(number));
            assert!(newest <= waiting.map(|(_, at)| *at).min(), "snapshot {at}: {now:?}");
            judged += 1;
        }
        last.extend(now.into_iter().map(|number| (number, at)));
        let five_seconds = 5 * 15;
        let oldest = last.values().min().copied().unwrap_or_default();
        assert!(at < oldest + five_seconds, "one was last told of in snapshot {oldest} of {at}");
    }
    assert!(judged > 30, "{judged}");
}

/// B6.2: also while more move than there is room for.
#[test]
fn what_rests_is_told_of_while_more_move_than_there_is_room_for() {
    const MOVING: u16 = 60;
    let mut party = playing();
    let mobys = party.row(0..MOVING + 100);
    party.ticks(10 * SECOND);
    let mut last = vec![0; mobys.len()];
    for tick in 0..20 * SECOND {
        for (number, &moby) in (0..MOVING).zip(&mobys) {
            let y = if tick % 2 == 0 { 5.0 } else { 5.1 };
            party.moves(0, moby, [f32::from(number), y, 0.0]);
        }
        for moby in party.told_to(1, 1).concat() {
            last[usize::from(moby.id.to_bits())] = tick;
        }
        let oldest = last.iter().min().copied().unwrap_or_default();
        assert!(tick <= oldest + 5 * SECOND, "one was last told of {} ticks ago", tick - oldest);
    }
}

/// B6.1: a moby is shown at the newest place told of it and not past that, though it was on its way and
/// nothing more comes.
#[test]
fn nothing_is_shown_past_the_newest_that_was_told() {
    let mut party = playing();
    let enemy = party.placed(3, ENEMY);
    let mut newest = 0.0;
    for tick in 0..180_u8 {
        let x = f32::from(tick) * 0.1;
        party.moves(0, enemy[0], [x, 0.0, 0.0]);
        party.step();
        if tick >= 90 {
            party.players[0].worlds.clear();
        } else if !party.players[0].worlds.is_empty() {
            newest = x;
        }
        party.route();
        assert!(party.position(1, enemy[1])[0] <= newest || tick < 2, "tick {tick}");
    }
    assert_eq!(party.position(1, enemy[1]), [newest, 0.0, 0.0]);
}

/// B6.1: each moby has a buffer of its own: one told of seldom stands still between, and on the straight
/// way when it is told of again.
#[test]
fn mobys_told_of_at_different_times_do_not_disturb_each_other() {
    // What rests is told of every 2 s: it sets out soon after that, and long after.
    for sets_out in [70, 100, 130, 160] {
        one_sets_out_while_the_other_moves(sets_out);
    }
}

fn one_sets_out_while_the_other_moves(sets_out: u8) {
    let mut party = playing();
    let mobys = [party.placed(3, ENEMY), party.placed(4, ENEMY)];
    party.ticks(3 * SECOND);
    let mut before = 9.0;
    for tick in 0..240_u8 {
        party.moves(0, mobys[0][0], [f32::from(tick) * 0.1, 0.0, 0.0]);
        if tick == sets_out {
            party.moves(0, mobys[1][0], [12.0, 9.0, 0.0]);
        }
        party.tick();
        let [moving, resting] = [0, 1].map(|of| party.position(1, mobys[of][1]));
        if tick > 30 {
            let lag = f32::from(tick) * 0.1 - moving[0];
            assert!((0.5..1.2).contains(&lag), "tick {tick}: {lag} behind");
        }
        assert_eq!(&resting[1..], [9.0, 0.0], "tick {tick}");
        let step = resting[0] - before;
        assert!((0.0..1.5).contains(&step), "tick {tick}: {step} in one tick");
        assert!(tick > sets_out || step == 0.0, "tick {tick}: it had not moved yet");
        before = resting[0];
    }
    assert_eq!(party.position(1, mobys[1][1]), [12.0, 9.0, 0.0]);
}
