//! A host's UDP socket: everything that is ready is taken in one go, and datagrams to one destination
//! leave in one call where the system can. Where a datagram came to is where its answer leaves from.

use std::io::{self, ErrorKind, IoSliceMut};
use std::net::{IpAddr, SocketAddr};

use mio::net::UdpSocket;
use quinn_udp::{BATCH_SIZE, RecvMeta, Transmit, UdpSockRef, UdpSocketState};

/// Buffers received into at once; with what the system joins, each holds up to 64 datagrams.
const BUFFERS: usize = if BATCH_SIZE < 8 { BATCH_SIZE } else { 8 };
/// A buffer that holds whatever the system joins.
const JOINED_BUFFER: usize = 65_535;
/// A buffer for one datagram: more than the largest allowed, so that a larger one shows.
const SINGLE_BUFFER: usize = 2_048;
/// Bytes to one destination that may leave in one call; the largest IP packet, headers taken off.
const GROUP_MAX: usize = 65_000;
/// Calls that take datagrams in, a wake-up; the other sockets have their turn then.
const CALLS_A_WAKE: u32 = 32;

/// Whether there may be more to read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Drained {
    /// The socket says when more comes.
    All,
    /// It does not say so again: read on without waiting.
    NotYet,
}

/// One of a host's UDP sockets.
#[derive(Debug)]
pub(crate) struct BatchSocket {
    pub(crate) socket: UdpSocket,
    state: UdpSocketState,
    buffers: Vec<u8>,
    buffer: usize,
}

impl BatchSocket {
    pub(crate) fn new(socket: UdpSocket) -> io::Result<Self> {
        let state = UdpSocketState::new(UdpSockRef::from(&socket))?;
        let buffer = if state.gro_segments() > 1 { JOINED_BUFFER } else { SINGLE_BUFFER };
        Ok(Self { socket, state, buffers: vec![0; buffer * BUFFERS], buffer })
    }

    /// Hands each datagram that is there to `take`: who sent it, and to which of our addresses.
    pub(crate) fn receive(
        &mut self,
        mut take: impl FnMut(SocketAddr, Option<IpAddr>, &[u8]),
    ) -> Drained {
        let Self { socket, state, buffers, buffer } = self;
        for _ in 0..CALLS_A_WAKE {
            let mut metas = [RecvMeta::default(); BUFFERS];
            let mut slices = buffers.chunks_mut(*buffer).map(IoSliceMut::new).collect::<Vec<_>>();
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
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Drained::All,
                // It is of one datagram (what an earlier one met on its way), not of the socket.
                Err(_) => {}
            }
        }
        Drained::NotYet
    }

    /// Sends a group. What the system does not take is lost, as datagrams are.
    fn send(&self, group: &Group) {
        let transmit = Transmit {
            destination: group.to,
            ecn: None,
            contents: &group.bytes,
            segment_size: (group.count > 1).then_some(group.size),
            src_ip: group.from,
        };
        let socket = &self.socket;
        let _lost = socket.try_io(|| self.state.try_send(UdpSockRef::from(socket), &transmit));
    }
}

/// Datagrams to one destination, gathered until one comes that cannot leave in the same call.
#[derive(Debug, Default)]
pub(crate) struct Gather {
    group: Option<Group>,
    spare: Vec<u8>,
}

#[derive(Debug)]
struct Group {
    socket: usize,
    to: SocketAddr,
    from: Option<IpAddr>,
    /// Bytes of each datagram; the last one may be shorter.
    size: usize,
    count: usize,
    bytes: Vec<u8>,
}

impl Gather {
    /// Adds a datagram that leaves by `sockets[socket]`, from the address `from`.
    pub(crate) fn add(
        &mut self,
        sockets: &[BatchSocket],
        socket: usize,
        to: SocketAddr,
        from: Option<IpAddr>,
        datagram: &[u8],
    ) {
        let Some(by) = sockets.get(socket) else { return };
        if let Some(group) = &mut self.group
            && (group.socket, group.to, group.from) == (socket, to, from)
            && group.bytes.len() == group.size * group.count
            && datagram.len() <= group.size
            && group.count < by.state.max_gso_segments()
            && group.bytes.len() + datagram.len() <= GROUP_MAX
        {
            group.bytes.extend_from_slice(datagram);
            group.count += 1;
            return;
        }
        self.flush(sockets);
        let mut bytes = std::mem::take(&mut self.spare);
        bytes.extend_from_slice(datagram);
        self.group = Some(Group { socket, to, from, size: datagram.len(), count: 1, bytes });
    }

    /// Sends what is gathered.
    pub(crate) fn flush(&mut self, sockets: &[BatchSocket]) {
        if let Some(group) = self.group.take() {
            if let Some(by) = sockets.get(group.socket) {
                by.send(&group);
            }
            self.spare = group.bytes;
            self.spare.clear();
        }
    }
}
