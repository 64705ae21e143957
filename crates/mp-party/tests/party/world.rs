//! A router and its clients as byte pipes, driven by hand: no socket, and the clock moves when a test
//! moves it.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use mp_netcode::LocalTime;
use mp_party::{
    CloseReason, Commons, Config, ConnectionId, Limits, LocalAddress, Mode, Note, NoteReason,
    Output, Router, Shard,
};
use mp_protocol::datagram::{ClientDatagram, ClientDatagramKind};
use mp_protocol::{ClientPacket, FrameReader, ServerPacket, SessionId, Token};

/// Wall time when the router began.
pub const EPOCH_MS: i64 = 1_700_000_000_000;

/// Where datagrams are sent to unless a test says otherwise.
pub const OUR_SOCKET: LocalAddress = LocalAddress { socket: 0, ip: None };

/// A client by its number in the world: 0 for the first that connected.
pub type Who = usize;

pub struct Client {
    pub id: ConnectionId,
    /// What came and was not looked at yet.
    inbox: Vec<u8>,
    pub closed: Option<(CloseReason, bool)>,
    /// It does not read.
    pub stalled: bool,
    pub session: SessionId,
    pub token: Token,
    /// It is in the router's own process, and counts for no address.
    pub local: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sent {
    pub to: SocketAddr,
    pub from: LocalAddress,
    pub bytes: Vec<u8>,
}

pub struct World {
    pub router: Router,
    pub commons: Arc<Mutex<Commons>>,
    pub now: LocalTime,
    pub clients: Vec<Client>,
    pub datagrams: Vec<Sent>,
    pub notes: Vec<Note>,
}

pub fn server() -> World {
    World::new(Mode::Server, Limits::default())
}

pub fn direct() -> World {
    World::new(Mode::Direct { description: "New game".into() }, Limits::direct())
}

/// An address of its own for each number.
pub fn address(number: usize) -> IpAddr {
    let bits = u32::try_from(number).expect("a small number");
    IpAddr::V4(Ipv4Addr::from_bits(0x0a00_0000 | bits))
}

/// Where a client's datagrams come from.
pub fn udp_address(who: Who) -> SocketAddr {
    SocketAddr::new(address(who), 5_000)
}

pub fn frame(packet: &ClientPacket<'_>) -> Vec<u8> {
    let mut bytes = Vec::new();
    packet.encode(&mut bytes).expect("a valid packet");
    bytes
}

pub fn datagram(session: SessionId, token: Token, what: ClientDatagramKind<'_>) -> Vec<u8> {
    let mut bytes = Vec::new();
    ClientDatagram { session, token, what }.encode(&mut bytes).expect("a valid datagram");
    bytes
}

pub fn hello(name: &str) -> ClientPacket<'_> {
    ClientPacket::Hello { version: "rac1-multiplayer/0.7.0", name }
}

impl World {
    pub fn new(mode: Mode, limits: Limits) -> Self {
        let mut state = 0x1234_5678_9abc_def0_u64;
        Self::with_random(mode, limits, move || {
            // A step of a linear congruential generator: any will do.
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            state
        })
    }

    pub fn with_random(
        mode: Mode,
        limits: Limits,
        random: impl FnMut() -> u64 + Send + 'static,
    ) -> Self {
        let config = Config { mode, limits, udp_port: Some(0), epoch_ms: EPOCH_MS };
        let commons = Arc::new(Mutex::new(Commons::default()));
        let shared = Arc::clone(&commons);
        let access =
            move |act: &mut dyn FnMut(&mut Commons)| act(&mut shared.lock().expect("sound"));
        let router = Router::sharded(config, Shard::ONLY, access, random);
        Self {
            router: router.expect("a valid description"),
            commons,
            now: LocalTime::from_micros(1_000),
            clients: Vec::new(),
            datagrams: Vec::new(),
            notes: Vec::new(),
        }
    }

    fn add(&mut self, id: ConnectionId) -> Who {
        self.clients.push(Client {
            id,
            inbox: Vec::new(),
            closed: None,
            stalled: false,
            session: SessionId(0),
            token: Token::from_bits(0),
            local: false,
        });
        self.pump();
        self.clients.len() - 1
    }

    /// Connects from an address of its own.
    pub fn connect(&mut self) -> Who {
        self.connect_from(address(self.clients.len()))
    }

    pub fn connect_from(&mut self, address: IpAddr) -> Who {
        let id = self.router.connect(self.now, address);
        self.add(id)
    }

    pub fn connect_local(&mut self) -> Who {
        let id = self.router.connect_local(self.now);
        let who = self.add(id);
        self.clients[who].local = true;
        who
    }

    /// Connects and says HELLO; its answer and UDP are taken, what follows them is not.
    pub fn greet(&mut self, name: &str) -> Who {
        let who = self.connect();
        self.say_hello(who, name);
        who
    }

    pub fn say_hello(&mut self, who: Who, name: &str) {
        self.send(who, &hello(name));
        let mut rest = Vec::new();
        for body in self.bodies(who) {
            match ServerPacket::decode(&body).expect("a valid packet") {
                ServerPacket::Hello { session } => self.clients[who].session = session,
                ServerPacket::Udp { token, port: 0 } => self.clients[who].token = token,
                packet => packet.encode(&mut rest).expect("it was decoded"),
            }
        }
        assert!(self.clients[who].session.0 > 0, "no answer to HELLO");
        self.clients[who].inbox = rest;
    }

    /// A party of so many, the host first; what they were told of it is taken.
    pub fn party(&mut self, size: usize) -> Vec<Who> {
        let host = self.greet("Host");
        self.send(host, &ClientPacket::Create { description: "New game" });
        let code = self.code(host);
        let mut members = vec![host];
        for _ in 1..size {
            let member = self.greet("Member");
            self.send(member, &ClientPacket::Join { code: &code });
            members.push(member);
        }
        for &member in &members {
            self.bodies(member);
        }
        members
    }

    /// The code in the INFO that `who` has just got.
    pub fn code(&mut self, who: Who) -> String {
        let bodies = self.bodies(who);
        match bodies.iter().map(|body| ServerPacket::decode(body)).next_back() {
            Some(Ok(ServerPacket::Info(info))) => info.code.into(),
            other => panic!("no INFO but {other:?}"),
        }
    }

    pub fn send(&mut self, who: Who, packet: &ClientPacket<'_>) {
        self.send_bytes(who, &frame(packet));
    }

    pub fn send_bytes(&mut self, who: Who, bytes: &[u8]) {
        self.router.received(self.now, self.clients[who].id, bytes);
        self.pump();
    }

    /// The client's end is gone.
    pub fn drop_client(&mut self, who: Who) {
        self.router.closed(self.now, self.clients[who].id);
        self.pump();
    }

    /// A datagram of this client's, from where its datagrams come.
    pub fn send_datagram(&mut self, who: Who, what: ClientDatagramKind<'_>) {
        let Client { session, token, .. } = self.clients[who];
        self.datagram_from(udp_address(who), &datagram(session, token, what));
    }

    pub fn datagram_from(&mut self, from: SocketAddr, bytes: &[u8]) {
        self.router.datagram(self.now, from, OUR_SOCKET, bytes);
        self.pump();
    }

    /// A full-size BIND of this client's; the answer is taken.
    pub fn bind(&mut self, who: Who, heard: bool) {
        self.send_datagram(who, ClientDatagramKind::Bind { heard, size: 1_200 });
        self.datagrams.clear();
    }

    /// Time passes; the router is told.
    pub fn pass(&mut self, time: Duration) {
        self.now = self.now + time;
        self.router.advance(self.now);
        self.pump();
    }

    /// Time passes with TIME from these clients every second, so that they are not silent.
    pub fn pass_alive(&mut self, time: Duration, alive: &[Who]) {
        let end = self.now + time;
        while self.now < end {
            self.pass(Duration::from_secs(1).min(end.since(self.now)));
            for &who in alive {
                self.send(who, &ClientPacket::Time { clock_ms: 0 });
            }
        }
        for &who in alive {
            self.bodies(who);
        }
    }

    /// Fetches all the router has to say.
    pub fn pump(&mut self) {
        while let Some(output) = self.router.poll_output() {
            match output {
                Output::Datagram { to, from, bytes, .. } => {
                    self.datagrams.push(Sent { to, from, bytes: bytes.into() });
                }
                Output::Note(note) => self.notes.push(note),
                Output::Close { id, why, flushed } => {
                    assert!(self.router.outgoing(id).is_empty());
                    let client = self.client_of(id).expect("a close of one who was there");
                    assert_eq!(client.closed.replace((why, flushed)), None, "closed twice");
                }
                Output::Write(id) => self.write(id),
            }
        }
    }

    /// Reads all that waits for a connection, unless it does not read.
    pub fn write(&mut self, id: ConnectionId) {
        let bytes = self.router.outgoing(id).to_vec();
        let client = self.client_of(id).expect("bytes for one who is there");
        if !client.stalled {
            client.inbox.extend_from_slice(&bytes);
            self.router.wrote(id, bytes.len());
        }
    }

    fn client_of(&mut self, id: ConnectionId) -> Option<&mut Client> {
        self.clients.iter_mut().find(|client| client.id == id)
    }

    /// The bodies of the frames that came for a client and were not looked at yet.
    pub fn bodies(&mut self, who: Who) -> Vec<Vec<u8>> {
        let bytes = std::mem::take(&mut self.clients[who].inbox);
        let (mut reader, mut input, mut bodies) =
            (FrameReader::new(), bytes.as_slice(), Vec::new());
        while let Some(body) = reader.next(&mut input).expect("the router sends frames") {
            bodies.push(body.to_vec());
        }
        assert!(!reader.is_partial(), "the router left a frame unfinished");
        bodies
    }

    /// Exactly these packets came for a client since the last look.
    #[track_caller]
    pub fn expect(&mut self, who: Who, packets: &[ServerPacket<'_>]) {
        let bodies = self.bodies(who);
        let came: Vec<_> =
            bodies.iter().map(|body| ServerPacket::decode(body).expect("a packet")).collect();
        assert_eq!(came, packets, "client {who}");
    }

    #[track_caller]
    pub fn expect_nothing(&mut self, who: Who) {
        self.expect(who, &[]);
    }

    /// The connection was closed by the router for this reason, all it was sent having been written.
    #[track_caller]
    pub fn expect_closed(&mut self, who: Who, why: CloseReason) {
        assert_eq!(self.clients[who].closed, Some((why, true)), "client {who}");
    }

    #[track_caller]
    pub fn expect_open(&mut self, who: Who) {
        assert_eq!(self.clients[who].closed, None, "client {who}");
    }

    /// What the notes told, in order; they are taken.
    pub fn note_reasons(&mut self) -> Vec<NoteReason> {
        self.notes.drain(..).map(|note| note.reason).collect()
    }
}
