"""One hostile request in each batch: those beside it say, token for token, what they say alone.

Neighbours are under way when the hostile request comes, so that one that is let in shares their steps.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest
from tests.serve.command import SMALL, Command, until

TALK = [{"role": "user", "content": "hi"}]
TEXT, CHAT, RESPONSES, MESSAGES = "/v1/completions", "/v1/chat/completions", "/v1/responses", "/v1/messages"
NEIGHBOURS: list[dict[str, Any]] = [
    {"prompt": "Write a poem about the sea."},
    {"prompt": "Hello", "logprobs": 3},
    {"prompt": [5, 6, 7, 8] * 20, "repetition_penalty": 1.3, "frequency_penalty": 0.5},
    {"prompt": "A list:", "guided_json": {"type": "array", "items": {"enum": [1, 2, 3]}, "minItems": 30}},
    {"prompt": "Once", "n": 2, "logit_bias": {"100": 2.5}, "stop": ["\n\n\n"]},
]
STEPS = {"max_tokens": 20, "temperature": 0, "ignore_eos": True, "stream": True, "return_token_ids": True}


def hostile(path: str, refused: bool | None = True, /, **body: Any) -> tuple[str, bytes, bool | None]:
    """A request; whether it is refused, or None where that may change with the model."""
    usual: dict[str, Any] = {"messages": TALK} if path in (CHAT, MESSAGES) else {"prompt": "hi"}
    if path == RESPONSES:
        usual = {"input": "hi"}
    elif path == MESSAGES:
        usual |= {"model": "quire-tiny", "max_tokens": 16}
    data = json.dumps(usual | ({"max_tokens": 16} if path in (TEXT, CHAT) else {}) | body)
    return path, data.replace('"RAW ', "").replace(' RAW"', "").encode(), refused


def raw(text: str) -> str:
    """Stands in a body for JSON that Python would not write."""
    return f"RAW {text} RAW"


def tool(**function: Any) -> dict[str, Any]:
    return {"type": "function", "function": {"name": "f", **function}}


HOSTILE: dict[str, tuple[str, bytes, bool | None]] = {
    # grammars
    "a grammar that is none": hostile(TEXT, guided_grammar="root ::= ("),
    "a grammar without end": hostile(TEXT, guided_grammar='start: start "a" | start'),
    "an expression that is none": hostile(TEXT, guided_regex="(a"),
    "an expression that explodes": hostile(TEXT, None, guided_regex="((((a{1,99}){1,99}){1,99}){1,99})"),
    "an expression that backtracks": hostile(TEXT, False, guided_regex="(x+x+)+y"),
    "a schema that is none": hostile(CHAT, response_format={"type": "json_schema", "json_schema": {}}),
    "a schema of an unknown type": hostile(TEXT, guided_json={"type": "nope"}),
    "a schema that nothing satisfies": hostile(RESPONSES, structured_outputs={"json": {"$ref": "#"}}),
    "a schema somewhere else": hostile(TEXT, guided_json={"$ref": "http://127.0.0.1:9/x"}),
    "a schema with a number too large": hostile(TEXT, guided_json={"minimum": raw("1e999")}),
    "a choice of nothing": hostile(TEXT, guided_choice=[]),
    "a broken structural tag": hostile(
        TEXT, structured_outputs={"structural_tag": {"structures": [{"begin": 5}], "triggers": [""]}}
    ),
    "a tool with a broken schema": hostile(
        CHAT, tools=[tool(parameters={"type": 5}, strict=True)], tool_choice="required"
    ),
    "a tool nobody gave": hostile(MESSAGES, tool_choice={"type": "tool", "name": "g"}),
    # nothing is left to say, at once and later
    "a grammar and tokens that exclude each other": hostile(TEXT, guided_regex="abc", allowed_token_ids=[0]),
    "a grammar and words that exclude each other": hostile(
        TEXT, None, guided_choice=["yes"], bad_words=["yes", "ye", "y", "es", "s"]
    ),
    # numbers
    "NaN as temperature": hostile(TEXT, temperature=raw("NaN")),
    "NaN in a bias": hostile(CHAT, logit_bias={"5": raw("NaN")}),
    "Infinity": hostile(TEXT, frequency_penalty=raw("-Infinity")),
    "infinity by overflow": hostile(RESPONSES, top_p=raw("1e999")),
    "infinity in a bias": hostile(TEXT, logit_bias={"5": raw("1e999")}),
    "a temperature next to nothing": hostile(TEXT, False, temperature=5e-324, top_p=5e-324),
    "a penalty next to nothing": hostile(TEXT, False, repetition_penalty=5e-324, temperature=100),
    "a bias beyond its limit": hostile(TEXT, logit_bias={"5": 1e308}),
    "biases at their limits": hostile(
        TEXT, False, logit_bias={str(i): (-100.0 if i % 2 else 100.0) for i in range(300)}, temperature=2
    ),
    "2^31 answers": hostile(TEXT, n=2**31),
    "10^40 answers": hostile(CHAT, n=10**40),
    "many answers": hostile(TEXT, False, n=64, temperature=5),
    "a seed beyond 64 bits": hostile(TEXT, seed=2**64),
    "a priority beyond 64 bits": hostile(MESSAGES, priority=10**30),
    # ids
    "a token id far too large": hostile(TEXT, prompt=[10**6]),
    "a negative token id": hostile(TEXT, prompt=[5, -1]),
    "a token id of 70 bits": hostile(TEXT, prompt=[[5], [2**70]]),
    "a token id one too large": hostile(TEXT, prompt=[4096]),
    "an id to stop at that is none": hostile(TEXT, stop_token_ids=[2**31]),
    "an allowed id that is none": hostile(TEXT, allowed_token_ids=[-5]),
    "a biased id that is none": hostile(RESPONSES, logit_bias={"99999999": 1}),
    "an id to embed that is none": ("/v1/embeddings", b'{"input": [[5], [-7]]}', True),
    # text
    "half a character in a prompt": hostile(TEXT, prompt="\ud800"),
    "half a character in a message": hostile(MESSAGES, messages=[{"role": "user", "content": "a\udfff"}]),
    "half a character in a stop string": hostile(CHAT, stop="\udc00"),
    "half a character in a choice": hostile(TEXT, guided_choice=["\ud83d"]),
    "half a character as a name": hostile(CHAT, tools=[tool(description="\ud800")]),
    "zero bytes": hostile(TEXT, False, prompt="\0" * 20, stop=["\0\0\0"]),
    "a prompt too long": hostile(TEXT, prompt=[5] * 5000),
    "a prompt of nothing": hostile(TEXT, prompt=""),
    "every log-probability there is": hostile(
        TEXT, False, prompt=[5] * 400, prompt_logprobs=20, logprobs=20, echo=True
    ),
    # templates
    "a template that is none": hostile(CHAT, chat_template="{% for %}"),
    "a template that divides by zero": hostile(CHAT, chat_template="{{ 1 / 0 }}"),
    "a template without end": hostile(CHAT, chat_template="{% macro a() %}{{ a() }}{% endmacro %}{{ a() }}"),
    "a template that writes too much": hostile(CHAT, chat_template="{{ 'a' * 10**10 }}"),
    "a template that looks inside": hostile(CHAT, chat_template="{{ ''.__class__.__mro__ }}"),
    "a template's variable called self": hostile(CHAT, False, chat_template_kwargs={"self": 1}),
    "a message that says nothing": hostile(MESSAGES, messages=[{"role": "user", "content": []}]),
}


@pytest.fixture(scope="module")
def served() -> Iterator[Command]:
    with Command(*SMALL, "--max-model-len", "512", "--trust-request-chat-template") as command:
        command.wait_until_ready()
        yield command


@pytest.fixture(scope="module")
def alone(served: Command) -> list[dict[int, list[int]]]:
    """What each of the neighbours says when there is nobody else."""
    return [listen(served, number) for number in range(len(NEIGHBOURS))]


def listen(command: Command, number: int, begun: list[int] | None = None) -> dict[int, list[int]]:
    """The tokens of each of a neighbour's answers; `begun` gets its number with the first of them."""
    said: dict[int, list[int]] = {}
    body = {**NEIGHBOURS[number], **STEPS}
    with httpx.stream("POST", command.address + TEXT, json=body, timeout=60) as reply:
        assert reply.status_code == 200, reply.read()
        for line in reply.iter_lines():
            if not line.startswith("data: {"):
                continue
            if not said and begun is not None:
                begun.append(number)
            news = json.loads(line.removeprefix("data: "))
            for choice in news["choices"]:
                said.setdefault(choice["index"], []).extend(choice["token_ids"])
    return said


def beside_all(command: Command, path: str, body: bytes) -> tuple[httpx.Response, list[dict[int, list[int]]]]:
    """The reply to a request that comes when neighbours are under way, and what they say."""
    begun: list[int] = []
    everyone = range(len(NEIGHBOURS))
    json_ = {"content-type": "application/json"}
    with ThreadPoolExecutor(len(everyone)) as threads:
        said = [threads.submit(listen, command, number, begun) for number in everyone]
        until(lambda: len(begun) > 2, 20, "some have begun")
        reply = httpx.post(command.address + path, content=body, headers=json_, timeout=60)
        return reply, [future.result() for future in said]


@pytest.mark.parametrize("name", HOSTILE)
def test_neighbours_say_what_they_say_alone_beside(
    served: Command, alone: list[dict[int, list[int]]], name: str
):
    path, body, refused = HOSTILE[name]
    reply, said = beside_all(served, path, body)
    assert said == alone
    assert reply.status_code in {True: (400,), False: (200,), None: (200, 400)}[refused], reply.text
    if reply.status_code == 400:
        assert reply.json()["error"]["type"] == "invalid_request_error"


@pytest.mark.parametrize("stream", [False, True])
def test_neighbours_say_what_they_say_alone_beside_one_that_breaks_midway(
    served: Command, alone: list[dict[int, list[int]]], stream: bool
):
    [token] = httpx.post(served.address + "/tokenize", json={"prompt": "a"}).json()["tokens"]
    body = {"prompt": "hi", "guided_regex": "a{3}b", "allowed_token_ids": [token], "stream": stream}
    reply, said = beside_all(served, TEXT, json.dumps(body).encode())
    assert said == alone
    if not stream:
        assert (reply.status_code, reply.json()["error"]["code"]) == (400, "nothing_allowed")
    else:
        *begun, error, last = [e.removeprefix("data: ") for e in reply.text.split("\n\n") if e]
        assert "".join(json.loads(e)["choices"][0]["text"] for e in begun) in ("aa", "aaa")
        assert json.loads(error)["error"]["code"] == "nothing_allowed" and last == "[DONE]"


def test_afterwards_it_is_still_the_same_engine(served: Command, alone: list[dict[int, list[int]]]):
    assert served.get("/health").json() == {"state": "ready", "generation": 1}
    assert listen(served, 0) == alone[0]
    assert "Traceback" not in served.log
