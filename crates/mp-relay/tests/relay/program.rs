//! The program as a process: its first line, its errors, its metrics and its end.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, ChildStderr, Command, ExitStatus, Output, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use mp_protocol::{ClientPacket, ErrorReason};
use rustix::process::{Pid, Signal, kill_process};
#[cfg(target_os = "linux")]
use rustix::process::{Resource, Rlimit, getrlimit, prlimit};
#[cfg(target_os = "linux")]
use socket2::{Domain, Socket, Type};

use crate::player::{Heard, PATIENCE, Player};

/// A process that does not outlive its test, however that ends.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        // Nearly always it has ended before.
        let _ended = self.0.kill();
        let _waited = self.0.wait();
    }
}

struct Program {
    child: Running,
    address: SocketAddr,
    stderr: BufReader<ChildStderr>,
}

impl Program {
    fn start(args: &[&str]) -> Self {
        Self::run(command(args))
    }

    fn run(mut command: Command) -> Self {
        let mut child = Running(command.stdout(Stdio::piped()).spawn().expect("the program"));
        let mut line = String::new();
        let mut stdout = BufReader::new(child.0.stdout.take().expect("it is piped"));
        stdout.read_line(&mut line).unwrap();
        let address = line.strip_prefix("listening on ").expect("the first line").trim_end();
        let address = address.parse().expect("an address");
        let stderr = BufReader::new(child.0.stderr.take().expect("it is piped"));
        Self { child, address, stderr }
    }

    fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child.0), signal).unwrap();
    }

    /// Waits for its end; what is left of its log.
    fn ends(self) -> (ExitStatus, String) {
        let Self { mut child, mut stderr, .. } = self;
        let pid = Pid::from_child(&child.0);
        let (done, ended) = mpsc::channel();
        std::thread::spawn(move || {
            let mut log = String::new();
            stderr.read_to_string(&mut log).unwrap();
            done.send((child.0.wait().unwrap(), log)).unwrap();
        });
        ended.recv_timeout(PATIENCE).unwrap_or_else(|_| {
            kill_process(pid, Signal::KILL).unwrap();
            panic!("it did not end");
        })
    }

    fn expect_log(&mut self, line: &str) {
        let mut said = String::new();
        self.stderr.read_line(&mut said).unwrap();
        assert_eq!(said.trim_end(), line);
    }

    fn metrics(&mut self) -> SocketAddr {
        let mut line = String::new();
        self.stderr.read_line(&mut line).unwrap();
        let address = line.strip_prefix("metrics on http://").expect("the log's first line");
        address.trim_end().strip_suffix("/metrics").expect("a path").parse().unwrap()
    }
}

fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_openrac-relay"));
    command.args(args).stdin(Stdio::null()).stderr(Stdio::piped());
    command
}

fn get(at: SocketAddr, path: &str) -> String {
    let mut stream = TcpStream::connect(at).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nHost: relay\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

/// What it says and how it ends, which it must do by itself.
fn output(args: &[&str]) -> Output {
    let child = command(args).stdout(Stdio::piped()).spawn().expect("the program");
    let pid = Pid::from_child(&child);
    let (done, ended) = mpsc::channel();
    std::thread::spawn(move || done.send(child.wait_with_output().unwrap()));
    ended.recv_timeout(PATIENCE).unwrap_or_else(|_| {
        kill_process(pid, Signal::KILL).unwrap();
        panic!("{args:?}: it did not end");
    })
}

#[track_caller]
fn refused(args: &[&str], words: &[&str]) {
    let output = output(args);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let said = String::from_utf8(output.stderr).unwrap();
    for word in words {
        assert!(said.contains(word), "{word} is not in: {said}");
    }
    assert!(output.stdout.is_empty());
}

#[test]
fn a_signal_ends_it_within_two_seconds_and_everyone_is_told() {
    for signal in [Signal::TERM, Signal::INT] {
        let program = Program::start(&["--listen", "127.0.0.1:0"]);
        let mut host = Player::greeted(program.address, "Host");
        let code = host.create();
        let mut member = Player::greeted(program.address, "Nova");
        member.join(&code);
        host.expect(&Heard::Joined(member.session.0));
        let told = Instant::now();
        program.signal(signal);
        for player in [&mut host, &mut member] {
            player.expect(&Heard::End);
            player.expect(&Heard::Closed);
        }
        let (status, log) = program.ends();
        assert!(told.elapsed() < Duration::from_secs(2), "{:?}", told.elapsed());
        assert!(status.success(), "{log}");
        assert!(log.contains("stopping: 1 party,"), "{log}");
    }
}

#[test]
fn draining_waits_for_parties_to_end_by_themselves() {
    let mut program = Program::start(&["--listen", "127.0.0.1:0", "--drain", "60"]);
    let mut host = Player::greeted(program.address, "Host");
    host.create();
    program.signal(Signal::TERM);
    program.expect_log("stopping: 1 party, 60 s to end by themselves");
    let mut late = Player::greeted(program.address, "Late");
    late.say(&ClientPacket::Create { description: "" });
    late.expect(&Heard::Error(ErrorReason::Full));
    // It plays on: only when its party has ended does the relay.
    host.say(&ClientPacket::Time { clock_ms: 7 });
    host.expect(&Heard::Time(7));
    host.say(&ClientPacket::Leave);
    host.expect(&Heard::Closed);
    assert!(program.ends().0.success());
}

#[test]
fn a_second_signal_ends_the_draining() {
    let mut program = Program::start(&["--listen", "127.0.0.1:0", "--drain", "60"]);
    let mut host = Player::greeted(program.address, "Host");
    host.create();
    let begun = Instant::now();
    program.signal(Signal::TERM);
    program.expect_log("stopping: 1 party, 60 s to end by themselves");
    program.signal(Signal::TERM);
    host.expect(&Heard::End);
    assert!(program.ends().0.success());
    assert!(begun.elapsed() < Duration::from_secs(10));
}

/// A connection from another of loopback's addresses, which only Linux has.
#[cfg(target_os = "linux")]
fn from(last: u8, server: SocketAddr) -> TcpStream {
    let socket = Socket::new(Domain::IPV4, Type::STREAM, None).unwrap();
    socket.bind(&SocketAddr::from(([127, 0, 0, last], 0)).into()).unwrap();
    socket.connect(&server.into()).unwrap();
    socket.into()
}

/// Lets a program have so many descriptors open.
#[cfg(target_os = "linux")]
fn limit_descriptors(program: &Program, most: Option<u64>) {
    let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
    let limit = Rlimit { current: most.or(maximum), maximum };
    prlimit(Some(Pid::from_child(&program.child.0)), Resource::Nofile, limit).unwrap();
}

#[cfg(target_os = "linux")]
#[test]
fn without_descriptors_it_says_so_and_takes_in_who_waited_once_there_are() {
    let mut program = Program::start(&["--listen", "127.0.0.1:0", "--threads", "1"]);
    let mut host = Player::greeted(program.address, "Host");
    host.create();
    // Fewer than it has.
    limit_descriptors(&program, Some(4));
    let mut late = Player::connect(program.address);
    program.expect_log("no connection is accepted: Too many open files (os error 24)");
    host.expect_nothing();
    limit_descriptors(&program, None);
    late.greet("Late");
    program.signal(Signal::TERM);
    assert!(program.ends().0.success());
}

/// It would hold more connections than it may have descriptors: so it holds fewer, and who says nothing makes
/// room for who does, long before its time is up.
#[cfg(target_os = "linux")]
#[test]
fn more_who_say_nothing_than_there_are_descriptors_keep_nobody_out() {
    let config = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("patient.toml");
    std::fs::write(&config, "[limits]\nhello_timeout_seconds = 600\n").unwrap();
    let mut limited = Command::new("sh");
    let words = "ulimit -n 40 && exec \"$0\" --listen 127.0.0.1:0 --threads 1 --config \"$1\"";
    limited.args(["-c", words, env!("CARGO_BIN_EXE_openrac-relay")]).arg(config);
    limited.stdin(Stdio::null()).stderr(Stdio::piped());
    let mut program = Program::run(limited);
    program.expect_log("connections are 13 at most: 40 descriptors serve no more");
    let mut host = Player::greeted(program.address, "Host");
    host.create();
    // From other addresses, or the ninth would be refused.
    let silent: Vec<_> = (0..80).map(|number| from(2 + number / 8, program.address)).collect();
    Player::greeted(program.address, "Late");
    host.expect_nothing();
    drop(silent);
    program.signal(Signal::TERM);
    assert!(program.ends().0.success());
}

#[test]
fn the_metrics_tell_what_is_going_on() {
    let mut program = Program::start(&["--listen", "127.0.0.1:0", "--metrics", "127.0.0.1:0"]);
    let at = program.metrics();
    assert!(get(at, "/healthz").starts_with("HTTP/1.1 200 OK\r\n"));
    let mut host = Player::greeted(program.address, "Host");
    let code = host.create();
    let mut member = Player::greeted(program.address, "Nova");
    member.join(&code);
    member.say(&ClientPacket::Data { target: 0, bytes: b"hit" });
    host.expect(&Heard::Joined(member.session.0));
    host.expect(&Heard::Data(member.session.0, b"hit".into()));
    let text = get(at, "/metrics");
    for line in [
        "openrac_relay_connections 2",
        "openrac_relay_parties 1",
        "openrac_relay_sessions_total 2",
        "openrac_relay_frames_total{direction=\"in\"} 5",
        // HELLO and UDP twice, INFO twice, JOINED, DATA.
        "openrac_relay_frames_total{direction=\"out\"} 8",
        "openrac_relay_dropped_total{reason=\"malformed datagram\"} 0",
        "openrac_relay_strikes_total{limit=\"frames a second\"} 0",
        "openrac_relay_queued_bytes 0",
        "openrac_relay_longest_queue_bytes 0",
        "openrac_relay_closed_total{reason=\"by the player\"} 0",
        "openrac_relay_forward_seconds_count 8",
    ] {
        assert!(text.lines().any(|it| it == line), "{line} is not in:\n{text}");
    }
    for (path, status) in [("/", "404"), ("/metrics?x", "404")] {
        assert!(get(at, path).starts_with(&format!("HTTP/1.1 {status} ")), "{path}");
    }
    program.signal(Signal::TERM);
    assert!(program.ends().0.success());
}

#[test]
fn the_metrics_bear_with_nonsense() {
    let mut program = Program::start(&["--listen", "127.0.0.1:0", "--metrics", "127.0.0.1:0"]);
    let at = program.metrics();
    // One that says nothing has its time and no more; one that says too much is told so.
    let _silent = TcpStream::connect(at).unwrap();
    let mut long = TcpStream::connect(at).unwrap();
    long.set_read_timeout(Some(PATIENCE)).unwrap();
    long.write_all(&[b'x'; 8 * 1024]).unwrap();
    let mut answer = String::new();
    long.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 431 "), "{answer}");
    assert!(get(at, "/healthz").starts_with("HTTP/1.1 200 OK\r\n"));
    program.signal(Signal::TERM);
    assert!(program.ends().0.success());
}

#[test]
fn what_it_cannot_do_it_says() {
    let folder = std::env::temp_dir();
    let file = folder.join(format!("openrac-relay-{}.toml", std::process::id()));
    std::fs::write(&file, "[limits]\nstrikes = 10\nframe_per_second = 3\n").unwrap();
    let path = file.to_str().unwrap();
    refused(&["--config", path], &[path, "line 3", "frame_per_second"]);
    std::fs::remove_file(&file).unwrap();
    refused(&["--config", path], &[path, "No such file"]);
    refused(&["--listen", "nowhere"], &["--listen", "nowhere"]);
    refused(&["--drain", "soon"], &["--drain", "soon"]);
}

#[test]
fn a_port_that_is_taken_is_refused() {
    let program = Program::start(&["--listen", "127.0.0.1:0", "--threads", "2"]);
    let at = program.address.to_string();
    let output = output(&["--listen", &at, "--threads", "2"]);
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains(&format!("cannot listen on {at}")), "{said}");
    program.signal(Signal::TERM);
    assert!(program.ends().0.success());
}
