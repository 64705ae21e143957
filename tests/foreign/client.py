"""A client of the party server over real sockets: one TCP connection, and its datagrams.

Every wait has a deadline and ends at a socket's event; nothing sleeps. A game behind a direct host
sends its own DATA and state when it likes: whatever does not begin with `TEST_KIND` is taken for that
and passed over.
"""

from __future__ import annotations

import itertools
import socket
import time
from dataclasses import dataclass
from typing import Dict, Optional, Type, TypeVar, Union

import datagrams
import packets
import wire
from datagrams import Bind, BindAnswer, FromServer, State, StateAnswer
from packets import Packet

#: How long a wait may take, in seconds, before what was waited for counts as never coming.
DEADLINE_S = 5.0
#: The version greeted with.
VERSION = "rac1-multiplayer/0.7.0"
#: The first byte of all the DATA and state sent here: a kind no mod knows, so that a game ignores it.
TEST_KIND = 0xF0

#: What a socket's wait raises at its deadline (one class since Python 3.10).
TIMED_OUT = (TimeoutError, socket.timeout)

P = TypeVar("P", bound=Packet)
D = TypeVar("D", BindAnswer, StateAnswer)
_clocks = itertools.count(1)


class Unexpected(Exception):
    """The server did something else than what protocol.md says."""


class Closed(Exception):
    """The server closed the connection."""


@dataclass(frozen=True)
class Address:
    """A numeric address and a port."""

    host: str
    port: int

    @property
    def family(self) -> socket.AddressFamily:
        """IPv4 or IPv6."""
        return socket.AF_INET6 if ":" in self.host else socket.AF_INET

    @staticmethod
    def parse(given: str) -> Address:
        """From `ADDR:PORT` or `[ADDR]:PORT`; ValueError for anything else."""
        host, colon, port = given.rpartition(":")
        if not colon or not 1 <= int(port) <= 65_535:
            raise ValueError(f"not ADDR:PORT: {given}")
        if host.startswith("[") and host.endswith("]"):
            host = host[1:-1]
        return Address(host, int(port))

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


class Client:
    """One TCP connection to a server. Until `greet` it has said nothing."""

    def __init__(
        self, server: Address, source: Optional[str] = None, receive_buffer: Optional[int] = None
    ) -> None:
        """Connects, from the address `source` if one is given, with a receive buffer of that size."""
        self.server = server
        self.session = 0
        self.token = 0
        #: Where datagrams go, and the port as UDP named it (0: the same as TCP's).
        self.udp = server
        self.udp_port = 0
        #: The party entered last; None before the first.
        self.info: Optional[packets.Info] = None
        self._received = bytearray()
        self._socket = socket.socket(server.family, socket.SOCK_STREAM)
        try:
            if receive_buffer is not None:
                self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
            self._socket.settimeout(DEADLINE_S)
            if source is not None:
                self._socket.bind((source, 0))
            self._socket.connect((server.host, server.port))
            self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        except OSError:
            self._socket.close()
            raise

    # Sending.

    def send(self, *sent: Packet) -> None:
        """Sends packets in one write."""
        self.send_raw(b"".join(packet.encode() for packet in sent))

    def send_raw(self, sent: bytes, timeout_s: float = DEADLINE_S) -> None:
        """Sends bytes as they are."""
        self._socket.settimeout(timeout_s)
        try:
            self._socket.sendall(sent)
        except (BrokenPipeError, ConnectionResetError) as error:
            raise Closed("closed while sending") from error

    # Receiving.

    def receive(self, timeout_s: float = DEADLINE_S) -> Packet:
        """The next packet, whatever it is; `Closed` at the connection's end, else TimeoutError."""
        deadline = time.monotonic() + timeout_s
        while True:
            split = wire.split_frame(self._received)
            if split is not None:
                body, taken = split
                del self._received[:taken]
                return packets.decode(body, packets.SERVER_TO_CLIENT)
            self._fill(deadline)

    def next(self, timeout_s: float = DEADLINE_S) -> Packet:
        """The next packet that is not the game's own DATA."""
        deadline = time.monotonic() + timeout_s
        while True:
            packet = self.receive(deadline - time.monotonic())
            if not (isinstance(packet, packets.DataAnswer) and _is_the_games(packet.payload)):
                return packet

    def expect(self, kind: Type[P], **fields: object) -> P:
        """The next packet, which must be of that kind and have these values."""
        try:
            packet = self.next()
        except TIMED_OUT:
            raise Unexpected(f"no {kind.__name__} within {DEADLINE_S:g} s") from None
        except Closed:
            raise Unexpected(f"closed, where {kind.__name__} was due") from None
        if not _is(packet, kind, fields):
            raise Unexpected(f"{packet}, where {kind.__name__} {fields or ''} was due")
        assert isinstance(packet, kind)
        return packet

    def wait_for(self, kind: Type[P], **fields: object) -> P:
        """The first packet of that kind and with these values; others before it are passed over."""
        deadline = time.monotonic() + DEADLINE_S
        while True:
            try:
                packet = self.next(deadline - time.monotonic())
            except TIMED_OUT:
                raise Unexpected(f"no {kind.__name__} {fields or ''} came") from None
            except Closed:
                raise Unexpected(f"closed, where {kind.__name__} was waited for") from None
            if isinstance(packet, kind) and _is(packet, kind, fields):
                return packet

    def expect_closed(self) -> None:
        """The connection's end, and no packet before it."""
        try:
            packet = self.next()
        except Closed:
            return
        except TIMED_OUT:
            raise Unexpected(f"still open after {DEADLINE_S:g} s") from None
        raise Unexpected(f"{packet}, where a close was due")

    def wait_closed(self, timeout_s: float) -> None:
        """The connection's end within that time, whatever comes before it."""
        deadline = time.monotonic() + timeout_s
        try:
            while True:
                self.receive(deadline - time.monotonic())
        except Closed:
            return
        except TIMED_OUT:
            raise Unexpected(f"still open after {timeout_s:g} s") from None

    # Conversations.

    def greet(self, name: str = "Nova_7") -> None:
        """HELLO, and the server's HELLO and UDP."""
        self.send(packets.Hello(VERSION, name))
        self.greeted()

    def greeted(self) -> None:
        """Takes the server's HELLO and UDP after a HELLO sent by other means."""
        self.session = self.expect(packets.HelloAnswer).session
        udp = self.expect(packets.Udp)
        self.token, self.udp_port = udp.token, udp.port
        self.udp = Address(self.server.host, udp.port or self.server.port)

    def fence(self) -> None:
        """Sees that the server has nothing else for this client: TIME's echo is the next packet."""
        clock = next(_clocks)
        self.send(packets.Time(clock))
        self.expect(packets.TimeAnswer, echo=clock)

    def alive(self) -> None:
        """Sees that the server still serves this client, whatever else comes."""
        clock = next(_clocks)
        self.send(packets.Time(clock))
        self.wait_for(packets.TimeAnswer, echo=clock)

    def close(self) -> None:
        """Closes, and waits until the server has noticed, so that it no longer counts this one."""
        try:
            self._socket.shutdown(socket.SHUT_WR)
            self.wait_closed(DEADLINE_S)
        except (OSError, Unexpected, wire.Malformed):
            pass  # It is closed either way, below.
        finally:
            self._socket.close()

    def _fill(self, deadline: float) -> None:
        self._socket.settimeout(max(deadline - time.monotonic(), 0.001))
        try:
            received = self._socket.recv(65_536)
        except ConnectionResetError as error:
            raise Closed("reset") from error
        if not received:
            if self._received:
                raise Unexpected("closed inside a frame")
            raise Closed("closed")
        self._received += received


class Datagrams:
    """A UDP socket with a client's session and token. Connected: it hears nobody but the server."""

    def __init__(self, client: Client, to: Optional[Address] = None) -> None:
        """To the client's server, at `to` if that is given."""
        to = to or client.udp
        self._session, self._token = client.session, client.token
        self._socket = socket.socket(to.family, socket.SOCK_DGRAM)
        self._socket.connect((to.host, to.port))

    def send_raw(self, sent: bytes) -> None:
        """Sends a datagram as it is."""
        self._socket.send(sent)

    def bind(self, heard: Optional[int] = 1, size: int = datagrams.MAX_DATAGRAM_BYTES) -> None:
        """Sends a BIND and takes its answer."""
        self.send_raw(Bind(self._session, self._token, heard, size).encode())
        self.expect(BindAnswer, size=size - datagrams.HEAD_BYTES)

    def state(self, target: int, sent: bytes) -> None:
        """Sends STATE."""
        self.send_raw(State(self._session, self._token, target, sent).encode())

    def receive(self, timeout_s: float = DEADLINE_S) -> FromServer:
        """The next datagram, whatever it is."""
        self._socket.settimeout(max(timeout_s, 0.001))
        return datagrams.decode_from_server(self._socket.recv(65_536))

    def next(self, timeout_s: float = DEADLINE_S) -> FromServer:
        """The next datagram that is not the game's own state."""
        deadline = time.monotonic() + timeout_s
        while True:
            datagram = self.receive(deadline - time.monotonic())
            if not (isinstance(datagram, StateAnswer) and _is_the_games(datagram.payload)):
                return datagram

    def expect(self, kind: Type[D], **fields: object) -> D:
        """The next datagram, which must be of that kind and have these values."""
        try:
            datagram = self.next()
        except TIMED_OUT:
            raise Unexpected(f"no {kind.__name__} {fields or ''} by datagram") from None
        if not isinstance(datagram, kind) or not _is(datagram, kind, fields):
            raise Unexpected(f"{datagram}, where {kind.__name__} {fields or ''} was due")
        return datagram

    def fence(self) -> None:
        """Sees that no datagram is under way to here: a BIND's answer is the next.

        Twice, with sizes of their own, so that an answer to an earlier one is not taken for it.
        """
        self.bind(size=41)
        self.bind(size=42)

    def close(self) -> None:
        """Closes the socket."""
        self._socket.close()


def _is_the_games(sent: bytes) -> bool:
    return not sent.startswith(bytes([TEST_KIND]))


def _is(got: Union[Packet, FromServer], kind: type, fields: Dict[str, object]) -> bool:
    return isinstance(got, kind) and all(getattr(got, name) == value for name, value in fields.items())
