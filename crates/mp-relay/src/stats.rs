//! What a relay counts.

use mp_party::Counters;

use crate::closes::Closes;
use crate::histogram::Histogram;

/// What one thread counted, and what it holds now.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ShardStats {
    /// The router's own counts.
    pub counters: Counters,
    /// Open connections, those being closed among them.
    pub connections: u64,
    /// Bytes in their outgoing queues.
    pub queued_bytes: u64,
    /// Bytes in the longest of them.
    pub longest_queue_bytes: u64,
    /// Connections that are over, by why.
    pub closes: Closes,
    /// Connections that came from another thread's router.
    pub arrivals: u64,
    /// Datagrams that came to another thread's socket.
    pub strays: u64,
    /// Datagrams that were lost on their way to another thread.
    pub strays_lost: u64,
    /// Times the thread woke up.
    pub wakes: u64,
    /// From the wake-up that read a frame or datagram to when it was handed to the system.
    pub latency: Histogram,
}

impl ShardStats {
    fn add(&mut self, other: &Self) {
        self.counters += &other.counters;
        self.connections += other.connections;
        self.queued_bytes += other.queued_bytes;
        self.longest_queue_bytes = self.longest_queue_bytes.max(other.longest_queue_bytes);
        self.closes.add(&other.closes);
        self.arrivals += other.arrivals;
        self.strays += other.strays;
        self.strays_lost += other.strays_lost;
        self.wakes += other.wakes;
        self.latency.add(&other.latency);
    }
}

/// What a relay counted, and what it holds now.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// By thread.
    pub shards: Vec<ShardStats>,
    /// Parties there are.
    pub parties: u64,
    /// Log lines that were left out because too many came.
    pub log_lines_lost: u64,
    /// It takes no new parties, for it is about to stop.
    pub draining: bool,
}

impl Stats {
    /// All threads together.
    #[must_use]
    pub fn total(&self) -> ShardStats {
        let mut total = ShardStats::default();
        for shard in &self.shards {
            total.add(shard);
        }
        total
    }
}
