"""A chat template shows how its model writes calls and reasoning."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import quire
from quire.server.parse import DIALECTS, detect_dialect, detect_reasoning

EMBEDDED = Path(quire.__file__).parent / "embedded" / "quire-tiny" / "tokenizer_config.json"
TEMPLATES = {
    "hermes": '{% for tool in tools %}…<tool_call>\\n{"name": …}</tool_call>',
    "qwen3_coder": "tools <tool_call>\n<function=example>\n<parameter=p>\nvalue</parameter>",
    "llama3_json": '{%- if tools %} Respond in the format {"name": function name, "parameters": dictionary}',
    "pythonic": "{% if tools %} [func_name1(params_name1=params_value1)]",
    "mistral": "{% if tools %}[AVAILABLE_TOOLS]…[TOOL_CALLS]",
    "deepseek_v3": "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>' + type + '<｜tool▁sep｜>…\\n```json\\n'",
    "deepseek_v31": "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>'+ name + '<｜tool▁sep｜>'",
}


def no_token(text: str) -> bool:
    return False


@pytest.mark.parametrize("name", TEMPLATES)
def test_a_template_that_shows_calls_names_its_dialect(name: str):
    assert detect_dialect(TEMPLATES[name], no_token) == name
    assert name in DIALECTS


def test_tokens_tell_llama_4_from_llama_3():
    has = {"<|python_start|>"}.__contains__
    assert detect_dialect(TEMPLATES["llama3_json"], has) == "llama4_json"
    assert detect_dialect(TEMPLATES["pythonic"], has) == "llama4_pythonic"


def test_a_template_that_knows_no_tools_has_no_dialect():
    assert detect_dialect("{{ messages[0].content }}", no_token) is None
    assert detect_reasoning("{{ messages[0].content }}", no_token) is None


def test_the_embedded_model_is_detected():
    template = json.loads(EMBEDDED.read_text(encoding="utf-8"))["chat_template"]
    assert detect_dialect(template, no_token) == "hermes"
    assert detect_reasoning(template, no_token) is None


def test_reasoning_is_detected_by_its_tags():
    assert detect_reasoning("{{ '<think>\\n\\n</think>' }}", no_token) == "think"
    assert detect_reasoning("[THINK]", no_token) == "mistral"
    assert detect_reasoning("Here is my thought process:", no_token) == "granite"


def test_calls_of_another_kind_between_the_same_tags_are_not_mistaken():
    assert detect_dialect("{% if tools %}<tool_call>name\n<arg_key>k</arg_key>", no_token) is None
    assert detect_dialect('{% if tools %} {"parameters": tool["parameters"]}', no_token) is None
