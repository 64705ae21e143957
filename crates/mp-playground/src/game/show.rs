//! Scenes and movies: what plays, how it is skipped, and where the game goes on after it.

use std::sync::Arc;

use super::{ModCall, Phase, StandIn};
use crate::scenes::{Own, SceneView, Script};
use crate::sim::{Digest, TickRate, Vec3};

/// What kind of scene plays; the number is the mod interface's (`OPENRAC_SCENE_*`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum SceneKind {
    /// A scene of the level's own. The world stands still.
    Level = 0,
    /// The game's own around it: landing and take-off. The world stands still.
    Own = 1,
    /// A movie, between two levels.
    Movie = 2,
    /// A shot of a moby, such as a gold bolt's. The world goes on, and Start does not skip it.
    Camera = 3,
}

/// What a skip ends; the number is the mod interface's (`OPENRAC_SKIP_*`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Skip {
    /// A scene of the game's own.
    Own = 0,
    /// The level's scene of a number.
    Level = 1,
    /// A movie.
    Movie = 2,
}

/// The scene or movie that plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SceneNow {
    /// The level's number of it, if it is one of the level's own.
    pub number: Option<i32>,
    /// What kind it is.
    pub kind: SceneKind,
    /// How long it plays, in milliseconds.
    pub elapsed_ms: u32,
}

/// Where the game goes on after a scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Then {
    /// In the level.
    Play,
    /// On the way to that planet.
    Fly(i32),
    /// Where it arrives.
    Load,
}

/// A scene or movie being played.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Show {
    pub(super) kind: SceneKind,
    script: Arc<Script>,
    /// Where the script's origin is.
    origin: Vec3,
    ticks: u32,
    skipped: bool,
    /// It was never seen before: a moment of the story, at whose end the game saves by itself.
    is_new: bool,
    then: Then,
}

impl Show {
    fn new(kind: SceneKind, script: Script, origin: Vec3, then: Then) -> Self {
        Self {
            kind,
            script: Arc::new(script),
            origin,
            ticks: 0,
            skipped: false,
            is_new: false,
            then,
        }
    }

    pub(super) fn own(own: Own, origin: Vec3, then: Then) -> Self {
        let kind = match own {
            Own::Landing | Own::TakeOff => SceneKind::Own,
            Own::GoldBolt => SceneKind::Camera,
            Own::Movie => SceneKind::Movie,
        };
        Self::new(kind, Script::own(own), origin, then)
    }

    fn of_level(script: Script, is_new: bool) -> Self {
        Self { is_new, ..Self::new(SceneKind::Level, script, Vec3::ZERO, Then::Play) }
    }

    fn now(&self, rate: TickRate) -> SceneNow {
        SceneNow {
            number: (self.kind == SceneKind::Level).then_some(self.script.number),
            kind: self.kind,
            elapsed_ms: self.ticks.saturating_mul(1_000) / u32::from(rate.per_second()),
        }
    }

    /// What would skip it; nothing skips a camera's shot.
    const fn skip(&self) -> Option<Skip> {
        match self.kind {
            SceneKind::Level => Some(Skip::Level),
            SceneKind::Own => Some(Skip::Own),
            SceneKind::Movie => Some(Skip::Movie),
            SceneKind::Camera => None,
        }
    }

    fn seconds(&self, rate: TickRate) -> f32 {
        f32::from(u16::try_from(self.ticks).unwrap_or(u16::MAX)) * rate.seconds()
    }

    pub(super) fn view(&self, rate: TickRate) -> SceneView {
        self.script.view(self.seconds(rate), self.origin)
    }

    pub(super) fn digest(&self, digest: &mut Digest) {
        digest.byte(self.kind as u8).word(u64::from(self.script.number.cast_unsigned()));
        digest.word(u64::from(self.ticks)).byte(u8::from(self.skipped));
    }
}

impl StandIn {
    /// The scene or movie that plays.
    #[must_use]
    pub fn scene(&self) -> Option<SceneNow> {
        self.show.as_ref().map(|show| show.now(self.rate))
    }

    /// How it looks now, for the picture.
    #[must_use]
    pub fn scene_view(&self) -> Option<SceneView> {
        self.show.as_ref().map(|show| show.view(self.rate))
    }

    /// Starts a scene of this level's own from its start; false: no such scene, or not now.
    pub fn play_scene(&mut self, number: i32) -> bool {
        let may = self.phase == Phase::Playing && self.asked.is_none();
        let Some(level) = self.level().filter(|_| may) else { return false };
        let Some(script) = Script::find(level, number) else { return false };
        self.begin_level_scene(script);
        true
    }

    /// Ends what plays, if it is that; the number is looked at of a level's scene only.
    pub fn scene_skip(&mut self, what: Skip, number: i32) {
        if let Some(show) = &mut self.show
            && show.skip() == Some(what)
            && (what != Skip::Level || show.script.number == number)
        {
            show.skipped = true;
        }
    }

    pub(super) fn begin(&mut self, show: Show) {
        self.close_menus();
        self.service = None;
        self.set_phase(if show.kind == SceneKind::Movie { Phase::Movie } else { Phase::Scene });
        self.show = Some(show);
    }

    /// Goes on in the level: with its intro, if the hero was never here.
    pub(super) fn enter_level(&mut self) {
        let level = self.level();
        match level.and_then(Script::intro).filter(|intro| !self.was_seen(intro.number)) {
            Some(intro) => self.begin_level_scene(intro),
            None => self.set_phase(Phase::Playing),
        }
    }

    /// Start in a scene: it is skipped, unless a mod has something against it.
    pub(super) fn ask_to_skip(&mut self) {
        let Some((show, what)) = self.show.as_ref().and_then(|show| Some((show, show.skip()?)))
        else {
            return;
        };
        let scene = show.now(self.rate).number;
        self.asked = Some(super::Asked::Skip);
        self.calls.push_back(ModCall::OnSkip { what, scene });
    }

    /// Start skips what plays.
    pub(super) fn skip(&mut self) {
        if let Some(show) = &mut self.show {
            show.skipped = true;
        }
    }

    /// One tick of what plays.
    pub(super) fn step_show(&mut self) {
        let Some(show) = &mut self.show else { return };
        show.ticks += 1;
        let over = show.skipped || show.seconds(self.rate) >= show.script.seconds;
        if show.kind == SceneKind::Camera {
            self.step_world();
        }
        if let Some(show) = self.show.take_if(|_| over) {
            self.end(&show);
        }
    }

    fn end(&mut self, show: &Show) {
        match show.then {
            Then::Play => self.enter_level(),
            Then::Fly(level) => self.fly(level),
            Then::Load => self.set_phase(Phase::Loading),
        }
        if show.kind == SceneKind::Level {
            let given = show.script.gives.iter().filter(|&&gift| self.give(gift)).count();
            if show.is_new || given > 0 {
                self.save_by_itself();
            }
        }
    }

    fn begin_level_scene(&mut self, script: Script) {
        let is_new = !self.was_seen(script.number);
        if let Some(seen) = self.seen_scenes() {
            *seen |= 1 << script.number;
        }
        self.begin(Show::of_level(script, is_new));
    }

    fn was_seen(&mut self, number: i32) -> bool {
        self.seen_scenes().is_some_and(|seen| *seen >> number & 1 == 1)
    }

    /// The scenes that were seen in this level, a bit each.
    fn seen_scenes(&mut self) -> Option<&mut u32> {
        let level = usize::try_from(self.level()?).ok()?;
        self.campaign.levels.get_mut(level).map(|level| &mut level.seen)
    }
}
