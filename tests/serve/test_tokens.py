"""/tokenize and /detokenize."""

from __future__ import annotations

import threading
import time
from typing import Any

import httpx
import pytest
from tests.serve.test_pooling import post, refused

MESSAGES = [{"role": "user", "content": "What is the weather in Oslo?"}]
TOOLS = [{"type": "function", "function": {"name": "weather", "parameters": {"type": "object"}}}]


@pytest.mark.parametrize("text", ["hello", "Grüße, 世界 🎈\n\n  x", " leading", "<|im_start|>user"])
def test_what_is_tokenized_comes_back_as_it_was(address: str, text: str):
    told = post(address, "/tokenize", prompt=text, return_token_strs=True, add_special_tokens=False)
    assert told["count"] == len(told["tokens"]) == len(told["token_strs"])
    assert told["max_model_len"] > 0
    assert post(address, "/detokenize", tokens=told["tokens"])["prompt"] == text


def test_token_strings_come_only_on_request(address: str):
    assert post(address, "/tokenize", prompt="hello")["token_strs"] is None


def test_messages_and_tools_go_through_the_chat_template(address: str):
    plain = post(address, "/tokenize", messages=MESSAGES)
    closed = post(address, "/tokenize", messages=MESSAGES, add_generation_prompt=False)
    assert plain["tokens"][: closed["count"]] == closed["tokens"] and plain["count"] > closed["count"]
    armed = post(address, "/tokenize", messages=MESSAGES, tools=TOOLS)
    text = post(address, "/detokenize", tokens=armed["tokens"])["prompt"]
    assert "weather" in text and "Oslo" in text and armed["count"] > plain["count"]
    open_end = [*MESSAGES, {"role": "assistant", "content": "It is"}]
    told = post(address, "/tokenize", messages=open_end, continue_final_message=True)
    assert post(address, "/detokenize", tokens=told["tokens"])["prompt"].endswith("It is")


def test_a_prompt_of_nothing_has_no_tokens(address: str):
    assert post(address, "/tokenize", prompt="", add_special_tokens=False)["count"] == 0
    assert post(address, "/detokenize", tokens=[])["prompt"] == ""


@pytest.mark.parametrize("tokens", [[-1], [2**31], [10**40], [1, 2, 999_999_999]])
def test_ids_outside_the_vocabulary_are_refused_with_the_range(address: str, tokens: list[int]):
    told = refused(address, "/detokenize", tokens=tokens)
    assert told["status"] == 400 and "ids run from 0 to" in told["message"]


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/detokenize", {"tokens": ["a"]}),
        ("/detokenize", {"tokens": [1.5]}),
        ("/detokenize", {"tokens": [None]}),
        ("/detokenize", {"tokens": "12"}),
        ("/detokenize", {}),
        ("/tokenize", {}),
        ("/tokenize", {"prompt": 7}),
        ("/tokenize", {"prompt": "a", "messages": MESSAGES}),
        ("/tokenize", {"messages": MESSAGES, "chat_template": "{% for i in range(10**9) %}x{% endfor %}"}),
        ("/tokenize", {"messages": MESSAGES * 4097}),
        ("/tokenize", {"prompt": "a", "model": "gpt-4"}),
        ("/tokenize", {"messages": MESSAGES, "chat_template_kwargs": {"messages": []}}),
    ],
)
def test_what_makes_no_sense_is_refused_in_words(address: str, path: str, body: dict[str, Any]):
    assert refused(address, path, **body)["message"]


def test_a_long_text_does_not_hold_up_the_others(address: str):
    text = "the quick brown fox " * 13_000
    done: list[int] = []
    thread = threading.Thread(target=lambda: done.append(post(address, "/tokenize", prompt=text)["count"]))
    thread.start()
    waits = []
    with httpx.Client() as client:
        while thread.is_alive():
            before = time.perf_counter()
            client.post(address + "/tokenize", json={"prompt": "hi"}, timeout=60)
            waits.append(time.perf_counter() - before)
    thread.join()
    assert done[0] > 100_000 and len(waits) > 10
    assert sorted(waits)[len(waits) // 2] < 0.1


def test_the_tokenizer_tells_about_itself(address: str):
    told = httpx.get(address + "/tokenizer_info").json()
    assert told["vocab_size"] > 0 and told["eos_token"] and "{" in told["chat_template"]
