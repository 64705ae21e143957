//! A relay: its threads, started and stopped together, and their figures.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, bounded};
use mp_party::{Commons, Config, Mode, Router};
use mp_sockets::{Clock, wall_ms};
use parking_lot::Mutex;

use crate::log::Log;
use crate::mailbox::{Mailbox, Order};
use crate::ports;
use crate::settings::Settings;
use crate::shard::Shard;
use crate::stats::{ShardStats, Stats};

/// How long the threads are waited for when their figures are asked; they answer in well under a
/// millisecond unless something is wrong.
const REPORT_PATIENCE: Duration = Duration::from_secs(1);
/// How long the threads are waited for when they are told to stop.
const STOP_PATIENCE: Duration = Duration::from_millis(1_800);

/// Why a relay did not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// It cannot listen there.
    #[error("cannot listen on {at}: {why}")]
    Listen {
        /// Where.
        at: SocketAddr,
        /// What the system says.
        why: io::Error,
    },
    /// The system gives no threads, no randomness or nothing to wait for sockets with.
    #[error("cannot start: {0}")]
    System(#[from] io::Error),
}

/// A relay that runs. Dropping it stops it without waiting.
#[derive(Debug)]
pub struct Relay {
    address: SocketAddr,
    monitor: Monitor,
    threads: Vec<JoinHandle<()>>,
    ended: Receiver<usize>,
}

/// A way to a running relay's figures, for other threads.
#[derive(Clone, Debug)]
pub struct Monitor {
    mailboxes: Arc<[Mailbox]>,
    commons: Arc<Mutex<Commons>>,
    draining: Arc<AtomicBool>,
    log: Log,
}

impl Relay {
    /// Starts a relay.
    ///
    /// # Errors
    /// It cannot listen where it should, or the system lacks something else.
    pub fn start(settings: &Settings, log: Log) -> Result<Self, StartError> {
        let count = settings.shards();
        let (address, sockets) = ports::open(settings.listen, count)
            .map_err(|why| StartError::Listen { at: settings.listen, why })?;
        // Asked once here, so that a system without randomness is found out before anyone connects.
        getrandom::u64().map_err(io::Error::other)?;
        let commons = Arc::new(Mutex::new(Commons::default()));
        let clock = Clock::new();
        let epoch_ms = wall_ms();
        let (mut shards, mut mailboxes) = (Vec::new(), Vec::new());
        for (index, sockets) in (0..count).zip(sockets) {
            let router = router(settings, index, count, epoch_ms, &commons)?;
            let (shard, waker) = Shard::new(index as usize, clock, log.clone(), sockets, router)?;
            shards.push(shard);
            mailboxes.push(Mailbox::new(waker));
        }
        let mailboxes: Arc<[Mailbox]> = mailboxes.into();
        let draining = Arc::new(AtomicBool::new(false));
        let monitor = Monitor { mailboxes, commons, draining, log };
        let (ending, ended) = bounded(shards.len());
        let mut relay = Self { address, monitor, threads: Vec::new(), ended };
        for (index, shard) in shards.into_iter().enumerate() {
            relay.spawn(index, shard, ending.clone())?;
        }
        Ok(relay)
    }

    fn spawn(&mut self, index: usize, shard: Shard, ending: Sender<usize>) -> io::Result<()> {
        let Monitor { mailboxes, log, .. } = self.monitor.clone();
        let thread =
            std::thread::Builder::new().name(format!("relay-{index}")).spawn(move || {
                let _guard = Ending { index, ending };
                if let Err(error) = shard.run(&mailboxes) {
                    log.say(format!("thread {index} cannot go on: {error}"));
                }
            })?;
        self.threads.push(thread);
        Ok(())
    }

    /// Where it listens: IPv6's address where it has both, with the port.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// A way to its figures.
    #[must_use]
    pub fn monitor(&self) -> Monitor {
        self.monitor.clone()
    }

    /// Has something to say when a thread has ended, which none does before [`Relay::stop`] unless
    /// something is broken.
    #[must_use]
    pub const fn ended(&self) -> &Receiver<usize> {
        &self.ended
    }

    /// From now on no party begins.
    pub fn close_to_parties(&self) {
        self.monitor.draining.store(true, Ordering::Release);
        self.monitor.order(|| Order::CloseToParties);
    }

    /// Ends: END to everyone, and gone within 2 s. False if a thread was not by then.
    #[must_use = "false says that a thread still runs"]
    pub fn stop(mut self) -> bool {
        self.monitor.order(|| Order::Stop);
        let until = Instant::now() + STOP_PATIENCE;
        let threads = std::mem::take(&mut self.threads);
        for _ in &threads {
            if self.ended.recv_deadline(until).is_err() {
                return false;
            }
        }
        // What is left of each is its return; a panic in one was said by it.
        threads.into_iter().all(|thread| thread.join().is_ok())
    }
}

impl Drop for Relay {
    fn drop(&mut self) {
        if !self.threads.is_empty() {
            self.monitor.order(|| Order::Stop);
        }
    }
}

impl Monitor {
    /// The relay's figures; none if a thread does not answer within a second.
    #[must_use]
    pub fn stats(&self) -> Option<Stats> {
        let (answers, answered) = bounded(self.mailboxes.len());
        self.order(|| Order::Report(answers.clone()));
        let until = Instant::now() + REPORT_PATIENCE;
        let mut shards = vec![ShardStats::default(); self.mailboxes.len()];
        for _ in 0..shards.len() {
            let (index, stats) = answered.recv_deadline(until).ok()?;
            shards[index] = stats;
        }
        Some(Stats {
            shards,
            parties: self.parties() as u64,
            log_lines_lost: self.log.lost(),
            draining: self.is_draining(),
        })
    }

    /// Parties there are.
    #[must_use]
    pub fn parties(&self) -> usize {
        self.commons.lock().parties()
    }

    /// It takes no new parties.
    #[must_use]
    pub fn is_draining(&self) -> bool {
        self.draining.load(Ordering::Acquire)
    }

    fn order(&self, order: impl Fn() -> Order) {
        for mailbox in self.mailboxes.iter() {
            if let Err(error) = mailbox.order(order()) {
                self.log.say(format!("a thread could not be woken: {error}"));
            }
        }
    }
}

/// Tells that a thread has ended, however it did.
struct Ending {
    index: usize,
    ending: Sender<usize>,
}

impl Drop for Ending {
    fn drop(&mut self) {
        // There is room for all of them; nobody listens once the relay is gone.
        let _unheard = self.ending.try_send(self.index);
    }
}

fn router(
    settings: &Settings,
    index: u32,
    count: u32,
    epoch_ms: i64,
    commons: &Arc<Mutex<Commons>>,
) -> io::Result<Router> {
    let mut limits = settings.limits.clone();
    // Each router knows its own queues; one alone may always be as long as any.
    let share = limits.all_queues_bytes / usize::try_from(count).unwrap_or(1).max(1);
    limits.all_queues_bytes = share.max(limits.queue_bytes);
    let config = Config { mode: Mode::Server, limits, udp_port: Some(0), epoch_ms };
    let shard = mp_party::Shard::new(index, count).ok_or_else(|| io::Error::other("threads"))?;
    let commons = Arc::clone(commons);
    let random = || getrandom::u64().expect("it gave numbers when the relay started");
    Router::sharded(config, shard, move |act| act(&mut commons.lock()), random)
        .map_err(io::Error::other)
}
