"""Experts on CPUs: tokens are sorted by expert, and each expert that has any is two products.

So one token reads the weights of its own experts only, and a prompt reads each weight once.
"""

from __future__ import annotations

import torch
from torch import Tensor

from quire.ops.act import ACTIVATIONS
from quire.ops.gemm.contract import Packed
from quire.ops.gemm.cpu import Unpacked, packer
from quire.ops.moe.contract import Chosen, Experts


def gated_experts(x: Tensor, chosen: Chosen, experts: Experts) -> Tensor:
    tokens, top_k = chosen.ids.shape
    places = chosen.ids.flatten()
    if experts.places is not None:
        places = experts.places[places]
    order = places.argsort(stable=True)
    counts = torch.bincount(places + 1, minlength=len(experts.gate_up) + 1).tolist()
    rows = x[order // top_k]  # [tokens * top_k, hidden]
    parts = torch.empty_like(rows)
    at = counts[0]  # those that are not held come first
    parts[order[:at]] = 0.0
    for place, count in enumerate(counts[1:]):
        if count:
            y = _expert(rows[at : at + count], experts, place)
            parts[order[at : at + count]] = y
            at += count
    parts = parts.view(tokens, top_k, x.shape[1])
    return torch.bmm(chosen.weights[:, None], parts.float())[:, 0].to(x.dtype)


def _expert(x: Tensor, experts: Experts, place: int) -> Tensor:
    first, second = _products(x.dtype, experts, place)
    gate, up = first(x).chunk(2, -1)
    return second(ACTIVATIONS[experts.activation](gate).mul_(up))


def _products(dtype: torch.dtype, experts: Experts, place: int) -> tuple[Packed, Packed]:
    if experts.packed is not None:
        return experts.packed[place]
    kind = packer(dtype, copy=False) or Unpacked
    return kind(experts.gate_up[place]), kind(experts.down[place])
