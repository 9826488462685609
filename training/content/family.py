"""A question family: one answer, and the many ways people ask for it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from training.conversation import Split, is_held_out


@dataclass(frozen=True, slots=True)
class Family:
    """Phrasings are split by their words, whatever their case and punctuation: one in eight is held out."""

    key: str
    answer: str
    questions: Sequence[str]
    terms: Sequence[str] = ()  # names of the thing, when "what is {term}?" asks for this answer
    more: str = ""  # the reply to "tell me more" right after the answer
    train: Sequence[str] = field(init=False)
    held_out: Sequence[str] = field(init=False)

    def __post_init__(self) -> None:
        apart = [(q, is_held_out(bare(q))) for q in self.questions]
        object.__setattr__(self, "train", [q for q, held in apart if not held])
        object.__setattr__(self, "held_out", [q for q, held in apart if held])

    def asked(self, split: Split) -> Sequence[str]:
        return self.train if split == "train" else self.held_out


def widened(families: Sequence[Family], more: Mapping[str, Sequence[str]]) -> list[Family]:
    """The families with further phrasings, by key."""
    assert set(more) <= {f.key for f in families}
    return [replace(f, questions=list(dict.fromkeys((*f.questions, *more.get(f.key, ()))))) for f in families]


def merged(families: Sequence[Family], same: Mapping[str, str]) -> list[Family]:
    """The families without the keys of `same`, whose phrasings and terms go to the families it names."""
    by_key = {f.key: f for f in families}
    for key, into in same.items():
        gone, kept = by_key.pop(key), by_key[into]
        terms = list(dict.fromkeys((*kept.terms, *gone.terms)))
        by_key[into] = replace(kept, questions=[*kept.questions, *gone.questions], terms=terms)
    return list(by_key.values())


def bare(text: str) -> str:
    """The words of a text alone."""
    return " ".join(re.findall(r"\w+", text.lower()))
