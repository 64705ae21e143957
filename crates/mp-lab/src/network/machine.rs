//! One player's machine, as far as the network goes: what the socket thread is to the game, without
//! thread and sockets. It drives the link and keeps the wires; what it hears and says passes
//! [`Network`](super::Network).

use std::collections::VecDeque;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::time::Duration;

use mp_netcode::LocalTime;
use mp_netcode::conditioner::Conditions;
use mp_playground::invariants::BoltWords;
use mp_playground::sim::Rng;
use mp_protocol::SessionId;
use mp_protocol::game::Message;
use mp_sockets::link::Link;
use mp_sockets::{Command, Event, FarEnd, LinkId, PartyNews, PartyRequest};

use super::wire::{Piece, Tcp, Udp};

/// The ports that a machine's sockets for datagrams get.
const FIRST_PORT: u16 = 50_000;

/// What passed a machine's line since the run began.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Said {
    /// Of TCP and UDP, without their headers. None are counted of a line within one process.
    pub bytes_up: u64,
    /// As above, to the machine.
    pub bytes_down: u64,
    /// Messages between mods that its game sent.
    pub messages_out: u64,
    /// And that reached it.
    pub messages_in: u64,
    /// Bolts that it asked its host for, among those that it sent.
    pub claims: u64,
}

/// See the module.
pub(super) struct Machine {
    /// How far its clock is ahead of the network's.
    pub(super) ahead: Duration,
    pub(super) link: Link,
    /// Where the game's commands come out, while there is a game.
    pub(super) far: Option<FarEnd>,
    /// What was said of bolts since the game was started, and as whom.
    pub(super) words: BoltWords,
    session: Option<SessionId>,
    pub(super) said: Said,
    /// The link that it hosts for.
    pub(super) hosts: LinkId,
    /// The newest last; that one is the link's, unless it was let go.
    pub(super) tcp: Vec<Tcp>,
    pub(super) udp: Udp,
    /// The port of its socket for datagrams, if it has one.
    pub(super) port: Option<u16>,
    next_port: u16,
    /// Datagrams from a router in its own process.
    pub(super) in_process: VecDeque<Vec<u8>>,
    pub(super) address: IpAddr,
    conditions: Conditions,
    cut_until: LocalTime,
    rng: Rng,
}

impl Machine {
    pub(super) fn new(number: usize, ahead: Duration, conditions: Conditions, seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        Self {
            ahead,
            link: Link::new(rng.bits()),
            far: None,
            words: BoltWords::default(),
            session: None,
            said: Said::default(),
            hosts: LinkId(0),
            tcp: Vec::new(),
            udp: Udp::new(conditions, &mut rng),
            port: None,
            next_port: FIRST_PORT,
            in_process: VecDeque::new(),
            address: address(number),
            conditions,
            cut_until: LocalTime::ZERO,
            rng,
        }
    }

    /// The time on its clock.
    pub(super) fn time(&self, now: LocalTime) -> LocalTime {
        now + self.ahead
    }

    /// A game starts on it, with this at the other end of its handle.
    pub(super) fn start(&mut self, far: FarEnd) {
        self.link = Link::new(self.rng.bits());
        self.far = Some(far);
        self.words = BoltWords::default();
    }

    /// Takes down what the game says of bolts, and to whom.
    pub(super) fn note_command(&mut self, command: &Command) {
        match command {
            Command::Event { target, bytes } => {
                self.words.sent(target.map(|target| target.0), bytes);
                let claim = matches!(Message::decode(bytes), Ok(Message::Claim(_)));
                self.said.claims += u64::from(claim);
                self.said.messages_out += 1;
            }
            Command::State { .. } => self.said.messages_out += 1,
            Command::Connect { .. }
            | Command::Host { .. }
            | Command::Close
            | Command::Party(PartyRequest::Leave) => self.words.ended(),
            _ => {}
        }
    }

    /// And what it is told.
    pub(super) fn note_event(&mut self, event: &Event) {
        match event {
            Event::Connected { session } => self.session = Some(*session),
            Event::Lost { .. } | Event::Party(PartyNews::End) => self.words.ended(),
            Event::Party(PartyNews::Info { members, .. }) => {
                if let Some(session) = self.session {
                    self.words.entered(session.0, members.iter().map(|member| member.id.0));
                }
            }
            Event::Party(PartyNews::Joined(member)) => self.words.joined(member.id.0),
            Event::Party(PartyNews::Left { id }) => self.words.left(id.0),
            Event::Data { bytes, .. } => {
                self.words.came(bytes);
                self.said.messages_in += 1;
            }
            _ => {}
        }
    }

    /// Its process is killed: its system closes what it had open.
    pub(super) fn kill(&mut self, now: LocalTime) {
        for tcp in self.tcp.iter_mut().filter(|tcp| !tcp.let_go) {
            tcp.close(now, Vec::new());
        }
        self.forget_game();
    }

    /// It loses its power: nobody is told.
    pub(super) fn power_off(&mut self) {
        self.tcp.iter_mut().for_each(|tcp| tcp.let_go = true);
        self.forget_game();
    }

    fn forget_game(&mut self) {
        self.link = Link::new(0);
        self.far = None;
        self.port = None;
        self.in_process.clear();
    }

    /// Begins to connect.
    pub(super) fn connect(&mut self, now: LocalTime, to: SocketAddr) {
        self.tcp.push(Tcp::open(now, to, self.conditions, self.cut_until, &mut self.rng));
    }

    /// Lets go of the connection, if there is one; these last bytes still go out.
    pub(super) fn close(&mut self, now: LocalTime, rest: Vec<u8>) {
        self.port = None;
        if let Some(tcp) = self.current() {
            tcp.close(now, rest);
        }
    }

    /// The connection, or attempt, that is the link's.
    fn current(&mut self) -> Option<&mut Tcp> {
        self.tcp.last_mut().filter(|tcp| !tcp.let_go)
    }

    /// Has a socket for datagrams, with a port of its own.
    pub(super) fn open_udp(&mut self) {
        self.port = Some(self.next_port);
        self.next_port = self.next_port.checked_add(1).unwrap_or(FIRST_PORT);
    }

    /// Nothing comes or goes until then.
    pub(super) fn cut_until(&mut self, end: LocalTime) {
        self.cut_until = end;
        self.udp.cut_until(end);
        self.tcp.iter_mut().for_each(|tcp| tcp.cut_until(end));
    }

    /// Whether it has a connection of which one end still believes in the other, which is gone.
    pub(super) fn is_haunted(&self) -> bool {
        self.tcp.iter().any(Tcp::is_half_open)
    }

    pub(super) fn is_cut(&self, now: LocalTime) -> bool {
        now < self.cut_until
    }

    /// From now on its new connections and all its datagrams are like that.
    pub(super) fn set_conditions(&mut self, conditions: Conditions) {
        self.conditions = conditions;
        self.udp = Udp::new(conditions, &mut self.rng);
        self.udp.cut_until(self.cut_until);
    }

    /// Hands the link what has arrived. True: something had.
    pub(super) fn hear(&mut self, now: LocalTime) -> bool {
        let time = self.time(now);
        let mut heard = false;
        let Self { tcp, link, udp, port, in_process, said, .. } = self;
        for tcp in tcp.iter_mut() {
            while let Some(piece) = tcp.down.poll(now) {
                heard = true;
                if tcp.let_go {
                    continue;
                }
                match piece {
                    Piece::Open => link.opened(time, tcp.to),
                    Piece::Refused => link.failed(time, mp_sockets::ConnectError::Refused),
                    Piece::Bytes(bytes) => {
                        said.bytes_down += count(&bytes);
                        link.received(time, &bytes);
                    }
                    Piece::End => link.closed(time, None),
                }
            }
        }
        tcp.retain(|tcp| !tcp.is_over());
        while let Some((to, datagram)) = udp.down.poll(now) {
            heard = true;
            if *port == Some(to) {
                said.bytes_down += count(&datagram);
                link.datagram(time, &datagram);
            }
        }
        for datagram in in_process.drain(..) {
            heard = true;
            link.datagram(time, &datagram);
        }
        heard
    }

    /// Puts what the link has to send on the wire, as far as there is room. True: there was something.
    pub(super) fn speak(&mut self, now: LocalTime) -> bool {
        let time = self.time(now);
        let Self { tcp, link, said, .. } = self;
        let Some(tcp) = tcp.last_mut().filter(|tcp| !tcp.let_go) else { return false };
        let bytes = link.outgoing();
        if bytes.is_empty() || !tcp.has_room_up() {
            return false;
        }
        tcp.up.push(now, Piece::Bytes(bytes.to_vec()));
        said.bytes_up += count(bytes);
        let count = bytes.len();
        link.wrote(time, count);
        true
    }

    /// When something arrives, or the link wants to be called.
    pub(super) fn next_wake(&mut self, now: LocalTime) -> Option<LocalTime> {
        let time = self.time(now);
        let link = self.link.poll_timeout(time).map(|at| now + at.since(time));
        let wires = self.tcp.iter().filter_map(Tcp::next_wake).chain(self.udp.next_wake());
        link.into_iter().chain(wires).min()
    }
}

/// A length as it is counted.
pub(super) fn count(bytes: &[u8]) -> u64 {
    u64::try_from(bytes.len()).unwrap_or(u64::MAX)
}

/// An address of its own for each machine.
pub(super) fn address(number: usize) -> IpAddr {
    let number = u8::try_from(number).expect("a party of four");
    IpAddr::V4(Ipv4Addr::new(192, 168, 1, number + 1))
}
