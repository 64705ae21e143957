//! What the router counts, for a driver's metrics. Nothing in the router may depend on a count.

use core::ops::AddAssign;

use crate::rates::Strike;

/// Why something was dropped without an answer and without a strike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DropReason {
    /// A datagram that is short, of an unknown kind, or out of range.
    #[error("malformed datagram")]
    MalformedDatagram,
    /// A datagram over 1,200 bytes.
    #[error("datagram too large")]
    OversizeDatagram,
    /// A datagram of a session that does not exist.
    #[error("datagram of an unknown session")]
    UnknownSession,
    /// A datagram with another token than its session's.
    #[error("datagram with a wrong token")]
    WrongToken,
    /// STATE from one in no party.
    #[error("STATE outside a party")]
    StateWithoutParty,
    /// A host's DATA or STATE to one who is not a member, or to itself.
    #[error("no such target")]
    NoSuchTarget,
    /// A datagram that found too many waiting for the driver.
    #[error("datagrams not fetched")]
    ArenaFull,
}

impl DropReason {
    /// Every reason, in the order of their numbers as `usize`.
    pub const ALL: [Self; 7] = [
        Self::MalformedDatagram,
        Self::OversizeDatagram,
        Self::UnknownSession,
        Self::WrongToken,
        Self::StateWithoutParty,
        Self::NoSuchTarget,
        Self::ArenaFull,
    ];
}

/// Totals since the router began.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Connections handed in, refused ones included.
    pub connections: u64,
    /// Connections over: closed by either side.
    pub connections_ended: u64,
    /// Connections that got ERROR 5.
    pub refused: u64,
    /// Sessions begun.
    pub sessions: u64,
    /// Parties begun.
    pub parties: u64,
    /// Parties over.
    pub parties_ended: u64,
    /// Bytes received by TCP.
    pub bytes_in: u64,
    /// Bytes queued for TCP.
    pub bytes_out: u64,
    /// Well-formed frames received.
    pub frames_in: u64,
    /// Frames queued.
    pub frames_out: u64,
    /// Datagrams received.
    pub datagrams_in: u64,
    /// Datagrams sent.
    pub datagrams_out: u64,
    /// Bytes received by UDP.
    pub datagram_bytes_in: u64,
    /// Bytes sent by UDP.
    pub datagram_bytes_out: u64,
    drops: [u64; DropReason::ALL.len()],
    strikes: [u64; Strike::ALL.len()],
}

impl Counters {
    /// How much was dropped for this reason.
    #[must_use]
    pub const fn drops(&self, reason: DropReason) -> u64 {
        self.drops[reason as usize]
    }

    /// How many strikes there were at this limit; each was a frame or datagram dropped.
    #[must_use]
    pub const fn strikes(&self, limit: Strike) -> u64 {
        self.strikes[limit as usize]
    }

    pub(crate) const fn count_drop(&mut self, reason: DropReason) {
        self.drops[reason as usize] += 1;
    }

    pub(crate) const fn count_strike(&mut self, limit: Strike) {
        self.strikes[limit as usize] += 1;
    }

    /// Adds a buffer's length to a total.
    pub(crate) fn add(total: &mut u64, bytes: usize) {
        *total += u64::try_from(bytes).expect("a length fits 64 bits");
    }
}

impl AddAssign<&Self> for Counters {
    /// Adds another router's totals.
    fn add_assign(&mut self, other: &Self) {
        let Self {
            connections,
            connections_ended,
            refused,
            sessions,
            parties,
            parties_ended,
            bytes_in,
            bytes_out,
            frames_in,
            frames_out,
            datagrams_in,
            datagrams_out,
            datagram_bytes_in,
            datagram_bytes_out,
            drops,
            strikes,
        } = self;
        *connections += other.connections;
        *connections_ended += other.connections_ended;
        *refused += other.refused;
        *sessions += other.sessions;
        *parties += other.parties;
        *parties_ended += other.parties_ended;
        *bytes_in += other.bytes_in;
        *bytes_out += other.bytes_out;
        *frames_in += other.frames_in;
        *frames_out += other.frames_out;
        *datagrams_in += other.datagrams_in;
        *datagrams_out += other.datagrams_out;
        *datagram_bytes_in += other.datagram_bytes_in;
        *datagram_bytes_out += other.datagram_bytes_out;
        let arrays = drops.iter_mut().chain(strikes);
        for (count, more) in arrays.zip(other.drops.iter().chain(&other.strikes)) {
            *count += more;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reason_is_in_its_place() {
        for (place, reason) in DropReason::ALL.into_iter().enumerate() {
            assert_eq!(reason as usize, place);
        }
        for (place, limit) in Strike::ALL.into_iter().enumerate() {
            assert_eq!(limit as usize, place);
        }
    }
}
