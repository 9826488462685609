"""Makes a CUDA runner ready: kernels compiled, the largest step tried, graphs captured, each phase timed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import torch
from torch import Tensor

from quire.config import EngineConfig
from quire.log import Phases
from quire.models.decoder import Decoder
from quire.models.small_batch import SmallBatch, qualifies
from quire.ops.gemm.choice import TILE_ROWS
from quire.params import SamplingParams
from quire.shared_prefix import SHARED_ROWS
from quire.types import Admission, CacheShape, KVLayerSpec, Plan, Request
from quire.worker.cuda.graphs import DENSE, FIRST
from quire.worker.cuda.kernel_cache import told_if_damaged
from quire.worker.cuda.kernels import Building, Built, waking
from quire.worker.cuda.prompts import PromptGraphs, Room
from quire.worker.cuda.runner import CudaRunner
from quire.worker.cuda.verify import TRIED

LENGTHS = (64, 256, 1024, 4096)  # of prompts that are tried before the first request
SHORT_WORK = 8 * 10**12  # tokens of prompts that run in graphs, times weights


def start(
    model: Decoder,
    layers: list[KVLayerSpec],
    cache: CacheShape,
    config: EngineConfig,
    common: dict[str, Any],
    phases: Phases,
    *,
    idles: bool,
) -> CudaRunner:
    """`common` are the arguments that a runner takes on every device.

    Some graphs are captured, enough to answer; with `idles`, somebody who is idle will ask for the others.
    """
    budget = config.scheduler.max_num_batched_tokens
    assert budget is not None
    small = SmallBatch(model) if qualifies(model) else None
    runner = CudaRunner(
        model,
        layers,
        cache,
        budget=budget,
        capture=not config.device.enforce_eager,
        small=small,
        small_lines=0 if small is None else small.rows,
        short_prompt=0 if config.device.enforce_eager else short_prompt(model),
        **common,
    )
    runner.graphs.brief = model.one_of_each
    runner.graphs.alone = runner.prompt_graphs.alone = config.parallel.tensor_parallel_size == 1
    phases.end("KV cache")
    with told_if_damaged(), one_by_one(runner):
        if common["device"].type == "cuda":
            waking().join()
            sizes = (common["rows"], common["max_tokens"], budget, common["vocab"])
            sizes += (config.parallel.tensor_parallel_size,)
            kinds = (model.dtype, common["kv_dtype"], config.model.quantization, config.device.enforce_eager)
            guessed = runner.verify.widths, config.speculation.speculative_config
            built = Built(model.shape, sizes, kinds, cache.block_tokens, cache.groups, guessed)
            if not built.known:
                building = Building(config.device.cpu_threads or 1)
                most = budget, common["max_tokens"], common["rows"]
                with model.one_of_each():
                    building.rehearse(lambda: try_largest(runner, *most))  # kernels of prompts take longest
                    building.rehearse(lambda: everything(runner, *most))
                if building.finish():
                    built.note()
        phases.end("kernels")
        with model.one_of_each():  # libraries load the kernels of a shape when they first meet it
            for length in (n for n in LENGTHS if n < min(budget, common["max_tokens"])):
                pretend(runner, [length])
        try_largest(runner, budget, common["max_tokens"], common["rows"])
        phases.end("prompts")
    runner.graphs.record_first(FIRST if idles else DENSE)
    if not idles:
        runner.prompt_graphs.record_full()
    if common["device"].type == "cuda":
        torch.cuda.synchronize()
    phases.end("graphs")
    return runner


def short_prompt(model: Decoder) -> int:
    """Tokens that a GPU computes in less time than a slow host takes to launch their kernels one by one.

    That is 0.4 ms a layer, and twice as much where the host is busy with something else.
    """
    return SHORT_WORK // max(1, model.shape.used_count())


@contextmanager
def one_by_one(runner: CudaRunner) -> Iterator[None]:
    """Prompts run kernel by kernel: a graph captured in a rehearsal would lack what is not built yet."""
    runner.prompt_graphs.on = False
    try:
        yield
    finally:
        runner.prompt_graphs.on = True


def everything(runner: CudaRunner, budget: int, max_tokens: int, rows: int) -> None:
    """What an engine will ever launch, once: prompts alone and beside others, decode steps, draws."""
    try_largest(runner, budget, max_tokens, rows)
    for length in (n for n in (2, *LENGTHS) if n < min(budget, max_tokens)):
        pretend(runner, [length])
        if runner.cache.drafting and length + runner.verify.widths[-1] < max_tokens:
            pretend(runner, [length], runner.verify.widths[-1] - 1)
    wide = torch.zeros(1, runner.sampler.vocab, device=runner.device)  # as a prompt's are scored
    logits: dict[torch.dtype, Tensor] = {torch.float32: wide}
    for lines in telling(runner.graphs.sizes):
        runner.blank(lines)
        found = runner.decode(lines, shared=False).logits
        logits.setdefault(found.dtype, found)
        if lines >= SHARED_ROWS:
            runner.decode(lines, shared=True)
        if lines < min(rows, budget - 2) and lines.bit_count() == 1:
            pretend(runner, [1] * lines + [2])
            if runner.cache.drafting and 2 + runner.verify.widths[-1] < max_tokens:
                # for some requests the host guesses, kernel by kernel
                pretend(runner, [1] * lines + [2], runner.verify.widths[-1] - 1)
    graphs = runner.prompt_graphs
    for room in rooms_that_tell(graphs):
        runner.prompts.blank(room)
        runner.prompts.run(room)
    if runner.verify.widths[-1] > 1:
        for n, width in guessed_rooms(runner.graphs.sizes, runner.verify.widths, min(budget, TRIED)):
            runner.verify.blank(n, width)
            runner.verify.run(n, width)
            if runner.ahead is not None:
                runner.ahead.blank(n)
                runner.ahead.run(n, width)
    for found in logits.values():
        runner.sampler.rehearse(found, runner.rows.scratch, runner.rows.last)


def rooms_that_tell(graphs: PromptGraphs) -> list[Room]:
    """Those of graphs whose kernels may differ: what lies between them launches the same ones."""
    if not graphs.tokens:
        return []
    few, most = graphs.tokens[0], graphs.tokens[-1]
    found = [graphs.room(d, few, c) for d in graphs.decodes for c in {graphs.chunks[0], graphs.chunks[-1]}]
    return [room for room in (*found, graphs.room(0, most, 1)) if room is not None]


def guessed_rooms(sizes: list[int], widths: list[int], most: int) -> list[tuple[int, int]]:
    """Lines and tokens a line of steps that verify guesses, at most `most`, whose kernels may differ."""
    wide = [(n, widths[-1]) for n in telling(sizes)]
    narrow = [(n, width) for n in telling(sizes) if n.bit_count() == 1 for width in widths[:-1]]
    return [(n, width) for n, width in wide + narrow if n * width <= most]


def telling(sizes: list[int]) -> list[int]:
    """Those whose kernels may differ: all small ones, then the first and the last between powers of two."""
    large = [s for s in sizes if s > TILE_ROWS]
    ends = {n: s for s in large for n in [(s - 1).bit_length()]}
    begins = {n: s for s in reversed(large) for n in [(s - 1).bit_length()]}
    return [s for s in sizes if s <= TILE_ROWS] + sorted({*ends.values(), *begins.values()})


def try_largest(runner: CudaRunner, budget: int, max_tokens: int, rows: int) -> None:
    """Runs a step of as many prompt tokens as there can be.

    It compiles what prompts need and takes from the allocator what the largest step will ever take.
    """
    each = max(1, min(budget, max_tokens - 1))
    pretend(runner, [each] * min(rows, max(1, budget // each)))


def pretend(runner: CudaRunner, lengths: list[int], want: int = 0) -> None:
    """Runs a step of prompts of these lengths, all in the null block; one of 1 is as good as decoding.

    With `want` the host guesses so many tokens after each.
    """
    params = SamplingParams(temperature=0.0, max_tokens=1)
    admitted = []
    for row, n in enumerate(lengths):
        prompt, limit = np.zeros(n, np.int32), n + 1 + (want + 1 if want else 0)
        tables = [np.zeros(-(-limit // runner.cache.block_tokens), np.int32)] * runner.cache.groups
        request = Request(f"pretended {row}", prompt, params, 0, limit)
        admitted.append(Admission(row, request, prompt, 0, tables))
    who, count = np.arange(len(lengths), dtype=np.int32), np.array(lengths, np.int32)
    plan = Plan(0, who, np.zeros_like(count), count, np.ones(len(lengths), np.bool_), admitted)
    if runner.cache.drafting:  # layers that guess read prompts, too
        plan.want = np.full_like(count, want)
    runner.execute(plan)
    for row in range(len(lengths)):
        runner.sampler.release(row)
