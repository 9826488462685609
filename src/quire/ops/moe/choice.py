"""How the experts' kernels are cut: rules, and what was measured on an H200 (`benchmarks/gpu/moe.py`)."""

from __future__ import annotations

from typing import NamedTuple

FEW_TOKENS = 4  # each choice by itself, where few share an expert


class Few(NamedTuple):
    """A program takes `rows` weight rows (of gates, and as many of ups) in tiles of `columns`."""

    rows: int = 4
    columns: int = 1024
    stages: int = 1
    warps: int = 4
    hold: bool = False  # down alone: all in registers, early


class Tiles(NamedTuple):
    """A program takes `choices` of an expert and `rows` of its weight in tiles of `columns`."""

    choices: int = 16
    rows: int = 32
    columns: int = 128
    stages: int = 4
    warps: int = 4
    swap: bool = False


class Pair(NamedTuple):
    """Both products; tiles of both take as many choices."""

    up: Tiles
    down: Tiles


class Rows(NamedTuple):
    """A tile is `rows` of an expert's weight, taken in steps of `columns`; all tokens at once."""

    rows: int
    columns: int
    stages: int


class Unsorted(NamedTuple):
    """Both products, in one launch, of so few tokens that nobody sorts them."""

    up: Rows
    down: Rows
    warps: int = 8
    programs: int = 2  # on each multiprocessor


UNSORTED_TOKENS = 16  # the rows of one instruction
UNSORTED_EXPERTS = 512  # that each program looks through
UNSORTED_COUNTERS = 2 + UNSORTED_EXPERTS  # see `triton_rows`
UNSORTED = Unsorted(Rows(64, 128, 3), Rows(128, 64, 4))

# Up to so many choices for each expert, on average.
TILES: list[tuple[float, Pair]] = [
    (10, Pair(Tiles(16, 64, 128, 3, 4, True), Tiles(16, 128, 64, 5, 4, True))),
    (24, Pair(Tiles(32, 64, 128, 3, 4), Tiles(32, 128, 64, 5, 4, True))),
    (48, Pair(Tiles(64, 128, 64, 3, 4), Tiles(64, 128, 64, 4, 4))),
]
MANY = Pair(Tiles(128, 128, 64, 4, 8), Tiles(128, 256, 64, 3, 8))
WIDE = Pair(Tiles(64, 32, 32, 2, 4), Tiles(64, 64, 32, 2, 4))  # for float32


def tiles(choices: int, experts: int, itemsize: int = 2) -> Pair:
    """How to multiply so many choices among so many experts."""
    if itemsize > 2:
        return WIDE
    return next((pair for most, pair in TILES if choices <= most * experts), MANY)


def are_few(tokens: int, top_k: int, experts: int) -> bool:
    """Whether nothing is gained by sorting: hardly two choices want the same expert."""
    return tokens == 1 or (tokens <= FEW_TOKENS and 2 * tokens * top_k <= experts)


def are_unsorted(tokens: int, top_k: int, experts: int, itemsize: int = 2) -> bool:
    """Whether sorting takes longer than looking for oneself."""
    able = tokens <= UNSORTED_TOKENS and experts <= UNSORTED_EXPERTS and itemsize == 2
    return able and tokens * top_k <= experts


def few(tokens: int, outputs: int, inputs: int, top_k: int, itemsize: int = 2) -> tuple[Few, Few]:
    """How up and down are cut for a few tokens; `outputs` and `inputs` of up, those of down the other way."""
    columns = min(1 << (inputs - 1).bit_length(), 4096 // itemsize)
    rows = 2 if tokens == 1 and columns >= inputs and outputs <= 2048 else 4
    up = Few(rows, columns, 1 if columns >= inputs else 3, 4)
    columns = 512 // itemsize
    turns = -(-outputs // columns)
    hold = tokens == 1 and turns * top_k <= 24  # 16 bytes of each in a thread's registers
    down = Few(4, columns, 1, 4, True) if hold else Few(4, 2048 // itemsize, 3, 4)
    return up, down


def most_blocks(choices: int, experts: int, size: int) -> int:
    """Blocks of `size` choices that there can be at most, however they fall."""
    return max(1, min(choices, (choices + min(experts, choices) * (size - 1)) // size))
