"""Slow readers: what a server queues for one costs that one, and never its host."""

from __future__ import annotations

import time
from typing import List

import packets
from client import Client, Closed, Unexpected
from harness import RELAY, Context, check, data, demand, message

#: DATA of this many bytes fill queues.
LARGE = 60_000
#: How long a queue may take to fill, past what the kernels of both ends hold, in seconds: less than
#: the silence that would close who does not read.
FILL_S = 12.0


def _came(client: Client, until: float) -> List[packets.Packet]:
    """Everything that comes until a moment of the monotonic clock."""
    came: List[packets.Packet] = []
    while time.monotonic() < until:
        try:
            came.append(client.receive(until - time.monotonic()))
        except Closed:
            raise Unexpected("the sender was closed") from None
        except OSError:
            break
    return came


@check("a member that does not read is closed, and its host goes on", only=RELAY, slow=True)
def slow_member(context: Context) -> None:
    host, reader = context.party(2)
    assert host.info is not None
    deaf = context.client("Deaf", receive_buffer=4_096)
    deaf.send(packets.Join(host.info.code))
    host.expect(packets.Joined)
    reader.expect(packets.Joined)
    large = packets.Data(deaf.session, message(0) + bytes(LARGE))
    since = time.monotonic()
    sent = 0
    while packets.Left(deaf.session) not in _came(host, since + sent * LARGE / 3e6):
        demand(time.monotonic() < since + FILL_S, f"still a member after {sent * LARGE:,} bytes")
        host.send(large)
        sent += 1
    reader.expect(packets.Left, id=deaf.session)
    host.send(data(0, 1))
    reader.expect(packets.DataAnswer, sender=host.session, payload=message(1))


@check("members cannot close a host that does not read: it is their strike", only=RELAY, slow=True)
def slow_host(context: Context) -> None:
    host = context.client("Deaf", receive_buffer=4_096)
    host.send(packets.Create(""))
    info = host.expect(packets.Info)
    members = [context.client(f"Member_{number}") for number in range(3)]
    for member in members:
        member.send(packets.Join(info.code))
        member.wait_for(packets.Info)
    large = packets.Data(0, message(0) + bytes(LARGE))
    too_fast = packets.Error(packets.TOO_FAST)
    since = time.monotonic()
    sent = 0
    struck = False
    while not struck:
        demand(time.monotonic() < since + FILL_S, f"no ERROR 6 after {3 * sent * LARGE:,} bytes")
        for member in members:
            member.send(large)
        sent += 1
        for member in members:
            struck |= too_fast in _came(member, since + sent * LARGE / 900e3)
    host.wait_for(packets.DataAnswer, payload=large.payload)
    host.alive()
    for member in members:
        member.alive()
