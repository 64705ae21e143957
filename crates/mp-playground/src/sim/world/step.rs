//! The step: the hero first, then every moby by its slot.

use super::{Answer, Ask, CAMERA, Effect, HeroView, MobyId, World};
use crate::progress::Progress;
use crate::sim::class::kind;
use crate::sim::hero::Around;
use crate::sim::life::{self, Life};
use crate::sim::pad::Pad;
use crate::sim::vec3::Vec3;

/// Where a step is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Stage {
    /// No step is being made.
    Idle,
    /// The hero is next.
    Hero(Pad),
    /// The moby of that slot is next.
    Moby(usize),
    /// The mod is asked whether this one, of the slot before that, runs.
    Gate(MobyId, usize),
}

impl World {
    /// Starts a step with this pad, to be gone on with [`Self::poll`] until `None`.
    ///
    /// # Panics
    /// If the step before is not over: a mistake of the driver's.
    pub fn begin(&mut self, pad: Pad) {
        assert_eq!(self.stage, Stage::Idle, "the step before is over");
        self.run_point = self.camera();
        self.stage = Stage::Hero(pad);
    }

    /// A whole step in the game's own way.
    pub fn step(&mut self, pad: Pad, progress: &mut Progress) {
        self.begin(pad);
        self.settle(progress);
    }

    /// Goes on in the game's own way until nothing is left of what was begun.
    pub fn settle(&mut self, progress: &mut Progress) {
        while self.poll(progress, false).is_some() {}
    }

    /// Goes on until there is something to ask, which [`Self::answer`] must answer before the next poll;
    /// `None`: what was begun is over. Where nobody `listens`, nothing is asked. What the hero has is
    /// looked at, and bolts are added; other things he takes are [`Event`](super::Event)s.
    pub fn poll(&mut self, progress: &mut Progress, listens: bool) -> Option<Ask> {
        loop {
            while let Some(effect) = self.effects.take() {
                if let Some(ask) = self.ask_of(effect).filter(|_| listens) {
                    self.effects.ask(effect);
                    return Some(ask);
                }
                self.apply(effect, true, progress);
            }
            if self.effects.close() {
                return None;
            }
            match self.stage {
                Stage::Idle => return None,
                Stage::Hero(pad) => {
                    self.stage = Stage::Moby(0);
                    self.step_hero(pad, progress);
                }
                Stage::Moby(slot) if slot >= self.mobys.len() => {
                    self.tick += 1;
                    self.stage = Stage::Idle;
                    return None;
                }
                Stage::Moby(slot) => {
                    self.stage = Stage::Moby(slot + 1);
                    let Some(moby) = self.prepare(slot) else { continue };
                    if listens {
                        self.stage = Stage::Gate(moby, slot + 1);
                        return Some(Ask::Gate(moby));
                    }
                    self.update(moby, self.hero_view(), progress);
                }
                Stage::Gate(..) => panic!("a gate is answered before the next poll"),
            }
        }
    }

    /// Answers what [`Self::poll`] asked last.
    ///
    /// # Panics
    /// If nothing was asked: a mistake of the driver's.
    pub fn answer(&mut self, progress: &mut Progress, answer: Answer) {
        if let Some(effect) = self.effects.asked() {
            self.apply(effect, answer != Answer::Not, progress);
            return;
        }
        let Stage::Gate(moby, next) = self.stage else { panic!("nothing was asked") };
        self.stage = Stage::Moby(next);
        match answer {
            Answer::Not => {}
            Answer::OwnWay => self.update(moby, self.hero_view(), progress),
            Answer::StandIn(view) => self.update(moby, view, progress),
        }
    }

    fn step_hero(&mut self, pad: Pad, progress: &Progress) {
        let before = std::mem::replace(&mut self.before, pad);
        self.hero.step(&mut Around {
            pad,
            before,
            level: &self.level,
            mobys: &self.mobys,
            rate: self.rate,
            rng: &mut self.rng,
            progress,
            effects: &mut self.effects.list,
            events: &mut self.events,
            boxes: &mut self.boxes,
        });
    }

    /// Looks at the moby of a slot: how far it is, whether it is drawn, and whether its update is to
    /// run.
    fn prepare(&mut self, slot: usize) -> Option<MobyId> {
        let (run_point, eyes) = (self.run_point, &self.eyes);
        let moby = self.mobys.at_mut(slot)?;
        let traits = moby.class.traits();
        moby.distance = (moby.position - run_point).length();
        moby.ran = false;
        let far = |distance: f32, limit: f32| limit > 0.0 && distance > limit;
        moby.drawn = !moby.hidden && !far(moby.distance, traits.draw_distance);
        if moby.driven {
            moby.animate(self.rate);
            return None;
        }
        let away = |point: &Vec3| far((moby.position - *point).length(), traits.update_distance);
        let runs = !moby.going
            && traits.kinds & kind::UPDATES != 0
            && (!far(moby.distance, traits.update_distance) || eyes.iter().any(|eye| !away(eye)));
        runs.then_some(moby.id)
    }

    /// The update of a moby that sees that hero.
    fn update(&mut self, moby: MobyId, hero: HeroView, progress: &Progress) {
        // A hook may have removed or driven it since it was looked at.
        let found = self.mobys.get(moby).filter(|moby| !moby.going && !moby.driven);
        let Some(mut moby) = found.copied() else { return };
        moby.ran = true;
        let mut life = Life {
            level: &self.level,
            mobys: &self.mobys,
            rate: self.rate,
            hero,
            progress,
            effects: &mut self.effects.list,
            boxes: &mut self.boxes,
        };
        life::update(&mut moby, &mut life);
        moby.animate(self.rate);
        self.mobys.put(&self.level, moby);
    }

    fn hero_view(&self) -> HeroView {
        HeroView {
            moby: MobyId::HERO,
            position: self.hero.position(),
            velocity: self.hero.velocity(),
            alive: self.hero.health() > 0,
        }
    }

    pub(super) fn camera(&self) -> Vec3 {
        self.hero.position() + CAMERA
    }

    /// What there is to ask about an effect; `None`: nobody is asked, or what it is about is gone.
    fn ask_of(&self, effect: Effect) -> Option<Ask> {
        let there = |moby| self.mobys.get(moby);
        match effect {
            Effect::Make(making) => Some(Ask::Make(making)),
            Effect::Made { moby, maker } => {
                there(moby).map(|made| Ask::Made { moby, class: made.class, maker })
            }
            Effect::Hit(hit) => self.is_there(hit.target).then_some(Ask::Hit(hit)),
            Effect::Bolt { moby, collector } => {
                there(moby).map(|bolt| Ask::Bolt { moby, collector, value: bolt.value() })
            }
            Effect::Take { .. } => None,
            Effect::Pickup { moby, by } => there(moby).map(|_| Ask::Pickup { moby, by }),
            Effect::Broke { moby, by } => there(moby).map(|_| Ask::Broke { moby, by }),
            Effect::Gone { moby, how, by } => there(moby).map(|_| Ask::Gone { moby, how, by }),
            Effect::Shot(shot) => Some(Ask::Shot(shot)),
        }
    }

    /// Whether that one can be the target or the author of something: a moby that is there, the hero,
    /// or a figure, which the world does not keep.
    pub(super) fn is_there(&self, moby: MobyId) -> bool {
        moby == MobyId::HERO || moby.is_figure() || self.mobys.get(moby).is_some()
    }
}
