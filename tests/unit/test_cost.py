"""What ranks send, by arithmetic: against the algorithms played through by hand, and against each other."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest
from tests.unit.shown_models import DEEPSEEK_V3_LIKE, LLAMA_3_70B

from quire.parallel.cost import (
    LINKS,
    Link,
    Traffic,
    filling_share,
    idle_share,
    ranks_visited,
    step_traffic,
    sum_over,
    total_bytes,
    total_seconds,
)
from quire.parallel.layout import Layout


def of_kind(kind: str, traffic: list[Traffic]) -> list[Traffic]:
    return [one for one in traffic if one.kind == kind]


def test_a_single_rank_sends_nothing():
    for shape in (LLAMA_3_70B, DEEPSEEK_V3_LIKE):
        assert step_traffic(shape, Layout(), 256, 2) == []
        assert step_traffic(shape, Layout(spread_experts=True), 256, 2) == []


def test_engines_that_share_nothing_send_each_other_nothing():
    alone = step_traffic(LLAMA_3_70B, Layout(tp=4), 64, 2)
    assert step_traffic(LLAMA_3_70B, Layout(dp=8, tp=4), 64, 2) == alone


@pytest.mark.parametrize("ranks", [2, 3, 4, 8])
def test_a_sum_sends_what_a_ring_sends_when_it_is_played_through(ranks: int):
    """Each rank holds one number a piece; pieces travel, and are added up, then the sums travel."""
    pieces = [[10 * rank + piece for piece in range(ranks)] for rank in range(ranks)]
    truth = [sum(10 * rank + piece for rank in range(ranks)) for piece in range(ranks)]
    sent = turns = 0
    for turn in range(2 * (ranks - 1)):
        adds, moving = turn < ranks - 1, []
        for rank in range(ranks):
            piece = (rank - turn) % ranks if adds else (rank + 1 - (turn - ranks + 1)) % ranks
            moving.append(((rank + 1) % ranks, piece, pieces[rank][piece]))
        for to, piece, value in moving:
            pieces[to][piece] = pieces[to][piece] + value if adds else value
        sent, turns = sent + 1, turns + 1  # by each rank, one piece
    assert all(have == truth for have in pieces)
    one = sum_over(ranks, payload=float(ranks), what="")  # a byte a piece
    assert (one.sent, one.messages) == (sent, turns)


def test_a_layer_of_a_dense_model_sums_twice():
    traffic = step_traffic(LLAMA_3_70B, Layout(tp=8), 64, 2)
    sums = of_kind("sum", traffic)
    assert sum(one.times for one in sums) == 1 + 2 * 80
    assert {one.payload for one in sums} == {64 * 8192 * 2}


def test_stages_add_a_hop_each_and_change_nothing_else():
    flat = step_traffic(LLAMA_3_70B, Layout(tp=2), 64, 2)
    staged = step_traffic(LLAMA_3_70B, Layout(tp=2, pp=4), 64, 2)
    (hop,) = [one for one in staged if one not in flat]
    assert (hop.kind, hop.times, hop.bytes, hop.messages) == ("hop", 3, 3 * 64 * 8192 * 2, 1)


def test_only_tokens_that_draw_have_their_logits_gathered():
    (few,) = of_kind("gather", step_traffic(LLAMA_3_70B, Layout(tp=8), 8192, 2, drawn=1))
    assert few.payload == 128256 // 8 * 2


@pytest.mark.parametrize(("experts", "per_token", "ranks"), [(6, 2, 3), (8, 3, 4), (9, 2, 4), (7, 3, 2)])
def test_ranks_visited_are_what_counting_all_choices_gives(experts: int, per_token: int, ranks: int):
    sizes = [experts // ranks + (rank >= ranks - experts % ranks) for rank in range(ranks)]
    home = [rank for rank, size in enumerate(sizes) for _ in range(size)]
    choices = list(combinations(range(experts), per_token))
    counted = sum(len({home[e] for e in chosen}) for chosen in choices) / len(choices)
    assert ranks_visited(experts, per_token, ranks) == pytest.approx(counted)


def test_copies_of_experts_are_visited_as_often_as_drawing_says():
    rng = random.Random(0)
    experts, per_token, ranks, redundant = 32, 4, 8, 8
    homes = [[e // 3 % 8] for e in range(24)]  # 24 experts held once, three a rank
    homes += [[2 * (e % 4), 2 * (e % 4) + 1] for e in range(8)]  # eight held twice, two halves a rank
    seen = 0
    for _ in range(40_000):
        seen += len({rng.choice(homes[e]) for e in rng.sample(range(experts), per_token)})
    assert ranks_visited(experts, per_token, ranks, redundant) == pytest.approx(seen / 40_000, rel=0.01)


def test_a_token_goes_to_no_more_ranks_than_it_has_experts_nor_than_there_are():
    for ranks in (2, 4, 16, 64, 256):
        visited = ranks_visited(256, 8, ranks)
        assert 1 < visited <= min(8, ranks)
    assert ranks_visited(256, 8, 256) == pytest.approx(8)


def test_experts_within_one_engine_are_not_shuffled():
    layout = Layout(tp=8, spread_experts=True)
    assert of_kind("exchange", step_traffic(DEEPSEEK_V3_LIKE, layout, 64, 2)) == []
    between = step_traffic(DEEPSEEK_V3_LIKE, replace(layout, dp=2), 64, 2)
    assert [one.times for one in of_kind("exchange", between)] == [58] * 4  # counts, there, places, back


def test_a_short_step_gathers_outcomes_and_a_long_one_exchanges_them():
    layout = Layout(cp=4)
    assert [one.what for one in step_traffic(LLAMA_3_70B, layout, 1, 2)] == ["gather of partial attention"]
    long = step_traffic(LLAMA_3_70B, layout, 8192, 2)
    assert [one.kind for one in long] == ["gather", "exchange", "gather"]
    assert all(one.axis == "cp" for one in long)


def test_splitting_positions_makes_the_sums_of_a_prompt_smaller():
    whole, split = (
        of_kind("sum", step_traffic(LLAMA_3_70B, Layout(tp=2, cp=cp), 8192, 2))[0].payload for cp in (1, 4)
    )
    assert split == whole / 4


def test_small_sums_are_paid_in_latency_and_large_ones_in_bytes():
    link = LINKS["nvlink4"]
    one, many = (step_traffic(LLAMA_3_70B, Layout(tp=8), tokens, 2) for tokens in (1, 8192))
    assert total_bytes(one) / link.bytes_per_s < 0.05 * total_seconds(one, link)
    assert total_bytes(many) / link.bytes_per_s > 0.95 * total_seconds(many, link)


def test_stages_and_engines_may_lie_behind_another_link():
    near, far = Link("near", 100e9, 1e-6), Link("far", 10e9, 1e-5)
    traffic = step_traffic(LLAMA_3_70B, Layout(tp=2, pp=2), 64, 2)
    hop = next(one for one in traffic if one.kind == "hop")
    both = total_seconds(traffic, near, across=far)
    assert both - total_seconds(traffic, near) == pytest.approx(hop.seconds(far) - hop.seconds(near))


@pytest.mark.parametrize(
    ("stages", "in_flight", "idle"), [(2, 2, 0.0), (2, 1, 0.5), (4, 1, 0.75), (3, 8, 0.0)]
)
def test_stages_idle_when_there_are_fewer_steps_than_stages(stages: int, in_flight: int, idle: float):
    assert idle_share(stages, in_flight) == idle


@pytest.mark.parametrize(("stages", "pieces"), [(2, 1), (2, 8), (4, 4), (3, 7)])
def test_filling_a_pipeline_costs_what_playing_it_through_costs(stages: int, pieces: int):
    turns = max(stage + piece for stage in range(stages) for piece in range(pieces)) + 1
    assert filling_share(stages, pieces) == pytest.approx(1 - pieces / turns)


def test_every_link_is_faster_in_bytes_than_those_after_it():
    speeds: list[Any] = [link.bytes_per_s for name, link in LINKS.items() if name.startswith(("nv", "pcie"))]
    assert speeds == sorted(speeds, reverse=True)
