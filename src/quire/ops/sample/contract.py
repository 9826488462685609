"""Sampling: what a row's numbers mean, and what the draw of a token depends on.

A line of logits takes its numbers from the table at its row. Temperature 0 takes the likeliest token, the
lowest id among equals. Otherwise tokens are cut by min-p, top-k and top-p in this order, as on the CPU, and
the one with the highest logit + temperature * noise wins, where the noise has Gumbel's distribution and
depends only on the row's seed, the position and the token's id: a draw is the same in any batch.

Philox (7 rounds of 4x32) gives the noise of four neighbouring tokens at once. It is bounded: a token whose
probability is below e^NEVER of the likeliest's cannot be drawn.

What else a request asks for changes its logits before (`Changes`): numbers are added to those of some tokens,
tokens that a mask leaves out are -inf, and what the text has already is punished.
"""

from __future__ import annotations

from dataclasses import dataclass

from torch import Tensor

ROUNDS = 7
NEVER = -27.0
COOLEST, HOTTEST = 1e-6, 1e9  # temperatures beyond are these

STOPS = 8  # tokens that end a row, as far as the device knows them
ENDED = -1  # instead of a row's last token: it ends the row, nothing is computed after it

NAN = -1  # instead of a token: a logit is NaN, or the highest is infinite
NOTHING = -2  # all logits are -inf


@dataclass(slots=True)
class SampleTable:
    """One entry for each row, and one for padded lines: zeros."""

    temperature: Tensor  # float32; 0: the likeliest token
    top_k: Tensor  # int32; 0: off. Those equal to the k-th stay
    top_p: Tensor  # float32; 1: off. The fewest likeliest with this probability, and those equal to the last
    min_p: Tensor  # float32; 0: off
    seeds: Tensor  # int64
    floor: Tensor  # int32; how many tokens a row has before one of `stops` ends it
    limit: Tensor  # int32; how many it has at most
    stops: Tensor  # int32 [STOPS, rows + 1]; -1: none


@dataclass(slots=True)
class Changes:
    """What is done to some lines of logits, n of them, before tokens are drawn from them."""

    lines: Tensor  # int32 [4, n]: the line; its row in `masks`, in `allowed` and in the history; -1: none
    strengths: Tensor  # float32 [3, n]: repetition, frequency and presence penalty; 1, 0, 0: none
    masks: Tensor  # int32 [any, words] bits of tokens that may come, the lowest bit first
    allowed: Tensor  # the same, of masks that stay
    in_prompt: Tensor  # bool [any, vocab] the history: whether the prompt has a token,
    count: Tensor  # float32 [any, vocab] and how often it was generated
    tokens: Tensor  # int32 [3, some]: which of the n, a token, by how much more often it was generated
    added: Tensor  # float32 [some] to the logits of `tokens`, of which no two are the same
