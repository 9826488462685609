"""Adding and subtracting whole numbers of one to three digits, bare, in a story, or on from the last result.

Some pairs of numbers of two digits and more are kept for evaluation, whichever way they are asked.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Sequence
from random import Random

from training.content import numbers_held_out, numbers_train
from training.conversation import Conversation, Message, Split, assistant, user
from training.noise import apart, noisy
from training.words import ANIMALS, FRUITS, ITEMS, name, plural, pseudo_word

KIND = "arithmetic"
PAIR_HELD_OUT_EVERY = 20


def _in_order(templates: Sequence[str]) -> list[str]:
    """Templates of a sum with `a` before `b`, so that answers keep the order of the question."""
    swapped = str.maketrans({"a": "b", "b": "a"})
    return [
        re.sub(r"\{[ab]\}", lambda slot: slot[0].translate(swapped), text)
        if "{a}" in text and -1 < text.find("{b}") < text.index("{a}")
        else text
        for text in templates
    ]


_TEXTS = {
    key: apart(numbers_train.TEMPLATES[key], numbers_held_out.TEMPLATES[key])
    for key in ("subtract", "subtract_story", "then_add", "then_subtract")
}
_TEXTS |= {
    key: apart(_in_order(numbers_train.TEMPLATES[key]), _in_order(numbers_held_out.TEMPLATES[key]))
    for key in ("add", "add_story")
}
_COUNTABLE = (ITEMS, ITEMS, FRUITS, ANIMALS)
_RANGES = ((0, 9), (10, 99), (100, 999))
_THEN = {"+": "then_add", "-": "then_subtract"}


def conversation(rng: Random, split: Split) -> Conversation:
    op = "+" if rng.random() < 0.5 else "-"
    a, b = _story_pair(rng, split, op) if (story := rng.random() < 0.22) else _pair(rng, split, op)
    if story:
        key = "add_story" if op == "+" else "subtract_story"
        asked = _TEXTS[key].pick(rng, split)
        asked = asked.format(a=a, b=b, name=name(rng, split), things=_things(rng, split))
    else:
        key = "add" if op == "+" else "subtract"
        asked = _TEXTS[key].pick(rng, split).format(a=a, b=b)
    messages: list[Message] = []
    result = _turn(rng, split, messages, asked, op, a, b)
    while rng.random() < (0.2 if len(messages) == 2 else 0.4) and len(messages) < 6 and 0 <= result <= 999:
        op = "+" if rng.random() < 0.5 else "-"
        b = _second(rng, split, op, result)
        asked = _TEXTS[_THEN[op]].pick(rng, split).format(b=b)
        result = _turn(rng, split, messages, asked, op, result, b)
    return Conversation(KIND, messages)


def _turn(rng: Random, split: Split, messages: list[Message], asked: str, op: str, a: int, b: int) -> int:
    """Adds one question and its answer; returns the result."""
    result = a + b if op == "+" else a - b
    messages.append(user(noisy(rng, asked) if split == "train" else asked))
    messages.append(assistant(f"{a} {op} {b} = {result}"))
    return result


def _kept(op: str, a: int, b: int) -> bool:
    """Whether the pair is kept for evaluation."""
    return a > 9 and b > 9 and zlib.crc32(f"{a}{op}{b}".encode()) % PAIR_HELD_OUT_EVERY == 0


def _fits(split: Split, op: str, a: int, b: int) -> bool:
    if a < 10 or b < 10:
        return True
    if split != "train":
        return _kept(op, a, b)
    return not _kept(op, a, b) and not (op == "+" and _kept(op, b, a))  # nor the same sum turned round


def _number(rng: Random, bounds: tuple[int, int]) -> int:
    low, high = bounds
    return low + int(rng.random() * (high - low + 1))


def _pair(rng: Random, split: Split, op: str) -> tuple[int, int]:
    first, second = _RANGES[int(rng.random() * 3)], _RANGES[int(rng.random() * 3)]
    turned = op == "-" and rng.random() < 0.6  # most differences are not negative
    while True:
        a, b = _number(rng, first), _number(rng, second)
        if turned and a < b:
            a, b = b, a
        if _fits(split, op, a, b):
            return a, b


def _story_pair(rng: Random, split: Split, op: str) -> tuple[int, int]:
    """Both at least 2, so that the plural is right; nothing is left negative."""
    first, second = _RANGES[int(rng.random() * 3)], _RANGES[int(rng.random() * 3)]
    while True:
        a, b = _number(rng, first), _number(rng, second)
        if op == "-" and a < b:
            a, b = b, a
        if a > 1 and b > 1 and _fits(split, op, a, b):
            return a, b


def _second(rng: Random, split: Split, op: str, a: int) -> int:
    """A number to go on with from the result `a`; in one of ten a subtraction may go below zero."""
    positive = op == "-" and rng.random() < 0.9
    tries = 0
    while True:
        b = _number(rng, _RANGES[int(rng.random() * 3)])
        tries += 1
        if positive and b > a and tries < 200:
            continue
        if _fits(split, op, a, b):
            return b


def _things(rng: Random, split: Split) -> str:
    if split == "train" and rng.random() < 0.15:
        return plural(pseudo_word(rng, split))
    return plural(_COUNTABLE[int(rng.random() * 4)].pick(rng, split))
