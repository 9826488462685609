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
        noted = rehearse(lambda: everything(runner, budget, common["max_tokens"], common["rows"]))
        build(noted, config.device.cpu_threads or 1)
    built = time.perf_counter()
    try_largest(runner, budget, common["max_tokens"], common["rows"])
    tried = time.perf_counter()
    runner.graphs.record_all()
    if common["device"].type == "cuda":
        torch.cuda.synchronize()
    phases = {
        "KV cache": allocated - began,
        "kernels": built - allocated,
        "largest step": tried - built,
        "graphs": time.perf_counter() - tried,
    }
    log.info("start-up: %s", ", ".join(f"{name} {seconds:.2f} s" for name, seconds in phases.items()))
    return runner


def everything(runner: CudaRunner, budget: int, max_tokens: int, rows: int) -> None:
    """What an engine will ever launch, once: prompts, decode steps of all sizes, draws of both kinds."""
    try_largest(runner, budget, max_tokens, rows)
    for lines in runner.graphs.sizes:
        runner.decode(lines, shared=False)
        if lines >= SHARED_LINES:
            runner.decode(lines, shared=True)
    runner.draw_changed()


def try_largest(runner: CudaRunner, budget: int, max_tokens: int, rows: int) -> None:
    """Runs a step of as many prompt tokens as there can be, all in the null block.

    It compiles what prompts need and takes from the allocator what the largest step will ever take.
    """
    each = min(budget, max_tokens - 1)
    count = min(rows, max(1, budget // each))
    params = SamplingParams(temperature=0.0, max_tokens=1)
    prompt = np.zeros(each, np.int32)
    columns = -(-each // runner.cache.block_tokens)
    tables = [np.zeros(columns, np.int32) for _ in range(runner.cache.groups)]
    admitted = [
        Admission(row, Request(f"warm-up {row}", prompt, params, 0, each + 1), prompt, 0, tables)
        for row in range(count)
    ]
    lengths = np.full(count, each, np.int32)
    everyone = np.arange(count, dtype=np.int32)
    plan = Plan(0, everyone, np.zeros(count, np.int32), lengths, np.ones(count, np.bool_), admitted)
    runner.execute(plan)
    for row in range(count):
        runner.sampler.release(row)
