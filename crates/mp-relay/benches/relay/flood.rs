//! A flood of datagrams from one address, and what those who play see of it.

use std::io::IoSlice;
use std::net::{Ipv4Addr, SocketAddr, UdpSocket};
use std::os::fd::AsRawFd;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use mp_protocol::datagram::{ClientDatagram, ClientDatagramKind};
use mp_protocol::{SessionId, Token};
use nix::sys::socket::{MsgFlags, MultiHeaders, SockaddrIn, sendmmsg};

use crate::cases::Effort;
use crate::held::Program;
use crate::paced::{Paced, Rig, turn};
use crate::players::{keep_alive, parties};
use crate::report::{Report, median};

/// Datagrams a second.
const RATE: usize = 200_000;
/// Sent in one call.
const BATCH: usize = 32;
/// Parties that play meanwhile.
const PARTIES: usize = 16;

pub fn run(report: &mut Report, effort: Effort) {
    let program = Program::start(&["--max-connections-per-address", "1000"]);
    let players = parties(program.address, PARTIES);
    let (mut calm, mut flooded) = (Vec::new(), Vec::new());
    let before = program.resident_kb();
    let (mut rate, mut grown) = (f64::MAX, 0);
    for _ in 0..effort.turns.div_ceil(2) {
        keep_alive(&players);
        calm.push(turn(&Rig::relay(&players), "none", effort.paced));
        keep_alive(&players);
        let (ending, sent) = (AtomicBool::new(false), AtomicUsize::new(0));
        let paced = std::thread::scope(|scope| {
            let begun = Instant::now();
            scope.spawn(|| flood(program.address, &ending, &sent));
            let paced = turn(&Rig::relay(&players), "none", effort.paced);
            ending.store(true, Ordering::Relaxed);
            let flooded = sent.load(Ordering::Relaxed) as f64 / begun.elapsed().as_secs_f64();
            rate = rate.min(flooded);
            paced
        });
        flooded.push(paced);
        grown = grown.max(program.resident_kb().saturating_sub(before));
    }
    let middle =
        |of: &[Paced], figure: &dyn Fn(&Paced) -> f64| median(of.iter().map(figure).collect());
    let lost: usize = flooded.iter().map(|paced| paced.lost).sum();
    let detail = format!("{:.0} thousand a second", rate / 1_000.0);
    report.line("flood: honest datagrams lost", lost as f64, 0.0, "", &detail);
    let p50 = |of: &[Paced]| middle(of, &|paced| paced.p50_us);
    let p99 = |of: &[Paced]| middle(of, &|paced| paced.p99_us);
    let detail = format!("{:.0} us, without {:.0} us", p50(&flooded), p50(&calm));
    report.line("flood: honest p50 against none", p50(&flooded) / p50(&calm), 2.0, "x", &detail);
    let detail = format!("{:.0} us, without {:.0} us", p99(&flooded), p99(&calm));
    let added = (p99(&flooded) - p99(&calm)) / 1_000.0;
    report.line("flood: honest p99 over none", added, 5.0, "ms", &detail);
    report.line("flood: memory more", grown as f64 / 1_024.0, 64.0, "MiB", "");
}

/// State of a session that is there, with a token that is not its own: as dear a datagram as a stranger
/// can send.
fn flood(to: SocketAddr, ending: &AtomicBool, sent: &AtomicUsize) {
    let socket = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    socket.connect(to).unwrap();
    let what = ClientDatagramKind::State { target: 0, bytes: &[0; 83] };
    let mut bytes = Vec::new();
    let datagram = ClientDatagram { session: SessionId(1), token: Token::from_bits(7), what };
    datagram.encode(&mut bytes).unwrap();
    let mut headers: MultiHeaders<SockaddrIn> = MultiHeaders::preallocate(BATCH, None);
    let begun = Instant::now();
    while !ending.load(Ordering::Relaxed) {
        let done = sent.load(Ordering::Relaxed);
        let due = (begun.elapsed().as_secs_f64() * RATE as f64) as usize;
        if due < done + BATCH {
            // Until there is a batch to send at this rate: nothing comes that could be waited for.
            std::thread::sleep(Duration::from_micros(100));
            continue;
        }
        let slices = vec![[IoSlice::new(&bytes)]; BATCH];
        let none = [None; BATCH];
        let flags = MsgFlags::empty();
        let count = sendmmsg(socket.as_raw_fd(), &mut headers, slices.iter(), none, [], flags)
            .map_or(0, Iterator::count);
        sent.fetch_add(count, Ordering::Relaxed);
    }
}
