#!/usr/bin/env python3
"""Runs the dissector in tshark over a capture made of the vectors; says so and passes without tshark.

Every vector must show its name and its fields, and no valid one may be marked malformed; every vector
cut by its last byte must be marked, unless the protocol allows it to end there.
"""

from __future__ import annotations

import json
import shutil
import struct
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Dict, List, Tuple

sys.dont_write_bytecode = True

from capture import Capture  # noqa: E402

HERE = Path(__file__).resolve().parent
VECTORS = HERE.parents[1] / "crates/mp-protocol/tests/vectors.json"

#: What a row of a vector's list is called in a filter, by the list.
ROWS = {
    ("state", "rows"): ["rows.id", "rows.flag"],
    ("links", "rows"): ["rows.id", "rows.ping", "rows.udp"],
    ("list", "rows"): ["rows.code", "rows.host", "rows.members", "rows.size", "rows.description"],
    ("info", "members"): ["members.id", "members.name"],
    ("killed", "keys"): ["keys.key"],
    ("despawn", "nets"): ["nets.net"],
    ("dead", "dead"): ["dead"],
}
AXES = {"position": "xyz", "rotation": "xyz", "velocity": "xyz", "aim": "xyzw"}
BYTE_LISTS = ("items", "gold_bolts", "planets")
#: Vectors that are valid without their last byte too: of bytes to the end, or of padding.
CUT_IS_VALID = {"chunk", "bind, full size and heard"}

Expected = Dict[str, List[str]]
Shown = Dict[str, List[str]]


def name_of(vector: Dict[str, Any]) -> str:
    """A vector's message as the dissector's tables name it, in lower case."""
    name: str = vector["message"].split(",")[0].replace(" answer", "").replace(" datagram", "")
    return name.replace(" ", "_")


def expected(vector: Dict[str, Any]) -> Expected:
    """The filters a vector must show, with their values."""
    name, where = name_of(vector), vector["where"]
    prefix = "datagram" if where.startswith("datagram") else name
    due: Expected = {}
    for field, value in vector["fields"].items():
        filter_name = f"openrac.{prefix}.{field}"
        if field == "size" and prefix == "datagram":
            continue  # The datagram's own, not a field in it.
        if field == "token":
            due[filter_name] = ["(hidden)"]
        elif field in AXES and isinstance(value, list):
            due.update({f"{filter_name}.{axis}": [str(part)] for axis, part in zip(AXES[field], value)})
        elif field in BYTE_LISTS:
            due[filter_name] = [bytes(value).hex()]
        elif isinstance(value, list):
            columns = ROWS[(name, field)]
            rows = [row if isinstance(row, list) else [row] for row in value]
            for index, column in enumerate(columns):
                due[f"openrac.{prefix}.{column}"] = [str(row[index]) for row in rows]
        else:
            due[filter_name] = [str(value)]
    upper = name.upper()
    if where == "game":
        due["openrac.message"] = [upper]
    elif where.startswith("datagram"):
        due["openrac.datagram"] = ["BIND answer" if vector["message"] == "bind answer" else upper]
    else:
        party = {"create", "join", "leave", "find", "list", "info", "joined", "left", "end"}
        due["openrac.packet"] = [f"PARTY {upper}" if name in party else upper]
    return due


def frame(body: bytes) -> bytes:
    """A frame around an id and its payload."""
    return struct.pack(">I", len(body)) + body


def add(capture: Capture, vector: Dict[str, Any], cut: int = 0) -> List[int]:
    """Adds a vector, shorter by `cut` bytes, wherever it may travel; the packets' numbers."""
    encoded, where = bytes.fromhex(vector["hex"]), vector["where"]
    encoded = encoded[: len(encoded) - cut]
    up = where.endswith("c2s")
    if where.startswith("frame"):
        return [capture.tcp(up, frame(encoded[4:]))]
    if where.startswith("datagram"):
        return [capture.udp(up, encoded)]
    someone = struct.pack(">i", 9)
    client = struct.pack(">iq", 7, 0x1122334455667788)
    return [
        capture.tcp(True, frame(b"\x03" + someone + encoded)),
        capture.tcp(False, frame(b"\x03" + someone + encoded)),
        capture.udp(True, client + b"\x01" + someone + encoded),
        capture.udp(False, b"\x01" + someone + encoded),
    ]


def tshark(capture: Capture, *arguments: str) -> str:
    """What tshark prints for a capture."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "openrac.pcap"
        path.write_bytes(capture.encode())
        command = [
            "tshark",
            "-n",
            "-X",
            f"lua_script:{HERE / 'openrac.lua'}",
            "-r",
            str(path),
            *arguments,
        ]
        ran = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=120)
    if ran.returncode != 0 or "Lua" in ran.stderr:
        raise SystemExit(f"tshark failed ({ran.returncode}):\n{ran.stderr}")
    return ran.stdout


def show(capture: Capture, filters: List[str]) -> List[Shown]:
    """Each packet's values of the filters, in order."""
    columns = [*filters, "openrac.malformed", "_ws.expert.message", "_ws.lua.error"]
    arguments = ["-T", "fields", "-E", "separator=/t", "-E", "aggregator=|", "-E", "occurrence=a"]
    for column in columns:
        arguments += ["-e", column]
    lines = tshark(capture, *arguments).split("\n")[:-1]
    packets = [
        {name: text.split("|") for name, text in zip(columns, line.split("\t")) if text}
        for line in lines
    ]
    for packet in packets:
        if "_ws.lua.error" in packet:
            raise SystemExit(f"the dissector failed: {packet}")
    return packets


def same(due: List[str], shown: List[str]) -> bool:
    """Whether values are the same, numbers as numbers."""

    def number(text: str) -> Any:
        try:
            return float(int(text, 16)) if text.startswith("0x") else float(text)
        except ValueError:
            return text.replace(":", "")

    return [number(text) for text in due] == [number(text) for text in shown]


def check_whole(vectors: List[Dict[str, Any]]) -> List[str]:
    """Every vector shows its name and fields and is not marked."""
    capture, added = Capture(), []
    for vector in vectors:
        added += [(number, vector) for number in add(capture, vector)]
    filters = sorted({name for vector in vectors for name in expected(vector)})
    packets = show(capture, filters)
    wrong = []
    for number, vector in added:
        shown = packets[number - 1]
        for name, values in expected(vector).items():
            if not same([value for value in values if value], shown.get(name, [])):
                wrong.append(f"{vector['message']}: {name} is {shown.get(name)}, not {values}")
        if "openrac.malformed" in shown:
            wrong.append(f"{vector['message']}: marked malformed: {shown['_ws.expert.message']}")
    return wrong


def check_cut(vectors: List[Dict[str, Any]]) -> List[str]:
    """Every vector without its last byte is marked, but for those that may end there."""
    capture, added = Capture(), []
    for vector in vectors:
        if vector["message"] != "bind answer":  # Nothing would be left of it.
            added += [(number, vector) for number in add(capture, vector, cut=1)]
    packets = show(capture, [])
    return [
        f"{vector['message']} cut by a byte: {'not ' if valid else ''}to be taken"
        for number, vector in added
        for valid in [vector["message"] in CUT_IS_VALID]
        if valid == ("openrac.malformed" in packets[number - 1])
    ]


def samples() -> List[Tuple[str, bool, bytes, bool]]:
    """What, whether by TCP, bytes from the client, and whether they are malformed."""
    head = struct.pack(">iq", 7, 1)
    pose = b"\x07" + struct.pack(">iHqbB9f3h4Bh", 9, 1, 0, 4, 0, *[0.0] * 9, 0, 0, 0, 0, 0, 0, 0, 0)

    def posed(x: float) -> bytes:
        return head + b"\x01" + bytes(4) + pose[:17] + struct.pack(">f", x) + pose[21:]

    return [
        ("an unknown packet", True, frame(b"\x07"), True),
        ("an unknown opcode", True, frame(b"\x01\x09"), True),
        ("a server's packet from a client", True, frame(b"\x04\x00"), True),
        ("a control character in chat", True, frame(b"\x02\x00\x02a\n"), True),
        ("chat that is not UTF-8", True, frame(b"\x02\x00\x02\xc3\x28"), True),
        ("a string of -2 bytes", True, frame(b"\x02\xff\xfe"), True),
        ("a newer TIME", True, frame(b"\x05" + bytes(8) + b"newer"), False),
        ("a newer kind of message", True, frame(b"\x03" + bytes(4) + b"\x18\x00"), False),
        ("DATA of nothing", True, frame(b"\x03" + bytes(4)), True),
        ("a datagram's unknown kind", False, head + b"\x02", True),
        ("heard above 1", False, head + b"\x00\x02", True),
        ("a datagram of 1,201 bytes", False, head + bytes(1_189), True),
        ("a pose", False, posed(1.0), False),
        ("a pose that is not finite", False, posed(float("nan")), True),
        ("a pose too far out", False, posed(100_001.0), True),
        ("a frame of length 0", True, bytes(4), True),
    ]


def check_samples() -> List[str]:
    """What is malformed is marked, and what is only newer is not."""
    capture = Capture()
    added = [
        (what, is_malformed, (capture.tcp if by_tcp else capture.udp)(True, sent))
        for what, by_tcp, sent, is_malformed in samples()
    ]
    packets = show(capture, [])
    return [
        f"{what}: {'not ' if is_malformed else ''}marked malformed"
        for what, is_malformed, number in added
        if is_malformed != ("openrac.malformed" in packets[number - 1])
    ]


def check_segments() -> List[str]:
    """Frames split over segments and several in one are found; a UDP port is learned."""
    capture = Capture()
    chat = frame(b"\x02\x00\x05hello")
    time = frame(b"\x05" + struct.pack(">q", 77))
    capture.tcp(True, chat[:3])
    whole = capture.tcp(True, chat[3:] + time + chat[:6])
    last = capture.tcp(True, chat[6:])
    capture.tcp(False, frame(b"\x06" + struct.pack(">qH", 1, 9_000)))
    learned = capture.udp(True, struct.pack(">iqB", 7, 1, 0), port=9_000)
    packets = show(capture, ["openrac.packet", "openrac.datagram"])
    wrong = []
    for number, name, due in (
        (whole, "openrac.packet", ["CHAT", "TIME"]),
        (last, "openrac.packet", ["CHAT"]),
        (learned, "openrac.datagram", ["BIND"]),
    ):
        if packets[number - 1].get(name) != due:
            wrong.append(f"packet {number}: {packets[number - 1]}, where {due} was due")
    return wrong


def check_hidden(vectors: List[Dict[str, Any]]) -> List[str]:
    """No token shows in the details."""
    capture = Capture()
    for vector in vectors:
        if "token" in vector["fields"]:
            add(capture, vector)
    details = tshark(capture, "-V")
    token = 0x1122334455667788
    hidden = details.count("(hidden)") == 4
    return [] if hidden and f"{token:x}" not in details and str(token) not in details else [details]


def main() -> int:
    """Makes all checks; the exit code."""
    if shutil.which("tshark") is None:
        print("tshark is not installed: the dissector is not tested")
        return 0
    vectors = json.loads(VECTORS.read_text(encoding="utf-8"))
    wrong = (
        check_whole(vectors)
        + check_cut(vectors)
        + check_samples()
        + check_segments()
        + check_hidden(vectors)
    )
    for line in wrong:
        print(line)
    print(f"{len(vectors)} vectors, {len(wrong)} faults")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
