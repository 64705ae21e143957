//! What lies between a machine and the router: a TCP connection's two directions, and the way of
//! datagrams. Each is late, lossy or cut as the conditions say; neither knows what passes.

use std::net::SocketAddr;

use mp_netcode::LocalTime;
use mp_netcode::conditioner::{Conditions, DatagramConditioner, StreamConditioner};
use mp_party::ConnectionId;
use mp_playground::sim::Rng;

/// What a sender's and a receiver's system hold of one direction of a connection: no more is taken from
/// the sender while so much is on its way.
const WINDOW_BYTES: usize = 256 << 10;

/// A part of a TCP connection on its way, one direction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// The attempt to connect, or that it was accepted.
    Open,
    /// Nobody listens there.
    Refused,
    /// Bytes.
    Bytes(Vec<u8>),
    /// The sender has closed the connection.
    End,
}

impl AsRef<[u8]> for Piece {
    fn as_ref(&self) -> &[u8] {
        match self {
            Self::Bytes(bytes) => bytes,
            Self::Open | Self::Refused | Self::End => &[],
        }
    }
}

/// One TCP connection, from the attempt on.
#[derive(Debug)]
pub(super) struct Tcp {
    /// What it is to the router that accepted it, while that has it.
    pub(super) id: Option<ConnectionId>,
    /// Where it connects to.
    pub(super) to: SocketAddr,
    /// The machine has closed it.
    pub(super) let_go: bool,
    pub(super) up: StreamConditioner<Piece>,
    pub(super) down: StreamConditioner<Piece>,
}

impl Tcp {
    /// An attempt that has just begun.
    pub(super) fn open(
        now: LocalTime,
        to: SocketAddr,
        conditions: Conditions,
        cut_until: LocalTime,
        rng: &mut Rng,
    ) -> Self {
        let mut up = StreamConditioner::new(conditions, rng.bits());
        let mut down = StreamConditioner::new(conditions, rng.bits());
        up.cut_until(cut_until);
        down.cut_until(cut_until);
        up.push(now, Piece::Open);
        Self { id: None, to, let_go: false, up, down }
    }

    /// Whether more can be taken from the machine.
    pub(super) fn has_room_up(&self) -> bool {
        self.up.held_bytes() < WINDOW_BYTES
    }

    /// Whether more can be taken from the router.
    pub(super) fn has_room_down(&self) -> bool {
        self.down.held_bytes() < WINDOW_BYTES
    }

    /// The machine closes it; these last bytes still go.
    pub(super) fn close(&mut self, now: LocalTime, rest: Vec<u8>) {
        if !rest.is_empty() {
            self.up.push(now, Piece::Bytes(rest));
        }
        self.let_go = true;
        self.up.push(now, Piece::End);
    }

    /// Nothing more can come of it.
    pub(super) fn is_over(&self) -> bool {
        self.let_go && self.up.poll_timeout().is_none() && self.id.is_none()
    }

    /// Whether one end is gone, and nothing that would tell the other is on its way.
    pub(super) fn is_half_open(&self) -> bool {
        match (self.let_go, self.id) {
            // What the router still says to it tells the router nothing.
            (true, Some(_)) => self.up.poll_timeout().is_none(),
            (false, None) => self.next_wake().is_none(),
            _ => false,
        }
    }

    pub(super) fn cut_until(&mut self, end: LocalTime) {
        self.up.cut_until(end);
        self.down.cut_until(end);
    }

    pub(super) fn next_wake(&self) -> Option<LocalTime> {
        self.up.poll_timeout().into_iter().chain(self.down.poll_timeout()).min()
    }
}

/// The way of a machine's datagrams, each with the port of the machine's that it leaves or goes to.
#[derive(Debug)]
pub(super) struct Udp {
    pub(super) up: DatagramConditioner<(u16, Vec<u8>)>,
    pub(super) down: DatagramConditioner<(u16, Vec<u8>)>,
}

impl Udp {
    pub(super) fn new(conditions: Conditions, rng: &mut Rng) -> Self {
        let (up, down) = (rng.bits(), rng.bits());
        Self {
            up: DatagramConditioner::new(conditions, up),
            down: DatagramConditioner::new(conditions, down),
        }
    }

    pub(super) fn cut_until(&mut self, end: LocalTime) {
        self.up.cut_until(end);
        self.down.cut_until(end);
    }

    pub(super) fn next_wake(&self) -> Option<LocalTime> {
        self.up.poll_timeout().into_iter().chain(self.down.poll_timeout()).min()
    }
}
