//! The demo: a party of games on this machine, each its own instance of the mod, played by bots.

use std::net::{Ipv4Addr, SocketAddrV4};
use std::path::{Path, PathBuf};

use super::breaks::Break;
use super::links::{Links, Passed};
use super::live::Live;
use super::outlook::Outlook;
use super::report::{Course, Report};
use super::seat::{Person, Seat};
use super::table::table;
use super::track::{self, Track};
use super::{Asked, RunError, cards, processes, work_dir};
use crate::bots::{Errand, Habit, hosting_port, is_stepping_an_address};
use crate::game::StandIn;
use crate::host::{ModLibrary, Pacer};
use crate::invariants::Watch;
use crate::library;
use crate::picture::{Clip, Picture, View};
use crate::proxy::{Conditions, Plan};
use crate::window::Stage;

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
    /// What each member's link is, one way; else as good as loopback is.
    pub conditions: Option<Conditions>,
    /// A deliberate fault, which the run must name.
    pub fault: Option<Break>,
    /// A process for each game.
    pub processes: bool,
    /// Where to write the report.
    pub report: Option<PathBuf>,
    /// Where to write the picture; else `playground.png` in the work directory.
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

impl Demo {
    pub(super) fn course(&self) -> Course {
        Course { seconds: self.seconds, seed: self.seed, conditions: self.conditions }
    }

    /// What the members' links do.
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

/// Plays the demo, and answers what it was: [`Report::ok`] says whether all that must hold did.
///
/// # Errors
/// No mod to load, a file that cannot be written, or bots that never met.
pub fn demo(options: &Demo) -> Result<Report, RunError> {
    let library = library::find(options.library.as_deref())?;
    let folder = work_dir(options.work_dir.as_deref());
    let picture_file = options.picture.clone().unwrap_or_else(|| folder.join("playground.png"));
    println!("mod: {}", library.display());
    let opened = ModLibrary::open(&library)?;
    for name in options.names() {
        let folder = folder.join(name);
        cards::give_a_save(&folder).map_err(|error| RunError::file(&folder, error))?;
    }
    let (report, picture, clip) = if options.processes {
        let (report, picture) = processes::play(options, &library, &folder)?;
        (report, picture, None)
    } else {
        play_here(options, &opened, &folder)?
    };
    print!("{}", table(&report));
    picture.save(&picture_file).map_err(|error| RunError::file(&picture_file, error))?;
    println!("picture: {}", picture_file.display());
    if let (Some(file), Some(clip)) = (&options.clip, clip) {
        clip.save(file).map_err(|error| RunError::file(file, error))?;
        println!("clip: {}", file.display());
    }
    if let Some(file) = &options.report {
        report.save(file).map_err(|error| RunError::file(file, error))?;
    }
    for broken in &report.broken {
        println!("failed: {broken}");
    }
    println!("{}", if report.ok { "ok" } else { "not ok" });
    Ok(report)
}

/// All games in this process, on this thread, one after the other in each tick.
fn play_here(
    options: &Demo,
    library: &ModLibrary,
    folder: &Path,
) -> Result<(Report, Picture, Option<Clip>), RunError> {
    let asked = Asked::listen(options.stage.clone())?;
    let others = usize::from(options.players - 1);
    let sit = |(index, &name): (usize, &&str)| {
        let host = index == 0;
        let person = Person {
            name: name.to_owned(),
            errand: if host { Errand::Host { ready: others } } else { Errand::None },
            habit: Habit::Play,
            folder: folder.join(name),
            seed: options.seed.wrapping_add(u64::try_from(index).expect("4 at most")),
            // One is enough to be noticed.
            fault: options.fault.filter(|_| host),
            ..Person::default()
        };
        Seat::new(library, person)
    };
    let seats: Result<Vec<Seat>, RunError> = options.names().iter().enumerate().map(sit).collect();
    let mut table = Table {
        seats: seats?,
        pacer: Pacer::start(),
        live: Live::new(),
        start: None,
        asked,
        outlook: Outlook::new(options.stage.clone(), options.clip.is_some(), others + 1),
        links: None,
        watch: Watch::default(),
        script: Script::of(options),
    };
    table.meet(options.plan())?;
    table.links()?.begin();
    table.run(f64::from(options.seconds), true)?;
    let passed = table.links()?.passed();
    let picture = table.picture();
    let clip = table.outlook.take_clip();
    table.seats.iter_mut().for_each(|seat| seat.send(Errand::ShowLink));
    table.run(READING, false)?;
    table.live.end();
    Ok((table.report(options, &passed)?, picture, clip))
}

/// What the bots do besides playing: one leaves and comes back, one pauses.
#[derive(Clone, Copy, Debug)]
struct Script {
    /// Seconds into the play.
    leaves: Option<f64>,
    comes_back: bool,
    pauses: Option<f64>,
}

/// A play shorter than this, in seconds, is too short to leave and be seen again.
const LONG: u32 = 20;
/// How long one pauses, in ticks.
const REST: u32 = 120;

impl Script {
    fn of(options: &Demo) -> Self {
        let long = options.seconds >= LONG;
        let at = |share: f64| f64::from(options.seconds) * share;
        let leaves = long || options.fault.is_some_and(Break::needs_one_to_leave);
        Self { leaves: leaves.then(|| at(0.25)), comes_back: false, pauses: long.then(|| at(0.7)) }
    }
}

/// The games round one table.
struct Table {
    seats: Vec<Seat>,
    pacer: Pacer,
    live: Live,
    start: Option<f64>,
    asked: Asked,
    outlook: Outlook,
    /// Once the host says its port.
    links: Option<Links>,
    watch: Watch,
    script: Script,
}

impl Table {
    /// Brings everyone into the level: the host hosts, the others join it by a proxy each.
    fn meet(&mut self, plan: Plan) -> Result<(), RunError> {
        loop {
            let at = self.tick()?;
            if self.links.is_none()
                && let Some(port) = hosting_port(&self.seats[0].screen())
            {
                let host = SocketAddrV4::new(Ipv4Addr::LOCALHOST, port);
                let links = Links::start(host, self.seats.len() - 1, plan);
                self.links = Some(links.map_err(RunError::Proxy)?);
                (1..self.seats.len()).try_for_each(|seat| self.join(seat))?;
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

    fn links(&mut self) -> Result<&mut Links, RunError> {
        let nobody = || RunError::Stuck("the host did not say its port".to_owned());
        self.links.as_mut().ok_or_else(nobody)
    }

    /// Sends a member to its host.
    fn join(&mut self, seat: usize) -> Result<(), RunError> {
        let address = self.links()?.address(seat - 1);
        self.seats[seat].send(Errand::Join { address });
        Ok(())
    }

    /// Has the bots do what is due: the last one leaves, and comes back once it is out; the first
    /// member pauses.
    fn follow_the_script(&mut self, since: f64) -> Result<(), RunError> {
        let last = self.seats.len() - 1;
        if self.script.leaves.take_if(|at| since >= *at).is_some() {
            self.seats[last].send(Errand::Leave);
            self.script.comes_back = true;
        }
        if self.script.comes_back && self.seats[last].is_out() {
            self.join(last)?;
            self.script.comes_back = false;
        }
        if self.script.pauses.take_if(|at| since >= *at).is_some() {
            self.seats[1].send(Errand::Pause { ticks: REST });
        }
        Ok(())
    }

    /// Plays on for so long.
    fn run(&mut self, seconds: f64, record: bool) -> Result<(), RunError> {
        self.seats.iter_mut().for_each(|seat| seat.record(record));
        let mut end = None;
        loop {
            let at = self.tick()?;
            let end = *end.get_or_insert(at + seconds);
            if record {
                self.follow_the_script(seconds - (end - at))?;
            }
            if at > end {
                return Ok(());
            }
        }
    }

    fn tick(&mut self) -> Result<f64, RunError> {
        if self.asked.to_end() {
            self.live.end();
            return Err(RunError::Interrupted);
        }
        let pads: Vec<_> = (0..self.seats.len()).map(|seat| self.outlook.read_pad(seat)).collect();
        // A person sees what he steps.
        let stepping = pads.iter().all(Option::is_none)
            && self.seats.iter().any(|seat| is_stepping_an_address(&seat.screen()));
        let at = if stepping { self.pacer.hurry() } else { self.pacer.next_tick() };
        for (seat, pad) in self.seats.iter_mut().zip(pads) {
            seat.tick(at, pad)?;
        }
        self.outlook.look(at, &self.seats, self.links.as_ref());
        let since = at - *self.start.get_or_insert(at);
        let sights: Vec<_> = self.seats.iter().map(Seat::sight).collect();
        self.watch.look(since, &sights);
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

    /// Ends the games, and judges them.
    fn report(mut self, options: &Demo, passed: &Passed) -> Result<Report, RunError> {
        let mut broken = self.links()?.refused(&options.names()[1..]);
        broken.extend(self.watch.into_broken());
        let ended: Vec<_> = self.seats.into_iter().map(Seat::end).collect();
        let tracks: Vec<Track> = ended.iter().map(|(_, track)| track.clone()).collect();
        let mut players: Vec<_> = ended.into_iter().map(|(report, _)| report).collect();
        track::fill_figures(&mut players, &tracks);
        passed.fill(&mut players);
        Ok(Report::judged(options.course(), players, broken, Vec::new()))
    }
}
