//! The demo: a party of games on this machine, each its own instance of the mod, played by bots.

use std::net::TcpStream;
use std::path::PathBuf;
use std::time::Duration;

use super::breaks::Break;
use super::report::{Course, Report};
use super::table::table;
use super::venue::Meet;
use super::work::WorkDir;
use super::{RunError, cards, here, processes, save_file};
use crate::host::ModLibrary;
use crate::library;
use crate::picture::{Clip, Picture};
use crate::proxy::{Conditions, Plan};
use crate::window::Stage;
use crate::{out, say};

/// The players' names.
pub(super) const NAMES: [&str; 4] = ["Alex", "Blair", "Casey", "Drew"];
/// The card's save that the party plays.
pub(super) const SAVE: u8 = 1;
/// How long the bots look at the page that tells their link, in seconds.
pub(super) const READING: f64 = 4.0;

/// How long a relay may take to answer whether it is there.
const ASKING: Duration = Duration::from_secs(5);

/// What the demo is to do.
#[derive(Clone, Debug)]
pub struct Demo {
    /// How long to play once all are in the level.
    pub seconds: u32,
    /// How many play, 2 to 4.
    pub players: u8,
    /// The bots' seed.
    pub seed: u64,
    /// Where they meet.
    pub meet: Meet,
    /// What each game's link is, one way; else as good as loopback is.
    pub conditions: Option<Conditions>,
    /// A deliberate fault, which the run must name.
    pub fault: Option<Break>,
    /// A process for each game.
    pub processes: bool,
    /// Where to write the report.
    pub report: Option<PathBuf>,
    /// Where to write the picture.
    pub picture: Option<PathBuf>,
    /// Where to write the last seconds, animated.
    pub clip: Option<PathBuf>,
    /// Where the games are shown and played from; else nowhere.
    pub stage: Option<Stage>,
    /// Where the games' directories are made; else a temporary one.
    pub work_dir: Option<PathBuf>,
    /// The mod; else it is built or found.
    pub library: Option<PathBuf>,
}

impl Default for Demo {
    /// As `programs.md` has it.
    fn default() -> Self {
        Self {
            seconds: 30,
            players: 4,
            seed: 1,
            meet: Meet::Relay,
            conditions: None,
            fault: None,
            processes: false,
            report: None,
            picture: None,
            clip: None,
            stage: None,
            work_dir: None,
            library: None,
        }
    }
}

impl Demo {
    /// Whether there is a relay to meet at, if it is to be one that runs already.
    ///
    /// # Errors
    /// [`RunError::NoRelay`].
    pub fn check(&self) -> Result<(), RunError> {
        let Meet::Server(address) = self.meet else { return Ok(()) };
        let asked = TcpStream::connect_timeout(&address, ASKING);
        asked.map(drop).map_err(|error| RunError::NoRelay { address, error })
    }

    pub(super) fn course(&self) -> Course {
        Course { seconds: self.seconds, seed: self.seed, conditions: self.conditions }
    }

    /// What the games' links do.
    pub(super) fn plan(&self) -> Plan {
        Plan {
            conditions: self.conditions.unwrap_or_default(),
            seed: self.seed,
            fault: self.fault.and_then(Break::on_the_wire),
        }
    }

    pub(super) fn names(&self) -> &'static [&'static str] {
        &NAMES[..usize::from(self.players)]
    }
}

/// What was played: the report, what the window would show at the end, and the clip if one is wanted.
pub(super) struct Played {
    pub report: Report,
    pub picture: Picture,
    pub clip: Option<Clip>,
}

/// Plays the demo, and answers what it was: [`Report::ok`] says whether all that must hold did.
///
/// # Errors
/// No mod to load, no relay, a file that cannot be written, or bots that never met.
pub fn demo(options: &Demo) -> Result<Report, RunError> {
    options.check()?;
    let library = library::find(options.library.as_deref())?;
    let work = WorkDir::open(options.work_dir.as_deref())?;
    say!("mod: {}", library.display());
    let opened = ModLibrary::open(&library)?;
    for name in options.names() {
        let folder = work.path().join(name);
        cards::give_a_save(&folder).map_err(|error| RunError::file(&folder, error))?;
    }
    let played = if options.processes {
        processes::play(options, &library, work.path())?
    } else {
        here::play(options, &opened, work.path())?
    };
    let report = &played.report;
    out::say(&table(report));
    for broken in &report.broken {
        say!("failed: {broken}");
    }
    say!("{}", if report.ok { "ok" } else { "not ok" });
    if !report.ok {
        work.keep();
    } else if let Some(words) = work.warning() {
        eprintln!("{words}");
    }
    played.save(options)?;
    Ok(played.report)
}

impl Played {
    /// Writes the files that are wanted, each even if another cannot be; the first that cannot is the
    /// error.
    fn save(&self, options: &Demo) -> Result<(), RunError> {
        let report = save_file("report", options.report.as_deref(), |file| self.report.save(file));
        let picture =
            save_file("picture", options.picture.as_deref(), |file| self.picture.save(file));
        let clip = self.clip.as_ref().map_or(Ok(()), |clip| {
            save_file("clip", options.clip.as_deref(), |file| clip.save(file))
        });
        report.and(picture).and(clip)
    }
}
