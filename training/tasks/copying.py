"""Saying again what the user gives: plain practice in copying, whatever the words are."""

from __future__ import annotations

from random import Random

from training.conversation import Conversation, Split, Texts, assistant, user
from training.noise import noisy
from training.words import ANIMALS, CITIES, FIRST_NAMES, FOODS, ITEMS, JOBS, WORDS, pseudo_word

KIND = "copying"
TEXTS = Texts(
    train=[
        "Repeat after me: {text}",
        "repeat: {text}",
        "Please repeat this: {text}",
        "Say this back to me: {text}",
        "say: {text}",
        "echo: {text}",
        "Echo this text: {text}",
        "echo {text}",
        "Copy this line: {text}",
        "copy: {text}",
        "Write exactly this: {text}",
        "Write this down word for word: {text}",
        "Type the following: {text}",
        "type this: {text}",
        "Return this text unchanged: {text}",
        "Give this back to me as it is: {text}",
        "Just print {text}",
        "print: {text}",
        'Repeat the words "{text}"',
        'say "{text}"',
        'Can you say "{text}"?',
        'Please echo "{text}"',
        'Copy the text "{text}" exactly.',
        'Write "{text}"',
        "Here is a text. Repeat it.\n{text}",
        "Copy what follows.\n\n{text}",
        "{text}\n\nRepeat the line above.",
        "{text}\nSay that again, exactly.",
    ],
    held_out=[
        "Please say exactly this: {text}",
        "Could you repeat the following? {text}",
        'I want you to say "{text}"',
        "parrot this: {text}",
        "Output this and nothing else: {text}",
    ],
)
_SOURCES = (WORDS, WORDS, WORDS, ITEMS, ANIMALS, FOODS, JOBS, FIRST_NAMES, CITIES)


def conversation(rng: Random, split: Split) -> Conversation:
    text = " ".join(_word(rng, split) for _ in range(rng.randint(1, 12)))
    template = TEXTS.pick(rng, split)
    if template.endswith(("exactly.", '{text}"?')) or rng.random() < 0.7:
        text = text.rstrip(",")
    asked = template.replace("{text}", text)
    if split == "train" and not asked.startswith(text):
        asked = noisy(rng, asked)
    return Conversation(KIND, [user(asked), assistant(text)])


def _word(rng: Random, split: Split) -> str:
    roll = rng.random()
    if roll < 0.3:
        return pseudo_word(rng, split)
    if roll < 0.36:
        return pseudo_word(rng, split).capitalize()
    if roll < 0.44:
        return str(rng.randrange(10 ** rng.randint(1, 5)))
    word = rng.choice(_SOURCES).pick(rng, split)
    return word + "," if roll > 0.96 else word
