//! A client keeps itself under the limits, and drops nothing that must arrive (protocol.md 1).

use std::collections::BTreeMap;
use std::time::Duration;

use mp_netcode::LocalTime;

use super::{HOST, ME, OTHER, Scripted, Sent, assert_at_most_a_second, secs};
use crate::api::PartyRequest;
use crate::command::QUEUED_COST;
use mp_protocol::{ServerPacket, SessionId};

const THIRD: SessionId = SessionId(3);

fn data(it: &Scripted) -> impl Iterator<Item = (LocalTime, i32, &[u8])> {
    it.frames.iter().filter_map(|(at, sent)| match sent {
        Sent::Data { target, bytes } => Some((*at, *target, bytes.as_slice())),
        _ => None,
    })
}

#[test]
fn all_events_go_in_order_at_120_a_second_from_a_member_and_500_from_a_host() {
    for (host, limit) in [(HOST, 120), (ME, 500)] {
        let mut it = Scripted::in_party(host, &[host, ME, OTHER]);
        let count = 3000_u32;
        for index in 0..count {
            it.link.event(it.now, None, index.to_be_bytes().to_vec());
        }
        it.settle();
        it.pass_with_time(secs(count as u64 / limit as u64 + 1));
        let sent: Vec<_> = data(&it).collect();
        assert!(
            sent.iter().zip(0..).all(|((_, _, bytes), index)| *bytes == u32::to_be_bytes(index))
        );
        assert_eq!(sent.len(), count as usize);
        let moments: Vec<_> = sent.iter().map(|(at, _, _)| *at).collect();
        assert_at_most_a_second(&moments, limit);
        assert_eq!(it.link.held_back(), 0);
    }
}

#[test]
fn a_receiver_gets_512_kib_a_second_and_others_do_not_wait_for_it() {
    let mut it = Scripted::in_party(ME, &[ME, OTHER, THIRD]);
    for _ in 0..60 {
        it.link.event(it.now, Some(OTHER), vec![5; 16_000]);
    }
    it.link.event(it.now, Some(THIRD), vec![1]);
    it.link.event(it.now, None, vec![2]);
    it.link.event(it.now, Some(THIRD), vec![3]);
    it.settle();
    let to_third: Vec<_> = data(&it).filter(|(_, target, _)| *target != OTHER.0).collect();
    assert_eq!(to_third, [(it.now, THIRD.0, &[1][..])], "but none passes what goes to all");
    it.pass_with_time(secs(3));

    let mut seconds = BTreeMap::new();
    for (at, _, bytes) in data(&it).filter(|(_, target, _)| *target != THIRD.0) {
        *seconds.entry(at).or_insert(0) += bytes.len();
    }
    for start in seconds.keys() {
        let within: usize = seconds.range(*start..*start + secs(1)).map(|(_, bytes)| bytes).sum();
        assert!(within <= 524_288, "{within} in the second from {start:?}");
    }
    let order: Vec<_> =
        data(&it).map(|(_, target, _)| target).filter(|id| *id != OTHER.0).collect();
    assert_eq!(order, [THIRD.0, 0, THIRD.0]);
    assert_eq!(data(&it).count(), 63);
}

#[test]
fn chat_and_requests_go_twice_a_second_and_a_list_that_waits_is_asked_once() {
    let mut it = Scripted::in_party(HOST, &[HOST, ME]);
    for index in 0..6 {
        it.link.chat(it.now, format!("line {index}"));
        it.link.party(it.now, PartyRequest::List);
    }
    it.link.party(it.now, PartyRequest::Join { code: "A".into() });
    it.settle();
    it.pass_with_time(secs(4));
    let moments = |wanted: fn(&Sent) -> bool| {
        let sent = it.frames.iter().filter(move |(_, sent)| wanted(sent));
        sent.map(|(at, _)| *at).collect::<Vec<_>>()
    };
    let chats = moments(|sent| matches!(sent, Sent::Chat(_)));
    assert_eq!(chats.len(), 6);
    assert_eq!(it.link.held_back(), 0);
    assert_at_most_a_second(&chats, 2);
    let requests = moments(|sent| matches!(sent, Sent::List | Sent::Join(_)));
    assert_at_most_a_second(&requests, 2);
    assert_eq!(moments(|sent| matches!(sent, Sent::List)).len(), 3);
    let lines = it.frames.iter().filter_map(|(_, sent)| match sent {
        Sent::Chat(text) => Some(text.as_str()),
        _ => None,
    });
    assert!(lines.eq((0..6).map(|index| format!("line {index}")).collect::<Vec<_>>()));
}

#[test]
fn joins_and_finds_go_twice_a_second_too() {
    let mut it = Scripted::greeted();
    for _ in 0..4 {
        it.link.party(it.now, PartyRequest::Join { code: "A".into() });
        it.link.party(it.now, PartyRequest::Find);
    }
    it.settle();
    it.pass_with_time(secs(5));
    let asked = it.frames.iter().filter(|(_, sent)| matches!(sent, Sent::Join(_) | Sent::Find));
    let moments: Vec<_> = asked.map(|(at, _)| *at).collect();
    assert_eq!(moments.len(), 8);
    assert_at_most_a_second(&moments, 2);
}

#[test]
fn state_waits_where_the_newest_takes_its_place_while_a_socket_is_slow() {
    let mut it = Scripted::in_party(HOST, &[HOST, ME]);
    for key in 0..40 {
        it.link.state(it.now, None, key, vec![0; 1_000]);
    }
    it.link.advance(it.now);
    // Nothing was written meanwhile.
    assert!(it.link.outgoing().len() < (16 << 10) + 1_009, "{}", it.link.outgoing().len());
}

#[test]
fn of_the_state_that_waits_the_newest_of_each_key_goes() {
    let mut it = Scripted::in_party(HOST, &[HOST, ME]);
    for _ in 0..120 {
        it.link.event(it.now, None, vec![1]);
    }
    it.settle();
    it.forget();
    for round in 0..5 {
        for key in [30, 10, 20] {
            it.link.state(it.now, None, key, vec![7, u8::try_from(key).expect("small"), round]);
        }
    }
    it.settle();
    assert_eq!(it.data(), []);
    assert_eq!(it.link.held_back(), 3 * (3 + QUEUED_COST));
    it.pass_with_time(secs(1));
    // In the order the keys came.
    assert_eq!(it.data(), [(0, vec![7, 30, 4]), (0, vec![7, 10, 4]), (0, vec![7, 20, 4])]);
}

#[test]
fn what_carries_nothing_still_costs_while_it_waits() {
    let mut it = Scripted::in_party(HOST, &[HOST, ME]);
    for _ in 0..400 {
        it.link.event(it.now, None, Vec::new());
    }
    it.settle();
    assert_eq!(it.link.held_back(), 280 * QUEUED_COST, "the others are on their way");
    for key in 0..100 {
        it.link.state(it.now, None, key, Vec::new());
        it.link.party(it.now, PartyRequest::Find);
        it.link.party(it.now, PartyRequest::List);
    }
    it.settle();
    assert_eq!(it.link.held_back(), 480 * QUEUED_COST, "LISTs that wait are one");
    it.says(&ServerPacket::End);
    assert_eq!(it.link.held_back(), 100 * QUEUED_COST, "a request is no part of the party");
    it.pass_with_time(secs(60));
    assert_eq!(it.link.held_back(), 0);
}

#[test]
fn datagrams_stay_under_the_servers_limit_and_the_newest_state_still_goes() {
    let mut it = Scripted::in_party(HOST, &[HOST, ME]);
    it.offers_udp();
    for round in 0..400_u16 {
        for key in 0..5 {
            it.link.state(it.now, None, key, round.to_be_bytes().to_vec());
        }
        it.settle();
        it.pass(Duration::from_millis(5));
    }
    let moments: Vec<_> = it.datagrams.iter().map(|(at, _)| *at).collect();
    // BIND comes on top of the 250.
    assert_at_most_a_second(&moments, 251);
    it.pass_with_time(secs(1));
    let state = it.state();
    assert!(state.iter().any(|(_, bytes)| *bytes == 399_u16.to_be_bytes()));
}

#[test]
fn without_udp_neither_state_nor_events_starve() {
    let mut it = Scripted::in_party(HOST, &[HOST, ME]);
    for index in 0..1000_u32 {
        it.link.event(it.now, None, vec![1, 2, 3]);
        it.link.state(it.now, None, index, vec![7]);
    }
    it.settle();
    it.pass_with_time(secs(3));
    let events = data(&it).filter(|(_, _, bytes)| bytes.len() == 3).count();
    let state = data(&it).filter(|(_, _, bytes)| bytes.len() == 1).count();
    assert!(events.abs_diff(state) <= 1, "{events} events, {state} states");
    let moments: Vec<_> = data(&it).map(|(at, _, _)| at).collect();
    assert_at_most_a_second(&moments, 120);
}

#[test]
fn what_a_slow_socket_does_not_take_waits_where_it_is_counted() {
    let mut it = Scripted::in_party(HOST, &[HOST, ME]);
    for _ in 0..40 {
        it.link.event(it.now, None, vec![0; 10_000]);
        it.link.advance(it.now);
    }
    // Nothing was written meanwhile.
    assert!(it.link.outgoing().len() < (64 << 10) + 10_009, "{}", it.link.outgoing().len());
    assert!(it.link.held_back() >= 400_000);
    it.settle();
    it.pass_with_time(secs(2));
    assert_eq!(data(&it).count(), 40);
}
