//! What the link says and does, and when.

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::time::Duration;

use mp_netcode::{Grade, LocalTime};
use mp_protocol::datagram::ServerDatagram;
use mp_protocol::{ErrorReason, FrameReader, ServerPacket, Token, limits};

use super::{HOST, ME, OTHER, Scripted, Sent, secs, server};
use crate::api::{ConnectError, Destination, Event, LinkId, LostReason, PartyNews, PartyRequest};
use crate::link::{Link, Output};

/// The answer to a full-size BIND.
const ANSWER: ServerDatagram<'_> = ServerDatagram::BindAnswer { size: 1188 };

fn failed(events: &[Event]) -> Option<(&ConnectError, Duration)> {
    events.iter().find_map(|event| match event {
        Event::ConnectFailed { why, retry_in } => Some((why, *retry_in)),
        _ => None,
    })
}

fn lost(events: &[Event]) -> Option<&LostReason> {
    events.iter().find_map(|event| match event {
        Event::Lost { why } => Some(why),
        _ => None,
    })
}

/// B3.1
#[test]
fn hello_is_first_and_alone_until_it_is_answered() {
    let mut it = Scripted::connecting();
    assert!(it.outputs.contains(&Output::Connect(server())));
    assert_eq!(it.events(), [Event::Connecting { attempt: 1 }]);
    assert_eq!(it.frames, []);
    it.open();
    it.link.chat(it.now, "too early".into());
    it.link.party(it.now, PartyRequest::Find);
    it.pass(secs(9));
    assert_eq!(it.frames, [(LocalTime::ZERO, Sent::Hello("Ratchet".into()))]);
    it.says(&ServerPacket::Hello { session: ME });
    assert_eq!(it.events(), [Event::Connected { session: ME }]);
    assert_eq!(it.frames[1..], [(it.now, Sent::Time(9000))]);
}

/// B3.1
#[test]
fn time_is_asked_each_second_and_its_answer_is_the_quality() {
    let mut it = Scripted::greeted();
    it.forget();
    it.pass(Duration::from_millis(80));
    it.says(&ServerPacket::Time { echo_ms: 0, server_ms: 5000 });
    let [Event::Quality(quality)] = it.events()[..] else { panic!("one Quality") };
    assert_eq!(quality.round_trip, Duration::from_millis(80));
    assert_eq!(quality.server_offset_micros, 5_000_000 + 40_000 - 80_000);
    assert!(!quality.udp);
    // What answers nothing changes nothing: an answer twice, and one to what was never asked.
    it.says(&ServerPacket::Time { echo_ms: 0, server_ms: 9000 });
    assert_eq!(it.events(), []);
    it.pass(Duration::from_millis(1000));
    it.says(&ServerPacket::Time { echo_ms: 70, server_ms: 9000 });
    assert_eq!(it.events(), []);
    it.pass(secs(2));
    let asked: Vec<_> = it.frames.iter().map(|(at, _)| at.as_millis()).collect();
    assert_eq!(asked, [1000, 2000, 3000]);
    it.pass(Duration::from_millis(100));
    it.says(&ServerPacket::Time { echo_ms: 3000, server_ms: 8000 });
    let events = it.events();
    let qualities = events.iter().filter_map(|event| match event {
        Event::Quality(quality) => Some(quality),
        _ => None,
    });
    let [quality] = qualities.collect::<Vec<_>>()[..] else { panic!("one Quality") };
    // 180 ms, 100 more than the first, of which each counts 5 %.
    assert_eq!(quality.round_trip, Duration::from_millis(85));
    assert_eq!(quality.jitter, Duration::from_millis(5));
}

/// B3.2
#[test]
fn a_server_that_is_silent_is_interrupted_at_2_s_and_lost_at_10() {
    let mut it = Scripted::greeted();
    it.pass(Duration::from_millis(1999));
    it.events();
    it.pass(Duration::from_millis(1));
    assert_eq!(it.events(), [Event::Liveness(Grade::Interrupted)]);
    it.pass(secs(5));
    // Anything received counts, part of a frame too.
    it.says_bytes(&[0, 0]);
    assert_eq!(it.events(), [Event::Liveness(Grade::Live)]);
    it.pass(Duration::from_millis(9999));
    assert_eq!(it.events(), [Event::Liveness(Grade::Interrupted)]);
    it.pass(Duration::from_millis(1));
    assert!(it.outputs.contains(&Output::Close(Vec::new())));
    assert_eq!(lost(&it.events()), Some(&LostReason::Silent));
}

/// B3.2
#[test]
fn what_is_in_the_same_process_is_never_silent() {
    let mut it = Scripted::connecting();
    it.link.connect(it.now, LinkId(9), None, "Ratchet".into());
    it.reader = FrameReader::new();
    it.says(&ServerPacket::Hello { session: ME });
    it.forget();
    it.pass(secs(60));
    assert_eq!(it.events(), []);
}

/// B3.2
#[test]
fn a_datagram_keeps_the_link_alive_too() {
    let mut it = Scripted::greeted();
    it.offers_udp();
    it.forget();
    for _ in 0..8 {
        it.pass(Duration::from_millis(1900));
        it.says_by_datagram(&ANSWER);
    }
    assert_eq!(lost(&it.events()), None);
}

/// B3.1
#[test]
fn bind_goes_every_3_s_at_full_size_and_says_whether_it_was_heard() {
    let mut it = Scripted::greeted();
    it.offers_udp();
    assert!(it.outputs.contains(&Output::OpenUdp(Some(server()))));
    it.pass_with_time(Duration::from_millis(100));
    it.says_by_datagram(&ANSWER);
    it.pass_with_time(secs(19));
    let sent: Vec<_> =
        it.datagrams.iter().map(|(at, sent)| (at.as_millis(), sent.clone())).collect();
    let bind = |heard| Sent::Bind { heard, size: 1200 };
    let mut wanted = vec![(0, bind(false))];
    // Heard at 0.1 s: until 15.1 s.
    wanted.extend([3000, 6000, 9000, 12_000, 15_000].map(|at| (at, bind(true))));
    wanted.push((18_000, bind(false)));
    assert_eq!(sent, wanted);
}

/// B3.1
#[test]
fn state_goes_both_ways_until_a_datagram_comes_and_again_15_s_after_the_last() {
    let mut it = Scripted::in_party(HOST, &[HOST, ME]);
    let mut send = {
        let mut key = 0;
        move |it: &mut Scripted| {
            it.pass_with_time(Duration::from_millis(1));
            it.data();
            it.state();
            key += 1;
            it.link.state(it.now, None, key, vec![7, 1]);
            it.settle();
            (it.data().len(), it.state().len())
        }
    };
    assert_eq!(send(&mut it), (1, 0), "no UDP was offered");
    it.offers_udp();
    assert_eq!(send(&mut it), (1, 1));
    it.says_by_datagram(&ServerDatagram::State { sender: HOST, bytes: &[7, 2] });
    let came = it.now;
    assert_eq!(send(&mut it), (0, 1));
    it.pass_with_time((came + secs(15)).since(it.now) - Duration::from_millis(2));
    assert_eq!(send(&mut it), (0, 1));
    assert_eq!(send(&mut it), (1, 1), "15 s after the last");
    // An older server's answer is one byte; it counts.
    it.says_by_datagram(&ServerDatagram::BindAnswer { size: 1 });
    assert_eq!(send(&mut it), (0, 1));
    let changes: Vec<_> = it
        .events()
        .iter()
        .filter_map(|event| match event {
            Event::Quality(quality) => Some(quality.udp),
            _ => None,
        })
        .collect();
    assert!(changes.windows(3).any(|three| three == [true, false, true]), "{changes:?}");
}

#[test]
fn state_too_large_for_a_datagram_goes_as_data_alone() {
    let mut it = Scripted::in_party(HOST, &[HOST, ME]);
    it.offers_udp();
    it.says_by_datagram(&ANSWER);
    it.link.state(it.now, None, 1, vec![7; limits::STATE_MAX]);
    it.link.state(it.now, None, 2, vec![9; limits::STATE_MAX + 1]);
    it.settle();
    assert_eq!(it.state(), [(0, vec![7; limits::STATE_MAX])]);
    assert_eq!(it.data(), [(0, vec![9; limits::STATE_MAX + 1])]);
}

#[test]
fn poses_that_come_neither_way_are_loss() {
    let mut it = Scripted::in_party(HOST, &[HOST, OTHER, ME]);
    it.offers_udp();
    let loss = |it: &mut Scripted| {
        it.forget();
        it.pass_with_time(secs(1));
        it.events().iter().rev().find_map(|event| match event {
            Event::Quality(quality) => Some(quality.loss),
            _ => None,
        })
    };
    assert_eq!(loss(&mut it), Some(0.0));
    for sequence in 0..8 {
        for owner in [HOST, OTHER] {
            let pose = [&[7][..], &owner.0.to_be_bytes(), &[0, sequence]].concat();
            match sequence {
                2 if owner == OTHER => {}
                5 => it.says(&ServerPacket::Data { sender: HOST, bytes: &pose }),
                _ => it.says_by_datagram(&ServerDatagram::State { sender: HOST, bytes: &pose }),
            }
        }
    }
    assert_eq!(loss(&mut it), Some(1.0 / 16.0));
    it.says(&ServerPacket::Left { id: OTHER });
    assert_eq!(loss(&mut it), Some(0.0));
}

#[test]
fn what_is_not_a_servers_datagram_is_as_if_it_had_not_come() {
    let mut it = Scripted::in_party(HOST, &[HOST, ME]);
    it.offers_udp();
    it.forget();
    it.link.datagram(it.now, &[]);
    it.link.datagram(it.now, &[9, 9]);
    it.link.datagram(it.now, &[0; 1201]);
    it.link.datagram(it.now, &[1, 0, 0, 0, 0]);
    it.settle();
    assert_eq!(it.events(), []);
    it.link.state(it.now, None, 1, vec![7]);
    it.settle();
    assert_eq!((it.data().len(), it.state().len()), (1, 1));
}

/// B2.9
#[test]
fn attempts_back_off_to_30_s_and_begin_anew_after_a_good_link() {
    let mut it = Scripted::connecting();
    let mut waits = Vec::new();
    for attempt in 1..=9 {
        assert!(it.outputs.contains(&Output::Connect(server())));
        assert!(it.events().contains(&Event::Connecting { attempt }));
        it.link.failed(it.now, ConnectError::Refused);
        it.settle();
        let events = it.events();
        let (why, retry_in) = failed(&events).expect("it failed");
        assert_eq!(why, &ConnectError::Refused);
        waits.push(retry_in);
        it.pass(retry_in - Duration::from_micros(1));
        assert_eq!(it.outputs, []);
        it.pass(Duration::from_micros(1));
    }
    for (index, wait) in waits.iter().enumerate() {
        let least = secs([1, 2, 4, 8, 15, 15, 15, 15, 15][index]);
        assert!((least..=least * 2).contains(wait), "wait {index}: {wait:?}");
    }
    it.open();
    it.says(&ServerPacket::Hello { session: ME });
    it.pass_with_time(secs(11));
    it.link.closed(it.now, None);
    it.settle();
    it.forget();
    it.pass(secs(2));
    assert!(it.events().contains(&Event::Connecting { attempt: 1 }));
}

/// So that those whom a server's end threw out together do not come back together.
#[test]
fn no_two_links_wait_for_the_same_time() {
    let waits = (0..20).map(|seed| {
        let mut it = Scripted { link: Link::new(seed), ..Scripted::connecting() };
        it.link.connect(it.now, LinkId(9), Some(server().into()), "Ratchet".into());
        it.settle();
        it.link.failed(it.now, ConnectError::Refused);
        it.settle();
        failed(&it.events()).expect("it failed").1
    });
    let waits: BTreeSet<_> = waits.collect();
    assert_eq!(waits.len(), 20, "{waits:?}");
}

#[test]
fn datagrams_go_to_the_address_that_reached_and_the_port_that_udp_names() {
    for (port, to) in [(0, 7770), (9000, 9000)] {
        let mut it = Scripted::greeted();
        it.says(&ServerPacket::Udp { token: Token::from_bits(77), port });
        let to = SocketAddr::from(([127, 0, 0, 1], to));
        assert!(it.outputs.contains(&Output::OpenUdp(Some(to))), "{:?}", it.outputs);
    }
}

#[test]
fn connecting_takes_5_s_and_hello_10_at_most() {
    let mut it = Scripted::connecting();
    it.pass(secs(5));
    assert!(it.outputs.contains(&Output::Close(Vec::new())));
    assert_eq!(failed(&it.events()).map(|(why, _)| why), Some(&ConnectError::TimedOut));

    let mut it = Scripted::opened();
    it.pass(Duration::from_millis(9999));
    assert_eq!(failed(&it.events()), None);
    it.pass(Duration::from_millis(1));
    assert!(it.outputs.contains(&Output::Close(Vec::new())));
    assert_eq!(failed(&it.events()).map(|(why, _)| why), Some(&ConnectError::TimedOut));
}

#[test]
fn one_turned_away_hears_why() {
    let mut it = Scripted::opened();
    it.says(&ServerPacket::Error(ErrorReason::BadName));
    it.link.closed(it.now, None);
    it.settle();
    let why = ConnectError::Rejected(ErrorReason::BadName);
    assert_eq!(failed(&it.events()).map(|(why, _)| why), Some(&why));
}

#[test]
fn what_a_server_may_not_say_ends_the_link_with_a_reason() {
    let malformed: [&[u8]; 5] = [
        &[0, 0, 0, 0],
        &[0, 1, 0, 1, 0],
        &[0, 0, 0, 1, 99],
        &[0, 0, 0, 2, 4, 200],
        // A second HELLO.
        &[0, 0, 0, 5, 0, 0, 0, 0, 9],
    ];
    for bytes in malformed {
        let mut it = Scripted::in_party(HOST, &[HOST, ME]);
        it.says_bytes(bytes);
        assert_eq!(it.outputs[0], Output::Close(Vec::new()), "{bytes:?}");
        let events = it.events();
        assert!(matches!(lost(&events), Some(LostReason::Protocol(_))), "{bytes:?}: {events:?}");
    }
    for bytes in [malformed[0], &[0, 0, 0, 2, 1, 6]] {
        let mut it = Scripted::opened();
        it.says_bytes(bytes);
        let events = it.events();
        let why = failed(&events).map(|(why, _)| why);
        assert!(matches!(why, Some(ConnectError::Protocol(_))), "{bytes:?}: {events:?}");
    }
}

/// protocol.md 1: in INFO, and in a row of LIST.
#[test]
fn a_description_of_257_bytes_ends_the_link_with_a_reason_and_one_of_256_does_not() {
    let info =
        [&[1, 3][..], b"\0\x06ABCDEF", &[0, 0, 0, 9], &[1, 0, 0, 0, 9], b"\0\x03Bob"].concat();
    let list = [&[1, 8, 0, 1][..], b"\0\x06ABCDEF", b"\0\x03Bob", &[1, 4]].concat();
    for before in [info, list] {
        for length in [256_u16, 257] {
            let description = vec![b'x'; length.into()];
            let body = [&before[..], &length.to_be_bytes(), &description].concat();
            let size = u32::try_from(body.len()).expect("small").to_be_bytes();
            let mut it = Scripted::greeted();
            it.events();
            it.says_bytes(&[&size[..], &body].concat());
            let events = it.events();
            match lost(&events) {
                None => {
                    assert!(length == 256 && matches!(events[..], [Event::Party(_)]), "{events:?}")
                }
                Some(LostReason::Protocol(why)) => {
                    assert!(length == 257 && why.contains("257"), "{why}")
                }
                Some(why) => panic!("{length}: {why}"),
            }
        }
    }
}

#[test]
fn what_came_before_what_is_malformed_counts() {
    let mut it = Scripted::in_party(HOST, &[HOST, ME]);
    it.says_bytes(&[0, 0, 0, 6, 3, 0, 0, 0, 1, 42, 0, 0, 0, 0]);
    let events = it.events();
    let came = Event::Data { sender: HOST, bytes: vec![42].into(), at: it.now, udp: false };
    assert_eq!(events[0], came);
    assert!(matches!(lost(&events), Some(LostReason::Protocol(_))));
}

#[test]
fn closing_says_leave_after_what_was_queued_and_nothing_is_reported() {
    let mut it = Scripted::in_party(HOST, &[HOST, ME]);
    for index in 0..200 {
        it.link.event(it.now, None, vec![index]);
    }
    it.link.close();
    it.settle();
    assert_eq!(it.frames.last().map(|(_, sent)| sent), Some(&Sent::Leave));
    let data = it.data();
    assert_eq!(data.len(), 200);
    assert!(data.iter().zip(0..).all(|((_, bytes), index)| *bytes == [index]));
    assert_eq!(it.events(), []);
    it.pass(secs(100));
    assert_eq!(it.outputs, []);
    assert_eq!(it.link.poll_timeout(it.now), None);
}

#[test]
fn what_was_still_to_be_reported_is_not_once_it_is_closed() {
    let mut it = Scripted::in_party(HOST, &[HOST, ME]);
    it.link.received(it.now, &[0, 0, 0, 6, 3, 0, 0, 0, 1, 42]);
    it.link.close();
    it.settle();
    assert_eq!(it.events(), []);
}

/// B3.5
#[test]
fn closing_answers_at_once_in_every_state() {
    let waiting = || {
        let mut it = Scripted::connecting();
        it.link.failed(it.now, ConnectError::Refused);
        it.settle();
        it
    };
    let named = Destination::Name { host: "game.test".into(), port: 7770 };
    let states: [(&str, Scripted, bool); 6] = [
        ("waiting", waiting(), false),
        ("looking up", Scripted::connecting_to(named), false),
        ("connecting", Scripted::connecting(), true),
        ("opened", Scripted::opened(), true),
        ("greeted", Scripted::greeted(), true),
        ("in a party", Scripted::in_party(HOST, &[HOST, ME]), true),
    ];
    for (state, mut it, has_sockets) in states {
        it.forget();
        it.link.close();
        it.settle();
        let closes = it.outputs.iter().filter(|output| matches!(output, Output::Close(_)));
        assert_eq!(closes.count(), usize::from(has_sockets), "{state}");
        assert_eq!(it.frames.iter().any(|(_, sent)| *sent == Sent::Leave), state == "in a party");
        assert_eq!(it.link.poll_timeout(it.now), None, "{state}");
        assert_eq!(it.events(), [], "{state}");
    }
}

#[test]
fn a_party_that_is_over_gets_nothing_more() {
    let mut it = Scripted::in_party(ME, &[ME, OTHER]);
    for _ in 0..600 {
        it.link.event(it.now, Some(OTHER), vec![1]);
    }
    it.settle();
    assert_eq!(it.data().len(), 500);
    it.says(&ServerPacket::End);
    assert_eq!(it.events(), [Event::Party(PartyNews::End)]);
    it.link.event(it.now, None, vec![2]);
    it.link.state(it.now, None, 1, vec![7]);
    it.link.chat(it.now, "anyone?".into());
    it.pass_with_time(secs(3));
    assert!(it.frames.iter().all(|(_, sent)| matches!(sent, Sent::Time(_))), "{:?}", it.frames);
    assert_eq!(it.link.held_back(), 0);
}

#[test]
fn requests_keep_their_place_among_events() {
    let mut it = Scripted::in_party(HOST, &[HOST, ME]);
    for index in 0..130 {
        it.link.event(it.now, None, vec![index]);
    }
    it.link.party(it.now, PartyRequest::Leave);
    it.link.party(it.now, PartyRequest::Join { code: "ABCDEF".into() });
    it.pass_with_time(secs(2));
    let order: Vec<_> = it.frames.iter().map(|(_, sent)| sent).collect();
    let (leave, join) = (Sent::Leave, Sent::Join("ABCDEF".into()));
    let place = |wanted: &Sent| order.iter().position(|sent| *sent == wanted).expect("was sent");
    let last = Sent::Data { target: 0, bytes: vec![129] };
    assert!(place(&last) < place(&leave) && place(&leave) < place(&join));
}
