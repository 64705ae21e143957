//! What this game is doing, as the machines of playing together take it: plain values, read once a tick.

use mp_netcode::LocalTime;

use crate::game::{Game, Phase, Scene, SceneKind};

/// This game at one tick.
#[derive(Clone, Copy, Debug)]
pub(super) struct Here {
    pub(super) phase: Phase,
    /// The level it is in; `None` at the title and on the way between levels.
    pub(super) level: Option<i32>,
    /// The player has control of the hero.
    pub(super) in_control: bool,
    /// The scene or movie that plays.
    pub(super) scene: Option<Scene>,
    /// The clock that a stall moves by at most 100 ms (B3.6).
    pub(super) now: LocalTime,
}

impl Here {
    /// The game as it is now.
    pub(super) fn read(game: &dyn Game, now: LocalTime) -> Self {
        Self {
            phase: game.phase(),
            level: game.level(),
            in_control: game.in_control(),
            scene: game.scene(),
            now,
        }
    }

    /// Whether a scene plays that everyone waits for: a moby's shot is one player's own (B7.2), and a
    /// movie plays between two levels.
    pub(super) fn in_scene(&self) -> bool {
        self.scene.is_some_and(|scene| matches!(scene.kind, SceneKind::Level | SceneKind::Own))
    }
}
