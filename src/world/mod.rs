//! The shared world (behaviour.md 6): one level, the host's, for everyone in it.
//!
//! Whatever of it comes from another player is checked by context before the game hears of it: who may say
//! it, of which level, how often, of what that player can see. What is not taken changes nothing.

// What the rest reaches for, and which moby of one game is which of another's.
mod around;
mod nets;
mod registry;

// The host's side: what it tells of its mobys, to whom, and whom they see as the hero.
mod gates;
mod members;
mod snapshots;
mod telling;

// A member's side: what it shows of the host's.
mod shown;

// Both sides of what players do to it.
mod bolts;
mod crates;
mod hits;

// What is not taken of what the others say.
mod rates;
mod refused;

use std::cell::Cell;
use std::rc::Rc;

use mp_netcode::LocalTime;
use mp_protocol::SessionId;
use mp_protocol::game::{Kind, Level, Message, MobyId};

use crate::coop::Coop;
use crate::game::{Game, Kinds, Moby, MobyHandle};
use crate::hooks::{Asked, Gate, Happened, Standing};
use crate::session::{Came, Session};
use crate::trace::Known;
use around::{Other, Place};
use bolts::Bolts;
use crates::CratesToBreak;
use gates::Gates;
use hits::OutgoingHits;
use members::Members;
use rates::Rates;
pub use refused::Refused;
pub(crate) use refused::RefusedCounts;
use registry::Registry;
use shown::Showing;
use telling::Telling;

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
    /// It is in a level of the party's where the host is not, or not yet: what happened here could never be
    /// undone when the host's world comes, so nothing does.
    Waiting,
}

impl Role {
    /// What is to be answered while the mod is at work.
    const fn standing(self) -> Standing {
        let refused = match self {
            Self::Member => crates::HOSTS_ALONE,
            Self::Waiting => crates::SHARED_DROPS,
            Self::Host | Self::Alone => Kinds(0),
        };
        Standing { refused }
    }
}

/// The shared world as this player's game has it. See the module.
pub struct World {
    role: Role,
    place: Place,
    members: Members,
    list: Vec<Moby>,
    telling: Telling,
    showing: Showing,
    gates: Gates,
    /// The points that the world runs around too.
    eyes: Vec<[f32; 3]>,
    bolts: Bolts,
    crates: CratesToBreak,
    hits: OutgoingHits,
    rates: Rates,
    standing: Rc<Cell<Standing>>,
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
            members: Members::default(),
            list: Vec::new(),
            telling: Telling::default(),
            showing: Showing::default(),
            gates: Gates::default(),
            eyes: Vec::new(),
            bolts: Bolts::new(),
            crates: CratesToBreak::default(),
            hits: OutgoingHits::new(),
            rates: Rates::default(),
            standing: Rc::default(),
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
            Role::Member => {
                let around = &mut self.place.around(parts);
                hits::member_tick(&mut self.hits, around);
                self.bolts.member_tick(around);
                self.showing.tick(&mut self.place, parts);
            }
            Role::Waiting | Role::Alone => {}
        }
    }

    fn host_tick(&mut self, parts: &mut Parts) {
        let bolts = &self.bolts;
        self.telling.look(&self.list, &mut self.place, |id| bolts.is_loose(id), parts);
        let arriving = parts.coop.is_arriving(parts.session);
        let hero = parts.game.hero_pose().map(|hero| hero.position);
        let around = &mut self.place.around(parts);
        self.gates.clear();
        for moby in &self.list {
            let Some(id) = around.registry.of(moby) else { continue };
            let is_bolt = moby.kinds.any(Kinds::BOLT);
            if is_bolt {
                self.bolts.saw(id, moby, around);
            }
            let other = gates::nearest(moby, hero, around.others);
            if let Some(other) = other {
                self.gates.stand_in(moby.handle, other);
            }
            if is_bolt {
                self.bolts.sees(id, other.map_or(around.me, |other| other.id));
            }
        }
        self.gates.settle();
        self.bolts.host_tick(around);
        self.crates.host_tick(around);
        // Nothing of this world shows until everyone has arrived (B5.5).
        if !arriving {
            self.telling.tick(&self.list, &mut self.members, around);
        }
        self.eyes.clear();
        self.eyes.extend(around.others.iter().map(|other| other.at));
        around.game.eyes(&self.eyes);
    }

    /// What is known of a moby, for the trace.
    pub(crate) fn known(&self, moby: MobyHandle) -> Known {
        let id = self.place.registry.id(moby);
        Known { id: id.map(MobyId::to_bits), driven: id.is_some_and(|id| self.showing.drives(id)) }
    }

    /// The points that the host's world runs around besides its own.
    pub(crate) fn eyes(&self) -> &[[f32; 3]] {
        &self.eyes
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
            (Some(_), Some(level)) if session.party().is_some() => (Role::Waiting, level),
            _ => (Role::Alone, Level::NONE),
        };
        self.place.me = me.unwrap_or(SessionId(0));
        if (role, level) != (self.role, self.place.level) {
            self.leave_level(parts);
            (self.role, self.place.level) = (role, level);
            self.standing.set(role.standing());
            if matches!(role, Role::Member | Role::Waiting) {
                self.look(parts);
            }
        }
    }

    fn leave_level(&mut self, parts: &Parts) {
        let game = parts.game;
        let stays =
            game.phase().has_hero() && game.level().and_then(Level::new) == Some(self.place.level);
        match self.role {
            Role::Host if stays => game.eyes(&[]),
            Role::Host | Role::Waiting | Role::Alone => {}
            Role::Member => self.showing.leave(stays, &self.place, game),
        }
        self.eyes.clear();
        self.telling.clear(parts.now);
        self.members.all_new();
        self.gates.clear();
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
        if self.role == Role::Member {
            self.showing.look(&self.list, &mut self.place);
        }
        self.place.others.clear();
        let others = parts.coop.figures().filter_map(|(id, figure, at)| {
            let moby = parts.game.figure_moby(figure)?;
            Some(Other { id, figure, moby, at })
        });
        self.place.others.extend(others);
    }

    /// A checked message.
    ///
    /// # Errors
    /// Why the game is given nothing of it, or not all.
    pub(crate) fn message(
        &mut self,
        message: &Message,
        came: Came,
        parts: &mut Parts,
    ) -> Result<(), Refused> {
        let from = came.sender;
        if let Message::Pose(pose) = message {
            self.members.came(pose, came.at);
            return Ok(());
        }
        if let Message::Want(_) = message {
            self.members.is_at_the_title(from);
            return Ok(());
        }
        if let Message::Level(_) = message {
            // What the one before it ended is let go, also where both come in one tick: the host may have
            // been at the title and be back.
            self.settle_role(parts);
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
            Message::Hit(_) => self.members.level(from),
            Message::Claim(claim) => Some(claim.level),
            Message::Broke(broke) => Some(broke.level),
            Message::Damage(_) => Some(self.place.level),
            Message::World(world) => Some(world.level),
            Message::Killed(killed) => Some(killed.level),
            Message::Spawn(spawn) => Some(spawn.level),
            Message::Despawn(despawn) => Some(despawn.level),
            Message::Dead(dead) => Some(dead.level),
            _ => return Ok(()),
        };
        // The level may have come with the messages before.
        self.settle_role(parts);
        if matches!(self.role, Role::Alone | Role::Waiting) || elsewhere != Some(self.place.level) {
            return Err(Refused::OtherLevel(kind));
        }
        match message {
            Message::Hit(hit) => hits::hit_came(hit, from, &self.place.around(parts)),
            Message::Claim(claim) => self.bolts.claim_came(claim, from, &self.place.around(parts)),
            Message::Broke(broke) => self.crates.broke_came(broke, from, &self.place.around(parts)),
            Message::Damage(damage) => hits::damage_came(damage, &self.place.around(parts)),
            _ => self.news_came(message, came, parts),
        }
    }

    /// The host's word on its world.
    fn news_came(
        &mut self,
        message: &Message,
        came: Came,
        parts: &mut Parts,
    ) -> Result<(), Refused> {
        let (showing, bolts, place) = (&mut self.showing, &mut self.bolts, &mut self.place);
        match message {
            Message::World(world) => {
                if let Some(at) = parts.session.server_time(came.at) {
                    return showing.world_came(world, at, bolts, place, parts);
                }
            }
            Message::Killed(killed) => showing.killed_came(killed, bolts, place, parts.game),
            Message::Spawn(spawn) => showing.spawn_came(spawn, place, parts.game),
            Message::Despawn(despawn) => {
                return showing.despawn_came(despawn, bolts, place, parts.game);
            }
            Message::Dead(dead) if dead.records != parts.game.level_records() => {
                return Err(Refused::NoMoby(Kind::Dead));
            }
            Message::Dead(dead) => showing.dead_came(dead.iter(), bolts, place, parts.game),
            _ => {}
        }
        Ok(())
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
            (Role::Waiting, Asked::Bolt { .. }) => false,
            (Role::Waiting, Asked::Hit(hit)) => !hits::is_shared(hit, around),
            (Role::Waiting, Asked::Make { kinds, .. }) => !kinds.any(crates::SHARED_DROPS),
            _ => true,
        }
    }

    /// Something happened in the game.
    pub(crate) fn happened(&mut self, happened: &Happened, parts: &mut Parts) {
        match (self.role, happened) {
            (Role::Member, &(Happened::Broke { moby, .. } | Happened::PickedUp { moby, .. })) => {
                crates::member_broke(moby, &mut self.place.around(parts));
            }
            (Role::Host, &Happened::Made { moby, kinds, maker, .. }) => {
                self.telling.made(moby, kinds, maker, &self.place.registry);
            }
            (_, &Happened::Gone { moby, .. }) => self.gone(moby, parts.now),
            _ => {}
        }
    }

    fn gone(&mut self, moby: MobyHandle, now: LocalTime) {
        if self.showing.is_removed(moby) {
            return;
        }
        let Some((id, kinds)) = self.place.registry.remove(moby) else {
            self.telling.gone_unnamed(moby);
            return;
        };
        match self.role {
            Role::Host => {
                self.telling.gone(id, kinds, now);
                if kinds.any(Kinds::BOLT) {
                    self.bolts.gone(id, true);
                }
            }
            Role::Member => self.showing.gone(id),
            Role::Waiting | Role::Alone => {}
        }
    }

    /// Whether a moby updates now, and whom it sees as the hero.
    pub(crate) fn gate(&self, moby: MobyHandle) -> Gate {
        if self.role == Role::Waiting && registry::is_shared(self.place.registry.kinds(moby)) {
            return Gate::Skip;
        }
        self.gates.of(moby)
    }

    /// Where it says what is to be answered while the mod is at work.
    pub(crate) fn standing(&self) -> Rc<Cell<Standing>> {
        Rc::clone(&self.standing)
    }

    /// Somebody left.
    pub(crate) fn left(&mut self, id: SessionId) {
        self.bolts.left(id, self.place.me);
        self.rates.forget(id);
        self.members.forget(id);
    }

    /// The party is over.
    pub(crate) fn ended(&mut self, parts: &Parts) {
        self.leave_level(parts);
        let standing = Rc::clone(&self.standing);
        standing.set(Standing::default());
        *self = Self { standing, ..Self::new() };
    }
}
