//! A party of two processes, one of which is killed. The processes are this program again: called with
//! `play` it is one game, as `mp-playground play` is; else it is the tests.
#![allow(
    clippy::disallowed_types,
    clippy::disallowed_methods,
    reason = "end to end: real sockets, processes and time"
)]

use std::collections::VecDeque;
use std::io::{BufRead as _, BufReader};
use std::net::SocketAddrV4;
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use libtest_mimic::{Arguments, Failed, Trial};
use mp_playground::bots::Habit;
use mp_playground::run::{Party, Play, play};

#[path = "common/library.rs"]
mod library;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [_, "play", name, "host"] => one_game(name, Party::Host { ready: 1 }),
        [_, "play", name, address] => {
            one_game(name, Party::Join(address.parse().expect("an address and a port")))
        }
        _ => {
            let trials = vec![
                Trial::test(
                    "a_killed_member_leaves_the_hosts_game_running_and_its_page_says_so",
                    a_killed_member_leaves_the_hosts_game_running,
                ),
                Trial::test(
                    "a_killed_host_leaves_the_members_game_running_and_its_page_says_why",
                    a_killed_host_leaves_the_members_game_running,
                ),
            ];
            libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
        }
    }
}

/// Plays until told to end.
fn one_game(name: &str, party: Party) -> ExitCode {
    let options = Play {
        name: name.to_owned(),
        party,
        bot: Habit::Walk,
        seed: 1,
        library: Some(library::library()),
        ..Play::default()
    };
    match play(&options) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

/// A game in a process of its own. Killed if the test ends first.
struct Process {
    child: Child,
    lines: Receiver<String>,
    said: VecDeque<String>,
}

impl Process {
    fn play(name: &str, with: &str) -> Self {
        let program = std::env::current_exe().expect("a test knows where it lies");
        let mut child = Command::new(program)
            .args(["play", name, with])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .expect("starts");
        let (send, lines) = channel();
        let stdout = BufReader::new(child.stdout.take().expect("is piped"));
        std::thread::spawn(move || {
            // Ends with the process, or with the test.
            stdout.lines().map_while(Result::ok).try_for_each(|line| send.send(line))
        });
        Self { child, lines, said: VecDeque::new() }
    }

    /// The next line that has these words.
    fn line(&mut self, words: &str) -> Result<String, Failed> {
        let end = Instant::now() + library::PATIENCE;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left) {
                Ok(line) if line.contains(words) => return Ok(line),
                Ok(line) => self.said.push_back(line),
                Err(why) => return Err(self.missing(words, why)),
            }
        }
    }

    fn missing(&self, words: &str, why: RecvTimeoutError) -> Failed {
        let said: Vec<&str> = self.said.iter().map(String::as_str).collect();
        format!("no line with {words:?}: {why}; it said:\n{}", said.join("\n")).into()
    }

    fn kill(&mut self) -> Result<(), Failed> {
        self.child.kill()?;
        self.child.wait()?;
        Ok(())
    }

    /// Tells it to end, as an operator or a Ctrl+C does, and waits for it.
    fn end(&mut self) -> Result<(), Failed> {
        let id = self.child.id().to_string();
        let told = Command::new("kill").args(["-TERM", &id]).status()?;
        if !told.success() {
            return Err(format!("kill -TERM {id}: {told}").into());
        }
        let end = Instant::now() + Duration::from_secs(20);
        while self.child.try_wait()?.is_none() {
            if Instant::now() > end {
                return Err("it did not end when told to".into());
            }
            std::thread::yield_now();
        }
        Ok(())
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // One that has ended cannot be killed, which is as good.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Both in the level, each with the other in sight.
fn party() -> Result<(Process, Process), Failed> {
    let mut host = Process::play("Alex", "host");
    let hosting = host.line("hosting: ")?;
    let port = hosting.rsplit([':', ' ']).next().unwrap_or_default().to_owned();
    let address: SocketAddrV4 = format!("127.0.0.1:{port}").parse()?;
    let mut member = Process::play("Blair", &address.to_string());
    host.line("sees Blair")?;
    member.line("sees Alex")?;
    Ok((host, member))
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
