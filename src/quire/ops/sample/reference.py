"""The definition of sampling, of what comes before it and of log-probabilities, in plain torch."""

from __future__ import annotations

import torch
from torch import Tensor

from quire.ops.sample.contract import COOLEST, ENDED, HOTTEST, NAN, NOTHING, ROUNDS, Changes, SampleTable

MASK = 0xFFFFFFFF


def sample(
    logits: Tensor,
    table: SampleTable,
    rows: Tensor,
    positions: Tensor,
    out: Tensor,
    last: Tensor,
    ends: bool = False,
) -> None:
    """Draws a token for each line of logits [lines, vocab]: into `out`, and into `last` at its row.

    With `ends` that is ENDED if the token is one that ends the row, or the last there is room for.
    """
    row = rows.long()
    wide = logits.float()
    t = table.temperature[row]
    warm = t.clamp(COOLEST, HOTTEST)
    tokens = best(wide)
    for i in (t > 0).nonzero()[:, 0].tolist():
        kept = cut(wide[i], warm[i], int(table.top_k[row[i]]), table.top_p[row[i]], table.min_p[row[i]])
        noise = gumbel2(table.seeds[row[i]], positions[i], wide.shape[1])
        tokens[i] = best((kept - warm[i] * 0.6931471805599453 * noise)[None])[0]
    peak = wide.amax(-1)  # a NaN anywhere shows in it
    tokens[peak == -torch.inf] = NOTHING
    tokens[peak.isnan() | (peak == torch.inf)] = NAN
    out.copy_(tokens)
    kept = tokens.clamp(min=0).int()
    if ends:
        known = positions + 1
        stopped = (table.stops[:, row] == kept).any(0) & (known >= table.floor[row])
        kept[stopped | (known >= table.limit[row])] = ENDED
    last[row] = kept


def best(scores: Tensor) -> Tensor:
    """The lowest index of each line's maximum."""
    index = torch.arange(scores.shape[1], device=scores.device)
    top = scores == scores.amax(-1, keepdim=True)
    return index.where(top, scores.shape[1] - 1).amin(-1)


def cut(logits: Tensor, t: Tensor, k: int, p: Tensor, min_p: Tensor) -> Tensor:
    """logits [vocab] with -inf for what min-p, top-k and top-p leave out."""
    share = (logits - logits.max()) / t  # a logarithm
    if min_p > 0:
        logits = logits.masked_fill(share < min_p.log(), -torch.inf)
    if 0 < k < len(logits):
        logits = logits.masked_fill(logits < logits.topk(k).values[-1], -torch.inf)
    if p < 1:
        weight = share.masked_fill(logits == -torch.inf, -torch.inf).double().exp()
        value, order = logits.sort(descending=True)
        before = weight[order].cumsum(0) - weight[order]
        inside = before < p.double() * weight.sum()
        border = value[max(int(inside.sum()), 1) - 1]
        logits = logits.masked_fill(logits < border, -torch.inf)
    return logits


def gumbel2(seed: Tensor, position: Tensor, vocab: int) -> Tensor:
    """log2 of exponentially distributed numbers, float32 [vocab]; Gumbel's noise is -ln 2 times this."""
    counter = torch.arange(-(-vocab // 4), device=seed.device)
    four = philox(int(seed) & MASK, int(seed) >> 32 & MASK, counter, int(position) & MASK)
    bits = torch.stack(four, 1).flatten()[:vocab]
    return log2_exponential(bits.float() * 2.0**-32 + 2.0**-33)


def log2_exponential(v: Tensor) -> Tensor:
    """log2(-log(1 - v)) of v in (0, 1), with a small relative error of the inner logarithm everywhere."""
    v = v.clamp(max=1 - 2.0**-24)
    series = v * (1 + v * (0.5 + v * (0.33333334 + v * 0.25)))
    return series.where(v < 0.0625, (1 - v).log2() * -0.6931471805599453).log2()


def philox(k0: int, k1: int, counter: Tensor, position: int) -> list[Tensor]:
    """Four random numbers of 32 bits for each counter, as int64."""
    zero = torch.zeros_like(counter)
    c0, c1, c2, c3 = counter, zero + position, zero, zero
    for _ in range(ROUNDS):
        high0, low0 = _multiply(c0, 0xD2511F53)
        high1, low1 = _multiply(c2, 0xCD9E8D57)
        c0, c1, c2, c3 = high1 ^ c1 ^ k0, low1, high0 ^ c3 ^ k1, low0
        k0, k1 = (k0 + 0x9E3779B9) & MASK, (k1 + 0xBB67AE85) & MASK
    return [c0, c1, c2, c3]


def _multiply(a: Tensor, b: int) -> tuple[Tensor, Tensor]:
    """The high and the low 32 bits of a product of numbers of 32 bits."""
    low = a * (b & 0xFFFF)
    high = (a * (b >> 16) + (low >> 16)) >> 16
    return high, ((a * (b >> 16) << 16) + low) & MASK


def change(logits: Tensor, changes: Changes) -> Tensor:
    """The lines that are changed, in float32 [n, vocab]: added to, then masked, then punished."""
    line, mask, allowed, place = changes.lines.long()
    out = logits[line].float()
    count = torch.zeros_like(out)
    seen = torch.zeros_like(out, dtype=torch.bool)
    past = (place >= 0).nonzero()[:, 0]
    count[past] = changes.count[place[past]]
    seen[past] = changes.in_prompt[place[past]]
    which, token, more = changes.tokens.long()
    out[which, token] += changes.added
    count[which, token] += more.float()
    for masks, of in ((changes.masks, mask), (changes.allowed, allowed)):
        some = (of >= 0).nonzero()[:, 0]
        out[some] = out[some].masked_fill(~unpacked(masks[of[some]], out.shape[1]), -torch.inf)
    repetition, frequency, presence = changes.strengths[:, :, None]
    count *= (place >= 0)[:, None]  # without a history nobody is punished
    seen |= count > 0
    out = torch.where(seen, torch.where(out > 0, out / repetition, out * repetition), out)
    return out - frequency * count - presence * (count > 0)


def unpacked(bits: Tensor, vocab: int) -> Tensor:
    """bool [lines, vocab] of words of 32 bits."""
    each = bits[:, :, None] >> torch.arange(32, dtype=torch.int32, device=bits.device) & 1
    return each.flatten(1)[:, :vocab].bool()


def tally(count: Tensor, places: Tensor, tokens: Tensor) -> None:
    """Counts a token for each place [n] of count [places, vocab]; none where the place is negative."""
    some = (places >= 0).nonzero()[:, 0]
    at = places[some].long(), tokens[some].clamp(min=0).long()
    count.index_put_(at, count.new_ones(()), accumulate=True)


def logprobs(logits: Tensor, lines: Tensor, tokens: Tensor, k: int) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Of lines[i]'s tokens[i] its log-probability and its rank from 1; the k best tokens' values and ids."""
    wide = logits[lines.long()].float()
    norm = wide.logsumexp(-1, keepdim=True)
    chosen = wide.gather(1, tokens.clamp(min=0).long()[:, None])
    rank = (wide > chosen).sum(-1) + 1
    top = wide.topk(min(k, wide.shape[1]), dim=-1)
    return (chosen - norm)[:, 0], rank.int(), top.values - norm, top.indices.int()
