//! The calls of the world group (interface.md 1.9). One that makes something happen has the mod's hooks
//! about it called before it returns.

use std::ffi::c_void;

use sdk_bindings::{
    EYES_MAX, KILL_DEATH, KILL_QUIET, OpenracCameras, OpenracHit, OpenracMoby, OpenracMobyHandle,
    OpenracMobyPose, OpenracVec3,
};

use super::args::Arg;
use super::convert::{self, openrac_vec3, vec3};
use super::door::{Door, enter};
use super::faults::FaultKind;
use super::table::calls;
use crate::game::Begun;
use crate::sim::{Cameras, MobyId, Vec3};

calls! {
    fn level_records(door) -> u16 {
        Ok(door.game()?.level_records())
    }

    fn mobys(door, buf: *mut OpenracMoby, capacity: u32) -> u32 {
        let game = door.game()?;
        // SAFETY: it is the capacity that came with the buffer.
        unsafe { buf.list(capacity, game.mobys().map(convert::openrac_moby)) }
    }

    fn moby_drive(door, moby: OpenracMobyHandle, drive: u8) {
        Ok(door.game()?.moby_drive(MobyId(moby), drive != 0)?)
    }

    fn moby_pose(door, moby: OpenracMobyHandle, pose: *const OpenracMobyPose, hidden: u8) {
        let pose = pose.get()?;
        let (position, rotation) = (vec3(pose.position), vec3(pose.rotation));
        let animation = convert::animation(pose.animation);
        let (moby, hidden) = (MobyId(moby), hidden != 0);
        Ok(door.game()?.moby_pose(moby, position, rotation, animation, hidden)?)
    }

    fn moby_kill(door, moby: OpenracMobyHandle, how: u8) {
        door.may_make_and_kill()?;
        let debris = match how {
            KILL_QUIET => false,
            KILL_DEATH => true,
            other => return Err(FaultKind::Unknown(other)),
        };
        let begun = door.game()?.moby_kill(MobyId(moby), debris)?;
        door.settle(begun)
    }

    fn moby_break(door, moby: OpenracMobyHandle, by: OpenracMobyHandle) -> u8 {
        let begun = door.game()?.moby_break(MobyId(moby), MobyId(by))?;
        door.settle(begun).map(u8::from)
    }

    fn moby_make(door, moby_class: i16, position: OpenracVec3, yaw: f32) -> OpenracMobyHandle {
        door.may_make_and_kill()?;
        let made = door.game()?.moby_make(moby_class, vec3(position), yaw)?;
        Ok(made.unwrap_or(MobyId::NONE).0)
    }

    fn hit_post(door, hit: *const OpenracHit) -> u8 {
        let hit = convert::hit(&hit.get()?);
        let begun = door.game()?.hit_post(&hit)?;
        door.settle(begun).map(u8::from)
    }

    fn hero_hit(door, hit: *const OpenracHit) {
        let hit = convert::hit(&hit.get()?);
        let begun = door.game()?.hero_hit(&hit)?;
        door.settle(begun)
    }

    fn eyes(door, points: *const OpenracVec3, count: u32) {
        // SAFETY: it is the count that came with the points.
        let points = unsafe { points.many(count, EYES_MAX) }?;
        let points: Vec<Vec3> = points.into_iter().map(vec3).collect();
        Ok(door.game()?.eyes(&points)?)
    }

    fn cameras(door, out: *mut OpenracCameras) {
        let nowhere = Cameras { mods: Vec3::ZERO, run_list: Vec3::ZERO, pause_menu: Vec3::ZERO };
        let cameras = door.game()?.cameras().unwrap_or(nowhere);
        out.set(OpenracCameras {
            mods: openrac_vec3(cameras.mods),
            run_list: openrac_vec3(cameras.run_list),
            pause_menu: openrac_vec3(cameras.pause_menu),
        })
    }
}

impl Door {
    /// Whether `moby_make` and `moby_kill` may be called now.
    fn may_make_and_kill(&self) -> Result<(), FaultKind> {
        if self.deciding.get() > 0 { Err(FaultKind::NotFromHere) } else { Ok(()) }
    }

    /// Settles what a call began: calls the hooks about it.
    fn settle<T>(&self, begun: Begun<T>) -> Result<T, FaultKind> {
        self.make_asks()?;
        Ok(begun.0)
    }
}
