//! A link made bad on purpose, live, between the sockets and the link's machine: for developers, who
//! want to see what a friend far away sees. It delays, loses, doubles and reorders datagrams, and delays
//! the stream; it must never lose a byte of the stream, nor hold more than [`HELD_MAX`] of it.

use mp_netcode::LocalTime;
use mp_netcode::conditioner::{Conditions, DatagramConditioner, StreamConditioner};

/// The most of the stream that is on its way, each way, in bytes: more waits where it came from.
const HELD_MAX: usize = 256 << 10;

/// Datagrams on their way, each way: what a host may send in two of the longest latencies is less, and
/// one too many is lost, as on any link that is full.
const DATAGRAMS_MAX: usize = 16 << 10;

/// One way of the link.
#[derive(Debug)]
pub(crate) struct OneWay {
    datagrams: DatagramConditioner<Vec<u8>>,
    stream: StreamConditioner<Vec<u8>>,
}

impl OneWay {
    fn new(conditions: Conditions, seed: u64) -> Self {
        Self {
            datagrams: DatagramConditioner::new(conditions, seed),
            stream: StreamConditioner::new(conditions, seed),
        }
    }

    /// A datagram sets out.
    pub(crate) fn datagram(&mut self, now: LocalTime, bytes: &[u8]) {
        if self.datagrams.held() < DATAGRAMS_MAX {
            self.datagrams.push(now, bytes.to_vec());
        }
    }

    /// The next datagram that has arrived.
    pub(crate) fn next_datagram(&mut self, now: LocalTime) -> Option<Vec<u8>> {
        self.datagrams.poll(now)
    }

    /// Whether there is room for more of the stream.
    pub(crate) fn has_room(&self) -> bool {
        self.stream.held_bytes() < HELD_MAX
    }

    /// Bytes of the stream set out.
    pub(crate) fn bytes(&mut self, now: LocalTime, bytes: &[u8]) {
        self.stream.push(now, bytes.to_vec());
    }

    /// The next bytes that have arrived.
    pub(crate) fn next_bytes(&mut self, now: LocalTime) -> Option<Vec<u8>> {
        self.stream.poll(now)
    }

    /// All bytes that are on their way, in order.
    pub(crate) fn all_bytes(&mut self) -> Vec<u8> {
        self.stream.drain().flatten().collect()
    }

    fn next_wake(&self) -> Option<LocalTime> {
        let all = [self.datagrams.poll_timeout(), self.stream.poll_timeout()];
        all.into_iter().flatten().min()
    }
}

/// Both ways of it.
#[derive(Debug)]
pub(crate) struct BadLink {
    /// To the server.
    pub(crate) up: OneWay,
    /// From the server.
    pub(crate) down: OneWay,
    /// What has arrived on the way up, and the socket has not taken.
    pub(crate) unwritten: Vec<u8>,
}

impl BadLink {
    /// A link with nothing on it. The conditions are those of each way.
    pub(crate) fn new(conditions: Conditions, seed: u64) -> Self {
        Self {
            up: OneWay::new(conditions, seed),
            down: OneWay::new(conditions, seed.wrapping_add(1)),
            unwritten: Vec::new(),
        }
    }

    /// Whether there is room for more of what goes to the server.
    pub(crate) fn has_room_up(&self) -> bool {
        self.unwritten.len() < HELD_MAX && self.up.has_room()
    }

    /// What sets out from now on meets these.
    pub(crate) fn set_conditions(&mut self, conditions: Conditions) {
        for way in [&mut self.up, &mut self.down] {
            way.datagrams.set_conditions(conditions);
            way.stream.set_conditions(conditions);
        }
    }

    /// The connection is over: what the server has still to get, in order. Nothing stays on its way.
    pub(crate) fn end(&mut self) -> Vec<u8> {
        let mut rest = std::mem::take(&mut self.unwritten);
        rest.append(&mut self.up.all_bytes());
        self.up.datagrams.clear();
        self.down.datagrams.clear();
        self.down.stream.drain().for_each(drop);
        rest
    }

    /// When something arrives.
    pub(crate) fn next_wake(&self) -> Option<LocalTime> {
        [self.up.next_wake(), self.down.next_wake()].into_iter().flatten().min()
    }
}
