//! Two clients and a router in one program, no socket between them: prints every packet and datagram
//! that travels while they make a party, talk, bind and part.
//!
//! `cargo run -p mp-party --example two_clients`

use std::error::Error;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use mp_netcode::LocalTime;
use mp_party::{Config, ConnectionId, Limits, LocalAddress, Mode, Output, Router};
use mp_protocol::datagram::{ClientDatagram, ClientDatagramKind, ServerDatagram};
use mp_protocol::{ClientPacket, FrameReader, HELLO_VERSION, ServerPacket, SessionId, Token};

/// A client, as the router's driver sees one.
struct Client {
    name: &'static str,
    id: ConnectionId,
    address: SocketAddr,
    reader: FrameReader,
    /// What the server told it: its session, its token, its party's code.
    session: SessionId,
    token: Token,
    code: String,
}

struct Party {
    router: Router,
    now: LocalTime,
    clients: Vec<Client>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let config = Config {
        mode: Mode::Server,
        limits: Limits::default(),
        udp_port: Some(0),
        epoch_ms: 1_700_000_000_000,
    };
    // A real driver draws these from the operating system.
    let mut drawn = 0x5eed_u64;
    let router = Router::new(config, move || {
        drawn = drawn.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        drawn
    })?;
    let mut party = Party { router, now: LocalTime::from_micros(0), clients: Vec::new() };

    let nova = party.connect("Nova_7", [192, 0, 2, 1])?;
    let orbit = party.connect("Orbit", [192, 0, 2, 2])?;
    party.say(nova, &ClientPacket::Create { description: "Pokitaru, 12 gold bolts" })?;
    party.say(orbit, &ClientPacket::List)?;
    let code = party.clients[nova].code.to_lowercase();
    party.say(orbit, &ClientPacket::Join { code: &code })?;
    party.say(orbit, &ClientPacket::Chat { text: "héllo" })?;
    party.say(orbit, &ClientPacket::Data { target: 0, bytes: &[1, 1] })?;
    party.say(nova, &ClientPacket::Time { clock_ms: 12 })?;
    // State comes as DATA until its receiver has bound and says that it hears.
    party.cast(orbit, ClientDatagramKind::State { target: 0, bytes: &[7] })?;
    party.cast(nova, ClientDatagramKind::Bind { heard: true, size: 1_200 })?;
    party.cast(orbit, ClientDatagramKind::State { target: 0, bytes: &[7] })?;
    party.say(nova, &ClientPacket::Leave)?;
    party.router.stop(party.now);
    party.deliver()
}

impl Party {
    fn connect(&mut self, name: &'static str, ip: [u8; 4]) -> Result<usize, Box<dyn Error>> {
        let ip = IpAddr::V4(Ipv4Addr::from(ip));
        self.clients.push(Client {
            name,
            id: self.router.connect(self.now, ip),
            address: SocketAddr::new(ip, 50_000),
            reader: FrameReader::new(),
            session: SessionId(0),
            token: Token::from_bits(0),
            code: String::new(),
        });
        let who = self.clients.len() - 1;
        self.say(who, &ClientPacket::Hello { version: HELLO_VERSION, name })?;
        Ok(who)
    }

    /// A frame travels from a client to the router, and what comes of it back.
    fn say(&mut self, who: usize, packet: &ClientPacket<'_>) -> Result<(), Box<dyn Error>> {
        println!("{:>6} ->        {packet:?}", self.clients[who].name);
        let mut frame = Vec::new();
        packet.encode(&mut frame)?;
        self.router.received(self.now, self.clients[who].id, &frame);
        self.deliver()
    }

    /// The same of a datagram.
    fn cast(&mut self, who: usize, what: ClientDatagramKind<'_>) -> Result<(), Box<dyn Error>> {
        let Client { name, session, token, address, .. } = self.clients[who];
        println!("{name:>6} ~>        {what:?}");
        let mut bytes = Vec::new();
        ClientDatagram { session, token, what }.encode(&mut bytes)?;
        let ours = LocalAddress { socket: 0, ip: None };
        self.router.datagram(self.now, address, ours, &bytes);
        self.deliver()
    }

    /// Carries out all the router wants done.
    fn deliver(&mut self) -> Result<(), Box<dyn Error>> {
        let Self { router, clients, .. } = self;
        while let Some(output) = router.poll_output() {
            match output {
                Output::Datagram { to, bytes, .. } => {
                    let name = clients.iter().find(|it| it.address == to).map_or("?", |it| it.name);
                    println!("       ~> {name:<6} {:?}", ServerDatagram::decode(bytes)?);
                }
                Output::Write(id) => {
                    let bytes = router.outgoing(id).to_vec();
                    router.wrote(id, bytes.len());
                    if let Some(client) = clients.iter_mut().find(|client| client.id == id) {
                        client.hear(&bytes)?;
                    }
                }
                Output::Close { id, why, .. } => {
                    let name = clients.iter().find(|it| it.id == id).map_or("?", |it| it.name);
                    println!("       closes {name}: {why}");
                }
                Output::Note(note) => println!("       notes {:?}", note.reason),
            }
        }
        Ok(())
    }
}

impl Client {
    fn hear(&mut self, mut bytes: &[u8]) -> Result<(), Box<dyn Error>> {
        while let Some(body) = self.reader.next(&mut bytes)? {
            let packet = ServerPacket::decode(body)?;
            println!("       -> {:<6} {packet:?}", self.name);
            match packet {
                ServerPacket::Hello { session } => self.session = session,
                ServerPacket::Udp { token, .. } => self.token = token,
                ServerPacket::Info(info) => self.code = info.code.into(),
                _ => {}
            }
        }
        Ok(())
    }
}
