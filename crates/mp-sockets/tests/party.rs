//! A direct host and its members over real sockets on loopback.

mod common;

use std::cell::Cell;
use std::io::{ErrorKind, Read, Write};
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use common::{Game, PATIENCE, is_info};
use mp_protocol::{FrameReader, ServerPacket, SessionId};
use mp_sockets::{Command, Event, HostError, LinkId, LostReason, PartyNews};
use socket2::{Domain, Protocol, Socket, Type};

fn session(game: &Game) -> SessionId {
    let mut sessions = game.seen().iter().rev();
    sessions
        .find_map(|report| match report.event {
            Event::Connected { session } => Some(session),
            _ => None,
        })
        .expect("is connected")
}

fn wait_for_data(game: &mut Game, wanted: &[u8]) -> (SessionId, bool) {
    game.wait("that DATA", |event| match event {
        Event::Data { sender, bytes, udp, .. } if bytes.0 == wanted => Some((*sender, *udp)),
        _ => None,
    })
}

fn wait_for_left(game: &mut Game, who: SessionId) {
    game.wait("LEFT", |event| {
        matches!(event, Event::Party(PartyNews::Left { id }) if *id == who).then_some(())
    });
}

/// B3.1
#[test]
fn events_go_both_ways_between_a_host_and_two_members() {
    let (mut host, at) = Game::hosting("Host");
    let mut one = Game::joined("One", at);
    let mut two = Game::joined("Two", at);

    for (member, words) in [(&one, b"from one"), (&two, b"from two")] {
        member.send(Command::Event { target: None, bytes: words.to_vec().into() });
        assert_eq!(wait_for_data(&mut host, words), (session(member), false));
    }
    host.send(Command::Event { target: Some(session(&two)), bytes: b"two alone".to_vec().into() });
    host.send(Command::Event { target: None, bytes: b"both".to_vec().into() });
    assert_eq!(wait_for_data(&mut two, b"two alone").0, session(&host));
    assert_eq!(wait_for_data(&mut two, b"both").0, session(&host));
    assert_eq!(wait_for_data(&mut one, b"both").0, session(&host));
    let others = one.seen().iter().filter(
        |report| matches!(&report.event, Event::Data { bytes, .. } if bytes.0 == b"two alone"),
    );
    assert_eq!(others.count(), 0);
}

/// B3.1
#[test]
fn state_goes_by_datagram_both_ways_once_they_come_back() {
    let (mut host, at) = Game::hosting("Host");
    let mut member = Game::joined("Member", at);
    host.wait_for_udp();
    member.wait_for_udp();

    state_comes_by_datagram(&member, &mut host);
    state_comes_by_datagram(&host, &mut member);
}

/// Waits until state does: the server sends it so once the receiver's next BIND says heard, 3 s after
/// its first.
fn state_comes_by_datagram(from: &Game, to: &mut Game) {
    let deadline = Instant::now() + PATIENCE;
    for round in 0_u8.. {
        assert!(Instant::now() < deadline, "{} gets no datagram", to.name);
        from.send(Command::State { target: None, key: 7, bytes: vec![7, round].into() });
        let (sender, udp) = wait_for_data(to, &[7, round]);
        assert_eq!(sender, session(from));
        if udp {
            return;
        }
        // Something that comes each second.
        to.wait("Quality", |event| matches!(event, Event::Quality(_)).then_some(()));
    }
}

/// B8.1
#[test]
fn a_party_can_be_joined_by_ipv6() {
    let (host, at) = Game::hosting("Host");
    if std::net::UdpSocket::bind((Ipv6Addr::LOCALHOST, 0)).is_err() {
        eprintln!("no IPv6 here: there is nothing to join by");
        return;
    }
    let mut member = Game::joined("Member", (Ipv6Addr::LOCALHOST, at.port()).into());
    member.wait_for_udp();
    state_comes_by_datagram(&host, &mut member);
}

/// protocol.md 1, CHAT
#[test]
fn chat_comes_to_everyone_the_sender_too() {
    let (mut host, at) = Game::hosting("Host");
    let mut member = Game::joined("Member", at);
    member.send(Command::Chat { text: "Where to?".into() });
    let said = (session(&member), "Where to?".to_owned());
    for game in [&mut host, &mut member] {
        let heard = game.wait("CHAT", |event| match event {
            Event::Chat { sender, text } => Some((*sender, text.clone())),
            _ => None,
        });
        assert_eq!(heard, said);
    }
}

/// By what the link measures: a round trip counts for a twentieth of what is smoothed.
#[test]
fn a_link_made_bad_on_purpose_is_slow_loses_no_event_and_is_mended_live() {
    let (mut host, at) = Game::hosting("Host");
    let mut member = Game::joined("Member", at);
    member.wait_for_udp();

    member.send(Command::Simulate("latency=1000,loss=100".parse().expect("conditions")));
    let far = wait_for_round_trip(&mut member, |round_trip| round_trip >= FAR);
    for number in 0..50 {
        member.send(Command::Event { target: None, bytes: vec![9, number].into() });
        host.send(Command::Event { target: None, bytes: vec![8, number].into() });
    }
    for number in 0..50 {
        wait_for_data(&mut host, &[9, number]);
        wait_for_data(&mut member, &[8, number]);
    }

    member.send(Command::Simulate("latency=0".parse().expect("conditions")));
    // Those on their way still come late.
    let newest = Cell::new(far);
    wait_for_round_trip(&mut member, |round_trip| round_trip < newest.replace(round_trip));
}

/// What is still on a bad link's way when its game leaves arrives all the same.
#[test]
fn what_was_said_over_a_bad_link_before_leaving_still_arrives_in_order() {
    let (mut host, at) = Game::hosting("Host");
    let member = Game::joined("Member", at);
    member.send(Command::Simulate("latency=10000".parse().expect("conditions")));
    for number in 0..20 {
        member.send(Command::Event { target: None, bytes: vec![9, number].into() });
    }
    let leaver = session(&member);
    member.send(Command::Close);
    for number in 0..20 {
        assert_eq!(wait_for_data(&mut host, &[9, number]).0, leaver);
    }
    wait_for_left(&mut host, leaver);
}

/// The smoothed round trip after one of two seconds; none over loopback is as long.
const FAR: Duration = Duration::from_millis(100);

fn wait_for_round_trip(game: &mut Game, wanted: impl Fn(Duration) -> bool) -> Duration {
    game.wait("that round trip", |event| match event {
        Event::Quality(quality) => Some(quality.round_trip).filter(|it| wanted(*it)),
        _ => None,
    })
}

/// B2.6, B8.2
#[test]
fn a_port_in_use_is_refused_and_free_again_at_once_when_its_host_stops() {
    let (mut first, at) = Game::hosting("First");
    let _member = Game::joined("Member", at);
    let mut second = Game::new("Second");
    let host = |link| Command::Host {
        link: LinkId(link),
        port: at.port(),
        name: "Second".into(),
        description: String::new(),
    };
    second.send(host(1));
    let refused = second.wait("HostFailed", |event| match event {
        Event::HostFailed { port, why } => Some((*port, why.clone())),
        _ => None,
    });
    assert_eq!(refused, (at.port(), HostError::PortInUse));

    // What UDP alone has is as much in use.
    first.send(Command::Close);
    first.host(2, at.port());
    first.send(Command::Close);
    let deadline = Instant::now() + PATIENCE;
    let udp = loop {
        assert!(Instant::now() < deadline, "the port was not let go");
        let udp = Socket::new(Domain::IPV4, Type::DGRAM, Some(Protocol::UDP)).expect("a socket");
        udp.set_reuse_address(true).expect("would share the port with one who would");
        if udp.bind(&SocketAddr::from((Ipv4Addr::LOCALHOST, at.port())).into()).is_ok() {
            break udp;
        }
    };
    second.send(host(2));
    let refused = second.wait("HostFailed", |event| match event {
        Event::HostFailed { why, .. } => Some(why.clone()),
        _ => None,
    });
    assert_eq!(refused, HostError::PortInUse);
    drop(udp);
    assert_eq!(second.host(3, at.port()), at.port());
}

/// B8.2
#[test]
fn a_host_that_stops_ends_the_party_before_it_closes() {
    let (host, at) = Game::hosting("Host");
    let mut members = [Game::joined("One", at), Game::joined("Two", at)];
    host.send(Command::Close);
    for member in &mut members {
        let ended = member.wait("END or a loss", |event| match event {
            Event::Party(PartyNews::End) => Some(true),
            Event::Lost { .. } => Some(false),
            _ => None,
        });
        assert!(ended, "{} lost its link without END", member.name);
        let why = member.wait("the loss", |event| match event {
            Event::Lost { why } => Some(why.clone()),
            _ => None,
        });
        assert_eq!(why, LostReason::Closed);
    }
}

/// B8.2
#[test]
fn a_host_that_stops_resets_nobody() {
    let (mut host, at) = Game::hosting("Host");
    let mut slow = Raw::joined(at);
    let mut other = Game::joined("Other", at);
    for _ in 0..8 {
        host.send(Command::Event { target: None, bytes: vec![200; 60_000].into() });
        wait_for_data(&mut other, &[200; 60_000]);
    }
    host.send(Command::Close);
    host.host(2, 0);
    // It has stopped, and does not answer what is still on its way with a reset.
    slow.stream.write_all(&[0; 20_000]).expect("is taken");
    let mut rest = Vec::new();
    slow.stream.read_to_end(&mut rest).expect("closed, not reset");
    assert!(rest.len() > 480_000, "{}", rest.len());
    assert_eq!(rest[rest.len() - 6..], [0, 0, 0, 2, 1, 6], "END");
}

/// B8.2
#[test]
fn a_host_whose_game_ends_ends_the_party() {
    let (host, at) = Game::hosting("Host");
    let mut member = Game::joined("Member", at);
    assert!(host.handle.join_within(Duration::from_millis(500)));
    member.wait("END", |event| matches!(event, Event::Party(PartyNews::End)).then_some(()));
}

/// B5.9
#[test]
fn whoever_leaves_is_dropped_or_dies_is_left() {
    let (mut host, at) = Game::hosting("Host");
    let leaver = Game::joined("Leaver", at);
    leaver.send(Command::Close);
    wait_for_left(&mut host, session(&leaver));

    let ended = Game::joined("Ended", at);
    let id = session(&ended);
    drop(ended);
    wait_for_left(&mut host, id);

    // A process that is killed: its sockets close, and nothing is said.
    let killed = Raw::joined(at);
    let id = killed.session;
    drop(killed);
    wait_for_left(&mut host, id);
}

#[test]
fn a_host_closes_the_connection_that_it_is_told_to() {
    let (mut host, at) = Game::hosting("Host");
    let (mut member, other) = (Game::joined("Member", at), Game::joined("Other", at));
    let id = session(&member);
    host.send(Command::Disconnect { session: id });
    wait_for_left(&mut host, id);
    let why = member.wait("the loss", |event| match event {
        Event::Lost { why } => Some(why.clone()),
        _ => None,
    });
    assert_eq!(why, LostReason::Closed);
    // One that is gone, and whoever does not host: nothing comes of it.
    host.send(Command::Disconnect { session: id });
    other.send(Command::Disconnect { session: session(&host) });
    other.send(Command::Event { target: None, bytes: b"still here".to_vec().into() });
    wait_for_data(&mut host, b"still here");
}

/// A hand-written client.
struct Raw {
    stream: TcpStream,
    session: SessionId,
}

impl Raw {
    /// With so small a buffer that little is on its way to one who does not read.
    fn connect(at: SocketAddr) -> TcpStream {
        let socket =
            Socket::new(Domain::IPV4, Type::STREAM, Some(Protocol::TCP)).expect("a socket");
        socket.set_recv_buffer_size(4096).expect("a small buffer");
        socket.connect(&at.into()).expect("a host listens");
        let stream = TcpStream::from(socket);
        stream.set_read_timeout(Some(PATIENCE)).expect("a time-out");
        stream
    }

    fn joined(at: SocketAddr) -> Self {
        let mut stream = Self::connect(at);
        let hello =
            mp_protocol::ClientPacket::Hello { version: "rac1-multiplayer/0.7.0", name: "Raw" };
        let mut bytes = Vec::new();
        hello.encode(&mut bytes).expect("a HELLO");
        stream.write_all(&bytes).expect("is taken");
        let mut reader = FrameReader::new();
        let mut buffer = [0; 1024];
        loop {
            let count = stream.read(&mut buffer).expect("an answer");
            let mut came = &buffer[..count];
            while let Some(body) = reader.next(&mut came).expect("frames") {
                if let Ok(ServerPacket::Hello { session }) = ServerPacket::decode(body) {
                    return Self { stream, session };
                }
            }
        }
    }
}

/// B8.1
#[test]
fn a_malformed_frame_closes_that_connection_only() {
    let (mut host, at) = Game::hosting("Host");
    let member = Game::joined("Member", at);
    let malformed: [&[u8]; 4] =
        [&[0, 0, 0, 0], &[0, 1, 0, 1], &[0, 0, 0, 1, 99], &[0, 0, 0, 3, 0, 0, 1]];
    for bytes in malformed {
        let mut before_hello = Raw::connect(at);
        before_hello.write_all(bytes).expect("is taken");
        assert_eq!(before_hello.read(&mut [0; 64]).expect("closed, not reset"), 0, "{bytes:?}");

        let mut raw = Raw::joined(at);
        raw.stream.write_all(bytes).expect("is taken");
        let mut rest = Vec::new();
        raw.stream.read_to_end(&mut rest).expect("closed, not reset");
        wait_for_left(&mut host, raw.session);
    }
    member.send(Command::Event { target: None, bytes: b"still here".to_vec().into() });
    wait_for_data(&mut host, b"still here");
}

/// B8.1
#[test]
fn a_refused_client_hears_why_before_the_connection_closes() {
    let (_host, at) = Game::hosting("Host");
    let _held: Vec<_> = (0..8).map(|_| Raw::connect(at)).collect();
    // They are accepted, and so counted, in their order. The ninth says much that is never read.
    let mut ninth = Raw::connect(at);
    ninth.write_all(&[0; 20_000]).expect("is taken");
    let mut bytes = Vec::new();
    ninth.read_to_end(&mut bytes).expect("closed, not reset");
    assert_eq!(bytes, [0, 0, 0, 2, 4, 5]);
}

#[test]
fn a_large_event_arrives_whole() {
    let (mut host, at) = Game::hosting("Host");
    let member = Game::joined("Member", at);
    for index in 200..212_u8 {
        member.send(Command::Event { target: None, bytes: vec![index; 65_531].into() });
    }
    for index in 200..212_u8 {
        wait_for_data(&mut host, &[index; 65_531]);
    }
}

/// B3.3
#[test]
fn one_who_is_back_is_in_the_party_again_as_a_new_session() {
    let (mut host, at) = Game::hosting("Host");
    let mut member = Game::joined("Member", at);
    let before = session(&member);
    member.send(Command::Close);
    wait_for_left(&mut host, before);
    member.connect(2, at);
    member.wait("INFO", |event| is_info(event).then_some(()));
    assert!(session(&member) > before);
    assert_eq!(member.seen().last().map(|report| report.link), Some(LinkId(2)));
}

/// B3.6, B8.1: a host's game that reads nothing, as in a load: who floods it goes, and the party plays on.
#[test]
fn who_floods_a_host_that_does_not_read_is_closed_and_the_others_stay() {
    let (mut host, at) = Game::hosting("Host");
    let honest = Game::joined("Honest", at);
    // As raw bytes: our own client would hold itself under the limits.
    let mut flooder = TcpStream::connect(at).expect("the host listens");
    flooder.write_all(b"\0\0\0\x0b\0\0\x01v\0\x05Flood").expect("it reads");
    let frame = {
        let mut frame = 60_005_u32.to_be_bytes().to_vec();
        frame.extend([3, 0, 0, 0, 0]);
        frame.resize(4 + 60_005, 200);
        frame
    };
    // 1.2 MB, which the limits let through at once. It may be closed before it has said all of it.
    let _ = (0..20).try_for_each(|_| flooder.write_all(&frame));
    flooder.set_read_timeout(Some(PATIENCE)).expect("a time-out");
    let closed = std::io::copy(&mut flooder, &mut std::io::sink());
    assert!(closed.is_ok() || closed.is_err_and(|error| error.kind() != ErrorKind::WouldBlock));
    honest.send(Command::Event { target: None, bytes: b"still here".to_vec().into() });
    wait_for_data(&mut host, b"still here");
    let lost = host.seen().iter().filter(|report| matches!(report.event, Event::Lost { .. }));
    assert_eq!(lost.count(), 0);
}
