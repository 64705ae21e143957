"""What a server does after a time: these take about 20 seconds, side by side (they wait)."""

from __future__ import annotations

import time

import packets
from client import VERSION, Client, Closed, Unexpected
from datagrams import Bind, StateAnswer
from harness import RELAY, Context, check, demand, message

#: Seconds (protocol.md 1 and 2).
FRAME_S, SILENCE_S, BOUND_S = 10.0, 15.0, 15.0
#: How much later than the rule says a busy server may act.
LATE_S = 2.5


def _open_until(client: Client, moment: float) -> None:
    """Takes what comes until a moment of the monotonic clock; a close before is a failure."""
    while time.monotonic() < moment:
        try:
            client.receive(moment - time.monotonic())
        except Closed:
            raise Unexpected(f"closed {moment - time.monotonic():.1f} s before it was due") from None
        except OSError:
            return


def _closes_at(client: Client, since: float, after_s: float) -> None:
    """The close comes `after_s` after `since`, or a little later."""
    _open_until(client, since + after_s - 0.2)
    try:
        client.wait_closed(since + after_s + LATE_S - time.monotonic())
    except Unexpected:
        raise Unexpected(f"still open {after_s + LATE_S:g} s on, where {after_s:g} s close") from None


@check("15 seconds of silence close", slow=True, beside=True)
def silence(context: Context) -> None:
    since = time.monotonic()
    _closes_at(context.client(), since, SILENCE_S)


@check("datagrams and parts of frames do not break the silence", slow=True, beside=True)
def not_only_datagrams(context: Context) -> None:
    since = time.monotonic()
    client = context.client()
    udp = context.datagrams(client)
    for after_s in (3, 6, 9, 12):
        udp.send_raw(Bind(client.session, client.token, 1).encode())
        if after_s == 9:
            client.send_raw(packets.Time(1).encode()[:5])
        _open_until(client, since + after_s)
    _closes_at(client, since, SILENCE_S)


@check("TIME breaks the silence", slow=True, beside=True)
def time_keeps(context: Context) -> None:
    client = context.client()
    since = time.monotonic()
    for after_s in (6, 12, 18):
        _open_until(client, since + after_s)
        client.alive()


@check("a connection without HELLO closes after 10 seconds", slow=True, beside=True)
def no_hello(context: Context) -> None:
    since = time.monotonic()
    _closes_at(context.connect(), since, FRAME_S)


def _trickle(client: Client, sent: bytes, since: float) -> None:
    """Sends a byte a second until the close, which is due 10 seconds after `since`."""
    for index, byte in enumerate(sent[:9]):
        client.send_raw(bytes([byte]))
        _open_until(client, since + index + 1)
    _closes_at(client, since, FRAME_S)


@check("a HELLO not whole within 10 seconds closes", slow=True, beside=True)
def slow_hello(context: Context) -> None:
    since = time.monotonic()
    _trickle(context.connect(), packets.Hello(VERSION, "Nova_7").encode(), since)


@check("a frame not whole 10 seconds after its first byte closes", slow=True, beside=True)
def slow_frame(context: Context) -> None:
    client = context.client()
    _trickle(client, packets.Time(1).encode(), time.monotonic())


@check("STATE goes as DATA again 15 seconds after the newest BIND", only=RELAY, slow=True, beside=True)
def bind_ages(context: Context) -> None:
    host, member = context.party(2)
    from_host, from_member = context.datagrams(host), context.datagrams(member)
    from_member.bind()
    since = time.monotonic()
    for number, after_s in enumerate((6.0, BOUND_S - 1)):
        _open_until(member, since + after_s)
        host.alive()
        member.alive()
        from_host.state(0, message(number))
        from_member.expect(StateAnswer, sender=host.session, payload=message(number))
    _open_until(member, since + BOUND_S + 1)
    from_host.state(0, message(3))
    member.expect(packets.DataAnswer, sender=host.session, payload=message(3))


@check("a rate refills while nothing is sent", slow=True)
def refills(context: Context) -> None:
    client = context.client()
    client.send(*[packets.List()] * 10)
    client.wait_for(packets.Error, reason=packets.TOO_FAST)
    _open_until(client, time.monotonic() + 1.5)
    client.send(*[packets.List()] * 4)
    for _ in range(4):
        client.expect(packets.ListAnswer)
    client.fence()


@check("a party's host may send four times as much", only=RELAY, slow=True)
def host_rate(context: Context) -> None:
    (host,) = context.party(1)
    since = time.monotonic()
    sent = 0
    while sent < 1_800:
        host.send(*[packets.Time(0)] * 60)
        sent += 60
        _open_until_answered(host, 60)
        _open_until(host, since + sent / 700)
    host.fence()


def _open_until_answered(client: Client, count: int) -> None:
    for _ in range(count):
        answer = client.next()
        demand(isinstance(answer, packets.TimeAnswer), f"{answer}, where TIME was due")
