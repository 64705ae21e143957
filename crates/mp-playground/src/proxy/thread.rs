//! A proxy's thread: its sockets, its clock, and the turns of all that passes.

use std::collections::BTreeMap;
use std::io::{self, ErrorKind};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Instant;

use mio::net::{TcpListener, UdpSocket};
use mio::{Events, Interest, Poll, Token};
use mp_netcode::LocalTime;

use super::Plan;
use super::connection::{Connection, Side};
use super::datagrams::Datagrams;
use super::flow::Closed;
use super::traffic::{Order, Shared};

pub(super) const WAKER: Token = Token(0);
const LISTENER: Token = Token(1);
const GAME_DATAGRAMS: Token = Token(2);
const SERVER_DATAGRAMS: Token = Token(3);
/// Connection `n` has these two from here on.
const CONNECTIONS: usize = 4;
const EVENTS: usize = 64;

/// All of a proxy that its thread owns.
#[derive(Debug)]
pub(super) struct Worker {
    poll: Poll,
    listener: TcpListener,
    server: SocketAddr,
    server_port: u16,
    plan: Plan,
    datagrams: Datagrams,
    connections: BTreeMap<usize, Connection>,
    opened: usize,
    shared: Arc<Shared>,
    start: Instant,
}

impl Worker {
    pub(super) fn new(
        poll: Poll,
        (mut listener, datagrams): (TcpListener, UdpSocket),
        server: SocketAddr,
        plan: Plan,
        shared: Arc<Shared>,
    ) -> io::Result<Self> {
        let mut datagrams = Datagrams::new(datagrams, server, &plan)?;
        let registry = poll.registry();
        registry.register(&mut listener, LISTENER, Interest::READABLE)?;
        let [game, to_server] = datagrams.sockets();
        registry.register(game, GAME_DATAGRAMS, Interest::READABLE)?;
        registry.register(to_server, SERVER_DATAGRAMS, Interest::READABLE)?;
        Ok(Self {
            poll,
            listener,
            server,
            server_port: server.port(),
            plan,
            datagrams,
            connections: BTreeMap::new(),
            opened: 0,
            shared,
            start: Instant::now(),
        })
    }

    /// Runs until the proxy is dropped. An error of the system's ends it, and is told.
    pub(super) fn run(mut self) {
        let mut events = Events::with_capacity(EVENTS);
        while !self.shared.has_ended() {
            if let Err(error) = self.turn(&mut events) {
                self.refuse(format!("the proxy ended: {error}"));
                return;
            }
        }
    }

    fn turn(&mut self, events: &mut Events) -> io::Result<()> {
        let due = self.connections.values().filter_map(Connection::poll_timeout);
        let due = due.chain(self.datagrams.poll_timeout()).min();
        let now = self.now();
        match self.poll.poll(events, due.map(|due| due.since(now))) {
            Err(error) if error.kind() != ErrorKind::Interrupted => return Err(error),
            _ => {}
        }
        let now = self.now();
        for event in &*events {
            let (token, readable) = (event.token(), event.is_readable() || event.is_read_closed());
            match token {
                WAKER => self.obey()?,
                LISTENER => self.accept()?,
                GAME_DATAGRAMS => self.datagrams.take_from_game(now, &self.shared)?,
                SERVER_DATAGRAMS => self.datagrams.take_from_server(now, &self.shared)?,
                Token(other) => {
                    let index = other - CONNECTIONS;
                    let side = if index.is_multiple_of(2) { Side::Game } else { Side::Server };
                    if let Some(connection) = self.connections.get_mut(&(index / 2)) {
                        let readable = readable || event.is_error();
                        connection.ready(side, readable, event.is_writable());
                    }
                }
            }
        }
        self.pass(now)
    }

    fn obey(&mut self) -> io::Result<()> {
        for order in self.shared.take_orders() {
            match order {
                Order::Block(blocked) => self.datagrams.block(blocked),
                Order::Rebind => {
                    let registry = self.poll.registry();
                    self.datagrams.rebind(self.server, |old, new| {
                        registry.deregister(old)?;
                        registry.register(new, SERVER_DATAGRAMS, Interest::READABLE)
                    })?;
                }
                Order::Reset => {
                    let all = std::mem::take(&mut self.connections);
                    all.into_values().try_for_each(Connection::reset)?;
                }
            }
        }
        Ok(())
    }

    fn pass(&mut self, now: LocalTime) -> io::Result<()> {
        let (shared, port) = (&self.shared, &mut self.server_port);
        let mut refused = Vec::new();
        self.connections.retain(|_, connection| match connection.turn(now, shared, port) {
            Ok(()) => !connection.is_over(),
            Err(closed) => {
                if let Closed::NoFrame(error) = closed {
                    refused.push(error.to_string());
                }
                false
            }
        });
        refused.into_iter().for_each(|words| self.refuse(words));
        let server = SocketAddr::new(self.server.ip(), self.server_port);
        self.datagrams.send(now, server, &self.shared)
    }

    fn accept(&mut self) -> io::Result<()> {
        loop {
            let game = match self.listener.accept() {
                Ok((game, _)) => game,
                Err(error) => match error.kind() {
                    ErrorKind::WouldBlock => return Ok(()),
                    // It went away before it was taken.
                    ErrorKind::Interrupted | ErrorKind::ConnectionAborted => continue,
                    _ => return Err(error),
                },
            };
            let index = self.opened;
            self.opened += 1;
            let token = CONNECTIONS + index * 2;
            let number = u64::try_from(index).unwrap_or(u64::MAX);
            let tokens = (number, [Token(token), Token(token + 1)]);
            let registry = self.poll.registry();
            match Connection::open(game, self.server, &self.plan, tokens, registry) {
                Ok(connection) => drop(self.connections.insert(index, connection)),
                // The game finds its connection closed, as by a server that is not there.
                Err(error) => self.refuse(format!("no connection to {}: {error}", self.server)),
            }
        }
    }

    fn refuse(&self, words: String) {
        self.shared.count(|traffic| traffic.refused.push(words));
    }

    fn now(&self) -> LocalTime {
        LocalTime::ZERO + self.start.elapsed()
    }
}
