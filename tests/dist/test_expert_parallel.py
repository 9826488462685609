"""Whole experts on each process: the tokens of one, whoever holds what, and loads that become even."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import torch
from tests import checkpoints
from tests.checkpoints import make
from tests.dist.ranks import together
from tests.dist.spread_runs import Case, Run, both, run, runs
from tests.models.paged import open_model

from quire.errors import BadOption, TensorMismatch
from quire.layers.moe import MoE
from quire.models.decoder import Decoder
from quire.models.registry import build
from quire.parallel.layout import Layout
from quire.parallel.mesh import ALONE, Mesh
from quire.parallel.rebalance import Rebalancer, expert_load
from quire.weights.folder import read_config
from quire.weights.loader import load

FAMILIES = ["mixtral", "qwen2_moe", "qwen3_moe"]
PROMPTS = [
    [5, 100, 262, 7, 7, 31, 64, 200, 1, 90, 33],
    [17, 9, 250, 44],
    [3, 88, 12, 240, 61, 2, 19],
    [77, 8],
]


def spread(copies: int = 0, **sizes: int) -> Layout:
    return Layout(**sizes, spread_experts=True, redundant_experts=copies)


def check(cases: list[Case], found: list[list[tuple[Run, Run, bool]]]) -> None:
    """Every rank has the logits and tokens of one process, before and after experts have moved."""
    world = len(found)
    truth: dict[tuple[str, int], Run] = {}
    for i, (folder, layout, prompts) in enumerate(cases):
        for rank in range(world):
            before, after, moved = found[rank][i]
            assert moved
            prompt = prompts[layout.place(rank).dp]
            if prompt is None:
                continue
            key = (folder, PROMPTS.index(prompt))
            if key not in truth:
                truth[key] = run(open_model(Path(folder)), prompt)
            wanted, following = truth[key]
            for logits, tokens in (before, after):
                torch.testing.assert_close(torch.tensor(logits), torch.tensor(wanted), atol=1e-4, rtol=1e-4)
                assert tokens == following


def test_two_processes_with_half_of_the_experts_each_give_the_tokens_of_one(tmp_path: Path):
    mixtral, shared, many = (str(make(family, tmp_path / family)) for family in FAMILIES)
    cases: list[Case] = []
    for folder in (mixtral, shared, many):
        cases.append((folder, spread(tp=2), [PROMPTS[0]]))
        cases.append((folder, spread(dp=2), [PROMPTS[0], PROMPTS[1]]))
    cases.append((mixtral, spread(dp=2), [None, PROMPTS[2]]))  # an engine without tokens
    cases.append((many, spread(5, tp=2), [PROMPTS[0]]))
    cases.append((shared, spread(3, dp=2), [PROMPTS[0], PROMPTS[3]]))
    check(cases, together(Layout(tp=2), runs, cases))


SKEWED = [spread(tp=4), spread(4, tp=4), spread(4, dp=2, tp=2), spread(4, dp=4)]


@pytest.fixture(scope="module")
def four(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[Case], list[Any]]:
    """What four processes found, of one engine or of several."""
    path = tmp_path_factory.mktemp("four")
    shared = str(make("qwen2_moe", path / "shared", num_attention_heads=8))
    few = str(make("mixtral", path / "few", num_attention_heads=8, num_local_experts=3))
    many = str(make("qwen3_moe", path / "many", num_attention_heads=8))
    cases: list[Case] = [
        (shared, spread(tp=4), [PROMPTS[0]]),
        (shared, spread(dp=2, tp=2), [PROMPTS[0], PROMPTS[1]]),
        (few, spread(dp=2, tp=2), [PROMPTS[2], PROMPTS[3]]),  # fewer experts than processes
        (few, spread(tp=4), [PROMPTS[2]]),
        (many, spread(7, dp=2, tp=2), [PROMPTS[0], None]),
        (many, spread(dp=4), [None, PROMPTS[1], PROMPTS[0], None]),
    ]
    return cases, together(Layout(tp=4), both, cases, SKEWED)


def test_four_processes_give_the_tokens_of_one(four: tuple[list[Case], list[Any]]):
    cases, found = four
    check(cases, [of_cases for of_cases, _ in found])


def test_the_load_of_a_skewed_router_is_cut_by_half_and_more_with_copies(four: tuple[list[Case], list[Any]]):
    for rank, (_, found) in enumerate(four[1]):
        for layout, of in zip(SKEWED, found, strict=True):
            assert of.before > 3.0, "two experts of one process get nearly all tokens"
            assert of.after <= (of.before / 2 if layout.redundant_experts == 0 else 1.2)
            assert len(of.said) == (2 if rank == 0 else 0), "one process says it, each time"
        assert rank or re.match(r"experts: max/mean load of 4 processes 4\.00, now 2\.00; ", found[0].said[0])


# ---- what is read --------------------------------------------------------


def opened(folder: Path, layout: Layout, rank: int) -> Decoder:
    model = build(read_config(folder), torch.float32, "cpu", Mesh.alone_at(layout, rank))
    load(model, folder)
    return model


def first(model: Decoder) -> MoE:
    return next(m for m in model.modules() if isinstance(m, MoE))


def test_a_rank_reads_the_whole_of_its_experts_and_nothing_of_others(tmp_path: Path):
    single, merged = make("qwen3_moe", tmp_path / "single"), tmp_path / "merged"
    checkpoints.model("qwen3_moe").save_pretrained(merged, save_original_format=False)
    whole = first(open_model(single))
    for folder in (single, merged):
        for rank, held in enumerate([(0, 1, 2, 3, 4, 5), (6, 7, 8, 0, 1, 2)]):
            moe = first(opened(folder, spread(3, tp=2), rank))
            assert moe.held == held
            assert torch.equal(moe.gate_up, whole.gate_up[list(held)])
            assert torch.equal(moe.down, whole.down[list(held)])
            read = [
                s.name.split(".")[2]
                for s in moe.slots("mlp", False)
                if ".experts." in s.name and s.into.numel()
            ]
            assert {*read} == {*map(str, held)}


def test_a_missing_expert_is_named_by_every_rank(tmp_path: Path):
    folder = make("qwen3_moe", tmp_path)
    config = {**read_config(folder), "num_experts": 10, "num_local_experts": 10}
    for rank in range(2):
        model = build(config, torch.float32, "cpu", Mesh.alone_at(spread(tp=2), rank))
        with pytest.raises(TensorMismatch, match=r"layers\.0\.mlp\.experts\.9\.gate_proj\.weight \[24, 48\]"):
            load(model, folder)


def test_more_copies_than_there_is_room_for_are_refused(tmp_path: Path):
    config = read_config(make("mixtral", tmp_path))
    with pytest.raises(BadOption, match="5 experts on 2 processes can have 5 copies at most"):
        build(config, torch.float32, "cpu", Mesh.alone_at(spread(6, tp=2), 0))


def test_experts_of_one_process_are_not_spread(tmp_path: Path):
    config = read_config(make("mixtral", tmp_path))
    model = build(config, torch.float32, "cpu", Mesh.alone_at(spread(), 0))
    assert first(model).spread is None and first(model).experts.places is None
    Rebalancer(model, ALONE, every=1).after_step()
    assert expert_load(model) is None
