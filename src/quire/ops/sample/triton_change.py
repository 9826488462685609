"""Masks, bias and penalties on GPUs: two launches, whatever is asked for. Import this only where Triton is.

`change_kernel` goes once through every line that is changed, for masks and the history. `some_kernel` does
the same anew for single tokens to which something is added or that are drafts before a line: they are few.
"""

from __future__ import annotations

import torch
import triton
import triton.language as tl
from torch import Tensor

from quire.ops.sample.contract import Changes

BLOCK = 2048  # tokens of a program
WARPS = 8
FEW = 128  # single tokens of a program
# They lie anywhere in a packet: a kernel for each of their alignments would be compiled for nothing.
PACKED = ["lines", "strengths", "masks", "tokens", "added", "places"]


@triton.jit
def allowed_by(masks, at, token, mask, W: tl.constexpr):
    """Whether tokens are in row `at` of bit masks; all are where nobody asks."""
    bits = tl.load(masks + at.to(tl.int64) * W + token // 32, mask=mask, other=-1)
    return (bits >> (token % 32)) & 1 != 0


@triton.jit
def punished(logit, prompt, count, repetition, frequency, presence):
    seen = (prompt != 0) | (count > 0)
    logit = tl.where(seen, tl.where(logit > 0, logit / repetition, logit * repetition), logit)
    return logit - frequency * count - presence * (count > 0).to(tl.float32)


@triton.jit(do_not_specialize=[*PACKED[:3], "n"])
def change_kernel(
    logits, lines, strengths, masks, allowed, in_prompt, count, out, stride, n,
    V: tl.constexpr, W: tl.constexpr, BLOCK: tl.constexpr,
):  # fmt: skip
    """Program (a line that is changed, part of the vocabulary)."""
    i = tl.program_id(0)
    token = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    mask = token < V
    line = tl.load(lines + i).to(tl.int64)
    logit = tl.load(logits + line * stride + token, mask=mask, other=0.0).to(tl.float32)
    mine = tl.load(lines + n + i)
    if mine >= 0:
        logit = tl.where(allowed_by(masks, mine, token, mask, W), logit, -float("inf"))
    mine = tl.load(lines + 2 * n + i)
    if mine >= 0:
        logit = tl.where(allowed_by(allowed, mine, token, mask, W), logit, -float("inf"))
    place = tl.load(lines + 3 * n + i).to(tl.int64)
    if place >= 0:
        logit = punished(
            logit,
            tl.load(in_prompt + place * V + token, mask=mask, other=0),
            tl.load(count + place * V + token, mask=mask, other=0.0),
            tl.load(strengths + i), tl.load(strengths + n + i), tl.load(strengths + 2 * n + i),
        )  # fmt: skip
    tl.store(out + i.to(tl.int64) * V + token, logit, mask=mask)


@triton.jit(do_not_specialize=[*PACKED[:5], "n", "some"])
def some_kernel(
    logits, lines, strengths, masks, allowed, in_prompt, count, tokens, added, out, stride, n, some,
    V: tl.constexpr, W: tl.constexpr, FEW: tl.constexpr,
):  # fmt: skip
    """The same for single tokens, of whichever lines."""
    at = tl.program_id(0) * FEW + tl.arange(0, FEW)
    mask = at < some
    i = tl.load(tokens + at, mask=mask, other=0)
    token = tl.load(tokens + some + at, mask=mask, other=0)
    more = tl.load(tokens + 2 * some + at, mask=mask, other=0).to(tl.float32)
    line = tl.load(lines + i, mask=mask, other=0).to(tl.int64)
    logit = tl.load(logits + line * stride + token, mask=mask, other=0.0).to(tl.float32)
    logit += tl.load(added + at, mask=mask, other=0.0)
    mine = tl.load(lines + n + i, mask=mask, other=-1)
    logit = tl.where(allowed_by(masks, mine, token, mine >= 0, W), logit, -float("inf"))
    mine = tl.load(lines + 2 * n + i, mask=mask, other=-1)
    logit = tl.where(allowed_by(allowed, mine, token, mine >= 0, W), logit, -float("inf"))
    place = tl.load(lines + 3 * n + i, mask=mask, other=-1).to(tl.int64)
    past = mask & (place >= 0)
    changed = punished(
        logit,
        tl.load(in_prompt + place * V + token, mask=past, other=0),
        tl.load(count + place * V + token, mask=past, other=0.0) + more,
        tl.load(strengths + i, mask=past, other=1.0),
        tl.load(strengths + n + i, mask=past, other=0.0),
        tl.load(strengths + 2 * n + i, mask=past, other=0.0),
    )
    tl.store(out + i.to(tl.int64) * V + token, tl.where(past, changed, logit), mask=mask)


@triton.jit(do_not_specialize=["places", "tokens", "n"])
def tally_kernel(count, places, tokens, n, V: tl.constexpr, FEW: tl.constexpr):
    at = tl.program_id(0) * FEW + tl.arange(0, FEW)
    place = tl.load(places + at, mask=at < n, other=-1).to(tl.int64)
    token = tl.maximum(tl.load(tokens + at, mask=at < n, other=0), 0)
    tl.atomic_add(count + place * V + token, 1.0, mask=place >= 0, sem="relaxed")


def change(logits: Tensor, changes: Changes) -> Tensor:
    """See `contract.py` and `reference.change`."""
    n, vocab = changes.lines.shape[1], logits.shape[1]
    assert logits.stride(1) == 1 and changes.in_prompt.is_contiguous() and changes.count.is_contiguous()
    out = torch.empty(n, vocab, dtype=torch.float32, device=logits.device)
    if not n:
        return out
    words = triton.cdiv(vocab, 32)
    past = changes.in_prompt.view(torch.uint8), changes.count
    same = (logits, changes.lines, changes.strengths, changes.masks, changes.allowed, *past)
    change_kernel[(n, triton.cdiv(vocab, BLOCK))](
        *same, out, logits.stride(0), n, V=vocab, W=words, BLOCK=BLOCK, num_warps=WARPS
    )
    some = len(changes.added)
    if some:
        some_kernel[(triton.cdiv(some, FEW),)](
            *same, changes.tokens, changes.added, out, logits.stride(0), n, some,
            V=vocab, W=words, FEW=FEW,
        )  # fmt: skip
    return out


def tally(count: Tensor, places: Tensor, tokens: Tensor) -> None:
    """See `reference.tally`."""
    assert count.is_contiguous()
    n = len(places)
    if n:
        tally_kernel[(triton.cdiv(n, FEW),)](count, places, tokens, n, V=count.shape[1], FEW=FEW)
