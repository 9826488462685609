"""Decoders with a head over labels, or with none: the same files, the same numbers as in transformers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file, save_file
from tests.checkpoints import CLASSIFIERS, make, reference_hidden, reference_labels
from tests.models.paged import logits_of, open_model

from quire.errors import CheckpointError, TensorMismatch
from quire.models.shapes import shape_of
from quire.weights.folder import read_config

PROMPT = [(37 * i + 11) % 263 for i in range(40)]
HEAD = "ForSequenceClassification"


@pytest.fixture(scope="module", params=CLASSIFIERS)
def classifier(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make(request.param, tmp_path_factory.mktemp(request.param), head=HEAD, num_labels=3)


def test_logits_of_the_last_token_equal_those_of_transformers(classifier: Path):
    model = open_model(classifier)
    for prompt in (PROMPT, PROMPT[:1], PROMPT[:17]):
        wanted = reference_labels(classifier, prompt)
        assert wanted.shape == (3,)
        torch.testing.assert_close(logits_of(model, prompt)[-1], wanted, atol=1e-4, rtol=0)
        torch.testing.assert_close(logits_of(model, prompt, chunk=7)[-1], wanted, atol=1e-4, rtol=0)


def test_the_shape_counts_every_parameter(classifier: Path):
    model = open_model(classifier)
    assert model.shape.parameter_count() == sum(p.numel() for p in model.parameters())
    assert model.shape.labels == 3 and not model.shape.language_head


def test_a_packed_head_says_the_same(classifier: Path):
    model = open_model(classifier)
    wanted = logits_of(model, PROMPT)
    model.pack(lambda weight: lambda x: x @ weight.T.clone())
    for linear in model.linears():
        linear.drop_weight()
    torch.testing.assert_close(logits_of(model, PROMPT), wanted, atol=1e-4, rtol=0)


@pytest.mark.parametrize("family", ["llama", "mistral", "qwen2", "qwen3"])
def test_a_decoder_saved_without_a_head_gives_the_hidden_states_of_transformers(family: str, tmp_path: Path):
    folder = make(family, tmp_path, head="Model")
    model = open_model(folder)
    assert not model.shape.language_head and model.shape.labels == 0
    logits = reference_hidden(folder, PROMPT) @ model.embedding.weight.T  # what it is tied to
    torch.testing.assert_close(logits_of(model, PROMPT), logits, atol=1e-3, rtol=0)


def test_a_language_head_beside_the_labels_is_left_in_the_file(tmp_path: Path):
    folder = make("qwen3", tmp_path, head=HEAD, num_labels=3)
    wanted = logits_of(open_model(folder), PROMPT)
    file = folder / "model.safetensors"
    tensors = {name: t.clone() for name, t in load_file(file).items()}
    file.unlink()
    save_file({**tensors, "lm_head.weight": torch.ones(263, 48)}, file)
    assert torch.equal(logits_of(open_model(folder), PROMPT), wanted)


def test_a_causal_checkpoint_read_as_a_classifier_lacks_its_head(tmp_path: Path):
    folder = make("qwen3", tmp_path)
    config = folder / "config.json"
    config.write_text(config.read_text().replace("ForCausalLM", HEAD))
    with pytest.raises(TensorMismatch, match=r"1 missing:\n    score.weight \[2, 48\]"):
        open_model(folder)


# ---- what config.json says of labels ----


@pytest.fixture(scope="module")
def config(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    found = read_config(make("llama", tmp_path_factory.mktemp("labels"), head=HEAD))
    return {k: v for k, v in found.items() if k not in ("id2label", "label2id", "num_labels")}


@pytest.mark.parametrize(
    ("says", "names"),
    [
        ({}, ("LABEL_0", "LABEL_1")),
        ({"num_labels": 1}, ("LABEL_0",)),
        ({"id2label": {"0": "no", "1": "yes", "2": "both"}}, ("no", "yes", "both")),
        ({"id2label": {"1": "yes", "0": "no"}}, ("no", "yes")),
        ({"id2label": {"0": "no", "1": "yes"}, "num_labels": 2}, ("no", "yes")),
        ({"id2label": {"0": "no", "1": "yes"}, "num_labels": 3}, ("LABEL_0", "LABEL_1", "LABEL_2")),
        ({"id2label": {0: 5}}, ("5",)),
    ],
    ids=str,
)
def test_labels_are_counted_and_named_as_transformers_does(
    config: dict[str, Any], says: dict[str, Any], names: tuple[str, ...]
):
    shape = shape_of({**config, **says})
    assert (shape.labels, shape.label_names) == (len(names), names)


@pytest.mark.parametrize(
    ("labels", "problem", "activation"),
    [
        (1, None, "sigmoid"),
        (2, None, "softmax"),
        (3, "single_label_classification", "softmax"),
        (3, "multi_label_classification", "sigmoid"),
        (1, "regression", "none"),
        (3, "regression", "none"),
    ],
)
def test_the_problem_decides_what_makes_probabilities(
    config: dict[str, Any], labels: int, problem: str | None, activation: str
):
    shape = shape_of({**config, "num_labels": labels, "problem_type": problem})
    assert (shape.problem_type, shape.label_activation) == (problem, activation)


@pytest.mark.parametrize(
    "says",
    [
        {"num_labels": -1},
        {"num_labels": 1.5},
        {"num_labels": 10**9},
        {"num_labels": "three"},
        {"id2label": ["no", "yes"]},
        {"id2label": {"no": 0}},
        {"problem_type": "guessing"},
        {"problem_type": ["regression"]},
    ],
    ids=str,
)
def test_nonsense_about_labels_is_a_checkpoint_error(config: dict[str, Any], says: dict[str, Any]):
    with pytest.raises(CheckpointError):
        shape_of({**config, **says})
