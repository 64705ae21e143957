//! What drives a party router: listeners, connections and datagrams in, the router's bytes and datagrams
//! out. It knows no rule of the parties. A direct host has one, a relay one a thread.

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::io::{self, ErrorKind, Read, Write};
use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use mio::event::Event;
use mio::net::{TcpListener, TcpStream, UdpSocket};
use mio::{Interest, Registry, Token};
use mp_netcode::LocalTime;
use mp_party::{CloseReason, ConnectionId, Departure, LocalAddress, Note, Output, Router};
use mp_protocol::SessionId;

use crate::batch::{BatchSocket, Drained, Gather, Way};
use crate::in_process::InProcess;
use crate::linger::Lingering;
use crate::platform::SHORT_READ_IS_ALL;
use crate::strays::Strays;
use crate::tokens::Tokens;

/// Bytes read at once.
const READ_BUFFER: usize = 64 << 10;
/// Bytes read from one connection, a wake-up; the others have their turn then.
const READ_A_WAKE: usize = 256 << 10;
/// Connections accepted, a wake-up.
const ACCEPTS_A_WAKE: u32 = 64;
/// How long after the system could not accept (no descriptors left) it is asked again.
const ACCEPT_AGAIN: Duration = Duration::from_millis(100);

/// What every socket of the thread needs of it.
#[derive(Debug)]
pub struct Io<'a> {
    /// The moment of this wake-up.
    pub now: LocalTime,
    /// Where sockets are registered.
    pub registry: &'a Registry,
    /// Names for them.
    pub tokens: &'a mut Tokens,
    /// Where connections go whose last bytes are being delivered.
    pub lingering: &'a mut Lingering,
}

/// What happened to a connection, for a log, and for the thread that serves it next.
#[derive(Debug)]
pub enum News {
    /// It goes on in the router that the departure names, on the thread of that router.
    Departed(Departure, TcpStream),
    /// It is over.
    Closed {
        /// Whose it was.
        address: IpAddr,
        /// Why the router closed it; none if the peer did or it failed.
        why: Option<CloseReason>,
    },
    /// What the router noted.
    Note(Note),
    /// The system accepts no connections just now, for this reason; it is asked again.
    NotAccepting(io::Error),
}

/// A connection's socket.
#[derive(Debug)]
struct Wire {
    id: ConnectionId,
    token: Token,
    stream: TcpStream,
    address: IpAddr,
}

/// A router and its sockets.
pub struct Server {
    pub(crate) router: Router,
    listeners: Vec<(Token, TcpListener)>,
    accept_again: Option<LocalTime>,
    /// By the slots of their ids.
    wires: Vec<Option<Wire>>,
    by_token: HashMap<Token, ConnectionId>,
    udp: Vec<BatchSocket>,
    udp_tokens: Vec<Token>,
    gather: Gather,
    pub(crate) in_process: Option<InProcess>,
    /// Connections and sockets that have more to read and will not say so again.
    unread: BTreeSet<Token>,
    buffer: Vec<u8>,
    news: VecDeque<News>,
    strays: Strays,
}

impl Server {
    /// Drives `router` on these sockets: listeners, and UDP sockets bound to the same ports.
    ///
    /// # Errors
    /// The system does not take one of them.
    pub fn new(
        io: &mut Io<'_>,
        tcp: Vec<TcpListener>,
        udp: Vec<UdpSocket>,
        router: Router,
    ) -> io::Result<Self> {
        let mut listeners = Vec::new();
        for mut listener in tcp {
            let token = io.tokens.next();
            io.registry.register(&mut listener, token, Interest::READABLE)?;
            listeners.push((token, listener));
        }
        let (mut sockets, mut udp_tokens) = (Vec::new(), Vec::new());
        for mut socket in udp {
            let token = io.tokens.next();
            io.registry.register(&mut socket, token, Interest::READABLE)?;
            sockets.push(BatchSocket::new(socket)?);
            udp_tokens.push(token);
        }
        Ok(Self {
            router,
            listeners,
            accept_again: None,
            wires: Vec::new(),
            by_token: HashMap::new(),
            udp: sockets,
            udp_tokens,
            gather: Gather::default(),
            in_process: None,
            unread: BTreeSet::new(),
            buffer: vec![0; READ_BUFFER],
            news: VecDeque::new(),
            strays: Strays::default(),
        })
    }

    /// The router, for what it counts and to tell it that no more parties begin.
    pub const fn router(&mut self) -> &mut Router {
        &mut self.router
    }

    /// A socket has something to do, if it is one of this server's.
    pub fn ready(&mut self, io: &mut Io<'_>, event: &Event) {
        let token = event.token();
        let id = self.by_token.get(&token).copied();
        if event.is_writable()
            && let Some(id) = id
        {
            self.write(io, id);
        }
        let ended = event.is_read_closed() || event.is_error();
        match id {
            Some(id) if event.is_readable() || ended => self.read(io, id, ended),
            Some(_) => {}
            None => self.readable(io, token),
        }
    }

    /// There is more to read, which no event will say.
    #[must_use]
    pub fn is_unread(&self) -> bool {
        !self.unread.is_empty()
    }

    /// Reads on where the last wake-up stopped.
    pub fn read_on(&mut self, io: &mut Io<'_>) {
        for token in std::mem::take(&mut self.unread) {
            self.readable(io, token);
        }
        if self.accept_again.take_if(|at| *at <= io.now).is_some() {
            for index in 0..self.listeners.len() {
                self.accept(io, index);
            }
        }
    }

    /// Lets the router judge the time, and does what it wants done.
    pub fn settle(&mut self, io: &mut Io<'_>) {
        self.router.advance(io.now);
        self.put_out(io);
    }

    /// When [`Self::settle`] or [`Self::read_on`] next has something to do.
    #[must_use]
    pub fn next_wake(&self) -> Option<LocalTime> {
        self.router.poll_timeout().into_iter().chain(self.accept_again).min()
    }

    /// What happened since the last time, one after the other.
    pub fn poll_news(&mut self) -> Option<News> {
        self.news.pop_front()
    }

    /// Datagrams that belong to another of the server's routers.
    pub const fn strays(&mut self) -> &mut Strays {
        &mut self.strays
    }

    /// A connection that departed from another router arrives.
    pub fn arrive(&mut self, io: &mut Io<'_>, departure: Departure, stream: TcpStream) {
        match self.router.arrive(io.now, departure) {
            Ok(id) => self.take_in(io, id, stream),
            Err(onward) => self.news.push_back(News::Departed(onward, stream)),
        }
    }

    /// A datagram came from `from` at `to`, to this socket or to that of another router.
    pub fn datagram(&mut self, now: LocalTime, from: SocketAddr, to: LocalAddress, bytes: &[u8]) {
        if let Some(index) = self.router.datagram(now, from, to, bytes) {
            self.strays.add(index, from, to, bytes);
        }
    }

    /// Closes the connection of a session, if there is one.
    pub(crate) fn disconnect(&mut self, now: LocalTime, session: SessionId) {
        if let Some(id) = self.router.connection_of(session) {
            self.router.disconnect(now, id);
        }
    }

    /// Stops: everyone in a party gets END, as far as the network takes it. The ports are free at once.
    pub fn stop(mut self, io: &mut Io<'_>) {
        // First, so that whoever hears of the end finds them free.
        self.listeners.clear();
        self.udp.clear();
        self.router.stop(io.now);
        self.put_out(io);
        for wire in std::mem::take(&mut self.wires).into_iter().flatten() {
            let rest = self.router.outgoing(wire.id).to_vec();
            io.lingering.take(io.registry, io.tokens, io.now, wire.stream, rest);
        }
    }

    fn readable(&mut self, io: &mut Io<'_>, token: Token) {
        if let Some(index) = self.listeners.iter().position(|(listener, _)| *listener == token) {
            self.accept(io, index);
        } else if let Some(index) = self.udp_tokens.iter().position(|udp| *udp == token) {
            self.receive(io, index);
        } else if let Some(id) = self.by_token.get(&token) {
            self.read(io, *id, true);
        }
    }

    fn accept(&mut self, io: &mut Io<'_>, index: usize) {
        for _ in 0..ACCEPTS_A_WAKE {
            match self.listeners[index].1.accept() {
                Ok((stream, from)) => {
                    // One that is gone already has nothing to be told, and will be seen to be.
                    let _gone = stream.set_nodelay(true);
                    let id = self.router.connect(io.now, from.ip());
                    self.take_in(io, id, stream);
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => return,
                Err(error) if is_of_one_connection(&error) => {}
                Err(error) => {
                    self.accept_again = Some(io.now + ACCEPT_AGAIN);
                    self.news.push_back(News::NotAccepting(error));
                    return;
                }
            }
        }
        self.unread.insert(self.listeners[index].0);
    }

    fn take_in(&mut self, io: &mut Io<'_>, id: ConnectionId, mut stream: TcpStream) {
        let token = io.tokens.next();
        let both = Interest::READABLE | Interest::WRITABLE;
        let address = stream.peer_addr().map(|address| address.ip());
        match address.and_then(|it| io.registry.register(&mut stream, token, both).map(|()| it)) {
            Ok(address) => {
                let place = slot(id);
                if self.wires.len() <= place {
                    self.wires.resize_with(place + 1, || None);
                }
                self.wires[place] = Some(Wire { id, token, stream, address });
                self.by_token.insert(token, id);
            }
            // It is gone already, or the system has no room for it.
            Err(_) => self.router.closed(io.now, id),
        }
    }

    fn receive(&mut self, io: &mut Io<'_>, index: usize) {
        let Self { router, strays, udp, .. } = self;
        let socket = u32::try_from(index).expect("a few sockets");
        let drained = udp[index].receive(|from, ip, datagram| {
            let to = LocalAddress { socket, ip };
            if let Some(index) = router.datagram(io.now, from, to, datagram) {
                strays.add(index, from, to, datagram);
            }
        });
        if drained == Drained::NotYet {
            self.unread.insert(self.udp_tokens[index]);
        }
    }

    /// `ended`: the peer has ended its side, so that there is an end to be read.
    fn read(&mut self, io: &mut Io<'_>, id: ConnectionId, ended: bool) {
        let Self { wires, router, buffer, .. } = self;
        let wire = wires.get_mut(slot(id)).and_then(Option::as_mut);
        let Some(wire) = wire.filter(|wire| wire.id == id) else { return };
        let mut budget = READ_A_WAKE;
        while budget > 0 {
            match wire.stream.read(buffer) {
                Ok(0) => return self.gone(io, id),
                Ok(count) => {
                    if let Some(departure) = router.received(io.now, id, &buffer[..count]) {
                        return self.depart(io, id, departure);
                    }
                    if SHORT_READ_IS_ALL && count < buffer.len() && !ended {
                        return;
                    }
                    budget = budget.saturating_sub(count);
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => return,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => return self.gone(io, id),
            }
        }
        self.unread.insert(wire.token);
    }

    fn write(&mut self, io: &mut Io<'_>, id: ConnectionId) {
        let Self { wires, router, .. } = self;
        let wire = wires.get_mut(slot(id)).and_then(Option::as_mut);
        let Some(wire) = wire.filter(|wire| wire.id == id) else { return };
        loop {
            let bytes = router.outgoing(id);
            if bytes.is_empty() {
                return;
            }
            match wire.stream.write(bytes) {
                Ok(count) => router.wrote(id, count),
                Err(error) if error.kind() == ErrorKind::WouldBlock => return,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => return self.gone(io, id),
            }
        }
    }

    /// The peer closed the connection, or it failed: to a party it is all the same.
    fn gone(&mut self, io: &mut Io<'_>, id: ConnectionId) {
        // Closed only once it counts no longer: its player may be back at once, on another thread.
        let wire = self.forget(id);
        self.router.closed(io.now, id);
        if let Some(wire) = wire {
            self.news.push_back(News::Closed { address: wire.address, why: None });
        }
    }

    fn depart(&mut self, io: &mut Io<'_>, id: ConnectionId, departure: Departure) {
        let Some(mut wire) = self.forget(id) else { return };
        // One that cannot be taken off cannot be registered there either, and is closed by that.
        let _taken_off = io.registry.deregister(&mut wire.stream);
        self.news.push_back(News::Departed(departure, wire.stream));
    }

    fn forget(&mut self, id: ConnectionId) -> Option<Wire> {
        let place = self.wires.get_mut(slot(id))?;
        let wire = place.take_if(|wire| wire.id == id)?;
        self.by_token.remove(&wire.token);
        self.unread.remove(&wire.token);
        Some(wire)
    }

    fn put_out(&mut self, io: &mut Io<'_>) {
        while let Some(output) = self.router.poll_output() {
            match output {
                Output::Datagram { id, to, from, bytes } => {
                    let way = Way { socket: index(from.socket), to, from: from.ip };
                    match &mut self.in_process {
                        Some(client) if client.is_at(to, from) => client.hear(bytes),
                        _ => self.gather.add(&self.udp, slot(id), way, bytes),
                    }
                }
                Output::Write(id) => self.write(io, id),
                Output::Close { id, why, flushed } => self.close(io, id, why, flushed),
                Output::Note(note) => self.news.push_back(News::Note(note)),
            }
        }
        self.gather.flush(&self.udp);
    }

    fn close(&mut self, io: &mut Io<'_>, id: ConnectionId, why: CloseReason, flushed: bool) {
        if let Some(client) = &mut self.in_process {
            client.close_if(id);
        }
        let Some(Wire { stream, address, .. }) = self.forget(id) else { return };
        self.news.push_back(News::Closed { address, why: Some(why) });
        if flushed {
            io.lingering.take(io.registry, io.tokens, io.now, stream, Vec::new());
        }
    }
}

fn slot(id: ConnectionId) -> usize {
    index(id.slot())
}

fn index(number: u32) -> usize {
    usize::try_from(number).expect("a 32-bit number fits")
}

/// The connection that was to be accepted is gone; the next may be there.
fn is_of_one_connection(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::Interrupted | ErrorKind::ConnectionAborted | ErrorKind::ConnectionReset
    )
}

#[cfg(test)]
mod tests;
