//! The socket thread: waits for sockets, commands and deadlines, and brings the link's machine, the
//! router and the sockets together. One wake-up drains whatever is ready, then judges time-outs.

use std::io::{self, ErrorKind};
use std::sync::Arc;
use std::time::Duration;

use mio::{Events, Poll, Waker};
use mp_netcode::LocalTime;
use mp_party::{Config, Limits, Mode, Router};

use crate::api::{Command, Event, HostError, LinkId, Report};
use crate::client::Client;
use crate::clock::{Clock, wall_ms};
use crate::closings::Closings;
use crate::handle::FarEnd;
use crate::linger::Lingering;
use crate::link::{Link, Output};
use crate::listen::{Ports, own_addresses};
use crate::resolver::{LookUp, Resolver};
use crate::server::{Io, Server};
use crate::tokens::{Tokens, WAKER};

/// Socket events taken a wake-up.
const EVENTS: usize = 256;
/// Connections whose last bytes are being delivered at once.
const LINGERING_MAX: usize = 256;
/// How long the thread goes on after it was told to end, to deliver last bytes.
const ENDING: Duration = Duration::from_millis(300);

/// All that the thread owns.
pub(crate) struct SocketThread {
    clock: Clock,
    far: FarEnd,
    poll: Poll,
    tokens: Tokens,
    lingering: Lingering,
    link: Link,
    client: Client,
    resolver: Resolver,
    server: Option<Server>,
    /// The link that the server was made for.
    hosts: LinkId,
    closings: Closings,
    /// When it ends, once it was told to.
    ends: Option<LocalTime>,
}

impl SocketThread {
    /// Everything but the thread itself, and what wakes it.
    pub(crate) fn new(
        clock: Clock,
        far: FarEnd,
        look_up: Arc<LookUp>,
    ) -> io::Result<(Self, Arc<Waker>)> {
        let poll = Poll::new()?;
        let waker = Arc::new(Waker::new(poll.registry(), WAKER)?);
        let seed = getrandom::u64().map_err(io::Error::other)?;
        let thread = Self {
            clock,
            far,
            poll,
            tokens: Tokens::new(),
            lingering: Lingering::new(LINGERING_MAX),
            link: Link::new(seed),
            client: Client::new(),
            resolver: Resolver::new(look_up, Arc::downgrade(&waker)),
            server: None,
            hosts: LinkId(0),
            closings: Closings::default(),
            ends: None,
        };
        Ok((thread, waker))
    }

    /// Runs until the handle is gone or tells it to end.
    pub(crate) fn run(mut self) {
        let mut events = Events::with_capacity(EVENTS);
        let mut unread = false;
        loop {
            let timeout = if unread { Some(Duration::ZERO) } else { self.timeout() };
            match self.poll.poll(&mut events, timeout) {
                Ok(()) => {}
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                // Nothing can be heard any more. The handle says so.
                Err(error) => return self.far.fail(error),
            }
            self.far.shared.bell.hear();
            let now = self.clock.now();
            unread = self.take_in(now, &events);
            while let Some((host, addresses)) = self.resolver.poll() {
                self.link.looked_up(now, &host, addresses);
            }
            // Asked before: what was handed over before the end is still obeyed.
            let is_ending = self.far.is_ending();
            while let Some(command) = self.far.try_next() {
                self.obey(now, command);
                self.far.set_held_back(self.link.held_back());
            }
            if is_ending && self.ends.is_none() {
                self.close(now);
                self.ends = Some(now + ENDING);
            }
            self.link.advance(now);
            self.lingering.advance(now);
            self.settle(now);
            self.far.set_held_back(self.link.held_back());
            if self.ends.is_some_and(|ends| ends <= now || self.lingering.is_empty()) {
                return;
            }
        }
    }

    fn timeout(&mut self) -> Option<Duration> {
        let now = self.clock.now();
        let server = self.server.as_ref().and_then(Server::next_wake);
        let others = [server, self.client.next_wake(), self.lingering.next_wake(), self.ends];
        let next = self.link.poll_timeout(now).into_iter().chain(others.into_iter().flatten());
        next.min().map(|at| at.since(now))
    }

    /// Takes in what the sockets have. True: there is more, which no event will say.
    fn take_in(&mut self, now: LocalTime, events: &Events) -> bool {
        let Self { poll, tokens, lingering, link, client, server, .. } = self;
        let mut io = Io { now, registry: poll.registry(), tokens, lingering };
        client.read_on(&io, link);
        if let Some(server) = server {
            server.read_on(&mut io);
        }
        for event in events {
            io.lingering.ready(event.token());
            client.ready(&io, link, event);
            if let Some(server) = server {
                server.ready(&mut io, event);
            }
        }
        client.is_unread() || server.as_ref().is_some_and(Server::is_unread)
    }

    fn obey(&mut self, now: LocalTime, command: Command) {
        match command {
            Command::Connect { link, to, name } => {
                self.close(now);
                self.link.connect(now, link, Some(to), name);
            }
            Command::Host { link, port, name, description } => {
                self.close(now);
                match self.host(now, link, port, description) {
                    Ok(()) => self.link.connect(now, link, None, name),
                    Err(why) => {
                        self.report(now, Report { link, event: Event::HostFailed { port, why } })
                    }
                }
            }
            Command::Close => self.close(now),
            Command::Simulate(conditions) => self.client.simulate(conditions, now.as_micros()),
            Command::Disconnect { session } => {
                if let Some(server) = &mut self.server {
                    server.disconnect(now, session);
                }
            }
            Command::Party(request) => self.link.party(now, request),
            Command::Chat { text } => self.link.chat(now, text),
            Command::Event { target, bytes } => self.link.event(now, target, bytes.0),
            Command::State { target, key, bytes } => self.link.state(now, target, key, bytes.0),
        }
    }

    fn host(
        &mut self,
        now: LocalTime,
        link: LinkId,
        port: u16,
        description: String,
    ) -> Result<(), HostError> {
        let ports = Ports::open(port)?;
        let since_ms = i64::try_from(now.as_millis()).unwrap_or(i64::MAX);
        let config = Config {
            mode: Mode::Direct { description },
            limits: Limits::direct(),
            udp_port: Some(0),
            epoch_ms: wall_ms().saturating_sub(since_ms),
        };
        let random = || getrandom::u64().expect("it gave numbers when the thread started");
        let router = Router::new(config, random)
            .map_err(|malformed| HostError::Other(malformed.to_string()))?;
        let port = ports.port;
        let mut server = Server::new(&mut self.io(now), ports.tcp, ports.udp, router)?;
        server.connect_in_process(now);
        self.server = Some(server);
        self.hosts = link;
        let addresses = own_addresses();
        self.report(now, Report { link, event: Event::Hosting { port, addresses } });
        Ok(())
    }

    /// Ends whatever link there is, and the hosting.
    fn close(&mut self, now: LocalTime) {
        self.link.close();
        self.settle(now);
    }

    /// Carries what the machines put out to where it goes, until there is nothing more.
    fn settle(&mut self, now: LocalTime) {
        loop {
            while let Some(output) = self.link.poll_output() {
                self.carry(now, output);
            }
            let Self { poll, tokens, lingering, link, client, server, .. } = self;
            let mut io = Io { now, registry: poll.registry(), tokens, lingering };
            let moved = match server {
                Some(server) => exchange(&mut io, link, server),
                None => client.exchange(&io, link),
            };
            self.tell_of_closings(now);
            if !moved {
                return;
            }
        }
    }

    /// Says which connections the direct host closed or could not accept, and why.
    fn tell_of_closings(&mut self, now: LocalTime) {
        while let Some(news) = self.server.as_mut().and_then(Server::poll_news) {
            if let Some(event) = self.closings.news(now, news) {
                self.report(now, Report { link: self.hosts, event });
            }
        }
    }

    fn carry(&mut self, now: LocalTime, output: Output) {
        let Self { poll, tokens, lingering, link, client, resolver, server, .. } = self;
        let mut io = Io { now, registry: poll.registry(), tokens, lingering };
        match output {
            Output::LookUp(host) => {
                if let Err(error) = resolver.look_up(&host) {
                    link.failed(now, error.into());
                }
            }
            Output::Connect(to) => {
                if let Err(error) = client.connect(&mut io, to) {
                    link.failed(now, error.into());
                }
            }
            Output::OpenUdp(None) => {}
            Output::OpenUdp(Some(to)) => {
                // Without it no datagram comes back, and state goes as DATA, as where UDP is blocked.
                let _no_udp = client.open_udp(&mut io, to);
            }
            Output::Datagram(bytes) => match server {
                Some(server) => server.in_process_sent_datagram(now, &bytes),
                None => client.send_datagram(now, &bytes),
            },
            Output::Close(rest) => match server.take() {
                Some(mut server) => {
                    server.in_process_sent(now, &rest);
                    server.stop(&mut io);
                }
                None => client.close(&mut io, rest),
            },
            Output::Report(report) => self.report(now, report),
        }
    }

    /// Tells the game. One that does not read loses its link, or a direct host a member.
    fn report(&mut self, now: LocalTime, report: Report) {
        let Self { far, server, link, .. } = self;
        let told = match server {
            Some(server) => far.report_to_host(report, |member| server.disconnect(now, member)),
            None => far.report(report),
        };
        if told.is_err() {
            link.stalled(now);
        }
    }

    fn io(&mut self, now: LocalTime) -> Io<'_> {
        let Self { poll, tokens, lingering, .. } = self;
        Io { now, registry: poll.registry(), tokens, lingering }
    }
}

/// Carries bytes and datagrams between the router and the client in this process. True: some moved.
fn exchange(io: &mut Io<'_>, link: &mut Link, server: &mut Server) -> bool {
    let mut moved = false;
    let sent = link.outgoing().to_vec();
    if !sent.is_empty() {
        link.wrote(io.now, sent.len());
        server.in_process_sent(io.now, &sent);
        moved = true;
    }
    server.settle(io);
    let came = server.take_in_process_bytes();
    if !came.is_empty() {
        link.received(io.now, &came);
        moved = true;
    }
    while let Some(datagram) = server.take_in_process_datagram() {
        link.datagram(io.now, &datagram);
        moved = true;
    }
    if server.has_closed_in_process() {
        link.closed(io.now, None);
        moved = true;
    }
    moved
}

#[cfg(test)]
mod tests;
