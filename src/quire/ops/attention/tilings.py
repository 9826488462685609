"""How attention's kernels cut their work on a GPU: by shapes only, so that graphs may hold them.

Those for two-byte types and heads of 128 were measured on an H200; the others are sound.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch

PROGRAMS = 4  # that a multiprocessor should find, where sequences are cut to have enough of them
SMALL_PROGRAMS = 2  # the same for `small` with up to SMALL sequences: each does some of the projection's work
SMALL = 8  # sequences up to which `small` is the faster way
EARLY_SMALL = 16  # and where it may begin early, with so many pairs of sequence and KV head at most
EARLY_PAIRS = 128
PREFIX_EACH = 128  # tokens of a shared prefix that a program takes while there are programs enough


@dataclass(frozen=True, slots=True)
class Tiling:
    """How a kernel cuts its work: keys of a tile, warps of a program, tiles in flight, rows of queries."""

    keys: int
    warps: int
    stages: int
    rows: int = 0
    each: int = 0  # keys a program takes while there are programs enough


def plan_splits(decodes: int, kv_heads: int, sms: int, columns: int, per_sm: int = PROGRAMS) -> int:
    """Ranges (a power of two) that sequences are cut into; lengths are not known here, only the tables'.

    Two at least where tables are long, so that the longest sequences of a large batch do not end alone.
    """
    pairs = max(decodes * kv_heads, 1)
    wanted = min(max(per_sm * sms // pairs, 2), 64 if pairs <= 4 else 32, columns // 4)
    return 1 << (max(wanted, 1).bit_length() - 1)


def decode_tiling(dim: int, kind: torch.dtype, pairs: int) -> Tiling:
    """For heads padded to `dim`, the cache's dtype, and so many pairs of sequence and KV head."""
    each = 64 if pairs <= 16 else 128 if pairs <= 128 else 256 if pairs <= 256 else 1024
    if kind is torch.float32:
        return Tiling(32, 4, 2, each=each)
    if dim > 128:
        return Tiling(32, 4, 3, each=each)
    if kind.itemsize == 1:
        return Tiling(64, 4, 5, each=each)  # half the bytes in a tile: two of them in flight
    if pairs <= 128:
        return Tiling(64, 4, 2, each=each)
    if pairs < 1024:
        return Tiling(64, 4, 3, each=each)
    return Tiling(32, 1, 4, each=each)  # many small programs: 99% of an H200's bandwidth at 256 sequences


def prefill_tiling(dim: int, kind: torch.dtype, narrow: bool = False) -> Tiling:
    """narrow: there would be too few programs with all of QUERY_TILE."""
    if kind is torch.float32:
        return Tiling(32, 8, 1, rows=64)
    if dim > 128:
        return Tiling(64, 8, 2, rows=128)
    if narrow:
        return Tiling(64, 4, 3, rows=64)
    return Tiling(64 if kind.itemsize == 1 else 128, 8, 3, rows=128)


def shared_tiling(dim: int, kind: torch.dtype) -> Tiling:
    if kind is torch.float32:
        return Tiling(32, 8, 1, rows=64)
    return Tiling(64, 4, 2 if dim > 128 else 3, rows=64)


def small_tiling(dim: int, kind: torch.dtype, sequences: int, kv_heads: int) -> Tiling:
    """One sequence is a matter of latency: short ones in one program, without adding up."""
    if kind is torch.float32 or dim > 128:
        return Tiling(32, 4, 2, each=64)
    if sequences > SMALL:
        return Tiling(64, 4, 2, each=128)
    return Tiling(64, 8 if sequences * kv_heads <= 16 else 4, 3, each=64)


def small_splits(sequences: int, kv_heads: int, sms: int, columns: int) -> int:
    per_sm = SMALL_PROGRAMS if sequences <= SMALL else PROGRAMS
    return plan_splits(sequences, kv_heads, sms, columns, per_sm)


def pow2(n: int) -> int:
    return 1 << (n - 1).bit_length()


def padded(dim: int) -> int:
    """A head's elements, or rows of queries, as many as tensor cores take."""
    return max(16, pow2(dim))
