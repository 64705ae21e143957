//! The host's side of the shared world: what of its level goes to whom (B6.2, B6.4, B6.10). Snapshots to
//! each member in the level, what was made and what is gone to all, and everything to one who arrives.

use std::collections::BTreeMap;
use std::time::Duration;

use mp_netcode::LocalTime;
use mp_protocol::SessionId;
use mp_protocol::game::{
    self as messages, Dead, Despawn, Killed, MobyId, MobyKey, NetId, Spawn, WorldMoby,
    position_fits,
};
use mp_protocol::limits::{WORLD_MOBYS_MAX, WORLDS_PER_SECOND};

use super::around::{Around, Place};
use super::members::Members;
use super::nets::NetIds;
use super::registry::{Registry, is_hosts};
use super::snapshots::Snapshots;
use crate::game::{Kinds, Moby, MobyHandle};

/// What the host's game makes and the members are told of (B6.10, B6.7, B6.8).
const TOLD_OF: Kinds = Kinds(
    Kinds::ENEMY.0 | Kinds::CREATURE.0 | Kinds::BOLT.0 | Kinds::PICKUP.0 | Kinds::PROJECTILE.0,
);

/// See the module.
#[derive(Debug, Default)]
pub(super) struct Telling {
    nets: NetIds,
    /// Made, and to be named when the list has it, in the format's range.
    made: Vec<MobyHandle>,
    /// Every moby made here that is alive.
    alive: BTreeMap<NetId, Spawn>,
    killed: Vec<MobyKey>,
    despawned: Vec<NetId>,
    snapshots: Snapshots,
}

impl Telling {
    /// The host's game made a moby. What the hero's own weapons make each game shows by itself (SHOT), and
    /// what a nanotech or ammo crate gives each game's own crate makes (B6.8).
    pub(super) fn made(
        &mut self,
        moby: MobyHandle,
        kinds: Kinds,
        maker: Option<MobyHandle>,
        registry: &Registry,
    ) {
        let maker_kinds = maker.map_or(Kinds::default(), |maker| registry.kinds(maker));
        let by_crate = kinds.any(Kinds::PICKUP) && maker_kinds.any(Kinds::CRATE);
        let by_hero = kinds.any(Kinds::PROJECTILE) && !is_hosts(maker_kinds);
        if kinds.any(TOLD_OF) && !by_crate && !by_hero {
            self.made.push(moby);
        }
    }

    /// A moby is gone before it had a name: its handle may soon be another's.
    pub(super) fn gone_unnamed(&mut self, moby: MobyHandle) {
        self.made.retain(|made| *made != moby);
    }

    /// A moby with a name is gone. The end of a pickup that was dropped is each game's own (B6.8).
    pub(super) fn gone(&mut self, id: MobyId, kinds: Kinds, now: LocalTime) {
        match id {
            MobyId::Key(key) => self.killed.push(key),
            MobyId::Net(net) => {
                self.nets.give_back(net, now);
                if self.alive.remove(&net).is_some() && !kinds.any(Kinds::PICKUP) {
                    self.despawned.push(net);
                }
            }
            MobyId::None => {}
        }
    }

    /// What the tick left: new mobys get their names and are told of, and all are looked at. `is_loose`
    /// says which bolts landed.
    pub(super) fn look(
        &mut self,
        list: &[Moby],
        place: &mut Place,
        is_loose: impl Fn(MobyId) -> bool,
        parts: &mut super::Parts,
    ) {
        self.snapshots.begin();
        let mut unnamed = Vec::new();
        for moby in list {
            if moby.key.is_none()
                && let Some(at) = self.made.iter().position(|made| *made == moby.handle)
            {
                self.made.swap_remove(at);
                if !self.name(moby, place, parts) {
                    unnamed.push(moby.handle);
                }
            }
            let Some(id) = place.registry.of(moby) else { continue };
            let net = matches!(id, MobyId::Net(_)) && !moby.kinds.any(Kinds::PICKUP);
            if net || is_hosts(moby.kinds) {
                self.snapshots.saw(id, moby, is_loose(id), parts.now);
            }
        }
        self.snapshots.end();
        // What is gone before the list had it was never told of; what is out of range may come back.
        self.made = unnamed;
    }

    /// Names a new moby and tells of it. False: it is out of range, or no number is free.
    fn name(&mut self, moby: &Moby, place: &mut Place, parts: &mut super::Parts) -> bool {
        let position = moby.pose.position;
        if !position_fits(position) {
            return false;
        }
        let Some(net) = self.nets.take(parts.now) else { return false };
        place.registry.insert(moby.handle, MobyId::Net(net), moby.kinds);
        let yaw = moby.pose.rotation[2];
        let spawn = Spawn { level: place.level, net, class: moby.class, position, yaw };
        self.alive.insert(net, spawn);
        parts.session.send_message(None, &spawn.into());
        true
    }

    /// A tick: what is gone goes to all, everything to those who arrived, and a snapshot to each whose turn
    /// it is.
    pub(super) fn tick(&mut self, list: &[Moby], members: &mut Members, around: &mut Around) {
        self.say_gone(around);
        for (id, member) in members.within(around.level) {
            if std::mem::take(&mut member.is_new) {
                self.snapshots.forget(member.slot);
                self.tell_all(id, list, around);
            }
            let now = around.now;
            if now < member.next {
                continue;
            }
            // On the beat while ticks keep up, from now on after a stall.
            let every = Duration::from_secs(1) / WORLDS_PER_SECOND;
            let beat = member.next + every;
            member.next = if beat > now { beat } else { now + every };
            if let Some(stamp) = around.session.server_time(now) {
                let mobys = self.snapshots.pick(member.slot, member.position, now);
                let world = world_of(around.level, stamp.as_millis(), mobys);
                around.session.send_world(id, &world);
            }
        }
    }

    fn say_gone(&mut self, around: &mut Around) {
        let level = around.level;
        if !self.killed.is_empty() {
            let keys = self.killed.as_slice().into();
            around.session.send_message(None, &Killed { level, keys }.into());
            self.killed.clear();
        }
        if !self.despawned.is_empty() {
            let nets = self.despawned.as_slice().into();
            around.session.send_message(None, &Despawn { level, nets }.into());
            self.despawned.clear();
        }
    }

    /// To one who arrives, and after its own respawn: who is dead, who was made, and where every placed
    /// moby is (B6.4).
    fn tell_all(&mut self, to: SessionId, list: &[Moby], around: &mut Around) {
        let level = around.level;
        let records = around.game.level_records().min(mp_protocol::limits::MOBY_KEY_MAX + 1);
        let mut alive = vec![false; usize::from(records)];
        for key in list.iter().filter_map(|moby| moby.key) {
            if let Some(alive) = alive.get_mut(usize::from(key.get())) {
                *alive = true;
            }
        }
        let dead = (0..records).zip(&alive).filter(|(_, alive)| !**alive);
        let bits = Dead::bits_of(records, dead.filter_map(|(record, _)| MobyKey::new(record)));
        around.session.send_message(Some(to), &Dead { level, records, bits: &bits }.into());
        for spawn in self.alive.values() {
            let handle = around.registry.handle(MobyId::Net(spawn.net));
            let now_at = |handle| list.iter().find(|moby| moby.handle == handle);
            // One that has left what the wire can carry may come back: it begins where it was made.
            let now_at = handle.and_then(now_at).map(|moby| moby.pose);
            let pose = now_at.filter(|pose| position_fits(pose.position));
            let (position, yaw) =
                pose.map_or((spawn.position, spawn.yaw), |pose| (pose.position, pose.rotation[2]));
            let spawn = Spawn { position, yaw, ..*spawn };
            around.session.send_message(Some(to), &spawn.into());
        }
        let Some(stamp) = around.session.server_time(around.now) else { return };
        for mobys in self.snapshots.placed().chunks(WORLD_MOBYS_MAX) {
            let world = world_of(level, stamp.as_millis(), mobys);
            around.session.send_message(Some(to), &world.into());
        }
    }

    /// The level is left, and what was made there with it.
    pub(super) fn clear(&mut self, now: LocalTime) {
        for (net, _) in std::mem::take(&mut self.alive) {
            self.nets.give_back(net, now);
        }
        self.made.clear();
        self.killed.clear();
        self.despawned.clear();
        self.snapshots.clear();
    }
}

fn world_of(level: messages::Level, stamp_ms: i64, mobys: &[WorldMoby]) -> messages::World<'_> {
    messages::World { level, stamp_ms, mobys: mobys.into() }
}
