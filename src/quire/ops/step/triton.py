"""Step preparation on GPUs, one launch each. Import this only where Triton is.

What comes from packets lies at any address and has any length: the kernels are not specialised for either,
or a new length would mean a new compilation.
"""

from __future__ import annotations

import torch
import triton
import triton.language as tl
from torch import Tensor

from quire.ops.backend import dependent
from quire.ops.step.contract import StepInputs

BLOCK = 128


@triton.jit(do_not_specialize=["packet", "lines", "packet_stride", "slots_stride"])
def prepare_kernel(
    packet, tables, last, token_ids, positions, slots, seq_lens, query_start,
    lines, packet_stride, table_rows, columns, slots_stride,
    SIZE: tl.constexpr, GROUPS: tl.constexpr, BLOCK: tl.constexpr, PDL: tl.constexpr,
):  # fmt: skip
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = at < lines
    if PDL:
        tl.extra.cuda.gdc_wait()
        tl.extra.cuda.gdc_launch_dependents()
    row = tl.load(packet + at, mask=mask, other=0)
    position = tl.load(packet + packet_stride + at, mask=mask, other=0)
    token = tl.load(packet + 2 * packet_stride + at, mask=mask, other=0)
    token = tl.where(token < 0, tl.load(last + row, mask=mask & (token < 0), other=0), token)
    real = mask & (row < table_rows - 1) & (token >= 0)
    position = tl.where(real, position, 0)
    place = row.to(tl.int64) * columns + position // SIZE
    for g in tl.static_range(GROUPS):
        table = tables + tl.cast(g, tl.int64) * table_rows * columns + place
        fresh = tl.load(packet + (3 + g) * packet_stride + at, mask=real, other=0)
        tl.store(table, fresh, mask=real & (fresh > 0))
        block = tl.where(fresh > 0, fresh, tl.load(table, mask=real & (fresh <= 0), other=0))
        slot = block.to(tl.int64) * SIZE + position % SIZE
        tl.store(slots + g * slots_stride + at, tl.where(real, slot, 0), mask=mask)
    tl.store(token_ids + at, tl.maximum(token, 0).to(tl.int64), mask=mask)
    tl.store(positions + at, position.to(tl.int64), mask=mask)
    tl.store(seq_lens + at, tl.where(real, position + 1, 0), mask=mask)
    tl.store(query_start + at, at, mask=at <= lines)


@triton.jit(do_not_specialize=["rows", "start", "query_start", "tokens", "sequences", "total"])
def gather_kernel(
    rows, start, query_start, tokens, tables, last, token_ids, positions, slots, seq_lens,
    sequences, total, table_rows, columns,
    SIZE: tl.constexpr, GROUPS: tl.constexpr, BLOCK: tl.constexpr,
):  # fmt: skip
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = at < total
    low = tl.zeros([BLOCK], tl.int32)  # the owner is the last sequence that begins at or before the token
    high = low + sequences
    left = sequences
    while left > 0:  # halves the range often enough; a range of one stays
        middle = (low + high) // 2
        begins = tl.load(query_start + middle) <= at
        low = tl.where(begins, middle, low)
        high = tl.where(begins, high, middle)
        left = left // 2
    row = tl.load(rows + low, mask=mask, other=0)
    position = at - tl.load(query_start + low, mask=mask, other=0) + tl.load(start + low, mask=mask, other=0)
    token = tl.load(tokens + at, mask=mask, other=0)
    sampled = tl.load(last + row, mask=mask & (token < 0), other=0)
    token = tl.maximum(tl.where(token < 0, sampled, token), 0)
    tl.store(token_ids + at, token.to(tl.int64), mask=mask)
    tl.store(positions + at, position.to(tl.int64), mask=mask)
    column = tl.minimum(position // SIZE, columns - 1)  # padding may stand behind the table
    place = row.to(tl.int64) * columns + column
    for g in tl.static_range(GROUPS):
        block = tl.load(tables + tl.cast(g, tl.int64) * table_rows * columns + place, mask=mask, other=0)
        slot = block.to(tl.int64) * SIZE + position % SIZE
        tl.store(slots + tl.cast(g, tl.int64) * total + at, slot, mask=mask)
    mask = at < sequences
    first = tl.load(query_start + at, mask=mask, other=0)
    end = tl.load(query_start + at + 1, mask=mask, other=0)
    tl.store(seq_lens + at, tl.load(start + at, mask=mask, other=0) + end - first, mask=mask)


@triton.jit(do_not_specialize=["places", "blocks", "n"])
def scatter_kernel(tables, places, blocks, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = at < n
    place = tl.load(places + at, mask=mask, other=0)
    tl.store(tables + place, tl.load(blocks + at, mask=mask, other=0), mask=mask)


@triton.jit(do_not_specialize=["turn", "packet", "n", "words", "packet_stride", "turns"])
def publish_kernel(
    values, turn, packet, ring, n, words, packet_stride, turns,
    GROUPS: tl.constexpr, BLOCK: tl.constexpr,
):  # fmt: skip
    """One program: whoever reads the turn has read it when the next one is written."""
    now = tl.load(turn)
    line = ring + now.to(tl.int64) * words
    first = 0
    while first < n:
        at = first + tl.arange(0, BLOCK)
        mask = at < n
        tl.store(line + at, tl.load(values + at, mask=mask, other=0), mask=mask)
        position = packet + packet_stride + at
        tl.store(position, tl.load(position, mask=mask, other=0) + 1, mask=mask)
        none = tl.zeros([BLOCK], tl.int32)
        tl.store(packet + 2 * packet_stride + at, none - 1, mask=mask)
        for g in tl.static_range(GROUPS):
            tl.store(packet + (3 + g) * packet_stride + at, none, mask=mask)
        first += BLOCK
    tl.debug_barrier()
    after = tl.where(now + 1 < turns, now + 1, 0)
    tl.store(turn, tl.where(now < turns, after, now))


def prepare_decode(packet: Tensor, tables: Tensor, last: Tensor, block_size: int) -> StepInputs:
    """See `reference.prepare_decode`."""
    groups, rows, columns = tables.shape
    lines = packet.shape[1]
    assert packet.stride(1) == 1 and tables.is_contiguous()
    out = _empty(lines, groups, lines, packet.device)
    out.query_start = torch.empty(lines + 1, dtype=torch.int32, device=packet.device)
    prepare_kernel[(triton.cdiv(lines + 1, BLOCK),)](
        packet, tables, last, out.token_ids, out.positions, out.slots, out.seq_lens, out.query_start,
        lines, packet.stride(0), rows, columns, lines,
        SIZE=block_size, GROUPS=groups, BLOCK=BLOCK, **dependent(packet),
    )  # fmt: skip
    return out


def gather_inputs(
    rows: Tensor,
    start: Tensor,
    query_start: Tensor,
    tokens: Tensor,
    tables: Tensor,
    last: Tensor,
    block_size: int,
) -> StepInputs:
    """See `reference.gather_inputs`."""
    groups, table_rows, columns = tables.shape
    assert tables.is_contiguous()
    n, total = len(rows), len(tokens)
    out = _empty(total, groups, n, tokens.device)
    out.query_start = query_start
    gather_kernel[(triton.cdiv(max(n, total), BLOCK),)](
        rows, start, query_start, tokens, tables, last,
        out.token_ids, out.positions, out.slots, out.seq_lens,
        n, total, table_rows, columns, SIZE=block_size, GROUPS=groups, BLOCK=BLOCK,
    )  # fmt: skip
    return out


def scatter_blocks(tables: Tensor, places: Tensor, blocks: Tensor) -> None:
    """See `reference.scatter_blocks`."""
    assert tables.is_contiguous()
    n = len(places)
    if n:
        scatter_kernel[(triton.cdiv(n, BLOCK),)](tables, places, blocks, n, BLOCK=BLOCK)


def publish(values: Tensor, turn: Tensor, packet: Tensor, ring: Tensor) -> None:
    """See `reference.publish`. The ring is pinned memory: what is written there needs no copy to be read."""
    assert ring.is_contiguous() and packet.stride(1) == 1
    publish_kernel[(1,)](
        values, turn, packet, ring, len(values), ring.shape[1], packet.stride(0), len(ring) - 1,
        GROUPS=packet.shape[0] - 3, BLOCK=256,
    )  # fmt: skip


def _empty(tokens: int, groups: int, sequences: int, device: torch.device) -> StepInputs:
    return StepInputs(
        torch.empty(tokens, dtype=torch.int64, device=device),
        torch.empty(tokens, dtype=torch.int64, device=device),
        torch.empty(groups, tokens, dtype=torch.int64, device=device),
        torch.empty(sequences, dtype=torch.int32, device=device),
        torch.empty(0, dtype=torch.int32),
    )
