//! Processes of a test: the test program again, called with `play` or `demo` as mp-playground, with `relay`
//! as openrac-relay.
#![allow(dead_code, reason = "each program that includes this uses its part")]

use std::ffi::OsString;
use std::io::{self, BufRead as _, BufReader, Read, Write as _};
use std::process::{Child, Command, ExitCode, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use libtest_mimic::Failed;

use super::library::{PATIENCE, library};

/// What this process is to be, if it is not the tests.
pub fn program() -> Option<ExitCode> {
    let words: Vec<OsString> = std::env::args_os().collect();
    match words.get(1).and_then(|word| word.to_str()) {
        Some("play" | "demo") => Some(mp_playground::cli::run(words)),
        Some("relay") => Some(mp_relay::program::run(words.into_iter().skip(1))),
        _ => None,
    }
}

/// This program again, with those words.
pub fn command(words: &[&str]) -> Command {
    let program = std::env::current_exe().expect("a test knows where it lies");
    let mut command = Command::new(program);
    command.args(words);
    if words.first() != Some(&"relay") {
        command.arg("--library").arg(library());
    }
    command
}

/// A process. Killed if the test ends first.
pub struct Process {
    child: Child,
    lines: Receiver<String>,
    said: Vec<String>,
    /// How many of these a wanted line was looked for in.
    passed: usize,
}

impl Process {
    /// A game whose bot walks about.
    pub fn play(name: &str, party: &[&str]) -> Self {
        Self::run(&[&["play", "--headless", "--bot", "walk", "--name", name], party].concat())
    }

    pub fn run(words: &[&str]) -> Self {
        Self::start(command(words))
    }

    pub fn start(mut command: Command) -> Self {
        Self::spawn(command.stdin(Stdio::null())).expect("starts")
    }

    /// One that is told what to do, line by line, if there is such a program.
    pub fn commanded(mut command: Command) -> io::Result<Self> {
        Self::spawn(command.stdin(Stdio::piped()))
    }

    fn spawn(command: &mut Command) -> io::Result<Self> {
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
        let (send, lines) = channel();
        read(child.stdout.take().expect("is piped"), send.clone());
        read(child.stderr.take().expect("is piped"), send);
        Ok(Self { child, lines, said: Vec::new(), passed: 0 })
    }

    /// Tells it a line.
    pub fn tell(&mut self, line: &str) -> io::Result<()> {
        let stdin = self.child.stdin.as_mut().expect("it is commanded");
        writeln!(stdin, "{line}")
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// The next line that has these words.
    pub fn line(&mut self, words: &str) -> Result<String, Failed> {
        self.line_of("", &[words])
    }

    /// The next line that begins with that name and has all of these words.
    pub fn line_of(&mut self, name: &str, words: &[&str]) -> Result<String, Failed> {
        let end = Instant::now() + PATIENCE;
        loop {
            while let Some(line) = self.said.get(self.passed) {
                self.passed += 1;
                if line.starts_with(name) && words.iter().all(|one| line.contains(one)) {
                    return Ok(line.clone());
                }
            }
            match self.lines.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(line) => self.said.push(line),
                Err(why) => return Err(self.missing(&words.join(" ... "), why)),
            }
        }
    }

    fn missing(&self, words: &str, why: RecvTimeoutError) -> Failed {
        format!("no line with {words:?}: {why}; it said:\n{}", self.said.join("\n")).into()
    }

    /// All that it said so far, a line each, in the order it came.
    pub fn said(&mut self) -> &[String] {
        self.said.extend(self.lines.try_iter());
        self.passed = self.said.len();
        &self.said
    }

    pub fn kill(&mut self) -> Result<(), Failed> {
        self.child.kill()?;
        self.child.wait()?;
        Ok(())
    }

    /// Sends it a signal by its name: `TERM`, `STOP`, `CONT`.
    pub fn signal(&self, signal: &str) -> Result<(), Failed> {
        let id = self.id().to_string();
        let told = Command::new("kill").args([&format!("-{signal}"), &id]).status()?;
        if told.success() { Ok(()) } else { Err(format!("kill -{signal} {id}: {told}").into()) }
    }

    /// Tells it to end, as an operator or a Ctrl+C does, and waits for it.
    pub fn end(&mut self) -> Result<(), Failed> {
        self.signal("TERM")?;
        self.ended().map(drop)
    }

    /// The same, and it must say that all was well.
    pub fn end_well(&mut self) -> Result<(), Failed> {
        self.signal("TERM")?;
        let status = self.ended()?;
        if status.success() {
            return Ok(());
        }
        Err(format!("it ended with {status}; it said:\n{}", self.said().join("\n")).into())
    }

    /// How it ended, which it must soon: what it says ends with it.
    pub fn ended(&mut self) -> Result<ExitStatus, Failed> {
        let end = Instant::now() + Duration::from_secs(20);
        let left = || end.saturating_duration_since(Instant::now());
        while let Ok(line) = self.lines.recv_timeout(left()) {
            self.said.push(line);
        }
        // Unless a process of its own, or one begun in the same moment, still holds its pipes.
        match self.child.try_wait()? {
            Some(status) => Ok(status),
            None if !left().is_zero() => Ok(self.child.wait()?),
            None => Err(format!("it did not end; it said:\n{}", self.said().join("\n")).into()),
        }
    }
}

/// What games say from now on for so many seconds of their own: each in a level says how it is once
/// a second.
pub fn live_lines<const N: usize>(
    mut games: [&mut Process; N],
    seconds: usize,
) -> Result<[String; N], Failed> {
    let before = games.each_mut().map(|game| game.said().len());
    for game in &mut games {
        for _ in 0..seconds {
            game.line(" s  ")?;
        }
    }
    Ok(std::array::from_fn(|game| games[game].said()[before[game]..].join("\n")))
}

/// Passes lines on until the process ends, or the test.
fn read(from: impl Read + Send + 'static, to: Sender<String>) {
    std::thread::spawn(move || {
        BufReader::new(from).lines().map_while(Result::ok).try_for_each(|line| to.send(line))
    });
}

impl Drop for Process {
    fn drop(&mut self) {
        // One that has ended cannot be killed, which is as good.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
