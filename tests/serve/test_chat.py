"""POST /v1/chat/completions, driven by the clients people use."""

from __future__ import annotations

import asyncio
import json
import math
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import httpx
import openai
import pytest
from pydantic import BaseModel
from tests.serve.conftest import start
from tests.weather import WEATHER

from quire.embedded import embedded_folder
from quire.params import SamplingParams
from quire.server.app import build_app
from quire.server.chat import fold
from quire.server.local import LocalEngine
from quire.server.options import ServerConfig
from quire.server.parse.reasoning import REASONING, Tags
from quire.server.state import Server
from quire.text.tokenizer import load_tokenizer

MODEL = "quire-tiny"
SUM = [{"role": "user", "content": "What is 347 + 586?"}]
HELLO = [{"role": "user", "content": "Hello!"}]
CAR = [
    {
        "role": "user",
        "content": 'Extract name, age and city as JSON: "Maria Silva is 34 years old and lives in Lisbon."',
    }
]
OSLO = [{"role": "user", "content": "What is the weather in Oslo?"}]
BOTH = [{"role": "user", "content": "What is the weather in Oslo and in Rome?"}]
CLOCK = {
    "type": "function",
    "function": {
        "name": "get_time",
        "description": "Get the current time in a city",
        "parameters": {
            "type": "object",
            "properties": {"city": {"type": "string"}},
            "required": ["city"],
        },
    },
}


class Person(BaseModel):
    name: str
    age: int
    city: str


PERSON = {
    "type": "json_schema",
    "json_schema": {
        "name": "person",
        "strict": True,
        "schema": {**Person.model_json_schema(), "additionalProperties": False},
    },
}


@pytest.fixture(scope="module")
def client(address: str) -> openai.OpenAI:
    return openai.OpenAI(base_url=f"{address}/v1", api_key="none", max_retries=0)


def post(address: str, **body: Any) -> httpx.Response:
    return httpx.post(
        f"{address}/v1/chat/completions",
        content=json.dumps({"model": MODEL, "messages": SUM, **body}),
        headers={"content-type": "application/json"},
        timeout=60,
    )


def streamed(address: str, **body: Any) -> list[dict[str, Any]]:
    """The chunks of a stream, which must end with [DONE]."""
    reply = post(address, stream=True, **body)
    assert reply.status_code == 200, reply.text
    assert reply.headers["content-type"].startswith("text/event-stream")
    lines = [line for line in reply.text.split("\n\n") if line and not line.startswith(":")]
    assert all(line.startswith("data: ") for line in lines) and lines[-1] == "data: [DONE]"
    return [json.loads(line.removeprefix("data: ")) for line in lines[:-1]]


def without_ids(reply: dict[str, Any]) -> dict[str, Any]:
    """What must be the same in two replies to the same request."""
    reply = {k: v for k, v in reply.items() if k not in ("id", "created")}
    reply["usage"]["prompt_tokens_details"] = None  # the second finds the first one's prefix
    for choice in reply["choices"]:
        for call in choice["message"].get("tool_calls", ()):
            assert call.pop("id").startswith("call_")
    return reply


# -- text ------------------------------------------------------------------------------------------------


def test_a_whole_reply_has_everything_openai_clients_read(client: openai.OpenAI):
    reply = client.chat.completions.create(model=MODEL, messages=SUM)
    assert reply.object == "chat.completion" and reply.model == MODEL and reply.id.startswith("chatcmpl-")
    (choice,) = reply.choices
    assert choice.message.role == "assistant" and choice.message.content == "347 + 586 = 933"
    assert choice.finish_reason == "stop" and choice.logprobs is None and choice.message.tool_calls is None
    usage = reply.usage
    assert usage and usage.total_tokens == usage.prompt_tokens + usage.completion_tokens
    assert usage.completion_tokens_details.reasoning_tokens == 0


def test_deltas_add_up_to_the_whole_text(client: openai.OpenAI):
    chunks = list(client.chat.completions.create(model=MODEL, messages=SUM, stream=True))
    assert {c.object for c in chunks} == {"chat.completion.chunk"} and len({c.id for c in chunks}) == 1
    assert "".join(c.choices[0].delta.content or "" for c in chunks) == "347 + 586 = 933"
    assert chunks[0].choices[0].delta.role == "assistant"
    assert [c.choices[0].finish_reason for c in chunks][-1] == "stop"
    assert all(c.usage is None for c in chunks)


def test_the_async_client_runs_many_at_once(address: str):
    async def story() -> list[str]:
        client = openai.AsyncOpenAI(base_url=f"{address}/v1", api_key="none", max_retries=0)
        async with client:

            async def one(i: int) -> str:
                said = ""
                messages = [{"role": "user", "content": f"What is {i} + 1?"}]
                async for chunk in await client.chat.completions.create(
                    model=MODEL, messages=messages, stream=True
                ):
                    said += chunk.choices[0].delta.content or ""
                return said

            return await asyncio.gather(*(one(i) for i in range(20, 40)))

    assert asyncio.run(story()) == [f"{i} + 1 = {i + 1}" for i in range(20, 40)]


def test_the_clients_stream_helper_follows(client: openai.OpenAI):
    with client.chat.completions.stream(model=MODEL, messages=SUM) as stream:
        kinds = {event.type for event in stream}
        final = stream.get_final_completion()
    assert "content.delta" in kinds and "content.done" in kinds
    assert final.choices[0].message.content == "347 + 586 = 933"


def test_usage_comes_in_a_chunk_of_its_own_or_in_every_one(address: str):
    chunks = streamed(address, stream_options={"include_usage": True})
    assert all(c["usage"] is None for c in chunks[:-1])
    assert chunks[-1]["choices"] == [] and chunks[-1]["usage"]["completion_tokens"] > 5
    counts = [
        c["usage"]["completion_tokens"]
        for c in streamed(address, stream_options={"include_usage": True, "continuous_usage_stats": True})
    ]
    assert (
        counts == sorted(counts) and counts[0] == 1 and counts[-1] == chunks[-1]["usage"]["completion_tokens"]
    )


def test_asking_for_usage_adds_no_chunks_that_say_nothing(address: str):
    call = {"messages": OSLO, "tools": [WEATHER], "tool_choice": "required"}
    chunks = streamed(address, **call)
    assert len(streamed(address, stream_options={"include_usage": True}, **call)) == len(chunks) + 1


def test_a_prompt_seen_before_is_counted_as_cached(client: openai.OpenAI):
    messages = [{"role": "user", "content": "Sort these words: " + "pear, apple, fig, " * 20}]
    for _ in range(2):
        usage = client.chat.completions.create(model=MODEL, messages=messages, max_tokens=2).usage
    assert usage and usage.prompt_tokens_details
    assert 16 <= usage.prompt_tokens_details.cached_tokens < usage.prompt_tokens


SAME = {
    "text": {},
    "n": {"n": 3, "temperature": 1.0, "seed": 7},
    "logprobs": {"logprobs": True, "top_logprobs": 3},
    "stop included": {"stop": ["= "], "include_stop_str_in_output": True},
    "stop": {"stop": ["58"]},
    "cut off": {"max_tokens": 4, "return_token_ids": True, "logprobs": True},
    "a call": {"messages": OSLO, "tools": [WEATHER]},
    "two calls": {"messages": BOTH, "tools": [WEATHER, CLOCK], "logprobs": True},
    "required": {"messages": OSLO, "tools": [WEATHER, CLOCK], "tool_choice": "required"},
    "half a call": {"messages": HELLO, "tools": [WEATHER], "tool_choice": "required", "max_tokens": 16},
    "named": {
        "messages": OSLO,
        "tools": [WEATHER, CLOCK],
        "tool_choice": {"type": "function", "function": {"name": "get_time"}},
    },
    "schema": {"messages": CAR, "response_format": PERSON},
    "half an object": {"messages": CAR, "response_format": {"type": "json_object"}, "max_tokens": 5},
}


@pytest.mark.parametrize("body", SAME.values(), ids=SAME.keys())
def test_the_whole_reply_is_the_fold_of_the_stream(address: str, body: dict[str, Any]):
    whole = post(address, **body)
    assert whole.status_code == 200, whole.text
    folded = fold(streamed(address, stream_options={"include_usage": True}, **body))
    assert without_ids(folded) == without_ids(whole.json())


def test_text_is_valid_utf8_at_every_cut(address: str):
    """Random bytes: characters over several tokens, broken ones, never half of one."""
    body = {"temperature": 100.0, "seed": 3, "max_tokens": 60, "n": 4}
    for chunk in streamed(address, **body):
        for choice in chunk["choices"]:
            (choice["delta"].get("content") or "").encode()


def test_n_choices_are_told_apart_and_repeat_with_their_seed(client: openai.OpenAI):
    def ask() -> list[str | None]:
        reply = client.chat.completions.create(
            model=MODEL, messages=HELLO, n=4, temperature=3.0, seed=11, max_tokens=12
        )
        assert [c.index for c in reply.choices] == [0, 1, 2, 3]
        return [c.message.content for c in reply.choices]

    first = ask()
    assert len(set(first)) > 1 and ask() == first


def test_stop_strings_and_lengths_end_a_reply(client: openai.OpenAI):
    reply = client.chat.completions.create(model=MODEL, messages=SUM, stop="=").choices[0]
    assert (reply.message.content, reply.finish_reason) == ("347 + 586 ", "stop")
    assert reply.model_extra["stop_reason"] == "="
    for name in ("max_tokens", "max_completion_tokens"):
        reply = client.chat.completions.create(model=MODEL, messages=SUM, **{name: 3}).choices[0]
        assert (reply.message.content, reply.finish_reason) == ("347", "length")


def test_logprobs_spell_the_text(client: openai.OpenAI):
    choice = client.chat.completions.create(model=MODEL, messages=SUM, logprobs=True, top_logprobs=3).choices[
        0
    ]
    content = choice.logprobs.content
    assert b"".join(bytes(t.bytes) for t in content).decode() == choice.message.content
    for token in content:
        assert len(token.top_logprobs) == 3 and token.logprob <= 0
        assert token.top_logprobs[0].logprob >= token.top_logprobs[1].logprob
        assert token.token == token.top_logprobs[0].token  # greedy
    without = client.chat.completions.create(model=MODEL, messages=SUM, logprobs=True).choices[0]
    assert all(t.top_logprobs == [] for t in without.logprobs.content)
    ids = {"return_tokens_as_token_ids": True, "return_token_ids": True}
    named = client.chat.completions.create(
        model=MODEL, messages=SUM, logprobs=True, top_logprobs=1, extra_body=ids
    ).choices[0]
    for token, told in zip(named.token_ids, named.logprobs.content, strict=False):
        assert told.token == told.top_logprobs[0].token == f"token_id:{token}"


def test_the_checkpoint_recommends_and_the_request_decides(client: openai.OpenAI):
    """quire-tiny's generation_config asks for greedy decoding."""
    said = {
        client.chat.completions.create(model=MODEL, messages=HELLO).choices[0].message.content for _ in "abc"
    }
    assert len(said) == 1
    said = {
        client.chat.completions.create(model=MODEL, messages=HELLO, temperature=5.0, max_tokens=8, seed=i)
        .choices[0]
        .message.content
        for i in range(5)
    }
    assert len(said) > 1


def test_vllms_further_fields_reach_the_engine(client: openai.OpenAI):
    extra = {"min_tokens": 30, "ignore_eos": True, "top_k": 5, "return_token_ids": True, "prompt_logprobs": 1}
    reply = client.chat.completions.create(model=MODEL, messages=SUM, max_tokens=30, extra_body=extra)
    assert reply.usage.completion_tokens == 30
    assert len(reply.choices[0].model_extra["token_ids"]) == 30
    prompt = reply.model_extra["prompt_token_ids"]
    scores = reply.model_extra["prompt_logprobs"]
    assert len(prompt) == reply.usage.prompt_tokens == len(scores) and scores[0] is None
    assert all(str(token) in found for token, found in zip(prompt[1:], scores[1:], strict=True))
    only = client.chat.completions.create(
        model=MODEL, messages=SUM, max_tokens=3, extra_body={"allowed_token_ids": [prompt[1]]}
    )
    assert only.usage.completion_tokens == 3


def test_a_message_is_continued_and_echoed(address: str):
    messages = [*SUM, {"role": "assistant", "content": "347 + 586 ="}]
    body = {"messages": messages, "continue_final_message": True, "add_generation_prompt": False}
    assert post(address, **body).json()["choices"][0]["message"]["content"] == " 933"
    echoed = post(address, echo=True, **body).json()["choices"][0]["message"]["content"]
    assert echoed == "347 + 586 = 933"


def test_content_may_come_in_parts_and_unknown_fields_are_ignored(address: str):
    parts = [{"type": "text", "text": "What is "}, {"type": "text", "text": "347 + 586?"}]
    reply = post(
        address,
        messages=[{"role": "user", "content": parts}],
        metadata={"a": "b"},
        user="u",
        store=False,
        service_tier="auto",
        something_new=[1, 2],
    )
    assert reply.json()["choices"][0]["message"]["content"] == "347 + 586 = 933"


def test_a_long_conversation_is_rendered_in_a_thread_and_answered(address: str):
    turns = [{"role": "user", "content": "x" * 40_000}, *SUM]
    reply = post(address, messages=turns, truncate_prompt_tokens=40)
    assert reply.status_code == 200 and reply.json()["usage"]["prompt_tokens"] == 40


# -- tools -----------------------------------------------------------------------------------------------


def the_call(reply: Any) -> tuple[str, dict[str, Any]]:
    (call,) = reply.choices[0].message.tool_calls
    assert call.type == "function" and call.id.startswith("call_")
    return call.function.name, json.loads(call.function.arguments)


def test_the_model_chooses_to_call_a_tool(client: openai.OpenAI):
    reply = client.chat.completions.create(model=MODEL, messages=OSLO, tools=[WEATHER, CLOCK])
    assert the_call(reply) == ("get_weather", {"city": "Oslo"})
    assert reply.choices[0].finish_reason == "tool_calls" and reply.choices[0].message.content is None


def test_the_model_answers_in_words_where_no_tool_fits(client: openai.OpenAI):
    reply = client.chat.completions.create(model=MODEL, messages=HELLO, tools=[WEATHER]).choices[0]
    assert reply.finish_reason == "stop" and reply.message.content and reply.message.tool_calls is None


def test_none_means_no_call(client: openai.OpenAI):
    reply = client.chat.completions.create(model=MODEL, messages=OSLO, tools=[WEATHER], tool_choice="none")
    assert reply.choices[0].message.tool_calls is None and reply.choices[0].finish_reason == "stop"


def test_required_means_a_call_whatever_was_said(client: openai.OpenAI):
    reply = client.chat.completions.create(
        model=MODEL, messages=HELLO, tools=[WEATHER, CLOCK], tool_choice="required"
    )
    assert reply.choices[0].finish_reason == "tool_calls" and reply.choices[0].message.tool_calls
    for call in reply.choices[0].message.tool_calls:
        assert set(json.loads(call.function.arguments)) == {"city"}


def test_a_named_tool_is_called_and_the_reply_ends_with_stop(client: openai.OpenAI):
    reply = client.chat.completions.create(
        model=MODEL,
        messages=OSLO,
        tools=[WEATHER, CLOCK],
        tool_choice={"type": "function", "function": {"name": "get_time"}},
    )
    assert the_call(reply)[0] == "get_time" and reply.choices[0].finish_reason == "stop"


def test_allowed_tools_narrow_the_choice(address: str):
    allowed = {"mode": "required", "tools": [{"type": "function", "function": {"name": "get_time"}}]}
    reply = post(
        address,
        messages=OSLO,
        tools=[WEATHER, CLOCK],
        tool_choice={"type": "allowed_tools", "allowed_tools": allowed},
    ).json()
    assert reply["choices"][0]["message"]["tool_calls"][0]["function"]["name"] == "get_time"


def test_several_calls_have_an_index_each_unless_one_is_wanted(address: str):
    chunks = streamed(address, messages=BOTH, tools=[WEATHER])
    message = fold(chunks)["choices"][0]["message"]
    cities = [json.loads(call["function"]["arguments"])["city"] for call in message["tool_calls"]]
    assert cities == ["Oslo", "Rome"]
    starts = [d for c in chunks for d in c["choices"][0]["delta"].get("tool_calls", ()) if "id" in d]
    assert [d["index"] for d in starts] == [0, 1] and starts[0]["id"] != starts[1]["id"]
    single = post(address, messages=BOTH, tools=[WEATHER], parallel_tool_calls=False).json()["choices"][0]
    assert [json.loads(c["function"]["arguments"])["city"] for c in single["message"]["tool_calls"]] == [
        "Oslo"
    ]


def test_a_strict_tools_schema_binds_its_arguments(client: openai.OpenAI):
    strict = json.loads(json.dumps(WEATHER))
    strict["function"] |= {"strict": True}
    strict["function"]["parameters"]["properties"]["city"] = {"enum": ["Bern", "Rome"]}
    strict["function"]["parameters"]["additionalProperties"] = False
    reply = client.chat.completions.create(model=MODEL, messages=OSLO, tools=[strict])
    assert the_call(reply)[1]["city"] in ("Bern", "Rome")


def test_the_result_of_a_call_is_answered_in_words(client: openai.OpenAI):
    first = client.chat.completions.create(model=MODEL, messages=OSLO, tools=[WEATHER]).choices[0].message
    result = {
        "role": "tool",
        "tool_call_id": first.tool_calls[0].id,
        "content": json.dumps({"temperature": 7, "condition": "rain"}),
    }
    reply = client.chat.completions.create(model=MODEL, messages=[*OSLO, first, result], tools=[WEATHER])
    assert reply.choices[0].finish_reason == "stop" and "7" in reply.choices[0].message.content


@pytest.mark.parametrize("choice", ["required", {"type": "function", "function": {"name": "get_weather"}}])
def test_a_call_that_is_cut_off_is_a_part_of_a_call_or_nothing(address: str, choice: Any):
    ask = {"messages": OSLO, "tools": [WEATHER, CLOCK], "tool_choice": choice, "temperature": 0}
    seen = set()
    for most in (1, 2, 3, 5, 8, 12, 16, 20):
        whole = post(address, **ask, max_tokens=most).json()["choices"][0]
        message = whole["message"]
        assert not message["content"] and (whole["finish_reason"] == "length" or most >= 12)
        calls = [c["function"] for c in message.get("tool_calls") or ()]
        seen.add(len(calls))
        chunks = [
            json.loads(line[6:])["choices"]
            for line in post(address, **ask, max_tokens=most, stream=True).text.splitlines()
            if line.startswith("data: {")
        ]
        deltas = [choice["delta"] for chunk in chunks for choice in chunk]
        assert not any(delta.get("content") for delta in deltas)
        told = [c["function"] for delta in deltas for c in delta.get("tool_calls") or ()]
        assert "".join(f.get("name") or "" for f in told) == "".join(f["name"] for f in calls)
        assert "".join(f.get("arguments") or "" for f in told) == "".join(f["arguments"] for f in calls)
    assert seen >= {0, 1}


def test_arguments_are_objects_for_the_template_and_ids_have_the_length_it_wants(address: str):
    template = """{%- for m in messages -%}
      {%- for call in m.tool_calls or [] -%}
        {%- if call.id|length != 9 -%}{{ raise_exception("nine!") }}{%- endif -%}
        {{- call.function.arguments.city ~ call.id -}}
      {%- endfor -%}
      {{- m.tool_call_id or "" -}}
    {%- endfor -%}"""
    function = {"name": "get_weather", "arguments": '{"city": "Oslo"}'}
    call = {"id": "call_0123456789abcdef", "type": "function", "function": function}
    messages = [
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": call["id"], "content": "rain"},
    ]
    body = {"messages": messages, "chat_template": template, "return_token_ids": True, "max_tokens": 1}
    reply = post(address, **body)
    assert reply.status_code == 200, reply.text
    text = load_tokenizer(embedded_folder(MODEL)).decode(reply.json()["prompt_token_ids"])
    assert text.startswith("Oslo") and text[4:13] == text[13:22] and len(text) == 22


def test_a_tool_that_is_not_offered_cannot_be_chosen(address: str):
    for choice in (
        {"type": "function", "function": {"name": "get_wether"}},
        {"type": "function"},
        {"type": "allowed_tools", "allowed_tools": {"mode": "auto", "tools": [{"name": "x"}]}},
        "always",
        7,
    ):
        reply = post(address, tools=[WEATHER], tool_choice=choice)
        assert reply.status_code == 400 and reply.json()["error"]["param"] == "tool_choice"
    assert (
        "did you mean 'get_weather'"
        in post(
            address, tools=[WEATHER], tool_choice={"type": "function", "function": {"name": "get_wether"}}
        ).text
    )
    assert post(address, tool_choice="required").status_code == 400


# -- strict JSON -----------------------------------------------------------------------------------------


def test_a_schema_binds_the_reply(client: openai.OpenAI):
    reply = client.chat.completions.create(model=MODEL, messages=CAR, response_format=PERSON)
    assert Person.model_validate_json(reply.choices[0].message.content) == Person(
        name="Maria Silva", age=34, city="Lisbon"
    )
    reply = client.chat.completions.create(model=MODEL, messages=HELLO, response_format=PERSON)
    assert reply.choices[0].finish_reason in ("stop", "length")


def test_the_client_parses_into_a_pydantic_model(client: openai.OpenAI):
    reply = client.chat.completions.parse(model=MODEL, messages=CAR, response_format=Person)
    assert reply.choices[0].message.parsed == Person(name="Maria Silva", age=34, city="Lisbon")


def test_every_kind_of_structured_output_has_its_name(address: str):
    def said(**body: Any) -> str:
        reply = post(address, messages=HELLO, max_tokens=40, **body)
        assert reply.status_code == 200, reply.text
        return reply.json()["choices"][0]["message"]["content"]

    assert said(structured_outputs={"choice": ["blue", "green"]}) in ("blue", "green")
    assert said(guided_choice=["blue", "green"]) in ("blue", "green")
    assert said(guided_regex="[ab]{3}c").endswith("c")
    assert said(guided_grammar='root ::= "x" | "y"') in ("x", "y")
    assert isinstance(json.loads(said(guided_json={"type": "integer", "maximum": 9})), int)
    assert said(response_format={"type": "text"}) == said()
    tag = {"begin": "<a>", "schema": {"const": 1}, "end": "</a>"}
    said(response_format={"type": "structural_tag", "structures": [tag], "triggers": ["<a>"]})


def test_two_forms_for_one_reply_are_refused(address: str):
    reply = post(address, response_format=PERSON, guided_regex="a")
    assert reply.status_code == 400 and "response_format and guided_regex" in reply.json()["error"]["message"]
    both = post(address, tools=[WEATHER], tool_choice="required", guided_regex="a")
    assert both.status_code == 400 and both.json()["error"]["param"] == "tool_choice"


def test_a_schema_and_tools_go_together(address: str):
    """The reply is a call, or text of the schema."""
    reply = post(address, messages=OSLO, tools=[WEATHER], response_format=PERSON).json()["choices"][0]
    assert reply["message"]["tool_calls"][0]["function"]["name"] == "get_weather"
    reply = post(address, messages=CAR, tools=[WEATHER], response_format=PERSON).json()["choices"][0]
    assert Person.model_validate_json(reply["message"]["content"]).name
    reply = post(
        address, messages=CAR, tools=[WEATHER], response_format=PERSON, tool_choice="required"
    ).json()["choices"][0]
    assert reply["message"]["tool_calls"]


# -- what is refused -------------------------------------------------------------------------------------

BAD = [
    ({"messages": []}, "messages"),
    ({"messages": "hi"}, "messages"),
    ({"messages": [{"content": "x"}]}, "messages.0.role"),
    ({"messages": [{"role": "user", "content": 7}]}, "messages.0.content"),
    ({"messages": [{"role": "a\nb", "content": "x"}]}, "messages.0.role"),
    ({"temperature": "hot"}, "temperature"),
    ({"temperature": -1}, "temperature"),
    ({"temperature": math.nan}, None),
    ({"temperature": math.inf}, None),
    ({"top_p": 0}, "top_p"),
    ({"n": 0}, "n"),
    ({"n": 2**31}, "n"),
    ({"n": 129}, "n"),
    ({"n": 1.5}, "n"),
    ({"n": True}, "n"),
    ({"max_tokens": 0}, "max_tokens"),
    ({"max_tokens": -5}, "max_tokens"),
    ({"max_tokens": "10"}, "max_tokens"),
    ({"stop": [""]}, "stop"),
    ({"stop": [1]}, "stop.0"),
    ({"stop": ["x"] * 1000}, "stop"),
    ({"stop": "x" * 10_000}, "stop"),
    ({"logit_bias": {"a": 1}}, "logit_bias"),
    ({"logit_bias": {"1": 1000}}, "logit_bias"),
    ({"logit_bias": {"99999999": 1}}, None),
    ({"stop_token_ids": [-1]}, "stop_token_ids"),
    ({"allowed_token_ids": []}, "allowed_token_ids"),
    ({"seed": 2**70}, "seed"),
    ({"seed": "x"}, "seed"),
    ({"stream": "yes"}, "stream"),
    ({"stream_options": {"include_usage": True}}, "stream_options"),
    ({"top_logprobs": 2}, "top_logprobs"),
    ({"logprobs": True, "top_logprobs": 1000}, None),
    ({"logprobs": 5}, "logprobs"),
    ({"min_tokens": 9, "max_tokens": 3}, "min_tokens"),
    ({"tools": [{"type": "web_search"}]}, "tools.0.type"),
    ({"tools": [{"type": "function", "function": {"name": ""}}]}, "tools.0.function.name"),
    ({"tools": [WEATHER, WEATHER]}, "tools.1"),
    ({"response_format": {"type": "xml"}}, "response_format.type"),
    ({"response_format": {"type": "json_schema"}}, "response_format.json_schema"),
    (
        {"response_format": {"type": "json_schema", "json_schema": {"name": "x", "schema": 7}}},
        "response_format.json_schema.schema",
    ),
    (
        {"response_format": {"type": "json_schema", "json_schema": {"schema": {"type": "frob"}}}},
        "response_format",
    ),
    ({"guided_regex": "("}, "guided_regex"),
    ({"guided_json": 7}, "guided_json"),
    ({"guided_json": {"type": "frob"}}, "guided_json"),
    ({"guided_grammar": "root := ("}, "guided_grammar"),
    ({"structured_outputs": {"json": [1]}}, "structured_outputs.json"),
    ({"structured_outputs": {"regex": "("}}, "structured_outputs"),
    (
        {"tools": [WEATHER | {"function": {"name": "f", "parameters": {"type": "frob"}, "strict": True}}]},
        "tools",
    ),
    ({"stop": [1]}, "stop.0"),
    ({"allowed_token_ids": [10**6]}, "allowed_token_ids"),
    ({"logit_bias": {"1000000": 1.0}}, "logit_bias"),
    ({"structured_outputs": {"regex": "a", "choice": ["b"]}}, "structured_outputs"),
    ({"modalities": ["audio"]}, "modalities"),
    ({"functions": [{"name": "x"}]}, "functions"),
    ({"kv_transfer_params": {"host": "x"}}, "kv_transfer_params"),
    ({"chat_template_kwargs": {"messages": []}}, "chat_template_kwargs"),
    ({"chat_template_kwargs": {"tokenize": False}}, "chat_template_kwargs"),
    ({"chat_template": "{{ '"}, None),
    ({"chat_template": "{% for i in range(10**9) %}x{% endfor %}"}, None),
    ({"chat_template": "{{ ''.__class__.__mro__ }}"}, None),
    ({"cache_salt": ""}, "cache_salt"),
    ({"add_generation_prompt": True, "continue_final_message": True}, None),
    ({"messages": [{"role": "user", "content": "hi " * 9000}]}, "messages"),
]


@pytest.mark.parametrize(("body", "param"), BAD, ids=lambda v: str(v)[:60])
@pytest.mark.parametrize("stream", [False, True], ids=["whole", "stream"])
def test_a_wrong_request_is_refused_with_its_field(address: str, body: Any, param: str | None, stream: bool):
    reply = post(address, **{"stream": stream, **body})
    if body.get("stream_options") and stream:
        assert reply.status_code == 200
        return
    assert reply.status_code == 400, reply.text
    error = reply.json()["error"]
    assert error["type"] == "invalid_request_error" and error["message"]
    if param is not None:
        assert error["param"] == param


@pytest.mark.parametrize(
    "part",
    [
        {"type": "image_url", "image_url": {"url": "http://127.0.0.1:1/x.png"}},
        {"type": "image_url", "image_url": {"url": "file:///etc/passwd"}},
        {"type": "input_audio", "input_audio": {"data": "AAAA", "format": "wav"}},
        {"type": "video_url", "video_url": {"url": "http://[::ffff:127.0.0.1]/"}},
        {"type": "file", "file": {"file_id": "x"}},
        {"type": "text"},
        {},
        7,
    ],
    ids=str,
)
def test_anything_but_text_is_refused_and_nothing_is_fetched(address: str, part: Any):
    reply = post(address, messages=[{"role": "user", "content": [part]}])
    assert reply.status_code == 400 and reply.json()["error"]["param"] == "messages.0.content.0"


def test_errors_have_the_clients_own_classes(client: openai.OpenAI):
    with pytest.raises(openai.NotFoundError) as found:
        client.chat.completions.create(model="gpt-9", messages=SUM)
    assert found.value.code == "model_not_found" and found.value.param == "model"
    with pytest.raises(openai.BadRequestError) as found:
        client.chat.completions.create(model=MODEL, messages=[{"role": "user", "content": "hi " * 9000}])
    assert found.value.code == "context_length_exceeded" and "2,047" in found.value.message
    with pytest.raises(openai.NotFoundError):
        client.models.retrieve("gpt-9")


def test_the_models_are_listed(client: openai.OpenAI):
    (model,) = client.models.list().data
    assert model.id == MODEL and model.owned_by == "quire" and model.created > 0
    assert model.model_extra["max_model_len"] == 2048
    assert client.models.retrieve(MODEL).id == MODEL


# -- langchain -------------------------------------------------------------------------------------------


def test_langchain_invokes_streams_binds_tools_and_gets_structured_output(address: str):
    langchain_openai = pytest.importorskip("langchain_openai")
    chat = langchain_openai.ChatOpenAI(
        model=MODEL, base_url=f"{address}/v1", api_key="none", temperature=0, max_retries=0
    )
    assert chat.invoke("What is 347 + 586?").content == "347 + 586 = 933"
    assert "".join(part.content for part in chat.stream("What is 347 + 586?")) == "347 + 586 = 933"

    bound = chat.bind_tools([WEATHER])
    (call,) = bound.invoke("What is the weather in Oslo?").tool_calls
    assert (call["name"], call["args"]) == ("get_weather", {"city": "Oslo"})
    whole = None
    for part in bound.stream("What is the weather in Oslo?"):
        whole = part if whole is None else whole + part
    assert whole is not None and whole.tool_calls[0]["args"] == {"city": "Oslo"}

    for method in ("json_schema", "function_calling"):
        person = chat.with_structured_output(Person, method=method).invoke(CAR[0]["content"])
        assert isinstance(person, Person) and person.name == "Maria Silva"


# -- reasoning -------------------------------------------------------------------------------------------


class Reciting(LocalEngine):
    """quire-tiny does not reason; here an expression binds all of a reply and makes it write as if it did."""

    def generate(self, prompt: Any, params: SamplingParams, request_id: str, **options: Any) -> Any:
        return super().generate(prompt, replace(params, structured_outputs_after=None), request_id, **options)


def test_reasoning_is_told_apart_and_counted_in_stream_and_whole():
    engine = Reciting(cpu_threads=1, kv_cache_memory_bytes=32 << 20)
    server = Server(engine, engine.config, ServerConfig(reasoning_parser="think"), [MODEL])
    body = {
        "messages": HELLO,
        "guided_regex": "<think>\\nfirst one thing, then another\\n</think>\\n\\nSo it is\\.",
        "max_tokens": 100,
    }

    async def story() -> None:
        transport = httpx.ASGITransport(app=build_app(server))
        async with httpx.AsyncClient(transport=transport, base_url="http://here") as client:
            whole = (await client.post("/v1/chat/completions", json=body)).json()
            message = whole["choices"][0]["message"]
            assert message["content"] == "So it is."
            assert message["reasoning_content"] == message["reasoning"] == "first one thing, then another"
            count = whole["usage"]["completion_tokens_details"]["reasoning_tokens"]
            assert 5 < count < whole["usage"]["completion_tokens"]

            options = {"stream": True, "stream_options": {"include_usage": True}}
            text = (await client.post("/v1/chat/completions", json={**body, **options})).text
            chunks = [json.loads(e[6:]) for e in text.split("\n\n") if e.startswith("data: {")]
            assert without_ids(fold(chunks)) == without_ids(whole)
            assert len(chunks) > 5

            body["include_reasoning"] = False
            quiet = (await client.post("/v1/chat/completions", json=body)).json()
            assert "reasoning" not in quiet["choices"][0]["message"]
            assert quiet["choices"][0]["message"]["content"] == "So it is."

    try:
        asyncio.run(story())
    finally:
        engine.shutdown()


@pytest.mark.parametrize(
    ("form", "reads"),
    [
        ({"guided_regex": "[0-9]{3}"}, str.isdigit),
        ({"guided_choice": ["yes", "no"]}, ("yes", "no").__contains__),
        ({"guided_json": {"type": "integer", "maximum": 9, "minimum": 0}}, str.isdigit),
        ({"guided_grammar": 'root ::= "+" [0-9]'}, lambda text: text[:1] == "+" and text[1:].isdigit()),
    ],
    ids=["regex", "choice", "json", "grammar"],
)
def test_every_form_binds_a_reply_with_or_without_reasoning(bracketed: str, form: Any, reads: Any):
    """quire-tiny does not think by itself: a message that it goes on from begins to, and a bias ends it."""
    tokenizer = load_tokenizer(embedded_folder(MODEL))
    begins, ends = (tokenizer.encode(mark, add_special_tokens=False)[0] for mark in "()")
    bias = {str(begins): -100.0}
    plain = post(bracketed, messages=HELLO, max_tokens=30, logit_bias=bias, **form).json()["choices"][0]
    assert reads(plain["message"]["content"]) and not plain["message"].get("reasoning")
    ask = {
        "messages": [*HELLO, {"role": "assistant", "content": "("}],
        "continue_final_message": True,
        "logit_bias": {str(ends): 8.0},
    }
    thought = post(bracketed, **ask, max_tokens=200, **form).json()["choices"][0]
    assert reads(thought["message"]["content"]) and thought["finish_reason"] == "stop"


@pytest.fixture(scope="module")
def bracketed() -> Iterator[str]:
    """A server that takes what stands in brackets for reasoning."""
    engine = LocalEngine(cpu_threads=1, kv_cache_memory_bytes=32 << 20)
    REASONING["brackets"] = Tags("(", ")")
    options = ServerConfig(reasoning_parser="brackets")
    url, web, thread = start(Server(engine, engine.config, options, [MODEL]))
    yield url
    web.should_exit = True
    thread.join(10)
    engine.shutdown()
    del REASONING["brackets"]


# -- who leaves ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "stream"])
def test_a_client_that_hangs_up_ends_its_request(stream: bool):
    engine = LocalEngine(cpu_threads=1, kv_cache_memory_bytes=32 << 20)
    server = Server(engine, engine.config, ServerConfig(), [MODEL])
    url, web, thread = start(server)
    body = {"messages": HELLO, "max_tokens": 1800, "ignore_eos": True, "stream": stream, "n": 2}
    try:
        with pytest.raises(httpx.ReadTimeout):
            if stream:
                with httpx.stream("POST", f"{url}/v1/chat/completions", json=body, timeout=0.5) as reply:
                    next(reply.iter_bytes())
                    raise httpx.ReadTimeout("enough")
            httpx.post(f"{url}/v1/chat/completions", json=body, timeout=0.5)
        inner = engine.inner.engine
        end = time.monotonic() + 5
        while inner.unfinished and time.monotonic() < end:
            time.sleep(0.01)
        assert inner.unfinished == 0 and inner.core.scheduler.kv.pool.held == 0
        assert inner.stats.aborted == 2
    finally:
        web.should_exit = True
        thread.join(10)
        engine.shutdown()
