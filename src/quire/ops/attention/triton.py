"""Paged attention on GPUs: which kernel runs on which part of a batch, and with what grid.

Decoding sequences come first and run on a grid fixed by their number (`triton_decode`), the others by tiles
of queries (`triton_prefill`). All that a graph may not know when it is captured (lengths, tables, which
rows) is read on the device. Parts of split sequences go through one `Workspace` per device, which is never
moved, so that graphs may keep its address; all launches on a device must be ordered on one stream.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor

from quire.ops.attention import fp8_decode, specialised
from quire.ops.attention.contract import QUERY_TILE, KVLayer, PagedBatch, plan_tiles
from quire.ops.attention.tilings import (
    Tiling,
    decode_tiling,
    plan_splits,
    pow2,
    prefill_tiling,
    shared_tiling,
    small_tiling,
)  # fmt: skip
from quire.ops.attention.triton_decode import decode_kernel
from quire.ops.attention.triton_prefill import prefill_kernel
from quire.ops.attention.triton_shared import shared_kernel
from quire.ops.attention.triton_small import small_kernel
from quire.ops.attention.triton_store import store_kernel
from quire.ops.backend import dependent
from quire.ops.norm import Gain

SMALL = 8  # sequences up to which `small` is the faster way
PARTS = 8 << 20  # float32 numbers in a workspace for the parts of split sequences, and again for prefixes
LINES = 1 << 18  # their log-sum-exps
COUNTERS = LINES  # never more pairs of sequence and KV head than lines
SHARED_EACH = 128  # tokens of a shared prefix that a program takes while there are programs enough
SMALL_PROGRAMS = 2  # the same for `small`, whose programs each do the projection's work


@dataclass(slots=True)
class Workspace:
    """What programs of one launch hand each other. Counters are zero between launches."""

    parts: Tensor  # float32 [PARTS]
    sums: Tensor  # float32 [LINES]
    shared_parts: Tensor
    shared_sums: Tensor
    counters: Tensor  # int32 [COUNTERS]
    sms: int


_workspaces: dict[torch.device, Workspace] = {}


def workspace(device: torch.device) -> Workspace:
    """The device's workspace; call once before the first capture of a graph."""
    found = _workspaces.get(device)
    if found is not None:
        return found
    sms = 4
    if device.type == "cuda":
        if torch.cuda.is_current_stream_capturing():
            raise RuntimeError(
                "attention's workspace must exist before a graph is captured: run a step first"
            )
        sms = torch.cuda.get_device_properties(device).multi_processor_count

    def floats(n: int) -> Tensor:
        return torch.empty(n, dtype=torch.float32, device=device)

    counters = torch.zeros(COUNTERS, dtype=torch.int32, device=device)
    made = Workspace(floats(PARTS), floats(LINES), floats(PARTS), floats(LINES), counters, sms)
    _workspaces[device] = made
    return made


# -- operations ------------------------------------------------------------------------------------------


def store(
    qkv: Tensor,
    heads: int,
    kv_heads: int,
    dim: int,
    cos: Tensor,
    signed_sin: Tensor,
    gain: Gain | None,
    kv: KVLayer,
    batch: PagedBatch,
) -> Tensor:
    """See `reference.store`, which defines the result."""
    tokens, rotary = qkv.shape[0], cos.shape[-1]
    all_heads = heads + 2 * kv_heads
    together = min(pow2(all_heads), 8 if tokens < 1024 else 16)
    store_kernel[(tokens, -(-all_heads // together))](
        qkv,
        cos,
        signed_sin,
        cos if gain is None else gain.weight,
        kv.keys,
        kv.values,
        *_scales(kv),
        batch.slots,
        0.0 if gain is None else gain.eps,
        WIDTH=qkv.stride(0),
        HEADS=heads,
        KV_HEADS=kv_heads,
        DIM=dim,
        ROT=rotary,
        **_strides(kv, True),
        BLOCK=batch.block_size,
        NORM=gain is not None,
        H=together,
        HALF=pow2(rotary // 2),
        TAIL=pow2(max(dim - rotary, 1)),
        num_warps=max(1, together // 2),
        **dependent(qkv),
    )
    return qkv[:, : heads * dim].view(tokens, heads, dim)


def mix(
    qkv: Tensor,
    heads: int,
    kv_heads: int,
    dim: int,
    cos: Tensor,
    signed_sin: Tensor,
    gain: Gain | None,
    kv: KVLayer,
    batch: PagedBatch,
    scale: float,
    window: int | None = None,
    soft_cap: float | None = None,
) -> Tensor:
    """`store`, then `attend`, in one launch where that is faster.   # [tokens, heads * dim]"""
    tokens = qkv.shape[0]
    if tokens <= SMALL and tokens == batch.decodes and batch.width == 1 and batch.shared_len is None:
        return small(qkv, heads, kv_heads, dim, cos, signed_sin, gain, kv, batch, scale, window, soft_cap)
    q = store(qkv, heads, kv_heads, dim, cos, signed_sin, gain, kv, batch)
    return attend(q, kv, batch, scale, window, soft_cap).view(tokens, heads * dim)


def attend(
    q: Tensor,
    kv: KVLayer,
    batch: PagedBatch,
    scale: float,
    window: int | None = None,
    soft_cap: float | None = None,
) -> Tensor:
    """See `reference.attend`, which defines the result."""
    out = torch.empty(q.shape, dtype=q.dtype, device=q.device)
    if batch.decodes:
        decode(q, out, kv, batch, scale, window, soft_cap)
    if q.shape[0] > batch.decodes * batch.width:
        prefill(q, out, kv, batch, scale, window, soft_cap)
    return out


def decode(
    q: Tensor,
    out: Tensor,
    kv: KVLayer,
    batch: PagedBatch,
    scale: float,
    window: int | None = None,
    soft_cap: float | None = None,
    tiling: Tiling | None = None,
    splits: int | None = None,
) -> None:
    """The sequences that decode: the first `batch.decodes`, of `batch.width` tokens each."""
    plain = window is None and soft_cap is None and batch.shared_len is None
    if plain and tiling is None and fp8_decode.fits(q, kv, batch):
        return direct(q, out, kv, batch, scale)
    heads, dim = q.shape[1], q.shape[2]
    kv_heads, width = kv.keys.shape[2], batch.width
    group, d = heads // kv_heads, max(16, pow2(dim))
    rows = max(16, pow2(group * width))
    space = workspace(q.device)
    pairs = batch.decodes * kv_heads
    tiling = tiling or decode_tiling(d, kv.keys.dtype, pairs)
    splits = splits or plan_splits(batch.decodes, kv_heads, space.sms, batch.block_tables.shape[1])
    lines = pairs * group * width
    splits = _fitting(splits, lines, d)
    prefixes, prefix_keys, shared_len = 1, 1, batch.shared_len
    if window is not None or lines > min(LINES, PARTS // d):
        shared_len = None
    if shared_len is not None:
        prefixes, prefix_keys = shared(q, kv, batch, scale, soft_cap)
    decode_kernel[(kv_heads, splits, batch.decodes)](
        q,
        out,
        kv.keys,
        kv.values,
        *_scales(kv),
        batch.block_tables,
        batch.seq_lens if batch.rows is None else batch.rows,
        batch.seq_lens,
        space.parts,
        space.sums,
        space.counters,
        batch.seq_lens if shared_len is None else shared_len,
        space.shared_parts,
        space.shared_sums,
        batch.decodes * width,
        scale,
        soft_cap or 1.0,
        window or 0,
        batch.block_tables.stride(0),
        Q_TOKEN=q.stride(0),
        Q_HEAD=q.stride(1),
        O_TOKEN=out.stride(0),
        **_strides(kv, q.is_cuda and q.element_size() == 2),
        GROUP=group,
        KV_HEADS=kv_heads,
        WIDTH=width,
        BLOCK=batch.block_size,
        DIM=dim,
        D=d,
        M=rows,
        N=tiling.keys,
        STAGES=tiling.stages,
        SPLITS=splits,
        EACH=max(tiling.each, tiling.keys),
        R=_rows_at_once(group * width, max(min(splits, 16), prefixes), d),
        SHARED=shared_len is not None,
        SHARED_S=prefixes,
        SHARED_EACH=SHARED_EACH,
        SHARED_N=prefix_keys,
        CAPPED=soft_cap is not None,
        WINDOW=window is not None,
        ROWED=batch.rows is not None,
        num_warps=tiling.warps,
        **dependent(q),
    )


def direct(
    q: Tensor,
    out: Tensor,
    kv: KVLayer,
    batch: PagedBatch,
    scale: float,
    cut: fp8_decode.Cut | None = None,
    kernel: Any = None,
) -> None:
    """`decode` for what `fp8_decode.fits`."""
    space, kv_heads = workspace(q.device), kv.keys.shape[2]
    cut = cut or fp8_decode.plan(batch.decodes, kv_heads, space.sms, batch.block_tables.shape[1])
    cut = replace(cut, splits=_fitting(cut.splits, batch.decodes * batch.width * q.shape[1], q.shape[2]))
    parts = space.parts, space.sums, space.counters
    fp8_decode.decode(q, out, kv, batch, scale, parts, cut, _places(kv), kernel)


def shared(
    q: Tensor,
    kv: KVLayer,
    batch: PagedBatch,
    scale: float,
    soft_cap: float | None = None,
    tiling: Tiling | None = None,
) -> tuple[int, int]:
    """Leaves the parts of the prefix that decoding sequences share; returns how it is cut: ranges, keys."""
    heads, dim = q.shape[1], q.shape[2]
    kv_heads, tokens = kv.keys.shape[2], batch.decodes * batch.width
    group, d = heads // kv_heads, max(16, pow2(dim))
    space = workspace(q.device)
    tiling = tiling or shared_tiling(d, kv.keys.dtype)
    tiles = -(-tokens * group // tiling.rows)
    splits = 1 << (max(1, min(2 * space.sms // (tiles * kv_heads), 16)).bit_length() - 1)
    splits = _fitting(splits, tokens * heads, d)
    assert batch.shared_len is not None
    shared_kernel[(kv_heads, splits, tiles)](
        q,
        kv.keys,
        kv.values,
        *_scales(kv),
        batch.block_tables,
        batch.seq_lens if batch.rows is None else batch.rows,
        batch.shared_len,
        space.shared_parts,
        space.shared_sums,
        tokens,
        scale,
        soft_cap or 1.0,
        batch.block_tables.stride(0),
        Q_TOKEN=q.stride(0),
        Q_HEAD=q.stride(1),
        **_strides(kv, q.is_cuda and q.element_size() == 2),
        GROUP=group,
        KV_HEADS=kv_heads,
        BLOCK=batch.block_size,
        DIM=dim,
        D=d,
        M=tiling.rows,
        N=tiling.keys,
        STAGES=tiling.stages,
        SPLITS=splits,
        EACH=SHARED_EACH,
        CAPPED=soft_cap is not None,
        ROWED=batch.rows is not None,
        num_warps=tiling.warps,
        **dependent(q),
    )
    return splits, tiling.keys


def prefill(
    q: Tensor,
    out: Tensor,
    kv: KVLayer,
    batch: PagedBatch,
    scale: float,
    window: int | None = None,
    soft_cap: float | None = None,
    tiling: Tiling | None = None,
) -> None:
    """The sequences after those that decode, by `batch.tiles`."""
    heads, dim = q.shape[1], q.shape[2]
    kv_heads = kv.keys.shape[2]
    d, tiles = max(16, pow2(dim)), _tiles(batch)
    if tiling is None:
        narrow = heads * tiles.shape[0] * 3 < workspace(q.device).sms * 2
        if not narrow and window is None and soft_cap is None and specialised.fits(q, kv, batch):
            return specialised.prefill(q, out, kv, batch, tiles, scale)
        tiling = prefill_tiling(d, kv.keys.dtype, narrow)
    prefill_kernel[(heads, tiles.shape[0] * (QUERY_TILE // tiling.rows))](
        q,
        out,
        kv.keys,
        kv.values,
        *_scales(kv),
        batch.block_tables,
        batch.seq_lens if batch.rows is None else batch.rows,
        batch.seq_lens,
        batch.query_start,
        tiles,
        scale,
        soft_cap or 1.0,
        window or 0,
        batch.block_tables.stride(0),
        Q_TOKEN=q.stride(0),
        Q_HEAD=q.stride(1),
        O_TOKEN=out.stride(0),
        **_strides(kv, q.is_cuda and q.element_size() == 2),
        GROUP=heads // kv_heads,
        BLOCK=batch.block_size,
        TILE=QUERY_TILE,
        DIM=dim,
        D=d,
        M=tiling.rows,
        N=tiling.keys,
        STAGES=tiling.stages,
        CAPPED=soft_cap is not None,
        WINDOW=window is not None,
        ROWED=batch.rows is not None,
        num_warps=tiling.warps,
        **dependent(q),
    )


def small(
    qkv: Tensor,
    heads: int,
    kv_heads: int,
    dim: int,
    cos: Tensor,
    signed_sin: Tensor,
    gain: Gain | None,
    kv: KVLayer,
    batch: PagedBatch,
    scale: float,
    window: int | None = None,
    soft_cap: float | None = None,
    tiling: Tiling | None = None,
    splits: int | None = None,
) -> Tensor:
    """`store` and `attend` of decoding sequences of one token each, in one launch. # [tokens, heads * dim]

    `qkv` is left as it is.
    """
    tokens, group, d = qkv.shape[0], heads // kv_heads, max(16, pow2(dim))
    out = torch.empty(tokens, heads * dim, dtype=qkv.dtype, device=qkv.device)
    space = workspace(qkv.device)
    rows = max(16, pow2(group))
    tiling = tiling or small_tiling(d, kv.keys.dtype, tokens * kv_heads)
    splits = splits or plan_splits(tokens, kv_heads, space.sms, batch.block_tables.shape[1], SMALL_PROGRAMS)
    splits = _fitting(splits, tokens * heads, d)
    small_kernel[(kv_heads, splits, tokens)](
        qkv,
        out,
        cos,
        signed_sin,
        cos if gain is None else gain.weight,
        kv.keys,
        kv.values,
        *_scales(kv),
        batch.block_tables,
        batch.seq_lens if batch.rows is None else batch.rows,
        batch.seq_lens,
        batch.slots,
        space.parts,
        space.sums,
        space.counters,
        0.0 if gain is None else gain.eps,
        scale,
        soft_cap or 1.0,
        window or 0,
        batch.block_tables.stride(0),
        WIDTH=qkv.stride(0),
        O_TOKEN=out.stride(0),
        **_strides(kv, qkv.is_cuda and qkv.element_size() == 2),
        GROUP=group,
        KV_HEADS=kv_heads,
        BLOCK=batch.block_size,
        DIM=dim,
        ROT=cos.shape[-1],
        D=d,
        M=rows,
        N=tiling.keys,
        STAGES=tiling.stages,
        SPLITS=splits,
        EACH=max(tiling.each, tiling.keys),
        R=_rows_at_once(group, min(splits, 16), d),
        NORM=gain is not None,
        CAPPED=soft_cap is not None,
        WINDOW=window is not None,
        ROWED=batch.rows is not None,
        EARLY=batch.early,
        num_warps=tiling.warps,
        **dependent(qkv),
    )
    return out


# -- arguments -------------------------------------------------------------------------------------------


def _fitting(splits: int, lines: int, dim: int) -> int:
    """As many splits as the workspace has room for, with so many lines of `dim` elements in each."""
    while splits > 1 and (splits * lines * dim > PARTS or splits * lines > LINES):
        splits //= 2
    return splits


def _rows_at_once(rows: int, splits: int, dim: int) -> int:
    """Rows whose parts are added up together, so that their loads fly together and stay in registers."""
    return max(1, min(pow2(rows), 8192 // (splits * dim)))


def _scales(kv: KVLayer) -> tuple[Tensor, Tensor]:
    """The scales of an FP8 cache, or something to point to."""
    if kv.key_scales is None or kv.value_scales is None:
        return kv.keys, kv.values
    return kv.key_scales, kv.value_scales


def _strides(kv: KVLayer, assembled: bool) -> dict[str, Any]:
    """What a kernel is built for of a cache: its strides, and whether and how it is converted."""
    return {**_places(kv), "FP8": 0 if kv.key_scales is None else 1 if assembled else 2}


def _places(kv: KVLayer) -> dict[str, int]:
    """Elements from one block, token and head to the next. They stay, so kernels are built for them."""
    k, v = kv.keys.stride(), kv.values.stride()
    s = (0, 0, 0) if kv.key_scales is None else kv.key_scales.stride()
    assert k[3] == 1 and v[3] == 1, "a head's elements must be neighbours"
    assert kv.value_scales is None or kv.value_scales.stride() == s
    return {
        "K_BLOCK": k[0], "K_SLOT": k[1], "K_HEAD": k[2],
        "V_BLOCK": v[0], "V_SLOT": v[1], "V_HEAD": v[2],
        "S_BLOCK": s[0], "S_SLOT": s[1], "S_HEAD": s[2],
    }  # fmt: skip


def _tiles(batch: PagedBatch) -> Tensor:
    if batch.tiles is not None:
        return batch.tiles
    made = batch.scratch.get("tiles")
    if made is None:
        listed = plan_tiles(batch.host_query_start, batch.host_seq_lens, batch.decodes)
        made = batch.scratch["tiles"] = torch.tensor(listed, dtype=torch.int32).to(batch.seq_lens.device)
    return made
