"""Sampling written plainly: one row, numpy in float64, no shortcut. What it says is right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from quire.params import SamplingParams

Spell = Callable[[str], list[list[int]]]
_64 = 2**64 - 1


@dataclass
class Asker:
    """Somebody who wants one more token after a prompt and what was generated so far."""

    params: SamplingParams
    prompt: list[int] = field(default_factory=lambda: [1])
    output: list[int] = field(default_factory=list)
    seed: int = 0
    stop_ids: frozenset[int] = frozenset()

    @property
    def tokens(self) -> list[int]:
        return self.prompt + self.output


def changed(logits: np.ndarray, asker: Asker, spell: Spell | None = None) -> np.ndarray:
    """The logits after everything that may change the likeliest token."""
    params, out = asker.params, np.asarray(logits, np.float64).copy()
    if params.allowed_token_ids is not None:
        out[[i for i in range(len(out)) if i not in params.allowed_token_ids]] = -np.inf
    for word in params.bad_words or []:
        for ids in spell(word):
            head = ids[:-1]
            if not head or asker.output[-len(head) :] == head:
                out[ids[-1]] = -np.inf
    if len(asker.output) < params.min_tokens:
        out[list(asker.stop_ids)] = -np.inf
    for token, bias in (params.logit_bias or {}).items():
        out[token] += bias
    for token in set(asker.tokens):
        strength = params.repetition_penalty
        out[token] = out[token] / strength if out[token] > 0 else out[token] * strength
    for token, count in Counter(asker.output).items():
        out[token] -= params.frequency_penalty * count + params.presence_penalty
    return out


def probabilities(logits: np.ndarray, asker: Asker, spell: Spell | None = None) -> np.ndarray:
    """What each token's chance is: temperature, min-p, top-k and top-p, in this order."""
    params, out = asker.params, changed(logits, asker, spell)
    if params.temperature == 0:
        return np.eye(len(out))[out.argmax()]
    out = out / params.temperature
    if params.min_p:
        out[softmax(out) < params.min_p * softmax(out).max()] = -np.inf
    if 0 < params.top_k < len(out):
        out[out < np.sort(out)[-params.top_k]] = -np.inf  # equals of the last one stay
    if params.top_p < 1:
        best = np.sort(out)[::-1]
        before = np.cumsum(softmax(best)) - softmax(best)
        out[out < best[before < params.top_p].min()] = -np.inf
    return softmax(out)


def token(logits: np.ndarray, asker: Asker, spell: Spell | None = None) -> int:
    """The token for this asker's seed at this position."""
    up_to = np.cumsum(probabilities(logits, asker, spell))
    return int(np.searchsorted(up_to, uniform(asker.seed, len(asker.tokens)) * up_to[-1], side="right"))


def softmax(logits: np.ndarray) -> np.ndarray:
    weight = np.exp(logits - logits.max())
    return weight / weight.sum()


def uniform(seed: int, position: int) -> float:
    """splitmix64 of the seed, and again with the position, in Python's own numbers."""
    golden = 0x9E3779B97F4A7C15
    return (_mix((_mix((seed + golden) & _64) + (position + 1) * golden) & _64) >> 11) / 2**53


def _mix(x: int) -> int:
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9 & _64
    x = (x ^ (x >> 27)) * 0x94D049BB133111EB & _64
    return x ^ (x >> 31)
