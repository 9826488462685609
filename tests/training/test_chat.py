"""What training renders by hand is what the chat template renders, token for token."""

from __future__ import annotations

import json
from random import Random

import pytest
from tokenizers import Tokenizer
from training import tasks
from training.chat import TEMPLATE, segments, spoken
from training.conversation import Conversation
from training.data import MODULES, conversation

from quire.embedded import DEFAULT, MODELS, embedded_folder
from quire.errors import BadTemplate
from quire.text.template import compile_template

FOLDER = embedded_folder(DEFAULT)


def rendered(messages, **options) -> str:
    return compile_template(TEMPLATE.read_text()).render(messages, **options)


@pytest.mark.parametrize("module", MODULES, ids=lambda m: m.__name__.rpartition(".")[2])
@pytest.mark.parametrize("split", ["train", "held_out"])
def test_a_conversation_reads_as_the_template_writes_it(module, split):
    template, rng = compile_template(TEMPLATE.read_text()), Random(3)
    for _ in range(60):
        c = module.conversation(rng, split)
        assert "".join(t for t, _ in segments(c)) == template.render(c.messages, tools=c.tools)


def test_the_prompt_of_an_answer_ends_where_the_answer_begins():
    template, rng = compile_template(TEMPLATE.read_text()), Random(4)
    for _ in range(100):
        c = tasks.tools.conversation(rng, "train")
        prompt = template.render(c.messages[:-1], tools=c.tools, add_generation_prompt=True)
        assert prompt + spoken(c.messages[-1]) + "<|im_end|>\n" == "".join(t for t, _ in segments(c))


def test_pieces_tokenised_apart_are_those_of_the_whole_text():
    tokenizer, rng = Tokenizer.from_file(str(FOLDER / "tokenizer.json")), Random(5)
    for _ in range(300):
        texts = [t for t, _ in segments(conversation(rng))]
        apart = [i for t in texts for i in tokenizer.encode(t, add_special_tokens=False).ids]
        assert apart == tokenizer.encode("".join(texts), add_special_tokens=False).ids


SHAPES = [
    ({"type": "string"}, "string"),
    ({"type": "array", "items": {"type": "string"}}, "array of string"),
    ({"enum": ["a", "b"]}, "a|b"),
    ({"enum": ["on", 1, 2.5, True, None]}, "on|1|2.5|true|null"),
    ({"const": "metric"}, "metric"),
    ({"const": None}, "null"),
    ({"type": ["string", "null"]}, "string|null"),
    ({"type": "array", "items": {"type": "array", "items": {"type": "number"}}}, "array of array of number"),
    ({"type": "array", "items": {"enum": ["x", None]}}, "array of x|null"),
    ({"type": "array", "items": {"$ref": "#/$defs/City"}}, 'array of {"$ref": "#/$defs/City"}'),
    ({"$ref": "#/$defs/City"}, '{"$ref": "#/$defs/City"}'),
    ({"allOf": [{"type": "string"}, {"minLength": 1}]}, '{"allOf": [{"type": "string"}, {"minLength": 1}]}'),
    ({"type": "array", "items": {}}, "array"),
    ({}, "any"),
]


@pytest.mark.parametrize(("schema", "said"), SHAPES, ids=lambda v: str(v)[:40])
def test_a_parameter_is_described_in_words_or_as_json(schema, said):
    function = {"name": "f", "parameters": {"type": "object", "properties": {"p": schema}}}
    messages, tools = [{"role": "user", "content": "hi"}], [{"type": "function", "function": function}]
    text = rendered(messages, tools=tools)
    assert f"\n- p ({said})<|im_end|>" in text
    assert text == "".join(t for t, _ in segments(Conversation("tools.none", messages, tools)))


def test_definitions_that_parameters_refer_to_are_told():
    city = {"type": "object", "properties": {"name": {"type": "string"}}}
    parameters = {"properties": {"to": {"$ref": "#/$defs/City"}}, "$defs": {"City": city}}
    messages, tools = (
        [{"role": "user", "content": "hi"}],
        [{"function": {"name": "f", "parameters": parameters}}],
    )
    text = rendered(messages, tools=tools)
    assert text.split("<|im_end|>")[0].endswith("\n$defs: " + json.dumps({"City": city}))
    assert text == "".join(t for t, _ in segments(Conversation("tools.none", messages, tools)))


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (
            [{"type": "text", "text": "Look:"}, {"type": "image_url", "image_url": {"url": "x"}}],
            "type 'image_url'",
        ),
        ([{"type": "input_audio", "input_audio": {}}], "type 'input_audio' .* reads text only"),
        ({"type": "text", "text": "hi"}, "text or a list of parts"),
    ],
    ids=str,
)
def test_what_is_not_text_is_refused(content, reason):
    for role in ("system", "user"):
        with pytest.raises(BadTemplate, match=reason):
            rendered([{"role": role, "content": content}])


@pytest.mark.parametrize("empty", ["", None, [], [{"type": "text", "text": ""}], [{"type": "text"}]], ids=str)
def test_empty_content_leaves_no_trace(empty):
    tool = {"type": "function", "function": {"name": "f"}}
    call = {"type": "function", "function": {"name": "f", "arguments": {}}}
    turns = [
        {"role": "system", "content": empty},
        {"role": "assistant", "content": empty, "tool_calls": [call]},
    ]
    assert rendered(turns, tools=[tool]) == (
        "<|im_start|>system\n# Tools\nf<|im_end|>\n"
        '<|im_start|>assistant\n<tool_call>\n{"name": "f", "arguments": {}}\n</tool_call><|im_end|>\n'
    )
    assert rendered([{"role": "system", "content": empty}]) == ""


def test_parts_of_text_are_joined_and_a_developer_is_the_system():
    parts = [
        {"type": "text", "text": "a"},
        {"type": "text", "text": ""},
        "b",
        {"type": "refusal", "refusal": "c"},
    ]
    turns = [
        {"role": "developer", "content": parts},
        {"role": "user", "content": "hi"},
        {"role": "developer", "content": "Be brief."},
    ]
    assert rendered(turns) == (
        "<|im_start|>system\nabc<|im_end|>\n<|im_start|>user\nhi<|im_end|>\n"
        "<|im_start|>system\nBe brief.<|im_end|>\n"
    )


@pytest.mark.parametrize("name", [m.name for m in MODELS if m.kind != "heads"])
def test_the_models_inside_have_this_template(name):
    config = json.loads((embedded_folder(name) / "tokenizer_config.json").read_text())
    assert config["chat_template"] == TEMPLATE.read_text()
