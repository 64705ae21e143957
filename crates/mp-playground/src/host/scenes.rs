//! The calls about scenes.

use std::ffi::c_void;

use sdk_bindings::{OpenracScene, SKIP_LEVEL, SKIP_MOVIE, SKIP_OWN};

use super::args::Arg;
use super::door::{Door, enter};
use super::faults::FaultKind;
use super::table::calls;
use crate::game::Skip;

/// The number of a scene without one (interface.md).
pub(super) const NO_NUMBER: i32 = -1;

calls! {
    fn scene(door, out: *mut OpenracScene) -> u8 {
        let Some(now) = door.game()?.scene() else { return Ok(0) };
        let mut scene = OpenracScene::ZERO;
        scene.number = now.number.unwrap_or(NO_NUMBER);
        scene.elapsed_ms = now.elapsed_ms;
        scene.kind = now.kind as u8;
        out.set(scene)?;
        Ok(1)
    }

    fn play_scene(door, scene: i32) -> u8 {
        let begun = door.game()?.play_scene(scene);
        door.make_calls()?;
        Ok(u8::from(begun))
    }

    fn scene_skip(door, what: u8, scene: i32) {
        let what = match what {
            SKIP_OWN => Skip::Own,
            SKIP_LEVEL => Skip::Level,
            SKIP_MOVIE => Skip::Movie,
            other => return Err(FaultKind::Unknown(other)),
        };
        door.game()?.scene_skip(what, scene);
        Ok(())
    }
}
