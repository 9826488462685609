"""Whether a model fits a GPU with the settings it was given, and if not, which settings would make it fit.

A refusal names only flags that were tried by the same arithmetic and would do.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from quire.config import EngineConfig
from quire.engine.gpu_memory import GIB, GpuMemory, account
from quire.engine.machine import Gpu
from quire.errors import DoesNotFit
from quire.kv.groups import Layout, lay_out
from quire.kv.sizing import longest_that_fits
from quire.models.shapes import DecoderShape

BYTES = {"float32": 4, "bfloat16": 2, "float16": 2, "fp8": 1}


def weight_bytes(config: EngineConfig, shape: DecoderShape) -> int:
    """Bytes of the weights as they are kept."""
    wide = BYTES[config.model.dtype]
    if config.model.quantization == "fp8":
        return shape.parameter_count() * wide - shape.linear_count() * (wide - 1)
    return shape.parameter_count() * wide


def layout_of(config: EngineConfig, shape: DecoderShape) -> Layout:
    name = config.cache.kv_cache_dtype
    # An FP8 cache keeps a float32 scale beside each head of each token.
    extra = 4 if name == "fp8" else 0
    return lay_out(shape.kv_layers(), config.cache.block_size, BYTES[name], extra)


def plan_gpu(config: EngineConfig, shape: DecoderShape, gpu: Gpu) -> tuple[GpuMemory, Layout]:
    tokens, seqs = config.scheduler.max_num_batched_tokens, config.scheduler.max_num_seqs
    assert tokens is not None and seqs is not None
    wide = BYTES[config.model.dtype]
    memory = account(
        shape,
        gpu,
        utilization=config.cache.gpu_memory_utilization,
        weights=weight_bytes(config, shape),
        loading=shape.parameter_count() * wide,  # quantized one by one, after they are loaded
        dtype_bytes=wide,
        tokens=tokens,
        seqs=seqs,
        graphs=not config.device.enforce_eager,
    )
    return memory, layout_of(config, shape)


def needed(config: EngineConfig, layout: Layout) -> int:
    """Bytes of KV cache for one request of --max-model-len; of two tokens, if that may be shortened."""
    max_len, chunk = config.model.max_model_len, config.scheduler.max_num_batched_tokens
    assert max_len is not None and chunk is not None
    if any(c.name == "max_model_len" for c in config.choices):
        max_len = min(max_len, 2)
    return layout.most_blocks(max_len, chunk) * layout.block_bytes


def refusal(config: EngineConfig, shape: DecoderShape, gpu: Gpu, what: str) -> DoesNotFit:
    """The error of a model that does not fit: the numbers, and the flags that would make it fit."""
    memory, layout = plan_gpu(config, shape, gpu)
    need = needed(config, layout)
    if not loads(memory):
        told = (
            f"loading the weights takes {memory.loading / GIB:.2f} GiB of {config.model.dtype} and "
            f"{memory.free / GIB:.2f} GiB of the GPU are free"
        )
    else:
        left = f"{memory.kv / GIB:.2f} GiB are" if memory.kv > 0 else "nothing is"
        told = (
            f"{what} needs {need / GIB:.2f} GiB of KV cache and {left} left: {memory.said()}; "
            f"{(need - memory.kv) / GIB:.2f} GiB are missing"
        )
    return DoesNotFit(f"{told}. {_advice(config, shape, gpu, memory, layout)}")


def loads(memory: GpuMemory) -> bool:
    """Whether the weights can be loaded at all."""
    return memory.loading + memory.spare <= memory.free


def _advice(config: EngineConfig, shape: DecoderShape, gpu: Gpu, memory: GpuMemory, layout: Layout) -> str:
    def fits(changes: dict[str, Any]) -> bool:
        changed = config.having({name: (value, "") for name, value in changes.items()})
        planned, laid_out = plan_gpu(changed, shape, gpu)
        return loads(planned) and needed(changed, laid_out) <= planned.kv

    offered = [change for change in _changes(config, gpu, memory, layout) if fits(change)]
    names = [name for change in offered for name in change]
    offered = [c for i, c in enumerate(offered) if next(iter(c)) not in names[:i]]  # the mildest of each
    if offered:
        one = "This" if len(offered) == 1 else "Each of these"
        return f"{one} would do: {', '.join(map(_flags, offered))}"
    together: dict[str, Any] = {}
    for change in _changes(config, gpu, memory, layout):
        together |= change
        if len(together) > 1 and fits(together):
            return f"Together these would do: {_flags(together)}"
    return "No setting makes it fit: use a larger GPU or a smaller model"


def _flags(change: dict[str, Any]) -> str:
    return " ".join(f"--{name.replace('_', '-')} {value}" for name, value in change.items())


def _changes(config: EngineConfig, gpu: Gpu, memory: GpuMemory, layout: Layout) -> Iterator[dict[str, Any]]:
    """What could be set otherwise, milder before harsher."""
    max_len, tokens = config.model.max_model_len, config.scheduler.max_num_batched_tokens
    seqs = config.scheduler.max_num_seqs
    assert max_len is not None and tokens is not None and seqs is not None
    share = math.ceil(100 * (memory.usable + needed(config, layout) - memory.kv) / memory.total) / 100
    if config.cache.gpu_memory_utilization < share <= 1.0:
        yield {"gpu_memory_utilization": share}
    shorter = longest_that_fits(layout, max(0, memory.kv) // layout.block_bytes, max_len, tokens)
    if 2 <= shorter < max_len:
        yield {"max_model_len": shorter}
    for fewer in (tokens >> n for n in range(1, 6)):
        if fewer >= max(seqs, 256):
            yield {"max_num_batched_tokens": fewer}
    for fewer in (seqs >> n for n in range(1, 6)):
        if fewer >= 8:
            yield {"max_num_seqs": fewer}
    if config.model.dtype == "float32":
        yield {"dtype": "bfloat16"}
    if gpu.capability >= (8, 9) and config.cache.kv_cache_dtype != "fp8":
        yield {"kv_cache_dtype": "fp8"}
    if gpu.capability >= (8, 9) and config.model.quantization is None:
        yield {"quantization": "fp8"}
