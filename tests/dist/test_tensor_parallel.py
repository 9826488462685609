"""Models whose weights are shared out over processes give the logits of the whole one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch
from tests.checkpoints import make
from tests.dist.ranks import together
from tests.models.paged import Pages, open_model

from quire.models.registry import build
from quire.parallel.layout import Layout
from quire.parallel.mesh import Mesh
from quire.weights.folder import read_config
from quire.weights.loader import load

PROMPT = [5, 100, 262, 7, 7, 31, 64, 200, 1, 90, 33]


def logits(mesh: Mesh, folder: str) -> list[list[float]]:
    model = build(read_config(Path(folder)), torch.float32, "cpu", mesh)
    load(model, Path(folder))
    pages = Pages(model)
    one = pages.sequence()
    first = pages.compute({one: PROMPT[:7]})[one]
    then = pages.compute({one: PROMPT[7:]})[one]
    found: list[list[float]] = torch.cat([first, then]).tolist()
    return found


@pytest.mark.parametrize(
    ("family", "size", "more"),
    [
        ("llama", 2, {}),
        ("qwen3", 2, {}),  # a tied head
        ("gemma2", 2, {}),  # a scaled embedding, capped logits
        ("llama", 4, {"num_attention_heads": 8, "num_key_value_heads": 2}),  # more ranks than KV heads
    ],
)
def test_ranks_together_give_the_logits_of_one(family: str, size: int, more: dict[str, Any], tmp_path: Path):
    folder = make(family, tmp_path, **more)
    model = open_model(folder)
    pages = Pages(model)
    one = pages.sequence()
    truth = pages.compute({one: PROMPT})[one]
    for found in together(Layout(tp=size), logits, str(folder)):
        torch.testing.assert_close(torch.tensor(found), truth, atol=1e-4, rtol=1e-4)
