//! What a held connection costs in memory: the program as a process of its own.

use std::io::{BufRead, BufReader};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::Instant;

use rustix::process::{Pid, Resource, Rlimit, Signal, getrlimit, kill_process, setrlimit};

use crate::cases::Effort;
use crate::cpu::resident_kb;
use crate::players::Player;
use crate::report::Report;

/// The relay as a process.
pub struct Program {
    child: Child,
    pub address: SocketAddr,
}

impl Program {
    pub fn start(args: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_openrac-relay"))
            .args(["--listen", "127.0.0.1:0"])
            .args(args)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim_end().strip_prefix("listening on ").unwrap().parse().unwrap();
        Self { child, address }
    }

    pub fn resident_kb(&self) -> u64 {
        resident_kb(self.child.id())
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        kill_process(Pid::from_child(&self.child), Signal::TERM).unwrap();
        assert!(self.child.wait().unwrap().success());
    }
}

pub fn run(report: &mut Report, effort: Effort) {
    let limit = getrlimit(Resource::Nofile);
    setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, maximum: limit.maximum }).unwrap();
    held(report, effort);
    silent(report, effort);
}

fn held(report: &mut Report, effort: Effort) {
    let program = Program::start(&[]);
    let mut players: Vec<TcpStream> = Vec::new();
    hold(&program, 64, &mut players);
    let before = program.resident_kb();
    let begun = Instant::now();
    hold(&program, effort.held, &mut players);
    let each = (program.resident_kb() - before) as f64 / effort.held as f64;
    let detail = format!("{} greeted, in {:.1} s", effort.held, begun.elapsed().as_secs_f64());
    report.line("memory a held connection", each, 2.0, "KiB", &detail);
}

fn silent(report: &mut Report, effort: Effort) {
    let silent = Program::start(&[]);
    let before = silent.resident_kb();
    let connects: Vec<_> = (0..effort.held).map(|it| connect(silent.address, it)).collect();
    let begun = Instant::now();
    let _honest = Player::greeted(silent.address, Ipv4Addr::LOCALHOST, "Nova");
    let waited = begun.elapsed().as_secs_f64() * 1_000.0;
    let each = (silent.resident_kb() - before) as f64 / connects.len() as f64;
    let detail = format!("{} silent; another is greeted in {waited:.1} ms", connects.len());
    report.line("memory a silent connection", each, 2.0, "KiB", &detail);
}

/// Greets so many; each one's UDP socket is closed again.
fn hold(program: &Program, count: usize, players: &mut Vec<TcpStream>) {
    for _ in 0..count {
        let from = address(players.len());
        players.push(Player::greeted(program.address, from, "Nova").tcp);
    }
}

fn connect(to: SocketAddr, number: usize) -> TcpStream {
    let socket = socket2::Socket::new(socket2::Domain::IPV4, socket2::Type::STREAM, None).unwrap();
    socket.bind(&SocketAddr::from((address(number), 0)).into()).unwrap();
    socket.connect(&to.into()).unwrap();
    socket.into()
}

/// Eight connections have one of loopback's addresses.
fn address(number: usize) -> Ipv4Addr {
    let number = u32::try_from(number / 8).unwrap();
    Ipv4Addr::from_bits(Ipv4Addr::new(127, 1, 0, 1).to_bits() + number)
}
