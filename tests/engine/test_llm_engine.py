"""`LLM` as an engine: seeds, the prefix cache, priorities, numbers of every width, sleep, metrics."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from tests.engine.engines import assert_at_rest, greedy, open_llm, token_ids

from quire import LLM, SamplingParams
from quire.errors import RequestError, Unsupported

PROMPT = list(range(30, 70))
CROWD = [[i % 200 + 3, i % 7 + 3] * (i % 9 + 1) for i in range(31)]


@pytest.fixture(scope="module")
def llm(llama: Path) -> LLM:
    return open_llm(llama, skip_tokenizer_init=True, block_size=4)


# -- seeds ---------------------------------------------------------------------------------------------


def test_a_seeded_request_gives_the_same_tokens_alone_among_others_and_after_preemption(
    llama: Path, llm: LLM
):
    seeded = SamplingParams(seed=11, max_tokens=48, temperature=0.9, top_p=0.95, frequency_penalty=0.2)
    alone = token_ids(llm, [PROMPT], seeded)[0]
    for place in (0, 15, 31):
        prompts = [*CROWD[:place], PROMPT, *CROWD[place:]]
        params = (
            [SamplingParams(max_tokens=20)] * place
            + [seeded]
            + [SamplingParams(max_tokens=20)] * (31 - place)
        )
        assert token_ids(llm, prompts, params)[place] == alone
    small = open_llm(
        llama, skip_tokenizer_init=True, block_size=4, num_gpu_blocks_override=34, max_num_seqs=4
    )
    others = SamplingParams(max_tokens=60)
    prompts = [CROWD[0], CROWD[1], PROMPT]
    assert token_ids(small, prompts, [others, others, seeded])[2] == alone
    assert small.engine.stats.preemptions > 0


def test_requests_without_a_seed_differ_from_each_other_and_not_from_run_to_run(llama: Path):
    runs = []
    for seed in (0, 0, 1):
        llm = open_llm(llama, skip_tokenizer_init=True, seed=seed)
        runs.append(token_ids(llm, [PROMPT] * 8, SamplingParams(max_tokens=12)))
    assert len({tuple(t) for t in runs[0]}) == 8
    assert runs[0] == runs[1] != runs[2]


# -- the prefix cache ----------------------------------------------------------------------------------


def cached(llm: LLM, salt: str | None = None, prompt: list[int] = PROMPT) -> int:
    return llm.generate(prompt, greedy(4, cache_salt=salt), use_tqdm=False)[0].num_cached_tokens


def test_a_prompt_seen_before_comes_from_the_cache_until_it_is_reset(llm: LLM):
    llm.reset_prefix_cache()
    assert [cached(llm), cached(llm)] == [0, 36]  # the last token is always computed
    assert cached(llm, prompt=[*PROMPT[:10], 5, 5, 5]) == 8
    assert llm.reset_prefix_cache() and cached(llm) == 0


def test_salts_keep_prefixes_apart(llm: LLM):
    llm.reset_prefix_cache()
    assert [cached(llm, "a"), cached(llm, "b"), cached(llm), cached(llm, "a")] == [0, 0, 0, 36]
    output = llm.generate({"prompt_token_ids": PROMPT, "cache_salt": "b"}, greedy(4), use_tqdm=False)[0]
    assert output.num_cached_tokens == 36


def test_requests_of_one_batch_share_their_prefix(llm: LLM):
    llm.reset_prefix_cache()
    outputs = llm.generate([[*PROMPT, i] for i in range(5)], greedy(), use_tqdm=False)
    assert [o.num_cached_tokens for o in outputs] == [0, 40, 40, 40, 40]
    alone = [token_ids(llm, [[*PROMPT, i]])[0] for i in range(5)]
    assert [o.outputs[0].token_ids for o in outputs] == alone


def test_answers_that_share_a_new_prompt_do_not_make_it_an_old_one(llm: LLM):
    llm.reset_prefix_cache()
    twice = [llm.generate(PROMPT, greedy(4, n=3), use_tqdm=False)[0].num_cached_tokens for _ in range(2)]
    assert twice == [0, 36]


def test_a_salt_may_be_any_string(llm: LLM):
    assert [cached(llm, "\ud800"), cached(llm, "\ud800"), cached(llm, "\udfff")] == [0, 36, 0]


def test_without_prefix_caching_nothing_is_cached(llama: Path):
    llm = open_llm(llama, skip_tokenizer_init=True, enable_prefix_caching=False)
    assert [cached(llm), cached(llm)] == [0, 0]


# -- order ---------------------------------------------------------------------------------------------


def ends(llm: LLM, priority: list[int]) -> list[int]:
    """Which prompt ended first, second …, one at a time."""
    outputs = llm.generate([PROMPT] * len(priority), greedy(3), use_tqdm=False, priority=priority)
    return sorted(range(len(outputs)), key=lambda i: outputs[i].metrics.finished_time or 0)


def test_the_lowest_priority_number_runs_first_where_the_policy_says_so(llama: Path):
    llm = open_llm(llama, skip_tokenizer_init=True, max_num_seqs=1, scheduling_policy="priority")
    assert ends(llm, [5, -1, 3, -1, 0]) == [1, 3, 4, 2, 0]
    llm = open_llm(llama, skip_tokenizer_init=True, max_num_seqs=1)
    assert ends(llm, [5, -1, 3, -1, 0]) == [0, 1, 2, 3, 4]


# -- what can be seen ----------------------------------------------------------------------------------


def test_metrics_count_what_happened(llama: Path):
    llm = open_llm(llama, skip_tokenizer_init=True, block_size=4)
    token_ids(llm, [PROMPT, PROMPT, [5]], greedy(10))
    with pytest.raises(RequestError):
        llm.generate([[1], [999]], use_tqdm=False)
    found = {m.name: m.value for m in llm.get_metrics()}
    assert found["vllm:prompt_tokens"] == 81 and found["vllm:generation_tokens"] == 30
    assert found["vllm:prefix_cache_queries"] == 81 and found["vllm:prefix_cache_hits"] == 36
    assert found["vllm:request_success"] == 3 and found["quire:requests_aborted"] == 1
    assert found["vllm:num_requests_running"] == found["vllm:num_requests_waiting"] == 0
    assert found["vllm:kv_cache_usage_perc"] == 0 and found["vllm:num_preemptions"] == 0


def test_the_progress_bar_tells_requests_and_speed(llm: LLM, capsys: pytest.CaptureFixture[str]):
    llm.generate([PROMPT, [5]], greedy(4))
    shown = capsys.readouterr().err
    assert "Processed prompts: 100%" in shown and "2/2" in shown
    assert "input: " in shown and "output: " in shown and "tok/s" in shown
    llm.generate([PROMPT, [5]], greedy(4), use_tqdm=False)
    assert "Processed" not in capsys.readouterr().err


def test_start_up_tells_the_size_of_the_cache(llama: Path, caplog: pytest.LogCaptureFixture):
    with caplog.at_level("INFO", "quire"):
        open_llm(llama, skip_tokenizer_init=True, block_size=4, num_gpu_blocks_override=64)
    shown = caplog.text
    assert "GPU KV cache size: 256 tokens" in shown and "pooling_type" not in shown  # vLLM's line
    assert "Maximum concurrency for 128 tokens per request: 2.00x" in shown


# -- numbers -------------------------------------------------------------------------------------------


def test_a_config_alone_gives_a_model_of_random_weights(llama: Path, tmp_path: Path):
    shutil.copy(llama / "config.json", tmp_path)
    llm = open_llm(tmp_path, skip_tokenizer_init=True, load_format="dummy")
    again = open_llm(tmp_path, skip_tokenizer_init=True, load_format="dummy")
    assert token_ids(llm, [PROMPT]) == token_ids(again, [PROMPT])


@pytest.mark.parametrize("family", ["llama", "mistral"])
@pytest.mark.parametrize(
    ("dtype", "kv"),
    [
        ("bfloat16", "auto"),
        ("float16", "auto"),
        ("float32", "bfloat16"),
        ("bfloat16", "float32"),
        ("bfloat16", "float16"),
    ],
)
def test_other_widths_run_and_their_first_tokens_are_likely(
    request: pytest.FixtureRequest, family: str, dtype: str, kv: str
):
    folder = request.getfixturevalue(family)
    wide = open_llm(folder, skip_tokenizer_init=True)
    narrow = open_llm(folder, skip_tokenizer_init=True, dtype=dtype, kv_cache_dtype=kv, block_size=4)
    prompts = [PROMPT, [5], PROMPT[:7]]
    answers = narrow.generate(prompts, greedy(24, logprobs=0), use_tqdm=False)
    right = wide.generate(prompts, greedy(1, logprobs=20), use_tqdm=False)
    for mine, yours in zip(answers, right, strict=True):
        scores = (yours.outputs[0].logprobs or [])[0]
        token = mine.outputs[0].token_ids[0]
        assert token in scores and scores[token].logprob > max(s.logprob for s in scores.values()) - 0.5
        assert mine.outputs[0].finish_reason == "length"
    assert token_ids(narrow, prompts, greedy(24)) == [o.outputs[0].token_ids for o in answers]  # warm
    assert_at_rest(narrow.engine)


# -- sleep ---------------------------------------------------------------------------------------------


def test_a_sleeping_engine_refuses_and_an_awake_one_gives_the_same_tokens(llama: Path):
    llm = open_llm(llama, skip_tokenizer_init=True, block_size=4)
    before = token_ids(llm, [PROMPT])
    llm.sleep()
    with pytest.raises(RequestError, match="wake_up"):
        llm.generate(PROMPT, use_tqdm=False)
    llm.wake_up()
    assert cached(llm) == 0 and token_ids(llm, [PROMPT]) == before
    with pytest.raises(Unsupported, match="level is 2"):
        llm.sleep(2)


def test_an_engine_does_not_sleep_while_it_works(llm: LLM):
    stream = llm.stream(PROMPT, greedy())
    next(stream)
    with pytest.raises(RequestError, match="1 requests are running"):
        llm.sleep()
    stream.close()
