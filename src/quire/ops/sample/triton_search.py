"""Draws from a line that min-p, top-k or top-p cut, without sorting it and without finding the cut itself.

The winner among all tokens, if it is inside the cut, is the winner inside. So it is enough to ask of a
winner how many tokens, or how much probability, lie above it; if too much, the next one is the winner among
tokens above it, and so on. Each answer is a pass over those chunks of the line whose maximum, known from the
first kernel, lets them take part: mostly few. The k-th highest maximum bounds top-k from below, which leaves
about k chunks. Only top-p after top-k needs the k-th logit itself, found by halving ranges of bit patterns.

One program does a line, so that its sums have one order and a draw does not depend on the batch.
"""

from __future__ import annotations

import triton
import triton.language as tl

from quire.ops.sample import contract
from quire.ops.sample.triton_noise import noise_of

CHUNK = tl.constexpr(128)  # tokens whose maximum is kept
NEVER = tl.constexpr(contract.NEVER)
MOST = tl.constexpr(0x7FFFFFFF)


@triton.jit
def key_of(x):
    """float32 → int32 of the same order. Its own inverse but for the types."""
    bits = x.to(tl.int32, bitcast=True)
    return bits ^ ((bits >> 31) & MOST)


@triton.jit
def value_of(key):
    return (key ^ ((key >> 31) & MOST)).to(tl.float32, bitcast=True)


@triton.jit
def between(low, high):
    """The mean rounded up, without overflow."""
    return (low | high) - ((low ^ high) >> 1)


@triton.jit
def kth_of(values, k, low, high):
    """The k-th highest of `values`, which is between low and high."""
    keys = key_of(values)
    low = key_of(low)
    high = key_of(high)
    while low < high:
        middle = between(low, high)
        count = tl.sum((keys >= middle).to(tl.int32))
        if count >= k:
            low = tl.min(tl.where(keys >= middle, keys, MOST))
            high = tl.where(count == k, low, high)
        else:
            high = tl.max(tl.where(keys < middle, keys, -MOST))
    return value_of(low)


@triton.jit
def chunk_tile(line, chunks, first, count, G: tl.constexpr, V: tl.constexpr):
    """G listed chunks from `first` on, their token ids and logits, -inf beyond the end."""
    j = first + tl.arange(0, G)
    chunk = tl.load(chunks + j, mask=j < count, other=0)
    token = chunk[:, None] * CHUNK + tl.arange(0, CHUNK)[None, :]
    logit = tl.load(line + token, mask=(j < count)[:, None] & (token < V), other=-float("inf"))
    return chunk, token, logit.to(tl.float32)


@triton.jit
def kth_in(line, chunks, count, k, low, high, G: tl.constexpr, V: tl.constexpr):
    """The k-th highest logit of the listed chunks, which is between low and high."""
    low = key_of(low)
    high = key_of(high)
    while low < high:
        middle = between(low, high)
        above = tl.zeros([G, CHUNK], tl.int32)
        least = tl.full([G, CHUNK], MOST, tl.int32)  # of those that are not below the middle
        most = tl.full([G, CHUNK], -MOST, tl.int32)  # of the others
        for first in range(0, count, G):
            _, _, logit = chunk_tile(line, chunks, first, count, G, V)
            keys = key_of(logit)
            up = keys >= middle
            above += up.to(tl.int32)
            least = tl.minimum(least, tl.where(up, keys, MOST))
            most = tl.maximum(most, tl.where(up, -MOST, keys))
        n = tl.sum(above)
        if n >= k:
            low = tl.min(least)
            high = tl.where(n == k, low, high)
        else:
            high = tl.max(most)
    return value_of(low)


@triton.jit
def measure(line, chunks, count, peak, cool, floor, share, under, G: tl.constexpr, V: tl.constexpr):
    """Number and weight of the tokens above `under`, relative to the peak's weight.

    Those below `floor` or, in the exponent, below `share` do not count.
    """
    number = tl.zeros([G, CHUNK], tl.int32)
    weight = tl.zeros([G, CHUNK], tl.float32)
    for first in tl.range(0, count, G, num_stages=3):
        _, _, logit = chunk_tile(line, chunks, first, count, G, V)
        y = (logit - peak) * cool
        inside = (logit > under) & (logit >= floor) & (y >= share)
        number += inside.to(tl.int32)
        weight += tl.where(inside, tl.exp(y), 0.0)
    return tl.sum(number), tl.sum(weight)


@triton.jit
def draw(
    line, chunks, count, peak, cool, floor, share, under, warm, keys, position,
    G: tl.constexpr, V: tl.constexpr, FAST: tl.constexpr,
):  # fmt: skip
    """The winner among the same tokens, the lowest id among equals."""
    best = tl.full([G, CHUNK], -float("inf"), tl.float32)
    who = tl.full([G, CHUNK], MOST, tl.int32)
    for first in range(0, count, G):
        chunk, token, logit = chunk_tile(line, chunks, first, count, G, V)
        inside = (logit > under) & (logit >= floor) & ((logit - peak) * cool >= share)
        if tl.max(inside.to(tl.int32)) > 0:
            counter = chunk[:, None] * (CHUNK // 4) + tl.arange(0, CHUNK // 4)[None, :]
            noise = noise_of(keys, position, counter, (G, CHUNK), FAST)
            score = tl.where(inside, logit - warm * noise, -float("inf"))
            better = score > best
            best = tl.where(better, score, best)
            who = tl.where(better, token, who)
    top = tl.max(best)
    return tl.min(tl.where(best == top, who, MOST))


@triton.jit
def search(
    line, peaks, sums, chunks, winner, peak, temperature, k, p, min_p, keys, position,
    V: tl.constexpr, C: tl.constexpr, CP: tl.constexpr, G: tl.constexpr, FAST: tl.constexpr,
):  # fmt: skip
    """The winner inside the cut, given the winner among all tokens and the highest logit."""
    cool = 1.0 / temperature
    warm = temperature * 0.6931471805599453
    share = peak * 0.0 + NEVER
    if min_p > 0:
        share = tl.minimum(tl.maximum(tl.log(min_p), share), 0.0)  # the likeliest token is never cut
    c = tl.arange(0, CP)
    tops = tl.load(peaks + c, mask=c < C, other=-float("inf"))
    few = (k > 0) & (k < V)
    nucleus = p < 1
    nothing = peak - float("inf")
    floor = nothing
    if few & (k <= C):
        floor = kth_of(tops, k, tl.min(tl.where(c < C, tops, float("inf"))), peak)
    logit = tl.load(line + winner).to(tl.float32)
    under = nothing
    total = peak * 0.0
    whole = nucleus & (not few) & (min_p <= 0)  # nothing is cut before top-p: the weight of all is known
    if whole:
        weights = tl.load(sums + c, mask=tops > -float("inf"), other=0.0)
        total = tl.sum(weights * tl.exp((tops - peak) * cool))
    judging = (whole | (not nucleus)) & (logit >= floor) & ((logit - peak) * cool >= share)
    if judging:
        under = logit
    exact = False
    going = True
    while going:  # one loop for all that is asked, so that each part is compiled once
        takes_part = (tops >= floor) & (tops > under) & ((tops - peak) * cool >= share)
        tl.debug_barrier()  # nobody reads the list any more
        tl.store(chunks + tl.cumsum(takes_part.to(tl.int32)) - 1, c, mask=takes_part)
        count = tl.sum(takes_part.to(tl.int32))
        tl.debug_barrier()  # all of it is written
        number, weight = measure(line, chunks, count, peak, cool, floor, share, under, G, V)
        redraw = False
        if judging:
            going = (number > 0) & ((few & (number >= k)) | (nucleus & (weight >= p * total)))
            redraw = going
        else:
            refine = nucleus & few & (number > k) & (not exact)
            if refine:
                floor = kth_in(line, chunks, count, k, floor, peak, G, V)
            total = weight
            exact = exact | refine
            judging = not refine
            redraw = judging & ((logit < floor) | ((logit - peak) * cool < share))
            going = refine | few | nucleus
        if redraw:
            winner = draw(
                line, chunks, count, peak, cool, floor, share, under, warm, keys, position, G, V, FAST
            )
            logit = tl.load(line + winner).to(tl.float32)
        if judging:
            under = logit
    return winner
