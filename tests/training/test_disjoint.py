"""What the evaluation asks about was never trained on: words, templates and whole prompts."""

from __future__ import annotations

import re
from random import Random

import pytest
from training import words
from training.content.family import bare
from training.conversation import Texts, Words
from training.data import conversation
from training.evaluate import cases
from training.tasks import arithmetic, conversions, engine, lists, talk, unknown

SAMPLED = 40_000


@pytest.fixture(scope="module")
def trained() -> list[str]:
    """The bare words of every message of many training conversations."""
    rng = Random("disjoint")
    return [bare(str(m.get("content"))) for _ in range(SAMPLED) for m in conversation(rng).messages]


def word_lists() -> list[Words]:
    return [w for module in (words, unknown) for w in vars(module).values() if isinstance(w, Words)] + list(
        unknown.WORDS.values()
    )


def test_word_lists_have_both_sides():
    assert all(w.train and w.held_out for w in word_lists())


def test_no_held_out_word_occurs_in_training(trained: list[str]):
    held_out = {bare(w) for each in word_lists() for w in each.held_out}
    single = {w for w in held_out if " " not in w}
    seen = {w for text in trained for w in text.split()}
    assert single & seen == set()
    phrases = re.compile("|".join(rf"\b{re.escape(p)}\b" for p in sorted(held_out - single)))
    assert sorted({m.group() for text in trained for m in phrases.finditer(text)}) == []


def test_no_held_out_prompt_occurs_in_training(trained: list[str]):
    asked = {
        bare(c.messages[-2]["content"]) for _, c in cases(300, seed=0) if c.messages[-2]["role"] == "user"
    }
    assert asked & set(trained) == set()


def test_templates_are_apart():
    texts = [
        t
        for module in (arithmetic, conversions, lists, talk, unknown)
        for value in vars(module).values()
        for t in (value.values() if isinstance(value, dict) else [value])
        if isinstance(t, Texts)
    ]
    assert len(texts) > 25
    for t in texts:
        assert {bare(x) for x in t.train} & {bare(x) for x in t.held_out} == set()


def test_question_families_keep_some_phrasings_back():
    families = engine.families()
    assert len(families) >= 200
    assert sum(bool(f.held_out) for f in families) >= 0.95 * len(families)
    for f in families:
        assert {bare(q) for q in f.train} & {bare(q) for q in f.held_out} == set()


def test_sums_of_the_evaluation_are_not_in_training():
    def sums(split: str) -> set[str]:
        rng = Random(split)
        made = (arithmetic.conversation(rng, split).messages for _ in range(20_000))  # type: ignore[arg-type]
        said = (
            m["content"].split(" = ")[0] for messages in made for m in messages if m["role"] == "assistant"
        )
        return {s for s in said if re.fullmatch(r"\d\d+ . \d\d+", s)}

    first = sums("held_out")
    assert len(first & sums("train")) < 0.02 * len(first)  # follow-ups go on from any number
