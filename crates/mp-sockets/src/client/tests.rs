use std::net::TcpListener;
use std::time::Duration;

use mio::{Events, Poll};
use mp_netcode::LocalTime;

use super::*;
use crate::api::{Destination, LinkId};
use crate::linger::Lingering;
use crate::link::Output;
use crate::tokens::Tokens;

const PATIENCE: Duration = Duration::from_secs(20);

#[test]
fn of_two_attempts_that_stand_one_is_kept_and_the_other_closed() {
    let listeners = [0, 1].map(|_| TcpListener::bind(("127.0.0.1", 0)).expect("a free port"));
    let mut poll = Poll::new().expect("a poll");
    let (mut tokens, mut lingering) = (Tokens::new(), Lingering::new(1));
    let (mut client, mut link) = (Client::new(), Link::new(1));
    let now = LocalTime::ZERO;
    let to = Destination::Name { host: "game.test".into(), port: 1 };
    link.connect(now, LinkId(1), Some(to), "Ratchet".into());
    link.looked_up(now, "game.test", vec![([192, 0, 2, 1], 0).into()]);
    while link.poll_output().is_some() {}

    let registry = poll.registry().try_clone().expect("a registry");
    let mut io = Io { now, registry: &registry, tokens: &mut tokens, lingering: &mut lingering };
    for listener in &listeners {
        client.connect(&mut io, listener.local_addr().expect("its address")).expect("it begins");
    }
    let mut accepted = listeners.map(|listener| listener.accept().expect("it connects").0);
    let mut events = Events::with_capacity(8);
    while client.tcp.is_none() {
        poll.poll(&mut events, Some(PATIENCE)).expect("it waits");
        assert!(!events.is_empty(), "neither stands");
        for event in &events {
            client.ready(&io, &mut link, event);
        }
    }
    let stream = &client.tcp.as_ref().expect("one stands").stream;
    assert!(stream.nodelay().expect("it is open"), "protocol.md 1");
    let mut came = accepted.each_mut().map(|stream| {
        stream.set_read_timeout(Some(PATIENCE)).expect("a time-out");
        // HELLO to the one; the other's end.
        stream.read(&mut [0; 1]).map_err(|error| error.kind())
    });
    came.sort();
    assert!(matches!(came, [Ok(0), Ok(1)] | [Ok(1), Err(ErrorKind::ConnectionReset)]), "{came:?}");
    // What the loser's socket may still have said is about nothing.
    assert!(!matches!(link.poll_output(), Some(Output::Close(_) | Output::Connect(_))));
}
