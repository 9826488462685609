"""Which prompts `gluon_prefill` takes, and its launch.

Gluon is Triton's lower language and changes between releases: where it cannot be imported, or the GPU is not
a Hopper, `triton_prefill` does all, and where it cannot be built.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import torch
from torch import Tensor

from quire.ops.attention.contract import QUERY_TILE, Heads, KVLayer, PagedBatch
from quire.ops.attention.launch import placed, runs_gluon, slower

BLOCK_SIZES = 16, 32, 64, 128  # what divides the kernel's tile of keys
enabled = True


def fits(q: Tensor, heads: Heads, kv: KVLayer, batch: PagedBatch) -> bool:
    """Whether `prefill` takes these: its cheap conditions first."""
    return (
        enabled
        and heads.window is None
        and heads.soft_cap is None
        and q.is_cuda
        and heads.dim == 128
        and q.element_size() == 2
        and kv.keys.dtype is q.dtype
        and batch.block_size in BLOCK_SIZES
        and QUERY_TILE == 128
        and _in_rows(kv.keys)
        and _in_rows(kv.values)
        and available(q.device)
    )


@cache
def available(device: torch.device) -> bool:
    if not runs_gluon("gluon_prefill", device):
        return False
    from triton.experimental.gluon import language

    if hasattr(getattr(language, "shared_memory_descriptor", None), "_reinterpret"):
        return True
    slower("gluon_prefill", "shared memory cannot be read as another type")
    return False


@cache
def _programs(device: torch.device) -> int:
    if device.type == "cpu":  # a rehearsal
        return 132
    return int(torch.cuda.get_device_properties(device).multi_processor_count)


def prefill(q: Tensor, out: Tensor, heads: Heads, kv: KVLayer, batch: PagedBatch, tiles: Tensor) -> None:
    """As `triton.prefill`, for what `fits`."""
    from quire.ops.attention.gluon_prefill import gluon_prefill_kernel

    items = heads.queries * tiles.shape[0]
    gluon_prefill_kernel[(min(items, _programs(q.device)),)](
        q,
        out,
        *_descriptors(kv, batch.block_size),
        *placed(batch),
        batch.seq_lens,
        batch.query_start,
        tiles,
        heads.scale,
        batch.block_tables.stride(0),
        items,
        Q_TOKEN=q.stride(0),
        Q_HEAD=q.stride(1),
        O_TOKEN=out.stride(0),
        K_BLOCK=kv.keys.stride(0) // 128,
        K_HEAD=kv.keys.stride(2) // 128,
        V_BLOCK=kv.values.stride(0) // 128,
        V_HEAD=kv.values.stride(2) // 128,
        HEADS=heads.queries,
        GROUP=heads.group,
        BLOCK=batch.block_size,
        ROWED=batch.rows is not None,
        num_warps=4,
    )


def _in_rows(cache: Tensor) -> bool:
    """Whether the tokens of a block and head are neighbouring rows of 128 elements."""
    block, slot, head, one = cache.stride()
    return bool(one == 1 and slot == 128 and head % 128 == 0 and block % 128 == 0)


def _descriptors(kv: KVLayer, block_size: int) -> tuple[Any, Any]:
    """What the copy engine needs to know of keys and values, made once for a layer."""
    found = kv.scratch.get("descriptors")
    if found is None:
        made = _descriptor(kv.keys, block_size), _descriptor(kv.values, block_size)
        found = kv.scratch["descriptors"] = made
    return found


def _descriptor(cache: Tensor, block_size: int) -> Any:
    """Rows of 128 elements, taken BLOCK x 64 at a time."""
    from triton.experimental.gluon import language as gl
    from triton.experimental.gluon.nvidia.hopper import TensorDescriptor

    blocks, slots, heads, _ = cache.shape
    block, _, head, _ = cache.stride()
    rows = ((blocks - 1) * block + (heads - 1) * head) // 128 + slots
    flat = cache.as_strided((rows, 128), (128, 1))
    layout = gl.NVMMASharedLayout(swizzle_byte_width=128, element_bitwidth=16, rank=2)
    return TensorDescriptor.from_tensor(flat, [block_size, 64], layout)
