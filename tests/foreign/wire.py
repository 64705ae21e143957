"""The wire's primitives: big-endian integers, strings and frames (protocol.md, its head and 1).

Works on bytes alone: no socket, no clock.
"""

from __future__ import annotations

import struct
from typing import Optional, Tuple, Union

#: The longest frame: its id and payload, without the length (protocol.md 1).
MAX_FRAME_BYTES = 65_536
#: The length that stands before each frame.
LENGTH_BYTES = 4


class Malformed(ValueError):
    """Bytes that protocol.md does not allow; says which field and why."""


class Reader:
    """Takes fields off the front of bytes; every short read is `Malformed`."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def take(self, count: int) -> bytes:
        """The next `count` bytes."""
        if count > len(self._data) - self._at:
            raise Malformed(f"{count} bytes wanted, {len(self._data) - self._at} left")
        taken = self._data[self._at : self._at + count]
        self._at += count
        return taken

    def rest(self) -> bytes:
        """Everything to the end."""
        return self.take(len(self._data) - self._at)

    def u8(self) -> int:
        """An unsigned byte."""
        return self.take(1)[0]

    def u16(self) -> int:
        """An unsigned 16-bit integer."""
        return int.from_bytes(self.take(2), "big")

    def i32(self) -> int:
        """A signed 32-bit integer."""
        return int.from_bytes(self.take(4), "big", signed=True)

    def i64(self) -> int:
        """A signed 64-bit integer."""
        return int.from_bytes(self.take(8), "big", signed=True)

    def text(self) -> str:
        """A `str`: -1 and 0 are the empty one, any other negative length is an error."""
        length = int.from_bytes(self.take(2), "big", signed=True)
        if length < -1:
            raise Malformed(f"a string of {length} bytes")
        try:
            return self.take(max(length, 0)).decode("utf-8")
        except UnicodeDecodeError as error:
            raise Malformed(f"a string that is not UTF-8: {error}") from error


def u8(value: int) -> bytes:
    """An unsigned byte."""
    return struct.pack(">B", value)


def u16(value: int) -> bytes:
    """An unsigned 16-bit integer."""
    return struct.pack(">H", value)


def i16(value: int) -> bytes:
    """A signed 16-bit integer."""
    return struct.pack(">h", value)


def i32(value: int) -> bytes:
    """A signed 32-bit integer."""
    return struct.pack(">i", value)


def i64(value: int) -> bytes:
    """A signed 64-bit integer."""
    return struct.pack(">q", value)


def text(value: str) -> bytes:
    """A `str`; the empty one is written as length -1."""
    encoded = value.encode("utf-8")
    return i16(len(encoded) or -1) + encoded


def frame(body: bytes) -> bytes:
    """A frame around an id and its payload."""
    return struct.pack(">I", len(body)) + body


def split_frame(received: Union[bytes, bytearray]) -> Optional[Tuple[bytes, int]]:
    """The first frame's body and how many bytes it took, or None while it is not whole."""
    if len(received) < LENGTH_BYTES:
        return None
    length = int.from_bytes(received[:LENGTH_BYTES], "big")
    if not 1 <= length <= MAX_FRAME_BYTES:
        raise Malformed(f"a frame of {length} bytes")
    end = LENGTH_BYTES + length
    if len(received) < end:
        return None
    return bytes(received[LENGTH_BYTES:end]), end
