//! What an operator may decide about a relay.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::thread::available_parallelism;
use std::time::Duration;

use mp_party::{Limits, Shard};
use mp_protocol::limits::PORT;

/// Connections a relay holds in all, unless told otherwise: what 20,000 descriptors serve with room for
/// those that are closing.
const CONNECTIONS: usize = 16_384;

/// Bytes that wait for all players together, unless told otherwise: far more than those of 16,384 who read,
/// and well under the memory that a small machine has.
const ALL_QUEUES_BYTES: usize = 256 << 20;

/// What an operator may decide about a relay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Where it listens, on TCP and UDP; `[::]` takes IPv4 too, port 0 any that is free for all of them.
    pub listen: SocketAddr,
    /// Where its metrics are told, if they are.
    pub metrics: Option<SocketAddr>,
    /// Threads that serve players, 1 to 64; none is one a core.
    pub threads: Option<u32>,
    /// How long parties may end by themselves when the relay is told to stop.
    pub drain: Duration,
    /// Every limit of protocol.md 1.
    pub limits: Limits,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            listen: SocketAddr::new(IpAddr::V6(Ipv6Addr::UNSPECIFIED), PORT),
            metrics: None,
            threads: None,
            drain: Duration::ZERO,
            limits: default_limits(),
        }
    }
}

impl Settings {
    /// How many threads serve players. Where the system does not share a port between sockets, one.
    pub(crate) fn shards(&self) -> u32 {
        if !cfg!(any(target_os = "linux", target_os = "android")) {
            return 1;
        }
        let cores = || available_parallelism().map_or(1, |cores| cores.get());
        let wanted = self.threads.map_or_else(cores, |threads| threads as usize);
        let most = Shard::COUNT_MAX as usize;
        u32::try_from(wanted.clamp(1, most)).unwrap_or(1)
    }
}

pub(crate) fn default_limits() -> Limits {
    Limits { connections: CONNECTIONS, all_queues_bytes: ALL_QUEUES_BYTES, ..Limits::default() }
}
