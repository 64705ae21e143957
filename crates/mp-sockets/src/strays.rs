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
    lost: u64,
}

impl Strays {
    /// Adds one that came from `from` at `to` and belongs to router `shard`; with too many there, it is
    /// lost, and counted.
    pub fn add(&mut self, shard: u32, from: SocketAddr, to: LocalAddress, bytes: &[u8]) {
        let start = self.arena.len();
        if start + bytes.len() > BYTES_MAX {
            self.lost += 1;
            return;
        }
        self.arena.extend_from_slice(bytes);
        self.strays.push(Stray { shard, from, to, bytes: start..self.arena.len() });
    }

    /// Hands all of them out in the order they came: the router's index, from whom, at which address.
    /// Answers how many were lost since the last time.
    #[must_use = "what is lost is to be counted"]
    pub fn drain(&mut self, mut each: impl FnMut(u32, SocketAddr, LocalAddress, &[u8])) -> u64 {
        for Stray { shard, from, to, bytes } in self.strays.drain(..) {
            each(shard, from, to, &self.arena[bytes]);
        }
        self.arena.clear();
        std::mem::take(&mut self.lost)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn those_over_what_may_wait_are_lost_and_counted_once() {
        let (from, to) =
            (SocketAddr::from(([127, 0, 0, 1], 1)), LocalAddress { socket: 0, ip: None });
        let mut strays = Strays::default();
        let datagram = [7; 1_000];
        let fit = BYTES_MAX / datagram.len();
        for _ in 0..fit + 3 {
            strays.add(1, from, to, &datagram);
        }
        let mut handed = 0;
        assert_eq!(strays.drain(|_, _, _, _| handed += 1), 3);
        assert_eq!(handed, fit);
        strays.add(1, from, to, &datagram);
        assert_eq!(strays.drain(|_, _, _, _| handed += 1), 0);
        assert_eq!(handed, fit + 1);
    }
}
