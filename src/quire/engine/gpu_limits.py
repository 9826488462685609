"""What the kernels of a GPU cannot compute, refused before anything is loaded."""

from __future__ import annotations

from collections.abc import Iterator

from quire import speculative
from quire.config import CacheConfig, EngineConfig
from quire.engine.machine import Gpu
from quire.errors import BadOption
from quire.models.shapes import DecoderShape

# A block of one token could be written by one prompt of a step and read by another, and where each computes a
# single token one launch does both, in no order (ops/attention/triton_small.py). A prompt's first token alone
# never fills a larger block.
MIN_GPU_BLOCK = 2
QUERY_BYTES = 128 << 10  # of the queries of a sequence and a KV head, which attention holds in shared memory
FP8_MULTIPLE = 16  # of both widths of a weight, for torch's scaled product
BYTES = {"float32": 4, "bfloat16": 2, "float16": 2}


def check_gpu(config: EngineConfig, shape: DecoderShape, gpu: Gpu | None) -> None:
    assert gpu is not None
    _check_types(config, gpu)
    if config.cache.block_size < MIN_GPU_BLOCK:
        raise BadOption(
            f"block_size is {config.cache.block_size} and must be at least {MIN_GPU_BLOCK} on a GPU; "
            f"leave --block-size out for {CacheConfig().block_size}"
        )
    _check_guesses(config, shape)
    if config.model.quantization == "fp8":
        _check_widths(config, shape)


def _check_types(config: EngineConfig, gpu: Gpu) -> None:
    dtype, kv = config.model.dtype, config.cache.kv_cache_dtype
    if dtype == "bfloat16" and not gpu.has_bf16:
        raise BadOption(
            f"dtype is bfloat16, which needs a GPU of compute capability 8.0 or later, and {gpu.name} has "
            f"{gpu.said_capability}; leave --dtype out, or give float16 or float32"
        )
    has_fp8 = gpu.capability >= (8, 9)
    for flag, value in (("--quantization", config.model.quantization), ("--kv-cache-dtype", kv)):
        if value == "fp8" and not has_fp8:
            raise BadOption(
                f"{flag} is fp8, which needs a GPU of compute capability 8.9 or later, and {gpu.name} has "
                f"{gpu.said_capability}; leave it out"
            )
    if kv not in (dtype, "fp8"):
        raise BadOption(
            f"kv_cache_dtype is {kv} and the model's type is {dtype}, and a GPU's kernels take no two such "
            f"types; leave --kv-cache-dtype out (auto), or give {dtype}{' or fp8' if has_fp8 else ''}"
        )


def _check_guesses(config: EngineConfig, shape: DecoderShape) -> None:
    """A step verifies all guesses of a sequence at once, with all query heads of a KV head."""
    guessing, p = speculative.read(config.speculation.speculative_config), config.parallel
    if (
        guessing is None or p.pipeline_parallel_size * p.context_parallel_size > 1
    ):  # there as prompts are read
        return
    tp = p.tensor_parallel_size
    group = max(1, shape.heads // tp) // max(1, shape.kv_heads // tp)
    dim = max(16, 1 << (shape.head_dim - 1).bit_length())
    rows = QUERY_BYTES // (dim * BYTES[config.model.dtype])  # a power of two, as kernels take them
    most = rows // max(1, group) - 1
    if guessing.most > most:
        raise BadOption(
            f"num_speculative_tokens is {guessing.most}, and with {group} query heads of {shape.head_dim} "
            f"elements for a KV head a GPU's attention verifies at most {most} in {config.model.dtype}; "
            f"lower it in --speculative-config"
        )


def _check_widths(config: EngineConfig, shape: DecoderShape) -> None:
    for what, width in _widths(shape, config.parallel.tensor_parallel_size):
        if width % FP8_MULTIPLE:
            raise BadOption(
                f"--quantization is fp8, whose products need widths that are multiples of {FP8_MULTIPLE}, "
                f"and {what} is {width:,} here; leave it out"
            )


def _widths(shape: DecoderShape, tp: int) -> Iterator[tuple[str, int]]:
    """Of what is quantized: inputs and outputs on each rank."""
    queries, kv = shape.heads * shape.head_dim // tp, max(1, shape.kv_heads // tp) * shape.head_dim
    yield "the hidden size", shape.hidden_size
    yield "the width of attention's output", queries
    yield "the width of queries, keys and values", queries + 2 * kv
    experts = shape.experts
    if experts is None or not all(experts.layers):
        yield "the inner width of the MLP", shape.intermediate_size // tp
    if experts is not None and experts.shared:
        yield "the inner width of the shared expert", experts.shared // tp
