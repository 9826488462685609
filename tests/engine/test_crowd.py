"""A crowd with parameters of every kind, in a cache that is too small, some of it leaving early."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from tests.checkpoints import make
from tests.engine.engines import assert_at_rest, open_llm, smallest_pool

from quire import LLM, SamplingParams
from quire.outputs import RequestOutput

CONTEXT, CHUNK = 96, 16
SHARED = [list(range(50, 70)), list(range(90, 99))]


def params(r: random.Random) -> SamplingParams:
    def maybe(**some: Any) -> dict[str, Any]:
        return some if r.random() < 0.3 else {}

    n = r.choice([1, 1, 1, 2])
    return SamplingParams(
        n=n,
        seed=r.randrange(2**40),
        temperature=r.choice([0.0, 0.5, 1.0]),
        max_tokens=r.randrange(5, 41),
        ignore_eos=r.random() < 0.7,
        **maybe(top_k=r.choice([1, 10, 200])),
        **maybe(top_p=r.choice([0.2, 0.9])),
        **maybe(min_p=0.05),
        **maybe(presence_penalty=r.uniform(-1, 1)),
        **maybe(frequency_penalty=r.uniform(-1, 1)),
        **maybe(repetition_penalty=r.uniform(0.8, 1.5)),
        **maybe(logit_bias={r.randrange(263): r.uniform(-9, 9) for _ in range(3)}),
        **maybe(allowed_token_ids=r.sample(range(263), 60)),
        **maybe(stop_token_ids=r.sample(range(263), r.choice([2, 30]))),
        **maybe(min_tokens=3),
        **maybe(logprobs=r.randrange(4)),
        **maybe(prompt_logprobs=r.randrange(3)),
        **maybe(cache_salt="apart"),
    )


def prompt(r: random.Random) -> list[int]:
    start = r.choice([[], [], *SHARED])
    return [*start, *(r.randrange(263) for _ in range(r.randrange(1, 30)))]


def essence(output: RequestOutput) -> tuple[list[Any], list[float]]:
    """All that must not depend on others: exactly, and as nearly as float32 allows."""
    answers = [(o.token_ids, o.finish_reason, o.stop_reason) for o in output.outputs]
    lines = [*(output.prompt_logprobs or []), *(line for o in output.outputs for line in o.logprobs or [])]
    scores = [(token, s.logprob) for line in lines for token, s in (line or {}).items()]
    return [answers, [token for token, _ in scores]], [value for _, value in scores]


def alone(llm: LLM, asked: tuple[list[int], SamplingParams]) -> RequestOutput:
    return llm.generate({"prompt_token_ids": asked[0]}, asked[1], use_tqdm=False)[0]


def together(
    llm: LLM, crowd: list[tuple[list[int], SamplingParams]], r: random.Random
) -> dict[int, RequestOutput]:
    """They come a few at a time; one in five leaves before its end. The outputs of those who stay."""
    engine, waiting, ended = llm.engine, list(enumerate(crowd)), {}
    leaving = {i: r.randrange(1, 60) for i in range(len(crowd)) if r.random() < 0.2}
    step = 0
    while waiting or engine.unfinished:
        for _ in range(min(len(waiting), r.choice([0, 1, 5]))):
            i, (tokens, asked) = waiting.pop(0)
            engine.add(str(i), tokens, asked, stream=r.random() < 0.5)
        engine.abort([str(i) for i, at in leaving.items() if at <= step])
        outputs = engine.step()
        ended |= {int(o.request_id): o for o in outputs if o.finished and int(o.request_id) not in leaving}
        step += 1
    return ended


@pytest.mark.parametrize("family", ["llama", "mistral", "qwen2_window", "gemma3"])
def test_a_crowd_in_a_small_cache_gets_what_each_gets_alone(family: str, tmp_path: Path):
    folder, r = make(family, tmp_path), random.Random(7)
    crowd = [(prompt(r), params(r)) for _ in range(60)]
    pool = smallest_pool(folder, CONTEXT, CHUNK) + 4
    small = open_llm(
        folder,
        skip_tokenizer_init=True,
        max_model_len=CONTEXT,
        block_size=4,
        num_gpu_blocks_override=pool,
        max_num_batched_tokens=CHUNK,
        max_num_seqs=CHUNK,
    )
    outputs = together(small, crowd, r)
    assert_at_rest(small.engine)
    assert small.engine.stats.preemptions > 0 and small.engine.stats.cached_tokens > 0
    assert small.engine.stats.failed == 0
    roomy = open_llm(folder, skip_tokenizer_init=True, max_model_len=CONTEXT, enable_prefix_caching=False)
    for i, output in outputs.items():
        mine, right = essence(output), essence(alone(roomy, crowd[i]))
        assert mine[0] == right[0], crowd[i]
        assert mine[1] == pytest.approx(right[1], abs=1e-3)
    assert len(outputs) > 30
