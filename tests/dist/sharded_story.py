"""A story of several sequences, told by a rank that keeps some of the positions, or by one process.

Apart from the test, so that the processes of ranks import no more than they need.
"""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import torch
from tests.models.paged import Pages
from torch import Tensor

from quire.models.registry import build
from quire.ops.attention import KVLayer
from quire.parallel import context
from quire.parallel.context import Shard, planned_block, rank_cache
from quire.parallel.mesh import Mesh
from quire.types import CacheShape, Plan
from quire.weights.folder import read_config
from quire.weights.loader import load
from quire.worker.inputs import gather
from quire.worker.rows import DeviceRows

BLOCK, LONGEST, ROWS = 3, 240, 10
SPLIT = 3  # tokens for each rank: so some steps of the story are split and some are not
STORY = [  # what each sequence reads in each step
    {0: 1, 1: BLOCK - 1, 2: BLOCK, 3: BLOCK + 1, 4: 2 * BLOCK, 5: 2 * BLOCK + 1, 6: 37},
    {7: 20, 0: 1, 6: 1},  # the first chunk of a prompt, with others that decode
    {7: 1},
    {7: 26, 5: 5, 8: 3 * BLOCK + 1},
    {1: 1, 2: 1},
]
LONG = [random.Random(2).randrange(3, 260) for _ in range(207)]
GREEDY = 9  # steps in which every sequence goes on by one token, over several block borders


class ShardedPages:
    """`Pages` on one rank, with a KV group for each window and the inputs a runner would gather."""

    def __init__(self, folder: str, mesh: Mesh, blocks: int = 200):
        shape = (model := build(read_config(Path(folder)), torch.float32, "cpu", mesh)).shape
        load(model, Path(folder))
        self.model, ranks = model, mesh.cp.size
        self.windows = list(dict.fromkeys(shape.windows))
        places = tuple((self.windows.index(w), i) for i, w in enumerate(shape.windows))
        planned = CacheShape(blocks, planned_block(BLOCK, ranks), len(self.windows), len(places), places)
        cache = rank_cache(planned, ranks)
        self.shard = Shard(ranks, mesh.cp.rank, cache.block_tokens)
        self.rows = DeviceRows(ROWS, LONGEST, cache)
        self.free = random.Random(0).sample(range(1, blocks), blocks - 1)
        self.lengths = np.zeros(ROWS, np.int32)
        heads = model.stack[0].attention.heads
        size = (blocks, cache.block_tokens, heads.kv, heads.dim)
        model.bind_kv([KVLayer(g, torch.full(size, 1e3), torch.full(size, 1e3)) for g, _ in places])

    def compute(self, new: dict[int, list[int]]) -> dict[int, Tensor]:
        rows = np.array(list(new), np.int32)
        count = np.array([len(tokens) for tokens in new.values()], np.int32)
        start = self.lengths[rows]
        for row, tokens in new.items():
            before, after = int(self.lengths[row]), int(self.lengths[row]) + len(tokens)
            self.rows.tokens[row, before:after] = tokens
            for table, window in zip(self.rows.tables, self.windows, strict=True):
                for column in range(-(-before // self.shard.span), -(-after // self.shard.span)):
                    table[row, column] = self.free.pop()
                if window is not None:  # as the planner does, drop what nobody sees any more
                    table[row, : max(0, before - window + 1) // self.shard.span] = 0
            self.lengths[row] = after
        plan = Plan(0, rows, start, count, np.ones(len(rows), np.bool_))
        inputs = gather(plan, self.rows, self.shard.block_tokens, self.shard)
        each = context.rows_each(int(count.sum()), self.shard.ranks)
        assert len(inputs.token_ids) == len(inputs.positions) == each
        with torch.inference_mode():
            hidden = self.model(inputs.token_ids, inputs.positions, inputs.context)
            logits = self.model.logits(hidden)
        ends = inputs.query_start.tolist()
        return {row: logits[ends[i] : ends[i + 1]] for i, row in enumerate(new)}


def told(pages: ShardedPages | Pages) -> tuple[list[list[float]], list[int]]:
    """The logits of every token of the story, and the greedy tokens after it."""
    draw = random.Random(1)
    found, last = [], {}
    for step in STORY:
        got = pages.compute({i: [draw.randrange(3, 260) for _ in range(n)] for i, n in step.items()})
        found += got.values()
        last |= {i: int(logits[-1].argmax()) for i, logits in got.items()}
    tokens = list(last.values())
    for _ in range(GREEDY):
        got = pages.compute({i: [token] for i, token in last.items()})
        found += got.values()
        last = {i: int(logits[-1].argmax()) for i, logits in got.items()}
        tokens += last.values()
    return torch.cat(found).tolist(), tokens


def tell(mesh: Mesh, folders: list[str]) -> list[tuple[list[list[float]], list[int]]]:
    context.SPLIT_TOKENS = SPLIT
    return [told(ShardedPages(folder, mesh)) for folder in folders]


def read_long(mesh: Mesh, folder: str) -> list[list[float]]:
    """Logits of a prompt in two chunks, of which only the first is long enough to be split."""
    pages = ShardedPages(folder, mesh)
    first, then = pages.compute({0: LONG[:170]})[0], pages.compute({0: LONG[170:]})[0]
    found: list[list[float]] = torch.cat([first, then]).tolist()
    return found


def read_and_tell(
    mesh: Mesh, folders: list[str]
) -> tuple[list[list[float]], list[tuple[list[list[float]], list[int]]]]:
    return read_long(mesh, folders[0]), tell(mesh, folders)
