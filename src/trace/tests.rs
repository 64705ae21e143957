//! Which lines are written, how many, and what a slow disk costs (behaviour.md 9).

use super::*;
use mp_netcode::ServerTime;
use mp_protocol::List;
use mp_protocol::game::{
    AnimTime, Killed, Kind, Level, MobyAngle, MobyAnimSpeed, MobyFlags, MobyId, MobyKey, World,
    WorldMoby,
};

use crate::game::{Gone, Kinds, Phase};
use crate::hooks::Happened;
use crate::tests::fake::FakeGame;
use crate::world::Refused;

fn at(millis: u64) -> LocalTime {
    LocalTime::from_micros(millis * 1_000)
}

/// A trace, and what its writer writes when it is over.
fn traced(run: impl FnOnce(&Trace)) -> String {
    let (outlet, drain) = channel();
    let trace = Trace::to(outlet);
    run(&trace);
    trace.flush();
    drop(trace);
    let mut written = Vec::new();
    drain.run(&mut written);
    String::from_utf8(written).expect("lines are text")
}

/// B9.1
#[test]
fn a_line_says_when_whose_and_what() {
    let lines = traced(|trace| {
        trace.begin(42, at(1_500), Role::Member);
        trace.line(What::Msg, |line| write!(line, "KILLED keys={}", 3));
        trace.begin(43, at(1_517), Role::Host);
        trace.line(What::Eyes, |line| write!(line, "none"));
    });
    assert_eq!(
        lines,
        "[mp-trace] f=42 t=1500 member msg KILLED keys=3\n[mp-trace] f=43 t=1517 host eyes none\n"
    );
}

/// B9.1: off, nothing is formatted.
#[test]
fn a_trace_that_is_off_formats_nothing() {
    let trace = Trace::default();
    trace.begin(1, at(0), Role::Solo);
    trace.line(What::Msg, |_| panic!("formatted"));
    trace.flush();
    assert!(!trace.is_on());
}

/// B9.1: 2,000 lines a second, the rest counted in one.
#[test]
fn more_lines_than_a_second_holds_are_counted_in_one() {
    let lines = traced(|trace| {
        trace.begin(1, at(1_000), Role::Solo);
        for _ in 0..LINES_PER_SECOND + 7 {
            trace.line(What::Snap, |line| write!(line, "x"));
        }
        trace.begin(2, at(1_999), Role::Solo);
        trace.line(What::Snap, |_| panic!("the second is full"));
        trace.begin(3, at(2_000), Role::Solo);
        trace.line(What::Snap, |line| write!(line, "again"));
    });
    assert_eq!(lines.lines().filter(|line| line.ends_with(" snap x")).count(), 2_000);
    let last: Vec<_> = lines.lines().rev().take(2).collect();
    assert_eq!(
        last,
        ["[mp-trace] f=3 t=2000 solo snap again", "[mp-trace] f=3 t=2000 solo over lines=8"]
    );
}

/// B9.1: it never blocks the game's thread on the disk.
#[test]
fn a_writer_that_stands_still_costs_lines_that_are_counted() {
    let (outlet, drain) = channel();
    let trace = Trace::to(outlet);
    for tick in 0..u64::try_from(BUFFERS).expect("few") + 5 {
        trace.begin(tick, at(tick), Role::Solo);
        trace.line(What::Snap, |line| write!(line, "x"));
        trace.flush();
    }
    let writer = std::thread::scope(|scope| {
        let written = scope.spawn(move || {
            let mut written = Vec::new();
            drain.run(&mut written);
            String::from_utf8(written).expect("lines are text")
        });
        // The writer has taken something when a buffer came back; from then on there is room.
        while trace.0.as_ref().expect("on").borrow_mut().outlet.spare().capacity() == 0 {
            std::hint::spin_loop();
        }
        trace.begin(100, at(1_000), Role::Solo);
        trace.flush();
        drop(trace);
        written.join().expect("it writes to memory")
    });
    assert_eq!(writer.lines().filter(|line| line.ends_with(" snap x")).count(), BUFFERS);
    assert!(writer.ends_with("over lines=5\n"), "{writer}");
}

/// A disk that is full.
struct Full;

impl std::io::Write for Full {
    fn write(&mut self, _buffer: &[u8]) -> std::io::Result<usize> {
        Err(std::io::ErrorKind::StorageFull.into())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// B3.5, B9.1
#[test]
fn a_full_disk_is_said_once() {
    let (outlet, drain) = channel();
    let trace = Trace::to(outlet);
    let lines = |trace: &Trace, tick| {
        trace.begin(tick, at(tick), Role::Solo);
        trace.line(What::Snap, |line| write!(line, "x"));
        trace.flush();
    };
    lines(&trace, 1);
    lines(&trace, 2);
    std::thread::scope(|scope| {
        scope.spawn(move || drain.run(&mut Full));
        let words = loop {
            if let Some(words) = trace.trouble() {
                break words;
            }
            std::hint::spin_loop();
        };
        assert!(!words.is_empty());
        lines(&trace, 3);
        assert_eq!(trace.trouble(), None);
        drop(trace);
    });
}

/// What is done to a game in a tick.
type Tick<'a> = &'a mut dyn FnMut(&FakeGame, &mut Watch);

/// What a watch tells over some ticks of a game.
fn watched(ticks: &mut [Tick]) -> Vec<String> {
    let lines = traced(|trace| {
        let (game, mut watch) = (FakeGame::default(), Watch::new(trace.clone()));
        for (tick, play) in (1u64..).zip(ticks.iter_mut()) {
            watch.begin(&game, Role::Solo, "Nova_7", at(tick * 17));
            play(&game, &mut watch);
            // Of one that is gone nothing is known.
            let here = |handle| game.world.moby(handle).is_some();
            let known = |handle| {
                if here(handle) {
                    Known { id: Some(0x8001), driven: true }
                } else {
                    Known::default()
                }
            };
            let eyes = [[1.0, 2.0, 3.0]];
            let server = Some(ServerTime::from_millis(77));
            let sight = Sight { server, known: &known, eyes: &eyes };
            watch.end(&game, &sight, at(tick * 17));
        }
    });
    lines.lines().map(|line| line.split_once(" solo ").expect("a role").1.to_owned()).collect()
}

/// B9.1: pause, vis, run, drive, eyes and census.
#[test]
fn what_changes_in_the_game_is_told() {
    let lines = watched(&mut [
        &mut |game, _| {
            game.level.set(Some(3));
            game.phase.set(Phase::Playing);
            game.world.put(Some(7), Kinds::ENEMY, [1.0, 2.0, 3.0]);
        },
        &mut |game, _| {
            let moby = game.world.mobys.borrow()[0].handle;
            game.world.change(moby, |moby| {
                (moby.hidden, moby.ran, moby.health) = (!moby.hidden, !moby.ran, 0.0);
                moby.update_distance = 64.0;
            });
        },
        &mut |game, _| game.phase.set(Phase::Paused),
    ]);
    let told = lines.join("\n");
    for words in [
        "pause phase Playing level=3",
        "pause phase Playing -> Paused level=3",
        "vis hidden moby=",
        "run ",
        "update=64.0",
        "census mobys=1 came=0 went=0 500:1",
        "clock server_ms=77",
        "eyes at=1.00,2.00,3.00",
        "drive driven moby=1 class=500 key=7",
    ] {
        assert!(told.contains(words), "{words:?} is not in\n{told}");
    }
}

/// B9.1: despawn says who removed it.
#[test]
fn a_moby_that_goes_is_told_with_who_removed_it() {
    let lines = watched(&mut [
        &mut |game, _| {
            game.level.set(Some(3));
            game.phase.set(Phase::Playing);
            game.world.put(Some(7), Kinds::ENEMY, [1.0, 2.0, 3.0]);
            game.world.put(Some(8), Kinds::ENEMY, [1.0, 2.0, 3.0]);
        },
        &mut |game, watch| {
            let moby = game.world.mobys.borrow()[0].handle;
            game.world.remove(moby);
            watch.happened(&Happened::Gone { moby, how: Gone::Other, by: Some(moby) });
        },
        &mut |game, _| {
            let moby = game.world.mobys.borrow()[0].handle;
            game.world.remove(moby);
        },
    ]);
    let told: Vec<_> = lines.iter().filter(|line| line.starts_with("despawn ")).collect();
    assert_eq!(told.len(), 2, "{lines:?}");
    assert!(told[0].contains("key=7 shared=0x8001 driven by=moby:"), "{told:?}");
    assert!(told[0].contains("at=1.00,2.00,3.00"), "{told:?}");
    assert!(told[1].contains("key=8") && told[1].contains("by=vanished"), "{told:?}");
}

/// B9.1: msg and snap, sent, received and dropped.
#[test]
fn messages_of_the_world_are_told_and_snapshots_by_what_changed_in_them() {
    let (peer, level) = (SessionId(7), Level::new(3).expect("a level"));
    let key = |key| MobyKey::new(key).expect("a key");
    let world = |keys: &[u16]| {
        let moby = |at: &u16| WorldMoby {
            id: MobyId::Key(key(*at)),
            position: [0.0; 3],
            rotation: [MobyAngle::from_f32(0.0).expect("in range"); 3],
            seq: 0,
            frame: 0,
            anim_time: AnimTime::from_f32(0.0).expect("in range"),
            anim_speed: MobyAnimSpeed::from_f32(1.0).expect("in range"),
            flags: MobyFlags::default(),
        };
        keys.iter().map(moby).collect::<Vec<_>>()
    };
    let lines = traced(|trace| {
        trace.begin(1, at(0), Role::Host);
        let keys = [key(4), key(9)];
        trace.message(Way::Out, None, &Killed { level, keys: List::from(&keys[..]) }.into());
        for keys in [&[1, 2, 3][..], &[2, 3, 5]] {
            let mobys = world(keys);
            let snapshot = World { level, stamp_ms: 1, mobys: List::from(&mobys[..]) };
            trace.message(Way::In, Some(peer), &snapshot.into());
        }
        trace.dropped(peer, &Refused::NoMoby(Kind::Hit));
        // What one told who left is not kept.
        trace.left(peer);
        let mobys = world(&[5]);
        let snapshot = World { level, stamp_ms: 1, mobys: List::from(&mobys[..]) };
        trace.message(Way::In, Some(peer), &snapshot.into());
    });
    let told: Vec<_> =
        lines.lines().map(|line| line.split_once(" host ").expect("a role").1).collect();
    assert_eq!(
        told,
        [
            "msg out KILLED to=all level=3 keys=4,9",
            "snap in from=7 level=3 count=3 added=1,2,3",
            "snap in from=7 level=3 count=3 added=5 missing=1",
            "msg dropped from=7 why=Hit of no moby",
            "snap in from=7 level=3 count=1 added=5",
        ]
    );
}

/// A game may have ended when its disk turns out to be full.
#[test]
fn a_full_disk_that_nobody_is_left_to_hear_of_ends_the_writer_quietly() {
    let (outlet, drain) = channel();
    let trace = Trace::to(outlet);
    trace.begin(1, at(1), Role::Solo);
    trace.line(What::Snap, |line| write!(line, "x"));
    trace.flush();
    drop(trace);
    drain.run(&mut Full);
}
