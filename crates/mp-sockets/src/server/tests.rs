//! The server alone, without a thread: what only shows when the kernel takes no more.

use std::net::{Ipv4Addr, SocketAddr};

use mio::{Events, Poll};
use mp_party::{Config, Limits, Mode};
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

#[test]
fn what_a_slow_member_has_still_to_get_reaches_it_after_the_server_stopped() {
    let mut driven = Driven {
        poll: Poll::new().expect("a poll"),
        tokens: Tokens::new(),
        lingering: Lingering::new(8),
        events: Events::with_capacity(64),
    };
    let config = Config {
        mode: Mode::Direct { description: String::new() },
        limits: Limits::default(),
        udp_port: None,
        epoch_ms: 0,
    };
    let router = Router::new(config, || 1).expect("a router");
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
