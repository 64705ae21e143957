"""The packets in frames, both directions (protocol.md 1).

Each packet is a frozen dataclass with its id (and opcode), `fields()` to write it and `read()` to read
it. The field names are those of vectors.json. `decode` takes bytes past the last field for a newer
peer's and ignores them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Dict, Optional, Tuple, Type

import wire
from wire import Malformed, Reader

PARTY = 1

NO_SUCH_PARTY = 0
FULL = 1
ALREADY_IN_ONE = 2
NOT_IN_ONE = 3
BAD_NAME = 4
TOO_MANY_CONNECTIONS = 5
TOO_FAST = 6


@dataclass(frozen=True)
class Packet:
    """What every packet has."""

    ID: ClassVar[int]
    #: PARTY's opcode; None for the other packets.
    OPCODE: ClassVar[Optional[int]] = None

    def fields(self) -> bytes:
        """The payload after the id and the opcode."""
        return b""

    @classmethod
    def read(cls, reader: Reader) -> Packet:
        """The packet from its payload after the id and the opcode."""
        return cls()

    def encode(self) -> bytes:
        """The whole frame."""
        opcode = b"" if self.OPCODE is None else wire.u8(self.OPCODE)
        return wire.frame(wire.u8(self.ID) + opcode + self.fields())


# Client to server.


@dataclass(frozen=True)
class Hello(Packet):
    """The first frame of a connection."""

    ID = 0
    version: str
    name: str

    def fields(self) -> bytes:
        return wire.text(self.version) + wire.text(self.name)

    @classmethod
    def read(cls, reader: Reader) -> Hello:
        return cls(reader.text(), reader.text())


@dataclass(frozen=True)
class Create(Packet):
    """Makes a party."""

    ID, OPCODE = PARTY, 0
    description: str

    def fields(self) -> bytes:
        return wire.text(self.description)

    @classmethod
    def read(cls, reader: Reader) -> Create:
        return cls(reader.text())


@dataclass(frozen=True)
class Join(Packet):
    """Enters the party of a code."""

    ID, OPCODE = PARTY, 1
    code: str

    def fields(self) -> bytes:
        return wire.text(self.code)

    @classmethod
    def read(cls, reader: Reader) -> Join:
        return cls(reader.text())


@dataclass(frozen=True)
class Leave(Packet):
    """Leaves the party; it is not answered."""

    ID, OPCODE = PARTY, 2


@dataclass(frozen=True)
class Find(Packet):
    """Enters any party with room, or makes one."""

    ID, OPCODE = PARTY, 7


@dataclass(frozen=True)
class List(Packet):
    """Asks for the parties with room."""

    ID, OPCODE = PARTY, 8


@dataclass(frozen=True)
class Chat(Packet):
    """Says something to the party."""

    ID = 2
    text: str

    def fields(self) -> bytes:
        return wire.text(self.text)

    @classmethod
    def read(cls, reader: Reader) -> Chat:
        return cls(reader.text())


@dataclass(frozen=True)
class Data(Packet):
    """Bytes for a member (`target` 0: the host's to all the others)."""

    ID = 3
    target: int
    payload: bytes

    def fields(self) -> bytes:
        return wire.i32(self.target) + self.payload

    @classmethod
    def read(cls, reader: Reader) -> Data:
        return cls(reader.i32(), reader.rest())


@dataclass(frozen=True)
class Time(Packet):
    """Asks for the server's clock; `clock` in milliseconds."""

    ID = 5
    clock: int

    def fields(self) -> bytes:
        return wire.i64(self.clock)

    @classmethod
    def read(cls, reader: Reader) -> Time:
        return cls(reader.i64())


# Server to client.


@dataclass(frozen=True)
class HelloAnswer(Packet):
    """The session's id, 1 and up."""

    ID = 0
    session: int

    def fields(self) -> bytes:
        return wire.i32(self.session)

    @classmethod
    def read(cls, reader: Reader) -> HelloAnswer:
        session = reader.i32()
        if session < 1:
            raise Malformed(f"session {session}")
        return cls(session)


@dataclass(frozen=True)
class Info(Packet):
    """The party just entered; `members` are (id, name)."""

    ID, OPCODE = PARTY, 3
    code: str
    host: int
    members: Tuple[Tuple[int, str], ...]
    description: str

    def fields(self) -> bytes:
        members = b"".join(wire.i32(member) + wire.text(name) for member, name in self.members)
        head = wire.text(self.code) + wire.i32(self.host) + wire.u8(len(self.members))
        return head + members + wire.text(self.description)

    @classmethod
    def read(cls, reader: Reader) -> Info:
        code, host, count = reader.text(), reader.i32(), reader.u8()
        members = tuple((reader.i32(), reader.text()) for _ in range(count))
        return cls(code, host, members, reader.text())


@dataclass(frozen=True)
class Joined(Packet):
    """Someone entered the party."""

    ID, OPCODE = PARTY, 4
    id: int
    name: str

    def fields(self) -> bytes:
        return wire.i32(self.id) + wire.text(self.name)

    @classmethod
    def read(cls, reader: Reader) -> Joined:
        return cls(reader.i32(), reader.text())


@dataclass(frozen=True)
class Left(Packet):
    """Someone left the party."""

    ID, OPCODE = PARTY, 5
    id: int

    def fields(self) -> bytes:
        return wire.i32(self.id)

    @classmethod
    def read(cls, reader: Reader) -> Left:
        return cls(reader.i32())


@dataclass(frozen=True)
class End(Packet):
    """The party is over."""

    ID, OPCODE = PARTY, 6


#: A party in a list: code, host's name, members, size, description.
Row = Tuple[str, str, int, int, str]


@dataclass(frozen=True)
class ListAnswer(Packet):
    """The parties with room, newest first."""

    ID, OPCODE = PARTY, 8
    rows: Tuple[Row, ...]

    def fields(self) -> bytes:
        written = wire.u16(len(self.rows))
        for code, host, members, size, description in self.rows:
            written += wire.text(code) + wire.text(host) + wire.u8(members) + wire.u8(size)
            written += wire.text(description)
        return written

    @classmethod
    def read(cls, reader: Reader) -> ListAnswer:
        count = reader.u16()
        return cls(
            tuple(
                (reader.text(), reader.text(), reader.u8(), reader.u8(), reader.text())
                for _ in range(count)
            )
        )


@dataclass(frozen=True)
class ChatAnswer(Packet):
    """What `sender` said."""

    ID = 2
    sender: int
    text: str

    def fields(self) -> bytes:
        return wire.i32(self.sender) + wire.text(self.text)

    @classmethod
    def read(cls, reader: Reader) -> ChatAnswer:
        return cls(reader.i32(), reader.text())


@dataclass(frozen=True)
class DataAnswer(Packet):
    """Bytes from `sender`."""

    ID = 3
    sender: int
    payload: bytes

    def fields(self) -> bytes:
        return wire.i32(self.sender) + self.payload

    @classmethod
    def read(cls, reader: Reader) -> DataAnswer:
        return cls(reader.i32(), reader.rest())


@dataclass(frozen=True)
class Error(Packet):
    """A refusal; `reason` is one of this module's constants."""

    ID = 4
    reason: int

    def fields(self) -> bytes:
        return wire.u8(self.reason)

    @classmethod
    def read(cls, reader: Reader) -> Error:
        return cls(reader.u8())


@dataclass(frozen=True)
class TimeAnswer(Packet):
    """TIME's clock back, and the server's, in milliseconds."""

    ID = 5
    echo: int
    server: int

    def fields(self) -> bytes:
        return wire.i64(self.echo) + wire.i64(self.server)

    @classmethod
    def read(cls, reader: Reader) -> TimeAnswer:
        return cls(reader.i64(), reader.i64())


@dataclass(frozen=True)
class Udp(Packet):
    """The token for datagrams and their port (0: the same as TCP's)."""

    ID = 6
    token: int
    port: int

    def fields(self) -> bytes:
        return wire.i64(self.token) + wire.u16(self.port)

    @classmethod
    def read(cls, reader: Reader) -> Udp:
        return cls(reader.i64(), reader.u16())


Key = Tuple[int, Optional[int]]


def _table(*packets: Type[Packet]) -> Dict[Key, Type[Packet]]:
    return {(packet.ID, packet.OPCODE): packet for packet in packets}


#: What a client may send.
CLIENT_TO_SERVER = _table(Hello, Create, Join, Leave, Find, List, Chat, Data, Time)
#: What a server may send.
SERVER_TO_CLIENT = _table(
    HelloAnswer, Info, Joined, Left, End, ListAnswer, ChatAnswer, DataAnswer, Error, TimeAnswer, Udp
)


def decode(body: bytes, direction: Dict[Key, Type[Packet]]) -> Packet:
    """The packet in a frame's body; one that is not the direction's is `Malformed`."""
    reader = Reader(body)
    packet_id = reader.u8()
    opcode = reader.u8() if packet_id == PARTY else None
    packet = direction.get((packet_id, opcode))
    if packet is None:
        raise Malformed(f"packet {packet_id}, opcode {opcode}")
    return packet.read(reader)
