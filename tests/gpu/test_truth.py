"""On a GPU: transformers' logits and tokens, whichever way a request is computed."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
import torch
import transformers
from tests.checkpoints import FAMILIES, make

from quire import LLM, SamplingParams

LENGTHS = [1, 2, 3, 5, 8, 15, 16, 17, 33, 50, 64, 100, 130, 150]
ANSWER = 40
WAYS: dict[str, dict[str, Any]] = {
    "with graphs": {},
    "kernel by kernel": {"enforce_eager": True},
    "in chunks of 16": {"max_num_batched_tokens": 16, "max_num_seqs": 16},
    "without cached prefixes": {"enable_prefix_caching": False},
    "preempted": {"num_gpu_blocks_override": 26},
    "one by one": {"max_num_seqs": 1},
}


def prompts() -> list[list[int]]:
    r = random.Random(1)
    return [[r.randrange(263) for _ in range(n)] for n in LENGTHS]


PROMPTS = prompts()


def answer(llm: LLM, asked: list[list[int]], length: int = ANSWER) -> list[list[int]]:
    params = SamplingParams(temperature=0.0, max_tokens=length, ignore_eos=True, detokenize=False)
    outputs = llm.generate([{"prompt_token_ids": p} for p in asked], params, use_tqdm=False)
    return [list(o.outputs[0].token_ids) for o in outputs]


@pytest.fixture(scope="module", params=list(FAMILIES))
def checkpoint(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make(request.param, tmp_path_factory.mktemp(request.param))


@pytest.fixture(scope="module")
def truth(checkpoint: Path) -> list[list[int]]:
    model = transformers.AutoModelForCausalLM.from_pretrained(
        checkpoint, dtype=torch.float32, attn_implementation="eager"
    )
    model = model.eval().cuda()
    found = []
    for prompt in PROMPTS:
        ids = torch.tensor([prompt], device="cuda")
        with torch.inference_mode():
            out = model.generate(
                ids,
                attention_mask=torch.ones_like(ids),
                max_new_tokens=ANSWER,
                do_sample=False,
                eos_token_id=None,
                pad_token_id=0,
            )
        found.append(out[0, len(prompt) :].tolist())
    return found


@pytest.mark.parametrize("way", list(WAYS))
def test_float32_gives_the_tokens_of_transformers(checkpoint: Path, truth: list[list[int]], way: str):
    options = {
        "kv_cache_memory_bytes": 64 << 20,
        "max_model_len": 200,
        "dtype": "float32",
        "max_num_seqs": 32,
    }
    llm = LLM(str(checkpoint), skip_tokenizer_init=True, device="cuda", **{**options, **WAYS[way]})
    assert answer(llm, PROMPTS) == truth
    assert answer(llm, PROMPTS) == truth  # from the prefix cache
