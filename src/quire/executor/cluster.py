"""The Ray cluster that an engine uses: how it is joined and left, what it has, and places for ranks on it.

A Ray that the program has initialised is used as it is and never shut down. Otherwise the address that was
given is joined, RAY_ADDRESS, what `ray start` began on this machine, or a new cluster that lives as long as
somebody uses it. Tensor-parallel neighbours get places on one node wherever a node can hold them.
"""

from __future__ import annotations

import logging
import os
import socket
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from quire.errors import BadOption, EngineDead

try:
    import ray as ray  # others take it from here
    from ray.util.placement_group import PlacementGroup, placement_group, placement_group_table
    from ray.util.placement_group import remove_placement_group as remove
except ImportError:
    raise BadOption(
        "--distributed-executor-backend ray needs a package that is not installed: pip install 'quire[ray]'"
    ) from None

log = logging.getLogger("quire")
JOIN_S = 10.0  # for the head of a cluster to answer
PLACE_S = 60.0  # for others to free what they use, and for Ray to notice that a node is gone
SCARCE_S = 20.0  # where all nodes together have not enough: one may be on its way
Need = Mapping[str, float]  # CPU and GPU of one rank


@dataclass(frozen=True, slots=True)
class Node:
    id: str
    address: str
    name: str
    has: Mapping[str, float]  # CPU, GPU, and memory in bytes

    def holds(self, need: Need) -> int:
        """How many of these it could hold if nobody else used it."""
        return min(int(self.has.get(kind, 0.0) // amount) for kind, amount in need.items() if amount)

    def __str__(self) -> str:
        return f"{self.name} ({self.address}, {self.id[:8]})"


@dataclass(frozen=True, slots=True)
class Seats:
    """Places for all ranks, kept free until they are given back."""

    group: PlacementGroup
    bundles: tuple[int, ...]  # of each rank

    def give_back(self) -> None:
        remove(self.group)


class Cluster:
    """One user of the cluster. Whoever has joined it leaves it, once."""

    _users = 0  # of a connection that was made here

    def __init__(self, address: str | None):
        self._made = not ray.is_initialized() or Cluster._users > 0
        self._left = False
        if not ray.is_initialized():
            _join(address)
        Cluster._users += self._made

    @property
    def address(self) -> str:
        return str(ray.get_runtime_context().gcs_address)

    def leave(self) -> None:
        """A cluster that was started by joining it ends with the last that leaves."""
        if self._made and not self._left:
            Cluster._users -= 1
            if not Cluster._users:
                ray.shutdown()
        self._left = True

    def nodes(self) -> list[Node]:
        """Those that live, this one first."""
        here = ray.get_runtime_context().get_node_id()
        found = [
            Node(n["NodeID"], n["NodeManagerAddress"], n["NodeManagerHostname"], n["Resources"])
            for n in ray.nodes()
            if n["Alive"]
        ]
        return sorted(found, key=lambda node: (node.id != here, node.id))

    def total(self, kind: str) -> float:
        return sum(node.has.get(kind, 0.0) for node in self.nodes())

    def reserve(self, world: int, neighbours: int, need: Need) -> Seats:
        """Places for so many ranks, so many neighbours on one node if that can be."""
        began, waited = time.monotonic(), PLACE_S
        for together in sorted({neighbours, 1}, reverse=True):
            whole = {kind: amount * together for kind, amount in need.items() if amount}
            possible = sum(node.holds(whole) for node in self.nodes()) >= world // together
            if not possible and together > 1:
                continue
            left_s = began + (PLACE_S if possible else SCARCE_S) - time.monotonic()
            seats = self._try(world // together, whole, left_s / 2 if together > 1 else left_s)
            if seats is not None:
                if together < neighbours:
                    log.warning("no node holds %d neighbours: what they tell each other is slow", neighbours)
                return Seats(seats[0], tuple(bundle for bundle in seats[1] for _ in range(together)))
            waited = time.monotonic() - began
        raise EngineDead(
            f"{world} rank{'s' * (world > 1)} with {_said(need)} each found no place on the Ray cluster at "
            f"{self.address} within {waited:.0f} s: {self._stock()}. Add nodes with `ray start "
            f"--address={self.address}`, end what else runs there, or lower --tensor-parallel-size, "
            f"--pipeline-parallel-size{' or --cpu-threads' * (not need.get('GPU'))}"
        )

    def _try(self, count: int, whole: Need, limit_s: float) -> tuple[PlacementGroup, list[int]] | None:
        """A group of bundles, and their numbers by the order of nodes; None if it takes too long."""
        group = placement_group([dict(whole)] * count, strategy="PACK")
        try:
            if not group.wait(max(1.0, limit_s)):
                remove(group)
                return None
        except BaseException:
            remove(group)
            raise
        where = placement_group_table(group)["bundles_to_node_id"]
        order = {node.id: place for place, node in enumerate(self.nodes())}
        return group, sorted(range(count), key=lambda i: (order.get(where[i], len(order)), i))

    def _stock(self) -> str:
        free = ray.available_resources()
        kinds = [kind for kind in ("CPU", "GPU") if self.total(kind)] or ["CPU"]
        nodes = "; ".join(
            f"{node} has {_said({k: node.has.get(k, 0.0) for k in kinds})}" for node in self.nodes()
        )
        return f"{nodes}; {_said({kind: free.get(kind, 0.0) for kind in kinds})} are free in all"


def _join(address: str | None) -> None:
    """`auto` is a cluster that runs; without an address a new one may be started."""
    note = _note()
    named = (address if address != "auto" else None) or os.environ.get("RAY_ADDRESS")
    noted = note.read_text().strip() if not named and note.exists() else ""
    place = named or noted
    if "://" in place:
        raise BadOption(
            f"--ray-address is {place}: Quire must be on a node of the cluster; give host:port as "
            f"`ray start` prints it, or auto"
        )
    try:
        if not place and address == "auto":
            raise ValueError("no cluster was started here")
        if ":" in place:  # Ray itself would try for minutes
            host, _, port = place.rpartition(":")
            socket.create_connection((host, int(port)), JOIN_S).close()
        ray.init(
            address=named or None,  # Ray finds what was noted, and the token that goes with it
            include_dashboard=False,
            log_to_driver=False,
            logging_level=logging.CRITICAL,
        )
    except (OSError, ValueError, RuntimeError) as e:
        gone = f"; if it has ended without `ray stop`, remove {note}" if noted else ""
        if named and type(e) is ConnectionError:  # Ray's own: somebody is there
            gone = "; if it asks for a token, set RAY_AUTH_MODE=token, or Ray does not show the one it has"
        raise EngineDead(
            f"the Ray cluster at {place or 'this machine'} cannot be joined: {e}; see that it runs (`ray "
            f"status`; `ray start --head` starts one) and that --ray-address or RAY_ADDRESS is right{gone}"
        ) from None


def _note() -> Path:
    """Where `ray start` writes the address of the cluster, for whoever gives none."""
    folder = os.environ.get("RAY_TMPDIR") or os.environ.get("TMPDIR") or "/tmp"
    return Path(folder, "ray", "ray_current_cluster")


def _said(amounts: Need) -> str:
    return " and ".join(
        f"{amount:g} {kind}{'s' * (amount != 1)}"
        for kind, amount in amounts.items()
        if amount or kind == "CPU"
    )


def ending(error: Exception, alive: Sequence[Node], node: Node) -> str:
    """How an actor ended, in few words: what Ray says about it fills a page."""
    said = str(error)
    if node.id not in [n.id for n in alive] or "node has died" in said:
        return "is gone with its node, which has left the cluster"
    if isinstance(error, ray.exceptions.ActorUnavailableError):
        return "cannot be reached: its process or its node is gone"
    if "unexpectedly exits" in said:
        return "has ended: its process was killed or broke down (memory may have run out)"
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    return f"has ended: {lines[-1] if lines else type(error).__name__}"
