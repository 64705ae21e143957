//! The demo with a process for each game: the first hosts, the others join it; what they wrote down is
//! then judged together.

use std::fs;
use std::io::{BufRead as _, BufReader, ErrorKind};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use super::demo::{Demo, Played, SAVE};
use super::judge::TICK_BY_TICK;
use super::links::Links;
use super::report::{PlayerReport, Report, Unchecked};
use super::shared::fill_accounts;
use super::track::{Track, fill_figures};
use super::venue::Venue;
use super::{Asked, RunError};
use crate::invariants::{Broken, Invariant};
use crate::picture::Picture;
use crate::say;

/// How long a host may take to say how to join it.
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
    /// Removes what an earlier run left.
    fn remove(&self) -> Result<(), RunError> {
        for file in [&self.report, &self.tracks, &self.picture] {
            match fs::remove_file(file) {
                Err(error) if error.kind() != ErrorKind::NotFound => {
                    return Err(RunError::file(file, error));
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn of(folder: &Path, name: &str) -> Self {
        let file = |kind: &str| folder.join(format!("{name}.{kind}"));
        Self { report: file("report.json"), tracks: file("tracks.json"), picture: file("png") }
    }
}

/// Plays it. A game whose process ended before its time is a part of the result, not the end of it.
pub(super) fn play(options: &Demo, library: &Path, folder: &Path) -> Result<Played, RunError> {
    let asked = Asked::listen(None)?;
    let names = options.names();
    for name in names {
        Files::of(folder, name).remove()?;
    }
    let (lines, said) = channel();
    let mut venue = Venue::open(options.meet, names.len(), options.plan(), folder)?;
    let ready = (names.len() - 1).to_string();
    let games = Games { options, library, folder, lines };
    let mut running = vec![games.start(0, &venue, &["--auto-start", &ready])?];
    invited(&said, &mut running[0], &mut venue, &asked)?;
    for index in 1..names.len() {
        running.push(games.start(index, &venue, &["--auto-start", "1"])?);
    }
    drop(games);
    wait(&said, Duration::from_secs(options.seconds.into()) + REST, &asked)?;
    let mut broken = Vec::new();
    for game in &mut running {
        let status = game.child.wait().map_err(RunError::Child)?;
        // One that ran to its end has left its report, whatever it says.
        if !Files::of(folder, game.name).report.exists() {
            let what = format!("the game of {} ended with {status}", game.name);
            broken.push(Broken { invariant: Invariant::RunsToTheEnd, at_s: None, what });
        }
    }
    let played = gather(options, folder, venue.links_mut()?, broken)?;
    venue.close()?;
    Ok(played)
}

/// What it takes to start the games.
struct Games<'a> {
    options: &'a Demo,
    library: &'a Path,
    folder: &'a Path,
    /// Where their lines go.
    lines: Sender<String>,
}

impl Games<'_> {
    fn start(&self, index: usize, venue: &Venue, with: &[&str]) -> Result<Running, RunError> {
        let Self { options, library, folder, lines } = self;
        let name = options.names()[index];
        let files = Files::of(folder, name);
        let seed = options.seed.wrapping_add(u64::try_from(index).expect("4 at most"));
        let mut command = Command::new(std::env::current_exe().map_err(RunError::Child)?);
        command.arg("play").args(["--name", name, "--bot", "play", "--headless"]).args(with);
        command.args(party_of(index, venue));
        command.args(["--seconds", &options.seconds.to_string(), "--seed", &seed.to_string()]);
        command.arg("--library").arg(library).arg("--work-dir").arg(folder);
        command.arg("--report").arg(&files.report).arg("--tracks").arg(&files.tracks);
        command.arg("--picture").arg(&files.picture);
        let mut child = command.stdout(Stdio::piped()).spawn().map_err(RunError::Child)?;
        if let Some(out) = child.stdout.take() {
            let (lines, folder) = (lines.clone(), folder.to_path_buf());
            thread::spawn(move || pass_on(name, out, &folder, &lines));
        }
        Ok(Running { name, child })
    }
}

/// How a game is told what party it is in.
fn party_of(seat: usize, venue: &Venue) -> Vec<String> {
    let words = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>();
    let server = venue.server(seat).unwrap_or_default();
    let save = SAVE.to_string();
    match (seat, venue.code()) {
        (0, _) if server.is_empty() => words(&["--host-direct", "--port", "0", "--save", &save]),
        (0, _) => words(&["--create", "--server", &server, "--save", &save]),
        (_, Some(code)) => words(&["--code", code, "--server", &server]),
        (_, None) => words(&["--join", &server]),
    }
}

/// Writes a game's lines under its name, and sends them on. Its files are read here, and are nothing to
/// look for.
fn pass_on(name: &str, out: ChildStdout, folder: &Path, lines: &Sender<String>) {
    for line in BufReader::new(out).lines().map_while(Result::ok) {
        if !is_of_a_file(&line, folder) {
            say!("{name:<8}{line}");
        }
        if lines.send(line).is_err() {
            return;
        }
    }
}

/// Whether a line says that a file was written in that folder, as in `report: FILE`.
fn is_of_a_file(line: &str, folder: &Path) -> bool {
    line.split_once(": ").is_some_and(|(_, file)| Path::new(file).starts_with(folder))
}

/// Waits for the host to say how to join it.
fn invited(
    said: &Receiver<String>,
    host: &mut Running,
    venue: &mut Venue,
    asked: &Asked,
) -> Result<(), RunError> {
    let end = Instant::now() + HOSTING;
    while Instant::now() < end {
        let line = said.recv_timeout(LOOK).unwrap_or_default();
        let port = |place: &str| place.rsplit(':').next()?.parse().ok();
        if let Some(code) = line.strip_prefix("code: ") {
            venue.invite_by_code(code);
            return Ok(());
        } else if let Some(port) = line.strip_prefix("hosting: ").and_then(port) {
            return venue.invite_to(port);
        }
        if asked.to_end() {
            return Err(RunError::Interrupted);
        }
        if let Some(status) = host.child.try_wait().map_err(RunError::Child)? {
            return Err(RunError::Stuck(format!("the game of {} ended with {status}", host.name)));
        }
    }
    Err(RunError::Stuck("the host did not say how to join it".to_owned()))
}

/// Waits until every game's output has ended.
fn wait(said: &Receiver<String>, most: Duration, asked: &Asked) -> Result<(), RunError> {
    let end = Instant::now() + most;
    loop {
        match said.recv_timeout(LOOK) {
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
            _ if asked.to_end() => return Err(RunError::Interrupted),
            _ if Instant::now() > end => {
                return Err(RunError::Stuck("the games did not end".to_owned()));
            }
            _ => {}
        }
    }
}

/// Judges what the games wrote down. Of one that ended before its time there is nothing.
fn gather(
    options: &Demo,
    folder: &Path,
    links: &Links,
    mut broken: Vec<Broken>,
) -> Result<Played, RunError> {
    let names = options.names();
    broken.extend(links.refused(names));
    let mut players: Vec<PlayerReport> = Vec::new();
    let mut tracks: Vec<Track> = Vec::new();
    let mut pictures = Vec::new();
    for &name in names {
        let files = Files::of(folder, name);
        if !files.report.exists() {
            continue;
        }
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
    fill_accounts(&mut players, &tracks, &links.claims(names));
    links.passed().fill(&mut players, names);
    let apart = "the games are in processes of their own";
    let mut unseen: Vec<_> =
        TICK_BY_TICK.map(|invariant| Unchecked { invariant, why: apart.to_owned() }).into();
    let why = format!("but at the end: {apart}");
    unseen.push(Unchecked { invariant: Invariant::LevelFollows, why });
    let report = Report::judged(options.course(), players, broken, unseen);
    Ok(Played { report, picture: Picture::beside(&pictures), clip: None })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_the_demo_itself_reads_are_not_told() {
        let folder = Path::new("/tmp/run");
        for line in ["report: /tmp/run/Alex.report.json", "picture: /tmp/run/Alex.png"] {
            assert!(is_of_a_file(line, folder), "{line}");
        }
        for line in ["code: K7PQ2A", "hosting: 10.0.0.7:7770", "report: /tmp/running.json", ""] {
            assert!(!is_of_a_file(line, folder), "{line}");
        }
    }
}
