"""Guessing and verifying on the device. `contract.py` says what is kept, `reference.py` what is done."""

from __future__ import annotations

from torch import Tensor

from quire.ops.backend import on_gpu
from quire.ops.guess import reference
from quire.ops.guess.contract import HEAD, Places, WideInputs

__all__ = ["HEAD", "Places", "WideInputs", "accept", "look_up", "prepare"]


def prepare(packet: Tensor, places: Places, tables: Tensor, width: int, block_size: int) -> WideInputs:
    """Inputs of a step of `width` tokens a line; see `reference.prepare`, which defines them."""
    if on_gpu(packet):
        from quire.ops.guess import triton

        return triton.prepare(packet, places, tables, width, block_size)
    return reference.prepare(packet, places, tables, width, block_size)


def accept(rows: Tensor, inputs: WideInputs, drawn: Tensor, places: Places, words: Tensor) -> None:
    """Takes what was drawn [lines, width] and moves rows on; see `reference.accept`, which defines it."""
    if on_gpu(drawn):
        from quire.ops.guess import triton

        return triton.accept(rows, inputs, drawn, places, words)
    return reference.accept(rows, inputs, drawn, places, words)


def look_up(rows: Tensor, places: Places, least: int, most: int) -> None:
    """Guesses from a row's own tokens; see `reference.look_up`, which defines it."""
    if on_gpu(rows):
        from quire.ops.guess import triton

        return triton.look_up(rows, places, least, most)
    return reference.look_up(rows, places, least, most)
