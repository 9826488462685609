"""What each of several engines gets of this machine: its GPUs, or its share of the cores."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from quire.config import EngineConfig
from quire.engine.machine import ENGINES, this_machine
from quire.engine.recording import NUMBER, SECRET
from quire.errors import BadOption
from quire.record.parts import part_of


@dataclass(frozen=True, slots=True)
class Share:
    """Of one engine: settings and environment variables that differ from what the server was given."""

    values: dict[str, Any] = field(default_factory=dict)
    environ: dict[str, str] = field(default_factory=dict)


def shares_of(
    config: EngineConfig, environ: Mapping[str, str], gpus: list[str] | None = None, cores: int | None = None
) -> list[Share]:
    """One for each engine. `gpus` and `cores` are those of this machine, unless they are given."""
    parallel = config.parallel
    engines = parallel.data_parallel_size
    if engines == 1:
        return [Share()]
    # Engines that share experts know each other; others are alone, each with all of the model.
    alone: dict[str, Any] = {} if parallel.enable_expert_parallel else {"data_parallel_size": 1}
    if parallel.data_parallel_affinity != "none":  # the front ends' business
        alone["data_parallel_affinity"] = "none"
    if parallel.distributed_executor_backend == "ray":
        # It gives out the devices, of one cluster: engines that start one each would share the same devices.
        values = {**alone, "ray_address": parallel.ray_address or "auto"}
        return [Share(values, {ENGINES: str(engines)})] * engines
    found = [] if config.device.device == "cpu" else visible_gpus(environ) if gpus is None else gpus
    if not found:
        threads = config.device.cpu_threads
        if threads is None:
            threads = max(1, (cores or this_machine(look_for_gpu=False).cpus) // engines)
        return [Share({**alone, "cpu_threads": threads})] * engines
    each = parallel.tensor_parallel_size * parallel.pipeline_parallel_size * parallel.context_parallel_size
    if engines * each > len(found):
        raise BadOption(
            f"data_parallel_size is {engines} and each engine needs {each} GPU{'s' * (each > 1)}: that is "
            f"{engines * each}, and {len(found)} can be seen here; lower --data-parallel-size, "
            f"--tensor-parallel-size or --pipeline-parallel-size"
        )
    slices = [found[i * each : (i + 1) * each] for i in range(engines)]
    return [Share(alone, {"CUDA_VISIBLE_DEVICES": ",".join(part)}) for part in slices]


def recording(path: str | None, number: int, engines: int, secret: str) -> Share:
    """What one of several engines is told of the server's record: its own file, and the secret all share."""
    if path is None:
        return Share()
    own = path if engines == 1 else str(part_of(path, number))
    return Share({"record": own}, {SECRET: secret, NUMBER: str(number)})


def visible_gpus(environ: Mapping[str, str], nodes: Path = Path("/dev")) -> list[str]:
    """What CUDA_VISIBLE_DEVICES names, or else all that NVIDIA's driver has put a file for."""
    named = environ.get("CUDA_VISIBLE_DEVICES")
    if named is not None:
        devices = [name.strip() for name in named.split(",")]
        return [] if devices[0] in ("", "-1") else devices
    count = sum(re.fullmatch(r"nvidia\d+", node.name) is not None for node in nodes.glob("nvidia*"))
    return [str(number) for number in range(count)]
