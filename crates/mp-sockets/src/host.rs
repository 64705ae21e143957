//! What drives a party router: listeners, connections and datagrams in, the router's bytes and datagrams
//! out. It knows no rule of the parties; a direct host's own client is linked to it in memory.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::io::{self, ErrorKind, Read, Write};
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::time::Duration;

use mio::event::Event;
use mio::net::{TcpListener, TcpStream};
use mio::{Interest, Registry, Token};
use mp_netcode::LocalTime;
use mp_party::{ConnectionId, LocalAddress, Output, Router};

use crate::batch::{BatchSocket, Drained, Gather};
use crate::linger::Lingering;
use crate::listen::Ports;
use crate::tokens::Tokens;

/// Bytes read at once.
const READ_BUFFER: usize = 64 << 10;
/// Bytes read from one connection, a wake-up; the others have their turn then.
const READ_A_WAKE: usize = 256 << 10;
/// Connections accepted, a wake-up.
const ACCEPTS_A_WAKE: u32 = 64;
/// How long after the system could not accept (no descriptors left) it is asked again.
const ACCEPT_AGAIN: Duration = Duration::from_millis(100);
/// The in-process client's way by datagram: nothing on a network has these.
const IN_PROCESS: SocketAddr = SocketAddr::new(IpAddr::V6(Ipv6Addr::UNSPECIFIED), 0);
const IN_PROCESS_SOCKET: LocalAddress = LocalAddress { socket: u32::MAX, ip: None };

/// What every socket of the thread needs of it.
pub(crate) struct Io<'a> {
    pub(crate) now: LocalTime,
    pub(crate) registry: &'a Registry,
    pub(crate) tokens: &'a mut Tokens,
    pub(crate) lingering: &'a mut Lingering,
}

/// A router and its sockets.
pub(crate) struct Server {
    router: Router,
    listeners: Vec<(Token, TcpListener)>,
    accept_again: Option<LocalTime>,
    connections: BTreeMap<ConnectionId, (Token, TcpStream)>,
    by_token: BTreeMap<Token, ConnectionId>,
    udp: Vec<BatchSocket>,
    udp_tokens: Vec<Token>,
    gather: Gather,
    in_process: Option<InProcess>,
    /// Connections and sockets that have more to read and will not say so again.
    unread: BTreeSet<Token>,
    buffer: Vec<u8>,
}

/// The client in the same process.
#[derive(Debug)]
pub(crate) struct InProcess {
    id: ConnectionId,
    datagrams: VecDeque<Vec<u8>>,
    closed: bool,
}

impl Server {
    /// Drives `router` on these ports.
    pub(crate) fn new(io: &mut Io<'_>, ports: Ports, router: Router) -> io::Result<Self> {
        let mut listeners = Vec::new();
        for mut listener in ports.tcp {
            let token = io.tokens.next();
            io.registry.register(&mut listener, token, Interest::READABLE)?;
            listeners.push((token, listener));
        }
        let (mut udp, mut udp_tokens) = (Vec::new(), Vec::new());
        for mut socket in ports.udp {
            let token = io.tokens.next();
            io.registry.register(&mut socket, token, Interest::READABLE)?;
            udp.push(BatchSocket::new(socket)?);
            udp_tokens.push(token);
        }
        Ok(Self {
            router,
            listeners,
            accept_again: None,
            connections: BTreeMap::new(),
            by_token: BTreeMap::new(),
            udp,
            udp_tokens,
            gather: Gather::default(),
            in_process: None,
            unread: BTreeSet::new(),
            buffer: vec![0; READ_BUFFER],
        })
    }

    /// A socket has something to do, if it is one of this server's.
    pub(crate) fn ready(&mut self, io: &mut Io<'_>, event: &Event) {
        let token = event.token();
        if event.is_writable()
            && let Some(id) = self.by_token.get(&token)
        {
            self.write(io, *id);
        }
        self.readable(io, token);
    }

    /// There is more to read, which no event will say.
    pub(crate) fn is_unread(&self) -> bool {
        !self.unread.is_empty()
    }

    /// Reads on where the last wake-up stopped.
    pub(crate) fn read_on(&mut self, io: &mut Io<'_>) {
        for token in std::mem::take(&mut self.unread) {
            self.readable(io, token);
        }
        if self.accept_again.take_if(|at| *at <= io.now).is_some() {
            for token in self.listeners.iter().map(|(token, _)| *token).collect::<Vec<_>>() {
                self.readable(io, token);
            }
        }
    }

    /// Lets the router judge the time, and does what it wants done.
    pub(crate) fn settle(&mut self, io: &mut Io<'_>) {
        self.router.advance(io.now);
        self.put_out(io);
    }

    /// When [`Self::settle`] or [`Self::read_on`] next has something to do.
    pub(crate) fn next_wake(&self) -> Option<LocalTime> {
        self.router.poll_timeout().into_iter().chain(self.accept_again).min()
    }

    /// Stops: everyone in a party gets END, as far as the network takes it. The ports are free at once.
    pub(crate) fn stop(mut self, io: &mut Io<'_>) {
        self.router.stop(io.now);
        self.put_out(io);
        for (id, (_, stream)) in std::mem::take(&mut self.connections) {
            let rest = self.router.outgoing(id).to_vec();
            io.lingering.take(io.registry, io.tokens, io.now, stream, rest);
        }
    }

    fn readable(&mut self, io: &mut Io<'_>, token: Token) {
        if let Some(index) = self.listeners.iter().position(|(listener, _)| *listener == token) {
            self.accept(io, index);
        } else if let Some(index) = self.udp_tokens.iter().position(|udp| *udp == token) {
            self.receive(io, index);
        } else if let Some(id) = self.by_token.get(&token) {
            self.read(io, *id);
        }
    }

    fn accept(&mut self, io: &mut Io<'_>, index: usize) {
        for _ in 0..ACCEPTS_A_WAKE {
            match self.listeners[index].1.accept() {
                Ok((stream, from)) => self.take_in(io, stream, from.ip()),
                Err(error) if error.kind() == ErrorKind::WouldBlock => return,
                Err(error) if is_of_one_connection(&error) => {}
                Err(_) => {
                    self.accept_again = Some(io.now + ACCEPT_AGAIN);
                    return;
                }
            }
        }
        self.unread.insert(self.listeners[index].0);
    }

    fn take_in(&mut self, io: &mut Io<'_>, mut stream: TcpStream, from: IpAddr) {
        let token = io.tokens.next();
        let both = Interest::READABLE | Interest::WRITABLE;
        let kept =
            stream.set_nodelay(true).and_then(|()| io.registry.register(&mut stream, token, both));
        // One that is gone already has nothing to be told.
        if kept.is_ok() {
            let id = self.router.connect(io.now, from);
            self.connections.insert(id, (token, stream));
            self.by_token.insert(token, id);
        }
    }

    fn receive(&mut self, io: &mut Io<'_>, index: usize) {
        let (router, now) = (&mut self.router, io.now);
        let socket = u32::try_from(index).expect("two sockets");
        let drained = self.udp[index].receive(|from, ip, datagram| {
            router.datagram(now, from, LocalAddress { socket, ip }, datagram);
        });
        if drained == Drained::NotYet {
            self.unread.insert(self.udp_tokens[index]);
        }
    }

    fn read(&mut self, io: &mut Io<'_>, id: ConnectionId) {
        let Some((token, stream)) = self.connections.get_mut(&id) else { return };
        let mut budget = READ_A_WAKE;
        while budget > 0 {
            match stream.read(&mut self.buffer) {
                Ok(0) => return self.gone(io, id),
                Ok(count) => {
                    self.router.received(io.now, id, &self.buffer[..count]);
                    budget = budget.saturating_sub(count);
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => return,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => return self.gone(io, id),
            }
        }
        self.unread.insert(*token);
    }

    fn write(&mut self, io: &mut Io<'_>, id: ConnectionId) {
        let Some((_, stream)) = self.connections.get_mut(&id) else { return };
        loop {
            let bytes = self.router.outgoing(id);
            if bytes.is_empty() {
                return;
            }
            match stream.write(bytes) {
                Ok(count) => self.router.wrote(id, count),
                Err(error) if error.kind() == ErrorKind::WouldBlock => return,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => return self.gone(io, id),
            }
        }
    }

    /// The peer closed the connection, or it failed: to a party it is all the same.
    fn gone(&mut self, io: &mut Io<'_>, id: ConnectionId) {
        self.forget(id);
        self.router.closed(io.now, id);
    }

    fn forget(&mut self, id: ConnectionId) -> Option<TcpStream> {
        let (token, stream) = self.connections.remove(&id)?;
        self.by_token.remove(&token);
        self.unread.remove(&token);
        Some(stream)
    }

    fn put_out(&mut self, io: &mut Io<'_>) {
        while let Some(output) = self.router.poll_output() {
            match output {
                Output::Datagram { to, from, bytes, .. } if from == IN_PROCESS_SOCKET => {
                    if let Some(client) = self.in_process.as_mut().filter(|_| to == IN_PROCESS) {
                        client.datagrams.push_back(bytes.to_vec());
                    }
                }
                Output::Datagram { to, from, bytes, .. } => {
                    let socket = usize::try_from(from.socket).unwrap_or(usize::MAX);
                    self.gather.add(&self.udp, socket, to, from.ip, bytes);
                }
                Output::Write(id) => self.write(io, id),
                Output::Close { id, why: _, flushed } => self.close(io, id, flushed),
                // For a server's log; the game has none of its host's.
                Output::Note(_) => {}
            }
        }
        self.gather.flush(&self.udp);
    }

    fn close(&mut self, io: &mut Io<'_>, id: ConnectionId, flushed: bool) {
        if let Some(client) = self.in_process.as_mut().filter(|client| client.id == id) {
            client.closed = true;
        }
        if let Some(stream) = self.forget(id)
            && flushed
        {
            io.lingering.take(io.registry, io.tokens, io.now, stream, Vec::new());
        }
    }
}

/// The in-process client's end.
impl Server {
    /// Links the client in this process, which hosts a direct host's party.
    pub(crate) fn connect_in_process(&mut self, now: LocalTime) {
        let id = self.router.connect_local(now);
        self.in_process = Some(InProcess { id, datagrams: VecDeque::new(), closed: false });
    }

    /// Bytes of that client's.
    pub(crate) fn in_process_sent(&mut self, now: LocalTime, bytes: &[u8]) {
        if let Some(client) = &self.in_process {
            self.router.received(now, client.id, bytes);
        }
    }

    /// A datagram of that client's.
    pub(crate) fn in_process_sent_datagram(&mut self, now: LocalTime, datagram: &[u8]) {
        self.router.datagram(now, IN_PROCESS, IN_PROCESS_SOCKET, datagram);
    }

    /// Bytes for that client, all at once; empty when there are none.
    pub(crate) fn take_in_process_bytes(&mut self) -> Vec<u8> {
        let Some(client) = &self.in_process else { return Vec::new() };
        let bytes = self.router.outgoing(client.id).to_vec();
        self.router.wrote(client.id, bytes.len());
        bytes
    }

    /// A datagram for that client.
    pub(crate) fn take_in_process_datagram(&mut self) -> Option<Vec<u8>> {
        self.in_process.as_mut()?.datagrams.pop_front()
    }

    /// The router has closed that client's connection.
    pub(crate) fn has_closed_in_process(&self) -> bool {
        self.in_process.as_ref().is_some_and(|client| client.closed)
    }
}

/// The connection that was to be accepted is gone; the next may be there.
fn is_of_one_connection(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::Interrupted | ErrorKind::ConnectionAborted | ErrorKind::ConnectionReset
    )
}
