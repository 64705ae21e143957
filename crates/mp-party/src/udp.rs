//! Datagrams (protocol.md 2): who may speak, where they are bound, and what is dropped. A datagram is
//! answered by BIND's answer alone, which is smaller than it and goes where it came from.

use core::net::SocketAddr;

use mp_netcode::LocalTime;
use mp_protocol::SessionId;
use mp_protocol::datagram::{ClientDatagram, ClientDatagramKind, ServerDatagram, bind_answer_size};
use mp_protocol::limits::DATAGRAM_MAX;

use crate::connection::{Binding, ConnectionId};
use crate::counters::{Counters, DropReason};
use crate::output::LocalAddress;
use crate::rates::Strike;
use crate::router::Router;

/// Why a datagram does nothing.
enum Refusal {
    /// Another of the server's routers has the session.
    Elsewhere(u32),
    Dropped(DropReason),
    Struck(ConnectionId, Strike),
}

impl Router {
    /// A datagram came from `from`, at the driver's own address `to`. One of a session that another of the
    /// server's routers has is not looked at: its index is given back.
    pub fn datagram(
        &mut self,
        now: LocalTime,
        from: SocketAddr,
        to: LocalAddress,
        bytes: &[u8],
    ) -> Option<u32> {
        let admitted = self.admit(now, bytes);
        if let Err(Refusal::Elsewhere(index)) = admitted {
            return Some(index);
        }
        self.links.counters.datagrams_in += 1;
        Counters::add(&mut self.links.counters.datagram_bytes_in, bytes.len());
        match admitted {
            Ok((id, ClientDatagramKind::Bind { heard, size })) => {
                self.bind(id, Binding { to: from, from: to, at: now, heard }, size);
            }
            Ok((id, ClientDatagramKind::State { target, bytes })) => {
                self.state(now, id, target, bytes);
            }
            Err(Refusal::Elsewhere(_)) => {}
            Err(Refusal::Dropped(reason)) => self.links.counters.count_drop(reason),
            Err(Refusal::Struck(id, limit)) => self.links.strike(now, id, limit),
        }
        self.settle(now);
        None
    }

    /// Parses a datagram, then asks for its session and token, then holds it to that session's limit.
    fn admit<'a>(
        &mut self,
        now: LocalTime,
        bytes: &'a [u8],
    ) -> Result<(ConnectionId, ClientDatagramKind<'a>), Refusal> {
        let dropped = Refusal::Dropped;
        if bytes.len() > DATAGRAM_MAX {
            return Err(dropped(DropReason::OversizeDatagram));
        }
        let ClientDatagram { session, token, what } =
            ClientDatagram::decode(bytes).map_err(|_| dropped(DropReason::MalformedDatagram))?;
        let unknown = || dropped(DropReason::UnknownSession);
        let id = match self.connection_of(session) {
            Some(id) => id,
            None => return Err(self.elsewhere(session).map_or_else(unknown, Refusal::Elsewhere)),
        };
        let connection = self.links.heard(id).ok_or_else(unknown)?;
        if connection.session().is_none_or(|session| session.token != token) {
            return Err(dropped(DropReason::WrongToken));
        }
        let hosts = connection.hosts();
        let held = connection.rates.datagram(now, hosts);
        held.map_err(|limit| Refusal::Struck(id, limit))?;
        Ok((id, what))
    }

    /// The newest valid BIND says where a session is; it is answered there, from where it was asked.
    fn bind(&mut self, id: ConnectionId, binding: Binding, size: usize) {
        let Some(session) = self.links.heard(id).and_then(|it| it.session_mut()) else { return };
        session.binding = Some(binding);
        let answer = ServerDatagram::BindAnswer { size: bind_answer_size(size) };
        self.links.send_datagram(id, binding.to, binding.from, &answer);
    }

    /// Which other router has a session.
    fn elsewhere(&mut self, session: SessionId) -> Option<u32> {
        if self.shard.is_only() {
            return None;
        }
        let index = self.links.commons.with(|commons| commons.sessions.get(&session).copied())?;
        (index != self.shard.index()).then_some(index)
    }
}
