"""Checkpoints that are wrong in some way, and what the reader is told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file
from tests.checkpoints import make, reference_logits
from tests.models.paged import logits_of, open_model

from quire.errors import CheckpointError, CorruptWeights, TensorMismatch, UnknownArchitecture
from quire.models.registry import build
from quire.models.shapes import eos_ids, shape_of
from quire.weights import lanes, loader
from quire.weights.folder import find_model, read_config, read_generation_config, read_pooling
from quire.weights.loader import load

PROMPT = [5, 100, 262, 7, 7, 31]


class Bar:
    """A progress bar that remembers."""

    def __init__(self, told: list[int]):
        self.update = told.append

    def __enter__(self) -> Bar:
        return self

    def __exit__(self, *_: object) -> None: ...


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return make("smollm", tmp_path / "model")


def weights(folder: Path) -> dict[str, torch.Tensor]:
    """The tensors of the folder, in memory (not mapped: the file is about to be written over)."""
    return {name: t.clone() for name, t in load_file(folder / "model.safetensors").items()}


def replace(folder: Path, tensors: dict[str, torch.Tensor]) -> None:
    (folder / "model.safetensors").unlink()
    save_file(tensors, folder / "model.safetensors")


# ---- folders and configs ----


def test_a_folder_that_is_not_there_is_named(tmp_path: Path):
    with pytest.raises(CheckpointError, match=r"there is no folder .*nowhere"):
        find_model(str(tmp_path / "nowhere"))


def test_a_file_instead_of_a_folder_is_said(folder: Path):
    with pytest.raises(CheckpointError, match="is a file"):
        find_model(str(folder / "config.json"))


def test_a_folder_is_its_own_place(folder: Path):
    assert find_model(str(folder)) == folder


def test_a_folder_without_config_says_what_it_holds(folder: Path):
    (folder / "config.json").unlink()
    with pytest.raises(CheckpointError, match=r"no config.json; it holds .*model.safetensors"):
        read_config(folder)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{nonsense", "not JSON"),
        ("[1]", "a list"),
        ("version https://git-lfs.github.com/spec/v1", "git lfs pull"),
    ],
)
def test_a_config_that_is_no_object_is_refused(folder: Path, text: str, said: str):
    (folder / "config.json").write_text(text)
    with pytest.raises(CheckpointError, match=said):
        read_config(folder)


def test_overrides_replace_what_the_file_says(folder: Path):
    assert read_config(folder, {"max_position_embeddings": 99})["max_position_embeddings"] == 99


def test_end_tokens_are_one_or_many(folder: Path):
    assert eos_ids({"eos_token_id": 7}) == (7,)
    assert eos_ids({"eos_token_id": [7, 9]}) == (7, 9)
    assert eos_ids({}) == ()
    assert eos_ids(read_generation_config(folder)) == (2,)


@pytest.mark.parametrize(
    ("says", "kind"),
    [
        ({"pooling_mode_mean_tokens": True, "pooling_mode_cls_token": False}, "mean"),
        ({"pooling_mode_mean_tokens": False, "pooling_mode_lasttoken": True, "include_prompt": True}, "last"),
        ({"pooling_mode_cls_token": True, "word_embedding_dimension": 48}, "cls"),
        ({"pooling_mode": "mean"}, "mean"),
        ({"pooling_mode_max_tokens": True}, "max_tokens"),
        ({"pooling_mode_max_tokens": True, "pooling_mode_mean_tokens": True}, "max_tokens and mean"),
        ({}, None),
    ],
    ids=str,
)
def test_the_files_of_sentence_transformers_say_how_to_pool(
    folder: Path, says: dict[str, object], kind: str | None
):
    assert read_pooling(folder) is None
    (folder / "1_Pooling").mkdir()
    (folder / "1_Pooling" / "config.json").write_text(json.dumps(says))
    assert read_pooling(folder) == kind


def test_an_unknown_architecture_comes_with_the_nearest(folder: Path):
    config = read_config(folder, {"architectures": ["LlamaForCausalML"]})
    with pytest.raises(UnknownArchitecture, match="did you mean 'LlamaForCausalLM'"):
        build(config, torch.float32, "cpu")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"hidden_size": None}, "lacks hidden_size"),
        ({"num_key_value_heads": 4}, "6 query heads"),
        ({"hidden_act": "snake"}, "unknown activation 'snake'"),
        ({"rope_parameters": {"rope_type": "spiral"}}, "unknown rope type 'spiral'"),
        ({"rope_parameters": {"rope_type": "linear"}}, "lacks factor"),
        ({"quantization_config": {"quant_method": "awq"}}, "quantized .awq."),
        ({"architectures": []}, "names no"),
    ],
)
def test_a_config_quire_cannot_follow_says_why(folder: Path, change: dict[str, object], said: str):
    with pytest.raises(CheckpointError, match=said):
        shape_of(read_config(folder, change))


# ---- files that are no weights ----


@pytest.mark.parametrize(
    "change",
    [
        {"num_hidden_layers": 0},
        {"num_hidden_layers": 10**9},
        {"num_attention_heads": -8},
        {"vocab_size": -1},
        {"vocab_size": 1.5},
        {"head_dim": -8},
        {"rms_norm_eps": None},
        {"eos_token_id": "</s>"},
        {"eos_token_id": [None]},
        {"rope_scaling": "linear", "rope_parameters": None},
        {"rope_scaling": {"rope_type": "linear", "factor": "x"}, "rope_parameters": None},
        {"quantization_config": "fp8"},
    ],
    ids=str,
)
def test_nonsense_in_a_config_is_a_checkpoint_error(folder: Path, change: dict[str, object]):
    with pytest.raises(CheckpointError):
        shape_of(read_config(folder, change))


def test_an_architecture_may_be_a_plain_string(folder: Path):
    assert (
        shape_of(read_config(folder, {"architectures": "LlamaForCausalLM"})).architecture
        == "LlamaForCausalLM"
    )


def test_bytes_after_the_last_tensor_are_refused(folder: Path):
    file = folder / "model.safetensors"
    file.write_bytes(file.read_bytes() + b"x")
    with pytest.raises(CorruptWeights, match="1 bytes more"):
        open_model(folder)


def test_no_weights_at_all_says_what_is_there(folder: Path):
    (folder / "model.safetensors").unlink()
    with pytest.raises(CheckpointError, match=r"no \*.safetensors files; it holds .*config.json"):
        open_model(folder)


def test_pickles_are_refused_with_the_way_out(folder: Path):
    (folder / "model.safetensors").rename(folder / "pytorch_model.bin")
    with pytest.raises(CorruptWeights, match=r"pytorch_model.bin.*convert them to safetensors"):
        open_model(folder)


@pytest.mark.parametrize(
    ("start", "said"),
    [
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 1234\n", "git lfs pull"),
        (b"<!DOCTYPE html><html><body>429 Too Many Requests</body></html>", "web page"),
        (b"PK\x03\x04 and so on", "pickle under a safetensors name"),
        (b"these are not weights at all", "begins with b'these are not we'"),
        (b"abc", "begins with b'abc'"),
        ((20).to_bytes(8, "little") + b"{broken json and more", "header"),
        ((2000).to_bytes(8, "little") + b"{}", "needs 2,008 bytes and the file has 10"),
    ],
)
def test_a_file_that_is_something_else_is_called_by_its_name(folder: Path, start: bytes, said: str):
    (folder / "model.safetensors").write_bytes(start)
    with pytest.raises(CorruptWeights, match=said):
        open_model(folder)


def test_a_truncated_file_gives_both_sizes(folder: Path):
    file = folder / "model.safetensors"
    whole = file.read_bytes()
    file.write_bytes(whole[:-1000])
    with pytest.raises(CorruptWeights, match=f"{len(whole):,} bytes and the file has {len(whole) - 1000:,}"):
        open_model(folder)


def test_a_missing_shard_is_named(tmp_path: Path):
    folder = make("llama", tmp_path, max_shard_size="40KB")
    next(folder.glob("*-00002-*.safetensors")).unlink()
    with pytest.raises(CorruptWeights, match=r"1 of them .*model-00002"):
        open_model(folder)


# ---- tensors that do not fit ----


def test_all_that_is_wrong_with_tensors_is_listed_at_once(folder: Path):
    tensors = weights(folder)
    del tensors["model.layers.0.mlp.up_proj.weight"]
    tensors["model.norm.weight"] = torch.zeros(47)
    tensors["model.layers.0.mlp.gate.weight"] = torch.zeros(3, 2)
    replace(folder, tensors)
    with pytest.raises(TensorMismatch) as caught:
        open_model(folder)
    text = str(caught.value)
    assert "1 missing:\n    model.layers.0.mlp.up_proj.weight [88, 48]" in text
    assert "1 unexpected:\n    model.layers.0.mlp.gate.weight [3, 2]" in text
    assert "1 misshapen:\n    model.norm.weight: wanted [48], found [47]" in text


def test_a_long_list_is_cut_and_counted(folder: Path):
    replace(folder, {"model.embed_tokens.weight": torch.zeros(263, 48)})
    with pytest.raises(TensorMismatch, match=r"28 missing:(\n    .*){10}\n    … and 18 more"):
        open_model(folder)


def test_names_may_lack_the_model_prefix_and_carry_old_buffers(folder: Path):
    wanted = logits_of(open_model(folder), PROMPT)
    bare = {name.removeprefix("model."): t for name, t in weights(folder).items()}
    bare["layers.0.self_attn.rotary_emb.inv_freq"] = torch.zeros(4)
    replace(folder, bare)
    assert torch.equal(logits_of(open_model(folder), PROMPT), wanted)


@pytest.mark.parametrize("offset", [0.0, 1.0])
def test_a_head_beside_a_tied_embedding_is_treated_as_transformers_does(folder: Path, offset: float):
    tensors = weights(folder)
    tensors["lm_head.weight"] = tensors["model.embed_tokens.weight"].roll(1, 0) * offset
    if not offset:
        tensors["lm_head.weight"] = tensors["model.embed_tokens.weight"].clone()
    replace(folder, tensors)
    model = open_model(folder)
    assert model.tied == (not offset)
    wanted = reference_logits(folder, PROMPT)
    torch.testing.assert_close(logits_of(model, PROMPT), wanted, atol=1e-4, rtol=0)


def test_a_tied_table_stored_as_the_head_is_found(folder: Path):
    wanted = logits_of(open_model(folder), PROMPT)
    tensors = weights(folder)
    tensors["lm_head.weight"] = tensors.pop("model.embed_tokens.weight")
    replace(folder, tensors)
    assert torch.equal(logits_of(open_model(folder), PROMPT), wanted)


def test_the_text_half_of_a_gemma_3_with_eyes_is_read(tmp_path: Path):
    folder = make("gemma3", tmp_path)
    wanted = logits_of(open_model(folder), PROMPT)
    text = json.loads((folder / "config.json").read_text())
    whole = {"architectures": ["Gemma3ForConditionalGeneration"], "text_config": text}
    (folder / "config.json").write_text(json.dumps(whole))
    tensors = {name.replace("model.", "language_model.model.", 1): t for name, t in weights(folder).items()}
    replace(folder, {**tensors, "vision_tower.patches.weight": torch.zeros(2, 2)})
    assert torch.equal(logits_of(open_model(folder), PROMPT), wanted)


# ---- random weights ----


def test_dummy_weights_are_the_same_for_the_same_seed(folder: Path):
    def logits(seed: int) -> torch.Tensor:
        model = build(read_config(folder), torch.float32, "cpu")
        load(model, None, "dummy", seed=seed)
        return logits_of(model, PROMPT)

    assert torch.equal(logits(1), logits(1))
    assert not torch.equal(logits(1), logits(2))


def test_dummy_weights_have_the_spread_of_the_config_and_idle_norms(tmp_path: Path):
    model = build(read_config(make("gemma3", tmp_path)), torch.bfloat16, "cpu")
    load(model, None, "dummy")
    assert model.embedding.weight.float().std().item() == pytest.approx(0.2, rel=0.05)
    assert not model.norm.weight.any()


# ---- several threads ----


@pytest.mark.parametrize("family", ["qwen3", "phi3"])
@pytest.mark.parametrize("piece", [64, 5000])
def test_threads_fill_a_model_as_one_does(tmp_path: Path, family: str, piece: int, monkeypatch):
    """In pieces of a row and of many; phi3 has its merged weights cut apart."""
    folder = make(family, tmp_path / "model", max_shard_size="20KB")
    monkeypatch.setattr(loader, "pieces", lambda slots, stored: lanes.pieces(slots, stored, piece))
    told: list[int] = []
    one, several = (build(read_config(folder), torch.float32, torch.device("cpu")) for _ in range(2))
    loader.load_checkpoint(one, folder)
    monkeypatch.setattr(loader, "_bar", lambda *_: Bar(told))
    loader.load_checkpoint(several, folder, threads=4)
    alike = zip(one.parameters(), several.parameters(), strict=True)
    assert all(torch.equal(a, b) for a, b in alike)
    assert sum(told) == sum(p.nbytes for p in several.parameters())


def test_an_error_of_one_thread_is_raised(folder: Path, monkeypatch):
    def broken(self, slot, stored):
        raise OSError("the disk is gone")

    monkeypatch.setattr(loader._Reader, "read", broken)
    model = build(read_config(folder), torch.float32, torch.device("cpu"))
    with pytest.raises(OSError, match="the disk is gone"):
        loader.load_checkpoint(model, folder, threads=3)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_staging_converts_where_it_must(dtype: torch.dtype):
    source = torch.randn(7, 5).to(dtype)
    into = torch.empty(7, 5, dtype=torch.bfloat16)
    lanes.stage(source, into)
    assert torch.equal(into, source.bfloat16())
