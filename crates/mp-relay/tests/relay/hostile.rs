//! Bad input over real sockets costs its sender alone: an honest pair plays on beside each of these.

use std::io::{ErrorKind, Read, Write};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use mp_party::{DropReason, Strike};
use mp_protocol::ClientPacket;
use mp_protocol::datagram::{ClientDatagram, ClientDatagramKind};
use mp_relay::Relay;
use socket2::{Domain, SockRef, Socket, Type};

use crate::player::{Heard, PATIENCE, Player};
use crate::support::{relay, settings};

/// A host and a member who notice nothing.
pub struct Pair {
    pub host: Player,
    pub member: Player,
    server: SocketAddr,
    code: String,
}

impl Pair {
    pub fn new(relay: &Relay) -> Self {
        let mut host = Player::greeted(relay.address(), "Host");
        let code = host.create();
        let mut member = Player::greeted(relay.address(), "Nova");
        member.join(&code);
        host.expect(&Heard::Joined(member.session.0));
        host.bind();
        member.bind();
        Self { host, member, server: relay.address(), code }
    }

    /// Two more, who say nothing.
    pub fn fill(&mut self) -> [Player; 2] {
        ["Orbit", "Pixel"].map(|name| {
            let mut player = Player::greeted(self.server, name);
            player.join(&self.code);
            for other in [&mut self.host, &mut self.member] {
                other.expect(&Heard::Joined(player.session.0));
            }
            player
        })
    }

    #[track_caller]
    pub fn play(&mut self) {
        let Self { host, member, .. } = self;
        member.say(&ClientPacket::Data { target: 0, bytes: b"hit" });
        host.expect(&Heard::Data(member.session.0, b"hit".into()));
        host.cast(ClientDatagramKind::State { target: 0, bytes: b"world" });
        assert_eq!(member.state(), (host.session.0, b"world".to_vec()));
    }
}

struct Vector {
    place: String,
    bytes: Vec<u8>,
}

fn vectors() -> Vec<Vector> {
    let text = include_str!("../../../mp-protocol/tests/vectors.json");
    let list: Vec<serde_json::Value> = serde_json::from_str(text).unwrap();
    let bytes = |hex: &str| {
        let pairs = (0..hex.len()).step_by(2).map(|at| &hex[at..at + 2]);
        pairs.map(|pair| u8::from_str_radix(pair, 16).unwrap()).collect()
    };
    let vector = |it: &serde_json::Value| Vector {
        place: it["where"].as_str().unwrap().into(),
        bytes: bytes(it["hex"].as_str().unwrap()),
    };
    list.iter().map(vector).collect()
}

/// Every prefix of the bytes, and they with every single bit flipped.
fn mangled(bytes: &[u8]) -> impl Iterator<Item = Vec<u8>> + '_ {
    let prefixes = (0..=bytes.len()).map(|end| bytes[..end].to_vec());
    let flips = (0..bytes.len() * 8).map(|bit| {
        let mut flipped = bytes.to_vec();
        flipped[bit / 8] ^= 1 << (bit % 8);
        flipped
    });
    prefixes.chain(flips)
}

/// A connection whose end leaves nothing behind, so that there may be thousands.
fn connect(to: SocketAddr) -> TcpStream {
    let socket = Socket::new(Domain::IPV4, Type::STREAM, None).unwrap();
    socket.connect(&to.into()).unwrap();
    socket.set_linger(Some(Duration::ZERO)).unwrap();
    let stream = TcpStream::from(socket);
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    stream
}

/// Says all of it, ends its side, and reads until the relay has closed.
fn say_and_end(to: SocketAddr, bytes: &[u8]) {
    let mut stream = connect(to);
    let gone = |error: &std::io::Error| {
        matches!(error.kind(), ErrorKind::ConnectionReset | ErrorKind::BrokenPipe)
    };
    // The relay may have closed before all of it was said.
    if let Err(error) = stream.write_all(bytes) {
        assert!(gone(&error), "{error}");
    }
    let _gone = stream.shutdown(Shutdown::Write);
    let mut buffer = [0; 4_096];
    loop {
        match stream.read(&mut buffer) {
            Ok(0) => return,
            Ok(_) => {}
            Err(error) => return assert!(gone(&error), "{error}"),
        }
    }
}

fn hello() -> Vec<u8> {
    let mut bytes = Vec::new();
    let version = mp_protocol::HELLO_VERSION;
    ClientPacket::Hello { version, name: "Mallory" }.encode(&mut bytes).unwrap();
    bytes
}

#[test]
fn every_mangled_vector_over_tcp_costs_its_sender_alone() {
    let relay = relay(&settings(2));
    let mut pair = Pair::new(&relay);
    // Nobody else has room there, whatever a flipped bit asks for.
    let full = pair.fill();
    let mut said = 0;
    for vector in vectors().iter().filter(|vector| vector.place.starts_with("frame")) {
        for bytes in mangled(&vector.bytes) {
            // Before it is greeted, and after; then with what follows glued to it.
            say_and_end(relay.address(), &bytes);
            say_and_end(relay.address(), &[hello(), bytes, hello()].concat());
            said += 2;
        }
        pair.play();
    }
    let stats = relay.monitor().stats().expect("every thread answers");
    assert!(said > 3_000, "{said} is too few");
    assert_eq!(stats.total().counters.connections, said + 4);
    assert_eq!(stats.total().connections, 4);
    assert_eq!(stats.total().queued_bytes, 0);
    drop(full);
    assert!(relay.stop());
}

#[test]
fn every_mangled_vector_by_udp_is_dropped_and_counted() {
    let relay = relay(&settings(2));
    let mut pair = Pair::new(&relay);
    let stranger = Player::connect(relay.address());
    let mut sent = 0;
    for vector in vectors() {
        for bytes in mangled(&vector.bytes).filter(|bytes| !bytes.is_empty()) {
            stranger.udp.send(&bytes).unwrap();
            sent += 1;
            if sent % 64 == 0 {
                // Not faster than the socket holds.
                pair.play();
            }
        }
    }
    pair.play();
    // The thread that the pair is not on may have some still to read.
    let until = Instant::now() + PATIENCE;
    let total = loop {
        let total = relay.monitor().stats().expect("every thread answers").total();
        let drops = |reason| total.counters.drops(reason);
        let unknown = drops(DropReason::UnknownSession) + drops(DropReason::WrongToken);
        let malformed = drops(DropReason::MalformedDatagram);
        if unknown + malformed == sent {
            assert!(unknown > 0 && malformed > 0);
            break total;
        }
        assert!(Instant::now() < until, "{unknown} and {malformed} of {sent}");
    };
    assert_eq!(total.counters.strikes(Strike::Datagrams), 0);
    stranger.udp.set_nonblocking(true).unwrap();
    let answer = stranger.udp.recv(&mut [0; 64]);
    assert!(answer.is_err_and(|error| error.kind() == ErrorKind::WouldBlock));
    assert!(relay.stop());
}

#[test]
fn a_wrong_token_and_a_large_datagram_are_dropped() {
    let relay = relay(&settings(1));
    let mut pair = Pair::new(&relay);
    let stranger = Player::greeted(relay.address(), "Mallory");
    let what = ClientDatagramKind::Bind { heard: true, size: 1_200 };
    let (session, token) = (pair.host.session, stranger.token);
    let mut bytes = Vec::new();
    ClientDatagram { session, token, what }.encode(&mut bytes).unwrap();
    stranger.udp.send(&bytes).unwrap();
    stranger.udp.send(&[0; 1_201]).unwrap();
    // Its own is answered: the others came before it and were not.
    stranger.bind();
    pair.play();
    let total = relay.monitor().stats().expect("every thread answers").total();
    assert_eq!(total.counters.drops(DropReason::WrongToken), 1);
    assert_eq!(total.counters.drops(DropReason::OversizeDatagram), 1);
    assert!(relay.stop());
}

#[test]
fn one_that_does_not_read_is_closed_and_the_party_plays_on() {
    let mut settings = settings(1);
    settings.limits.frame_bytes_per_second = 1 << 30;
    settings.limits.frames_per_second = 1 << 20;
    let relay = relay(&settings);
    let mut pair = Pair::new(&relay);
    pair.play();
    let Pair { host, member, code, .. } = &mut pair;
    let socket = Socket::new(Domain::IPV4, Type::STREAM, None).unwrap();
    SockRef::from(&socket).set_recv_buffer_size(4_096).unwrap();
    socket.connect(&relay.address().into()).unwrap();
    let mut slow = Player::over(socket.into(), relay.address());
    slow.greet("Slow");
    slow.join(code);
    let id = slow.session.0;
    for player in [&mut *host, &mut *member] {
        player.expect(&Heard::Joined(id));
    }
    // It reads nothing from here on: what the kernel does not take waits in its queue.
    let bytes = vec![7; 32 << 10];
    for round in 0.. {
        assert!(round < 10_000, "it was never closed");
        host.say(&ClientPacket::Data { target: id, bytes: &bytes });
        host.say(&ClientPacket::Time { clock_ms: round });
        match host.hear() {
            Heard::Time(echo) => assert_eq!(echo, round),
            Heard::Left(left) => {
                assert_eq!(left, id);
                host.expect(&Heard::Time(round));
                break;
            }
            other => panic!("{other:?}"),
        }
    }
    member.expect(&Heard::Left(id));
    pair.play();
    let total = relay.monitor().stats().expect("every thread answers").total();
    assert_eq!(total.queued_bytes, 0);
    assert!(relay.stop());
}

#[test]
fn one_that_is_too_slow_to_write_is_closed() {
    let mut settings = settings(2);
    settings.limits.hello_timeout = Duration::from_millis(300);
    settings.limits.frame_timeout = Duration::from_millis(300);
    let relay = relay(&settings);
    let mut pair = Pair::new(&relay);
    // One says nothing, one a part of its HELLO, one a part of a later frame.
    let mut silent = Player::connect(relay.address());
    let mut part = Player::connect(relay.address());
    part.stream.write_all(&hello()[..9]).unwrap();
    let mut later = Player::greeted(relay.address(), "Mallory");
    later.stream.write_all(&[0, 0, 0, 9, 3]).unwrap();
    pair.play();
    for player in [&mut silent, &mut part, &mut later] {
        player.expect(&Heard::Closed);
    }
    pair.play();
    assert!(relay.stop());
}

#[test]
fn one_whose_end_is_gone_without_a_word_is_closed() {
    let mut settings = settings(2);
    // Long enough for this thread to be kept waiting, and the host not be taken for silent too.
    settings.limits.silence_timeout = Duration::from_secs(3);
    let relay = relay(&settings);
    let Pair { mut host, member, .. } = Pair::new(&relay);
    // It stays open and says nothing; datagrams are not frames.
    let id = member.session.0;
    let mut clock = 0;
    loop {
        host.say(&ClientPacket::Time { clock_ms: clock });
        member.cast(ClientDatagramKind::Bind { heard: true, size: 1_200 });
        match host.hear() {
            Heard::Time(echo) => assert_eq!(echo, clock),
            Heard::Left(left) => break assert_eq!(left, id),
            other => panic!("{other:?}"),
        }
        clock += 1;
    }
    assert!(relay.stop());
}

#[test]
fn silent_connects_keep_nobody_out() {
    let mut settings = settings(2);
    settings.limits.connections_per_address = 8;
    settings.limits.hello_timeout = Duration::from_millis(500);
    let relay = relay(&settings);
    let from = |number: u32| {
        let socket = Socket::new(Domain::IPV4, Type::STREAM, None).unwrap();
        let address = Ipv4Addr::from_bits(Ipv4Addr::new(127, 9, 0, 1).to_bits() + number / 8);
        socket.bind(&SocketAddr::from((address, 0)).into()).ok()?;
        socket.connect(&relay.address().into()).unwrap();
        Some(Player::over(socket.into(), relay.address()))
    };
    // Elsewhere than on Linux loopback has one address.
    let silent: Vec<_> = (0..400).map_while(from).collect();
    if silent.is_empty() {
        println!("one loopback address here: left out");
        return;
    }
    let mut pair = Pair::new(&relay);
    pair.play();
    for mut player in silent {
        player.expect(&Heard::Closed);
    }
    pair.play();
    assert!(relay.stop());
}
