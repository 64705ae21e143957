//! `mp-lab`: runs parties from seeds, as fast as they go, and says which did not hold.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::Parser;
use mp_lab::{Lab, Options, Outcome};
use mp_netcode::conditioner::Conditions;

/// The same party in one thread: no socket, no clock, one seed.
#[derive(Clone, Debug, Parser)]
#[command(name = "mp-lab", version)]
struct Args {
    /// The first seed.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many seeds, in order.
    #[arg(long, default_value_t = 1)]
    seeds: u64,
    /// How long each party plays, in seconds of its games.
    #[arg(long, default_value_t = 20)]
    seconds: u32,
    /// How many play.
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u8).range(2..=4))]
    players: u8,
    /// What every link is, one way: latency=60,jitter=20,loss=2,duplicate=1,reorder=1 (ms, %).
    #[arg(long)]
    conditions: Option<Conditions>,
    /// Random leaves, pauses, stalls, crashes, partitions and weather.
    #[arg(long)]
    chaos: bool,
}

impl Args {
    fn options(&self, seed: u64) -> Options {
        Options {
            seed,
            seconds: self.seconds,
            players: usize::from(self.players),
            conditions: self.conditions,
            chaos: self.chaos,
        }
    }

    /// The command that plays this seed again.
    fn replay(&self, seed: u64) -> String {
        let mut command = format!(
            "cargo run --release -p mp-lab -- --seed {seed} --seconds {} --players {}",
            self.seconds, self.players
        );
        if let Some(conditions) = self.conditions {
            command += &format!(" --conditions {conditions}");
        }
        if self.chaos {
            command += " --chaos";
        }
        command
    }
}

fn main() -> ExitCode {
    let args = Args::parse();
    let start = Instant::now();
    let mut played = Duration::ZERO;
    let mut failed = 0_u64;
    for seed in args.seed..args.seed + args.seeds {
        let outcome = Lab::new(args.options(seed)).run();
        played += outcome.played();
        failed += u64::from(outcome.failed.is_some());
        tell(&args, &outcome);
    }
    let took = start.elapsed();
    let times = played.as_secs_f64() / took.as_secs_f64().max(f64::EPSILON);
    println!(
        "{} seeds, {} failed, {:.0} s of play in {:.1} s: {times:.0} times real time",
        args.seeds,
        failed,
        played.as_secs_f64(),
        took.as_secs_f64()
    );
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn tell(args: &Args, outcome: &Outcome) {
    let Outcome { seed, place, digest, .. } = outcome;
    let Some(failed) = &outcome.failed else {
        println!("seed {seed}: {place:?}, digest {digest:016x}");
        return;
    };
    println!("{}", failed.story);
    for what in &failed.what {
        println!("seed {seed}, tick {}: {what}", failed.tick);
    }
    println!("again: {}", args.replay(*seed));
}
