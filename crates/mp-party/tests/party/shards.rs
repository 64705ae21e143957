//! Several routers for one server: a party lives on one of them, connections go where their party is, and
//! what a client sees is as if there were one.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use mp_netcode::LocalTime;
use mp_party::{
    CloseReason, Commons, Config, ConnectionId, Departure, Limits, LocalAddress, Mode, Output,
    Router, Shard,
};
use mp_protocol::datagram::{ClientDatagramKind, ServerDatagram};
use mp_protocol::{ClientPacket, ErrorReason, FrameReader, ServerPacket, SessionId, Token};

use crate::world::{EPOCH_MS, OUR_SOCKET, address, datagram, frame, hello};

/// A client by its number.
type Who = usize;

struct Client {
    /// Which router serves it, and as whom.
    at: (usize, ConnectionId),
    inbox: Vec<u8>,
    closed: Option<CloseReason>,
    session: SessionId,
    token: Token,
    moves: usize,
}

struct Servers {
    routers: Vec<Router>,
    commons: Arc<Mutex<Commons>>,
    now: LocalTime,
    clients: Vec<Client>,
    datagrams: Vec<(SocketAddr, Vec<u8>)>,
}

impl Servers {
    fn new(count: u32, limits: &Limits) -> Self {
        let commons = Arc::new(Mutex::new(Commons::default()));
        let router = |index| {
            let config = Config {
                mode: Mode::Server,
                limits: limits.clone(),
                udp_port: Some(0),
                epoch_ms: EPOCH_MS,
            };
            let commons = Arc::clone(&commons);
            let mut state = u64::from(index);
            let random = move || {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                state
            };
            let shard = Shard::new(index, count).expect("a shard");
            Router::sharded(
                config,
                shard,
                move |act| act(&mut commons.lock().expect("no panic held it")),
                random,
            )
            .expect("a server has no description")
        };
        let routers = (0..count).map(router).collect();
        let now = LocalTime::from_micros(1_000);
        Self { routers, commons, now, clients: Vec::new(), datagrams: Vec::new() }
    }

    /// Connects to that router from an address of its own, and greets.
    fn greet(&mut self, router: usize) -> Who {
        let who = self.connect(router, self.clients.len());
        self.say(who, &hello("Nova"));
        for packet in self.bodies(who) {
            match ServerPacket::decode(&packet).expect("a packet") {
                ServerPacket::Hello { session } => self.clients[who].session = session,
                ServerPacket::Udp { token, .. } => self.clients[who].token = token,
                other => panic!("{other:?}"),
            }
        }
        who
    }

    fn connect(&mut self, router: usize, from: usize) -> Who {
        let id = self.routers[router].connect(self.now, address(from));
        self.clients.push(Client {
            at: (router, id),
            inbox: Vec::new(),
            closed: None,
            session: SessionId(0),
            token: Token::from_bits(0),
            moves: 0,
        });
        self.pump();
        self.clients.len() - 1
    }

    fn say(&mut self, who: Who, packet: &ClientPacket<'_>) {
        self.say_bytes(who, &frame(packet));
    }

    fn say_bytes(&mut self, who: Who, bytes: &[u8]) {
        let (router, id) = self.clients[who].at;
        let mut departed = self.routers[router].received(self.now, id, bytes);
        while let Some(departure) = departed {
            departed = self.arrive(who, departure);
        }
        self.pump();
    }

    fn arrive(&mut self, who: Who, departure: Departure) -> Option<Departure> {
        let to = usize::try_from(departure.to()).expect("small");
        self.clients[who].moves += 1;
        match self.routers[to].arrive(self.now, departure) {
            Ok(id) => {
                self.clients[who].at = (to, id);
                None
            }
            Err(onward) => Some(onward),
        }
    }

    fn pump(&mut self) {
        for (index, router) in self.routers.iter_mut().enumerate() {
            while let Some(output) = router.poll_output() {
                match output {
                    Output::Datagram { to, bytes, .. } => self.datagrams.push((to, bytes.into())),
                    Output::Write(id) => {
                        let bytes = router.outgoing(id).to_vec();
                        router.wrote(id, bytes.len());
                        let client = self.clients.iter_mut().find(|it| it.at == (index, id));
                        client.expect("bytes for a client").inbox.extend_from_slice(&bytes);
                    }
                    Output::Close { id, why, .. } => {
                        let client = self.clients.iter_mut().find(|it| it.at == (index, id));
                        client.expect("a close of a client").closed = Some(why);
                    }
                    Output::Note(_) => {}
                }
            }
        }
    }

    fn bodies(&mut self, who: Who) -> Vec<Vec<u8>> {
        let bytes = std::mem::take(&mut self.clients[who].inbox);
        let (mut reader, mut input, mut bodies) =
            (FrameReader::new(), bytes.as_slice(), Vec::new());
        while let Some(body) = reader.next(&mut input).expect("the router sends frames") {
            bodies.push(body.to_vec());
        }
        bodies
    }

    #[track_caller]
    fn expect(&mut self, who: Who, packets: &[ServerPacket<'_>]) {
        let bodies = self.bodies(who);
        let came: Vec<_> =
            bodies.iter().map(|body| ServerPacket::decode(body).expect("a packet")).collect();
        assert_eq!(came, packets, "client {who}");
    }

    fn create(&mut self, who: Who) -> String {
        self.say(who, &ClientPacket::Create { description: "New game" });
        self.code(who)
    }

    fn code(&mut self, who: Who) -> String {
        match self.bodies(who).iter().map(|body| ServerPacket::decode(body)).next_back() {
            Some(Ok(ServerPacket::Info(info))) => info.code.into(),
            other => panic!("no INFO but {other:?}"),
        }
    }

    /// A datagram comes to this router's socket; which ones it went through.
    fn datagram(&mut self, router: usize, who: Who, what: ClientDatagramKind<'_>) -> Vec<usize> {
        let Client { session, token, .. } = self.clients[who];
        let bytes = datagram(session, token, what);
        let from = SocketAddr::new(address(who), 5_000);
        let mut way = vec![router];
        while let Some(next) =
            self.routers[way[way.len() - 1]].datagram(self.now, from, OUR_SOCKET, &bytes)
        {
            way.push(usize::try_from(next).expect("small"));
            assert!(way.len() < 4, "round and round: {way:?}");
        }
        self.pump();
        way
    }
}

fn servers() -> Servers {
    Servers::new(2, &Limits::default())
}

#[test]
fn a_party_of_another_router_is_joined_there() {
    let mut servers = servers();
    let (host, guest) = (servers.greet(0), servers.greet(1));
    let code = servers.create(host);
    servers.say(guest, &ClientPacket::Join { code: &code.to_lowercase() });
    assert_eq!(servers.code(guest), code);
    assert_eq!((servers.clients[guest].at.0, servers.clients[guest].moves), (0, 1));
    let id = servers.clients[guest].session;
    servers.expect(host, &[ServerPacket::Joined { id, name: "Nova" }]);
    servers.say(guest, &ClientPacket::Data { target: 0, bytes: b"hit" });
    servers.expect(host, &[ServerPacket::Data { sender: id, bytes: b"hit" }]);
    // Its own router knows nothing of it any more.
    servers.say(guest, &ClientPacket::Leave);
    servers.expect(host, &[ServerPacket::Left { id }]);
    assert_eq!(servers.routers[1].queues().connections, 0);
}

#[test]
fn a_host_stays_where_it_is() {
    let mut servers = Servers::new(7, &Limits::default());
    for router in 0..7 {
        let host = servers.greet(router);
        servers.create(host);
        assert_eq!((servers.clients[host].at.0, servers.clients[host].moves), (router, 0));
    }
}

#[test]
fn what_was_sent_after_a_join_is_obeyed_after_it_however_it_is_cut() {
    let data = frame(&ClientPacket::Data { target: 0, bytes: b"after" });
    for cut in 0..data.len() {
        let mut servers = servers();
        let (host, guest) = (servers.greet(0), servers.greet(1));
        let code = servers.create(host);
        let mut bytes = frame(&ClientPacket::Join { code: &code });
        bytes.extend_from_slice(&data[..cut]);
        servers.say_bytes(guest, &bytes);
        servers.say_bytes(guest, &data[cut..]);
        let sender = servers.clients[guest].session;
        let joined = ServerPacket::Joined { id: sender, name: "Nova" };
        servers.expect(host, &[joined, ServerPacket::Data { sender, bytes: b"after" }]);
    }
}

#[test]
fn what_waited_to_be_written_comes_first_from_the_other_router() {
    let mut servers = servers();
    let (host, guest) = (servers.greet(0), servers.greet(1));
    let code = servers.create(host);
    let mut bytes = frame(&ClientPacket::Time { clock_ms: 5 });
    bytes.extend(frame(&ClientPacket::Join { code: &code }));
    servers.say_bytes(guest, &bytes);
    let bodies = servers.bodies(guest);
    let came: Vec<_> = bodies.iter().map(|body| ServerPacket::decode(body)).collect();
    assert!(
        matches!(came[..], [Ok(ServerPacket::Time { echo_ms: 5, .. }), Ok(ServerPacket::Info(_))]),
        "{came:?}"
    );
}

#[test]
fn one_that_finds_no_party_there_is_told_and_plays_on() {
    let mut servers = servers();
    let (host, guest) = (servers.greet(0), servers.greet(1));
    let code = servers.create(host);
    servers.say(host, &ClientPacket::Leave);
    servers.say(guest, &ClientPacket::Join { code: &code });
    servers.expect(guest, &[ServerPacket::Error(ErrorReason::NoSuchParty)]);
    let other = servers.create(guest);
    assert_ne!(other, code);
}

#[test]
fn the_list_and_find_see_all_routers_and_the_newest_is_first() {
    let mut servers = Servers::new(3, &Limits::default());
    let hosts: Vec<_> = (0..6).map(|it| servers.greet(it % 3)).collect();
    let codes: Vec<_> = hosts.iter().map(|host| servers.create(*host)).collect();
    let guest = servers.greet(1);
    servers.say(guest, &ClientPacket::List);
    let bodies = servers.bodies(guest);
    let Ok(ServerPacket::List(rows)) = ServerPacket::decode(&bodies[0]) else { panic!("no LIST") };
    let listed: Vec<_> = rows.iter().map(|row| (row.code, row.members)).collect();
    let newest: Vec<_> = codes.iter().rev().map(|code| (code.as_str(), 1)).collect();
    assert_eq!(listed, newest);
    // The oldest is filled before the next.
    for place in 0..18 {
        let who = servers.greet(place % 3);
        servers.say(who, &ClientPacket::Find);
        assert_eq!(servers.code(who), codes[place / 3]);
    }
    let last = servers.greet(2);
    servers.say(last, &ClientPacket::Find);
    assert!(!codes.contains(&servers.code(last)), "it has one of its own");
}

#[test]
fn one_whose_place_was_taken_on_the_way_looks_again() {
    let mut servers = servers();
    let host = servers.greet(0);
    let code = servers.create(host);
    let late = servers.greet(1);
    let (router, id) = servers.clients[late].at;
    let departed = servers.routers[router].received(servers.now, id, &frame(&ClientPacket::Find));
    let departure = departed.expect("the party is on the other router");
    for _ in 0..3 {
        let quick = servers.greet(0);
        servers.say(quick, &ClientPacket::Join { code: &code });
    }
    assert!(servers.arrive(late, departure).is_none());
    servers.pump();
    assert_ne!(servers.code(late), code);
}

#[test]
fn a_stopped_router_lets_no_one_arrive() {
    let mut servers = servers();
    let (host, guest) = (servers.greet(0), servers.greet(1));
    let code = servers.create(host);
    let (router, id) = servers.clients[guest].at;
    let join = frame(&ClientPacket::Join { code: &code });
    let departed = servers.routers[router].received(servers.now, id, &join);
    servers.routers[0].stop(servers.now);
    assert!(servers.arrive(guest, departed.expect("on the other router")).is_none());
    servers.pump();
    servers.expect(guest, &[]);
    assert_eq!(servers.clients[guest].closed, Some(CloseReason::Stopped));
}

#[test]
fn an_address_has_its_connections_over_all_routers() {
    let mut servers = servers();
    let clients: Vec<_> = (0..8).map(|it| servers.connect(it % 2, 77)).collect();
    for router in 0..2 {
        let ninth = servers.connect(router, 77);
        servers.expect(ninth, &[ServerPacket::Error(ErrorReason::TooManyConnections)]);
    }
    // One that has moved still counts, and no longer once it is gone.
    let host = servers.greet(0);
    let code = servers.create(host);
    let mover = clients[1];
    servers.say(mover, &hello("Nova"));
    servers.say(mover, &ClientPacket::Join { code: &code });
    assert_eq!(servers.clients[mover].moves, 1);
    let refused = servers.connect(1, 77);
    assert_eq!(servers.clients[refused].closed, Some(CloseReason::TooManyConnections));
    let (router, id) = servers.clients[mover].at;
    servers.routers[router].closed(servers.now, id);
    let welcome = servers.connect(1, 77);
    assert_eq!(servers.clients[welcome].closed, None);
    assert_eq!(servers.commons.lock().unwrap().connections(), 9);
}

#[test]
fn no_two_routers_give_the_same_session() {
    let mut servers = Servers::new(3, &Limits::default());
    let mut seen = BTreeMap::new();
    for it in 0..30 {
        let who = servers.greet(it * it % 3);
        assert_eq!(seen.insert(servers.clients[who].session, who), None);
    }
    assert!(seen.keys().all(|session| session.0 >= 1));
}

#[test]
fn a_datagram_finds_its_session_wherever_it_comes() {
    let mut servers = Servers::new(3, &Limits::default());
    let (host, guest) = (servers.greet(0), servers.greet(2));
    let code = servers.create(host);
    servers.say(guest, &ClientPacket::Join { code: &code });
    for who in [host, guest] {
        for router in 0..3 {
            let bind = ClientDatagramKind::Bind { heard: true, size: 1_200 };
            let way = servers.datagram(router, who, bind);
            assert_eq!(way.last(), Some(&0), "{way:?}");
            let answer = ServerDatagram::BindAnswer { size: 1_188 };
            let (to, bytes) = servers.datagrams.pop().expect("an answer");
            assert_eq!(to, SocketAddr::new(address(who), 5_000));
            assert_eq!(ServerDatagram::decode(&bytes), Ok(answer));
        }
    }
    let state = ClientDatagramKind::State { target: 0, bytes: b"pose" };
    assert_eq!(servers.datagram(2, guest, state), [2, 0]);
    let (to, _) = servers.datagrams.pop().expect("the host's");
    assert_eq!(to, SocketAddr::new(address(host), 5_000));
    let total = servers.routers.iter().map(|router| router.counters().datagrams_in).sum::<u64>();
    assert_eq!(total, 7, "each is counted once");
}

#[test]
fn a_session_that_is_gone_is_known_nowhere() {
    let mut servers = servers();
    let (host, guest) = (servers.greet(0), servers.greet(1));
    let code = servers.create(host);
    servers.say(guest, &ClientPacket::Join { code: &code });
    let (router, id) = servers.clients[guest].at;
    servers.routers[router].closed(servers.now, id);
    let bind = ClientDatagramKind::Bind { heard: true, size: 1_200 };
    assert_eq!(servers.datagram(1, guest, bind), [1]);
    assert_eq!(servers.datagram(0, guest, bind), [0]);
    assert!(servers.datagrams.is_empty());
}

#[test]
fn time_outs_are_the_new_routers() {
    let mut servers = servers();
    let (host, guest) = (servers.greet(0), servers.greet(1));
    let code = servers.create(host);
    servers.say(guest, &ClientPacket::Join { code: &code });
    servers.now = servers.now + Duration::from_secs(14);
    servers.say(host, &ClientPacket::Time { clock_ms: 0 });
    servers.now = servers.now + Duration::from_secs(1);
    for router in &mut servers.routers {
        router.advance(servers.now);
    }
    servers.pump();
    assert_eq!(servers.clients[guest].closed, Some(CloseReason::Silent));
    assert_eq!(servers.clients[host].closed, None);
}

#[test]
fn a_router_that_is_closed_to_parties_begins_none() {
    let mut servers = servers();
    let (host, guest) = (servers.greet(0), servers.greet(1));
    let code = servers.create(host);
    for router in &mut servers.routers {
        router.close_to_parties();
    }
    let other = servers.greet(0);
    servers.say(other, &ClientPacket::Create { description: "" });
    servers.expect(other, &[ServerPacket::Error(ErrorReason::Full)]);
    servers.say(guest, &ClientPacket::Find);
    assert_eq!(servers.code(guest), code);
    servers.say(host, &ClientPacket::Leave);
    servers.say(other, &ClientPacket::Find);
    servers.expect(other, &[ServerPacket::Error(ErrorReason::Full)]);
}

/// Where datagrams come to is carried along.
#[test]
fn an_answer_leaves_from_where_it_was_asked() {
    let mut servers = servers();
    let (host, guest) = (servers.greet(0), servers.greet(1));
    let code = servers.create(host);
    servers.say(guest, &ClientPacket::Join { code: &code });
    let Client { session, token, .. } = servers.clients[guest];
    let bytes = datagram(session, token, ClientDatagramKind::Bind { heard: true, size: 1_200 });
    let at = LocalAddress { socket: 1, ip: Some(address(9)) };
    let from = SocketAddr::new(address(5), 9);
    assert_eq!(servers.routers[1].datagram(servers.now, from, at, &bytes), Some(0));
    assert_eq!(servers.routers[0].datagram(servers.now, from, at, &bytes), None);
    let output = servers.routers[0].poll_output();
    assert!(
        matches!(output, Some(Output::Datagram { to, from: ours, .. }) if to == from && ours == at),
        "{output:?}"
    );
}
