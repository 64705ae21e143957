//! Several routers for one server. A party lives on one of them, known by its code; a connection that
//! wants into a party of another router departs from its own and arrives there, with all it has.

use alloc::boxed::Box;
use alloc::vec::Vec;

use mp_netcode::LocalTime;

use crate::connection::{Connection, ConnectionId};
use crate::output::CloseReason;
use crate::party::Code;
use crate::router::Router;

/// Which of a server's routers one is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    index: u32,
    count: u32,
}

impl Shard {
    /// The only one.
    pub const ONLY: Self = Self { index: 0, count: 1 };
    /// The most routers a server has.
    pub const COUNT_MAX: u32 = 64;

    /// Number `index` of `count` routers; none if there is no such one.
    #[must_use]
    pub const fn new(index: u32, count: u32) -> Option<Self> {
        if index < count && count <= Self::COUNT_MAX { Some(Self { index, count }) } else { None }
    }

    pub(crate) const fn index(self) -> u32 {
        self.index
    }

    pub(crate) const fn is_only(self) -> bool {
        self.count == 1
    }

    /// The first session id of this router's. Its next one is [`Self::session_step`] further on, so that
    /// no two routers give the same.
    pub(crate) fn first_session(self) -> i32 {
        i32::try_from(self.index + 1).expect("at most 64")
    }

    pub(crate) fn session_step(self) -> i32 {
        i32::try_from(self.count).expect("at most 64")
    }

    /// Where parties with this code live, if that is another router.
    pub(crate) fn elsewhere(self, code: Code) -> Option<u32> {
        let home = code.sum() % self.count;
        (home != self.index).then_some(home)
    }
}

/// What one wants to do in another router.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Errand {
    Join(Code),
    Find,
}

/// Where a connection has to go for what it wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Journey {
    pub(crate) to: u32,
    pub(crate) errand: Errand,
}

/// A connection on its way to another router, with its session, what waits to be written to it and what
/// came from it and was not read yet. Its own router has forgotten it.
#[derive(Debug)]
#[must_use = "a connection is lost unless it arrives"]
pub struct Departure {
    journey: Journey,
    connection: Box<Connection>,
    unread: Vec<u8>,
}

impl Departure {
    /// The index of the router to hand it to.
    #[must_use]
    pub const fn to(&self) -> u32 {
        self.journey.to
    }
}

impl Router {
    /// Sends a connection off. `unread`: what came after the request that sends it.
    pub(crate) fn depart(
        &mut self,
        id: ConnectionId,
        journey: Journey,
        unread: &[u8],
    ) -> Option<Departure> {
        let connection = self.links.take_out(id)?;
        if let Some(session) = connection.session() {
            self.sessions.remove(&session.id);
            let to = journey.to;
            self.links.commons.with(|commons| commons.sessions.insert(session.id, to));
        }
        Some(Departure { journey, connection, unread: unread.to_vec() })
    }

    /// Takes in a connection that departed from another of the server's routers; what it came for is
    /// done, and what it sent after is read.
    ///
    /// # Errors
    /// It has departed again.
    pub fn arrive(&mut self, now: LocalTime, came: Departure) -> Result<ConnectionId, Departure> {
        let Departure { journey, connection, unread } = came;
        let session = connection.session().map(|session| session.id);
        let id = self.links.reopen(connection);
        if let Some(session) = session {
            self.sessions.insert(session, id);
        }
        if self.is_stopped() {
            self.links.doom(id, CloseReason::Stopped);
        }
        let onward = match journey.errand {
            Errand::Join(code) => self.join(id, Some(code)),
            Errand::Find => self.find(id),
        };
        let departed = match onward {
            Some(journey) => self.depart(id, journey, &unread),
            None => self.read_frames(now, id, &unread),
        };
        self.settle(now);
        departed.map_or(Ok(id), Err)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_router_is_one_of_at_most_64() {
        assert_eq!(Shard::new(0, 1), Some(Shard::ONLY));
        assert!(Shard::new(63, 64).is_some());
        for none in [(0, 0), (2, 2), (0, 65)] {
            assert_eq!(Shard::new(none.0, none.1), None);
        }
    }

    #[test]
    fn every_code_has_one_home() {
        let code = Code::asked("H7KQ2M").expect("a code");
        for count in 1..=Shard::COUNT_MAX {
            let shards = (0..count).filter_map(|index| Shard::new(index, count));
            assert_eq!(shards.filter(|shard| shard.elsewhere(code).is_none()).count(), 1);
        }
    }
}
