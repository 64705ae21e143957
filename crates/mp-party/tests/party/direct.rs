//! A direct host: one party, its own client inside, put in without being asked.

use mp_party::CloseReason;
use mp_protocol::{ClientPacket, ErrorReason, ListRow, Member, PartyInfo, ServerPacket};

use crate::world::{Who, World, address, direct, hello};

/// A direct host whose own client has said hello; its INFO is taken.
fn hosting() -> (World, Who) {
    let mut world = direct();
    let own = world.connect_local();
    world.say_hello(own, "Host");
    world.bodies(own);
    (world, own)
}

fn error(reason: ErrorReason) -> [ServerPacket<'static>; 1] {
    [ServerPacket::Error(reason)]
}

fn info(world: &World, members: &[(Who, &'static str)]) -> Vec<u8> {
    let members: Vec<_> = members
        .iter()
        .map(|&(who, name)| Member { id: world.clients[who].session, name })
        .collect();
    let info = PartyInfo {
        code: "DIRECT",
        host: members[0].id,
        members: members.as_slice().into(),
        description: "New game",
    };
    let mut frame = Vec::new();
    ServerPacket::Info(info).encode(&mut frame).expect("a valid packet");
    frame.split_off(4)
}

/// B8.1
#[test]
fn hello_is_answered_with_hello_udp_and_info() {
    let mut world = direct();
    let own = world.connect_local();
    world.send(own, &hello("Host"));
    let bodies = world.bodies(own);
    let kinds: Vec<_> = bodies.iter().map(|body| body[0]).collect();
    assert_eq!(kinds, [0, 6, 1]);
    world.clients[own].session = mp_protocol::SessionId(1);
    assert_eq!(bodies[2], info(&world, &[(own, "Host")]));
    let guest = world.greet("Guest");
    assert_eq!(world.bodies(guest), [info(&world, &[(own, "Host"), (guest, "Guest")])]);
    let id = world.clients[guest].session;
    world.expect(own, &[ServerPacket::Joined { id, name: "Guest" }]);
}

/// B8.1
#[test]
fn a_fifth_gets_error_1_and_stays_connected() {
    let (mut world, own) = hosting();
    let guests: Vec<_> = (0..4).map(|_| world.greet("Guest")).collect();
    world.expect(guests[3], &error(ErrorReason::Full));
    world.expect_open(guests[3]);
    world.bodies(own);
    // Once one leaves it gets in, by whatever code.
    world.send(guests[0], &ClientPacket::Leave);
    world.send(guests[3], &ClientPacket::Join { code: "ANYTHING" });
    let names = [(own, "Host"), (guests[1], "Guest"), (guests[2], "Guest"), (guests[3], "Guest")];
    assert_eq!(world.bodies(guests[3]), [info(&world, &names)]);
}

/// B8.1
#[test]
fn find_create_and_join_of_any_code_put_one_back_that_left() {
    let (mut world, own) = hosting();
    let guest = world.greet("Guest");
    world.bodies(guest);
    for packet in [
        ClientPacket::Find,
        ClientPacket::Create { description: "mine" },
        ClientPacket::Join { code: "222222" },
    ] {
        world.send(guest, &packet);
        world.expect(guest, &error(ErrorReason::AlreadyInOne));
        world.send(guest, &ClientPacket::Leave);
        world.expect_nothing(guest);
        world.send(guest, &packet);
        assert_eq!(world.bodies(guest), [info(&world, &[(own, "Host"), (guest, "Guest")])]);
    }
}

/// B8.1
#[test]
fn without_its_host_there_is_no_party_and_the_host_begins_it_again() {
    let (mut world, own) = hosting();
    let guest = world.greet("Guest");
    world.bodies(guest);
    world.send(own, &ClientPacket::Leave);
    world.expect(guest, &[ServerPacket::End]);
    world.send(guest, &ClientPacket::Find);
    world.expect(guest, &error(ErrorReason::NoSuchParty));
    world.bodies(own);
    world.send(own, &ClientPacket::Create { description: "other" });
    assert_eq!(world.bodies(own), [info(&world, &[(own, "Host")])]);
    world.send(guest, &ClientPacket::Find);
    assert_eq!(world.bodies(guest), [info(&world, &[(own, "Host"), (guest, "Guest")])]);
}

#[test]
fn a_guest_that_greets_before_the_host_does_not_host() {
    let mut world = direct();
    let guest = world.greet("Guest");
    world.expect(guest, &error(ErrorReason::NoSuchParty));
    let own = world.connect_local();
    world.say_hello(own, "Host");
    assert_eq!(world.bodies(own), [info(&world, &[(own, "Host")])]);
}

/// B8.1
#[test]
fn list_names_the_one_party() {
    let (mut world, own) = hosting();
    world.send(own, &ClientPacket::List);
    let row =
        ListRow { code: "DIRECT", host: "Host", members: 1, size: 4, description: "New game" };
    world.expect(own, &[ServerPacket::List([row].as_slice().into())]);
}

/// B8.1
#[test]
fn it_holds_8_clients_besides_its_own() {
    let (mut world, own) = hosting();
    let clients: Vec<_> = (0..8).map(|_| world.greet("Guest")).collect();
    let ninth = world.connect();
    world.expect(ninth, &error(ErrorReason::TooManyConnections));
    world.expect_closed(ninth, CloseReason::TooManyConnections);
    world.drop_client(clients[0]);
    let again = world.connect();
    world.expect_open(again);
    world.expect_open(own);
}

#[test]
fn a_newcomer_takes_the_place_of_the_one_that_has_longest_not_greeted() {
    let (mut world, own) = hosting();
    let friend = world.greet("Friend");
    let silent: Vec<_> = (0..7).map(|number| world.connect_from(address(100 + number))).collect();
    let late = world.greet("Late");
    world.expect(silent[0], &error(ErrorReason::TooManyConnections));
    world.expect_closed(silent[0], CloseReason::TooManyConnections);
    // One of these greets, and is safe from then on.
    world.say_hello(silent[1], "Slow");
    for newcomer in 0..6 {
        let who = world.connect_from(address(200 + newcomer));
        world.expect_open(who);
    }
    for (number, who) in silent.into_iter().enumerate() {
        assert_eq!(world.clients[who].closed.is_none(), number == 1, "{number}");
    }
    for who in [own, friend, late] {
        world.expect_open(who);
    }
    assert_eq!(world.router.counters().refused, 7);
}

#[test]
fn one_too_many_of_an_address_takes_nobodys_place() {
    let (mut world, _) = hosting();
    let silent: Vec<_> = (0..8).map(|_| world.connect_from(address(100))).collect();
    let ninth = world.connect_from(address(100));
    world.expect_closed(ninth, CloseReason::TooManyConnections);
    for who in silent {
        world.expect_open(who);
    }
}

/// B8.1
#[test]
fn its_own_client_counts_for_no_address() {
    let (mut world, _) = hosting();
    let same: Vec<_> = (0..8).map(|_| world.connect_from(address(7))).collect();
    for who in same {
        world.expect_open(who);
    }
}

/// B8.2
#[test]
fn stopping_ends_the_party_for_all_and_writes_that_first() {
    let (mut world, own) = hosting();
    let guests = [world.greet("One"), world.greet("Two")];
    for who in [own, guests[0], guests[1]] {
        world.bodies(who);
    }
    world.router.stop(world.now);
    world.pump();
    for who in [own, guests[0], guests[1]] {
        world.expect(who, &[ServerPacket::End]);
        world.expect_closed(who, CloseReason::Stopped);
    }
}
