"""The definition of paged attention: one sequence at a time, in float32, no tricks."""

from __future__ import annotations

import torch
from torch import Tensor

from quire.ops.attention.contract import KVLayer, PagedBatch


def attend(
    q: Tensor,
    kv: KVLayer,
    batch: PagedBatch,
    scale: float,
    window: int | None = None,
    soft_cap: float | None = None,
) -> Tensor:
    """Attention of q [tokens, heads, head_dim] over the cache; returns the same shape.

    The step's own keys and values must be in the cache already. A token sees itself and, with a
    window w, the w - 1 tokens before it.
    """
    out = torch.empty_like(q)
    groups = q.shape[1] // kv.keys.shape[2]
    for i, total in enumerate(batch.host_seq_lens):
        first, last = batch.host_query_start[i], batch.host_query_start[i + 1]
        where = torch.arange(total, device=q.device)
        slots = (
            batch.block_tables[i].long()[where // batch.block_size] * batch.block_size
            + where % batch.block_size
        )
        k = kv.keys.flatten(0, 1)[slots].float().repeat_interleave(groups, dim=1)  # [total, heads, dim]
        v = kv.values.flatten(0, 1)[slots].float().repeat_interleave(groups, dim=1)
        scores = torch.einsum("qhd,khd->hqk", q[first:last].float(), k) * scale
        if soft_cap is not None:
            scores = torch.tanh(scores / soft_cap) * soft_cap
        at = torch.arange(total - (last - first), total, device=q.device)[:, None]
        seen = where <= at
        if window is not None:
            seen &= where > at - window
        scores = scores.masked_fill(~seen, float("-inf"))
        out[first:last] = torch.einsum("hqk,khd->qhd", scores.softmax(-1), v).to(q.dtype)
    return out
