//! Parties at the rates of real play: what a message costs when each wakes the forwarder, and how much
//! later it comes.

use std::net::UdpSocket;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use mio::{Events, Interest, Poll, Token};
use mp_protocol::datagram::ClientDatagramKind;

use crate::bare_udp;
use crate::cases::{BareRig, Effort, RELAY_THREAD, start};
use crate::cpu::thread_ns;
use crate::mix::{MEMBERS, Message};
use crate::players::{Party, keep_alive, parties};
use crate::report::{Report, median};

/// Parties that play.
pub const PARTIES: usize = 16;
/// How long the last messages may take.
const SETTLING: Duration = Duration::from_millis(200);

/// What came of a turn.
#[derive(Clone, Debug, Default)]
pub struct Paced {
    pub cpu_us_each: f64,
    pub p50_us: f64,
    pub p99_us: f64,
    pub lost: usize,
}

pub fn run(report: &mut Report, effort: Effort) {
    let mut settings = mp_relay::Settings {
        listen: ([127, 0, 0, 1], 0).into(),
        threads: Some(1),
        ..mp_relay::Settings::default()
    };
    settings.limits.connections_per_address = 1_000;
    let relay = start(&settings);
    let players = parties(relay.address(), PARTIES);
    let bare = BareRig::new(PARTIES);
    let mut turns = Vec::new();
    for _ in 0..effort.turns {
        keep_alive(&players);
        let ours = turn(&Rig::relay(&players), RELAY_THREAD, effort.paced);
        let theirs = turn(&Rig::bare(&bare), bare_udp::THREAD, effort.paced);
        turns.push((ours, theirs));
    }
    let middle =
        |figure: &dyn Fn(&(Paced, Paced)) -> f64| median(turns.iter().map(figure).collect());
    let lost: usize = turns.iter().map(|(ours, theirs)| ours.lost + theirs.lost).sum();
    let detail = format!(
        "{:.1} us, bare {:.1} us, lost {lost}",
        middle(&|(ours, _)| ours.cpu_us_each),
        middle(&|(_, theirs)| theirs.cpu_us_each),
    );
    let ratio = middle(&|(ours, theirs)| ours.cpu_us_each / theirs.cpu_us_each);
    report.line("16 parties paced: CPU a message against bare", ratio, 1.2, "x", &detail);
    let detail = format!(
        "{:.0} us, bare {:.0} us; p99 {:.0} and {:.0} us",
        middle(&|(ours, _)| ours.p50_us),
        middle(&|(_, theirs)| theirs.p50_us),
        middle(&|(ours, _)| ours.p99_us),
        middle(&|(_, theirs)| theirs.p99_us),
    );
    let added = middle(&|(ours, theirs)| ours.p50_us - theirs.p50_us);
    report.line("16 parties paced: p50 over bare", added, 10.0, "us", &detail);
    assert!(relay.stop());
}

/// Sockets of parties that play through a forwarder.
pub struct Rig<'a> {
    /// For each event of a second, when it is, by which socket, what.
    events: Vec<(Duration, &'a UdpSocket, Vec<u8>, usize)>,
    receivers: Vec<&'a UdpSocket>,
    /// Where the time of sending stands in what is sent, and in what comes.
    sent_at: usize,
    stamp_at: usize,
}

/// A second of a party, as it happens: members and the host tick 20 times, each at its own moment; the
/// host's tick passes on what came, and 15 times it sends the world to each.
fn second(parties: usize) -> Vec<(Duration, Message)> {
    let mut events = Vec::new();
    let mut random = 0x5eed_u64;
    let mut phase = || {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        Duration::from_micros((random >> 33) % 50_000)
    };
    for party in 0..parties {
        for member in 1..=MEMBERS {
            let begin = phase();
            events.extend((0..20).map(|it| (begin + it * TICK, Message::Up { party, member })));
        }
        let begin = phase();
        for tick in 0..20 {
            let at = begin + tick * TICK;
            events.extend([(at, Message::All { party }); 4]);
            if tick % 4 != 3 {
                events.extend((1..=MEMBERS).map(|member| (at, Message::One { party, member })));
            }
        }
    }
    events.sort_by_key(|(at, message)| (*at, message.party()));
    events
}

const TICK: Duration = Duration::from_millis(50);

impl<'a> Rig<'a> {
    pub fn relay(parties: &'a [Party]) -> Self {
        let event = |(at, message): (Duration, Message)| {
            let player = &parties[message.party()][message.sender()];
            let target = match message {
                Message::One { party, member } => parties[party][member].session.0,
                _ => 0,
            };
            let state = vec![0; message.size()];
            let what = ClientDatagramKind::State { target, bytes: &state };
            (at, &player.udp, player.datagram(what), message.receivers().count())
        };
        Self {
            events: second(parties.len()).into_iter().map(event).collect(),
            receivers: parties.iter().flatten().map(|player| &player.udp).collect(),
            sent_at: 17,
            stamp_at: 5,
        }
    }

    pub fn bare(bare: &'a BareRig) -> Self {
        let event = |(at, message): (Duration, Message)| {
            let bytes = vec![0; message.size() + 17];
            (at, bare.sender(message), bytes, message.receivers().count())
        };
        Self {
            events: second(PARTIES).into_iter().map(event).collect(),
            receivers: bare.players.iter().collect(),
            sent_at: 17,
            stamp_at: 17,
        }
    }
}

/// Plays for so long and tells what it cost.
pub fn turn(rig: &Rig<'_>, thread: &str, time: Duration) -> Paced {
    let begun = Instant::now();
    let (done, expected) = (AtomicBool::new(false), AtomicUsize::new(0));
    let before = thread_ns(thread);
    let (mut late, cpu_ns) = std::thread::scope(|scope| {
        let receiving = scope.spawn(|| receive(rig, begun, &done, &expected));
        play(rig, begun, time, &expected);
        done.store(true, Ordering::Release);
        let late = receiving.join().unwrap();
        (late, thread_ns(thread) - before)
    });
    late.sort_unstable();
    let at =
        |share: f64| late.get((late.len() as f64 * share) as usize).map_or(0.0, |ns| *ns as f64);
    Paced {
        cpu_us_each: cpu_ns as f64 / late.len() as f64 / 1_000.0,
        p50_us: at(0.5) / 1_000.0,
        p99_us: at(0.99) / 1_000.0,
        lost: expected.load(Ordering::Acquire) - late.len(),
    }
}

fn play(rig: &Rig<'_>, begun: Instant, time: Duration, expected: &AtomicUsize) {
    let mut bytes = Vec::new();
    for second in 0.. {
        for (at, socket, datagram, receivers) in &rig.events {
            let at = Duration::from_secs(second) + *at;
            if at > time {
                return;
            }
            // Players send when their tick comes, whatever came: there is nothing else to wait for.
            std::thread::sleep(at.saturating_sub(begun.elapsed()));
            bytes.clone_from(datagram);
            let now = begun.elapsed().as_nanos() as u64;
            bytes[rig.sent_at..][..8].copy_from_slice(&now.to_be_bytes());
            socket.send(&bytes).unwrap();
            expected.fetch_add(*receivers, Ordering::AcqRel);
        }
    }
}

/// How late each message came, in nanoseconds.
fn receive(rig: &Rig<'_>, begun: Instant, done: &AtomicBool, expected: &AtomicUsize) -> Vec<u64> {
    let mut poll = Poll::new().unwrap();
    let mut sockets: Vec<_> = rig
        .receivers
        .iter()
        .map(|socket| {
            let socket = socket.try_clone().unwrap();
            socket.set_nonblocking(true).unwrap();
            mio::net::UdpSocket::from_std(socket)
        })
        .collect();
    for (index, socket) in sockets.iter_mut().enumerate() {
        poll.registry().register(socket, Token(index), Interest::READABLE).unwrap();
    }
    let (mut events, mut buffer, mut late) = (Events::with_capacity(256), [0; 2_048], Vec::new());
    let mut last = Instant::now();
    while !done.load(Ordering::Acquire)
        || late.len() < expected.load(Ordering::Acquire) && last.elapsed() < SETTLING
    {
        poll.poll(&mut events, Some(Duration::from_millis(20))).unwrap();
        for event in &events {
            while let Ok(size) = sockets[event.token().0].recv(&mut buffer) {
                let now = begun.elapsed().as_nanos() as u64;
                let stamp = buffer[..size].get(rig.stamp_at..rig.stamp_at + 8);
                // An answer to a BIND is shorter than the last of these, or zero.
                if let Some(stamp) = stamp {
                    late.push(now - u64::from_be_bytes(stamp.try_into().unwrap()));
                    last = Instant::now();
                }
            }
        }
    }
    for socket in &rig.receivers {
        socket.set_nonblocking(false).unwrap();
    }
    late
}
