//! CHAT and DATA within a party.

use mp_party::DropReason;
use mp_protocol::limits::DATA_MAX;
use mp_protocol::{ClientPacket, ErrorReason, ServerPacket, SessionId};

use crate::world::{Who, World, server};

fn session(world: &World, who: Who) -> SessionId {
    world.clients[who].session
}

#[test]
fn a_members_data_goes_to_the_host_alone_whatever_its_target() {
    let mut world = server();
    let party = world.party(4);
    let sender = session(&world, party[1]);
    for target in [0, session(&world, party[2]).0, sender.0, -1, 99] {
        world.send(party[1], &ClientPacket::Data { target, bytes: &[1, 2] });
        world.expect(party[0], &[ServerPacket::Data { sender, bytes: &[1, 2] }]);
    }
    for &who in &party[1..] {
        world.expect_nothing(who);
    }
}

#[test]
fn the_hosts_data_goes_to_all_the_others_for_0_in_the_order_they_came() {
    let mut world = server();
    let party = world.party(4);
    for &who in &party {
        world.clients[who].stalled = true;
    }
    let sender = session(&world, party[0]);
    world.router.received(
        world.now,
        world.clients[party[0]].id,
        &crate::world::frame(&ClientPacket::Data { target: 0, bytes: &[7] }),
    );
    let mut told = Vec::new();
    while let Some(output) = world.router.poll_output() {
        if let mp_party::Output::Write(id) = output {
            told.push(id);
        }
    }
    assert_eq!(told, [1, 2, 3].map(|member| world.clients[party[member]].id));
    for &who in &party[1..] {
        world.clients[who].stalled = false;
        world.write(world.clients[who].id);
        world.expect(who, &[ServerPacket::Data { sender, bytes: &[7] }]);
    }
    world.expect_nothing(party[0]);
}

#[test]
fn the_hosts_data_goes_to_the_member_it_names_and_else_nowhere() {
    let mut world = server();
    let party = world.party(3);
    let stranger = world.greet("Stranger");
    let sender = session(&world, party[0]);
    let target = session(&world, party[2]).0;
    world.send(party[0], &ClientPacket::Data { target, bytes: &[] });
    world.expect(party[2], &[ServerPacket::Data { sender, bytes: &[] }]);
    for target in [sender.0, session(&world, stranger).0, -1, i32::MIN, 99] {
        world.send(party[0], &ClientPacket::Data { target, bytes: &[1] });
    }
    for who in [party[0], party[1], party[2], stranger] {
        world.expect_nothing(who);
    }
    assert_eq!(world.router.counters().drops(DropReason::NoSuchTarget), 5);
}

#[test]
fn the_largest_data_passes_whole() {
    let mut world = server();
    let party = world.party(2);
    let bytes = vec![9; DATA_MAX];
    world.send(party[1], &ClientPacket::Data { target: 0, bytes: &bytes });
    let sender = session(&world, party[1]);
    world.expect(party[0], &[ServerPacket::Data { sender, bytes: &bytes }]);
}

#[test]
fn data_and_chat_out_of_a_party_get_error_3() {
    let mut world = server();
    let who = world.greet("Orbit");
    for packet in [ClientPacket::Data { target: 0, bytes: &[1] }, ClientPacket::Chat { text: "hi" }]
    {
        world.send(who, &packet);
        world.expect(who, &[ServerPacket::Error(ErrorReason::NotInOne)]);
    }
}

#[test]
fn chat_goes_to_everyone_the_sender_included() {
    let mut world = server();
    let party = world.party(3);
    let elsewhere = world.party(2);
    for &from in &party {
        world.send(from, &ClientPacket::Chat { text: "héllo" });
        let sender = session(&world, from);
        for &who in &party {
            world.expect(who, &[ServerPacket::Chat { sender, text: "héllo" }]);
        }
    }
    for who in elsewhere {
        world.expect_nothing(who);
    }
}

#[test]
fn parties_do_not_hear_each_other() {
    let mut world = server();
    let (one, two) = (world.party(2), world.party(2));
    for &who in &one {
        for target in [0, session(&world, two[0]).0, session(&world, two[1]).0] {
            world.send(who, &ClientPacket::Data { target, bytes: &[1] });
        }
    }
    for who in two {
        world.expect_nothing(who);
    }
}

#[test]
fn what_is_counted_is_what_travelled() {
    let mut world = server();
    let party = world.party(3);
    let before = world.router.counters().clone();
    world.send(party[0], &ClientPacket::Data { target: 0, bytes: &[0; 91] });
    let after = world.router.counters();
    assert_eq!(after.frames_in - before.frames_in, 1);
    assert_eq!(after.bytes_in - before.bytes_in, 100);
    assert_eq!(after.frames_out - before.frames_out, 2);
    assert_eq!(after.bytes_out - before.bytes_out, 200);
}
