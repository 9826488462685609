"""Attention of decoding sequences: few queries each, all the time goes into streaming the cache.

A program takes one sequence, one KV head and one of SPLITS ranges of its tokens; the queries of the heads
that share the KV head, times WIDTH tokens, are the rows of its products. The grid is fixed, so that a graph
can hold it: ranges are computed here from the sequence's length, and programs without one leave at once.
Of a sequence in several ranges each program leaves its part in `parts` with its log-sum-exp (base 2) in
`sums`; who comes last, by a counter that is left at zero again, adds them up.

With SHARED, the first `shared_len` tokens were done for all sequences together (see `triton_shared`), whose
parts are added here.
"""

from __future__ import annotations

import triton
import triton.language as tl
from torch import Tensor

from quire.ops.attention.contract import Heads, KVLayer, PagedBatch
from quire.ops.attention.launch import attending, cached, fitting, placed, rows_at_once, scored, workspace
from quire.ops.attention.tilings import PREFIX_EACH, Tiling, decode_tiling, padded, plan_splits
from quire.ops.attention.triton_tile import FP8_MAX, HIDDEN, sweep

PARTS_AT_ONCE = tl.constexpr(8)  # of a row: with more of them fewer rows fit, and one waits for the other


@triton.jit
def gather_parts(
    parts, sums, row, count, first, stride, top, total, acc,
    S: tl.constexpr, D: tl.constexpr,
):  # fmt: skip
    """Adds `count` parts of each row to (top, total, acc); part i of row r is line first[r] + i * stride."""
    part = tl.arange(0, S)
    column = tl.arange(0, D)
    line = first[:, None] + part[None, :] * stride  # [rows, S]
    real = (part < count)[None, :] & row[:, None]
    weight = tl.load(sums + line, mask=real, other=HIDDEN, cache_modifier=".cg")
    values = tl.load(
        parts + line.to(tl.int64)[:, :, None] * D + column[None, None, :],
        mask=real[:, :, None],
        other=0.0,
        cache_modifier=".cg",
    )
    new = tl.maximum(top, tl.max(weight, 1))
    weight = tl.where(real, tl.exp2(weight - new[:, None]), 0.0)
    shrink = tl.exp2(top - new)
    acc = acc * shrink[:, None] + tl.sum(weight[:, :, None] * values, 1)
    return new, total * shrink + tl.sum(weight, 1), acc


@triton.jit
def add_up(
    out, parts, sums, seq, head, active, shared_parts, shared_sums, shared_active, tokens,
    O_TOKEN: tl.constexpr, GROUP: tl.constexpr, KV_HEADS: tl.constexpr, WIDTH: tl.constexpr,
    SPLITS: tl.constexpr, R: tl.constexpr, DIM: tl.constexpr, D: tl.constexpr,
    SHARED: tl.constexpr, SHARED_S: tl.constexpr,
):  # fmt: skip
    """Writes the output of one sequence and KV head from its parts, R rows and S parts at a time."""
    ROWS: tl.constexpr = GROUP * WIDTH
    S: tl.constexpr = PARTS_AT_ONCE if SPLITS > PARTS_AT_ONCE else SPLITS
    column = tl.arange(0, D)
    for start in tl.range(0, ROWS, R):
        row = start + tl.arange(0, R)
        real = row < ROWS
        top = tl.full([R], HIDDEN, tl.float32)
        total = tl.zeros([R], tl.float32)
        acc = tl.zeros([R, D], tl.float32)
        first = (seq * KV_HEADS + head) * SPLITS * ROWS + row
        for part in tl.range(0, active, S):
            top, total, acc = gather_parts(
                parts, sums, real, active - part, first + part * ROWS, ROWS, top, total, acc, S, D
            )
        if SHARED:
            first = head * tokens * GROUP + seq * ROWS + row
            top, total, acc = gather_parts(
                shared_parts, shared_sums, real, shared_active, first, KV_HEADS * tokens * GROUP,
                top, total, acc, SHARED_S, D,
            )  # fmt: skip
        token = seq * WIDTH + row // GROUP
        where = out + token.to(tl.int64) * O_TOKEN + (head * GROUP + row % GROUP) * DIM
        mixed = acc / tl.where(total > 0.0, total, 1.0)[:, None]
        mask = real[:, None] & (column < DIM)[None, :]
        tl.store(where[:, None] + column[None, :], mixed.to(out.dtype.element_ty), mask=mask)


@triton.jit
def deliver(
    out, m, total, acc, seq, head, split, active, parts, sums, counters,
    shared_parts, shared_sums, shared_active, tokens,
    O_TOKEN: tl.constexpr, GROUP: tl.constexpr, KV_HEADS: tl.constexpr, WIDTH: tl.constexpr,
    SPLITS: tl.constexpr, R: tl.constexpr, DIM: tl.constexpr, D: tl.constexpr, M: tl.constexpr,
    FP8: tl.constexpr, SHARED: tl.constexpr, SHARED_S: tl.constexpr,
):  # fmt: skip
    """What a program has gathered: into the output if it is alone, else as a part, and the last adds up."""
    ROWS: tl.constexpr = GROUP * WIDTH
    row = tl.arange(0, M)
    column = tl.arange(0, D)
    scale = tl.where(total > 0.0, 1.0 / total, 0.0)
    if FP8:
        scale = scale / FP8_MAX
    mixed = acc * scale[:, None]
    if not SHARED and (SPLITS == 1 or active == 1):
        token = seq * WIDTH + row // GROUP
        where = out + token.to(tl.int64) * O_TOKEN + (head * GROUP + row % GROUP) * DIM
        mask = (row < ROWS)[:, None] & (column < DIM)[None, :]
        tl.store(where[:, None] + column[None, :], mixed.to(out.dtype.element_ty), mask=mask)
    else:
        pair = seq * KV_HEADS + head
        line = (pair * SPLITS + split) * ROWS + row
        into = parts + line.to(tl.int64)[:, None] * D + column[None, :]
        tl.store(into, mixed, mask=(row < ROWS)[:, None])
        tl.store(sums + line, tl.where(total > 0.0, m + tl.log2(total), HIDDEN), mask=row < ROWS)
        tl.debug_barrier()  # all of this part is written before it counts as arrived
        arrived = tl.atomic_add(counters + pair, 1, sem="acq_rel")
        if arrived == active - 1:
            tl.store(counters + pair, 0)
            add_up(
                out, parts, sums, seq, head, active, shared_parts, shared_sums, shared_active, tokens,
                O_TOKEN, GROUP, KV_HEADS, WIDTH, SPLITS, R, DIM, D, SHARED, SHARED_S,
            )  # fmt: skip


@triton.jit
def shares(span, SPLITS: tl.constexpr, EACH: tl.constexpr, N: tl.constexpr):
    """How many of `span` tokens each program takes, in whole tiles, and how many programs have any.

    Each gets about EACH while there are programs enough, and all about the same.
    """
    programs = tl.minimum(tl.maximum(tl.cdiv(span, EACH), 1), SPLITS)
    each = tl.maximum(tl.cdiv(span, programs * N), 1) * N
    return each, tl.cdiv(span, each)


@triton.jit(do_not_specialize=["tokens", "window", "table_stride"])
def decode_kernel(
    q, out, keys, values, key_scales, value_scales, tables, rows, seq_lens, parts, sums, counters,
    shared_len, shared_parts, shared_sums, tokens, scale, soft_cap, window, table_stride,
    Q_TOKEN: tl.constexpr, Q_HEAD: tl.constexpr, O_TOKEN: tl.constexpr,
    K_BLOCK: tl.constexpr, K_SLOT: tl.constexpr, K_HEAD: tl.constexpr,
    V_BLOCK: tl.constexpr, V_SLOT: tl.constexpr, V_HEAD: tl.constexpr,
    S_BLOCK: tl.constexpr, S_SLOT: tl.constexpr, S_HEAD: tl.constexpr,
    GROUP: tl.constexpr, KV_HEADS: tl.constexpr, WIDTH: tl.constexpr, BLOCK: tl.constexpr,
    DIM: tl.constexpr, D: tl.constexpr, M: tl.constexpr, N: tl.constexpr, STAGES: tl.constexpr,
    SPLITS: tl.constexpr, EACH: tl.constexpr, R: tl.constexpr,
    SHARED: tl.constexpr, SHARED_S: tl.constexpr, SHARED_EACH: tl.constexpr, SHARED_N: tl.constexpr,
    FP8: tl.constexpr, CAPPED: tl.constexpr, WINDOW: tl.constexpr, ROWED: tl.constexpr, PDL: tl.constexpr,
):  # fmt: skip
    """Program (KV head, split, sequence)."""
    ROWS: tl.constexpr = GROUP * WIDTH
    if PDL:
        tl.extra.cuda.gdc_launch_dependents()
        tl.extra.cuda.gdc_wait()
    head = tl.program_id(0)
    split = tl.program_id(1)
    seq = tl.program_id(2)
    length = tl.load(seq_lens + seq)
    begin = 0
    shared_active = 0
    if WINDOW:
        begin = tl.maximum(length - WIDTH + 1 - window, 0) // N * N
    if SHARED:
        begin = tl.minimum(tl.load(shared_len), length)
        _, shared_active = shares(begin, SHARED_S, SHARED_EACH, SHARED_N)
    each, active = shares(length - begin, SPLITS, EACH, N)
    if split >= tl.maximum(active, 1):
        return
    row = tl.arange(0, M)
    column = tl.arange(0, D)
    token = seq * WIDTH + row // GROUP
    mask = (row < ROWS)[:, None] & (column < DIM)[None, :]
    where = q + token.to(tl.int64)[:, None] * Q_TOKEN + (head * GROUP + row % GROUP)[:, None] * Q_HEAD
    mine = tl.load(where + column[None, :], mask=mask, other=0.0)
    if FP8 and q.dtype.element_ty != tl.float32:
        mine = mine.to(tl.float16)
    line = seq
    if ROWED:
        line = tl.load(rows + seq)
    m = tl.full([M], HIDDEN, tl.float32)
    total = tl.zeros([M], tl.float32)
    acc = tl.zeros([M, D], tl.float32)
    low = begin + split * each
    position = tl.where(row < ROWS, length - WIDTH + row // GROUP, length)
    high = tl.minimum(low + each, length)
    table = tables + line.to(tl.int64) * table_stride
    k_base = keys + head * K_HEAD
    v_base = values + head * V_HEAD
    ks_base = key_scales + head * S_HEAD
    vs_base = value_scales + head * S_HEAD
    m, total, acc = sweep(
        mine, m, total, acc, low, high, position, window, scale, soft_cap,
        k_base, v_base, ks_base, vs_base, table,
        K_BLOCK, K_SLOT, V_BLOCK, V_SLOT, S_BLOCK, S_SLOT, BLOCK, DIM, D, N, STAGES,
        FP8, CAPPED, True, WIDTH > 1, WINDOW,
    )  # fmt: skip
    deliver(
        out, m, total, acc, seq, head, split, tl.maximum(active, 1), parts, sums, counters,
        shared_parts, shared_sums, shared_active, tokens,
        O_TOKEN, GROUP, KV_HEADS, WIDTH, SPLITS, R, DIM, D, M, FP8, SHARED, SHARED_S,
    )  # fmt: skip


def decode(
    q: Tensor,
    out: Tensor,
    heads: Heads,
    kv: KVLayer,
    batch: PagedBatch,
    prefix: tuple[int, int] | None = None,
    tiling: Tiling | None = None,
    splits: int | None = None,
) -> None:
    """As `triton.decode`; `prefix` is what `triton_shared.shared` returned, if it did its part before."""
    space, d, rows = workspace(q.device), padded(heads.dim), heads.group * batch.width
    pairs = batch.decodes * heads.kv
    tiling = tiling or decode_tiling(d, kv.keys.dtype, pairs)
    splits = splits or plan_splits(batch.decodes, heads.kv, space.sms, batch.block_tables.shape[1])
    splits = fitting(splits, pairs * rows, d)
    prefixes, prefix_keys = prefix or (1, 1)
    decode_kernel[(heads.kv, splits, batch.decodes)](
        q,
        out,
        *cached(kv),
        *placed(batch),
        batch.seq_lens,
        space.parts,
        space.sums,
        space.counters,
        batch.seq_lens if prefix is None else batch.shared_len,
        space.shared_parts,
        space.shared_sums,
        batch.decodes * batch.width,
        *scored(heads),
        batch.block_tables.stride(0),
        Q_TOKEN=q.stride(0),
        Q_HEAD=q.stride(1),
        O_TOKEN=out.stride(0),
        KV_HEADS=heads.kv,
        WIDTH=batch.width,
        M=padded(rows),
        SPLITS=splits,
        EACH=max(tiling.each, tiling.keys),
        R=rows_at_once(rows, max(min(splits, PARTS_AT_ONCE.value), prefixes), d),
        SHARED=prefix is not None,
        SHARED_S=prefixes,
        SHARED_EACH=PREFIX_EACH,
        SHARED_N=prefix_keys,
        WINDOW=heads.window is not None,
        **attending(q, heads, kv, batch, tiling),
    )
