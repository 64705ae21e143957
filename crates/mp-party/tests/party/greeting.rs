//! HELLO, time-outs, and how connections end.

use std::time::Duration;

use mp_netcode::LocalTime;
use mp_party::{CloseReason, Config, Limits, Mode, NoteReason, Output, Router};
use mp_protocol::{ClientPacket, ErrorReason, ServerPacket, SessionId, Token};

use crate::world::{self, EPOCH_MS, World, address, frame, hello, server};

const TIME: ClientPacket<'_> = ClientPacket::Time { clock_ms: 5 };

#[test]
fn hello_is_answered_with_a_session_and_a_token() {
    let mut world = World::with_random(Mode::Server, Limits::default(), || 42);
    let who = world.connect();
    world.send(who, &hello("Nova_7"));
    let session = SessionId(1);
    world.expect(
        who,
        &[
            ServerPacket::Hello { session },
            ServerPacket::Udp { token: Token::from_bits(42), port: 0 },
        ],
    );
    assert_eq!(world.note_reasons(), [NoteReason::Greeted(session)]);
}

#[test]
fn udp_is_not_told_of_where_there_is_none_and_its_port_is_where_it_differs() {
    for (udp_port, told) in [(None, None), (Some(7771), Some(7771))] {
        let config =
            Config { mode: Mode::Server, limits: Limits::default(), udp_port, epoch_ms: EPOCH_MS };
        let mut world = server();
        world.router = Router::new(config, || 3).expect("a valid configuration");
        let who = world.connect();
        world.send(who, &hello("Nova_7"));
        let token = Token::from_bits(3);
        let mut expected = vec![ServerPacket::Hello { session: SessionId(1) }];
        expected.extend(told.map(|port| ServerPacket::Udp { token, port }));
        world.expect(who, &expected);
    }
}

#[test]
fn session_ids_count_up_and_are_never_reused() {
    let mut world = server();
    for session in 1..=20 {
        let who = world.greet("Nova_7");
        assert_eq!(world.clients[who].session, SessionId(session));
        assert_eq!(world.router.connection_of(SessionId(session)), Some(world.clients[who].id));
        world.drop_client(who);
        assert_eq!(world.router.connection_of(SessionId(session)), None);
    }
}

#[test]
fn anything_before_hello_closes() {
    let mut world = server();
    for packet in [TIME, ClientPacket::List, ClientPacket::Data { target: 0, bytes: &[] }] {
        let who = world.connect();
        world.send(who, &packet);
        world.expect_nothing(who);
        world.expect_closed(who, CloseReason::NoHello);
    }
}

#[test]
fn a_second_hello_closes() {
    let mut world = server();
    let who = world.greet("Nova_7");
    world.send(who, &hello("Nova_7"));
    world.expect_nothing(who);
    world.expect_closed(who, CloseReason::SecondHello);
}

#[test]
fn a_bad_name_gets_error_4_and_is_closed_once_that_is_written() {
    let long = "n".repeat(33);
    for name in ["", "a\nb", long.as_str()] {
        let mut world = server();
        let who = world.connect();
        world.send(who, &hello(name));
        world.expect(who, &[ServerPacket::Error(ErrorReason::BadName)]);
        world.expect_closed(who, CloseReason::BadName);
        assert_eq!(world.router.counters().sessions, 0);
    }
}

#[test]
fn a_name_of_32_characters_of_four_bytes_is_good() {
    server().greet(&"\u{1f527}".repeat(32));
}

#[test]
fn a_hello_that_cannot_be_parsed_is_closed_without_error() {
    let mut world = server();
    let who = world.connect();
    // An empty version.
    world.send_bytes(who, &[0, 0, 0, 5, 0, 0xff, 0xff, 0xff, 0xff]);
    world.expect_nothing(who);
    let (why, _) = world.clients[who].closed.expect("closed");
    assert!(matches!(why, CloseReason::Malformed(_)), "{why}");
}

#[test]
fn a_length_out_of_range_closes() {
    for length in [0_u32, 65_537, u32::MAX] {
        let mut world = server();
        let who = world.greet("Nova_7");
        world.send_bytes(who, &length.to_be_bytes());
        let (why, _) = world.clients[who].closed.expect("closed");
        assert!(matches!(why, CloseReason::BadLength(error) if error.length == length), "{why}");
    }
}

#[test]
fn what_is_glued_behind_a_closing_frame_is_ignored() {
    let mut world = server();
    let who = world.connect();
    let glued = [frame(&hello("")), frame(&hello("Nova_7"))].concat();
    world.send_bytes(who, &glued);
    world.expect(who, &[ServerPacket::Error(ErrorReason::BadName)]);
    assert_eq!(world.router.counters().sessions, 0);
}

#[test]
fn hello_must_be_complete_within_10_seconds_of_connecting() {
    let mut world = server();
    let (silent, slow) = (world.connect(), world.connect());
    let bytes = frame(&hello("Nova_7"));
    world.pass(Duration::from_secs(9));
    world.send_bytes(slow, &bytes[..bytes.len() - 1]);
    world.pass(Duration::from_micros(999_999));
    world.expect_open(silent);
    world.expect_open(slow);
    world.pass(Duration::from_micros(1));
    world.expect_closed(silent, CloseReason::HelloTimeout);
    world.expect_closed(slow, CloseReason::HelloTimeout);
}

#[test]
fn a_frame_must_be_complete_within_10_seconds_of_its_first_byte() {
    let mut world = server();
    let who = world.greet("Nova_7");
    let bytes = frame(&TIME);
    world.pass(Duration::from_secs(1));
    world.send_bytes(who, &bytes[..1]);
    world.pass(Duration::from_micros(9_999_999));
    // More of it does not make it younger.
    world.send_bytes(who, &bytes[1..5]);
    world.expect_open(who);
    world.pass(Duration::from_micros(1));
    world.expect_closed(who, CloseReason::FrameTimeout);
}

#[test]
fn a_frame_begun_behind_a_complete_one_has_its_own_10_seconds() {
    let mut world = server();
    let who = world.greet("Nova_7");
    let bytes = frame(&TIME);
    world.send_bytes(who, &bytes[..3]);
    world.pass(Duration::from_secs(9));
    world.send_bytes(who, &[&bytes[3..], &bytes[..3]].concat());
    world.pass(Duration::from_micros(9_999_999));
    world.expect_open(who);
    world.pass(Duration::from_micros(1));
    world.expect_closed(who, CloseReason::FrameTimeout);
}

#[test]
fn fifteen_seconds_without_a_complete_frame_close() {
    let mut world = server();
    let who = world.greet("Nova_7");
    world.pass(Duration::from_secs(10));
    world.send(who, &TIME);
    world.pass(Duration::from_secs(9));
    // Parts of frames and datagrams do not count.
    world.send_bytes(who, &frame(&TIME)[..4]);
    world.bind(who, true);
    world.pass(Duration::from_micros(5_999_999));
    world.expect_open(who);
    world.pass(Duration::from_micros(1));
    world.expect_closed(who, CloseReason::Silent);
}

#[test]
fn a_late_advance_blames_nobody_whose_frames_were_handed_in() {
    let mut world = server();
    let who = world.greet("Nova_7");
    world.now = world.now + Duration::from_secs(60);
    world.send(who, &TIME);
    world.pass(Duration::ZERO);
    world.expect_open(who);
}

#[test]
fn the_router_says_when_it_wants_to_be_called() {
    let mut world = server();
    assert_eq!(world.router.poll_timeout(), None);
    let who = world.greet("Nova_7");
    let hello_at = world.now;
    let mut calls = 0;
    // A driver that only ever sleeps until then closes the silent one at its time and not later.
    while world.clients[who].closed.is_none() {
        world.now = world.router.poll_timeout().expect("a connection is open");
        world.pass(Duration::ZERO);
        calls += 1;
    }
    assert_eq!(world.now.since(hello_at), Duration::from_secs(15));
    assert!(calls <= 2, "{calls}");
}

#[test]
fn a_ninth_connection_of_an_address_gets_error_5_and_is_closed() {
    let mut world = server();
    let ours: Vec<_> = (0..8).map(|_| world.connect_from(address(1))).collect();
    for _ in 0..3 {
        // One being refused does not count: a third try fares no worse than the first.
        let ninth = world.connect_from(address(1));
        world.expect(ninth, &[ServerPacket::Error(ErrorReason::TooManyConnections)]);
        world.expect_closed(ninth, CloseReason::TooManyConnections);
    }
    let other = world.connect_from(address(2));
    world.expect_open(other);
    world.drop_client(ours[3]);
    let again = world.connect_from(address(1));
    world.expect_open(again);
    assert_eq!(world.router.counters().refused, 3);
}

#[test]
fn a_refused_connection_hears_its_error_even_if_it_reads_late() {
    let mut world = server();
    for _ in 0..8 {
        world.connect_from(address(1));
    }
    let ninth = world.router.connect(world.now, address(1));
    assert!(matches!(world.router.poll_output(), Some(Output::Write(id)) if id == ninth));
    assert_eq!(world.router.poll_output(), None, "closed before its last bytes were written");
    // What it says meanwhile is not heard.
    world.router.received(world.now, ninth, &frame(&hello("Nova_7")));
    let left = world.router.outgoing(ninth).len();
    world.router.wrote(ninth, left - 1);
    assert_eq!(world.router.poll_output(), None);
    world.router.wrote(ninth, 1);
    let closed = Output::Close { id: ninth, why: CloseReason::TooManyConnections, flushed: true };
    assert_eq!(world.router.poll_output(), Some(closed));
}

#[test]
fn a_refused_connection_that_reads_late_does_not_count() {
    let mut world = server();
    let ours: Vec<_> = (0..8).map(|_| world.connect_from(address(1))).collect();
    // The router is not told yet that the refusal is written.
    world.router.connect(world.now, address(1));
    world.router.closed(world.now, world.clients[ours[0]].id);
    let id = world.router.connect(world.now, address(1));
    assert!(world.router.outgoing(id).is_empty(), "refused");
}

#[test]
fn one_that_never_reads_its_last_bytes_is_closed_all_the_same() {
    let mut world = server();
    let who = world.connect();
    world.clients[who].stalled = true;
    world.send(who, &hello(""));
    world.expect_open(who);
    world.pass(Duration::from_micros(499_999));
    world.expect_open(who);
    world.pass(Duration::from_micros(1));
    assert_eq!(world.clients[who].closed, Some((CloseReason::BadName, false)));
}

#[test]
fn connections_count_by_ipv6_prefix_and_by_mapped_ipv4() {
    for (first, second) in
        [("2001:db8:1:2::1", "2001:db8:1:2:3:4:5:6"), ("::ffff:192.0.2.7", "192.0.2.7")]
    {
        let mut world = server();
        for _ in 0..8 {
            world.connect_from(first.parse().expect("an address"));
        }
        let ninth = world.connect_from(second.parse().expect("an address"));
        world.expect_closed(ninth, CloseReason::TooManyConnections);
    }
}

#[test]
fn a_handle_of_a_closed_connection_does_nothing() {
    let mut world = server();
    let old = world.greet("Nova_7");
    world.drop_client(old);
    let new = world.greet("Orbit");
    world.send(old, &TIME);
    world.drop_client(old);
    world.router.disconnect(world.now, world.clients[old].id);
    world.router.wrote(world.clients[old].id, 9);
    world.expect_open(new);
    world.send(new, &TIME);
    assert_eq!(world.bodies(new).len(), 1);
}

#[test]
fn a_closed_connection_is_not_closed_again() {
    let mut world = server();
    let who = world.greet("Nova_7");
    world.drop_client(who);
    world.expect_open(who);
    let counters = world.router.counters();
    assert_eq!((counters.connections, counters.connections_ended), (1, 1));
}

#[test]
fn stop_ends_every_party_writes_that_and_closes_everyone() {
    let mut world = server();
    let party = world.party(3);
    let (alone, ungreeted) = (world.greet("Alone"), world.connect());
    world.clients[party[2]].stalled = true;
    world.router.stop(world.now);
    world.pump();
    for &who in &party[..2] {
        world.expect(who, &[ServerPacket::End]);
        world.expect_closed(who, CloseReason::Stopped);
    }
    for who in [alone, ungreeted] {
        world.expect_nothing(who);
        world.expect_closed(who, CloseReason::Stopped);
    }
    // The END of one that reads late is not lost to the close.
    let late = party[2];
    world.expect_open(late);
    world.clients[late].stalled = false;
    world.write(world.clients[late].id);
    world.pump();
    world.expect(late, &[ServerPacket::End]);
    world.expect_closed(late, CloseReason::Stopped);
    let after = world.connect();
    world.expect_closed(after, CloseReason::Stopped);
    assert_eq!(world.router.poll_timeout().map(|at| at > LocalTime::ZERO), Some(true));
}

#[test]
fn disconnect_closes_one_and_its_party_hears_of_it() {
    let mut world = server();
    let party = world.party(2);
    world.router.disconnect(world.now, world.clients[party[1]].id);
    world.pump();
    world.expect_closed(party[1], CloseReason::Disconnected);
    let id = world.clients[party[1]].session;
    world.expect(party[0], &[ServerPacket::Left { id }]);
}

#[test]
fn time_is_echoed_with_wall_time_at_the_start_and_monotonic_after() {
    let mut world = server();
    let who = world.greet("Nova_7");
    for passed_ms in [0, 1_234] {
        world.now = LocalTime::from_micros(1_000) + Duration::from_millis(passed_ms);
        world.send(who, &ClientPacket::Time { clock_ms: -7 });
        let server_ms = EPOCH_MS + 1 + i64::try_from(passed_ms).expect("small");
        world.expect(who, &[ServerPacket::Time { echo_ms: -7, server_ms }]);
    }
}

#[test]
fn frames_cut_and_glued_anywhere_say_the_same() {
    let stream: Vec<_> =
        [hello("Nova_7"), TIME, ClientPacket::Create { description: "" }, ClientPacket::List, TIME]
            .iter()
            .flat_map(frame)
            .collect();
    let heard = |cuts: &[usize]| {
        let mut world = server();
        let who = world.connect();
        let mut from = 0;
        for &cut in cuts.iter().chain([&stream.len()]) {
            world.send_bytes(who, &stream[from..cut]);
            from = cut;
        }
        world.bodies(who)
    };
    let whole = heard(&[]);
    assert_eq!(whole.len(), 6);
    for cut in 0..=stream.len() {
        assert_eq!(heard(&[cut]), whole, "cut at {cut}");
    }
    assert_eq!(heard(&(0..stream.len()).collect::<Vec<_>>()), whole);
}

#[test]
fn a_description_that_cannot_be_sent_is_refused_at_the_start() {
    for description in ["a\u{7}".into(), "d".repeat(257)] {
        let config = Config {
            mode: Mode::Direct { description },
            limits: Limits::default(),
            udp_port: None,
            epoch_ms: EPOCH_MS,
        };
        assert!(Router::new(config, || 0).is_err());
    }
    world::direct();
}
