"""Mixtures of experts: both ways checkpoints are written, the parts of ranks, the counts, odd configs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors import safe_open
from tests import checkpoints
from tests.checkpoints import make
from tests.models.paged import logits_of, open_model

from quire.errors import CheckpointError, TensorMismatch
from quire.layers.moe import MoE
from quire.models.decoder import Decoder
from quire.models.registry import build
from quire.models.shapes import shape_of
from quire.ops.gemm.fp8 import Fp8
from quire.ops.gemm.triton import Skinny
from quire.parallel.layout import Layout
from quire.parallel.mesh import ALONE, Mesh
from quire.weights.folder import read_config
from quire.weights.loader import fill_randomly, load

FAMILIES = ["mixtral", "qwen2_moe", "qwen3_moe"]
PROMPT = [(37 * i + 11) % 263 for i in range(24)]
QWEN3_30B: dict[str, Any] = {
    "architectures": ["Qwen3MoeForCausalLM"],
    "vocab_size": 151936,
    "hidden_size": 2048,
    "intermediate_size": 6144,
    "num_hidden_layers": 48,
    "num_attention_heads": 32,
    "num_key_value_heads": 4,
    "head_dim": 128,
    "max_position_embeddings": 40960,
    "num_experts": 128,
    "num_experts_per_tok": 8,
    "moe_intermediate_size": 768,
    "norm_topk_prob": True,
    "decoder_sparse_step": 1,
    "mlp_only_layers": [],
    "sliding_window": None,
    "use_sliding_window": False,
    "max_window_layers": 48,
    "tie_word_embeddings": False,
    "rope_theta": 1000000.0,
}


def names(folder: Path) -> list[str]:
    return [n for file in folder.glob("*.safetensors") for n in safe_open(file, "pt").keys()]  # noqa: SIM118


@pytest.mark.parametrize("family", FAMILIES)
def test_experts_one_by_one_and_all_in_one_load_the_same(family: str, tmp_path: Path):
    single = make(family, tmp_path / "single")
    checkpoints.model(family).save_pretrained(tmp_path / "merged", save_original_format=False)
    assert any(".experts.1." in n for n in names(single))
    assert any(n.endswith("experts.gate_up_proj") for n in names(tmp_path / "merged"))
    wanted = logits_of(open_model(single), PROMPT)
    assert torch.equal(logits_of(open_model(tmp_path / "merged"), PROMPT), wanted)


def test_a_missing_expert_is_named(tmp_path: Path):
    folder = make("qwen3_moe", tmp_path)
    with pytest.raises(TensorMismatch, match=r"layers\.0\.mlp\.experts\.9\.gate_proj\.weight \[24, 48\]"):
        build_with(folder, num_experts=10, num_local_experts=10)


def build_with(folder: Path, **changes: Any) -> Decoder:
    model = build({**read_config(folder), **changes}, torch.float32, "cpu")
    load(model, folder)
    return model


def test_ranks_that_hold_some_experts_make_the_whole_together(tmp_path: Path):
    whole = next(m for m in open_model(make("qwen3_moe", tmp_path)).modules() if isinstance(m, MoE))
    x = torch.randn(11, 48, generator=torch.Generator().manual_seed(1))
    parts = []
    for held in ([0, 3, 8], [5], [1, 2, 4, 6, 7]):
        part = MoE(
            48, 24, "silu", whole.routing, held=held, mesh=ALONE, dtype=torch.float32,
            device=torch.device("cpu"),
        )  # fmt: skip
        assert part.router.weight is not None and whole.router.weight is not None
        part.router.weight.data.copy_(whole.router.weight)
        part.gate_up.data.copy_(whole.gate_up[held])
        part.down.data.copy_(whole.down[held])
        assert {s.name.split(".")[2] for s in part.slots("mlp", False) if ".experts." in s.name} == {
            str(id) for id in held
        }
        parts.append(part(x))
    torch.testing.assert_close(sum(parts), whole(x), atol=1e-5, rtol=0)


@pytest.mark.parametrize("family", FAMILIES)
def test_two_ranks_hold_half_of_the_columns_of_each_expert(family: str, tmp_path: Path):
    single = make(family, tmp_path / "single")
    merged = tmp_path / "merged"
    checkpoints.model(family).save_pretrained(merged, save_original_format=False)
    whole = next(m for m in open_model(single).modules() if isinstance(m, MoE))
    for folder in (single, merged):
        halves = []
        for rank in range(2):
            model = build(read_config(folder), torch.float32, "cpu", Mesh.alone_at(Layout(tp=2), rank))
            load(model, folder)
            halves.append(next(m for m in model.modules() if isinstance(m, MoE)))
        gates, ups = zip(*(h.gate_up.chunk(2, 1) for h in halves), strict=True)
        assert torch.equal(torch.cat((*gates, *ups), 1), whole.gate_up)
        assert torch.equal(torch.cat([h.down for h in halves], 2), whole.down)


def test_published_numbers_are_counted():
    shape = shape_of(QWEN3_30B)
    assert shape.parameter_count() == 30_532_122_624
    assert 3.2e9 < shape.used_count() + 2 * 151936 * 2048 < 3.4e9  # "A3B"
    mixtral = QWEN3_30B | {"architectures": ["MixtralForCausalLM"], "vocab_size": 32000, "hidden_size": 4096}
    mixtral |= {"intermediate_size": 14336, "num_hidden_layers": 32, "num_key_value_heads": 8}
    mixtral |= {"num_local_experts": 8, "num_experts_per_tok": 2}
    assert shape_of(mixtral).parameter_count() == 46_702_792_704


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"num_experts_per_tok": 200}, "each token to 200 experts and has 128"),
        ({"num_experts_per_tok": 0}, "num_experts_per_tok = 0"),
        ({"moe_intermediate_size": "768"}, "moe_intermediate_size = '768'"),
        ({"num_experts": -3}, "-3 experts"),
        ({"num_experts": None}, "lacks num_experts"),
        ({"mlp_only_layers": 3}, "makes no sense"),
    ],
)
def test_an_odd_config_is_refused_in_words(changes: dict[str, Any], said: str):
    with pytest.raises(CheckpointError, match=said):
        shape_of({**QWEN3_30B, **changes})


def test_without_experts_it_is_a_dense_decoder():
    assert shape_of({**QWEN3_30B, "num_experts": 0}).experts is None
    assert shape_of({**QWEN3_30B, "mlp_only_layers": list(range(48))}).experts is None


def test_qwen2_moe_windows_are_on_every_other_layer():
    config = QWEN3_30B | {"architectures": ["Qwen2MoeForCausalLM"], "use_sliding_window": True}
    config |= {"sliding_window": 100, "max_window_layers": 3, "num_hidden_layers": 6}
    assert shape_of(config).windows == (100, None, 100, None, None, None)


@pytest.mark.parametrize("family", FAMILIES)
def test_with_fp8_routers_and_experts_stay_as_they_are(family: str, tmp_path: Path):
    model = open_model(make(family, tmp_path))
    wanted = logits_of(model, PROMPT)
    model.pack(Fp8, Skinny, drop=True)
    sparse = [m for m in model.modules() if isinstance(m, MoE)]
    assert sparse and all(isinstance(m.router.multiply, Skinny) for m in sparse)
    assert all(m.gate_up.dtype == m.down.dtype == torch.float32 for m in sparse)
    found = logits_of(model, PROMPT)
    alike = torch.nn.functional.cosine_similarity(found, wanted)
    assert alike.median() > 0.95 and not torch.equal(found, wanted)
    packed = sum(x.multiply.weight.numel() for x in model.linears() if isinstance(x.multiply, Fp8))
    assert packed == model.shape.linear_count()


def test_random_experts_differ(tmp_path: Path):
    model = build(read_config(make("qwen3_moe", tmp_path)), torch.float32, "cpu")
    fill_randomly(model)
    experts = next(m for m in model.modules() if isinstance(m, MoE))
    assert not torch.equal(experts.gate_up[0], experts.gate_up[1])
