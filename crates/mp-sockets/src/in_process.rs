//! A direct host's own client, which is linked to the router in memory: the game that hosts plays by the
//! same rules as the others, and no socket is between.

use std::collections::VecDeque;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};

use mp_netcode::LocalTime;
use mp_party::{ConnectionId, LocalAddress};

use crate::server::Server;

/// The client's way by datagram: nothing on a network has these.
const ADDRESS: SocketAddr = SocketAddr::new(IpAddr::V6(Ipv6Addr::UNSPECIFIED), 0);
const SOCKET: LocalAddress = LocalAddress { socket: u32::MAX, ip: None };

/// The client in the same process.
#[derive(Debug)]
pub(crate) struct InProcess {
    id: ConnectionId,
    datagrams: VecDeque<Vec<u8>>,
    closed: bool,
}

impl InProcess {
    /// Whether that is where it hears datagrams.
    pub(crate) fn is_at(&self, to: SocketAddr, from: LocalAddress) -> bool {
        (to, from) == (ADDRESS, SOCKET)
    }

    pub(crate) fn hear(&mut self, datagram: &[u8]) {
        self.datagrams.push_back(datagram.to_vec());
    }

    pub(crate) fn close_if(&mut self, id: ConnectionId) {
        self.closed |= self.id == id;
    }
}

impl Server {
    /// Links the client in this process, which hosts a direct host's party.
    pub(crate) fn connect_in_process(&mut self, now: LocalTime) {
        let id = self.router.connect_local(now);
        self.in_process = Some(InProcess { id, datagrams: VecDeque::new(), closed: false });
    }

    /// Bytes of that client's.
    pub(crate) fn in_process_sent(&mut self, now: LocalTime, bytes: &[u8]) {
        if let Some(client) = &self.in_process {
            let departed = self.router.received(now, client.id, bytes);
            debug_assert!(departed.is_none(), "a direct host has one router");
        }
    }

    /// A datagram of that client's.
    pub(crate) fn in_process_sent_datagram(&mut self, now: LocalTime, datagram: &[u8]) {
        self.datagram(now, ADDRESS, SOCKET, datagram);
    }

    /// Bytes for that client, all at once; empty when there are none.
    pub(crate) fn take_in_process_bytes(&mut self) -> Vec<u8> {
        let Some(client) = &self.in_process else { return Vec::new() };
        let bytes = self.router.outgoing(client.id).to_vec();
        self.router.wrote(client.id, bytes.len());
        bytes
    }

    /// A datagram for that client.
    pub(crate) fn take_in_process_datagram(&mut self) -> Option<Vec<u8>> {
        self.in_process.as_mut()?.datagrams.pop_front()
    }

    /// The router has closed that client's connection.
    pub(crate) fn has_closed_in_process(&self) -> bool {
        self.in_process.as_ref().is_some_and(|client| client.closed)
    }
}
