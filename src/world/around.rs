//! What the parts of the shared world reach for: the game, the party, who is where. A view for the length
//! of one call; nothing is kept here.

use mp_netcode::LocalTime;
use mp_protocol::SessionId;
use mp_protocol::game::Level;

use super::Parts;
use super::registry::Registry;
use crate::game::{Figure, Game, MobyHandle};
use crate::session::Session;

/// Another player whose figure is in this game's level.
#[derive(Clone, Copy, Debug)]
pub(super) struct Other {
    /// Who.
    pub(super) id: SessionId,
    /// What stands for it here.
    pub(super) figure: Figure,
    /// The moby that its figure is.
    pub(super) moby: MobyHandle,
    /// Where it stands.
    pub(super) at: [f32; 3],
}

/// See the module.
pub(super) struct Around<'a> {
    pub(super) session: &'a mut Session,
    pub(super) game: &'a dyn Game,
    pub(super) registry: &'a Registry,
    pub(super) others: &'a [Other],
    /// This player.
    pub(super) me: SessionId,
    /// The level that the party shares.
    pub(super) level: Level,
    pub(super) now: LocalTime,
    /// Whether the host's world may hurt this player's hero (B5.8).
    pub(super) can_be_hurt: bool,
}

/// Where this player is, with whom.
#[derive(Debug)]
pub(super) struct Place {
    pub(super) registry: Registry,
    pub(super) others: Vec<Other>,
    pub(super) me: SessionId,
    pub(super) level: Level,
}

impl Place {
    /// What there is around it now.
    pub(super) fn around<'a>(&'a self, parts: &'a mut Parts) -> Around<'a> {
        Around {
            session: parts.session,
            game: parts.game,
            registry: &self.registry,
            others: &self.others,
            me: self.me,
            level: self.level,
            now: parts.now,
            can_be_hurt: parts.coop.can_be_hurt(),
        }
    }
}

impl Around<'_> {
    /// Whose figure a moby is.
    pub(super) fn player_of(&self, moby: MobyHandle) -> Option<SessionId> {
        self.others.iter().find(|other| other.moby == moby).map(|other| other.id)
    }

    /// The moby that stands for a player.
    pub(super) fn moby_of(&self, player: SessionId) -> Option<MobyHandle> {
        self.others.iter().find(|other| other.id == player).map(|other| other.moby)
    }
}
