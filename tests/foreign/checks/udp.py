"""BIND and STATE, and the datagrams that get nothing."""

from __future__ import annotations

from typing import List

import packets
from client import Address, Client, Datagrams
from datagrams import HEAD_BYTES, MAX_DATAGRAM_BYTES, Bind, State, StateAnswer
from harness import DIRECT, RELAY, Context, Skipped, check, message


def _none_is_answered(context: Context, client: Client, sent: List[bytes]) -> None:
    udp = context.datagrams(client)
    udp.bind()
    for datagram in sent:
        udp.send_raw(datagram)
        udp.fence()
    client.alive()


@check("BIND's answer is as large as the BIND from its kind on")
def bind_answer_sizes(context: Context) -> None:
    udp = context.datagrams(context.client())
    udp.bind(heard=None, size=HEAD_BYTES + 1)
    for size in (HEAD_BYTES + 2, 100, MAX_DATAGRAM_BYTES):
        for heard in (0, 1):
            udp.bind(heard, size)
    udp.fence()


@check("a datagram with a wrong token is not answered")
def wrong_token(context: Context) -> None:
    client = context.client()
    tokens = [client.token ^ 1, client.token ^ (1 << 62), 0, -1]
    sent = [Bind(client.session, token, 1, 100).encode() for token in tokens]
    sent += [State(client.session, token, 0, message(1)).encode() for token in tokens]
    _none_is_answered(context, client, sent)


@check("a datagram of an unknown session is not answered")
def unknown_session(context: Context) -> None:
    client, other = context.client(), context.client()
    sessions = [0, -1, other.session, 2**31 - 1]
    sent = [Bind(session, client.token, 1, 100).encode() for session in sessions]
    _none_is_answered(context, client, sent)


@check("a token ends with its connection")
def token_ends(context: Context) -> None:
    client, gone = context.client(), context.client()
    old = Bind(gone.session, gone.token, 1, 100).encode()
    gone.close()
    _none_is_answered(context, client, [old])


@check("a datagram over 1,200 bytes is dropped")
def oversize(context: Context) -> None:
    client = context.client()
    sizes = (MAX_DATAGRAM_BYTES + 1, 1_400, 9_000)
    _none_is_answered(
        context, client, [Bind(client.session, client.token, 1, size).encode() for size in sizes]
    )


@check("a malformed datagram is dropped")
def malformed(context: Context) -> None:
    client = context.client()
    whole = Bind(client.session, client.token).encode()
    head = whole[:HEAD_BYTES]
    sent = [whole[:size] for size in range(len(whole))]
    sent += [head + kind for kind in (b"\x02", b"\xff")]
    sent += [head + b"\x00" + heard for heard in (b"\x02", b"\xff")]
    sent += [head + b"\x01" + bytes(size) for size in range(4)]
    _none_is_answered(context, client, sent)


@check("STATE from one in no party is dropped")
def state_out_of_party(context: Context) -> None:
    client = context.outsider()
    udp = context.datagrams(client)
    udp.bind()
    udp.state(0, message(1))
    udp.fence()
    client.fence()


@check("STATE from a member does not come back to it", only=DIRECT)
def state_not_back(context: Context) -> None:
    client = context.client()
    udp = context.datagrams(client)
    udp.bind()
    udp.state(client.session, message(1))
    udp.fence()
    client.fence()


@check("STATE goes by datagram both ways to who has bound and heard", only=RELAY)
def state_both_ways(context: Context) -> None:
    host, member = context.party(2)
    from_host, from_member = context.datagrams(host), context.datagrams(member)
    from_host.bind()
    from_member.bind()
    from_member.state(0, message(1))
    from_host.expect(StateAnswer, sender=member.session, payload=message(1))
    from_host.state(member.session, message(2))
    from_member.expect(StateAnswer, sender=host.session, payload=message(2))
    from_host.state(0, message(3))
    from_member.expect(StateAnswer, sender=host.session, payload=message(3))
    host.fence()
    member.fence()


@check("STATE goes as DATA to who has not bound, or has not heard", only=RELAY)
def state_as_data(context: Context) -> None:
    host, member = context.party(2)
    from_host, from_member = context.datagrams(host), context.datagrams(member)
    from_host.state(0, message(1))
    member.expect(packets.DataAnswer, sender=host.session, payload=message(1))
    from_member.bind(heard=0)
    from_host.state(0, message(2))
    member.expect(packets.DataAnswer, sender=host.session, payload=message(2))
    from_member.bind(heard=1)
    from_host.state(0, message(3))
    from_member.expect(StateAnswer, sender=host.session, payload=message(3))
    from_member.bind(heard=0)
    from_host.state(0, message(4))
    member.expect(packets.DataAnswer, sender=host.session, payload=message(4))
    from_member.bind(heard=None, size=HEAD_BYTES + 1)
    from_host.state(0, message(5))
    from_member.expect(StateAnswer, sender=host.session, payload=message(5))
    member.fence()


@check("STATE is routed as DATA is", only=RELAY)
def state_routing(context: Context) -> None:
    clients = context.party(3)
    host, first, second = clients
    from_host, from_first, from_second = (context.datagrams(client) for client in clients)
    for udp in (from_host, from_first, from_second):
        udp.bind()
    from_first.state(second.session, message(1))
    from_host.expect(StateAnswer, sender=first.session, payload=message(1))
    from_host.state(first.session, message(2))
    from_host.state(host.session, message(3))
    from_host.state(0, message(4))
    from_first.expect(StateAnswer, sender=host.session, payload=message(2))
    for udp in (from_first, from_second):
        udp.expect(StateAnswer, sender=host.session, payload=message(4))
    from_host.fence()
    for client in clients:
        client.fence()


@check("STATE of 1,200 bytes passes", only=RELAY)
def largest_state(context: Context) -> None:
    host, member = context.party(2)
    from_host, from_member = context.datagrams(host), context.datagrams(member)
    from_member.bind()
    sent = message(1) + bytes(MAX_DATAGRAM_BYTES - HEAD_BYTES - 5 - len(message(1)))
    from_host.state(0, sent)
    from_member.expect(StateAnswer, sender=host.session, payload=sent)


def _swap(context: Context, host: Client, member: Client) -> List[Datagrams]:
    udp = [context.datagrams(host), context.datagrams(member), context.datagrams(member)]
    udp[1].bind()
    return udp


@check("STATE from another address is taken and moves nothing", only=RELAY)
def state_moves_nothing(context: Context) -> None:
    host, member = context.party(2)
    from_host, bound, other = _swap(context, host, member)
    from_host.bind()
    other.state(0, message(1))
    from_host.expect(StateAnswer, sender=member.session, payload=message(1))
    from_host.state(0, message(2))
    bound.expect(StateAnswer, sender=host.session, payload=message(2))


@check("a BIND from another address moves the client there", only=RELAY)
def bind_moves(context: Context) -> None:
    host, member = context.party(2)
    from_host, bound, other = _swap(context, host, member)
    other.bind()
    from_host.state(0, message(1))
    other.expect(StateAnswer, sender=host.session, payload=message(1))
    bound.bind()
    from_host.state(0, message(2))
    bound.expect(StateAnswer, sender=host.session, payload=message(2))


@check("answers leave from the address that was asked")
def answers_from_the_asked(context: Context) -> None:
    client = context.client()
    other = Address(context.other_loopback(2), context.server.port)
    try:
        Client(other).close()
    except OSError:
        raise Skipped("the server listens on one address") from None
    # The socket is connected: an answer from any other address would not get through.
    context.datagrams(client, Address(other.host, client.udp.port)).bind()
