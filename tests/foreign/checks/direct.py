"""A direct host's one party."""

from __future__ import annotations

import time
from typing import List

import packets
from client import Client, Datagrams, Unexpected
from datagrams import StateAnswer
from harness import DIRECT, PARTY_SIZE, Context, Skipped, check, data, demand

CODE = "DIRECT"
#: The kind of the message a game sends as state at least once a second (protocol.md 3).
POSE = b"\x07"
#: How long a POSE may take to come, in seconds.
POSE_S = 2.5


@check("INFO of the party DIRECT comes unasked after HELLO and UDP", only=DIRECT)
def unasked_info(context: Context) -> None:
    client = context.client("Orbit")
    info = client.info
    assert info is not None
    demand(info.code == CODE, f"code {info.code}")
    demand(info.host != client.session, "the client is the host")
    ids = [member for member, _ in info.members]
    demand(len(ids) == 2 and info.host in ids, f"members {info.members}, host {info.host}")
    demand((client.session, "Orbit") in info.members, f"members {info.members}")


def _full_party(context: Context) -> List[Client]:
    """All the members beside the host; what they heard of each other is taken."""
    members: List[Client] = []
    for number in range(1, PARTY_SIZE):
        name = f"Member_{number}"
        member = context.client(name)
        for other in members:
            other.expect(packets.Joined, id=member.session, name=name)
        members.append(member)
    return members


@check("those in the party get JOINED and LEFT", only=DIRECT)
def joined_and_left(context: Context) -> None:
    first, second, third = _full_party(context)
    second.send(packets.Leave())
    for member in (first, third):
        member.expect(packets.Left, id=second.session)
    second.fence()
    third.close()
    first.expect(packets.Left, id=third.session)
    first.fence()


@check("a fifth gets ERROR 1, stays, and comes in once there is room", only=DIRECT)
def fifth(context: Context) -> None:
    members = _full_party(context)
    late = context.client("Fifth")
    demand(late.info is None, "the party took a fifth")
    late.fence()
    for ask in (packets.Join(CODE), packets.Find(), packets.Create("")):
        late.send(ask)
        late.expect(packets.Error, reason=packets.FULL)
    members[0].send(packets.Leave())
    members[1].expect(packets.Left, id=members[0].session)
    late.send(packets.Join(CODE))
    late.expect(packets.Info, code=CODE)
    members[1].expect(packets.Joined, id=late.session, name="Fifth")


@check("FIND, CREATE and JOIN of any code put one back that left", only=DIRECT)
def put_back(context: Context) -> None:
    client, bystander = context.outsider(), context.client("Bystander")
    asks: List[packets.Packet] = [packets.Find(), packets.Create("Mine")]
    asks += [packets.Join("direct"), packets.Join("IO01IO")]
    for ask in asks:
        client.send(ask)
        info = client.expect(packets.Info, code=CODE)
        demand(info.host not in (client.session, bystander.session), "the host changed")
        bystander.expect(packets.Joined, id=client.session)
        client.send(packets.Leave())
        bystander.expect(packets.Left, id=client.session)
        client.fence()


@check("in the party, CREATE, FIND and JOIN get ERROR 2", only=DIRECT)
def already_in(context: Context) -> None:
    client = context.client()
    for ask in (packets.Create(""), packets.Find(), packets.Join("IO01IO")):
        client.send(ask)
        client.expect(packets.Error, reason=packets.ALREADY_IN_ONE)
    client.fence()


@check("LIST shows no party but DIRECT", only=DIRECT)
def listing(context: Context) -> None:
    client = context.outsider()
    client.send(packets.List())
    rows = client.expect(packets.ListAnswer).rows
    demand(all(row[0] == CODE for row in rows), f"rows {rows}")


@check("a member's DATA does not reach another member", only=DIRECT)
def data_not_to_members(context: Context) -> None:
    first, second, third = _full_party(context)
    first.send(data(second.session, 1), data(0, 2), packets.Chat("hello"))
    for member in (first, second, third):
        member.expect(packets.ChatAnswer, sender=first.session, text="hello")
        member.fence()


def _pose_as_data(client: Client) -> bool:
    """Whether a POSE of the host's game comes as DATA in good time."""
    deadline = time.monotonic() + POSE_S
    while time.monotonic() < deadline:
        try:
            packet = client.receive(deadline - time.monotonic())
        except OSError:
            return False
        if isinstance(packet, packets.DataAnswer) and packet.payload.startswith(POSE):
            return True
    return False


def _take_pose(udp: Datagrams) -> None:
    """Takes a POSE of the host's game that comes by datagram."""
    deadline = time.monotonic() + POSE_S
    while time.monotonic() < deadline:
        try:
            datagram = udp.receive(deadline - time.monotonic())
        except OSError:
            break
        if isinstance(datagram, StateAnswer) and datagram.payload.startswith(POSE):
            return
    raise Unexpected("no POSE came by datagram")


@check("the host's own state comes as DATA, and by datagram to who has bound and heard", only=DIRECT)
def hosts_state(context: Context) -> None:
    client = context.client()
    udp = context.datagrams(client)
    if not _pose_as_data(client):
        raise Skipped("no game sends state there")
    udp.bind(heard=1)
    _take_pose(udp)
    client.alive()
    _take_pose(udp)
    client.send(packets.Time(0))
    while not isinstance(packet := client.receive(), packets.TimeAnswer):
        twice = isinstance(packet, packets.DataAnswer) and packet.payload.startswith(POSE)
        demand(not twice, "a POSE came as DATA too")
    udp.bind(heard=0)
    demand(_pose_as_data(client), "no POSE came as DATA once heard was 0")
