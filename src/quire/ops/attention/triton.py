"""Paged attention on GPUs: which kernel runs on which part of a batch.

Decoding sequences come first and run on a grid fixed by their number (`decode`), the others by tiles of
queries (`prefill`). All that a graph may not know when it is captured (lengths, tables, which rows) is read
on the device. Each kernel's module says how it is launched, and `launch` what launches share.
"""

from __future__ import annotations

import torch
from torch import Tensor

from quire.ops.attention import fp8_decode, specialised, triton_decode, triton_prefill, triton_shared
from quire.ops.attention.contract import Heads, KVLayer, PagedBatch, plan_tiles
from quire.ops.attention.launch import builds, workspace
from quire.ops.attention.tilings import EARLY_PAIRS, EARLY_SMALL, SMALL, Tiling
from quire.ops.attention.triton_small import small
from quire.ops.attention.triton_store import store
from quire.ops.backend import overlaps

__all__ = ["attend", "decode", "mix", "prefill", "small", "store"]


def mix(qkv: Tensor, heads: Heads, turn: tuple[Tensor, Tensor], kv: KVLayer, batch: PagedBatch) -> Tensor:
    """`store`, then `attend`, in one launch where that is faster.   # [tokens, queries * dim]"""
    tokens = qkv.shape[0]
    single = tokens == batch.decodes and batch.width == 1 and batch.shared_len is None
    if single and (tokens <= SMALL or _pays_early(qkv, heads, kv, batch)):
        return small(qkv, heads, turn, kv, batch)
    q = store(qkv, heads, turn, kv, batch)
    return attend(q, heads, kv, batch).view(tokens, heads.queries * heads.dim)


def _pays_early(qkv: Tensor, heads: Heads, kv: KVLayer, batch: PagedBatch) -> bool:
    tokens = qkv.shape[0]
    fits = tokens <= EARLY_SMALL and tokens * heads.kv <= EARLY_PAIRS and heads.dim <= 128
    return batch.early and fits and kv.keys.element_size() == 2 and overlaps(qkv)


def attend(q: Tensor, heads: Heads, kv: KVLayer, batch: PagedBatch) -> Tensor:
    """See `reference.attend`, which defines the result."""
    make = torch.zeros if batch.spare else torch.empty
    out = make(q.shape, dtype=q.dtype, device=q.device)
    if batch.decodes:
        decode(q, out, heads, kv, batch)
    if q.shape[0] > batch.decodes * batch.width:
        prefill(q, out, heads, kv, batch)
    return out


def decode(
    q: Tensor,
    out: Tensor,
    heads: Heads,
    kv: KVLayer,
    batch: PagedBatch,
    tiling: Tiling | None = None,
    splits: int | None = None,
) -> None:
    """The sequences that decode: the first `batch.decodes`, of `batch.width` tokens each."""
    if tiling is None and fp8_decode.fits(q, heads, kv, batch):
        fp8_decode.enabled = builds("gluon_decode", lambda: fp8_decode.decode(q, out, heads, kv, batch))
        if fp8_decode.enabled:
            return
    prefix = triton_shared.shared(q, heads, kv, batch) if triton_shared.fits(heads, batch) else None
    triton_decode.decode(q, out, heads, kv, batch, prefix, tiling, splits)


def prefill(
    q: Tensor, out: Tensor, heads: Heads, kv: KVLayer, batch: PagedBatch, tiling: Tiling | None = None
) -> None:
    """The sequences after those that decode, by `batch.tiles`."""
    tiles = _tiles(batch)
    narrow = heads.queries * tiles.shape[0] * 3 < workspace(q.device).sms * 2
    if tiling is None and not narrow and specialised.fits(q, heads, kv, batch):
        done = builds("gluon_prefill", lambda: specialised.prefill(q, out, heads, kv, batch, tiles))
        specialised.enabled = done
        if done:
            return
    triton_prefill.prefill(q, out, heads, kv, batch, tiles, narrow, tiling)


def _tiles(batch: PagedBatch) -> Tensor:
    if batch.tiles is not None:
        return batch.tiles
    made = batch.scratch.get("tiles")
    if made is None:
        listed = plan_tiles(batch.host_query_start, batch.host_seq_lens, batch.decodes)
        made = batch.scratch["tiles"] = torch.tensor(listed, dtype=torch.int32).to(batch.seq_lens.device)
    return made
