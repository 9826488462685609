"""`LLM` with text: prompts of every kind, stops, several answers, chats, streams."""

from __future__ import annotations

import itertools
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.engine.engines import assert_at_rest, greedy, open_llm, token_ids

from quire import LLM, RequestOutputKind, SamplingParams
from quire.errors import BadParameter, BadTemplate, RequestError
from quire.outputs import CompletionOutput, RequestOutput

TEXT = "The engine reads a prompt and"
TEXTS = [TEXT, "Blocks of tokens", "a", "Who waits for whom? " * 6]


@pytest.fixture(scope="module")
def llm(checkpoint: Path) -> LLM:
    return open_llm(checkpoint, max_model_len=256)


@pytest.fixture(scope="module")
def words(llm: LLM) -> list[int]:
    """Tokens that are plain letters, so that their text is theirs alone."""
    tokenizer = llm.get_tokenizer()
    return [i for i in range(len(tokenizer)) if tokenizer.decode([i]).strip().isalpha() and i > 200]


def one(llm: LLM, prompt: Any, params: SamplingParams) -> CompletionOutput:
    return llm.generate(prompt, params, use_tqdm=False)[0].outputs[0]


# -- prompts and parameters ----------------------------------------------------------------------------


def test_a_prompt_is_text_or_ids_or_a_dict_of_either(llm: LLM):
    ids = llm.get_tokenizer().encode(TEXT)
    prompts = [TEXT, ids, tuple(ids), np.array(ids), {"prompt": TEXT}, {"prompt_token_ids": ids}]
    outputs = llm.generate(prompts, greedy(), use_tqdm=False)
    assert [o.prompt_token_ids for o in outputs] == [ids] * 6
    assert [o.prompt for o in outputs] == [TEXT, None, None, None, TEXT, None]
    assert len({tuple(o.outputs[0].token_ids) for o in outputs}) == 1
    assert all(o.outputs[0].text == llm.get_tokenizer().decode(o.outputs[0].token_ids) for o in outputs)


def test_one_prompt_needs_no_list(llm: LLM):
    ids = llm.get_tokenizer().encode(TEXT)
    whole = token_ids(llm, [TEXT])
    for prompt in (TEXT, ids, np.array(ids), {"prompt": TEXT}):
        assert token_ids(llm, prompt) == whole
    assert llm.generate([], greedy(), use_tqdm=False) == []


def test_outputs_come_in_the_order_of_the_prompts_whoever_ends_first(llm: LLM):
    each = [greedy(n) for n in (30, 3, 17, 1)]
    outputs = llm.generate(TEXTS, each, use_tqdm=False)
    assert [o.prompt for o in outputs] == TEXTS
    assert [len(o.outputs[0].token_ids) for o in outputs] == [30, 3, 17, 1]
    assert [o.outputs[0].token_ids for o in outputs] == [
        token_ids(llm, t, p)[0] for t, p in zip(TEXTS, each, strict=True)
    ]
    assert len({o.request_id for o in outputs}) == 4


def test_each_request_tells_when_it_came_and_went(llm: LLM):
    metrics = list(llm.stream(TEXT, greedy()))[-1].metrics
    assert metrics.arrival_time < (metrics.first_token_time or 0) < (metrics.finished_time or 0)


def test_without_parameters_the_checkpoints_own_are_taken(checkpoint: Path, tmp_path: Path):
    folder = Path(shutil.copytree(checkpoint, tmp_path / "model"))
    (folder / "generation_config.json").write_text('{"temperature": 0.25, "top_k": 7, "eos_token_id": 2}')
    params = open_llm(folder).get_default_sampling_params()
    assert (params.temperature, params.top_k, params.top_p, params.max_tokens) == (0.25, 7, 1.0, 16)
    greedily = '{"temperature": 0.25, "do_sample": false, "max_new_tokens": 40}'
    (folder / "generation_config.json").write_text(greedily)
    assert open_llm(folder).get_default_sampling_params() == SamplingParams(temperature=0, max_tokens=40)


def test_the_end_of_a_long_prompt_can_be_kept(llm: LLM):
    ids = llm.get_tokenizer().encode(TEXTS[3])
    output = llm.generate(TEXTS[3], greedy(truncate_prompt_tokens=5), use_tqdm=False)[0]
    assert output.prompt_token_ids == ids[-5:]
    assert output.outputs[0].token_ids == token_ids(llm, ids[-5:])[0]
    long = llm.generate([1] * 5000, greedy(truncate_prompt_tokens=100), use_tqdm=False)[0]
    assert len(long.prompt_token_ids) == 100


def test_a_request_runs_to_its_last_place_in_the_context(llm: LLM):
    output = llm.generate(TEXT, greedy(None), use_tqdm=False)[0]
    assert len(output.prompt_token_ids) + len(output.outputs[0].token_ids) == 256
    assert output.outputs[0].finish_reason == "length" and output.outputs[0].stop_reason is None


def test_text_that_cannot_be_encoded_is_refused_or_fails_alone(llm: LLM):
    with pytest.raises(BadParameter, match=r"lone surrogate .* at 1"):
        llm.generate(["fine", "a\ud800"], greedy(), use_tqdm=False)
    params = [greedy(), greedy(bad_words=["\ud800"])]
    fine, failed = llm.generate([TEXT, TEXT], params, use_tqdm=False)
    assert fine.outputs[0].token_ids == token_ids(llm, TEXT)[0]
    assert "lone surrogate" in str(failed.error)
    assert_at_rest(llm.engine)


# -- several answers -----------------------------------------------------------------------------------


def test_n_answers_differ_and_are_the_same_again(llm: LLM):
    params = SamplingParams(n=4, seed=5, max_tokens=12)
    first, again = (llm.generate(TEXT, params, use_tqdm=False)[0] for _ in range(2))
    assert [o.index for o in first.outputs] == [0, 1, 2, 3]
    assert len({tuple(o.token_ids) for o in first.outputs}) == 4
    assert [o.token_ids for o in first.outputs] == [o.token_ids for o in again.outputs]


def test_best_of_returns_the_likeliest(llm: LLM):
    params: dict[str, Any] = {"seed": 9, "max_tokens": 10, "temperature": 1.5}
    all_six = llm.generate(TEXT, SamplingParams(n=6, logprobs=0, **params), use_tqdm=False)[0].outputs
    best = llm.generate(TEXT, SamplingParams(n=2, best_of=6, **params), use_tqdm=False)[0].outputs
    ranked = sorted(all_six, key=lambda o: -(o.cumulative_logprob or 0))
    assert [o.token_ids for o in best] == [o.token_ids for o in ranked[:2]]
    assert [o.index for o in best] == [0, 1]
    assert [o.logprobs for o in best] == [None, None], "nobody asked for them"


@pytest.mark.parametrize("kind", RequestOutputKind)
def test_best_of_is_told_only_when_it_is_known(llm: LLM, kind: RequestOutputKind):
    params = SamplingParams(best_of=4, seed=9, max_tokens=6, output_kind=kind)
    [streamed] = list(llm.stream(TEXT, params))
    whole = llm.generate(TEXT, params, use_tqdm=False)[0]
    assert [o.text for o in streamed.outputs] == [o.text for o in whole.outputs]


# -- the end of an answer ------------------------------------------------------------------------------


def border(llm: LLM, tokens: list[int]) -> str:
    """The text of two neighbouring tokens, a letter from each side."""
    left, right = (llm.get_tokenizer().decode([t]) for t in tokens[10:12])
    return left[-1] + right[0]


def test_a_stop_string_may_lie_across_tokens(llm: LLM, words: list[int]):
    whole = one(llm, TEXT, greedy(32, allowed_token_ids=words))
    decode = llm.get_tokenizer().decode
    stop = border(llm, whole.token_ids)
    stopped = one(llm, TEXT, greedy(32, allowed_token_ids=words, stop=["never said", stop]))
    assert stopped.text == whole.text[: whole.text.index(stop)]
    assert (stopped.finish_reason, stopped.stop_reason) == ("stop", stop)
    needed = next(n for n in range(33) if stop in decode(whole.token_ids[:n]))
    assert stopped.token_ids == whole.token_ids[:needed]
    included = one(llm, TEXT, greedy(32, allowed_token_ids=words, stop=stop, include_stop_str_in_output=True))
    assert included.text == whole.text[: whole.text.index(stop)] + stop
    assert_at_rest(llm.engine)


def test_a_stop_string_that_never_comes_changes_nothing(llm: LLM):
    whole = one(llm, TEXT, greedy(32))
    assert one(llm, TEXT, greedy(32, stop=[whole.text + "!", "\u2603"])) == whole


def test_no_stop_string_ends_an_answer_before_min_tokens(llm: LLM, words: list[int]):
    whole = one(llm, TEXT, greedy(32, allowed_token_ids=words))
    stop = llm.get_tokenizer().decode(whole.token_ids[2:3])
    late = one(llm, TEXT, greedy(32, allowed_token_ids=words, stop=stop, min_tokens=20))
    assert len(late.token_ids) >= 20 and stop in late.text
    assert whole.text.startswith(late.text)


def test_log_probabilities_end_with_the_stop_string(llm: LLM, words: list[int]):
    whole = one(llm, TEXT, greedy(32, allowed_token_ids=words))
    stopped = one(
        llm, TEXT, greedy(32, allowed_token_ids=words, stop=border(llm, whole.token_ids), logprobs=1)
    )
    assert len(stopped.logprobs or []) == len(stopped.token_ids) < 32


def test_a_stop_token_ends_the_answer_and_is_named(llm: LLM, words: list[int]):
    whole = one(llm, TEXT, greedy(32, allowed_token_ids=words))
    stop = whole.token_ids[7]
    end = whole.token_ids.index(stop) + 1
    decode = llm.get_tokenizer().decode
    many = [*range(3, 40), stop]  # more than are checked for all rows at once
    for ids in ([stop], many):
        stopped = one(llm, TEXT, greedy(32, allowed_token_ids=words, stop_token_ids=ids))
        assert stopped.token_ids == whole.token_ids[:end]
        assert (stopped.finish_reason, stopped.stop_reason) == ("stop", stop)
        assert stopped.text == decode(whole.token_ids[: end - 1])
    kept = one(
        llm,
        TEXT,
        greedy(32, allowed_token_ids=words, stop_token_ids=[stop], include_stop_str_in_output=True),
    )
    assert kept.text == decode(whole.token_ids[:end])


def test_the_end_of_text_token_ends_the_answer_without_a_reason(llm: LLM):
    tokenizer = llm.get_tokenizer()
    for end in (tokenizer.eos_token_id, tokenizer.bos_token_id):  # generation_config.json names both
        params: dict[str, Any] = {"temperature": 0, "min_tokens": 3, "logit_bias": {end: 100.0}}
        answer = one(llm, TEXT, SamplingParams(**params))
        assert (len(answer.token_ids), answer.token_ids[-1]) == (4, end)
        assert (answer.finish_reason, answer.stop_reason) == ("stop", None)
        assert answer.text == tokenizer.decode(answer.token_ids[:3])
        endless = one(llm, TEXT, SamplingParams(ignore_eos=True, max_tokens=9, **params))
        assert (len(endless.token_ids), endless.finish_reason) == (9, "length")


def test_bad_words_stay_away_at_the_start_and_after_a_space(llm: LLM, words: list[int]):
    tokenizer = llm.get_tokenizer()
    whole = one(llm, TEXT, greedy(24, allowed_token_ids=words))
    bad = sorted({tokenizer.decode([t]).strip() for t in whole.token_ids[:6]})
    better = one(llm, TEXT, greedy(24, allowed_token_ids=words, bad_words=bad))
    said = [tokenizer.decode([t]) for t in better.token_ids]
    spelled = [tokenizer.encode(space + word) for word in bad for space in ("", " ")]
    for ids in spelled:
        pieces = [better.token_ids[i : i + len(ids)] for i in range(24)]
        assert ids not in pieces, said
    assert better.token_ids != whole.token_ids


# -- text ----------------------------------------------------------------------------------------------


def test_without_detokenising_there_is_no_text(llm: LLM):
    whole, silent = one(llm, TEXT, greedy()), one(llm, TEXT, greedy(detokenize=False))
    assert silent.text == "" and silent.token_ids == whole.token_ids


def test_special_tokens_are_left_out_unless_asked_for(llm: LLM):
    start = llm.get_tokenizer().token_to_id("<|im_start|>")
    params: dict[str, Any] = {"logit_bias": {start: 100.0}}
    assert one(llm, TEXT, greedy(2, **params)).text == ""
    assert one(llm, TEXT, greedy(2, skip_special_tokens=False, **params)).text == "<|im_start|>" * 2


def test_log_probabilities_are_readable(llm: LLM):
    output = llm.generate(TEXT, greedy(4, logprobs=3, prompt_logprobs=2), use_tqdm=False)[0]
    decode = llm.get_tokenizer().decode
    assert output.prompt_logprobs is not None and output.outputs[0].logprobs is not None
    assert len(output.prompt_logprobs) == len(output.prompt_token_ids) and output.prompt_logprobs[0] is None
    for scores in [*output.prompt_logprobs[1:], *output.outputs[0].logprobs]:
        assert scores is not None
        assert all(s.decoded_token == decode([t], skip_special_tokens=False) for t, s in scores.items())
        assert sorted(s.rank or 0 for s in scores.values())[:2] == [1, 2]


# -- chats ---------------------------------------------------------------------------------------------

CHAT = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Who are you?"}]
RENDERED = "<|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\nWho are you?<|im_end|>\n"


def chat(llm: LLM, messages: Any, **options: Any) -> list[RequestOutput]:
    return llm.chat(messages, greedy(), use_tqdm=False, **options)


def test_a_chat_goes_through_the_template(llm: LLM):
    [output] = chat(llm, CHAT)
    assert output.prompt == RENDERED + "<|im_start|>assistant\n"
    assert output.prompt_token_ids == llm.get_tokenizer().encode(output.prompt, add_special_tokens=False)
    assert output.outputs[0].token_ids == token_ids(llm, output.prompt_token_ids)[0]


def test_several_chats_are_answered_in_order(llm: LLM):
    other = [{"role": "user", "content": "And you?"}]
    both = chat(llm, [CHAT, other])
    assert [o.prompt for o in both] == [chat(llm, CHAT)[0].prompt, chat(llm, other)[0].prompt]
    assert both[1].outputs[0].token_ids == chat(llm, other)[0].outputs[0].token_ids


def test_the_last_message_can_be_continued(llm: LLM):
    begun = [*CHAT, {"role": "assistant", "content": "I am"}]
    [output] = chat(llm, begun, continue_final_message=True)
    assert output.prompt == RENDERED + "<|im_start|>assistant\nI am"
    [closed] = chat(llm, CHAT, add_generation_prompt=False)
    assert closed.prompt == RENDERED


def test_tools_and_variables_reach_the_template(llm: LLM):
    template = "{% for t in tools %}[{{ t.function.name }}]{% endfor %}{{ mood }}: {{ messages[0].content }}"
    tools = [{"type": "function", "function": {"name": "look_up", "parameters": {}}}]
    [output] = chat(llm, CHAT, tools=tools, chat_template=template, chat_template_kwargs={"mood": "calm"})
    assert output.prompt == "[look_up]calm: Be brief."


def test_a_chat_that_cannot_be_rendered_is_refused(llm: LLM):
    with pytest.raises(RequestError, match="no message"):
        chat(llm, [])
    for nothing in ("hi", 5, None):
        with pytest.raises(BadParameter, match=r"messages must be a list .*, got"):
            chat(llm, nothing)
    with pytest.raises(BadParameter, match=r"messages\[0\] must be an object"):
        chat(llm, ["hi"])
    with pytest.raises(BadTemplate, match="stop here"):
        chat(llm, CHAT, chat_template="{{ raise_exception('stop here') }}")
    assert_at_rest(llm.engine)


# -- streams -------------------------------------------------------------------------------------------


def test_a_single_message_is_a_conversation(llm: LLM):
    assert chat(llm, CHAT[0])[0].prompt == chat(llm, [CHAT[0]])[0].prompt


@pytest.mark.parametrize(
    ("tools", "said"),
    [
        ({"name": "f"}, "must be a list of objects, got dict"),
        ("f", "must be a list of objects, got str"),
        (["f"], r"tools\[0\] must be an object with 'function'"),
        ([{"name": "f"}, {"type": "function"}], r"tools\[1\] must be an object"),
        ([{"function": {"description": "x"}}], r"tools\[0\] .* 'name'"),
        ([{"function": "f"}], r"tools\[0\] must be an object"),
        (
            [{"function": {"name": "f", "parameters": ["a"]}}],
            r"parameters of tools\[0\] must be a JSON schema",
        ),
    ],
    ids=str,
)
def test_tools_without_a_name_are_refused(llm: LLM, tools: Any, said: str):
    with pytest.raises(BadParameter, match=said):
        chat(llm, CHAT, tools=tools)
    for good in ([], [{"name": "f"}], [{"function": {"name": "f", "parameters": None}}]):
        assert chat(llm, CHAT, tools=good)


def test_a_stream_grows_into_the_whole_answer(llm: LLM):
    for params in (greedy(20), SamplingParams(seed=3, max_tokens=20, stop=["e "], logprobs=1)):
        seen = list(llm.stream(TEXT, params))
        texts = [o.outputs[0].text for o in seen]
        assert all(later.startswith(earlier) for earlier, later in itertools.pairwise(texts))
        assert [o.finished for o in seen] == [False] * (len(seen) - 1) + [True]
        assert seen[-1].outputs == llm.generate(TEXT, params, use_tqdm=False)[0].outputs
        assert len(seen) == len(seen[-1].outputs[0].token_ids)


def test_deltas_add_up_to_the_whole_answer(llm: LLM):
    params = SamplingParams(n=2, seed=4, max_tokens=20, output_kind=RequestOutputKind.DELTA, logprobs=0)
    texts, tokens, scores = ["", ""], [[], []], [[], []]
    for output in llm.stream(TEXT, params):
        for o in output.outputs:
            texts[o.index] += o.text
            tokens[o.index] += o.token_ids
            scores[o.index] += o.logprobs or []
    whole = llm.generate(TEXT, params, use_tqdm=False)[0].outputs
    assert texts == [o.text for o in whole] and tokens == [o.token_ids for o in whole]
    assert scores == [o.logprobs for o in whole]


def test_a_stream_takes_ids_arrays_and_chats(llm: LLM):
    ids = llm.get_tokenizer().encode(TEXT)
    whole = token_ids(llm, TEXT)[0]
    for prompt in (ids, np.array(ids), {"prompt": TEXT}):
        assert list(llm.stream(prompt, greedy()))[-1].outputs[0].token_ids == whole
    assert list(llm.stream(CHAT, greedy()))[-1].outputs == chat(llm, CHAT)[0].outputs


def test_closing_a_stream_ends_its_request(llm: LLM):
    aborted = llm.engine.stats.aborted
    stream = llm.stream(TEXT, greedy(200))
    for _ in range(3):
        next(stream)
    assert llm.engine.core.scheduler.kv.pool.held > 0
    stream.close()
    assert_at_rest(llm.engine)
    assert llm.engine.stats.aborted == aborted + 1


def test_streams_can_be_read_side_by_side(llm: LLM):
    lengths = [3, 20, 9]
    streams = [llm.stream(TEXT, greedy(n)) for n in lengths]
    last: list[list[int]] = [[], [], []]
    for outputs in itertools.zip_longest(*streams):
        for i, output in enumerate(outputs):
            last[i] = last[i] if output is None else output.outputs[0].token_ids
    assert last == [token_ids(llm, TEXT, greedy(n))[0] for n in lengths]
    assert_at_rest(llm.engine)


def test_others_can_be_served_in_the_middle_of_a_stream(llm: LLM):
    stream = llm.stream(TEXT, greedy(12))
    next(stream)
    assert token_ids(llm, TEXTS, greedy(30)) == [token_ids(llm, t, greedy(30))[0] for t in TEXTS]
    assert list(stream)[-1].outputs[0].token_ids == token_ids(llm, TEXT, greedy(12))[0]
    assert_at_rest(llm.engine)
