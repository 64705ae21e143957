//! Which address of a name is linked to, and when it is given up.

use std::net::SocketAddr;
use std::time::Duration;

use mp_protocol::ServerPacket;

use super::{ME, Scripted, Sent, secs};
use crate::api::{ConnectError, Destination, Event};
use crate::link::Output;

const PORT: u16 = 7001;

fn named() -> Destination {
    Destination::Name { host: "game.test".into(), port: PORT }
}

/// Addresses as a look-up gives them: without a port.
fn v4(last: u8) -> SocketAddr {
    ([192, 0, 2, last], 0).into()
}

fn v6(last: u16) -> SocketAddr {
    ([0x2001, 0xdb8, 0, 0, 0, 0, 0, last], 0).into()
}

fn at_port(mut address: SocketAddr) -> SocketAddr {
    address.set_port(PORT);
    address
}

/// Told to connect to a name, which was found at these addresses.
fn found(addresses: &[SocketAddr]) -> Scripted {
    let mut it = Scripted::connecting_to(named());
    it.forget();
    it.link.looked_up(it.now, "game.test", addresses.to_vec());
    it.settle();
    it
}

/// The addresses begun with since last asked.
fn begun(it: &mut Scripted) -> Vec<SocketAddr> {
    let mut begun = Vec::new();
    it.outputs.retain(|output| match output {
        Output::Connect(to) => {
            begun.push(*to);
            false
        }
        _ => true,
    });
    begun
}

fn failure(it: &mut Scripted) -> Option<ConnectError> {
    it.events().into_iter().find_map(|event| match event {
        Event::ConnectFailed { why, .. } => Some(why),
        _ => None,
    })
}

fn fails(it: &mut Scripted, why: ConnectError) {
    it.link.failed(it.now, why);
    it.settle();
}

#[test]
fn a_name_is_looked_up_before_anything_is_connected_to() {
    let mut it = Scripted::connecting_to(named());
    it.pass(secs(9));
    assert_eq!(begun(&mut it), []);
    assert!(it.outputs.contains(&Output::LookUp("game.test".into())));
    assert_eq!(it.events(), [Event::Connecting { attempt: 1 }]);
    it.link.looked_up(it.now, "game.test", vec![v4(1)]);
    it.settle();
    assert_eq!(begun(&mut it), [at_port(v4(1))]);
}

#[test]
fn families_take_turns_a_quarter_of_a_second_apart() {
    let mut it = found(&[v6(1), v6(2), v6(3), v4(1), v4(2)]);
    let mut order = begun(&mut it);
    assert_eq!(order, [at_port(v6(1))]);
    for _ in 0..4 {
        it.pass(Duration::from_millis(249));
        assert_eq!(begun(&mut it), []);
        it.pass(Duration::from_millis(1));
        order.extend(begun(&mut it));
    }
    assert_eq!(order, [v6(1), v4(1), v6(2), v4(2), v6(3)].map(at_port));
    it.pass(Duration::from_millis(4999));
    assert_eq!((begun(&mut it), failure(&mut it)), (vec![], None));
}

#[test]
fn an_attempt_that_fails_waits_for_no_quarter_second() {
    let mut it = found(&[v6(1), v4(1), v6(2)]);
    it.pass(Duration::from_millis(10));
    fails(&mut it, ConnectError::Unreachable);
    assert_eq!(begun(&mut it), [v6(1), v4(1)].map(at_port));
    assert_eq!(failure(&mut it), None, "one still runs");
    // And the next has its head start again.
    it.pass(Duration::from_millis(249));
    assert_eq!(begun(&mut it), []);
    it.pass(Duration::from_millis(1));
    assert_eq!(begun(&mut it), [at_port(v6(2))]);
}

#[test]
fn the_first_to_connect_is_the_link_and_no_more_attempts_begin() {
    let mut it = found(&[v6(1), v4(1), v6(2)]);
    it.pass(Duration::from_millis(300));
    assert_eq!(begun(&mut it).len(), 2);
    it.link.opened(it.now, at_port(v4(1)));
    it.settle();
    assert_eq!(it.frames.last().map(|(_, sent)| sent), Some(&Sent::Hello("Ratchet".into())));
    it.says(&ServerPacket::Hello { session: ME });
    it.offers_udp();
    it.pass_with_time(secs(20));
    assert_eq!(begun(&mut it), []);
    assert!(it.outputs.contains(&Output::OpenUdp(Some(at_port(v4(1))))), "where TCP reached");
}

#[test]
fn when_all_fail_the_most_telling_reason_is_said_and_the_name_looked_up_anew() {
    let mut it = found(&[v6(1), v4(1), v6(2)]);
    fails(&mut it, ConnectError::Unreachable);
    fails(&mut it, ConnectError::Refused);
    assert_eq!(failure(&mut it), None);
    fails(&mut it, ConnectError::Unreachable);
    assert_eq!(failure(&mut it), Some(ConnectError::Refused));
    it.forget();
    it.pass(secs(2));
    assert!(it.outputs.contains(&Output::LookUp("game.test".into())));
    assert_eq!(it.events(), [Event::Connecting { attempt: 2 }]);

    let mut it = found(&[v6(1)]);
    fails(&mut it, ConnectError::Unreachable);
    assert_eq!(failure(&mut it), Some(ConnectError::Unreachable));
}

#[test]
fn attempts_that_nobody_answers_are_given_up_5_s_after_the_last_began() {
    let mut it = found(&[v6(1), v4(1)]);
    it.pass(Duration::from_millis(5249));
    assert_eq!(failure(&mut it), None);
    it.forget();
    it.pass(Duration::from_millis(1));
    assert_eq!(it.outputs[0], Output::Close(Vec::new()));
    assert_eq!(failure(&mut it), Some(ConnectError::TimedOut));

    // One that failed because this machine has no way there does not tell why the others did.
    let mut it = found(&[v6(1), v4(1)]);
    fails(&mut it, ConnectError::Unreachable);
    it.pass(secs(5));
    assert_eq!(failure(&mut it), Some(ConnectError::TimedOut));
}

#[test]
fn a_name_without_an_address_is_not_found_and_tried_again_ever_later() {
    let mut it = found(&[]);
    let mut waits = Vec::new();
    for _ in 0..6 {
        let events = it.events();
        let wait = events.iter().find_map(|event| match event {
            Event::ConnectFailed { why: ConnectError::NotFound, retry_in } => Some(*retry_in),
            _ => None,
        });
        let wait = wait.unwrap_or_else(|| panic!("{events:?}"));
        waits.push(wait);
        it.pass(wait);
        it.link.looked_up(it.now, "game.test", Vec::new());
        it.settle();
    }
    for (wait, least) in waits.iter().zip([1, 2, 4, 8, 15, 15].map(secs)) {
        assert!((least..=least * 2).contains(wait), "{waits:?}");
    }
}

#[test]
fn a_look_up_is_waited_for_10_s_and_its_late_answer_is_nothing() {
    let mut it = Scripted::connecting_to(named());
    it.pass(Duration::from_millis(9999));
    assert_eq!(failure(&mut it), None);
    it.pass(Duration::from_millis(1));
    assert_eq!(failure(&mut it), Some(ConnectError::TimedOut));
    it.link.looked_up(it.now, "game.test", vec![v4(1)]);
    it.settle();
    assert_eq!(it.outputs, []);
    // The next attempt takes it: it asked for the same.
    it.pass(secs(2));
    it.link.looked_up(it.now, "game.test", vec![v4(1)]);
    it.settle();
    assert_eq!(begun(&mut it), [at_port(v4(1))]);
}

#[test]
fn the_answer_to_what_another_link_asked_is_nothing() {
    let mut it = Scripted::connecting_to(named());
    it.forget();
    it.link.looked_up(it.now, "other.test", vec![v4(1)]);
    it.settle();
    assert_eq!(it.outputs, []);
    it.link.close();
    it.link.looked_up(it.now, "game.test", vec![v4(1)]);
    it.settle();
    assert_eq!(it.outputs, []);
    assert_eq!(it.link.poll_timeout(it.now), None);
}

#[test]
fn a_look_up_that_cannot_begin_is_a_failed_attempt() {
    let mut it = Scripted::connecting_to(named());
    it.forget();
    fails(&mut it, ConnectError::TimedOut);
    assert_eq!(failure(&mut it), Some(ConnectError::TimedOut));
}

#[test]
fn of_a_names_addresses_eight_are_tried_each_once() {
    let mut addresses = vec![v4(1), v4(1)];
    addresses.extend((1..=200).map(v4));
    addresses.extend((1..=2).map(v6));
    let mut it = found(&addresses);
    it.pass(secs(3));
    let order = [v4(1), v6(1), v6(2), v4(2), v4(3), v4(4), v4(5), v4(6)];
    assert_eq!(begun(&mut it), order.map(at_port));
}
