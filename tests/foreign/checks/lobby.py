"""Parties on a relay: made, found, listed, joined, left, ended."""

from __future__ import annotations

import re
from typing import List

import packets
from harness import PARTY_SIZE, RELAY, Context, check, demand

CODE = re.compile(r"[2-9A-HJ-NP-Z]{6}")
#: A code that no server gives: it has letters that codes leave out.
NO_CODE = "IO01IO"


@check("CREATE is answered with INFO", only=RELAY)
def create(context: Context) -> None:
    host = context.client("Orbit")
    host.send(packets.Create("Pokitaru, 12 gold bolts"))
    info = host.expect(packets.Info, host=host.session, description="Pokitaru, 12 gold bolts")
    demand(info.members == ((host.session, "Orbit"),), f"members {info.members}")
    demand(bool(CODE.fullmatch(info.code)), f"code {info.code}")
    host.fence()


@check("a description may be empty or 256 bytes", only=RELAY)
def descriptions(context: Context) -> None:
    for description in ["", "é" * 128]:
        host = context.client()
        host.send(packets.Create(description))
        host.expect(packets.Info, description=description)


@check("JOIN tells the joiner INFO and the others JOINED", only=RELAY)
def join(context: Context) -> None:
    host, member = context.party(2)
    assert host.info is not None
    other = context.client("Orbit")
    other.send(packets.Join(host.info.code))
    info = other.expect(packets.Info, code=host.info.code, host=host.session, description="New game")
    everyone = {(host.session, "Host"), (member.session, "Member_1"), (other.session, "Orbit")}
    demand(len(info.members) == 3 and set(info.members) == everyone, f"members {info.members}")
    host.expect(packets.Joined, id=other.session, name="Orbit")
    member.expect(packets.Joined, id=other.session, name="Orbit")
    for client in (host, member, other):
        client.fence()


@check("JOIN takes lower case", only=RELAY)
def join_lower_case(context: Context) -> None:
    (host,) = context.party(1)
    assert host.info is not None
    member = context.client()
    member.send(packets.Join(host.info.code.lower()))
    member.expect(packets.Info, code=host.info.code)


@check("JOIN of no party's code gets ERROR 0", only=RELAY)
def no_such_party(context: Context) -> None:
    client = context.client()
    for code in (NO_CODE, "A", "A" * 16, "ééééé"):
        client.send(packets.Join(code))
        client.expect(packets.Error, reason=packets.NO_SUCH_PARTY)
    client.fence()


@check("a fifth gets ERROR 1, and a place once one left", only=RELAY)
def party_full(context: Context) -> None:
    host, *members = context.party(PARTY_SIZE)
    assert host.info is not None
    fifth = context.client("Fifth")
    fifth.send(packets.Join(host.info.code))
    fifth.expect(packets.Error, reason=packets.FULL)
    members[0].send(packets.Leave())
    host.expect(packets.Left, id=members[0].session)
    fifth.send(packets.Join(host.info.code))
    fifth.expect(packets.Info)


@check("in a party, CREATE, FIND and JOIN of any code get ERROR 2 first", only=RELAY)
def already_in_one(context: Context) -> None:
    full, *_ = context.party(PARTY_SIZE)
    host, member = context.party(2)
    assert full.info is not None and host.info is not None
    asks: List[packets.Packet] = [packets.Create(""), packets.Find()]
    asks += [packets.Join(code) for code in (NO_CODE, full.info.code, host.info.code)]
    for client in (host, member):
        for ask in asks:
            client.send(ask)
            client.expect(packets.Error, reason=packets.ALREADY_IN_ONE)
        client.fence()


@check("FIND makes a party without description, then joins it", only=RELAY)
def find(context: Context) -> None:
    first, second = context.client(), context.client()
    first.send(packets.Find())
    made = first.expect(packets.Info, host=first.session, description="")
    second.send(packets.Find())
    second.expect(packets.Info, code=made.code, host=first.session)
    first.expect(packets.Joined, id=second.session)


@check("FIND passes over a full party", only=RELAY)
def find_passes_full(context: Context) -> None:
    context.party(PARTY_SIZE)
    client = context.client()
    client.send(packets.Find())
    client.expect(packets.Info, host=client.session)


@check("LIST shows parties with room, newest first, in full", only=RELAY)
def list_rows(context: Context) -> None:
    older, _ = context.party(2)
    full, *_ = context.party(PARTY_SIZE)
    newer = context.client("Orbit")
    newer.send(packets.Create("Pokitaru"))
    newer.info = newer.expect(packets.Info)
    assert older.info is not None and full.info is not None
    newer.send(packets.List())
    rows = newer.expect(packets.ListAnswer).rows
    due = (
        (newer.info.code, "Orbit", 1, PARTY_SIZE, "Pokitaru"),
        (older.info.code, "Host", 2, PARTY_SIZE, "New game"),
    )
    ours = {row[0] for row in due} | {full.info.code}
    demand(tuple(row for row in rows if row[0] in ours) == due, f"rows {rows}")


@check("LIST has 128 rows at most, the newest", only=RELAY)
def list_at_most(context: Context) -> None:
    codes: List[str] = []
    for number in range(136):
        host = context.client(source=context.other_loopback(100 + number // 8))
        host.send(packets.Create(""))
        codes.append(host.expect(packets.Info).code)
    asker = context.client()
    asker.send(packets.List())
    listed = [row[0] for row in asker.expect(packets.ListAnswer).rows]
    demand(listed == codes[::-1][:128], f"{len(listed)} rows, or not the newest 128 in order")


@check("LEAVE is not answered; those who stay get LEFT", only=RELAY)
def leave(context: Context) -> None:
    host, leaver, member = context.party(3)
    leaver.send(packets.Leave())
    host.expect(packets.Left, id=leaver.session)
    member.expect(packets.Left, id=leaver.session)
    leaver.fence()
    leaver.send(packets.Chat("gone"))
    leaver.expect(packets.Error, reason=packets.NOT_IN_ONE)
    host.fence()


@check("a member whose connection goes is LEFT", only=RELAY)
def member_lost(context: Context) -> None:
    host, lost, member = context.party(3)
    lost.close()
    host.expect(packets.Left, id=lost.session)
    member.expect(packets.Left, id=lost.session)


@check("the host's LEAVE ends the party for its members", only=RELAY)
def host_leaves(context: Context) -> None:
    host, first, second = context.party(3)
    assert host.info is not None
    host.send(packets.Leave())
    for member in (first, second):
        member.expect(packets.End)
        member.send(packets.Chat("over"))
        member.expect(packets.Error, reason=packets.NOT_IN_ONE)
    host.fence()
    first.send(packets.Join(host.info.code))
    first.expect(packets.Error, reason=packets.NO_SUCH_PARTY)
    first.send(packets.Create("Mine"))
    first.expect(packets.Info, host=first.session)
    host.send(packets.Create("Again"))
    host.expect(packets.Info, host=host.session)


@check("a host whose connection goes ends the party", only=RELAY)
def host_lost(context: Context) -> None:
    host, first, second = context.party(3)
    host.close()
    first.expect(packets.End)
    second.expect(packets.End)
