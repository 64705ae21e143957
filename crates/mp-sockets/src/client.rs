//! The link's own sockets: one TCP connection, and a UDP socket to the address that reached.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use mio::event::Event;
use mio::net::{TcpStream, UdpSocket};
use mio::{Interest, Token};
use mp_netcode::LocalTime;
use mp_netcode::conditioner::Conditions;

use crate::bad_link::BadLink;
use crate::link::Link;
use crate::platform;
use crate::server::Io;

/// Bytes read at once.
const READ_BUFFER: usize = 64 << 10;
/// Reads, a wake-up; commands have their turn then.
const READS_A_WAKE: u32 = 16;
/// Datagrams taken in, a wake-up.
const DATAGRAMS_A_WAKE: u32 = 256;

/// The sockets of a link that is not in-process.
#[derive(Debug)]
pub(crate) struct Client {
    /// Attempts to connect: the first that stands is the one.
    attempts: Vec<Attempt>,
    tcp: Option<Tcp>,
    udp: Option<(Token, UdpSocket)>,
    /// There is more to read, which no event will say again.
    unread: bool,
    buffer: Vec<u8>,
    /// What all of it goes over, once the game asked for that.
    bad: Option<Box<BadLink>>,
    /// Nothing is read while the bad link is full.
    full: bool,
}

#[derive(Debug)]
struct Attempt {
    to: SocketAddr,
    tcp: Tcp,
}

#[derive(Debug)]
struct Tcp {
    token: Token,
    stream: TcpStream,
}

impl Client {
    pub(crate) fn new() -> Self {
        Self {
            attempts: Vec::new(),
            tcp: None,
            udp: None,
            unread: false,
            buffer: vec![0; READ_BUFFER],
            bad: None,
            full: false,
        }
    }

    /// From now on the link is as bad as that, each way.
    pub(crate) fn simulate(&mut self, conditions: Conditions, seed: u64) {
        match &mut self.bad {
            Some(bad) => bad.set_conditions(conditions),
            None if conditions == Conditions::default() => {}
            None => self.bad = Some(Box::new(BadLink::new(conditions, seed))),
        }
    }

    /// When something arrives over a bad link.
    pub(crate) fn next_wake(&self) -> Option<LocalTime> {
        self.bad.as_ref().and_then(|bad| bad.next_wake())
    }

    /// Begins to connect, besides other attempts.
    pub(crate) fn connect(&mut self, io: &mut Io<'_>, to: SocketAddr) -> io::Result<()> {
        let mut stream = TcpStream::connect(to)?;
        let token = io.tokens.next();
        let both = Interest::READABLE | Interest::WRITABLE;
        io.registry.register(&mut stream, token, both)?;
        self.attempts.push(Attempt { to, tcp: Tcp { token, stream } });
        Ok(())
    }

    /// Opens the way by UDP. Without it, state goes as DATA (protocol.md 2).
    pub(crate) fn open_udp(&mut self, io: &mut Io<'_>, to: SocketAddr) -> io::Result<()> {
        self.udp = None;
        let any: IpAddr = match to {
            SocketAddr::V4(_) => Ipv4Addr::UNSPECIFIED.into(),
            SocketAddr::V6(_) => Ipv6Addr::UNSPECIFIED.into(),
        };
        let mut socket = UdpSocket::bind(SocketAddr::new(any, 0))?;
        socket.connect(to)?;
        let token = io.tokens.next();
        io.registry.register(&mut socket, token, Interest::READABLE)?;
        self.udp = Some((token, socket));
        Ok(())
    }

    /// Sends a datagram; one that cannot go is lost, as datagrams are.
    pub(crate) fn send_datagram(&mut self, now: LocalTime, datagram: &[u8]) {
        if let Some(bad) = &mut self.bad {
            bad.up.datagram(now, datagram);
        } else if let Some((_, socket)) = &self.udp {
            let _lost = socket.send(datagram);
        }
    }

    /// Lets go of the sockets; these last bytes still go out.
    pub(crate) fn close(&mut self, io: &mut Io<'_>, mut rest: Vec<u8>) {
        self.udp = None;
        (self.unread, self.full) = (false, false);
        if let Some(bad) = &mut self.bad {
            rest.splice(..0, bad.end());
        }
        self.attempts.clear();
        if let Some(tcp) = self.tcp.take() {
            io.lingering.take(io.registry, io.tokens, io.now, tcp.stream, rest);
        }
    }

    /// A socket has something to do, if it is one of these.
    pub(crate) fn ready(&mut self, io: &Io<'_>, link: &mut Link, event: &Event) {
        let token = event.token();
        if self.udp.as_ref().is_some_and(|(udp, _)| *udp == token) {
            self.unread |= self.receive(io, link);
        }
        if let Some(index) = self.attempts.iter().position(|attempt| attempt.tcp.token == token) {
            self.try_attempt(io, link, index);
        }
        if self.tcp.as_ref().is_some_and(|tcp| tcp.token == token) {
            self.write(io, link);
            self.unread |= self.read(io, link);
        }
    }

    /// Takes an attempt that stands, and lets go of the others.
    fn try_attempt(&mut self, io: &Io<'_>, link: &mut Link, index: usize) {
        match self.attempts[index].tcp.is_connected() {
            Ok(true) => {
                let Attempt { to, tcp } = self.attempts.swap_remove(index);
                self.attempts.clear();
                self.tcp = Some(tcp);
                link.opened(io.now, to);
            }
            Ok(false) => {}
            Err(error) => {
                self.attempts.swap_remove(index);
                link.failed(io.now, error.into());
            }
        }
    }

    /// There is more to read, which no event will say.
    pub(crate) fn is_unread(&self) -> bool {
        self.unread
    }

    /// Reads on where the last wake-up stopped.
    pub(crate) fn read_on(&mut self, io: &Io<'_>, link: &mut Link) {
        if std::mem::take(&mut self.unread) {
            let datagrams = self.receive(io, link);
            self.unread = self.read(io, link) || datagrams;
        }
    }

    /// Carries on what has arrived over a bad link, and writes what the link has to send, as far as the
    /// socket takes it. True: something moved, or failed.
    pub(crate) fn exchange(&mut self, io: &Io<'_>, link: &mut Link) -> bool {
        let arrived = self.arrive(io, link);
        self.write(io, link) || arrived
    }

    /// Gives the link what has arrived over a bad link, and the network what has got there.
    fn arrive(&mut self, io: &Io<'_>, link: &mut Link) -> bool {
        let Some(bad) = &mut self.bad else { return false };
        let mut moved = false;
        while let Some(datagram) = bad.up.next_datagram(io.now) {
            if let Some((_, socket)) = &self.udp {
                let _lost = socket.send(&datagram);
            }
        }
        while let Some(datagram) = bad.down.next_datagram(io.now) {
            link.datagram(io.now, &datagram);
            moved = true;
        }
        while let Some(bytes) = bad.down.next_bytes(io.now) {
            link.received(io.now, &bytes);
            moved = true;
        }
        if self.full && bad.down.has_room() {
            self.full = false;
            self.unread = true;
        }
        moved
    }

    fn write(&mut self, io: &Io<'_>, link: &mut Link) -> bool {
        let Self { tcp, bad, .. } = self;
        let Some(tcp) = tcp else { return false };
        let Some(bad) = bad else { return tcp.write_all_of(io, link) };
        let mut moved = false;
        while !link.outgoing().is_empty() && bad.has_room_up() {
            let count = link.outgoing().len();
            bad.up.bytes(io.now, link.outgoing());
            link.wrote(io.now, count);
            moved = true;
        }
        while let Some(bytes) = bad.up.next_bytes(io.now) {
            bad.unwritten.extend(bytes);
        }
        let written = tcp.write(&bad.unwritten);
        match written {
            Ok(count) => drop(bad.unwritten.drain(..count)),
            Err(error) => {
                link.closed(io.now, in_words(&error));
                moved = true;
            }
        }
        moved
    }

    fn read(&mut self, io: &Io<'_>, link: &mut Link) -> bool {
        for _ in 0..READS_A_WAKE {
            let Some(tcp) = &mut self.tcp else { return false };
            if self.bad.as_ref().is_some_and(|bad| !bad.down.has_room()) {
                self.full = true;
                return false;
            }
            match tcp.stream.read(&mut self.buffer) {
                Ok(0) => return self.ended(io, link, None),
                Ok(count) => match &mut self.bad {
                    Some(bad) => bad.down.bytes(io.now, &self.buffer[..count]),
                    None => link.received(io.now, &self.buffer[..count]),
                },
                Err(error) if error.kind() == ErrorKind::WouldBlock => return false,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return self.ended(io, link, in_words(&error)),
            }
        }
        true
    }

    /// The connection is over: what came before still counts. False: there is no more to read.
    fn ended(&mut self, io: &Io<'_>, link: &mut Link, failure: Option<String>) -> bool {
        if let Some(bad) = &mut self.bad {
            link.received(io.now, &bad.down.all_bytes());
        }
        link.closed(io.now, failure);
        false
    }

    fn receive(&mut self, io: &Io<'_>, link: &mut Link) -> bool {
        let Some((_, socket)) = &self.udp else { return false };
        for _ in 0..DATAGRAMS_A_WAKE {
            match (socket.recv(&mut self.buffer), &mut self.bad) {
                (Ok(count), Some(bad)) => bad.down.datagram(io.now, &self.buffer[..count]),
                (Ok(count), None) => link.datagram(io.now, &self.buffer[..count]),
                (Err(error), _) if error.kind() == ErrorKind::WouldBlock => return false,
                // It is of one datagram (nobody listened for an earlier one), not of the socket.
                (Err(_), _) => {}
            }
        }
        true
    }
}

impl Tcp {
    /// Writes what the link has to send, as far as the socket takes it. True: it took some, or failed.
    fn write_all_of(&mut self, io: &Io<'_>, link: &mut Link) -> bool {
        let mut moved = false;
        while !link.outgoing().is_empty() {
            match self.write(link.outgoing()) {
                Ok(0) => break,
                Ok(count) => link.wrote(io.now, count),
                Err(error) => link.closed(io.now, in_words(&error)),
            }
            moved = true;
        }
        moved
    }

    /// Writes as much as the socket takes: 0 if it takes none now.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut written = 0;
        while written < bytes.len() {
            match self.stream.write(&bytes[written..]) {
                Ok(0) => break,
                Ok(count) => written += count,
                Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(written)
    }

    /// Whether the connection stands: a socket says that it can be written to when it does, and when it
    /// failed to.
    fn is_connected(&self) -> io::Result<bool> {
        if let Some(error) = self.stream.take_error()? {
            return Err(error);
        }
        match self.stream.peer_addr() {
            Ok(_) => self.stream.set_nodelay(true).map(|()| true),
            Err(_) => Ok(false),
        }
    }
}

/// A failure in the system's words; `None` if it means no more than that the peer is gone.
fn in_words(error: &io::Error) -> Option<String> {
    (!platform::is_gone(error)).then(|| error.to_string())
}

#[cfg(test)]
mod tests;
