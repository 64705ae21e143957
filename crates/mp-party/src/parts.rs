//! Who put how much of what waits in a host's queue, so that one member that fills it does not use up the
//! room of the others. What is written is taken off every part alike, which is near enough: parts decide
//! who is served, never what is held in all.

use alloc::vec::Vec;

use crate::connection::ConnectionId;

/// The parts of one queue, in bytes.
#[derive(Debug, Default)]
pub(crate) struct Parts(Vec<(ConnectionId, usize)>);

impl Parts {
    /// That connection put so many bytes in.
    pub(crate) fn add(&mut self, from: ConnectionId, bytes: usize) {
        match self.0.iter_mut().find(|(id, _)| *id == from) {
            Some((_, part)) => *part += bytes,
            None => self.0.push((from, bytes)),
        }
    }

    /// How much of what waits is that connection's, about.
    pub(crate) fn of(&self, from: ConnectionId) -> usize {
        self.0.iter().find(|(id, _)| *id == from).map_or(0, |(_, part)| *part)
    }

    /// Of `queued` bytes that waited, `count` were written.
    pub(crate) fn wrote(&mut self, count: usize, queued: usize) {
        if count >= queued {
            self.0.clear();
            return;
        }
        self.0.retain_mut(|(_, part)| {
            // Rounded up, so that no part stays for ever.
            *part -= part.saturating_mul(count).div_ceil(queued);
            *part > 0
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Limits;
    use crate::connection::{Connection, Connections};
    use alloc::boxed::Box;
    use mp_netcode::LocalTime;

    fn two() -> [ConnectionId; 2] {
        let mut connections = Connections::default();
        [(); 2].map(|()| {
            let limits = Limits::default();
            connections.insert(Box::new(Connection::new(LocalTime::ZERO, None, false, &limits)))
        })
    }

    #[test]
    fn what_is_written_is_taken_off_every_part_alike() {
        let ([one, other], mut parts) = (two(), Parts::default());
        parts.add(one, 600);
        parts.add(other, 200);
        parts.add(one, 200);
        // A fifth of 1,000 is the router's own.
        parts.wrote(500, 1_000);
        assert_eq!([parts.of(one), parts.of(other)], [400, 100]);
        parts.wrote(500, 500);
        assert_eq!([parts.of(one), parts.of(other)], [0, 0]);
    }

    #[test]
    fn no_part_is_left_of_one_whose_last_byte_is_written() {
        let ([one, other], mut parts) = (two(), Parts::default());
        parts.add(one, 1);
        parts.add(other, 999);
        parts.wrote(1, 1_000);
        assert_eq!((parts.of(one), parts.of(other), parts.0.len()), (0, 998, 1));
    }
}
