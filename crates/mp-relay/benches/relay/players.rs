//! Parties of four on a relay, as plain sockets.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream, UdpSocket};
use std::time::Duration;

use mp_protocol::datagram::{ClientDatagram, ClientDatagramKind};
use mp_protocol::{ClientPacket, FrameReader, HELLO_VERSION, ServerPacket, SessionId, Token};
use socket2::SockRef;

/// Long enough for whatever is not lost.
pub const PATIENCE: Duration = Duration::from_secs(10);

pub struct Player {
    pub tcp: TcpStream,
    pub udp: UdpSocket,
    pub session: SessionId,
    pub token: Token,
}

/// The host first.
pub type Party = Vec<Player>;

/// A UDP socket on loopback that talks to `to`.
pub fn udp(to: SocketAddr) -> UdpSocket {
    let socket = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    socket.connect(to).unwrap();
    socket.set_read_timeout(Some(Duration::from_millis(500))).unwrap();
    SockRef::from(&socket).set_recv_buffer_size(1 << 20).unwrap();
    socket
}

impl Player {
    pub fn greeted(relay: SocketAddr, from: Ipv4Addr, name: &str) -> Self {
        let socket =
            socket2::Socket::new(socket2::Domain::IPV4, socket2::Type::STREAM, None).unwrap();
        socket.bind(&SocketAddr::from((from, 0)).into()).unwrap();
        socket.connect(&relay.into()).unwrap();
        let tcp = TcpStream::from(socket);
        tcp.set_nodelay(true).unwrap();
        tcp.set_read_timeout(Some(PATIENCE)).unwrap();
        let (session, token) = (SessionId(0), Token::from_bits(0));
        let mut player = Self { tcp, udp: udp(relay), session, token };
        player.say(&ClientPacket::Hello { version: HELLO_VERSION, name });
        let (mut own_session, mut own_token) = (session, token);
        player.hear(|packet| match packet {
            ServerPacket::Hello { session } => own_session = session,
            ServerPacket::Udp { token, .. } => own_token = token,
            _ => {}
        });
        (player.session, player.token) = (own_session, own_token);
        player
    }

    pub fn say(&self, packet: &ClientPacket<'_>) {
        let mut frame = Vec::new();
        packet.encode(&mut frame).unwrap();
        (&self.tcp).write_all(&frame).unwrap();
    }

    /// Reads until the answer to a TIME that is sent now, which comes last.
    pub fn hear(&self, mut each: impl FnMut(ServerPacket<'_>)) {
        self.say(&ClientPacket::Time { clock_ms: 1 });
        let (mut reader, mut buffer) = (FrameReader::new(), vec![0; 64 << 10]);
        loop {
            let count = (&self.tcp).read(&mut buffer).unwrap();
            assert!(count > 0, "closed");
            let mut input = &buffer[..count];
            while let Some(body) = reader.next(&mut input).unwrap() {
                match ServerPacket::decode(body).unwrap() {
                    ServerPacket::Time { .. } => return,
                    packet => each(packet),
                }
            }
        }
    }

    pub fn datagram(&self, what: ClientDatagramKind<'_>) -> Vec<u8> {
        let mut bytes = Vec::new();
        let (session, token) = (self.session, self.token);
        ClientDatagram { session, token, what }.encode(&mut bytes).unwrap();
        bytes
    }

    /// A full-size BIND that says heard, and its answer.
    pub fn bind(&self) {
        let bind = self.datagram(ClientDatagramKind::Bind { heard: true, size: 1_200 });
        let mut answer = [0; 2_048];
        for _ in 0..10 {
            self.udp.send(&bind).unwrap();
            if self.udp.recv(&mut answer).is_ok_and(|size| size == 1_188) {
                return;
            }
        }
        panic!("BIND is not answered");
    }
}

pub fn parties(relay: SocketAddr, count: usize) -> Vec<Party> {
    (0..count)
        .map(|_| {
            let host = Player::greeted(relay, Ipv4Addr::LOCALHOST, "Host");
            host.say(&ClientPacket::Create { description: "" });
            let mut code = String::new();
            host.hear(|packet| {
                if let ServerPacket::Info(info) = packet {
                    code = info.code.into();
                }
            });
            let mut party = vec![host];
            for _ in 0..3 {
                let member = Player::greeted(relay, Ipv4Addr::LOCALHOST, "Member");
                member.say(&ClientPacket::Join { code: &code });
                member.hear(|_| {});
                party.push(member);
            }
            for player in &party {
                player.hear(|_| {});
            }
            party
        })
        .collect()
}

/// Says TIME and BIND for everyone, so that nobody is silent and state goes by datagram.
pub fn keep_alive(parties: &[Party]) {
    for player in parties.iter().flatten() {
        player.hear(|_| {});
        player.bind();
    }
}
