//! The program as scripts call it: its answers when there is nothing to play with.

#[cfg(target_os = "linux")]
mod support;

use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Output, Stdio};

fn playground(args: &[&str]) -> Output {
    command(args).output().expect("the program runs")
}

/// The program, to be called without a display and not by cargo.
fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mp-playground"));
    command.args(args).env_remove("CARGO");
    command.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY");
    command
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
        assert!(words.starts_with("no/such.file: no such file; `cargo build "), "{words}");
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
fn a_demo_at_a_relay_that_is_not_there_is_one_line_and_status_2() {
    let free = TcpListener::bind("127.0.0.1:0").and_then(|held| held.local_addr());
    let free = free.expect("a port is free").to_string();
    let (words, status) = failure(&["--server", &free, "--library", "no/such.file"]);
    assert!(words.starts_with(&format!("no relay at {free} (")), "{words}");
    assert!(words.contains("`cargo run --release -p mp-relay` starts one"), "{words}");
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
fn a_game_that_nobody_would_play_is_refused_at_once_with_what_to_do() {
    let (words, status) = failure(&["play", "--headless", "--library", "no/such.file"]);
    assert!(words.starts_with("nobody would play: ") && words.contains("--join ADDR"), "{words}");
    assert_eq!(status, Some(2));
}

#[test]
fn where_no_mod_is_on_it_says_how_to_come_to_one() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("no_mods");
    let folder = folder.to_str().expect("is text");
    let (words, status) = failure(&["play", "--mods", folder, "--seconds", "1"]);
    assert!(words.starts_with("no mod is on: none is installed; `cargo xtask package`"), "{words}");
    assert_eq!(status, Some(2));
}

/// B1.2
#[test]
fn a_name_that_no_player_may_have_is_refused_in_words_before_anything_is_written() {
    for name in ["ab", "a name", "../escape", "/tmp/x", "Zoë", "seventeen_letters"] {
        let output = playground(&["play", "--name", name, "--headless"]);
        let words = String::from_utf8(output.stderr).expect("is text");
        let says = words.contains(&format!("`{name}` is no name for a player: 3 to 16 letters"));
        assert!(says && !output.status.success(), "{words}");
    }
}

/// What is to be refused, and ends soon if it is not.
fn briefly(words: &[&str]) -> Output {
    playground(&[words, &["--seconds", "1"]].concat())
}

#[test]
fn a_match_needs_a_server_and_a_party_is_of_one_kind() {
    for wrong in [
        &["play", "--create"][..],
        &["play", "--code", "ABCDEF"],
        &["play", "--server", "127.0.0.1", "--join", "127.0.0.1"],
        &["play", "--server", "127.0.0.1", "--create", "--host-direct"],
        &["play", "--save", "6"],
        &["--server", "no where"],
        &["--server", "127.0.0.1:7770", "--direct"],
    ] {
        assert_eq!(briefly(wrong).status.code(), Some(2), "{wrong:?}");
    }
}

#[test]
fn an_address_to_join_must_be_one() {
    for address in ["1.2.3.4:0", "1.2.3.4:65536", "host:1", "1.2.3", ""] {
        let output = briefly(&["play", "--join", address]);
        assert_eq!(output.status.code(), Some(2), "{address}");
    }
}

#[test]
fn the_faults_are_listed_and_another_is_refused_in_words() {
    let listed = playground(&["--break", "list"]);
    let words = String::from_utf8(listed.stdout).expect("is text");
    assert!(listed.status.success() && words.contains("poses-shifted "), "{words}");
    let refused = playground(&["--break", "bolt-thrice"]);
    let words = String::from_utf8(refused.stderr).expect("is text");
    assert_eq!(refused.status.code(), Some(2));
    assert!(words.contains("bolt-thrice"), "{words}");
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

#[test]
fn what_can_not_be_is_refused_before_a_run_with_what_can() {
    for (wrong, words) in [
        (&["play", "--server", "h", "--code", "abc"][..], "a code has 6 characters of 23456789ABC"),
        (&["--picture", "a.jpg"], "a picture is written as .png"),
        (&["--clip", "a.mp4"], "a clip is written as .gif"),
        (&["--report", "no/such/a.json"], "there is no folder no/such"),
        (&["--server", "127.0.0.1:0"], "such as localhost or 127.0.0.1:7770"),
        (&["play", "--mods", "m", "--port", "1"], "`mods set multiplayer DirectPort 1`"),
        (&["play", "--mods", "m", "--server", "h", "--create"], "`mods set multiplayer Server h`"),
    ] {
        let refused = briefly(wrong);
        let said = String::from_utf8(refused.stderr).expect("is text");
        assert!(said.contains(words), "{wrong:?}: {said}");
        assert_eq!(refused.status.code(), Some(2), "{wrong:?}");
    }
}

/// As with `| head -1`.
#[cfg(target_os = "linux")]
#[test]
fn a_run_goes_on_to_its_end_when_nobody_reads_what_it_prints_any_more() {
    let library = support::compile("mod.c");
    let library = library.to_str().expect("is text");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("nobody_reads");
    if folder.exists() {
        std::fs::remove_dir_all(&folder).expect("the last run's folder can go");
    }
    std::fs::create_dir_all(&folder).expect("can be made");
    let [report, work_dir] = ["report.json", "work"].map(|name| folder.join(name));
    let [report_file, work_dir] = [&report, &work_dir].map(|file| file.to_str().expect("is text"));
    let words = ["play", "--headless", "--seconds", "1", "--report", report_file];
    let mut run = command(&[&words[..], &["--library", library, "--work-dir", work_dir]].concat());
    let mut run = run.stdout(Stdio::piped()).spawn().expect("the program runs");
    drop(run.stdout.take());
    assert_eq!(run.wait().expect("it ends").code(), Some(0));
    assert!(report.exists());
}

/// Where there is no display, or none that answers, it says so in one line and plays on.
#[cfg(target_os = "linux")]
#[test]
fn without_a_display_it_plays_on_without_a_window_unless_one_was_asked_for() {
    let library = support::compile("mod.c");
    let library = library.to_str().expect("is text");
    let work_dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("no_display");
    let work_dir = work_dir.to_str().expect("is text");
    let play = ["play", "--seconds", "1", "--library", library, "--work-dir", work_dir];
    for display in [None, Some(":98765"), Some("not a display")] {
        let mut quiet = command(&play);
        let mut asked = command(&play);
        asked.arg("--window");
        if let Some(display) = display {
            quiet.env("DISPLAY", display);
            asked.env("DISPLAY", display);
        }
        let quiet = quiet.output().expect("the program runs");
        let (out, words) = (String::from_utf8_lossy(&quiet.stdout), quiet.stderr);
        let said = out.lines().filter(|line| line.starts_with("no window: ")).count();
        assert_eq!((said, quiet.status.code()), (1, Some(0)), "{out}");
        assert!(out.contains("the game stays at its title for 1 s"), "{out}");
        let none = "without --server the mod's Server is 127.0.0.1:1, where none is";
        assert_eq!(out.matches(none).count(), 1, "{out}");
        assert_eq!(String::from_utf8_lossy(&words), "", "nothing of it is an error");
        let asked = asked.output().expect("the program runs");
        let words = String::from_utf8_lossy(&asked.stderr).into_owned();
        assert!(words.starts_with("no window: ") && words.lines().count() == 1, "{words}");
        assert_eq!(asked.status.code(), Some(1));
    }
}
