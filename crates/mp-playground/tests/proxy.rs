//! The proxy between a server and a game that are written out here: what passes, how late, what is
//! counted, and what a deliberate fault does. Loopback and real time; every wait has an end.

use std::io::{ErrorKind, Read as _, Write as _};
use std::net::{Ipv4Addr, TcpListener, TcpStream, UdpSocket};
use std::time::{Duration, Instant};

use mp_playground::proxy::{Blocked, Plan, Proxy, Traffic, WireFault};
use mp_protocol::datagram::{ClientDatagram, ClientDatagramKind, ServerDatagram};
use mp_protocol::game::{
    AnimTime, Animation, Claim, Level, Message, MobyId, MobyKey, Pose, PoseAnimSpeed, PoseFlags,
    Ready,
};
use mp_protocol::{ClientPacket, FrameReader, List, ServerPacket, SessionId, Token};

/// How long anything may take before a test fails.
const PATIENCE: Duration = Duration::from_secs(20);
const SESSION: SessionId = SessionId(7);

/// A server with its datagrams on another port than its frames, and a game that came by the proxy.
struct Ends {
    proxy: Proxy,
    server: TcpStream,
    server_datagrams: UdpSocket,
    game: TcpStream,
    game_datagrams: UdpSocket,
}

impl Ends {
    fn meet(conditions: &str, fault: Option<WireFault>) -> Self {
        let here = (Ipv4Addr::LOCALHOST, 0);
        let listener = TcpListener::bind(here).expect("a port");
        let address = listener.local_addr().expect("bound");
        let plan = Plan { conditions: conditions.parse().expect(conditions), seed: 1, fault };
        let proxy = Proxy::start(address, plan).expect("starts");
        let game = TcpStream::connect(proxy.address()).expect("listens");
        let (server, _) = listener.accept().expect("the proxy comes");
        let sockets = [(); 2].map(|()| UdpSocket::bind(here).expect("a port"));
        let [server_datagrams, game_datagrams] = sockets;
        for socket in [&server_datagrams, &game_datagrams] {
            socket.set_read_timeout(Some(PATIENCE)).expect("a time-out");
        }
        for stream in [&server, &game] {
            stream.set_read_timeout(Some(PATIENCE)).expect("a time-out");
            stream.set_nodelay(true).expect("no delay");
        }
        game_datagrams.connect(proxy.address()).expect("loopback");
        Self { proxy, server, server_datagrams, game, game_datagrams }
    }

    /// The server says where its datagrams are, and the game reads it.
    fn tell_port(&mut self) -> Vec<u8> {
        let port = self.server_datagrams.local_addr().expect("bound").port();
        let udp = ServerPacket::Udp { token: Token::from_bits(99), port };
        self.server.write_all(&frame(&udp)).expect("is read");
        next_frame(&mut self.game)
    }

    /// The counts, once they are as wanted.
    fn counted(&self, wanted: impl Fn(&Traffic) -> bool) -> Traffic {
        let end = Instant::now() + PATIENCE;
        loop {
            let traffic = self.proxy.traffic();
            if wanted(&traffic) {
                return traffic;
            }
            assert!(Instant::now() < end, "{traffic:?}");
            std::thread::yield_now();
        }
    }
}

fn frame(packet: &ServerPacket<'_>) -> Vec<u8> {
    let mut bytes = Vec::new();
    packet.encode(&mut bytes).expect("within the format");
    bytes
}

fn client_frame(packet: &ClientPacket<'_>) -> Vec<u8> {
    let mut bytes = Vec::new();
    packet.encode(&mut bytes).expect("within the format");
    bytes
}

/// The body of the next frame.
fn next_frame(stream: &mut TcpStream) -> Vec<u8> {
    let mut reader = FrameReader::new();
    loop {
        let mut byte = [0];
        stream.read_exact(&mut byte).expect("comes in time");
        if let Some(body) = reader.next(&mut &byte[..]).expect("a frame") {
            return body.to_vec();
        }
    }
}

fn message(message: &Message<'_>) -> Vec<u8> {
    let mut bytes = Vec::new();
    message.encode(&mut bytes).expect("within the format");
    bytes
}

fn pose(x: f32) -> Vec<u8> {
    let time = AnimTime(0);
    let speed = PoseAnimSpeed(0);
    message(&Message::Pose(Pose {
        owner: SESSION,
        sequence: 1,
        stamp_ms: 9_000,
        level: Level::new(0).expect("a level"),
        flags: PoseFlags(0),
        position: [x, 0.0, 0.0],
        rotation: [0.0; 3],
        velocity: [0.0; 3],
        state: 0,
        health: 4,
        item: 8,
        animation: Animation { seq: 0, frame: 0, next_frame: 0, time, speed },
        pieces: List::default(),
    }))
}

fn state(bytes: &[u8]) -> Vec<u8> {
    let mut datagram = Vec::new();
    let state = ServerDatagram::State { sender: SESSION, bytes };
    state.encode(&mut datagram).expect("within the format");
    datagram
}

#[test]
fn frames_pass_unchanged_both_ways_and_are_counted() {
    let mut ends = Ends::meet("latency=0", None);
    let hello = client_frame(&ClientPacket::Hello { version: "v", name: "Alex" });
    let data = client_frame(&ClientPacket::Data { target: 0, bytes: &[0; 9_000] });
    let id = MobyId::Key(MobyKey::new(7).expect("a key"));
    let claim = message(&Claim { level: Level::new(0).expect("a level"), id }.into());
    let claim = client_frame(&ClientPacket::Data { target: 0, bytes: &claim });
    // In three pieces, cut where no frame ends.
    let sent = [&hello[..], &data, &claim].concat();
    for piece in [&sent[..3], &sent[3..5_000], &sent[5_000..]] {
        ends.game.write_all(piece).expect("is read");
    }
    assert_eq!(next_frame(&mut ends.server), hello[4..]);
    assert_eq!(next_frame(&mut ends.server), data[4..]);
    assert_eq!(next_frame(&mut ends.server), claim[4..]);
    let answer = frame(&ServerPacket::Hello { session: SESSION });
    let passed_on = frame(&ServerPacket::Data { sender: SESSION, bytes: &pose(1.0) });
    ends.server.write_all(&[&answer[..], &passed_on].concat()).expect("is read");
    assert_eq!(next_frame(&mut ends.game), answer[4..]);
    assert_eq!(next_frame(&mut ends.game), passed_on[4..]);
    let down = u64::try_from(answer.len() + passed_on.len()).expect("short");
    let traffic = ends.counted(|traffic| traffic.bytes_down == down);
    assert_eq!(traffic.bytes_up, u64::try_from(sent.len()).expect("short"));
    assert_eq!((traffic.messages_up, traffic.messages_down), (2, 1));
    assert_eq!(traffic.claims_up, 1);
    assert_eq!(traffic.session, Some(7));
    assert!(traffic.refused.is_empty() && traffic.faults_done == 0, "{traffic:?}");
}

#[test]
fn datagrams_come_by_the_proxy_whatever_port_the_server_named() {
    let mut ends = Ends::meet("latency=0", None);
    let told = ends.tell_port();
    let expected = frame(&ServerPacket::Udp { token: Token::from_bits(99), port: 0 });
    assert_eq!(told, expected[4..]);
    let mut sent = Vec::new();
    let what = ClientDatagramKind::State { target: 0, bytes: &pose(1.0) };
    let datagram = ClientDatagram { session: SESSION, token: Token::from_bits(99), what };
    datagram.encode(&mut sent).expect("within the format");
    ends.game_datagrams.send(&sent).expect("loopback");
    let mut buffer = [0; 2_000];
    let (length, from) = ends.server_datagrams.recv_from(&mut buffer).expect("in time");
    assert_eq!(buffer[..length], sent);
    let answer = state(&pose(2.0));
    ends.server_datagrams.send_to(&answer, from).expect("loopback");
    let length = ends.game_datagrams.recv(&mut buffer).expect("in time");
    assert_eq!(buffer[..length], answer);
    let traffic = ends.counted(|traffic| traffic.messages_down == 1);
    assert_eq!(traffic.messages_up, 1);
}

#[test]
fn nothing_arrives_before_its_latency_by_either_way() {
    let mut ends = Ends::meet("latency=80,loss=100", None);
    let latency = Duration::from_millis(80);
    let sent = Instant::now();
    ends.game.write_all(&client_frame(&ClientPacket::Time { clock_ms: 1 })).expect("is read");
    next_frame(&mut ends.server);
    assert!(sent.elapsed() >= latency, "up by TCP");
    let sent = Instant::now();
    ends.tell_port();
    assert!(sent.elapsed() >= latency, "down by TCP");
    ends.game_datagrams.send(&[1; 40]).expect("loopback");
    ends.counted(|traffic| traffic.lost == 1);
}

#[test]
fn a_fault_is_done_to_poses_in_frames_and_datagrams_and_to_nothing_else() {
    let mut ends = Ends::meet("latency=0", Some(WireFault::PosesShifted));
    ends.tell_port();
    let ready = message(&Message::Ready(Ready { ready: true }));
    for (bytes, expected) in [(pose(1.0), pose(4.0)), (ready.clone(), ready)] {
        let sent = frame(&ServerPacket::Data { sender: SESSION, bytes: &bytes });
        ends.server.write_all(&sent).expect("is read");
        let body = next_frame(&mut ends.game);
        let decoded = ServerPacket::decode(&body);
        assert_eq!(decoded, Ok(ServerPacket::Data { sender: SESSION, bytes: &expected }));
    }
    ends.game_datagrams.send(&[1; 40]).expect("loopback");
    let mut buffer = [0; 2_000];
    let (_, from) = ends.server_datagrams.recv_from(&mut buffer).expect("in time");
    ends.server_datagrams.send_to(&state(&pose(1.0)), from).expect("loopback");
    let length = ends.game_datagrams.recv(&mut buffer).expect("in time");
    assert_eq!(buffer[..length], state(&pose(4.0)));
    assert_eq!(ends.proxy.traffic().faults_done, 2);
}

#[test]
fn what_was_sent_before_an_end_arrives_and_then_the_end() {
    let mut ends = Ends::meet("latency=20,jitter=20", None);
    let time = client_frame(&ClientPacket::Time { clock_ms: 1 });
    ends.game.write_all(&time).expect("is read");
    drop(ends.game);
    assert_eq!(next_frame(&mut ends.server), time[4..]);
    assert_eq!(ends.server.read(&mut [0; 8]).expect("the end"), 0);
}

#[test]
fn what_is_no_frame_closes_the_connection_and_is_told() {
    let mut ends = Ends::meet("latency=0", None);
    ends.server.write_all(&[0, 0, 0, 0]).expect("is read");
    assert!(matches!(ends.game.read(&mut [0; 8]), Ok(0) | Err(_)));
    let traffic = ends.counted(|traffic| !traffic.refused.is_empty());
    assert_eq!(traffic.refused, ["a frame of 0 bytes (1 to 65536 are allowed)"]);
}

#[test]
fn blocked_datagrams_do_not_pass_and_a_link_may_block_only_large_ones() {
    let mut ends = Ends::meet("latency=0", None);
    ends.tell_port();
    let mut buffer = [0; 2_000];
    for (number, (blocked, small_passes)) in [
        (Blocked::Both, false),
        (Blocked::Up, false),
        (Blocked::Down, true),
        (Blocked::Large, true),
    ]
    .into_iter()
    .enumerate()
    {
        let before = ends.proxy.traffic().datagrams_blocked;
        ends.proxy.block(blocked);
        let number = u8::try_from(number).expect("few");
        ends.game_datagrams.send(&[number; 1_200]).expect("loopback");
        ends.game_datagrams.send(&[number; 40]).expect("loopback");
        let stopped = u64::from(blocked != Blocked::Down) + u64::from(!small_passes);
        ends.counted(|traffic| traffic.datagrams_blocked == before + stopped);
        let large = (blocked == Blocked::Down).then_some(1_200);
        for length in large.into_iter().chain(small_passes.then_some(40)) {
            let (came, _) = ends.server_datagrams.recv_from(&mut buffer).expect("in time");
            assert_eq!(buffer[..came], vec![number; length], "{blocked:?}");
        }
    }
}

#[test]
fn a_connection_that_is_reset_is_told_so_on_both_sides() {
    let mut ends = Ends::meet("latency=0", None);
    ends.tell_port();
    ends.proxy.reset();
    for side in [&mut ends.game, &mut ends.server] {
        let read = side.read(&mut [0; 8]).map_err(|error| error.kind());
        assert_eq!(read, Err(ErrorKind::ConnectionReset));
    }
}

#[test]
fn an_address_that_changed_hears_only_what_is_sent_to_the_new_one() {
    let mut ends = Ends::meet("latency=0", None);
    ends.tell_port();
    let mut buffer = [0; 2_000];
    let mut heard = |ends: &Ends| {
        ends.game_datagrams.send(&[1; 40]).expect("loopback");
        ends.server_datagrams.recv_from(&mut buffer).expect("in time").1
    };
    let before = heard(&ends);
    ends.proxy.rebind();
    // The order and the datagram come by different ways.
    let end = Instant::now() + PATIENCE;
    let now = loop {
        let from = heard(&ends);
        if from != before {
            break from;
        }
        assert!(Instant::now() < end, "it never changed");
    };
    ends.server_datagrams.send_to(&state(&pose(1.0)), before).expect("loopback");
    ends.server_datagrams.send_to(&state(&pose(2.0)), now).expect("loopback");
    let length = ends.game_datagrams.recv(&mut buffer).expect("in time");
    assert_eq!(buffer[..length], state(&pose(2.0)));
}
