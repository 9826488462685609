"""The prefix that all decoding sequences share, done once: their queries packed over one copy of its keys.

A program takes one KV head, one range of the prefix and M rows; row r is query token r // GROUP and head
r % GROUP of the KV head's group. The prefix is the first `shared_len` tokens of sequence 0, which every
sequence's table must begin with; all their queries come after it, so nothing is hidden. What it leaves in
`parts` and `sums` is added to each sequence's own rest by `triton_decode`. Lengths are read on the device
and a length of zero costs an empty launch, so that one graph serves any prefix.
"""

from __future__ import annotations

import triton
import triton.language as tl
from torch import Tensor

from quire.ops.attention.contract import Heads, KVLayer, PagedBatch
from quire.ops.attention.launch import attending, cached, fitting, has_room, placed, scored, workspace
from quire.ops.attention.tilings import PREFIX_EACH, Tiling, padded, shared_tiling
from quire.ops.attention.triton_decode import shares
from quire.ops.attention.triton_tile import FP8_MAX, HIDDEN, sweep


@triton.jit(do_not_specialize=["tokens", "table_stride"])
def shared_kernel(
    q, keys, values, key_scales, value_scales, tables, rows, shared_len, parts, sums,
    tokens, scale, soft_cap, table_stride,
    Q_TOKEN: tl.constexpr, Q_HEAD: tl.constexpr,
    K_BLOCK: tl.constexpr, K_SLOT: tl.constexpr, K_HEAD: tl.constexpr,
    V_BLOCK: tl.constexpr, V_SLOT: tl.constexpr, V_HEAD: tl.constexpr,
    S_BLOCK: tl.constexpr, S_SLOT: tl.constexpr, S_HEAD: tl.constexpr,
    GROUP: tl.constexpr, KV_HEADS: tl.constexpr, BLOCK: tl.constexpr,
    DIM: tl.constexpr, D: tl.constexpr, M: tl.constexpr, N: tl.constexpr, STAGES: tl.constexpr,
    SPLITS: tl.constexpr, EACH: tl.constexpr,
    FP8: tl.constexpr, CAPPED: tl.constexpr, ROWED: tl.constexpr, PDL: tl.constexpr,
):  # fmt: skip
    """Program (KV head, range of the prefix, M rows)."""
    if PDL:
        tl.extra.cuda.gdc_launch_dependents()
        tl.extra.cuda.gdc_wait()
    head = tl.program_id(0)
    split = tl.program_id(1)
    length = tl.load(shared_len)
    each, active = shares(length, SPLITS, EACH, N)
    if split >= active:
        return
    row = tl.program_id(2) * M + tl.arange(0, M)
    column = tl.arange(0, D)
    real = row < tokens * GROUP
    where = q + (row // GROUP).to(tl.int64) * Q_TOKEN + (head * GROUP + row % GROUP) * Q_HEAD
    mine = tl.load(where[:, None] + column[None, :], mask=real[:, None] & (column < DIM)[None, :], other=0.0)
    if FP8 and q.dtype.element_ty != tl.float32:
        mine = mine.to(tl.float16)
    table = tables
    if ROWED:
        table = tables + tl.load(rows).to(tl.int64) * table_stride
    m = tl.full([M], HIDDEN, tl.float32)
    total = tl.zeros([M], tl.float32)
    acc = tl.zeros([M, D], tl.float32)
    low = split * each
    m, total, acc = sweep(
        mine, m, total, acc, low, tl.minimum(low + each, length), row, 0, scale, soft_cap,
        keys + head * K_HEAD, values + head * V_HEAD,
        key_scales + head * S_HEAD, value_scales + head * S_HEAD, table,
        K_BLOCK, K_SLOT, V_BLOCK, V_SLOT, S_BLOCK, S_SLOT, BLOCK, DIM, D, N, STAGES,
        FP8, CAPPED, True, False, False,
    )  # fmt: skip
    if FP8:
        acc = acc * (1.0 / FP8_MAX)
    line = (split * KV_HEADS + head) * tokens * GROUP + row
    tl.store(
        parts + line.to(tl.int64)[:, None] * D + column[None, :], acc / total[:, None], mask=real[:, None]
    )
    tl.store(sums + line, m + tl.log2(total), mask=real)


def fits(heads: Heads, batch: PagedBatch) -> bool:
    """Whether there may be such a prefix, all queries see it, and the workspace has room for their parts."""
    lines = batch.decodes * batch.width * heads.queries
    return batch.shared_len is not None and heads.window is None and has_room(lines, padded(heads.dim))


def shared(
    q: Tensor, heads: Heads, kv: KVLayer, batch: PagedBatch, tiling: Tiling | None = None
) -> tuple[int, int]:
    """Leaves the parts of the prefix in the workspace; returns how it is cut: ranges, keys of a tile."""
    space, d, tokens = workspace(q.device), padded(heads.dim), batch.decodes * batch.width
    tiling = tiling or shared_tiling(d, kv.keys.dtype)
    tiles = -(-tokens * heads.group // tiling.rows)
    splits = 1 << (max(1, min(2 * space.sms // (tiles * heads.kv), 16)).bit_length() - 1)
    splits = fitting(splits, tokens * heads.queries, d)
    scale, soft_cap, _ = scored(heads)
    shared_kernel[(heads.kv, splits, tiles)](
        q,
        *cached(kv),
        *placed(batch),
        batch.shared_len,
        space.shared_parts,
        space.shared_sums,
        tokens,
        scale,
        soft_cap,
        batch.block_tables.stride(0),
        Q_TOKEN=q.stride(0),
        Q_HEAD=q.stride(1),
        KV_HEADS=heads.kv,
        M=tiling.rows,
        SPLITS=splits,
        EACH=PREFIX_EACH,
        **attending(q, heads, kv, batch, tiling),
    )
    return splits, tiling.keys
