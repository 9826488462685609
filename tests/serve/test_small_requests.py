"""Small things that requests ask for, and that were ignored, refused or named wrongly."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import anthropic
import httpx
import openai
import pytest
from tests.serve.conftest import start

from quire.server.local import LocalEngine
from quire.server.options import ServerConfig
from quire.server.state import Server

MODEL = "quire-tiny"
LONG = "x " * 5000
PERSON: dict[str, Any] = {"type": "object", "properties": {"name": {"enum": ["Bo"]}}, "required": ["name"]}
PERSON["additionalProperties"] = False


@pytest.fixture(scope="module")
def forgetful() -> Iterator[str]:
    """A server that keeps no reply: each would be too old at once. It takes the templates of requests."""
    engine = LocalEngine(max_num_seqs=4, kv_cache_memory_bytes=32 * 2**20)
    options = ServerConfig(response_store_ttl=0, max_prompts_per_request=4, trust_request_chat_template=True)
    url, web, thread = start(Server(engine, engine.config, options, [MODEL]))
    yield url
    web.should_exit = True
    thread.join(10)
    engine.shutdown()


def post(address: str, path: str, **body: Any) -> httpx.Response:
    return httpx.post(f"{address}{path}", json=body, timeout=60)


def refusal(reply: httpx.Response) -> dict[str, Any]:
    assert reply.status_code == 400, reply.text
    error: dict[str, Any] = reply.json()["error"]
    return error


def test_echo_repeats_a_last_message_of_parts(address: str) -> None:
    def said(content: Any) -> str:
        messages = [{"role": "user", "content": "Say"}, {"role": "assistant", "content": content}]
        asked = {"echo": True, "continue_final_message": True, "max_tokens": 4, "temperature": 0}
        reply = post(address, "/v1/chat/completions", messages=messages, **asked)
        text: str = reply.json()["choices"][0]["message"]["content"]
        return text

    whole = said("Well, ")
    assert whole.startswith("Well, ")
    assert said([{"type": "text", "text": "Well, "}]) == whole
    assert said([{"type": "text", "text": "We"}, {"type": "text", "text": "ll, "}]).startswith("Well, ")
    for odd in (5, {"a": 1}, [5], [None], [{"type": "text", "text": 5}]):
        messages = [{"role": "assistant", "content": odd}]
        refusal(post(address, "/v1/chat/completions", messages=messages, echo=True))


def test_a_whitespace_pattern_binds_a_schema_or_is_refused(address: str) -> None:
    def ask(**form: Any) -> httpx.Response:
        messages = [{"role": "user", "content": "A dog's name as JSON"}]
        return post(address, "/v1/chat/completions", messages=messages, temperature=0, **form)

    def text(**form: Any) -> str:
        said: str = ask(**form).json()["choices"][0]["message"]["content"]
        return said

    schema = {"type": "json_schema", "json_schema": {"name": "p", "schema": PERSON}}
    for form in ({"guided_json": PERSON}, {"response_format": schema}):
        assert text(**form) == '{"name": "Bo"}'
        assert text(**form, guided_whitespace_pattern="\n\n").replace("\n\n", "") == '{"name":"Bo"}'
    for form in ({}, {"guided_regex": "a"}, {"response_format": {"type": "text"}}):
        refused = refusal(ask(**form, guided_whitespace_pattern=" "))
        assert refused["param"] == "guided_whitespace_pattern"


def test_as_many_documents_are_ranked_as_texts_are_allowed(forgetful: str) -> None:
    def rank(count: int) -> httpx.Response:
        return post(forgetful, "/rerank", query="a dog", documents=["a cat"] * count)

    assert len(rank(4).json()["results"]) == 4
    told = refusal(rank(5))
    assert told["param"] == "documents" and "documents has 5 entries and may have 4" in told["message"]
    for names in (("text_1", "text_2"), ("queries", "documents")):
        assert post(forgetful, "/score", **dict.fromkeys(names, ["a"] * 4)).status_code == 200
        assert refusal(post(forgetful, "/score", **dict.fromkeys(names, ["a"] * 5)))["param"] == names[0]


def test_an_empty_input_is_named_as_such(address: str) -> None:
    told = refusal(post(address, "/v1/responses", input=[]))
    assert told["param"] == "input" and "messages" not in told["message"]


def test_a_prompt_that_is_too_long_is_told_what_this_route_can_do(address: str) -> None:
    turn = [{"role": "user", "content": LONG}]
    message = refusal(post(address, "/v1/responses", input=LONG))["message"]
    assert "set truncation to auto" in message and "truncate_prompt_tokens" not in message
    message = refusal(post(address, "/v1/responses", input=LONG, truncation="auto"))["message"]
    assert "truncation" not in message and "truncate_prompt_tokens" not in message
    message = refusal(post(address, "/v1/messages", model=MODEL, max_tokens=4, messages=turn))["message"]
    assert "truncate_prompt_tokens" not in message
    message = refusal(post(address, "/v1/chat/completions", messages=turn))["message"]
    assert "truncate_prompt_tokens" in message


def test_a_reply_that_is_not_kept_does_not_say_that_it_is(forgetful: str) -> None:
    reply = post(forgetful, "/v1/responses", input="Hello", max_output_tokens=2).json()
    assert reply["store"] is False
    told = refusal(post(forgetful, "/v1/responses", input="Hello", background=True))
    assert told["param"] == "background" and "-ttl" in told["message"]


def test_a_streamed_reply_is_in_progress_from_its_first_event(address: str) -> None:
    client = openai.OpenAI(base_url=f"{address}/v1", api_key="none", max_retries=0)
    events = list(client.responses.create(model=MODEL, input="Hello", max_output_tokens=2, stream=True))
    first, second = events[0], events[1]
    assert (first.type, first.response.status) == ("response.created", "in_progress")  # type: ignore[union-attr]
    assert second.type == "response.in_progress"
    assert [e.sequence_number for e in events] == list(range(len(events)))


def test_a_reply_in_the_background_can_be_streamed_and_outlives_its_reader(address: str) -> None:
    client = openai.OpenAI(base_url=f"{address}/v1", api_key="none", max_retries=0)
    asked: Any = {"model": MODEL, "input": "Hello", "background": True, "stream": True, "temperature": 0}
    events: Any = list(client.responses.create(**asked, max_output_tokens=8))
    kinds = [(e.type, e.response.status) for e in events if hasattr(e, "response")]
    assert kinds[:3] == [
        ("response.created", "queued"),
        ("response.queued", "queued"),
        ("response.in_progress", "in_progress"),
    ]
    assert [e.sequence_number for e in events] == list(range(len(events)))
    name = events[0].response.id
    assert client.responses.retrieve(name).output_text == events[-1].response.output_text != ""

    with client.responses.create(**asked, max_output_tokens=40, extra_body={"ignore_eos": True}) as stream:
        for event in stream:
            if event.type == "response.queued":
                name = event.response.id
            if event.type == "response.output_text.delta":
                break
    while (reply := client.responses.retrieve(name)).status == "in_progress":
        time.sleep(0.05)
    assert reply.status == "incomplete" and reply.usage is not None and reply.usage.output_tokens == 40


def test_a_streamed_reply_in_the_background_that_is_refused_has_failed(address: str) -> None:
    client = openai.OpenAI(base_url=f"{address}/v1", api_key="none", max_retries=0)
    events: Any = list(
        client.responses.create(model=MODEL, input=LONG, background=True, stream=True, max_output_tokens=8)
    )
    assert [e.type for e in events][:2] == ["response.created", "response.queued"]
    assert events[-1].type == "response.failed" and "2,047" in events[-1].response.error.message


# -- what the clients can ask for ------------------------------------------------------------------------


def rendered(address: str, template: str, *messages: Any, **fields: Any) -> str:
    """The prompt that a chat becomes."""
    given = {"messages": messages, "chat_template": template, "max_tokens": 1, "return_token_ids": True}
    ids = post(address, "/v1/chat/completions", **given, **fields).json()["prompt_token_ids"]
    text: str = post(address, "/detokenize", tokens=ids).json()["prompt"]
    return text


def test_a_developers_message_is_the_systems_where_a_template_knows_no_developers(forgetful: str) -> None:
    said = ({"role": "developer", "content": "Be brief."}, {"role": "user", "content": "Hi"})
    each = "{% for m in messages %}{{ m.role }}: {{ m.content }}\n{% endfor %}"
    assert rendered(forgetful, each, *said) == "system: Be brief.\nuser: Hi\n"
    knowing = each + "{# developer #}"
    assert rendered(forgetful, knowing, *said) == "developer: Be brief.\nuser: Hi\n"


def test_effort_and_verbosity_reach_the_template(forgetful: str) -> None:
    template = "{{ reasoning_effort }} {{ verbosity }}"
    said = {"role": "user", "content": "Hi"}
    assert rendered(forgetful, template, said, reasoning_effort="low", verbosity="high") == "low high"


@pytest.mark.parametrize(
    "fields, param",
    [
        ({"moderation": {"mode": "block"}}, "moderation"),
        ({"modalities": ["text", "audio"]}, "modalities"),
        ({"messages": [{"role": "function", "name": "f", "content": "5"}]}, "messages.0"),
        (
            {"messages": [{"role": "assistant", "function_call": {"name": "f", "arguments": "{}"}}]},
            "messages.0",
        ),
    ],
)
def test_what_a_chat_cannot_be_given_is_refused(address: str, fields: Any, param: str) -> None:
    body = {"messages": [{"role": "user", "content": "Hi"}], **fields}
    assert refusal(post(address, "/v1/chat/completions", **body))["param"] == param


def test_the_tokens_of_an_input_are_counted_as_the_reply_reads_them(address: str) -> None:
    client = openai.OpenAI(base_url=f"{address}/v1", api_key="none", max_retries=0)
    asked: Any = {"model": MODEL, "input": "What is 2 + 3?", "instructions": "Be brief."}
    first = client.responses.create(**asked, max_output_tokens=4)
    counted = client.responses.input_tokens.count(**asked)
    assert first.usage is not None and counted.input_tokens == first.usage.input_tokens
    asked["previous_response_id"] = first.id
    assert client.responses.input_tokens.count(**asked).input_tokens > counted.input_tokens
    assert refusal(post(address, "/v1/responses/input_tokens", input=[]))["param"] == "input"


def test_anthropics_clients_get_what_they_ask_for(address: str) -> None:
    client = anthropic.Anthropic(base_url=address, api_key="none", max_retries=0)
    hello: Any = {"role": "user", "content": "Hello"}

    def counted(*messages: Any, **fields: Any) -> int:
        return client.messages.count_tokens(model=MODEL, messages=messages, **fields).input_tokens

    brief: Any = {"role": "system", "content": "Be brief."}
    assert counted(hello, brief, hello) > counted(hello, hello)
    schema = {"type": "object", "properties": {"a": {"const": 1}}, "required": ["a"]}
    form = {"type": "json_schema", "schema": {**schema, "additionalProperties": False}}
    for name, value in (("output_format", form), ("output_config", {"format": form})):
        reply: Any = client.messages.create(
            model=MODEL, max_tokens=30, messages=[hello], extra_body={name: value}
        )
        assert reply.content[0].text.replace(" ", "") == '{"a":1}'
    model = client.models.retrieve(MODEL)
    assert model.display_name == MODEL and model.type == "model" and model.created_at.year > 2000


def test_a_tools_failure_is_told_to_the_model(address: str) -> None:
    client = anthropic.Anthropic(base_url=address, api_key="none", max_retries=0)

    def counted(content: Any, **fields: Any) -> int:
        use: Any = {"type": "tool_use", "id": "t", "name": "look", "input": {}}
        result: Any = {"type": "tool_result", "tool_use_id": "t", "content": content, **fields}
        turns: Any = [("user", "Look."), ("assistant", [use]), ("user", [result])]
        messages: Any = [{"role": role, "content": said} for role, said in turns]
        return client.messages.count_tokens(model=MODEL, messages=messages).input_tokens

    assert counted("no network", is_error=True) == counted("Error: no network") > counted("no network")
    parts = [{"type": "text", "text": "no "}, {"type": "text", "text": "network"}]
    assert counted(parts, is_error=True) == counted("Error: no network")
