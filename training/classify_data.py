"""Labelled texts for the sequence classifier: opinions, ordinary prompts, and attempts to get around rules.

Training texts are composed from the frames of `sentiment_train` and `injection_train` or taken from
`opinions_train` and `prompts_train`; held-out ones are composed from frames that training leaves out, and
strangers' are in `classify_held_out`. Every label comes equally often.
"""

from __future__ import annotations

import zlib
from random import Random
from typing import Literal

from training import pairs_data
from training.content import injection_train, prompts_train
from training.content import sentiment_train as sentiment_words
from training.conversation import Split, kept_back
from training.noise import blurred
from training.tasks import sentiment, unknown

LABELS = ["NEGATIVE", "POSITIVE", "BENIGN", "JAILBREAK"]
PromptLabel = Literal["JAILBREAK", "BENIGN"]

_WHOLE: dict[PromptLabel, list[str]] = {
    "JAILBREAK": prompts_train.JAILBREAK,
    "BENIGN": prompts_train.BENIGN,
}
_FRAMES: dict[PromptLabel, list[str]] = {
    "JAILBREAK": kept_back(injection_train.JAILBREAK, "train"),
    "BENIGN": kept_back(injection_train.BENIGN, "train"),
}
_REQUESTS = kept_back(injection_train.OPINION_REQUESTS, "train")
_PREFIXES = (
    "User: ",
    "Review: ",
    "Text: ",
    "Message: ",
    "Input: ",
    "Comment: ",
    "Q: ",
    "> ",
    "- ",
    "[user] ",
)
_QUOTES = ('"{}"', "'{}'", "“{}”", "({})", "`{}`", "«{}»")
_POLITE = (
    "Hi, ",
    "Hello, ",
    "Hey, ",
    "Please, ",
    "Hi! ",
    "Hello there. ",
    "Good morning. ",
    "Quick question: ",
    "So, ",
)
_GOOD = [w for w in sentiment_words.GOOD + sentiment_words.SUPERB if " " not in w]
_BAD = [w for w in sentiment_words.BAD + sentiment_words.DIRE if " " not in w]


def example(rng: Random, split: Split) -> tuple[str, int]:
    """A text and the index of its label in `LABELS`."""
    label = rng.randrange(len(LABELS))
    name = LABELS[label]
    if name == "NEGATIVE" or name == "POSITIVE":
        text = sentiment.opinion_of(rng, split, "negative" if name == "NEGATIVE" else "positive")
    else:
        text = prompt_of(rng, split, "BENIGN" if name == "BENIGN" else "JAILBREAK")
    return (_augmented(rng, text) if split == "train" else text), label


def prompt(rng: Random, split: Split) -> tuple[str, PromptLabel]:
    label: PromptLabel = rng.choice(("JAILBREAK", "BENIGN"))
    return prompt_of(rng, split, label), label


def prompt_of(rng: Random, split: Split, label: PromptLabel) -> str:
    if split == "held_out":
        frames = injection_train.JAILBREAK if label == "JAILBREAK" else injection_train.BENIGN
        return _filled(rng, rng.choice(kept_back(frames, split)))
    if split == "strangers":
        from training.content import classify_held_out

        return rng.choice(classify_held_out.JAILBREAK if label == "JAILBREAK" else classify_held_out.BENIGN)
    if rng.random() < 0.35:
        return rng.choice(_WHOLE[label])
    chance = rng.random()
    if label == "JAILBREAK":
        text = _filled(rng, rng.choice(_FRAMES["JAILBREAK"]))
        if chance < 0.08:
            return f"{_ordinary(rng)}{rng.choice((' ', chr(10)))}{text}"
        if chance < 0.12:
            return f"{text}{rng.choice((' ', chr(10)))}{_ordinary(rng)}"
        return _greeted(rng, text) if chance < 0.16 else text
    if chance < 0.06:
        return sentiment.question(rng, split, sentiment.opinion(rng, split)[0])
    if chance < 0.26:
        return _filled(rng, rng.choice(_REQUESTS))
    text = _ordinary(rng)
    if chance < 0.34:
        return f"{text} {_ordinary(rng)}"
    return _greeted(rng, text) if chance < 0.4 else text


def pair(rng: Random) -> tuple[int, str, str]:
    """Two texts of one meaning and the number of their group, for embeddings.

    Half of them are any text twice, with words lost and moved: they teach to tell texts apart by their words.
    """
    if rng.random() < 0.5:
        return pairs_data.pair(rng)
    text = unknown.question(rng, "train") if rng.random() < 0.3 else example(rng, "train")[0]
    return zlib.crc32(text.encode()) >> 1, blurred(rng, text, 0.4), blurred(rng, text, 0.4)


def _ordinary(rng: Random) -> str:
    """A prompt from the frames, or a question of a family or a group of paraphrases."""
    chance = rng.random()
    families = pairs_data.families()
    if chance < 0.2:
        return rng.choice(rng.choice(families))
    if chance < 0.3:
        _, *texts = pairs_data.pair(rng)
        if texts[0].endswith("?"):
            return texts[0]
    return _filled(rng, rng.choice(_FRAMES["BENIGN"]))


def _greeted(rng: Random, text: str) -> str:
    opener = rng.choice(_POLITE)
    if opener[-2] in ",:" and not text.startswith(("I ", "I'")):
        text = text[0].lower() + text[1:]
    return opener + text


def _filled(rng: Random, frame: str) -> str:
    def pick(slot: str) -> str | None:
        match slot:
            case "opinion":
                return sentiment.opinion(rng, "train")[0]
            case "good":
                return rng.choice(_GOOD)
            case "bad":
                return rng.choice(_BAD)
        values = injection_train.SLOTS.get(slot)
        return rng.choice(values) if values else None

    text = sentiment.fill(rng, frame, pick)
    if not frame[0].islower():
        text = sentiment.capital(text)
    return sentiment.contract(text) if rng.random() < 0.4 else text


def _augmented(rng: Random, text: str) -> str:
    """Light changes of case, of the last sign and of what stands around the text; alike for all labels."""
    chance = rng.random()
    if chance < 0.1:
        text = text.lower()
    elif chance < 0.13:
        text = text.upper()
    chance = rng.random()
    if chance < 0.1:
        text = text.rstrip(".!?")
    elif chance < 0.14:
        text = text.rstrip(".") + rng.choice(("!", "...", "!!", " :)", " thanks"))
    elif chance < 0.18:
        text = text.replace(",", "")
    chance = rng.random()
    if chance < 0.06:
        text = rng.choice(_QUOTES).format(text)
    elif chance < 0.14:
        text = rng.choice(_PREFIXES) + text
    return text or "."
