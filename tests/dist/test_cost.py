"""What models send to each other, counted while they run, is what the cost model says to the byte."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from tests.checkpoints import make
from tests.dist.counted import STEPS, Sent, sent
from tests.dist.ranks import together

from quire.models.shapes import DecoderShape, shape_of
from quire.parallel.cost import Traffic, shuffle, step_traffic
from quire.parallel.layout import Layout
from quire.weights.folder import read_config

EIGHT = {"num_attention_heads": 8, "num_key_value_heads": 2}
CASES: dict[str, tuple[str, Layout, dict[str, Any]]] = {
    "dense": ("llama", Layout(tp=2), {}),
    "experts": ("qwen2_moe", Layout(tp=2), {}),  # in some layers, beside a shared one
    "whole experts": ("qwen2_moe", Layout(tp=2, spread_experts=True), {}),
    "stages": ("qwen3", Layout(pp=2), {}),
    "positions": ("gemma3", Layout(cp=2), {}),
    "experts of two engines": ("qwen3_moe", Layout(dp=2, spread_experts=True), {}),
    "a KV head on two ranks": ("qwen3", Layout(tp=4), EIGHT),
    "stages of two": ("llama", Layout(tp=2, pp=2), {}),
    "positions and heads": ("llama", Layout(tp=2, cp=2), {}),
    "experts of two pairs": ("qwen2_moe", Layout(tp=2, dp=2, spread_experts=True), {}),
}
Measured = dict[str, tuple[DecoderShape, list[list[Sent]]]]


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Measured:
    """What every rank sent in every step. Processes are started once for each number of them."""
    top = tmp_path_factory.mktemp("cost")
    folders = {name: make(family, top / name, **more) for name, (family, _, more) in CASES.items()}
    found: Measured = {}
    for world in sorted({layout.world for _, layout, _ in CASES.values()}):
        names = [name for name, (_, layout, _) in CASES.items() if layout.world == world]
        ranks = together(Layout(tp=world), sent, [(str(folders[n]), CASES[n][1]) for n in names])
        for i, n in enumerate(names):
            found[n] = shape_of(read_config(folders[n])), [rank[i] for rank in ranks]
    return found


@pytest.mark.parametrize("name", CASES)
def test_what_ranks_send_is_what_the_formula_says(name: str, measured: Measured):
    layout = CASES[name][1]
    shape, ranks = measured[name]
    for step, tokens in enumerate(STEPS):
        formula = [one for one in step_traffic(shape, layout, tokens, 4) if one.axis != "ep"]
        for column in layout.groups("pp"):  # the ranks that a token passes
            counts = [ranks[rank][step] for rank in column]
            shuffles = [one for count in counts for one in shuffles_of(shape, layout, count)]
            found = {
                kind: sorted(size for count in counts for size in count[kind])
                for kind in ("sum", "gather", "exchange", "hop")
            }
            assert {kind: sizes for kind, sizes in found.items() if sizes} == by_kind(formula + shuffles)


def test_tokens_visit_about_as_many_ranks_as_the_formula_expects(measured: Measured):
    """Routers of random weights do not choose all experts alike, so this is no more than near."""
    for name in ("experts of two engines", "experts of two pairs"):
        layout = CASES[name][1]
        shape, ranks = measured[name]
        expected = sum(
            one.bytes for one in step_traffic(shape, layout, STEPS[0], 4) if one.what == "tokens to experts"
        )
        found = [sum(rows for rows, _ in rank[0]["told"]) * shape.hidden_size * 4 for rank in ranks]
        assert sum(found) / len(found) == pytest.approx(expected, rel=0.25)


def shuffles_of(shape: DecoderShape, layout: Layout, count: Sent) -> Iterable[Traffic]:
    """The shuffles of each layer, from how many rows it sent away and how many choices came."""
    for rows, choices in count["told"]:
        assert shape.experts is not None
        row, top = shape.hidden_size * 4, shape.experts.per_token
        yield from shuffle(layout.dp * layout.tp, rows, choices, row, top)


def by_kind(traffic: Iterable[Traffic]) -> dict[str, list[float]]:
    found: dict[str, list[float]] = {}
    for one in traffic:
        found.setdefault(one.kind, []).extend([one.payload] * one.times)
    return {kind: sorted(sizes) for kind, sizes in found.items()}
