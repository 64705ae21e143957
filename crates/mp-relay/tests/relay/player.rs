//! A player's client as plain sockets, which says exactly what a test has it say.

use std::io::{ErrorKind, Read, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream, UdpSocket};
use std::time::{Duration, Instant};

use mp_protocol::datagram::{ClientDatagram, ClientDatagramKind, ServerDatagram};
use mp_protocol::{
    ClientPacket, ErrorReason, FrameReader, HELLO_VERSION, ServerPacket, SessionId, Token,
};

/// Far longer than anything here takes, so that only what never comes fails.
pub const PATIENCE: Duration = Duration::from_secs(20);

pub struct Player {
    pub stream: TcpStream,
    pub udp: UdpSocket,
    pub session: SessionId,
    pub token: Token,
    bodies: Vec<Vec<u8>>,
    reader: FrameReader,
}

/// What a test waits for.
#[derive(Debug, PartialEq, Eq)]
pub enum Heard {
    Info { code: String, members: Vec<i32> },
    Joined(i32),
    Left(i32),
    End,
    List(Vec<(String, u8)>),
    Chat(String),
    Data(i32, Vec<u8>),
    Error(ErrorReason),
    Time(i64),
    Closed,
}

impl Player {
    /// A connection that has said nothing.
    pub fn connect(server: SocketAddr) -> Self {
        let stream = TcpStream::connect(server).expect("the relay listens");
        Self::over(stream, server)
    }

    pub fn over(stream: TcpStream, server: SocketAddr) -> Self {
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.set_nodelay(true).unwrap();
        let any: IpAddr = match server {
            SocketAddr::V4(_) => Ipv4Addr::LOCALHOST.into(),
            SocketAddr::V6(_) => Ipv6Addr::LOCALHOST.into(),
        };
        let udp = UdpSocket::bind((any, 0)).unwrap();
        udp.connect(server).unwrap();
        udp.set_read_timeout(Some(PATIENCE)).unwrap();
        Self {
            stream,
            udp,
            session: SessionId(0),
            token: Token::from_bits(0),
            bodies: Vec::new(),
            reader: FrameReader::new(),
        }
    }

    /// A connection that said HELLO and was answered.
    pub fn greeted(server: SocketAddr, name: &str) -> Self {
        let mut player = Self::connect(server);
        player.greet(name);
        player
    }

    pub fn greet(&mut self, name: &str) {
        self.say(&ClientPacket::Hello { version: HELLO_VERSION, name });
        for _ in 0..2 {
            match ServerPacket::decode(&self.body().expect("HELLO is answered")).unwrap() {
                ServerPacket::Hello { session } => self.session = session,
                ServerPacket::Udp { token, port: 0 } => self.token = token,
                other => panic!("{other:?} in answer to HELLO"),
            }
        }
    }

    pub fn say(&mut self, packet: &ClientPacket<'_>) {
        let mut frame = Vec::new();
        packet.encode(&mut frame).unwrap();
        self.stream.write_all(&frame).unwrap();
    }

    /// The next frame's body; none if the relay closed the connection.
    pub fn body(&mut self) -> Option<Vec<u8>> {
        let mut buffer = vec![0; 64 << 10];
        while self.bodies.is_empty() {
            let count = match self.stream.read(&mut buffer) {
                Ok(0) => return None,
                Ok(count) => count,
                Err(error) if error.kind() == ErrorKind::ConnectionReset => return None,
                Err(error) => panic!("{}: {error}", self.session),
            };
            let mut input = &buffer[..count];
            while let Some(body) = self.reader.next(&mut input).unwrap() {
                self.bodies.push(body.to_vec());
            }
        }
        Some(self.bodies.remove(0))
    }

    pub fn hear(&mut self) -> Heard {
        let Some(body) = self.body() else { return Heard::Closed };
        match ServerPacket::decode(&body).expect("a packet of the protocol") {
            ServerPacket::Info(info) => Heard::Info {
                code: info.code.into(),
                members: info.members.iter().map(|member| member.id.0).collect(),
            },
            ServerPacket::Joined { id, .. } => Heard::Joined(id.0),
            ServerPacket::Left { id } => Heard::Left(id.0),
            ServerPacket::End => Heard::End,
            ServerPacket::List(rows) => {
                Heard::List(rows.iter().map(|row| (row.code.into(), row.members)).collect())
            }
            ServerPacket::Chat { text, .. } => Heard::Chat(text.into()),
            ServerPacket::Data { sender, bytes } => Heard::Data(sender.0, bytes.into()),
            ServerPacket::Error(reason) => Heard::Error(reason),
            ServerPacket::Time { echo_ms, .. } => Heard::Time(echo_ms),
            ServerPacket::Hello { .. } | ServerPacket::Udp { .. } => panic!("greeted again"),
        }
    }

    #[track_caller]
    pub fn expect(&mut self, heard: &Heard) {
        assert_eq!(&self.hear(), heard, "player {}", self.session);
    }

    /// All that came is an answer to a TIME that is sent now.
    #[track_caller]
    pub fn expect_nothing(&mut self) {
        self.say(&ClientPacket::Time { clock_ms: 42 });
        self.expect(&Heard::Time(42));
    }

    pub fn create(&mut self) -> String {
        self.say(&ClientPacket::Create { description: "New game" });
        match self.hear() {
            Heard::Info { code, .. } => code,
            other => panic!("{other:?} in answer to CREATE"),
        }
    }

    /// Into that party; who is in it then.
    pub fn join(&mut self, code: &str) -> Vec<i32> {
        self.say(&ClientPacket::Join { code });
        match self.hear() {
            Heard::Info { members, .. } => members,
            other => panic!("{other:?} in answer to JOIN"),
        }
    }

    pub fn cast(&self, what: ClientDatagramKind<'_>) {
        let mut bytes = Vec::new();
        let (session, token) = (self.session, self.token);
        ClientDatagram { session, token, what }.encode(&mut bytes).unwrap();
        self.udp.send(&bytes).unwrap();
    }

    /// Binds, so that state comes by datagram; asks again if one is lost.
    pub fn bind(&self) {
        self.udp.set_read_timeout(Some(Duration::from_millis(200))).unwrap();
        let until = Instant::now() + PATIENCE;
        let mut answer = [0; 2_048];
        while Instant::now() < until {
            self.cast(ClientDatagramKind::Bind { heard: true, size: 1_200 });
            if let Ok(size) = self.udp.recv(&mut answer) {
                assert_eq!(&answer[..size], &[0; 1_188]);
                self.udp.set_read_timeout(Some(PATIENCE)).unwrap();
                return;
            }
        }
        panic!("BIND was not answered");
    }

    /// The next state that comes by datagram.
    pub fn state(&self) -> (i32, Vec<u8>) {
        let mut bytes = [0; 2_048];
        loop {
            let size = self.udp.recv(&mut bytes).expect("a datagram");
            if let ServerDatagram::State { sender, bytes } =
                ServerDatagram::decode(&bytes[..size]).unwrap()
            {
                return (sender.0, bytes.to_vec());
            }
        }
    }
}
