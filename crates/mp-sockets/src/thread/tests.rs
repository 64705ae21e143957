//! Links to names, over real sockets, with a look-up that says what a test tells it to.

use std::io::Write;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener, TcpStream, UdpSocket};
use std::time::Instant;

use crossbeam_channel::{Receiver, Sender};
use mp_protocol::{ServerPacket, SessionId};
use socket2::{Domain, Protocol, Socket, Type};

use super::*;
use crate::api::{ConnectError, Destination};
use crate::handle::{Handle, start_with};

const PATIENCE: Duration = Duration::from_secs(20);
const AT_ONCE: Duration = Duration::from_millis(300);

/// A game's end of a socket thread that finds `addresses` for every name.
fn finding(addresses: Vec<SocketAddr>) -> Handle {
    start_with(Clock::new(), Arc::new(move |_: &str| Ok(addresses.clone()))).expect("a thread")
}

/// One whose look-ups tell that they begin, and never end while the sender lives.
fn finding_never() -> (Handle, Receiver<()>, Sender<()>) {
    let (begins, begun) = crossbeam_channel::unbounded();
    let (end, ends) = crossbeam_channel::bounded::<()>(0);
    let look_up = move |_: &str| {
        // A test that is over listens no more.
        let _unheard = begins.send(());
        ends.recv().map_err(io::Error::other)?;
        Ok(Vec::new())
    };
    (start_with(Clock::new(), Arc::new(look_up)).expect("a thread"), begun, end)
}

fn connect(handle: &Handle, link: u32, to: Destination) {
    let connect = Command::Connect { link: LinkId(link), to, name: "Ratchet".into() };
    handle.send(connect).expect("room for a command");
}

fn named(port: u16) -> Destination {
    Destination::Name { host: "game.test".into(), port }
}

/// The first event of this link that `find` finds something in.
fn wait<T>(handle: &Handle, link: u32, what: &str, find: impl Fn(&Event) -> Option<T>) -> T {
    let deadline = Instant::now() + PATIENCE;
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        assert!(!left.is_zero(), "no {what}");
        let report = handle.next_within(left).filter(|report| report.link == LinkId(link));
        if let Some(found) = report.and_then(|report| find(&report.event)) {
            return found;
        }
    }
}

/// Lets the next one in and answers its HELLO.
fn greet(listener: &TcpListener) -> TcpStream {
    let (mut stream, _) = listener.accept().expect("it connects");
    let mut bytes = Vec::new();
    let hello = ServerPacket::Hello { session: SessionId(1) };
    hello.encode(&mut bytes).expect("a HELLO");
    stream.write_all(&bytes).expect("is taken");
    stream
}

fn wait_for_connected(handle: &Handle) {
    wait(handle, 1, "Connected", |event| matches!(event, Event::Connected { .. }).then_some(()));
}

/// This machine's addresses besides 127.0.0.1: one of the other family, where there is one.
fn others() -> Vec<IpAddr> {
    let mut others: Vec<IpAddr> = Vec::new();
    if UdpSocket::bind((Ipv6Addr::LOCALHOST, 0)).is_ok() {
        others.push(Ipv6Addr::LOCALHOST.into());
    }
    if cfg!(target_os = "linux") {
        others.push(Ipv4Addr::new(127, 0, 0, 2).into());
    }
    others
}

/// A socket bound there, so that nobody else listens.
fn nobody(at: SocketAddr) -> Socket {
    let socket = Socket::new(Domain::for_address(at), Type::STREAM, Some(Protocol::TCP));
    let socket = socket.expect("a socket");
    socket.bind(&at.into()).expect("the port is free");
    socket
}

/// A listener there that takes in nobody, and what fills it.
#[cfg(target_os = "linux")]
fn deaf(at: SocketAddr) -> (Socket, Vec<Socket>) {
    let listener = nobody(at);
    listener.listen(0).expect("it listens");
    let fill = (0..4).map(|_| {
        let socket = Socket::new(Domain::for_address(at), Type::STREAM, Some(Protocol::TCP));
        let socket = socket.expect("a socket");
        socket.set_nonblocking(true).expect("non-blocking");
        let _in_progress = socket.connect(&at.into());
        socket
    });
    let fill = fill.collect();
    (listener, fill)
}

#[test]
fn an_address_that_refuses_costs_no_time() {
    for other in others() {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
        let at = listener.local_addr().expect("its address");
        let refusing = SocketAddr::new(other, at.port());
        let _taken = nobody(refusing);
        for order in [vec![refusing, at], vec![at, refusing]] {
            let handle = finding(order.clone());
            connect(&handle, 1, named(at.port()));
            let _stream = greet(&listener);
            wait_for_connected(&handle);
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn an_address_that_answers_nothing_costs_a_quarter_of_a_second() {
    for other in others() {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
        let at = listener.local_addr().expect("its address");
        let silent = SocketAddr::new(other, at.port());
        let _deaf = deaf(silent);
        let handle = finding(vec![silent, at]);
        let began = Instant::now();
        connect(&handle, 1, named(at.port()));
        let _stream = greet(&listener);
        wait_for_connected(&handle);
        let took = began.elapsed();
        // Far from the 5 s after which an address alone is given up.
        assert!((250..2500).contains(&took.as_millis()), "{other}: {took:?}");
    }
}

#[test]
fn when_no_address_answers_it_says_so_and_tries_again() {
    let refusing: Vec<_> = others().into_iter().map(|ip| nobody((ip, 0).into())).collect();
    for taken in refusing {
        let at = taken.local_addr().expect("its address").as_socket().expect("an IP address");
        let handle = finding(vec![at, at]);
        connect(&handle, 1, named(at.port()));
        for attempt in 1..3 {
            let (why, retry_in) = wait(&handle, 1, "ConnectFailed", |event| match event {
                Event::ConnectFailed { why, retry_in } => Some((why.clone(), *retry_in)),
                _ => None,
            });
            assert_eq!(why, ConnectError::Refused);
            assert!((1..=4).contains(&retry_in.as_secs()), "attempt {attempt}: {retry_in:?}");
        }
    }
}

#[test]
fn a_name_without_an_address_is_not_found() {
    let handle = finding(Vec::new());
    connect(&handle, 1, named(7770));
    let why = wait(&handle, 1, "ConnectFailed", |event| match event {
        Event::ConnectFailed { why, .. } => Some(why.clone()),
        _ => None,
    });
    assert_eq!(why, ConnectError::NotFound);
}

/// B3.1
#[test]
fn a_look_up_that_does_not_end_holds_up_nothing() {
    let (handle, begun, _end) = finding_never();
    connect(&handle, 1, named(7770));
    begun.recv_timeout(PATIENCE).expect("it looks up");
    // Another link takes its place at once.
    let began = Instant::now();
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
    connect(&handle, 2, listener.local_addr().expect("its address").into());
    let _stream = greet(&listener);
    wait(&handle, 2, "Connected", |event| matches!(event, Event::Connected { .. }).then_some(()));
    assert!(began.elapsed() < AT_ONCE, "{:?}", began.elapsed());
}

/// B3.5
#[test]
fn closing_while_a_name_is_looked_up_takes_no_time() {
    let (handle, begun, _end) = finding_never();
    connect(&handle, 1, named(7770));
    begun.recv_timeout(PATIENCE).expect("it looks up");
    let began = Instant::now();
    handle.send(Command::Close).expect("room for a command");
    let (name, description) = ("Host".into(), String::new());
    let host = Command::Host { link: LinkId(2), port: 0, name, description };
    handle.send(host).expect("room for a command");
    wait(&handle, 2, "Hosting", |event| matches!(event, Event::Hosting { .. }).then_some(()));
    assert!(began.elapsed() < AT_ONCE, "{:?}", began.elapsed());
}

/// B3.5
#[test]
fn ending_while_a_name_is_looked_up_takes_no_time() {
    let (handle, begun, _end) = finding_never();
    connect(&handle, 1, named(7770));
    begun.recv_timeout(PATIENCE).expect("it looks up");
    let began = Instant::now();
    assert!(handle.join_within(AT_ONCE), "still runs after {:?}", began.elapsed());
}
