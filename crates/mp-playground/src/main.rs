//! The playground's command line. See `programs.md` for what each option means.

use std::net::{Ipv4Addr, SocketAddrV4};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};
use mp_playground::bots::Habit;
use mp_playground::proxy::Conditions;
use mp_playground::run::{Break, Demo, NoBreak, Party, Play, demo, play};

/// A stand-in game that loads the multiplayer mod as the real game would. Without a command: `demo`.
#[derive(Parser)]
#[command(version, args_conflicts_with_subcommands = true)]
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
}

#[derive(Args)]
struct DemoArgs {
    /// Play that long once all are in the level.
    #[arg(long, default_value_t = 10)]
    seconds: u32,
    /// How many play.
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u8).range(2..=4))]
    players: u8,
    /// The embedded direct host: the only way to meet so far.
    #[arg(long, conflicts_with = "server")]
    direct: bool,
    /// An already running relay: not yet.
    #[arg(long, value_name = "ADDR:PORT")]
    server: Option<String>,
    /// A process for each game.
    #[arg(long)]
    processes: bool,
    /// Without a window: there is none yet, so this changes nothing.
    #[arg(long)]
    headless: bool,
    /// Each member's link, one way (ms, %), such as latency=60,jitter=20,loss=2,duplicate=1,reorder=1.
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

#[derive(Args)]
struct OutArgs {
    /// Write the figures of the run there, as JSON.
    #[arg(long, value_name = "FILE.json")]
    report: Option<PathBuf>,
    /// Write the picture there.
    #[arg(long, value_name = "FILE.png")]
    picture: Option<PathBuf>,
    /// Make each game's directory there, not in a temporary one.
    #[arg(long, value_name = "DIR")]
    work_dir: Option<PathBuf>,
    /// The mod to load, not one built or found.
    #[arg(long, value_name = "FILE")]
    library: Option<PathBuf>,
}

#[derive(Args)]
struct PlayArgs {
    /// The player's name.
    #[arg(long, default_value = "Player")]
    name: String,
    /// Host directly.
    #[arg(long, conflicts_with = "join")]
    host_direct: bool,
    /// Join that address; port 7770 without one.
    #[arg(long, value_name = "ADDR[:PORT]", value_parser = address)]
    join: Option<SocketAddrV4>,
    /// What the bot does in the level.
    #[arg(long, value_name = "NAME", default_value = "walk")]
    bot: Habit,
    /// A recorded pad plays, with its seed, not the bot.
    #[arg(long, value_name = "FILE", conflicts_with = "seed")]
    pad: Option<PathBuf>,
    /// Take the pad of every tick down in that file.
    #[arg(long, value_name = "FILE")]
    record_pad: Option<PathBuf>,
    /// A host starts when so many others are ready; a member gets ready.
    #[arg(long, value_name = "N", default_value_t = 1)]
    auto_start: usize,
    /// The port to host on; 0: any free one.
    #[arg(long, value_name = "N", default_value_t = 7770)]
    port: u16,
    /// Play that long once in the level; else until told to end.
    #[arg(long)]
    seconds: Option<u32>,
    /// Without a window: there is none yet, so this changes nothing.
    #[arg(long)]
    headless: bool,
    /// The bot's seed.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Write the heroes' places there, tick by tick.
    #[arg(long, value_name = "FILE.json", hide = true)]
    tracks: Option<PathBuf>,
    #[command(flatten)]
    out: OutArgs,
}

fn address(text: &str) -> Result<SocketAddrV4, String> {
    let with_port = text.parse::<SocketAddrV4>().ok().filter(|address| address.port() != 0);
    let alone = || text.parse::<Ipv4Addr>().ok().map(|ip| SocketAddrV4::new(ip, 7770));
    with_port
        .or_else(alone)
        .ok_or_else(|| "not an IPv4 address with a port of 1 to 65535".to_owned())
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let played = match cli.command.unwrap_or(Command::Demo(cli.demo)) {
        Command::Demo(DemoArgs { server: Some(server), .. }) => {
            eprintln!("no relay yet: cannot play by {server}; leave --server out to play directly");
            return ExitCode::FAILURE;
        }
        Command::Demo(DemoArgs { fault: Some(Fault::List), .. }) => {
            print!("{}", Break::list());
            return ExitCode::SUCCESS;
        }
        Command::Demo(args) => demo(&Demo {
            seconds: args.seconds,
            players: args.players,
            seed: args.seed,
            conditions: args.conditions,
            fault: args.fault.and_then(|fault| match fault {
                Fault::List => None,
                Fault::Do(fault) => Some(fault),
            }),
            processes: args.processes,
            report: args.out.report,
            picture: args.out.picture,
            work_dir: args.out.work_dir,
            library: args.out.library,
        })
        .map(|report| report.ok),
        Command::Play(args) => play(&Play {
            name: args.name,
            party: match (args.host_direct, args.join) {
                (true, _) => Party::Host { ready: args.auto_start },
                (false, Some(address)) => Party::Join(address),
                (false, None) => Party::None,
            },
            bot: args.bot,
            pad: args.pad,
            record_pad: args.record_pad,
            port: args.port,
            seconds: args.seconds,
            seed: args.seed,
            report: args.out.report,
            picture: args.out.picture,
            tracks: args.tracks,
            work_dir: args.out.work_dir,
            library: args.out.library,
        }),
    };
    match played {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(error.exit_code())
        }
    }
}
