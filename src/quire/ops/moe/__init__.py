"""Mixtures of experts: who goes where, and what the experts make of it. The backend goes by the tensors."""

from __future__ import annotations

from torch import Tensor

from quire.ops.backend import on_gpu
from quire.ops.gemm.contract import Unscaled
from quire.ops.moe import cpu, reference
from quire.ops.moe.contract import Chosen, Experts, Routing

__all__ = ["Chosen", "Experts", "Routing", "divides", "gated_experts", "mixture", "route"]


def route(logits: Tensor, routing: Routing, bias: Tensor | None = None) -> Chosen:
    """Logits [tokens, experts] → the experts of each token and their weights."""
    if on_gpu(logits) and routing.groups == 1:
        from quire.ops.moe import triton

        return triton.route(logits, routing, bias)
    return reference.route(logits, routing, bias)


def gated_experts(x: Tensor, chosen: Chosen, experts: Experts) -> Tensor:
    """The weighted sum of what each token's experts make of it.   # [tokens, hidden] → the same"""
    if on_gpu(x):
        from quire.ops.moe import triton

        return triton.gated_experts(x, chosen, experts)
    return cpu.gated_experts(x, chosen, experts)


def divides(tokens: int, routing: Routing, experts: Experts) -> bool:
    """Whether `mixture` takes so many rows of a norm that are not divided by their length yet."""
    if not on_gpu(experts.gate_up) or routing.groups > 1:
        return False
    from quire.ops.moe import choice

    held, itemsize = len(experts.gate_up), experts.gate_up.element_size()
    few = choice.are_few(tokens, routing.top_k, held)
    return not few and choice.are_unsorted(tokens, routing.top_k, held, itemsize)


def mixture(
    x: Tensor | Unscaled,
    logits: Tensor,
    routing: Routing,
    bias: Tensor | None,
    experts: Experts,
    apart: bool = False,
) -> Tensor:
    """`route`, then `gated_experts`, in fewer launches.

    With `apart` the result may be [tokens, top, hidden]: what each of a token's experts makes of it,
    weighted. Whoever reads it adds up.
    """
    if on_gpu(logits) and routing.groups == 1:
        from quire.ops.moe import triton

        return triton.mixture(x, logits, routing, bias, experts, apart)
    assert isinstance(x, Tensor)
    return gated_experts(x, route(logits, routing, bias), experts)
