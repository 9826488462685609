"""Sampling, what precedes it, log-probabilities, on the device. `contract.py` says what numbers mean."""

from __future__ import annotations

from torch import Tensor

from quire.ops.backend import on_gpu
from quire.ops.sample import reference
from quire.ops.sample.contract import ENDED, NAN, NOTHING, STOPS, Changes, SampleTable

__all__ = [
    "ENDED",
    "NAN",
    "NOTHING",
    "STOPS",
    "Changes",
    "SampleTable",
    "change",
    "logprobs",
    "sample",
    "tally",
]


def sample(
    logits: Tensor,
    table: SampleTable,
    rows: Tensor,
    positions: Tensor,
    out: Tensor,
    last: Tensor,
    ends: bool = False,
) -> None:
    """Draws a token for each line of logits [lines, vocab]: into `out`, and into `last` at its row.

    A line without a usable logit gives NAN or NOTHING, and token 0 in `last`. With `ends`, which needs rows
    of one line each, a token that ends its row leaves ENDED there. The launches depend on the
    shapes only, so that a graph may hold them.
    """
    if on_gpu(logits):
        from quire.ops.sample import triton

        return triton.sample(logits, table, rows, positions, out, last, ends)
    return reference.sample(logits, table, rows, positions, out, last, ends)


def logprobs(logits: Tensor, lines: Tensor, tokens: Tensor, k: int) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Of lines[i]'s tokens[i] its log-probability and its rank from 1; the k best tokens' values and ids.

    Both are int32 [n], and so are ranks and ids. A negative token is scored as token 0.
    """
    if on_gpu(logits):
        from quire.ops.sample import triton

        return triton.logprobs(logits, lines, tokens, k)
    return reference.logprobs(logits, lines, tokens, k)


def change(logits: Tensor, changes: Changes) -> Tensor:
    """The lines of logits that are changed, in float32 [n, vocab]: added to, then masked, then punished."""
    if on_gpu(logits):
        from quire.ops.sample import triton_change

        return triton_change.change(logits, changes)
    return reference.change(logits, changes)


def tally(count: Tensor, places: Tensor, tokens: Tensor) -> None:
    """Counts a token for each place, int32 [n], of count [places, vocab]; none where it is negative.

    A place may come several times. What failed to be drawn counts as token 0.
    """
    if on_gpu(count):
        from quire.ops.sample import triton_change

        return triton_change.tally(count, places, tokens)
    return reference.tally(count, places, tokens)
