"""The vectors (vectors.json) through this client's encoders and decoders."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any, Dict, List, Union

import datagrams
import packets
import wire
from client import Unexpected

VECTORS = Path(__file__).resolve().parents[2] / "crates/mp-protocol/tests/vectors.json"

Decoded = Union[packets.Packet, datagrams.FromClient, datagrams.FromServer]


def load() -> List[Dict[str, Any]]:
    """All vectors, as the file has them."""
    loaded: List[Dict[str, Any]] = json.loads(VECTORS.read_text(encoding="utf-8"))
    return loaded


def check() -> int:
    """Decodes and encodes each frame and datagram; how many there were."""
    checked = [vector for vector in load() if vector["where"] != "game"]
    for vector in checked:
        encoded = bytes.fromhex(vector["hex"])
        decoded = decode(vector["where"], encoded)
        got = as_json(decoded)
        wrong = {
            name: got.get(name) for name, value in vector["fields"].items() if got.get(name) != value
        }
        if wrong:
            raise Unexpected(f"{vector['message']}: decoded to {wrong}")
        if decoded.encode() != encoded:
            raise Unexpected(f"{vector['message']}: encoded to {decoded.encode().hex()}")
    return len(checked)


def decode(where: str, encoded: bytes) -> Decoded:
    """What a vector's bytes mean."""
    if where == "datagram c2s":
        return datagrams.decode_from_client(encoded)
    if where == "datagram s2c":
        return datagrams.decode_from_server(encoded)
    split = wire.split_frame(encoded)
    if split is None or split[1] != len(encoded):
        raise Unexpected("not one whole frame")
    directions = {"frame c2s": packets.CLIENT_TO_SERVER, "frame s2c": packets.SERVER_TO_CLIENT}
    return packets.decode(split[0], directions[where])


def as_json(decoded: Decoded) -> Dict[str, Any]:
    """A packet's fields as vectors.json writes them: bytes and tokens in hex, tuples as lists."""
    fields = dataclasses.asdict(decoded)
    if "payload" in fields:
        fields["bytes"] = fields.pop("payload")
    for name, value in list(fields.items()):
        if name == "token":
            fields[name] = wire.i64(value).hex()
        elif isinstance(value, bytes):
            fields[name] = value.hex()
        elif isinstance(value, tuple):
            fields[name] = [list(row) for row in value]
    return fields
