//! Starting and ending leaves nothing behind. A test program of its own: it counts what the whole
//! process has.
#![cfg(target_os = "linux")]

mod common;

use std::time::Duration;

use common::Game;

fn count(what: &str) -> usize {
    std::fs::read_dir(format!("/proc/self/{what}")).expect("Linux has it").count()
}

fn cycle() {
    let (host, at) = Game::hosting("Host");
    let member = Game::joined("Member", at);
    assert!(member.handle.join_within(Duration::from_secs(5)));
    assert!(host.handle.join_within(Duration::from_secs(5)));
}

#[test]
fn two_hundred_cycles_leave_threads_and_descriptors_as_before() {
    cycle();
    let before = (count("task"), count("fd"));
    for _ in 0..200 {
        cycle();
    }
    assert_eq!((count("task"), count("fd")), before);
}
