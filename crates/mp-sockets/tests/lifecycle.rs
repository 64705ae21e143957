//! Beginning, ending and giving up: every answer at once, from any state.

mod common;

use std::io::Write;
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream, UdpSocket};
use std::time::{Duration, Instant};

use common::{Game, is_info};
use mp_protocol::{Member, PartyInfo, ServerPacket, SessionId};
use mp_sockets::{
    Command, ConnectError, Destination, Event, Handle, LinkId, LostReason, PartyNews, QUEUED_MAX,
    Report, SendError,
};
use socket2::{Domain, Protocol, Socket, Type};

/// An address where nobody listens, nor will as long as the sockets live; a host may then.
fn nobody() -> (SocketAddr, (Socket, UdpSocket)) {
    let any = SocketAddr::from((Ipv4Addr::UNSPECIFIED, 0));
    loop {
        let tcp = Socket::new(Domain::IPV4, Type::STREAM, Some(Protocol::TCP)).expect("a socket");
        tcp.bind(&any.into()).expect("a free port");
        let at = tcp.local_addr().ok().and_then(|at| at.as_socket()).expect("an IPv4 address");
        // A host wants it for UDP too, where another may have it.
        if let Ok(udp) = UdpSocket::bind(at) {
            return ((Ipv4Addr::LOCALHOST, at.port()).into(), (tcp, udp));
        }
    }
}

/// A listener that takes in nobody, so that connections to it stay half-open, and what fills it.
#[cfg(target_os = "linux")]
fn deaf() -> (SocketAddr, Socket, Vec<Socket>) {
    let listener = Socket::new(Domain::IPV4, Type::STREAM, Some(Protocol::TCP)).expect("a socket");
    listener.bind(&SocketAddr::from((Ipv4Addr::LOCALHOST, 0)).into()).expect("a free port");
    listener.listen(0).expect("it listens");
    let at = listener.local_addr().expect("its address");
    let fill = (0..4).map(|_| {
        let socket =
            Socket::new(Domain::IPV4, Type::STREAM, Some(Protocol::TCP)).expect("a socket");
        socket.set_nonblocking(true).expect("non-blocking");
        let _in_progress = socket.connect(&at);
        socket
    });
    let fill = fill.collect();
    (at.as_socket().expect("an IPv4 address"), listener, fill)
}

fn wait_for_failure(game: &mut Game) -> (ConnectError, Duration) {
    game.wait("ConnectFailed", |event| match event {
        Event::ConnectFailed { why, retry_in } => Some((why.clone(), *retry_in)),
        _ => None,
    })
}

fn wait_for_connecting(game: &mut Game) -> u32 {
    game.wait("Connecting", |event| match event {
        Event::Connecting { attempt } => Some(*attempt),
        _ => None,
    })
}

/// B2.6
#[test]
fn a_join_that_is_refused_says_so_and_keeps_trying() {
    let (at, taken) = nobody();
    let mut game = Game::new("Player");
    game.connect(1, at);
    assert_eq!(wait_for_connecting(&mut game), 1);
    let (why, retry_in) = wait_for_failure(&mut game);
    assert_eq!(why, ConnectError::Refused);
    assert!((1..=2).contains(&retry_in.as_secs()), "{retry_in:?}");
    assert_eq!(wait_for_connecting(&mut game), 2);
    assert_eq!(wait_for_failure(&mut game).0, ConnectError::Refused);
    // The host comes up: the next attempt is in.
    drop(taken);
    let mut host = Game::new("Host");
    host.host(1, at.port());
    game.wait("INFO", |event| is_info(event).then_some(()));
}

/// B3.3
#[test]
fn a_lost_link_comes_back_by_itself() {
    let (host, at) = Game::hosting("Host");
    let mut member = Game::joined("Member", at);
    host.send(Command::Close);
    member.wait("the loss", |event| matches!(event, Event::Lost { .. }).then_some(()));
    let mut next = Game::new("Next");
    next.host(1, at.port());
    member.wait("INFO", |event| is_info(event).then_some(()));
}

#[test]
fn a_host_is_joined_by_name() {
    let (_host, at) = Game::hosting("Host");
    let mut member = Game::new("Member");
    member.connect(1, Destination::Name { host: "localhost".into(), port: at.port() });
    member.wait("INFO", |event| is_info(event).then_some(()));
    member.wait_for_udp();
}

/// A server written by hand: it lets one in, makes it the host of a party, and then says `more` and
/// reads nothing.
fn stubborn_server(name: &'static str, more: &[u8]) -> (Game, TcpListener, TcpStream) {
    let listener = Socket::new(Domain::IPV4, Type::STREAM, Some(Protocol::TCP)).expect("a socket");
    listener.set_recv_buffer_size(4096).expect("a small buffer");
    listener.bind(&SocketAddr::from((Ipv4Addr::LOCALHOST, 0)).into()).expect("a free port");
    listener.listen(1).expect("it listens");
    let listener = TcpListener::from(listener);
    let mut game = Game::new(name);
    game.connect(1, listener.local_addr().expect("its address"));
    let (mut stream, _) = listener.accept().expect("it connects");
    let (me, other) = (SessionId(1), SessionId(2));
    let members = [Member { id: me, name: "Me" }, Member { id: other, name: "Other" }];
    let members = members.as_slice().into();
    let info = PartyInfo { code: "ABCDEF", host: me, members, description: "" };
    let mut bytes = Vec::new();
    for packet in [ServerPacket::Hello { session: me }, ServerPacket::Info(info)] {
        packet.encode(&mut bytes).expect("a packet");
    }
    bytes.extend(more);
    stream.write_all(&bytes).expect("is taken");
    game.wait("INFO", |event| is_info(event).then_some(()));
    (game, listener, stream)
}

/// What has to live as long as a state lasts.
type Kept = Vec<Box<dyn std::any::Any>>;

/// A game in each state a link can be in.
fn every_state() -> Vec<(&'static str, Game, Kept)> {
    let mut states: Vec<(&'static str, Game, Kept)> = vec![("idle", Game::new("Idle"), Vec::new())];

    let mut waiting = Game::new("Waiting");
    let (at, taken) = nobody();
    waiting.connect(1, at);
    wait_for_failure(&mut waiting);
    states.push(("waiting to retry", waiting, vec![Box::new(taken)]));

    #[cfg(target_os = "linux")]
    {
        let (at, listener, fill) = deaf();
        let mut connecting = Game::new("Connecting");
        connecting.connect(1, at);
        wait_for_connecting(&mut connecting);
        states.push(("connecting", connecting, vec![Box::new(listener), Box::new(fill)]));
    }

    let silent = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
    let mut greeting = Game::new("Greeting");
    greeting.connect(1, silent.local_addr().expect("its address"));
    wait_for_connecting(&mut greeting);
    let accepted: (TcpStream, _) = silent.accept().expect("it connects");
    states.push(("waiting for HELLO", greeting, vec![Box::new(silent), Box::new(accepted)]));

    // A frame whose end never comes.
    let (game, listener, stream) = stubborn_server("Half", &[0, 0, 1, 0, 3, 0, 0]);
    states.push(("mid-frame", game, vec![Box::new((listener, stream))]));

    let (mut game, listener, stream) = stubborn_server("Unread", &[]);
    for _ in 0..60 {
        game.send(Command::Event { target: None, bytes: vec![200; 65_531].into() });
    }
    // It has been written to until it took no more.
    game.wait("Interrupted", |event| matches!(event, Event::Liveness(_)).then_some(()));
    states.push(("server not reading", game, vec![Box::new((listener, stream))]));

    let (host, at) = Game::hosting("Host");
    states.push(("in a party", Game::joined("Member", at), vec![Box::new(host)]));

    states.push(("hosting alone", Game::hosting("Alone").0, Vec::new()));

    let (host, at) = Game::hosting("Host");
    states.push(("hosting", host, vec![Box::new(Game::joined("Member", at))]));

    // One who never closes its end keeps the host for as long as it may.
    let (host, at) = Game::hosting("Host");
    let stuck = TcpStream::connect(at).expect("a host listens");
    states.push(("hosting one who is stuck", host, vec![Box::new(stuck)]));
    states
}

/// B3.5
#[test]
fn ending_takes_under_half_a_second_in_every_state() {
    for (state, game, _kept) in every_state() {
        let began = Instant::now();
        assert!(game.handle.join_within(Duration::from_millis(500)), "{state}");
        assert!(began.elapsed() < Duration::from_millis(500), "{state}: {:?}", began.elapsed());
    }
}

/// B3.5
#[test]
fn closing_is_answered_at_once_in_every_state() {
    for (state, mut game, _kept) in every_state() {
        let began = Instant::now();
        game.send(Command::Close);
        // The next thing asked for is done: the thread has not waited for anything.
        let port = game.host(77, 0);
        assert!(began.elapsed() < Duration::from_millis(300), "{state}: {:?}", began.elapsed());
        assert_ne!(port, 0);
        let after = game.seen().iter().rposition(|report| report.link != LinkId(77));
        let said = &game.seen()[after.map_or(0, |index| index + 1)..];
        assert!(matches!(said, [Report { event: Event::Hosting { .. }, .. }]), "{state}: {said:?}");
    }
}

#[test]
fn a_connection_that_is_never_taken_in_times_out() {
    #[cfg(target_os = "linux")]
    {
        let (at, _listener, _fill) = deaf();
        let mut game = Game::new("Player");
        game.connect(1, at);
        assert_eq!(wait_for_failure(&mut game).0, ConnectError::TimedOut);
    }
}

#[test]
fn a_new_connect_takes_the_old_ones_place() {
    let (_one, first) = Game::hosting("One");
    let (mut two, second) = Game::hosting("Two");
    let mut member = Game::joined("Member", first);
    member.connect(2, second);
    member.wait("INFO", |event| is_info(event).then_some(()));
    two.wait("JOINED", |event| matches!(event, Event::Party(PartyNews::Joined(_))).then_some(()));
    let seen = member.seen();
    let first_of_new = seen.iter().position(|report| report.link == LinkId(2)).expect("reports");
    assert!(seen[first_of_new..].iter().all(|report| report.link == LinkId(2)), "{seen:?}");
}

/// B3.6
#[test]
fn a_game_that_stands_still_loses_its_link_at_1_mib_and_the_others_play_on() {
    let (mut host, at) = Game::hosting("Host");
    let mut stalled = Game::joined("Stalled", at);
    let mut other = Game::joined("Other", at);
    // The host's wait for LEFT is the member's stall: it reads nothing meanwhile.
    for _ in 0..17 {
        host.send(Command::Event { target: None, bytes: vec![100; 65_000].into() });
        other.wait("DATA", |event| matches!(event, Event::Data { .. }).then_some(()));
    }
    host.wait("LEFT", |event| matches!(event, Event::Party(PartyNews::Left { .. })).then_some(()));
    let why = stalled.wait("the loss", |event| match event {
        Event::Lost { why } => Some(why.clone()),
        _ => None,
    });
    assert_eq!(why, LostReason::GameStalled);
    host.send(Command::Event { target: None, bytes: vec![1].into() });
    other.wait("DATA", |event| {
        matches!(event, Event::Data { bytes, .. } if bytes.0 == [1]).then_some(())
    });
}

/// B3.6
#[test]
fn a_host_whose_game_stands_still_lets_go_of_who_sent_the_most_and_keeps_its_party() {
    let (mut host, at) = Game::hosting("Host");
    let mut member = Game::joined("Member", at);
    for _ in 0..17 {
        member.send(Command::Event { target: None, bytes: vec![100; 65_000].into() });
    }
    member.wait("the loss", |event| matches!(event, Event::Lost { .. }).then_some(()));
    let next = Game::joined("Next", at);
    next.send(Command::Event { target: None, bytes: b"here".to_vec().into() });
    host.wait("DATA", |event| {
        matches!(event, Event::Data { bytes, .. } if bytes.0 == b"here").then_some(())
    });
}

/// B3.1
#[test]
fn too_much_to_send_is_refused_and_never_waited_for() {
    let (done, refused) = crossbeam_channel::bounded(1);
    std::thread::spawn(move || {
        fill_up();
        done.send(()).expect("the test listens");
    });
    assert_eq!(refused.recv_timeout(Duration::from_secs(20)), Ok(()));
}

fn fill_up() {
    let (handle, far) = Handle::detached();
    let event = || Command::Event { target: None, bytes: vec![0; 65_531].into() };
    let mut sent = 0;
    while handle.send(event()).is_ok() {
        sent += 1;
    }
    assert_eq!(sent, QUEUED_MAX / (65_531 + 64));
    assert_eq!(handle.send(event()), Err(SendError::Full));
    assert_eq!(handle.send(Command::Close), Ok(()), "what carries nothing still goes");
    assert_eq!(far.try_next(), Some(event()));
    assert_eq!(handle.send(event()), Ok(()));
    let list = || Command::Party(mp_sockets::PartyRequest::List);
    let lists = std::iter::from_fn(|| handle.send(list()).ok()).count();
    assert_eq!(lists, QUEUED_MAX % (65_531 + 64) / 64, "a request waits too");
    while handle.send(Command::Close).is_ok() {}
    assert_eq!(handle.send(Command::Close), Err(SendError::Full));
    drop(far);
    assert_eq!(handle.send(Command::Close), Err(SendError::Ended));
}

#[test]
fn a_socket_thread_that_failed_leaves_why() {
    let (handle, far) = Handle::detached();
    far.fail(std::io::Error::other("bad descriptor"));
    assert_eq!(handle.send(Command::Close), Err(SendError::Failed("bad descriptor".into())));
}

#[test]
fn what_the_protocol_has_no_room_for_is_refused_with_words() {
    let (handle, far) = Handle::detached();
    let (to, _taken) = nobody();
    let nameless = |host: &str| Destination::Name { host: host.into(), port: 7770 };
    let connect =
        |to: Destination, name: &str| Command::Connect { link: LinkId(1), to, name: name.into() };
    let refused = [
        connect(to.into(), ""),
        connect(to.into(), "a\nb"),
        connect(nameless(""), "Ok"),
        connect(nameless("a\0b"), "Ok"),
        connect(nameless(&"x".repeat(254)), "Ok"),
        Command::Host { link: LinkId(1), port: 0, name: "Ok".into(), description: "x".repeat(257) },
        Command::Chat { text: String::new() },
        Command::Event { target: None, bytes: vec![0; 65_532].into() },
        Command::Party(mp_sockets::PartyRequest::Join { code: "x".repeat(17) }),
    ];
    for command in refused {
        let Err(SendError::Invalid(words)) = handle.send(command.clone()) else {
            panic!("{command:?} was taken");
        };
        assert!(!words.is_empty());
    }
    assert_eq!(far.try_next(), None);
}
