"""Every conversation the generator writes is right, in both splits."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from random import Random

import pytest
from training import export
from training.conversation import Conversation
from training.evaluate import _show
from training.model import LanguageModel, Size
from training.tasks import arithmetic, conversions, engine, extraction, lists, sentiment, talk, tools, unknown

MODULES = (arithmetic, conversions, lists, extraction, tools, engine, talk, unknown, sentiment)
SPLITS = ("train", "held_out")


def made(module, split, count=400) -> Iterator[Conversation]:
    rng = Random(f"{module.__name__}/{split}")
    for _ in range(count):
        yield module.conversation(rng, split)


@pytest.mark.parametrize("module", MODULES, ids=lambda m: m.KIND)
@pytest.mark.parametrize("split", SPLITS)
def test_turns_alternate_and_end_with_the_assistant(module, split):
    for c in made(module, split):
        roles = [m["role"] for m in c.messages if m["role"] != "system"]
        assert roles[0] == "user" and roles[-1] == "assistant"
        assert all(m.get("content") or m.get("tool_calls") for m in c.messages)


@pytest.mark.parametrize("split", SPLITS)
def test_sums_are_right(split):
    for c in made(arithmetic, split):
        a, op, b, result = re.fullmatch(
            r"(-?\d+) ([+-]) (-?\d+) = (-?\d+)", c.messages[-1]["content"]
        ).groups()
        assert int(result) == (int(a) + int(b) if op == "+" else int(a) - int(b))


@pytest.mark.parametrize("split", SPLITS)
def test_letters_and_lists_of_an_answer_come_from_the_question(split):
    for c in made(lists, split):
        asked, said = c.messages[-2]["content"], c.messages[-1]["content"]
        if re.fullmatch(r"[a-z](-[a-z])+", said):
            assert said.replace("-", "") in asked.lower()
        elif "," in said:
            assert all(item in asked for item in said.split(", "))


@pytest.mark.parametrize("split", SPLITS)
def test_extracted_values_stand_in_the_text(split):
    for c in made(extraction, split):
        found = json.loads(c.messages[-1]["content"])
        text = " ".join(m["content"] for m in c.messages[:-1])
        assert isinstance(found, dict) and found
        assert all(v in text for v in found.values() if isinstance(v, str))


@pytest.mark.parametrize("split", SPLITS)
def test_a_called_tool_is_on_offer_and_takes_the_arguments(split):
    for c in made(tools, split):
        offered = {t["function"]["name"]: t["function"].get("parameters") or {} for t in c.tools or ()}
        for call in (k for m in c.messages for k in m.get("tool_calls", ())):
            schema = offered[call["function"]["name"]]
            arguments = call["function"]["arguments"]
            assert set(arguments) <= set(schema.get("properties", ()))
            assert set(schema.get("required", ())) <= set(arguments)


def test_the_same_seed_gives_the_same_conversations():
    assert [c.messages for c in made(tools, "train", 50)] == [c.messages for c in made(tools, "train", 50)]


def test_a_row_without_cases_is_left_out_of_the_table(capsys):
    table: dict[str, float] = {}
    _show({"lists": (1, 2), "extraction.strangers": (0, 0)}, table)
    assert table == {"lists": 0.5}
    assert "strangers" not in capsys.readouterr().out


def test_a_checkpoint_is_read_as_it_was_written(tmp_path):
    size = Size(hidden=32, layers=1, heads=2, kv_heads=1, inner=64)
    model = LanguageModel(size)
    export.write(tmp_path, {}, model.state_dict())
    again = export.language_model(tmp_path, size).state_dict()
    assert all(again[n].equal(t.bfloat16().float()) for n, t in model.state_dict().items())
