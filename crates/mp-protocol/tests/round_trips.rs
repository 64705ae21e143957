//! Whatever a message may hold comes back as it was sent.
#![allow(clippy::unwrap_used, reason = "a test's helpers are tests")]

use mp_protocol::datagram::{ClientDatagram, ClientDatagramKind, ServerDatagram};
use mp_protocol::game::{
    AnimTime, Animation, Arrival, Blow, Bolts, Broke, Chunk, Claim, Damage, Dead, Despawn, Hit,
    HostLevel, Killed, Level, Link, LinkRow, Links, Message, MobyAngle, MobyAnimSpeed, MobyFlags,
    MobyId, MobyKey, NetId, Piece, PieceFlags, Placement, Play, PlayFrom, PlayId, Pose,
    PoseAnimSpeed, PoseFlags, Progress, Ready, ReadyRow, ReadyStates, Scene, SceneProgress,
    SceneState, Shot, Skip, SkipTarget, SkipWhat, Spawn, Start, Travel, Want, World, WorldMoby,
};
use mp_protocol::limits::{DATA_MAX, DATAGRAM_MAX, FRAME_PREFIX, SAVE_MAX, STATE_MAX};
use mp_protocol::{
    ClientPacket, ErrorReason, FrameReader, ListRow, Member, PartyInfo, ServerPacket, SessionId,
    Token,
};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::RngSeed;

/// The same cases every time; a failure prints its case.
fn config() -> ProptestConfig {
    let rng_seed = RngSeed::Fixed(7_770);
    ProptestConfig { rng_seed, failure_persistence: None, ..ProptestConfig::default() }
}

fn client(packet: &ClientPacket<'_>) {
    let mut out = vec![0xEE];
    packet.encode(&mut out).unwrap();
    assert_eq!(ClientPacket::decode(body(&out[1..])), Ok(*packet));
}

fn server(packet: &ServerPacket<'_>) {
    let mut out = vec![0xEE];
    packet.encode(&mut out).unwrap();
    assert_eq!(ServerPacket::decode(body(&out[1..])), Ok(*packet));
}

/// The body of the frame that `bytes` are.
fn body(bytes: &[u8]) -> &[u8] {
    let mut input = bytes;
    let body = FrameReader::new().next(&mut input).unwrap().unwrap().len();
    assert_eq!((input.len(), FRAME_PREFIX + body), (0, bytes.len()));
    &bytes[FRAME_PREFIX..]
}

fn game<'a>(message: impl Into<Message<'a>>) {
    let message = message.into();
    let mut out = vec![0xEE];
    message.encode(&mut out).unwrap();
    assert_eq!(out[1], message.kind().unwrap() as u8);
    assert_eq!(Message::decode(&out[1..]), Ok(message));
}

fn session() -> impl Strategy<Value = SessionId> {
    (1..=i32::MAX).prop_map(SessionId)
}

/// A name: no control characters, 1 to 32 of any others.
fn name() -> &'static str {
    "[^\\p{Cc}]{1,32}"
}

fn level() -> impl Strategy<Value = Level> {
    (-1..=127).prop_map(|number| Level::new(number).unwrap())
}

fn play() -> impl Strategy<Value = PlayId> {
    any::<i32>().prop_map(PlayId)
}

fn moby() -> impl Strategy<Value = MobyId> {
    any::<u16>().prop_filter_map("0x7FFF is no id", MobyId::from_bits)
}

fn key() -> impl Strategy<Value = MobyKey> {
    (0..=32_766_u16).prop_map(|number| MobyKey::new(number).unwrap())
}

fn net() -> impl Strategy<Value = NetId> {
    (0..=32_766_u16).prop_map(|number| NetId::new(number).unwrap())
}

fn position() -> impl Strategy<Value = [f32; 3]> {
    [-57_735.0..57_735.0_f32, -57_735.0..57_735.0_f32, -57_735.0..57_735.0_f32]
}

fn float() -> impl Strategy<Value = f32> {
    prop::num::f32::NORMAL | prop::num::f32::SUBNORMAL | prop::num::f32::ZERO
}

fn floats<const N: usize>() -> impl Strategy<Value = [f32; N]> {
    vec(float(), N).prop_map(|floats| floats.try_into().unwrap())
}

fn count() -> impl Strategy<Value = u32> {
    0..=i32::MAX.cast_unsigned()
}

prop_compose! {
    fn animation()(seq: u8, frame: u8, next_frame: u8, time: u8, speed: i16) -> Animation {
        Animation { seq, frame, next_frame, time: AnimTime(time), speed: PoseAnimSpeed(speed) }
    }
}

prop_compose! {
    fn piece()(
        slot: u8, part: u8, item: u8, class: i16, joint: u8, flags: u8, animation in animation(),
        position in position(), rotation in floats(),
    ) -> Piece {
        let flags = PieceFlags(flags);
        let loose = flags.contains(PieceFlags::LOOSE);
        let placement = loose.then_some(Placement { position, rotation });
        Piece { slot, part, item, class, joint, flags, animation, placement }
    }
}

prop_compose! {
    fn world_moby()(
        id in moby(), position in position(), rotation: [i16; 3], seq: u8, frame: u8, time: u8,
        speed: u8, flags: u8,
    ) -> WorldMoby {
        WorldMoby {
            id,
            position,
            rotation: rotation.map(MobyAngle),
            seq,
            frame,
            anim_time: AnimTime(time),
            anim_speed: MobyAnimSpeed(speed),
            flags: MobyFlags(flags),
        }
    }
}

prop_compose! {
    fn blow()(
        mask: u32, damage in float(), position in position(), velocity in floats(),
    ) -> Blow {
        Blow { mask, damage, position, velocity }
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn client_packets(
        version in "[ -~]{1,64}", any_name in ".{0,40}", description in "[^\\p{Cc}]{0,64}",
        code in "[0-9A-Za-z]{1,16}", text in "[^\\p{Cc}]{1,64}", target: i32, clock_ms: i64,
        bytes in vec(any::<u8>(), 0..2_000),
    ) {
        client(&ClientPacket::Hello { version: &version, name: &any_name });
        client(&ClientPacket::Create { description: &description });
        client(&ClientPacket::Join { code: &code });
        client(&ClientPacket::Leave);
        client(&ClientPacket::Find);
        client(&ClientPacket::List);
        client(&ClientPacket::Chat { text: &text });
        client(&ClientPacket::Data { target, bytes: &bytes });
        client(&ClientPacket::Time { clock_ms });
    }

    #[test]
    fn server_packets(
        id in session(), name in name(), members in vec((session(), name()), 1..=4),
        rows in vec(("[0-9A-Z]{1,16}", name(), any::<[u8; 2]>(), "[^\\p{Cc}]{0,64}"), 0..=128),
        text in "[^\\p{Cc}]{1,64}", bytes in vec(any::<u8>(), 0..2_000), reason in 0..=6_u8,
        times: [i64; 2], token: u64, port: u16,
    ) {
        server(&ServerPacket::Hello { session: id });
        let all: Vec<_> = members.iter().map(|(id, name)| Member { id: *id, name }).collect();
        let members = all.as_slice().into();
        server(&ServerPacket::Info(PartyInfo { code: "DIRECT", host: id, members, description: &text }));
        server(&ServerPacket::Joined { id, name: &name });
        server(&ServerPacket::Left { id });
        server(&ServerPacket::End);
        let rows: Vec<_> = rows.iter().map(|(code, host, [members, size], description)| {
            ListRow { code, host, members: *members, size: *size, description }
        }).collect();
        server(&ServerPacket::List(rows.as_slice().into()));
        server(&ServerPacket::Chat { sender: id, text: &text });
        server(&ServerPacket::Data { sender: id, bytes: &bytes });
        server(&ServerPacket::Error(ErrorReason::from_u8(reason).unwrap()));
        server(&ServerPacket::Time { echo_ms: times[0], server_ms: times[1] });
        server(&ServerPacket::Udp { token: Token::from_bits(token), port });
    }

    #[test]
    fn datagrams(
        session: i32, token: u64, heard: bool, size in 14..=DATAGRAM_MAX, target: i32,
        sender in session(), bytes in vec(any::<u8>(), 0..=STATE_MAX),
    ) {
        let (session, token) = (SessionId(session), Token::from_bits(token));
        for what in [
            ClientDatagramKind::Bind { heard, size },
            ClientDatagramKind::Bind { heard: true, size: 13 },
            ClientDatagramKind::State { target, bytes: &bytes },
        ] {
            let datagram = ClientDatagram { session, token, what };
            let mut out = Vec::new();
            datagram.encode(&mut out).unwrap();
            prop_assert_eq!(ClientDatagram::decode(&out), Ok(datagram));
        }
        for datagram in [
            ServerDatagram::BindAnswer { size },
            ServerDatagram::State { sender, bytes: &bytes },
        ] {
            let mut out = Vec::new();
            datagram.encode(&mut out).unwrap();
            prop_assert_eq!(ServerDatagram::decode(&out), Ok(datagram));
        }
    }

    #[test]
    fn messages_of_the_lobby(
        ready: bool, rows in vec((session(), any::<bool>(), prop::option::of(count())), 0..=4),
        play in play(), size in 1..=SAVE_MAX, level in level(), build in ".{0,64}",
        offset in 0..SAVE_MAX, bytes in vec(any::<u8>(), 1..2_000),
        ping_ms in prop::option::of(count()), travel: u16,
    ) {
        game(Ready { ready });
        game(Start);
        let states: Vec<_> = rows.iter().map(|&(id, ready, _)| ReadyRow { id, ready }).collect();
        game(ReadyStates { members: states.as_slice().into() });
        for from in [PlayFrom::NewGame, PlayFrom::Save { size }] {
            game(Play { play, from, level, build: &build });
        }
        game(Chunk { play, offset, bytes: &bytes });
        game(Want { play });
        for arrival in [None, Some(Arrival { travel, arrived: ready })] {
            game(Link { ping_ms, udp: !ready, arrival });
        }
        let links: Vec<_> =
            rows.iter().map(|&(id, udp, ping_ms)| LinkRow { id, ping_ms, udp }).collect();
        game(Links { members: links.as_slice().into() });
    }

    #[test]
    fn messages_of_heroes(
        owner in session(), sequence: u16, stamp_ms: i64, level in level(), flags: u8,
        position in position(), rotation in floats(), velocity in floats(), [state, health, item]: [i16; 3],
        animation in animation(), pieces in vec(piece(), 0..=8), aim in floats(),
    ) {
        let (flags, pieces) = (PoseFlags(flags), pieces.as_slice().into());
        game(Pose {
            owner, sequence, stamp_ms, level, flags, position, rotation, velocity, state, health,
            item, animation, pieces,
        });
        game(Shot { owner, level, item, position, velocity, aim });
    }

    #[test]
    fn messages_of_the_world(
        level in level(), stamp_ms: i64, mobys in vec(world_moby(), 0..=46),
        keys in vec(key(), 0..300), nets in vec(net(), 0..300), class: i16,
        position in position(), yaw in float(), key in key(), net in net(), id in moby(),
        blow in blow(), count in count(), records in 0..=32_767_u16,
    ) {
        game(World { level, stamp_ms, mobys: mobys.as_slice().into() });
        game(Killed { level, keys: keys.as_slice().into() });
        game(Spawn { level, net, class, position, yaw });
        game(Despawn { level, nets: nets.as_slice().into() });
        game(Hit { id, blow });
        game(Damage { attacker: id, blow });
        game(Bolts { count });
        let bits = Dead::bits_of(records, keys.iter().copied());
        let dead = Dead { level, records, bits: &bits };
        game(dead);
        let mut gone: Vec<_> = keys.into_iter().filter(|key| key.get() < records).collect();
        gone.sort_unstable();
        gone.dedup();
        prop_assert_eq!(dead.iter().collect::<Vec<_>>(), gone);
        game(Broke { level, key });
        game(Claim { level, id });
    }

    #[test]
    fn messages_of_scenes_and_progress(
        play in play(), level in level(), dest in level(), flag: bool, number: u16, sequence: u16,
        scene: u16, origin in session(), level_scene in prop::option::of(count()),
        elapsed_ms in count(), items in vec(any::<u8>(), 0..=64),
        gold_bolts in vec(any::<u8>(), 0..=128), planets in vec(any::<u8>(), 0..=64),
        what in select(&[SkipWhat::GameScene, SkipWhat::HostScene, SkipWhat::Movie]),
        state in select(&[SceneProgress::StillToPlay, SceneProgress::Playing, SceneProgress::Out]),
    ) {
        for travel in [None, Some(Travel { number, dest, arriving: flag })] {
            game(HostLevel { play, level, scene: flag, travel });
        }
        for target in [None, Some(SkipTarget { sequence, play, what, scene })] {
            game(Skip { origin, target });
        }
        game(Scene { play, level, scene: level_scene, sequence, elapsed_ms });
        game(SceneState { play, sequence, state });
        game(Progress { items: &items, gold_bolts: &gold_bolts, planets: &planets });
    }

    #[test]
    fn any_bytes_are_refused_or_mean_something(mut bytes in vec(any::<u8>(), 1..200), kind: u8) {
        // Often of a kind that is known.
        bytes[0] = kind % 66;
        if let Ok(message) = Message::decode(&bytes) {
            let mut out = Vec::new();
            message.encode(&mut out).unwrap();
            prop_assert_eq!(Message::decode(&out), Ok(message));
        }
    }
}

#[test]
fn the_largest_frame() {
    let bytes = vec![5; DATA_MAX];
    client(&ClientPacket::Data { target: -1, bytes: &bytes });
    server(&ServerPacket::Data { sender: SessionId(1), bytes: &bytes });
}
