"""Engines over tiny checkpoints, and what must be true of one that has nothing to do."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from quire import LLM, SamplingParams
from quire.engine.engine import Engine
from quire.kv.groups import lay_out
from quire.models.shapes import shape_of
from quire.weights.folder import read_config


def open_llm(folder: Path, **options: Any) -> LLM:
    """One thread: for models this small a second one only waits."""
    return LLM(str(folder), **{"max_model_len": 128, "cpu_threads": 1, **options})


def smallest_pool(folder: Path, max_len: int, chunk: int, block_size: int = 4) -> int:
    """KV blocks that the longest request needs, alone."""
    layers = shape_of(read_config(folder)).kv_layers()
    return lay_out(layers, block_size, dtype_bytes=4).most_blocks(max_len, chunk)


def greedy(max_tokens: int = 16, **params: Any) -> SamplingParams:
    return SamplingParams(temperature=0, max_tokens=max_tokens, ignore_eos=True, **params)


def token_ids(llm: LLM, prompts: Any, params: Any = None) -> list[list[int]]:
    """The first answer to each prompt."""
    outputs = llm.generate(prompts, params or greedy(), use_tqdm=False)
    return [o.outputs[0].token_ids for o in outputs]


def assert_at_rest(engine: Engine) -> None:
    """No request, no row and no block is held by anybody."""
    scheduler = engine.core.scheduler
    assert engine.unfinished == 0 and not engine.core.busy
    assert (scheduler.running, scheduler.waiting, scheduler.kv.pool.held) == (0, 0, 0)
    scheduler.check(every_block=True)
