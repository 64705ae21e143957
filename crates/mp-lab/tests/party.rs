//! Runs of whole parties: that they hold, that equal seeds give equal ones, and that what does not hold
//! is found.

use mp_lab::{Lab, NAMES, Options, Place};

/// Seeds played in each test that plays many. A machine with time to spare plays more of them with the
/// program.
const SEEDS: u64 = 24;

fn options(seed: u64, chaos: bool) -> Options {
    Options { seed, seconds: 10, players: 4, conditions: None, chaos }
}

fn hold(chaos: bool) {
    let mut places = Vec::new();
    for seed in 1..=SEEDS {
        let outcome = Lab::new(options(seed, chaos)).run();
        assert_eq!(outcome.failed, None, "seed {seed}");
        places.push(outcome.place);
    }
    assert!(places.contains(&Place::Relay) && places.contains(&Place::Direct));
}

#[test]
fn parties_hold() {
    hold(false);
}

#[test]
fn parties_hold_whatever_happens() {
    hold(true);
}

#[test]
fn equal_seeds_give_equal_runs_and_others_others() {
    let run = |seed| Lab::new(options(seed, true)).run();
    let first = run(7);
    assert_eq!(first, run(7));
    assert_ne!(first.digest, run(8).digest);
}

#[test]
fn a_party_of_two_and_bad_links_hold() {
    let conditions = "latency=60,jitter=20,loss=2,duplicate=1,reorder=1".parse().ok();
    for seed in 1..=4 {
        let options = Options { players: 2, conditions, ..options(seed, false) };
        assert_eq!(Lab::new(options).run().failed, None, "seed {seed}");
    }
}

#[test]
fn a_figure_of_nobody_is_found() {
    let mut lab = Lab::new(options(3, false));
    while !lab.is_together() {
        lab.tick();
    }
    assert_eq!(lab.broken(), [""; 0]);
    lab.change(1, |game| {
        game.figure_make("Nobody").expect("it is in a level");
    });
    // A figure may stay 8 s of one who was lost.
    for _ in 0..600 {
        lab.tick();
    }
    let broken = lab.broken().join("\n");
    assert!(broken.contains(&format!("{} has a figure of Nobody", NAMES[1])), "{broken}");
}
