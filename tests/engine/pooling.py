"""Checkpoints, prompts and short words for the tests of pooling."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import torch
from tests.engine.engines import open_llm

from quire import LLM, PoolingParams

HEAD = "ForSequenceClassification"
NAMES = {0: "calm", 1: "angry", 2: "asleep"}
LENGTHS = [1, 2, 4, 7, 16, 17, 33, 50]
CONTEXT = 64


def prompts() -> list[list[int]]:
    r = random.Random(3)
    return [[r.randrange(1, 263) for _ in range(n)] for n in LENGTHS]


PROMPTS = prompts()


def opened(folder: Path, **options: Any) -> LLM:
    return open_llm(folder, **{"skip_tokenizer_init": True, "max_model_len": CONTEXT, **options})


def embeddings(llm: LLM, prompts: Any, **params: Any) -> torch.Tensor:
    outputs = llm.embed(prompts, pooling_params=PoolingParams(**params), use_tqdm=False)
    return torch.tensor([o.outputs.embedding for o in outputs])


def probabilities(llm: LLM, prompts: Any, **params: Any) -> torch.Tensor:
    outputs = llm.classify(prompts, pooling_params=PoolingParams(**params), use_tqdm=False)
    return torch.tensor([o.outputs.probs for o in outputs])


def states(llm: LLM, prompts: Any, **params: Any) -> list[torch.Tensor]:
    outputs = llm.encode(prompts, PoolingParams(**params), use_tqdm=False)
    return [o.outputs.data for o in outputs]


def assert_near(mine: Any, right: Any) -> None:
    torch.testing.assert_close(mine, right, atol=1e-4, rtol=0)


def unit(vectors: torch.Tensor) -> torch.Tensor:
    return vectors / vectors.norm(dim=-1, keepdim=True)
