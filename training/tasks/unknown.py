"""Questions outside the model's small world, all with one answer: that it does not know.

The held-out questions, templates and topics were written apart, in training/content/talk_held_out.py; what
equals a training one is left out.
"""

from __future__ import annotations

import functools
import re
import string
from random import Random

from training.content.define_train import DEFINE
from training.content.family import bare
from training.content.unknown_train import (
    DONT_KNOW,
    NEAR_MISSES,
    PSEUDO,
    QUESTIONS,
    SUMS,
    TEMPLATES,
    WORDS,
)
from training.conversation import Conversation, Message, Split, Texts, assistant, user
from training.noise import apart, blurred, noisy, reworded
from training.tasks import engine
from training.tasks.talk import exchange, loosely
from training.words import pseudo_word

KIND = "unknown"

# Lists whose words may stand alone after "what is".
_DEFINED = (
    *("science", "animal", "plant", "instrument", "school", "society", "element", "thing", "hobby", "game"),
    *("god", "sport", "disease", "body", "dish", "landmark", "language", "machine", "planet", "river"),
)
_DIGITS = {"d": (2, 99), "n": (100, 999), "big": (1000, 99_999)}
_SLOT = re.compile(r"\{\w+\}")


def conversation(rng: Random, split: Split) -> Conversation:
    messages: list[Message] = []
    if rng.random() < 0.18:
        before = rng.random()
        if before < 0.7:
            messages += exchange(rng, split, engine.families(), share=0.5)
        else:
            messages += [user(question(rng, split)), assistant(DONT_KNOW)]
    return Conversation(KIND, [*messages, user(question(rng, split)), assistant(DONT_KNOW)])


def question(rng: Random, split: Split) -> str:
    """A question that the model cannot answer."""
    if split != "train":
        return _held_out_question(rng)
    while bare(asked := _asked_in_training(rng)) in _kept_back():
        pass  # a template came out as a question of the evaluation
    return asked


@functools.cache
def _kept_back() -> frozenset[str]:
    return frozenset(map(bare, _held_out()[0].held_out))


def _asked_in_training(rng: Random) -> str:
    split: Split = "train"
    roll = rng.random()
    if roll < 0.40:
        text = filled(rng, split, rng.choice(TEMPLATES))
    elif roll < 0.52:
        text = rng.choice(DEFINE).format(term=_topic(rng))
    elif roll < 0.64:
        text = filled(rng, split, rng.choice(PSEUDO))
    elif roll < 0.67:
        text = rng.choice(DEFINE).format(term=pseudo_word(rng, split))
    elif roll < 0.81:
        text = rng.choice(QUESTIONS)
    elif roll < 0.90:
        text = rng.choice(NEAR_MISSES)
    else:
        text = filled(rng, split, rng.choice(SUMS))
        return noisy(rng, text) if rng.random() < 0.6 else text
    if rng.random() < 0.3:
        text = reworded(rng, text, 0.5)
    if rng.random() < 0.3:
        text = blurred(rng, text)
    return loosely(rng, noisy(rng, text) if rng.random() < 0.5 else text, split)


def filled(rng: Random, split: Split, template: str) -> str:
    """The template with a word, a made-up word or a number in every slot."""
    slots = [slot for _, slot, _, _ in string.Formatter().parse(template) if slot]
    return template.format(**{slot: _word(rng, split, slot) for slot in slots})


def _word(rng: Random, split: Split, slot: str) -> str:
    key = slot.rstrip("0123456789")
    if key in _DIGITS:
        return _number(rng, key)
    key, article = key.removeprefix("a_"), key.startswith("a_")
    if key in ("made", "Made"):
        word = pseudo_word(rng, split)
        word = word.capitalize() if key == "Made" else word
    else:
        word = WORDS[key].pick(rng, split)
    if not article:
        return word
    return f"{'an' if word[0].lower() in 'aeiou' else 'a'} {word}"


def _number(rng: Random, key: str) -> str:
    low, high = _DIGITS[key]
    if key == "big" and rng.random() < 0.2:
        return f"{rng.randint(low, 9_999_999):,}"
    return str(rng.randint(low, high))


def _topic(rng: Random) -> str:
    """A noun to ask the meaning of, with or without its article."""
    word = WORDS[rng.choice(_DEFINED)].pick(rng, "train")
    roll = rng.random()
    if roll < 0.5:
        return re.sub(r"^(a|an|the) ", "", word)
    return word


def _held_out_question(rng: Random) -> str:
    from training.content.talk_held_out import DEFINE as HELD_OUT_DEFINE

    questions, templates, topics = _held_out()
    roll = rng.random()
    if roll < 0.45:
        return rng.choice(questions.held_out)
    topic = rng.choice(topics) if rng.random() < 0.7 else pseudo_word(rng, "held_out")
    if roll < 0.90:
        return rng.choice(templates.held_out).format(topic=topic)
    return rng.choice(HELD_OUT_DEFINE).format(term=topic)


@functools.cache
def _held_out() -> tuple[Texts, Texts, list[str]]:
    """Questions, templates and topics that occur in no training text of this task."""
    from training.content.talk_held_out import UNKNOWN_QUESTIONS, UNKNOWN_TEMPLATES, UNKNOWN_TOPICS

    plain = [_SLOT.sub("{topic}", text) for text in (*TEMPLATES, *PSEUDO)]
    known = {_bare(word) for words in WORDS.values() for word in words.train}
    topics = [topic for topic in UNKNOWN_TOPICS if _bare(topic) not in known]
    return apart([*QUESTIONS, *NEAR_MISSES], UNKNOWN_QUESTIONS), apart(plain, UNKNOWN_TEMPLATES), topics


def _bare(topic: str) -> str:
    return re.sub(r"^(a|an|the) ", "", topic.lower())
