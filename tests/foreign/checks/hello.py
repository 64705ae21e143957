"""HELLO, its refusals, and TIME."""

from __future__ import annotations

from typing import List

import packets
import vectors
import wire
from client import VERSION
from harness import Context, check, demand


@check("vectors decode and encode to the same")
def vectors_round_trip(context: Context) -> None:
    demand(vectors.check() > 0, "no vectors")


@check("HELLO is answered with HELLO, then UDP")
def hello_answer(context: Context) -> None:
    first, second = context.client(), context.client()
    demand(first.session != second.session, "two connections share a session")
    demand(first.token != second.token, "two connections share a token")
    demand(first.udp_port != context.server.port, "the TCP port is sent, where 0 was due")


@check("a session is never given twice")
def sessions_differ(context: Context) -> None:
    seen: List[int] = []
    for _ in range(5):
        client = context.client()
        demand(client.session not in seen, f"session {client.session} again")
        seen.append(client.session)
        client.close()


@check("HELLO comes whole though its bytes come one by one")
def hello_by_bytes(context: Context) -> None:
    client = context.connect()
    for byte in packets.Hello(VERSION, "Nova_7").encode():
        client.send_raw(bytes([byte]))
    client.greeted()


@check("HELLO and TIME may come glued together")
def hello_and_time(context: Context) -> None:
    client = context.connect()
    client.send(packets.Hello(VERSION, "Nova_7"), packets.Time(1), packets.Time(2))
    client.greeted()
    client.wait_for(packets.TimeAnswer, echo=1)
    client.wait_for(packets.TimeAnswer, echo=2)


@check("anything but HELLO first closes")
def hello_not_first(context: Context) -> None:
    others = [
        packets.Time(1),
        packets.Create(""),
        packets.List(),
        packets.Chat("hi"),
        packets.Data(0, b""),
    ]
    for other in others:
        client = context.connect()
        client.send(other)
        client.expect_closed()


@check("a second HELLO closes")
def second_hello(context: Context) -> None:
    client = context.client()
    client.send(packets.Hello(VERSION, "Nova_7"))
    client.expect_closed()


@check("a bad name gets ERROR 4 and a close")
def bad_names(context: Context) -> None:
    for name in ["", "a" * 33, "é" * 33, "a\nb", "a\0b", "\x7f", "a\x85b"]:
        client = context.connect()
        client.send(packets.Hello(VERSION, name))
        client.expect(packets.Error, reason=packets.BAD_NAME)
        client.expect_closed()


@check("an empty name of length 0 is bad too")
def empty_name_of_length_0(context: Context) -> None:
    client = context.connect()
    client.send_raw(wire.frame(wire.u8(0) + wire.text(VERSION) + wire.i16(0)))
    client.expect(packets.Error, reason=packets.BAD_NAME)
    client.expect_closed()


@check("a name is counted in characters, not in bytes")
def long_names(context: Context) -> None:
    for name in ["a", "a" * 32, "é" * 32, "\U0001f527" * 32]:
        client = context.connect()
        client.greet(name)
        client.close()


@check("a HELLO that cannot be parsed closes without ERROR")
def malformed_hello(context: Context) -> None:
    name = wire.text("Nova_7")
    payloads = [
        b"",
        wire.text(VERSION),
        wire.text(VERSION) + wire.i16(6) + b"Nova_",
        wire.text(VERSION) + wire.i16(-2),
        wire.text(VERSION) + wire.i16(2) + b"\xc3\x28",
        wire.text("") + name,
        wire.text("v" * 65) + name,
    ]
    for payload in payloads:
        client = context.connect()
        client.send_raw(wire.frame(wire.u8(0) + payload))
        client.expect_closed()


@check("HELLO may grow at its end, and its version be 64 bytes long")
def newer_hello(context: Context) -> None:
    client = context.connect()
    client.send_raw(wire.frame(wire.u8(0) + wire.text("v" * 64) + wire.text("Nova_7") + b"newer"))
    client.greeted()


@check("TIME echoes any clock beside the server's, which never goes back")
def time_echo(context: Context) -> None:
    client = context.client()
    newest = 0
    for clock in [0, 123_456_789, -1, 2**63 - 1, -(2**63)]:
        client.send(packets.Time(clock))
        answer = client.wait_for(packets.TimeAnswer)
        demand(answer.echo == clock, f"{answer.echo}, where {clock} was due")
        demand(answer.server >= max(newest, 1), f"the server's clock went to {answer.server}")
        newest = answer.server
