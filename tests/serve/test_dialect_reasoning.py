"""Reasoning in both dialects, with a server that takes a reply for reasoning from its first word."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import anthropic
import openai
import pytest
from tests.serve.conftest import start

from quire.server.local import LocalEngine
from quire.server.options import ServerConfig
from quire.server.state import Server

MODEL = "quire-tiny"
ASKED: Any = {"model": MODEL, "input": "What is 2 + 3?", "temperature": 0}
SAID: Any = {
    "model": MODEL,
    "max_tokens": 50,
    "messages": [{"role": "user", "content": "What is 2 + 3?"}],
    "extra_body": {"temperature": 0},
}


@pytest.fixture(scope="module")
def thinking() -> Iterator[str]:
    engine = LocalEngine(max_num_seqs=4, kv_cache_memory_bytes=64 * 2**20)
    options = ServerConfig(reasoning_parser="deepseek_r1")
    url, web, thread = start(Server(engine, engine.config, options, [MODEL]))
    yield url
    web.should_exit = True
    thread.join(10)
    engine.shutdown()


@pytest.fixture(scope="module")
def client(thinking: str) -> openai.OpenAI:
    return openai.OpenAI(base_url=f"{thinking}/v1", api_key="none", max_retries=0)


def test_reasoning_is_an_item_of_its_own(client: openai.OpenAI) -> None:
    reply = client.responses.create(**ASKED)
    (item,) = reply.output
    assert item.type == "reasoning" and "5" in item.content[0].text and not item.summary
    assert reply.usage.output_tokens_details.reasoning_tokens > 0


def test_reasoning_comes_as_summary_if_one_is_asked_for(client: openai.OpenAI) -> None:
    reply = client.responses.create(**ASKED, reasoning={"summary": "auto"})
    (item,) = reply.output
    assert item.type == "reasoning" and "5" in item.summary[0].text and not item.content


@pytest.mark.parametrize(
    ("fields", "kind"),
    [
        ({}, "response.reasoning_text"),
        ({"reasoning": {"summary": "auto"}}, "response.reasoning_summary_text"),
    ],
)
def test_streamed_reasoning_adds_up(client: openai.OpenAI, fields: Any, kind: str) -> None:
    events = list(client.responses.create(**ASKED, **fields, stream=True))
    text = "".join(event.delta for event in events if event.type == f"{kind}.delta")
    (done,) = [event.text for event in events if event.type == f"{kind}.done"]
    (item,) = events[-1].response.output
    assert text == done == (item.content or item.summary)[0].text != ""


def test_reasoning_goes_back_with_the_conversation(client: openai.OpenAI) -> None:
    first = client.responses.create(**ASKED)
    told = [item.model_dump(exclude_none=True) for item in first.output]
    by_hand = client.responses.create(
        **{
            **ASKED,
            "input": [
                {"role": "user", "content": ASKED["input"]},
                *told,
                {"role": "user", "content": "Why?"},
            ],
        }
    )
    stored = client.responses.create(**{**ASKED, "input": "Why?"}, previous_response_id=first.id)
    assert by_hand.usage.input_tokens == stored.usage.input_tokens


def test_reasoning_is_a_block_of_thinking(thinking: str) -> None:
    client = anthropic.Anthropic(base_url=thinking, api_key="none", max_retries=0)
    whole = client.messages.create(**SAID)
    (block,) = whole.content
    assert block.type == "thinking" and "5" in block.thinking
    with client.messages.stream(**SAID) as stream:
        kinds = {event.type for event in stream}
        final = stream.get_final_message()
    assert "thinking" in kinds and final.content[0].model_dump() == block.model_dump()
    again = {"role": "assistant", "content": [block.model_dump(), {"type": "text", "text": "5"}]}
    messages = [*SAID["messages"], again, {"role": "user", "content": "Why?"}]
    assert client.messages.create(**{**SAID, "messages": messages}).content


def test_thinking_that_is_disabled_is_not_told(thinking: str) -> None:
    client = anthropic.Anthropic(base_url=thinking, api_key="none", max_retries=0)
    reply = client.messages.create(**SAID, thinking={"type": "disabled"})
    assert all(block.type != "thinking" for block in reply.content)
