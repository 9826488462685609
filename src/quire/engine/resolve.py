"""Decides what the user left open, and says why.

`resolve(config, shape, machine)` returns a new frozen config in which nothing is "auto" any more, and the
KV layout with its capacity. It reads no clock, no file and no device: the machine is an argument.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from quire import speculative
from quire.config import POOLING_TYPES, EngineConfig, environment_kv_bytes
from quire.engine.fitting import (
    GpuTooSmall,
    cache_too_small,
    layout_of,
    loads,
    needed,
    packed_bytes,
    plan_gpu,
    ranks_of,
    way_out,
    weight_bytes,
    weights_too_large,
)
from quire.engine.gpu_limits import check_gpu
from quire.engine.gpu_memory import GpuMemory
from quire.engine.machine import Gpu, Machine
from quire.errors import BadOption, CheckpointError, DoesNotFit
from quire.kv.groups import Layout
from quire.kv.sizing import Capacity, capacity, longest_that_fits, too_small
from quire.models.shapes import DecoderShape
from quire.parallel.layout import Layout as Ranks

_SHORT = {"half": "float16", "float": "float32"}
CPU_KV_BYTES = 4 << 30  # asked for by default, if a quarter of the free memory allows it
RANK_BYTES = 150 << 20  # of a process of several, before it has weights: torch, most of all
CPU_MAX_LEN = 32_768  # of models that read more, unless asked


@dataclass(frozen=True, slots=True)
class Resolved:
    config: EngineConfig
    layout: Layout
    capacity: Capacity  # of each rank's share
    ranks: Ranks = field(default_factory=Ranks)  # that talk to each other
    gpu_memory: GpuMemory | None = None  # None on CPUs

    @property
    def in_flight(self) -> int:
        """Steps that may be launched before the oldest one's result is taken in."""
        if self.ranks.pp > 1:
            return self.ranks.pp
        ahead = self.ranks.world > 1 or self.config.scheduler.async_scheduling
        return 2 if self.config.device.device == "cuda" and ahead else 1


def resolve(
    config: EngineConfig,
    shape: DecoderShape,
    machine: Machine,
    checkpoint_dtype: str = "float32",
    environ: Mapping[str, str] = os.environ,
    checkpoint_pooling: str | None = None,
    way_out_too: bool = True,
) -> Resolved:
    """`checkpoint_pooling` is what the checkpoint's sentence-transformers files say, if it has them.

    Without `way_out_too` a refusal names no settings that would do: looking for them takes ten times as long.
    """

    def decide(asked: EngineConfig) -> Resolved:
        return _decide(asked, shape, machine, checkpoint_dtype, environ, checkpoint_pooling)

    def would_do(options: dict[str, Any]) -> bool:
        try:
            decide(config.asking(options))
        except (BadOption, DoesNotFit):
            return False
        return True

    try:
        return decide(config)
    except GpuTooSmall as short:
        if not way_out_too:
            raise
        raise DoesNotFit(f"{short}. {way_out(short, machine.gpus, would_do)}") from None


def planned_dtype(config: EngineConfig, machine: Machine, checkpoint: str) -> str:
    """The type in which a model computes there, whose checkpoint is of this type."""
    config = config.having(_device(config, machine))
    return str(config.having(_dtype(config, machine, checkpoint)).model.dtype)


def _decide(
    config: EngineConfig,
    shape: DecoderShape,
    machine: Machine,
    checkpoint_dtype: str,
    environ: Mapping[str, str],
    checkpoint_pooling: str | None,
) -> Resolved:
    config = config.having(_device(config, machine))
    config = config.having(_dtype(config, machine, checkpoint_dtype))
    if config.device.device == "cuda":
        check_gpu(config, shape, machine.gpu)
    config = config.having(_pooling(config, shape, checkpoint_pooling))
    config = config.having(_budgets(config, shape))
    config = config.having(_without_effect(config, shape))
    ranks = ranks_of(config, shape)
    config = config.having(_shared(config, machine, ranks))
    if config.device.device == "cuda":
        return replace(_on_gpu(config, shape, machine, ranks), ranks=ranks)
    config = config.having(_drafts(config, shape))
    if (guessing := speculative.read(config.speculation.speculative_config)) and shape.drafting.kv_layers:
        shape = replace(shape, drafting=replace(shape.drafting, ahead=guessing.most))
    here = ranks.world // ranks.dp  # ranks of this engine
    weights = weight_bytes(config, shape)[0] * here
    if weights > machine.free_memory:
        wide = config.model.dtype == "float32"
        raise DoesNotFit(
            f"the weights need {weights / 2**30:.2f} GiB in {config.model.dtype} and "
            f"{machine.free_memory / 2**30:.2f} GiB of memory are free; use a machine with more, "
            f"or {'--dtype bfloat16 to halve float32' if wide else 'a smaller model'}"
        )
    if here > 1 and weights + here * RANK_BYTES > machine.free_memory:
        most = max(1, machine.free_memory // (weights // here + RANK_BYTES))
        raise DoesNotFit(
            f"{here:,} processes need {(weights + here * RANK_BYTES) / 2**30:.2f} GiB of memory and "
            f"{machine.free_memory / 2**30:.2f} GiB are free, enough for {most:,}; lower "
            f"--tensor-parallel-size, --pipeline-parallel-size or --context-parallel-size"
        )
    config = config.having(_packing(config, shape, machine, weights))
    weights += packed_bytes(config, shape, weights)
    if weights > machine.free_memory:
        raise DoesNotFit(
            f"the weights and those laid out a second time need {weights / 2**30:.2f} GiB and "
            f"{machine.free_memory / 2**30:.2f} GiB of memory are free; leave --cpu-pack-weights out"
        )
    free = (machine.free_memory - weights) // here  # for each rank
    return replace(_cache(config, shape, free, environ), ranks=ranks)


Reasons = dict[str, tuple[Any, str]]


def _device(config: EngineConfig, machine: Machine) -> Reasons:
    gpu, asked = machine.gpu, config.device.device
    if asked == "cuda" and gpu is None:
        raise BadOption(
            "device is 'cuda' and torch finds no CUDA GPU here (a CPU build of torch, no driver, or "
            "CUDA_VISIBLE_DEVICES hides it); leave --device out or set it to cpu"
        )
    out: Reasons = {}
    if asked == "auto":
        out["device"] = ("cpu", "there is no CUDA GPU") if gpu is None else ("cuda", f"an {gpu.name} is here")
    if config.model.quantization == "fp8" and (asked == "cpu" or gpu is None):
        raise BadOption("quantization is 'fp8', which needs a CUDA GPU; leave --quantization out on CPUs")
    if config.cache.kv_cache_dtype == "fp8" and (asked == "cpu" or gpu is None):
        raise BadOption("kv_cache_dtype is 'fp8', which needs a CUDA GPU; leave --kv-cache-dtype out on CPUs")
    threads = config.device.cpu_threads
    if threads is not None and threads > machine.cpus:
        raise BadOption(f"cpu_threads is {threads:,} and this process may use {machine.cpus} cores; lower it")
    if threads is None:
        p = config.parallel
        ranks = p.tensor_parallel_size * p.pipeline_parallel_size * p.context_parallel_size
        if machine.threads is None or out.get("device", (asked,))[0] == "cuda":  # there threads build kernels
            why = "the cores this process may use" + (f", for {ranks} ranks" if ranks > 1 else "")
            out["cpu_threads"] = (max(1, machine.cpus // ranks), why)
        else:
            out["cpu_threads"] = (min(machine.threads, machine.cpus), "OMP_NUM_THREADS")
    return out


def _dtype(config: EngineConfig, machine: Machine, checkpoint: str) -> Reasons:
    given, out = config.model.dtype, Reasons()
    if given in _SHORT:
        out["dtype"] = (_SHORT[given], f"{given} is its short name")
    elif given == "auto" and config.device.device == "cuda":
        assert machine.gpu is not None
        out["dtype"] = _half(machine.gpu, checkpoint)
    elif given == "auto" and checkpoint == "bfloat16" and machine.native_bf16:
        out["dtype"] = ("bfloat16", "the checkpoint's type, and this CPU multiplies it natively")
    elif given == "auto":
        out["dtype"] = ("float32", f"the checkpoint's {checkpoint} is slow or inexact on this CPU")
        if checkpoint == "float32":
            out["dtype"] = ("float32", "the checkpoint's type")
    if config.cache.kv_cache_dtype == "auto":
        out["kv_cache_dtype"] = (out.get("dtype", (given, ""))[0], "the model's type")
    return out


def _half(gpu: Gpu, checkpoint: str) -> tuple[str, str]:
    """The type of two bytes in which a GPU runs a checkpoint, and why."""
    halves = checkpoint in ("bfloat16", "float16")
    why = "the checkpoint's type" if halves else f"half of the checkpoint's {checkpoint} is fast on GPUs"
    if checkpoint == "float16" or gpu.has_bf16:
        return checkpoint if halves else "bfloat16", why
    lacks = f"bfloat16 needs compute capability 8.0 and {gpu.name} has {gpu.said_capability}"
    return "float16", f"the checkpoint's {lacks}" if halves else f"{why}; {lacks}"


def _pooling(config: EngineConfig, shape: DecoderShape, checkpoint: str | None) -> Reasons:
    if config.model.pooling_type != "auto":
        return {}
    if checkpoint is None and shape.labels:
        return {"pooling_type": ("mean", "embeddings of a classification checkpoint are means of all tokens")}
    if checkpoint is None:
        return {"pooling_type": ("last", "the last token of a causal model has read all others")}
    if checkpoint not in POOLING_TYPES:
        raise CheckpointError(
            f"the checkpoint's 1_Pooling/config.json asks for {checkpoint} pooling, which this version does "
            f"not have; choose another with --pooling-type ({', '.join(POOLING_TYPES)})"
        )
    return {"pooling_type": (checkpoint, "the checkpoint's 1_Pooling/config.json")}


def _budgets(config: EngineConfig, shape: DecoderShape) -> Reasons:
    s, out = config.scheduler, Reasons()
    max_len = config.model.max_model_len
    on_gpu = config.device.device == "cuda"
    if max_len is None:
        max_len = shape.default_max_len if on_gpu else min(shape.default_max_len, CPU_MAX_LEN)
        why = "what the model was trained for"
        if max_len < shape.default_max_len:
            why = f"the model reads {shape.default_max_len:,}; ask for more with --max-model-len"
        out["max_model_len"] = (max_len, why)
    elif max_len > shape.max_positions:
        raise BadOption(
            f"max_model_len is {max_len:,} and the model has positions for {shape.max_positions:,}; "
            f"lower it, or give it rope scaling with --hf-overrides"
        )
    tokens = s.max_num_batched_tokens
    if tokens is None:
        usual = 8192 if on_gpu else 2048
        tokens = usual if s.enable_chunked_prefill else max(usual, max_len)
        why = "enough to fill a GPU" if on_gpu else "a step of a CPU stays short"
        if not s.enable_chunked_prefill:
            why = "prompts are not split, so all must fit"
        out["max_num_batched_tokens"] = (tokens, why)
    elif not s.enable_chunked_prefill and tokens < max_len:
        raise BadOption(
            f"max_num_batched_tokens is {tokens:,} and without chunked prefill must hold a whole prompt of "
            f"--max-model-len {max_len:,}; raise it, lower that, or enable chunked prefill"
        )
    if s.max_num_seqs is None:
        out["max_num_seqs"] = (min(256, tokens), "256, and no more than tokens in a step")
    elif s.max_num_seqs > tokens:
        raise BadOption(
            f"max_num_seqs is {s.max_num_seqs:,} and max_num_batched_tokens {tokens:,}: a step could not "
            f"give every running request its token; raise the second or lower the first"
        )
    return out


def _without_effect(config: EngineConfig, shape: DecoderShape) -> Reasons:
    """What was asked for and would change nothing here; a script for another model or machine may ask it."""
    p, out = config.parallel, Reasons()
    if p.data_parallel_size > 1:  # engines are bound together, or choose: that is something
        return out
    if p.data_parallel_affinity != "none":
        out["data_parallel_affinity"] = ("none", "it has no effect: there is one engine to choose")
    if p.enable_expert_parallel and not (p.num_redundant_experts or p.expert_rebalance_steps):
        if shape.experts is None:
            out["enable_expert_parallel"] = (False, f"it has no effect: {shape.architecture} has no experts")
        elif p.tensor_parallel_size == 1:
            out["enable_expert_parallel"] = (False, "it has no effect: one process holds all experts")
    return out


def _shared(config: EngineConfig, machine: Machine, ranks: Ranks) -> Reasons:
    """What no graph can hold: ranks that talk through the host's memory, exchanges whose size it decides."""
    each = ranks_on_gpu(machine, ranks)
    if config.device.device != "cuda" or config.device.enforce_eager:
        return {}
    if each > 1:
        return {"enforce_eager": (True, f"{each} ranks share each GPU and talk through the host's memory")}
    if ranks.dp > 1:
        return {"enforce_eager": (True, "engines exchange as many tokens as their experts are chosen for")}
    return {}


def ranks_on_gpu(machine: Machine, ranks: Ranks) -> int:
    return -(-(ranks.world // ranks.dp) // max(1, machine.gpus))


def _drafts(config: EngineConfig, shape: DecoderShape) -> Reasons:
    """Layers that guess, of which a CPU waits for every token anyway."""
    asked = config.speculation.speculative_config
    if asked is None or asked.get("num_speculative_tokens") is not None or not shape.drafting.kv_layers:
        return {}
    if asked.get("adaptive") is False or config.parallel.tensor_parallel_size > 1:  # there they never end
        return {}
    value = {**asked, "num_speculative_tokens": speculative.ON_CPU}
    return {"speculative_config": (value, "on a CPU guesses go on as long as they are likely right")}


def _packing(config: EngineConfig, shape: DecoderShape, machine: Machine, weights: int) -> Reasons:
    if config.device.cpu_pack_weights is not None:
        return {}
    if config.model.dtype != "float32" and not (config.model.dtype == "bfloat16" and machine.native_bf16):
        return {"cpu_pack_weights": (False, f"{config.model.dtype} has no packed layout on this CPU")}
    second = packed_bytes(config.having({"cpu_pack_weights": (True, "")}), shape, weights)
    if not second:
        return {"cpu_pack_weights": (True, "this CPU multiplies bfloat16, and no plain copy is kept")}
    fits = second <= (machine.free_memory - weights) // 4
    fit = "fits" if fits else "does not fit"
    what = "" if second == weights else " the head, with"
    why = f"a second copy of{what} {second / 2**20:,.0f} MiB {fit} a quarter of free memory"
    return {"cpu_pack_weights": (fits, why)}


def _on_gpu(config: EngineConfig, shape: DecoderShape, machine: Machine, ranks: Ranks) -> Resolved:
    gpu, override = machine.gpu, config.cache.num_gpu_blocks_override
    assert gpu is not None
    each = ranks_on_gpu(machine, ranks)
    if each > 1:  # each has its share of the memory
        gpu = replace(gpu, memory=gpu.memory // each, free=gpu.free // each)
    memory, layout = plan_gpu(config, shape, gpu)
    if not loads(memory):
        raise GpuTooSmall(weights_too_large(config, memory), config, gpu, memory, layout)
    size = config.cache.kv_cache_memory_bytes
    if override is not None:
        size = override * layout.block_bytes
    least = needed(config, layout)
    if size is None:
        if least > memory.kv:
            told = cache_too_small(_least(config), least, memory)
            raise GpuTooSmall(told, config, gpu, memory, layout)
        size = memory.kv
    elif size > memory.most_kv:
        told = (
            f"a KV cache of {size / 2**30:.2f} GiB was asked for and {max(0, memory.most_kv) / 2**30:.2f} "
            f"GiB of the GPU are left after weights and work space ({memory.said()})"
        )
        if least > memory.most_kv:  # no cache would do
            raise GpuTooSmall(told, config, gpu, memory, layout)
        flag = "--kv-cache-memory-bytes" if override is None else "--num-gpu-blocks-override"
        raise DoesNotFit(f"{told}; lower {flag}")
    why = "raise --gpu-memory-utilization for longer requests"
    resolved = _sized(config, layout, max(1, size // layout.block_bytes), why)
    return replace(resolved, gpu_memory=memory)


def _least(config: EngineConfig) -> str:
    chosen = any(c.name == "max_model_len" for c in config.choices)
    return "a request" if chosen else f"one request of --max-model-len {config.model.max_model_len:,}"


def _cache(config: EngineConfig, shape: DecoderShape, free: int, environ: Mapping[str, str]) -> Resolved:
    layout = layout_of(config, shape)
    max_len, chunk = config.model.max_model_len, config.scheduler.max_num_batched_tokens
    assert max_len is not None and chunk is not None
    if config.cache.num_gpu_blocks_override is None:
        size, out = _kv_bytes(config, layout, max_len, chunk, free, environ)
        config = config.having(out)
        return _sized(config, layout, max(1, size // layout.block_bytes))
    return _sized(config, layout, 0)


def _sized(
    config: EngineConfig,
    layout: Layout,
    blocks: int,
    way_out: str = "raise --kv-cache-memory-bytes for longer requests",
) -> Resolved:
    """So many blocks, or as many as --num-gpu-blocks-override says; requests may be as long as fits."""
    max_len, chunk = config.model.max_model_len, config.scheduler.max_num_batched_tokens
    assert max_len is not None and chunk is not None
    if config.cache.num_gpu_blocks_override is not None:
        blocks = config.cache.num_gpu_blocks_override
    if layout.most_blocks(max_len, chunk) > blocks:
        fits = longest_that_fits(layout, blocks, max_len, chunk)
        chosen = any(c.name == "max_model_len" for c in config.choices)
        if not chosen or fits < 2:
            raise too_small(
                layout, blocks, max_len, chunk, given=config.cache.num_gpu_blocks_override is not None
            )
        why = f"{blocks:,} KV blocks hold no more; {way_out}"
        config = config.having({"max_model_len": (fits, why)})
        max_len = fits
    return Resolved(config, layout, capacity(layout, blocks, max_len, chunk))


def _kv_bytes(
    config: EngineConfig, layout: Layout, max_len: int, chunk: int, free: int, environ: Mapping[str, str]
) -> tuple[int, Reasons]:
    """Bytes of KV cache, and the choice that led to them."""
    size, out = config.cache.kv_cache_memory_bytes, Reasons()
    named = environment_kv_bytes(environ)
    if size is None and named is not None:
        size = named[0]
        out["kv_cache_memory_bytes"] = (size, f"{named[1]} is {size / 2**30:g} GiB")
    if size is not None and size > free:
        raise DoesNotFit(
            f"a KV cache of {size / 2**30:.2f} GiB was asked for and {max(0, free) / 2**30:.2f} GiB of "
            f"memory are free after the weights; lower --kv-cache-memory-bytes (or the environment variable)"
        )
    if size is None:
        seqs = config.scheduler.max_num_seqs
        assert seqs is not None
        useful = layout.most_blocks(max_len, chunk) * seqs * layout.block_bytes
        size = max(layout.block_bytes, min(CPU_KV_BYTES, free // 4, useful))
        why = "the least of 4 GiB, a quarter of free memory, and what --max-num-seqs requests can use"
        out["kv_cache_memory_bytes"] = (size, why)
    return size, out
