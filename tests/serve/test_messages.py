"""/v1/messages with the anthropic client: create, stream, tools, stop sequences, counting, refusals."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import anthropic
import httpx
import pytest
from tests.serve.conftest import named_events, start

from quire.server.local import LocalEngine
from quire.server.options import ServerConfig
from quire.server.state import Server

MODEL = "quire-tiny"
WEATHER: Any = {
    "name": "get_weather",
    "description": "Get the current weather in a city.",
    "input_schema": {
        "type": "object",
        "properties": {"city": {"type": "string", "description": "The city."}},
        "required": ["city"],
    },
}
ALARM: Any = {
    "name": "set_alarm",
    "description": "Set an alarm.",
    "input_schema": {"type": "object", "properties": {"time": {"type": "string"}}, "required": ["time"]},
}
OSLO: Any = {"messages": [{"role": "user", "content": "What is the weather in Oslo?"}]}


@pytest.fixture(scope="module")
def client(address: str) -> anthropic.Anthropic:
    return anthropic.Anthropic(base_url=address, api_key="none", max_retries=0, timeout=60)


@pytest.fixture(scope="module")
def keyed() -> Iterator[str]:
    engine = LocalEngine(max_num_seqs=4, kv_cache_memory_bytes=64 * 2**20)
    url, web, thread = start(Server(engine, engine.config, ServerConfig(api_key="secret"), [MODEL]))
    yield url
    web.should_exit = True
    thread.join(10)
    engine.shutdown()


def fields_of(fields: dict[str, Any]) -> dict[str, Any]:
    usual = {"model": MODEL, "max_tokens": 100, "messages": [{"role": "user", "content": "What is 2 + 3?"}]}
    return {**usual, "extra_body": {"temperature": 0}, **fields}


def say(client: anthropic.Anthropic, **fields: Any) -> anthropic.types.Message:
    message = client.messages.create(**fields_of(fields))
    assert isinstance(message, anthropic.types.Message)
    return message


def text_of(message: Any) -> str:
    return "".join(block.text for block in message.content if block.type == "text")


def raw(address: str, path: str = "", **fields: Any) -> httpx.Response:
    usual = {"model": MODEL, "max_tokens": 100, "temperature": 0, "seed": 7}
    body = {**usual, "messages": [{"role": "user", "content": "What is 2 + 3?"}], **fields}
    return httpx.post(f"{address}/v1/messages{path}", json=body, timeout=60)


# -- messages --------------------------------------------------------------------------------------------


def test_a_message_gets_a_message(client: anthropic.Anthropic) -> None:
    reply = say(client)
    assert reply.type == "message" and reply.role == "assistant" and reply.model == MODEL
    assert "5" in text_of(reply) and reply.stop_reason == "end_turn" and reply.stop_sequence is None
    assert reply.usage.input_tokens + (reply.usage.cache_read_input_tokens or 0) > 5
    assert reply.usage.output_tokens > 0 and reply.id.startswith("msg_")


def test_blocks_and_text_are_read_alike(client: anthropic.Anthropic) -> None:
    text = text_of(say(client))
    block = {"type": "text", "text": "What is 2 + 3?", "cache_control": {"type": "ephemeral"}}
    assert text_of(say(client, messages=[{"role": "user", "content": [block]}])) == text


def test_a_system_prompt_is_text_or_blocks(client: anthropic.Anthropic) -> None:
    plain = client.messages.count_tokens(model=MODEL, messages=OSLO["messages"]).input_tokens
    text = client.messages.count_tokens(model=MODEL, system="Be brief.", **OSLO).input_tokens
    block: Any = [{"type": "text", "text": "Be brief."}]
    assert text == client.messages.count_tokens(model=MODEL, system=block, **OSLO).input_tokens > plain
    assert say(client, system="Be brief.").content


def test_turns_of_one_role_are_one_turn(client: anthropic.Anthropic) -> None:
    def count(*texts: str) -> int:
        messages: Any = [{"role": "user", "content": text} for text in texts]
        return client.messages.count_tokens(model=MODEL, messages=messages).input_tokens

    assert count("What is ", "2 + 3?") <= count("What is 2 + 3?") + 2


def test_a_message_of_the_models_is_continued(client: anthropic.Anthropic) -> None:
    messages = [{"role": "user", "content": "What is 2 + 3?"}, {"role": "assistant", "content": "2 + 3 ="}]
    assert text_of(say(client, messages=messages)).strip().startswith("5")


def test_a_message_that_is_cut_off_says_so(client: anthropic.Anthropic) -> None:
    reply = say(client, max_tokens=2)
    assert reply.stop_reason == "max_tokens" and reply.usage.output_tokens == 2


def test_a_stop_sequence_ends_a_message_and_is_named(client: anthropic.Anthropic) -> None:
    whole = text_of(say(client))
    reply = say(client, stop_sequences=["nowhere", "5"])
    assert reply.stop_reason == "stop_sequence" and reply.stop_sequence == "5"
    assert text_of(reply) == whole[: whole.index("5")]


def test_what_came_from_the_cache_is_counted_apart(client: anthropic.Anthropic) -> None:
    messages: Any = [{"role": "user", "content": "Repeat after me: " + "a lazy brown dog, " * 20}]
    say(client, messages=messages, max_tokens=1)
    usage = say(client, messages=messages, max_tokens=1).usage
    total = client.messages.count_tokens(model=MODEL, messages=messages).input_tokens
    assert usage.cache_read_input_tokens and usage.input_tokens + usage.cache_read_input_tokens == total


def test_a_message_keeps_to_a_schema(client: anthropic.Anthropic) -> None:
    schema = {
        "type": "object",
        "properties": {"name": {"type": "string"}, "age": {"type": "integer"}},
        "required": ["name", "age"],
        "additionalProperties": False,
    }
    form = {"format": {"type": "json_schema", "schema": schema}}
    messages = [{"role": "user", "content": "Extract as JSON: Ada is 36 years old."}]
    reply = say(client, messages=messages, output_config=form)
    assert set(json.loads(text_of(reply))) == {"name", "age"}


# -- streams ---------------------------------------------------------------------------------------------

CASES: dict[str, dict[str, Any]] = {
    "text": {},
    "cut off": {"max_tokens": 2},
    "stop sequence": {"stop_sequences": ["5"]},
    "a call": {**OSLO, "tools": [WEATHER]},
    "a call cut off": {**OSLO, "tools": [WEATHER], "tool_choice": {"type": "any"}, "max_tokens": 18},
}


@pytest.mark.parametrize("fields", CASES.values(), ids=CASES)
def test_a_whole_message_is_what_the_stream_adds_up_to(address: str, fields: dict[str, Any]) -> None:
    whole = raw(address, **fields).json()
    streamed = raw(address, stream=True, **fields)
    events = named_events(streamed.text)
    kinds = [event["type"] for event in events]
    assert kinds[0] == "message_start" and kinds[-2:] == ["message_delta", "message_stop"] and "ping" in kinds
    texts = [""] * len(whole["content"])
    for event in events:
        if event["type"] == "content_block_delta":
            texts[event["index"]] += event["delta"].get("text", event["delta"].get("partial_json"))
    for block, text in zip(whole["content"], texts, strict=True):
        assert text == block["text"] if block["type"] == "text" else text.startswith("{")
    assert events[-2]["delta"] == {name: whole[name] for name in ("stop_reason", "stop_sequence")}
    assert events[-2]["usage"]["output_tokens"] == whole["usage"]["output_tokens"]


@pytest.mark.parametrize("fields", CASES.values(), ids=CASES)
def test_the_stream_helper_builds_the_same_message(
    client: anthropic.Anthropic, fields: dict[str, Any]
) -> None:
    whole = say(client, **fields)
    asked = fields_of(fields)
    with client.messages.stream(**asked) as stream:
        pieces = list(stream.text_stream)
        final = stream.get_final_message()
    assert "".join(pieces) == text_of(final) == text_of(whole)
    assert [b.model_dump(exclude={"id", "parsed_output"}) for b in final.content] == [
        b.model_dump(exclude={"id"}) for b in whole.content
    ]
    assert (final.stop_reason, final.stop_sequence) == (whole.stop_reason, whole.stop_sequence)
    assert final.usage.output_tokens == whole.usage.output_tokens


def test_the_async_client_streams_too(address: str) -> None:
    async def story() -> str:
        client = anthropic.AsyncAnthropic(base_url=address, api_key="none", max_retries=0)
        async with client.messages.stream(**fields_of({})) as stream:
            return "".join([text async for text in stream.text_stream])

    assert "5" in asyncio.run(story())


# -- tools -----------------------------------------------------------------------------------------------


def test_a_tool_is_called_answered_and_told(client: anthropic.Anthropic) -> None:
    first = say(client, **OSLO, tools=[WEATHER, ALARM])
    (call,) = [block for block in first.content if block.type == "tool_use"]
    assert first.stop_reason == "tool_use" and call.name == "get_weather" and call.input == {"city": "Oslo"}
    result = {"type": "tool_result", "tool_use_id": call.id, "content": '{"temperature": 7}'}
    messages = [
        *OSLO["messages"],
        {"role": "assistant", "content": [block.model_dump(exclude_none=True) for block in first.content]},
        {"role": "user", "content": [result]},
    ]
    second = say(client, messages=messages, tools=[WEATHER, ALARM])
    assert "7" in text_of(second) and second.stop_reason == "end_turn"
    result["content"] = [{"type": "text", "text": '{"temperature": 7}'}]
    assert text_of(say(client, messages=messages, tools=[WEATHER, ALARM])) == text_of(second)


@pytest.mark.parametrize("choice", [{"type": "any"}, {"type": "tool", "name": "set_alarm"}])
def test_a_call_can_be_demanded(client: anthropic.Anthropic, choice: dict[str, str]) -> None:
    messages = [{"role": "user", "content": "Set an alarm for 7:30"}]
    reply = say(client, messages=messages, tools=[WEATHER, ALARM], tool_choice=choice)
    calls = [block for block in reply.content if block.type == "tool_use"]
    assert calls and calls[0].name == "set_alarm" and reply.stop_reason == "tool_use"
    assert set(calls[0].input) == {"time"}


def test_a_call_can_be_ruled_out(client: anthropic.Anthropic) -> None:
    reply = say(client, **OSLO, tools=[WEATHER], tool_choice={"type": "none"})
    assert all(block.type == "text" for block in reply.content) and reply.stop_reason != "tool_use"


def test_one_call_at_a_time_if_asked(client: anthropic.Anthropic) -> None:
    text = "What is the weather in Oslo? And what is the weather in Rome?"
    choice = {"type": "any", "disable_parallel_tool_use": True}
    messages = [{"role": "user", "content": text}]
    reply = say(client, messages=messages, tools=[WEATHER], tool_choice=choice)
    assert len([block for block in reply.content if block.type == "tool_use"]) == 1


# -- counting, keys, refusals ----------------------------------------------------------------------------


def test_tokens_are_counted_as_a_message_would_be_read(client: anthropic.Anthropic) -> None:
    for fields in ({}, {"system": "Be brief."}, {"tools": [WEATHER]}):
        counted = client.messages.count_tokens(model=MODEL, **OSLO, **fields).input_tokens  # type: ignore[arg-type]
        usage = say(client, **OSLO, **fields).usage
        assert counted == usage.input_tokens + (usage.cache_read_input_tokens or 0)


def test_a_key_is_shown_in_either_header(keyed: str) -> None:
    assert say(anthropic.Anthropic(base_url=keyed, api_key="secret", max_retries=0)).content
    assert say(anthropic.Anthropic(base_url=keyed, auth_token="secret", max_retries=0)).content
    with pytest.raises(anthropic.AuthenticationError) as told:
        say(anthropic.Anthropic(base_url=keyed, api_key="wrong", max_retries=0))
    assert told.value.body == {
        "type": "error",
        "error": {"type": "authentication_error", "message": told.value.body["error"]["message"]},  # type: ignore[index]
    }


IMAGE = {"type": "image", "source": {"type": "url", "url": "http://169.254.169.254/latest"}}


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"messages": []}, "messages"),
        ({"messages": [{"role": "user", "content": [IMAGE]}]}, "image"),
        ({"messages": [{"role": "tool", "content": "Hi"}]}, "role"),
        ({"messages": [{"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1"}]}]}, "t1"),
        ({"messages": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": ""}]}, "continue"),
        ({"max_tokens": 0}, "max_tokens"),
        ({"max_tokens": None}, "max_tokens"),
        ({"temperature": -0.5}, "temperature"),
        ({"stop_sequences": [""]}, "stop"),
        ({"tools": [{"type": "web_search_20250305", "name": "web_search"}]}, "web_search_20250305"),
        ({"tools": [{"name": "a"}]}, "input_schema"),
        ({"tools": [WEATHER], "tool_choice": {"type": "tool", "name": "nobody"}}, "nobody"),
        ({"tools": [WEATHER], "tool_choice": {"type": "tool"}}, "name"),
        ({"tool_choice": {"type": "any"}}, "tool"),
        ({"mcp_servers": [{"url": "http://x"}]}, "mcp_servers"),
        ({"model": "claude-9"}, "claude-9"),
        ({"messages": [{"role": "user", "content": "word " * 5000}]}, "tokens"),
        ({"output_config": {"format": {"type": "json_schema", "schema": {"type": "wrong"}}}}, "wrong"),
    ],
)
def test_what_cannot_be_done_is_refused_in_anthropics_shape(address: str, fields: Any, told: str) -> None:
    for stream in (False, True):
        reply = raw(address, **{"stream": stream, **fields})
        assert reply.status_code in (400, 404), reply.text
        body = reply.json()
        assert body["type"] == "error" and told in body["error"]["message"]
        assert body["error"]["type"] in ("invalid_request_error", "not_found_error")


def test_numbers_and_text_no_json_can_hold_are_refused_everywhere(address: str) -> None:
    head = '"model": "quire-tiny", "messages": [{"role": "user", "content"'
    huge = "9" * 30
    bodies = [
        "{" + head + ': "\\ud800"}], "max_tokens": 5}',
        "{" + head + f': "a"}}], "max_tokens": {huge}}}',
        "{" + head + f': [{{"type": "text", "text": "a", "x": {huge}}}]}}], "max_tokens": 5}}',
        "{" + head + ': "a"}], "max_tokens": 5, "temperature": NaN}',
    ]
    for body in bodies:
        for path in ("", "/count_tokens"):
            reply = httpx.post(
                f"{address}/v1/messages{path}",
                content=body,
                headers={"content-type": "application/json"},
                timeout=60,
            )
            assert reply.status_code < 500, (body, reply.text)
