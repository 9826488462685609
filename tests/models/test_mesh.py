"""Ranks that share a model hold its parts, and the parts make the whole."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from tests.checkpoints import make
from tests.models.paged import open_model

from quire.errors import BadOption
from quire.models.decoder import Decoder
from quire.models.registry import build
from quire.parallel.layout import Layout
from quire.parallel.mesh import Mesh
from quire.weights.folder import read_config
from quire.weights.loader import load


def ranks(folder: Path, size: int) -> list[Decoder]:
    layout = Layout(tp=size)
    meshes = [Mesh.alone_at(layout, rank) for rank in range(size)]
    models = [build(read_config(folder), torch.float32, "cpu", mesh) for mesh in meshes]
    for model in models:
        load(model, folder)
    return models


@pytest.mark.parametrize("family", ["llama", "phi3"])
def test_two_ranks_hold_the_halves_of_every_part(family: str, tmp_path: Path):
    folder = make(family, tmp_path)
    whole = open_model(folder).layers[1]
    halves = [model.layers[1] for model in ranks(folder, 2)]
    for name, (at, rows, _, _) in whole.attention.qkv.ranges.items():
        parts = []
        for half in halves:
            here, count, _, _ = half.attention.qkv.ranges[name]
            parts.append(half.attention.qkv.weight[here : here + count])
        assert torch.equal(torch.cat(parts), whole.attention.qkv.weight[at : at + rows])
    assert torch.equal(torch.cat([h.mlp.down.weight for h in halves], 1), whole.mlp.down.weight)


def test_more_ranks_than_kv_heads_share_them(tmp_path: Path):
    folder = make("llama", tmp_path, num_attention_heads=8, num_key_value_heads=2)
    keys = []
    for model in ranks(folder, 4):
        here, rows, _, _ = model.layers[0].attention.qkv.ranges["k_proj"]
        keys.append(model.layers[0].attention.qkv.weight[here : here + rows])
    assert torch.equal(keys[0], keys[1]) and torch.equal(keys[2], keys[3])
    assert not torch.equal(keys[1], keys[2])


def test_a_size_that_does_not_divide_the_heads_is_refused(tmp_path: Path):
    with pytest.raises(BadOption, match="does not divide 6 heads"):
        ranks(make("llama", tmp_path), 4)


def test_alone_there_is_nothing_to_add_up():
    x = torch.ones(3)
    assert Mesh().share(6) == (0, 6)
    assert Mesh().add_up(x) is x
