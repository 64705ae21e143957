//! One game of a run with the bot that plays it, and what is written down of it: the heroes' places,
//! the time spent in the mod, the game's log.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::PathBuf;
use std::time::Duration;

use super::breaks::Break;
use super::plan::Deed;
use super::recording::Recording;
use super::report::{PlayerReport, Spread, WorldReport};
use super::sabotage::Sabotage;
use super::shared::Places;
use super::track::Track;
use super::{RunError, cards};
use crate::bots::{Bot, Errand, Habit, SaveChoice};
use crate::game::{Phase, Row, RowKind, SceneNow, Screen, StandIn};
use crate::host::{Fault, Game, LogLine, ModLibrary, Setup};
use crate::invariants::{Broken, Invariant, Role, Sight};
use crate::sim::{Pad, TickRate};

/// What a game says of itself: `<game version>/<disc>`.
const BUILD: &str = "1.2.0/PLAY-00001";
/// Where no server is: these runs go without one.
pub(super) const NO_SERVER: &str = "127.0.0.1:1";

/// How long a host's bot looks on at a scene, in ticks.
const SKIPS_AFTER: u32 = 75;

/// How often the card's files are looked at, in ticks.
const CARD_EVERY: u64 = 60;

/// Who sits down, and what for.
#[derive(Clone, Debug, Default)]
pub(super) struct Person {
    pub name: String,
    pub errand: Errand,
    /// It hosts the party.
    pub is_host: bool,
    /// The Server setting; `None`: it goes without a server.
    pub server: Option<String>,
    /// Settings that count before those that the rest says.
    pub settings: BTreeMap<String, String>,
    /// What it has a party that it hosts play.
    pub save: SaveChoice,
    pub habit: Habit,
    /// The port to host on; 0: any free one.
    pub port: u16,
    /// The game's directory.
    pub folder: PathBuf,
    pub seed: u64,
    /// A recorded pad that plays in the bot's place.
    pub replay: Option<Recording>,
    /// Take the pad down.
    pub records: bool,
    /// A deliberate fault in this game.
    pub fault: Option<Break>,
}

/// A game that runs.
pub(super) struct Seat {
    pub name: String,
    role: Role,
    /// A person, or a recorded pad, may join or host by the menus: its pages then tell the role.
    role_shows: bool,
    game: Game,
    bot: Bot,
    log: File,
    /// The time of the newest tick.
    at: f64,
    recording: bool,
    track: Track,
    mod_times: Vec<Duration>,
    /// In the newest tick.
    in_mod: Duration,
    /// How many mobys the mod drove at once, at most.
    driven: usize,
    folder: PathBuf,
    seed: u64,
    ticks: u64,
    /// The pad so far, if it is taken down.
    taken: Option<Recording>,
    replay: Option<Recording>,
    /// Where the replay went another way than it was recorded, in ticks.
    strayed: Option<u64>,
    /// How the card's files differed when they were looked at last.
    card: Option<String>,
    scene: Option<SceneNow>,
    scenes: usize,
    sabotage: Option<Sabotage>,
}

impl Seat {
    /// Starts a game for that person, with the mod loaded.
    pub(super) fn new(library: &ModLibrary, person: Person) -> Result<Self, RunError> {
        fs::create_dir_all(&person.folder).map_err(|e| RunError::file(&person.folder, e))?;
        let log_file = person.folder.join("run.log");
        let log = File::create(&log_file).map_err(|e| RunError::file(&log_file, e))?;
        let settings = [
            ("Server", person.server.unwrap_or_else(|| NO_SERVER.to_owned())),
            ("Name", person.name.clone()),
            ("VerboseLog", "0".to_owned()),
            ("Chat", "1".to_owned()),
            ("QuickPhrases", "1".to_owned()),
            ("DirectPort", person.port.to_string()),
        ];
        let mut settings = BTreeMap::from(settings.map(|(key, value)| (key.to_owned(), value)));
        settings.extend(person.settings);
        let rate = person.replay.as_ref().map_or(TickRate::default(), |replay| replay.rate);
        let setup = Setup {
            launcher_name: person.name.clone(),
            settings,
            build: BUILD.to_owned(),
            work_dir: person.folder.clone(),
            seed: person.seed,
            rate,
        };
        let role = if person.is_host { Role::Host } else { role_of(&person.errand) };
        let game = Game::load(library, setup)?;
        let mut bot = Bot::new(person.errand, person.habit, person.seed).with_save(person.save);
        if person.is_host {
            bot = bot.who_skips(SKIPS_AFTER);
        }
        let taken = person.records.then(|| Recording::new(person.seed, rate));
        Ok(Self {
            game,
            bot,
            log,
            at: 0.0,
            recording: false,
            track: Track::new(&person.name),
            mod_times: Vec::new(),
            in_mod: Duration::ZERO,
            driven: 0,
            name: person.name,
            role,
            role_shows: role == Role::Alone,
            folder: person.folder,
            seed: person.seed,
            ticks: 0,
            taken,
            replay: person.replay,
            strayed: None,
            card: None,
            scene: None,
            scenes: 0,
            sabotage: person.fault.map(Sabotage::new),
        })
    }

    /// Gives the bot another errand.
    pub(super) fn send(&mut self, errand: Errand) {
        if role_of(&errand) == Role::Member {
            (self.role, self.role_shows) = (Role::Member, false);
        }
        self.bot.send(errand);
    }

    /// Has its bot do something of the plan.
    pub(super) fn follow(&mut self, deed: Deed) {
        match deed {
            Deed::Play(habit) => self.bot.set_habit(habit),
            Deed::Visit(place) => self.bot.send(Errand::Visit(place)),
            Deed::Pause(seconds) => {
                let rate = u32::from(self.game.look(StandIn::tick_rate));
                self.bot.send(Errand::Pause { ticks: seconds * rate });
            }
            Deed::LeaveAndComeBack => self.bot.send(Errand::Leave),
        }
    }

    /// Whether its bot steps in what nobody has to wait for.
    pub(super) const fn is_stepping(&self) -> bool {
        self.bot.is_stepping()
    }

    /// Begins or stops to write down places and times.
    pub(super) fn record(&mut self, on: bool) {
        self.recording = on;
    }

    /// One tick, at that time, with the pad of the person who plays it, if one does.
    pub(super) fn tick(&mut self, at: f64, person: Option<Pad>) -> Result<(), RunError> {
        let tick = usize::try_from(self.ticks).unwrap_or(usize::MAX);
        let pad = match (&self.replay, person) {
            (Some(replay), _) => replay.pad(tick),
            // A person who does nothing lets the bot do its errand first.
            (None, Some(pad)) if pad != Pad::NEUTRAL || self.bot.is_idle() => pad,
            (None, _) => self.game.look(|game| self.bot.pad(game)),
        };
        let in_mod = self.game.tick(pad);
        self.in_mod = in_mod;
        self.ticks += 1;
        self.compare(tick + 1);
        if let Some(taken) = &mut self.taken {
            taken.push(pad);
            // What others do is not in the pad, so a party's digests would not come again.
            if self.role == Role::Alone {
                taken.note(|| self.game.look(StandIn::digest));
            }
        }
        if self.role_shows {
            self.role = role_on(&self.screen(), &self.name).unwrap_or(self.role);
        }
        self.at = at;
        write_log(&mut self.log, at, &self.game.take_log())?;
        if let Some(sabotage) = &mut self.sabotage {
            let done = sabotage.tick(&mut self.game, &self.folder);
            done.map_err(|error| RunError::file(&self.folder, error))?;
        }
        if self.ticks.is_multiple_of(CARD_EVERY) {
            self.look_at_the_card();
        }
        if self.recording {
            self.write_down(at, in_mod);
        }
        Ok(())
    }

    /// Compares the game with the replayed pad's digest, if it has one here.
    fn compare(&mut self, ticks: usize) {
        let recorded = self.replay.as_ref().and_then(|replay| replay.digest(ticks));
        if let Some(recorded) = recorded
            && self.strayed.is_none()
            && self.game.look(StandIn::digest) != recorded
        {
            self.strayed = Some(self.ticks);
        }
    }

    fn look_at_the_card(&mut self) {
        let folder = &self.folder;
        self.card = self.game.look(|game| cards::difference(game, folder));
    }

    fn write_down(&mut self, at: f64, in_mod: Duration) {
        let (track, times) = (&mut self.track, &mut self.mod_times);
        let driven = &mut self.driven;
        self.game.look(|game| {
            *driven = game.mobys().filter(|moby| moby.driven).count().max(*driven);
            if game.hero_pose().is_some() {
                times.push(in_mod);
            }
            track.look(at, game);
        });
        let scene = self.game.look(StandIn::scene);
        let begins = |now: &SceneNow| {
            self.scene.is_none_or(|then| then.kind != now.kind || then.number != now.number)
        };
        self.scenes += usize::from(scene.as_ref().is_some_and(begins));
        self.scene = scene;
    }

    /// The game as the invariants see it.
    pub(super) fn sight(&self) -> Sight {
        Sight {
            faults: self.game.faults().iter().map(in_short).collect(),
            card: self.card.clone(),
            ..self.game.look(|game| Sight::of(&self.name, self.role, game))
        }
    }

    /// What this game alone shows to be broken.
    pub(super) fn broken(&self) -> Vec<Broken> {
        let broken = |invariant, what| Broken { invariant, at_s: None, what };
        let card = self
            .card
            .iter()
            .map(|words| broken(Invariant::CardKept, format!("{}: {words}", self.name)));
        let strayed = self.strayed.iter().map(|ticks| {
            let words = format!("{}: another state than recorded by tick {ticks}", self.name);
            broken(Invariant::Replay, words)
        });
        card.chain(strayed).collect()
    }

    /// The game's seed.
    pub(super) const fn seed(&self) -> u64 {
        self.seed
    }

    /// The pad as it was taken down.
    pub(super) fn recorded(&self) -> Option<&Recording> {
        self.taken.as_ref()
    }

    /// Where its level's mobys are.
    pub(super) fn mobys(&self) -> Option<Places> {
        self.game.look(Places::of)
    }

    /// The heroes' places so far.
    pub(super) const fn track(&self) -> &Track {
        &self.track
    }

    /// CPU time in the mod in the newest tick.
    pub(super) const fn in_mod(&self) -> Duration {
        self.in_mod
    }

    pub(super) fn screen(&self) -> Screen {
        self.game.screen()
    }

    /// Whether the hero is in a level, under a menu or not.
    pub(super) fn is_in_level(&self) -> bool {
        matches!(self.screen().phase, Phase::Playing | Phase::Paused)
    }

    /// Whether it is back at the title, out of everything.
    pub(super) fn is_out(&self) -> bool {
        matches!(self.screen().phase, Phase::Title | Phase::TitlePage)
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
        own_row(&screen, &self.name).map(|row| link_in(&row.value)).unwrap_or_default()
    }

    /// How many players the page that shows lists.
    pub(super) fn listed(&self) -> usize {
        let screen = self.screen();
        let rows = screen.page.iter().flat_map(|page| &page.rows);
        rows.filter(|row| row.kind == RowKind::Text).count()
    }

    /// Unloads the mod, and hands over what was written down.
    pub(super) fn end(mut self) -> Result<(PlayerReport, Track), RunError> {
        let (round_trip_ms, udp) = self.link();
        let screen = self.screen();
        let (name, role) = (&self.name, self.role);
        let of_game = self.game.look(|game| PlayerReport::of(name, role, game, &screen));
        self.game.look(|game| self.track.end(game));
        let times = self.mod_times.iter().map(|time| time.as_secs_f64() * 1e6).collect();
        let (faults, lines) = self.game.unload_and_log();
        write_log(&mut self.log, self.at, &lines)?;
        let report = PlayerReport {
            round_trip_ms,
            udp,
            ticks: self.mod_times.len(),
            mod_tick_us: Spread::of(times),
            world: WorldReport { driven: self.driven, ..WorldReport::default() },
            scenes: self.scenes,
            faults: faults.iter().map(ToString::to_string).collect(),
            ..of_game
        };
        Ok((report, self.track))
    }
}

fn write_log(log: &mut File, at: f64, lines: &[LogLine]) -> Result<(), RunError> {
    for LogLine { level, text } in lines {
        writeln!(log, "{at:.3} [{level}] {text}")
            .map_err(|error| RunError::file("run.log".as_ref(), error))?;
    }
    Ok(())
}

fn role_of(errand: &Errand) -> Role {
    if matches!(errand, Errand::Join { .. } | Errand::Code(_)) { Role::Member } else { Role::Alone }
}

/// What a player of that name is in his party, if a page shows that lists it: a lobby marks its host beside
/// his name, the pause menu's page behind it.
fn role_on(screen: &Screen, name: &str) -> Option<Role> {
    let own = own_row(screen, name)?;
    let hosts = own.label.contains("(host") || own.value == "(host)";
    Some(if hosts { Role::Host } else { Role::Member })
}

/// The row of a player of that name, if a page shows that lists the players.
fn own_row<'a>(screen: &'a Screen, name: &str) -> Option<&'a Row> {
    let rows = screen.page.iter().flat_map(|page| &page.rows);
    let mut listed = rows.filter(|row| row.kind == RowKind::Text);
    listed.find(|row| row.label.split(' ').next() == Some(name))
}

/// A fault without how often, which changes.
fn in_short(fault: &Fault) -> String {
    format!("{}: {}", fault.call, fault.kind)
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
    use crate::game::PageView;

    fn screen(rows: &[(&str, &str)]) -> Screen {
        let row = |&(label, value): &(&str, &str)| Row {
            value: value.to_owned(),
            kind: RowKind::Text,
            ..Row::action(label)
        };
        let page = PageView { rows: rows.iter().map(row).collect(), ..PageView::default() };
        Screen { page: Some(page), ..StandIn::new(0).screen() }
    }

    /// B2.7, B2.8
    #[test]
    fn whoever_hosts_or_joins_by_the_menus_is_what_the_lobby_or_the_pause_page_says() {
        for (page, role) in [
            (&[("Nova", "(host)"), ("Orbit", "(ready)")][..], Some(Role::Host)),
            (&[("Orbit", "(host)"), ("Nova", "(not ready)")], Some(Role::Member)),
            (&[("Nova (host, you)", "12 ms UDP"), ("Orbit", "-")], Some(Role::Host)),
            (&[("Orbit (host)", "-"), ("Nova (you)", "12 ms TCP")], Some(Role::Member)),
            (&[("Your name", "Nova"), ("Nova: hello", "")], None),
            (&[], None),
        ] {
            assert_eq!(role_on(&screen(page), "Nova"), role, "{page:?}");
        }
    }

    #[test]
    fn a_link_is_read_off_the_page() {
        assert_eq!(link_in("12 ms UDP"), (Some(12), Some(true)));
        assert_eq!(link_in("0 ms TCP"), (Some(0), Some(false)));
        assert_eq!(link_in("-"), (None, None));
    }
}
