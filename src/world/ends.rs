//! What comes into the host's level and what goes out of it, told to the members (SPAWN, DESPAWN, KILLED),
//! and done in theirs.

use std::collections::BTreeMap;

use mp_netcode::LocalTime;
use mp_protocol::SessionId;
use mp_protocol::game::{Dead, Despawn, Killed, Level, MobyId, MobyKey, NetId, Spawn};

use super::around::Around;
use super::bolts::Bolts;
use super::crates;
use super::nets::NetIds;
use super::registry::Registry;
use crate::game::{Kinds, Moby, MobyHandle};
use crate::session::Session;

/// What the members' games make too when the host's does: what fights, what is collected.
const SHARED: Kinds = Kinds(Kinds::ENEMY.0 | Kinds::CREATURE.0 | Kinds::BOLT.0 | Kinds::PICKUP.0);

/// The host's news of this tick, and what its game made.
#[derive(Debug, Default)]
pub(super) struct HostEnds {
    nets: NetIds,
    /// How each that was made and is there began.
    spawned: BTreeMap<NetId, Spawn>,
    killed: Vec<MobyKey>,
    despawned: Vec<NetId>,
}

impl HostEnds {
    /// The host's game made a moby. Returns what the party calls it, if it is shared.
    pub(super) fn made(
        &mut self,
        moby: &Moby,
        maker: Option<MobyHandle>,
        around: &mut Around,
    ) -> Option<MobyId> {
        // What a crate gives but bolts, each game's own crate makes (B6.8).
        let of_crate = maker.is_some_and(|maker| around.registry.kinds(maker).any(Kinds::CRATE));
        if !moby.kinds.any(SHARED) || (moby.kinds.any(Kinds::PICKUP) && of_crate) {
            return None;
        }
        let net = self.nets.give(around.registry, around.now)?;
        let (position, yaw) = (moby.pose.position, moby.pose.rotation[2]);
        let spawn = Spawn { level: around.level, net, class: moby.class, position, yaw };
        self.spawned.insert(net, spawn);
        around.session.send_message(None, &spawn.into());
        Some(MobyId::Net(net))
    }

    /// A moby of the host's game is gone.
    pub(super) fn gone(&mut self, id: MobyId, kinds: Kinds, now: LocalTime) {
        match id {
            MobyId::Key(key) => self.killed.push(key),
            MobyId::Net(net) => {
                self.spawned.remove(&net);
                self.nets.gone(net, now);
                // The end of a dropped pickup is each game's own (B6.8).
                if !kinds.any(Kinds::PICKUP) {
                    self.despawned.push(net);
                }
            }
            MobyId::None => {}
        }
    }

    /// Tells the members what is gone since the last tick.
    pub(super) fn tell(&mut self, level: Level, session: &mut Session) {
        if !self.killed.is_empty() {
            session.send_message(None, &Killed { level, keys: self.killed[..].into() }.into());
            self.killed.clear();
        }
        if !self.despawned.is_empty() {
            let nets = self.despawned[..].into();
            session.send_message(None, &Despawn { level, nets }.into());
            self.despawned.clear();
        }
    }

    /// One arrived in the level: what is dead, then all that was made and is there (B6.4).
    pub(super) fn welcome(&self, to: SessionId, around: &mut Around) {
        let records = around.game.level_records();
        let dead = (0..records).filter_map(MobyKey::new);
        let dead = dead.filter(|&key| around.registry.handle(MobyId::Key(key)).is_none());
        let bits = Dead::bits_of(records, dead);
        let level = around.level;
        around.session.send_message(Some(to), &Dead { level, records, bits: &bits }.into());
        for spawn in self.spawned.values() {
            around.session.send_message(Some(to), &(*spawn).into());
        }
    }

    /// The level is left.
    pub(super) fn clear(&mut self, now: LocalTime) {
        while let Some((net, _)) = self.spawned.pop_first() {
            self.nets.gone(net, now);
        }
        self.killed.clear();
        self.despawned.clear();
    }
}

/// What a member's game is still to make.
#[derive(Debug, Default)]
pub(super) struct MemberSpawns {
    waiting: Vec<Spawn>,
}

impl MemberSpawns {
    /// The host's game made a moby; one that is known is ignored.
    pub(super) fn came(&mut self, spawn: &Spawn, registry: &Registry) {
        let known = registry.handle(MobyId::Net(spawn.net)).is_some();
        if !known && self.waiting.iter().all(|waiting| waiting.net != spawn.net) {
            self.waiting.push(*spawn);
        }
    }

    /// Makes what waits, as far as the game can.
    pub(super) fn make(&mut self, registry: &mut Registry, game: &dyn crate::game::Game) {
        self.waiting.retain(|spawn| {
            let made = game.moby_make(spawn.class, spawn.position, spawn.yaw);
            if let Some(moby) = made {
                registry.insert(moby, MobyId::Net(spawn.net), Kinds::default());
            }
            made.is_none()
        });
    }

    /// The host says that a moby is gone: it goes here too.
    pub(super) fn ends(
        &mut self,
        id: MobyId,
        registry: &mut Registry,
        bolts: &mut Bolts,
        game: &dyn crate::game::Game,
    ) {
        bolts.gone(id, false);
        self.waiting.retain(|spawn| MobyId::Net(spawn.net) != id);
        // Its end in this game is not news of this game's any more.
        let Some(moby) = registry.handle(id) else { return };
        if let Some((_, kinds)) = registry.remove(moby) {
            crates::goes(moby, kinds, game);
        }
    }

    /// The level is left.
    pub(super) fn clear(&mut self) {
        self.waiting.clear();
    }
}
