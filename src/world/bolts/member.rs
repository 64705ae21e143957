//! A member's side of the bolts (B6.7): what its hero collects is asked for, and what the host grants is
//! added to its own.
//!
//! A collected bolt is gone from this game at once and its count comes with the host's word. [`MemberBolts`]
//! says what to claim, what to add, and whether a bolt that the host still lists is to be shown again.
//! It must never add what the host did not grant.

use std::collections::VecDeque;
use std::time::Duration;

use mp_netcode::{LocalTime, TokenBucket};
use mp_protocol::game::MobyId;

/// For how long a collected bolt is not made again though the host lists it (B6.7).
const NOT_REMADE_FOR: Duration = Duration::from_secs(2);

/// CLAIM a second that are sent: what the host takes (B3.4) less a quarter, so that none is dropped
/// where the network bunches them.
const CLAIMS_PER_SECOND: u32 = 45;

/// The bolts of a member in the host's level. See the module.
#[derive(Debug)]
pub(in crate::world) struct MemberBolts {
    /// What was collected here and when. The host's word on its end takes it out.
    collected: Vec<(MobyId, LocalTime)>,
    /// What is still to be claimed, the first first.
    claims: VecDeque<MobyId>,
    pace: TokenBucket,
    /// Granted and not added yet.
    granted: u32,
}

impl MemberBolts {
    /// Nothing collected yet.
    pub(in crate::world) fn new() -> Self {
        Self {
            collected: Vec::new(),
            claims: VecDeque::new(),
            pace: TokenBucket::new(LocalTime::ZERO, CLAIMS_PER_SECOND),
            granted: 0,
        }
    }

    /// The hero collected that bolt: it is asked for, and the game adds nothing.
    pub(in crate::world) fn collected(&mut self, id: MobyId, now: LocalTime) {
        match self.place(id) {
            // Shown again and collected again, or two copies of it: it is one bolt.
            Some(place) => self.collected[place].1 = now,
            None => self.collected.push((id, now)),
        }
        if !self.claims.contains(&id) {
            self.claims.push_back(id);
        }
    }

    /// The next bolt to claim, as fast as the host takes them.
    pub(in crate::world) fn poll_claim(&mut self, now: LocalTime) -> Option<MobyId> {
        if self.claims.is_empty() || !self.pace.take(now, 1) {
            return None;
        }
        self.claims.pop_front()
    }

    /// Whether a bolt that the host lists and this game has not may be made: not while the claim of one
    /// collected here is on its way.
    pub(in crate::world) fn may_remake(&mut self, id: MobyId, now: LocalTime) -> bool {
        let Some(place) = self.place(id) else { return true };
        let may =
            now.since(self.collected[place].1) >= NOT_REMADE_FOR && !self.claims.contains(&id);
        if may {
            self.collected.swap_remove(place);
        }
        may
    }

    /// The host says that a bolt is gone.
    pub(in crate::world) fn gone(&mut self, id: MobyId) {
        if let Some(place) = self.place(id) {
            self.collected.swap_remove(place);
        }
        self.claims.retain(|&claim| claim != id);
    }

    /// The host says that so many bolts are this player's.
    pub(in crate::world) fn granted(&mut self, count: u32) {
        self.granted = self.granted.saturating_add(count);
    }

    /// How many to add to the hero's own now; ask only while there is a level, outside of which the game
    /// adds nothing.
    pub(in crate::world) fn poll_grant(&mut self) -> Option<u32> {
        let granted = std::mem::take(&mut self.granted);
        (granted > 0).then_some(granted)
    }

    /// The level is left: its bolts stay behind, what was granted does not.
    pub(in crate::world) fn clear(&mut self) {
        self.collected.clear();
        self.claims.clear();
    }

    fn place(&self, id: MobyId) -> Option<usize> {
        self.collected.iter().position(|&(other, _)| other == id)
    }
}
