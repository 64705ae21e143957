//! Who stands in for the hero in the updates of the host's mobys: the player nearest each (B6.5).

use mp_protocol::SessionId;

use super::around::Other;
use crate::game::{Figure, Moby, MobyHandle};

/// Whom each moby of the host's level sees as the hero, where it is not the host. See the module.
#[derive(Debug, Default)]
pub(super) struct StandIns {
    /// By moby.
    nearest: Vec<(MobyHandle, SessionId, Figure)>,
}

impl StandIns {
    /// Looks who is nearest to each.
    pub(super) fn look(&mut self, mobys: &[Moby], hero: [f32; 3], others: &[Other]) {
        self.nearest.clear();
        for moby in mobys {
            let at = moby.pose.position;
            let mut near = distance_squared(at, hero);
            let mut nearest = None;
            for other in others {
                let distance = distance_squared(at, other.at);
                if distance < near {
                    (near, nearest) = (distance, Some((moby.handle, other.id, other.figure)));
                }
            }
            self.nearest.extend(nearest);
        }
        self.nearest.sort_unstable_by_key(|&(moby, ..)| moby);
    }

    /// Who stands in for the hero in that moby's update; `None`: the host's hero is the nearest.
    pub(super) fn of(&self, moby: MobyHandle) -> Option<(SessionId, Figure)> {
        let place = self.nearest.binary_search_by_key(&moby, |&(other, ..)| other).ok()?;
        let (_, player, figure) = self.nearest[place];
        Some((player, figure))
    }

    /// Nobody does.
    pub(super) fn clear(&mut self) {
        self.nearest.clear();
    }
}

fn distance_squared(a: [f32; 3], b: [f32; 3]) -> f32 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum()
}
