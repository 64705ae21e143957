//! The playground's command line: what the binary is, and what a test runs as a process of its own. See
//! `programs.md` for what each option means.

pub(crate) mod values;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::net::{SocketAddr, SocketAddrV4};
use std::path::PathBuf;
use std::process::ExitCode;

use crate::bots::{Habit, SaveChoice};
use crate::library;
use crate::mods::{Loadable, ModsArgs, ModsFolder};
use crate::proxy::Conditions;
use crate::run::{
    Break, Demo, Meet, NoBreak, Party, Play, RunError, check_name, choose_mod, demo, play,
};
use crate::trace::args::TraceArgs;
use crate::window::{self, NoWindow, Stage};
use crate::{out, say};
use clap::error::ErrorKind;
use clap::{ArgGroup, Args, CommandFactory as _, Parser, Subcommand};
use mp_protocol::limits::PORT;

const KEYS: &str = "In the window: Tab or a click picks the game you play. W A S D or the arrows go, \
    in menus too, Space is Cross, J Square, K Circle, L or Backspace Triangle, P or Escape Start, Q E Z C the shoulder \
    buttons; F3, or Select on a gamepad, shows what is known of the network: in `play` the time that the mod \
    takes, and the round trip while the pause menu's Multiplayer page is open.";

/// A stand-in game that loads the multiplayer mod as the real game would. Without a command: `demo`.
#[derive(Parser)]
#[command(version, args_conflicts_with_subcommands = true, after_help = KEYS)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    demo: DemoArgs,
}

#[derive(Subcommand)]
enum Command {
    /// A party of games on this machine, played by bots.
    Demo(DemoArgs),
    /// One game.
    Play(PlayArgs),
    /// Lays the traces (mp-trace.log) of several players side by side.
    Trace(TraceArgs),
    /// The mods of a folder, as a launcher shows, installs and sets them.
    Mods(ModsArgs),
}

#[derive(Args, Clone)]
struct DemoArgs {
    /// Play that long once all are in the level.
    #[arg(long, default_value_t = 30)]
    seconds: u32,
    /// How many play.
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u8).range(2..=4))]
    players: u8,
    /// Meet at the host's embedded direct host, not at a relay.
    #[arg(long, conflicts_with = "server")]
    direct: bool,
    /// Meet at a relay that runs already, not at one of the demo's own; port 7770 without one.
    #[arg(long, value_name = "ADDR[:PORT]", value_parser = values::server)]
    server: Option<SocketAddr>,
    /// A process for each game, without a window.
    #[arg(long, conflicts_with_all = ["window", "clip"])]
    processes: bool,
    #[command(flatten)]
    show: ShowArgs,
    /// Each game's link, one way (ms, %), such as latency=60,jitter=20,loss=2,duplicate=1,reorder=1.
    #[arg(long, value_name = "LINK")]
    conditions: Option<Conditions>,
    /// The bots' seed, and the links'.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// A deliberate fault: the run must fail and name it. `list` prints them.
    #[arg(long = "break", value_name = "WHAT", value_parser = fault, conflicts_with = "processes")]
    fault: Option<Fault>,
    #[command(flatten)]
    out: OutArgs,
}

/// What `--break` asks for.
#[derive(Clone, Copy, Debug)]
enum Fault {
    List,
    Do(Break),
}

fn fault(name: &str) -> Result<Fault, NoBreak> {
    if name == "list" { Ok(Fault::List) } else { name.parse().map(Fault::Do) }
}

/// Without either: a window where a display is found.
#[derive(Args, Clone, Copy)]
struct ShowArgs {
    /// In a window, or not at all.
    #[arg(long, conflicts_with = "headless")]
    window: bool,
    /// Without a window.
    #[arg(long)]
    headless: bool,
}

#[derive(Args, Clone)]
struct OutArgs {
    /// Write the figures of the run there, as JSON.
    #[arg(long, value_name = "FILE.json", value_parser = values::file)]
    report: Option<PathBuf>,
    /// Write the picture there.
    #[arg(long, value_name = "FILE.png", value_parser = values::png)]
    picture: Option<PathBuf>,
    /// Write the last seconds there, animated.
    #[arg(long, value_name = "FILE.gif", value_parser = values::gif)]
    clip: Option<PathBuf>,
    /// Make each game's directory there, not in a temporary one.
    #[arg(long, value_name = "DIR")]
    work_dir: Option<PathBuf>,
    /// The mod to load, not one built or found.
    #[arg(long, value_name = "FILE")]
    library: Option<PathBuf>,
}

#[derive(Args, Clone)]
#[command(group(ArgGroup::new("way").multiple(true)), after_help = KEYS)]
struct PlayArgs {
    /// The player's name: 3 to 16 letters, digits and underscores; `Player` without one.
    #[arg(long, value_parser = name)]
    name: Option<String>,
    /// The server; port 7770 without one.
    #[arg(long, value_name = "ADDR[:PORT]", group = "way")]
    server: Option<String>,
    /// Load the mod that is on in that folder, as it is set there, with this name as the launcher's. A
    /// person in a window sees the page of mods first.
    #[arg(long, value_name = "DIR", group = "way", conflicts_with = "library")]
    mods: Option<PathBuf>,
    /// Create a match on the server.
    #[arg(long, requires = "way", group = "party")]
    create: bool,
    /// Join the match of that code on the server.
    #[arg(long, value_name = "CODE", value_parser = values::code, requires = "way", group = "party")]
    code: Option<String>,
    /// Host directly.
    #[arg(long, group = "party")]
    host_direct: bool,
    /// Join that address; port 7770 without one.
    #[arg(
        long,
        value_name = "ADDR[:PORT]",
        value_parser = values::host,
        group = "party",
        conflicts_with = "server"
    )]
    join: Option<SocketAddrV4>,
    /// What a party hosted here plays: a new game, or a save of the card.
    #[arg(long, value_name = "new|1..5", default_value = "new")]
    save: SaveChoice,
    /// What the bot does in the level; without it a person plays, if there is a window.
    #[arg(long, value_name = "NAME")]
    bot: Option<Habit>,
    /// A recorded pad plays, with its seed, not the bot.
    #[arg(long, value_name = "FILE", conflicts_with = "seed")]
    pad: Option<PathBuf>,
    /// Take the pad of every tick down in that file.
    #[arg(long, value_name = "FILE", value_parser = values::file)]
    record_pad: Option<PathBuf>,
    /// A host starts when so many others are ready; a member gets ready.
    #[arg(long, value_name = "N", default_value_t = 1)]
    auto_start: usize,
    /// The port to host on, 7770 without one; 0: any free one.
    #[arg(long, value_name = "N")]
    port: Option<u16>,
    /// Play that long once in the level, and give up after 90 s outside one; else it waits, and plays, until
    /// told to end.
    #[arg(long)]
    seconds: Option<u32>,
    #[command(flatten)]
    show: ShowArgs,
    /// The bot's seed.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Write the heroes' places there, tick by tick.
    #[arg(long, value_name = "FILE.json", value_parser = values::file, hide = true)]
    tracks: Option<PathBuf>,
    #[command(flatten)]
    out: OutArgs,
}

fn name(text: &str) -> Result<String, RunError> {
    check_name(text).map(|()| text.to_owned())
}

impl OutArgs {
    /// Builds or finds the mod, before a window opens that would wait for it.
    fn find_library(&mut self) -> Result<(), RunError> {
        self.library = Some(library::find(self.library.as_deref())?);
        Ok(())
    }
}

impl DemoArgs {
    fn demo(&self) -> Demo {
        Demo {
            seconds: self.seconds,
            players: self.players,
            seed: self.seed,
            meet: match self.server {
                Some(server) => Meet::Server(server),
                None if self.direct => Meet::Direct,
                None => Meet::Relay,
            },
            conditions: self.conditions,
            fault: self.fault.and_then(|fault| match fault {
                Fault::List => None,
                Fault::Do(fault) => Some(fault),
            }),
            processes: self.processes,
            report: self.out.report.clone(),
            picture: self.out.picture.clone(),
            clip: self.out.clip.clone(),
            stage: None,
            work_dir: self.out.work_dir.clone(),
            library: self.out.library.clone(),
        }
    }
}

impl PlayArgs {
    /// Whether a person plays, if there is a window: what a bot or a recorded pad plays is only watched.
    fn is_for_a_person(&self) -> bool {
        self.bot.is_none() && self.pad.is_none()
    }

    /// What was asked for that a mod of a folder has a setting for, and how that is set.
    fn better_set(&self) -> Option<String> {
        self.mods.as_ref()?;
        let port = self.port.map(|port| ("--port", "DirectPort", port.to_string()));
        let server = self.server.clone().map(|server| ("--server", "Server", server));
        let (option, key, value) = server.or(port)?;
        Some(format!(
            "--mods plays as the mod is set, so {option} does not count there: set it with `mods set \
             multiplayer {key} {value}`"
        ))
    }

    /// Plays, with a mod out of the folder of mods if there is one. False: something is not as it should be.
    fn run(mut self, stage: Option<Stage>) -> Result<bool, RunError> {
        let mut settings = BTreeMap::new();
        if let Some(folder) = &self.mods {
            let chosen = match &stage {
                Some(stage) if self.is_for_a_person() => {
                    choose_mod(folder, &self.called(&settings), stage)?
                }
                _ => Some(ModsFolder::at(folder).loadable()?),
            };
            let Some(Loadable { library, settings: set }) = chosen else { return Ok(true) };
            self.out.library = Some(library);
            settings = set;
        }
        if let Some(warning) = self.name_lost(&settings) {
            eprintln!("{warning}");
        }
        play(&self.play(settings, stage))
    }

    /// What the player is called: as the mod is set (behaviour.md 1.2), else as he says here.
    fn called(&self, settings: &BTreeMap<String, String>) -> String {
        let set = settings.get("Name").filter(|name| check_name(name).is_ok());
        set.or(self.name.as_ref()).cloned().unwrap_or_else(|| "Player".to_owned())
    }

    /// That `--name` does not count, if it does not.
    fn name_lost(&self, settings: &BTreeMap<String, String>) -> Option<String> {
        let (asked, called) = (self.name.as_ref()?, self.called(settings));
        (*asked != called).then(|| {
            format!(
                "warning: the mod's setting Name is `{called}`, which goes before --name {asked}: \
                 `mods set multiplayer Name ''` empties it"
            )
        })
    }

    fn play(&self, settings: BTreeMap<String, String>, stage: Option<Stage>) -> Play {
        // A person who plays has a bot only for what there is to do before.
        let habit = if stage.is_some() { Habit::Stand } else { Habit::Walk };
        Play {
            name: self.called(&settings),
            party: match (&self.code, self.join) {
                _ if self.host_direct => Party::Host { ready: self.auto_start },
                _ if self.create => Party::Create { ready: self.auto_start },
                (Some(code), _) => Party::Code(code.clone()),
                (None, Some(address)) => Party::Join(address),
                (None, None) => Party::None,
            },
            server: self.server.clone(),
            settings,
            save: self.save,
            bot: self.bot.unwrap_or(habit),
            pad: self.pad.clone(),
            record_pad: self.record_pad.clone(),
            port: self.port.unwrap_or(PORT),
            seconds: self.seconds,
            seed: self.seed,
            report: self.out.report.clone(),
            picture: self.out.picture.clone(),
            clip: self.out.clip.clone(),
            stage,
            tracks: self.tracks.clone(),
            work_dir: self.out.work_dir.clone(),
            library: self.out.library.clone(),
        }
    }
}

impl ShowArgs {
    /// Runs it in a window for so many games, or without one; `person`: the game he plays at first.
    fn show<T: Send + 'static>(
        self,
        games: usize,
        person: Option<usize>,
        run: impl FnOnce(Option<Stage>) -> T + Clone + Send + 'static,
    ) -> Result<T, NoWindow> {
        if self.headless {
            return Ok(run(None));
        }
        let opened = window::open("Ratchet & Clank stand-in", games, person, {
            let run = run.clone();
            move |stage| run(Some(stage))
        });
        match opened {
            Err(error) if !self.window => {
                say!("{error}: it goes on without one");
                Ok(run(None))
            }
            opened => opened,
        }
    }
}

/// Does what the words say, the first of which is the program's own name, and answers with its status. It
/// ends the process itself when they are wrong, or ask for help.
pub fn run(words: impl IntoIterator<Item = OsString>) -> ExitCode {
    let cli = Cli::parse_from(words);
    let shown = match cli.command.unwrap_or(Command::Demo(cli.demo)) {
        Command::Demo(DemoArgs { fault: Some(Fault::List), .. }) => {
            out::say(&Break::list());
            return ExitCode::SUCCESS;
        }
        Command::Demo(mut args) => {
            // Before anything is built for it.
            if let Err(error) = args.demo().check().and_then(|()| args.out.find_library()) {
                return failed(&error);
            }
            let headless = args.show.headless || args.processes;
            let games = args.players.into();
            ShowArgs { headless, ..args.show }.show(games, None, move |stage| {
                demo(&Demo { stage, ..args.demo() }).map(|report| report.ok)
            })
        }
        Command::Trace(args) => {
            if let Some(words) = args.nothing_between() {
                Cli::command().error(ErrorKind::ArgumentConflict, words).exit();
            }
            return args.run();
        }
        Command::Mods(args) => {
            return match args.run() {
                Ok(page) => {
                    out::say(&page);
                    ExitCode::SUCCESS
                }
                Err(error) => {
                    eprintln!("{error}");
                    ExitCode::from(error.exit_code())
                }
            };
        }
        Command::Play(mut args) => {
            if let Some(words) = args.better_set() {
                Cli::command().error(ErrorKind::ArgumentConflict, words).exit();
            }
            // Before anything is built for it.
            let headless = args.show.headless;
            let can = if headless { args.play(BTreeMap::new(), None).check() } else { Ok(()) };
            let found = can.and_then(|()| match args.mods {
                None => args.out.find_library(),
                Some(_) => Ok(()),
            });
            if let Err(error) = found {
                return failed(&error);
            }
            let person = args.is_for_a_person().then_some(0);
            args.show.show(1, person, move |stage| args.run(stage))
        }
    };
    match shown {
        Ok(Ok(true)) => ExitCode::SUCCESS,
        Ok(Ok(false)) => ExitCode::FAILURE,
        Ok(Err(error)) => failed(&error),
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn failed(error: &RunError) -> ExitCode {
    eprintln!("{error}");
    ExitCode::from(error.exit_code())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(words: &[&str]) -> PlayArgs {
        let words = ["mp-playground", "play"].iter().chain(words);
        match Cli::try_parse_from(words).map(|cli| cli.command) {
            Ok(Some(Command::Play(args))) => args,
            _ => panic!("no play"),
        }
    }

    #[test]
    fn whoever_asks_how_to_play_is_told_the_keys() {
        for words in [&["mp-playground", "--help"][..], &["mp-playground", "play", "--help"]] {
            let help = Cli::try_parse_from(words).err().expect("it is help").to_string();
            assert!(help.contains("W A S D or the arrows"), "{words:?}: {help}");
        }
    }

    #[test]
    fn what_a_mods_folder_has_a_setting_for_is_refused_with_how_to_set_it() {
        for (option, value, key) in [("--port", "7780", "DirectPort"), ("--server", "h", "Server")]
        {
            let why = asked(&["--mods", "mods", option, value]).better_set().expect(option);
            assert!(why.contains(&format!("`mods set multiplayer {key} {value}`")), "{why}");
            assert_eq!(asked(&[option, value]).better_set(), None);
        }
        assert_eq!(asked(&["--mods", "mods", "--create"]).better_set(), None);
    }

    /// B1.2
    #[test]
    fn a_name_that_the_mods_setting_goes_before_is_said_and_the_game_is_called_as_set() {
        let set = |name: &str| BTreeMap::from([("Name".to_owned(), name.to_owned())]);
        let args = asked(&["--name", "Orbit"]);
        let warning = args.name_lost(&set("Nova")).expect("it is lost");
        assert!(warning.contains("`Nova`, which goes before --name Orbit"), "{warning}");
        assert_eq!(args.play(set("Nova"), None).name, "Nova");
        for kept in [set(""), set("${player_name}"), set("Orbit"), BTreeMap::new()] {
            assert_eq!((args.called(&kept).as_str(), args.name_lost(&kept)), ("Orbit", None));
        }
        let unnamed = asked(&[]);
        assert_eq!(
            (unnamed.called(&BTreeMap::new()).as_str(), unnamed.name_lost(&set("Nova"))),
            ("Player", None)
        );
    }
}
