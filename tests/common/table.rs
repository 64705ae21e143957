//! Stand-in games that run in real time in this process, and bots at their menus.
#![allow(dead_code, reason = "each program that includes this uses its part")]

use std::net::{Ipv4Addr, SocketAddrV4};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use mp_playground::bots::{Bot, Errand, Habit, hosting_place};
use mp_playground::game::{Phase, Screen, StandIn, Used};
use mp_playground::host::{Game, ModLibrary, Pacer, Setup};
use mp_playground::progress::Gift;
use mp_playground::sim::{Button, Level, Pad, TickRate, Vec3};

use super::library::{PATIENCE, library};

/// Nobody listens there: direct parties need no server, and no name is looked up.
pub const NO_SERVER: &str = "127.0.0.1:1";

/// A hurried tick. No shorter: a bot makes a choice again that changed nothing for so many ticks, and then it
/// would before the network could answer, over and over.
const HURRIED: Duration = Duration::from_millis(4);

/// One player: a game with the mod loaded, and a bot at it.
pub struct Player {
    pub name: &'static str,
    pub game: Game,
    pub bot: Bot,
    /// What is held in the bot's place.
    pub held: Option<Pad>,
    /// A button that is pressed for the next tick, in the place of the bot's pad.
    pub taps: Option<Button>,
    pub log: Vec<String>,
}

/// Several games of one process in real time, one after the other in each tick.
pub struct Table {
    pub players: Vec<Player>,
    /// Ticks four times as fast as in real time.
    pub hurries: bool,
    pacer: Pacer,
    library: ModLibrary,
}

impl Table {
    pub fn new() -> Self {
        let library = ModLibrary::open(&library()).expect("cargo built the mod beside this test");
        let pacer = Pacer::start(TickRate::default());
        Self { players: Vec::new(), hurries: false, pacer, library }
    }

    /// A host in its lobby, and the port that it listens on.
    pub fn with_host(name: &'static str, ready: usize) -> (Self, u16) {
        let mut table = Self::new();
        table.sit(name, Errand::Host { ready });
        let port = table.until_it_hosts();
        (table, port)
    }

    /// Ticks until the first player listens, and answers the port.
    pub fn until_it_hosts(&mut self) -> u16 {
        self.until("the host listens", |table| {
            hosting_place(&table.players[0].game.screen()).is_some()
        });
        let place = hosting_place(&self.players[0].game.screen()).expect("it listens");
        let port = place.rsplit([':', ' ']).next().and_then(|port| port.parse().ok());
        port.unwrap_or_else(|| panic!("a port in {place:?}"))
    }

    pub fn sit(&mut self, name: &'static str, errand: Errand) {
        self.sit_with(name, errand, 0, NO_SERVER);
    }

    /// One more game, with this DirectPort and this Server.
    pub fn sit_with(&mut self, name: &'static str, errand: Errand, port: u16, server: &str) {
        self.sit_in(PathBuf::new(), name, errand, port, server);
    }

    /// The same, with this directory of the game's: its card is there.
    pub fn sit_in(
        &mut self,
        work_dir: PathBuf,
        name: &'static str,
        errand: Errand,
        port: u16,
        server: &str,
    ) {
        let settings = [
            ("Server", server.to_owned()),
            ("Name", name.to_owned()),
            ("DirectPort", port.to_string()),
        ];
        let setup = Setup {
            settings: settings.map(|(key, value)| (key.to_owned(), value)).into(),
            build: "1.2.0/PLAY-00001".to_owned(),
            work_dir,
            ..Setup::default()
        };
        let game = Game::load(&self.library, setup).expect("the mod loads");
        let seed = self.players.len() as u64;
        let bot = Bot::new(errand, Habit::Walk, seed);
        self.players.push(Player { name, game, bot, held: None, taps: None, log: Vec::new() });
    }

    /// One more that joins a port of this machine.
    pub fn join(&mut self, name: &'static str, port: u16) {
        self.sit(name, Errand::Join { address: SocketAddrV4::new(Ipv4Addr::LOCALHOST, port) });
    }

    /// One tick of every game. Answers the CPU time that each spent in the mod.
    pub fn tick(&mut self) -> Vec<Duration> {
        self.wait();
        self.tick_now()
    }

    /// Waits until the next tick is due.
    pub fn wait(&mut self) {
        if self.players.iter().any(|player| player.bot.is_stepping()) {
            self.pacer.hurry(Duration::ZERO);
        } else if self.hurries {
            self.pacer.hurry(HURRIED);
        } else {
            self.pacer.next_tick();
        }
    }

    /// The tick that was waited for.
    pub fn tick_now(&mut self) -> Vec<Duration> {
        let tick = |player: &mut Player| {
            let pad = match (player.taps.take(), player.held) {
                (Some(button), _) => Pad::NEUTRAL.with(button),
                (None, Some(held)) => held,
                (None, None) => player.game.look(|game| player.bot.pad(game)),
            };
            let spent = player.game.tick(pad);
            player.log.extend(player.game.take_log().into_iter().map(|line| line.text));
            spent
        };
        self.players.iter_mut().map(tick).collect()
    }

    pub fn ticks(&mut self, ticks: u32) {
        (0..ticks).for_each(|_| drop(self.tick()));
    }

    /// Ticks until something holds.
    pub fn until(&mut self, what: &str, mut holds: impl FnMut(&mut Self) -> bool) {
        let begin = Instant::now();
        while !holds(self) {
            self.tick();
            assert!(begin.elapsed() < PATIENCE, "{what}: not in time\n{}", self.screens());
        }
    }

    /// The host's player picks a planet in the ship, and it leaves.
    pub fn fly(&mut self, player: usize, level: i32) {
        let planet = Level::name_of(level).expect("there is such a level");
        self.players[player].game.change(|game| {
            // Known before, or given now.
            game.give(Gift::Planet(usize::try_from(level).expect("a level's number")));
            game.used(Used::Ship);
        });
        self.choose(player, &planet);
    }

    /// Has a player choose a row, or an answer, once it shows.
    pub fn choose(&mut self, player: usize, label: &str) {
        self.players[player].bot.send(Errand::Choose(label.to_owned()));
        self.until(label, |table| table.players[player].bot.is_idle());
    }

    pub fn until_all_play(&mut self) {
        self.until("everyone is in the level", |table| {
            table.players.iter().all(|player| player.game.screen().phase == Phase::Playing)
        });
    }

    /// Whether a player has control of its hero.
    pub fn has_control(&self, player: usize) -> bool {
        self.players[player].game.look(StandIn::in_control)
    }

    /// The level that a player is in.
    pub fn level(&self, player: usize) -> Option<i32> {
        self.players[player].game.look(StandIn::level)
    }

    pub fn screen(&self, player: usize) -> Screen {
        self.players[player].game.screen()
    }

    /// Where a player is.
    pub fn place(&self, player: usize) -> Vec3 {
        let hero = self.players[player].game.look(|game| game.hero_pose());
        hero.expect("is in the level").position
    }

    /// Where a game shows the figure of that name.
    pub fn figure(&self, player: usize, name: &str) -> Option<Vec3> {
        self.players[player].game.look(|game| {
            let mut figures = game.figures().iter();
            let figure = figures.find(|figure| figure.shown && figure.name == name)?;
            figure.pose.as_ref().map(|pose| pose.position)
        })
    }

    pub fn screens(&self) -> String {
        let screens = self.players.iter().map(|player| {
            format!("{}:\n{}\n{}", player.name, player.game.screen(), player.log.join("\n"))
        });
        screens.collect::<Vec<_>>().join("\n\n")
    }

    /// Ends every game; the mod must have broken no rule of the interface.
    pub fn end(self) {
        for player in self.players {
            let faults = player.game.unload();
            assert!(faults.is_empty(), "{}: {faults:?}", player.name);
        }
    }
}
