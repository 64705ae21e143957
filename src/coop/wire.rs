//! A hero's pose as the wire carries it.

use mp_netcode::{Sequence, ServerTime};
use mp_protocol::SessionId;
use mp_protocol::game::{Level, Pose, PoseFlags};

use crate::game::HeroPose;

/// Who says a pose, and when.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stamp {
    pub(super) owner: SessionId,
    pub(super) sequence: Sequence,
    pub(super) at: ServerTime,
    pub(super) level: Level,
    /// How many poses ago the hero last teleported: 0, with this one; `None`, not lately.
    pub(super) teleport_ago: Option<u8>,
}

/// The pose of a hero in a level.
pub(super) fn pose(stamp: Stamp, hero: &HeroPose, in_scene: bool) -> Pose<'_> {
    let mut flags = PoseFlags::default();
    for (set, flag) in [(hero.blending, PoseFlags::BLENDING), (in_scene, PoseFlags::IN_SCENE)] {
        if set {
            flags = flags | flag;
        }
    }
    Pose {
        owner: stamp.owner,
        sequence: stamp.sequence.0,
        stamp_ms: stamp.at.as_millis(),
        level: stamp.level,
        flags: flags.with_teleport(stamp.teleport_ago),
        position: hero.position,
        rotation: hero.rotation,
        velocity: hero.velocity,
        state: hero.state,
        health: hero.health,
        item: hero.item,
        // A hero whose numbers are none has no pose.
        animation: hero.animation.to_wire().unwrap_or_default(),
        pieces: hero.pieces.as_slice().into(),
    }
}
