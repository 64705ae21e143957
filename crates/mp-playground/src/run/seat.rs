//! One game of a run with the bot that plays it, and what is written down of it: the heroes' places,
//! the time spent in the mod, the game's log.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::PathBuf;
use std::time::Duration;

use super::RunError;
use super::report::{PlayerReport, Spread};
use super::track::{Sample, Track};
use crate::bots::{Bot, Errand, Habit};
use crate::game::{Phase, RowKind, Screen, StandIn};
use crate::host::{Game, ModLibrary, Setup};

/// What a game says of itself: `<game version>/<disc>`.
const BUILD: &str = "1.2.0/PLAY-00001";
/// Where no server is: these runs go without one.
const NO_SERVER: &str = "127.0.0.1:1";

/// Who sits down, and what for.
#[derive(Clone, Debug)]
pub(super) struct Person {
    pub name: String,
    pub errand: Errand,
    pub habit: Habit,
    /// The port to host on; 0: any free one.
    pub port: u16,
    /// The game's directory.
    pub folder: PathBuf,
    pub seed: u64,
}

/// A game that runs.
pub(super) struct Seat {
    pub name: String,
    role: &'static str,
    game: Game,
    bot: Bot,
    log: File,
    recording: bool,
    track: Track,
    mod_times: Vec<Duration>,
}

impl Seat {
    /// Starts a game for that person, with the mod loaded.
    pub(super) fn new(library: &ModLibrary, person: Person) -> Result<Self, RunError> {
        fs::create_dir_all(&person.folder).map_err(|e| RunError::file(&person.folder, e))?;
        let log_file = person.folder.join("run.log");
        let log = File::create(&log_file).map_err(|e| RunError::file(&log_file, e))?;
        let settings = [
            ("Server", NO_SERVER.to_owned()),
            ("Name", person.name.clone()),
            ("VerboseLog", "0".to_owned()),
            ("Chat", "1".to_owned()),
            ("QuickPhrases", "1".to_owned()),
            ("DirectPort", person.port.to_string()),
        ];
        let setup = Setup {
            launcher_name: person.name.clone(),
            settings: settings.map(|(key, value)| (key.to_owned(), value)).into(),
            build: BUILD.to_owned(),
            work_dir: person.folder,
            seed: person.seed,
            ..Setup::default()
        };
        let role = match person.errand {
            Errand::Host { .. } => "host",
            Errand::Join { .. } => "member",
            Errand::None | Errand::ShowLink | Errand::Choose(_) => "solo",
        };
        Ok(Self {
            game: Game::load(library, setup)?,
            bot: Bot::new(person.errand, person.habit, person.seed),
            log,
            recording: false,
            track: Track { name: person.name.clone(), ..Track::default() },
            mod_times: Vec::new(),
            name: person.name,
            role,
        })
    }

    /// Gives the bot another errand.
    pub(super) fn send(&mut self, errand: Errand) {
        if matches!(errand, Errand::Join { .. }) {
            self.role = "member";
        }
        self.bot.send(errand);
    }

    /// Begins or stops to write down places and times.
    pub(super) fn record(&mut self, on: bool) {
        self.recording = on;
    }

    /// One tick, at that time.
    pub(super) fn tick(&mut self, at: f64) -> Result<(), RunError> {
        let pad = self.game.look(|game| self.bot.pad(game));
        let in_mod = self.game.tick(pad);
        for line in self.game.take_log() {
            writeln!(self.log, "{at:.3} [{}] {}", line.level, line.text)
                .map_err(|error| RunError::file("run.log".as_ref(), error))?;
        }
        if !self.recording {
            return Ok(());
        }
        let (track, times) = (&mut self.track, &mut self.mod_times);
        self.game.look(|game| {
            let Some(hero) = game.hero_pose() else { return };
            times.push(in_mod);
            track.own.push(Sample { at, place: hero.position.into() });
            for figure in game.figures().iter().filter(|figure| figure.shown) {
                if let Some(pose) = &figure.pose {
                    let sample = Sample { at, place: pose.position.into() };
                    track.seen.entry(figure.name.clone()).or_default().push(sample);
                }
            }
        });
        Ok(())
    }

    pub(super) fn screen(&self) -> Screen {
        self.game.screen()
    }

    /// Whether the hero is in a level, under a menu or not.
    pub(super) fn is_in_level(&self) -> bool {
        matches!(self.screen().phase, Phase::Playing | Phase::Paused)
    }

    /// The live line's words for it: the phase, and whom it sees or which page it is on.
    pub(super) fn in_words(&self) -> String {
        let screen = self.screen();
        let seen: Vec<String> = self.game.look(|game| {
            let shown = game.figures().iter().filter(|figure| figure.shown);
            shown.map(|figure| figure.name.clone()).collect()
        });
        let what = match (&screen.page, seen.is_empty()) {
            (Some(page), _) => {
                let footer = page.footer.iter().filter(|line| !line.is_empty());
                footer.fold(page.title.clone(), |words, line| words + ", " + line)
            }
            (None, true) => "sees nobody".to_owned(),
            (None, false) => format!("sees {}", seen.join(", ")),
        };
        let message = screen.message.map_or(String::new(), |words| format!(" ({words})"));
        format!("{} {} {what}{message}", self.name, screen.phase)
    }

    /// A copy of the game as it is, to be drawn later.
    pub(super) fn copy(&self) -> StandIn {
        self.game.look(StandIn::clone)
    }

    /// What its own page says of its link: the round trip in milliseconds, and whether by UDP.
    pub(super) fn link(&self) -> (Option<u32>, Option<bool>) {
        let screen = self.screen();
        let rows = screen.page.iter().flat_map(|page| &page.rows);
        let own = rows.filter(|row| row.label.split(' ').next() == Some(self.name.as_str()));
        own.map(|row| link_in(&row.value)).next().unwrap_or_default()
    }

    /// How many players the page that shows lists.
    pub(super) fn listed(&self) -> usize {
        let screen = self.screen();
        let rows = screen.page.iter().flat_map(|page| &page.rows);
        rows.filter(|row| row.kind == RowKind::Text).count()
    }

    /// Unloads the mod, and hands over what was written down.
    pub(super) fn end(self) -> (PlayerReport, Track) {
        let (round_trip_ms, udp) = self.link();
        let screen = self.screen();
        let level = self.game.look(StandIn::level).unwrap_or(-1);
        let times = self.mod_times.iter().map(|time| time.as_secs_f64() * 1e6).collect();
        let faults = self.game.unload();
        let report = PlayerReport {
            name: self.name,
            role: self.role.to_owned(),
            level,
            round_trip_ms,
            udp,
            ticks: self.mod_times.len(),
            mod_tick_us: Spread::of(times),
            figures: Vec::new(),
            phase: screen.phase.to_string(),
            page: screen.title().to_owned(),
            footer: screen.footer().to_vec(),
            faults: faults.iter().map(ToString::to_string).collect(),
        };
        (report, self.track)
    }
}

/// The round trip and the way in words such as `12 ms UDP`.
fn link_in(words: &str) -> (Option<u32>, Option<bool>) {
    let mut words = words.split_whitespace();
    let round_trip = words.next().and_then(|number| number.parse().ok());
    let udp = words.last().and_then(|way| match way {
        "UDP" => Some(true),
        "TCP" => Some(false),
        _ => None,
    });
    (round_trip, udp)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_is_read_off_the_page() {
        assert_eq!(link_in("12 ms UDP"), (Some(12), Some(true)));
        assert_eq!(link_in("0 ms TCP"), (Some(0), Some(false)));
        assert_eq!(link_in("-"), (None, None));
    }
}
