//! The world in the game: the step that stops to ask the mod, what happens in it that the game acts on,
//! and the calls of the interface's world group, safe and typed.
//!
//! A call that answers [`Begun`] only began what it does: the driver settles it with
//! [`StandIn::poll_ask`] and [`StandIn::answer`] until `None` before it goes back to the mod. One that is
//! refused began nothing.

use super::{Phase, Refusal, StandIn, Used};
use crate::sim::{
    Animation, Answer, Ask, Cameras, Class, Event, HeroView, Hit, Moby, MobyId, Vec3, World,
};

/// What a mod answers to an [`Ask`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reply {
    /// The game's own way: run, make, deliver, keep.
    OwnWay,
    /// The other one: skip, refuse, swallow.
    Not,
    /// Of a gate: run, and see this figure as the hero.
    StandIn(u32),
}

/// What was begun, and is to be settled before anything else.
#[must_use = "poll_ask until None"]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Begun<T>(pub T);

impl StandIn {
    /// Goes on with what was begun (a step, a call) until there is something to ask the mod, which
    /// [`Self::answer`] must answer before the next poll; `None`: it is over. Where no mod `listens`,
    /// nothing is asked.
    pub fn poll_ask(&mut self, listens: bool) -> Option<Ask> {
        let ask = self.world.as_mut()?.poll(&mut self.campaign.progress, listens);
        if ask.is_none() {
            // Only now, so that a game that was asked much and one that was not act on it alike.
            self.act_on_events();
        }
        ask
    }

    /// Answers what [`Self::poll_ask`] asked last. A stand-in that cannot be one counts as
    /// [`Reply::OwnWay`].
    ///
    /// # Errors
    /// [`Refusal::StaleFigure`], [`Refusal::NotPosed`] of the stand-in.
    pub fn answer(&mut self, reply: Reply) -> Result<(), Refusal> {
        let answer = match reply {
            Reply::OwnWay => Ok(Answer::OwnWay),
            Reply::Not => Ok(Answer::Not),
            Reply::StandIn(figure) => self.view_of(figure).map(Answer::StandIn),
        };
        if let Some(world) = &mut self.world {
            world.answer(&mut self.campaign.progress, answer.unwrap_or(Answer::OwnWay));
        }
        answer.map(|_| ())
    }

    fn view_of(&mut self, handle: u32) -> Result<HeroView, Refusal> {
        let figure = self.figures.get(handle)?.ok_or(Refusal::StaleFigure(handle))?;
        let pose = figure.pose.as_ref().ok_or(Refusal::NotPosed(handle))?;
        Ok(HeroView {
            moby: figure.moby,
            position: pose.position,
            velocity: pose.velocity,
            alive: pose.health > 0,
        })
    }

    fn act_on_events(&mut self) {
        while let Some(event) = self.world.as_mut().and_then(World::poll_event) {
            self.happen(event);
        }
    }

    fn happen(&mut self, event: Event) {
        match event {
            Event::Died => {
                // Wherever the world goes on: under a menu, at a vendor, in a moby's shot.
                self.close_menus();
                self.service = None;
                self.show = None;
                self.set_phase(Phase::Dying);
            }
            Event::CameBack => self.set_phase(Phase::Playing),
            Event::Took { key, gift, position } => {
                let level = self.level().and_then(|level| usize::try_from(level).ok());
                if let Some(memory) = level.and_then(|level| self.campaign.levels.get_mut(level)) {
                    memory.gone.insert(key);
                }
                self.took(gift, position);
            }
            Event::Killed { by } => {
                let figures = self.figures.iter();
                let killer = if by == MobyId::HERO {
                    Some(String::new())
                } else {
                    let mut figures = figures.filter(|figure| figure.moby == by);
                    figures.next().map(|figure| figure.name.clone())
                };
                if let Some(killer) = killer {
                    *self.tally.kills.entry(killer).or_default() += 1;
                }
            }
            Event::Used { key, class, .. } => {
                if let Some(used) = self.used_of(key, class) {
                    self.used(used);
                }
            }
        }
    }

    fn used_of(&self, key: Option<u16>, class: Class) -> Option<Used> {
        match class {
            Class::Vendor => Some(Used::Vendor),
            Class::HelpDesk => Some(Used::HelpDesk),
            Class::Ship => Some(Used::Ship),
            _ => {
                let placed = self.world.as_ref()?.level().mobys.get(usize::from(key?))?;
                placed.params.scene.map(Used::Person)
            }
        }
    }

    /// How many moby records the level's file has; 0 in no level.
    #[must_use]
    pub fn level_records(&self) -> u16 {
        self.world.as_ref().map_or(0, |world| world.level().records())
    }

    /// The level's live mobys, figures not among them; none in no level.
    pub fn mobys(&self) -> impl Iterator<Item = &Moby> {
        self.world.iter().flat_map(|world| world.mobys().iter())
    }

    /// Drives a moby, so that its update does not run, or lets it go.
    ///
    /// # Errors
    /// [`Refusal::StaleMoby`].
    pub fn moby_drive(&mut self, moby: MobyId, drive: bool) -> Result<(), Refusal> {
        Ok(self.world_of(moby)?.drive(moby, drive)?)
    }

    /// Poses a driven moby.
    ///
    /// # Errors
    /// [`Refusal::StaleMoby`], [`Refusal::NotDriven`], [`Refusal::NotFinite`].
    pub fn moby_pose(
        &mut self,
        moby: MobyId,
        position: Vec3,
        rotation: Vec3,
        animation: Animation,
        hidden: bool,
    ) -> Result<(), Refusal> {
        let numbers = [animation.time, animation.speed];
        finite(&[position, rotation], &numbers)?;
        Ok(self.world_of(moby)?.pose(moby, position, rotation, animation, hidden)?)
    }

    /// Begins the end of a moby, with debris or without.
    ///
    /// # Errors
    /// [`Refusal::StaleMoby`], [`Refusal::TooDeep`].
    pub fn moby_kill(&mut self, moby: MobyId, debris: bool) -> Result<Begun<()>, Refusal> {
        Ok(Begun(self.world_of(moby)?.kill(moby, debris)?))
    }

    /// Begins to break a crate the game's own way; false: it is none, or breaks already.
    ///
    /// # Errors
    /// [`Refusal::StaleMoby`], [`Refusal::TooDeep`].
    pub fn moby_break(&mut self, moby: MobyId, by: MobyId) -> Result<Begun<bool>, Refusal> {
        self.check_moby(by)?;
        Ok(Begun(self.world_of(moby)?.break_crate(moby, by)?))
    }

    /// Makes a moby; `None`: the game cannot now, or never makes that class in play.
    ///
    /// # Errors
    /// [`Refusal::NotFinite`].
    pub fn moby_make(
        &mut self,
        class: i16,
        position: Vec3,
        yaw: f32,
    ) -> Result<Option<MobyId>, Refusal> {
        finite(&[position], &[yaw])?;
        Ok(self.world.as_mut().and_then(|world| world.make(class, position, yaw)))
    }

    /// Begins a hit as if the game had dealt it; false: there is no such target.
    ///
    /// # Errors
    /// [`Refusal::StaleMoby`] of the attacker, [`Refusal::TooDeep`], [`Refusal::NotFinite`].
    pub fn hit_post(&mut self, hit: &Hit) -> Result<Begun<bool>, Refusal> {
        finite(&[hit.position, hit.velocity], &[hit.damage])?;
        self.check_moby(hit.attacker)?;
        // A figure that is gone is no target; the world does not know figures.
        let there = self.is_there(hit.target);
        let target = if there { hit.target } else { MobyId::NONE };
        let Some(world) = &mut self.world else { return Ok(Begun(false)) };
        Ok(Begun(world.hit(&Hit { target, ..*hit })?))
    }

    /// Begins a hit of the hero; its target is not looked at.
    ///
    /// # Errors
    /// As for [`Self::hit_post`].
    pub fn hero_hit(&mut self, hit: &Hit) -> Result<Begun<()>, Refusal> {
        let Begun(_) = self.hit_post(&Hit { target: MobyId::HERO, ..*hit })?;
        Ok(Begun(()))
    }

    /// Sets the points the world runs around too.
    ///
    /// # Errors
    /// [`Refusal::NotFinite`].
    pub fn eyes(&mut self, points: &[Vec3]) -> Result<(), Refusal> {
        finite(points, &[])?;
        if let Some(world) = &mut self.world {
            world.set_eyes(points);
        }
        Ok(())
    }

    /// The points the world is seen and run from; `None` in no level.
    #[must_use]
    pub fn cameras(&self) -> Option<Cameras> {
        self.world.as_ref().map(World::cameras)
    }

    /// The world, for a call about that moby.
    fn world_of(&mut self, moby: MobyId) -> Result<&mut World, Refusal> {
        self.world.as_mut().ok_or(Refusal::StaleMoby(moby.0))
    }

    /// Whether it is in the level: a moby, the hero, or a figure.
    fn is_there(&self, moby: MobyId) -> bool {
        let Some(world) = &self.world else { return false };
        if moby.is_figure() {
            self.figures.iter().any(|figure| figure.moby == moby)
        } else {
            moby == MobyId::HERO || world.mobys().get(moby).is_some()
        }
    }

    fn check_moby(&self, moby: MobyId) -> Result<(), Refusal> {
        let known = moby == MobyId::NONE || self.is_there(moby);
        if known { Ok(()) } else { Err(Refusal::StaleMoby(moby.0)) }
    }
}

fn finite(points: &[Vec3], numbers: &[f32]) -> Result<(), Refusal> {
    let all = points.iter().all(|point| point.is_finite())
        && numbers.iter().all(|number| number.is_finite());
    if all { Ok(()) } else { Err(Refusal::NotFinite) }
}
