//! The mobys of a level being played: a table of slots, the placed ones first, each at its key. A handle
//! names a slot and how often it was used, so that the handle of one that is gone is known to be stale.

use super::class::{Class, kind};
use super::collision::Aabb;
use super::digest::Digest;
use super::level::{Level, Params};
use super::pose::Animation;
use super::rate::TickRate;
use super::rng::Rng;
use super::vec3::Vec3;

/// A moby's handle; 0 for none. [`MobyId::HERO`] is the hero's, [`MobyId::figure`]'s are figures'.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MobyId(pub u32);

/// How many bits of a handle are the slot, counted from 1.
const SLOT_BITS: u32 = 11;
/// How many mobys a level has at most, placed and made.
pub const MOBYS: usize = 1_024;
/// Handles from here on are figures'.
const FIGURES: u32 = 0x8000_0000;
/// Uses of a slot that handles tell apart.
const USES: u32 = FIGURES >> SLOT_BITS;

impl MobyId {
    /// None.
    pub const NONE: Self = Self(0);
    /// The hero's, in every level. No slot is as high.
    pub const HERO: Self = Self((1 << SLOT_BITS) - 1);

    /// The figure's of that number.
    #[must_use]
    pub const fn figure(number: u32) -> Self {
        Self(FIGURES | number)
    }

    /// Whether it is a figure's.
    #[must_use]
    pub const fn is_figure(self) -> bool {
        self.0 & FIGURES != 0
    }

    const fn of(slot: usize, uses: u32) -> Self {
        #[allow(clippy::cast_possible_truncation)] // below MOBYS
        let slot = slot as u32 + 1;
        Self((uses % USES) << SLOT_BITS | slot)
    }

    /// The slot it names, if it is no figure's and not the hero's.
    const fn slot(self) -> Option<usize> {
        let slot = (self.0 & ((1 << SLOT_BITS) - 1)) as usize;
        if self.is_figure() || slot == 0 || slot > MOBYS { None } else { Some(slot - 1) }
    }
}

/// A moby's animations play at so many frames a second, unless a mod drives it.
const FRAMES_A_SECOND: f32 = 30.0;

/// One moby.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moby {
    /// Its handle.
    pub id: MobyId,
    /// Its record in the level's file, unless it was made in play.
    pub key: Option<u16>,
    /// Its class.
    pub class: Class,
    /// The middle of its foot.
    pub position: Vec3,
    /// In radians within ±π; z is where it looks, from east.
    pub rotation: Vec3,
    /// Units a second.
    pub velocity: Vec3,
    /// Half its size along x and y, and its height.
    pub size: Vec3,
    /// Where its animation stands; the sequence is its state.
    pub animation: Animation,
    /// What is left of it.
    pub health: f32,
    /// What it does; the numbers are its class's.
    pub state: i16,
    /// Not to be seen.
    pub hidden: bool,
    /// A mod poses it: its update does not run.
    pub driven: bool,
    /// Its update ran in the newest tick.
    pub ran: bool,
    /// It was drawn in the newest tick.
    pub drawn: bool,
    /// From the point the run list was measured from, in units.
    pub distance: f32,
    /// It goes as soon as everyone was told: nothing happens to it any more.
    pub(super) going: bool,
    /// A switch set it going, or it was set off otherwise.
    pub(super) open: bool,
    /// It stands on something.
    pub(super) grounded: bool,
    /// Ticks until its state changes.
    pub(super) timer: u16,
    /// What it drops when it breaks or dies, in bolts.
    pub(super) bolts: u16,
    /// How many it made that are there.
    pub(super) children: u16,
    /// Who made it.
    pub(super) maker: MobyId,
    /// How far a platform is on its way, 0 to 1.
    pub(super) share: f32,
    /// Where it was placed or made.
    pub(super) home: Vec3,
    /// Its own chance: what others do does not change it.
    pub(super) rng: Rng,
}

impl Moby {
    /// One of that class there, with handle and key still to be given.
    pub(super) fn new(
        class: Class,
        position: Vec3,
        yaw: f32,
        size: Vec3,
        seed: u64,
        rate: TickRate,
    ) -> Self {
        Self {
            id: MobyId::NONE,
            key: None,
            class,
            position,
            rotation: Vec3::new(0.0, 0.0, yaw),
            velocity: Vec3::ZERO,
            size: Vec3::new(0.5 * size.x, 0.5 * size.y, size.z),
            animation: Animation {
                next_frame: 1,
                speed: FRAMES_A_SECOND * rate.seconds(),
                ..Animation::default()
            },
            health: class.traits().health,
            state: 0,
            hidden: false,
            driven: false,
            ran: false,
            drawn: false,
            distance: 0.0,
            going: false,
            open: false,
            grounded: true,
            timer: 0,
            bolts: 0,
            children: 0,
            maker: MobyId::NONE,
            share: 0.0,
            home: position,
            rng: Rng::new(seed),
        }
    }

    /// What it is, as [`kind`] bits.
    #[must_use]
    pub const fn kinds(&self) -> u32 {
        self.class.traits().kinds | if self.key.is_some() { kind::PLACED } else { 0 }
    }

    /// A bolt's value, in bolts; 0 for anything else.
    #[must_use]
    pub const fn value(&self) -> i32 {
        self.class.traits().value
    }

    /// The box it takes up.
    #[must_use]
    pub fn bounds(&self) -> Aabb {
        let half = Vec3::new(self.size.x, self.size.y, 0.0);
        Aabb { low: self.position - half, high: self.position + half + Vec3::UP * self.size.z }
    }

    /// The middle of its body.
    pub(super) fn middle(&self) -> Vec3 {
        self.position + Vec3::UP * (0.5 * self.size.z)
    }

    /// A tick of its animation, which has so many frames, again and again.
    pub(super) fn animate(&mut self, rate: TickRate) {
        const FRAMES: u8 = 24;
        if !self.driven {
            self.animation.speed = FRAMES_A_SECOND * rate.seconds();
        }
        self.animation.advance(FRAMES, true);
    }

    /// Goes over to a state, its animation from the start.
    pub(super) fn set_state(&mut self, state: i16) {
        if self.state != state {
            self.state = state;
            let sequence = u8::try_from(state).unwrap_or(u8::MAX);
            self.animation = Animation {
                sequence,
                next_frame: 1,
                speed: self.animation.speed,
                ..Animation::default()
            };
        }
    }

    /// What the level's file says of it.
    pub(super) fn params<'a>(&self, level: &'a Level) -> &'a Params {
        static NONE: Params = Params::NONE;
        self.key.map_or(&NONE, |key| &level.mobys[usize::from(key)].params)
    }

    fn digest(&self, digest: &mut Digest) {
        digest.word(u64::from(self.id.0) << 16 | u64::from(self.class as u16));
        for v in [self.position, self.rotation, self.velocity] {
            digest.floats(v.x, v.y).float(v.z);
        }
        digest.floats(self.animation.time, self.health).floats(self.share, self.home.z);
        digest.word(
            u64::from(self.animation.frame) << 48
                | u64::from(self.state.cast_unsigned()) << 32
                | u64::from(self.timer) << 16
                | u64::from(self.children),
        );
        let flags = [self.hidden, self.driven, self.ran, self.drawn, self.open, self.grounded];
        let bits = flags.into_iter().fold(0, |bits, flag| bits << 1 | u64::from(flag));
        digest.word(bits).word(self.rng.state());
    }
}

/// No slot.
const NONE: u16 = u16::MAX;

/// All the mobys of a level.
#[derive(Clone, Debug, PartialEq)]
pub struct Mobys {
    slots: Vec<Option<Moby>>,
    /// How often each slot was used before.
    uses: Vec<u32>,
    placed: usize,
    /// Small solid mobys by the level's cells: the first of each cell, then the next one of each slot.
    heads: Vec<u16>,
    next: Vec<u16>,
    /// The cell each slot is listed in; `u32::MAX`: none.
    cells: Vec<u32>,
    /// The slots of platforms, which are larger than cells.
    platforms: Vec<u16>,
}

/// Half the width of the widest moby that is no platform.
const SMALL: f32 = 1.5;

impl Mobys {
    /// The level's own, but for the records that are gone.
    pub(super) fn of(level: &Level, seed: u64, rate: TickRate, gone: impl Fn(u16) -> bool) -> Self {
        let mut mobys = Self {
            slots: Vec::with_capacity(MOBYS),
            // From 1, so that no handle is as small as a number a mod made up.
            uses: vec![1; MOBYS],
            placed: level.mobys.len(),
            heads: vec![NONE; level.grid().cells()],
            next: vec![NONE; MOBYS],
            cells: vec![u32::MAX; MOBYS],
            platforms: Vec::new(),
        };
        mobys.slots.resize(level.mobys.len(), None);
        let mut seeds = Rng::new(seed);
        for (key, placed) in (0_u16..).zip(&level.mobys) {
            let seed = seeds.bits();
            if gone(key) {
                continue;
            }
            let size = placed.params.size;
            let mut moby = Moby::new(placed.class, placed.position, placed.yaw, size, seed, rate);
            moby.key = Some(key);
            moby.bolts = placed.params.bolts;
            if placed.class.is(kind::BOLT | kind::PICKUP) {
                moby.state = super::life::LANDED;
            }
            mobys.put_in(level, usize::from(key), moby);
        }
        mobys
    }

    /// Adds one made in play; `None`: there is no room.
    pub(super) fn add(&mut self, level: &Level, moby: Moby) -> Option<MobyId> {
        let free = self.slots.iter().skip(self.placed).position(Option::is_none);
        let slot = free.map_or(self.slots.len(), |free| self.placed + free);
        if slot >= MOBYS {
            return None;
        }
        if slot == self.slots.len() {
            self.slots.push(None);
        }
        Some(self.put_in(level, slot, moby))
    }

    fn put_in(&mut self, level: &Level, slot: usize, mut moby: Moby) -> MobyId {
        moby.id = MobyId::of(slot, self.uses[slot]);
        self.slots[slot] = Some(moby);
        if moby.class.is(kind::PLATFORM) {
            self.platforms.push(number(slot));
        }
        self.list(level, slot);
        moby.id
    }

    /// Takes one out; its handle is stale from now on.
    pub(super) fn remove(&mut self, id: MobyId) -> Option<Moby> {
        let slot = self.slot_of(id)?;
        self.unlist(slot);
        self.platforms.retain(|&platform| usize::from(platform) != slot);
        self.uses[slot] += 1;
        self.slots[slot].take()
    }

    /// The moby of that handle, if it is there.
    #[must_use]
    pub fn get(&self, id: MobyId) -> Option<&Moby> {
        self.slots[self.slot_of(id)?].as_ref()
    }

    pub(super) fn get_mut(&mut self, id: MobyId) -> Option<&mut Moby> {
        let slot = self.slot_of(id)?;
        self.slots[slot].as_mut()
    }

    /// The moby of that record, if it is there.
    #[must_use]
    pub fn placed(&self, key: u16) -> Option<&Moby> {
        self.slots.get(usize::from(key)).filter(|_| usize::from(key) < self.placed)?.as_ref()
    }

    /// How many slots there are, empty ones too.
    pub(super) const fn len(&self) -> usize {
        self.slots.len()
    }

    pub(super) fn at(&self, slot: usize) -> Option<&Moby> {
        self.slots.get(slot)?.as_ref()
    }

    pub(super) fn at_mut(&mut self, slot: usize) -> Option<&mut Moby> {
        self.slots.get_mut(slot)?.as_mut()
    }

    /// Puts back one that was taken out as a copy, if it is still there, and lists it where it is now.
    pub(super) fn put(&mut self, level: &Level, moby: Moby) {
        let Some(slot) = self.slot_of(moby.id) else { return };
        self.slots[slot] = Some(moby);
        self.list(level, slot);
    }

    /// Those that are there, by their slots.
    pub fn iter(&self) -> impl Iterator<Item = &Moby> {
        self.slots.iter().flatten()
    }

    /// The platforms that are there.
    pub(super) fn platforms(&self) -> impl Iterator<Item = &Moby> {
        self.platforms.iter().filter_map(|&slot| self.at(usize::from(slot)))
    }

    fn slot_of(&self, id: MobyId) -> Option<usize> {
        let slot = id.slot()?;
        let moby = self.slots.get(slot)?.as_ref()?;
        (moby.id == id).then_some(slot)
    }

    /// Adds the boxes of solid mobys that meet `reach` to `boxes`, but not the one of `but`.
    pub(super) fn boxes(&self, level: &Level, reach: &Aabb, but: MobyId, boxes: &mut Vec<Aabb>) {
        let margin = Vec3::new(SMALL, SMALL, 0.0);
        for cell in level.grid().rows_near(reach.low - margin, reach.high + margin).flatten() {
            let mut slot = self.heads[cell];
            while let Some(moby) = self.at(usize::from(slot)) {
                let bounds = moby.bounds();
                if moby.id != but && !moby.going && bounds.meets(reach) {
                    boxes.push(bounds);
                }
                slot = self.next[usize::from(slot)];
            }
        }
        let platforms = self.platforms().filter(|moby| moby.id != but && !moby.going);
        boxes.extend(platforms.map(Moby::bounds).filter(|bounds| bounds.meets(reach)));
    }

    /// Lists a small solid moby in the cell it is in.
    fn list(&mut self, level: &Level, slot: usize) {
        let Some(moby) = &self.slots[slot] else { return };
        if !moby.class.traits().solid || moby.class.is(kind::PLATFORM) {
            return;
        }
        let cell = level.grid().cell_of(moby.position);
        let listed = u32::try_from(cell).expect("a level is small");
        if self.cells[slot] != listed {
            self.unlist(slot);
            self.cells[slot] = listed;
            self.next[slot] = std::mem::replace(&mut self.heads[cell], number(slot));
        }
    }

    fn unlist(&mut self, slot: usize) {
        let cell = std::mem::replace(&mut self.cells[slot], u32::MAX);
        let Some(head) = self.heads.get_mut(cell as usize) else { return };
        let after = std::mem::replace(&mut self.next[slot], NONE);
        if usize::from(*head) == slot {
            *head = after;
            return;
        }
        let mut at = usize::from(*head);
        while usize::from(self.next[at]) != slot {
            at = usize::from(self.next[at]);
        }
        self.next[at] = after;
    }

    #[cfg(test)]
    pub(super) fn room(&self) -> usize {
        self.slots.capacity() + self.platforms.capacity()
    }

    pub(super) fn digest(&self, digest: &mut Digest) {
        self.iter().for_each(|moby| moby.digest(digest));
    }
}

fn number(slot: usize) -> u16 {
    u16::try_from(slot).expect("a slot is below MOBYS")
}
