"""Which rank of context parallelism holds which positions, and what a query sees of them there."""

from __future__ import annotations

import random

import numpy as np
import pytest
import torch

from quire.errors import BadOption
from quire.parallel import context
from quire.parallel.context import Shard, planned_block, rank_cache, rows_each
from quire.types import CacheShape

DRAWN = [(random.Random(i).choice((1, 2, 3, 5, 8)), random.Random(i).randint(1, 9)) for i in range(20)]


@pytest.mark.parametrize(("ranks", "block"), DRAWN)
def test_every_position_is_kept_once_and_in_order(ranks: int, block: int):
    positions = np.arange(7 * ranks * block + 3)
    owner = Shard(ranks, 0, block).owner(positions)
    for rank in range(ranks):
        shard = Shard(ranks, rank, block)
        mine = positions[owner == rank]
        assert shard.local(mine).tolist() == list(range(len(mine)))
        table, offset = (
            mine // shard.span,
            mine % block,
        )  # its block and its place there, as the cache has them
        assert (table * block + offset == shard.local(mine)).all()
    assert set(owner.tolist()) == set(range(ranks))


@pytest.mark.parametrize(("ranks", "block"), DRAWN)
def test_what_a_query_sees_is_what_counting_finds(ranks: int, block: int):
    draw = random.Random(ranks * 100 + block)
    positions = np.array([draw.randint(0, 6 * ranks * block) for _ in range(40)])
    for rank in range(ranks):
        shard = Shard(ranks, rank, block)
        for window in (None, 1, draw.randint(2, 3 * ranks * block)):
            low, high = shard.seen(positions, window)
            as_tensors = shard.seen(torch.from_numpy(positions), window)
            assert [low.tolist(), high.tolist()] == [x.tolist() for x in as_tensors]
            for p, first, end in zip(positions.tolist(), low.tolist(), high.tolist(), strict=True):
                sees = np.arange(0 if window is None else max(0, p - window + 1), p + 1)
                mine = sees[shard.owner(sees) == rank]
                assert end - first == len(mine)
                assert len(mine) == 0 or shard.local(mine).tolist() == list(range(first, end))


def test_steps_are_split_once_every_rank_has_enough_to_do(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(context, "SPLIT_TOKENS", 64)
    assert rows_each(127, 2) == 127
    assert rows_each(128, 2) == 64
    assert rows_each(193, 3) == 65  # the last rank computes two tokens that are padding
    assert rows_each(10_000, 1) == 10_000


def test_the_planner_counts_in_blocks_of_all_ranks():
    planned = CacheShape(100, planned_block(16, 3), 1, 2, ((0, 0), (0, 1)))
    assert planned.block_tokens == 48
    assert rank_cache(planned, 3) == CacheShape(100, 16, 1, 2, ((0, 0), (0, 1)))
    with pytest.raises(BadOption, match="does not divide blocks of 48 tokens; plan with blocks of 240"):
        rank_cache(planned, 5)
