//! A warm relay forwards without allocating: the whole program's allocations are counted while a party
//! plays, whose own side allocates nothing either.
#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]

use std::alloc::System;
use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream, UdpSocket};
use std::time::Duration;

use mp_protocol::datagram::{ClientDatagram, ClientDatagramKind};
use mp_protocol::{ClientPacket, FrameReader, HELLO_VERSION, ServerPacket, SessionId, Token};
use mp_relay::{Log, Relay, Settings};
use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};

#[global_allocator]
static COUNTING: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// How often memory was asked for since the program began, more of it for what there is too.
fn allocations() -> usize {
    let stats = COUNTING.stats();
    stats.allocations + stats.reallocations
}

/// Rounds until everything has grown to what it needs, and rounds that are counted.
const WARM_UP: usize = 1_000;
const ROUNDS: usize = 2_000;
/// A wake-up that finds more ready than any before may still have a buffer grow.
const GROWTH: usize = 8;
const MESSAGE: [u8; 100] = [7; 100];
/// DATA's and STATE's bytes around a message, as they come.
const FRAME: usize = 9 + MESSAGE.len();
const DATAGRAM: usize = 5 + MESSAGE.len();
/// The answer to a full-size BIND.
const ANSWER: usize = 1_188;
/// How much of a frame comes before the rest of it.
const PART: usize = 50;

struct Player {
    tcp: TcpStream,
    udp: UdpSocket,
    data: Vec<u8>,
    state: Vec<u8>,
    bind: Vec<u8>,
}

/// Greets, then asks `request`; what it was told, the code of its party among it.
fn player(server: SocketAddr, request: &ClientPacket<'_>) -> (Player, String) {
    let tcp = TcpStream::connect(server).unwrap();
    tcp.set_nodelay(true).unwrap();
    tcp.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    let udp = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    udp.connect(server).unwrap();
    udp.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    let hello = ClientPacket::Hello { version: HELLO_VERSION, name: "Nova" };
    let mut bytes = Vec::new();
    for packet in [&hello, request] {
        packet.encode(&mut bytes).unwrap();
    }
    (&tcp).write_all(&bytes).unwrap();
    let (mut session, mut token, mut code) = (SessionId(0), Token::from_bits(0), String::new());
    let (mut reader, mut buffer) = (FrameReader::new(), [0; 4_096]);
    while code.is_empty() {
        let count = (&tcp).read(&mut buffer).unwrap();
        let mut input = &buffer[..count];
        while let Some(body) = reader.next(&mut input).unwrap() {
            match ServerPacket::decode(body).unwrap() {
                ServerPacket::Hello { session: own } => session = own,
                ServerPacket::Udp { token: own, .. } => token = own,
                ServerPacket::Info(info) => code = info.code.into(),
                other => panic!("{other:?}"),
            }
        }
    }
    let datagram = |what| {
        let mut bytes = Vec::new();
        ClientDatagram { session, token, what }.encode(&mut bytes).unwrap();
        bytes
    };
    let mut data = Vec::new();
    ClientPacket::Data { target: 0, bytes: &MESSAGE }.encode(&mut data).unwrap();
    let state = datagram(ClientDatagramKind::State { target: 0, bytes: &MESSAGE });
    let bind = datagram(ClientDatagramKind::Bind { heard: true, size: 1_200 });
    (Player { tcp, udp, data, state, bind }, code)
}

impl Player {
    /// A part of its frame, which the relay has read when this is over.
    fn begin(&self) {
        (&self.tcp).write_all(&self.data[..PART]).unwrap();
        // What came before a BIND by TCP is read before that is answered.
        self.udp.send(&self.bind).unwrap();
        assert_eq!(self.udp.recv(&mut [0; 2_048]).unwrap(), ANSWER);
    }

    /// Its frame, but for what was sent of it, and two datagrams.
    fn speak(&self, begun: usize) {
        (&self.tcp).write_all(&self.data[begun..]).unwrap();
        self.udp.send(&self.state).unwrap();
        self.udp.send(&self.bind).unwrap();
    }

    /// So many messages by TCP and by UDP, and the answer to BIND.
    fn listen(&self, messages: usize) {
        let mut buffer = [0; 2_048];
        (&self.tcp).read_exact(&mut buffer[..messages * FRAME]).unwrap();
        let (mut states, mut answers) = (0, 0);
        while (states, answers) != (messages, 1) {
            match self.udp.recv(&mut buffer).unwrap() {
                DATAGRAM => states += 1,
                ANSWER => answers += 1,
                size => panic!("a datagram of {size} bytes"),
            }
        }
    }
}

/// Every other round, all frames come in parts.
fn play(host: &Player, members: &[Player], rounds: usize) {
    for round in 0..rounds {
        let all = members.iter().chain([host]);
        let begun = if round % 2 == 0 {
            all.clone().for_each(Player::begin);
            PART
        } else {
            0
        };
        all.for_each(|player| player.speak(begun));
        host.listen(members.len());
        for member in members {
            member.listen(1);
        }
    }
}

#[test]
fn a_warm_relay_forwards_without_allocating() {
    let mut settings =
        Settings { listen: ([127, 0, 0, 1], 0).into(), threads: Some(1), ..Settings::default() };
    settings.limits.frames_per_second = 1_000_000;
    settings.limits.frame_bytes_per_second = u32::MAX;
    settings.limits.datagrams_per_second = 1_000_000;
    settings.limits.host_datagrams_per_second = 1_000_000;
    let (log, _end) = Log::start(std::io::sink()).unwrap();
    let relay = Relay::start(&settings, log).unwrap();
    let (host, code) = player(relay.address(), &ClientPacket::Create { description: "" });
    let members: Vec<_> =
        (0..3).map(|_| player(relay.address(), &ClientPacket::Join { code: &code }).0).collect();
    // Three JOINED came for the host, two and one for the first members.
    for (player, joined) in [(&host, 3), (&members[0], 2), (&members[1], 1)] {
        let mut frames = [0; 3 * JOINED];
        (&player.tcp).read_exact(&mut frames[..joined * JOINED]).unwrap();
    }
    // A BIND and its answer, so that all state goes by datagram from the first round on.
    for player in members.iter().chain([&host]) {
        player.udp.send(&player.bind).unwrap();
        player.udp.recv(&mut [0; 2_048]).unwrap();
    }
    play(&host, &members, WARM_UP);
    let before = allocations();
    play(&host, &members, ROUNDS);
    let made = allocations() - before;
    assert!(made <= GROWTH, "{made} allocations in {ROUNDS} rounds of 20 messages");
    assert!(relay.stop());
}

/// Bytes of the JOINED of one named Nova.
const JOINED: usize = 4 + 2 + 4 + 2 + 4;
