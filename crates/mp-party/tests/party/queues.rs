//! Outgoing queues: coalesced, bounded, and a host's kept from its members.

use mp_party::{CloseReason, Limits, Mode, Output, Strike};
use mp_protocol::datagram::ClientDatagramKind;
use mp_protocol::{ClientPacket, ErrorReason, ServerPacket};

use crate::world::{Who, World, frame, server};

/// No rate is in the way; the queues' limits are the defaults.
fn unhurried() -> World {
    World::new(Mode::Server, unhurried_limits())
}

fn unhurried_limits() -> Limits {
    Limits {
        frames_per_second: u32::MAX,
        frame_bytes_per_second: u32::MAX,
        datagrams_per_second: u32::MAX,
        host_datagrams_per_second: u32::MAX,
        chats_per_second: u32::MAX,
        ..Limits::default()
    }
}

fn queued(world: &World, who: Who) -> usize {
    world.router.outgoing(world.clients[who].id).len()
}

/// Has the party's host send `bytes` in all, framed, to one member.
fn fill(world: &mut World, from: Who, to: Who, mut bytes: usize) {
    let target = world.clients[to].session.0;
    while bytes > 0 {
        let part = bytes.min(60_000);
        world.send(from, &ClientPacket::Data { target, bytes: &vec![0; part - 9] });
        bytes -= part;
    }
}

/// Has a member send its host all that it may leave in its queue: 512 KiB.
fn fill_the_hosts(world: &mut World, member: Who) {
    for _ in 0..8 {
        world.send(member, &ClientPacket::Data { target: 0, bytes: &vec![1; 65_536 - 9] });
    }
}

#[test]
fn frames_wait_together_and_are_announced_once_until_all_are_written() {
    let mut world = server();
    let party = world.party(2);
    let to = world.clients[party[0]].id;
    let from = world.clients[party[1]].id;
    let bytes = frame(&ClientPacket::Data { target: 0, bytes: &[5; 91] });
    world.router.received(world.now, from, &bytes.repeat(3));
    assert_eq!(world.router.poll_output(), Some(Output::Write(to)));
    assert_eq!(world.router.outgoing(to).len(), 300);
    world.router.wrote(to, 299);
    world.router.received(world.now, from, &bytes);
    assert_eq!(world.router.poll_output(), None, "the driver knows that bytes wait");
    world.router.wrote(to, 101);
    assert!(world.router.outgoing(to).is_empty());
    world.router.received(world.now, from, &bytes);
    assert_eq!(world.router.poll_output(), Some(Output::Write(to)));
}

#[test]
fn a_member_whose_queue_reaches_1_mib_is_closed_rather_than_waited_for() {
    let mut world = unhurried();
    let party = world.party(3);
    let (host, slow, other) = (party[0], party[1], party[2]);
    world.clients[slow].stalled = true;
    fill(&mut world, host, slow, 1_048_576 - 10);
    world.expect_open(slow);
    assert_eq!(queued(&world, slow), 1_048_566);
    // These reach it and do not pass it.
    fill(&mut world, host, slow, 10);
    assert_eq!(world.clients[slow].closed, Some((CloseReason::QueueFull, false)));
    assert_eq!(queued(&world, slow), 0);
    let left = ServerPacket::Left { id: world.clients[slow].session };
    world.expect(host, &[left]);
    world.expect(other, &[left]);
}

/// Many who read nothing, each under its own limit: what waits in all is bounded, and who reads pays nothing.
#[test]
fn of_queues_that_are_too_long_together_the_longest_is_closed() {
    let all_queues_bytes = 3_000_000;
    let mut world = World::new(Mode::Server, Limits { all_queues_bytes, ..unhurried_limits() });
    let reader = world.party(2);
    world.clients[reader[1]].stalled = true;
    fill(&mut world, reader[0], reader[1], 100_000);
    let parties: Vec<_> = (0..4).map(|_| world.party(2)).collect();
    for (party, bytes) in parties.iter().zip([700_000, 900_000, 800_000, 450_000]) {
        world.clients[party[1]].stalled = true;
        fill(&mut world, party[0], party[1], bytes);
    }
    // In all 2,950,000: these bring it over, whoever they are for, and the longest of all goes.
    fill(&mut world, reader[0], reader[1], 60_000);
    assert_eq!(
        world.clients[parties[1][1]].closed,
        Some((CloseReason::AllQueuesFull, false)),
        "the longest"
    );
    assert!(world.router.queues().bytes <= all_queues_bytes);
    world.expect(parties[1][0], &[ServerPacket::Left { id: world.clients[parties[1][1]].session }]);
    for who in [reader[1], parties[0][1], parties[2][1], parties[3][1]] {
        world.expect_open(who);
    }
    // What was written, and what went with one that left, waits no more.
    let id = world.clients[parties[0][1]].id;
    world.router.wrote(id, 700_000);
    world.drop_client(parties[2][1]);
    fill(&mut world, parties[3][0], parties[3][1], 450_000);
    fill(&mut world, parties[0][0], parties[0][1], 900_000);
    for who in [reader[1], parties[0][1], parties[3][1]] {
        world.expect_open(who);
    }
}

#[test]
fn what_is_written_makes_room_in_the_queue() {
    let mut world = unhurried();
    let party = world.party(2);
    world.clients[party[1]].stalled = true;
    let id = world.clients[party[1]].id;
    for _ in 0..20 {
        fill(&mut world, party[0], party[1], 500_000);
        world.router.wrote(id, 490_000);
    }
    world.expect_open(party[1]);
    assert_eq!(queued(&world, party[1]), 200_000);
}

#[test]
fn a_member_cannot_bring_its_hosts_queue_over_512_kib() {
    let mut world = unhurried();
    let party = world.party(2);
    let (host, member) = (party[0], party[1]);
    world.clients[host].stalled = true;
    fill_the_hosts(&mut world, member);
    assert_eq!(queued(&world, host), 524_288);
    world.expect_nothing(member);
    for (strikes, packet) in
        [(1, ClientPacket::Data { target: 0, bytes: &[] }), (2, ClientPacket::Chat { text: "x" })]
    {
        world.send(member, &packet);
        assert_eq!(world.router.counters().strikes(Strike::HostQueue), strikes);
        assert_eq!(queued(&world, host), 524_288);
    }
    // STATE would be queued as DATA: the host is not bound.
    world.send_datagram(member, ClientDatagramKind::State { target: 0, bytes: &[1] });
    assert_eq!(world.router.counters().strikes(Strike::HostQueue), 3);
    // Of the three, the sender was told once, and its chat came back from nowhere.
    world.expect(member, &[ServerPacket::Error(ErrorReason::TooFast)]);
    // What the host asks for itself still comes.
    world.send(host, &ClientPacket::Chat { text: "x" });
    world.send(host, &ClientPacket::Time { clock_ms: 1 });
    assert!(queued(&world, host) > 524_288);
    world.expect_open(host);
}

#[test]
fn state_to_a_bound_host_does_not_touch_its_queue() {
    let mut world = unhurried();
    let party = world.party(2);
    let (host, member) = (party[0], party[1]);
    world.bind(host, true);
    world.clients[host].stalled = true;
    fill_the_hosts(&mut world, member);
    world.send_datagram(member, ClientDatagramKind::State { target: 0, bytes: &[1] });
    assert_eq!(world.datagrams.len(), 1);
    assert_eq!(world.router.counters().strikes(Strike::HostQueue), 0);
}

#[test]
fn ten_tries_at_a_full_host_close_the_member() {
    let mut world = unhurried();
    let party = world.party(3);
    let (host, member) = (party[0], party[1]);
    world.clients[host].stalled = true;
    fill_the_hosts(&mut world, member);
    for _ in 0..10 {
        world.expect_open(member);
        world.send(member, &ClientPacket::Data { target: 0, bytes: &[] });
    }
    world.expect_closed(member, CloseReason::TooFast);
    world.expect_open(host);
    world.expect(party[2], &[ServerPacket::Left { id: world.clients[member].session }]);
}

#[test]
fn a_member_that_fills_its_hosts_queue_takes_no_room_of_the_others() {
    let mut world = unhurried();
    let party = world.party(3);
    let (host, flooder, other) = (party[0], party[1], party[2]);
    world.clients[host].stalled = true;
    for _ in 0..8 {
        world.send(flooder, &ClientPacket::Data { target: 0, bytes: &vec![1; 65_536 - 9] });
    }
    let full = queued(&world, host);
    assert_eq!(full, 524_288);
    world.send(flooder, &ClientPacket::Data { target: 0, bytes: &[1] });
    assert_eq!(world.router.counters().strikes(Strike::HostQueue), 1);
    // An eighth of the room is its own, and no more than that.
    for _ in 0..64 {
        world.send(other, &ClientPacket::Data { target: 0, bytes: &[2; 1_024 - 9] });
    }
    assert_eq!(world.router.counters().strikes(Strike::HostQueue), 1);
    assert_eq!(queued(&world, host), full + 65_536);
    world.expect_nothing(other);
    world.send(other, &ClientPacket::Data { target: 0, bytes: &[2] });
    assert_eq!(world.router.counters().strikes(Strike::HostQueue), 2);
    world.expect_open(host);
    // What the host reads makes room for both again.
    let id = world.clients[host].id;
    world.router.wrote(id, full);
    for member in [flooder, other] {
        world.send(member, &ClientPacket::Data { target: 0, bytes: &[3] });
    }
    assert_eq!(world.router.counters().strikes(Strike::HostQueue), 2);
}

#[test]
fn a_full_queue_that_falls_while_others_are_told_does_not_disturb_them() {
    let mut world = unhurried();
    let party = world.party(4);
    for &slow in &party[1..3] {
        world.clients[slow].stalled = true;
        fill(&mut world, party[0], slow, 1_048_570);
    }
    // One DATA to all fells two of three receivers.
    world.send(party[0], &ClientPacket::Data { target: 0, bytes: &[3] });
    for &slow in &party[1..3] {
        assert_eq!(world.clients[slow].closed, Some((CloseReason::QueueFull, false)));
    }
    let sender = world.clients[party[0]].session;
    let left =
        [1, 2].map(|member: usize| ServerPacket::Left { id: world.clients[party[member]].session });
    world.expect(party[3], &[ServerPacket::Data { sender, bytes: &[3] }, left[0], left[1]]);
    world.expect(party[0], &left);
}
