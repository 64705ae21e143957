//! Which of this game's mobys is which of the party's: handles, the keys of placed ones, and the net ids
//! of those that the host's game made. A handle is good for one moby's life; an id names it in every game.

use std::collections::BTreeMap;

use mp_protocol::game::MobyId;

use crate::game::{Kinds, MobyHandle};

/// Whether the host's game runs such a moby and a member's only shows it (B6.1).
pub(super) const fn is_hosts(kinds: Kinds) -> bool {
    const EACH_GAMES: Kinds = Kinds(
        Kinds::CRATE.0
            | Kinds::STATIC.0
            | Kinds::BOLT.0
            | Kinds::PICKUP.0
            | Kinds::SERVICE.0
            | Kinds::EFFECT.0,
    );
    kinds.any(Kinds::UPDATES) && !kinds.any(EACH_GAMES)
}

/// Whether what becomes of such a moby in one game becomes of it in all.
pub(super) const fn is_shared(kinds: Kinds) -> bool {
    is_hosts(kinds) || kinds.any(Kinds(Kinds::CRATE.0 | Kinds::BOLT.0 | Kinds::PICKUP.0))
}

/// What is known of a moby.
#[derive(Clone, Copy, Debug)]
struct Known {
    id: MobyId,
    kinds: Kinds,
}

/// The mobys of this game's level that the party has a name for. See the module.
#[derive(Debug, Default)]
pub(super) struct Registry {
    handles: BTreeMap<MobyHandle, Known>,
    ids: BTreeMap<MobyId, MobyHandle>,
}

impl Registry {
    /// A moby is that one of the party's.
    pub(super) fn insert(&mut self, moby: MobyHandle, id: MobyId, kinds: Kinds) {
        // Either may have been another's, whose end was not told: its level was loaded anew.
        if let Some(before) = self.handles.insert(moby, Known { id, kinds })
            && before.id != id
        {
            self.ids.remove(&before.id);
        }
        if let Some(before) = self.ids.insert(id, moby)
            && before != moby
        {
            self.handles.remove(&before);
        }
    }

    /// A moby is gone. Returns what it was.
    pub(super) fn remove(&mut self, moby: MobyHandle) -> Option<(MobyId, Kinds)> {
        let Known { id, kinds } = self.handles.remove(&moby)?;
        if self.ids.get(&id) == Some(&moby) {
            self.ids.remove(&id);
        }
        Some((id, kinds))
    }

    /// What the party calls a moby.
    pub(super) fn id(&self, moby: MobyHandle) -> Option<MobyId> {
        self.handles.get(&moby).map(|known| known.id)
    }

    /// The moby that the party calls so.
    pub(super) fn handle(&self, id: MobyId) -> Option<MobyHandle> {
        self.ids.get(&id).copied()
    }

    /// What kind of moby one is; nothing, if it is not known.
    pub(super) fn kinds(&self, moby: MobyHandle) -> Kinds {
        self.handles.get(&moby).map_or(Kinds::default(), |known| known.kinds)
    }

    /// The level is left.
    pub(super) fn clear(&mut self) {
        self.handles.clear();
        self.ids.clear();
    }
}
