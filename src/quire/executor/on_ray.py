"""Runs plans on a Ray cluster, one actor for each rank of an engine.

The engine stays where it was started; Ray finds places for the ranks, carries the messages and says when a
process or a node has died. What it cannot see, a process that stands still or ranks that wait for each other
for ever, is judged from their signs of life as on one machine. Whatever is lost, all ranks are ended and
their places given back, so that the next engine can have what is left.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import time
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from quire import __version__
from quire.errors import EngineDead
from quire.executor import messages
from quire.executor.cluster import Cluster, Need, Node, Seats, ending, ray
from quire.executor.messages import Broken, Meet, StartRank
from quire.executor.rank import describe
from quire.executor.team import BEAT_S, LOOK_S, Meeting, Team

BLAME_S = 1.5  # in which Ray tells of a process that has died, after those that broke with it
START_S = 120.0  # for an actor's process to begin
TAKEN_ALONG = ("QUIRE_", "NCCL_", "TORCH_")  # variables of the engine that nodes hear of
INLINE = 64 << 10  # bytes that Ray sends with a call; more is put where all nodes fetch it once


class OnRay(Team):
    def __init__(
        self,
        starts: Sequence[StartRank],
        depth: int,
        cluster: Cluster,
        need: Need,
        meet: Meeting | None = None,
    ):
        """`need` is what each rank has for itself."""
        super().__init__(starts, depth, meet)
        self._cluster = cluster
        self._sent = 0
        self._seats: Seats | None = None
        self._actors: list[Any] = []
        self._facts: list[Any] = []
        self._nodes: list[Node] = []
        self._asked: dict[Any, int] = {}  # what ranks will say next
        self._broken: set[int] = set()
        atexit.register(self.close)  # before Ray leaves the cluster, and while there are threads
        try:
            self._begin(need)
        except BaseException:
            self.close()
            raise

    def _begin(self, need: Need) -> None:
        from ray.util.scheduling_strategies import PlacementGroupSchedulingStrategy

        from quire.executor.actor import Facts, RankActor

        self._seats = self._cluster.reserve(len(self._starts), self._layout.tp, need)
        kind = ray.remote(concurrency_groups={"in": 1, "out": 1})(RankActor)
        for bundle in self._seats.bundles:
            seat = PlacementGroupSchedulingStrategy(self._seats.group, placement_group_bundle_index=bundle)
            self._actors.append(
                kind.options(
                    num_cpus=need["CPU"], num_gpus=need.get("GPU", 0), scheduling_strategy=seat
                ).remote()
            )
        nodes = {node.id: node for node in self._cluster.nodes()}
        for rank, actor in enumerate(self._actors):
            facts = self._first_words(rank, actor, Facts)
            self._facts.append(facts)
            self._nodes.append(nodes.get(facts.node) or Node(facts.node, facts.address, "a new node", {}))
            if facts.version != __version__:
                raise EngineDead(
                    f"{self._nodes[rank]} has Quire {facts.version} and the engine {__version__}; install "
                    f"one version on all nodes"
                )
        named = {name: value for name, value in os.environ.items() if name.startswith(TAKEN_ALONG)}
        environ = msgspec.msgpack.encode(named)
        for start, actor in zip(self._starts, self._actors, strict=True):
            # Ray shows each actor its own devices only.
            told = msgspec.structs.replace(start, local=0, locals=1, beat_s=BEAT_S)
            actor.begin.remote(messages.pack(told), environ)
        self._asked = {actor.hear.remote(): rank for rank, actor in enumerate(self._actors)}
        self._listener.start()
        self._wait_until_loaded()

    def _first_words(self, rank: int, actor: Any, kind: Any) -> Any:
        name = describe(self._layout, self._starts[rank].rank)
        try:
            return msgspec.msgpack.decode(ray.get(actor.facts.remote(), timeout=START_S), type=kind)
        except ray.exceptions.GetTimeoutError:
            raise EngineDead(f"{name} did not start within {START_S:.0f} s on the Ray cluster") from None
        except ray.exceptions.RayError as e:
            raise EngineDead(f"{name} did not start on the Ray cluster: {e}") from None

    @property
    def pids(self) -> list[int]:
        """Of the ranks, in their order, each on its node."""
        return [facts.pid for facts in self._facts]

    @property
    def nodes(self) -> list[Node]:
        """That the ranks run on, in their order."""
        return self._nodes

    def _host(self) -> str:
        address: str = self._facts[0].address
        return address

    def _tell_where(self, meet: Meet) -> None:
        self._send(messages.pack(meet))

    def _node(self, rank: int) -> str:
        return str(self._nodes[rank])

    def _send(self, data: bytes) -> None:
        self._sent += 1
        brought = data if len(data) <= INLINE else ray.put(data)
        for actor in self._actors:
            actor.tell.remote(self._sent, brought)

    # -- listening -------------------------------------------------------------------------------------

    def _listen(self) -> None:
        while not self._closing:
            if not ray.is_initialized():  # or the next call would start a cluster
                return self._lose(0, "is out of reach: the program has shut Ray down")
            for rank, said in self._news_within(LOOK_S):
                if isinstance(said, Exception):
                    return self._lose(rank, ending(said, self._cluster.nodes(), self._nodes[rank]))
                for data in said:
                    self._hear(rank, messages.read_for_engine(data))
                    if self._lost is not None:
                        return None
            trouble = self._watch.trouble(time.monotonic())
            if trouble is not None:
                return self._lose(*trouble)
        return None

    def _news_within(self, seconds: float) -> Iterator[tuple[int, list[bytes] | Exception]]:
        """What ranks have said, or how they ended; each is asked again."""
        ready, _ = ray.wait(list(self._asked), timeout=seconds)
        for said in ready:
            rank = self._asked.pop(said)
            try:
                news = msgspec.msgpack.decode(ray.get(said), type=list[bytes])
            except ray.exceptions.RayError as e:
                yield rank, e
            else:
                self._asked[self._actors[rank].hear.remote()] = rank
                yield rank, news

    def _hear(self, rank: int, message: messages.FromRank) -> None:
        if isinstance(message, Broken):
            self._broken.add(rank)
        super()._hear(rank, message)

    def _culprit(self, rank: int, why: str) -> tuple[int, str]:
        until = time.monotonic() + BLAME_S
        while rank in self._broken and time.monotonic() < until:
            for other, said in self._news_within(0.1):
                if isinstance(said, Exception):
                    return other, ending(said, self._cluster.nodes(), self._nodes[other])
        return rank, why

    # -- ending ----------------------------------------------------------------------------------------

    def _end_all(self) -> None:
        if not ray.is_initialized():
            return
        for actor in self._actors:
            with contextlib.suppress(ray.exceptions.RayError, ValueError):
                ray.kill(actor)
        if self._seats is not None:
            self._seats.give_back()
            self._seats = None

    def _let_go(self) -> None:
        atexit.unregister(self.close)
        self._actors, self._asked = [], {}
        self._cluster.leave()
