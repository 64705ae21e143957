//! Which measurements there are, and those of the most that can be forwarded: windows of the mix are sent,
//! and each is waited for until all of it has come.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream, UdpSocket};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use mp_protocol::ClientPacket;
use mp_protocol::datagram::ClientDatagramKind;
use mp_relay::{Log, Relay, Settings};

use crate::bare_tcp;
use crate::bare_udp::{self, BareUdp, Routes};
use crate::cpu::thread_ns;
use crate::mix::{self, Message};
use crate::players::{self, Party, keep_alive, parties};
use crate::report::{Report, median};
use crate::{flood, held, paced};

/// Parties under the heaviest load.
const PARTIES: usize = 16;
/// Messages in flight.
const WINDOW: usize = 256;
/// How long one forwarder is measured before it is the other's turn.
const TURN: Duration = Duration::from_millis(400);

/// How long to measure.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Turns of each forwarder.
    pub turns: usize,
    /// How long each paced turn is.
    pub paced: Duration,
    /// Connections held.
    pub held: usize,
}

pub fn run() -> ExitCode {
    let args: Vec<_> = std::env::args().skip(1).collect();
    let has = |flag: &str| args.iter().any(|arg| arg == flag);
    let effort = if has("--short") {
        Effort { turns: 3, paced: Duration::from_millis(800), held: 2_000 }
    } else {
        Effort { turns: 12, paced: Duration::from_secs(3), held: 10_000 }
    };
    let wanted = |name: &str| args.iter().all(|arg| arg.starts_with('-')) || has(name);
    let mut report = Report::default();
    if wanted("udp") {
        udp(&mut report, effort);
    }
    if wanted("tcp") {
        tcp(&mut report, effort);
    }
    if wanted("paced") {
        paced::run(&mut report, effort);
    }
    if wanted("held") {
        held::run(&mut report, effort);
    }
    if wanted("flood") {
        flood::run(&mut report, effort);
    }
    match report.missed() {
        [] => println!("every target is met"),
        missed => println!("missed: {}", missed.join(", ")),
    }
    let fails = has("--gate") && !report.missed().is_empty();
    if fails { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// A relay whose rates are out of reach.
fn unlimited_relay(threads: u32) -> Relay {
    let mut settings = Settings {
        listen: ([127, 0, 0, 1], 0).into(),
        threads: Some(threads),
        ..Settings::default()
    };
    let limits = &mut settings.limits;
    limits.connections_per_address = 100_000;
    limits.frames_per_second = 10_000_000;
    limits.frame_bytes_per_second = u32::MAX;
    limits.datagrams_per_second = 10_000_000;
    limits.host_datagrams_per_second = 10_000_000;
    limits.silence_timeout = Duration::from_secs(86_400);
    start(&settings)
}

pub fn start(settings: &Settings) -> Relay {
    let (log, _end) = Log::start(std::io::stderr()).unwrap();
    Relay::start(settings, log).unwrap()
}

/// The thread of a relay of one.
pub const RELAY_THREAD: &str = "relay-0";

fn udp(report: &mut Report, effort: Effort) {
    let relay = unlimited_relay(1);
    let players = parties(relay.address(), PARTIES);
    let bare = BareRig::new(PARTIES);
    for (what, messages, most) in [
        ("datagrams, the mix: CPU each against bare", mix::second(PARTIES), 1.0),
        ("datagrams, 1 to 3 of 100 bytes: the same", mix::poses(PARTIES), 0.7),
    ] {
        let mut ours = UdpRig::relay(&players, &messages);
        let mut theirs = bare.rig(&messages);
        let mut turns = Vec::new();
        for _ in 0..effort.turns {
            keep_alive(&players);
            let relay = ours.turn(RELAY_THREAD, &messages);
            let bare = theirs.turn(bare_udp::THREAD, &messages);
            turns.push((relay, bare));
        }
        tell(report, what, most, turns);
    }
    assert!(relay.stop());
    two_threads(effort, &bare);
}

/// What it costs that a datagram may come to one thread and be another's; there is no target for it.
fn two_threads(effort: Effort, bare: &BareRig) {
    let relay = unlimited_relay(2);
    let players = parties(relay.address(), PARTIES);
    let messages = mix::second(PARTIES);
    let mut ours = UdpRig::relay(&players, &messages);
    let mut theirs = bare.rig(&messages);
    let mut ratios = Vec::new();
    for _ in 0..effort.turns {
        keep_alive(&players);
        let relay = ours.turn("relay-", &messages).us_each();
        ratios.push(relay / theirs.turn(bare_udp::THREAD, &messages).us_each());
    }
    let total = relay.monitor().stats().unwrap().total();
    let share = total.strays as f64 / total.counters.datagrams_in as f64 * 100.0;
    let ratio = median(ratios);
    println!(
        "       the mix on two threads: {ratio:.2} x bare; {share:.0} % came to the other thread"
    );
    assert!(relay.stop());
}

fn tell(report: &mut Report, what: &str, most: f64, turns: Vec<(Turn, Turn)>) {
    let ratio = median(turns.iter().map(|(a, b)| a.us_each() / b.us_each()).collect());
    let ours = median(turns.iter().map(|(a, _)| a.us_each()).collect());
    let theirs = median(turns.iter().map(|(_, b)| b.us_each()).collect());
    let lost: usize = turns.iter().map(|(a, b)| a.lost + b.lost).sum();
    let detail = format!("{ours:.2} us, bare {theirs:.2} us, lost {lost}");
    report.line(what, ratio, most, "x", &detail);
}

/// What one forwarder did in its turn.
#[derive(Clone, Copy, Debug, Default)]
struct Turn {
    cpu_ns: u64,
    delivered: usize,
    lost: usize,
}

impl Turn {
    fn us_each(self) -> f64 {
        self.cpu_ns as f64 / self.delivered as f64 / 1_000.0
    }
}

/// Sockets that send datagrams to a forwarder and get what it passes on.
struct UdpRig<'a> {
    /// For each message, the socket that sends it and its bytes.
    sends: Vec<(&'a UdpSocket, Vec<u8>)>,
    /// By party and player, the host first.
    receivers: Vec<&'a UdpSocket>,
    at: usize,
}

impl<'a> UdpRig<'a> {
    fn relay(parties: &'a [Party], messages: &[Message]) -> Self {
        let sends = messages.iter().map(|message| {
            let player = &parties[message.party()][message.sender()];
            let target = match message {
                Message::One { party, member } => parties[*party][*member].session.0,
                _ => 0,
            };
            let state = vec![7; message.size()];
            let what = ClientDatagramKind::State { target, bytes: &state };
            (&player.udp, player.datagram(what))
        });
        let receivers = parties.iter().flatten().map(|player| &player.udp).collect();
        Self { sends: sends.collect(), receivers, at: 0 }
    }

    fn turn(&mut self, thread: &str, messages: &[Message]) -> Turn {
        let mut turn = Turn::default();
        let before = thread_ns(thread);
        let until = Instant::now() + TURN;
        while Instant::now() < until {
            let (delivered, lost) = self.window(messages);
            turn.delivered += delivered;
            turn.lost += lost;
        }
        turn.cpu_ns = thread_ns(thread) - before;
        turn
    }

    fn window(&mut self, messages: &[Message]) -> (usize, usize) {
        let mut expected = vec![0; self.receivers.len()];
        for _ in 0..WINDOW {
            let (socket, bytes) = &self.sends[self.at];
            socket.send(bytes).unwrap();
            let message = messages[self.at];
            for receiver in message.receivers() {
                expected[message.party() * 4 + receiver] += 1;
            }
            self.at = (self.at + 1) % self.sends.len();
        }
        let (mut delivered, mut lost, mut buffer) = (0, 0, [0; 2_048]);
        for (receiver, expected) in self.receivers.iter().zip(expected) {
            for left in (1..=expected).rev() {
                if receiver.recv(&mut buffer).is_err() {
                    lost += left;
                    break;
                }
                delivered += 1;
            }
        }
        (delivered, lost)
    }
}

/// A bare forwarder's sockets: a host has one to all and one to each member.
pub struct BareRig {
    _forwarder: BareUdp,
    pub players: Vec<UdpSocket>,
    to_one: Vec<UdpSocket>,
}

impl BareRig {
    pub fn new(parties: usize) -> Self {
        let socket = BareUdp::socket();
        let at: SocketAddr = socket.local_addr().unwrap();
        let players: Vec<_> = (0..parties * 4).map(|_| players::udp(at)).collect();
        let to_one: Vec<_> = (0..parties * 4).map(|_| players::udp(at)).collect();
        let address = |socket: &UdpSocket| match socket.local_addr().unwrap() {
            SocketAddr::V4(address) => address,
            SocketAddr::V6(_) => unreachable!("it is bound to IPv4"),
        };
        let mut routes: Routes = vec![Vec::new(); 65_536];
        let mut route = |from: &UdpSocket, to: &[UdpSocket]| {
            routes[usize::from(address(from).port())] = to.iter().map(address).collect();
        };
        for party in 0..parties {
            let first = party * 4;
            route(&players[first], &players[first + 1..first + 4]);
            for member in first + 1..first + 4 {
                route(&players[member], &players[first..=first]);
                route(&to_one[member], &players[member..=member]);
            }
        }
        Self { _forwarder: BareUdp::start(socket, routes), players, to_one }
    }

    pub fn sender(&self, message: Message) -> &UdpSocket {
        let first = message.party() * 4;
        match message {
            Message::Up { member, .. } => &self.players[first + member],
            Message::All { .. } => &self.players[first],
            Message::One { member, .. } => &self.to_one[first + member],
        }
    }

    fn rig(&self, messages: &[Message]) -> UdpRig<'_> {
        // As long as what the relay gets: session, token, kind and target are 17 bytes.
        let sends = messages.iter().map(|it| (self.sender(*it), vec![7; it.size() + 17]));
        UdpRig { sends: sends.collect(), receivers: self.players.iter().collect(), at: 0 }
    }
}

fn tcp(report: &mut Report, effort: Effort) {
    let relay = unlimited_relay(1);
    let mut players = parties(relay.address(), PARTIES);
    keep_alive(&players);
    let messages = mix::second(PARTIES);
    let (_forwarder, mut near) = bare_tcp::start(PARTIES);
    let frames = |targets: &dyn Fn(Message) -> i32| {
        let frame = |message: &Message| {
            let mut frame = Vec::new();
            let bytes = vec![7; message.size()];
            let data = ClientPacket::Data { target: targets(*message), bytes: &bytes };
            data.encode(&mut frame).unwrap();
            frame
        };
        messages.iter().map(frame).collect::<Vec<_>>()
    };
    let ours = frames(&|message| match message {
        Message::One { party, member } => players[party][member].session.0,
        _ => 0,
    });
    let theirs = frames(&|message| match message {
        Message::One { member, .. } => i32::try_from(member).unwrap(),
        _ => 0,
    });
    let mut turns = Vec::new();
    let mut at = (0, 0);
    for _ in 0..effort.turns {
        let mut streams: Vec<Vec<_>> = players
            .iter_mut()
            .map(|party| party.iter_mut().map(|player| &mut player.tcp).collect())
            .collect();
        let relay = tcp_turn(RELAY_THREAD, &messages, &ours, &mut streams, &mut at.0);
        let mut streams: Vec<Vec<_>> =
            near.iter_mut().map(|party| party.iter_mut().collect()).collect();
        let bare = tcp_turn(bare_tcp::THREAD, &messages, &theirs, &mut streams, &mut at.1);
        turns.push((relay, bare));
    }
    tell(report, "frames, the mix: CPU each against bare", 1.3, turns);
    assert!(relay.stop());
}

fn tcp_turn(
    thread: &str,
    messages: &[Message],
    frames: &[Vec<u8>],
    streams: &mut [Vec<&mut TcpStream>],
    at: &mut usize,
) -> Turn {
    let mut turn = Turn::default();
    let mut buffer = vec![0; 64 << 10];
    let before = thread_ns(thread);
    let until = Instant::now() + TURN;
    while Instant::now() < until {
        let mut expected = vec![[0; 4]; streams.len()];
        for _ in 0..WINDOW {
            let (message, frame) = (messages[*at], &frames[*at]);
            streams[message.party()][message.sender()].write_all(frame).unwrap();
            for receiver in message.receivers() {
                expected[message.party()][receiver] += frame.len();
                turn.delivered += 1;
            }
            *at = (*at + 1) % messages.len();
        }
        for (party, expected) in streams.iter_mut().zip(expected) {
            for (stream, mut left) in party.iter_mut().zip(expected) {
                while left > 0 {
                    left -= stream.read(&mut buffer).unwrap();
                }
            }
        }
    }
    turn.cpu_ns = thread_ns(thread) - before;
    turn
}
