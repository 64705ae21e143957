//! The stand-in game's values and the mod's own, from one to the other: what the C table and the mod's
//! boundary do together when the library is loaded.

use std::num::NonZeroU32;
use std::time::Duration;

use mp_playground::card::Slot;
use mp_playground::game as stand_in;
use mp_playground::progress::{Gift, Progress as Has};
use mp_playground::sim;
use mp_playground::sim::{MobyId, Vec3};
use mp_protocol::game::{MobyKey, Piece, PieceFlags, Placement};
use openrac_multiplayer::game::{
    Animation, Cameras, CardSave, CardSlot, Give, Gone, HeroPose, Hit, Kinds, Moby, MobyHandle,
    MobyPose, PageView, Phase, Pieces, Progress, RowKind, Scene, SceneKind, Shot, Skip,
};

/// The bits of a pose's flags (interface.md, `hero_pose`).
const BLENDING: u8 = 1;
/// The number of a scene without one (interface.md).
const NO_NUMBER: i32 = -1;

pub(super) fn phase(phase: stand_in::Phase) -> Phase {
    match phase {
        stand_in::Phase::Boot => Phase::Boot,
        stand_in::Phase::Title => Phase::Title,
        stand_in::Phase::TitlePage => Phase::TitlePage,
        stand_in::Phase::Loading => Phase::Loading,
        stand_in::Phase::Playing => Phase::Playing,
        stand_in::Phase::Paused => Phase::Paused,
        stand_in::Phase::Dialog => Phase::Dialog,
        stand_in::Phase::Vendor => Phase::Vendor,
        stand_in::Phase::Scene => Phase::Scene,
        stand_in::Phase::Movie => Phase::Movie,
        stand_in::Phase::Travel => Phase::Travel,
        stand_in::Phase::Dying => Phase::Dying,
    }
}

fn animation_of(animation: &sim::Animation) -> Animation {
    let sim::Animation { sequence, frame, next_frame, time, speed } = *animation;
    Animation { sequence, frame, next_frame, time, speed }
}

fn animation_to(animation: &Animation) -> sim::Animation {
    let Animation { sequence, frame, next_frame, time, speed } = *animation;
    sim::Animation { sequence, frame, next_frame, time, speed }
}

pub(super) fn hero(pose: &sim::HeroPose) -> Option<HeroPose> {
    Some(HeroPose {
        position: pose.position.into(),
        rotation: pose.rotation.into(),
        velocity: pose.velocity.into(),
        state: pose.state,
        health: pose.health,
        item: pose.item,
        animation: animation_of(&pose.animation),
        blending: pose.flags & BLENDING != 0,
        teleport: pose.flags & sim::HeroPose::TELEPORT != 0,
        pieces: pose.pieces.iter().map(piece_of).collect::<Option<Pieces>>()?,
    })
}

/// A pose for a figure; what it wears goes by `figure_wear`.
pub(super) fn figure(pose: &HeroPose) -> sim::HeroPose {
    let flag = |set: bool, flag: u8| if set { flag } else { 0 };
    sim::HeroPose {
        position: pose.position.into(),
        rotation: pose.rotation.into(),
        velocity: pose.velocity.into(),
        state: pose.state,
        health: pose.health,
        item: pose.item,
        flags: flag(pose.blending, BLENDING) | flag(pose.teleport, sim::HeroPose::TELEPORT),
        animation: animation_to(&pose.animation),
        pieces: Vec::new(),
    }
}

fn piece_of(piece: &sim::Piece) -> Option<Piece> {
    let flags = PieceFlags(piece.flags);
    let loose = flags.contains(PieceFlags::LOOSE);
    let placement = loose
        .then(|| Placement { position: piece.position.into(), rotation: piece.rotation.into() });
    Some(Piece {
        slot: piece.slot,
        part: piece.part,
        item: piece.item,
        class: piece.moby_class,
        joint: piece.joint,
        flags,
        animation: animation_of(&piece.animation).to_wire()?,
        placement,
    })
}

pub(super) fn piece_to(piece: &Piece) -> sim::Piece {
    let placement = piece.placement.unwrap_or(Placement { position: [0.0; 3], rotation: [0.0; 3] });
    sim::Piece {
        slot: piece.slot,
        part: piece.part,
        item: piece.item,
        joint: piece.joint,
        moby_class: piece.class,
        flags: piece.flags.0,
        animation: animation_to(&piece.animation.into()),
        position: placement.position.into(),
        rotation: placement.rotation.into(),
    }
}

pub(super) fn shot_of(shot: &sim::Shot) -> Shot {
    let (position, velocity) = (shot.position.into(), shot.velocity.into());
    Shot { item: shot.item, position, velocity, aim: shot.aim }
}

pub(super) fn shot_to(shot: &Shot) -> sim::Shot {
    let (position, velocity) = (shot.position.into(), shot.velocity.into());
    sim::Shot { item: shot.item, position, velocity, aim: shot.aim }
}

/// A handle; `None` for the handle of nobody.
pub(super) fn handle_of(moby: MobyId) -> Option<MobyHandle> {
    NonZeroU32::new(moby.0).map(MobyHandle)
}

pub(super) fn handle_to(moby: Option<MobyHandle>) -> MobyId {
    moby.map_or(MobyId::NONE, |moby| MobyId(moby.0.get()))
}

pub(super) fn moby(moby: &sim::Moby) -> Option<Moby> {
    let traits = moby.class.traits();
    Some(Moby {
        handle: handle_of(moby.id)?,
        key: moby.key.and_then(MobyKey::new),
        class: moby.class as i16,
        kinds: Kinds(moby.kinds()),
        pose: MobyPose {
            position: moby.position.into(),
            rotation: moby.rotation.into(),
            animation: animation_of(&moby.animation),
        },
        health: moby.health,
        value: moby.value(),
        state: moby.state,
        hidden: moby.hidden,
        ran: moby.ran,
        drawn: moby.drawn,
        distance: moby.distance,
        update_distance: traits.update_distance,
        draw_distance: traits.draw_distance,
    })
}

pub(super) fn moby_pose(pose: &MobyPose) -> (Vec3, Vec3, sim::Animation) {
    (pose.position.into(), pose.rotation.into(), animation_to(&pose.animation))
}

pub(super) fn hit_of(hit: &sim::Hit) -> Hit {
    Hit {
        target: handle_of(hit.target),
        attacker: handle_of(hit.attacker),
        mask: hit.mask,
        damage: hit.damage,
        position: hit.position.into(),
        velocity: hit.velocity.into(),
    }
}

pub(super) fn hit_to(hit: &Hit) -> sim::Hit {
    sim::Hit {
        target: handle_to(hit.target),
        attacker: handle_to(hit.attacker),
        mask: hit.mask,
        damage: hit.damage,
        position: hit.position.into(),
        velocity: hit.velocity.into(),
    }
}

pub(super) fn gone(how: sim::How) -> Gone {
    match how {
        sim::How::Own => Gone::Own,
        sim::How::Other => Gone::Other,
        sim::How::Mod => Gone::Mod,
    }
}

pub(super) fn cameras(cameras: &sim::Cameras) -> Cameras {
    Cameras {
        mods: cameras.mods.into(),
        run_list: cameras.run_list.into(),
        pause_menu: cameras.pause_menu.into(),
    }
}

pub(super) fn scene(now: &stand_in::SceneNow) -> Scene {
    let kind = match now.kind {
        stand_in::SceneKind::Level => SceneKind::Level,
        stand_in::SceneKind::Own => SceneKind::Own,
        stand_in::SceneKind::Movie => SceneKind::Movie,
        stand_in::SceneKind::Camera => SceneKind::Camera,
    };
    Scene { kind, number: now.number, elapsed: Duration::from_millis(now.elapsed_ms.into()) }
}

pub(super) fn skip_of(what: stand_in::Skip, scene: Option<i32>) -> Skip {
    match what {
        stand_in::Skip::Own => Skip::Own,
        stand_in::Skip::Level => Skip::Level(scene.unwrap_or(NO_NUMBER)),
        stand_in::Skip::Movie => Skip::Movie,
    }
}

/// What a skip ends, and which of the level's scenes that is (looked at for one of those only).
pub(super) fn skip_to(skip: Skip) -> (stand_in::Skip, i32) {
    match skip {
        Skip::Own => (stand_in::Skip::Own, NO_NUMBER),
        Skip::Level(scene) => (stand_in::Skip::Level, scene),
        Skip::Movie => (stand_in::Skip::Movie, NO_NUMBER),
    }
}

pub(super) fn card_slot(slot: &Slot) -> CardSlot {
    match slot {
        Slot::Empty => CardSlot::Empty,
        Slot::Damaged(_) => CardSlot::Damaged,
        Slot::Used { save, .. } => CardSlot::Save(CardSave {
            level: save.level.into(),
            gold_bolts: save.progress.gold_bolt_count(),
            played: Duration::from_secs(save.seconds_played.into()),
        }),
    }
}

pub(super) fn progress(has: &Has) -> Progress {
    Progress { items: has.items, gold_bolts: has.gold_bolts, planets: has.planets }
}

pub(super) fn gift(what: Give) -> Gift {
    match what {
        Give::Item(index) => Gift::Item(index.into()),
        Give::GoldBolt(index) => Gift::GoldBolt(index.into()),
        Give::Planet(index) => Gift::Planet(index.into()),
    }
}

pub(super) fn page(view: PageView) -> stand_in::PageView {
    let row = |row: openrac_multiplayer::game::Row| stand_in::Row {
        label: row.label,
        value: row.value,
        kind: match row.kind {
            RowKind::Button => stand_in::RowKind::Action,
            RowKind::Value => stand_in::RowKind::Value,
            RowKind::Text => stand_in::RowKind::Text,
        },
        dim: row.dim,
    };
    let rows = view.rows.into_iter().map(row).collect();
    stand_in::PageView { title: view.title, lines: view.lines, rows, footer: view.footer }
}
