"""What one rank holds, counted on paper, is what its model holds."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from tests.checkpoints import model

from quire.models.decoder import Decoder
from quire.models.registry import build
from quire.models.shapes import DecoderShape, shape_of
from quire.models.share import largest_share, share_of
from quire.parallel.layout import Layout
from quire.parallel.mesh import Mesh
from quire.parallel.stages import Stage

# heads, experts and widths that two and four ranks divide
EVEN = {"num_attention_heads": 8, "num_key_value_heads": 2, "intermediate_size": 96}
FAMILIES: dict[str, dict[str, Any]] = {
    "llama": {},
    "qwen3": {"tie_word_embeddings": True},
    "gemma2": {},
    "mixtral": {"num_local_experts": 4},
    "qwen2_moe": {},
}
LAYOUTS = [
    Layout(),
    Layout(tp=2),
    Layout(tp=4),  # more ranks than KV heads
    Layout(pp=2),
    Layout(pp=3, tp=2),
    Layout(dp=2, tp=2),
    Layout(dp=2, tp=2, spread_experts=True),
    Layout(pp=2, tp=2, spread_experts=True, redundant_experts=3),
]


@pytest.fixture(scope="module", params=FAMILIES)
def config(request: pytest.FixtureRequest) -> dict[str, Any]:
    built = model(request.param, **EVEN | FAMILIES[request.param])
    return built.config.to_dict() | {"architectures": [type(built).__name__]}


def held(config: dict[str, Any], layout: Layout, rank: int, split: str | None = None) -> Decoder:
    return build(config, torch.float32, "meta", Mesh.alone_at(layout, rank), split=split)


def count(decoder: Decoder) -> tuple[int, int]:
    products = [linear.weight.numel() for linear in decoder.linears() if not linear.exact]
    return sum(p.numel() for p in decoder.parameters()), sum(products)


@pytest.mark.parametrize("layout", LAYOUTS, ids=str)
def test_every_rank_holds_what_was_counted(config: dict[str, Any], layout: Layout):
    shape: DecoderShape = shape_of(config)
    shares = []
    for rank in range(layout.world):
        decoder = held(config, layout, rank)
        shares.append(share_of(shape, layout, decoder.stage))
        assert shares[-1] == count(decoder)
    assert largest_share(shape, layout) == max(shares)


def test_all_in_one_place_is_the_checkpoint(config: dict[str, Any]):
    shape = shape_of(config)
    whole = share_of(shape, Layout(), Stage(range(shape.layers)))
    assert whole == (shape.parameter_count(), shape.linear_count()) == largest_share(shape, Layout())


def test_an_uneven_split_is_counted_as_it_says(config: dict[str, Any]):
    layout, shape = Layout(pp=2), shape_of(config)
    split = f"1,{shape.layers - 1}"
    assert largest_share(shape, layout, split) == max(
        count(held(config, layout, rank, split)) for rank in range(2)
    )
