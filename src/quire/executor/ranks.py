"""What each rank of an engine is told at its start: its place, and the part of the KV cache that is its own.

All ranks use the planner's block numbers. A rank stores the layers of its stage, its KV heads, and of each
block the positions that are its share of context parallelism.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from quire import wire
from quire.config import EngineConfig
from quire.executor.messages import StartRank
from quire.parallel.context import rank_cache
from quire.parallel.layout import Layout
from quire.parallel.stages import split_layers
from quire.types import CacheShape


def starts(
    config: EngineConfig, folder: Path, layout: Layout, cache: CacheShape, engine: int = 0
) -> list[StartRank]:
    """For the ranks of engine number `engine`; there are several where they share experts."""
    own = len(cache.place) - cache.drafting
    stages = split_layers(own, layout.pp, config.parallel.pipeline_layer_split)
    each = layout.world // layout.dp
    ranks = range(engine * each, (engine + 1) * each)
    plain = wire.plain_config(config)
    out = []
    for local, rank in enumerate(ranks):
        at = layout.place(rank).pp
        drafting = cache.drafting if at == layout.pp - 1 else 0  # layers of what drafts, where the model ends
        layers = [*stages[at], *range(own, own + drafting)]
        place = tuple(cache.place[layer] for layer in layers)
        mine = replace(rank_cache(cache, layout.cp), place=place, drafting=drafting)
        out.append(StartRank(plain, str(folder), layout, rank, local, each, mine, 1.0))
    return out
