//! Floods of each packet cost their sender its connection, and the log a line.

use std::collections::BTreeMap;
use std::io::{self, Read, Write};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Instant;

use mp_party::{DropReason, Strike};
use mp_protocol::datagram::{ClientDatagram, ClientDatagramKind};
use mp_protocol::{ClientPacket, ErrorReason, FrameReader, ServerPacket};
use mp_relay::{Log, Relay};
use parking_lot::Mutex;

use crate::hostile::Pair;
use crate::player::{Heard, PATIENCE, Player};
use crate::support::{relay, settings};

/// Far more than any limit lets through before the tenth strike.
const FLOOD: usize = 3_000;
/// What would turn a line of the log around, if it came there.
const TURNED: &str = "\u{202e}yrollaM";

/// Where a log goes that a test reads.
struct Lines {
    said: Arc<Mutex<Vec<u8>>>,
    /// Gone when the log is closed.
    _open: Sender<()>,
}

impl Lines {
    fn new() -> (Self, Arc<Mutex<Vec<u8>>>, Receiver<()>) {
        let said = Arc::default();
        let (open, closed) = channel();
        (Self { said: Arc::clone(&said), _open: open }, said, closed)
    }
}

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.said.lock().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// One who says the same thing over and over, until it is closed; how often it was told to be slower.
fn flood(relay: &Relay, packet: &ClientPacket<'_>) -> usize {
    let mut player = Player::greeted(relay.address(), TURNED);
    let mut frame = Vec::new();
    packet.encode(&mut frame).unwrap();
    player.stream.write_all(&frame.repeat(FLOOD)).unwrap();
    let mut said = Vec::new();
    player.stream.read_to_end(&mut said).expect("closed, not reset");
    let (mut reader, mut input, mut told) = (FrameReader::new(), &said[..], 0);
    while let Some(body) = reader.next(&mut input).unwrap() {
        let packet = ServerPacket::decode(body).unwrap();
        told += usize::from(packet == ServerPacket::Error(ErrorReason::TooFast));
    }
    told
}

#[test]
fn a_flood_of_any_packet_ends_its_sender_alone_and_is_a_line_a_reason() {
    let (lines, said, closed) = Lines::new();
    let (log, _end) = Log::start(lines).unwrap();
    let mut settings = settings(2);
    // Those who fill the party say nothing, however long this takes.
    settings.limits.silence_timeout = PATIENCE;
    let relay = Relay::start(&settings, log).unwrap();
    let mut pair = Pair::new(&relay);
    let _full = pair.fill();
    let begun = Instant::now();
    let floods = [
        ClientPacket::Create { description: TURNED },
        ClientPacket::Join { code: TURNED },
        ClientPacket::Leave,
        ClientPacket::Find,
        ClientPacket::List,
        ClientPacket::Chat { text: TURNED },
        ClientPacket::Data { target: 0, bytes: b"hit" },
        ClientPacket::Time { clock_ms: 7 },
    ];
    for packet in &floods {
        assert_eq!(flood(&relay, packet), 1, "{packet:?}");
        pair.play();
    }
    let total = relay.monitor().stats().expect("every thread answers").total();
    assert!(total.closes.by_reason().any(|it| it == ("too fast", 8)), "{:?}", total.closes);
    assert!(relay.stop());
    assert_eq!(closed.recv_timeout(PATIENCE), Err(RecvTimeoutError::Disconnected));

    let said = String::from_utf8(said.lock().clone()).unwrap();
    assert!(said.is_ascii(), "{said:?}");
    let mut once = BTreeMap::new();
    for line in said.lines().filter(|line| !line.ends_with("more times)")) {
        *once.entry(line).or_insert(0) += 1;
    }
    let most = 1 + begun.elapsed().as_secs() / 10;
    assert!(once.len() >= 4 && once.values().all(|count| *count <= most), "{said}");
}

#[test]
fn a_flood_of_datagrams_ends_its_session_alone() {
    let relay = relay(&settings(2));
    let mut pair = Pair::new(&relay);
    for what in [
        ClientDatagramKind::Bind { heard: true, size: 1_200 },
        ClientDatagramKind::State { target: 0, bytes: b"pose" },
    ] {
        let mut player = Player::greeted(relay.address(), "Mallory");
        // What finds the socket full is lost, so it says it until it is closed.
        player.stream.set_nonblocking(true).unwrap();
        let until = Instant::now() + PATIENCE;
        loop {
            for _ in 0..FLOOD {
                player.cast(what);
            }
            match player.stream.read(&mut [0; 64]) {
                Ok(0) => break,
                Ok(_) => {}
                Err(error) => assert_eq!(error.kind(), io::ErrorKind::WouldBlock),
            }
            assert!(Instant::now() < until, "it was never closed");
        }
        pair.play();
    }
    let total = relay.monitor().stats().expect("every thread answers").total();
    assert!(total.counters.strikes(Strike::Datagrams) >= 20);
    assert!(relay.stop());
}

/// Who knows a session's number and not its token has no way to bring strikes on it.
#[test]
fn datagrams_in_anothers_name_are_no_strikes_of_it() {
    let relay = relay(&settings(2));
    let mut pair = Pair::new(&relay);
    let mut stranger = Player::greeted(relay.address(), "Mallory");
    let session = pair.host.session;
    let what = ClientDatagramKind::State { target: 0, bytes: b"pose" };
    let mut bytes = Vec::new();
    ClientDatagram { session, token: stranger.token, what }.encode(&mut bytes).unwrap();
    for _ in 0..20 {
        for _ in 0..200 {
            stranger.udp.send(&bytes).unwrap();
        }
        // Not faster than the socket holds.
        pair.play();
    }
    stranger.expect_nothing();
    let total = relay.monitor().stats().expect("every thread answers").total();
    assert!(total.counters.drops(DropReason::WrongToken) > 1_000);
    assert_eq!(total.counters.strikes(Strike::Datagrams), 0);
    pair.host.say(&ClientPacket::Leave);
    pair.member.expect(&Heard::End);
    assert!(relay.stop());
}
