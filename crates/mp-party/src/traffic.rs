//! What travels within a party: CHAT to everyone, DATA and STATE between host and members. This is the
//! path that must not allocate: bytes go straight into the receivers' queues or the datagrams' arena.

use mp_netcode::LocalTime;
use mp_protocol::{ErrorReason, ServerPacket, SessionId};

use crate::connection::{ConnectionId, Membership};
use crate::counters::DropReason;
use crate::links::{CHAT_OVERHEAD, DATA_OVERHEAD, Links};
use crate::rates::Strike;
use crate::router::Router;

/// How bytes travel: DATA always by TCP, STATE by datagram to whoever hears ours.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Data,
    State,
}

impl Router {
    pub(crate) fn chat(&mut self, now: LocalTime, id: ConnectionId, text: &str) {
        let Some((sender, membership)) = self.in_party(id) else {
            self.links.send_error(id, ErrorReason::NotInOne);
            return;
        };
        let Some(party) = self.parties.get(membership.party) else { return };
        let host = party.host().connection;
        if !membership.host {
            let size = CHAT_OVERHEAD + text.len();
            if self.links.would_overfill_host(host, id, size) {
                self.links.strike(now, id, Strike::HostQueue);
                return;
            }
            self.links.filled_host(host, id, size);
        }
        for member in party.members() {
            self.links.send(member.connection, &ServerPacket::Chat { sender, text });
        }
    }

    pub(crate) fn data(&mut self, now: LocalTime, id: ConnectionId, target: i32, bytes: &[u8]) {
        match self.in_party(id) {
            Some(from) => self.route(now, id, from, target, bytes, Way::Data),
            None => self.links.send_error(id, ErrorReason::NotInOne),
        }
    }

    pub(crate) fn state(&mut self, now: LocalTime, id: ConnectionId, target: i32, bytes: &[u8]) {
        match self.in_party(id) {
            Some(from) => self.route(now, id, from, target, bytes, Way::State),
            None => self.links.counters.count_drop(DropReason::StateWithoutParty),
        }
    }

    fn in_party(&self, id: ConnectionId) -> Option<(SessionId, Membership)> {
        let session = self.links.connections.get(id)?.session()?;
        Some((session.id, session.membership?))
    }

    /// A member's to the host alone; the host's to the member that is named, or to all for 0.
    fn route(
        &mut self,
        now: LocalTime,
        id: ConnectionId,
        (sender, membership): (SessionId, Membership),
        target: i32,
        bytes: &[u8],
        way: Way,
    ) {
        let Some(party) = self.parties.get(membership.party) else { return };
        let links = &mut self.links;
        let deliver = |links: &mut Links, to| match way {
            Way::Data => links.send_data(to, sender, bytes),
            Way::State => links.send_state(now, to, sender, bytes),
        };
        if membership.host {
            let mut reached = target == 0;
            for member in party.others() {
                if target == 0 || target == member.session.0 {
                    deliver(links, member.connection);
                    reached = true;
                }
            }
            if !reached {
                links.counters.count_drop(DropReason::NoSuchTarget);
            }
            return;
        }
        let host = party.host().connection;
        let queued = way == Way::Data || links.state_path(now, host).is_none();
        let size = DATA_OVERHEAD + bytes.len();
        if !queued {
            deliver(links, host);
        } else if links.would_overfill_host(host, id, size) {
            links.strike(now, id, Strike::HostQueue);
        } else {
            deliver(links, host);
            links.filled_host(host, id, size);
        }
    }
}
