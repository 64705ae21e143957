"""The rates, whose buckets start with two seconds' worth; strikes, ERROR 6 and the close at ten."""

from __future__ import annotations

import time
from typing import Callable, List, Type

import packets
from client import DEADLINE_S, Client, Closed, Datagrams, Unexpected
from datagrams import Bind
from harness import Context, check, data, demand
from packets import Packet

#: Rates a second (protocol.md 1).
ASKS, CHATS, FRAMES, DATAGRAMS = 4, 4, 200, 300
BYTES = 1 << 20
#: Strikes in 10 seconds that close a connection.
STRIKES = 10


def _answers_until_error_6(client: Client, answer: Type[Packet], send: Callable[[], None]) -> int:
    """Calls `send` again and again; how many answers came before the first ERROR 6."""
    answers = 0
    deadline = time.monotonic() + DEADLINE_S
    while time.monotonic() < deadline:
        send()
        # The echo of a TIME would do as a mark, but it is itself held to the rate: read what is there.
        while True:
            try:
                packet = client.next(0.005)
            except OSError:
                break
            if packet == packets.Error(packets.TOO_FAST):
                return answers
            answers += isinstance(packet, answer)
    raise Unexpected("no ERROR 6 came")


def _in_bounds(passed: int, rate: float, since: float, slack: int) -> None:
    """The two seconds' worth passed, and no more than what the time since then refilled."""
    most = rate * (2 + time.monotonic() - since) + slack
    demand(2 * rate - slack <= passed <= most, f"{passed} passed, where {2 * rate:g} to {most:.0f} may")


def _burst(context: Context, client: Client, ask: Packet, answer: Type[Packet], rate: int) -> None:
    since = time.monotonic()
    client.send(*[ask] * (2 * rate + 2))
    passed = _answers_until_error_6(client, answer, lambda: client.send(ask))
    _in_bounds(passed, rate, since, 0)


@check("LIST over 4 a second gets ERROR 6")
def list_rate(context: Context) -> None:
    _burst(context, context.client(), packets.List(), packets.ListAnswer, ASKS)


@check("LIST, JOIN, FIND and CREATE share one rate")
def asks_share(context: Context) -> None:
    client = context.insider()
    since = time.monotonic()
    asks: List[Packet] = [packets.Join("IO01IO"), packets.Find(), packets.Create("")]
    for ask in asks * 2:
        client.send(ask)
        client.expect(packets.Error, reason=packets.ALREADY_IN_ONE)
    passed = _answers_until_error_6(client, packets.ListAnswer, lambda: client.send(packets.List()))
    left = 2 * ASKS - len(asks) * 2
    most = left + ASKS * (time.monotonic() - since)
    demand(passed <= most, f"{passed} LIST passed, where {most:.1f} may")


@check("CHAT over 4 a second gets ERROR 6")
def chat_rate(context: Context) -> None:
    client = context.insider()
    _burst(context, client, packets.Chat("hello"), packets.ChatAnswer, CHATS)


@check("ten strikes close, with one ERROR 6 before")
def ten_strikes(context: Context) -> None:
    client, bystander = context.client(), context.client("Bystander")
    since = time.monotonic()
    sent = 2 * ASKS + STRIKES - 1
    client.send(*[packets.List()] * sent)
    answers = errors = 0
    try:
        while time.monotonic() < since + 2 * DEADLINE_S:
            try:
                packet = client.next(0.1)
            except OSError:
                client.send(packets.List())
                sent += 1
                continue
            answers += isinstance(packet, packets.ListAnswer)
            errors += packet == packets.Error(packets.TOO_FAST)
        raise Unexpected("still open")
    except Closed:
        pass
    demand(errors == 1, f"{errors} ERROR 6")
    # One sent while the last strike's close was on its way is no fault.
    strikes = sent - answers
    demand(STRIKES <= strikes <= STRIKES + 1, f"closed at {strikes} strikes")
    _in_bounds(answers, ASKS, since, 0)
    bystander.alive()


@check("a connection may send 200 frames a second")
def frame_rate(context: Context) -> None:
    client = context.client()
    since = time.monotonic()
    client.send(*[packets.Time(0)] * (2 * FRAMES - 10))
    passed = _answers_until_error_6(
        client, packets.TimeAnswer, lambda: client.send(*[packets.Time(0)] * 10)
    )
    # HELLO may have been counted too.
    _in_bounds(passed, FRAMES, since, 1)


@check("a connection may send 1 MiB a second")
def byte_rate(context: Context) -> None:
    client = context.outsider()
    large = packets.Data(0, bytes(65_531))
    since = time.monotonic()
    client.send(*[large] * (2 * BYTES // 65_540))
    passed = _answers_until_error_6(client, packets.Error, lambda: client.send(large))
    # Whether the length before a frame counts is a matter of 4 bytes in 65,540.
    _in_bounds(passed, BYTES / 65_540, since, 2)


@check("a connection may send 300 datagrams a second")
def datagram_rate(context: Context) -> None:
    client = context.client()
    udp = context.datagrams(client)
    since = time.monotonic()
    answered = 0
    while _batch_is_answered(client, udp):
        answered += 30
        demand(time.monotonic() < since + DEADLINE_S, "no ERROR 6 came")
    client.wait_for(packets.Error, reason=packets.TOO_FAST)
    _in_bounds(answered, DATAGRAMS, since, 30)


def _batch_is_answered(client: Client, udp: Datagrams) -> bool:
    """Sends 30 BINDs and takes their answers; few enough that no socket's buffer is over-full."""
    for _ in range(30):
        udp.send_raw(Bind(client.session, client.token, 1).encode())
    try:
        for _ in range(30):
            udp.next(0.5)
    except OSError:
        return False
    return True


@check("a malformed frame closes over the rate too")
def parsed_first(context: Context) -> None:
    client = context.client()
    client.send(*[packets.List()] * (2 * ASKS + 3))
    client.wait_for(packets.Error, reason=packets.TOO_FAST)
    client.alive()
    client.send(packets.Join(""))
    client.expect_closed()


@check("over the rate, CHAT and DATA out of a party get ERROR 6, not ERROR 3")
def limits_before_state(context: Context) -> None:
    client = context.outsider()
    since = time.monotonic()
    client.send(*[packets.Chat("hello")] * (2 * CHATS + 2))
    passed = _answers_until_error_6(client, packets.Error, lambda: client.send(packets.Chat("hello")))
    _in_bounds(passed, CHATS, since, 0)
    client.send(data(0, 1))
    client.wait_for(packets.Error, reason=packets.NOT_IN_ONE)
