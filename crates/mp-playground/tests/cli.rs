//! The program as scripts call it: its answers when there is nothing to play with.

use std::path::Path;
use std::process::{Command, Output};

fn playground(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mp-playground"));
    command.args(args).env_remove("CARGO").output().expect("the program runs")
}

/// What it wrote to stderr, which must be one line, and its exit status.
fn failure(args: &[&str]) -> (String, Option<i32>) {
    let output = playground(args);
    let words = String::from_utf8(output.stderr).expect("is text");
    assert_eq!(words.lines().count(), 1, "{words}");
    (words, output.status.code())
}

#[test]
fn a_library_that_is_not_there_is_one_line_and_status_2() {
    for command in ["demo", "play"] {
        let (words, status) = failure(&[command, "--library", "no/such.file"]);
        assert!(words.starts_with("no/such.file: "), "{words}");
        assert_eq!(status, Some(2));
    }
}

#[test]
fn a_file_that_is_no_library_is_one_line_and_status_2() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
    let (words, status) = failure(&["--library", file.to_str().expect("is text")]);
    assert!(words.contains("not a library this system loads"), "{words}");
    assert_eq!(status, Some(2));
}

#[test]
fn a_build_that_cannot_be_started_is_one_line_and_status_2() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mp-playground"));
    let output = command.env("CARGO", "no/such/cargo").output().expect("the program runs");
    let words = String::from_utf8(output.stderr).expect("is text");
    assert!(words.starts_with("cannot build the mod: no/such/cargo: "), "{words}");
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn a_server_is_refused_in_words_until_there_is_one() {
    let (words, status) = failure(&["--server", "127.0.0.1:7770"]);
    assert!(words.starts_with("no relay yet"), "{words}");
    assert_eq!(status, Some(1));
}

#[test]
fn an_address_to_join_must_be_one() {
    for address in ["1.2.3.4:0", "1.2.3.4:65536", "host:1", "1.2.3", ""] {
        let output = playground(&["play", "--join", address]);
        assert_eq!(output.status.code(), Some(2), "{address}");
    }
}

#[test]
fn the_faults_are_listed_and_one_that_nothing_would_notice_is_refused_in_words() {
    let listed = playground(&["--break", "list"]);
    let words = String::from_utf8(listed.stdout).expect("is text");
    assert!(listed.status.success() && words.contains("poses-shifted "), "{words}");
    let refused = playground(&["--break", "bolt-twice"]);
    let words = String::from_utf8(refused.stderr).expect("is text");
    assert_eq!(refused.status.code(), Some(2));
    assert!(words.contains("`bolt-twice` cannot be detected yet"), "{words}");
}

#[test]
fn a_link_and_a_recorded_pad_must_be_such() {
    for conditions in ["latency", "latency=60,latency=1", "loss=101", "speed=1"] {
        let output = playground(&["--conditions", conditions]);
        assert_eq!(output.status.code(), Some(2), "{conditions}");
    }
    let both = playground(&["play", "--pad", "a.pad", "--seed", "2"]);
    assert_eq!(both.status.code(), Some(2), "a recorded pad has its own seed");
}
