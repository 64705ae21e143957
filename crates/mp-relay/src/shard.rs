//! One of the relay's threads: its sockets, its router and the parties that live there. One wake-up takes
//! in whatever is ready, then judges time-outs, then puts out what came of it.

use std::io::{self, ErrorKind};
use std::sync::Arc;
use std::time::Duration;

use mio::{Events, Poll, Waker};
use mp_netcode::LocalTime;
use mp_party::{CloseReason, NoteReason, Router};
use mp_sockets::{Clock, Io, Lingering, News, Server, Tokens, WAKER};

use crate::log::{Line, Log, What};
use crate::mailbox::{Mail, Mailbox, Order};
use crate::ports::Sockets;
use crate::stats::ShardStats;

/// Socket events taken a wake-up.
const EVENTS: usize = 1_024;
/// Connections whose last bytes are being delivered at once.
const LINGERING_MAX: usize = 4_096;
/// How long a thread goes on after it was told to stop, to deliver last bytes (programs.md: gone within
/// 2 s).
const STOPPING: Duration = Duration::from_secs(1);

/// One of the relay's threads, before it runs.
pub(crate) struct Shard {
    index: usize,
    clock: Clock,
    log: Log,
    poll: Poll,
    tokens: Tokens,
    lingering: Lingering,
    /// None once it was told to stop.
    server: Option<Server>,
    /// When it ends, once it was told to stop.
    ends: Option<LocalTime>,
    mail: Mail,
    stats: ShardStats,
}

impl Shard {
    /// Everything but the thread, and what wakes it.
    pub(crate) fn new(
        index: usize,
        clock: Clock,
        log: Log,
        sockets: Sockets,
        router: Router,
    ) -> io::Result<(Self, Waker)> {
        let poll = Poll::new()?;
        let waker = Waker::new(poll.registry(), WAKER)?;
        let (mut tokens, mut lingering) = (Tokens::new(), Lingering::new(LINGERING_MAX));
        let mut io = Io {
            now: clock.now(),
            registry: poll.registry(),
            tokens: &mut tokens,
            lingering: &mut lingering,
        };
        let server = Some(Server::new(&mut io, sockets.tcp, sockets.udp, router)?);
        let (mail, stats) = (Mail::default(), ShardStats::default());
        let ends = None;
        let shard = Self { index, clock, log, poll, tokens, lingering, server, ends, mail, stats };
        Ok((shard, waker))
    }

    /// Runs until it was told to stop and has.
    ///
    /// # Errors
    /// The system cannot wait for the sockets any more.
    pub(crate) fn run(mut self, mailboxes: &Arc<[Mailbox]>) -> io::Result<()> {
        let mut events = Events::with_capacity(EVENTS);
        while self.ends.is_none_or(|ends| ends > self.clock.now() && !self.lingering.is_empty()) {
            match self.poll.poll(&mut events, self.timeout()) {
                Ok(()) => {}
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            }
            let now = self.clock.now();
            self.stats.wakes += 1;
            mailboxes[self.index].take(&mut self.mail);
            self.obey(now);
            let before = self.messages_out();
            self.serve(now, &events);
            self.hand_over(mailboxes);
            let sent = self.messages_out() - before;
            if sent > 0 {
                self.stats.latency.record(self.clock.now().since(now), sent);
            }
            self.lingering.advance(now);
        }
        Ok(())
    }

    fn timeout(&self) -> Option<Duration> {
        let server = self.server.as_ref();
        if server.is_some_and(Server::is_unread) {
            return Some(Duration::ZERO);
        }
        let deadlines = [server.and_then(Server::next_wake), self.lingering.next_wake(), self.ends];
        let now = self.clock.now();
        deadlines.into_iter().flatten().min().map(|at| at.since(now))
    }

    /// Takes in what is ready, and puts out what comes of it.
    fn serve(&mut self, now: LocalTime, events: &Events) {
        let Self { poll, tokens, lingering, server, mail, stats, .. } = self;
        let mut io = Io { now, registry: poll.registry(), tokens, lingering };
        for event in events {
            io.lingering.ready(event.token());
        }
        let Some(server) = server else { return };
        for (departure, stream) in mail.arrivals.drain(..) {
            stats.arrivals += 1;
            server.arrive(&mut io, departure, stream);
        }
        let lost = mail.strays.drain(|_, from, to, bytes| {
            stats.strays += 1;
            server.datagram(now, from, to, bytes);
        });
        stats.strays_lost += lost;
        server.read_on(&mut io);
        for event in events {
            server.ready(&mut io, event);
        }
        server.settle(&mut io);
    }

    /// Gives other threads what is theirs, and the log what it is to know.
    fn hand_over(&mut self, mailboxes: &Arc<[Mailbox]>) {
        let Self { server: Some(server), log, stats, .. } = self else { return };
        let mut touched = 0_u64;
        let lost = server.strays().drain(|shard, from, to, bytes| {
            touched |= 1 << shard;
            mailboxes[shard as usize].stray(from, to, bytes);
        });
        stats.strays_lost += lost;
        for (index, mailbox) in mailboxes.iter().enumerate() {
            if touched & 1 << index != 0 {
                report(log, mailbox.wake());
            }
        }
        while let Some(news) = server.poll_news() {
            match news {
                News::Departed(departure, stream) => {
                    let to = &mailboxes[departure.to() as usize];
                    report(log, to.arrive(departure, stream));
                }
                News::Closed { address, why } => {
                    stats.closes.count(why);
                    if let Some(why) = why.filter(|why| *why != CloseReason::Stopped) {
                        log.write(Line { address: Some(address), what: What::Closed(why) });
                    }
                }
                News::NotAccepting(error) => log.say(format!("no connection is accepted: {error}")),
                News::Note(note) => {
                    if let NoteReason::TooFast(limit) = note.reason {
                        log.write(Line { address: note.address, what: What::TooFast(limit) });
                    }
                }
            }
        }
    }

    fn obey(&mut self, now: LocalTime) {
        for order in std::mem::take(&mut self.mail.orders) {
            match order {
                Order::CloseToParties => {
                    if let Some(server) = &mut self.server {
                        server.router().close_to_parties();
                    }
                }
                Order::Report(to) => {
                    // One who asked and did not wait has no use for it.
                    let _unheard = to.try_send((self.index, self.report()));
                }
                Order::Stop => self.stop(now),
            }
        }
    }

    fn stop(&mut self, now: LocalTime) {
        let Self { poll, tokens, lingering, .. } = self;
        let mut io = Io { now, registry: poll.registry(), tokens, lingering };
        if let Some(server) = self.server.take() {
            server.stop(&mut io);
        }
        self.ends = Some(now + STOPPING);
    }

    fn report(&mut self) -> ShardStats {
        let mut stats = self.stats.clone();
        if let Some(server) = &mut self.server {
            let router = server.router();
            let queues = router.queues();
            stats.counters = router.counters().clone();
            stats.connections = queues.connections as u64;
            stats.queued_bytes = queues.bytes as u64;
            stats.longest_queue_bytes = queues.longest as u64;
        }
        stats
    }

    fn messages_out(&mut self) -> u64 {
        let counters = self.server.as_mut().map(|server| server.router().counters());
        counters.map_or(0, |it| it.datagrams_out + it.frames_out)
    }
}

/// A thread that cannot be woken finds its mail when something else wakes it.
fn report(log: &Log, woken: io::Result<()>) {
    if let Err(error) = woken {
        log.say(format!("a thread could not be woken: {error}"));
    }
}
