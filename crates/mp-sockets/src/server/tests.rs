//! The server alone, without a thread: what only shows when the kernel takes no more.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex};

use mio::{Events, Poll};
use mp_party::{Commons, Config, Limits, Mode, Shard};
use mp_protocol::datagram::{ClientDatagram, ClientDatagramKind};
use mp_protocol::{ClientPacket, FrameReader, HELLO_VERSION, ServerPacket};
use socket2::{Domain, Protocol, Socket, Type};

use super::*;
use crate::listen::Ports;

const PATIENCE: Duration = Duration::from_secs(20);

struct Driven {
    poll: Poll,
    tokens: Tokens,
    lingering: Lingering,
    events: Events,
}

impl Driven {
    fn new() -> Self {
        Self {
            poll: Poll::new().expect("a poll"),
            tokens: Tokens::new(),
            lingering: Lingering::new(8),
            events: Events::with_capacity(64),
        }
    }

    fn io(&mut self) -> Io<'_> {
        let Self { poll, tokens, lingering, .. } = self;
        Io { now: LocalTime::ZERO, registry: poll.registry(), tokens, lingering }
    }

    /// Does what the thread does for one wake-up.
    fn turn(&mut self, server: Option<&mut Server>) {
        self.poll.poll(&mut self.events, Some(PATIENCE)).expect("it polls");
        let Self { poll, tokens, lingering, events } = self;
        let mut io = Io { now: LocalTime::ZERO, registry: poll.registry(), tokens, lingering };
        for event in events.iter() {
            io.lingering.ready(event.token());
        }
        if let Some(server) = server {
            for event in events.iter() {
                server.ready(&mut io, event);
            }
            server.settle(&mut io);
        }
    }
}

fn encoded(packet: &ClientPacket<'_>) -> Vec<u8> {
    let mut bytes = Vec::new();
    packet.encode(&mut bytes).expect("a packet");
    bytes
}

fn config(mode: Mode) -> Config {
    Config { mode, limits: Limits::default(), udp_port: Some(0), epoch_ms: 0 }
}

/// What a router has to say to a connection.
fn said(router: &mut Router, id: ConnectionId) -> Vec<Vec<u8>> {
    let (mut reader, mut bodies) = (FrameReader::new(), Vec::new());
    let mut bytes = router.outgoing(id);
    while let Some(body) = reader.next(&mut bytes).expect("frames") {
        bodies.push(body.to_vec());
    }
    let count = router.outgoing(id).len();
    router.wrote(id, count);
    bodies
}

/// Its session moved on while another thread had the datagram on its way here.
#[test]
fn a_datagram_that_came_too_late_here_goes_on_to_where_its_session_is_now() {
    let now = LocalTime::ZERO;
    let commons = Arc::new(Mutex::new(Commons::default()));
    let mut routers = (0..3).map(|index| {
        let commons = Arc::clone(&commons);
        let shard = Shard::new(index, 3).expect("one of three");
        let access = move |act: &mut dyn FnMut(&mut Commons)| act(&mut commons.lock().expect("it"));
        Router::sharded(config(Mode::Server), shard, access, || 7).expect("a router")
    });
    let (mut first, here) = (routers.next().expect("one"), routers.next().expect("two"));
    let mut last = routers.next().expect("three");
    let hello = encoded(&ClientPacket::Hello { version: HELLO_VERSION, name: "Name" });
    let home = IpAddr::from(Ipv4Addr::LOCALHOST);

    let host = first.connect(now, home);
    let create = encoded(&ClientPacket::Create { description: "" });
    assert!(first.received(now, host, &[hello.clone(), create].concat()).is_none());
    let bodies = said(&mut first, host);
    let Ok(ServerPacket::Info(info)) = ServerPacket::decode(&bodies[2]) else { panic!("no INFO") };

    let guest = last.connect(now, home);
    assert!(last.received(now, guest, &hello).is_none());
    let bodies = said(&mut last, guest);
    let (Ok(ServerPacket::Hello { session }), Ok(ServerPacket::Udp { token, .. })) =
        (ServerPacket::decode(&bodies[0]), ServerPacket::decode(&bodies[1]))
    else {
        panic!("not greeted: {bodies:?}");
    };
    let join = encoded(&ClientPacket::Join { code: info.code });
    let departure = last.received(now, guest, &join).expect("the party is elsewhere");
    first.arrive(now, departure).expect("it is there");

    let mut driven = Driven::new();
    let mut server = Server::new(&mut driven.io(), Vec::new(), Vec::new(), here).expect("a server");
    let what = ClientDatagramKind::Bind { heard: true, size: 1_200 };
    let mut bytes = Vec::new();
    ClientDatagram { session, token, what }.encode(&mut bytes).expect("a datagram");
    let from = SocketAddr::new(home, 5_000);
    let to = LocalAddress { socket: 1, ip: Some(home) };
    server.datagram(now, from, to, &bytes);
    let mut onward = Vec::new();
    let add = |index, from, to, bytes: &[u8]| onward.push((index, from, to, bytes.to_vec()));
    assert_eq!(server.strays().drain(add), 0);
    assert_eq!(onward, [(0, from, to, bytes)]);
}

/// B8.2
#[test]
fn what_a_slow_member_has_still_to_get_reaches_it_after_the_server_stopped() {
    let mut driven = Driven::new();
    let mode = Mode::Direct { description: String::new() };
    let router = Router::new(config(mode), || 1).expect("a router");
    let ports = Ports::open(0).expect("a free port");
    let at = SocketAddr::from((Ipv4Addr::LOCALHOST, ports.port));
    let mut server = Server::new(&mut driven.io(), ports.tcp, ports.udp, router).expect("a server");
    server.connect_in_process(LocalTime::ZERO);
    let hello = encoded(&ClientPacket::Hello { version: HELLO_VERSION, name: "Name" });
    server.in_process_sent(LocalTime::ZERO, &hello);

    let member = Socket::new(Domain::IPV4, Type::STREAM, Some(Protocol::TCP)).expect("a socket");
    member.set_recv_buffer_size(4096).expect("a small buffer");
    member.connect(&at.into()).expect("it listens");
    let mut member = std::net::TcpStream::from(member);
    member.set_read_timeout(Some(PATIENCE)).expect("a time-out");
    member.write_all(&hello).expect("is taken");
    while server.router.connection_of(SessionId(2)).is_none() {
        driven.turn(Some(&mut server));
    }
    let id = server.router.connection_of(SessionId(2)).expect("was greeted");
    let wire = server.wires.iter().flatten().next().expect("the member's");
    assert!(wire.stream.nodelay().expect("it is open"), "protocol.md 1");

    // It reads nothing, until the kernel holds all it can and the router the rest.
    let mut sent = 0;
    while server.router.outgoing(id).len() < 200_000 {
        let data = ClientPacket::Data { target: 0, bytes: &[9; 60_000] };
        server.in_process_sent(LocalTime::ZERO, &encoded(&data));
        server.settle(&mut driven.io());
        sent += 1;
        assert!(sent < 130, "the kernel holds more than the host may send");
    }
    server.stop(&mut driven.io());
    assert!(!driven.lingering.is_empty());

    let reading = std::thread::spawn(move || {
        let mut came = Vec::new();
        member.read_to_end(&mut came).expect("closed, not reset");
        came
    });
    while !driven.lingering.is_empty() {
        driven.turn(None);
    }
    let came = reading.join().expect("it read");
    let (mut reader, mut bytes, mut data, mut last) =
        (FrameReader::new(), came.as_slice(), 0, false);
    while let Some(body) = reader.next(&mut bytes).expect("frames") {
        let packet = ServerPacket::decode(body).expect("well-formed");
        data += u32::from(matches!(packet, ServerPacket::Data { .. }));
        last = packet == ServerPacket::End;
    }
    assert_eq!((data, last), (sent, true));
}
