"""Models whose layers are spread over stages give what one process gives: bit for bit, stages alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file, save_file
from tests.checkpoints import make
from tests.dist.ranks import together
from tests.dist.staged import life, lives, pair, stage
from tests.models.paged import open_model

from quire.errors import TensorMismatch
from quire.models.decoder import Decoder
from quire.ops.gemm.cpu import packer
from quire.parallel.layout import Layout
from quire.parallel.mesh import Mesh

Cases = list[tuple[str, str | None]]  # folders, and how the layers are split


def check(layout: Layout, cases: Cases, found: list[list[Any]], exactly: bool = True) -> None:
    """Every rank draws the tokens of one process, and the last stages have its logits."""
    truths = [life(open_model(Path(folder))) for folder, _ in cases]
    for rank, answers in enumerate(found):
        for (logits, tokens), (true_logits, true_tokens) in zip(answers, truths, strict=True):
            assert tokens == true_tokens
            if layout.place(rank).pp < layout.pp - 1:
                assert logits == []
            elif exactly:
                assert logits == true_logits
            else:
                near = {"atol": 1e-4, "rtol": 1e-4}
                torch.testing.assert_close(torch.tensor(logits), torch.tensor(true_logits), **near)


TWO_STAGES = ["llama", "smollm", "olmo2", "gemma3", "qwen2_moe"]  # untied, tied, no norm before, two ropes


@pytest.fixture(scope="module")
def cases(tmp_path_factory: pytest.TempPathFactory) -> Cases:
    return [(str(make(family, tmp_path_factory.mktemp(family))), None) for family in TWO_STAGES]


@pytest.fixture(scope="module")
def two_stages(cases: Cases) -> list[dict[str, Any]]:
    return together(Layout(pp=2), pair, cases)


def test_two_stages_give_the_bits_of_one_process(cases: Cases, two_stages: list[dict[str, Any]]):
    check(Layout(pp=2), cases, [found["lives"] for found in two_stages])


def test_a_stage_may_be_steps_ahead_and_nothing_is_sent_for_no_tokens(two_stages: list[dict[str, Any]]):
    assert [found["ahead"] for found in two_stages] == [[], [0.0, 2.0, 3.0, 4.0]]


def test_a_step_without_tokens_passes_through(two_stages: list[dict[str, Any]]):
    assert [found["nothing"] for found in two_stages] == [None, [0, 263]]


def test_three_stages_of_seven_layers_give_the_bits_of_one_process(tmp_path: Path):
    plain = str(make("llama", tmp_path / "llama", num_hidden_layers=7))
    tied = str(make("qwen2", tmp_path / "qwen2", num_hidden_layers=7))
    cases = [(plain, None), (plain, "4,1,2"), (tied, "1,5,1")]
    check(Layout(pp=3), cases, together(Layout(pp=3), lives, cases))


def test_stages_of_two_ranks_each_give_the_tokens_of_one_process(tmp_path: Path):
    cases = [(str(make(family, tmp_path / family)), None) for family in ("llama", "gemma2")]
    layout = Layout(pp=2, tp=2)
    check(layout, cases, together(layout, lives, cases), exactly=False)


# ---- loading ----


def at(folder: Path, rank: int, stages: int = 3) -> Decoder:
    return stage(Mesh.alone_at(Layout(pp=stages), rank), folder)


@pytest.mark.parametrize("family", ["llama", "smollm"])
def test_stages_hold_the_layers_of_the_model_and_its_ends(family: str, tmp_path: Path):
    folder = make(family, tmp_path)
    whole = open_model(folder)
    first, middle, last = (at(folder, rank) for rank in range(3))
    for i, part in enumerate((first, middle, last)):
        assert torch.equal(part.layers[0].mlp.down.weight, whole.layers[i].mlp.down.weight)
    assert torch.equal(first.embedding.weight, whole.embedding.weight)
    assert middle.embedding is last.embedding is first.head is middle.head is first.norm is None
    assert torch.equal(last.head.weight, whole.head.weight)
    assert torch.equal(last.norm.weight, whole.norm.weight)


@pytest.mark.parametrize("rank", range(3))
def test_a_stage_packs_and_rehearses_what_it_holds(rank: int, tmp_path: Path):
    part = at(make("gemma3", tmp_path), rank)
    assert len(list(part.linears())) == 4 + (rank == 2)
    part.pack(packer(torch.float32, copy=True), drop=True)
    assert all(linear.weight is None for linear in part.linears() if linear is not part.head)
    with part.one_of_each():
        assert part.stack == list(part.layers)


def change(folder: Path, **tensors: torch.Tensor | None) -> None:
    file = folder / "model.safetensors"
    kept = {name: t.clone() for name, t in load_file(file).items()} | tensors
    file.unlink()
    save_file({name: t for name, t in kept.items() if t is not None}, file)


def test_a_tied_head_that_differs_from_the_table_is_read_by_the_last_stage(tmp_path: Path):
    folder = make("smollm", tmp_path)
    head = torch.randn(263, 48)
    change(folder, **{"lm_head.weight": head})
    first, _, last = (at(folder, rank) for rank in range(3))
    assert not torch.equal(first.embedding.weight, head)
    assert torch.equal(last.head.weight, head)


def test_a_table_that_is_stored_as_the_head_serves_both_ends(tmp_path: Path):
    folder = make("smollm", tmp_path)
    table = open_model(folder).embedding.weight.clone()
    change(folder, **{"model.embed_tokens.weight": None, "lm_head.weight": table})
    assert torch.equal(at(folder, 0).embedding.weight, table)
    assert torch.equal(at(folder, 2).head.weight, table)


@pytest.mark.parametrize(
    ("name", "tensor", "said", "who"),
    [
        ("model.layers.1.mlp.up_proj.weight", None, "1 missing", {1}),
        ("model.layers.1.mlp.side_proj.weight", torch.ones(2), "1 unexpected", {1}),
        ("model.layers.3.mlp.up_proj.weight", torch.ones(2), "1 unexpected", {0, 1, 2}),
        ("model.extra.weight", torch.ones(2), "1 unexpected", {0, 1, 2}),
        ("model.norm.weight", torch.ones(2), "1 misshapen", {2}),
        ("lm_head.weight", None, "1 missing", {2}),
    ],
)
def test_what_is_wrong_in_a_checkpoint_is_said_by_the_stages_it_concerns(
    name: str, tensor: torch.Tensor | None, said: str, who: set[int], tmp_path: Path
):
    folder = make("llama", tmp_path)
    change(folder, **{name: tensor})
    for rank in range(3):
        if rank in who:
            with pytest.raises(TensorMismatch, match=said):
                at(folder, rank)
        else:
            at(folder, rank)
