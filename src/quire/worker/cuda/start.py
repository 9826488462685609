"""Makes a CUDA runner ready: kernels compiled, the largest step tried, graphs captured, each phase timed."""

from __future__ import annotations

import logging
import time
from typing import Any

import numpy as np
import torch

from quire.config import EngineConfig
from quire.models.decoder import Decoder
from quire.models.small_batch import FUSED_ROWS, SmallBatch, qualifies
from quire.params import SamplingParams
from quire.types import Admission, CacheShape, KVLayerSpec, Plan, Request
from quire.worker.cuda.kernels import build, rehearse
from quire.worker.cuda.runner import SHARED_LINES, CudaRunner

log = logging.getLogger("quire")
LENGTHS = (2, 16, 64, 128, 256, 512, 1024, 2048, 4096)  # of prompts that are tried before the first request


def start(
    model: Decoder, layers: list[KVLayerSpec], cache: CacheShape, config: EngineConfig, common: dict[str, Any]
) -> CudaRunner:
    """`common` are the arguments that a runner takes on every device."""
    budget = config.scheduler.max_num_batched_tokens
    assert budget is not None
    small = qualifies(model)
    began = time.perf_counter()
    runner = CudaRunner(
        model,
        layers,
        cache,
        budget=budget,
        capture=not config.device.enforce_eager,
        small=SmallBatch(model) if small else None,
        small_lines=FUSED_ROWS if small else 0,
        **common,
    )
    allocated = time.perf_counter()
    if common["device"].type == "cuda":
        runner.touch()
        with model.one_of_each():
            noted = rehearse(lambda: everything(runner, budget, common["max_tokens"], common["rows"]))
        build(noted, config.device.cpu_threads or 1)
    built = time.perf_counter()
    for length in LENGTHS:  # libraries load the kernels of a shape when they first meet it
        if length < min(budget, common["max_tokens"]):
            pretend(runner, [length])
    try_largest(runner, budget, common["max_tokens"], common["rows"])
    tried = time.perf_counter()
    runner.graphs.record_all()
    if common["device"].type == "cuda":
        torch.cuda.synchronize()
    phases = {
        "KV cache": allocated - began,
        "kernels": built - allocated,
        "prompts": tried - built,
        "graphs": time.perf_counter() - tried,
    }
    log.info("start-up: %s", ", ".join(f"{name} {seconds:.2f} s" for name, seconds in phases.items()))
    return runner


def everything(runner: CudaRunner, budget: int, max_tokens: int, rows: int) -> None:
    """What an engine will ever launch, once: prompts alone and beside others, decode steps, draws."""
    try_largest(runner, budget, max_tokens, rows)
    for length in (n for n in LENGTHS if n < min(budget, max_tokens)):
        pretend(runner, [length])
    for lines in runner.graphs.sizes:
        runner.blank(lines)
        runner.decode(lines, shared=False)
        if lines >= SHARED_LINES:
            runner.decode(lines, shared=True)
        if lines < min(rows, budget - 2):
            pretend(runner, [1] * lines + [2])
    runner.draw_changed()


def try_largest(runner: CudaRunner, budget: int, max_tokens: int, rows: int) -> None:
    """Runs a step of as many prompt tokens as there can be.

    It compiles what prompts need and takes from the allocator what the largest step will ever take.
    """
    each = min(budget, max_tokens - 1)
    pretend(runner, [each] * min(rows, max(1, budget // each)))


def pretend(runner: CudaRunner, lengths: list[int]) -> None:
    """Runs a step of prompts of these lengths, all in the null block; one of 1 is as good as decoding."""
    params = SamplingParams(temperature=0.0, max_tokens=1)
    admitted = []
    for row, n in enumerate(lengths):
        prompt = np.zeros(n, np.int32)
        tables = [np.zeros(-(-n // runner.cache.block_tokens), np.int32)] * runner.cache.groups
        admitted.append(
            Admission(row, Request(f"pretended {row}", prompt, params, 0, n + 1), prompt, 0, tables)
        )
    who, count = np.arange(len(lengths), dtype=np.int32), np.array(lengths, np.int32)
    plan = Plan(0, who, np.zeros_like(count), count, np.ones(len(lengths), np.bool_), admitted)
    runner.execute(plan)
    for row in range(len(lengths)):
        runner.sampler.release(row)
