"""Products for few rows on a GPU: what a decode step spends its time on.

cuBLAS reads small weights at a third of the memory's speed when there are few rows. The kernels are in
`triton_few.py` and `triton_tiles.py`, which are imported when first used; `choice.py` says which one serves
a shape; `reference.py` defines the results. All are deterministic and may be captured in CUDA graphs.
"""

from __future__ import annotations

import functools
import os
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor

from quire.ops.backend import dependent, on_gpu
from quire.ops.gemm import choice
from quire.ops.gemm.choice import Config, Few, Tiles
from quire.ops.gemm.contract import Unscaled
from quire.ops.norm import Gain

INTERPRETED = os.environ.get("TRITON_INTERPRET", "0") == "1"  # no assembler, and dot knows float32 only


def launch_options(x: Tensor, pdl: bool | None) -> dict[str, bool]:
    """How kernels are launched where x is; `pdl` overrules."""
    return dependent(x) if pdl is None else {"PDL": True, "launch_pdl": True} if pdl else {"PDL": False}


@functools.cache
def _few() -> Any:
    from quire.ops.gemm import triton_few

    return triton_few.few


@functools.cache
def _tiles() -> Any:
    from quire.ops.gemm import triton_tiles

    return triton_tiles.tiles


@functools.cache
def _scratch(device: torch.device, floats: int) -> tuple[Tensor, Tensor]:
    """Parts of sums and the counters of who has come; never given back, as graphs keep its address.

    Products of one device run one after the other, so that they can share it.
    """
    return torch.empty(floats, dtype=torch.float32, device=device), torch.zeros(
        16384, dtype=torch.int32, device=device
    )


def few(
    x: Tensor | None,
    weight: Tensor,
    config: Few | None = None,
    *,
    scale: Tensor | None = None,
    stream: Tensor | None = None,
    gain: Tensor | None = None,
    eps: float = 0.0,
    gated: bool = False,
    out_dtype: torch.dtype | None = None,
    pdl: bool | None = None,
) -> tuple[Tensor, Tensor | None]:
    """Up to 8 rows times weight.T on ordinary cores; returns the product and the new stream.

    With `stream` and `gain` the product is with the RMS norm of x + stream (of the stream when x is None);
    the sum is returned as a new tensor, as others still read the old one. With `gated` the weight holds
    gates, then ups, and the result is silu(gate) * up. `scale` multiplies the outputs (of an FP8 weight).
    """
    source = stream if x is None else x
    assert source is not None
    (rows, inputs), device = source.shape, source.device
    assert rows <= choice.FEW_ROWS and source.is_contiguous() and weight.is_contiguous()
    outputs = weight.shape[0] // 2 if gated else weight.shape[0]
    itemsize = weight.element_size()
    config = config or choice.few(outputs, inputs, itemsize, gated)
    y = torch.empty(rows, outputs, dtype=out_dtype or source.dtype, device=device)
    adds = stream is not None and x is not None
    total = torch.empty_like(stream) if adds else stream
    _few()[(-(-outputs // config.rows),)](
        x if x is not None else source,
        stream if stream is not None else source,
        gain if gain is not None else source,
        weight,
        scale if scale is not None else source,
        y,
        total if adds else y,
        rows,
        eps,
        N=outputs,
        K=inputs,
        M=1 << (rows - 1).bit_length(),
        BN=config.rows,
        BK=config.columns,
        CHUNKS=config.chunks,
        STAGES=config.stages,
        V=16 // itemsize,
        NORM=gain is not None,
        ADD=adds,
        GATED=gated,
        SCALED=scale is not None,
        num_warps=config.warps,
        **launch_options(source, pdl),
    )
    return y, total


def tiles(
    x: Tensor | Unscaled,
    weight: Tensor,
    config: Tiles,
    *,
    scales: tuple[Tensor, Tensor] | None = None,
    out_dtype: torch.dtype | None = None,
    gated: str = "",
    pdl: bool | None = None,
) -> Tensor:
    """Up to 64 rows times weight.T on tensor cores.

    With `scales`, of the rows and of the outputs, x and weight are FP8 and `out_dtype` says what comes out.
    With `gated`, an activation, the weight holds gates, then ups, and the result is act(gate) * up.
    """
    return _multiply(x, weight, config, scales, out_dtype, gated, None, pdl).values


def fold(
    x: Tensor, weight: Tensor, config: Tiles, stream: Tensor, gain: Gain, pdl: bool | None = None
) -> Unscaled:
    """Adds up to 64 rows times weight.T to the stream in place; returns the norm of the sum, not divided."""
    return _multiply(x, weight, config, None, None, "", (stream, gain), pdl)


def _multiply(
    given: Tensor | Unscaled,
    weight: Tensor,
    config: Tiles,
    scales: tuple[Tensor, Tensor] | None,
    out_dtype: torch.dtype | None,
    gated: str,
    into: tuple[Tensor, Gain] | None,
    pdl: bool | None,
) -> Unscaled:
    """What `tiles` and `fold` have in common; the squares mean something only with `into`."""
    x, squares = (given.values, given.squares) if isinstance(given, Unscaled) else (given, None)
    (rows, inputs), device = x.shape, x.device
    outputs = weight.shape[0] // 2 if gated else weight.shape[0]
    assert rows <= choice.TILE_ROWS and x.is_contiguous() and weight.is_contiguous()
    tall = max(16, 1 << (rows - 1).bit_length())
    y = torch.empty(rows, outputs, dtype=out_dtype or x.dtype, device=device)
    programs = -(-outputs // config.rows)
    part, locks = y, y
    if config.splits > 1:
        assert programs <= 16384
        floats = config.splits * programs * config.rows * tall
        part, locks = _scratch(device, 1 << max(20, (floats - 1).bit_length()))
    told = y
    if into is not None:
        assert into[0].is_contiguous() and into[0].shape == y.shape
        told = torch.empty(rows, programs, dtype=torch.float32, device=device)
    parts = 0 if squares is None else squares.shape[1]
    _tiles()[(programs, config.splits)](
        x,
        weight,
        scales[0] if scales is not None else x,
        scales[1] if scales is not None else x,
        y,
        part,
        locks,
        x if squares is None else squares,
        x if into is None else into[0],
        x if into is None else into[1].weight,
        told,
        rows,
        given.eps if isinstance(given, Unscaled) else 0.0,
        N=outputs,
        K=inputs,
        BM=tall,
        BN=config.rows,
        BK=config.columns,
        SPLITS=config.splits,
        STAGES=config.stages,
        SWAP=config.swap,
        SCALED=scales is not None,
        GATED=bool(gated),
        KIND=gated,
        PARTS=parts,
        WIDE_PARTS=1 << max(parts - 1, 0).bit_length(),
        FOLD=into is not None,
        UPCAST=INTERPRETED,
        num_warps=config.warps,
        **launch_options(x, pdl),
    )
    return Unscaled(y, told, 0.0 if into is None else into[1].eps)


def product(x: Tensor, weight: Tensor, config: Config, pdl: bool | None = None) -> Tensor:
    """x @ weight.T the way `config` says."""
    if config is None:
        return F.linear(x, weight)
    if isinstance(config, Few):
        return few(x, weight, config, pdl=pdl)[0]
    return tiles(x, weight, config, pdl=pdl)


class Skinny:
    """A weight whose products with few rows are made by the kernels here, where they are the fastest."""

    def __init__(self, weight: Tensor):
        self.weight = weight
        outputs, inputs = weight.shape
        able = on_gpu(weight) and weight.element_size() == 2 and weight.is_contiguous()
        self.configs: list[Config] = [
            choice.choose(rows, outputs, inputs) if able and rows else None
            for rows in range(choice.TILE_ROWS + 1)
        ]
        itemsize = weight.element_size()
        self.gating = [
            choice.gated(rows, outputs, inputs, itemsize) if able else None
            for rows in range(choice.GATED_ROWS + 1)
        ]
        self.folding, self.unfolding = (
            [
                choice.folded(rows, outputs, inputs, itemsize, cut) if able else None
                for rows in range(choice.FOLDED_ROWS + 1)
            ]
            for cut in (choice.FOLDED, choice.UNFOLDED)
        )

    def gates(self, x: Tensor | Unscaled, activation: str) -> Tensor | None:
        """act(first half) * second half of the product, where one kernel makes that; else None."""
        values = x.values if isinstance(x, Unscaled) else x
        config = self.gating[values.shape[0]] if values.shape[0] < len(self.gating) else None
        if config is None or not values.is_contiguous():
            return None
        return tiles(x, self.weight, config, gated=activation, pdl=False)

    def reads_unscaled(self, rows: int) -> bool:
        """Whether so many rows may come without being divided."""
        return rows < len(self.unfolding) and self.unfolding[rows] is not None

    def fold(self, x: Tensor, stream: Tensor, gain: Gain) -> Unscaled | None:
        """Adds the product to the stream in place; returns the norm of the sum. None: it does not."""
        config = self.folding[x.shape[0]] if x.shape[0] < len(self.folding) else None
        if config is None or not (x.is_contiguous() and stream.is_contiguous()):
            return None
        return fold(x, self.weight, config, stream, gain, pdl=False)

    def add_to(self, x: Tensor, stream: Tensor) -> bool:
        """Prompts add themselves: the norm after them then reads one tensor instead of two."""
        if x.shape[0] < len(self.configs) or not x.is_cuda:
            return False
        stream.addmm_(x, self.weight.t())
        return True

    def __call__(self, x: Tensor | Unscaled) -> Tensor:
        if isinstance(x, Unscaled):
            unfolding = self.unfolding[x.values.shape[0]]
            assert unfolding is not None
            return tiles(x, self.weight, unfolding, pdl=False)
        rows = x.shape[0]
        config = self.configs[rows] if rows < len(self.configs) else None
        if config is None:
            return F.linear(x, self.weight)
        return product(x if x.is_contiguous() else x.contiguous(), self.weight, config)
