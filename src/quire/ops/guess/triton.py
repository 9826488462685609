"""Guessing on GPUs, one launch each. Import this only where Triton is."""

from __future__ import annotations

import torch
import triton
import triton.language as tl
from torch import Tensor

from quire.ops.guess import contract
from quire.ops.guess.contract import Places, WideInputs

HEAD = tl.constexpr(contract.HEAD)
SEARCHED = 1024  # tokens of a history that a program compares at once


@triton.jit(do_not_specialize=["packet", "lines"])
def prepare_kernel(
    packet, position, last, guesses, guessed, history, tables,
    token_ids, positions, slots, draw_rows, draw_at, seq_lens, start, tried,
    lines, table_rows, columns, most_guesses, tokens,
    WIDTH: tl.constexpr, WP: tl.constexpr, SIZE: tl.constexpr, GROUPS: tl.constexpr,
):  # fmt: skip
    line = tl.program_id(0)
    offset = tl.arange(0, WP)
    row = tl.load(packet + line)
    real = row < table_rows - 1
    given = tl.load(packet + 2 * lines + line)
    joins = real & (given >= 0)
    first = tl.where(joins, given, tl.load(position + row))
    count = tl.minimum(tl.load(packet + lines + line), tl.load(guessed + row))
    count = tl.where(real & (given < 0), tl.minimum(count, WIDTH - 1), 0)
    upto = tl.where(real, count, -1)
    token = tl.load(packet + 3 * lines + line)
    token = tl.maximum(tl.where(joins & (token >= 0), token, tl.load(last + row)), 0)
    tl.store(history + row.to(tl.int64) * tokens + first, token, mask=joins & (first < tokens))
    mask = offset < WIDTH
    computed = offset <= upto
    guess = tl.load(
        guesses + row.to(tl.int64) * most_guesses + offset - 1, mask=computed & (offset > 0), other=0
    )
    out = line * WIDTH + offset
    at = first + offset
    inside = tl.minimum(at, columns * SIZE - 1)  # padding may stand behind the table
    word = tl.where(offset == 0, tl.where(computed, token, 0), guess)
    tl.store(token_ids + out, word.to(tl.int64), mask=mask)
    tl.store(positions + out, inside.to(tl.int64), mask=mask)
    place = row.to(tl.int64) * columns + inside // SIZE
    for g in tl.static_range(GROUPS):
        block = tl.load(tables + tl.cast(g, tl.int64) * table_rows * columns + place, mask=computed, other=0)
        slot = block.to(tl.int64) * SIZE + inside % SIZE
        tl.store(slots + tl.cast(g, tl.int64) * lines * WIDTH + out, tl.where(computed, slot, 0), mask=mask)
    tl.store(draw_rows + out, tl.where(computed, row, table_rows - 1), mask=mask)
    tl.store(draw_at + out, at + 1, mask=mask)
    tl.store(seq_lens + line, first + WIDTH)
    tl.store(start + line, first)
    tl.store(tried + line, count)


@triton.jit(do_not_specialize=["rows", "drawn"])
def accept_kernel(
    rows, start, tried, drawn, position, last, guesses, history, words, scratch, most_guesses, tokens,
    WIDTH: tl.constexpr, WP: tl.constexpr,
):  # fmt: skip
    line = tl.program_id(0)
    offset = tl.arange(0, WP)
    row = tl.load(rows + line)
    first = tl.load(start + line)
    count = tl.load(tried + line)
    token = tl.load(drawn + line * WIDTH + offset, mask=offset < WIDTH, other=0)
    guess = tl.load(guesses + row.to(tl.int64) * most_guesses + offset, mask=offset < count, other=-1)
    wrong = (offset >= count) | (token != guess)
    right = tl.min(tl.where(wrong, offset, WP))  # there is always a place behind the guesses
    line_words = words + line * (HEAD + WIDTH)
    tl.store(line_words, first)
    tl.store(line_words + 1, count)
    tl.store(line_words + 2, right + 1)
    tl.store(line_words + HEAD + offset, token, mask=offset < WIDTH)
    real = row < scratch
    token = tl.maximum(token, 0)
    tl.store(last + row, tl.sum(tl.where(offset == right, token, 0)), mask=real)
    tl.store(position + row, first + right + 1, mask=real)
    at = first + 1 + offset
    told = (offset <= tl.where(real, right, -1)) & (at < tokens)
    tl.store(history + row.to(tl.int64) * tokens + at, token, mask=told)


@triton.jit(do_not_specialize=["rows"])
def look_up_kernel(
    rows, position, guesses, guessed, history, scratch, most_guesses, tokens,
    LEAST: tl.constexpr, MOST: tl.constexpr, KP: tl.constexpr, BLOCK: tl.constexpr,
):  # fmt: skip
    """Program (line): the highest pair of how long a match is and where it ends, then what followed it."""
    row = tl.load(rows + tl.program_id(0))
    if row < scratch:
        end = tl.load(position + row)
        text = history + row.to(tl.int64) * tokens
        best = tl.full([BLOCK], -1, tl.int64)
        for begin in range(0, end, BLOCK):
            at = begin + tl.arange(0, BLOCK)
            same = at < end
            length = tl.zeros([BLOCK], tl.int64)
            for j in tl.static_range(MOST):
                wanted = tl.load(text + end - j, mask=end >= j, other=-1)
                same = same & (at >= j)
                same = same & (tl.load(text + at - j, mask=same, other=-2) == wanted)
                length += same.to(tl.int64)
            best = tl.maximum(best, tl.where(at < end, (length << 32) | at, -1))
        found = tl.max(best)
        length = found >> 32
        at = (found & 0xFFFFFFFF).to(tl.int32)
        enough = (found >= 0) & (length >= LEAST)
        count = tl.where(enough, most_guesses, 0)
        tl.store(guessed + row, count)
        j = tl.arange(0, KP)
        rest = tl.where(enough, end - at, 1)
        token = tl.load(text + at + 1 + j % rest, mask=j < count, other=0)
        tl.store(guesses + row.to(tl.int64) * most_guesses + j, token, mask=j < count)


def prepare(packet: Tensor, places: Places, tables: Tensor, width: int, block_size: int) -> WideInputs:
    """See `reference.prepare`."""
    groups, rows, columns = tables.shape
    lines, device = packet.shape[1], packet.device
    assert packet.is_contiguous() and tables.is_contiguous()
    total = lines * width
    wide = [torch.empty(total, dtype=torch.int64, device=device) for _ in range(2)]
    slots = torch.empty(groups, total, dtype=torch.int64, device=device)
    draws = [torch.empty(total, dtype=torch.int32, device=device) for _ in range(2)]
    each = [torch.empty(lines, dtype=torch.int32, device=device) for _ in range(3)]
    out = WideInputs(wide[0], wide[1], slots, draws[0], draws[1], each[0], each[1], each[2])
    prepare_kernel[(lines,)](
        packet, places.position, places.last, places.guesses, places.guessed, places.history, tables,
        out.token_ids, out.positions, out.slots, out.draw_rows, out.draw_at,
        out.seq_lens, out.start, out.tried,
        lines, rows, columns, places.guesses.shape[1], places.history.shape[1],
        WIDTH=width, WP=triton.next_power_of_2(width), SIZE=block_size, GROUPS=groups, num_warps=1,
    )  # fmt: skip
    return out


def accept(rows: Tensor, inputs: WideInputs, drawn: Tensor, places: Places, words: Tensor) -> None:
    """See `reference.accept`."""
    lines, width = drawn.shape
    assert drawn.is_contiguous() and words.is_contiguous()
    accept_kernel[(lines,)](
        rows, inputs.start, inputs.tried, drawn,
        places.position, places.last, places.guesses, places.history, words,
        len(places.last) - 1, places.guesses.shape[1], places.history.shape[1],
        WIDTH=width, WP=triton.next_power_of_2(width), num_warps=1,
    )  # fmt: skip


def look_up(rows: Tensor, places: Places, least: int, most: int) -> None:
    """See `reference.look_up`."""
    count = places.guesses.shape[1]
    look_up_kernel[(len(rows),)](
        rows, places.position, places.guesses, places.guessed, places.history,
        len(places.last) - 1, count, places.history.shape[1],
        LEAST=least, MOST=most, KP=triton.next_power_of_2(count), BLOCK=SEARCHED, num_warps=8,
    )  # fmt: skip
