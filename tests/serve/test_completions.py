"""POST /v1/completions: text and token ids in, legacy logprobs, echo, several prompts at once."""

from __future__ import annotations

import json
from typing import Any

import httpx
import openai
import pytest

from quire.embedded import embedded_folder
from quire.server.completions import fold
from quire.text.tokenizer import load_tokenizer

MODEL = "quire-tiny"
ASKED = "<|im_start|>user\nWhat is 347 + 586?<|im_end|>\n<|im_start|>assistant\n"
ASKED_TOO = ASKED.replace("347 + 586", "20 + 30")


@pytest.fixture(scope="module")
def client(address: str) -> openai.OpenAI:
    return openai.OpenAI(base_url=f"{address}/v1", api_key="none", max_retries=0)


@pytest.fixture(scope="module")
def ids() -> list[int]:
    return load_tokenizer(embedded_folder(MODEL)).encode(ASKED)


def post(address: str, **body: Any) -> httpx.Response:
    return httpx.post(
        f"{address}/v1/completions",
        content=json.dumps({"model": MODEL, "prompt": ASKED, "max_tokens": 30, **body}),
        headers={"content-type": "application/json"},
        timeout=60,
    )


def streamed(address: str, **body: Any) -> list[dict[str, Any]]:
    reply = post(address, stream=True, **body)
    assert reply.status_code == 200, reply.text
    events = [e for e in reply.text.split("\n\n") if e and not e.startswith(":")]
    assert events[-1] == "data: [DONE]"
    return [json.loads(e.removeprefix("data: ")) for e in events[:-1]]


def same(reply: dict[str, Any]) -> dict[str, Any]:
    reply["usage"]["prompt_tokens_details"] = None
    return {k: v for k, v in reply.items() if k not in ("id", "created")}


def test_a_prompt_may_be_text_or_token_ids_alone_or_in_a_list(client: openai.OpenAI, ids: list[int]):
    for prompt in (ASKED, [ASKED], ids, [ids]):
        reply = client.completions.create(model=MODEL, prompt=prompt, max_tokens=30)
        assert reply.object == "text_completion" and reply.id.startswith("cmpl-")
        assert reply.choices[0].text == "347 + 586 = 933" and reply.choices[0].finish_reason == "stop"
        assert reply.usage.prompt_tokens == len(ids)


def test_sixteen_tokens_are_the_default_as_with_openai(client: openai.OpenAI):
    reply = client.completions.create(model=MODEL, prompt="a", extra_body={"ignore_eos": True})
    assert reply.usage.completion_tokens == 16 and reply.choices[0].finish_reason == "length"


def test_several_prompts_and_n_are_numbered_prompt_by_prompt(client: openai.OpenAI):
    reply = client.completions.create(model=MODEL, prompt=[ASKED, ASKED_TOO, ASKED], n=2, max_tokens=30)
    assert [c.index for c in reply.choices] == [0, 1, 2, 3, 4, 5]
    sums = ["347 + 586 = 933"] * 2 + ["20 + 30 = 50"] * 2 + ["347 + 586 = 933"] * 2
    assert [c.text for c in reply.choices] == sums


def test_a_stream_of_several_prompts_comes_interleaved(client: openai.OpenAI):
    texts: dict[int, str] = {}
    order = []
    for chunk in client.completions.create(
        model=MODEL, prompt=[ASKED, ASKED_TOO] * 3, max_tokens=30, stream=True
    ):
        for choice in chunk.choices:
            order.append(choice.index)
            texts[choice.index] = texts.get(choice.index, "") + choice.text
    assert [texts[i] for i in range(6)] == ["347 + 586 = 933", "20 + 30 = 50"] * 3
    assert order != sorted(order)


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"echo": True},
        {"logprobs": 3},
        {"echo": True, "logprobs": 2, "prompt": "The KV cache"},
        {"prompt": [ASKED, "The KV cache"], "n": 2, "temperature": 1.0, "seed": 5, "logprobs": 1},
        {"stop": ["="], "logprobs": 0},
        {"max_tokens": 0, "echo": True, "logprobs": 1},
        {"return_token_ids": True, "prompt_logprobs": 1},
    ],
    ids=lambda body: ", ".join(body),
)
def test_the_whole_reply_is_the_fold_of_the_stream(address: str, body: dict[str, Any]):
    whole = post(address, **body)
    assert whole.status_code == 200, whole.text
    assert same(fold(streamed(address, stream_options={"include_usage": True}, **body))) == same(whole.json())


def test_legacy_logprobs_name_tokens_and_where_they_stand(client: openai.OpenAI):
    choice = client.completions.create(model=MODEL, prompt="The KV cache", max_tokens=8, logprobs=2).choices[
        0
    ]
    told = choice.logprobs
    assert "".join(told.tokens) == choice.text
    for token, offset in zip(told.tokens, told.text_offset, strict=True):
        assert choice.text[offset:].startswith(token)
    for token, logprob, best in zip(told.tokens, told.token_logprobs, told.top_logprobs, strict=True):
        assert best[token] == logprob and 2 <= len(best) <= 3


def test_tokens_may_be_named_by_their_ids(address: str):
    asked = {"logprobs": 1, "return_tokens_as_token_ids": True, "return_token_ids": True}
    choice = post(address, **asked).json()["choices"][0]
    told = choice["logprobs"]
    assert told["tokens"] == [f"token_id:{i}" for i in choice["token_ids"]][: len(told["tokens"])]
    assert all(token in best for token, best in zip(told["tokens"], told["top_logprobs"], strict=True))


def test_echo_with_logprobs_scores_the_prompt(client: openai.OpenAI):
    """As evaluation harnesses ask: no token is generated, the prompt is scored."""
    choice = client.completions.create(
        model=MODEL, prompt="The KV cache keeps", max_tokens=0, echo=True, logprobs=1
    ).choices[0]
    assert choice.text == "The KV cache keeps" == "".join(choice.logprobs.tokens)
    assert choice.logprobs.token_logprobs[0] is None and all(
        p <= 0 for p in choice.logprobs.token_logprobs[1:]
    )
    assert choice.logprobs.text_offset[0] == 0


def test_echo_of_token_ids_is_their_text(client: openai.OpenAI, ids: list[int]):
    reply = client.completions.create(
        model=MODEL, prompt=ids, echo=True, max_tokens=3, extra_body={"skip_special_tokens": False}
    )
    assert reply.choices[0].text.endswith("347") and "What is 347 + 586?" in reply.choices[0].text


def test_the_best_of_several_is_returned(client: openai.OpenAI):
    reply = client.completions.create(
        model=MODEL, prompt=ASKED, best_of=4, n=1, temperature=1.5, seed=1, max_tokens=20
    )
    assert len(reply.choices) == 1


def test_usage_is_that_of_all_prompts(address: str, ids: list[int]):
    reply = post(address, prompt=[ids, ids, ids]).json()
    assert reply["usage"]["prompt_tokens"] == 3 * len(ids)
    last = streamed(address, prompt=[ids, ids, ids], stream_options={"include_usage": True})[-1]
    assert last["choices"] == [] and last["usage"]["total_tokens"] == reply["usage"]["total_tokens"]


def test_a_form_binds_a_completion_too(address: str):
    reply = post(address, guided_choice=["yes", "no"]).json()
    assert reply["choices"][0]["text"] in ("yes", "no")
    reply = post(address, response_format={"type": "json_object"}).json()
    assert reply["choices"][0]["text"].startswith("{")


BAD = [
    ({"prompt": None}, "prompt"),
    ({"prompt": []}, "prompt"),
    ({"prompt": {}}, "prompt"),
    ({"prompt": ["a", 1]}, "prompt"),
    ({"prompt": [[1, "a"]]}, "prompt"),
    ({"prompt": [True]}, "prompt"),
    ({"prompt": [1.5]}, "prompt"),
    ({"prompt": [-1]}, None),
    ({"prompt": [10**9]}, None),
    ({"prompt": [2**70]}, None),
    ({"prompt": [[]]}, None),
    ({"prompt": ""}, None),
    ({"prompt": ["ok", "x " * 9000]}, None),
    ({"prompt": ["x"] * 5000}, "prompt"),
    ({"suffix": "end"}, "suffix"),
    ({"logprobs": True}, "logprobs"),
    ({"logprobs": 21}, "logprobs"),
    ({"logprobs": -1}, "logprobs"),
    ({"max_tokens": 0}, "max_tokens"),
    ({"n": 3, "best_of": 2}, "best_of"),
    ({"n": 2**31}, "n"),
    ({"best_of": 1000}, "best_of"),
    ({"use_beam_search": True}, "use_beam_search"),
    ({"prompt_embeds": "AAAA"}, "prompt_embeds"),
    ({"temperature": [1]}, "temperature"),
    ({"echo": "yes"}, "echo"),
]


@pytest.mark.parametrize(("body", "param"), BAD, ids=lambda v: str(v)[:50])
@pytest.mark.parametrize("stream", [False, True], ids=["whole", "stream"])
def test_a_wrong_request_is_refused_with_its_field(address: str, body: Any, param: str | None, stream: bool):
    reply = post(address, stream=stream, **body)
    assert reply.status_code == 400, reply.text
    assert param is None or reply.json()["error"]["param"] == param


def test_an_unknown_model_is_not_found(client: openai.OpenAI):
    with pytest.raises(openai.NotFoundError):
        client.completions.create(model="davinci", prompt="a")


def test_one_bad_prompt_among_several_leaves_nothing_running(address: str):
    for _ in range(5):
        assert post(address, prompt=[ASKED, [10**9], ASKED], stream=True).status_code == 400
    assert post(address).json()["choices"][0]["text"] == "347 + 586 = 933"
