//! The fake game's level: a few mobys that go where they are told, and what the mod did with them.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroU32;
use std::rc::Rc;

use mp_protocol::game::MobyKey;

use crate::game::{
    Animation, Cameras, Figure, Give, Hit, Kill, Kinds, Moby, MobyHandle, MobyPose, Progress,
};
use crate::hooks::{Asked, Standing};

/// Figures' mobys are numbered from here.
const FIGURE_MOBYS: u32 = 1_000_000;

/// See the module. What a test sets comes first, then what the mod did, in order.
#[derive(Default)]
pub(crate) struct FakeWorld {
    pub(crate) mobys: RefCell<Vec<Moby>>,
    pub(crate) records: Cell<u16>,
    pub(crate) progress: RefCell<Progress>,
    /// moby_break breaks nothing.
    pub(crate) unbreakable: Cell<bool>,
    /// What the mod says is to be answered while it is at work. A crate that it breaks drops a bolt if that
    /// may be.
    pub(crate) standing: RefCell<Option<Rc<Cell<Standing>>>>,
    /// Bolts that crates dropped.
    pub(crate) dropped: Cell<usize>,
    /// moby_make answers none.
    pub(crate) full: Cell<bool>,
    pub(crate) driven: RefCell<BTreeSet<MobyHandle>>,
    pub(crate) posed: RefCell<BTreeMap<MobyHandle, (MobyPose, bool)>>,
    pub(crate) killed: RefCell<Vec<(MobyHandle, Kill)>>,
    /// What the mod is still to be told of: mobys that its own calls removed.
    pub(crate) gone: RefCell<Vec<MobyHandle>>,
    pub(crate) broken: RefCell<Vec<(MobyHandle, Option<MobyHandle>)>>,
    pub(crate) made: RefCell<Vec<MobyHandle>>,
    pub(crate) posted: RefCell<Vec<Hit>>,
    pub(crate) hero_hits: RefCell<Vec<Hit>>,
    pub(crate) eyes: RefCell<Vec<[f32; 3]>>,
    pub(crate) bolts: Cell<i32>,
    pub(crate) given: RefCell<Vec<Give>>,
    newest: Cell<u32>,
}

impl FakeWorld {
    /// Puts a moby in the level: with a key one of the level's file, without one made in play.
    pub(crate) fn put(&self, key: Option<u16>, kinds: Kinds, position: [f32; 3]) -> MobyHandle {
        let placed = if key.is_some() { Kinds::PLACED } else { Kinds::default() };
        let key = key.map(|key| MobyKey::new(key).expect("a test's key"));
        self.records.set(self.records.get().max(key.map_or(0, |key| key.get() + 1)));
        let handle = self.next_handle();
        self.mobys.borrow_mut().push(Moby {
            handle,
            key,
            class: 500,
            kinds: kinds | placed,
            pose: MobyPose { position, rotation: [0.0; 3], animation: Animation::default() },
            health: 10.0,
            value: 0,
            state: 0,
            hidden: false,
            ran: true,
            drawn: true,
            distance: 0.0,
            update_distance: 0.0,
            draw_distance: 0.0,
        });
        handle
    }

    /// A moby as it is now.
    pub(crate) fn moby(&self, handle: MobyHandle) -> Option<Moby> {
        self.mobys.borrow().iter().find(|moby| moby.handle == handle).copied()
    }

    /// Changes a moby.
    pub(crate) fn change(&self, handle: MobyHandle, change: impl FnOnce(&mut Moby)) {
        let mut mobys = self.mobys.borrow_mut();
        change(mobys.iter_mut().find(|moby| moby.handle == handle).expect("a moby of this level"));
    }

    /// Removes a moby; false if it was gone.
    pub(crate) fn remove(&self, handle: MobyHandle) -> bool {
        let mut mobys = self.mobys.borrow_mut();
        let before = mobys.len();
        mobys.retain(|moby| moby.handle != handle);
        self.driven.borrow_mut().remove(&handle);
        self.posed.borrow_mut().remove(&handle);
        mobys.len() < before
    }

    /// What a level's end takes with it.
    pub(crate) fn clear(&self) {
        self.mobys.borrow_mut().clear();
        self.records.set(0);
        self.driven.borrow_mut().clear();
        self.posed.borrow_mut().clear();
        self.eyes.borrow_mut().clear();
    }

    pub(crate) fn figure_moby(figure: Figure) -> MobyHandle {
        MobyHandle(figure.0.checked_add(FIGURE_MOBYS).expect("few figures"))
    }

    pub(crate) fn drive(&self, moby: MobyHandle, drive: bool) {
        if self.moby(moby).is_some() && drive {
            self.driven.borrow_mut().insert(moby);
        } else {
            self.driven.borrow_mut().remove(&moby);
        }
    }

    pub(crate) fn pose(&self, moby: MobyHandle, pose: &MobyPose, hidden: bool) {
        if !self.driven.borrow().contains(&moby) {
            return;
        }
        self.posed.borrow_mut().insert(moby, (*pose, hidden));
        self.change(moby, |moby| (moby.pose, moby.hidden) = (*pose, hidden));
    }

    pub(crate) fn kill(&self, moby: MobyHandle, how: Kill) {
        if self.remove(moby) {
            self.gone.borrow_mut().push(moby);
            self.killed.borrow_mut().push((moby, how));
        }
    }

    pub(crate) fn break_crate(&self, moby: MobyHandle, by: Option<MobyHandle>) -> bool {
        let is_crate = !self.unbreakable.get()
            && self.moby(moby).is_some_and(|moby| moby.kinds.any(Kinds::CRATE));
        if is_crate && self.remove(moby) {
            self.gone.borrow_mut().push(moby);
            self.broken.borrow_mut().push((moby, by));
            let (kinds, position) = (Kinds::BOLT | Kinds::UPDATES, [0.0; 3]);
            let drop = Asked::Make { class: 600, kinds, maker: Some(moby), position };
            let standing = self.standing.borrow().as_ref().map(|standing| standing.get());
            let drops = standing.is_some_and(|standing| standing.allows(&drop));
            self.dropped.set(self.dropped.get() + usize::from(drops));
        }
        is_crate
    }

    pub(crate) fn make(&self, class: i16, position: [f32; 3], yaw: f32) -> Option<MobyHandle> {
        if self.full.get() {
            return None;
        }
        let handle = self.put(None, Kinds::default(), position);
        self.change(handle, |moby| {
            moby.class = class;
            moby.pose.rotation[2] = yaw;
        });
        self.made.borrow_mut().push(handle);
        Some(handle)
    }

    pub(crate) fn post(&self, hit: &Hit) -> bool {
        let there = hit.target.is_some_and(|target| self.moby(target).is_some());
        if there {
            self.posted.borrow_mut().push(*hit);
        }
        there
    }

    pub(crate) fn cameras() -> Cameras {
        Cameras { mods: [0.0; 3], run_list: [0.0; 3], pause_menu: [0.0; 3] }
    }

    pub(crate) fn give(&self, what: Give) {
        let mut progress = self.progress.borrow_mut();
        let had = match what {
            Give::Item(at) => progress.items.get_mut(usize::from(at)),
            Give::GoldBolt(at) => progress.gold_bolts.get_mut(usize::from(at)),
            Give::Planet(at) => progress.planets.get_mut(usize::from(at)),
        };
        if had.is_some_and(|had| !std::mem::replace(had, true)) {
            self.given.borrow_mut().push(what);
        }
    }

    fn next_handle(&self) -> MobyHandle {
        self.newest.set(self.newest.get() + 1);
        MobyHandle(NonZeroU32::new(self.newest.get()).expect("counted up from 0"))
    }
}
