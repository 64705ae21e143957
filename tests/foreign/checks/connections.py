"""How many connections an address may have, and a direct host in all."""

from __future__ import annotations

from typing import List

import packets
from client import DEADLINE_S, VERSION, Client, Closed
from harness import CONNECTIONS, DIRECT, RELAY, Context, check, demand


def _refused(client: Client) -> None:
    """ERROR 5 and a close, be it before the HELLO is read or after."""
    try:
        client.send(packets.Hello(VERSION, "Ninth"))
    except Closed:
        pass
    client.expect(packets.Error, reason=packets.TOO_MANY_CONNECTIONS)
    client.expect_closed()


@check("a ninth connection of an address gets ERROR 5, until one goes")
def ninth(context: Context) -> None:
    held = [context.client(f"Held_{number}") for number in range(CONNECTIONS)]
    for _ in range(3):
        refused = context.connect()
        _refused(refused)
        refused.close()
    for client in held:
        client.alive()
    held[0].close()
    context.client("Ninth")


@check("connections that have not greeted count")
def silent_ones_count(context: Context) -> None:
    # Which of the nine the server counts last is its own affair, so each may be the refused one.
    connections = [context.connect() for _ in range(CONNECTIONS + 1)]
    sessions: List[int] = []
    refused = 0
    for client in connections:
        try:
            client.send(packets.Hello(VERSION, "Silent"))
        except Closed:
            pass
        first = client.next(DEADLINE_S)
        if first == packets.Error(packets.TOO_MANY_CONNECTIONS):
            client.expect_closed()
            refused += 1
        else:
            demand(isinstance(first, packets.HelloAnswer), f"{first}, where HELLO was due")
            sessions.append(client.session)
    demand(refused == 1, f"{refused} of {CONNECTIONS + 1} were refused")


@check("another address has a count of its own", only=RELAY)
def other_address(context: Context) -> None:
    other = context.other_loopback(3)
    for number in range(CONNECTIONS):
        context.client(f"Held_{number}")
    context.client("Other", source=other)


@check("a direct host holds 8 clients, whatever their addresses", only=DIRECT)
def eight_clients(context: Context) -> None:
    sources = [context.other_loopback(last) for last in (3, 4)]
    for number in range(CONNECTIONS):
        context.client(f"Held_{number}", source=sources[number % 2])
    refused = context.connect()
    _refused(refused)
