"""What a Ray cluster has, as the one machine that decisions are made for.

The machine that the engine was started on may have no GPU: nodes are asked. Nodes are taken to be alike.
"""

from __future__ import annotations

import os
from dataclasses import replace

import msgspec

from quire.config import EngineConfig
from quire.engine.machine import ENGINES, Gpu, Machine, this_machine
from quire.errors import EngineDead
from quire.executor.cluster import Cluster, ray

PROBE_S = 60.0  # in which a GPU must become free to be looked at


def machine_of(cluster: Cluster, config: EngineConfig) -> Machine:
    p = config.parallel
    ranks = p.tensor_parallel_size * p.pipeline_parallel_size * p.context_parallel_size
    nodes = cluster.nodes()
    cores = [int(node.has.get("CPU", 0.0)) for node in nodes]
    memory = int(cluster.total("memory"))
    machine = replace(
        this_machine(look_for_gpu=False),
        cpus=ranks * _threads(cores, ranks * _engines(config)),
        memory=memory,
        free_memory=memory,
    )
    gpus = int(cluster.total("GPU"))
    if config.device.device == "cpu" or not gpus:
        return machine
    return replace(machine, gpu=_look_at_gpu(), gpus=gpus)


def _engines(config: EngineConfig) -> int:
    """Those that share the cluster; who shares no experts knows of others only from its server."""
    return max(config.parallel.data_parallel_size, int(os.environ.get(ENGINES, "1")))


def _threads(cores: list[int], ranks: int) -> int:
    """The most that every rank can have, on nodes with so many cores."""
    most = max(cores, default=1)
    return next((n for n in range(most, 1, -1) if sum(c // n for c in cores) >= ranks), 1)


def _look_at_gpu() -> Gpu:
    asked = ray.remote(_gpu_there).options(num_cpus=0, num_gpus=1).remote()
    try:
        found = msgspec.msgpack.decode(ray.get(asked, timeout=PROBE_S), type=Gpu | None)
    except ray.exceptions.GetTimeoutError:
        ray.cancel(asked, force=True)
        raise EngineDead(
            f"no GPU of the Ray cluster became free within {PROBE_S:.0f} s; end what uses them, or add nodes"
        ) from None
    if found is None:
        raise EngineDead(
            "the Ray cluster has GPUs and torch finds none there: a CPU build of torch, or no driver; "
            "install Quire with CUDA on its nodes, or choose --device cpu"
        )
    return found


def _gpu_there() -> bytes:
    return msgspec.msgpack.encode(this_machine().gpu)
