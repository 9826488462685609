"""A rank as an actor on a Ray cluster: the same work as a rank that is a process, fed by calls.

Messages are bytes that may overtake each other on their way, so they are numbered. The work has a thread of
its own; calls only bring and fetch. Whoever fetches waits for news for a moment and then hears at least that
this process lives and what it does.
"""

from __future__ import annotations

import fcntl
import os
import socket
import struct
import threading

import msgspec
import ray

from quire import __version__
from quire.executor import messages
from quire.executor.messages import Meet, StartRank
from quire.executor.rank import live, sign_of_life

ADDRESS_OF = 0x8915  # SIOCGIFADDR


class Facts(msgspec.Struct):
    """Where an actor came to be."""

    node: str  # Ray's id of it
    address: str
    pid: int
    version: str


class Inbox:
    """Gives messages in the order of their numbers, whatever order they come in."""

    def __init__(self) -> None:
        self._came: dict[int, bytes] = {}
        self._next = 1
        self._news = threading.Condition()

    def put(self, number: int, data: bytes) -> None:
        with self._news:
            self._came[number] = data
            self._news.notify_all()

    def ready(self) -> bool:
        return self._next in self._came

    def receive(self) -> bytes:
        with self._news:
            self._news.wait_for(self.ready)
            self._next += 1
            return self._came.pop(self._next - 1)


class Outbox:
    def __init__(self) -> None:
        self._said: list[bytes] = []
        self._news = threading.Condition()

    def put(self, data: bytes) -> None:
        with self._news:
            self._said.append(data)
            self._news.notify_all()

    def take(self, seconds: float) -> list[bytes]:
        """All that is there; waits so long for something to come."""
        with self._news:
            self._news.wait_for(lambda: bool(self._said), seconds)
            said, self._said = self._said, []
            return said


class RankActor:
    """`begin` once, then `tell` and `hear`, each in a thread of its own."""

    def __init__(self) -> None:
        self._inbox, self._outbox = Inbox(), Outbox()
        self._beat_s = 1.0
        self._address = ray.util.get_node_ip_address()
        os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")  # read when torch is loaded
        if interface := interface_of(self._address):
            os.environ.setdefault("GLOO_SOCKET_IFNAME", interface)

    def facts(self) -> bytes:
        node = ray.get_runtime_context().get_node_id()
        return msgspec.msgpack.encode(Facts(node, self._address, os.getpid(), __version__))

    def begin(self, data: bytes, environ: bytes) -> None:
        """`environ` are variables of the engine that count here as well, unless this node has its own."""
        for name, value in msgspec.msgpack.decode(environ, type=dict[str, str]).items():
            os.environ.setdefault(name, value)
        start = messages.read_for_rank(data)
        assert isinstance(start, StartRank)
        self._beat_s = start.beat_s
        threading.Thread(target=self._live, args=(start,), name="quire-rank", daemon=True).start()

    @ray.method(concurrency_group="in")  # type: ignore[untyped-decorator]
    def tell(self, number: int, data: bytes) -> None:
        self._inbox.put(number, data)

    @ray.method(concurrency_group="out")  # type: ignore[untyped-decorator]
    def hear(self) -> bytes:
        """What there is to hear, as a list of messages; the last one is a sign of life."""
        news = self._outbox.take(self._beat_s)
        return msgspec.msgpack.encode([*news, messages.pack(sign_of_life())])

    def _live(self, start: StartRank) -> None:
        live(start, self._address, self._meeting, self._inbox, self._outbox)

    def _meeting(self) -> Meet:
        meet = messages.read_for_rank(self._inbox.receive())
        assert isinstance(meet, Meet)
        return meet


def interface_of(address: str) -> str | None:
    """The network interface that has this IPv4 address: libraries may choose another one by themselves."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        for _, name in socket.if_nameindex():
            try:
                found = fcntl.ioctl(asked, ADDRESS_OF, struct.pack("256s", name.encode()[:15]))
            except OSError:
                continue  # it has none
            if socket.inet_ntoa(found[20:24]) == address:
                return name
    return None
