"""/v1/responses with the openai client: create, stream, stored conversations, tools, JSON, refusals."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import openai
import pytest
from pydantic import BaseModel
from tests.serve.conftest import named_events, start

from quire.server.local import LocalEngine
from quire.server.options import ServerConfig
from quire.server.state import Server

MODEL = "quire-tiny"
WEATHER: Any = {
    "type": "function",
    "name": "get_weather",
    "description": "Get the current weather in a city.",
    "parameters": {
        "type": "object",
        "properties": {"city": {"type": "string", "description": "The city."}},
        "required": ["city"],
        "additionalProperties": False,
    },
    "strict": True,
}
ALARM: Any = {
    "type": "function",
    "name": "set_alarm",
    "description": "Set an alarm.",
    "parameters": {"type": "object", "properties": {"time": {"type": "string"}}, "required": ["time"]},
    "strict": False,
}


@pytest.fixture(scope="module")
def client(address: str) -> openai.OpenAI:
    return openai.OpenAI(base_url=f"{address}/v1", api_key="none", max_retries=0, timeout=60)


@pytest.fixture(scope="module")
def keyed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Two tenants, a store of four replies that are read through a file, one background reply at a time."""
    keys = tmp_path_factory.mktemp("keys") / "keys"
    keys.write_text("ann key-of-ann\nben key-of-ben\n")
    engine = LocalEngine(max_num_seqs=16, kv_cache_memory_bytes=64 * 2**20)
    options = ServerConfig(
        api_key_file=str(keys), api_server_count=2, response_store_size=4, max_background_responses=1
    )
    folder = str(tmp_path_factory.mktemp("private"))
    url, web, thread = start(Server(engine, engine.config, options, [MODEL], folder=folder))
    assert Path(folder).stat()
    yield url
    web.should_exit = True
    thread.join(10)
    engine.shutdown()


def of(url: str, name: str) -> openai.OpenAI:
    return openai.OpenAI(base_url=f"{url}/v1", api_key=f"key-of-{name}", max_retries=0, timeout=60)


def ask(client: openai.OpenAI, **fields: Any) -> Any:
    return client.responses.create(**{"model": MODEL, "temperature": 0, "input": "What is 2 + 3?", **fields})


def raw(address: str, **fields: Any) -> httpx.Response:
    body = {"model": MODEL, "temperature": 0, "input": "What is 2 + 3?", **fields}
    return httpx.post(f"{address}/v1/responses", json=body, timeout=60)


# -- replies ---------------------------------------------------------------------------------------------


def test_text_gets_a_reply_with_usage(client: openai.OpenAI) -> None:
    reply = ask(client)
    assert reply.status == "completed" and reply.object == "response" and reply.id.startswith("resp_")
    assert "5" in reply.output_text
    assert reply.output[0].type == "message" and reply.output[0].role == "assistant"
    assert reply.usage.input_tokens > 5 and reply.usage.output_tokens > 0
    assert reply.usage.total_tokens == reply.usage.input_tokens + reply.usage.output_tokens


def test_what_was_asked_is_said_again(client: openai.OpenAI) -> None:
    reply = ask(client, metadata={"run": "7"}, instructions="Be brief.", top_p=0.5, max_output_tokens=64)
    assert reply.metadata == {"run": "7"} and reply.instructions == "Be brief."
    assert reply.temperature == 0 and reply.top_p == 0.5 and reply.max_output_tokens == 64
    assert reply.model == MODEL and reply.error is None and reply.truncation == "disabled"


def test_items_and_text_are_read_alike(client: openai.OpenAI) -> None:
    text = ask(client).output_text
    for content in ("What is 2 + 3?", [{"type": "input_text", "text": "What is 2 + 3?"}]):
        short = ask(client, input=[{"role": "user", "content": content}])
        long = ask(client, input=[{"type": "message", "role": "user", "content": content}])
        assert short.output_text == long.output_text == text


def test_a_reply_that_is_cut_off_is_incomplete(client: openai.OpenAI) -> None:
    reply = ask(client, input="Who are you?", max_output_tokens=2)
    assert reply.status == "incomplete" and reply.incomplete_details.reason == "max_output_tokens"
    assert reply.output[0].status == "incomplete" and reply.usage.output_tokens == 2


def test_a_repeated_prompt_comes_from_the_cache(client: openai.OpenAI) -> None:
    long = "Repeat after me: " + "a quick brown fox, " * 20
    ask(client, input=long, max_output_tokens=1)
    again = ask(client, input=long, max_output_tokens=1)
    assert again.usage.input_tokens_details.cached_tokens > 0


def test_logprobs_are_those_of_the_text(client: openai.OpenAI) -> None:
    reply = ask(client, include=["message.output_text.logprobs"], top_logprobs=2)
    part = reply.output[0].content[0]
    assert "".join(entry.token for entry in part.logprobs) == part.text
    assert all(len(entry.top_logprobs) == 2 and entry.logprob <= 0 for entry in part.logprobs)


# -- streams ---------------------------------------------------------------------------------------------


CASES: dict[str, dict[str, Any]] = {
    "text": {},
    "cut off": {"input": "Who are you?", "max_output_tokens": 3},
    "a call": {"input": "What is the weather in Oslo?", "tools": [WEATHER]},
    "two tools": {"input": "Set an alarm for 7:30", "tools": [WEATHER, ALARM]},
    "required": {"input": "Hello!", "tools": [WEATHER], "tool_choice": "required"},
    "json": {"input": "Answer in JSON: name is Ada, age is 36", "text": {"format": {"type": "json_object"}}},
    "logprobs": {"include": ["message.output_text.logprobs"], "top_logprobs": 1},
}


def plain(reply: dict[str, Any]) -> dict[str, Any]:
    """A reply without what is new in each: ids, times and what the cache had."""
    reply = json.loads(json.dumps(reply))
    for name in ("id", "created_at", "completed_at"):
        reply.pop(name)
    reply["usage"].pop("input_tokens_details")
    for item in reply["output"]:
        item.pop("id")
        item.pop("call_id", None)
        for part in item.get("content") or ():
            for entry in part.pop("logprobs", ()):
                assert entry["logprob"] <= 0
    return reply


@pytest.mark.parametrize("fields", CASES.values(), ids=CASES)
def test_a_whole_reply_is_what_the_stream_adds_up_to(address: str, fields: dict[str, Any]) -> None:
    whole = raw(address, seed=7, **fields).json()
    streamed = raw(address, seed=7, stream=True, **fields)
    assert streamed.headers["content-type"].startswith("text/event-stream")
    events = named_events(streamed.text)
    assert [event["sequence_number"] for event in events] == list(range(len(events)))
    last = events[-1]["response"]
    assert plain(last) == plain(whole)
    items: list[str] = [""] * len(last["output"])
    for event in events:
        if event["type"].endswith(".delta"):
            items[event["output_index"]] += event["delta"]
    told = [i["content"][0]["text"] if i["type"] == "message" else i["arguments"] for i in last["output"]]
    assert items == told


def test_the_stream_helper_follows_every_event(client: openai.OpenAI) -> None:
    kinds, text = [], ""
    with client.responses.stream(model=MODEL, input="What is 2 + 3?", temperature=0) as stream:
        for event in stream:
            kinds.append(event.type)
            if event.type == "response.output_text.delta":
                text += event.delta
        final = stream.get_final_response()
    assert kinds[:2] == ["response.created", "response.in_progress"] and kinds[-1] == "response.completed"
    assert final.output_text == text != ""
    for kind in ("output_item.added", "content_part.added", "output_text.done", "content_part.done"):
        assert f"response.{kind}" in kinds


def test_the_async_client_streams_too(address: str) -> None:
    async def story() -> str:
        client = openai.AsyncOpenAI(base_url=f"{address}/v1", api_key="none", max_retries=0)
        stream = await client.responses.create(
            model=MODEL, input="What is 2 + 3?", temperature=0, stream=True
        )
        return "".join([e.delta async for e in stream if e.type == "response.output_text.delta"])

    assert "5" in asyncio.run(story())


def test_a_stream_that_is_refused_has_a_status(client: openai.OpenAI) -> None:
    with pytest.raises(openai.BadRequestError, match="tokens"):
        ask(client, input="word " * 5000, stream=True)


# -- conversations ---------------------------------------------------------------------------------------


def test_a_stored_reply_is_gone_on_from(client: openai.OpenAI) -> None:
    first = ask(client, input="What is 2 + 3?")
    second = ask(client, input="What is 4 + 4?", previous_response_id=first.id)
    assert second.previous_response_id == first.id
    turns = [
        {"role": "user", "content": "What is 2 + 3?"},
        {"role": "assistant", "content": first.output_text},
        {"role": "user", "content": "What is 4 + 4?"},
    ]
    by_hand = ask(client, input=turns)
    assert by_hand.output_text == second.output_text
    assert by_hand.usage.input_tokens == second.usage.input_tokens
    third = ask(client, input="Thanks!", previous_response_id=second.id)
    assert third.usage.input_tokens > second.usage.input_tokens


def test_instructions_hold_for_one_reply(client: openai.OpenAI) -> None:
    first = ask(client, instructions="Speak like a pirate. " * 10)
    plain_first = ask(client)
    second = ask(client, input="Thanks!", previous_response_id=first.id)
    assert second.usage.input_tokens < first.usage.input_tokens + 40
    assert second.instructions is None and plain_first.usage.input_tokens < first.usage.input_tokens


def test_a_streamed_reply_is_stored_when_its_last_event_comes(client: openai.OpenAI) -> None:
    for event in ask(client, stream=True):
        last = event
    assert client.responses.retrieve(last.response.id).output_text == last.response.output_text


def test_a_stored_reply_can_be_fetched_listed_and_deleted(client: openai.OpenAI) -> None:
    reply = ask(client, input=[{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hi"}])
    assert client.responses.retrieve(reply.id).model_dump() == reply.model_dump()
    items = client.responses.input_items.list(reply.id, order="asc").data
    assert [(i.role, i.content[0].text) for i in items] == [("system", "Be brief."), ("user", "Hi")]  # type: ignore[union-attr]
    assert [i.id for i in client.responses.input_items.list(reply.id, limit=1)] == [i.id for i in items[::-1]]
    client.responses.delete(reply.id)
    with pytest.raises(openai.NotFoundError):
        client.responses.retrieve(reply.id)
    with pytest.raises(openai.NotFoundError, match="no stored reply"):
        ask(client, previous_response_id=reply.id)


def test_a_reply_with_store_off_is_not_kept(client: openai.OpenAI) -> None:
    reply = ask(client, store=False)
    with pytest.raises(openai.NotFoundError):
        client.responses.retrieve(reply.id)


def test_what_belongs_to_one_tenant_is_not_there_for_another(keyed: str) -> None:
    ann, ben = of(keyed, "ann"), of(keyed, "ben")
    reply = ask(ann)
    assert ann.responses.retrieve(reply.id).id == reply.id
    for attempt in (
        lambda: ben.responses.retrieve(reply.id),
        lambda: ben.responses.delete(reply.id),
        lambda: ben.responses.cancel(reply.id),
        lambda: ben.responses.input_items.list(reply.id),
        lambda: ask(ben, previous_response_id=reply.id),
    ):
        with pytest.raises(openai.NotFoundError) as told:
            attempt()
        assert "no stored reply" in str(told.value)
    assert ann.responses.retrieve(reply.id).id == reply.id


def test_the_store_drops_the_oldest_of_whoever_has_most(keyed: str) -> None:
    ann, ben = of(keyed, "ann"), of(keyed, "ben")
    bens = ask(ben)
    anns = [ask(ann) for _ in range(6)]
    assert ben.responses.retrieve(bens.id).id == bens.id
    assert ann.responses.retrieve(anns[-1].id).id == anns[-1].id
    with pytest.raises(openai.NotFoundError):
        ann.responses.retrieve(anns[0].id)


def test_a_conversation_whose_beginning_is_gone_is_refused(keyed: str) -> None:
    ann = of(keyed, "ann")
    first = ask(ann)
    second = ask(ann, input="Thanks!", previous_response_id=first.id)
    ann.responses.delete(first.id)
    with pytest.raises(openai.NotFoundError, match="not stored any more"):
        ask(ann, previous_response_id=second.id)


def test_truncation_drops_the_oldest_turns(client: openai.OpenAI) -> None:
    turns = [{"role": "user" if i % 2 == 0 else "assistant", "content": "word " * 100} for i in range(60)]
    turns.append({"role": "user", "content": "What is 2 + 3?"})
    with pytest.raises(openai.BadRequestError, match="tokens"):
        ask(client, input=turns)
    reply = ask(client, input=turns, truncation="auto", instructions="Answer.", max_output_tokens=40)
    assert 1000 < reply.usage.input_tokens <= 2048 - 40
    with pytest.raises(openai.BadRequestError, match="tokens"):
        ask(client, input="word " * 5000, truncation="auto")


# -- tools -----------------------------------------------------------------------------------------------


def test_a_tool_is_called_answered_and_told(client: openai.OpenAI) -> None:
    first = ask(client, input="What is the weather in Oslo?", tools=[WEATHER])
    (call,) = first.output
    assert call.type == "function_call" and call.name == "get_weather" and call.status == "completed"
    assert json.loads(call.arguments) == {"city": "Oslo"}
    told = {"type": "function_call_output", "call_id": call.call_id, "output": '{"temperature": 7}'}
    second = ask(client, input=[told], previous_response_id=first.id, tools=[WEATHER])
    assert second.output[0].type == "message" and "7" in second.output_text
    question = {"role": "user", "content": "What is the weather in Oslo?"}
    by_hand = ask(client, input=[question, call.model_dump(exclude_none=True), told], tools=[WEATHER])
    assert by_hand.output_text == second.output_text


@pytest.mark.parametrize(
    "choice",
    [
        "required",
        {"type": "function", "name": "get_weather"},
        {"type": "allowed_tools", "mode": "required", "tools": [{"type": "function", "name": "get_weather"}]},
    ],
)
def test_a_call_can_be_demanded(client: openai.OpenAI, choice: Any) -> None:
    reply = ask(client, input="What is the weather in Rome?", tools=[ALARM, WEATHER], tool_choice=choice)
    assert reply.output and all(item.type == "function_call" for item in reply.output)
    assert reply.output[0].name == "get_weather" and set(json.loads(reply.output[0].arguments)) == {"city"}


def test_a_call_can_be_ruled_out(client: openai.OpenAI) -> None:
    reply = ask(client, input="What is the weather in Oslo?", tools=[WEATHER], tool_choice="none")
    assert all(item.type == "message" for item in reply.output)


def test_one_call_at_a_time_if_asked(client: openai.OpenAI) -> None:
    text = "What is the weather in Oslo? And what is the weather in Rome?"
    reply = ask(client, input=text, tools=[WEATHER], tool_choice="required", parallel_tool_calls=False)
    assert len([item for item in reply.output if item.type == "function_call"]) == 1
    assert reply.parallel_tool_calls is False


# -- JSON ------------------------------------------------------------------------------------------------


class Person(BaseModel):
    name: str
    age: int


def test_a_reply_keeps_to_a_schema(client: openai.OpenAI) -> None:
    schema = {**Person.model_json_schema(), "additionalProperties": False}
    form: Any = {"format": {"type": "json_schema", "name": "person", "schema": schema, "strict": True}}
    reply = ask(client, input="Extract as JSON: Ada is 36 years old.", text=form, max_output_tokens=100)
    Person.model_validate_json(reply.output_text)
    assert reply.text.format.type == "json_schema" and reply.text.format.schema_ == schema


def test_parse_gives_an_object(client: openai.OpenAI) -> None:
    reply = client.responses.parse(
        model=MODEL,
        input="Extract as JSON: Ada is 36 years old.",
        text_format=Person,
        temperature=0,
        max_output_tokens=100,
    )
    assert isinstance(reply.output_parsed, Person)


def test_json_object_is_an_object(client: openai.OpenAI) -> None:
    form: Any = {"format": {"type": "json_object"}}
    reply = ask(client, input="Answer in JSON: name is Ada, age is 36", text=form, max_output_tokens=200)
    assert reply.status == "incomplete" or isinstance(json.loads(reply.output_text), dict)


# -- in the background -----------------------------------------------------------------------------------


def until_done(client: openai.OpenAI, name: str) -> Any:
    for _ in range(200):
        reply = client.responses.retrieve(name)
        if reply.status not in ("queued", "in_progress"):
            return reply
        time.sleep(0.05)
    raise AssertionError("the reply is never done")


def test_a_reply_in_the_background_is_fetched_later(client: openai.OpenAI) -> None:
    reply = ask(client, background=True)
    assert reply.status == "queued" and reply.background and not reply.output
    done = until_done(client, reply.id)
    assert done.status == "completed" and "5" in done.output_text
    assert "8" in ask(client, input="What is 4 + 4?", previous_response_id=reply.id).output_text


def test_a_reply_in_the_background_is_in_progress_once_it_runs(client: openai.OpenAI) -> None:
    reply = ask(client, background=True, extra_body={"ignore_eos": True}, max_output_tokens=1500)
    seen = {reply.status}
    for _ in range(400):
        seen.add(client.responses.retrieve(reply.id).status)
        if "in_progress" in seen:
            break
        time.sleep(0.02)
    assert seen <= {"queued", "in_progress"} and "in_progress" in seen
    assert client.responses.cancel(reply.id).status == "cancelled"
    assert client.responses.retrieve(reply.id).status == "cancelled"


def test_a_reply_in_the_background_that_is_refused_says_why(client: openai.OpenAI) -> None:
    reply = ask(client, input="word " * 5000, background=True)
    done = until_done(client, reply.id)
    assert done.status == "failed" and "tokens" in done.error.message


def test_a_reply_in_the_background_can_be_called_off(keyed: str) -> None:
    ann = of(keyed, "ann")
    endless: Any = {"ignore_eos": True}
    reply = ask(ann, background=True, extra_body=endless, max_output_tokens=1900)
    with pytest.raises(openai.RateLimitError, match="background"):
        ask(ann, background=True)
    with pytest.raises(openai.NotFoundError):
        of(keyed, "ben").responses.cancel(reply.id)
    assert ann.responses.cancel(reply.id).status == "cancelled"
    assert ann.responses.retrieve(reply.id).status == "cancelled"
    with pytest.raises(openai.BadRequestError, match="cannot be cancelled"):
        ann.responses.cancel(reply.id)


def test_a_reply_deleted_in_the_background_is_given_up(keyed: str) -> None:
    ann = of(keyed, "ann")
    reply = ask(ann, background=True, extra_body={"ignore_eos": True}, max_output_tokens=1900)
    ann.responses.delete(reply.id)
    for _ in range(100):
        try:
            until_done(ann, ask(ann, background=True).id)
            break
        except openai.RateLimitError:
            time.sleep(0.05)
    else:
        raise AssertionError("it is still at work")
    with pytest.raises(openai.NotFoundError):
        ann.responses.retrieve(reply.id)


def test_a_streamed_reply_can_be_called_off(client: openai.OpenAI) -> None:
    kinds = []
    for event in ask(client, stream=True, extra_body={"ignore_eos": True}, max_output_tokens=1900):
        if event.type == "response.created":
            client.responses.cancel(event.response.id)
        kinds.append(event)
    assert kinds[-1].response.status == "cancelled"


# -- refusals --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"input": []}, "empty"),
        ({"input": None}, "input"),
        (
            {"input": [{"role": "user", "content": [{"type": "input_image", "image_url": "http://x"}]}]},
            "text only",
        ),
        ({"input": [{"type": "item_reference", "id": "msg_1"}]}, "item_reference"),
        ({"input": [{"type": "function_call_output", "call_id": "call_1", "output": "7"}]}, "call_1"),
        ({"input": [{"role": "wizard", "content": "Hi"}]}, "role"),
        ({"tools": [{"type": "web_search"}]}, "web_search"),
        ({"tools": [WEATHER], "tool_choice": {"type": "function", "name": "nobody"}}, "nobody"),
        ({"tools": [WEATHER], "tool_choice": {"type": "mcp", "server_label": "x"}}, "tool_choice"),
        ({"tool_choice": "required"}, "tool"),
        ({"conversation": "conv_1"}, "previous_response_id"),
        ({"prompt": {"id": "pmpt_1"}}, "prompt"),
        ({"temperature": -1}, "temperature"),
        ({"temperature": "hot"}, "temperature"),
        ({"max_output_tokens": 0}, "max_output_tokens"),
        ({"top_logprobs": 21}, "top_logprobs"),
        ({"text": {"format": {"type": "json_schema", "name": "x"}}}, "schema"),
        ({"text": {"format": {"type": "json_schema", "name": "x", "schema": {"type": "wrong"}}}}, "wrong"),
        ({"background": True, "store": False}, "store"),
        ({"metadata": {"key": 7}}, "metadata"),
        ({"metadata": {"k" * 65: "v"}}, "metadata"),
        ({"previous_response_id": "resp_none"}, "resp_none"),
        ({"model": "gpt-9"}, "gpt-9"),
        ({"chat_template_kwargs": {"messages": []}}, "messages"),
        ({"truncation": "sometimes"}, "truncation"),
    ],
)
def test_what_cannot_be_done_is_refused_with_the_reason(address: str, fields: Any, told: str) -> None:
    for stream in (False, True):
        if stream and "background" in fields:
            continue
        reply = raw(address, **{"stream": stream, **fields})
        assert reply.status_code in (400, 404), reply.text
        assert told in reply.json()["error"]["message"]


@pytest.mark.parametrize("path", ["", "/input_items", "/cancel"])
def test_an_unknown_id_is_not_found(address: str, path: str) -> None:
    method = "POST" if path == "/cancel" else "GET"
    reply = httpx.request(method, f"{address}/v1/responses/resp_none{path}")
    assert reply.status_code == 404 and reply.json()["error"]["code"] == "not_found"


def test_numbers_and_text_no_json_can_hold_are_refused_everywhere(address: str) -> None:
    bodies = [
        b'{"input": "Hi", "temperature": NaN}',
        b'{"input": "\\ud800"}',
        b'{"input": "Hi", "tools": [{"type": "function", "name": "a", "parameters": {"x": 1e999}}]}',
        b'{"input": "Hi", "seed": 99999999999999999999999999}',
        b'{"input": "Hi", "text": {"format": {"type": "text", "x": 99999999999999999999999999}}}',
        b'{"input": [{"role": "user", "content": "Hi", "x": 99999999999999999999999999}]}',
    ]
    for body in bodies:
        reply = httpx.post(
            f"{address}/v1/responses", content=body, headers={"content-type": "application/json"}, timeout=60
        )
        assert reply.status_code < 500, (body, reply.text)
