"""Which decoding sequences `gluon_decode` takes, and its launch.

Gluon is Triton's lower language and changes between releases: where it cannot be imported, or the GPU is not
a Hopper, `triton_decode` does all, and where it cannot be built.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from torch import Tensor

from quire.ops.attention.contract import Heads, KVLayer, PagedBatch
from quire.ops.attention.launch import cached, fitting, placed, places, runs_gluon, workspace
from quire.ops.attention.tilings import plan_splits
from quire.ops.backend import dependent

QUERIES = 8  # that a program has room for
PROGRAMS = 16  # of one warp each, that a multiprocessor should find
enabled = True
available = partial(runs_gluon, "gluon_decode")


@dataclass(frozen=True, slots=True)
class Cut:
    """How the work is cut."""

    pages: int  # of 16 keys, in a tile
    each: int  # keys a program takes while there are programs enough
    splits: int  # ranges of a sequence at most
    registers: int  # of a thread at most: 65,536 by 32 by this are the programs of a multiprocessor


def fits(q: Tensor, heads: Heads, kv: KVLayer, batch: PagedBatch) -> bool:
    """Whether `decode` takes these: its cheap conditions first."""
    return (
        enabled
        and kv.key_scales is not None
        and heads.window is None
        and heads.soft_cap is None
        and batch.shared_len is None
        and q.is_cuda
        and heads.dim == 128
        and q.element_size() == 2
        and heads.group * batch.width <= QUERIES
        and batch.block_size in (16, 32, 64, 128)
        and _in_words(kv.keys)
        and _in_words(kv.values)
        and available(q.device)
    )


def plan(decodes: int, kv_heads: int, sms: int, columns: int) -> Cut:
    """By shapes only, so that graphs may hold it."""
    many = decodes * kv_heads >= 8 * sms
    splits = plan_splits(decodes, kv_heads, sms, columns, PROGRAMS)
    return Cut(1, 1024 if many else 128, splits, 128)


def decode(
    q: Tensor,
    out: Tensor,
    heads: Heads,
    kv: KVLayer,
    batch: PagedBatch,
    cut: Cut | None = None,
    kernel: Any = None,
) -> None:
    """As `triton.decode`, for what `fits`."""
    if kernel is None:
        from quire.ops.attention.gluon_decode import gluon_decode_kernel as kernel

    space = workspace(q.device)
    cut = cut or plan(batch.decodes, heads.kv, space.sms, batch.block_tables.shape[1])
    cut = replace(cut, splits=fitting(cut.splits, batch.decodes * batch.width * heads.queries, heads.dim))
    kernel[(heads.kv, batch.decodes, cut.splits)](
        q,
        out,
        *cached(kv),
        *placed(batch),
        batch.seq_lens,
        space.parts,
        space.sums,
        space.counters,
        heads.scale,
        batch.block_tables.stride(0),
        Q_TOKEN=q.stride(0),
        Q_HEAD=q.stride(1),
        O_TOKEN=out.stride(0),
        **places(kv),
        GROUP=heads.group,
        KV_HEADS=heads.kv,
        WIDTH=batch.width,
        BLOCK=batch.block_size,
        PAGES=cut.pages,
        SPLITS=cut.splits,
        EACH=max(cut.each, 16 * cut.pages),
        ROWED=batch.rows is not None,
        num_warps=1,
        maxnreg=cut.registers,
        **dependent(q),
    )


def _in_words(cache: Tensor) -> bool:
    """Whether every head of a token begins where 16 bytes can be read at once."""
    block, slot, head, one = cache.stride()
    return bool(one == 1 and block % 16 == slot % 16 == head % 16 == 0)
