//! A server's UDP socket: everything that is ready is taken in one go, and datagrams to one receiver
//! leave in one call where the system can. Where a datagram came to is where its answer leaves from.

use std::io::{self, ErrorKind, IoSliceMut};
use std::net::{IpAddr, SocketAddr};

use mio::net::UdpSocket;
use quinn_udp::{BATCH_SIZE, RecvMeta, Transmit, UdpSockRef, UdpSocketState};

use crate::platform::{SHORT_READ_IS_ALL, is_unsupported};

/// Buffers received into at once; with what the system joins, each holds up to 64 datagrams.
const BUFFERS: usize = BATCH_SIZE;
/// A buffer that holds whatever the system joins, and a little more so that the buffers' beginnings do
/// not share their place in the processor's caches.
const JOINED_BUFFER: usize = 65_536 + 64;
/// A buffer for one datagram: more than the largest allowed, so that a larger one shows.
const SINGLE_BUFFER: usize = 2_048;
/// Bytes to one receiver that may leave in one call; the largest IP packet, headers taken off.
const RUN_MAX: usize = 65_000;
/// Calls that take datagrams in, a wake-up. Few: what came of the first waits to be sent until then, and a
/// flood makes every wake-up as long as it may be.
const CALLS_A_WAKE: u32 = 4;
/// No run.
const NONE: usize = usize::MAX;

/// Whether there may be more to read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Drained {
    /// The socket says when more comes.
    All,
    /// It does not say so again: read on without waiting.
    NotYet,
}

/// One of a server's UDP sockets.
#[derive(Debug)]
pub(crate) struct BatchSocket {
    pub(crate) socket: UdpSocket,
    /// `None`: the system has no calls for several datagrams or for their addresses (wine): they are
    /// taken and sent one by one.
    state: Option<UdpSocketState>,
    buffers: Vec<u8>,
    buffer: usize,
}

impl BatchSocket {
    pub(crate) fn new(socket: UdpSocket) -> io::Result<Self> {
        let state = match UdpSocketState::new(UdpSockRef::from(&socket)) {
            Err(error) if is_unsupported(&error) => None,
            state => Some(state?),
        };
        Ok(Self::with(socket, state))
    }

    fn with(socket: UdpSocket, state: Option<UdpSocketState>) -> Self {
        let is_joined = state.as_ref().is_some_and(|state| state.gro_segments() > 1);
        let buffer = if is_joined { JOINED_BUFFER } else { SINGLE_BUFFER };
        Self { socket, state, buffers: vec![0; buffer * BUFFERS], buffer }
    }

    /// How many datagrams leave in one call at most.
    fn run_max(&self) -> usize {
        self.state.as_ref().map_or(1, UdpSocketState::max_gso_segments)
    }

    /// Hands each datagram that is there to `take`: who sent it, and to which of our addresses.
    pub(crate) fn receive(
        &mut self,
        mut take: impl FnMut(SocketAddr, Option<IpAddr>, &[u8]),
    ) -> Drained {
        let Self { socket, state, buffers, buffer } = self;
        let Some(state) = state else { return receive_singly(socket, buffers, take) };
        let mut metas = [RecvMeta::default(); BUFFERS];
        for _ in 0..CALLS_A_WAKE {
            let mut chunks = buffers.chunks_mut(*buffer);
            let mut slices: [_; BUFFERS] =
                std::array::from_fn(|_| IoSliceMut::new(chunks.next().unwrap_or_default()));
            let came =
                socket.try_io(|| state.recv(UdpSockRef::from(&*socket), &mut slices, &mut metas));
            match came {
                Ok(count) => {
                    for (slice, meta) in slices.iter().zip(&metas).take(count) {
                        let whole = &slice[..meta.len.min(slice.len())];
                        for datagram in whole.chunks(meta.stride.max(1)) {
                            take(meta.addr, meta.dst_ip, datagram);
                        }
                    }
                    if SHORT_READ_IS_ALL && count < BUFFERS {
                        return Drained::All;
                    }
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Drained::All,
                // It is of one datagram (what an earlier one met on its way), not of the socket.
                Err(_) => {}
            }
        }
        Drained::NotYet
    }

    /// Sends a run. What the system does not take is lost, as datagrams are.
    fn send(&self, run: &Run) {
        let Some(state) = &self.state else {
            let _lost = self.socket.send_to(&run.bytes, run.way.to);
            return;
        };
        let transmit = Transmit {
            destination: run.way.to,
            ecn: None,
            contents: &run.bytes,
            segment_size: (run.count > 1).then_some(run.size),
            src_ip: run.way.from,
        };
        let socket = &self.socket;
        let _lost = socket.try_io(|| state.try_send(UdpSockRef::from(socket), &transmit));
    }
}

/// As many as one wake-up takes in otherwise, one by one, and not knowing where they came to.
fn receive_singly(
    socket: &UdpSocket,
    buffer: &mut [u8],
    mut take: impl FnMut(SocketAddr, Option<IpAddr>, &[u8]),
) -> Drained {
    for _ in 0..BUFFERS {
        match socket.recv_from(buffer) {
            Ok((length, from)) => take(from, None, &buffer[..length]),
            Err(error) if error.kind() == ErrorKind::WouldBlock => return Drained::All,
            // It is of one datagram (what an earlier one met on its way), not of the socket.
            Err(_) => {}
        }
    }
    Drained::NotYet
}

/// The way a datagram leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Way {
    /// The socket's index.
    pub(crate) socket: usize,
    pub(crate) to: SocketAddr,
    /// The address it leaves from, where one has to be chosen.
    pub(crate) from: Option<IpAddr>,
}

/// Datagrams of one size and one way, one after the other, the last of which may be shorter: what the
/// system takes in one call.
#[derive(Debug)]
struct Run {
    receiver: usize,
    way: Way,
    size: usize,
    /// 0: its datagram is in another run.
    count: usize,
    /// Its last one is shorter, so no other may follow.
    ended: bool,
    bytes: Vec<u8>,
    /// An older run for the same receiver.
    older: usize,
}

impl Run {
    fn has_room(&self, bytes: usize, most: usize) -> bool {
        self.count < most && !self.ended && self.bytes.len() + bytes <= RUN_MAX
    }
}

/// Datagrams gathered into runs until they are sent. A receiver's datagrams of one size stay in their
/// order; those of different sizes may overtake each other, as on any network.
#[derive(Debug, Default)]
pub(crate) struct Gather {
    /// The newest run of each receiver.
    newest: Vec<usize>,
    /// Runs, of which the first `used` hold something; the others lend their buffers.
    runs: Vec<Run>,
    used: usize,
}

impl Gather {
    /// Adds a datagram to `receiver`: a small number, by which its datagrams are found.
    pub(crate) fn add(
        &mut self,
        sockets: &[BatchSocket],
        receiver: usize,
        way: Way,
        datagram: &[u8],
    ) {
        let Some(by) = sockets.get(way.socket) else { return };
        let most = by.run_max();
        if self.newest.len() <= receiver {
            self.newest.resize(receiver + 1, NONE);
        }
        let mut index = self.newest[receiver];
        while let Some(run) = self.runs.get_mut(index) {
            if run.size == datagram.len() && run.way == way && run.has_room(run.size, most) {
                run.bytes.extend_from_slice(datagram);
                run.count += 1;
                return;
            }
            index = run.older;
        }
        self.begin(receiver, way, datagram);
    }

    fn begin(&mut self, receiver: usize, way: Way, datagram: &[u8]) {
        let older = std::mem::replace(&mut self.newest[receiver], self.used);
        let (size, count, ended) = (datagram.len(), 1, false);
        let mut bytes = self
            .runs
            .get_mut(self.used)
            .map_or_else(Vec::new, |run| std::mem::take(&mut run.bytes));
        bytes.clear();
        bytes.extend_from_slice(datagram);
        let run = Run { receiver, way, size, count, ended, bytes, older };
        match self.runs.get_mut(self.used) {
            Some(place) => *place = run,
            None => self.runs.push(run),
        }
        self.used += 1;
    }

    /// Sends what is gathered, and says in how many calls.
    pub(crate) fn flush(&mut self, sockets: &[BatchSocket]) -> usize {
        let mut calls = 0;
        for index in (0..self.used).rev() {
            self.join_singles(index, sockets);
        }
        for run in &self.runs[..self.used] {
            self.newest[run.receiver] = NONE;
            if run.count > 0
                && let Some(by) = sockets.get(run.way.socket)
            {
                by.send(run);
                calls += 1;
            }
        }
        self.used = 0;
        calls
    }

    /// Puts datagrams that are alone in their runs behind larger ones to the same receiver: this run's
    /// behind an older one's, or an older one's behind this run's.
    fn join_singles(&mut self, index: usize, sockets: &[BatchSocket]) {
        let Some(by) = sockets.get(self.runs[index].way.socket) else { return };
        let most = by.run_max();
        let mut older = self.runs[index].older;
        while older != NONE {
            let (head, tail) = self.runs.split_at_mut(index);
            let (one, other) = (&mut tail[0], &mut head[older]);
            older = other.older;
            let (large, small) = if one.size > other.size { (one, other) } else { (other, one) };
            if large.count > 0
                && small.count == 1
                && large.way == small.way
                && large.has_room(small.size, most)
            {
                large.bytes.extend_from_slice(&small.bytes);
                (large.count, large.ended) = (large.count + 1, true);
                small.count = 0;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;
    use std::time::Duration;

    use mio::{Events, Interest, Poll, Token};

    use super::*;

    /// As under wine, which lacks what a batch wants.
    #[test]
    fn a_system_without_batches_takes_and_sends_datagrams_one_by_one() {
        let any = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
        let open = || UdpSocket::bind(any).expect("a free port");
        let (mut receiver, sender) = (BatchSocket::with(open(), None), open());
        let to = receiver.socket.local_addr().expect("is bound");
        let from = sender.local_addr().expect("is bound");
        let sockets = [BatchSocket::with(sender, None)];
        let mut poll = Poll::new().expect("the system has one");
        let registry = poll.registry();
        registry.register(&mut receiver.socket, Token(0), Interest::READABLE).expect("is new");
        let mut gather = Gather::default();
        let way = Way { socket: 0, to, from: None };
        for datagram in [b"one", b"two", b"six"] {
            gather.add(&sockets, 0, way, datagram);
        }
        assert_eq!(gather.flush(&sockets), 3);
        let mut came = Vec::new();
        let mut events = Events::with_capacity(1);
        while came.len() < 3 {
            poll.poll(&mut events, Some(Duration::from_secs(10))).expect("it waits");
            assert!(!events.is_empty(), "three were sent, and came: {came:?}");
            let drained = receiver.receive(|sender, at, datagram| {
                assert_eq!((sender, at), (from, None));
                came.push(datagram.to_vec());
            });
            assert_eq!(drained, Drained::All);
        }
        assert_eq!(came, [b"one", b"two", b"six"]);
    }
}
