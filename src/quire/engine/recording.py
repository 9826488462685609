"""What an engine's record begins with: all that decides what its scheduler plans."""

from __future__ import annotations

import os
import time
from pathlib import Path

from quire.config import EngineConfig
from quire.engine.resolve import Resolved
from quire.kv.groups import Layout, Sliding
from quire.record.format import Header, Room
from quire.record.writer import Recorder
from quire.shared_prefix import SHARED_TOKENS

SECRET = "QUIRE_RECORD_SECRET"  # hashes of the engines of one server can be compared: they share it
NUMBER = "QUIRE_RECORD_ENGINE"  # of the engine among them


def room_of(config: EngineConfig, layout: Layout, blocks: int, stages: int = 1, depth: int = 1) -> Room:
    """Of a config in which nothing is left open; `depth` is how many steps may be in flight."""
    on_gpu = config.device.device == "cuda"
    rows, max_len, budget = (
        config.scheduler.max_num_seqs, config.model.max_model_len, config.scheduler.max_num_batched_tokens,
    )  # fmt: skip
    assert rows is not None and max_len is not None and budget is not None
    return Room(
        rows,
        max_len,
        budget,
        blocks,
        layout.block_tokens,
        tuple(g.window if isinstance(g, Sliding) else None for g in layout.groups),
        config.cache.enable_prefix_caching,
        config.scheduler.enable_chunked_prefill,
        config.scheduler.scheduling_policy,
        stages,
        depth,
        config.speculation.speculative_config is not None,
        SHARED_TOKENS if on_gpu and len(layout.groups) == 1 else 0,
    )


def recorder_of(path: str, resolved: Resolved, depth: int, folder: Path) -> Recorder:
    """Opens the record of an engine that is about to begin."""
    engine = int(os.environ.get(NUMBER, "0"))
    blocks, stages = resolved.capacity.blocks, resolved.ranks.pp
    room = room_of(resolved.config, resolved.layout, blocks, stages, depth)
    header = Header(room, folder.name, time.time(), engine)
    return Recorder(path, header, bytes.fromhex(os.environ.get(SECRET, "")))
