//! What the game's numbers become, and the mod's for the game.

use mp_protocol::game::{MobyKey, PieceFlags};
use sdk_bindings as sdk;
use sdk_bindings::{OpenracAnimation, OpenracMoby, OpenracPiece, OpenracPose, OpenracVec3};

use crate::ffi::convert::{phase, pieces_to_game, pose_from_game, pose_to_game};
use crate::ffi::convert_world::{moby_from_game, moby_pose_to_game};
use crate::game::{Kinds, Phase};

fn vec3(x: f32) -> OpenracVec3 {
    OpenracVec3 { x, y: x + 1.0, z: x + 2.0 }
}

fn animation(sequence: u8) -> OpenracAnimation {
    OpenracAnimation { sequence, frame: 1, next_frame: 2, reserved: 0, time: 1.0, speed: -0.5 }
}

fn piece(slot: u8, flags: u8) -> OpenracPiece {
    let loose = flags & sdk::PIECE_LOOSE != 0;
    OpenracPiece {
        slot,
        part: 2,
        item: 3,
        joint: 4,
        moby_class: -5,
        flags,
        animation: animation(slot),
        position: if loose { vec3(30.0) } else { OpenracVec3::ZERO },
        rotation: if loose { vec3(-1.0) } else { OpenracVec3::ZERO },
        ..OpenracPiece::ZERO
    }
}

fn hero() -> OpenracPose {
    let mut pose = OpenracPose {
        position: vec3(1.0),
        rotation: vec3(-2.0),
        velocity: vec3(10.0),
        state: 7,
        health: -1,
        item: 9,
        flags: sdk::POSE_BLENDING | sdk::POSE_TELEPORT,
        piece_count: 2,
        animation: animation(6),
        ..OpenracPose::ZERO
    };
    pose.pieces[0] = piece(11, sdk::PIECE_HIDDEN);
    pose.pieces[1] = piece(12, sdk::PIECE_LOOSE | sdk::PIECE_BLENDING);
    pose
}

#[test]
fn a_pose_and_what_it_wears_come_back_to_the_game_as_they_were() {
    let given = hero();
    let pose = pose_from_game(&given).expect("every number is one");
    assert_eq!(pose.position, [1.0, 2.0, 3.0]);
    assert!(pose.blending && pose.teleport);
    let (back, (pieces, count)) = (pose_to_game(&pose), pieces_to_game(&pose.pieces));
    let without_pieces = OpenracPose { piece_count: 0, pieces: OpenracPose::ZERO.pieces, ..given };
    assert_eq!(format!("{back:?}"), format!("{without_pieces:?}"));
    assert_eq!(count, 2);
    assert_eq!(format!("{:?}", pieces[0]), format!("{:?}", given.pieces[0]));
    assert_eq!(format!("{:?}", pieces[1].position), format!("{:?}", given.pieces[1].position));
    assert_eq!(pieces[1].flags, given.pieces[1].flags);
    assert!(
        !pose.pieces[0].flags.contains(PieceFlags::LOOSE) && pose.pieces[0].placement.is_none()
    );
}

#[test]
fn a_pose_with_a_number_that_is_none_is_no_pose() {
    let spoil: [fn(&mut OpenracPose); 6] = [
        |pose| pose.position.x = f32::NAN,
        |pose| pose.rotation.y = f32::INFINITY,
        |pose| pose.velocity.z = f32::NEG_INFINITY,
        |pose| pose.animation.time = f32::NAN,
        |pose| pose.pieces[0].animation.speed = f32::NAN,
        |pose| pose.pieces[1].position.x = f32::NAN,
    ];
    for spoil in spoil {
        let mut pose = hero();
        spoil(&mut pose);
        assert_eq!(pose_from_game(&pose), None);
    }
}

#[test]
fn no_more_pieces_are_read_than_there_is_room_for() {
    let pose = OpenracPose { piece_count: 200, ..hero() };
    let pieces = pose_from_game(&pose).expect("every number is one").pieces;
    assert_eq!(pieces.len(), sdk::POSE_PIECES);
}

#[test]
fn a_phase_of_a_newer_game_is_not_taken_for_play() {
    assert_eq!(phase(sdk::PHASE_PLAYING), Phase::Playing);
    assert_eq!(phase(200), Phase::Boot);
}

fn moby() -> OpenracMoby {
    OpenracMoby {
        handle: 7,
        key: 12,
        moby_class: -3,
        kinds: sdk::KIND_PLACED | sdk::KIND_CRATE,
        position: vec3(1.0),
        rotation: vec3(-2.0),
        animation: animation(4),
        health: 5.0,
        value: 6,
        state: 8,
        hidden: 1,
        ran: 2,
        drawn: 0,
        distance: 9.0,
        update_distance: 10.0,
        draw_distance: 11.0,
        ..OpenracMoby::ZERO
    }
}

#[test]
fn a_moby_is_taken_as_the_game_lists_it() {
    let taken = moby_from_game(&moby()).expect("every number is one");
    assert_eq!((taken.handle.0.get(), taken.class), (7, -3));
    assert_eq!(taken.key, MobyKey::new(12));
    assert!(taken.kinds.any(Kinds::CRATE) && !taken.kinds.any(Kinds::ENEMY | Kinds::BOLT));
    assert!(taken.hidden && taken.ran && !taken.drawn);
    assert_eq!((taken.health, taken.value, taken.state), (5.0, 6, 8));
    assert_eq!((taken.distance, taken.update_distance, taken.draw_distance), (9.0, 10.0, 11.0));
    let back = moby_pose_to_game(&taken.pose);
    assert_eq!(format!("{:?}", back.position), format!("{:?}", vec3(1.0)));
    assert_eq!(format!("{:?}", back.rotation), format!("{:?}", vec3(-2.0)));
    assert_eq!(format!("{:?}", back.animation), format!("{:?}", animation(4)));
    let made = moby_from_game(&OpenracMoby { key: sdk::KEY_NONE, ..moby() });
    assert_eq!(made.map(|made| made.key), Some(None));
}

#[test]
fn a_moby_with_a_number_that_is_none_is_left_out() {
    let spoil: [fn(&mut OpenracMoby); 6] = [
        |moby| moby.handle = 0,
        |moby| moby.position.z = f32::NAN,
        |moby| moby.rotation.x = f32::INFINITY,
        |moby| moby.animation.time = f32::NAN,
        |moby| moby.health = f32::NAN,
        |moby| moby.distance = f32::NAN,
    ];
    for spoil in spoil {
        let mut moby = moby();
        spoil(&mut moby);
        assert_eq!(moby_from_game(&moby), None);
    }
}
