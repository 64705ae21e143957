//! One game: what a person, a script or the demo's processes play.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::net::SocketAddrV4;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::live::Live;
use super::outlook::Outlook;
use super::recording::Recording;
use super::report::{Course, Report};
use super::seat::{NO_SERVER, Person, Seat};
use super::table::table;
use super::track::seen;
use super::work::WorkDir;
use super::{Asked, RunError, check_name, save_file};
use crate::bots::{Errand, Habit, SaveChoice, hosting_place, party_code};
use crate::game::Screen;
use crate::host::{ModLibrary, Pacer};
use crate::library;
use crate::picture::{Picture, View};
use crate::sim::TickRate;
use crate::window::Stage;
use crate::{out, say};

/// How long a bot may take into the level, in seconds.
const MEETING: f64 = 90.0;
/// How long it looks at the page that tells its link, and a host waits for the others to leave.
const READING: f64 = 4.0;
const LINGERING: f64 = 10.0;

/// What the game does once it is at the title.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Party {
    /// It stays there.
    #[default]
    None,
    /// It hosts directly, and starts once so many others are ready.
    Host {
        /// How many.
        ready: usize,
    },
    /// It joins this address.
    Join(SocketAddrV4),
    /// It creates a match on the server, and starts once so many others are ready.
    Create {
        /// How many.
        ready: usize,
    },
    /// It joins the match of this code.
    Code(String),
}

impl Party {
    fn errand(&self) -> Errand {
        match self {
            Self::None => Errand::None,
            &Self::Host { ready } => Errand::Host { ready },
            &Self::Create { ready } => Errand::Create { ready },
            &Self::Join(address) => Errand::Join { address },
            Self::Code(code) => Errand::Code(code.clone()),
        }
    }

    const fn is_hosted_here(&self) -> bool {
        matches!(self, Self::Host { .. } | Self::Create { .. })
    }
}

/// What one game is to do.
#[derive(Clone, Debug, Default)]
pub struct Play {
    /// The player's name.
    pub name: String,
    /// With whom.
    pub party: Party,
    /// The Server setting; else it goes without a server.
    pub server: Option<String>,
    /// What a launcher set of the mod; it counts before what the other options say.
    pub settings: BTreeMap<String, String>,
    /// What a party that it hosts plays.
    pub save: SaveChoice,
    /// What the bot does in the level. Where a person plays, it only does what there is to do before.
    pub bot: Habit,
    /// A recorded pad that plays in the bot's place, with its own seed.
    pub pad: Option<PathBuf>,
    /// Where to write the pad of this run.
    pub record_pad: Option<PathBuf>,
    /// The port to host on; 0: any free one.
    pub port: u16,
    /// How long to play once in the level (without a party: in all); else as long as the recorded pad,
    /// or until told to end.
    pub seconds: Option<u32>,
    /// The bot's seed.
    pub seed: u64,
    /// Where to write the report.
    pub report: Option<PathBuf>,
    /// Where to write the picture.
    pub picture: Option<PathBuf>,
    /// Where to write the last seconds, animated.
    pub clip: Option<PathBuf>,
    /// Where the game is shown and played from; else nowhere.
    pub stage: Option<Stage>,
    /// Where to write the heroes' places, tick by tick.
    pub tracks: Option<PathBuf>,
    /// Where the game's directory is made; else a temporary one.
    pub work_dir: Option<PathBuf>,
    /// The mod; else it is built or found.
    pub library: Option<PathBuf>,
}

impl Play {
    /// Whether there is anything to play as it is asked for.
    ///
    /// # Errors
    /// [`RunError::NothingToPlay`], [`RunError::BadName`].
    pub fn check(&self) -> Result<(), RunError> {
        check_name(&self.name)?;
        if self.stays_at_the_title() && self.seconds.is_none() {
            return Err(RunError::NothingToPlay);
        }
        Ok(())
    }

    /// Nobody is there to leave the title.
    const fn stays_at_the_title(&self) -> bool {
        matches!(self.party, Party::None) && self.pad.is_none() && self.stage.is_none()
    }

    /// Whoever goes by the menus would look for a server in vain, and is to know why.
    fn meets_no_server(&self) -> bool {
        matches!(self.party, Party::None)
            && self.server.is_none()
            && !self.settings.contains_key("Server")
    }

    /// Who plays, in a folder of his own there.
    fn person(&self, work_dir: &Path, replay: Option<Recording>) -> Person {
        Person {
            name: self.name.clone(),
            errand: self.party.errand(),
            is_host: self.party.is_hosted_here(),
            server: self.server.clone(),
            settings: self.settings.clone(),
            save: self.save,
            habit: self.bot,
            port: self.port,
            folder: work_dir.join(&self.name),
            seed: replay.as_ref().map_or(self.seed, |replay| replay.seed),
            replay,
            records: self.record_pad.is_some(),
            fault: None,
        }
    }
}

/// Plays; whether it got where it was to get and the mod broke no rule.
///
/// # Errors
/// Nothing to play, no mod to load, a file that cannot be written, or a bot that never got into the level.
pub fn play(options: &Play) -> Result<bool, RunError> {
    options.check()?;
    if let Some(seconds) = options.seconds.filter(|_| options.stays_at_the_title()) {
        say!("no party is asked for: the game stays at its title for {seconds} s");
    }
    if options.meets_no_server() {
        say!(
            "without --server the mod's Server is {NO_SERVER}, where none is: a direct party needs none"
        );
    }
    let library = ModLibrary::open(&library::find(options.library.as_deref())?)?;
    let work = WorkDir::open(options.work_dir.as_deref())?;
    let load = |file: &PathBuf| Recording::load(file).map_err(|error| RunError::file(file, error));
    let replay = options.pad.as_ref().map(load).transpose()?;
    let ticks = replay.as_ref().map(Recording::ticks);
    let rate = replay.as_ref().map_or(TickRate::default(), |replay| replay.rate);
    let mut run = Run {
        seat: Seat::new(&library, options.person(work.path(), replay))?,
        pacer: Pacer::start(rate),
        live: Live::new(),
        start: None,
        asked: Asked::listen(options.stage.clone())?,
        outlook: Outlook::new(options.stage.clone(), options.clip.is_some(), 1),
        announced: options.party == Party::None,
        limited: options.seconds.is_some(),
        // Without a length of its own, a run with a recorded pad is as long as that.
        ticks_left: ticks.filter(|_| options.seconds.is_none()),
    };
    if let Some(words) = work.warning() {
        eprintln!("{words}");
    }
    if options.party != Party::None {
        run.get_into_the_level()?;
    }
    run.seat.record(true);
    run.for_seconds(options.seconds.map(f64::from))?;
    run.seat.record(false);
    let game = run.seat.copy();
    let clip = run.outlook.take_clip();
    run.read_the_link(&options.party)?;
    let ok = run.finish(options);
    if !matches!(ok, Ok(true)) {
        work.keep();
    }
    // It takes a while to draw, and nobody is to wait for that in the game.
    let picture = save_file("picture", options.picture.as_deref(), |file| {
        Picture::of(&[View::new(&game, &options.name)]).save(file)
    });
    let clip = clip
        .map_or(Ok(()), |clip| save_file("clip", options.clip.as_deref(), |file| clip.save(file)));
    let ok = ok?;
    picture.and(clip)?;
    Ok(ok)
}

struct Run {
    seat: Seat,
    pacer: Pacer,
    live: Live,
    start: Option<f64>,
    asked: Asked,
    outlook: Outlook,
    announced: bool,
    /// It plays so long and no longer, and does not wait for the others for ever either.
    limited: bool,
    ticks_left: Option<usize>,
}

impl Run {
    fn tick(&mut self) -> Result<f64, RunError> {
        self.ticks_left = self.ticks_left.map(|ticks| ticks.saturating_sub(1));
        let pad = self.outlook.read_pad(0);
        // A person sees what he steps.
        let stepping = pad.is_none() && self.seat.is_stepping();
        let at = if stepping { self.pacer.hurry(Duration::ZERO) } else { self.pacer.next_tick() };
        self.seat.tick(at, pad)?;
        self.outlook.look(at, std::slice::from_ref(&self.seat), None);
        if !self.announced
            && let Some(words) = invitation(&self.seat.screen())
        {
            self.live.end();
            say!("{words}");
            self.announced = true;
        }
        let since = at - *self.start.get_or_insert(at);
        let since = format!("{since:5.1} s  ");
        if self.seat.is_in_level() {
            self.live.say(at, || since + &self.seat.in_words());
        } else {
            self.live.say_state(at, &since, &self.seat.in_words());
        }
        Ok(at)
    }

    fn get_into_the_level(&mut self) -> Result<(), RunError> {
        while !self.seat.is_in_level() {
            let at = self.tick()?;
            let late = self.limited && at - self.start.unwrap_or(at) > MEETING;
            if self.asked.to_end() {
                return Ok(());
            }
            if late {
                self.live.end();
                let (name, screen) = (&self.seat.name, self.seat.screen());
                let words = format!("{name} did not get into the level; it is here:\n{screen}");
                return Err(RunError::Stuck(words));
            }
        }
        self.start = None;
        // Back at the title later, it is there for a reason, which its page tells.
        self.seat.send(Errand::None);
        Ok(())
    }

    /// Goes on for so long, or until told to end.
    fn for_seconds(&mut self, seconds: Option<f64>) -> Result<(), RunError> {
        let mut end = None;
        while !self.asked.to_end() && self.ticks_left != Some(0) {
            let at = self.tick()?;
            let end = *end.get_or_insert(at + seconds.unwrap_or(f64::INFINITY));
            if at >= end {
                break;
            }
        }
        Ok(())
    }

    /// Brings up the page that tells the link; a host then waits for the others to leave, so that
    /// theirs are told too.
    fn read_the_link(&mut self, party: &Party) -> Result<(), RunError> {
        if *party == Party::None || !self.seat.is_in_level() {
            return Ok(());
        }
        self.ticks_left = None;
        self.seat.send(Errand::ShowLink);
        self.for_seconds(Some(READING))?;
        let mut end = None;
        while party.is_hosted_here() && self.seat.listed() > 1 {
            let at = self.tick()?;
            if at > *end.get_or_insert(at + LINGERING) || self.asked.to_end() {
                break;
            }
        }
        Ok(())
    }

    fn finish(mut self, options: &Play) -> Result<bool, RunError> {
        self.live.end();
        if let (Some(file), Some(pad)) = (&options.record_pad, self.seat.recorded()) {
            pad.save(file).map_err(|error| RunError::file(file, error))?;
        }
        let (broken, seed) = (self.seat.broken(), self.seat.seed());
        let (mut player, track) = self.seat.end()?;
        player.figures = seen(&track);
        say!("phase: {}\npage: {}", player.phase, player.page);
        for line in &player.footer {
            say!("footer: {line}");
        }
        let seconds = options.seconds.unwrap_or(0);
        let report = Report::of_one(Course { seconds, seed, conditions: None }, player, broken);
        out::say(&table(&report));
        for words in &report.broken {
            say!("failed: {words}");
        }
        let tracks = serde_json::to_vec(&track).map_err(io::Error::from);
        let tracks =
            save_file("tracks", options.tracks.as_deref(), |file| fs::write(file, tracks?));
        save_file("report", options.report.as_deref(), |file| report.save(file)).and(tracks)?;
        Ok(report.ok)
    }
}

/// What the others need to know to join, once the lobby says it.
fn invitation(screen: &Screen) -> Option<String> {
    let code = party_code(screen).map(|code| format!("code: {code}"));
    code.or_else(|| hosting_place(screen).map(|place| format!("hosting: {place}")))
}
