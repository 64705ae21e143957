//! The calls whose feature this game does not have yet. They answer as a game would in a level without
//! mobys; arguments are checked all the same.
//!
//! - No placed mobys: no records, an empty list. Any moby handle is stale but 0 and a figure's.
//! - A moby cannot be made, a hit finds no target, and nothing hurts the hero.
//! - No hook of these is ever called: no weapon, no moby.
//! - Nothing is run by distance, so eyes change nothing. The cameras stand where the hero is.

use std::ffi::c_void;

use sdk_bindings::{
    EYES_MAX, OpenracCameras, OpenracHit, OpenracMoby, OpenracMobyHandle, OpenracMobyPose,
    OpenracVec3,
};

use super::args::Arg;
use super::convert::{openrac_vec3, vec3};
use super::door::{Door, enter};
use super::faults::FaultKind;
use super::table::calls;
use crate::game::Refusal;
use crate::sim::Vec3;

fn check(point: OpenracVec3) -> Result<(), FaultKind> {
    if vec3(point).is_finite() { Ok(()) } else { Err(Refusal::NotFinite.into()) }
}

fn check_hit(hit: &OpenracHit) -> Result<(), FaultKind> {
    check(hit.position)?;
    check(hit.velocity)?;
    if hit.damage.is_finite() { Ok(()) } else { Err(Refusal::NotFinite.into()) }
}

/// A handle that may stand for a moby: none, or a figure's.
fn check_moby(door: &Door, moby: OpenracMobyHandle) -> Result<(), FaultKind> {
    let known = moby == 0 || door.game()?.figures().iter().any(|figure| figure.moby == moby);
    if known { Ok(()) } else { Err(Refusal::StaleMoby(moby).into()) }
}

// Play (1.8): records.
calls! {
    fn level_records(_door) -> u16 {
        Ok(0)
    }
}

// World (1.9).
calls! {
    fn mobys(_door, buf: *mut OpenracMoby, capacity: u32) -> u32 {
        if capacity > 0 && buf.is_null() { Err(FaultKind::Null) } else { Ok(0) }
    }

    fn moby_drive(door, moby: OpenracMobyHandle, _drive: u8) {
        check_moby(door, moby)
    }

    fn moby_pose(door, moby: OpenracMobyHandle, pose: *const OpenracMobyPose, _hidden: u8) {
        let pose = pose.get()?;
        check(pose.position)?;
        check(pose.rotation)?;
        check_moby(door, moby)
    }

    fn moby_kill(door, moby: OpenracMobyHandle, _how: u8) {
        check_moby(door, moby)
    }

    fn moby_break(door, moby: OpenracMobyHandle, by: OpenracMobyHandle) -> u8 {
        check_moby(door, moby)?;
        check_moby(door, by)?;
        Ok(0)
    }

    fn moby_make(_door, _moby_class: i16, position: OpenracVec3, yaw: f32) -> OpenracMobyHandle {
        check(position)?;
        if yaw.is_finite() { Ok(0) } else { Err(Refusal::NotFinite.into()) }
    }

    fn hit_post(door, hit: *const OpenracHit) -> u8 {
        let hit = hit.get()?;
        check_hit(&hit)?;
        check_moby(door, hit.target)?;
        Ok(0)
    }

    fn hero_hit(_door, hit: *const OpenracHit) {
        check_hit(&hit.get()?)
    }

    fn eyes(_door, points: *const OpenracVec3, count: u32) {
        // SAFETY: it is the count that came with the points.
        let points = unsafe { points.many(count, EYES_MAX) }?;
        points.into_iter().try_for_each(check)
    }

    fn cameras(door, out: *mut OpenracCameras) {
        let at = door.game()?.hero_pose().map_or(Vec3::ZERO, |pose| pose.position);
        let at = openrac_vec3(at);
        out.set(OpenracCameras { mods: at, run_list: at, pause_menu: at })
    }
}
