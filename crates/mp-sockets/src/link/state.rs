//! State that waits to go out, of which only the newest counts.

use std::collections::{BTreeMap, VecDeque};

use crate::command::QUEUED_COST;

/// Who gets it (0: everyone, as on the wire) and which state it is.
pub(super) type StateKey = (i32, u32);

/// States in the order their keys came, each the newest of its key.
#[derive(Debug, Default)]
pub(super) struct StateQueue {
    order: VecDeque<StateKey>,
    newest: BTreeMap<StateKey, Vec<u8>>,
    bytes: usize,
}

impl StateQueue {
    /// Adds a state; one with its key that still waits gives it its place.
    pub(super) fn push(&mut self, key: StateKey, state: Vec<u8>) {
        self.bytes += QUEUED_COST + state.len();
        match self.newest.insert(key, state) {
            Some(older) => self.bytes -= QUEUED_COST + older.len(),
            None => self.order.push_back(key),
        }
    }

    /// The state that waits longest.
    pub(super) fn first(&self) -> Option<(StateKey, &[u8])> {
        let key = self.order.front()?;
        self.newest.get(key).map(|state| (*key, state.as_slice()))
    }

    pub(super) fn pop(&mut self) -> Option<(StateKey, Vec<u8>)> {
        let key = self.order.pop_front()?;
        let state = self.newest.remove(&key)?;
        self.bytes -= QUEUED_COST + state.len();
        Some((key, state))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// What waits costs so many bytes.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }
}
