"""The definition of routing and of the sum over experts, in plain torch."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor

from quire.ops.act import ACTIVATIONS
from quire.ops.moe.contract import Chosen, Experts, Routing

LEAST = 1e-20  # added to sums that are divided by


def route(logits: Tensor, routing: Routing, bias: Tensor | None = None) -> Chosen:
    """Logits [tokens, experts] → the chosen experts; of equal ones those with lower ids.

    `bias` counts when experts and groups are chosen, not in the weights. A group is as good as its best
    expert, or with a bias as its two best together.
    """
    tokens = logits.shape[0]
    scores = logits.float().softmax(-1) if routing.scores == "softmax" else logits.float().sigmoid()
    rank = scores if bias is None else scores + bias.float()
    if routing.groups > 1:
        grouped = rank.view(tokens, routing.groups, routing.experts // routing.groups)
        merit = grouped.amax(-1) if bias is None else grouped.topk(min(2, grouped.shape[2])).values.sum(-1)
        best = merit.sort(dim=-1, descending=True, stable=True).indices[:, : routing.top_groups]
        inside = torch.zeros_like(merit, dtype=torch.bool).scatter_(1, best, True)
        rank = grouped.masked_fill(~inside[:, :, None], -torch.inf).flatten(1)
    ids = rank.sort(dim=-1, descending=True, stable=True).indices[:, : routing.top_k]
    weights = scores.gather(1, ids)
    if routing.renormalise:
        weights = weights / (weights.sum(-1, keepdim=True) + LEAST)
    return Chosen(ids.int(), weights * routing.scale)


def gated_experts(x: Tensor, chosen: Chosen, experts: Experts) -> Tensor:
    """x [tokens, hidden] → [tokens, hidden]; added in float32, rounded between the products and at the end.

    What is sent to experts that are not held counts as zero.
    """
    held, act = len(experts.gate_up), ACTIVATIONS[experts.activation]
    places = chosen.ids if experts.places is None else experts.places[chosen.ids.long()]
    total = torch.zeros(x.shape, dtype=torch.float32, device=x.device)
    for place in range(held):
        tokens, which = (places == place).nonzero(as_tuple=True)
        gate, up = F.linear(x[tokens].float(), experts.gate_up[place].float()).chunk(2, -1)
        inner = (act(gate) * up).to(x.dtype).float()
        part = F.linear(inner, experts.down[place].float())
        total.index_add_(0, tokens, part * chosen.weights[tokens, which, None])
    return total.to(x.dtype)
