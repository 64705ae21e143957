//! The program `openrac-relay`: a relay with a command line, a log on stderr and signals.

use std::error::Error;
use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::Parser;
use crossbeam_channel::{Receiver, bounded, select};

use crate::{Admin, Args, Log, Relay, Settings};

/// How often it is looked whether the last party has ended.
const DRAIN_LOOK: Duration = Duration::from_millis(100);
/// Descriptors of the program's own: its standard ones, the metrics', the log's.
const OWN_DESCRIPTORS: u64 = 16;
/// And of each thread that serves players: what it waits with, its listeners and its datagrams' sockets.
const DESCRIPTORS_A_THREAD: u64 = 8;
/// Signals that may wait: one to stop, one not to wait for it.
const SIGNALS: usize = 2;

/// Does what the words say, the first of which is the program's own name, until it is told to stop, and
/// answers with its status. It ends the process itself when they are wrong, or ask for help. Once in a
/// process: the signals are its.
pub fn run(words: impl IntoIterator<Item = OsString>) -> ExitCode {
    let args = Args::parse_from(words);
    let settings = match args.settings() {
        Ok(settings) => settings,
        Err(error) => {
            eprintln!("openrac-relay: {error}");
            return ExitCode::from(2);
        }
    };
    match serve(&settings) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("openrac-relay: {error}");
            ExitCode::FAILURE
        }
    }
}

fn serve(settings: &Settings) -> Result<(), Box<dyn Error>> {
    let signals = signals()?;
    let (log, log_end) = Log::start(io::stderr())?;
    let settings = &fitting(settings, raise_descriptors(&log), &log);
    let relay = Relay::start(settings, log.clone())?;
    let admin = match settings.metrics {
        Some(at) => Some(
            Admin::start(at, relay.monitor())
                .map_err(|why| format!("cannot serve metrics on {at}: {why}"))?,
        ),
        None => None,
    };
    // For whoever started it: that they do not read it is theirs.
    let _unread = writeln!(io::stdout(), "listening on {}", relay.address());
    if let Some(admin) = &admin {
        log.say(format!("metrics on http://{}/metrics", admin.address()));
    }
    let outcome = wait(&relay, &signals, settings.drain, &log);
    drop(admin);
    let gone = relay.stop();
    log.say("stopped");
    drop(log);
    log_end.close();
    outcome?;
    if gone { Ok(()) } else { Err("a thread did not stop in time".into()) }
}

/// A message for each SIGTERM, SIGHUP or Ctrl+C.
fn signals() -> Result<Receiver<()>, ctrlc::Error> {
    let (sender, receiver) = bounded(SIGNALS);
    ctrlc::set_handler(move || {
        // More than those that wait say nothing new.
        let _enough = sender.try_send(());
    })?;
    Ok(receiver)
}

/// Waits until the relay is to be stopped: at a signal, when the parties have ended by themselves or the
/// time for that is over, or at another signal.
fn wait(
    relay: &Relay,
    signals: &Receiver<()>,
    drain: Duration,
    log: &Log,
) -> Result<(), &'static str> {
    select! {
        recv(signals) -> _ => {}
        recv(relay.ended()) -> _ => return Err("a thread has ended by itself"),
    }
    relay.close_to_parties();
    let (monitor, until) = (relay.monitor(), Instant::now() + drain);
    let parties = match monitor.parties() {
        1 => "1 party".to_owned(),
        parties => format!("{parties} parties"),
    };
    log.say(format!("stopping: {parties}, {} s to end by themselves", drain.as_secs()));
    while monitor.parties() > 0 && Instant::now() < until {
        if signals.recv_timeout(DRAIN_LOOK).is_ok() {
            return Ok(());
        }
    }
    Ok(())
}

/// The settings, with no more connections than that many descriptors serve: else those who say nothing would
/// keep others out until their time is up, and not make room for them. A sixth is left for those that are
/// closing.
fn fitting(settings: &Settings, descriptors: Option<u64>, log: &Log) -> Settings {
    let mut settings = settings.clone();
    let Some(descriptors) = descriptors else { return settings };
    let own = OWN_DESCRIPTORS + DESCRIPTORS_A_THREAD * u64::from(settings.shards());
    let most =
        usize::try_from(descriptors.saturating_sub(own) * 5 / 6).unwrap_or(usize::MAX).max(1);
    if most < settings.limits.connections {
        log.say(format!("connections are {most} at most: {descriptors} descriptors serve no more"));
        settings.limits.connections = most;
    }
    settings
}

/// Lets the process have as many descriptors as it may: one a connection. How many that are, if that is known
/// and bounded.
fn raise_descriptors(log: &Log) -> Option<u64> {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
        let limit = getrlimit(Resource::Nofile);
        let raised = Rlimit { current: limit.maximum, maximum: limit.maximum };
        match setrlimit(Resource::Nofile, raised) {
            Ok(()) => limit.maximum,
            Err(error) => {
                log.say(format!("open files stay limited to {:?}: {error}", limit.current));
                limit.current
            }
        }
    }
    #[cfg(not(unix))]
    {
        let _no_such_limit = log;
        None
    }
}
