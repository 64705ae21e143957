//! The shared world (behaviour.md 6): one level, the host's, for everyone in it.

mod around;
mod bolts;
mod crates;
mod ends;
mod hits;
mod nets;
mod rates;
mod refused;
mod registry;
mod stand_ins;

use std::collections::BTreeMap;

use mp_netcode::{LocalTime, Sequence};
use mp_protocol::SessionId;
use mp_protocol::game::{Dead, Kind, Level, Message, MobyId, Pose};

use crate::coop::Coop;
use crate::game::{Game, Kill, Kinds, Moby, MobyHandle};
use crate::hooks::{Asked, Gate, Happened, Standing};
use crate::session::Session;
use around::{Other, Place};
use bolts::Bolts;
use crates::CratesToBreak;
use ends::{HostEnds, MemberSpawns};
use hits::OutgoingHits;
use rates::Rates;
pub use refused::Refused;
use refused::RefusedCounts;
use registry::Registry;
use stand_ins::StandIns;

/// Whose the world is that this player's game shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
enum Role {
    /// Its own: it is in no level of a party's.
    #[default]
    Alone,
    /// This game's is the party's.
    Host,
    /// It is in the host's level.
    Member,
}

/// The shared world as this player's game has it. See the module.
pub struct World {
    role: Role,
    place: Place,
    /// In which level each of the others was by its newest pose.
    levels: BTreeMap<SessionId, (Sequence, Level)>,
    list: Vec<Moby>,
    ends: HostEnds,
    spawns: MemberSpawns,
    stand_ins: StandIns,
    bolts: Bolts,
    crates: CratesToBreak,
    hits: OutgoingHits,
    rates: Rates,
    refused: RefusedCounts,
}

/// What the world is not, and works on.
pub(crate) struct Parts<'a> {
    pub(crate) session: &'a mut Session,
    pub(crate) coop: &'a Coop,
    pub(crate) game: &'a dyn Game,
    pub(crate) now: LocalTime,
}

impl World {
    /// In no level yet.
    pub(crate) fn new() -> Self {
        Self {
            role: Role::Alone,
            place: Place {
                registry: Registry::default(),
                others: Vec::new(),
                me: SessionId(0),
                level: Level::NONE,
            },
            levels: BTreeMap::new(),
            list: Vec::new(),
            ends: HostEnds::default(),
            spawns: MemberSpawns::default(),
            stand_ins: StandIns::default(),
            bolts: Bolts::new(),
            crates: CratesToBreak::default(),
            hits: OutgoingHits::new(),
            rates: Rates::default(),
            refused: RefusedCounts::default(),
        }
    }

    /// A tick of a game in a party.
    pub(crate) fn tick(&mut self, parts: &mut Parts) {
        self.settle_role(parts);
        self.bolts.add_granted(&self.place.around(parts));
        if self.role == Role::Alone {
            return;
        }
        self.look(parts);
        match self.role {
            Role::Host => self.host_tick(parts),
            Role::Member => self.member_tick(parts),
            Role::Alone => {}
        }
    }

    fn host_tick(&mut self, parts: &mut Parts) {
        let hero = parts.game.hero_pose().map_or([0.0; 3], |hero| hero.position);
        self.stand_ins.look(&self.list, hero, &self.place.others);
        let around = &mut self.place.around(parts);
        for moby in self.list.iter().filter(|moby| moby.kinds.any(Kinds::BOLT)) {
            if let Some(id) = around.registry.id(moby.handle) {
                self.bolts.saw(id, moby, around);
            }
        }
        self.bolts.host_tick(around);
        self.crates.host_tick(around);
        self.ends.tell(around.level, around.session);
    }

    fn member_tick(&mut self, parts: &mut Parts) {
        self.spawns.make(&mut self.place.registry, parts.game);
        let around = &mut self.place.around(parts);
        hits::member_tick(&mut self.hits, around);
        self.bolts.member_tick(around);
    }

    fn settle_role(&mut self, parts: &Parts) {
        let game = parts.game;
        let level = game.level().filter(|_| game.phase().has_hero()).and_then(Level::new);
        let (me, session) = (parts.session.me(), &parts.session);
        let (role, level) = match (me, level) {
            (Some(_), Some(level)) if session.is_host() => (Role::Host, level),
            (Some(_), Some(level)) if parts.coop.host_level() == game.level() => {
                (Role::Member, level)
            }
            _ => (Role::Alone, Level::NONE),
        };
        if (role, level) != (self.role, self.place.level) {
            (self.role, self.place.level) = (role, level);
            self.leave_level(parts.now);
        }
        self.place.me = me.unwrap_or(SessionId(0));
    }

    fn leave_level(&mut self, now: LocalTime) {
        self.ends.clear(now);
        self.spawns.clear();
        self.stand_ins.clear();
        self.place.registry.clear();
        self.bolts.clear();
        self.crates.clear();
        self.hits.clear();
    }

    fn look(&mut self, parts: &Parts) {
        parts.game.mobys(&mut self.list);
        for moby in &self.list {
            let registry = &mut self.place.registry;
            let id = moby.key.map(MobyId::Key).or_else(|| registry.id(moby.handle));
            if let Some(id) = id {
                registry.insert(moby.handle, id, moby.kinds);
            }
        }
        self.place.others.clear();
        let others = parts.coop.figures().filter_map(|(id, figure, at)| {
            let moby = parts.game.figure_moby(figure)?;
            Some(Other { id, figure, moby, at })
        });
        self.place.others.extend(others);
    }

    /// A checked message. What the game is not given is counted by reason.
    pub(crate) fn message(&mut self, message: &Message, from: SessionId, parts: &mut Parts) {
        if let Err(why) = self.take(message, from, parts) {
            self.refused.count(why);
        }
    }

    fn take(
        &mut self,
        message: &Message,
        from: SessionId,
        parts: &mut Parts,
    ) -> Result<(), Refused> {
        if let Message::Pose(pose) = message {
            self.pose_came(pose, parts);
            return Ok(());
        }
        if let Message::Bolts(bolts) = message {
            // Also on the way to another level: they are this player's.
            self.bolts.granted(bolts.count);
            return Ok(());
        }
        let Some(kind) = message.kind() else { return Ok(()) };
        if parts.session.is_host() && !self.rates.take(from, kind, parts.now) {
            return Err(Refused::TooOften(kind));
        }
        let elsewhere = match message {
            Message::Hit(_) => self.levels.get(&from).map(|&(_, level)| level),
            Message::Claim(claim) => Some(claim.level),
            Message::Broke(broke) => Some(broke.level),
            Message::Damage(_) => Some(self.place.level),
            Message::Killed(killed) => Some(killed.level),
            Message::Spawn(spawn) => Some(spawn.level),
            Message::Despawn(despawn) => Some(despawn.level),
            Message::Dead(dead) => Some(dead.level),
            _ => return Ok(()),
        };
        if self.role == Role::Alone || elsewhere != Some(self.place.level) {
            return Err(Refused::OtherLevel(kind));
        }
        match message {
            Message::Killed(killed) => {
                killed.keys.iter().for_each(|key| self.ends_here(MobyId::Key(key), parts.game));
                return Ok(());
            }
            Message::Despawn(despawn) => {
                despawn.nets.iter().for_each(|net| self.ends_here(MobyId::Net(net), parts.game));
                return Ok(());
            }
            Message::Spawn(spawn) => {
                self.spawns.came(spawn, &self.place.registry);
                return Ok(());
            }
            Message::Dead(dead) => return self.dead_came(dead, parts.game),
            _ => {}
        }
        let around = &mut self.place.around(parts);
        match message {
            Message::Hit(hit) => hits::hit_came(hit, from, around),
            Message::Claim(claim) => self.bolts.claim_came(claim, from, around),
            Message::Broke(broke) => self.crates.broke_came(broke, from, around),
            Message::Damage(damage) => hits::damage_came(damage, around),
            _ => Ok(()),
        }
    }

    /// To one who arrives in the host's level, what there is.
    fn pose_came(&mut self, pose: &Pose, parts: &mut Parts) {
        let sequence = Sequence(pose.sequence);
        let before = self.levels.get(&pose.owner).copied();
        if before.is_some_and(|(newest, _)| !sequence.newer_than(newest)) {
            return;
        }
        self.levels.insert(pose.owner, (sequence, pose.level));
        let arrived =
            pose.level == self.place.level && before.is_none_or(|(_, level)| level != pose.level);
        if self.role == Role::Host && arrived {
            self.ends.welcome(pose.owner, &mut self.place.around(parts));
        }
    }

    fn ends_here(&mut self, id: MobyId, game: &dyn Game) {
        self.spawns.ends(id, &mut self.place.registry, &mut self.bolts, game);
    }

    /// What is dead in the host's level is gone without debris or drops (B6.4).
    fn dead_came(&mut self, dead: &Dead, game: &dyn Game) -> Result<(), Refused> {
        if dead.records != game.level_records() {
            return Err(Refused::NoMoby(Kind::Dead));
        }
        for key in dead.iter() {
            let id = MobyId::Key(key);
            if let Some(moby) = self.place.registry.handle(id) {
                self.place.registry.remove(moby);
                game.moby_kill(moby, Kill::Quiet);
            }
        }
        Ok(())
    }

    /// Whether a moby updates now, and whom it sees as the hero.
    pub(crate) fn gate(&mut self, moby: MobyHandle) -> Gate {
        if self.role != Role::Host {
            return Gate::Run;
        }
        let stand_in = self.stand_ins.of(moby);
        if let Some(id) = self.place.registry.id(moby) {
            self.bolts.sees(id, stand_in.map_or(self.place.me, |(player, _)| player));
        }
        stand_in.map_or(Gate::Run, |(_, figure)| Gate::StandIn(figure))
    }

    /// Whether what the game asks may be.
    pub(crate) fn asked(&mut self, asked: &Asked, parts: &mut Parts) -> bool {
        let around = &mut self.place.around(parts);
        match (self.role, asked) {
            (Role::Host, &Asked::Bolt { moby, collector, value }) => {
                self.bolts.host_reached(moby, collector, value, around)
            }
            (Role::Member, &Asked::Bolt { moby, .. }) => self.bolts.member_reached(moby, around),
            (Role::Host, Asked::Hit(hit)) => hits::host_hit(hit, around),
            (Role::Member, Asked::Hit(hit)) => hits::member_hit(&mut self.hits, hit, around),
            (Role::Member, &Asked::Make { kinds, maker, .. }) => {
                crates::member_may_make(kinds, maker, around)
            }
            _ => true,
        }
    }

    /// Something happened in the game.
    pub(crate) fn happened(&mut self, happened: &Happened, parts: &mut Parts) {
        match (self.role, happened) {
            (Role::Member, &(Happened::Broke { moby, .. } | Happened::PickedUp { moby, .. })) => {
                crates::member_broke(moby, &mut self.place.around(parts));
            }
            (Role::Host, &Happened::Made { moby, maker, .. }) => {
                parts.game.mobys(&mut self.list);
                let Some(made) = self.list.iter().find(|made| made.handle == moby) else { return };
                let around = &mut self.place.around(parts);
                if let Some(id) = self.ends.made(made, maker, around) {
                    if made.kinds.any(Kinds::BOLT) {
                        self.bolts.saw(id, made, around);
                    }
                    self.place.registry.insert(moby, id, made.kinds);
                }
            }
            (_, &Happened::Gone { moby, .. }) => {
                if let Some((id, kinds)) = self.place.registry.remove(moby)
                    && self.role == Role::Host
                {
                    self.ends.gone(id, kinds, parts.now);
                    self.bolts.gone(id, true);
                }
            }
            _ => {}
        }
    }

    /// What is to be answered while the mod is at work.
    pub(crate) fn standing(&self) -> Standing {
        let refused = match self.role {
            Role::Member => crates::HOSTS_ALONE,
            Role::Host | Role::Alone => Kinds::default(),
        };
        Standing { refused }
    }

    /// How often something was refused for that reason.
    pub fn refused(&self, why: Refused) -> u64 {
        self.refused.of(why)
    }

    /// Somebody left.
    pub(crate) fn left(&mut self, id: SessionId) {
        self.bolts.left(id, self.place.me);
        self.rates.forget(id);
        self.levels.remove(&id);
    }

    /// The party is over.
    pub(crate) fn ended(&mut self) {
        *self = Self::new();
    }
}
