//! The link's own sockets: one TCP connection, and a UDP socket to the address that reached.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use mio::event::Event;
use mio::net::{TcpStream, UdpSocket};
use mio::{Interest, Token};

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
        }
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
    pub(crate) fn send_datagram(&self, datagram: &[u8]) {
        if let Some((_, socket)) = &self.udp {
            let _lost = socket.send(datagram);
        }
    }

    /// Lets go of the sockets; these last bytes still go out.
    pub(crate) fn close(&mut self, io: &mut Io<'_>, rest: Vec<u8>) {
        self.udp = None;
        self.unread = false;
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

    /// Writes what the link has to send, as far as the socket takes it. True: it took some, or failed.
    pub(crate) fn write(&mut self, io: &Io<'_>, link: &mut Link) -> bool {
        let mut moved = false;
        let Some(tcp) = &mut self.tcp else { return moved };
        while !link.outgoing().is_empty() {
            match tcp.stream.write(link.outgoing()) {
                Ok(count) => link.wrote(io.now, count),
                Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => link.closed(io.now, in_words(&error)),
            }
            moved = true;
        }
        moved
    }

    fn read(&mut self, io: &Io<'_>, link: &mut Link) -> bool {
        let Some(tcp) = &mut self.tcp else { return false };
        for _ in 0..READS_A_WAKE {
            match tcp.stream.read(&mut self.buffer) {
                Ok(0) => {
                    link.closed(io.now, None);
                    return false;
                }
                Ok(count) => link.received(io.now, &self.buffer[..count]),
                Err(error) if error.kind() == ErrorKind::WouldBlock => return false,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => {
                    link.closed(io.now, in_words(&error));
                    return false;
                }
            }
        }
        true
    }

    fn receive(&mut self, io: &Io<'_>, link: &mut Link) -> bool {
        let Some((_, socket)) = &self.udp else { return false };
        for _ in 0..DATAGRAMS_A_WAKE {
            match socket.recv(&mut self.buffer) {
                Ok(count) => link.datagram(io.now, &self.buffer[..count]),
                Err(error) if error.kind() == ErrorKind::WouldBlock => return false,
                // It is of one datagram (nobody listened for an earlier one), not of the socket.
                Err(_) => {}
            }
        }
        true
    }
}

impl Tcp {
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
