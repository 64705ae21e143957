//! A member's side of the host's world: it drives the host's mobys and shows each where the host's was a
//! moment ago (B6.1), makes what the host's game made, and takes out what is gone there.

use std::collections::BTreeMap;

use mp_netcode::ServerTime;
use mp_netcode::interpolation::{LinearTrack, WorldClock};
use mp_protocol::game::{
    Despawn, Killed, Kind, MobyFlags, MobyId, MobyKey, NetId, Spawn, World, WorldMoby,
};

use super::Parts;
use super::around::Place;
use super::bolts::Bolts;
use super::crates;
use super::refused::Refused;
use super::registry::is_hosts;
use crate::game::{Animation, Game, Kill, Kinds, Moby, MobyHandle, MobyPose};

/// A WORLD older than this is not taken: half of the time for which a net id rests (B6.10), so that nothing
/// is told of one's former life.
const OLD_US: i64 = 30_000_000;

/// What of a moby steps from one snapshot to the next.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Step {
    animation: Animation,
    hidden: bool,
    loose: bool,
}

/// One of the host's mobys as this game shows it.
#[derive(Debug, Default)]
struct Shown {
    track: LinearTrack<Step>,
    /// The moby that is driven, and as what it was posed last.
    driven: Option<MobyHandle>,
    posed: Option<(MobyPose, bool)>,
    /// A bolt that has landed: this game runs it.
    loose: bool,
    /// It is posed where it was told of last: nothing changes until it is told of again.
    rests: bool,
}

/// See the module.
#[derive(Debug, Default)]
pub(super) struct Showing {
    clock: WorldClock,
    shown: BTreeMap<MobyId, Shown>,
    /// What the host's game made and is alive there.
    spawned: BTreeMap<NetId, Spawn>,
    /// What this game could not make yet.
    waiting: Vec<NetId>,
    /// Mobys that this removed itself, of whose end the game is still to tell: by then the handle may be
    /// another's.
    removed: Vec<MobyHandle>,
    /// The registry's changes at the last look: as long as there are no others, it would find the same.
    looked_at: Option<u64>,
}

impl Showing {
    /// The level's mobys, as the tick left them: those that the host runs are driven from now on.
    pub(super) fn look(&mut self, list: &[Moby], place: &mut Place) {
        if self.looked_at == Some(place.registry.changes()) {
            return;
        }
        for moby in list {
            let Some(id) = place.registry.of(moby) else { continue };
            if matches!(id, MobyId::Net(_)) {
                place.registry.insert(moby.handle, id, moby.kinds);
            }
            if is_shown(id, moby.kinds) && !self.shown.contains_key(&id) {
                self.shown.insert(id, Shown::default());
            }
        }
        self.looked_at = Some(place.registry.changes());
    }

    /// Whether it drives that one.
    pub(super) fn drives(&self, id: MobyId) -> bool {
        self.shown.get(&id).is_some_and(|shown| shown.driven.is_some())
    }

    /// The host's WORLD, which came in at that moment of the server's clock.
    ///
    /// # Errors
    /// Why it is not taken, or that something in it is unknown here: late word of what is gone, early
    /// word of what is still to be made. The rest of it is shown.
    pub(super) fn world_came(
        &mut self,
        world: &World,
        at: ServerTime,
        bolts: &mut Bolts,
        place: &mut Place,
        parts: &mut Parts,
    ) -> Result<(), Refused> {
        let stamp = ServerTime::from_millis(world.stamp_ms);
        if at.micros_since(stamp) > OLD_US {
            return Err(Refused::Old(Kind::World));
        }
        let mut unknown = Ok(());
        self.clock.arrived(at, stamp);
        for told in world.mobys.iter() {
            if let MobyId::Net(net) = told.id
                && let Some(spawn) = self.spawned.get(&net)
                && place.registry.handle(told.id).is_none()
                && bolts.may_remake(told.id, &place.around(parts))
            {
                let spawn = Spawn { position: told.position, ..*spawn };
                if make(&spawn, place, parts.game) {
                    self.waiting.retain(|waiting| *waiting != net);
                }
            }
            let is_here = place.registry.handle(told.id).is_some();
            let shown = match told.id {
                MobyId::Net(net) if is_here && self.spawned.contains_key(&net) => {
                    self.shown.entry(told.id).or_default()
                }
                _ => match self.shown.get_mut(&told.id) {
                    Some(shown) => shown,
                    None => {
                        match told.id {
                            // Collected here, or not to be made yet.
                            MobyId::Net(net) if self.spawned.contains_key(&net) => {}
                            _ if is_here => unknown = Err(Refused::WrongMoby(Kind::World)),
                            _ => unknown = Err(Refused::NoMoby(Kind::World)),
                        }
                        continue;
                    }
                },
            };
            let rotation = told.rotation.map(|angle| angle.to_f32());
            shown.track.push(stamp, told.position, rotation, step(&told));
            shown.rests = false;
        }
        unknown
    }

    /// The host's game made a moby. A known one is ignored (B6.4).
    pub(super) fn spawn_came(&mut self, spawn: &Spawn, place: &mut Place, game: &dyn Game) {
        if self.spawned.insert(spawn.net, *spawn).is_none() && !make(spawn, place, game) {
            self.waiting.push(spawn.net);
        }
    }

    /// Mobys that the host's game made are gone there.
    pub(super) fn despawn_came(
        &mut self,
        despawn: &Despawn,
        bolts: &mut Bolts,
        place: &mut Place,
        game: &dyn Game,
    ) -> Result<(), Refused> {
        let mut unknown = Ok(());
        for net in despawn.nets.iter() {
            self.waiting.retain(|waiting| *waiting != net);
            if self.spawned.remove(&net).is_none() {
                unknown = Err(Refused::NoMoby(Kind::Despawn));
                continue;
            }
            self.end(MobyId::Net(net), None, bolts, place, game);
        }
        unknown
    }

    /// Placed mobys are gone in the host's game: they go as they would have gone by themselves (B6.3).
    pub(super) fn killed_came(
        &mut self,
        killed: &Killed,
        bolts: &mut Bolts,
        place: &mut Place,
        game: &dyn Game,
    ) {
        for key in killed.keys.iter() {
            self.end(MobyId::Key(key), None, bolts, place, game);
        }
    }

    /// What is dead in the host's level goes without debris or drops (B6.4).
    pub(super) fn dead_came(
        &mut self,
        dead: impl Iterator<Item = MobyKey>,
        bolts: &mut Bolts,
        place: &mut Place,
        game: &dyn Game,
    ) {
        for key in dead {
            self.end(MobyId::Key(key), Some(Kill::Quiet), bolts, place, game);
        }
    }

    fn end(
        &mut self,
        id: MobyId,
        how: Option<Kill>,
        bolts: &mut Bolts,
        place: &mut Place,
        game: &dyn Game,
    ) {
        self.shown.remove(&id);
        bolts.gone(id, false);
        let Some(moby) = place.registry.handle(id) else { return };
        // First, so that what the game tells of it is not told to the host.
        let kinds = place.registry.remove(moby).map_or(Kinds::default(), |(_, kinds)| kinds);
        self.removed.push(moby);
        match how {
            Some(how) => game.moby_kill(moby, how),
            None => crates::goes(moby, kinds, game),
        }
    }

    /// A moby of this game's is gone. Returns whether that was this one's doing.
    pub(super) fn is_removed(&mut self, moby: MobyHandle) -> bool {
        let at = self.removed.iter().position(|removed| *removed == moby);
        at.map(|at| self.removed.swap_remove(at)).is_some()
    }

    /// A moby went by itself: if the host still has it, it may be made again.
    pub(super) fn gone(&mut self, id: MobyId) {
        self.shown.remove(&id);
    }

    /// Shows every moby where the host's was an interpolation delay ago.
    pub(super) fn tick(&mut self, place: &mut Place, parts: &Parts) {
        let spawned = &self.spawned;
        self.waiting
            .retain(|net| spawned.get(net).is_some_and(|spawn| !make(spawn, place, parts.game)));
        let now = parts.session.server_time(parts.now);
        let cursor = now.and_then(|now| self.clock.cursor(now));
        for (id, shown) in &mut self.shown {
            if let Some(moby) = place.registry.handle(*id) {
                shown.tick(moby, cursor, parts.game);
            }
        }
    }

    /// This game is in the host's level no more. What it drove there is let go, and what only the host's
    /// game made is gone: `stays` says whether this game still is in that level.
    pub(super) fn leave(&mut self, stays: bool, place: &Place, game: &dyn Game) {
        if stays {
            for (id, shown) in &self.shown {
                match (shown.driven, place.registry.handle(*id)) {
                    (Some(driven), Some(moby)) if driven == moby => game.moby_drive(moby, false),
                    _ => {}
                }
            }
            for net in self.spawned.keys() {
                if let Some(moby) = place.registry.handle(MobyId::Net(*net)) {
                    game.moby_kill(moby, Kill::Quiet);
                }
            }
        }
        *self = Self::default();
    }
}

impl Shown {
    fn tick(&mut self, moby: MobyHandle, cursor: Option<ServerTime>, game: &dyn Game) {
        if self.loose {
            return;
        }
        if self.driven != Some(moby) {
            game.moby_drive(moby, true);
            (self.driven, self.posed, self.rests) = (Some(moby), None, false);
        }
        let Some(cursor) = cursor.filter(|_| !self.rests) else { return };
        let Some(sampled) = self.track.sample(cursor) else { return };
        let Step { animation, hidden, loose } = sampled.step;
        let pose = MobyPose { position: sampled.position, rotation: sampled.rotation, animation };
        if self.posed != Some((pose, hidden)) {
            game.moby_pose(moby, &pose, hidden);
            self.posed = Some((pose, hidden));
        }
        if loose {
            game.moby_drive(moby, false);
            (self.loose, self.driven) = (true, None);
        }
        self.rests = self.track.is_at_end(cursor);
    }
}

/// Makes what the host's game made; false if this game cannot now.
fn make(spawn: &Spawn, place: &mut Place, game: &dyn Game) -> bool {
    let made = game.moby_make(spawn.class, spawn.position, spawn.yaw);
    if let Some(moby) = made {
        // What it is, is known once the list has it.
        place.registry.insert(moby, MobyId::Net(spawn.net), Kinds::default());
    }
    made.is_some()
}

/// Whether the host says where such a moby is: those that it runs, and the bolts that it dropped.
fn is_shown(id: MobyId, kinds: Kinds) -> bool {
    match id {
        MobyId::Key(_) => is_hosts(kinds),
        MobyId::Net(_) => !kinds.any(Kinds::PICKUP),
        MobyId::None => false,
    }
}

fn step(told: &WorldMoby) -> Step {
    Step {
        animation: Animation {
            sequence: told.seq,
            frame: told.frame,
            next_frame: told.frame,
            time: told.anim_time.to_f32(),
            speed: told.anim_speed.to_f32(),
        },
        hidden: told.flags.contains(MobyFlags::HIDDEN),
        loose: told.flags.contains(MobyFlags::LOOSE),
    }
}
