"""What drafts: read, counted and computed as published, or refused with what does not fit."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import torch.nn.functional as F
import transformers
from safetensors.torch import load_file
from tests.checkpoints import make
from tests.draft_checkpoints import DIM, HEADS, HIDDEN, INNER, KV, VOCAB, eagle, medusa, mimo
from tests.models.paged import open_model

from quire.config import EngineConfig
from quire.errors import CheckpointError, TensorMismatch
from quire.models.draft_shapes import FeatureShape
from quire.models.shapes import shape_of
from quire.ops.attention import KVLayer
from quire.speculative import read
from quire.types import CacheShape
from quire.weights.folder import read_config
from quire.worker.drafts.build import build_proposer
from quire.worker.drafts.checkpoint import DraftCheckpoint, open_draft
from quire.worker.drafts.eagle import FeatureDrafts
from quire.worker.drafts.medusa import MedusaDrafts
from quire.worker.drafts.model import DraftModel
from quire.worker.drafts.places import Places

CPU = torch.device("cpu")
CONFIG = EngineConfig.of(max_num_seqs=4, max_model_len=128, dtype="float32", device="cpu")


@pytest.fixture(scope="module")
def llama(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make("llama", tmp_path_factory.mktemp("llama"))


def opened(folder: Path, draft: Path | str | None, method: str | None = None) -> DraftCheckpoint:
    hf = read_config(folder)
    given = {"method": method, "model": None if draft is None else str(draft)}
    found = open_draft(read({k: v for k, v in given.items() if v}), folder, hf, shape_of(hf))
    assert found is not None
    return found


def built(folder: Path, draft: DraftCheckpoint) -> Any:
    cache = CacheShape(8, 4, 1, 1, ((0, 0),), 1)
    return build_proposer(draft, open_model(folder), folder, cache, CONFIG, device=CPU)


# ---- what it computes ----


def features_of(proposer: FeatureDrafts, tokens: list[int], states: torch.Tensor, chunk: int) -> torch.Tensor:
    """The head over one sequence, some places at a time."""
    spec = proposer.head.shape.kv_layers()[0]
    cache = torch.zeros(2, 17, 4, spec.kv_heads, spec.head_dim)
    proposer.bind_kv([KVLayer(0, *cache)])
    places, row = Places(4, CPU), np.zeros(1, np.int64)
    table = np.random.default_rng(0).permutation(np.arange(1, 17, dtype=np.int32))[None]
    out = []
    with torch.inference_mode():
        for at in range(0, len(tokens), chunk):
            some = slice(at, min(at + chunk, len(tokens)))
            count = np.array([some.stop - at], np.int32)
            known = places.stretches(row, np.array([at], np.int32), count, [table], count)
            ids = torch.tensor(tokens[some])
            out.append(proposer.head(ids, states[some], known.positions, known.context))
    return torch.cat(out)


def by_transformers(layer: transformers.PreTrainedModel, rows: torch.Tensor) -> torch.Tensor:
    with torch.inference_mode():
        found: torch.Tensor = layer(inputs_embeds=rows[None]).last_hidden_state[0]
    return found


@pytest.mark.parametrize("chunk", [40, 7, 1])
@pytest.mark.parametrize("bias", [False, True])
def test_an_eagle_head_is_a_llama_layer_without_its_first_norm(
    llama: Path, tmp_path: Path, bias: bool, chunk: int
):
    folder = eagle(tmp_path, bias=bias, table=bias)
    proposer = built(llama, opened(llama, folder))
    stored = load_file(folder / "model.safetensors")
    config = transformers.LlamaConfig(
        hidden_size=HIDDEN, intermediate_size=INNER, num_hidden_layers=1, num_attention_heads=HEADS,
        num_key_value_heads=KV, head_dim=DIM, vocab_size=VOCAB, rms_norm_eps=1e-6,
    )  # fmt: skip
    truth = transformers.LlamaModel(config).eval()
    truth.load_state_dict({k: v for k, v in stored.items() if k.startswith("layers")}, strict=False)
    truth.layers[0].input_layernorm = truth.norm = torch.nn.Identity()
    tokens, states = torch.arange(5, 45).tolist(), torch.randn(40, HIDDEN)
    table = load_file(llama / "model.safetensors")["model.embed_tokens.weight"]
    rows = F.linear(torch.cat((table[tokens], states), -1), stored["fc.weight"], stored.get("fc.bias"))
    found = features_of(proposer, tokens, states, chunk)
    torch.testing.assert_close(found, by_transformers(truth, rows), atol=2e-4, rtol=1e-4)


def test_an_mtp_layer_norms_both_inputs_and_what_it_writes(tmp_path: Path):
    folder = mimo(tmp_path)
    proposer = built(folder, opened(folder, None, "mtp"))
    prefix = "model.mtp_layers.0."
    stored = {
        k.removeprefix(prefix): v
        for k, v in load_file(folder / "model.safetensors").items()
        if k.startswith((prefix, "model.embed_tokens"))
    }
    config = transformers.Qwen2Config(**{**read_config(folder), "num_hidden_layers": 1, "layer_types": None})
    truth = transformers.Qwen2Model(config).eval()
    truth.layers[0].load_state_dict({k: v for k, v in stored.items() if k.startswith(LAYER)})
    truth.norm.weight.data = stored["final_layernorm.weight"]
    tokens, states = torch.arange(5, 30).tolist(), torch.randn(25, HIDDEN)

    def normed(x: torch.Tensor, name: str) -> torch.Tensor:
        return F.rms_norm(x, (HIDDEN,), stored[f"{name}_layernorm.weight"], 1e-6)

    table = stored["model.embed_tokens.weight"]
    both = torch.cat((normed(states, "hidden"), normed(table[tokens], "token")), -1)
    rows = F.linear(both, stored["input_proj.weight"])
    found = features_of(proposer, tokens, states, 9)
    torch.testing.assert_close(found, by_transformers(truth, rows), atol=2e-4, rtol=1e-4)


LAYER = ("self_attn", "mlp", "input_layernorm", "post_attention_layernorm")


@pytest.mark.parametrize(
    "given",
    [
        {"authors": False},
        {"authors": False, "bias": False, "own_heads": True, "prefix": "medusa_heads."},
        {"authors": True, "own_heads": True},
        {"authors": True, "own_heads": True, "prefix": "medusa_head."},
    ],
)
def test_medusa_heads_guess_the_same_under_every_name(llama: Path, tmp_path: Path, given: dict[str, Any]):
    folder = medusa(tmp_path, **given)
    draft = opened(llama, folder)
    proposer = built(llama, draft)
    assert isinstance(proposer, MedusaDrafts)
    stored = load_file(folder / "model.safetensors")
    prefix, authors = given.get("prefix", ""), given["authors"]
    states = torch.randn(5, HIDDEN)
    columns = []
    for head in range(3):
        x = states
        for block in range(2):
            name = f"{head}.{block}.linear" if authors else f"blocks.{head}.layers.{block}"
            weight, bias = (stored.get(f"{prefix}{name}.{part}") for part in ("weight", "bias"))
            x = x + F.silu(F.linear(x, weight, bias))
        own = stored.get(f"{prefix}{head}.2.weight" if authors else f"{prefix}lm_heads.{head}.weight")
        table = load_file(llama / "model.safetensors")["lm_head.weight"] if own is None else own
        columns.append((x @ table.T).argmax(-1))
    with torch.inference_mode():
        assert proposer.heads.guess(states, 3).tolist() == torch.stack(columns, 1).tolist()
        assert proposer.heads.guess(states, 1).tolist() == columns[0][:, None].tolist()


# ---- what it takes ----


@pytest.mark.parametrize("kind", ["eagle", "eagle with a bias", "medusa", "own heads", "mtp", "draft model"])
def test_as_many_numbers_are_loaded_as_were_counted(llama: Path, tmp_path: Path, kind: str):
    target, method = llama, None
    draft: Path | None = tmp_path / "draft"
    match kind:
        case "eagle" | "eagle with a bias":
            eagle(draft, bias=kind != "eagle")
        case "medusa" | "own heads":
            medusa(draft, own_heads=kind != "medusa")
        case "draft model":
            make("qwen3", draft, num_hidden_layers=1)
        case "mtp":
            target, method, draft = mimo(tmp_path / "target"), "mtp", None
    opened_draft = opened(target, draft, method)
    proposer = built(target, opened_draft)
    module = proposer.model if isinstance(proposer, DraftModel) else getattr(proposer, "head", None)
    module = proposer.heads if module is None else module
    held = sum(p.numel() for p in module.parameters())
    drafting = opened_draft.shape.drafting
    assert held == drafting.parameters
    assert len(drafting.kv_layers) == (0 if "medusa" in kind or kind == "own heads" else 1)


# ---- what is refused ----


def test_a_draft_of_another_vocabulary_is_refused_with_both_sizes(llama: Path, tmp_path: Path):
    small = make("qwen3", tmp_path / "small", vocab_size=200)
    with pytest.raises(CheckpointError, match=r"vocabulary of 200 tokens and the model one of 263"):
        opened(llama, small)
    with pytest.raises(CheckpointError, match=r"vocabulary of 100 tokens and the model one of 263"):
        opened(llama, eagle(tmp_path / "eagle", vocab_size=100))


def test_heads_of_a_wider_model_are_refused_with_both_widths(llama: Path):
    with pytest.raises(CheckpointError, match=r"vocabulary of 4,096 tokens and the model one of 263"):
        opened(llama, "quire-tiny-medusa")
    hf = {**read_config(llama), "vocab_size": 4096}
    asked = read({"model": "quire-tiny-eagle"})
    with pytest.raises(CheckpointError, match=r"hidden states of 384 numbers and the model has 48"):
        open_draft(asked, llama, hf, shape_of(hf))


@pytest.mark.parametrize(
    ("config", "told"),
    [
        ({"architectures": ["Eagle3LlamaForCausalLM"]}, "EAGLE-3"),
        ({"architectures": ["EagleMambaForCausalLM"]}, "unknown architecture 'MambaForCausalLM'"),
        ({"architectures": ["EagleOlmo2ForCausalLM"]}, "not a plain decoder layer"),
    ],
)
def test_an_eagle_head_of_another_kind_is_refused(
    llama: Path, tmp_path: Path, config: dict[str, Any], told: str
):
    with pytest.raises(CheckpointError, match=told):
        opened(llama, eagle(tmp_path, **config))


def test_medusa_heads_over_some_tokens_are_refused(llama: Path, tmp_path: Path):
    with pytest.raises(CheckpointError, match="know 100 of 263 tokens"):
        opened(llama, medusa(tmp_path, truncated_vocab_size=100))
    with pytest.raises(CheckpointError, match="num_heads = 0"):
        opened(llama, medusa(tmp_path, num_heads=0, medusa_num_heads=0))


def test_a_model_without_such_a_layer_has_no_mtp(llama: Path):
    with pytest.raises(CheckpointError, match="LlamaForCausalLM has no layer that predicts further tokens"):
        opened(llama, None, "mtp")


def test_a_classifier_cannot_draft(llama: Path, tmp_path: Path):
    labels = make("qwen3", tmp_path, head="ForSequenceClassification")
    with pytest.raises(CheckpointError, match="says no next token"):
        opened(llama, labels)


def test_files_that_are_not_what_the_config_says_are_described(llama: Path, tmp_path: Path):
    folder = eagle(tmp_path, intermediate_size=INNER + 1)
    with pytest.raises(TensorMismatch, match=r"layers\.0\.mlp\.gate_proj"):
        built(llama, opened(llama, folder))


def test_the_method_is_read_from_the_checkpoint(llama: Path, tmp_path: Path):
    found = [
        opened(llama, eagle(tmp_path / "a")),
        opened(llama, eagle(tmp_path / "b", architectures=["LlamaForCausalLM"]), "eagle"),
        opened(llama, medusa(tmp_path / "c")),
        opened(llama, medusa(tmp_path / "d", authors=True)),
        opened(llama, make("qwen3", tmp_path / "e")),
    ]
    assert [d.asked.method for d in found] == ["eagle", "eagle", "medusa", "medusa", "draft_model"]
    assert isinstance(found[1].shape, FeatureShape)
