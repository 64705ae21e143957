//! One connection's state, and the slab that names connections by handles that are never reused.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::net::{IpAddr, SocketAddr};

use mp_netcode::LocalTime;
use mp_protocol::{FrameReader, SessionId, Token, limits};

use crate::config::Limits;
use crate::output::{CloseReason, LocalAddress};
use crate::parts::Parts;
use crate::party::PartyKey;
use crate::queue::Queue;
use crate::rates::Rates;

/// Names one connection for as long as the router runs: it is never given to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ConnectionId {
    slot: u32,
    generation: u32,
}

impl ConnectionId {
    /// A small number that no other open connection has, for a driver's own table.
    #[must_use]
    pub const fn slot(self) -> u32 {
        self.slot
    }
}

/// How far a connection has come.
#[derive(Debug)]
pub(crate) enum Stage {
    /// Its HELLO is awaited.
    Connected,
    /// It said HELLO.
    Greeted(Session),
    /// It has left; its last bytes are being written.
    Closing { why: CloseReason, since: LocalTime },
}

/// Who a greeted connection is.
#[derive(Debug)]
pub(crate) struct Session {
    pub(crate) id: SessionId,
    pub(crate) token: Token,
    pub(crate) name: Box<str>,
    pub(crate) membership: Option<Membership>,
    pub(crate) binding: Option<Binding>,
}

/// The party a session is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Membership {
    pub(crate) party: PartyKey,
    pub(crate) host: bool,
}

/// Where a session's newest valid BIND came from and to, when, and whether it hears our datagrams.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Binding {
    pub(crate) to: SocketAddr,
    pub(crate) from: LocalAddress,
    pub(crate) at: LocalTime,
    pub(crate) heard: bool,
}

impl Binding {
    /// Whether STATE goes there, or as DATA instead (protocol.md 2).
    pub(crate) fn carries_state(&self, now: LocalTime) -> bool {
        self.heard && now.since(self.at) < limits::BIND_TIMEOUT
    }
}

/// One connection.
#[derive(Debug)]
pub(crate) struct Connection {
    /// None for a direct host's own client.
    pub(crate) address: Option<IpAddr>,
    /// The address it counts for, until it begins to close.
    pub(crate) counted: Option<IpAddr>,
    pub(crate) stage: Stage,
    pub(crate) reader: FrameReader,
    pub(crate) queue: Queue,
    /// Of what waits on a host's, which member put how much in.
    pub(crate) parts: Parts,
    /// The driver was told of the bytes that wait.
    pub(crate) announced: bool,
    /// Why it is to be closed when the input at hand is dealt with.
    pub(crate) doomed: Option<CloseReason>,
    pub(crate) rates: Rates,
    pub(crate) opened: LocalTime,
    /// When its last complete frame came.
    pub(crate) last_frame: LocalTime,
    /// When the first byte of the frame that is still incomplete came.
    pub(crate) frame_begun: Option<LocalTime>,
    /// When the timers look at it next.
    pub(crate) timer: LocalTime,
}

impl Connection {
    /// One that `counts` is counted for its address already.
    pub(crate) fn new(
        now: LocalTime,
        address: Option<IpAddr>,
        counts: bool,
        limits: &Limits,
    ) -> Self {
        Self {
            address,
            counted: address.filter(|_| counts),
            stage: Stage::Connected,
            parts: Parts::default(),
            reader: FrameReader::default(),
            queue: Queue::default(),
            announced: false,
            doomed: None,
            rates: Rates::new(now, limits),
            opened: now,
            last_frame: now,
            frame_begun: None,
            timer: LocalTime::from_micros(u64::MAX),
        }
    }

    /// Whether it is on its way out: nothing it sends is heard, nothing new is sent to it.
    pub(crate) const fn is_leaving(&self) -> bool {
        self.doomed.is_some() || matches!(self.stage, Stage::Closing { .. })
    }

    pub(crate) const fn session(&self) -> Option<&Session> {
        match &self.stage {
            Stage::Greeted(session) => Some(session),
            Stage::Connected | Stage::Closing { .. } => None,
        }
    }

    pub(crate) const fn session_mut(&mut self) -> Option<&mut Session> {
        match &mut self.stage {
            Stage::Greeted(session) => Some(session),
            Stage::Connected | Stage::Closing { .. } => None,
        }
    }

    pub(crate) fn membership(&self) -> Option<Membership> {
        self.session()?.membership
    }

    /// Whether it hosts a party, and so may send more.
    pub(crate) fn hosts(&self) -> bool {
        self.membership().is_some_and(|membership| membership.host)
    }

    /// When it is to be closed unless something comes, and why.
    pub(crate) fn deadline(&self, limits: &Limits) -> (LocalTime, CloseReason) {
        let silent = match self.stage {
            // The client in this process is there as long as the process is, however long that stood
            // still.
            Stage::Connected | Stage::Greeted(_) if self.address.is_none() => {
                return (LocalTime::from_micros(u64::MAX), CloseReason::Silent);
            }
            Stage::Closing { why, since } => return (since + limits.flush_timeout, why),
            Stage::Connected => {
                return (self.opened + limits.hello_timeout, CloseReason::HelloTimeout);
            }
            Stage::Greeted(_) => (self.last_frame + limits.silence_timeout, CloseReason::Silent),
        };
        match self.frame_begun {
            Some(begun) if begun + limits.frame_timeout < silent.0 => {
                (begun + limits.frame_timeout, CloseReason::FrameTimeout)
            }
            _ => silent,
        }
    }
}

#[derive(Debug)]
struct Slot {
    generation: u32,
    connection: Option<Box<Connection>>,
}

/// The connections, by handle. Boxed, so that a slot that is empty costs 16 bytes.
#[derive(Debug, Default)]
pub(crate) struct Connections {
    slots: Vec<Slot>,
    free: Vec<u32>,
}

impl Connections {
    pub(crate) fn insert(&mut self, connection: Box<Connection>) -> ConnectionId {
        let connection = Some(connection);
        if let Some(slot) = self.free.pop() {
            let place = &mut self.slots[slot as usize];
            place.connection = connection;
            return ConnectionId { slot, generation: place.generation };
        }
        let slot =
            u32::try_from(self.slots.len()).expect("fewer than 2^32 connections fit in memory");
        self.slots.push(Slot { generation: 0, connection });
        ConnectionId { slot, generation: 0 }
    }

    pub(crate) fn get(&self, id: ConnectionId) -> Option<&Connection> {
        let slot = self.slots.get(id.slot as usize)?;
        slot.connection.as_deref().filter(|_| slot.generation == id.generation)
    }

    pub(crate) fn get_mut(&mut self, id: ConnectionId) -> Option<&mut Connection> {
        let slot = self.slots.get_mut(id.slot as usize)?;
        slot.connection.as_deref_mut().filter(|_| slot.generation == id.generation)
    }

    pub(crate) fn remove(&mut self, id: ConnectionId) -> Option<Box<Connection>> {
        let slot = self.slots.get_mut(id.slot as usize)?;
        if slot.generation != id.generation {
            return None;
        }
        let connection = slot.connection.take()?;
        // A slot whose generations are used up stays empty for good.
        if let Some(next) = slot.generation.checked_add(1) {
            slot.generation = next;
            self.free.push(id.slot);
        }
        Some(connection)
    }

    /// The open connections, in the order of their slots.
    pub(crate) fn ids(&self) -> impl Iterator<Item = ConnectionId> + '_ {
        self.slots
            .iter()
            .zip(0..)
            .filter(|(slot, _)| slot.connection.is_some())
            .map(|(place, slot)| ConnectionId { slot, generation: place.generation })
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A handle for tests that need one and no connection.
    pub(crate) const ANY_ID: ConnectionId = ConnectionId { slot: 0, generation: 0 };

    fn new() -> Box<Connection> {
        Box::new(Connection::new(LocalTime::ZERO, None, false, &Limits::default()))
    }

    #[test]
    fn a_handle_is_never_given_twice() {
        let mut connections = Connections::default();
        let first = connections.insert(new());
        assert!(connections.remove(first).is_some());
        let second = connections.insert(new());
        assert_eq!(first.slot(), second.slot());
        assert_ne!(first, second);
        assert!(connections.get(first).is_none());
        assert!(connections.remove(first).is_none());
        assert!(connections.get(second).is_some());
    }

    #[test]
    fn a_slot_whose_generations_are_used_up_stays_empty() {
        let mut connections = Connections::default();
        let first = connections.insert(new());
        connections.slots[0].generation = u32::MAX;
        let last = ConnectionId { generation: u32::MAX, ..first };
        assert!(connections.remove(last).is_some());
        let other = connections.insert(new());
        assert_ne!(other.slot(), first.slot());
    }
}
