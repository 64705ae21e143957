"""Joins two network namespaces by a link that this program is: what one sends into its TUN device comes out
of the other's, late, now and then not at all, or changed as told on stdin. Says the two namespaces' process
ids once they are up, then answers each command with its line. Ends with its stdin.

    namespaces.py DELAY_MS JITTER_MS LOSS_PERCENT SEED

    block nothing|all|udp|up|down|large    which packets do not pass: all of them, or of UDP's all, those of
                                           the second namespace, those to it, those of over 600 bytes
    rebind                                 the second one's UDP comes from other ports from now on, as behind
                                           a NAT that forgot
    count                                  how many packets passed, and how many were dropped
"""

import ctypes
import fcntl
import heapq
import os
import random
import select
import signal
import socket
import struct
import sys
import time

CLONE_NEWNET = 0x40000000
TUNSETIFF = 0x400454CA
IFF_TUN_NO_PI = 0x0001 | 0x1000
SIOCGIFFLAGS, SIOCSIFFLAGS = 0x8913, 0x8914
SIOCSIFADDR, SIOCSIFNETMASK, SIOCSIFMTU = 0x8916, 0x891C, 0x8922
IFF_UP = 1
MTU = 1400
UDP = 17
ADDRESSES = ["10.77.0.1", "10.77.0.2"]
LARGE = 600


def interface(name, fields):
    return struct.pack("16s", name.encode()) + fields.ljust(24, b"\0")


def address(text):
    return struct.pack("HH4s", socket.AF_INET, 0, socket.inet_aton(text))


def up(control, name):
    flags = struct.unpack("16xh", fcntl.ioctl(control, SIOCGIFFLAGS, interface(name, b""))[:18])[0]
    fcntl.ioctl(control, SIOCSIFFLAGS, interface(name, struct.pack("h", flags | IFF_UP)))


def namespace(own):
    """A process in a namespace of its own, and the device that leads out of it."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
    child = os.fork()
    if child:
        theirs.close()
        _, devices, _, _ = socket.recv_fds(ours, 1, 1)
        if not devices:
            sys.exit("a namespace has no device")
        return child, devices[0], ours
    ours.close()
    # Commands are the parent's.
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    if ctypes.CDLL(None, use_errno=True).unshare(CLONE_NEWNET) != 0:
        sys.exit("no namespace: " + os.strerror(ctypes.get_errno()))
    device = os.open("/dev/net/tun", os.O_RDWR)
    fcntl.ioctl(device, TUNSETIFF, struct.pack("16sH22x", b"tun0", IFF_TUN_NO_PI))
    control = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    fcntl.ioctl(control, SIOCSIFADDR, interface("tun0", address(own)))
    fcntl.ioctl(control, SIOCSIFNETMASK, interface("tun0", address("255.255.255.0")))
    fcntl.ioctl(control, SIOCSIFMTU, interface("tun0", struct.pack("i", MTU)))
    up(control, "tun0")
    up(control, "lo")
    socket.send_fds(theirs, [b"!"], [device])
    os.close(device)
    theirs.recv(1)
    os._exit(0)


class Link:
    def __init__(self, delay, jitter, loss, seed):
        self.delay, self.jitter, self.loss = delay / 1000, jitter / 1000, loss / 100
        self.random = random.Random(seed)
        self.blocked, self.shift = "nothing", 0
        self.passed = self.dropped = self.number = 0
        self.waiting = []

    def drops(self, packet, side):
        udp = packet[9] == UDP
        return (
            self.random.random() < self.loss
            or self.blocked == "all"
            or udp
            and (
                self.blocked == "udp"
                or self.blocked == "up" and side == 1
                or self.blocked == "down" and side == 0
                or self.blocked == "large" and len(packet) > LARGE
            )
        )

    def translated(self, packet, side):
        """The second namespace's ports of UDP, as the first one sees them, and back; None: nobody's."""
        if packet[9] != UDP:
            return packet
        head = (packet[0] & 15) * 4
        place = head if side == 1 else head + 2
        port = struct.unpack_from("!H", packet, place)[0]
        if side == 1:
            port = (port + self.shift) % 65536
        else:
            port = (port - self.shift) % 65536
        changed = bytearray(packet)
        struct.pack_into("!H", changed, place, port)
        # In IPv4 a checksum of zero is none.
        struct.pack_into("!H", changed, head + 6, 0)
        return bytes(changed)

    def take(self, packet, side, now):
        if packet[0] >> 4 != 4 or self.drops(packet, side):
            self.dropped += 1
            return
        self.number += 1
        at = now + self.delay + self.random.uniform(0, self.jitter)
        heapq.heappush(self.waiting, (at, self.number, 1 - side, self.translated(packet, side)))

    def obey(self, line):
        words = line.split()
        if words[:1] == ["block"]:
            self.blocked = words[1]
        elif words == ["rebind"]:
            self.shift += 101
        elif words == ["count"]:
            line = f"count {self.passed} {self.dropped}"
        print(line.strip(), flush=True)


def main():
    delay, jitter, loss, seed = (float(word) for word in sys.argv[1:])
    link = Link(delay, jitter, loss, seed)
    spaces = [namespace(own) for own in ADDRESSES]
    devices = [device for _, device, _ in spaces]
    for device in devices:
        os.set_blocking(device, False)
    print("namespaces", *(child for child, _, _ in spaces), flush=True)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    commands = b""
    while True:
        now = time.monotonic()
        while link.waiting and link.waiting[0][0] <= now:
            _, _, side, packet = heapq.heappop(link.waiting)
            try:
                os.write(devices[side], packet)
                link.passed += 1
            except OSError:
                link.dropped += 1
        patience = max(0, link.waiting[0][0] - now) if link.waiting else None
        ready, _, _ = select.select([0, *devices], [], [], patience)
        for side, device in enumerate(devices):
            if device in ready:
                try:
                    link.take(os.read(device, 65536), side, time.monotonic())
                except BlockingIOError:
                    pass
        if 0 in ready:
            came = os.read(0, 4096)
            if not came:
                return
            *lines, commands = (commands + came).split(b"\n")
            for line in lines:
                link.obey(line.decode())


if __name__ == "__main__":
    main()
