//! Parties over real sockets, on one thread and on several.

use std::net::SocketAddr;

use mp_protocol::datagram::ClientDatagramKind;
use mp_protocol::{ClientPacket, ErrorReason};
use mp_relay::Relay;

use crate::player::{Heard, Player};
use crate::support::{relay, settings};

/// A party of four, whose members the kernel spreads over the threads as it likes.
fn party(server: SocketAddr) -> Vec<Player> {
    let mut host = Player::greeted(server, "Host");
    let code = host.create();
    let mut players = vec![host];
    for name in ["Nova", "Orbit", "Pixel"] {
        let mut player = Player::greeted(server, name);
        let members = player.join(&code);
        assert_eq!(members.len(), players.len() + 1);
        for other in &mut players {
            other.expect(&Heard::Joined(player.session.0));
        }
        players.push(player);
    }
    players
}

fn play(relay: &Relay, parties: usize) -> Vec<Vec<Player>> {
    let mut all: Vec<_> = (0..parties).map(|_| party(relay.address())).collect();
    for players in &mut all {
        for player in &*players {
            player.bind();
        }
        let ids: Vec<_> = players.iter().map(|player| player.session.0).collect();
        players[1].say(&ClientPacket::Data { target: 0, bytes: b"hit" });
        players[0].expect(&Heard::Data(ids[1], b"hit".into()));
        players[0].say(&ClientPacket::Data { target: ids[3], bytes: b"bolts" });
        players[3].expect(&Heard::Data(ids[0], b"bolts".into()));
        players[2].cast(ClientDatagramKind::State { target: 0, bytes: b"pose" });
        assert_eq!(players[0].state(), (ids[2], b"pose".to_vec()));
        players[0].cast(ClientDatagramKind::State { target: 0, bytes: b"world" });
        for member in &players[1..] {
            assert_eq!(member.state(), (ids[0], b"world".to_vec()));
        }
        players[3].say(&ClientPacket::Chat { text: "hé" });
        for player in &mut *players {
            player.expect(&Heard::Chat("hé".into()));
        }
    }
    all
}

#[test]
fn a_party_plays_by_tcp_and_by_udp() {
    let relay = relay(&settings(1));
    play(&relay, 1);
    assert!(relay.stop());
}

#[test]
fn parties_play_over_several_threads() {
    let relay = relay(&settings(4));
    let all = play(&relay, 12);
    let stats = relay.monitor().stats().expect("every thread answers");
    assert_eq!(stats.parties, 12);
    let total = stats.total();
    assert_eq!(total.connections, 48);
    // 36 joined a party that was on another thread in three cases of four, and their datagrams came to
    // any; that none did is less likely than anything.
    assert!(total.arrivals > 0, "nobody moved");
    assert!(total.strays > 0, "no datagram moved");
    assert_eq!(total.strays_lost, 0);
    drop(all);
    assert!(relay.stop());
}

/// The kernel is told to look at the session; without that three of four would go astray.
#[cfg(target_os = "linux")]
#[test]
fn the_datagrams_of_one_who_has_not_moved_come_to_its_own_thread() {
    let relay = relay(&settings(4));
    let mut hosts: Vec<_> = (0..12).map(|_| Player::greeted(relay.address(), "Host")).collect();
    for host in &mut hosts {
        host.create();
        host.bind();
    }
    let total = relay.monitor().stats().expect("every thread answers").total();
    assert!(total.counters.datagrams_in >= 12);
    assert_eq!((total.arrivals, total.strays), (0, 0));
    assert!(relay.stop());
}

#[test]
fn the_list_and_find_see_the_parties_of_every_thread() {
    let relay = relay(&settings(4));
    let mut hosts: Vec<_> = (0..8).map(|_| Player::greeted(relay.address(), "Host")).collect();
    let mut codes: Vec<_> = hosts.iter_mut().map(Player::create).collect();
    codes.reverse();
    let mut guest = Player::greeted(relay.address(), "Guest");
    guest.say(&ClientPacket::List);
    let rows = codes.iter().map(|code| (code.clone(), 1)).collect();
    guest.expect(&Heard::List(rows));
    // Each FIND goes to the oldest party that has room.
    for place in 0..24 {
        let mut player = Player::greeted(relay.address(), "Guest");
        player.say(&ClientPacket::Find);
        let Heard::Info { code, members } = player.hear() else { panic!("no INFO") };
        assert_eq!(code, codes[7 - place / 3]);
        assert_eq!(members.len(), place % 3 + 2);
        hosts.push(player);
    }
    guest.say(&ClientPacket::List);
    guest.expect(&Heard::List(Vec::new()));
    assert!(relay.stop());
}

#[test]
fn an_address_has_its_connections_over_all_threads() {
    let mut settings = settings(4);
    settings.limits.connections_per_address = 8;
    let relay = relay(&settings);
    let mut players: Vec<_> = (0..8).map(|_| Player::greeted(relay.address(), "Nova")).collect();
    let mut ninth = Player::connect(relay.address());
    ninth.expect(&Heard::Error(ErrorReason::TooManyConnections));
    ninth.expect(&Heard::Closed);
    players[0].expect_nothing();
    assert!(relay.stop());
}

#[test]
fn ipv6_and_ipv4_players_share_a_party() {
    let mut settings = settings(2);
    settings.listen = "[::]:0".parse().unwrap();
    let relay = relay(&settings);
    let port = relay.address().port();
    let v4: SocketAddr = ([127, 0, 0, 1], port).into();
    let v6: SocketAddr = (std::net::Ipv6Addr::LOCALHOST, port).into();
    if std::net::TcpStream::connect(v6).is_err() {
        println!("no IPv6 here: left out");
        return;
    }
    let mut host = Player::greeted(v6, "Six");
    let code = host.create();
    let mut member = Player::greeted(v4, "Four");
    member.join(&code);
    host.expect(&Heard::Joined(member.session.0));
    host.bind();
    member.bind();
    host.cast(ClientDatagramKind::State { target: 0, bytes: b"w" });
    assert_eq!(member.state(), (host.session.0, b"w".to_vec()));
    member.cast(ClientDatagramKind::State { target: 0, bytes: b"p" });
    assert_eq!(host.state(), (member.session.0, b"p".to_vec()));
    assert!(relay.stop());
}

#[test]
fn stopping_tells_everyone() {
    let relay = relay(&settings(4));
    let mut all = play(&relay, 4);
    assert!(relay.stop());
    for player in all.iter_mut().flatten() {
        player.expect(&Heard::End);
        player.expect(&Heard::Closed);
    }
}

#[test]
fn a_relay_that_drains_takes_no_new_parties_and_lets_the_others_play() {
    let relay = relay(&settings(2));
    let mut players = party(relay.address());
    relay.close_to_parties();
    let mut late = Player::greeted(relay.address(), "Late");
    late.say(&ClientPacket::Create { description: "" });
    late.expect(&Heard::Error(ErrorReason::Full));
    late.say(&ClientPacket::Find);
    late.expect(&Heard::Error(ErrorReason::Full));
    let left = players.pop().expect("a party of four").session.0;
    players[0].expect(&Heard::Left(left));
    late.say(&ClientPacket::Find);
    let Heard::Info { members, .. } = late.hear() else { panic!("no INFO") };
    assert_eq!(members.len(), 4);
    assert!(relay.stop());
}
