"""Pairs of sentences with one meaning, for contrastive training of sentence embeddings.

Some are two sentences of a group in `pairs_train`, some two questions with the same answer. Evaluation uses
`classify_held_out.PAIRS`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from random import Random

from training.content import pairs_train
from training.content.talk_train import TALK
from training.tasks import engine
from training.tasks.sentiment import capital, contract, fill

_FROM_FAMILIES = 0.4  # the share of pairs that are questions of one family


def pair(rng: Random) -> tuple[int, str, str]:
    """Two training sentences of the same meaning, and a number that pairs of one meaning share."""
    groups = families()
    if rng.random() < _FROM_FAMILIES:
        group = rng.randrange(len(groups))
        first, second = rng.sample(groups[group], 2)
    else:
        group = rng.randrange(len(pairs_train.GROUPS))
        first, second = _composed(rng, pairs_train.GROUPS[group])
        group += len(groups)
    return group, _style(rng, first), _style(rng, second)


@cache
def families() -> list[Sequence[str]]:
    """The training questions of every family."""
    return [f.train for f in (*engine.families(), *TALK) if len(f.train) > 1]


def _composed(rng: Random, group: Sequence[str]) -> tuple[str, str]:
    values: dict[str, str] = {}

    def pick(slot: str) -> str | None:
        if slot not in values and slot in pairs_train.SLOTS:
            values[slot] = rng.choice(pairs_train.SLOTS[slot])
        return values.get(slot)

    first, second = rng.sample(group, 2)
    return capital(fill(rng, first, pick)), capital(fill(rng, second, pick))


def _style(rng: Random, text: str) -> str:
    if rng.random() < 0.4:
        text = contract(text)
    if rng.random() < 0.12:
        text = text.lower()
    if rng.random() < 0.12:
        text = text.rstrip(".?!")
    return text
