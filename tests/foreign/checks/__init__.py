"""The checks, by what they are about. Importing this package registers them all, in this order."""

from . import (  # noqa: F401
    hello,
    framing,
    lobby,
    routing,
    udp,
    direct,
    connections,
    strikes,
    slow,
    queues,
)
