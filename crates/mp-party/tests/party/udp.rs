//! Datagrams: who may speak, where they are bound, how state travels (protocol.md 2).

use std::net::SocketAddr;
use std::time::Duration;

use mp_party::{DropReason, LocalAddress, Strike};
use mp_protocol::datagram::{ClientDatagramKind, ServerDatagram};
use mp_protocol::{ServerPacket, SessionId, Token};

use crate::world::{OUR_SOCKET, Sent, Who, World, datagram, server, udp_address};

const STATE: ClientDatagramKind<'_> = ClientDatagramKind::State { target: 0, bytes: &[1, 2] };
const BIND: ClientDatagramKind<'_> = ClientDatagramKind::Bind { heard: true, size: 1_200 };

fn elsewhere() -> SocketAddr {
    "203.0.113.9:99".parse().expect("an address")
}

/// What the router sends for `state` from `sender`.
fn state_from(world: &World, sender: Who, to: SocketAddr) -> Sent {
    let sender = world.clients[sender].session;
    let mut bytes = Vec::new();
    let state = ServerDatagram::State { sender, bytes: &[1, 2] };
    state.encode(&mut bytes).expect("a valid datagram");
    Sent { to, from: OUR_SOCKET, bytes }
}

fn no_growth_of_strikes(world: &World) {
    for limit in Strike::ALL {
        assert_eq!(world.router.counters().strikes(limit), 0);
    }
}

#[test]
fn bind_is_answered_with_as_many_zeros_as_it_had_from_its_kind_on() {
    let mut world = server();
    let who = world.greet("Nova_7");
    for size in [13, 14, 600, 1_200] {
        world.send_datagram(who, ClientDatagramKind::Bind { heard: true, size });
        let answer = Sent { to: udp_address(who), from: OUR_SOCKET, bytes: vec![0; size - 12] };
        assert_eq!(std::mem::take(&mut world.datagrams), [answer]);
    }
}

#[test]
fn an_answer_leaves_from_the_address_it_was_asked_at_and_so_does_state() {
    let mut world = server();
    let party = world.party(2);
    let asked = LocalAddress { socket: 3, ip: Some("2001:db8::5".parse().expect("an address")) };
    let host = &world.clients[party[0]];
    let bytes = datagram(host.session, host.token, BIND);
    world.router.datagram(world.now, elsewhere(), asked, &bytes);
    world.send_datagram(party[1], STATE);
    let sent = std::mem::take(&mut world.datagrams);
    assert_eq!(sent.len(), 2);
    for datagram in sent {
        assert_eq!((datagram.to, datagram.from), (elsewhere(), asked));
    }
}

#[test]
fn state_goes_by_datagram_to_one_who_is_bound_and_hears_and_as_data_to_others() {
    let mut world = server();
    let party = world.party(4);
    let (host, bound, deaf, unbound) = (party[0], party[1], party[2], party[3]);
    world.bind(bound, true);
    world.bind(deaf, false);
    world.send_datagram(host, STATE);
    assert_eq!(world.datagrams, [state_from(&world, host, udp_address(bound))]);
    let sender = world.clients[host].session;
    world.expect_nothing(bound);
    for who in [deaf, unbound] {
        world.expect(who, &[ServerPacket::Data { sender, bytes: &[1, 2] }]);
    }
}

#[test]
fn a_member_sends_state_to_the_host_alone_and_the_host_to_whom_it_names() {
    let mut world = server();
    let party = world.party(3);
    for &who in &party {
        world.bind(who, true);
    }
    let target = world.clients[party[2]].session.0;
    let state = ClientDatagramKind::State { target, bytes: &[1, 2] };
    world.send_datagram(party[1], state);
    assert_eq!(world.datagrams, [state_from(&world, party[1], udp_address(party[0]))]);
    world.datagrams.clear();
    world.send_datagram(party[0], state);
    assert_eq!(world.datagrams, [state_from(&world, party[0], udp_address(party[2]))]);
    world.datagrams.clear();
    world.send_datagram(party[0], STATE);
    let to: Vec<_> = world.datagrams.iter().map(|sent| sent.to).collect();
    assert_eq!(to, [udp_address(party[1]), udp_address(party[2])]);
}

#[test]
fn state_is_data_again_once_the_newest_bind_is_15_seconds_old() {
    let mut world = server();
    let party = world.party(2);
    world.bind(party[0], true);
    world.pass_alive(Duration::from_micros(14_999_999), &party);
    world.send_datagram(party[1], STATE);
    assert_eq!(world.datagrams.len(), 1);
    world.expect_nothing(party[0]);
    world.pass(Duration::from_micros(1));
    world.send_datagram(party[1], STATE);
    assert_eq!(world.datagrams.len(), 1);
    let sender = world.clients[party[1]].session;
    world.expect(party[0], &[ServerPacket::Data { sender, bytes: &[1, 2] }]);
}

#[test]
fn the_newest_valid_bind_binds() {
    let mut world = server();
    let party = world.party(2);
    world.bind(party[0], true);
    let host = &world.clients[party[0]];
    let again = datagram(host.session, host.token, BIND);
    // A NAT gave the host another port; the next BIND heals it.
    world.datagram_from(elsewhere(), &again);
    world.datagrams.clear();
    world.send_datagram(party[1], STATE);
    assert_eq!(world.datagrams, [state_from(&world, party[1], elsewhere())]);
    // And one that says it hears nothing any more has state sent as DATA.
    world.bind(party[0], false);
    world.send_datagram(party[1], STATE);
    assert_eq!(world.bodies(party[0]).len(), 1);
}

#[test]
fn state_from_another_address_is_taken_and_moves_nothing() {
    let mut world = server();
    let party = world.party(2);
    world.bind(party[0], true);
    world.bind(party[1], true);
    // Replayed, or from behind a NAT that rebound.
    let member = &world.clients[party[1]];
    let bytes = datagram(member.session, member.token, STATE);
    world.datagram_from(elsewhere(), &bytes);
    assert_eq!(world.datagrams, [state_from(&world, party[1], udp_address(party[0]))]);
    world.datagrams.clear();
    world.send_datagram(party[0], STATE);
    assert_eq!(world.datagrams, [state_from(&world, party[0], udp_address(party[1]))]);
}

#[test]
fn an_unknown_session_or_a_wrong_token_is_dropped_unanswered_and_costs_nobody() {
    let mut world = server();
    let party = world.party(2);
    world.bind(party[0], true);
    let (session, token) = (world.clients[party[0]].session, world.clients[party[0]].token);
    for what in [BIND, STATE] {
        for session in [0, -1, i32::MIN, i32::MAX, 99] {
            world.datagram_from(elsewhere(), &datagram(SessionId(session), token, what));
        }
        let other = world.clients[party[1]].token;
        for wrong in [Token::from_bits(token.to_bits() ^ 1), Token::from_bits(0), other] {
            world.datagram_from(elsewhere(), &datagram(session, wrong, what));
        }
    }
    assert_eq!(world.datagrams, []);
    assert_eq!(world.router.counters().drops(DropReason::UnknownSession), 10);
    assert_eq!(world.router.counters().drops(DropReason::WrongToken), 6);
    for &who in &party {
        world.expect_nothing(who);
    }
    // Far more than the limit: it is no session's.
    let spoofed = datagram(session, Token::from_bits(1), STATE);
    for _ in 0..10_000 {
        world.datagram_from(elsewhere(), &spoofed);
    }
    no_growth_of_strikes(&world);
    // The binding did not move.
    world.send_datagram(party[1], STATE);
    assert_eq!(world.datagrams, [state_from(&world, party[1], udp_address(party[0]))]);
}

#[test]
fn a_token_is_void_once_its_session_is_over() {
    let mut world = server();
    let who = world.greet("Nova_7");
    let Sessioned { session, token } = Sessioned::of(&world, who);
    world.drop_client(who);
    world.datagram_from(udp_address(who), &datagram(session, token, BIND));
    assert_eq!(world.datagrams, []);
    assert_eq!(world.router.counters().drops(DropReason::UnknownSession), 1);
}

struct Sessioned {
    session: SessionId,
    token: Token,
}

impl Sessioned {
    fn of(world: &World, who: Who) -> Self {
        Self { session: world.clients[who].session, token: world.clients[who].token }
    }
}

#[test]
fn a_malformed_datagram_is_dropped_and_costs_nothing_else() {
    let mut world = server();
    let who = world.greet("Nova_7");
    let Sessioned { session, token } = Sessioned::of(&world, who);
    let bind = datagram(session, token, ClientDatagramKind::Bind { heard: true, size: 14 });
    let state = datagram(session, token, ClientDatagramKind::State { target: 0, bytes: &[] });
    let mut unknown_kind = bind.clone();
    unknown_kind[12] = 2;
    let mut heard_two = bind.clone();
    heard_two[13] = 2;
    let malformed = [&[], &bind[..12], &state[..16], unknown_kind.as_slice(), &heard_two];
    for bytes in malformed {
        for _ in 0..700 {
            world.datagram_from(udp_address(who), bytes);
        }
    }
    assert_eq!(world.router.counters().drops(DropReason::MalformedDatagram), 3_500);
    assert_eq!(world.datagrams, []);
    no_growth_of_strikes(&world);
    world.expect_open(who);
    // All of the limit is still there.
    for _ in 0..600 {
        world.datagram_from(udp_address(who), &bind);
    }
    assert_eq!(world.datagrams.len(), 600);
}

#[test]
fn a_datagram_over_1200_bytes_is_dropped() {
    let mut world = server();
    let who = world.greet("Nova_7");
    let Sessioned { session, token } = Sessioned::of(&world, who);
    let mut bytes = datagram(session, token, BIND);
    bytes.push(0);
    world.datagram_from(udp_address(who), &bytes);
    assert_eq!(world.datagrams, []);
    assert_eq!(world.router.counters().drops(DropReason::OversizeDatagram), 1);
}

#[test]
fn state_from_one_in_no_party_is_dropped_without_error() {
    let mut world = server();
    let who = world.greet("Nova_7");
    world.send_datagram(who, STATE);
    world.expect_nothing(who);
    assert_eq!(world.router.counters().drops(DropReason::StateWithoutParty), 1);
}

#[test]
fn no_datagram_gets_an_answer_larger_than_itself() {
    let mut world = server();
    let party = world.party(4);
    for &who in &party {
        world.bind(who, true);
    }
    for size in 13..=1_200 {
        world.now = world.now + Duration::from_millis(10);
        let from = party[size % 4];
        world.send_datagram(from, ClientDatagramKind::Bind { heard: true, size });
        let state = vec![1; size - 13];
        if state.len() <= 1_183 {
            world.send_datagram(from, ClientDatagramKind::State { target: 0, bytes: &state });
        }
        let to_sender: usize = world
            .datagrams
            .drain(..)
            .filter(|sent| sent.to == udp_address(from))
            .map(|sent| sent.bytes.len())
            .sum();
        assert!(to_sender <= size);
    }
}

#[test]
fn datagrams_that_are_never_fetched_are_dropped_at_a_bound() {
    let mut world = server();
    let host = world.party(1)[0];
    let Sessioned { session, token } = Sessioned::of(&world, host);
    let bytes = datagram(session, token, BIND);
    for _ in 0..20 {
        world.now = world.now + Duration::from_secs(1);
        for _ in 0..1_000 {
            world.router.datagram(world.now, udp_address(host), OUR_SOCKET, &bytes);
        }
    }
    let dropped = world.router.counters().drops(DropReason::ArenaFull);
    world.pump();
    assert_eq!(world.datagrams.len() as u64 + dropped, 20_000);
    assert!(world.datagrams.len() * 1_188 < 4 * 1024 * 1024 + 1_188);
    assert!(dropped > 10_000);
    // Once fetched, there is room again.
    world.datagrams.clear();
    world.send_datagram(host, BIND);
    assert_eq!(world.datagrams.len(), 1);
}
