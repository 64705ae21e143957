//! Negative controls: a run without a fault is good, and one with a deliberate fault fails and names the
//! invariant that the fault breaks. Each is a demo of the built library over real sockets.

#[path = "common/library.rs"]
mod library;

use std::path::PathBuf;

use mp_playground::invariants::Invariant;
use mp_playground::run::{Break, Demo, Report, demo};

/// Long enough to see one leave, and that its figure stays, and to break a crate.
const SECONDS: u32 = 14;

fn played(fault: Option<Break>) -> Report {
    let name = fault.map_or("none", Break::name);
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("breaks").join(name);
    // What an earlier run left is no card to begin with.
    if folder.exists() {
        std::fs::remove_dir_all(&folder).expect("the last run's folder can be removed");
    }
    let options = Demo {
        seconds: SECONDS,
        players: 2,
        seed: 1,
        fault,
        work_dir: Some(folder),
        library: Some(library::library()),
        ..Demo::default()
    };
    demo(&options).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// What is wrong with the run of a fault: it must fail, and name what the fault breaks.
fn unnoticed(fault: Break) -> Option<String> {
    let report = played(Some(fault));
    let named = report.broken.iter().any(|broken| broken.invariant == fault.breaks());
    (report.ok || !named).then(|| format!("{fault} ({}): {:?}", fault.breaks(), report.broken))
}

#[test]
fn each_fault_fails_its_run_and_is_named_and_a_run_without_one_names_none() {
    let faults = Break::ALL;
    // Runs in real time, which mostly wait: all at once.
    let (unnoticed, good) = std::thread::scope(|scope| {
        let runs: Vec<_> =
            faults.iter().map(|&fault| scope.spawn(move || unnoticed(fault))).collect();
        let good = played(None);
        let ended = runs.into_iter().map(|run| run.join().expect("a run ends"));
        (ended.flatten().collect::<Vec<String>>(), good)
    });
    assert!(unnoticed.is_empty(), "not noticed:\n{}", unnoticed.join("\n"));
    // How well figures are shown hangs on how busy the machine is; the rest does not.
    let steady = [Invariant::NoFigureLeft, Invariant::CardKept, Invariant::InterfaceRules];
    let broken = good.broken.iter().filter(|broken| steady.contains(&broken.invariant));
    assert_eq!(broken.count(), 0, "{:?}", good.broken);
    shared_world_is_told(&good);
}

/// What the report says of the shared world was measured, for the host as for its member.
fn shared_world_is_told(report: &Report) {
    let [host, member] = &report.players[..] else { panic!("two play: {:?}", report.players) };
    assert!(host.world.driven == 0 && host.world.error_units.is_none(), "{:?}", host.world);
    let world = member.world;
    assert!(world.driven > 0 && world.error_units.is_some() && world.age_ms.is_some(), "{world:?}");
    for player in [host, member] {
        let (bolts, kills) = (player.bolts, player.kills);
        assert!(bolts.claims.is_some() && kills.is_some(), "{bolts:?}, {kills:?}");
    }
    assert!(host.bolts.dropped > 0 && host.bolts.refused <= host.bolts.claims, "{:?}", host.bolts);
}
