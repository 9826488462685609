"""What transformers says on the same GPU, in a few forward passes over everything at once.

Padding on the right changes nothing for a causal model, so prompts of all lengths go into one batch. Greedy
answers are judged by feeding them back: each token must be the likeliest after those before it.
"""

from __future__ import annotations

import gc
import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
import transformers
from torch import Tensor

from quire import LLM, SamplingParams

DEVICE = "cuda"
SAME = 2e-4  # logits of tiny float32 models that are closer than this are a tie


def random_prompts(lengths: Sequence[int], vocab: int, seed: int = 1) -> list[list[int]]:
    r = random.Random(seed)
    return [[r.randrange(vocab) for _ in range(n)] for n in lengths]


def reference(folder: Path, dtype: torch.dtype = torch.float32) -> Any:
    loaded = transformers.AutoModelForCausalLM.from_pretrained(
        folder, dtype=dtype, attn_implementation="eager"
    )
    return loaded.eval().to(DEVICE)


@torch.inference_mode()
def logits_of(model: Any, sequences: Sequence[Sequence[int]]) -> Tensor:
    """float32 [sequences, longest, vocab]; what stands after a sequence's end means nothing."""
    longest = max(map(len, sequences))
    ids = torch.zeros(len(sequences), longest, dtype=torch.long)
    for i, tokens in enumerate(sequences):
        ids[i, : len(tokens)] = torch.tensor(tokens)
    parts = [model(part.to(DEVICE), use_cache=False).logits.float() for part in ids.split(64)]
    return torch.cat(parts)


def assert_greedy(model: Any, prompts: list[list[int]], answers: list[list[int]]) -> None:
    """Every token of every answer is what the model finds likeliest, or as good as that."""
    logits = logits_of(model, [p + a for p, a in zip(prompts, answers, strict=True)])
    for i, (prompt, answer) in enumerate(zip(prompts, answers, strict=True)):
        told = logits[i, len(prompt) - 1 : len(prompt) + len(answer) - 1]
        chosen = told.gather(1, torch.tensor(answer, device=told.device)[:, None])[:, 0]
        behind = told.max(1).values - chosen
        worst = int(behind.argmax())
        assert behind[worst] <= SAME, (
            f"prompt {i} of {len(prompt)} tokens: token {worst} of its answer is {answer[worst]}, "
            f"{float(behind[worst]):.5f} behind {int(told[worst].argmax())}"
        )


@contextmanager
def opened(folder: Path | str, **options: Any) -> Iterator[LLM]:
    """An LLM of token ids that leaves nothing behind."""
    settings = {"skip_tokenizer_init": True, "kv_cache_memory_bytes": 256 << 20, "dtype": "float32"}
    llm = LLM(str(folder), device=DEVICE, **{**settings, **options})
    try:
        yield llm
    finally:
        del llm
        gc.collect()
        torch.cuda.empty_cache()


def ask(llm: LLM, prompts: list[list[int]], params: Any) -> list[Any]:
    outputs = llm.generate([{"prompt_token_ids": p} for p in prompts], params, use_tqdm=False)
    assert all(o.outputs[0].finish_reason in ("length", "stop") for o in outputs), [o.error for o in outputs]
    return outputs


def answers(llm: LLM, prompts: list[list[int]], length: int = 24, **more: Any) -> list[list[int]]:
    params = SamplingParams(temperature=0.0, max_tokens=length, ignore_eos=True, detokenize=False, **more)
    return [list(o.outputs[0].token_ids) for o in ask(llm, prompts, params)]


@contextmanager
def seen_logits(llm: LLM) -> Iterator[list[Tensor]]:
    """Collects what the model says about prompts whose log-probabilities are asked for, in order."""
    model: Any = llm.engine.runner.model
    plain, seen = model.logits, []

    def logits(hidden: Tensor) -> Tensor:
        seen.append(plain(hidden))
        return seen[-1]

    model.logits = logits
    try:
        yield seen
    finally:
        del model.logits


@dataclass(frozen=True, slots=True)
class Error:
    """How far logits are from the truth, relative to the truth's own size or to another."""

    mean: float  # root of the mean square
    most: float

    @classmethod
    def of(cls, found: Tensor, truth: Tensor, size: float | None = None) -> Error:
        size = float(truth.float().square().mean().sqrt()) if size is None else size
        off = (found.float() - truth.float()).abs() / size
        return cls(float(off.square().mean().sqrt()), float(off.max()))

    def __str__(self) -> str:
        return f"mean {self.mean:.2e}, most {self.most:.2e}"
