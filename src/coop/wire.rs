//! A hero's pose as the wire carries it, and back.

use mp_netcode::{Sequence, ServerTime};
use mp_protocol::SessionId;
use mp_protocol::game::{
    AnimTime, Animation as WireAnimation, Level, Pose, PoseAnimSpeed, PoseFlags,
};

use crate::game::{Animation, HeroPose};

/// The fastest animation that the wire can carry, either way.
const SPEED_MAX: f32 = 32.0;

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
        animation: WireAnimation {
            seq: hero.animation.sequence,
            frame: hero.animation.frame,
            next_frame: hero.animation.next_frame,
            time: AnimTime::from_f32(hero.animation.time.clamp(0.0, 1.0)).unwrap_or_default(),
            speed: PoseAnimSpeed::from_f32(hero.animation.speed.clamp(-SPEED_MAX, SPEED_MAX))
                .unwrap_or_default(),
        },
        pieces: hero.pieces.as_slice().into(),
    }
}

/// The animation that a pose shows.
pub(super) fn animation(wire: WireAnimation) -> Animation {
    Animation {
        sequence: wire.seq,
        frame: wire.frame,
        next_frame: wire.next_frame,
        time: wire.time.to_f32(),
        speed: wire.speed.to_f32(),
    }
}
