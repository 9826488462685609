"""Every family against transformers: the same checkpoint files, the same prompt, the same logits."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from tests.checkpoints import FAMILIES, make, reference_logits
from tests.models.paged import Pages, logits_of, open_model

from quire.layers.linear import Linear
from quire.models.registry import build
from quire.weights.folder import read_config
from quire.weights.loader import load

PROMPT = [(37 * i + 11) % 263 for i in range(40)]


@pytest.fixture(scope="module", params=list(FAMILIES))
def checkpoint(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make(request.param, tmp_path_factory.mktemp(request.param))


def test_logits_equal_those_of_transformers(checkpoint: Path):
    wanted = reference_logits(checkpoint, PROMPT)
    model = open_model(checkpoint)
    torch.testing.assert_close(logits_of(model, PROMPT), wanted, atol=1e-4, rtol=0)
    torch.testing.assert_close(logits_of(model, PROMPT, chunk=7), wanted, atol=1e-4, rtol=0)


def test_sequences_in_one_batch_do_not_see_each_other(checkpoint: Path):
    model = open_model(checkpoint)
    alone = logits_of(model, PROMPT[:20])
    pages = Pages(model)
    first, second = pages.sequence(), pages.sequence()
    early = pages.compute({first: PROMPT[:13], second: PROMPT[20:]})[first]
    late = pages.compute({second: PROMPT[:1], first: PROMPT[13:20]})[first]
    torch.testing.assert_close(torch.cat((early, late)), alone, atol=1e-4, rtol=0)


def test_bfloat16_stays_near_float32(checkpoint: Path):
    model = build(read_config(checkpoint), torch.bfloat16, "cpu")
    load(model, checkpoint)
    exact = logits_of(open_model(checkpoint), PROMPT)
    rounded = logits_of(model, PROMPT)
    assert rounded.dtype == torch.float32
    alike = torch.nn.functional.cosine_similarity(exact, rounded)
    # A router that is nearly undecided may decide otherwise, and that changes a token altogether.
    assert (alike.median() if model.shape.experts else alike.min()) > 0.98


def test_the_shape_counts_every_parameter(checkpoint: Path):
    model = open_model(checkpoint)
    assert model.shape.parameter_count() == sum(p.numel() for p in model.parameters())


def test_packed_linears_can_drop_their_weights(checkpoint: Path):
    model = open_model(checkpoint)
    wanted = logits_of(model, PROMPT)
    model.pack(lambda weight: lambda x: x @ weight.T.clone())
    for linear in model.linears():
        linear.drop_weight()
    assert not any(m.weight is not None for m in model.modules() if isinstance(m, Linear))
    torch.testing.assert_close(logits_of(model, PROMPT), wanted, atol=1e-4, rtol=0)


def test_a_model_of_several_files_loads_the_same(tmp_path: Path):
    model = open_model(make("phi3", tmp_path / "one"))
    folder = make("phi3", tmp_path / "many", max_shard_size="40KB")
    assert len(list(folder.glob("*.safetensors"))) > 3
    assert torch.equal(logits_of(model, PROMPT), logits_of(open_model(folder), PROMPT))
    (folder / "model.safetensors.index.json").unlink()
    assert torch.equal(logits_of(model, PROMPT), logits_of(open_model(folder), PROMPT))
