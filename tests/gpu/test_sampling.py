"""On a GPU: everything a request can ask of sampling does what it does on a CPU, whoever shares the batch."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from tests.gpu.truth import opened

from quire import LLM, SamplingParams, StructuredOutputsParams

TEXTS = ["Once upon a time", "What is 3 + 4?", "Hello", "Name three colours:", "The capital of France is"]
CROWD = [f"{text} {i}" for i in range(51) for text in TEXTS]  # 255: with one more a batch is full


@pytest.fixture(scope="module")
def llm() -> Iterator[LLM]:
    """The model inside, in float32."""
    with opened("", skip_tokenizer_init=False, max_model_len=256, max_num_seqs=256) as found:
        yield found


@pytest.fixture(scope="module")
def on_cpu() -> LLM:
    return LLM(device="cpu", dtype="float32", max_model_len=256, kv_cache_memory_bytes=128 << 20)


def ask(llm: LLM, prompts: list[str], params: Any) -> list[Any]:
    outputs = llm.generate(prompts, params, use_tqdm=False)
    assert all(o.error is None for o in outputs), [o.error for o in outputs]
    return outputs


def tokens(outputs: list[Any]) -> list[list[int]]:
    return [list(o.outputs[0].token_ids) for o in outputs]


def test_a_seed_gives_the_same_alone_and_among_256(llm: LLM):
    ours = SamplingParams(temperature=1.0, top_p=0.95, seed=7, max_tokens=24, ignore_eos=True)
    crowd = [replace(ours, seed=i, top_p=1.0, top_k=i % 50, temperature=0.5 + i % 3) for i in range(255)]
    [alone] = tokens(ask(llm, TEXTS[:1], ours))
    assert tokens(ask(llm, TEXTS[:1], ours)) == [alone]
    everybody = tokens(ask(llm, [*CROWD[:100], TEXTS[0], *CROWD[100:]], [*crowd[:100], ours, *crowd[100:]]))
    assert everybody[100] == alone
    again = tokens(ask(llm, [*CROWD[:100], TEXTS[0], *CROWD[100:]], [*crowd[:100], ours, *crowd[100:]]))
    assert again == everybody
    assert tokens(ask(llm, TEXTS[:1], replace(ours, seed=8))) != [alone]


@pytest.mark.parametrize(
    "cut", [{"top_k": 1}, {"top_p": 1e-6}, {"min_p": 1.0}], ids=["top-k", "top-p", "min-p"]
)
def test_what_leaves_one_token_is_greedy(llm: LLM, cut: dict[str, Any]):
    greedy = SamplingParams(temperature=0.0, max_tokens=16, ignore_eos=True)
    assert tokens(ask(llm, TEXTS, replace(greedy, temperature=1.5, seed=3, **cut))) == tokens(
        ask(llm, TEXTS, greedy)
    )


@pytest.mark.parametrize(
    "cut", [{}, {"top_k": 3}, {"top_p": 0.6}, {"min_p": 0.2}], ids=["plain", "top-k", "top-p", "min-p"]
)
def test_draws_have_the_frequencies_that_the_logits_say(llm: LLM, cut: dict[str, Any]):
    text, warm, draws = "My favourite animal is the", 1.2, 2048
    [told] = ask(llm, [text], SamplingParams(temperature=0.0, max_tokens=1, logprobs=20))
    scores = {t: s.logprob for t, s in told.outputs[0].logprobs[0].items()}
    params = [
        SamplingParams(temperature=warm, seed=i, max_tokens=1, ignore_eos=True, **cut) for i in range(draws)
    ]
    found = Counter(t for [t] in tokens(ask(llm, [text] * draws, params)))
    likely = sorted(scores, key=lambda t: -scores[t])
    if "top_k" in cut:
        assert set(found) <= set(likely[:3])
        likely = likely[:3]
        mass = sum(math.exp(scores[t] / warm) for t in likely)
        expected = {t: math.exp(scores[t] / warm) / mass for t in likely}
        for t in likely:
            off = abs(found[t] - draws * expected[t]) / math.sqrt(draws * expected[t] * (1 - expected[t]) + 1)
            assert off < 5, (t, found[t], draws * expected[t])
    else:  # how often one comes rather than another does not depend on what is cut off
        first, *others = likely[:4]
        for other in others:
            both = found[first] + found[other]
            share = 1 / (1 + math.exp((scores[other] - scores[first]) / warm))
            if both > 50 and found[other]:
                assert abs(found[first] - both * share) < 5 * math.sqrt(both * share * (1 - share)) + 1


def test_whatever_changes_logits_does_as_on_a_cpu(llm: LLM, on_cpu: LLM):
    greedy = SamplingParams(temperature=0.0, max_tokens=20, ignore_eos=True)
    params = [
        replace(greedy, repetition_penalty=1.4, logprobs=5),
        replace(greedy, frequency_penalty=1.1, presence_penalty=0.7),
        replace(greedy, logit_bias={40: 6.0, 300: -100.0}, logprobs=0),
        replace(greedy, bad_words=["the", "red"], min_tokens=6, ignore_eos=False),
        replace(greedy, allowed_token_ids=list(range(30, 90)), logprobs=3),
    ]
    ours, theirs = ask(llm, TEXTS, params), ask(on_cpu, TEXTS, params)
    assert tokens(ours) == tokens(theirs)
    for a, b in zip(ours, theirs, strict=True):
        for one, other in zip(a.outputs[0].logprobs or [], b.outputs[0].logprobs or [], strict=True):
            assert set(one) == set(other)
            assert all(abs(one[t].logprob - other[t].logprob) < 2e-3 for t in one)
            assert all(one[t].rank == other[t].rank for t in one)


def test_log_probabilities_of_256_at_once_are_those_of_each_alone(llm: LLM):
    params = SamplingParams(temperature=0.0, max_tokens=4, logprobs=20, ignore_eos=True)
    penalised = replace(params, repetition_penalty=1.2, presence_penalty=0.3)
    together = ask(llm, [*CROWD, "And?"], penalised)
    for i in (0, 100, 254):
        [alone] = ask(llm, [CROWD[i]], penalised)
        for one, other in zip(together[i].outputs[0].logprobs, alone.outputs[0].logprobs, strict=True):
            assert all(abs(one[t].logprob - other[t].logprob) < 2e-3 for t in one if t in other)


def test_log_probabilities_of_prompts(llm: LLM, on_cpu: LLM):
    params = SamplingParams(temperature=0.0, max_tokens=1, prompt_logprobs=4)
    long = " ".join(TEXTS * 6)
    for ours, theirs in zip(
        ask(llm, [*TEXTS, long], params), ask(on_cpu, [*TEXTS, long], params), strict=True
    ):
        assert ours.prompt_logprobs[0] is None
        for one, other in zip(ours.prompt_logprobs[1:], theirs.prompt_logprobs[1:], strict=True):
            shared = set(one) & set(other)
            assert len(shared) >= len(one) - 1
            assert all(abs(one[t].logprob - other[t].logprob) < 2e-3 for t in shared)


def test_grammars_hold_and_the_others_notice_nothing(llm: LLM):
    schema = {
        "type": "object",
        "properties": {"name": {"type": "string", "maxLength": 8}, "age": {"type": "integer", "maximum": 99}},
        "required": ["name", "age"],
        "additionalProperties": False,
    }
    plain = SamplingParams(temperature=0.0, max_tokens=60)
    bound = [
        StructuredOutputsParams(json=schema, disable_any_whitespace=True),
        StructuredOutputsParams(choice=["yes", "no", "perhaps"]),
        StructuredOutputsParams(regex=r"[a-f]{3}-\d{4}"),
    ]
    params = [replace(plain, temperature=0.9, seed=i, structured_outputs=bound[i % 3]) for i in range(30)]
    alone = tokens(ask(llm, TEXTS, plain))
    outputs = ask(llm, [*TEXTS, *CROWD[:30]], [*[plain] * 5, *params])
    assert tokens(outputs[:5]) == alone
    for i, output in enumerate(outputs[5:]):
        text = output.outputs[0].text
        if i % 3 == 0:
            assert set(json.loads(text)) == {"name", "age"}
        elif i % 3 == 1:
            assert text in ("yes", "no", "perhaps")
        else:
            assert re.fullmatch(r"[a-f]{3}-\d{4}", text)


def test_stop_strings_end_an_answer(llm: LLM):
    plain = SamplingParams(temperature=0.0, max_tokens=40, ignore_eos=True)
    for output, text in zip(ask(llm, TEXTS, plain), TEXTS, strict=True):
        whole = output.outputs[0].text
        stop = whole[len(whole) // 2 : len(whole) // 2 + 4]
        [ended] = ask(llm, [text], replace(plain, stop=[stop]))
        assert ended.outputs[0].finish_reason == "stop"
        assert ended.outputs[0].text == whole[: whole.index(stop)]


def test_several_answers_to_one_prompt(llm: LLM):
    [output] = ask(
        llm, TEXTS[:1], SamplingParams(temperature=1.0, n=8, seed=1, max_tokens=12, ignore_eos=True)
    )
    assert len({tuple(o.token_ids) for o in output.outputs}) > 4
