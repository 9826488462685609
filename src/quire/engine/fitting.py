"""Whether a model fits a GPU with the settings it was given, and if not, which settings would make it fit.

A refusal names only flags that `resolve` has tried and that would do.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from quire import speculative
from quire.config import EngineConfig
from quire.engine.gpu_memory import GIB, GpuMemory, account
from quire.engine.machine import Gpu
from quire.errors import BadOption, DoesNotFit
from quire.kv.groups import Layout, lay_out, stored_bytes
from quire.kv.sizing import longest_that_fits
from quire.models.shapes import DecoderShape
from quire.models.share import largest_share
from quire.parallel.context import planned_block
from quire.parallel.layout import Layout as Ranks
from quire.parallel.stages import split_layers

BYTES = {"float32": 4, "bfloat16": 2, "float16": 2, "fp8": 1}


def weight_bytes(config: EngineConfig, shape: DecoderShape) -> tuple[int, int]:
    """Bytes of the weights of the rank that holds most: as they are kept, and while they are loaded."""
    wide = BYTES[config.model.dtype]
    share = largest_share(shape, ranks_of(config, shape), config.parallel.pipeline_layer_split)
    loading = share.parameters * wide  # quantized one by one, after they are loaded
    return loading - (share.linears * (wide - 1) if config.model.quantization == "fp8" else 0), loading


def packed_bytes(config: EngineConfig, shape: DecoderShape, weights: int) -> int:
    """What CPU weights that are laid out for their products take beside `weights`, the plain ones."""
    if not config.device.cpu_pack_weights or config.model.dtype == "float16":
        return 0
    if config.model.dtype == "float32":
        return weights
    # Tables that are heads as well are needed as they are, too.
    head = shape.vocab_size * shape.hidden_size if shape.tied_head and shape.language_head else 0
    return (head + shape.drafting.tied_table) * BYTES[config.model.dtype]


def ranks_of(config: EngineConfig, shape: DecoderShape) -> Ranks:
    """The ranks that talk to each other: those of one engine, or of all where they share experts."""
    p = config.parallel
    tp, experts = p.tensor_parallel_size, p.enable_expert_parallel
    if experts and shape.experts is None:
        raise BadOption(f"--enable-expert-parallel: {shape.architecture} has no experts; leave it out")
    if why := _cannot_split(shape, tp, experts):
        *less, most = (str(n) for n in range(1, shape.heads + 1) if not _cannot_split(shape, n, experts))
        sizes = f"{', '.join(less)} or {most}" if less else most
        raise BadOption(f"--tensor-parallel-size {tp} {why}; choose {sizes}")
    if p.context_parallel_size > 1 and config.cache.kv_cache_dtype == "fp8":
        raise BadOption("--context-parallel-size and --kv-cache-dtype fp8 do not go together; leave one out")
    if p.context_parallel_size > 1 and shape.drafting.kv_layers:
        raise BadOption(
            "--context-parallel-size and drafts from layers with a cache of their own do not go together; "
            "leave one out, or draft with ngram, suffix or medusa"
        )
    if not experts and (p.num_redundant_experts or p.expert_rebalance_steps):
        raise BadOption(
            "--num-redundant-experts and --expert-rebalance-steps are for --enable-expert-parallel; add it"
        )
    together = tp * (p.data_parallel_size if experts else 1)
    if together == 1 and (p.num_redundant_experts or p.expert_rebalance_steps):
        raise BadOption(
            "--num-redundant-experts and --expert-rebalance-steps are for experts spread over several "
            "processes, and here there is one; raise --tensor-parallel-size or --data-parallel-size, or "
            "leave them out"
        )
    if p.ray_address and p.distributed_executor_backend != "ray":
        raise BadOption("--ray-address is for --distributed-executor-backend ray; add it")
    split_layers(shape.layers, p.pipeline_parallel_size, p.pipeline_layer_split)
    dp = p.data_parallel_size if experts else 1
    cp, redundant = p.context_parallel_size, p.num_redundant_experts
    return Ranks(dp, p.pipeline_parallel_size, cp, tp, experts, redundant)


def _cannot_split(shape: DecoderShape, tp: int, spread: bool) -> str:
    """Why so many ranks of tensor parallelism cannot share the model; empty if they can."""
    if shape.heads % tp:
        return f"does not divide the {shape.heads} attention heads of this model"
    if shape.kv_heads % tp and tp % shape.kv_heads:
        return f"neither divides the {shape.kv_heads} KV heads of this model nor is a multiple of them"
    if shape.qk_norm == "width" and tp > 1:
        return "splits heads, and this model norms queries over all heads"
    uneven = [width for width in _widths_split(shape, spread) if width % tp]
    return f"does not divide the {uneven[0]:,} columns of this model" if uneven else ""


def _widths_split(shape: DecoderShape, spread: bool) -> list[int]:
    """Inner widths of what tensor parallelism cuts: of MLPs, shared experts, and experts unless `spread`."""
    experts = shape.experts
    if experts is None:
        return [shape.intermediate_size]
    cut = [] if spread else [experts.inner]
    cut += [experts.shared] if experts.shared else []
    return cut + ([] if all(experts.layers) else [shape.intermediate_size])


def layout_of(config: EngineConfig, shape: DecoderShape) -> Layout:
    """How the planner cuts the cache; a block's bytes are those of the rank that keeps most of it.

    With context parallelism a block is as many tokens longer as there are ranks that keep a part of it.
    """
    name, p = config.cache.kv_cache_dtype, config.parallel
    # An FP8 cache keeps a float32 scale beside each head of each token.
    extra = 4 if name == "fp8" else 0
    tokens = planned_block(config.cache.block_size, p.context_parallel_size)
    drafts = shape.drafting.kv_layers
    specs = [*shape.kv_layers(p.tensor_parallel_size), *drafts]
    laid_out = lay_out(specs, tokens, BYTES[name], extra, len(drafts))
    stages = split_layers(shape.layers, p.pipeline_parallel_size, p.pipeline_layer_split)
    held = [*map(list, stages[:-1]), [*stages[-1], *range(shape.layers, len(specs))]]
    most = max(
        stored_bytes([specs[i] for i in stage], [laid_out.place[i] for i in stage], BYTES[name], extra)
        for stage in held
    )
    block_bytes = most * tokens // p.context_parallel_size
    return replace(laid_out, block_bytes=block_bytes, ahead=shape.drafting.ahead)


def plan_gpu(config: EngineConfig, shape: DecoderShape, gpu: Gpu) -> tuple[GpuMemory, Layout]:
    """What the rank that holds most takes of its GPU, and how it cuts its cache."""
    tokens, seqs = config.scheduler.max_num_batched_tokens, config.scheduler.max_num_seqs
    assert tokens is not None and seqs is not None
    weights, loading = weight_bytes(config, shape)
    guessing = speculative.read(config.speculation.speculative_config)
    layout, longest = layout_of(config, shape), config.model.max_model_len or 0
    drafts = 0 if guessing is None else guessing.most
    memory = account(
        shape,
        gpu,
        utilization=config.cache.gpu_memory_utilization,
        weights=weights,
        loading=loading,
        dtype_bytes=BYTES[config.model.dtype],
        tokens=tokens,
        seqs=seqs,
        graphs=not config.device.enforce_eager,
        drafts=drafts,
        drafting=0 if guessing is None else min(seqs, guessing.disable_by_batch_size or seqs),
        texts=longest if guessing is not None and guessing.method == "ngram" else 0,
        entries=len(layout.groups) * -(-(longest + drafts) // layout.block_tokens),
    )
    return memory, layout


def needed(config: EngineConfig, layout: Layout) -> int:
    """Bytes of KV cache for one request of --max-model-len; of two tokens, if that may be shortened."""
    max_len, chunk = config.model.max_model_len, config.scheduler.max_num_batched_tokens
    assert max_len is not None and chunk is not None
    if any(c.name == "max_model_len" for c in config.choices):
        max_len = min(max_len, 2)
    return layout.most_blocks(max_len, chunk) * layout.block_bytes


class GpuTooSmall(DoesNotFit):
    """Says the numbers, and keeps what is needed to look for settings that would do."""

    def __init__(self, told: str, config: EngineConfig, gpu: Gpu, memory: GpuMemory, layout: Layout):
        super().__init__(told)
        self.config, self.gpu, self.memory, self.layout = config, gpu, memory, layout


def weights_too_large(config: EngineConfig, memory: GpuMemory) -> str:
    missing = memory.loading + memory.spare - memory.free
    return (
        f"loading the weights takes {memory.loading / GIB:.2f} GiB of {config.model.dtype}, beside "
        f"{memory.spare / GIB:.2f} for workspaces, and {memory.free / GIB:.2f} GiB of the GPU are free; "
        f"{missing / GIB:.2f} GiB are missing"
    )


def cache_too_small(what: str, need: int, memory: GpuMemory) -> str:
    """`what` needs so many bytes of KV cache, which are not left."""
    left = f"{memory.kv / GIB:.2f} GiB are" if memory.kv > 0 else "nothing is"
    return (
        f"{what} needs {need / GIB:.2f} GiB of KV cache and {left} left: {memory.said()}; "
        f"{(need - memory.kv) / GIB:.2f} GiB are missing"
    )


def loads(memory: GpuMemory) -> bool:
    """Whether the weights can be loaded at all."""
    return memory.loading + memory.spare <= memory.free


def way_out(short: GpuTooSmall, gpus: int, would_do: Callable[[dict[str, Any]], bool]) -> str:
    """Flags that would make it fit on one of `gpus` such GPUs, or on several; `would_do` tries them."""
    changes = list(_changes(short, gpus))
    mildest: dict[str, dict[str, Any]] = {}  # of each setting
    for change in changes:
        name = next(iter(change))
        if name not in mildest and would_do(change):
            mildest[name] = change
    if mildest:
        one = "This" if len(mildest) == 1 else "Each of these"
        return f"{one} would do: {', '.join(map(_flags, mildest.values()))}"
    together: dict[str, Any] = {}
    for change in changes:
        together |= change
        if len(together) > 1 and would_do(together):
            return f"Together these would do: {_flags(together)}"
    return "No setting makes it fit: use a larger GPU or a smaller model"


def _flags(change: dict[str, Any]) -> str:
    return " ".join(f"--{name.replace('_', '-')} {value}" for name, value in change.items())


def _changes(short: GpuTooSmall, gpus: int) -> Iterator[dict[str, Any]]:
    """What could be set otherwise, milder before harsher; some of it may be no better or not allowed."""
    config, memory, layout = short.config, short.memory, short.layout
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
            whole = fewer < max_len and not config.scheduler.enable_chunked_prefill  # prompts are not split
            yield {"max_num_batched_tokens": fewer} | ({"max_model_len": fewer} if whole else {})
    for fewer in (seqs >> n for n in range(1, 6)):
        if fewer >= 8:
            yield {"max_num_seqs": fewer}
    if config.model.dtype == "float32":
        yield {"dtype": "bfloat16" if short.gpu.has_bf16 else "float16"}
    if config.cache.kv_cache_dtype != "fp8":
        yield {"kv_cache_dtype": "fp8"}
    if config.model.quantization is None:
        yield {"quantization": "fp8"}
    p = config.parallel
    engine = p.tensor_parallel_size * p.pipeline_parallel_size * p.context_parallel_size
    for name in ("tensor_parallel_size", "pipeline_parallel_size"):
        size = getattr(p, name)
        for more in range(size + 1, gpus * size // engine + 1):
            yield {name: more}
