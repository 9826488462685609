"""Rotary embeddings of every scaling against transformers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import torch
from tests.checkpoints import make, reference_logits
from tests.models.paged import logits_of, open_model

from quire.layers.rope import Rope
from quire.models.keys import RopeShape
from quire.models.shapes import shape_of
from quire.ops.rope import rotate_
from quire.ops.rope.reference import rotated

PROMPT = [(29 * i + 3) % 263 for i in range(48)]

SCALINGS: dict[str, dict[str, Any]] = {
    "default": {"rope_theta": 500.0},
    "linear": {"factor": 3.0, "rope_theta": 500.0},
    "dynamic": {"factor": 4.0},
    "llama3": {
        "factor": 8.0,
        "low_freq_factor": 1.0,
        "high_freq_factor": 4.0,
        "original_max_position_embeddings": 32,
        "rope_theta": 1000.0,
    },
    "yarn": {"factor": 4.0, "original_max_position_embeddings": 64, "rope_theta": 300.0, "beta_fast": 8},
}


@pytest.mark.parametrize("kind", SCALINGS)
def test_a_scaled_rope_gives_the_logits_of_transformers(kind: str, tmp_path: Path):
    folder = make("llama", tmp_path, rope_parameters={"rope_type": kind, **SCALINGS[kind]})
    wanted = reference_logits(folder, PROMPT)
    torch.testing.assert_close(logits_of(open_model(folder), PROMPT, chunk=9), wanted, atol=1e-4, rtol=0)


def test_yarn_with_its_magnitudes_gives_the_logits_of_transformers(tmp_path: Path):
    rope = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 64, "truncate": False}
    folder = make("qwen3", tmp_path, rope_parameters={**rope, "mscale": 0.7, "mscale_all_dim": 1.3})
    wanted = reference_logits(folder, PROMPT)
    torch.testing.assert_close(logits_of(open_model(folder), PROMPT), wanted, atol=1e-4, rtol=0)


def test_dynamic_beyond_the_trained_length_is_that_of_a_prompt_as_long_as_the_limit(tmp_path: Path):
    rope = {"rope_type": "dynamic", "factor": 4.0}
    folder = make("llama", tmp_path, rope_parameters=rope, max_position_embeddings=20)
    model = open_model(folder, max_model_len=len(PROMPT))
    torch.testing.assert_close(logits_of(model, PROMPT), reference_logits(folder, PROMPT), atol=1e-4, rtol=0)


@pytest.mark.parametrize("limit", [32, 64])
def test_longrope_is_chosen_by_the_limit(limit: int, tmp_path: Path):
    rope = {
        "rope_type": "longrope",
        "partial_rotary_factor": 0.5,
        "short_factor": [1.0 + 0.1 * i for i in range(4)],
        "long_factor": [2.0 + 0.5 * i for i in range(4)],
    }
    folder = make(
        "phi3",
        tmp_path,
        rope_parameters=rope,
        original_max_position_embeddings=32,
        max_position_embeddings=128,
        sliding_window=None,
    )
    shape = shape_of(json.loads((folder / "config.json").read_text()))
    assert (shape.default_max_len, shape.max_positions) == (32, 128)
    prompt = (PROMPT * 2)[:limit]
    model = open_model(folder, max_model_len=limit)
    torch.testing.assert_close(logits_of(model, prompt), reference_logits(folder, prompt), atol=1e-4, rtol=0)


def test_the_older_spelling_of_gemma_3_means_the_same(tmp_path: Path):
    path = make("gemma3", tmp_path, layer_types=None, num_hidden_layers=7) / "config.json"
    newer = json.loads(path.read_text())
    older = {k: v for k, v in newer.items() if k not in ("rope_parameters", "layer_types")}
    older |= {"rope_theta": 1000000.0, "rope_local_base_freq": 5000.0, "sliding_window_pattern": 6}
    older |= {"rope_scaling": {"rope_type": "linear", "factor": 4.0}}
    assert shape_of(older) == shape_of(newer)


def test_the_older_spelling_of_llama_3_means_the_same(tmp_path: Path):
    rope = {"rope_type": "llama3", **SCALINGS["llama3"]}
    newer = json.loads((make("llama", tmp_path, rope_parameters=rope) / "config.json").read_text())
    older = {k: v for k, v in newer.items() if k != "rope_parameters"}
    older |= {"rope_theta": rope.pop("rope_theta"), "rope_scaling": rope}
    assert shape_of(older).ropes == shape_of(newer).ropes


def test_rotation_in_place_equals_the_definition():
    rope = Rope(RopeShape(dim=24, theta=10000.0), 0, torch.float32, torch.device("cpu"))
    positions = torch.tensor([0, 1, 77, 4000])
    qkv = torch.randn(4, 5, 32)
    angles = positions[:, None] * rope.frequencies[12:]
    wanted = torch.cat((rotated(qkv[..., :24], angles), qkv[..., 24:]), -1)
    rotate_(qkv[..., :24], *rope.turn(positions))
    torch.testing.assert_close(qkv, wanted)
