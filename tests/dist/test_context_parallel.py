"""Ranks that share the positions of every sequence give the logits, and the tokens, of one process."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from tests.checkpoints import make
from tests.dist.ranks import together
from tests.dist.sharded_story import LONG, ROWS, read_and_tell, told
from tests.models.paged import Pages, open_model
from torch import Tensor

from quire.parallel.layout import Layout

FAMILIES = ["llama", "gemma2", "gemma3", "mistral", "qwen2_window", "olmo2", "qwen3_moe"]


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return {family: str(make(family, tmp_path_factory.mktemp(family))) for family in FAMILIES}


def one_process(folder: str) -> tuple[Tensor, Tensor, list[int]]:
    """What one process says, which knows nothing of shares: of the long prompt, and of the story."""
    model = open_model(Path(folder))
    long = Pages(model)
    read = long.compute({long.sequence(): LONG})[0]
    pages = Pages(model)
    for _ in range(ROWS):
        pages.sequence()
    logits, tokens = told(pages)
    return read, torch.tensor(logits), tokens


@pytest.mark.parametrize(
    ("layout", "families"),
    [
        (Layout(cp=2), FAMILIES),
        (Layout(cp=3), ["gemma3", "mistral"]),
        (Layout(cp=2, tp=2), ["gemma2", "qwen3_moe"]),
    ],
    ids=["cp 2", "cp 3", "cp 2 with tp 2"],
)
def test_ranks_that_share_positions_say_what_one_process_says(
    layout: Layout, families: list[str], folders: dict[str, str]
):
    truth = [one_process(folders[family]) for family in families]
    for read, story in together(layout, read_and_tell, [folders[family] for family in families]):
        torch.testing.assert_close(torch.tensor(read), truth[0][0], atol=1e-4, rtol=1e-4)
        for (_, want, want_tokens), (logits, tokens) in zip(truth, story, strict=True):
            torch.testing.assert_close(torch.tensor(logits), want, atol=1e-4, rtol=1e-4)
            assert tokens == want_tokens
