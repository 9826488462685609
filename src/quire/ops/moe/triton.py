"""Mixtures of experts on GPUs: which kernels run for how many tokens. No step waits for the host.

A few tokens take two kernels, each choice by itself. From then on each weight is read once for all who want
it: two products on tensor cores and a sum. Up to sixteen tokens are a row each of every product, both in one
launch; more are sorted by expert first. Kernels are imported when first used; `choice.py` says how they are
cut; `reference.py` defines the results.
"""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

import torch
from torch import Tensor

from quire.ops.backend import dependent, processors
from quire.ops.gemm.triton import INTERPRETED
from quire.ops.moe import choice
from quire.ops.moe.choice import Few, Pair, Tiles, Unsorted
from quire.ops.moe.contract import Chosen, Experts, Routing

ALIGN_TOKENS = 32  # that one program sorts
CHUNK = 16  # tokens that a program sorts at once

Cut = tuple[Few, Few] | Unsorted | Pair


class Sorted(NamedTuple):
    """Choices by expert, and the blocks that products take; all on the device."""

    choices: Tensor  # int32 [choices]
    blocks: Tensor  # int32 [most, 4]


@functools.cache
def _routes() -> Any:
    from quire.ops.moe import triton_route

    return triton_route


@functools.cache
def _few() -> Any:
    from quire.ops.moe import triton_few

    return triton_few


@functools.cache
def _tiles() -> Any:
    from quire.ops.moe import triton_tiles

    return triton_tiles


@functools.cache
def _rows() -> Any:
    from quire.ops.moe import triton_rows

    return triton_rows


def route(logits: Tensor, routing: Routing, bias: Tensor | None = None) -> Chosen:
    """As the reference; what is not a number is chosen last."""
    assert logits.stride(1) == 1 and routing.experts % routing.groups == 0
    tokens, top = logits.shape[0], routing.top_k
    ids = torch.empty(tokens, top, dtype=torch.int32, device=logits.device)
    weights = torch.empty(tokens, top, dtype=torch.float32, device=logits.device)
    if not tokens:
        return Chosen(ids, weights)
    each = 1 if tokens <= 256 else 4
    _routes().route[(-(-tokens // each),)](
        logits,
        logits if bias is None else bias,
        ids,
        weights,
        tokens,
        logits.stride(0),
        routing.scale,
        E=routing.experts,
        TOP=top,
        GROUPS=routing.groups,
        TOP_GROUPS=routing.top_groups,
        BT=each,
        MANY=_power(routing.groups),
        EACH=_power(routing.experts // routing.groups),
        TALL=_power(top),
        SOFTMAX=routing.scores == "softmax",
        BIAS=bias is not None,
        NORM=routing.renormalise,
        num_warps=1 if each == 1 else 4,
        **dependent(logits),
    )
    return Chosen(ids, weights)


def mixture(
    x: Tensor, logits: Tensor, routing: Routing, bias: Tensor | None, experts: Experts, apart: bool = False
) -> Tensor:
    """Routes and computes. With `apart` the result may be [tokens, top, hidden], for the caller to add up."""
    (tokens, hidden), top = x.shape, routing.top_k
    cut = _cut(x, top, experts)
    chosen = route(logits, routing, bias)
    if not tokens or not isinstance(cut, Pair | Unsorted):
        return gated_experts(x, chosen, experts, cut)
    parts = _parts(x, chosen, experts, cut)
    if apart and experts.places is None:
        return parts.view(tokens, top, hidden)
    return add_choices(parts, chosen, experts, x)


def gated_experts(x: Tensor, chosen: Chosen, experts: Experts, cut: Cut | None = None) -> Tensor:
    """As the reference. `cut` overrules how kernels are cut, and with that which ones they are."""
    if not len(x):
        return torch.empty_like(x)
    cut = cut or _cut(x, chosen.ids.shape[1], experts)
    if isinstance(cut, Pair | Unsorted):
        return add_choices(_parts(x, chosen, experts, cut), chosen, experts, x)
    return single(x, chosen, experts, cut)


def _cut(x: Tensor, top: int, experts: Experts) -> Cut:
    assert x.is_contiguous() and experts.gate_up.is_contiguous() and experts.down.is_contiguous()
    (tokens, hidden), held, itemsize = x.shape, len(experts.gate_up), x.element_size()
    if choice.are_few(tokens, top, held):
        return choice.few(tokens, experts.down.shape[2], hidden, top, itemsize)
    if choice.are_unsorted(tokens, top, held, itemsize):
        return choice.UNSORTED
    return choice.tiles(tokens * top, held, itemsize)


def single(x: Tensor, chosen: Chosen, experts: Experts, cut: tuple[Few, Few]) -> Tensor:
    """Each choice by itself."""
    (tokens, hidden), top, inner = x.shape, chosen.ids.shape[1], experts.down.shape[2]
    (up, down), vector = cut, 16 // x.element_size()
    mid = torch.empty(tokens * top, inner, dtype=x.dtype, device=x.device)
    y = torch.empty_like(x)
    places, held = _places(experts, chosen)
    _few().up_few[(-(-inner // up.rows), tokens * top)](
        x,
        experts.gate_up,
        chosen.ids,
        places,
        mid,
        N=inner,
        K=hidden,
        TOP=top,
        BN=up.rows,
        BK=up.columns,
        STAGES=up.stages,
        V=vector,
        KIND=experts.activation,
        PLACES=held,
        num_warps=up.warps,
        **dependent(x),
    )
    _few().down_few[(-(-hidden // down.rows), tokens)](
        mid,
        experts.down,
        chosen.ids,
        places,
        chosen.weights,
        y,
        N=hidden,
        K=inner,
        TOP=top,
        BN=down.rows,
        BK=down.columns,
        STAGES=down.stages,
        HOLD=down.hold,
        V=vector,
        PLACES=held,
        num_warps=down.warps,
        **dependent(x),
    )
    return y


def _parts(x: Tensor, chosen: Chosen, experts: Experts, cut: Pair | Unsorted) -> Tensor:
    """What the experts make of each choice, weighted.   # [tokens * top, hidden]"""
    if isinstance(cut, Pair):
        return products(x, chosen, experts, cut, align(chosen, experts, cut.up.choices))
    return unsorted(x, chosen, experts, cut)


def products(x: Tensor, chosen: Chosen, experts: Experts, cut: Pair, order: Sorted) -> Tensor:
    """The same of choices that are sorted."""
    mid, parts = _room(x, chosen, experts)
    multiply(x, experts, chosen, order, mid, cut.up, up=True)
    multiply(mid, experts, chosen, order, parts, cut.down, up=False)
    return parts


def _room(x: Tensor, chosen: Chosen, experts: Experts) -> tuple[Tensor, Tensor]:
    """Where the two products go."""
    choices, inner = chosen.ids.numel(), experts.down.shape[2]
    mid = torch.empty(choices, inner, dtype=x.dtype, device=x.device)
    return mid, torch.empty(choices, x.shape[1], dtype=x.dtype, device=x.device)


def _sorted(choices: int, experts: Experts, size: int, device: torch.device) -> Sorted:
    most = choice.most_blocks(choices, len(experts.gate_up), size)
    return Sorted(
        torch.empty(choices, dtype=torch.int32, device=device),
        torch.empty(most, 4, dtype=torch.int32, device=device),
    )


def align(chosen: Chosen, experts: Experts, size: int) -> Sorted:
    """Sorts choices by expert and cuts each expert's into blocks of `size`."""
    (tokens, top), device = chosen.ids.shape, chosen.ids.device
    places, held = _places(experts, chosen)
    count = len(places) if held else len(experts.gate_up)
    order = _sorted(tokens * top, experts, size, device)
    most, wide, longest = len(order.blocks), _power(count), -(-tokens // size)
    common = {"E": count, "WIDE": wide, "PLACES": held, **dependent(chosen.ids)}
    each = min(CHUNK, max(1, 2048 // wide))
    if tokens <= ALIGN_TOKENS:
        _routes().align[(1,)](
            chosen.ids,
            places,
            *order,
            tokens,
            most,
            longest,
            TOP=top,
            BM=size,
            BT=each,
            MOST=256,
            num_warps=8,
            **common,
        )
        return order
    chunks = -(-tokens // each)
    counts = torch.empty(chunks, wide, dtype=torch.int32, device=device)
    kernels, grid = _routes(), (chunks,)
    kernels.count[grid](chosen.ids, places, counts, tokens, TOP=top, BT=each, num_warps=4, **common)
    kernels.offsets[(1,)](
        counts,
        places,
        order.blocks,
        chunks,
        most,
        longest,
        BM=size,
        ROWS=min(64, max(1, 8192 // wide)),
        MOST=256,
        num_warps=8,
        **common,
    )
    kernels.place[grid](
        chosen.ids, places, counts, order.choices, tokens, TOP=top, BT=each, num_warps=4, **common
    )
    return order


def multiply(
    x: Tensor, experts: Experts, chosen: Chosen, order: Sorted, y: Tensor, cut: Tiles, up: bool
) -> None:
    """One of the two products of all blocks, into y."""
    weight = experts.gate_up if up else experts.down
    outputs, inputs = y.shape[1], x.shape[1]
    _tiles().expert_tiles[(-(-outputs // cut.rows), len(order.blocks))](
        x,
        weight,
        *order,
        chosen.weights,
        y,
        N=outputs,
        K=inputs,
        TOP=chosen.ids.shape[1],
        BM=cut.choices,
        BN=cut.rows,
        BK=cut.columns,
        STAGES=cut.stages,
        UP=up,
        SWAP=cut.swap,
        KIND=experts.activation,
        EARLY=not up and cut.choices <= 32,
        UPCAST=INTERPRETED,
        num_warps=cut.warps,
        **dependent(x),
    )


@functools.cache
def _counters(device: torch.device) -> Tensor:
    """What programs of `unsorted` hand each other; never given back, as graphs keep its address.

    Launches of one process on one device run one after the other, so that they can share it.
    """
    return torch.zeros(choice.UNSORTED_COUNTERS, dtype=torch.int32, device=device)


def unsorted(x: Tensor, chosen: Chosen, experts: Experts, cut: Unsorted) -> Tensor:
    """Both products of tokens that are few enough to be rows of all of them."""
    (tokens, top), (held, hidden, inner) = chosen.ids.shape, experts.down.shape
    assert tokens <= choice.UNSORTED_TOKENS and held <= choice.UNSORTED_EXPERTS
    mid, parts = _room(x, chosen, experts)
    places, some = _places(experts, chosen)
    _rows().expert_rows[(processors(x.device) * cut.programs,)](
        x,
        experts.gate_up,
        experts.down,
        chosen.ids,
        places,
        chosen.weights,
        mid,
        parts,
        _counters(x.device),
        tokens,
        INNER=inner,
        HIDDEN=hidden,
        TOP=top,
        TALL=_power(top),
        WIDE=_power(held),
        BM=choice.UNSORTED_TOKENS,
        UP_N=cut.up.rows,
        UP_K=cut.up.columns,
        UP_STAGES=cut.up.stages,
        DOWN_N=cut.down.rows,
        DOWN_K=cut.down.columns,
        DOWN_STAGES=cut.down.stages,
        KIND=experts.activation,
        PLACES=some,
        UPCAST=INTERPRETED,
        num_warps=cut.warps,
        **dependent(x),
    )
    return parts


def add_choices(parts: Tensor, chosen: Chosen, experts: Experts, like: Tensor) -> Tensor:
    """The sum over each token's choices, in their order."""
    (tokens, top), width = chosen.ids.shape, parts.shape[1]
    y = torch.empty_like(like)
    places, held = _places(experts, chosen)
    block, warps = (256, 1) if tokens * width <= 1 << 17 else (1024, 4)
    _tiles().add_choices[(tokens, -(-width // block))](
        parts,
        chosen.ids,
        places,
        y,
        N=width,
        TOP=top,
        BLOCK=block,
        PLACES=held,
        num_warps=warps,
        **dependent(parts),
    )
    return y


def _places(experts: Experts, chosen: Chosen) -> tuple[Tensor, bool]:
    """The table of places and whether there is one; something to point at if not."""
    return (chosen.ids, False) if experts.places is None else (experts.places, True)


def _power(n: int) -> int:
    return 1 << (n - 1).bit_length()
