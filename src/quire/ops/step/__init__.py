"""Preparing a step on the device: token ids, positions, slots and lengths. `reference.py` defines them."""

from __future__ import annotations

from torch import Tensor

from quire.ops.backend import on_gpu
from quire.ops.step import reference
from quire.ops.step.contract import StepInputs

__all__ = ["StepInputs", "gather_inputs", "prepare_decode", "publish", "scatter_blocks"]


def prepare_decode(packet: Tensor, tables: Tensor, last: Tensor, block_size: int) -> StepInputs:
    """See `reference.prepare_decode`, which defines the result. One launch, the same for any numbers."""
    if on_gpu(packet):
        from quire.ops.step import triton

        return triton.prepare_decode(packet, tables, last, block_size)
    return reference.prepare_decode(packet, tables, last, block_size)


def scatter_blocks(tables: Tensor, places: Tensor, blocks: Tensor) -> None:
    """Writes blocks into the flattened tables at `places`, both int32 [n]; no place may come twice."""
    if on_gpu(tables):
        from quire.ops.step import triton

        return triton.scatter_blocks(tables, places, blocks)
    return reference.scatter_blocks(tables, places, blocks)


def gather_inputs(
    rows: Tensor,
    start: Tensor,
    query_start: Tensor,
    tokens: Tensor,
    tables: Tensor,
    last: Tensor,
    block_size: int,
) -> StepInputs:
    """See `reference.gather_inputs`, which defines the result. One launch."""
    if on_gpu(tokens):
        from quire.ops.step import triton

        return triton.gather_inputs(rows, start, query_start, tokens, tables, last, block_size)
    return reference.gather_inputs(rows, start, query_start, tokens, tables, last, block_size)


def publish(values: Tensor, turn: Tensor, packet: Tensor, ring: Tensor) -> None:
    """See `reference.publish`, which defines the result. One launch; the host reads what is in the ring."""
    if on_gpu(values):
        from quire.ops.step import triton

        return triton.publish(values, turn, packet, ring)
    return reference.publish(values, turn, packet, ring)
