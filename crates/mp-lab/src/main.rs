//! `mp-lab`: runs parties from seeds, as fast as they go, and says which did not hold.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use clap::Parser;
use mp_lab::{Lab, Options, Outcome};
use mp_netcode::conditioner::Conditions;
use mp_playground::run::Report;
use mp_playground::say;

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
    /// Write the figures there, as the playground does: an object, or of several seeds a list of them.
    #[arg(long, value_name = "FILE.json")]
    report: Option<PathBuf>,
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
    let (mut played, mut busy, mut failed) = (Duration::ZERO, Duration::ZERO, 0_u64);
    let mut reports = Vec::new();
    let threads = run_all(&args, |outcome, report, took| {
        reports.extend(report);
        played += outcome.played();
        busy += took;
        failed += u64::from(outcome.failed.is_some());
        tell(&args, outcome);
    });
    // A party is one thread's work, whatever others do meanwhile.
    let times = played.as_secs_f64() / busy.as_secs_f64().max(f64::EPSILON);
    say!(
        "{} seeds, {failed} failed: {:.0} s of play in {:.1} s on {threads} threads, \
         {times:.0} times real time each",
        args.seeds,
        played.as_secs_f64(),
        start.elapsed().as_secs_f64(),
    );
    let saved = args.report.as_ref().is_none_or(|file| match save(file, &reports) {
        Ok(()) => true,
        Err(error) => {
            eprintln!("{}: {error}", file.display());
            false
        }
    });
    if failed == 0 && saved { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn save(file: &Path, reports: &[Report]) -> io::Result<()> {
    let json = match reports {
        [one] => serde_json::to_string_pretty(one)?,
        all => serde_json::to_string_pretty(all)?,
    };
    fs::write(file, json)
}

/// Runs every seed, as many at once as the machine has cores, and gives each outcome, in the seeds'
/// order, with the time it took. How many threads there were.
fn run_all(args: &Args, mut done: impl FnMut(&Outcome, Option<Report>, Duration)) -> u64 {
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    let threads = u64::try_from(cores).unwrap_or(1).min(args.seeds);
    let next = AtomicU64::new(0);
    thread::scope(|scope| {
        let (outcomes, came) = mpsc::channel();
        for _ in 0..threads {
            let (outcomes, next) = (outcomes.clone(), &next);
            scope.spawn(move || {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if index >= args.seeds {
                        return;
                    }
                    let start = Instant::now();
                    let lab = Lab::new(args.options(args.seed.wrapping_add(index)));
                    let (outcome, report) = if args.report.is_some() {
                        let (outcome, report) = lab.run_and_report();
                        (outcome, Some(report))
                    } else {
                        (lab.run(), None)
                    };
                    if outcomes.send((index, outcome, report, start.elapsed())).is_err() {
                        return;
                    }
                }
            });
        }
        drop(outcomes);
        let mut early = BTreeMap::new();
        let mut due = 0;
        for (index, outcome, report, took) in came {
            early.insert(index, (outcome, report, took));
            while let Some((outcome, report, took)) = early.remove(&due) {
                done(&outcome, report, took);
                due += 1;
            }
        }
    });
    threads
}

fn tell(args: &Args, outcome: &Outcome) {
    let Outcome { seed, place, digest, .. } = outcome;
    let Some(failed) = &outcome.failed else {
        say!("seed {seed}: {place:?}, digest {digest:016x}");
        return;
    };
    outcome.told.iter().for_each(|line| say!("{line}"));
    say!("{}", failed.screens);
    for what in &failed.what {
        say!("seed {seed}, tick {}: {what}", failed.tick);
    }
    say!("again: {}", args.replay(*seed));
}
