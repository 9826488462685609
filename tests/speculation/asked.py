"""What the embedded model is asked: held-out conversations of every task it was trained for."""

from __future__ import annotations

import functools
from random import Random
from typing import Any

from training.evaluate import cases
from training.tasks import copying, extraction, lists

from quire.embedded import embedded_folder
from quire.text.tokenizer import load_tokenizer

# Methods that need nothing but text; those with a checkpoint are added where they are tested.
NGRAM: dict[str, Any] = {"method": "ngram", "num_speculative_tokens": 4}
SUFFIX: dict[str, Any] = {"method": "suffix", "num_speculative_tokens": 6}
METHODS: dict[str, dict[str, Any]] = {"ngram": NGRAM, "suffix": SUFFIX}


@functools.cache
def prompts(count: int, seed: int = 7) -> tuple[str, ...]:
    """So many conversations, taken in turn from all tasks, as the chat template writes them."""
    return _rendered(tuple(c for _, c in cases(-(-count // 10), seed)))[:count]


@functools.cache
def copies(count: int, seed: int = 7) -> tuple[str, ...]:
    """Conversations whose answers are mostly copied from the question: JSON extraction, lists, copying."""
    rng = Random(seed)
    modules = (extraction, lists, copying)
    return _rendered(tuple(modules[i % 3].conversation(rng, "held_out") for i in range(count)))


def _rendered(asked: tuple[Any, ...]) -> tuple[str, ...]:
    folder = embedded_folder("quire-tiny")
    assert folder is not None
    tokenizer = load_tokenizer(folder)
    assert tokenizer is not None
    return tuple(
        tokenizer.apply_chat_template(
            c.messages[:-1], tools=c.tools, tokenize=False, add_generation_prompt=True
        )
        for c in asked
    )
