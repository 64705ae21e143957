//! Which of this game's mobys is which of the party's: handles, the keys of placed ones, and the net ids
//! of those that the host's game made. A handle is good for one moby's life; an id names it in every game.

use std::collections::BTreeMap;

use mp_protocol::game::{MobyId, NetId};

use crate::game::{Kinds, Moby, MobyHandle};

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
    /// By key, of the placed ones: every tick goes through them all.
    placed: Vec<Option<Here>>,
    made: BTreeMap<NetId, Here>,
    changes: u64,
}

/// Which of this game's mobys one is, and what kind of moby.
type Here = (MobyHandle, Kinds);

impl Registry {
    /// A moby is that one of the party's.
    pub(super) fn insert(&mut self, moby: MobyHandle, id: MobyId, kinds: Kinds) {
        if self.here(id) == Some((moby, kinds)) {
            return;
        }
        self.changes += 1;
        // Either may have been another's, whose end was not told: its level was loaded anew.
        if let Some(before) = self.handles.insert(moby, Known { id, kinds })
            && before.id != id
        {
            self.set(before.id, None);
        }
        if let Some((before, _)) = self.set(id, Some((moby, kinds)))
            && before != moby
        {
            self.handles.remove(&before);
        }
    }

    /// A moby is gone. Returns what it was.
    pub(super) fn remove(&mut self, moby: MobyHandle) -> Option<(MobyId, Kinds)> {
        let Known { id, kinds } = self.handles.remove(&moby)?;
        self.changes += 1;
        self.set(id, None);
        Some((id, kinds))
    }

    /// How often what is known changed: as long as this is the same, so is everything.
    pub(super) fn changes(&self) -> u64 {
        self.changes
    }

    fn here(&self, id: MobyId) -> Option<Here> {
        match id {
            MobyId::Key(key) => self.placed.get(usize::from(key.get())).copied().flatten(),
            MobyId::Net(net) => self.made.get(&net).copied(),
            MobyId::None => None,
        }
    }

    /// Answers what it was before.
    fn set(&mut self, id: MobyId, here: Option<Here>) -> Option<Here> {
        match (id, here) {
            (MobyId::Key(key), here) => {
                let at = usize::from(key.get());
                if at >= self.placed.len() {
                    self.placed.resize(at + 1, None);
                }
                std::mem::replace(&mut self.placed[at], here)
            }
            (MobyId::Net(net), Some(here)) => self.made.insert(net, here),
            (MobyId::Net(net), None) => self.made.remove(&net),
            (MobyId::None, _) => None,
        }
    }

    /// What the party calls a moby of the level's list, as the last look at it found.
    pub(super) fn of(&self, moby: &Moby) -> Option<MobyId> {
        moby.key.map(MobyId::Key).or_else(|| self.id(moby.handle))
    }

    /// What the party calls a moby.
    pub(super) fn id(&self, moby: MobyHandle) -> Option<MobyId> {
        self.handles.get(&moby).map(|known| known.id)
    }

    /// The moby that the party calls so.
    pub(super) fn handle(&self, id: MobyId) -> Option<MobyHandle> {
        self.here(id).map(|(moby, _)| moby)
    }

    /// What kind of moby one is; nothing, if it is not known.
    pub(super) fn kinds(&self, moby: MobyHandle) -> Kinds {
        self.handles.get(&moby).map_or(Kinds::default(), |known| known.kinds)
    }

    /// The level is left.
    pub(super) fn clear(&mut self) {
        self.handles.clear();
        self.placed.clear();
        self.made.clear();
        self.changes += 1;
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;

    use mp_protocol::game::MobyKey;

    use super::*;

    fn moby(number: u32) -> MobyHandle {
        MobyHandle(NonZeroU32::new(number).expect("a handle"))
    }

    fn key(record: u16) -> MobyId {
        MobyId::Key(MobyKey::new(record).expect("a key"))
    }

    fn net(number: u16) -> MobyId {
        MobyId::Net(NetId::new(number).expect("a net id"))
    }

    #[test]
    fn what_is_inserted_as_it_is_known_changes_nothing() {
        let mut registry = Registry::default();
        registry.insert(moby(1), key(3), Kinds::ENEMY);
        registry.insert(moby(2), net(3), Kinds::BOLT);
        let before = registry.changes();
        registry.insert(moby(1), key(3), Kinds::ENEMY);
        registry.insert(moby(2), net(3), Kinds::BOLT);
        assert_eq!(registry.changes(), before);
        registry.insert(moby(2), net(3), Kinds::PICKUP);
        assert_ne!(registry.changes(), before);
        assert_eq!(registry.kinds(moby(2)), Kinds::PICKUP);
    }

    #[test]
    fn a_handle_and_an_id_are_of_one_moby_at_a_time() {
        for (first, second) in [(key(3), key(4)), (net(3), net(4)), (key(3), net(3))] {
            let mut registry = Registry::default();
            registry.insert(moby(1), first, Kinds::ENEMY);
            // The handle is another's now.
            registry.insert(moby(1), second, Kinds::ENEMY);
            assert_eq!((registry.handle(first), registry.handle(second)), (None, Some(moby(1))));
            // The id is another's now.
            registry.insert(moby(2), second, Kinds::ENEMY);
            assert_eq!((registry.id(moby(1)), registry.id(moby(2))), (None, Some(second)));
            assert_eq!(registry.remove(moby(1)), None);
            assert_eq!(registry.remove(moby(2)), Some((second, Kinds::ENEMY)));
            assert_eq!(registry.handle(second), None);
        }
    }
}
