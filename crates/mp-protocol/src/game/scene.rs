//! Where the host plays, and the scenes everyone sees together.

use super::{Level, PlayId};
use crate::error::{Malformed, out_of_range};
use crate::id::SessionId;
use crate::wire::{Fields, Reader, Writer};

/// LEVEL: where the host plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HostLevel {
    /// Which of its games.
    pub play: PlayId,
    /// Where in it; [`Level::NONE`] in no level.
    pub level: Level,
    /// Whether it plays a scene.
    pub scene: bool,
    /// Its last ship travel. `None` (before 0.5): none is known.
    pub travel: Option<Travel>,
}

/// A flight of the host's ship.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Travel {
    /// Its number: a new one each flight.
    pub number: u16,
    /// Where to.
    pub dest: Level,
    /// Whether the party still arrives there.
    pub arriving: bool,
}

impl Fields<'_> for HostLevel {
    fn read(r: &mut Reader<'_>) -> Result<Self, Malformed> {
        let play = PlayId(r.i32("LEVEL play")?);
        let level = Level::read_i32("LEVEL level", r)?;
        let scene = r.bool("LEVEL scene")?;
        let travel = if r.is_empty() {
            None
        } else {
            Some(Travel {
                number: r.u16("LEVEL travel")?,
                dest: Level::read_i32("LEVEL dest", r)?,
                arriving: r.bool("LEVEL arriving")?,
            })
        };
        Ok(Self { play, level, scene, travel })
    }

    fn write(&self, w: &mut Writer<'_>) -> Result<(), Malformed> {
        w.i32(self.play.0);
        self.level.write_i32(w);
        w.bool(self.scene);
        if let Some(travel) = self.travel {
            w.u16(travel.number);
            travel.dest.write_i32(w);
            w.bool(travel.arriving);
        }
        Ok(())
    }
}

/// SKIP: the host's Start in a scene or a movie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Skip {
    /// Who pressed it.
    pub origin: SessionId,
    /// What it skips. `None` (before 0.5): nothing.
    pub target: Option<SkipTarget>,
}

/// What a [`Skip`] skips, and no other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SkipTarget {
    /// The skip's number: a new one each press.
    pub sequence: u16,
    /// In which of the host's games.
    pub play: PlayId,
    /// What kind of thing.
    pub what: SkipWhat,
    /// The host's scene, by its SCENE's sequence; 0 for anything else.
    pub scene: u16,
}

/// What kind of thing is skipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum SkipWhat {
    /// A scene of the game's own.
    GameScene = 0,
    /// The host's scene, which SCENE names.
    HostScene = 1,
    /// A movie.
    Movie = 2,
}

impl Fields<'_> for Skip {
    fn read(r: &mut Reader<'_>) -> Result<Self, Malformed> {
        let origin = r.session("SKIP origin")?;
        let target = if r.is_empty() { None } else { Some(SkipTarget::read(r)?) };
        Ok(Self { origin, target })
    }

    fn write(&self, w: &mut Writer<'_>) -> Result<(), Malformed> {
        w.session("SKIP origin", self.origin)?;
        self.target.iter().try_for_each(|target| target.write(w))
    }
}

impl Fields<'_> for SkipTarget {
    fn read(r: &mut Reader<'_>) -> Result<Self, Malformed> {
        Ok(Self {
            sequence: r.u16("SKIP sequence")?,
            play: PlayId(r.i32("SKIP play")?),
            what: match r.u8("SKIP what")? {
                0 => SkipWhat::GameScene,
                1 => SkipWhat::HostScene,
                2 => SkipWhat::Movie,
                what => return Err(out_of_range("SKIP what", what)),
            },
            scene: r.u16("SKIP scene")?,
        })
    }

    fn write(&self, w: &mut Writer<'_>) -> Result<(), Malformed> {
        w.u16(self.sequence);
        w.i32(self.play.0);
        w.u8(self.what as u8);
        w.u16(self.scene);
        Ok(())
    }
}

/// SCENE: a scene of the level that the host's game plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scene {
    /// In which of its games.
    pub play: PlayId,
    /// In which level.
    pub level: Level,
    /// The level's number of it; `None`: it is over.
    pub scene: Option<u32>,
    /// A new number each start.
    pub sequence: u16,
    /// How long it has played, in milliseconds.
    pub elapsed_ms: u32,
}

impl Fields<'_> for Scene {
    fn read(r: &mut Reader<'_>) -> Result<Self, Malformed> {
        Ok(Self {
            play: PlayId(r.i32("SCENE play")?),
            level: Level::read_i32("SCENE level", r)?,
            scene: r.optional_i32("SCENE scene")?,
            sequence: r.u16("SCENE sequence")?,
            elapsed_ms: r.count_i32("SCENE elapsed")?,
        })
    }

    fn write(&self, w: &mut Writer<'_>) -> Result<(), Malformed> {
        w.i32(self.play.0);
        self.level.write_i32(w);
        w.optional_i32("SCENE scene", self.scene)?;
        w.u16(self.sequence);
        w.count_i32("SCENE elapsed", self.elapsed_ms)
    }
}

/// SCENE_STATE: where a member is with the host's scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SceneState {
    /// In which of the host's games.
    pub play: PlayId,
    /// Which scene, by its SCENE's sequence.
    pub sequence: u16,
    /// How far the member is.
    pub state: SceneProgress,
}

/// How far a member is with a scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum SceneProgress {
    /// It is still to play it.
    StillToPlay = 0,
    /// It plays it.
    Playing = 1,
    /// It is out of it.
    Out = 2,
}

impl Fields<'_> for SceneState {
    fn read(r: &mut Reader<'_>) -> Result<Self, Malformed> {
        Ok(Self {
            play: PlayId(r.i32("SCENE_STATE play")?),
            sequence: r.u16("SCENE_STATE sequence")?,
            state: match r.u8("SCENE_STATE state")? {
                0 => SceneProgress::StillToPlay,
                1 => SceneProgress::Playing,
                2 => SceneProgress::Out,
                state => return Err(out_of_range("SCENE_STATE state", state)),
            },
        })
    }

    fn write(&self, w: &mut Writer<'_>) -> Result<(), Malformed> {
        w.i32(self.play.0);
        w.u16(self.sequence);
        w.u8(self.state as u8);
        Ok(())
    }
}
