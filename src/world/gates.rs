//! Whom each of the host's mobys sees as the hero: the player nearest it, for whom that player's figure
//! stands in (B6.5). Worked out once a tick, so that the game's question costs a look-up.

use super::around::Other;
use super::snapshots::distance_squared;
use crate::game::{Kinds, Moby, MobyHandle};
use crate::hooks::Gate;

/// What each game runs for its own player, and what does not look at the hero.
const OWN_HERO: Kinds =
    Kinds(Kinds::PICKUP.0 | Kinds::SERVICE.0 | Kinds::STATIC.0 | Kinds::EFFECT.0 | Kinds::CRATE.0);

/// The answers for this tick, by handle. See the module.
#[derive(Debug, Default)]
pub(super) struct Gates(Vec<(MobyHandle, Gate)>);

impl Gates {
    /// Nobody stands in for anyone.
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// The moby sees that figure as the hero.
    pub(super) fn stand_in(&mut self, moby: MobyHandle, other: &Other) {
        self.0.push((moby, Gate::StandIn(other.figure)));
    }

    /// All are in.
    pub(super) fn settle(&mut self) {
        self.0.sort_unstable_by_key(|&(moby, _)| moby);
    }

    /// What is answered for a moby.
    pub(super) fn of(&self, moby: MobyHandle) -> Gate {
        let at = self.0.binary_search_by_key(&moby, |&(moby, _)| moby);
        at.map_or(Gate::Run, |at| self.0[at].1)
    }
}

/// Who of the others a moby sees as the hero: the nearest to it, if none is nearer than the hero himself.
pub(super) fn nearest<'a>(
    moby: &Moby,
    hero: Option<[f32; 3]>,
    others: &'a [Other],
) -> Option<&'a Other> {
    if moby.kinds.any(OWN_HERO) {
        return None;
    }
    let from = |at| distance_squared(moby.pose.position, at);
    let nearest = others.iter().min_by(|a, b| from(a.at).total_cmp(&from(b.at)))?;
    hero.is_none_or(|hero| from(nearest.at) < from(hero)).then_some(nearest)
}
