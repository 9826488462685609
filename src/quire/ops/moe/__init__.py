"""Mixtures of experts: who goes where, and what the experts make of it. The backend goes by the tensors."""

from __future__ import annotations

from torch import Tensor

from quire.ops.backend import on_gpu
from quire.ops.moe import cpu, reference
from quire.ops.moe.contract import Chosen, Experts, Routing

__all__ = ["Chosen", "Experts", "Routing", "gated_experts", "mixture", "route"]


def route(logits: Tensor, routing: Routing, bias: Tensor | None = None) -> Chosen:
    """Logits [tokens, experts] → the experts of each token and their weights."""
    if on_gpu(logits):
        from quire.ops.moe import triton

        return triton.route(logits, routing, bias)
    return reference.route(logits, routing, bias)


def gated_experts(x: Tensor, chosen: Chosen, experts: Experts) -> Tensor:
    """The weighted sum of what each token's experts make of it.   # [tokens, hidden] → the same"""
    if on_gpu(x):
        from quire.ops.moe import triton

        return triton.gated_experts(x, chosen, experts)
    return cpu.gated_experts(x, chosen, experts)


def mixture(
    x: Tensor, logits: Tensor, routing: Routing, bias: Tensor | None, experts: Experts, apart: bool = False
) -> Tensor:
    """`route`, then `gated_experts`, in fewer launches.

    With `apart` the result may be [tokens, top, hidden]: what each of a token's experts makes of it,
    weighted. Whoever reads it adds up.
    """
    if on_gpu(x):
        from quire.ops.moe import triton

        return triton.mixture(x, logits, routing, bias, experts, apart)
    return gated_experts(x, route(logits, routing, bias), experts)
