"""KV groups: layers that keep the same tokens, and so can share one block table.

A group answers four questions: how many blocks a sequence of n tokens fills, which leading blocks a
cached prefix gives it, from which block on it still reads, and how many blocks one request can ever
hold. Full attention and sliding windows are here. A latent (MLA) cache is `Full` over layers with
other bytes per token; a recurrent state or a cross-attention cache is one more class with these verbs.

Groups draw from one pool: each has the same number of layer places, and place j of a block is the same
memory in every group, because a block belongs to one group at a time. Layers that draft have places of
their own behind those of the model: blocks go from hand to hand, and what a draft writes only drafts read.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import cycle
from typing import Protocol

import numpy as np

from quire.types import Ints, KVLayerSpec


class KVGroup(Protocol):
    @property
    def layers(self) -> tuple[int, ...]: ...

    def blocks_for(self, tokens: int) -> int:
        """Blocks a sequence of `tokens` tokens has filled or begun, dropped ones included."""
        ...

    def first_needed(self, computed: Ints) -> Ints:
        """The first block that token number `computed` still reads; earlier ones may be dropped."""
        ...

    def reusable(self, blocks: int, cached: Callable[[int], bool]) -> int:
        """The most leading blocks, at most `blocks`, after which computing can go on from the cache."""
        ...

    def most_blocks(self, tokens: int, chunk: int) -> int:
        """Blocks one request of `tokens` tokens holds at most, computed `chunk` tokens at a time."""
        ...


@dataclass(frozen=True, slots=True)
class Full:
    """Every token sees every earlier one."""

    layers: tuple[int, ...]
    block_tokens: int

    def blocks_for(self, tokens: int) -> int:
        return -(-tokens // self.block_tokens)

    def first_needed(self, computed: Ints) -> Ints:
        return np.zeros_like(computed)

    def reusable(self, blocks: int, cached: Callable[[int], bool]) -> int:
        for i in range(blocks):
            if not cached(i):
                return i
        return blocks

    def most_blocks(self, tokens: int, chunk: int) -> int:
        return self.blocks_for(tokens)


@dataclass(frozen=True, slots=True)
class Sliding:
    """A token sees itself and the window - 1 tokens before it."""

    layers: tuple[int, ...]
    block_tokens: int
    window: int

    def blocks_for(self, tokens: int) -> int:
        return -(-tokens // self.block_tokens)

    def first_needed(self, computed: Ints) -> Ints:
        first: Ints = np.maximum(computed - (self.window - 1), 0) // self.block_tokens
        return first

    def reusable(self, blocks: int, cached: Callable[[int], bool]) -> int:
        """Only the blocks inside the window before the cut must be cached."""
        end = blocks
        for i in range(blocks - 1, -1, -1):
            if not cached(i):
                end = i
            elif i * self.block_tokens <= max(0, end * self.block_tokens - self.window + 1):
                return end
        return end

    def most_blocks(self, tokens: int, chunk: int) -> int:
        reach = min(tokens, self.window - 1 + chunk)
        return min(self.blocks_for(tokens), self.blocks_for(reach) + 1)


@dataclass(frozen=True, slots=True)
class Layout:
    """How layers share the pool: `place[layer]` = (group, place within a block)."""

    groups: tuple[KVGroup, ...]
    place: tuple[tuple[int, int], ...]
    places: int  # layer places in one block
    block_tokens: int
    block_bytes: int
    ahead: int = 0  # tokens behind those of a step that have blocks, too: layers that draft write there

    def most_blocks(self, tokens: int, chunk: int) -> int:
        """Blocks one request holds at most, over all groups, with at most `chunk` tokens in a step."""
        return sum(g.most_blocks(tokens, chunk + self.ahead) for g in self.groups)


def lay_out(
    specs: Sequence[KVLayerSpec],
    block_tokens: int,
    dtype_bytes: int,
    scale_bytes: int = 0,
    drafting: int = 0,
) -> Layout:
    """Splits layers into groups of one kind and equal size, wasting as few places as possible.

    `scale_bytes` are kept beside each head of each token, once for keys and once for values. The last
    `drafting` layers are not the model's: they join its groups, at places of their own.
    """
    own = len(specs) - drafting
    kinds, drafts = _kinds(specs[:own], 0), _kinds(specs[own:], own)
    lone = {window: layers for window, layers in drafts.items() if not _homes(list(kinds), window)}
    places = _places([len(layers) for layers in (*kinds.values(), *lone.values())])
    parts = [_Part(w, layers[i : i + places]) for w, layers in kinds.items() for i in _steps(layers, places)]
    parts += [_Part(w) for w, layers in lone.items() for _ in _steps(layers, places)]
    place = {layer: (at, j) for at, part in enumerate(parts) for j, layer in enumerate(part.own)}
    for window, layers in drafts.items():
        homes = _homes([part.window for part in parts], window)
        for layer, at in zip(layers, cycle(homes)):
            place[layer] = at, places + len(parts[at].drafts)
            parts[at].drafts.append(layer)
    ordered = tuple(place[layer] for layer in range(len(specs)))
    token_bytes = stored_bytes(specs, ordered, dtype_bytes, scale_bytes)
    groups = tuple(part.group(block_tokens) for part in parts)
    most = places + max(len(part.drafts) for part in parts)
    return Layout(groups, ordered, most, block_tokens, token_bytes * block_tokens)


@dataclass(slots=True)
class _Part:
    """The layers of one group: the model's, and those that draft."""

    window: int | None
    own: list[int] = field(default_factory=list)
    drafts: list[int] = field(default_factory=list)

    def group(self, block_tokens: int) -> KVGroup:
        layers, window = (*self.own, *self.drafts), self.window
        return Full(layers, block_tokens) if window is None else Sliding(layers, block_tokens, window)


def _kinds(specs: Sequence[KVLayerSpec], first: int) -> dict[int | None, list[int]]:
    """Layers by what they see; the first of them is number `first`."""
    kinds: dict[int | None, list[int]] = {}
    for layer, spec in enumerate(specs, first):
        kinds.setdefault(spec.window, []).append(layer)
    return kinds


def _steps(layers: list[int], places: int) -> range:
    return range(0, len(layers), places)


def _homes(windows: Sequence[int | None], window: int | None) -> list[int]:
    """Which groups a layer that drafts may join, by what they keep: those that keep enough, and no more."""
    enough = [w for w in windows if w is None or (window is not None and w >= window)]
    least = min(enough, key=lambda w: (w is None, w or 0), default=None)
    return [at for at, w in enumerate(windows) if w == least] if enough else []


def stored_bytes(
    specs: Sequence[KVLayerSpec],
    place: Sequence[tuple[int, int]],
    dtype_bytes: int,
    scale_bytes: int = 0,
) -> int:
    """Bytes for each token of a block that these layers are stored in, each at its (group, place).

    Layers at one place share its memory, because a block is one group's at a time, if they are alike.
    """
    kinds = {
        (at, spec.kv_heads, spec.head_dim): spec.token_bytes(dtype_bytes, scale_bytes)
        for spec, (_, at) in zip(specs, place, strict=True)
    }
    return sum(kinds.values())


def _places(counts: list[int]) -> int:
    """The largest size among those that leave the fewest places empty (at most one in ten)."""
    if len(counts) == 1:
        return counts[0]

    def empty(size: int) -> float:
        filled = sum(-(-n // size) * size for n in counts)
        return (filled - sum(counts)) / filled

    sizes = range(min(counts), 0, -1)
    return next((s for s in sizes if empty(s) <= 0.1), 1)
