"""Whether answers are drawn from the model's own distribution, whoever guesses along.

A model with a dozen tokens of vocabulary has an exact distribution of its first three tokens, which
transformers computes: all beginnings are tried. Many requests that differ in nothing but their seed are
counted against it.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import torch
import transformers
from scipy import stats
from tests.checkpoints import make
from tests.sampling.reference import Asker, probabilities

from quire import LLM, SamplingParams

VOCAB = 8
PLACES = 3
DRAWS = 20_000
PROMPT = [
    3,
    1,
    4,
    1,
    5,
    7,
    2,
    6,
    5,
    3,
    5,
    0,
    7,
    2,
    3,
    1,
    6,
    4,
    0,
    2,
]  # every token has followed every other kind


def small_model(folder: Path, family: str = "qwen3", **changes: object) -> Path:
    """A checkpoint with a vocabulary of VOCAB tokens; none of them ends an answer by itself."""
    ids = {"bos_token_id": None, "eos_token_id": None, "pad_token_id": None}
    return make(family, folder, vocab_size=VOCAB, **ids, **changes)


def exact(folder: Path, prompt: list[int], params: SamplingParams) -> np.ndarray:
    """The probability of every answer of PLACES tokens.   # [VOCAB] * PLACES"""
    model = transformers.AutoModelForCausalLM.from_pretrained(
        folder, dtype=torch.float32, attn_implementation="eager"
    ).eval()
    joint = np.ones(())
    for place in range(PLACES):
        beginnings = [list(begin) for begin in product(range(VOCAB), repeat=place)]
        texts = torch.tensor([[*prompt, *begin] for begin in beginnings])
        with torch.inference_mode():
            logits = model(texts).logits[:, -1].numpy()
        each = [
            probabilities(line, Asker(params, list(prompt), output=begin))
            for line, begin in zip(logits, beginnings, strict=True)
        ]
        joint = joint[..., None] * np.array(each).reshape((VOCAB,) * (place + 1))
    return joint


def drawn(llm: LLM, prompt: list[int], params: SamplingParams, draws: int = DRAWS) -> np.ndarray:
    """The answers of so many requests with seeds of their own.   # [draws, PLACES]"""
    each = [replace(params, seed=seed, max_tokens=PLACES, ignore_eos=True) for seed in range(draws)]
    outputs = llm.generate([{"prompt_token_ids": prompt}] * draws, each, use_tqdm=False)
    return np.array([o.outputs[0].token_ids for o in outputs])


def p_values(answers: np.ndarray, joint: np.ndarray) -> list[float]:
    """Of the first, the second and the third token, and of all three together: chi-square."""
    everything = [tuple(a for a in range(PLACES) if a != place) for place in range(PLACES)]
    tested = [(answers[:, [place]], joint.sum(others)) for place, others in enumerate(everything)]
    return [_p_value(found, chances) for found, chances in [*tested, (answers, joint)]]


def _p_value(found: np.ndarray, chances: np.ndarray) -> float:
    """Rare ones are counted together."""
    cells = np.ravel_multi_index(tuple(found.T), chances.shape)
    counts = np.bincount(cells, minlength=chances.size)
    assert not counts[chances.ravel() == 0].any(), "a token that has no chance was drawn"
    expected = chances.ravel() * counts.sum()
    rare = expected < 10
    counts, expected = (np.append(x[~rare], x[rare].sum()) for x in (counts, expected))
    some = expected > 0
    return float(stats.chisquare(counts[some], expected[some]).pvalue)
