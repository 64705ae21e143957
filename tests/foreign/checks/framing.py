"""Frames and payloads that are not allowed: each closes its own connection and no other."""

from __future__ import annotations

from typing import List

import packets
import wire
from client import Client
from harness import Context, check


def _each_closes(context: Context, frames: List[bytes]) -> None:
    bystander = context.client("Bystander")
    for sent in frames:
        client: Client = context.client()
        client.send_raw(sent)
        client.expect_closed()
        client.close()
        bystander.alive()


@check("a frame of length 0 or over 65,536 closes only its connection")
def bad_lengths(context: Context) -> None:
    lengths = [0, wire.MAX_FRAME_BYTES + 1, 2**31, 2**32 - 1]
    _each_closes(context, [length.to_bytes(4, "big") for length in lengths])


@check("a frame of 65,536 bytes is taken")
def longest_frame(context: Context) -> None:
    client = context.outsider()
    client.send(packets.Data(0, bytes(wire.MAX_FRAME_BYTES - 5)))
    client.expect(packets.Error, reason=packets.NOT_IN_ONE)
    client.fence()


@check("an unknown packet id closes only its connection")
def unknown_ids(context: Context) -> None:
    _each_closes(context, [wire.frame(bytes([packet_id]) + bytes(8)) for packet_id in (7, 64, 255)])


@check("an unknown PARTY opcode, or none, closes only its connection")
def unknown_opcodes(context: Context) -> None:
    _each_closes(context, [wire.frame(b"\x01" + opcode) for opcode in (b"", b"\x09", b"\xff")])


@check("a packet that only a server sends closes only its connection")
def server_only(context: Context) -> None:
    sent: List[packets.Packet] = [
        packets.Info("H7KQ2M", 1, ((1, "Nova_7"),), ""),
        packets.Joined(1, "Nova_7"),
        packets.Left(1),
        packets.End(),
        packets.Error(0),
        packets.Udp(1, 0),
    ]
    _each_closes(context, [packet.encode() for packet in sent])


@check("a payload too short closes only its connection")
def short_payloads(context: Context) -> None:
    bodies = [
        b"\x01\x00",  # CREATE without its description
        b"\x01\x00\x00\x05abc",
        b"\x01\x01\x00",  # JOIN with half a length
        b"\x02",  # CHAT without its text
        b"\x03\x00\x00\x00",  # DATA with three quarters of a target
        b"\x05" + bytes(7),  # TIME without its last byte
    ]
    _each_closes(context, [wire.frame(body) for body in bodies])


@check("a text out of range closes only its connection")
def texts_out_of_range(context: Context) -> None:
    sent: List[packets.Packet] = [
        packets.Create("d" * 257),
        packets.Create("a\nb"),
        packets.Create("a\x85b"),
        packets.Join(""),
        packets.Join("A" * 17),
        packets.Chat(""),
        packets.Chat("é" * 129),
        packets.Chat("a\tb"),
    ]
    raw = [wire.frame(b"\x02\xff\xfe"), wire.frame(b"\x02\x00\x02\xc3\x28")]
    _each_closes(context, [packet.encode() for packet in sent] + raw)


@check("bytes past the known fields are ignored")
def newer_packets(context: Context) -> None:
    client = context.outsider()
    client.send_raw(wire.frame(b"\x05" + wire.i64(77) + b"newer"))
    client.expect(packets.TimeAnswer, echo=77)
    client.send_raw(wire.frame(b"\x01\x08newer"))
    client.expect(packets.ListAnswer)
    client.send_raw(wire.frame(b"\x01\x00" + wire.text("New game") + b"newer"))
    client.expect(packets.Info)
    client.send_raw(wire.frame(b"\x02" + wire.text("hello") + b"newer"))
    client.expect(packets.ChatAnswer, text="hello")
    client.send_raw(wire.frame(b"\x01\x02newer"))
    client.fence()
