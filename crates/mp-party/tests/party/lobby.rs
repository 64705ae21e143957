//! Parties made, entered, left, found and listed.

use mp_party::NoteReason;
use mp_protocol::{ClientPacket, ErrorReason, ListRow, Member, PartyInfo, ServerPacket, SessionId};

use crate::world::{Who, World, server};

fn member(world: &World, who: Who, name: &'static str) -> Member<'static> {
    Member { id: world.clients[who].session, name }
}

fn error(reason: ErrorReason) -> [ServerPacket<'static>; 1] {
    [ServerPacket::Error(reason)]
}

#[test]
fn create_answers_with_info_and_a_code() {
    let mut world = server();
    let host = world.greet("Nova_7");
    world.send(host, &ClientPacket::Create { description: "Pokitaru, 12 gold bolts" });
    let bodies = world.bodies(host);
    let Ok(ServerPacket::Info(info)) = ServerPacket::decode(&bodies[0]) else { panic!("no INFO") };
    assert_eq!(info.host, world.clients[host].session);
    assert_eq!(info.members, [member(&world, host, "Nova_7")].as_slice().into());
    assert_eq!(info.description, "Pokitaru, 12 gold bolts");
    assert_eq!(info.code.len(), 6);
    assert!(info.code.bytes().all(|c| b"23456789ABCDEFGHJKLMNPQRSTUVWXYZ".contains(&c)));
}

#[test]
fn join_tells_the_one_who_enters_and_those_already_in() {
    let mut world = server();
    let (host, one, two) = (world.greet("Nova_7"), world.greet("Orbit"), world.greet("Zed"));
    world.send(host, &ClientPacket::Create { description: "New game" });
    let code = world.code(host);
    world.send(one, &ClientPacket::Join { code: &code });
    // Lower case is taken too.
    world.send(two, &ClientPacket::Join { code: &code.to_lowercase() });

    let members = [(host, "Nova_7"), (one, "Orbit"), (two, "Zed")]
        .map(|(who, name)| member(&world, who, name));
    let info = |count: usize| {
        ServerPacket::Info(PartyInfo {
            code: &code,
            host: members[0].id,
            members: (&members[..count]).into(),
            description: "New game",
        })
    };
    let joined =
        |member: Member<'static>| ServerPacket::Joined { id: member.id, name: member.name };
    world.expect(host, &[joined(members[1]), joined(members[2])]);
    world.expect(one, &[info(2), joined(members[2])]);
    world.expect(two, &[info(3)]);
}

#[test]
fn a_party_holds_four_and_a_fifth_gets_error_1() {
    let mut world = server();
    let party = world.party(4);
    let fifth = world.greet("Fifth");
    world.send(party[0], &ClientPacket::Leave);
    let host = world.greet("Host");
    world.send(host, &ClientPacket::Create { description: "" });
    let code = world.code(host);
    for &who in &party[1..] {
        world.send(who, &ClientPacket::Join { code: &code });
    }
    world.send(fifth, &ClientPacket::Join { code: &code });
    world.expect(fifth, &error(ErrorReason::Full));
    world.expect_open(fifth);
    // One leaves: there is room again.
    world.send(party[2], &ClientPacket::Leave);
    world.send(fifth, &ClientPacket::Join { code: &code });
    assert_eq!(world.code(fifth), code);
}

#[test]
fn join_of_a_code_that_no_party_has_gets_error_0() {
    let mut world = server();
    world.party(1);
    let who = world.greet("Orbit");
    for code in ["222222", "2", "2222222222222222", "é"] {
        world.send(who, &ClientPacket::Join { code });
        world.expect(who, &error(ErrorReason::NoSuchParty));
    }
}

#[test]
fn error_2_goes_before_0_and_1() {
    let mut world = server();
    let full = {
        let members = world.party(4);
        world.send(members[1], &ClientPacket::Chat { text: "x" });
        members
    };
    let single = world.greet("Orbit");
    world.send(single, &ClientPacket::Create { description: "" });
    world.bodies(single);
    for who in [full[1], single] {
        world.bodies(who);
        for packet in [
            ClientPacket::Join { code: "222222" },
            ClientPacket::Find,
            ClientPacket::Create { description: "" },
        ] {
            world.send(who, &packet);
            world.expect(who, &error(ErrorReason::AlreadyInOne));
        }
    }
}

#[test]
fn error_2_goes_before_1_to_a_full_party() {
    let mut world = server();
    let host = world.greet("Host");
    world.send(host, &ClientPacket::Create { description: "" });
    let code = world.code(host);
    for _ in 0..3 {
        let who = world.greet("Member");
        world.send(who, &ClientPacket::Join { code: &code });
    }
    world.bodies(host);
    world.send(host, &ClientPacket::Join { code: &code });
    world.expect(host, &error(ErrorReason::AlreadyInOne));
}

#[test]
fn a_leaver_gets_no_answer_and_those_who_stay_get_left() {
    let mut world = server();
    let party = world.party(3);
    world.send(party[1], &ClientPacket::Leave);
    world.expect_nothing(party[1]);
    let left = ServerPacket::Left { id: world.clients[party[1]].session };
    world.expect(party[0], &[left]);
    world.expect(party[2], &[left]);
    // Out of a party, LEAVE is nothing.
    world.send(party[1], &ClientPacket::Leave);
    world.expect_nothing(party[1]);
}

#[test]
fn a_lost_member_is_left() {
    let mut world = server();
    let party = world.party(3);
    world.drop_client(party[2]);
    let left = ServerPacket::Left { id: world.clients[party[2]].session };
    world.expect(party[0], &[left]);
    world.expect(party[1], &[left]);
}

#[test]
fn the_party_ends_when_its_host_leaves_or_is_lost() {
    for lost in [false, true] {
        let mut world = server();
        let party = world.party(3);
        world.note_reasons();
        if lost {
            world.drop_client(party[0]);
        } else {
            world.send(party[0], &ClientPacket::Leave);
        }
        world.expect_nothing(party[0]);
        for &who in &party[1..] {
            world.expect(who, &[ServerPacket::End]);
            world.send(who, &ClientPacket::Data { target: 0, bytes: &[1] });
            world.expect(who, &error(ErrorReason::NotInOne));
        }
        assert!(matches!(world.note_reasons()[..], [NoteReason::PartyEnded(_)]));
        let counters = world.router.counters();
        assert_eq!((counters.parties, counters.parties_ended), (1, 1));
    }
}

#[test]
fn the_code_of_a_party_that_ended_joins_nothing() {
    let mut world = server();
    let (host, who) = (world.greet("Nova_7"), world.greet("Orbit"));
    world.send(host, &ClientPacket::Create { description: "" });
    let code = world.code(host);
    world.send(host, &ClientPacket::Leave);
    world.send(who, &ClientPacket::Join { code: &code });
    world.expect(who, &error(ErrorReason::NoSuchParty));
}

#[test]
fn find_joins_a_party_with_room_and_else_creates_one_with_no_description() {
    let mut world = server();
    let finders: Vec<_> = (0..5).map(|_| world.greet("Finder")).collect();
    let mut codes = Vec::new();
    for &who in &finders {
        world.send(who, &ClientPacket::Find);
        let bodies = world.bodies(who);
        let Ok(ServerPacket::Info(info)) = ServerPacket::decode(&bodies[0]) else {
            panic!("no INFO")
        };
        assert_eq!(info.description, "");
        codes.push(info.code.to_owned());
    }
    assert!(codes[..4].iter().all(|code| *code == codes[0]));
    assert_ne!(codes[4], codes[0]);
}

#[test]
fn list_names_parties_with_room_newest_first() {
    let mut world = server();
    let reader = world.greet("Reader");
    let full = world.party(4);
    let (old, new) = (world.greet("Old"), world.greet("New"));
    world.send(old, &ClientPacket::Create { description: "Veldin" });
    let old_code = world.code(old);
    world.send(new, &ClientPacket::Create { description: "" });
    let new_code = world.code(new);
    let row =
        |code, host, members, description| ListRow { code, host, members, size: 4, description };
    let rows = [row(&new_code, "New", 1, ""), row(&old_code, "Old", 1, "Veldin")];
    world.send(reader, &ClientPacket::List);
    world.expect(reader, &[ServerPacket::List(rows.as_slice().into())]);

    // Once a member leaves, the full one is listed where its age puts it: last.
    world.send(full[1], &ClientPacket::Leave);
    world.send(reader, &ClientPacket::List);
    let bodies = world.bodies(reader);
    let Ok(ServerPacket::List(rows)) = ServerPacket::decode(&bodies[0]) else { panic!("no LIST") };
    let listed: Vec<_> = rows.iter().map(|row| (row.host, row.members)).collect();
    assert_eq!(listed, [("New", 1), ("Old", 1), ("Host", 3)]);
}

#[test]
fn list_has_128_rows_at_most_and_the_largest_fit_a_frame() {
    let mut world = server();
    let (name, description) = ("\u{1f527}".repeat(32), "d".repeat(256));
    for _ in 0..130 {
        let host = world.greet(&name);
        world.send(host, &ClientPacket::Create { description: &description });
    }
    let reader = world.greet("Reader");
    world.send(reader, &ClientPacket::List);
    let bodies = world.bodies(reader);
    let Ok(ServerPacket::List(rows)) = ServerPacket::decode(&bodies[0]) else { panic!("no LIST") };
    assert_eq!(rows.len(), 128);
}

#[test]
fn codes_stay_apart_even_with_a_stuck_generator() {
    let mut world = World::with_random(mp_party::Mode::Server, mp_party::Limits::default(), || 7);
    let mut codes = std::collections::BTreeSet::new();
    for _ in 0..50 {
        let host = world.greet("Host");
        world.send(host, &ClientPacket::Create { description: "" });
        codes.insert(world.code(host));
    }
    assert_eq!(codes.len(), 50);
}

/// B3.3
#[test]
fn one_who_comes_back_is_a_new_session() {
    let mut world = server();
    let host = world.greet("Host");
    world.send(host, &ClientPacket::Create { description: "" });
    let code = world.code(host);
    let old = world.greet("Orbit");
    world.send(old, &ClientPacket::Join { code: &code });
    // It comes back before its old connection is known to be lost.
    let new = world.greet("Orbit");
    world.send(new, &ClientPacket::Join { code: &code });
    world.drop_client(old);
    let id = |world: &World, who: Who| -> SessionId { world.clients[who].session };
    let (old_id, new_id) = (id(&world, old), id(&world, new));
    let joined = |id| ServerPacket::Joined { id, name: "Orbit" };
    world.expect(host, &[joined(old_id), joined(new_id), ServerPacket::Left { id: old_id }]);
}
