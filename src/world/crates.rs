//! Crates and placed pickups, which run in every game (B6.6, B6.8): what is broken or taken in one is
//! broken or taken in all, and what comes out of them is made where it belongs.
//!
//! Of a crate that a member broke the host's copy breaks the game's own way, drops and all; one that will not
//! break within 3 s is deleted without a drop, so that no crate stands in one game only.

use std::time::Duration;

use mp_netcode::LocalTime;
use mp_protocol::SessionId;
use mp_protocol::game::{Broke, Kind, MobyId, MobyKey};

use super::around::Around;
use super::refused::Refused;
use crate::game::{Game, Kill, Kinds, MobyHandle};

/// How long the host's copy is tried to be broken (B6.7).
const BREAKS_WITHIN: Duration = Duration::from_secs(3);

/// A crate or a pickup that is gone in a member's game and there in the host's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ToBreak {
    /// Which.
    pub(super) key: MobyKey,
    /// Who broke or took it.
    pub(super) by: SessionId,
    since: LocalTime,
}

impl ToBreak {
    /// Whether it was tried for long enough.
    pub(super) fn is_over(&self, now: LocalTime) -> bool {
        now.since(self.since) >= BREAKS_WITHIN
    }
}

/// What is still to break or to be taken in the host's game. See the module.
#[derive(Debug, Default)]
pub(super) struct CratesToBreak(Vec<ToBreak>);

impl CratesToBreak {
    /// A member broke or took that one. Who said so first did it.
    pub(super) fn broke(&mut self, key: MobyKey, by: SessionId, now: LocalTime) {
        if self.0.iter().all(|to_break| to_break.key != key) {
            self.0.push(ToBreak { key, by, since: now });
        }
    }

    /// The level is left.
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// A member broke a crate or took a pickup.
    ///
    /// # Errors
    /// Why nothing of it happens in the host's game.
    pub(super) fn broke_came(
        &mut self,
        broke: &Broke,
        from: SessionId,
        around: &Around,
    ) -> Result<(), Refused> {
        let id = MobyId::Key(broke.key);
        let moby = around.registry.handle(id).ok_or(Refused::NoMoby(Kind::Broke))?;
        if !around.registry.kinds(moby).any(Kinds::CRATE | Kinds::PICKUP) {
            return Err(Refused::WrongMoby(Kind::Broke));
        }
        self.broke(broke.key, from, around.now);
        Ok(())
    }

    /// A tick of the host, in a level: its copies break, or are taken.
    pub(super) fn host_tick(&mut self, around: &Around) {
        self.0.retain(|to_break| {
            let Some(moby) = around.registry.handle(MobyId::Key(to_break.key)) else {
                return false;
            };
            let is_crate = around.registry.kinds(moby).any(Kinds::CRATE);
            if is_crate && around.game.moby_break(moby, around.moby_of(to_break.by)) {
                return false;
            }
            let over = !is_crate || to_break.is_over(around.now);
            if over {
                around.game.moby_kill(moby, Kill::Quiet);
            }
            !over
        });
    }
}

/// A crate broke or a pickup was taken in a member's game: the host is told of a placed one. The end of
/// any other is this game's own.
pub(super) fn member_broke(moby: MobyHandle, around: &mut Around) {
    if let Some(MobyId::Key(key)) = around.registry.id(moby) {
        around.session.send_message(None, &Broke { level: around.level, key }.into());
    }
}

/// The host says that a moby of a member's game is gone: it goes as it would have gone by itself. A crate
/// breaks, so that what it gives but bolts is made here too.
pub(super) fn goes(moby: MobyHandle, kinds: Kinds, game: &dyn Game) {
    if kinds.any(Kinds::CRATE) && game.moby_break(moby, None) {
        return;
    }
    let quiet = kinds.any(Kinds::BOLT | Kinds::PICKUP | Kinds::SERVICE);
    game.moby_kill(moby, if quiet { Kill::Quiet } else { Kill::Death });
}

/// What is never made in a member's game by the game itself: bolts and creatures are the host's.
pub(super) const HOSTS_ALONE: Kinds = Kinds(Kinds::BOLT.0 | Kinds::ENEMY.0 | Kinds::CREATURE.0);

/// What is never made while the host is not in the level: what comes out of something shared.
pub(super) const SHARED_DROPS: Kinds = Kinds(HOSTS_ALONE.0 | Kinds::PICKUP.0);

/// Whether a member's game makes a moby: what comes out of its own crates but bolts, and not what an
/// enemy drops, which the host's does.
pub(super) fn member_may_make(kinds: Kinds, maker: Option<MobyHandle>, around: &Around) -> bool {
    let dropped = kinds.any(Kinds::PICKUP)
        && maker.is_some_and(|maker| !around.registry.kinds(maker).any(Kinds::CRATE));
    !kinds.any(HOSTS_ALONE) && !dropped
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(number: u16) -> MobyKey {
        MobyKey::new(number).expect("a key")
    }

    fn at(ms: u64) -> LocalTime {
        LocalTime::from_micros(ms * 1_000)
    }

    /// B6.7: tried for 3 s, and by whoever said so first.
    #[test]
    fn a_crate_is_tried_for_3_seconds() {
        let mut crates = CratesToBreak::default();
        crates.broke(key(5), SessionId(2), at(0));
        crates.broke(key(5), SessionId(3), at(2_000));
        let [to_break] = crates.0[..] else { panic!("more than one: {crates:?}") };
        assert_eq!(to_break.by, SessionId(2));
        assert!(!to_break.is_over(at(2_999)));
        assert!(to_break.is_over(at(3_000)));
    }
}
