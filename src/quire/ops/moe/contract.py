"""What a mixture of experts computes: for every token the weighted sum of the few experts that it is sent to.

A router gives a score to every expert; `route` makes ids and weights of the scores, `gated_experts` the sum
over the chosen ones of weight * down(act(gate(x)) * up(x)). Ids are those of the whole model. A process may
hold some of the experts only, or some columns of each: what it computes is then its part of the sum.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from torch import Tensor

from quire.ops.gemm.contract import Packed


@dataclass(frozen=True, slots=True)
class Routing:
    """How scores choose experts."""

    experts: int  # of the whole model
    top_k: int
    scores: Literal["softmax", "sigmoid"] = "softmax"
    renormalise: bool = False  # the weights of the chosen ones add up to one
    groups: int = 1  # of neighbouring experts; the best `top_groups` of them are chosen first
    top_groups: int = 1
    scale: float = 1.0  # on all weights


class Chosen(NamedTuple):
    """Where each token goes, the best first."""

    ids: Tensor  # int32 [tokens, top_k]
    weights: Tensor  # float32 [tokens, top_k]


class Experts(NamedTuple):
    """The experts that this process holds."""

    gate_up: Tensor  # [held, 2 * inner, hidden], gates first
    down: Tensor  # [held, hidden, inner]
    activation: str = "silu"
    places: Tensor | None = None  # int32 [experts]: where an id is held, -1 if it is not; None: all, in order
    # What multiplies with both weights of each, on a CPU; then the tensors above may have no numbers left.
    packed: Sequence[tuple[Packed, Packed]] | None = None
