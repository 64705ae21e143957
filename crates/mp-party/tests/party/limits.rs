//! Rates and strikes, each at its edge (protocol.md 1, "Limits").

use std::time::Duration;

use mp_party::{CloseReason, Limits, Mode, NoteReason, Strike};
use mp_protocol::datagram::ClientDatagramKind;
use mp_protocol::{ClientPacket, ErrorReason, ServerPacket};

use crate::world::{Who, World, frame, server};

const TIME: ClientPacket<'_> = ClientPacket::Time { clock_ms: 0 };
const TOO_FAST: ServerPacket<'_> = ServerPacket::Error(ErrorReason::TooFast);

/// Waits until every bucket is full and no strike counts.
fn rest(world: &mut World, alive: &[Who]) {
    world.pass_alive(Duration::from_secs(10), alive);
    world.now = world.now + Duration::from_secs(2);
}

/// How many of `frames`, sent at once, passed; the rest were strikes.
fn passed(world: &mut World, who: Who, frames: usize, packet: &ClientPacket<'_>) -> usize {
    let before: u64 = strikes(world);
    world.send_bytes(who, &frame(packet).repeat(frames));
    frames - usize::try_from(strikes(world) - before).expect("small")
}

fn strikes(world: &World) -> u64 {
    Strike::ALL.iter().map(|&limit| world.router.counters().strikes(limit)).sum()
}

#[test]
fn frames_200_a_second_with_two_seconds_worth() {
    let mut world = server();
    let who = world.greet("Nova_7");
    rest(&mut world, &[who]);
    assert_eq!(passed(&mut world, who, 409, &TIME), 400);
    world.expect_open(who);
    assert_eq!(world.router.counters().strikes(Strike::Frames), 9);
    world.pass(Duration::from_secs(10));
    world.bodies(who);
    // Full again; then a second brings 200 more.
    assert_eq!(passed(&mut world, who, 400, &TIME), 400);
    world.pass(Duration::from_secs(1));
    assert_eq!(passed(&mut world, who, 201, &TIME), 200);
}

#[test]
fn what_is_over_a_limit_is_dropped() {
    let mut world = server();
    let party = world.party(2);
    rest(&mut world, &party);
    let data = ClientPacket::Data { target: 0, bytes: &[1] };
    world.send_bytes(party[1], &frame(&data).repeat(403));
    assert_eq!(world.bodies(party[0]).len(), 400);
    world.expect(party[1], &[TOO_FAST]);
}

#[test]
fn bytes_of_frames_1_mib_a_second() {
    let mut world = server();
    let party = world.party(2);
    rest(&mut world, &party);
    // Frames of 64 KiB, length included: 32 are two seconds' worth.
    let data = ClientPacket::Data { target: 0, bytes: &[0; 65_536 - 9] };
    for sent in 0..33 {
        world.send(party[1], &data);
        let reached = usize::from(sent < 32);
        assert_eq!(world.bodies(party[0]).len(), reached, "frame {sent}");
    }
    assert_eq!(world.router.counters().strikes(Strike::FrameBytes), 1);
}

#[test]
fn a_host_has_four_times_the_frames_until_its_party_ends() {
    let mut world = server();
    let who = world.greet("Host");
    rest(&mut world, &[who]);
    world.send(who, &ClientPacket::Create { description: "" });
    assert_eq!(passed(&mut world, who, 1_605, &TIME), 1_600);
    world.expect_open(who);
    rest(&mut world, &[who]);
    world.send(who, &ClientPacket::Leave);
    world.now = world.now + Duration::from_secs(2);
    assert_eq!(passed(&mut world, who, 405, &TIME), 400);
}

#[test]
fn a_host_has_four_times_the_bytes() {
    let mut world = server();
    let party = world.party(2);
    rest(&mut world, &party);
    let data = ClientPacket::Data { target: 0, bytes: &[0; 65_536 - 9] };
    for _ in 0..130 {
        world.send(party[0], &data);
    }
    assert_eq!(world.bodies(party[1]).len(), 128);
}

#[test]
fn leaving_and_creating_again_fills_no_bucket() {
    let mut world = server();
    let who = world.greet("Host");
    rest(&mut world, &[who]);
    let cycle = [ClientPacket::Create { description: "" }, ClientPacket::Leave];
    world.send(who, &cycle[0]);
    assert_eq!(passed(&mut world, who, 1_599, &TIME), 1_599);
    world.send(who, &cycle[1]);
    world.expect_open(who);
    world.send(who, &cycle[0]);
    assert_eq!(passed(&mut world, who, 3, &TIME), 0);
}

#[test]
fn chat_4_a_second() {
    let mut world = server();
    let party = world.party(2);
    rest(&mut world, &party);
    let chat = ClientPacket::Chat { text: "hi" };
    for _ in 0..9 {
        world.send(party[1], &chat);
    }
    assert_eq!(world.bodies(party[0]).len(), 8);
    assert_eq!(world.router.counters().strikes(Strike::Chat), 1);
    world.pass(Duration::from_millis(250));
    world.send(party[1], &chat);
    assert_eq!(world.bodies(party[0]).len(), 1);
}

#[test]
fn list_join_find_and_create_4_a_second_together() {
    let mut world = server();
    let who = world.greet("Nova_7");
    rest(&mut world, &[who]);
    let requests = [
        ClientPacket::List,
        ClientPacket::Join { code: "222222" },
        ClientPacket::Create { description: "" },
        ClientPacket::Find,
    ];
    for request in requests.iter().cycle().take(8) {
        world.send(who, request);
    }
    assert_eq!(strikes(&world), 0);
    for request in &requests {
        world.send(who, request);
    }
    assert_eq!(world.router.counters().strikes(Strike::LobbyRequests), 4);
    // LEAVE is none of them.
    world.send(who, &ClientPacket::Leave);
    assert_eq!(strikes(&world), 4);
}

#[test]
fn datagrams_300_a_second_and_1200_for_a_host() {
    let mut world = server();
    let party = world.party(2);
    for (who, held) in [(party[1], 600), (party[0], 2_400)] {
        rest(&mut world, &party);
        for _ in 0..held + 5 {
            world.send_datagram(who, ClientDatagramKind::State { target: 0, bytes: &[1] });
        }
        let other = if who == party[0] { party[1] } else { party[0] };
        assert_eq!(world.bodies(other).len(), held);
        world.expect(who, &[TOO_FAST]);
    }
    assert_eq!(world.router.counters().strikes(Strike::Datagrams), 10);
}

#[test]
fn error_6_comes_at_the_first_strike_in_10_seconds_and_the_tenth_closes() {
    let mut world = server();
    let who = world.greet("Nova_7");
    rest(&mut world, &[who]);
    world.note_reasons();
    world.send_bytes(who, &frame(&ClientPacket::List).repeat(8));
    world.bodies(who);
    world.send(who, &ClientPacket::List);
    world.expect(who, &[TOO_FAST]);
    assert_eq!(world.note_reasons(), [NoteReason::TooFast(Strike::LobbyRequests)]);
    for _ in 0..8 {
        world.send(who, &ClientPacket::List);
        world.expect_nothing(who);
        world.expect_open(who);
    }
    world.send(who, &ClientPacket::List);
    world.expect_nothing(who);
    world.expect_closed(who, CloseReason::TooFast);
}

#[test]
fn strikes_are_forgotten_after_10_seconds_and_told_again() {
    let mut world = server();
    let who = world.greet("Nova_7");
    for round in 0..3 {
        rest(&mut world, &[who]);
        world.send_bytes(who, &frame(&ClientPacket::List).repeat(8));
        world.bodies(who);
        world.send_bytes(who, &frame(&ClientPacket::List).repeat(9));
        world.expect(who, &[TOO_FAST]);
        world.expect_open(who);
        assert_eq!(strikes(&world), 9 * (round + 1));
    }
}

#[test]
fn strikes_of_every_kind_count_together() {
    let mut world = server();
    let party = world.party(2);
    let who = party[1];
    rest(&mut world, &party);
    world.send_bytes(who, &frame(&ClientPacket::List).repeat(8 + 5));
    world.expect_open(who);
    world.send_bytes(who, &frame(&ClientPacket::Chat { text: "hi" }).repeat(8 + 4));
    world.expect_open(who);
    for _ in 0..600 {
        world.send_datagram(who, ClientDatagramKind::State { target: 0, bytes: &[] });
    }
    world.expect_open(who);
    world.send_datagram(who, ClientDatagramKind::State { target: 0, bytes: &[] });
    world.expect_closed(who, CloseReason::TooFast);
    let left = ServerPacket::Left { id: world.clients[who].session };
    let bodies = world.bodies(party[0]);
    let last = bodies.last().expect("it heard something");
    assert_eq!(ServerPacket::decode(last), Ok(left));
}

#[test]
fn a_frame_is_parsed_before_it_is_held_to_the_limits() {
    let mut world = server();
    let who = world.greet("Nova_7");
    rest(&mut world, &[who]);
    passed(&mut world, who, 401, &TIME);
    world.send_bytes(who, &[0, 0, 0, 1, 99]);
    let (why, _) = world.clients[who].closed.expect("closed");
    assert!(matches!(why, CloseReason::Malformed(_)), "{why}");
}

#[test]
fn a_frame_is_held_to_the_limits_before_the_partys_state() {
    let mut world = server();
    let who = world.greet("Nova_7");
    rest(&mut world, &[who]);
    let join = ClientPacket::Join { code: "222222" };
    world.send_bytes(who, &frame(&join).repeat(8));
    assert_eq!(world.bodies(who).len(), 8);
    // The ninth is not told that there is no such party.
    world.send(who, &join);
    world.expect(who, &[TOO_FAST]);
}

#[test]
fn a_frame_over_a_limit_still_counts_as_a_sign_of_life() {
    let limits = Limits { frames_per_second: 0, ..Limits::default() };
    let mut world = World::new(Mode::Server, limits);
    let who = world.connect();
    world.pass(Duration::from_secs(5));
    world.send(who, &TIME);
    world.expect_closed(who, CloseReason::NoHello);

    let mut world = server();
    let who = world.greet("Nova_7");
    passed(&mut world, who, 399, &TIME);
    world.pass(Duration::ZERO);
    assert_eq!(passed(&mut world, who, 1, &TIME), 0);
    world.pass(Duration::from_micros(14_999_999));
    world.expect_open(who);
}

#[test]
fn every_limit_is_a_setting() {
    let limits = Limits {
        connections_per_address: 1,
        frames_per_second: 50,
        chats_per_second: 1,
        strikes: 3,
        silence_timeout: Duration::from_secs(4),
        ..Limits::default()
    };
    let mut world = World::new(Mode::Server, limits);
    let party = world.party(1);
    let second = world.connect_from(crate::world::address(0));
    world.expect_closed(second, CloseReason::TooManyConnections);
    let chat = frame(&ClientPacket::Chat { text: "hi" });
    world.send_bytes(party[0], &chat.repeat(2 + 2));
    world.expect_open(party[0]);
    world.send_bytes(party[0], &chat);
    world.expect_closed(party[0], CloseReason::TooFast);
    let silent = world.greet("Orbit");
    world.pass(Duration::from_secs(4));
    world.expect_closed(silent, CloseReason::Silent);
}
