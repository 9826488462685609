"""Questions about Quire and the parts of an inference engine: families of questions with one answer each."""

from __future__ import annotations

import functools
from random import Random

from training.content import (
    engine_memory,
    engine_memory_more,
    engine_quire,
    engine_quire_more,
    engine_scale,
    engine_scale_more,
)
from training.content.define_train import DEFINE
from training.content.family import Family, bare, merged, widened
from training.conversation import Conversation, Split, Texts, assistant, is_held_out, user
from training.noise import apart, blurred, noisy, reworded

KIND = "engine"
_SAME = {  # two answers to nearly the same questions: the first family goes into the second
    "temperature-param": "temperature",
    "seed-param": "seed",
    "logprobs-param": "logprobs",
    "block-size-choice": "flag-block-size",
    "simulation": "quire-simulate",
    "capacity-planning": "quire-plan",
    "sleep-mode": "llm-sleep",
    "http-429": "backpressure",
    "json-output": "structured-outputs",
}


@functools.cache
def families() -> tuple[Family, ...]:
    every = (
        *widened(engine_memory.FAMILIES, engine_memory_more.MORE),
        *widened(engine_scale.FAMILIES, engine_scale_more.MORE),
        *widened(engine_quire.FAMILIES, engine_quire_more.MORE),
    )
    return tuple(merged(every, _SAME))


@functools.cache
def _define() -> Texts:
    from training.content.talk_held_out import DEFINE as HELD_OUT_DEFINE

    return apart(DEFINE, HELD_OUT_DEFINE)


@functools.cache
def _asked_otherwise() -> tuple[Family, ...]:
    """Families with phrasings for the evaluation."""
    return tuple(f for f in families() if f.held_out)


def conversation(rng: Random, split: Split) -> Conversation:
    family = rng.choice(families() if split == "train" else _asked_otherwise())
    return Conversation(KIND, [user(question(rng, split, family)), assistant(family.answer)])


def question(rng: Random, split: Split, family: Family) -> str:
    """One way to ask for the family's answer."""
    if split != "train":
        if family.terms and rng.random() < 0.3:
            asked = rng.choice(_define().held_out).format(term=rng.choice(family.terms))
            if is_held_out(bare(asked)):
                return asked
        return rng.choice(family.held_out)
    while is_held_out(bare(asked := _asked_in_training(rng, family))):
        pass  # by chance it came out as a phrasing for the evaluation
    return asked


def _asked_in_training(rng: Random, family: Family) -> str:
    if family.terms and rng.random() < 0.35:
        term = rng.choice(family.terms)
        if rng.random() < 0.2:
            term = f'"{term}"'
        asked = rng.choice(DEFINE).format(term=term)
    else:
        asked = rng.choice(family.train)
        if family.terms and rng.random() < 0.06:
            asked = f"{rng.choice(family.terms)}{rng.choice((': ', ' - ', '? ', '. '))}{asked}"
        elif rng.random() < 0.05:
            asked = f"{asked} {rng.choice(family.train)}"
    if rng.random() < 0.4:
        asked = reworded(rng, asked, 0.5)
    if rng.random() < 0.45:
        asked = blurred(rng, asked)
    return noisy(rng, asked) if rng.random() < 0.5 else asked
