//! Values between the interface's plain structs and the mod's types. Numbers that the game chooses are
//! checked here, on the way in.

use mp_protocol::game::{Piece, PieceFlags, Placement};
use mp_protocol::limits::POSE_PIECES_MAX;
use sdk_bindings as sdk;
use sdk_bindings::{OpenracAnimation, OpenracPiece, OpenracPose, OpenracVec3, POSE_PIECES};

use crate::game::{Animation, HeroPose, Phase, Pieces};

const _: () = assert!(POSE_PIECES == POSE_PIECES_MAX, "what is worn here is what the wire carries");

/// The game's phase. One that this version does not know is not taken for play.
pub(super) fn phase(phase: u8) -> Phase {
    match phase {
        sdk::PHASE_TITLE => Phase::Title,
        sdk::PHASE_TITLE_PAGE => Phase::TitlePage,
        sdk::PHASE_LOADING => Phase::Loading,
        sdk::PHASE_PLAYING => Phase::Playing,
        sdk::PHASE_PAUSED => Phase::Paused,
        sdk::PHASE_DIALOG => Phase::Dialog,
        sdk::PHASE_VENDOR => Phase::Vendor,
        sdk::PHASE_SCENE => Phase::Scene,
        sdk::PHASE_MOVIE => Phase::Movie,
        sdk::PHASE_TRAVEL => Phase::Travel,
        sdk::PHASE_DYING => Phase::Dying,
        _ => Phase::Boot,
    }
}

/// The hero's pose. `None` if a number in it is none: such a hero is nowhere.
pub(super) fn pose_from_game(pose: &OpenracPose) -> Option<HeroPose> {
    let worn = usize::from(pose.piece_count).min(POSE_PIECES);
    Some(HeroPose {
        position: floats(pose.position)?,
        rotation: floats(pose.rotation)?,
        velocity: floats(pose.velocity)?,
        state: pose.state,
        health: pose.health,
        item: pose.item,
        animation: animation_from_game(&pose.animation)?,
        blending: pose.flags & sdk::POSE_BLENDING != 0,
        teleport: pose.flags & sdk::POSE_TELEPORT != 0,
        pieces: pose.pieces[..worn].iter().map(piece_from_game).collect::<Option<Pieces>>()?,
    })
}

/// A pose for a figure; what it wears goes by `figure_wear`.
pub(super) fn pose_to_game(pose: &HeroPose) -> OpenracPose {
    let flag = |set: bool, flag: u8| if set { flag } else { 0 };
    OpenracPose {
        position: vec3(pose.position),
        rotation: vec3(pose.rotation),
        velocity: vec3(pose.velocity),
        state: pose.state,
        health: pose.health,
        item: pose.item,
        flags: flag(pose.blending, sdk::POSE_BLENDING) | flag(pose.teleport, sdk::POSE_TELEPORT),
        animation: animation_to_game(pose.animation),
        ..OpenracPose::ZERO
    }
}

pub(super) fn animation_to_game(animation: Animation) -> OpenracAnimation {
    let Animation { sequence, frame, next_frame, time, speed } = animation;
    OpenracAnimation { sequence, frame, next_frame, time, speed, ..OpenracAnimation::ZERO }
}

/// What a figure wears, and how many of the array's entries that is.
pub(super) fn pieces_to_game(pieces: &Pieces) -> ([OpenracPiece; POSE_PIECES], u32) {
    let mut worn = [OpenracPiece::ZERO; POSE_PIECES];
    for (to, piece) in worn.iter_mut().zip(pieces) {
        *to = piece_to_game(piece);
    }
    (worn, u32::try_from(pieces.len().min(POSE_PIECES)).expect("a few pieces"))
}

fn piece_from_game(piece: &OpenracPiece) -> Option<Piece> {
    let flags = PieceFlags(piece.flags);
    let placement = if flags.contains(PieceFlags::LOOSE) {
        let (position, rotation) = (floats(piece.position)?, floats(piece.rotation)?);
        Some(Placement { position, rotation })
    } else {
        None
    };
    Some(Piece {
        slot: piece.slot,
        part: piece.part,
        item: piece.item,
        class: piece.moby_class,
        joint: piece.joint,
        flags,
        animation: animation(&piece.animation).to_wire()?,
        placement,
    })
}

fn piece_to_game(piece: &Piece) -> OpenracPiece {
    let placement = piece.placement.unwrap_or(Placement { position: [0.0; 3], rotation: [0.0; 3] });
    OpenracPiece {
        slot: piece.slot,
        part: piece.part,
        item: piece.item,
        joint: piece.joint,
        moby_class: piece.class,
        flags: piece.flags.0,
        animation: animation_to_game(piece.animation.into()),
        position: vec3(placement.position),
        rotation: vec3(placement.rotation),
        ..OpenracPiece::ZERO
    }
}

/// An animation. `None` if a number in it is none.
pub(super) fn animation_from_game(from: &OpenracAnimation) -> Option<Animation> {
    let animation = animation(from);
    (animation.time.is_finite() && animation.speed.is_finite()).then_some(animation)
}

fn animation(from: &OpenracAnimation) -> Animation {
    let OpenracAnimation { sequence, frame, next_frame, time, speed, .. } = *from;
    Animation { sequence, frame, next_frame, time, speed }
}

/// A point; `None` if a number in it is none.
pub(super) fn floats(OpenracVec3 { x, y, z }: OpenracVec3) -> Option<[f32; 3]> {
    Some([finite(x)?, finite(y)?, finite(z)?])
}

/// A number, if it is one.
pub(super) fn finite(value: f32) -> Option<f32> {
    value.is_finite().then_some(value)
}

/// A point for the game.
pub(super) fn vec3([x, y, z]: [f32; 3]) -> OpenracVec3 {
    OpenracVec3 { x, y, z }
}
