"""Structured outputs through whole engines: a model of noise says nothing but what the grammar allows."""

from __future__ import annotations

import asyncio
import json
import random
import re
from pathlib import Path
from typing import Any

import pytest
from tests.engine.engines import assert_at_rest, open_llm, smallest_pool
from tests.engine.schemas import draw, fits

from quire import LLM, AsyncEngine, GuidedDecodingParams, SamplingParams, StructuredOutputsParams
from quire.errors import BadGrammar, NeedsTokenizer
from quire.outputs import CompletionOutput, RequestOutput

PERSON = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "maxLength": 6},
        "age": {"type": "integer", "maximum": 99, "minimum": 0},
    },
    "required": ["name", "age"],
    "additionalProperties": False,
}
CHOICES = ["red", "green", "dark green", "grün"]
COMPACT = {"json": PERSON, "disable_any_whitespace": True}


@pytest.fixture(scope="module")
def llm(checkpoint: Path) -> LLM:
    return open_llm(checkpoint, max_model_len=512)


def asking(asked: Any, **params: Any) -> SamplingParams:
    return SamplingParams(**{"max_tokens": 400, "structured_outputs": asked, **params})


def ask(llm: LLM, asked: Any, prompt: Any = "Once", **params: Any) -> CompletionOutput:
    output = llm.generate(prompt, asking(asked, **params), use_tqdm=False)[0]
    assert output.error is None
    return output.outputs[0]


# -- every kind ----------------------------------------------------------------------------------------


def test_a_hundred_schemas_are_kept_to(llm: LLM):
    r = random.Random(11)
    schemas = [draw(r) for _ in range(100)]
    params = [
        asking(
            StructuredOutputsParams(json=schema, disable_any_whitespace=i % 2 == 0),
            seed=i,
            temperature=r.choice([0.0, 0.8, 1.5]),
        )
        for i, schema in enumerate(schemas)
    ]
    outputs = llm.generate([f"Number {i}:" for i in range(100)], params, use_tqdm=False)
    ended = 0
    for schema, output in zip(schemas, outputs, strict=True):
        answer = output.outputs[0]
        assert output.error is None and answer.finish_reason in ("stop", "length")
        if answer.finish_reason == "stop":
            ended += 1
            assert fits(schema, json.loads(answer.text)), (schema, answer.text)
    assert ended > 90
    assert_at_rest(llm.engine)


@pytest.mark.parametrize("temperature", [0.0, 1.0])
def test_an_answer_is_one_of_the_choices(llm: LLM, temperature: float):
    seen = {ask(llm, {"choice": CHOICES}, seed=i, temperature=temperature).text for i in range(20)}
    assert seen <= set(CHOICES) and (temperature == 0 or len(seen) > 1)


def test_an_answer_matches_the_expression(llm: LLM):
    for seed in range(10):
        answer = ask(llm, {"regex": r"[A-Z][a-z]{2,8} [0-9]{1,3}(st|nd|th)"}, seed=seed)
        assert answer.finish_reason == "stop"
        assert re.fullmatch(r"[A-Z][a-z]{2,8} [0-9]{1,3}(st|nd|th)", answer.text)


@pytest.mark.parametrize(
    "grammar",
    ['root ::= "(" root ")" | "x" ("+" root)?', 'start: "(" start ")" | "x" ("+" start)?'],
    ids=["EBNF", "Lark"],
)
def test_an_answer_keeps_to_the_grammar(llm: LLM, grammar: str):
    ended = 0
    for seed in range(10):
        answer = ask(llm, {"grammar": grammar}, seed=seed, max_tokens=100)
        assert re.match(r"\(*(x|$)", answer.text) and set(answer.text) <= set("(x+)")
        if answer.finish_reason == "stop":
            ended += 1
            assert answer.text.count("(") == answer.text.count(")") and "x" in answer.text
    assert ended


def test_any_object_and_tags_in_free_text(llm: LLM):
    answer = ask(llm, {"json_object": True}, seed=1, temperature=0.5, logit_bias={95: 8.0})  # } is likely
    assert answer.finish_reason != "stop" or isinstance(json.loads(answer.text), dict)
    tag = {"triggers": ["<"], "structures": [{"begin": "<n>", "schema": {"enum": [1, 22]}, "end": "</n>"}]}
    for seed in range(5):
        text = ask(llm, {"structural_tag": tag}, seed=seed, max_tokens=60).text
        for start in re.finditer("<", text):
            rest = text[start.start() :]
            whole = rest.startswith(("<n>1</n>", "<n>22</n>", "</n>"))
            assert whole or any(full.startswith(rest) for full in ("<n>1</n>", "<n>22</n>"))


def test_params_may_be_an_object_a_dict_or_go_by_their_older_name(llm: LLM):
    asked = {"choice": CHOICES}
    texts = [
        ask(llm, StructuredOutputsParams(**asked), seed=3).text,
        ask(llm, asked, seed=3).text,
        ask(llm, None, seed=3, guided_decoding=GuidedDecodingParams(**asked)).text,
    ]
    assert len(set(texts)) == 1


# -- ends ----------------------------------------------------------------------------------------------


def test_a_complete_grammar_ends_the_request_whatever_else_is_asked(llm: LLM):
    eos = llm.engine.intake.limits.eos_ids
    for params in ({}, {"ignore_eos": True}, {"min_tokens": 300}, {"ignore_eos": True, "min_tokens": 300}):
        answer = ask(llm, {"regex": "[ab]{7}"}, seed=2, **params)
        assert (answer.finish_reason, answer.stop_reason) == ("stop", None)
        assert re.fullmatch("[ab]{7}", answer.text) and answer.token_ids[-1] in eos


def test_min_tokens_are_kept_where_the_grammar_can(llm: LLM):
    for seed in range(5):
        answer = ask(llm, {"regex": "[ab ]*"}, seed=seed, min_tokens=30, max_tokens=60)
        assert len(answer.token_ids) >= 30 and set(answer.text) <= set("ab ")


def test_what_does_not_fit_into_max_tokens_is_cut(llm: LLM):
    answer = ask(llm, COMPACT, max_tokens=5)
    assert (answer.finish_reason, len(answer.token_ids), answer.text[:2]) == ("length", 5, '{"')


def test_stop_strings_stop_tokens_and_log_probabilities_work_as_ever(llm: LLM):
    cut = ask(llm, COMPACT, stop=['"age"'], seed=1)
    assert (cut.finish_reason, cut.stop_reason) == ("stop", '"age"') and cut.text.endswith(",")
    second = ask(llm, COMPACT, seed=1).token_ids[1]
    ended = ask(llm, COMPACT, seed=1, stop_token_ids=[second])
    assert (ended.stop_reason, len(ended.token_ids)) == (second, 2)
    scored = ask(llm, {"choice": ["a", "b"]}, logprobs=2, seed=5)
    assert scored.logprobs is not None and scored.cumulative_logprob is not None
    assert all(token in line for token, line in zip(scored.token_ids, scored.logprobs, strict=True))


def test_penalties_biases_and_bans_choose_among_what_is_allowed(llm: LLM):
    tokenizer = llm.get_tokenizer()
    a, b = (tokenizer.encode(letter, add_special_tokens=False)[0] for letter in "ab")
    asked, one = {"regex": "[ab]{8}"}, {"temperature": 0.0}
    assert ask(llm, asked, logit_bias={a: 100}, allowed_token_ids=[a, b, 0, 2], **one).text == "aaaaaaaa"
    assert ask(llm, asked, bad_words=["a"], allowed_token_ids=[a, b, 0, 2], **one).text == "bbbbbbbb"
    mixed = ask(llm, asked, repetition_penalty=50.0, presence_penalty=2.0, seed=1)
    assert re.fullmatch("[ab]{8}", mixed.text)


def test_several_answers_each_keep_to_the_schema_and_a_seed_repeats_them(llm: LLM):
    params = asking(StructuredOutputsParams(**COMPACT), n=3, seed=9)
    first, second = (llm.generate("Once", params, use_tqdm=False)[0] for _ in range(2))
    texts = [o.text for o in first.outputs]
    assert all(fits(PERSON, json.loads(text)) for text in texts) and len(set(texts)) > 1
    assert texts == [o.text for o in second.outputs]
    best = llm.generate("Once", asking(COMPACT, n=1, best_of=4, seed=9), use_tqdm=False)[0]
    assert fits(PERSON, json.loads(best.outputs[0].text))


# -- in company ----------------------------------------------------------------------------------------


def crowd(count: int) -> tuple[list[str], list[SamplingParams]]:
    """Every other one is free; the rest have a structure."""
    asked = [None, COMPACT, None, {"choice": CHOICES}, None, {"json": PERSON}]
    prompts = [f"{'Some long beginning that many share. ' * (i % 3)}{i}" for i in range(count)]
    params = [
        asking(asked[i % 6], seed=i, temperature=i % 4 * 0.5, max_tokens=40 + i % 7, ignore_eos=i % 2 == 0)
        for i in range(count)
    ]
    return prompts, params


def essence(output: RequestOutput) -> tuple[list[int], str, str | None]:
    answer = output.outputs[0]
    return answer.token_ids, answer.text, answer.finish_reason


def test_everybody_gets_what_they_get_alone(llm: LLM):
    prompts, params = crowd(24)
    together = llm.generate(prompts, params, use_tqdm=False)
    for prompt, p, output in zip(prompts, params, together, strict=True):
        alone = llm.generate(prompt, p, use_tqdm=False)[0]
        assert essence(output) == essence(alone), p
        assert output.error is None


@pytest.mark.parametrize("prefixes", [True, False], ids=["prefix cache", "no prefix cache"])
def test_preempted_requests_go_on_where_they_were(checkpoint: Path, llm: LLM, prefixes: bool):
    prompts, params = crowd(24)
    small = open_llm(
        checkpoint,
        max_model_len=128,
        block_size=4,
        num_gpu_blocks_override=smallest_pool(checkpoint, 128, 16) + 4,
        max_num_batched_tokens=16,
        max_num_seqs=12,
        enable_prefix_caching=prefixes,
    )
    outputs = small.generate(prompts, params, use_tqdm=False)
    assert small.engine.stats.preemptions > 5
    assert (small.engine.stats.cached_tokens > 0) == prefixes
    assert [essence(o) for o in outputs] == [
        essence(o) for o in llm.generate(prompts, params, use_tqdm=False)
    ]
    assert_at_rest(small.engine)


def test_a_shared_prompt_is_read_once_with_a_grammar_or_without(llm: LLM):
    document = "A document that everybody reads. " * 10
    llm.generate(document, SamplingParams(max_tokens=1), use_tqdm=False)
    output = llm.generate(document + "Who?", asking({"choice": CHOICES}), use_tqdm=False)[0]
    assert output.outputs[0].text in CHOICES and output.num_cached_tokens and output.num_cached_tokens > 100


def test_a_stream_grows_into_the_same_answer(llm: LLM):
    *before, last = llm.stream("Once", asking(COMPACT, seed=4))
    assert len(before) > 3 and last.outputs[0].finish_reason == "stop"
    assert all(last.outputs[0].text.startswith(o.outputs[0].text) for o in before)
    assert last.outputs[0].text == ask(llm, COMPACT, seed=4).text
    chat = llm.chat([{"role": "user", "content": "Hello"}], asking(COMPACT), use_tqdm=False)[0]
    assert fits(PERSON, json.loads(chat.outputs[0].text))


# -- refusals ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "asked", [{"json": {"type": "frob"}}, {"regex": "("}, {"grammar": "start: gone"}], ids=str
)
def test_a_grammar_that_cannot_be_kept_to_is_refused_before_anything_runs(llm: LLM, asked: dict[str, Any]):
    accepted = llm.engine.stats.accepted
    with pytest.raises(BadGrammar, match="is refused"):
        llm.generate("Once", asking(asked), use_tqdm=False)
    assert llm.engine.stats.accepted == accepted
    assert_at_rest(llm.engine)


def test_a_bad_schema_is_refused_alone(checkpoint: Path, llm: LLM):
    engine = AsyncEngine(str(checkpoint), max_model_len=512, cpu_threads=1)

    async def last(asked: Any, seed: int) -> str:
        outputs = [o async for o in engine.generate("Once", asking(asked, seed=seed))]
        return outputs[-1].outputs[0].text

    async def story() -> list[Any]:
        calls = [last(COMPACT if i != 2 else {"json": {"type": "frob"}}, i) for i in range(5)]
        return await asyncio.wait_for(asyncio.gather(*calls, return_exceptions=True), timeout=30)

    try:
        texts = asyncio.run(story())
        assert isinstance(texts[2], BadGrammar) and "frob" in str(texts[2])
        del texts[2]
        assert texts == [ask(llm, COMPACT, seed=i).text for i in (0, 1, 3, 4)]
        assert_at_rest(engine.engine)
    finally:
        engine.shutdown()


def test_a_matcher_that_outgrows_its_limits_fails_alone(llm: LLM):
    huge = {"type": "object", "properties": {f"p{i}": {"type": "string"} for i in range(1000)}}
    asked = [COMPACT, {"json": huge}, COMPACT]
    outputs = llm.generate(["Once"] * 3, [asking(a, seed=6) for a in asked], use_tqdm=False)
    assert [o.outputs[0].finish_reason for o in outputs] == ["stop", "error", "stop"]
    assert "its grammar failed" in str(outputs[1].error)
    assert outputs[0].outputs[0].text == outputs[2].outputs[0].text == ask(llm, COMPACT, seed=6).text
    assert_at_rest(llm.engine)


def test_without_a_tokenizer_structure_is_refused(llama: Path):
    llm = open_llm(llama, skip_tokenizer_init=True)
    with pytest.raises(NeedsTokenizer, match="skip_tokenizer_init"):
        llm.generate([1, 2, 3], asking({"choice": CHOICES}), use_tqdm=False)
    assert_at_rest(llm.engine)
