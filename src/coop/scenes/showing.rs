//! What plays in this game, and since when: told apart from one that began anew.

use mp_netcode::LocalTime;

use crate::coop::here::Here;
use crate::game::{Scene, SceneKind};

/// The scene or movie that plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Showing {
    pub(super) scene: Scene,
    pub(super) level: Option<i32>,
    pub(super) began: LocalTime,
}

/// What a tick brought.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    None,
    Began,
    Ended,
}

impl Showing {
    /// The level's number of it, if it is one of a level's own.
    pub(super) fn level_scene(&self) -> Option<(i32, i32)> {
        let number = self.scene.number.filter(|_| self.scene.kind == SceneKind::Level)?;
        Some((self.level?, number))
    }

    /// Takes what plays now in place of what did.
    pub(super) fn update(showing: &mut Option<Self>, here: &Here) -> Change {
        let Some(scene) = here.scene else {
            return if showing.take().is_some() { Change::Ended } else { Change::None };
        };
        if let Some(known) = showing
            && (known.scene.kind, known.scene.number) == (scene.kind, scene.number)
            && known.level == here.level
            && known.scene.elapsed <= scene.elapsed
        {
            known.scene = scene;
            return Change::None;
        }
        *showing = Some(Self { scene, level: here.level, began: here.now });
        Change::Began
    }
}
