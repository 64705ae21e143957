"""Writes captures (pcap) of an OpenRAC client and server: IPv4 packets, raw, as Wireshark reads them."""

from __future__ import annotations

import struct
from typing import List

PORT = 7770
CLIENT_PORT = 50_000
#: pcap's link type for packets that begin with their IP header.
LINKTYPE_RAW = 101
_CLIENT, _SERVER = bytes([127, 0, 0, 2]), bytes([127, 0, 0, 1])
_TCP, _UDP = 6, 17


class Capture:
    """Packets in order; each adding gives the packet's number in the capture, from 1."""

    def __init__(self) -> None:
        self._packets: List[bytes] = []
        self._next = {True: 1, False: 1}

    def tcp(self, up: bool, payload: bytes) -> int:
        """A segment of the one TCP connection; `up`: from the client."""
        ports = struct.pack(">HH", *self._ports(up, PORT))
        head = struct.pack(">IIBBHHH", self._next[up], self._next[not up], 5 << 4, 0x18, 65_535, 0, 0)
        self._next[up] += len(payload)
        return self._ip(up, _TCP, ports + head + payload)

    def udp(self, up: bool, payload: bytes, port: int = PORT) -> int:
        """A datagram; `port` is the server's."""
        head = struct.pack(">HHHH", *self._ports(up, port), 8 + len(payload), 0)
        return self._ip(up, _UDP, head + payload)

    def encode(self) -> bytes:
        """The file."""
        head = struct.pack(">IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65_535, LINKTYPE_RAW)
        return head + b"".join(
            struct.pack(">IIII", number, 0, len(packet), len(packet)) + packet
            for number, packet in enumerate(self._packets)
        )

    @staticmethod
    def _ports(up: bool, port: int) -> List[int]:
        return [CLIENT_PORT, port] if up else [port, CLIENT_PORT]

    def _ip(self, up: bool, protocol: int, payload: bytes) -> int:
        ends = _CLIENT + _SERVER if up else _SERVER + _CLIENT
        head = struct.pack(">BBHHHBBH", 0x45, 0, 20 + len(payload), 0, 0, 64, protocol, 0)
        self._packets.append(head + ends + payload)
        return len(self._packets)
