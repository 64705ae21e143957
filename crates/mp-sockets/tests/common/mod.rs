//! A game's thread for tests: waits for reports with a deadline, and never sleeps.

#![allow(dead_code, reason = "each test program uses its part of it")]

use std::net::{Ipv4Addr, SocketAddr};
use std::time::{Duration, Instant};

use mp_sockets::{Clock, Command, Destination, Event, Handle, LinkId, PartyNews, Report, start};

/// Far longer than anything here takes, so that only what never comes fails.
pub const PATIENCE: Duration = Duration::from_secs(20);

/// A socket thread and what its reports said so far.
pub struct Game {
    pub handle: Handle,
    pub name: &'static str,
    seen: Vec<Report>,
}

impl Game {
    pub fn new(name: &'static str) -> Self {
        let handle = start(Clock::new()).expect("a socket thread");
        Self { handle, name, seen: Vec::new() }
    }

    /// A direct host on a free port, its own client in its party.
    pub fn hosting(name: &'static str) -> (Self, SocketAddr) {
        let mut game = Self::new(name);
        let port = game.host(1, 0);
        game.wait("INFO", |event| is_info(event).then_some(()));
        (game, (Ipv4Addr::LOCALHOST, port).into())
    }

    pub fn host(&mut self, link: u32, port: u16) -> u16 {
        self.send(Command::Host {
            link: LinkId(link),
            port,
            name: self.name.into(),
            description: "New game".into(),
        });
        self.wait("Hosting", |event| match event {
            Event::Hosting { port, .. } => Some(*port),
            _ => None,
        })
    }

    /// A member of the party at this address.
    pub fn joined(name: &'static str, to: SocketAddr) -> Self {
        let mut game = Self::new(name);
        game.connect(1, to);
        game.wait("INFO", |event| is_info(event).then_some(()));
        game
    }

    pub fn connect(&self, link: u32, to: impl Into<Destination>) {
        let to = to.into();
        self.send(Command::Connect { link: LinkId(link), to, name: self.name.into() });
    }

    pub fn send(&self, command: Command) {
        self.handle.send(command).expect("room for a command");
    }

    /// The first report, from where the last wait ended, that `find` finds something in.
    pub fn wait<T>(&mut self, what: &str, find: impl Fn(&Event) -> Option<T>) -> T {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let Some(report) = self.handle.next_within(left) else {
                if left.is_zero() {
                    let seen = format!("{:?}", self.seen);
                    panic!("{}: no {what}; there came {seen:.4000}", self.name);
                }
                continue;
            };
            let found = find(&report.event);
            self.seen.push(report);
            if let Some(found) = found {
                return found;
            }
        }
    }

    /// Every report so far, those waited for and those in between.
    pub fn seen(&self) -> &[Report] {
        &self.seen
    }

    pub fn wait_for_udp(&mut self) {
        self.wait("Quality with UDP", |event| match event {
            Event::Quality(quality) => quality.udp.then_some(()),
            _ => None,
        });
    }
}

pub fn is_info(event: &Event) -> bool {
    matches!(event, Event::Party(PartyNews::Info { .. }))
}
