//! Every limit of a game message: kept at its edge, refused one past it, by both decoder and encoder.
#![allow(clippy::unwrap_used, reason = "a test's helpers are tests")]

mod edges;

use edges::{ok, out_of_range, refused};
use mp_protocol::game::{
    AnimTime, Animation, Arrival, Blow, Bolts, Broke, Chunk, Claim, Damage, Dead, Hit, HostLevel,
    Killed, Level, Link, LinkRow, Links, Message, MobyAngle, MobyAnimSpeed, MobyFlags, MobyId,
    MobyKey, NetId, Piece, PieceFlags, Placement, Play, PlayFrom, PlayId, Pose, PoseAnimSpeed,
    PoseFlags, Progress, ReadyRow, ReadyStates, Scene, Shot, Spawn, World, WorldMoby,
};
use mp_protocol::limits::*;
use mp_protocol::{List, Malformed, SessionId};

const ID: SessionId = SessionId(7);
const LEVEL: Level = Level::NONE;
const PLAY: PlayId = PlayId(3);
const MOBY: MobyId = MobyId::None;

#[test]
fn a_save_and_its_chunks_keep_their_sizes() {
    let play = |from| Message::from(Play { play: PLAY, from, level: LEVEL, build: "b" });
    let mut save = ok!(Message, play(PlayFrom::Save { size: SAVE_MAX }));
    ok!(Message, play(PlayFrom::Save { size: 1 }));
    refused!(play(PlayFrom::Save { size: 0 }), "PLAY save size");
    refused!(play(PlayFrom::Save { size: SAVE_MAX + 1 }), "PLAY save size");
    save[13] = 1;
    assert_eq!(Message::decode(&save), out_of_range("PLAY save size", 262_145));
    save[5] = 2;
    assert_eq!(Message::decode(&save), out_of_range("PLAY mode", 2));
    save[5] = 0;
    assert_eq!(Message::decode(&save), out_of_range("PLAY save size", 262_145));
    ok!(Message, play(PlayFrom::NewGame));

    let bytes = [9; CHUNK_MAX + 1];
    let chunk = |offset, size| Message::from(Chunk { play: PLAY, offset, bytes: &bytes[..size] });
    let mut whole = ok!(Message, chunk(SAVE_MAX - 1, CHUNK_MAX));
    ok!(Message, chunk(0, 1));
    refused!(chunk(0, 0), "CHUNK size");
    refused!(chunk(0, CHUNK_MAX + 1), "CHUNK size");
    refused!(chunk(SAVE_MAX, 1), "CHUNK offset");
    whole.push(9);
    assert_eq!(Message::decode(&whole), out_of_range("CHUNK size", 16_001));
    whole[5] = 0x80;
    assert_eq!(Message::decode(&whole), out_of_range("CHUNK offset", -2_147_221_505));
}

fn pose<'a>(position: [f32; 3], pieces: &'a [Piece]) -> Message<'a> {
    Message::from(Pose {
        owner: ID,
        sequence: 0,
        stamp_ms: 0,
        level: LEVEL,
        flags: PoseFlags(0),
        position,
        rotation: [0.0; 3],
        velocity: [0.0; 3],
        state: 0,
        health: 0,
        item: 0,
        animation: ANIMATION,
        pieces: pieces.into(),
    })
}

const ANIMATION: Animation =
    Animation { seq: 0, frame: 0, next_frame: 0, time: AnimTime(0), speed: PoseAnimSpeed(0) };
const PIECE: Piece = Piece {
    slot: 0,
    part: 0,
    item: 0,
    class: 0,
    joint: 0,
    flags: PieceFlags(0),
    animation: ANIMATION,
    placement: None,
};

fn moby_at(position: [f32; 3]) -> WorldMoby {
    WorldMoby {
        id: MOBY,
        position,
        rotation: [MobyAngle(0); 3],
        seq: 0,
        frame: 0,
        anim_time: AnimTime(0),
        anim_speed: MobyAnimSpeed(0),
        flags: MobyFlags(0),
    }
}

#[test]
fn a_pose_has_at_most_8_pieces_and_a_world_46_mobys() {
    let mut whole = ok!(Message, pose([0.0; 3], &[PIECE; 8]));
    assert_eq!(whole.len(), POSE_BYTES + 1 + 8 * PIECE_BYTES);
    refused!(pose([0.0; 3], &[PIECE; 9]), "POSE count is out of range: 9");
    whole[POSE_BYTES] = 9;
    assert_eq!(Message::decode(&whole), out_of_range("POSE count", 9));
    assert!(Message::decode(&whole[..POSE_BYTES]).is_ok());
    assert!(Message::decode(&whole[..POSE_BYTES - 1]).is_err());

    let placement = Some(Placement { position: [0.0; 3], rotation: [0.0; 3] });
    let loose = Piece { flags: PieceFlags::LOOSE, placement, ..PIECE };
    ok!(Message, pose([0.0; 3], &[loose; 8]));
    refused!(pose([0.0; 3], &[Piece { placement, ..PIECE }]), "POSE piece flags");
    refused!(pose([0.0; 3], &[Piece { flags: PieceFlags::LOOSE, ..PIECE }]), "POSE piece flags");

    let mobys = [moby_at([0.0; 3]); 47];
    let world =
        |count| Message::from(World { level: LEVEL, stamp_ms: 0, mobys: mobys[..count].into() });
    let mut whole = ok!(Message, world(46));
    assert_eq!(whole.len(), 11 + 46 * WORLD_MOBY_BYTES);
    ok!(Message, world(0));
    refused!(world(47), "WORLD count is out of range: 47");
    whole[10] = 47;
    assert_eq!(Message::decode(&whole), out_of_range("WORLD count", 47));
}

/// Checks that the position which begins at `at` in `whole` is held to its range.
fn holds_its_position(whole: &[u8], at: usize) {
    let with = |position: [f32; 3]| {
        let mut bytes = whole.to_vec();
        for (axis, value) in position.iter().enumerate() {
            bytes[at + 4 * axis..][..4].copy_from_slice(&value.to_be_bytes());
        }
        Message::decode(&bytes).map(drop)
    };
    assert_eq!(with([POSITION_MAX, 0.0, 0.0]), Ok(()));
    assert_eq!(with([0.0, -60_000.0, 80_000.0]), Ok(()));
    let past = f32::from_bits(POSITION_MAX.to_bits() + 1);
    for bad in [[past, 0.0, 0.0], [0.0, 60_001.0, 80_000.0], [0.0, 0.0, -f32::MAX]] {
        assert!(matches!(with(bad), Err(Malformed::TooFar { .. })), "{bad:?}");
    }
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        assert!(matches!(with([0.0, 0.0, bad]), Err(Malformed::NotFinite { .. })), "{bad}");
    }
}

/// Checks that each of `count` floats from `at` on has to be finite.
fn holds_finite_floats(whole: &[u8], at: usize, count: usize) {
    for float in 0..count {
        for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            let mut bytes = whole.to_vec();
            bytes[at + 4 * float..][..4].copy_from_slice(&bad.to_be_bytes());
            let decoded = Message::decode(&bytes);
            assert!(matches!(decoded, Err(Malformed::NotFinite { .. })), "{decoded:?}");
        }
    }
}

#[test]
fn positions_are_near_and_floats_are_finite() {
    let placement = Some(Placement { position: [0.0; 3], rotation: [0.0; 3] });
    let loose = Piece { flags: PieceFlags::LOOSE, placement, ..PIECE };
    let whole = ok!(Message, pose([0.0; 3], &[loose]));
    for position in [17, POSE_BYTES + 1 + PIECE_BYTES] {
        holds_its_position(&whole, position);
    }
    holds_finite_floats(&whole, 17, 9);
    holds_finite_floats(&whole, POSE_BYTES + 1 + PIECE_BYTES, 6);
    refused!(pose([100_001.0, 0.0, 0.0], &[]), "POSE position is too far");
    refused!(pose([f32::NAN, 0.0, 0.0], &[]), "POSE position is not finite");

    let [position, velocity] = [[0.0; 3]; 2];
    let shot = Shot { owner: ID, level: LEVEL, item: 0, position, velocity, aim: [0.0; 4] };
    let whole = ok!(Message, Message::from(shot));
    holds_its_position(&whole, 8);
    holds_finite_floats(&whole, 8, 10);

    let net = NetId::new(MOBY_KEY_MAX).unwrap();
    let spawn = Spawn { level: LEVEL, net, class: 0, position, yaw: 0.0 };
    let whole = ok!(Message, Message::from(spawn));
    holds_its_position(&whole, 6);
    holds_finite_floats(&whole, 6, 4);

    let blow = Blow { mask: 0, damage: 0.0, position, velocity };
    let hit = ok!(Message, Message::from(Hit { id: MOBY, blow }));
    let damage = ok!(Message, Message::from(Damage { attacker: MOBY, blow }));
    for whole in [hit, damage] {
        holds_its_position(&whole, 11);
        holds_finite_floats(&whole, 7, 7);
    }

    let moby = [moby_at(position)];
    let world = World { level: LEVEL, stamp_ms: 0, mobys: List::from(&moby[..]) };
    holds_its_position(&ok!(Message, Message::from(world)), 13);
}

#[test]
fn progress_keeps_its_three_counts() {
    let had = [1; 129];
    let progress = |items, gold, planets| {
        Message::from(Progress {
            items: &had[..items],
            gold_bolts: &had[..gold],
            planets: &had[..planets],
        })
    };
    ok!(Message, progress(0, 0, 0));
    let whole = ok!(Message, progress(64, 128, 64));
    refused!(progress(65, 0, 0), "PROGRESS items is out of range: 65");
    refused!(progress(0, 129, 0), "PROGRESS gold bolts is out of range: 129");
    refused!(progress(0, 0, 65), "PROGRESS planets is out of range: 65");
    for (at, most) in [(1, 64), (66, 128), (195, 64)] {
        let mut bytes = whole.clone();
        assert_eq!(bytes[at], most);
        bytes[at] = most + 1;
        assert!(matches!(Message::decode(&bytes), Err(Malformed::OutOfRange { .. })));
    }
}

#[test]
fn lists_of_the_party_have_at_most_4_rows() {
    let ready = [ReadyRow { id: ID, ready: true }; 5];
    let state = |count| Message::from(ReadyStates { members: ready[..count].into() });
    let mut whole = ok!(Message, state(4));
    refused!(state(5), "STATE count is out of range: 5");
    whole[1] = 5;
    assert_eq!(Message::decode(&whole), out_of_range("STATE count", 5));

    let rows = [LinkRow { id: ID, ping_ms: None, udp: false }; 5];
    let links = |count| Message::from(Links { members: rows[..count].into() });
    let mut whole = ok!(Message, links(4));
    refused!(links(5), "LINKS count is out of range: 5");
    whole[1] = 5;
    assert_eq!(Message::decode(&whole), out_of_range("LINKS count", 5));
}

#[test]
fn a_u16_count_is_held_to_by_the_bytes_that_came() {
    let keys = vec![MobyKey::new(0).unwrap(); 65_536];
    let killed = |count| Message::from(Killed { level: LEVEL, keys: keys[..count].into() });
    let mut whole = ok!(Message, killed(65_535));
    refused!(killed(65_536), "KILLED count is out of range: 65536");
    whole.pop();
    assert_eq!(Message::decode(&whole), Err(Malformed::Short { what: "moby key" }));
    assert_eq!(Message::decode(&whole[..4]), Err(Malformed::Short { what: "moby key" }));
}

#[test]
fn mobys_and_levels_that_cannot_be_are_refused() {
    let key = MobyKey::new(MOBY_KEY_MAX).unwrap();
    let mut whole = ok!(Message, Message::from(Broke { level: LEVEL, key }));
    whole[3] = 0xFF;
    assert_eq!(Message::decode(&whole), out_of_range("moby key", 0x7FFF));
    whole[1] = 0xFE;
    assert_eq!(Message::decode(&whole), out_of_range("BROKE level", -2));

    let mut claim = ok!(Message, Message::from(Claim { level: LEVEL, id: MobyId::Key(key) }));
    claim[3] = 0xFF;
    assert_eq!(Message::decode(&claim), out_of_range("CLAIM id", 0x7FFF));

    let level = Level::new(127).unwrap();
    let host = HostLevel { play: PLAY, level, scene: true, travel: None };
    let mut whole = ok!(Message, Message::from(host));
    whole[8] = 128;
    assert_eq!(Message::decode(&whole), out_of_range("LEVEL level", 128));
    whole[5..9].fill(0xFF);
    assert!(Message::decode(&whole).is_ok());
    whole[9] = 2;
    assert_eq!(Message::decode(&whole), out_of_range("LEVEL scene", 2));
}

#[test]
fn the_dead_take_a_bit_each() {
    let bits = [0xFF; 4_097];
    let dead = |records, bytes| Message::from(Dead { level: LEVEL, records, bits: &bits[..bytes] });
    let mut whole = ok!(Message, dead(32_767, 4_096));
    ok!(Message, dead(0, 0));
    ok!(Message, dead(8, 1));
    ok!(Message, dead(9, 2));
    refused!(dead(9, 1), "DEAD bits");
    refused!(dead(8, 2), "DEAD bits");
    refused!(dead(32_768, 4_096), "DEAD records is out of range: 32768");
    whole[2..4].copy_from_slice(&[0x80, 0]);
    assert_eq!(Message::decode(&whole), out_of_range("DEAD records", 32_768));

    let keys = [0, 9, 30].map(|key| MobyKey::new(key).unwrap());
    let bits = Dead::bits_of(10, keys);
    assert_eq!(bits, [0b1, 0b10]);
    // A bit past the last record is nobody's.
    let bits = [bits[0], bits[1] | 0b1000_0000];
    assert!(Dead { level: LEVEL, records: 10, bits: &bits }.iter().eq(keys[..2].iter().copied()));
}

#[test]
fn numbers_that_count_are_not_negative() {
    ok!(Message, Message::from(Bolts { count: i32::MAX.cast_unsigned() }));
    refused!(Message::from(Bolts { count: 1 << 31 }), "BOLTS count is out of range: 2147483648");
    assert_eq!(Message::decode(&[15, 0xFF, 0xFF, 0xFF, 0xFF]), out_of_range("BOLTS count", -1));

    let arrival = Some(Arrival { travel: 1, arrived: true });
    let link = |ping_ms| Message::from(Link { ping_ms, udp: true, arrival });
    ok!(Message, link(None));
    let mut whole = ok!(Message, link(Some(i32::MAX.cast_unsigned())));
    refused!(link(Some(u32::MAX)), "LINK ping");
    whole[1..5].copy_from_slice(&(-2_i32).to_be_bytes());
    assert_eq!(Message::decode(&whole), out_of_range("LINK ping", -2));

    let scene = |scene, elapsed_ms| {
        Message::from(Scene { play: PLAY, level: LEVEL, scene, sequence: 0, elapsed_ms })
    };
    ok!(Message, scene(None, 0));
    let mut whole = ok!(Message, scene(Some(0), i32::MAX.cast_unsigned()));
    refused!(scene(Some(1 << 31), 0), "SCENE scene");
    refused!(scene(None, 1 << 31), "SCENE elapsed");
    whole[15] = 0xFF;
    assert_eq!(Message::decode(&whole), out_of_range("SCENE elapsed", -1));
}

#[test]
fn choices_take_no_other_number() {
    for (mut bytes, at, what) in [
        (vec![1, 1], 1, "READY flag"),
        (vec![21, 0, 0, 0, 3, 0, 6, 2], 7, "SCENE_STATE state"),
        (vec![18, 0, 0, 0, 7, 0, 5, 0, 0, 0, 3, 2, 0, 2], 11, "SKIP what"),
        (vec![64, 0, 0, 0, 43, 1, 0, 2, 1], 5, "LINK udp"),
        (vec![64, 0, 0, 0, 43, 1, 0, 2, 1], 8, "LINK arrived"),
    ] {
        assert!(Message::decode(&bytes).is_ok(), "{what}");
        bytes[at] += 1;
        assert_eq!(Message::decode(&bytes), out_of_range(what, bytes[at].into()));
    }
}

#[test]
fn a_save_is_not_shown_by_debug() {
    let chunk = Message::from(Chunk { play: PLAY, offset: 0, bytes: &[0xAB, 0xCD] });
    assert_eq!(format!("{chunk:?}"), "Chunk(Chunk { play: PlayId(3), offset: 0, size: 2 })");
}
