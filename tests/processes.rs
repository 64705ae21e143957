//! Parties of processes, one of which is killed. The processes are this program again (common/process.rs).
#![allow(
    clippy::disallowed_types,
    clippy::disallowed_methods,
    reason = "end to end: real sockets, processes and time"
)]

use std::net::SocketAddrV4;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

use libtest_mimic::{Arguments, Failed, Trial};
use mp_playground::game::Phase;
use process::Process;
use table::Table;

#[path = "common/library.rs"]
mod library;
#[path = "common/process.rs"]
mod process;
#[path = "common/table.rs"]
mod table;

fn main() -> ExitCode {
    if let Some(code) = process::program() {
        return code;
    }
    let trials = vec![
        Trial::test(
            "a_killed_member_leaves_the_hosts_game_running_and_its_page_says_so",
            a_killed_member_leaves_the_hosts_game_running,
        ),
        Trial::test(
            "a_killed_host_leaves_the_members_game_running_and_its_page_says_why",
            a_killed_host_leaves_the_members_game_running,
        ),
        Trial::test(
            "a_demo_of_processes_over_its_relay_says_which_game_was_killed_and_judges_the_others",
            a_demo_says_which_game_was_killed,
        ),
        Trial::test(
            "a_demo_that_is_told_to_end_leaves_no_game_behind",
            a_demo_that_is_told_to_end_leaves_no_game,
        ),
        Trial::test(
            "the_environment_turns_the_trace_on_whatever_the_setting_says",
            the_environment_turns_the_trace_on,
        ),
        Trial::test(
            "a_killed_relay_takes_everyone_to_the_title_which_says_so",
            a_killed_relay_takes_everyone_to_the_title,
        ),
        Trial::test(
            "a_member_killed_on_the_way_to_a_planet_is_waited_for_no_longer",
            a_member_killed_on_the_way_is_waited_for_no_longer,
        ),
    ];
    let mut arguments = Arguments::from_args();
    // They wait far more than they compute.
    arguments.test_threads.get_or_insert(trials.len());
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// Both in the level, each with the other in sight.
fn party() -> Result<(Process, Process), Failed> {
    let mut host = Process::play("Alex", &["--host-direct", "--port", "0"]);
    let hosting = host.line("hosting: ")?;
    let port = hosting.rsplit([':', ' ']).next().unwrap_or_default().to_owned();
    let address: SocketAddrV4 = format!("127.0.0.1:{port}").parse()?;
    let mut member = Process::play("Blair", &["--join", &address.to_string()]);
    host.line("sees Blair")?;
    member.line("sees Alex")?;
    Ok((host, member))
}

/// A demo of three games that play, and the number of Casey's process.
fn demo(seconds: &str, more: &[&str]) -> Result<(Process, String), Failed> {
    let demo = ["demo", "--processes", "--players", "3", "--seconds", seconds];
    let mut demo = Process::run(&[&demo, more].concat());
    demo.line("code: ")?;
    for (name, others) in [("Alex", "Casey"), ("Casey", "Alex")] {
        demo.line_of(name, &[" sees ", others])?;
    }
    let children = format!("/proc/{0}/task/{0}/children", demo.id());
    for child in std::fs::read_to_string(children)?.split_whitespace() {
        let words = std::fs::read_to_string(format!("/proc/{child}/cmdline"))?;
        if words.contains("Casey") {
            return Ok((demo, child.to_owned()));
        }
    }
    Err("Casey has no process".into())
}

fn a_demo_says_which_game_was_killed() -> Result<(), Failed> {
    let report = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("killed.json");
    let (mut demo, casey) = demo("5", &["--report", report.to_str().expect("is text")])?;
    if !Command::new("kill").args(["-KILL", &casey]).status()?.success() {
        return Err("Casey's process cannot be killed".into());
    }
    demo.line("failed: runs-to-the-end: the game of Casey ended with signal: 9")?;
    demo.line("report: ")?;
    let report = std::fs::read_to_string(report)?;
    if demo.said().iter().any(|line| line.contains("tracks: ")) {
        return Err("it names files that go with the run".into());
    }
    if !report.contains("\"name\": \"Blair\"") || !report.contains("\"ok\": false") {
        return Err(report.into());
    }
    if demo.ended()?.success() {
        return Err("it says that all was well".into());
    }
    Ok(())
}

fn a_demo_that_is_told_to_end_leaves_no_game() -> Result<(), Failed> {
    let (mut demo, casey) = demo("60", &[])?;
    demo.end()?;
    if PathBuf::from(format!("/proc/{casey}")).exists() {
        return Err("Casey's game still runs".into());
    }
    Ok(())
}

/// B5.9
fn a_killed_member_leaves_the_hosts_game_running() -> Result<(), Failed> {
    let (mut host, mut member) = party()?;
    member.kill()?;
    host.line("PLAYING sees nobody (Blair left)")?;
    host.end()?;
    Ok(())
}

/// B5.9
fn a_killed_host_leaves_the_members_game_running() -> Result<(), Failed> {
    let (mut host, mut member) = party()?;
    host.kill()?;
    member.line("The host went away")?;
    member.end()?;
    member.line("footer: The host went away")?;
    Ok(())
}

/// B1.3
fn the_environment_turns_the_trace_on() -> Result<(), Failed> {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("traced");
    for (value, traced) in [("1", true), ("0", false)] {
        drop(std::fs::remove_dir_all(&folder));
        std::fs::create_dir_all(&folder)?;
        let words = ["play", "--headless", "--seconds", "1", "--name", "Nova"];
        let mut game = process::command(&words);
        game.arg("--work-dir").arg(&folder).env("OPENRAC_MP_TRACE", value);
        if !Process::start(game).ended()?.success() {
            return Err("the game did not end well".into());
        }
        let trace = folder.join("Nova/mp-trace.log");
        assert_eq!(trace.exists(), traced, "OPENRAC_MP_TRACE={value}");
    }
    Ok(())
}

/// B2.9, B5.9: nothing is said on the way out, as when its computer goes.
fn a_killed_relay_takes_everyone_to_the_title() -> Result<(), Failed> {
    let mut relay = Process::run(&["relay", "--listen", "127.0.0.1:0"]);
    let server = relay.line("listening on ")?.replace("listening on ", "");
    let mut host = Process::play("Alex", &["--server", &server, "--create"]);
    let code = host.line("code: ")?.replace("code: ", "");
    let mut member = Process::play("Blair", &["--server", &server, "--code", &code]);
    host.line("sees Blair")?;
    member.line("sees Alex")?;
    relay.kill()?;
    for game in [&mut host, &mut member] {
        game.line("The server went away")?;
        game.end()?;
    }
    Ok(())
}

/// B5.5, B5.8: the host is a game of this process, the member that crashes is not.
fn a_member_killed_on_the_way_is_waited_for_no_longer() -> Result<(), Failed> {
    const ARRIVALS: &str = "Waiting for the other players to arrive";
    let (mut table, port) = Table::with_host("Alex", 1);
    let mut member = Process::play("Blair", &["--join", &format!("127.0.0.1:{port}")]);
    table.until_all_play();
    table.until("the member is seen", |table| table.figure(0, "Blair").is_some());
    table.fly(0, 1);
    table.until("the member follows", |table| table.figure(0, "Blair").is_none());
    // It stands still, as a game that hangs, until the host waits for it.
    member.signal("STOP")?;
    table.until("the host waits", |table| {
        table.screen(0).held.as_deref() == Some(ARRIVALS) && table.screen(0).phase == Phase::Playing
    });
    table.ticks(30);
    assert_eq!(table.screen(0).held.as_deref(), Some(ARRIVALS));
    member.kill()?;
    table.until("the host has control", |table| table.has_control(0));
    table.end();
    Ok(())
}
