//! The shared world (behaviour.md 6): one level, the host's, for everyone in it.

mod around;
mod bolts;
mod crates;
mod hits;
mod rates;
mod refused;
mod registry;

use std::collections::BTreeMap;

use mp_netcode::{LocalTime, Sequence};
use mp_protocol::SessionId;
use mp_protocol::game::{Level, Message, MobyId, Pose};

use crate::coop::Coop;
use crate::game::{Game, Kinds, Moby};
use crate::hooks::{Asked, Happened, Standing};
use crate::session::Session;
use around::{Other, Place};
use bolts::Bolts;
use crates::CratesToBreak;
use hits::OutgoingHits;
use rates::Rates;
pub(crate) use refused::Refused;
use refused::RefusedCounts;
use registry::Registry;

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
        let around = &mut self.place.around(parts);
        match self.role {
            Role::Host => {
                for moby in self.list.iter().filter(|moby| moby.kinds.any(Kinds::BOLT)) {
                    if let Some(id) = around.registry.id(moby.handle) {
                        self.bolts.saw(id, moby, around);
                    }
                }
                self.bolts.host_tick(around);
                self.crates.host_tick(around);
            }
            Role::Member => {
                hits::member_tick(&mut self.hits, around);
                self.bolts.member_tick(around);
            }
            Role::Alone => {}
        }
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
            self.leave_level();
        }
        self.place.me = me.unwrap_or(SessionId(0));
    }

    fn leave_level(&mut self) {
        self.place.registry.clear();
        self.bolts.clear();
        self.crates.clear();
        self.hits.clear();
    }

    fn look(&mut self, parts: &Parts) {
        parts.game.mobys(&mut self.list);
        for moby in &self.list {
            if let Some(key) = moby.key {
                self.place.registry.insert(moby.handle, MobyId::Key(key), moby.kinds);
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
            self.pose_came(pose);
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
            _ => return Ok(()),
        };
        if self.role == Role::Alone || elsewhere != Some(self.place.level) {
            return Err(Refused::OtherLevel(kind));
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

    fn pose_came(&mut self, pose: &Pose) {
        let sequence = Sequence(pose.sequence);
        let newest = self.levels.entry(pose.owner).or_insert((sequence, pose.level));
        if sequence.newer_than(newest.0) {
            *newest = (sequence, pose.level);
        }
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
            (_, &Happened::Gone { moby, .. }) => {
                if let Some((id, kinds)) = self.place.registry.remove(moby)
                    && kinds.any(Kinds::BOLT)
                    && self.role == Role::Host
                {
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
    pub(crate) fn refused(&self, why: Refused) -> u64 {
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
