//! The world's values between the interface's plain structs and the mod's types: mobys, hits, shots,
//! scenes, progress. Numbers that the game chooses are checked here, on the way in.

use std::num::NonZeroU32;
use std::time::Duration;

use mp_protocol::game::MobyKey;
use sdk_bindings as sdk;
use sdk_bindings::{
    OpenracCameras, OpenracCardSave, OpenracHit, OpenracMoby, OpenracMobyPose, OpenracProgress,
    OpenracScene, OpenracShot,
};

use super::convert::{animation_from_game, animation_to_game, finite, floats, vec3};
use crate::game::{
    CARD_SLOTS, Cameras, CardSave, CardSlot, EYES_MAX, GOLD_BOLTS, Gone, Hit, ITEMS, Kinds, Moby,
    MobyHandle, MobyPose, PLANETS, Progress, Scene, SceneKind, Shot, Skip,
};

const _: () = assert!(EYES_MAX == sdk::EYES_MAX && CARD_SLOTS == sdk::CARD_SLOTS);
const _: () = assert!(ITEMS == sdk::ITEMS && GOLD_BOLTS == sdk::GOLD_BOLTS);
const _: () = assert!(PLANETS == sdk::PLANETS);
const _: () = assert!(Kinds::EFFECT.0 == sdk::KIND_EFFECT && Kinds::PLACED.0 == sdk::KIND_PLACED);

/// A moby's handle, `None` for none.
pub(super) fn handle_from_game(handle: u32) -> Option<MobyHandle> {
    NonZeroU32::new(handle).map(MobyHandle)
}

/// A moby's handle, 0 for none.
pub(super) fn handle_to_game(handle: Option<MobyHandle>) -> u32 {
    handle.map_or(0, |handle| handle.0.get())
}

/// A moby of the level's list. `None` if a number in it is none, or its handle is.
pub(super) fn moby_from_game(moby: &OpenracMoby) -> Option<Moby> {
    Some(Moby {
        handle: handle_from_game(moby.handle)?,
        key: MobyKey::new(moby.key),
        class: moby.moby_class,
        kinds: Kinds(moby.kinds),
        pose: MobyPose {
            position: floats(moby.position)?,
            rotation: floats(moby.rotation)?,
            animation: animation_from_game(&moby.animation)?,
        },
        health: finite(moby.health)?,
        value: moby.value,
        state: moby.state,
        hidden: moby.hidden != 0,
        ran: moby.ran != 0,
        drawn: moby.drawn != 0,
        distance: finite(moby.distance)?,
        update_distance: finite(moby.update_distance)?,
        draw_distance: finite(moby.draw_distance)?,
    })
}

/// Where a driven moby is to be.
pub(super) fn moby_pose_to_game(pose: &MobyPose) -> OpenracMobyPose {
    OpenracMobyPose {
        position: vec3(pose.position),
        rotation: vec3(pose.rotation),
        animation: animation_to_game(pose.animation),
    }
}

/// A hit for the game to deal.
pub(super) fn hit_to_game(hit: &Hit) -> OpenracHit {
    OpenracHit {
        target: handle_to_game(hit.target),
        attacker: handle_to_game(hit.attacker),
        mask: hit.mask,
        damage: hit.damage,
        position: vec3(hit.position),
        velocity: vec3(hit.velocity),
    }
}

/// A shot for a figure.
pub(super) fn shot_to_game(shot: &Shot) -> OpenracShot {
    OpenracShot {
        position: vec3(shot.position),
        velocity: vec3(shot.velocity),
        aim: shot.aim,
        item: shot.item,
        ..OpenracShot::ZERO
    }
}

/// What a slot of the card holds.
pub(super) fn card_from_game(save: &OpenracCardSave) -> CardSlot {
    match (save.used != 0, save.damaged != 0) {
        (false, _) => CardSlot::Empty,
        (true, true) => CardSlot::Damaged,
        (true, false) => CardSlot::Save(CardSave {
            level: save.level,
            gold_bolts: save.gold_bolts,
            played: Duration::from_secs(save.seconds_played.into()),
        }),
    }
}

/// The scene that plays. One of a kind that this version does not know is the game's own.
pub(super) fn scene_from_game(scene: &OpenracScene) -> Scene {
    Scene {
        kind: match scene.kind {
            sdk::SCENE_LEVEL => SceneKind::Level,
            sdk::SCENE_MOVIE => SceneKind::Movie,
            sdk::SCENE_CAMERA => SceneKind::Camera,
            _ => SceneKind::Own,
        },
        number: (scene.number >= 0).then_some(scene.number),
        elapsed: Duration::from_millis(scene.elapsed_ms.into()),
    }
}

/// What is skipped, and its scene's number.
pub(super) fn skip_to_game(skip: Skip) -> (u8, i32) {
    match skip {
        Skip::Own => (sdk::SKIP_OWN, -1),
        Skip::Level(scene) => (sdk::SKIP_LEVEL, scene),
        Skip::Movie => (sdk::SKIP_MOVIE, -1),
    }
}

/// Where the cameras are. `None` if a number in it is none.
pub(super) fn cameras_from_game(cameras: &OpenracCameras) -> Option<Cameras> {
    Some(Cameras {
        mods: floats(cameras.mods)?,
        run_list: floats(cameras.run_list)?,
        pause_menu: floats(cameras.pause_menu)?,
    })
}

/// What the game has.
pub(super) fn progress_from_game(progress: &OpenracProgress) -> Progress {
    Progress {
        items: progress.items.map(|had| had != 0),
        gold_bolts: progress.gold_bolts.map(|had| had != 0),
        planets: progress.planets.map(|had| had != 0),
    }
}

/// A hit. `None` if a number in it is none.
pub(super) fn hit_from_game(hit: &OpenracHit) -> Option<Hit> {
    Some(Hit {
        target: handle_from_game(hit.target),
        attacker: handle_from_game(hit.attacker),
        mask: hit.mask,
        damage: finite(hit.damage)?,
        position: floats(hit.position)?,
        velocity: floats(hit.velocity)?,
    })
}

/// A shot of the hero's. `None` if a number in it is none.
pub(super) fn shot_from_game(shot: &OpenracShot) -> Option<Shot> {
    Some(Shot {
        item: shot.item,
        position: floats(shot.position)?,
        velocity: floats(shot.velocity)?,
        aim: shot.aim.iter().all(|number| number.is_finite()).then_some(shot.aim)?,
    })
}

/// What Start was pressed in; `None` for a kind that this version does not know.
pub(super) fn skip_from_game(what: u8, scene: i32) -> Option<Skip> {
    match what {
        sdk::SKIP_OWN => Some(Skip::Own),
        sdk::SKIP_LEVEL => Some(Skip::Level(scene)),
        sdk::SKIP_MOVIE => Some(Skip::Movie),
        _ => None,
    }
}

/// How a moby went. A way that this version does not know is another moby's.
pub(super) fn gone_from_game(how: u8) -> Gone {
    match how {
        sdk::GONE_OWN => Gone::Own,
        sdk::GONE_MOD => Gone::Mod,
        _ => Gone::Other,
    }
}
