"""Rotary embeddings: the frequencies of every scaling, and a step's cosines and sines.

Angles are computed from positions once per forward pass and rope, not looked up: no table, no longest
position. Layers only multiply.

Two scalings of transformers depend on how long the sequence is. A paged cache keeps keys already turned,
shares them between requests and fills them in chunks, so a frequency may not depend on who shares the
batch or how far a prompt has come. Quire fixes them for the life of the engine by `longest`
(--max-model-len):

* dynamic (NTK): the base transformers would use for one prompt of `longest` tokens. Up to
  max_position_embeddings, the default, that is the plain base and equals transformers.
* longrope: short factors while `longest` is at most original_max_position_embeddings, which is also the
  default length Quire gives such a model, and equals transformers there; long factors beyond, for short
  prompts as well, where transformers would still use the short ones. vLLM does the same.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Protocol

import torch
from torch import Tensor


class RopeNumbers(Protocol):
    """What `models.keys.RopeShape` says."""

    @property
    def dim(self) -> int: ...
    @property
    def theta(self) -> float: ...
    @property
    def kind(self) -> str: ...
    @property
    def scaling(self) -> Mapping[str, Any]: ...
    @property
    def original_positions(self) -> int: ...
    @property
    def max_positions(self) -> int: ...


class Rope:
    """One rotary embedding of a model."""

    def __init__(self, shape: RopeNumbers, longest: int, dtype: torch.dtype, device: torch.device):
        frequencies, self.magnitude = frequencies_of(shape, longest)
        # The sine of a negative angle is minus the sine, and the cosine does not care: one product
        # gives both halves what ops.rope.rotate_ wants.
        self.frequencies = torch.cat((-frequencies, frequencies)).to(device)  # [dim]
        self.dim = shape.dim
        self.dtype = dtype

    def turn(self, positions: Tensor) -> tuple[Tensor, Tensor]:
        """cos and signed sin of a step's positions.   # [tokens, 1, dim] each"""
        angles = (positions.float()[:, None] * self.frequencies)[:, None]
        cos, sin = angles.cos(), angles.sin_()
        if self.magnitude != 1.0:
            cos, sin = cos.mul_(self.magnitude), sin.mul_(self.magnitude)
        return cos.to(self.dtype), sin.to(self.dtype)


def frequencies_of(shape: RopeNumbers, longest: int) -> tuple[Tensor, float]:
    """Radians per position of each pair, and what cosines and sines are multiplied by.   # [dim/2]"""
    plain = _plain(shape.theta, shape.dim)
    scaling = shape.scaling
    factor = scaling.get("factor")
    match shape.kind:
        case "linear":
            return plain / float(factor or 1.0), 1.0
        case "dynamic":
            over = max(longest, shape.max_positions) / shape.max_positions
            stretch = float(factor or 1.0) * over - (float(factor or 1.0) - 1)
            return _plain(shape.theta * stretch ** (shape.dim / (shape.dim - 2)), shape.dim), 1.0
        case "llama3":
            return _llama3(plain, shape), 1.0
        case "yarn":
            return _yarn(plain, shape)
        case "longrope":
            return _longrope(shape, longest)
    return plain, 1.0


def _plain(theta: float, dim: int) -> Tensor:
    return 1.0 / theta ** (torch.arange(0, dim, 2, dtype=torch.float32) / dim)


def _llama3(plain: Tensor, shape: RopeNumbers) -> Tensor:
    """Long waves are slowed by `factor`, short ones kept, those between blended."""
    factor = float(shape.scaling["factor"])
    low, high = float(shape.scaling["low_freq_factor"]), float(shape.scaling["high_freq_factor"])
    turns = shape.original_positions * plain / (2 * math.pi)  # full turns within the original length
    keep = ((turns - low) / (high - low)).clamp(0, 1)
    return keep * plain + (1 - keep) * plain / factor


def _yarn(plain: Tensor, shape: RopeNumbers) -> tuple[Tensor, float]:
    """Pairs that turn often keep their frequency, slow ones are divided, with a ramp between."""
    s, dim = shape.scaling, shape.dim
    factor = float(s.get("factor") or shape.max_positions / shape.original_positions)

    def pair_with(turns: float) -> float:
        ratio = shape.original_positions / (turns * 2 * math.pi)
        return dim * math.log(ratio) / (2 * math.log(shape.theta))

    low, high = pair_with(float(s.get("beta_fast") or 32)), pair_with(float(s.get("beta_slow") or 1))
    if s.get("truncate", True):
        low, high = math.floor(low), math.ceil(high)
    low, high = max(low, 0), min(high, dim - 1)
    span = high - low or 0.001
    slow = ((torch.arange(dim // 2, dtype=torch.float32) - low) / span).clamp(0, 1)

    def magnitude(weight: float) -> float:
        return 0.1 * weight * math.log(factor) + 1.0 if factor > 1 else 1.0

    given = s.get("attention_factor")
    if given is None and s.get("mscale") and s.get("mscale_all_dim"):
        given = magnitude(s["mscale"]) / magnitude(s["mscale_all_dim"])
    return plain / factor * slow + plain * (1 - slow), float(magnitude(1.0) if given is None else given)


def _longrope(shape: RopeNumbers, longest: int) -> tuple[Tensor, float]:
    s = shape.scaling
    factors = torch.tensor(
        s["long_factor"] if longest > shape.original_positions else s["short_factor"], dtype=torch.float32
    )
    factor = float(s.get("factor") or shape.max_positions / shape.original_positions)
    magnitude = s.get("attention_factor")
    if magnitude is None:
        magnitude = (
            math.sqrt(1 + math.log(factor) / math.log(shape.original_positions)) if factor > 1 else 1.0
        )
    return _plain(shape.theta, shape.dim) / factors, float(magnitude)
