//! The demo with a process for each game: the first hosts, the others join the port it says; what they
//! wrote down is then judged together.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::net::{Ipv4Addr, SocketAddrV4};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use super::RunError;
use super::demo::Demo;
use super::links::Links;
use super::report::{PlayerReport, Report, Unchecked};
use super::track::{Track, fill_figures};
use crate::invariants::{Broken, Invariant};
use crate::picture::Picture;

/// How long a host may take to say its port.
const HOSTING: Duration = Duration::from_secs(60);
/// How often it is looked whether it still runs.
const LOOK: Duration = Duration::from_millis(500);
/// How much longer than its play a game may take.
const REST: Duration = Duration::from_secs(150);

/// A game in its own process, ended with it if it is dropped before.
struct Running {
    name: &'static str,
    child: Child,
}

impl Drop for Running {
    fn drop(&mut self) {
        // One that has ended cannot be ended again, which is just as well.
        _ = self.child.kill();
        _ = self.child.wait();
    }
}

/// Where a game writes what it wrote down.
struct Files {
    report: PathBuf,
    tracks: PathBuf,
    picture: PathBuf,
}

impl Files {
    fn of(folder: &Path, name: &str) -> Self {
        let file = |kind: &str| folder.join(format!("{name}.{kind}"));
        Self { report: file("report.json"), tracks: file("tracks.json"), picture: file("png") }
    }
}

pub(super) fn play(
    options: &Demo,
    library: &Path,
    folder: &Path,
) -> Result<(Report, Picture), RunError> {
    fs::create_dir_all(folder).map_err(|error| RunError::file(folder, error))?;
    let names = options.names();
    let (lines, said) = channel();
    let ready = (names.len() - 1).to_string();
    let host = ["--host-direct", "--port", "0", "--auto-start", &ready];
    let mut running = vec![start(options, library, folder, 0, &host, &lines)?];
    let port = hosting(&said, &mut running[0])?;
    let host = SocketAddrV4::new(Ipv4Addr::LOCALHOST, port);
    let links = Links::start(host, names.len() - 1, options.plan()).map_err(RunError::Proxy)?;
    for index in 1..names.len() {
        let address = links.address(index - 1).to_string();
        let join = ["--join", &address, "--auto-start", "1"];
        running.push(start(options, library, folder, index, &join, &lines)?);
    }
    drop(lines);
    wait(&said, Duration::from_secs(options.seconds.into()) + REST)?;
    let mut failed = Vec::new();
    for game in &mut running {
        let status = game.child.wait().map_err(RunError::Child)?;
        if !status.success() {
            failed.push(format!("the game of {} ended with {status}", game.name));
        }
    }
    if !failed.is_empty() {
        return Err(RunError::Stuck(failed.join("; ")));
    }
    gather(options, folder, &links)
}

fn start(
    options: &Demo,
    library: &Path,
    folder: &Path,
    index: usize,
    party: &[&str],
    lines: &Sender<String>,
) -> Result<Running, RunError> {
    let name = options.names()[index];
    let files = Files::of(folder, name);
    let seed = options.seed.wrapping_add(u64::try_from(index).expect("4 at most"));
    let mut command = Command::new(std::env::current_exe().map_err(RunError::Child)?);
    command.arg("play").args(["--name", name, "--bot", "play", "--headless"]).args(party);
    command.args(["--seconds", &options.seconds.to_string(), "--seed", &seed.to_string()]);
    command.arg("--library").arg(library).arg("--work-dir").arg(folder);
    command.arg("--report").arg(&files.report).arg("--tracks").arg(&files.tracks);
    command.arg("--picture").arg(&files.picture);
    let mut child = command.stdout(Stdio::piped()).spawn().map_err(RunError::Child)?;
    if let Some(out) = child.stdout.take() {
        let lines = lines.clone();
        thread::spawn(move || pass_on(name, out, &lines));
    }
    Ok(Running { name, child })
}

/// Writes a game's lines under its name, and sends them on.
fn pass_on(name: &str, out: ChildStdout, lines: &Sender<String>) {
    for line in BufReader::new(out).lines().map_while(Result::ok) {
        println!("{name:<8}{line}");
        if lines.send(line).is_err() {
            return;
        }
    }
}

/// Waits for the host to say its port.
fn hosting(said: &Receiver<String>, host: &mut Running) -> Result<u16, RunError> {
    let end = Instant::now() + HOSTING;
    while Instant::now() < end {
        let line = said.recv_timeout(LOOK).unwrap_or_default();
        let place = line.strip_prefix("hosting: ");
        if let Some(port) = place.and_then(|place| place.rsplit(':').next()?.parse().ok()) {
            return Ok(port);
        }
        if let Some(status) = host.child.try_wait().map_err(RunError::Child)? {
            return Err(RunError::Stuck(format!("the game of {} ended with {status}", host.name)));
        }
    }
    Err(RunError::Stuck("the host did not say its port".to_owned()))
}

/// Waits until every game's output has ended.
fn wait(said: &Receiver<String>, most: Duration) -> Result<(), RunError> {
    let end = Instant::now() + most;
    loop {
        match said.recv_timeout(end.saturating_duration_since(Instant::now())) {
            Ok(_) => {}
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
            Err(RecvTimeoutError::Timeout) => {
                return Err(RunError::Stuck("the games did not end".to_owned()));
            }
        }
    }
}

fn gather(options: &Demo, folder: &Path, links: &Links) -> Result<(Report, Picture), RunError> {
    let names = options.names();
    let mut broken = links.refused(&names[1..]);
    let mut players: Vec<PlayerReport> = Vec::new();
    let mut tracks: Vec<Track> = Vec::new();
    let mut pictures = Vec::new();
    for name in names {
        let files = Files::of(folder, name);
        let report =
            Report::read(&files.report).map_err(|error| RunError::file(&files.report, error))?;
        players.extend(report.players);
        // What the mod did is in the players' own lines, and is told once.
        let others = |broken: &Broken| broken.invariant != Invariant::InterfaceRules;
        broken.extend(report.broken.into_iter().filter(others));
        let bytes =
            fs::read(&files.tracks).map_err(|error| RunError::file(&files.tracks, error))?;
        let track = serde_json::from_slice(&bytes);
        tracks.push(track.map_err(|error| RunError::file(&files.tracks, error.into()))?);
        let picture = Picture::load(&files.picture);
        pictures.push(picture.map_err(|error| RunError::file(&files.picture, error))?);
    }
    fill_figures(&mut players, &tracks);
    links.passed().fill(&mut players);
    let apart = "the games are in processes of their own";
    let unseen = [
        Unchecked { invariant: Invariant::NoFigureLeft, why: apart.to_owned() },
        Unchecked { invariant: Invariant::LevelFollows, why: format!("but at the end: {apart}") },
    ];
    let report = Report::judged(options.course(), players, broken, unseen.into());
    Ok((report, Picture::beside(&pictures)))
}
