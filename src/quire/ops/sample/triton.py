"""Sampling and log-probabilities on GPUs. Import this only where Triton is.

Two launches draw: `scan_kernel` splits each line's vocabulary over programs and reads it once, for the
highest score of each part; `pick_kernel` joins a line's parts and, for lines that cut the vocabulary, goes
on searching (`triton_search.py`). The grid depends on the number of lines only.
"""

from __future__ import annotations

import torch
import triton
import triton.language as tl
from torch import Tensor

from quire.ops.backend import dependent
from quire.ops.sample import contract
from quire.ops.sample.contract import SampleTable
from quire.ops.sample.triton_noise import keys_of, noise_of
from quire.ops.sample.triton_search import CHUNK, MOST, search

PROGRAMS = 1056  # as many as an H200 runs at once
SCAN_WARPS = 4
UNROLL = 4  # times four tokens a thread
PICK_WARPS = 16
LISTED = 32  # chunks that a search reads at once
SCORED = 2048  # tokens that a program of `logprobs` reads at once
COOLEST = tl.constexpr(contract.COOLEST)
HOTTEST = tl.constexpr(contract.HOTTEST)
ENDED = tl.constexpr(contract.ENDED)
# Read one by one: a kernel of its own for each of their alignments would be compiled for nothing.
SMALL = ["temperature", "table_k", "table_p", "table_min", "seeds", "rows", "positions", "out", "last"]
ENDING = ["floor", "limit", "stops"]


@triton.jit
def cuts(table_k, table_p, table_min, row, V: tl.constexpr):
    """top_k, top_p and min_p of a row, and whether any of them is on."""
    k = tl.load(table_k + row)
    p = tl.load(table_p + row)
    least = tl.load(table_min + row)
    return k, p, least, ((k > 0) & (k < V)) | (p < 1) | (least > 0)


@triton.jit(do_not_specialize=[*SMALL[:-2], "splits", "per_split"])
def scan_kernel(
    logits, temperature, table_k, table_p, table_min, seeds, rows, positions, scores, tops, ids, peaks, sums,
    stride, splits, per_split,
    V: tl.constexpr, C: tl.constexpr, SUB: tl.constexpr, UNROLL: tl.constexpr,
    FAST: tl.constexpr, PDL: tl.constexpr,
):  # fmt: skip
    """Program (line, part of the vocabulary): its highest score and that token, its highest logit.

    The highest logit is NaN where any is. Lines that cut also get every chunk's highest logit and, for top-p,
    its weight relative to that. A thread has four neighbouring tokens of each SUB: those that share a
    counter, so that nothing has to change hands.
    """
    i = tl.program_id(0)
    split = tl.program_id(1)
    lane = tl.arange(0, SUB)
    if PDL:
        tl.extra.cuda.gdc_wait()
        tl.extra.cuda.gdc_launch_dependents()
    row = tl.load(rows + i)
    t = tl.load(temperature + row)
    keys = keys_of(tl.load(seeds + row))
    position = tl.load(positions + i)
    _, p, _, cut = cuts(table_k, table_p, table_min, row, V)
    random = t > 0
    cut = cut & random
    t = tl.clamp(t, COOLEST, HOTTEST)
    warm = t * 0.6931471805599453
    cool = 1.0 / t
    line = logits + i.to(tl.int64) * stride
    best = tl.full([SUB], -float("inf"), tl.float32)
    peak = tl.full([SUB], -float("inf"), tl.float32)
    who = tl.zeros([SUB], tl.int32)  # SUBs counted from the first
    subs: tl.constexpr = (V + SUB - 1) // SUB
    for first in range(split * per_split, tl.minimum((split + 1) * per_split, subs), UNROLL):
        some = ()
        for u in tl.static_range(UNROLL):
            at = lane + (first + u) * SUB
            some = some + (tl.load(line + at, mask=at < V, other=-float("inf")),)  # noqa: RUF005
        for u in tl.static_range(UNROLL):
            logit = some[u].to(tl.float32)
            peak = tl.maximum(peak, logit, propagate_nan=tl.PropagateNan.ALL)
            if cut:
                each: tl.constexpr = SUB // CHUNK
                chunk = tl.arange(0, each) + (first + u) * each
                chunked = tl.reshape(logit, (each, CHUNK))
                chunk_peaks = tl.max(chunked, axis=1)
                tl.store(peaks + i.to(tl.int64) * C + chunk, chunk_peaks, mask=chunk < C)
                if p < 1:
                    weight = tl.sum(tl.exp((chunked - chunk_peaks[:, None]) * cool), axis=1)
                    tl.store(sums + i.to(tl.int64) * C + chunk, weight, mask=chunk < C)
            if random:
                counter = tl.arange(0, SUB // 4) + (first + u) * (SUB // 4)
                logit -= warm * noise_of(keys, position, counter, (SUB,), FAST)
            wins = logit > best
            best = tl.where(wins, logit, best)
            who = tl.where(wins, first + u, who)
    part = i * splits + split
    top = tl.max(best)
    strange = tl.max((peak != peak).to(tl.int32))
    tl.store(scores + part, top)
    tl.store(ids + part, tl.min(tl.where(best == top, who * SUB + lane, MOST)))
    tl.store(tops + part, tl.where(strange > 0, float("nan"), tl.max(peak)))


@triton.jit
def ends_row(token, known, row, floor, limit, stops, table_rows, STOPS: tl.constexpr):
    """Whether a row that has so many tokens now ends with this one."""
    each = tl.load(stops + tl.arange(0, STOPS) * table_rows + row)
    stopped = tl.max((each == token).to(tl.int32)) > 0
    return (stopped & (known >= tl.load(floor + row))) | (known >= tl.load(limit + row))


@triton.jit(do_not_specialize=[*SMALL, *ENDING, "splits", "table_rows"])
def pick_kernel(
    logits, temperature, table_k, table_p, table_min, seeds, rows, positions, scores, tops, ids, peaks, sums,
    chunks, out, last, floor, limit, stops, stride, splits, table_rows,
    SP: tl.constexpr, V: tl.constexpr, C: tl.constexpr, CP: tl.constexpr, G: tl.constexpr,
    STOPS: tl.constexpr, FAST: tl.constexpr, PDL: tl.constexpr,
):  # fmt: skip
    """Program (line): the token, into `out` and `last`. STOPS is 0 where nobody asks if it ends a row."""
    i = tl.program_id(0)
    part = tl.arange(0, SP)
    if PDL:
        tl.extra.cuda.gdc_wait()
        tl.extra.cuda.gdc_launch_dependents()
    row = tl.load(rows + i)
    t = tl.load(temperature + row)
    k, p, least, cut = cuts(table_k, table_p, table_min, row, V)
    mask = part < splits
    score = tl.load(scores + i * splits + part, mask=mask, other=-float("inf"))
    top = tl.load(tops + i * splits + part, mask=mask, other=-float("inf"))
    who = tl.load(ids + i * splits + part, mask=mask, other=MOST)
    strange = tl.max((top != top).to(tl.int32)) > 0
    peak = tl.max(tl.where(top == top, top, -float("inf")))
    token = tl.min(tl.where(score == tl.max(score), who, MOST))
    strange = strange | (peak == float("inf"))
    if cut & (t > 0) & (peak > -float("inf")) & (strange == 0):
        token = search(
            logits + i.to(tl.int64) * stride, peaks + i.to(tl.int64) * C, sums + i.to(tl.int64) * C,
            chunks + i.to(tl.int64) * C,
            token, peak, tl.clamp(t, COOLEST, HOTTEST), k, p, least,
            keys_of(tl.load(seeds + row)), tl.load(positions + i), V, C, CP, G, FAST,
        )  # fmt: skip
    token = tl.where(peak > -float("inf"), token, -2)
    token = tl.where(strange, -1, token)
    tl.store(out + i, token)
    token = tl.maximum(token, 0)
    if STOPS:
        known = tl.load(positions + i) + 1
        token = tl.where(ends_row(token, known, row, floor, limit, stops, table_rows, STOPS), ENDED, token)
    tl.store(last + row, token)


def sample(
    logits: Tensor,
    table: SampleTable,
    rows: Tensor,
    positions: Tensor,
    out: Tensor,
    last: Tensor,
    ends: bool = False,
) -> None:
    """See `contract.py` and `reference.sample`."""
    lines, vocab = logits.shape
    if not lines:
        return
    assert logits.stride(1) == 1
    device = logits.device
    sub = 128 * SCAN_WARPS
    per_split, splits = parts_of(lines, vocab, sub * UNROLL)
    chunks = triton.cdiv(vocab, CHUNK.value)
    # Tensors of their own: where one begins in another depends on the lines, and for a pointer that is not a
    # multiple of 16 bytes the kernels would be compiled once more.
    scores, tops = (torch.empty(lines, splits, dtype=torch.float32, device=device) for _ in range(2))
    ids = torch.empty(lines, splits, dtype=torch.int32, device=device)
    peaks, sums = (torch.empty(lines, chunks, dtype=torch.float32, device=device) for _ in range(2))
    listed = torch.empty(lines, chunks, dtype=torch.int32, device=device)
    numbers = (table.temperature, table.top_k, table.top_p, table.min_p, table.seeds, rows, positions)
    scan_kernel[(lines, splits)](
        logits, *numbers, scores, tops, ids, peaks, sums,
        logits.stride(0), splits, per_split * UNROLL,
        V=vocab, C=chunks, SUB=sub, UNROLL=UNROLL,
        FAST=logits.is_cuda, num_warps=SCAN_WARPS, **dependent(logits),
    )  # fmt: skip
    pick_kernel[(lines,)](
        logits, *numbers, scores, tops, ids, peaks, sums,
        listed, out, last, table.floor, table.limit, table.stops, logits.stride(0), splits, len(last),
        SP=triton.next_power_of_2(triton.cdiv(vocab, 1024)),  # enough for any number of lines
        V=vocab, C=chunks, CP=triton.next_power_of_2(chunks), G=LISTED,
        STOPS=contract.STOPS if ends else 0, FAST=logits.is_cuda, num_warps=PICK_WARPS, **dependent(logits),
    )  # fmt: skip


def parts_of(lines: int, vocab: int, tile: int) -> tuple[int, int]:
    """Tiles for each program of a line, and programs for each line."""
    tiles = triton.cdiv(vocab, tile)
    per_split = triton.cdiv(tiles, min(max(PROGRAMS // lines, 1), tiles))
    return per_split, triton.cdiv(tiles, per_split)


@triton.jit(do_not_specialize=["lines", "tokens", "splits", "per_split"])
def score_kernel(
    logits, lines, tokens, chosen, norms, above, stride, splits, per_split,
    V: tl.constexpr, BLOCK: tl.constexpr,
):  # fmt: skip
    """Program (a line, part of the vocabulary): log-sum-exp, and how many logits exceed the token's."""
    i = tl.program_id(0)
    split = tl.program_id(1)
    line = logits + tl.load(lines + i).to(tl.int64) * stride
    own = tl.load(line + tl.maximum(tl.load(tokens + i), 0)).to(tl.float32)
    peak = tl.full([BLOCK], -float("inf"), tl.float32)
    total = tl.zeros([BLOCK], tl.float32)
    count = tl.zeros([BLOCK], tl.int32)
    for tile in range(split * per_split, (split + 1) * per_split):
        at = tl.arange(0, BLOCK) + tile * BLOCK
        logit = tl.load(line + at, mask=at < V, other=-float("inf")).to(tl.float32)
        count += (logit > own).to(tl.int32)
        higher = tl.maximum(peak, logit, propagate_nan=tl.PropagateNan.ALL)
        base = tl.where(higher == -float("inf"), 0.0, higher)
        total = total * tl.exp(peak - base) + tl.exp(logit - base)
        peak = higher
    top = tl.max(peak)
    base = tl.where(top == -float("inf"), 0.0, top)
    tl.store(norms + i * splits + split, base + tl.log(tl.sum(total * tl.exp(peak - base))))
    tl.store(above + i * splits + split, tl.sum(count))
    tl.store(chosen + i, own)  # all parts of a line say the same


def logprobs(logits: Tensor, lines: Tensor, tokens: Tensor, k: int) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """See `reference.logprobs`."""
    n, vocab, device = len(lines), logits.shape[1], logits.device
    assert logits.stride(1) == 1
    per_split, splits = parts_of(max(n, 1), vocab, SCORED)
    chosen = torch.empty(n, dtype=torch.float32, device=device)
    norms = torch.empty(n, splits, dtype=torch.float32, device=device)
    above = torch.empty(n, splits, dtype=torch.int32, device=device)
    if n:
        score_kernel[(n, splits)](
            logits, lines, tokens, chosen, norms, above, logits.stride(0), splits, per_split,
            V=vocab, BLOCK=SCORED,
        )  # fmt: skip
    norm = norms.logsumexp(-1)
    rank = above.sum(-1, dtype=torch.int32) + 1
    if not k:
        return chosen - norm, rank, chosen.new_empty(n, 0), rank.new_empty(n, 0)
    some = logits if n == len(logits) else logits[lines.long()]
    top = some.topk(min(k, vocab), dim=-1)
    return chosen - norm, rank, top.values.float() - norm[:, None], top.indices.int()
