"""What checks are made of: a registry, and the clients a check makes, closed when it ends."""

from __future__ import annotations

import socket
from dataclasses import dataclass
from typing import Any, Callable, List, Optional

import packets
import wire
from client import TEST_KIND, Address, Client, Closed, Datagrams, Unexpected
from packets import Data

RELAY = "relay"
DIRECT = "direct"
#: A party's members at most, the host included (protocol.md 1).
PARTY_SIZE = 4
#: Connections an address, and a direct host's clients (protocol.md 1).
CONNECTIONS = 8


class Skipped(Exception):
    """The check cannot be made here; says why."""


class Context:
    """One check's server and clients."""

    def __init__(self, server: Address, mode: str) -> None:
        self.server = server
        self.mode = mode
        self._open: List[Any] = []

    def connect(self, source: Optional[str] = None, receive_buffer: Optional[int] = None) -> Client:
        """A connection that has not said HELLO."""
        client = Client(self.server, source, receive_buffer)
        self._open.append(client)
        return client

    def client(self, name: str = "Nova_7", **options: Any) -> Client:
        """A greeted client; a direct host has put it in its party, if that has room."""
        client = self.connect(**options)
        client.greet(name)
        if self.mode == DIRECT:
            entered = client.next()
            if isinstance(entered, packets.Info):
                client.info = entered
            elif entered != packets.Error(packets.FULL):
                raise Unexpected(f"{entered}, where INFO or ERROR 1 was due")
        return client

    def insider(self) -> Client:
        """A greeted client in a party: its own, or a direct host's."""
        client = self.client()
        if client.info is None:
            client.send(packets.Create(""))
            client.info = client.expect(packets.Info)
        return client

    def outsider(self, name: str = "Nova_7") -> Client:
        """A greeted client in no party."""
        client = self.client(name)
        if client.info is not None:
            client.send(packets.Leave())
            client.fence()
        return client

    def party(self, members: int, **options: Any) -> List[Client]:
        """A relay's party: the host, then the members. All that was said at joining is taken."""
        host = self.client("Host", **options)
        host.send(packets.Create("New game"))
        host.info = host.expect(packets.Info)
        clients = [host]
        for number in range(1, members):
            member = self.client(f"Member_{number}", **options)
            member.send(packets.Join(host.info.code))
            member.info = member.expect(packets.Info)
            for other in clients:
                other.expect(packets.Joined, id=member.session)
            clients.append(member)
        return clients

    def datagrams(self, client: Client, to: Optional[Address] = None) -> Datagrams:
        """A UDP socket for a client; it has not bound yet."""
        made = Datagrams(client, to)
        self._open.append(made)
        return made

    def other_loopback(self, last: int) -> str:
        """A second address of this machine's loopback, 127.0.0.`last`."""
        if not self.server.host.startswith("127."):
            raise Skipped("wants a server on 127.0.0.1")
        address = f"127.0.0.{last}"
        with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
            try:
                probe.bind((address, 0))
            except OSError:
                raise Skipped("this system's loopback has one address") from None
        return address

    def close(self) -> None:
        """Closes everything, the last made first."""
        while self._open:
            self._open.pop().close()


@dataclass(frozen=True)
class Check:
    """A named check; it passes if `body` returns."""

    name: str
    body: Callable[[Context], None]
    modes: List[str]
    #: Takes seconds because time itself is what it checks.
    slow: bool
    #: May run beside the other checks that may: it waits most of the time, and has one or two clients.
    beside: bool

    def run(self, server: Address, mode: str) -> Optional[str]:
        """None if it passed, else what was wrong. `Skipped` goes through."""
        context = Context(server, mode)
        try:
            self.body(context)
        except (Unexpected, Closed, wire.Malformed, OSError) as error:
            return f"{error}" if isinstance(error, Unexpected) else f"{type(error).__name__}: {error}"
        finally:
            context.close()
        return None


#: All checks, in the order they were written.
CHECKS: List[Check] = []


def check(
    name: str, *, only: Optional[str] = None, slow: bool = False, beside: bool = False
) -> Callable[[Callable[[Context], None]], Callable[[Context], None]]:
    """Registers a check, for both modes or only for one."""

    def register(body: Callable[[Context], None]) -> Callable[[Context], None]:
        CHECKS.append(Check(name, body, [only] if only else [RELAY, DIRECT], slow, beside))
        return body

    return register


def demand(holds: bool, otherwise: str) -> None:
    """Fails the check unless `holds`."""
    if not holds:
        raise Unexpected(otherwise)


def message(number: int) -> bytes:
    """Bytes for DATA and STATE that no game takes for its own."""
    return bytes([TEST_KIND]) + wire.i32(number)


def data(target: int, number: int) -> Data:
    """DATA with `message`."""
    return Data(target, message(number))
