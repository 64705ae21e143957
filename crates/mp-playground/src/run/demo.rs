//! The demo: a party of games on this machine, each its own instance of the mod, played by bots.

use std::net::{Ipv4Addr, SocketAddrV4};
use std::path::{Path, PathBuf};

use super::live::Live;
use super::report::Report;
use super::seat::{Person, Seat};
use super::table::table;
use super::track::{self, Track};
use super::{Asked, RunError, processes, work_dir};
use crate::bots::{Errand, Habit, hosting_port, is_stepping_an_address};
use crate::game::StandIn;
use crate::host::{ModLibrary, Pacer};
use crate::library;
use crate::picture::{Picture, View};

/// The players' names.
pub(super) const NAMES: [&str; 4] = ["Alex", "Blair", "Casey", "Drew"];
/// How long the bots may take into the level, in seconds.
const MEETING: f64 = 90.0;
/// How long they look at the page that tells their link, in seconds.
const READING: f64 = 4.0;

/// What the demo is to do.
#[derive(Clone, Debug)]
pub struct Demo {
    /// How long to play once all are in the level.
    pub seconds: u32,
    /// How many play, 2 to 4.
    pub players: u8,
    /// The bots' seed.
    pub seed: u64,
    /// A process for each game.
    pub processes: bool,
    /// Where to write the report.
    pub report: Option<PathBuf>,
    /// Where to write the picture; else `playground.png` in the work directory.
    pub picture: Option<PathBuf>,
    /// Where the games' directories are made; else a temporary one.
    pub work_dir: Option<PathBuf>,
    /// The mod; else it is built or found.
    pub library: Option<PathBuf>,
}

/// Plays the demo; whether everything it must reach was reached.
///
/// # Errors
/// No mod to load, a file that cannot be written, or bots that never met.
pub fn demo(options: &Demo) -> Result<bool, RunError> {
    let library = library::find(options.library.as_deref())?;
    let folder = work_dir(options.work_dir.as_deref());
    let picture_file = options.picture.clone().unwrap_or_else(|| folder.join("playground.png"));
    println!("mod: {}", library.display());
    let opened = ModLibrary::open(&library)?;
    let (report, picture) = if options.processes {
        processes::play(options, &library, &folder)?
    } else {
        play_here(options, &opened, &folder)?
    };
    print!("{}", table(&report));
    picture.save(&picture_file).map_err(|error| RunError::file(&picture_file, error))?;
    println!("picture: {}", picture_file.display());
    if let Some(file) = &options.report {
        report.save(file).map_err(|error| RunError::file(file, error))?;
    }
    for words in &report.broken {
        println!("failed: {words}");
    }
    println!("{}", if report.ok { "ok" } else { "not ok" });
    Ok(report.ok)
}

/// All games in this process, on this thread, one after the other in each tick.
fn play_here(
    options: &Demo,
    library: &ModLibrary,
    folder: &Path,
) -> Result<(Report, Picture), RunError> {
    let asked = Asked::listen()?;
    let others = usize::from(options.players - 1);
    let sit = |(index, &name): (usize, &&str)| {
        let errand = if index == 0 { Errand::Host { ready: others } } else { Errand::None };
        let seed = options.seed.wrapping_add(u64::try_from(index).expect("4 at most"));
        let folder = folder.join(name);
        let habit = Habit::Walk;
        Seat::new(library, Person { name: name.to_owned(), errand, habit, port: 0, folder, seed })
    };
    let names = &NAMES[..=others];
    let seats: Result<Vec<Seat>, RunError> = names.iter().enumerate().map(sit).collect();
    let mut table =
        Table { seats: seats?, pacer: Pacer::start(), live: Live::new(), start: None, asked };
    table.meet()?;
    table.run(f64::from(options.seconds), true)?;
    let picture = table.picture();
    table.seats.iter_mut().for_each(|seat| seat.send(Errand::ShowLink));
    table.run(READING, false)?;
    table.live.end();
    let ended: Vec<_> = table.seats.into_iter().map(Seat::end).collect();
    let tracks: Vec<Track> = ended.iter().map(|(_, track)| track.clone()).collect();
    let mut players: Vec<_> = ended.into_iter().map(|(report, _)| report).collect();
    track::fill_figures(&mut players, &tracks);
    Ok((Report::judged(options.seconds, options.seed, players), picture))
}

/// The games round one table.
struct Table {
    seats: Vec<Seat>,
    pacer: Pacer,
    live: Live,
    start: Option<f64>,
    asked: Asked,
}

impl Table {
    /// Brings everyone into the level: the host hosts, the others join it by its port.
    fn meet(&mut self) -> Result<(), RunError> {
        let mut told = false;
        loop {
            let at = self.tick()?;
            if !told && let Some(port) = hosting_port(&self.seats[0].screen()) {
                let address = SocketAddrV4::new(Ipv4Addr::LOCALHOST, port);
                for seat in &mut self.seats[1..] {
                    seat.send(Errand::Join { address });
                }
                told = true;
            }
            if self.seats.iter().all(Seat::is_in_level) {
                self.start = Some(at);
                // Whoever is back at the title later is there for a reason, which its page tells.
                self.seats.iter_mut().for_each(|seat| seat.send(Errand::None));
                return Ok(());
            }
            if at - self.start.unwrap_or(at) > MEETING {
                let screens: Vec<String> = self
                    .seats
                    .iter()
                    .filter(|seat| !seat.is_in_level())
                    .map(|seat| format!("{} is here:\n{}", seat.name, seat.screen()))
                    .collect();
                let screens = screens.join("\n");
                return Err(RunError::Stuck(format!("not everyone got into the level\n{screens}")));
            }
        }
    }

    /// Plays on for so long.
    fn run(&mut self, seconds: f64, record: bool) -> Result<(), RunError> {
        self.seats.iter_mut().for_each(|seat| seat.record(record));
        let mut end = None;
        loop {
            let at = self.tick()?;
            if at > *end.get_or_insert(at + seconds) {
                return Ok(());
            }
        }
    }

    fn tick(&mut self) -> Result<f64, RunError> {
        if self.asked.to_end() {
            self.live.end();
            return Err(RunError::Interrupted);
        }
        let stepping = self.seats.iter().any(|seat| is_stepping_an_address(&seat.screen()));
        let at = if stepping { self.pacer.hurry() } else { self.pacer.next_tick() };
        for seat in &mut self.seats {
            seat.tick(at)?;
        }
        let since = at - *self.start.get_or_insert(at);
        let seats = &self.seats;
        self.live.say(at, || {
            let seats: Vec<String> = seats.iter().map(Seat::in_words).collect();
            format!("{since:5.1} s  {}", seats.join("  |  "))
        });
        Ok(at)
    }

    fn picture(&self) -> Picture {
        let games: Vec<StandIn> = self.seats.iter().map(Seat::copy).collect();
        let seats = games.iter().zip(&self.seats);
        let views: Vec<View<'_>> = seats.map(|(game, seat)| View::new(game, &seat.name)).collect();
        Picture::of(&views)
    }
}
