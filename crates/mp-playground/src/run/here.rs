//! The demo in one process: all games on this thread, one after the other in each tick.

use std::path::Path;
use std::time::Duration;

use super::breaks::Break;
use super::demo::{Demo, Played, READING, SAVE};
use super::links::Passed;
use super::live::Live;
use super::outlook::Outlook;
use super::plan::{Deed, Plan};
use super::report::Report;
use super::seat::{Person, Seat};
use super::shared::{self, Worlds};
use super::track::{self, Track};
use super::venue::Venue;
use super::{Asked, RunError};
use crate::bots::{Errand, Habit, SaveChoice};
use crate::game::StandIn;
use crate::host::{ModLibrary, Pacer};
use crate::invariants::{Sight, Watch};
use crate::picture::{Picture, View};
use crate::say;
use crate::sim::TickRate;

/// How long the bots may take into the level, in seconds.
const MEETING: f64 = 90.0;
/// What a game says passes its proxy so much later at most, in seconds: its link holds back what is over
/// the server's limits.
const WORDS_LAG_S: f64 = 5.0;

pub(super) fn play(
    options: &Demo,
    library: &ModLibrary,
    folder: &Path,
) -> Result<Played, RunError> {
    let asked = Asked::listen(options.stage.clone())?;
    let others = usize::from(options.players - 1);
    let venue = Venue::open(options.meet, others + 1, options.plan(), folder)?;
    let sit = |(index, &name): (usize, &&str)| {
        let host = index == 0;
        let person = Person {
            name: name.to_owned(),
            errand: if host { venue.host_errand(others) } else { Errand::None },
            is_host: host,
            server: venue.server(index),
            save: SaveChoice::Slot(SAVE),
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
        pacer: Pacer::start(TickRate::default()),
        live: Live::new(),
        start: None,
        asked,
        outlook: Outlook::new(options.stage.clone(), options.clip.is_some(), others + 1),
        venue,
        watch: Watch::with_lag(WORDS_LAG_S),
        worlds: Worlds::default(),
        measuring: false,
        deeds: Plan::of(options.seconds, options.fault.is_some_and(Break::needs_one_to_leave)),
        away: None,
    };
    table.meet()?;
    table.venue.links_mut()?.begin();
    table.run(f64::from(options.seconds), true)?;
    let passed = table.venue.links_mut()?.passed();
    let picture = table.picture();
    let clip = table.outlook.take_clip();
    table.seats.iter_mut().for_each(|seat| seat.send(Errand::ShowLink));
    table.run(READING, false)?;
    table.live.end();
    Ok(Played { report: table.report(options, &passed)?, picture, clip })
}

/// The games round one table.
struct Table {
    seats: Vec<Seat>,
    pacer: Pacer,
    live: Live,
    start: Option<f64>,
    asked: Asked,
    outlook: Outlook,
    venue: Venue,
    watch: Watch,
    worlds: Worlds,
    /// What comes about now is measured.
    measuring: bool,
    deeds: Plan,
    /// Who left, and is to come back.
    away: Option<usize>,
}

impl Table {
    /// Brings everyone into the level: the host opens a party, the others join it.
    fn meet(&mut self) -> Result<(), RunError> {
        loop {
            let at = self.tick()?;
            if self.venue.look(&self.seats[0].screen())? {
                if let Some(code) = self.venue.code() {
                    self.live.end();
                    say!("code: {code}");
                }
                (1..self.seats.len()).for_each(|seat| self.join(seat));
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

    /// Sends a member to its party.
    fn join(&mut self, seat: usize) {
        if let Some(errand) = self.venue.member_errand(seat) {
            self.seats[seat].send(errand);
        }
    }

    /// Has the bots do what is due.
    fn follow_the_plan(&mut self, since: f64) {
        while let Some((seat, deed)) = self.deeds.poll(since, self.seats.len()) {
            if deed == Deed::LeaveAndComeBack {
                self.away = Some(seat);
            }
            self.seats[seat].follow(deed);
        }
        if let Some(seat) = self.away.take_if(|seat| self.seats[*seat].is_out()) {
            self.join(seat);
        }
    }

    /// Plays on for so long.
    fn run(&mut self, seconds: f64, record: bool) -> Result<(), RunError> {
        self.seats.iter_mut().for_each(|seat| seat.record(record));
        self.measuring = record;
        let mut end = None;
        loop {
            let at = self.tick()?;
            let end = *end.get_or_insert(at + seconds);
            if record {
                self.follow_the_plan(seconds - (end - at));
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
        let stepping = pads.iter().all(Option::is_none) && self.seats.iter().any(Seat::is_stepping);
        let at = if stepping { self.pacer.hurry(Duration::ZERO) } else { self.pacer.next_tick() };
        for (seat, pad) in self.seats.iter_mut().zip(pads) {
            seat.tick(at, pad)?;
        }
        self.outlook.look(at, &self.seats, self.venue.links());
        let since = at - *self.start.get_or_insert(at);
        let links = self.venue.links();
        let sight = |(number, seat): (usize, &Seat)| {
            let words = links.map(|links| links.of_seat(number).words).unwrap_or_default();
            Sight { words, ..seat.sight() }
        };
        let sights: Vec<_> = self.seats.iter().enumerate().map(sight).collect();
        self.watch.look(since, since, &sights);
        if self.measuring {
            self.worlds.look(at, self.seats.iter().map(Seat::mobys).collect());
        }
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
        let links = self.venue.links_mut()?;
        let claims = links.claims(options.names());
        let mut broken = links.refused(options.names());
        broken.extend(self.watch.into_broken());
        let ended = self.seats.into_iter().map(Seat::end).collect::<Result<Vec<_>, _>>()?;
        let tracks: Vec<Track> = ended.iter().map(|(_, track)| track.clone()).collect();
        let mut players: Vec<_> = ended.into_iter().map(|(report, _)| report).collect();
        track::fill_figures(&mut players, &tracks);
        self.worlds.fill(&mut players);
        shared::fill_accounts(&mut players, &tracks, &claims);
        passed.fill(&mut players, options.names());
        self.venue.close()?;
        Ok(Report::judged(options.course(), players, broken, Vec::new()))
    }
}
