"""DATA and CHAT between a party's members."""

from __future__ import annotations

import packets
from harness import RELAY, Context, check, data, message


@check("the host's DATA to 0 reaches all the others", only=RELAY)
def host_to_all(context: Context) -> None:
    host, first, second = context.party(3)
    host.send(data(0, 1))
    for member in (first, second):
        member.expect(packets.DataAnswer, sender=host.session, payload=message(1))
        member.fence()
    host.fence()


@check("the host's DATA to one reaches that one alone", only=RELAY)
def host_to_one(context: Context) -> None:
    host, first, second = context.party(3)
    host.send(data(first.session, 1), data(0, 2))
    first.expect(packets.DataAnswer, sender=host.session, payload=message(1))
    for member in (first, second):
        member.expect(packets.DataAnswer, sender=host.session, payload=message(2))


@check("a member's DATA reaches the host alone, whatever its target", only=RELAY)
def member_to_host(context: Context) -> None:
    host, first, second = context.party(3)
    targets = [0, host.session, second.session, first.session, -1, 2**31 - 1]
    first.send(*(data(target, number) for number, target in enumerate(targets)))
    for number in range(len(targets)):
        host.expect(packets.DataAnswer, sender=first.session, payload=message(number))
    host.send(data(0, 99))
    for member in (first, second):
        member.expect(packets.DataAnswer, sender=host.session, payload=message(99))


@check("the host's DATA to itself or to no member is dropped", only=RELAY)
def host_to_nobody(context: Context) -> None:
    host, member = context.party(2)
    _, stranger = context.party(2)
    host.send(*(data(target, 1) for target in (host.session, stranger.session, -1, 2**31 - 1)))
    host.send(data(0, 2))
    member.expect(packets.DataAnswer, sender=host.session, payload=message(2))
    host.fence()
    stranger.fence()


@check("DATA carries from no byte to a frame full", only=RELAY)
def data_sizes(context: Context) -> None:
    host, member = context.party(2)
    for size in (1, 2, 1_200, 60_000, 65_531):
        sent = (message(size) + bytes(index % 251 for index in range(size)))[:size]
        host.send(packets.Data(0, sent))
        member.expect(packets.DataAnswer, sender=host.session, payload=sent)
        member.send(packets.Data(0, sent))
        host.expect(packets.DataAnswer, sender=member.session, payload=sent)


@check("DATA keeps its order", only=RELAY)
def data_order(context: Context) -> None:
    host, member = context.party(2)
    member.send(*(data(0, number) for number in range(200)))
    for number in range(200):
        host.expect(packets.DataAnswer, sender=member.session, payload=message(number))


@check("DATA from one in no party gets ERROR 3")
def data_out_of_party(context: Context) -> None:
    client = context.outsider()
    client.send(data(0, 1))
    client.expect(packets.Error, reason=packets.NOT_IN_ONE)
    client.fence()


@check("CHAT from one in no party gets ERROR 3")
def chat_out_of_party(context: Context) -> None:
    client = context.outsider()
    client.send(packets.Chat("anyone?"))
    client.expect(packets.Error, reason=packets.NOT_IN_ONE)
    client.fence()


@check("CHAT reaches everyone, the sender too", only=RELAY)
def chat(context: Context) -> None:
    clients = context.party(3)
    for sender in clients:
        sender.send(packets.Chat("héllo"))
        for client in clients:
            client.expect(packets.ChatAnswer, sender=sender.session, text="héllo")
    for client in clients:
        client.fence()


@check("CHAT of 256 bytes is taken")
def longest_chat(context: Context) -> None:
    client = context.insider()
    client.send(packets.Chat("é" * 128))
    client.expect(packets.ChatAnswer, sender=client.session, text="é" * 128)
