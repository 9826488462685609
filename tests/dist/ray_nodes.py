"""A real Ray cluster whose nodes are processes on this machine. Imports Ray: skip without it."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psutil

os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")

import ray
from ray.cluster_utils import Cluster as Nodes

NODE = {"num_cpus": 2, "object_store_memory": 100 << 20}
# Ray takes 15 s to see that a node is dead, unless it is told to look more often.
LOOKS = {
    "health_check_initial_delay_ms": 0,
    "health_check_period_ms": 500,
    "health_check_failure_threshold": 4,
}


@contextmanager
def started(**head: Any) -> Iterator[Nodes]:
    """A cluster with its first node."""
    given = {**NODE, **head, "include_dashboard": False, "_system_config": LOOKS}
    made = Nodes(initialize_head=True, head_node_args=given)
    try:
        yield made
    finally:
        ray.shutdown()
        made.shutdown()


def gone(pids: list[int], within_s: float = 10.0) -> bool:
    until = time.monotonic() + within_s
    while any(map(psutil.pid_exists, pids)) and time.monotonic() < until:
        time.sleep(0.05)
    return not any(map(psutil.pid_exists, pids))


def actors() -> list[psutil.Process]:
    """Ray gives a process the name of its class; nodes are children of this process."""
    found = psutil.Process().children(recursive=True)
    return [p for p in found if "ray::RankActor" in " ".join(p.cmdline())]
