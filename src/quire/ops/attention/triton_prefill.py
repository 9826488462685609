"""Attention of prompts: a program takes up to QUERY_TILE queries of one head over the paged pool.

Most tiles of keys are visible to all queries of the program and need no mask at all; only those on the
diagonal, and with a window those at its lower edge, are compared. The host lists the tiles of queries
longest first, and the heads of one tile run side by side, so that those sharing a KV head meet in L2.
"""

from __future__ import annotations

import triton
import triton.language as tl
from torch import Tensor

from quire.ops.attention.contract import QUERY_TILE, Heads, KVLayer, PagedBatch
from quire.ops.attention.launch import attending, cached, placed, scored
from quire.ops.attention.tilings import Tiling, padded, prefill_tiling
from quire.ops.attention.triton_tile import FP8_MAX, HIDDEN, sweep


@triton.jit(do_not_specialize=["window", "table_stride"])
def prefill_kernel(
    q, out, keys, values, key_scales, value_scales, tables, rows, seq_lens, query_start, tiles,
    scale, soft_cap, window, table_stride,
    Q_TOKEN: tl.constexpr, Q_HEAD: tl.constexpr, O_TOKEN: tl.constexpr,
    K_BLOCK: tl.constexpr, K_SLOT: tl.constexpr, K_HEAD: tl.constexpr,
    V_BLOCK: tl.constexpr, V_SLOT: tl.constexpr, V_HEAD: tl.constexpr,
    S_BLOCK: tl.constexpr, S_SLOT: tl.constexpr, S_HEAD: tl.constexpr,
    GROUP: tl.constexpr, BLOCK: tl.constexpr, TILE: tl.constexpr,
    DIM: tl.constexpr, D: tl.constexpr, M: tl.constexpr, N: tl.constexpr, STAGES: tl.constexpr,
    FP8: tl.constexpr, CAPPED: tl.constexpr, WINDOW: tl.constexpr, ROWED: tl.constexpr, PDL: tl.constexpr,
):  # fmt: skip
    """Program (head, part of a tile of queries): M of the tile's TILE queries, the last ones first."""
    if PDL:
        tl.extra.cuda.gdc_launch_dependents()
        tl.extra.cuda.gdc_wait()
    head = tl.program_id(0)
    tile = tl.program_id(1) // (TILE // M)
    part = TILE // M - 1 - tl.program_id(1) % (TILE // M)
    seq = tl.load(tiles + 2 * tile)
    first = tl.load(tiles + 2 * tile + 1) + part * M
    start = tl.load(query_start + seq)
    count = tl.load(query_start + seq + 1) - start
    if first >= count:
        return
    length = tl.load(seq_lens + seq)
    line = seq
    if ROWED:
        line = tl.load(rows + seq)
    row = first + tl.arange(0, M)
    column = tl.arange(0, D)
    mask = (row < count)[:, None] & (column < DIM)[None, :]
    token = (start + row).to(tl.int64)
    mine = tl.load(q + token[:, None] * Q_TOKEN + head * Q_HEAD + column[None, :], mask=mask, other=0.0)
    if FP8 and q.dtype.element_ty != tl.float32:
        mine = mine.to(tl.float16)
    kv_head = head // GROUP
    k_base = keys + kv_head * K_HEAD
    v_base = values + kv_head * V_HEAD
    ks_base = key_scales + kv_head * S_HEAD
    vs_base = value_scales + kv_head * S_HEAD
    table = tables + line.to(tl.int64) * table_stride
    least = length - count + first  # the position of the first query
    position = least + tl.arange(0, M)
    m = tl.full([M], HIDDEN, tl.float32)
    total = tl.zeros([M], tl.float32)
    acc = tl.zeros([M, D], tl.float32)
    diagonal = (least + 1) // N * N  # tiles before this are visible to all, after a window's lower edge
    low = 0
    if WINDOW:
        low = tl.maximum(least + 1 - window, 0) // N * N
        edge = tl.minimum(tl.cdiv(tl.maximum(least + M - window, 0), N) * N, diagonal)
        m, total, acc = sweep(
            mine, m, total, acc, low, edge, position, window, scale, soft_cap,
            k_base, v_base, ks_base, vs_base, table,
            K_BLOCK, K_SLOT, V_BLOCK, V_SLOT, S_BLOCK, S_SLOT, BLOCK, DIM, D, N, STAGES,
            FP8, CAPPED, False, False, True,
        )  # fmt: skip
        low = tl.maximum(low, edge)
    m, total, acc = sweep(
        mine, m, total, acc, low, diagonal, position, window, scale, soft_cap,
        k_base, v_base, ks_base, vs_base, table,
        K_BLOCK, K_SLOT, V_BLOCK, V_SLOT, S_BLOCK, S_SLOT, BLOCK, DIM, D, N, STAGES,
        FP8, CAPPED, False, False, False,
    )  # fmt: skip
    low = tl.maximum(low, diagonal)
    m, total, acc = sweep(
        mine, m, total, acc, low, tl.minimum(least + M, length), position, window, scale, soft_cap,
        k_base, v_base, ks_base, vs_base, table,
        K_BLOCK, K_SLOT, V_BLOCK, V_SLOT, S_BLOCK, S_SLOT, BLOCK, DIM, D, N, STAGES,
        FP8, CAPPED, True, True, WINDOW,
    )  # fmt: skip
    if FP8:
        acc = acc * (1.0 / FP8_MAX)
    mixed = acc / total[:, None]
    where = out + token[:, None] * O_TOKEN + head * DIM + column[None, :]
    tl.store(where, mixed.to(out.dtype.element_ty), mask=mask)


def prefill(
    q: Tensor,
    out: Tensor,
    heads: Heads,
    kv: KVLayer,
    batch: PagedBatch,
    tiles: Tensor,
    narrow: bool = False,
    tiling: Tiling | None = None,
) -> None:
    """As `triton.prefill`. narrow: there would be too few programs with all of QUERY_TILE."""
    tiling = tiling or prefill_tiling(padded(heads.dim), kv.keys.dtype, narrow)
    prefill_kernel[(heads.queries, tiles.shape[0] * (QUERY_TILE // tiling.rows))](
        q,
        out,
        *cached(kv),
        *placed(batch),
        batch.seq_lens,
        batch.query_start,
        tiles,
        *scored(heads),
        batch.block_tables.stride(0),
        Q_TOKEN=q.stride(0),
        Q_HEAD=q.stride(1),
        O_TOKEN=out.stride(0),
        TILE=QUERY_TILE,
        M=tiling.rows,
        WINDOW=heads.window is not None,
        **attending(q, heads, kv, batch, tiling),
    )
