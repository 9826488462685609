"""What every task module makes: a conversation that ends with the right answer.

A task module has `KIND` and `conversation(rng, split) -> Conversation`. `split` chooses templates and words:
what "held_out" may use never occurs under "train". The last message is the assistant's, and it is the only
right one: evaluation generates from the messages before it and compares.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Literal

# "held_out": templates and words that training leaves out. "strangers": held-out words in templates by
# somebody who had not seen the training ones, where a task has both.
Split = Literal["train", "held_out", "strangers"]
Message = dict[str, Any]

HELD_OUT_EVERY = 8  # one word in so many is kept for evaluation


@dataclass(frozen=True, slots=True)
class Conversation:
    kind: str  # "arithmetic", "tools.choice", …: the row of the evaluation table
    messages: list[Message]
    tools: list[dict[str, Any]] | None = None


@dataclass(frozen=True, slots=True)
class Texts:
    """Templates of one intent. The held-out ones were written apart from the training ones."""

    train: Sequence[str]
    held_out: Sequence[str]

    def pick(self, rng: Random, split: Split) -> str:
        return rng.choice(self.train if split == "train" else self.held_out)


def kept_back(texts: Sequence[str], split: Split) -> list[str]:
    """Those of one author's texts that belong to a split: one in eight is held out, by the text itself."""
    return [t for t in texts if is_held_out(t) == (split != "train")]


class Words:
    """A word list, split by the word itself, so that a word is on the same side in every list.

    `seen` are words that fall to the held-out side but occur in hand-written training texts: they count as
    training words.
    """

    def __init__(self, words: Sequence[str], seen: frozenset[str] = frozenset()):
        every = list(dict.fromkeys(words))
        self.held_out = [w for w in every if is_held_out(w) and w.lower() not in seen]
        held = set(self.held_out)
        self.train = [w for w in every if w not in held]

    def pick(self, rng: Random, split: Split) -> str:
        return rng.choice(self.train if split == "train" else self.held_out)

    def some(self, rng: Random, split: Split, count: int) -> list[str]:
        return rng.sample(self.train if split == "train" else self.held_out, count)


def is_held_out(word: str) -> bool:
    return zlib.crc32(word.lower().encode()) % HELD_OUT_EVERY == 0


def user(text: str) -> Message:
    return {"role": "user", "content": text}


def assistant(text: str) -> Message:
    return {"role": "assistant", "content": text}


def system(text: str) -> Message:
    return {"role": "system", "content": text}
