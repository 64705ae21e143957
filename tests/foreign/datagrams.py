"""The datagrams, both directions (protocol.md 2). Works on bytes alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional, Union

import wire
from wire import Malformed, Reader

#: The largest datagram, headers of ours included.
MAX_DATAGRAM_BYTES = 1_200
#: What stands before a client's kind: session and token.
HEAD_BYTES = 12

BIND = 0
STATE = 1


@dataclass(frozen=True)
class Bind:
    """Names the address the client is to be reached at; `size` is the whole datagram's, in bytes."""

    session: int
    token: int
    #: Whether datagrams reach the client; None leaves the byte out, as an older client does.
    heard: Optional[int] = None
    size: int = HEAD_BYTES + 1

    def encode(self) -> bytes:
        """The datagram, padded with zeros to `size`."""
        head = wire.i32(self.session) + wire.i64(self.token) + wire.u8(BIND)
        heard = b"" if self.heard is None else wire.u8(self.heard)
        return (head + heard).ljust(self.size, b"\0")


@dataclass(frozen=True)
class State:
    """State for a member (`target` 0: the host's to all the others)."""

    session: int
    token: int
    target: int
    payload: bytes

    def encode(self) -> bytes:
        """The datagram."""
        head = wire.i32(self.session) + wire.i64(self.token) + wire.u8(STATE)
        return head + wire.i32(self.target) + self.payload


@dataclass(frozen=True)
class BindAnswer:
    """The answer to a BIND: zeros, as many as the BIND had from its kind on."""

    size: int = 1

    def encode(self) -> bytes:
        """The datagram."""
        return bytes(self.size)


@dataclass(frozen=True)
class StateAnswer:
    """State from `sender`; stands for a DATA."""

    sender: int
    payload: bytes

    def encode(self) -> bytes:
        """The datagram."""
        return wire.u8(STATE) + wire.i32(self.sender) + self.payload


FromClient = Union[Bind, State]
FromServer = Union[BindAnswer, StateAnswer]


def decode_from_client(datagram: bytes) -> FromClient:
    """What a client sent."""
    _check_size(datagram)
    reader = Reader(datagram)
    session, token, kind = reader.i32(), reader.i64(), reader.u8()
    if kind == STATE:
        return State(session, token, reader.i32(), reader.rest())
    if kind != BIND:
        raise Malformed(f"kind {kind}")
    heard = reader.u8() if len(datagram) > HEAD_BYTES + 1 else None
    if heard not in (None, 0, 1):
        raise Malformed(f"heard {heard}")
    return Bind(session, token, heard, len(datagram))


def decode_from_server(datagram: bytes) -> FromServer:
    """What a server sent."""
    _check_size(datagram)
    reader = Reader(datagram)
    kind = reader.u8()
    if kind == STATE:
        return StateAnswer(reader.i32(), reader.rest())
    if kind != BIND or any(datagram):
        raise Malformed(f"kind {kind}, or an answer that is not zeros")
    return BindAnswer(len(datagram))


def _check_size(datagram: bytes) -> None:
    if len(datagram) > MAX_DATAGRAM_BYTES:
        raise Malformed(f"a datagram of {len(datagram)} bytes")
