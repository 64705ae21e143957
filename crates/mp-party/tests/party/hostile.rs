//! Every vector of the protocol, cut short, with a bit flipped, split and glued, thrown at the router:
//! it costs its sender only.

use mp_protocol::datagram::ClientDatagramKind;
use mp_protocol::{ClientPacket, ServerPacket, SessionId};

use crate::world::{OUR_SOCKET, Who, World, address, hello, udp_address};

/// The session and token that the vectors' datagrams name.
const VECTOR_SESSION: SessionId = SessionId(7);
const VECTOR_TOKEN: u64 = 0x1122_3344_5566_7788;

struct Vector {
    message: String,
    bytes: Vec<u8>,
}

fn vectors() -> Vec<Vector> {
    let text = include_str!("../../../mp-protocol/tests/vectors.json");
    let list: Vec<serde_json::Value> = serde_json::from_str(text).expect("valid JSON");
    let text = |value: &serde_json::Value| value.as_str().expect("a string").to_owned();
    list.iter()
        .map(|vector| Vector {
            message: text(&vector["message"]),
            bytes: hex(&text(&vector["hex"])),
        })
        .collect()
}

fn hex(text: &str) -> Vec<u8> {
    let pairs = (0..text.len()).step_by(2).map(|at| &text[at..at + 2]);
    pairs.map(|pair| u8::from_str_radix(pair, 16).expect("hexadecimal")).collect()
}

/// Every prefix of the bytes and every single bit of them flipped.
fn mangled(bytes: &[u8]) -> Vec<Vec<u8>> {
    let prefixes = (0..=bytes.len()).map(|end| bytes[..end].to_vec());
    let flips = (0..bytes.len() * 8).map(|bit| {
        let mut flipped = bytes.to_vec();
        flipped[bit / 8] ^= 1 << (bit % 8);
        flipped
    });
    prefixes.chain(flips).collect()
}

/// A full party, of which a pair talks and must not notice anything, and session 7 with the vectors'
/// token.
struct Arena {
    world: World,
    pair: [Who; 2],
    seven: Who,
}

impl Arena {
    fn new() -> Self {
        let limits = mp_party::Limits {
            // Or the pair itself would be too fast: no time passes here.
            frames_per_second: u32::MAX,
            datagrams_per_second: u32::MAX,
            host_datagrams_per_second: u32::MAX,
            ..mp_party::Limits::default()
        };
        // The eighth drawn is session 7's token: the party's code is drawn too.
        let mut drawn = 0;
        let random = move || {
            drawn += 1;
            if drawn == 8 { VECTOR_TOKEN } else { drawn }
        };
        let mut world = World::with_random(mp_party::Mode::Server, limits, random);
        let party = world.party(4);
        let mut seven = world.greet("Filler");
        while world.clients[seven].session != VECTOR_SESSION {
            seven = world.greet("Filler");
        }
        assert_eq!(world.clients[seven].token.to_bits(), VECTOR_TOKEN);
        Self { world, pair: [party[0], party[1]], seven }
    }

    /// The pair still hears each other, and nothing else.
    fn pair_goes_on(&mut self, after: &str) {
        let Self { world, pair, .. } = self;
        for (from, to) in [(pair[0], pair[1]), (pair[1], pair[0])] {
            let sender = world.clients[from].session;
            let target = world.clients[to].session.0;
            world.send(from, &ClientPacket::Data { target, bytes: &[42] });
            let bodies = world.bodies(to);
            let came: Vec<_> = bodies.iter().map(|body| ServerPacket::decode(body)).collect();
            assert_eq!(came, [Ok(ServerPacket::Data { sender, bytes: &[42] })], "{after}");
            assert_eq!(world.clients[from].closed, None, "{after}");
        }
    }

    /// A client that sends these bytes by TCP and is gone.
    fn throw(&mut self, greeted: bool, bytes: &[u8], what: &str) {
        let id = self.world.router.connect(self.world.now, address(1_000));
        if greeted {
            self.world.router.received(self.world.now, id, &crate::world::frame(&hello("Mallory")));
        }
        self.world.router.received(self.world.now, id, bytes);
        self.drain_except_honest();
        self.world.router.closed(self.world.now, id);
        self.drain_except_honest();
        self.pair_goes_on(what);
    }

    /// Takes what the router has to say to the one who throws.
    fn drain_except_honest(&mut self) {
        let world = &mut self.world;
        let mut written = Vec::new();
        loop {
            match world.router.poll_output() {
                None => break,
                Some(mp_party::Output::Write(id)) => written.push(id),
                Some(_) => {}
            }
        }
        for id in written {
            let honest = world.clients.iter().any(|client| client.id == id);
            assert!(!honest, "an honest client was told something");
            let count = world.router.outgoing(id).len();
            world.router.wrote(id, count);
        }
    }
}

#[test]
fn every_prefix_and_every_bit_flip_of_every_vector_as_frames_costs_its_sender_only() {
    let mut arena = Arena::new();
    for Vector { message, bytes } in vectors() {
        for bytes in mangled(&bytes) {
            for greeted in [false, true] {
                arena.throw(greeted, &bytes, &message);
            }
        }
    }
    let counters = arena.world.router.counters();
    assert!(counters.connections > 30_000);
    assert_eq!(counters.connections - counters.connections_ended, 7);
}

#[test]
fn every_prefix_and_every_bit_flip_of_every_vector_as_datagrams_costs_its_sender_only() {
    let mut arena = Arena::new();
    let honest = udp_address(arena.pair[0]);
    arena.world.bind(arena.pair[0], true);
    let mallory = udp_address(1_000);
    let mut answered = 0;
    for Vector { message, bytes } in vectors() {
        for bytes in mangled(&bytes) {
            arena.world.router.datagram(arena.world.now, mallory, OUR_SOCKET, &bytes);
            arena.world.pump();
            for sent in arena.world.datagrams.drain(..) {
                assert_eq!(sent.to, mallory, "{message}");
                assert!(sent.bytes.len() < bytes.len(), "{message}");
                answered += 1;
            }
        }
        arena.pair_goes_on(&message);
    }
    // The vectors' own BINDs are session 7's, so some were answered.
    assert!(answered > 100);
    arena.world.expect_open(arena.seven);
    let [host, member] = arena.pair;
    let state = ClientDatagramKind::State { target: 0, bytes: &[1] };
    arena.world.send_datagram(member, state);
    assert_eq!(arena.world.datagrams.iter().map(|sent| sent.to).collect::<Vec<_>>(), [honest]);
    arena.world.expect_open(host);
}

#[test]
fn vectors_glued_together_say_the_same_however_they_are_split() {
    let all = vectors();
    let sayable = ["hello", "create", "leave", "find", "list", "chat", "data", "time", "join"];
    let frames = sayable.map(|name| {
        let vector = all.iter().find(|vector| vector.message == name);
        vector.expect("a vector of this name").bytes.clone()
    });
    let stream = frames.concat();
    let heard = |cuts: &[usize]| {
        let mut arena = Arena::new();
        let who = arena.world.connect();
        let mut from = 0;
        for &cut in cuts.iter().chain([&stream.len()]) {
            arena.world.send_bytes(who, &stream[from..cut]);
            arena.pair_goes_on("glued");
            from = cut;
        }
        (arena.world.bodies(who), arena.world.clients[who].closed)
    };
    let whole = heard(&[]);
    assert_eq!(whole.1, None);
    assert!(whole.0.len() >= 7, "{}", whole.0.len());
    for cut in 0..=stream.len() {
        assert_eq!(heard(&[cut]), whole, "cut at {cut}");
    }
    assert_eq!(heard(&(0..stream.len()).collect::<Vec<_>>()), whole, "byte by byte");
}

#[test]
fn ten_thousand_silent_connections_are_gone_after_10_seconds() {
    let mut arena = Arena::new();
    let world = &mut arena.world;
    let ids: Vec<_> = (0..10_000)
        .map(|number| world.router.connect(world.now, address(2_000 + number)))
        .collect();
    arena.pair_goes_on("silent connections");
    let world = &mut arena.world;
    world.now = world.now + std::time::Duration::from_secs(10);
    world.router.advance(world.now);
    let mut closed = 0;
    while let Some(output) = world.router.poll_output() {
        assert!(matches!(output, mp_party::Output::Close { flushed: true, .. }), "{output:?}");
        closed += 1;
    }
    assert_eq!(closed, ids.len());
    arena.pair_goes_on("silent connections are gone");
}
