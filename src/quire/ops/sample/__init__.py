"""Sampling and log-probabilities on the device. `contract.py` says what the numbers mean."""

from __future__ import annotations

from torch import Tensor

from quire.ops.backend import on_gpu
from quire.ops.sample import reference
from quire.ops.sample.contract import NAN, NOTHING, SampleTable

__all__ = ["NAN", "NOTHING", "SampleTable", "logprobs", "sample"]


def sample(
    logits: Tensor, table: SampleTable, rows: Tensor, positions: Tensor, out: Tensor, last: Tensor
) -> None:
    """Draws a token for each line of logits [lines, vocab]: into `out`, and into `last` at its row.

    A line without a usable logit gives NAN or NOTHING, and token 0 in `last`. The launches depend on the
    shapes only, so that a graph may hold them.
    """
    if on_gpu(logits):
        from quire.ops.sample import triton

        return triton.sample(logits, table, rows, positions, out, last)
    return reference.sample(logits, table, rows, positions, out, last)


def logprobs(logits: Tensor, tokens: Tensor, k: int) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Of each line's token its log-probability and its rank from 1; the k best tokens' values and ids.

    A line without a token (a negative one) is scored as token 0.
    """
    if on_gpu(logits):
        from quire.ops.sample import triton

        return triton.logprobs(logits, tokens, k)
    return reference.logprobs(logits, tokens, k)
