//! The values of the interface and the game's own, from one to the other.

use sdk_bindings::{
    KEY_NONE, OpenracAnimation, OpenracHit, OpenracMoby, OpenracPiece, OpenracPose, OpenracShot,
    OpenracVec3, POSE_PIECES,
};

use crate::sim::{Animation, HeroPose, Hit, Moby, MobyId, Piece, Shot, Vec3};

pub(super) const fn vec3(v: OpenracVec3) -> Vec3 {
    Vec3::new(v.x, v.y, v.z)
}

pub(super) const fn openrac_vec3(v: Vec3) -> OpenracVec3 {
    OpenracVec3 { x: v.x, y: v.y, z: v.z }
}

pub(super) const fn animation(from: OpenracAnimation) -> Animation {
    Animation {
        sequence: from.sequence,
        frame: from.frame,
        next_frame: from.next_frame,
        time: from.time,
        speed: from.speed,
    }
}

const fn openrac_animation(from: Animation) -> OpenracAnimation {
    OpenracAnimation {
        sequence: from.sequence,
        frame: from.frame,
        next_frame: from.next_frame,
        reserved: 0,
        time: from.time,
        speed: from.speed,
    }
}

pub(super) const fn piece(from: &OpenracPiece) -> Piece {
    Piece {
        slot: from.slot,
        part: from.part,
        item: from.item,
        joint: from.joint,
        moby_class: from.moby_class,
        flags: from.flags,
        animation: animation(from.animation),
        position: vec3(from.position),
        rotation: vec3(from.rotation),
    }
}

const fn openrac_piece(from: &Piece) -> OpenracPiece {
    OpenracPiece {
        slot: from.slot,
        part: from.part,
        item: from.item,
        joint: from.joint,
        moby_class: from.moby_class,
        flags: from.flags,
        reserved: 0,
        animation: openrac_animation(from.animation),
        position: openrac_vec3(from.position),
        rotation: openrac_vec3(from.rotation),
    }
}

/// A figure's pose. Its pieces are not looked at, as the header says.
pub(super) fn figure_pose(from: &OpenracPose) -> HeroPose {
    HeroPose {
        position: vec3(from.position),
        rotation: vec3(from.rotation),
        velocity: vec3(from.velocity),
        state: from.state,
        health: from.health,
        item: from.item,
        flags: from.flags,
        animation: animation(from.animation),
        pieces: Vec::new(),
    }
}

pub(super) fn openrac_pose(from: &HeroPose) -> OpenracPose {
    let mut pieces = [OpenracPiece::ZERO; POSE_PIECES];
    for (to, piece) in pieces.iter_mut().zip(&from.pieces) {
        *to = openrac_piece(piece);
    }
    let count = from.pieces.len().min(POSE_PIECES);
    OpenracPose {
        position: openrac_vec3(from.position),
        rotation: openrac_vec3(from.rotation),
        velocity: openrac_vec3(from.velocity),
        state: from.state,
        health: from.health,
        item: from.item,
        flags: from.flags,
        piece_count: u8::try_from(count).expect("8 at most"),
        animation: openrac_animation(from.animation),
        pieces,
    }
}

pub(super) const fn shot(from: &OpenracShot) -> Shot {
    Shot {
        position: vec3(from.position),
        velocity: vec3(from.velocity),
        aim: from.aim,
        item: from.item,
    }
}

pub(super) const fn openrac_shot(from: &Shot) -> OpenracShot {
    OpenracShot {
        position: openrac_vec3(from.position),
        velocity: openrac_vec3(from.velocity),
        aim: from.aim,
        item: from.item,
        reserved: 0,
    }
}

pub(super) const fn hit(from: &OpenracHit) -> Hit {
    Hit {
        target: MobyId(from.target),
        attacker: MobyId(from.attacker),
        mask: from.mask,
        damage: from.damage,
        position: vec3(from.position),
        velocity: vec3(from.velocity),
    }
}

pub(super) const fn openrac_hit(from: &Hit) -> OpenracHit {
    OpenracHit {
        target: from.target.0,
        attacker: from.attacker.0,
        mask: from.mask,
        damage: from.damage,
        position: openrac_vec3(from.position),
        velocity: openrac_vec3(from.velocity),
    }
}

pub(super) fn openrac_moby(from: &Moby) -> OpenracMoby {
    let traits = from.class.traits();
    OpenracMoby {
        handle: from.id.0,
        key: from.key.unwrap_or(KEY_NONE),
        moby_class: from.class as i16,
        kinds: from.kinds(),
        position: openrac_vec3(from.position),
        rotation: openrac_vec3(from.rotation),
        animation: openrac_animation(from.animation),
        health: from.health,
        value: from.value(),
        state: from.state,
        hidden: u8::from(from.hidden),
        ran: u8::from(from.ran),
        drawn: u8::from(from.drawn),
        reserved: [0; 3],
        distance: from.distance,
        update_distance: traits.update_distance,
        draw_distance: traits.draw_distance,
    }
}
