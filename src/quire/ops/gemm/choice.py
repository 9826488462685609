"""Which kernel multiplies: a table of what was measured on an H200, and a rule for shapes not in it.

A shape is (outputs, inputs). `benchmarks/gpu/gemm.py` prints the table.
"""

from __future__ import annotations

from typing import NamedTuple

FEW_ROWS = 8  # most rows of the kernel on ordinary cores
TILE_ROWS = 64  # and of the one on tensor cores


class Few(NamedTuple):
    """How `few` is cut: a program takes `rows` weight rows in tiles of `columns`."""

    rows: int = 8
    columns: int = 1024
    chunks: int = 1  # tiles in registers at once; where they do not reach the end, turns are taken
    stages: int = 1  # tiles in flight through shared memory, where there are turns
    warps: int = 4


class Tiles(NamedTuple):
    """How `tiles` is cut."""

    rows: int = 64
    columns: int = 128
    splits: int = 1
    stages: int = 4
    warps: int = 4
    swap: bool = False


Config = Few | Tiles | None  # None: torch

# (outputs, inputs) → the configuration up to a number of rows, ascending; beyond the last, torch.
MEASURED: dict[tuple[int, int], list[tuple[int, Config]]] = {
    (4096, 1024): [
        (4, Few(4, 1024, 1, 1, 4)),
        (8, None),
        (16, Tiles(16, 256, 1, 4, 2, False)),
        (32, Tiles(64, 128, 2, 5, 4, True)),
        (64, Tiles(32, 256, 1, 4, 4, False)),
    ],
    (1024, 2048): [
        (4, Few(2, 2048, 1, 1, 4)),
        (32, Tiles(64, 128, 8, 4, 4, True)),
        (64, Tiles(32, 128, 4, 5, 4, False)),
    ],
    (6144, 1024): [
        (2, Few(4, 1024, 1, 1, 4)),
        (4, Few(8, 1024, 1, 1, 2)),
        (8, None),
        (16, Tiles(32, 256, 1, 4, 4, False)),
    ],
    (1024, 3072): [
        (1, Few(4, 1024, 3, 1, 4)),
        (4, Few(2, 1024, 3, 1, 4)),
        (32, Tiles(64, 128, 4, 4, 4, True)),
        (64, Tiles(32, 128, 4, 5, 4, False)),
    ],
    (151936, 1024): [
        (2, Few(8, 1024, 1, 1, 4)),
        (32, None),
        (64, Tiles(128, 64, 1, 6, 4, True)),
    ],
    (6144, 4096): [
        (1, Few(8, 4096, 1, 1, 8)),
        (2, Few(4, 4096, 1, 1, 8)),
    ],
    (4096, 4096): [
        (1, Few(8, 4096, 1, 1, 8)),
        (2, Few(4, 4096, 1, 1, 8)),
        (32, Tiles(64, 128, 2, 5, 4, True)),
    ],
    (28672, 4096): [
        (1, Few(8, 4096, 1, 1, 8)),
    ],
    (4096, 14336): [
        (1, Few(8, 1024, 1, 4, 4)),
        (8, None),
        (64, Tiles(64, 128, 2, 5, 4, True)),
    ],
    (128256, 4096): [
        (2, Few(4, 4096, 1, 1, 8)),
        (4, None),
        (8, Tiles(64, 128, 1, 5, 4, True)),
        (16, None),
        (64, Tiles(128, 64, 1, 6, 4, True)),
    ],
    (5120, 2048): [
        (2, Few(8, 2048, 1, 1, 4)),
        (8, None),
        (16, Tiles(64, 64, 1, 8, 4, True)),
    ],
    (2048, 4096): [
        (1, Few(4, 4096, 1, 1, 8)),
        (2, Few(8, 4096, 1, 1, 8)),
        (32, Tiles(64, 128, 4, 4, 4, True)),
        (64, Tiles(32, 128, 2, 5, 4, False)),
    ],
    (128, 2048): [  # a router
        (1, Few(2, 2048, 1, 1, 4)),
        (8, Few(4, 2048, 1, 1, 4)),
        (32, Tiles(32, 256, 4, 4, 4, False)),
        (64, Tiles(16, 256, 4, 4, 2, False)),
    ],
    (151936, 2048): [
        (2, Few(4, 2048, 1, 1, 4)),
    ],
}


# Gates and ups in one product with their activation, up to so many rows, where a weight has so many bytes:
# 5 to 7 us less a layer of Llama-3-8B at 4 and at 16 rows. Launched before the norm ends, it is slower.
GATED = Tiles(64, 128, 1, 3, 4, True)
GATED_ROWS, GATED_BYTES = 16, 64 << 20


def gated(rows: int, outputs: int, inputs: int, itemsize: int) -> Tiles | None:
    """How to multiply `rows` rows by gates and ups [outputs, inputs] and gate them in one kernel."""
    large = outputs * inputs * itemsize >= GATED_BYTES and itemsize == 2 and inputs % GATED.columns == 0
    return GATED if large and 1 < rows <= GATED_ROWS else None


# Norms between products, from two rows on and for weights of so many bytes: the product before adds to the
# stream and notes squares, the one after divides, and a launch is saved: 4 to 6 us a layer of Llama-3-8B.
FOLDED, UNFOLDED = Tiles(64, 128, 2, 5, 4, True), Tiles(64, 128, 1, 6, 4, True)
FOLDED_ROWS, FOLDED_BYTES = 16, 32 << 20


def folded(rows: int, outputs: int, inputs: int, itemsize: int, cut: Tiles) -> Tiles | None:
    """How to multiply where a norm is part of it: `cut`, or None where it is not."""
    large = outputs * inputs * itemsize >= FOLDED_BYTES and itemsize == 2
    fits = outputs % cut.rows == 0 and inputs % (cut.columns * cut.splits) == 0
    return cut if large and fits and 1 < rows <= FOLDED_ROWS else None


def choose(rows: int, outputs: int, inputs: int) -> Config:
    """How to multiply `rows` rows by a weight [outputs, inputs] of two-byte elements."""
    for most, config in MEASURED.get((outputs, inputs), ()):
        if rows <= most:
            return config
    if (outputs, inputs) in MEASURED or rows > 4 or inputs % 8:
        return None
    return few(outputs, inputs)


def few(outputs: int, inputs: int, itemsize: int = 2, gated: bool = False) -> Few:
    """A sound cut for any shape: at most 64 registers of weights a thread, programs for all processors."""
    columns = min(1 << (inputs - 1).bit_length(), 8192 // itemsize)
    if -(-inputs // columns) * columns * 5 >= inputs * 6:  # a sixth idle: smaller tiles, more of them
        columns //= 2 if columns > 64 else 1
    chunks = -(-inputs // columns)
    wide = chunks * columns * itemsize * (2 if gated else 1)  # bytes of one output
    warps = 8 if columns * itemsize >= 256 * 16 else 4  # so that no two threads hold the same inputs
    most = 64 * 4 * 32  # bytes of weights in the registers of a warp
    rows = 8
    while rows > 1 and rows * wide > warps * most:
        rows //= 2
    if rows < 4:  # too long to hold: take turns
        return Few(4 if gated else 8, 4096 // itemsize, 1, 3, 8)
    if outputs >= 16_384:  # large: the inputs are read less often
        while rows < 32 and 2 * rows * wide <= warps * most:
            rows *= 2
    return Few(rows, columns, chunks, 1, warps)


def fp8_tiles(rows: int, outputs: int, inputs: int) -> Tiles | None:
    """How to multiply `rows` FP8 rows by an FP8 weight; None: torch's scaled product."""
    if rows > TILE_ROWS or inputs % 128:
        return None
    splits = 1
    while outputs // 64 * splits < 256 and inputs % (512 * splits) == 0 and splits < 8:
        splits *= 2
    return Tiles(64, 128, splits, 6, 4, True)
