use std::time::Duration;

use mio::{Events, Poll};

use super::*;
use crate::tokens::WAKER;

const PATIENCE: Duration = Duration::from_secs(20);

/// A resolver whose look-ups each wait for a word, and what they are told with.
struct Slow {
    resolver: Resolver,
    begun: Receiver<String>,
    end: Sender<Vec<SocketAddr>>,
    poll: Poll,
    waker: Arc<Waker>,
}

impl Slow {
    fn new() -> Self {
        let poll = Poll::new().expect("a poll");
        let waker = Arc::new(Waker::new(poll.registry(), WAKER).expect("a waker"));
        let (begins, begun) = crossbeam_channel::unbounded();
        let (end, ends) = crossbeam_channel::unbounded();
        let look_up = move |host: &str| {
            // A test that is over listens no more.
            let _unheard = begins.send(host.to_owned());
            ends.recv().map_err(io::Error::other)
        };
        let resolver = Resolver::new(Arc::new(look_up), Arc::downgrade(&waker));
        Self { resolver, begun, end, poll, waker }
    }

    fn begins(&mut self, host: &str) {
        self.resolver.look_up(host).expect("a thread");
        assert_eq!(self.begun.recv_timeout(PATIENCE).as_deref(), Ok(host));
    }

    /// Waits to be woken, as the socket thread does.
    fn answer(&mut self) -> Answer {
        let mut events = Events::with_capacity(1);
        self.poll.poll(&mut events, Some(PATIENCE)).expect("it waits");
        assert!(!events.is_empty(), "nothing woke it");
        self.resolver.poll().expect("that is what it was woken for")
    }
}

#[test]
fn an_answer_wakes_the_socket_thread() {
    let mut it = Slow::new();
    it.begins("game.test");
    assert_eq!(it.resolver.poll(), None);
    let found: Vec<SocketAddr> = vec![([192, 0, 2, 1], 0).into()];
    it.end.send(found.clone()).expect("it waits");
    assert_eq!(it.answer(), ("game.test".into(), found));
    assert_eq!(it.resolver.poll(), None);
}

#[test]
fn a_name_is_looked_up_once_at_a_time() {
    let mut it = Slow::new();
    it.begins("game.test");
    for _ in 0..LOOK_UPS_MAX {
        it.resolver.look_up("game.test").expect("it is under way");
    }
    it.end.send(Vec::new()).expect("it waits");
    it.answer();
    assert_eq!(it.begun.try_recv().ok(), None);
    it.begins("game.test");
}

#[test]
fn four_look_ups_run_at_once_and_a_fifth_is_refused_until_one_ends() {
    let mut it = Slow::new();
    for host in ["a", "b", "c", "d"] {
        it.begins(host);
    }
    let refused = it.resolver.look_up("e").map_err(|error| error.kind());
    assert_eq!(refused, Err(ErrorKind::TimedOut));
    it.end.send(Vec::new()).expect("it waits");
    it.answer();
    it.begins("e");
}

#[test]
fn an_abandoned_look_up_holds_nothing_and_ends_by_itself() {
    let mut it = Slow::new();
    it.begins("game.test");
    let Slow { resolver, begun, end, poll, waker } = it;
    let held = Arc::downgrade(&waker);
    drop((resolver, poll, waker));
    assert_eq!(held.strong_count(), 0);
    end.send(Vec::new()).expect("it still waits");
    // The last of those that look up is gone, and with it what tells of new ones.
    let ended = begun.recv_timeout(PATIENCE);
    assert_eq!(ended, Err(crossbeam_channel::RecvTimeoutError::Disconnected));
}

#[test]
fn the_system_finds_this_machine_and_gives_no_port() {
    let found = system("localhost").expect("every machine has one");
    assert!(!found.is_empty());
    assert!(found.iter().all(|address| address.ip().is_loopback() && address.port() == 0));
    let found = system("127.0.0.1").expect("an address is its own");
    assert_eq!(found, [([127, 0, 0, 1], 0).into()]);
}
