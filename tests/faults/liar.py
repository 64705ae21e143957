"""A server that lies: each connection gets another of what no server says, some in a party, some before. Says
where it listens, and at its end what it did how often. Ends by itself.

    liar.py SECONDS SEED
"""

import collections
import random
import socket
import struct
import sys
import time

COUNTS = collections.Counter()
EXTREMES = [0, 1, -1, (1 << 63) - 1, -(1 << 63)]


def text(words):
    return struct.pack(">h", len(words)) + words


def frame(packet, payload=b""):
    return struct.pack(">IB", 1 + len(payload), packet) + payload


def hello(session):
    return frame(0, struct.pack(">i", session))


def info(host, members, code=b"H7KQ2M", description=b"New game"):
    rows = b"".join(struct.pack(">i", id) + text(name) for id, name in members)
    return frame(1, b"\3" + text(code) + struct.pack(">iB", host, len(members)) + rows + text(description))


class Liar:
    def __init__(self, seed, port):
        self.random = random.Random(seed)
        self.port = port

    def bytes(self, most):
        return self.random.randbytes(self.random.randrange(most))

    # Each yields what is sent next, after a right greeting.

    def noise(self):
        yield self.bytes(5_000)

    def lengths(self):
        length = self.random.choice([0, 65_537, 1 << 31, (1 << 32) - 1])
        yield struct.pack(">I", length) + self.bytes(100)

    def packets(self):
        for _ in range(200):
            yield frame(self.random.randrange(10), self.bytes(60))

    def parties(self):
        """In parties of odd members, into which odd ones come."""
        odd = [b"", b"\0\n", b"x" * 300, "\u202eNova".encode(), b"\xff\xfe"]
        for _ in range(100):
            some = [(self.random.choice([7, 0, -1, 8, 9]), self.random.choice([b"Orbit", *odd]))]
            yield info(self.random.choice([7, 8, 99]), some * self.random.randrange(6))
            yield frame(1, b"\4" + struct.pack(">i", self.random.randrange(-1, 9)) + text(some[0][1]))
            yield frame(1, b"\5" + struct.pack(">i", self.random.randrange(-1, 9)))
            yield frame(1, b"\6")

    def games(self):
        """In a party of a host's that says whatever comes to its mind."""
        yield info(8, [(7, b"Alex"), (8, b"Orbit")])
        build = self.random.choice([b"", b"0.7.0/1.2.0/PLAY-00001", self.bytes(200)])
        size = self.random.choice([0, 1, 60_000, 262_144, 1 << 30])
        yield frame(3, struct.pack(">iBiBii", 8, 4, 3, 1, -1, size) + text(build))
        for _ in range(400):
            kind = self.random.randrange(1, 70)
            message = bytes([kind]) + struct.pack(">ii", 3, self.random.randrange(-1, 20)) + self.bytes(90)
            yield frame(3, struct.pack(">i", self.random.choice([8, 8, 8, 7, 99])) + message)

    def lists(self):
        row = text(b"222222") + text(b"x" * 30) + b"\1\4" + text(b"New game")
        yield frame(1, b"\x08" + struct.pack(">H", 65_535) + row * 1_200)
        yield frame(1, b"\x08" + struct.pack(">H", 1_200) + row * 1_200)

    def clocks(self):
        for _ in range(100):
            yield frame(5, struct.pack(">qq", self.random.choice(EXTREMES), self.random.choice(EXTREMES)))

    def errors(self):
        for reason in range(20):
            yield frame(4, bytes([reason]))

    def floods(self):
        """More than a game takes in while it stands still."""
        yield info(8, [(7, b"Alex"), (8, b"Orbit")])
        for _ in range(100):
            yield frame(3, struct.pack(">i", 8) + bytes([7]) + bytes(60_000))
            yield frame(2, struct.pack(">i", 8) + text(b"Flood"))

    def drip(self):
        for byte in info(8, [(7, b"Alex"), (8, b"Orbit")]):
            time.sleep(0.01)
            yield bytes([byte])

    def serve(self, stream, datagrams, name):
        stream.settimeout(0.2)
        stream.recv(4_096)
        greeting = self.random.random() < 0.9
        if greeting:
            stream.sendall(hello(7) + frame(6, struct.pack(">qH", 5, self.port)))
        for part in getattr(self, name)():
            stream.sendall(part)
        # What it says by datagram comes to the address that its BIND came from.
        datagrams.settimeout(0.05)
        try:
            _, game = datagrams.recvfrom(2_000)
            for _ in range(50):
                datagrams.sendto(bytes([self.random.randrange(3)]) + self.bytes(1_400), game)
        except TimeoutError:
            pass
        if self.random.random() < 0.3:
            stream.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


LIES = ["games", "parties", "floods", "lists", "packets", "clocks", "noise", "errors", "lengths", "drip"]


def sockets():
    """A port that is free for both, and what listens there."""
    for _ in range(64):
        listener = socket.create_server(("127.0.0.1", 0))
        datagrams = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        try:
            datagrams.bind(listener.getsockname())
            return listener, datagrams, listener.getsockname()[1]
        except OSError:
            listener.close()
            datagrams.close()
    sys.exit("no port is free for TCP and UDP")


def main():
    seconds, seed = sys.argv[1:]
    listener, datagrams, port = sockets()
    listener.settimeout(0.2)
    print(f"listening on 127.0.0.1:{port}", flush=True)
    liar, end, number = Liar(int(seed), port), time.monotonic() + float(seconds), 0
    while time.monotonic() < end:
        try:
            stream, _ = listener.accept()
        except TimeoutError:
            continue
        name = LIES[number % len(LIES)]
        number += 1
        with stream:
            try:
                liar.serve(stream, datagrams, name)
            except OSError:
                COUNTS["left"] += 1
        COUNTS[name] += 1
    print("lies:", ", ".join(f"{name} {count}" for name, count in sorted(COUNTS.items())), flush=True)


if __name__ == "__main__":
    main()
