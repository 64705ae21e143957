"""Attacks a server or a direct host for a while, from addresses of this machine's own, with all that needs
no key: each kind of attack over and over, at once. Says how often it tried each. Ends by itself, with an
error if nobody took the connections.

    attacks.py HOST:PORT CODE SECONDS SEED

CODE is the party that one attacker joins, to say what is malformed; `-`: it is in one after its HELLO.
"""

import collections
import random
import select
import socket
import struct
import sys
import threading
import time

COUNTS = collections.Counter()
# HELLO, PARTY, CHAT, DATA, TIME
HELLO, PARTY, CHAT, DATA, TIME = 0, 1, 2, 3, 5
CREATE, JOIN, LEAVE, FIND, LIST = 0, 1, 2, 7, 8


def text(words):
    return struct.pack(">h", len(words)) + words


def frame(packet, payload=b""):
    return struct.pack(">IB", 1 + len(payload), packet) + payload


def greeting(name):
    return frame(HELLO, text(b"rac1-multiplayer/0.7.0") + text(name))


class Attacker:
    """What all attacks share: where, until when, and chances of their own."""

    def __init__(self, to, code, end, seed, number):
        self.to, self.code, self.end = to, code, end
        self.random = random.Random(seed * 1000 + number)
        self.own = f"127.0.{number + 1}.{seed % 200 + 2}"

    def goes_on(self):
        return time.monotonic() < self.end

    def connect(self):
        stream = socket.socket()
        stream.bind((self.own, 0))
        stream.settimeout(2)
        stream.connect(self.to)
        COUNTS["connections"] += 1
        return stream

    def said(self, data, patience=0.05):
        """Says that on a connection of its own, hears the answer, and goes."""
        with self.connect() as stream:
            stream.sendall(data)
            stream.settimeout(patience)
            try:
                return stream.recv(65536)
            except TimeoutError:
                return b""

    def bytes(self, most):
        return self.random.randbytes(self.random.randrange(most))

    def session(self, name):
        """A connection that was greeted, its session and its token."""
        stream = self.connect()
        stream.sendall(greeting(name))
        heard, session, token = b"", None, None
        while token is None:
            came = stream.recv(65536)
            if not came:
                raise ConnectionError("it was turned away")
            heard += came
            while len(heard) >= 4 and len(heard) >= 4 + struct.unpack(">I", heard[:4])[0]:
                length = struct.unpack(">I", heard[:4])[0]
                body, heard = heard[4 : 4 + length], heard[4 + length :]
                if body[0] == 0:
                    session = struct.unpack(">i", body[1:5])[0]
                elif body[0] == 6:
                    token = struct.unpack(">q", body[1:9])[0]
        return stream, session, token

    # Each of these is one try.

    def parts(self):
        """A greeting cut anywhere, and then gone, or reset."""
        whole = greeting(b"Parts")
        with self.connect() as stream:
            stream.sendall(whole[: self.random.randrange(len(whole))])
            if self.random.random() < 0.5:
                stream.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))

    def lengths(self):
        """Frames of no length, of too much, of more than there is memory."""
        length = self.random.choice([0, 65_537, 1 << 24, (1 << 31) - 1, 1 << 31, (1 << 32) - 1])
        before = greeting(b"Lengths") if self.random.random() < 0.5 else b""
        self.said(before + struct.pack(">I", length) + self.bytes(600))

    def noise(self):
        """Bytes of chance, and what other protocols begin with."""
        others = [b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", b"\x16\x03\x01\x02\x00\x01", b"SSH-2.0-x\r\n"]
        self.said(self.random.choice([*others, self.bytes(4096)]))

    def packets(self):
        """Right frames of wrong packets, after a greeting or before."""
        some = b"".join(
            frame(self.random.randrange(256), self.bytes(40)) for _ in range(self.random.randrange(1, 6))
        )
        before = greeting(b"Packets") if self.random.random() < 0.7 else b""
        self.said(before + some)

    def drip(self):
        """A greeting, a byte at a time."""
        with self.connect() as stream:
            for byte in greeting(b"Dripping"):
                if not self.goes_on():
                    return
                stream.sendall(bytes([byte]))
                time.sleep(0.2)

    def flood(self):
        """One packet over and over, as fast as it goes, none of the answers read."""
        packet = self.random.choice(
            [
                frame(PARTY, bytes([CREATE]) + text(b"Flood")),
                frame(PARTY, bytes([JOIN]) + text(b"222222")),
                frame(PARTY, bytes([FIND])),
                frame(PARTY, bytes([LIST])),
                frame(PARTY, bytes([LEAVE])),
                frame(CHAT, text(b"Flood")),
                frame(DATA, struct.pack(">i", 0) + bytes(60_000)),
                frame(TIME, struct.pack(">q", 1)),
            ]
        )
        with self.connect() as stream:
            stream.sendall(greeting(b"Flood"))
            for _ in range(3000):
                stream.sendall(packet)

    def codes(self):
        """Guesses of a party's code."""
        letters = b"23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
        guess = bytes(self.random.choice(letters) for _ in range(6))
        self.said(greeting(b"Guess") + frame(PARTY, bytes([JOIN]) + text(guess)))

    def datagrams(self):
        """In everyone's name, with tokens of chance; of every length and kind."""
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as out:
            out.bind((self.own, 0))
            for session in range(0, 40):
                token = self.random.choice([0, -1, 1, self.random.getrandbits(63)])
                kind = self.random.choice([0, 1, 1, self.random.randrange(256)])
                rest = self.bytes(self.random.choice([3, 60, 1_300, 60_000]))
                whole = struct.pack(">iqB", session, token, kind) + rest
                cut = self.random.random() < 0.3
                out.sendto(whole[: self.random.randrange(13)] if cut else whole, self.to)
                answered, _, _ = select.select([out], [], [], 0)
                if answered:
                    COUNTS["ANSWERED"] += 1

    def replays(self):
        """A token of its own after its session is gone, and in others' names."""
        stream, session, token = self.session(b"Replay")
        stream.close()
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as out:
            out.bind((self.own, 0))
            time.sleep(0.1)
            for of in [session, *range(1, 30)]:
                out.sendto(struct.pack(">iqBB", of, token, 0, 1) + bytes(1_000), self.to)
            answered, _, _ = select.select([out], [], [], 0.2)
            if answered:
                COUNTS["ANSWERED"] += 1

    def member(self):
        """In the party: what no game says, from a member, by frame and by datagram."""
        stream, session, token = self.session(b"Mallory")
        with stream, socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as out:
            if self.code != "-":
                stream.sendall(frame(PARTY, bytes([JOIN]) + text(self.code.encode())))
            for _ in range(120):
                message = bytes([self.random.randrange(1, 70)]) + self.bytes(120)
                target = self.random.choice([0, 1, 2, 3, -1])
                stream.sendall(frame(DATA, struct.pack(">i", target) + message))
                out.sendto(struct.pack(">iqBi", session, token, 1, target) + message, self.to)
                time.sleep(0.01)


ATTACKS = ["parts", "lengths", "noise", "packets", *["drip"] * 5, "flood", "codes", "datagrams", "replays", "member"]


def run(attacker, name):
    while attacker.goes_on():
        try:
            getattr(attacker, name)()
        except OSError:
            # It was turned away, or closed: what an attacker is for.
            COUNTS["turned away"] += 1
        COUNTS[name] += 1
        time.sleep(0.02)


def main():
    place, code, seconds, seed = sys.argv[1:]
    host, port = place.rsplit(":", 1)
    end = time.monotonic() + float(seconds)
    threads = []
    for number, name in enumerate(ATTACKS):
        attacker = Attacker((host, int(port)), code, end, int(seed), number)
        threads.append(threading.Thread(target=run, args=(attacker, name)))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print("attacks:", ", ".join(f"{name} {count}" for name, count in sorted(COUNTS.items())), flush=True)
    missing = [name for name in ["connections", *ATTACKS] if not COUNTS[name]]
    if missing or COUNTS["ANSWERED"]:
        sys.exit(f"not tried: {missing}; answered to a wrong token: {COUNTS['ANSWERED']}")


if __name__ == "__main__":
    main()
