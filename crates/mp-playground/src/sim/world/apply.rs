//! What each effect does once nobody objects.

use super::{Effect, Event, Hit, How, Making, MobyId, World};
use crate::progress::{Gift, Progress};
use crate::sim::class::{Class, kind};
use crate::sim::life::{self, enemies, platforms};
use crate::sim::moby::Moby;
use crate::sim::vec3::Vec3;

impl World {
    /// Settles an effect, the game's own way or not. What it is about may be gone by now: then nothing
    /// happens.
    pub(super) fn apply(&mut self, effect: Effect, own_way: bool, progress: &mut Progress) {
        match effect {
            Effect::Make(making) if own_way => self.make_now(&making),
            Effect::Hit(hit) if own_way => self.land(&hit),
            Effect::Bolt { moby, .. } if own_way => {
                let value = self.mobys.get(moby).map_or(0, Moby::value);
                progress.add_bolts(value);
                self.bolts.taken += i64::from(value);
            }
            Effect::Take { moby } => self.take(moby, progress),
            Effect::Gone { moby, how, .. } => self.remove(moby, how),
            Effect::Make(_)
            | Effect::Made { .. }
            | Effect::Hit(_)
            | Effect::Bolt { .. }
            | Effect::Pickup { .. }
            | Effect::Broke { .. }
            | Effect::Shot(_) => {}
        }
    }

    fn make_now(&mut self, making: &Making) {
        let moby = life::born(making, self.rate);
        let value = moby.value();
        let Some(moby) = self.mobys.add(&self.level, moby) else { return };
        self.bolts.dropped += i64::from(value);
        if let Some(maker) = self.mobys.get_mut(making.maker) {
            maker.children += 1;
        }
        self.effects.list.push(Effect::Made { moby, maker: making.maker });
    }

    fn remove(&mut self, moby: MobyId, how: How) {
        let Some(gone) = self.mobys.remove(moby) else { return };
        // One that ends by itself and flies to nobody fell out of the world.
        if how == How::Own && gone.state != life::HOMING {
            self.bolts.expired += i64::from(gone.value());
        }
        if let Some(maker) = self.mobys.get_mut(gone.maker) {
            maker.children = maker.children.saturating_sub(1);
        }
    }

    /// A hit lands.
    pub(super) fn land(&mut self, hit: &Hit) {
        if hit.target == MobyId::HERO {
            self.hero.take(hit, self.rate, &mut self.events);
            return;
        }
        let Some(moby) = self.mobys.get(hit.target).filter(|moby| !moby.going).copied() else {
            return;
        };
        if moby.class.is(kind::CRATE) {
            self.break_up(moby.id, hit.attacker);
        } else if moby.class.is(kind::ENEMY) {
            self.hurt(moby, hit);
        } else if moby.class == Class::Switch {
            self.switch(&moby);
        }
    }

    fn hurt(&mut self, mut moby: Moby, hit: &Hit) {
        if moby.health <= 0.0 {
            return;
        }
        moby.health -= hit.damage.max(0.0);
        if moby.health > 0.0 {
            enemies::knock_back(&mut moby, hit.velocity, self.rate);
        } else {
            enemies::die(&mut moby, hit.velocity, self.rate);
            self.events.push_back(Event::Killed { by: hit.attacker });
            self.drop_bolts(&mut moby);
            self.drop_pickup(&mut moby);
            if moby.driven {
                // Its update, which would end it, does not run.
                self.debris(&moby);
                moby.going = true;
                self.effects.list.push(Effect::Gone {
                    moby: moby.id,
                    how: How::Other,
                    by: hit.attacker,
                });
            }
        }
        self.mobys.put(&self.level, moby);
    }

    fn switch(&mut self, switch: &Moby) {
        for index in 0..switch.params(&self.level).opens.len() {
            let key = switch.params(&self.level).opens[index];
            if let Some(opened) = self.mobys.at_mut(usize::from(key)) {
                opened.open = true;
            }
        }
        if let Some(switch) = self.mobys.get_mut(switch.id) {
            switch.open = true;
            switch.set_state(platforms::OPEN);
        }
    }

    /// Breaks a crate the game's own way: drops, debris, the end. False: it breaks already, or is none.
    pub(super) fn break_up(&mut self, id: MobyId, by: MobyId) -> bool {
        let found = self.mobys.get(id).filter(|moby| !moby.going && moby.class.is(kind::CRATE));
        let Some(mut moby) = found.copied() else { return false };
        moby.going = true;
        match moby.class {
            Class::NanotechCrate => self.drop(&mut moby, Class::Nanotech, 0.0),
            Class::AmmoCrate => self.drop(&mut moby, Class::Ammo, 0.0),
            _ => self.drop_bolts(&mut moby),
        }
        self.debris(&moby);
        self.effects.list.push(Effect::Broke { moby: id, by });
        self.effects.list.push(Effect::Gone { moby: id, how: How::Other, by });
        self.mobys.put(&self.level, moby);
        true
    }

    /// Bolts fly out all round, large ones for each ten.
    fn drop_bolts(&mut self, moby: &mut Moby) {
        let large = moby.bolts / Class::BIG_BOLT;
        let count = large + moby.bolts % Class::BIG_BOLT;
        let turn = std::f32::consts::TAU / f32::from(count.max(1));
        for index in 0..count {
            let class = if index < large { Class::BigBolt } else { Class::Bolt };
            self.drop(moby, class, turn * f32::from(index));
        }
    }

    /// One enemy in three leaves something else too.
    fn drop_pickup(&mut self, moby: &mut Moby) {
        match moby.rng.below(6) {
            0 => self.drop(moby, Class::Nanotech, 0.5),
            1 => self.drop(moby, Class::Ammo, 0.5),
            _ => {}
        }
    }

    fn drop(&mut self, moby: &mut Moby, class: Class, turn: f32) {
        let seed = moby.rng.bits();
        self.effects.list.push(Effect::Make(Making {
            class,
            position: moby.middle(),
            yaw: crate::sim::hero::wrapped(moby.rotation.z + turn + moby.rng.between(-0.3, 0.3)),
            velocity: Vec3::ZERO,
            maker: moby.id,
            seed,
        }));
    }

    pub(super) fn debris(&mut self, moby: &Moby) {
        self.effects.list.push(life::debris(moby));
    }

    /// A pickup gives what it has to give.
    fn take(&mut self, id: MobyId, progress: &Progress) {
        let Some(moby) = self.mobys.get(id).copied() else { return };
        match moby.class {
            Class::Nanotech => self.hero.heal(),
            Class::Ammo => self.hero.load(),
            _ => {
                let gives: Option<Gift> = moby.params(&self.level).gives;
                let new = gives.filter(|&gift| progress.has(gift) == Some(false));
                if let (Some(gift), Some(key)) = (new, moby.key) {
                    let position = moby.position;
                    self.events.push_back(Event::Took { key, gift, position });
                }
            }
        }
    }
}
