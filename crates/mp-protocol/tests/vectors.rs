//! Every published vector: its fields, its bytes, and what becomes of it when it is damaged.
#![allow(clippy::unwrap_used, reason = "a test's helpers are tests")]

mod common;

use std::collections::BTreeSet;
use std::path::Path;

use common::{Decoded, VECTORS, accepted_means_the_same_again, to_hex, vectors};
use mp_protocol::datagram::{ClientDatagramKind, ServerDatagram};
use mp_protocol::game::{
    AnimTime, Animation, Kind, Level, Message, MobyAngle, MobyAnimSpeed, MobyFlags, MobyId,
    MobyKey, NetId, Piece, PieceFlags, Placement, PlayFrom, PoseAnimSpeed, WorldMoby,
};
use mp_protocol::{ClientPacket, ServerPacket};
use serde_json::{Value, json};

#[test]
fn the_vectors_are_the_published_ones() {
    let published = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/spec/vectors.json");
    match std::fs::read_to_string(&published) {
        Ok(text) => assert!(text == VECTORS, "tests/vectors.json differs from the published file"),
        Err(error) => println!("not compared with {}: {error}", published.display()),
    }
}

#[test]
fn every_vector_decodes_to_its_fields() {
    for vector in vectors() {
        let decoded = Decoded::decode(&vector.place, &vector.bytes).unwrap().unwrap();
        let shown = show(&decoded);
        for (field, expected) in &vector.fields {
            let got = &shown[field];
            assert!(same(got, expected), "{}: {field} is {got}, not {expected}", vector.message);
        }
        // What the vector does not name is what an older mod left out, or nothing.
        for (field, got) in shown.as_object().unwrap() {
            let named = vector.fields.contains_key(field);
            let left_out = got.is_null() || vector.message == "pose, wearing two";
            assert!(named || left_out || field == "heard" || field == "pieces" || field == "size");
        }
    }
}

#[test]
fn every_vector_encodes_to_its_bytes() {
    for vector in vectors() {
        let decoded = Decoded::decode(&vector.place, &vector.bytes).unwrap().unwrap();
        let mut expected = to_hex(&vector.bytes);
        if vector.message == "pose, before 0.6" {
            expected += "00"; // This version always says how many pieces there are.
        }
        assert_eq!(to_hex(&decoded.encode().unwrap()), expected, "{}", vector.message);
    }
}

#[test]
fn the_vectors_hold_every_kind_of_game_message() {
    let all = vectors();
    let kinds = all.iter().filter(|vector| vector.place == "game").map(|vector| vector.bytes[0]);
    let known = Kind::ALL.iter().map(|&kind| kind as u8);
    assert_eq!(kinds.collect::<BTreeSet<_>>(), known.collect());
}

#[test]
fn damaged_vectors_are_refused_or_mean_something() {
    let (mut accepted, mut refused) = (0, 0);
    let mut check = |place: &str, bytes: &[u8]| {
        *(if accepted_means_the_same_again(place, bytes) {
            &mut accepted
        } else {
            &mut refused
        }) += 1;
    };
    for vector in vectors() {
        for end in 0..vector.bytes.len() {
            check(&vector.place, &vector.bytes[..end]);
            if vector.place.starts_with("frame") {
                // The payload cut short in a frame whose length is right.
                check(&vector.place, &frame(vector.bytes.get(4..end).unwrap_or_default()));
            }
        }
        for bit in 0..vector.bytes.len() * 8 {
            let mut flipped = vector.bytes.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            check(&vector.place, &flipped);
        }
    }
    assert!(accepted > 1_000 && refused > 1_000, "{accepted} accepted, {refused} refused");
}

#[test]
fn bytes_past_the_known_fields_are_ignored() {
    let mut grown = 0;
    for mut vector in vectors() {
        let before =
            Decoded::decode(&vector.place, &vector.bytes).unwrap().unwrap().encode().unwrap();
        let to_the_end = vector.fields.contains_key("bytes") || vector.message.starts_with("bind");
        let older = vector.message.contains("before 0.");
        if to_the_end || older {
            continue;
        }
        grown += 1;
        vector.bytes.extend([0xA5; 3]);
        if vector.place.starts_with("frame") {
            vector.bytes = frame(&vector.bytes[4..]);
        }
        let after = Decoded::decode(&vector.place, &vector.bytes).unwrap().unwrap();
        assert_eq!(after.encode().unwrap(), before, "{}", vector.message);
    }
    assert_eq!(grown, 43);
}

#[test]
fn fields_of_newer_versions_are_there_whole_or_not_at_all() {
    let whole = [("level", 10, 17), ("skip", 5, 14), ("link", 6, 9)];
    for (message, old, new) in whole {
        let vector = vectors().into_iter().find(|vector| vector.message == message).unwrap();
        assert_eq!(vector.bytes.len(), new);
        for end in 1..new {
            let decoded = Message::decode(&vector.bytes[..end]);
            assert_eq!(decoded.is_ok(), end == old, "{message} of {end} bytes: {decoded:?}");
        }
    }
}

#[test]
fn the_pieces_of_the_wearing_vector_are_read_in_full() {
    let vector = vectors().into_iter().find(|v| v.message == "pose, wearing two").unwrap();
    let Ok(Message::Pose(pose)) = Message::decode(&vector.bytes) else { panic!() };
    let held = Piece {
        slot: 0,
        part: 1,
        item: 10,
        class: 71,
        joint: 3,
        flags: PieceFlags(0),
        animation: animation([1, 2, 3, 0x40], 1_000),
        placement: None,
    };
    let loose = Piece {
        slot: 1,
        part: 0,
        item: 11,
        class: 88,
        joint: 4,
        flags: PieceFlags::LOOSE,
        animation: animation([0; 4], 0),
        placement: Some(Placement { position: [1.0, 2.0, 3.0], rotation: [0.0, 0.0, 1.0] }),
    };
    assert!(pose.pieces.iter().eq([held, loose]), "{pose:?}");
}

#[test]
fn the_mobys_of_the_world_vector_are_read_in_full() {
    let vector = vectors().into_iter().find(|vector| vector.message == "world").unwrap();
    let Ok(Message::World(world)) = Message::decode(&vector.bytes) else { panic!() };
    let placed = WorldMoby {
        id: MobyId::Key(MobyKey::new(17).unwrap()),
        position: [1.0, 2.0, 3.0],
        rotation: [MobyAngle(15_708), MobyAngle(-31_416), MobyAngle(0)],
        seq: 1,
        frame: 2,
        anim_time: AnimTime(255),
        anim_speed: MobyAnimSpeed(64),
        flags: MobyFlags(0),
    };
    let made = WorldMoby {
        id: MobyId::Net(NetId::new(3).unwrap()),
        position: [-1.0, -2.0, -3.0],
        rotation: [MobyAngle(0); 3],
        seq: 0,
        frame: 0,
        anim_time: AnimTime(0),
        anim_speed: MobyAnimSpeed(0),
        flags: MobyFlags::LOOSE,
    };
    assert!(world.mobys.iter().eq([placed, made]), "{world:?}");
}

fn animation([seq, frame, next_frame, time]: [u8; 4], speed: i16) -> Animation {
    Animation { seq, frame, next_frame, time: AnimTime(time), speed: PoseAnimSpeed(speed) }
}

fn frame(body: &[u8]) -> Vec<u8> {
    let mut frame = u32::try_from(body.len()).unwrap().to_be_bytes().to_vec();
    frame.extend_from_slice(body);
    frame
}

/// Whether two JSON values are the same, 1 and 1.0 being so.
fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a == b || a.as_f64() == b.as_f64(),
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        _ => a == b,
    }
}

/// A message with the vectors' names and units for its fields; null: left out by an older mod.
fn show(decoded: &Decoded<'_>) -> Value {
    match decoded {
        Decoded::ClientFrame(packet) => show_client(packet),
        Decoded::ServerFrame(packet) => show_server(packet),
        Decoded::ClientDatagram(datagram) => {
            let token = format!("{:016x}", datagram.token.to_bits());
            let session = datagram.session.0;
            match datagram.what {
                ClientDatagramKind::Bind { heard, size } => json!({
                    "session": session, "token": token, "heard": u8::from(heard), "size": size,
                }),
                ClientDatagramKind::State { target, bytes } => json!({
                    "session": session, "token": token, "target": target, "bytes": to_hex(bytes),
                }),
            }
        }
        Decoded::ServerDatagram(ServerDatagram::BindAnswer { size }) => json!({ "size": size }),
        Decoded::ServerDatagram(ServerDatagram::State { sender, bytes }) => {
            json!({ "sender": sender.0, "bytes": to_hex(bytes) })
        }
        Decoded::Game(message) => show_game(message),
    }
}

fn show_client(packet: &ClientPacket<'_>) -> Value {
    match *packet {
        ClientPacket::Hello { version, name } => json!({ "version": version, "name": name }),
        ClientPacket::Create { description } => json!({ "description": description }),
        ClientPacket::Join { code } => json!({ "code": code }),
        ClientPacket::Leave | ClientPacket::Find | ClientPacket::List => json!({}),
        ClientPacket::Chat { text } => json!({ "text": text }),
        ClientPacket::Data { target, bytes } => json!({ "target": target, "bytes": to_hex(bytes) }),
        ClientPacket::Time { clock_ms } => json!({ "clock": clock_ms }),
    }
}

fn show_server(packet: &ServerPacket<'_>) -> Value {
    match *packet {
        ServerPacket::Hello { session } => json!({ "session": session.0 }),
        ServerPacket::Info(info) => json!({
            "code": info.code,
            "host": info.host.0,
            "members": rows(info.members.iter().map(|member| json!([member.id.0, member.name]))),
            "description": info.description,
        }),
        ServerPacket::Joined { id, name } => json!({ "id": id.0, "name": name }),
        ServerPacket::Left { id } => json!({ "id": id.0 }),
        ServerPacket::End => json!({}),
        ServerPacket::List(list) => json!({
            "rows": rows(list.iter().map(|row| {
                json!([row.code, row.host, row.members, row.size, row.description])
            })),
        }),
        ServerPacket::Chat { sender, text } => json!({ "sender": sender.0, "text": text }),
        ServerPacket::Data { sender, bytes } => {
            json!({ "sender": sender.0, "bytes": to_hex(bytes) })
        }
        ServerPacket::Error(reason) => json!({ "reason": reason as u8 }),
        ServerPacket::Time { echo_ms, server_ms } => {
            json!({ "echo": echo_ms, "server": server_ms })
        }
        ServerPacket::Udp { token, port } => {
            json!({ "token": format!("{:016x}", token.to_bits()), "port": port })
        }
    }
}

fn rows(rows: impl Iterator<Item = Value>) -> Value {
    Value::Array(rows.collect())
}

fn level(level: Level) -> i32 {
    level.number().map_or(-1, i32::from)
}

fn optional(number: Option<u32>) -> i64 {
    number.map_or(-1, i64::from)
}

fn show_game(message: &Message<'_>) -> Value {
    match *message {
        Message::Ready(m) => json!({ "flag": u8::from(m.ready) }),
        Message::State(m) => json!({
            "rows": rows(m.members.iter().map(|row| json!([row.id.0, u8::from(row.ready)]))),
        }),
        Message::Start(_) => json!({}),
        Message::Play(m) => {
            let (mode, size) = match m.from {
                PlayFrom::NewGame => (0, 0),
                PlayFrom::Save { size } => (1, size),
            };
            json!({
                "play": m.play.0, "mode": mode, "level": level(m.level), "size": size,
                "build": m.build,
            })
        }
        Message::Chunk(m) => {
            json!({ "play": m.play.0, "offset": m.offset, "bytes": to_hex(m.bytes) })
        }
        Message::Level(m) => json!({
            "play": m.play.0, "level": level(m.level), "scene": u8::from(m.scene),
            "travel": m.travel.map(|t| t.number), "dest": m.travel.map(|t| level(t.dest)),
            "arriving": m.travel.map(|t| u8::from(t.arriving)),
        }),
        Message::Pose(m) => json!({
            "owner": m.owner.0, "sequence": m.sequence, "stamp": m.stamp_ms,
            "level": level(m.level), "flags": m.flags.0, "position": m.position,
            "rotation": m.rotation, "velocity": m.velocity, "state": m.state,
            "health": m.health, "item": m.item, "seq": m.animation.seq,
            "frame": m.animation.frame, "next": m.animation.next_frame,
            "anim_time": m.animation.time.0, "anim_speed": m.animation.speed.0,
            "pieces": m.pieces.len(),
        }),
        Message::Want(m) => json!({ "play": m.play.0 }),
        Message::World(m) => json!({
            "level": level(m.level), "stamp": m.stamp_ms, "mobys": m.mobys.len(),
        }),
        Message::Killed(m) => json!({
            "level": level(m.level), "keys": rows(m.keys.iter().map(|key| json!(key.get()))),
        }),
        Message::Spawn(m) => json!({
            "level": level(m.level), "net": m.net.get(), "class": m.class,
            "position": m.position, "yaw": m.yaw,
        }),
        Message::Despawn(m) => json!({
            "level": level(m.level), "nets": rows(m.nets.iter().map(|net| json!(net.get()))),
        }),
        Message::Hit(m) => show_blow(m.id, &m.blow),
        Message::Damage(m) => show_blow(m.attacker, &m.blow),
        Message::Bolts(m) => json!({ "count": m.count }),
        Message::Dead(m) => json!({
            "level": level(m.level), "records": m.records,
            "dead": rows(m.iter().map(|key| json!(key.get()))),
        }),
        Message::Broke(m) => json!({ "level": level(m.level), "key": m.key.get() }),
        Message::Skip(m) => json!({
            "origin": m.origin.0, "sequence": m.target.map(|t| t.sequence),
            "play": m.target.map(|t| t.play.0), "what": m.target.map(|t| t.what as u8),
            "scene": m.target.map(|t| t.scene),
        }),
        Message::Shot(m) => json!({
            "owner": m.owner.0, "level": level(m.level), "item": m.item,
            "position": m.position, "velocity": m.velocity, "aim": m.aim,
        }),
        Message::Scene(m) => json!({
            "play": m.play.0, "level": level(m.level), "scene": optional(m.scene),
            "sequence": m.sequence, "elapsed": m.elapsed_ms,
        }),
        Message::SceneState(m) => json!({
            "play": m.play.0, "sequence": m.sequence, "state": m.state as u8,
        }),
        Message::Claim(m) => json!({ "level": level(m.level), "id": m.id.to_bits() }),
        Message::Progress(m) => json!({
            "items": m.items, "gold_bolts": m.gold_bolts, "planets": m.planets,
        }),
        Message::Link(m) => json!({
            "ping": optional(m.ping_ms), "udp": u8::from(m.udp),
            "travel": m.arrival.map(|a| a.travel),
            "arrived": m.arrival.map(|a| u8::from(a.arrived)),
        }),
        Message::Links(m) => json!({
            "rows": rows(m.members.iter().map(|row| {
                json!([row.id.0, optional(row.ping_ms), u8::from(row.udp)])
            })),
        }),
        Message::Unknown(kind) => panic!("a vector of unknown kind {kind}"),
    }
}

fn show_blow(id: MobyId, blow: &mp_protocol::game::Blow) -> Value {
    json!({
        "id": id.to_bits(), "mask": blow.mask, "damage": blow.damage,
        "position": blow.position, "velocity": blow.velocity,
    })
}
