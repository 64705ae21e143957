//! What the others' words bring about in this game, so often at most: whoever says another thing every
//! tick costs no more than this, and what counts in the end is what was said last.

use mp_netcode::{LocalTime, TokenBucket};

/// So often a second, and twice that at once: more than a party that plays ever brings about.
const PER_SECOND: u32 = 4;

/// One kind of such things. What may not be now is to be tried again.
#[derive(Clone, Debug)]
pub(crate) struct Changes(TokenBucket);

impl Default for Changes {
    fn default() -> Self {
        Self(TokenBucket::new(LocalTime::ZERO, PER_SECOND))
    }
}

impl Changes {
    /// Whether one may be now; if so, this was it.
    pub(crate) fn may(&mut self, now: LocalTime) -> bool {
        self.0.take(now, 1)
    }
}
