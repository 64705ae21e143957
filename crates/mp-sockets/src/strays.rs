//! Datagrams that came to the socket of one router and belong to another's, on their way there. What
//! they wait in is handed over whole and given back empty, so that none costs an allocation.

use std::net::SocketAddr;
use std::ops::Range;

use mp_party::LocalAddress;

/// Bytes that may wait to be handed over; more are lost, as datagrams are.
const BYTES_MAX: usize = 1 << 20;

/// One of them.
#[derive(Debug)]
struct Stray {
    shard: u32,
    from: SocketAddr,
    to: LocalAddress,
    bytes: Range<usize>,
}

/// Datagrams for other routers.
#[derive(Debug, Default)]
pub struct Strays {
    arena: Vec<u8>,
    strays: Vec<Stray>,
}

impl Strays {
    /// Adds one that came from `from` at `to` and belongs to router `shard`. False: it is lost.
    pub fn add(&mut self, shard: u32, from: SocketAddr, to: LocalAddress, bytes: &[u8]) -> bool {
        let start = self.arena.len();
        if start + bytes.len() > BYTES_MAX {
            return false;
        }
        self.arena.extend_from_slice(bytes);
        self.strays.push(Stray { shard, from, to, bytes: start..self.arena.len() });
        true
    }

    /// Hands all of them out in the order they came: the router's index, from whom, at which address.
    pub fn drain(&mut self, mut each: impl FnMut(u32, SocketAddr, LocalAddress, &[u8])) {
        for Stray { shard, from, to, bytes } in self.strays.drain(..) {
            each(shard, from, to, &self.arena[bytes]);
        }
        self.arena.clear();
    }

    /// Whether there are any.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.strays.is_empty()
    }
}
