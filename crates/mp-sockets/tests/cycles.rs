//! Starting and ending leaves nothing behind. A test program of its own: it counts what the whole
//! process has.
#![cfg(target_os = "linux")]

mod common;

use std::time::{Duration, Instant};

use common::{Game, PATIENCE, is_info};
use mp_sockets::Destination;

fn count(what: &str) -> usize {
    std::fs::read_dir(format!("/proc/self/{what}")).expect("Linux has it").count()
}

fn cycle() {
    let (host, at) = Game::hosting("Host");
    let mut member = Game::new("Member");
    member.connect(1, Destination::Name { host: "localhost".into(), port: at.port() });
    member.wait("INFO", |event| is_info(event).then_some(()));
    assert!(member.handle.join_within(Duration::from_secs(5)));
    assert!(host.handle.join_within(Duration::from_secs(5)));
}

#[test]
fn two_hundred_cycles_leave_threads_and_descriptors_as_before() {
    cycle();
    let before = [count("task"), count("fd")];
    for _ in 0..200 {
        cycle();
    }
    // The thread that looked the last name up has told what it found, and is about to be gone; so may
    // one of those counted before have been.
    let deadline = Instant::now() + PATIENCE;
    loop {
        let after = [count("task"), count("fd")];
        if after[0] <= before[0] && after[1] <= before[1] {
            return;
        }
        assert!(Instant::now() < deadline, "{after:?} threads and descriptors, not {before:?}");
        std::thread::yield_now();
    }
}
