//! What passes through a proxy, counted for the report. Up is from the game, down is to it.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use mp_protocol::Token;

use super::Blocked;
use crate::invariants::BoltWords;

/// What has passed since the start.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// Bytes of TCP and UDP, without the headers below them, that the game sent.
    pub bytes_up: u64,
    /// And that reached it.
    pub bytes_down: u64,
    /// Messages between mods (DATA and STATE) that the game sent.
    pub messages_up: u64,
    /// And that reached it.
    pub messages_down: u64,
    /// CLAIMs among them that the game sent: bolts that it asked its host for.
    pub claims_up: u64,
    /// Datagrams that the link lost, both ways.
    pub lost: u64,
    /// Datagrams that reached the game.
    pub datagrams_down: u64,
    /// Datagrams that were kept from passing ([`Blocked`]), both ways.
    pub datagrams_blocked: u64,
    /// The kinds of message (protocol.md 3) that reached the game.
    pub kinds_down: BTreeSet<u8>,
    /// How often the deliberate fault was done.
    pub faults_done: u64,
    /// The game's session, once the server said it.
    pub session: Option<i32>,
    /// What proves that a datagram is its; shown by nothing.
    pub token: Option<Token>,
    /// The session of its party's host.
    pub host: Option<i32>,
    /// What was said of bolts: by the game, and to it.
    pub words: BoltWords,
    /// And what the server's side of a member's link said of them: a direct host's words to that member.
    pub host_words: BoltWords,
    /// What was no frame, in words: the connection was closed for it.
    pub refused: Vec<String>,
}

/// What the owner wants done to what passes, once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    Block(Blocked),
    Reset,
    Rebind,
}

/// What the thread and the proxy's owner share.
#[derive(Debug, Default)]
pub(super) struct Shared {
    traffic: Mutex<Traffic>,
    orders: Mutex<Vec<Order>>,
    ended: AtomicBool,
}

impl Shared {
    pub(super) fn traffic(&self) -> Traffic {
        self.traffic.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Counts.
    pub(super) fn count(&self, count: impl FnOnce(&mut Traffic)) {
        count(&mut self.traffic.lock().unwrap_or_else(PoisonError::into_inner));
    }

    pub(super) fn order(&self, order: Order) {
        self.orders.lock().unwrap_or_else(PoisonError::into_inner).push(order);
    }

    pub(super) fn take_orders(&self) -> Vec<Order> {
        std::mem::take(&mut self.orders.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub(super) fn end(&self) {
        self.ended.store(true, Ordering::Release);
    }

    pub(super) fn has_ended(&self) -> bool {
        self.ended.load(Ordering::Acquire)
    }
}

/// A length as it is counted.
pub(super) fn bytes(length: usize) -> u64 {
    u64::try_from(length).unwrap_or(u64::MAX)
}
