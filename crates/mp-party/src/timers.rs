//! When each connection next wants looking at. A connection's time-outs move later with every frame, so
//! its entry stays where it is and is put off when it comes up: no work and no memory a frame. It must
//! never decide that a time-out has passed; the connection's own deadline does.

use alloc::collections::BinaryHeap;
use core::cmp::Reverse;

use mp_netcode::LocalTime;

use crate::connection::ConnectionId;

#[derive(Debug, Default)]
pub(crate) struct Timers(BinaryHeap<Reverse<(LocalTime, ConnectionId)>>);

impl Timers {
    pub(crate) fn set(&mut self, at: LocalTime, id: ConnectionId) {
        self.0.push(Reverse((at, id)));
    }

    /// The earliest entry; it may be of a connection that is gone or has put it off.
    pub(crate) fn next(&self) -> Option<LocalTime> {
        self.0.peek().map(|Reverse((at, _))| *at)
    }

    /// Takes the earliest entry that is due.
    pub(crate) fn pop_due(&mut self, now: LocalTime) -> Option<(LocalTime, ConnectionId)> {
        if self.next()? > now {
            return None;
        }
        self.0.pop().map(|Reverse(entry)| entry)
    }
}
