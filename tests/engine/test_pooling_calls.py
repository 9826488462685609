"""Pooling as its callers meet it: parameters, pairs, refusals, failures, and many at once."""

from __future__ import annotations

import asyncio
import math
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
from tests.checkpoints import make, reference_labels
from tests.engine.engines import assert_at_rest, greedy, open_llm, token_ids
from tests.engine.pooling import (
    CONTEXT,
    HEAD,
    PROMPTS,
    assert_near,
    embeddings,
    opened,
    probabilities,
    states,
)
from tests.engine.stories import collect, run, until_idle
from tests.unit.text.vocabularies import write_folder

from quire import (
    LLM,
    AsyncEngine,
    BeamSearchParams,
    PoolingParams,
    SamplingParams,
    ScoringRequestOutput,
)
from quire.errors import (
    BadParameter,
    EmptyPrompt,
    NeedsTokenizer,
    PromptTooLong,
    RequestError,
    RequestFailed,
    TokenOutOfRange,
    WrongTask,
)

# -- pairs ---------------------------------------------------------------------------------------------


def scores(llm: LLM, one: Any, two: Any, **options: Any) -> list[float]:
    outputs = llm.score(one, two, use_tqdm=False, **options)
    assert all(isinstance(o, ScoringRequestOutput) and o.finished for o in outputs)
    return [o.outputs.score for o in outputs]


def test_the_score_of_two_prompts_is_the_cosine_of_their_embeddings(llama: Path):
    llm = opened(llama, pooling_type="mean")
    vectors = embeddings(llm, PROMPTS)
    ids = [{"prompt_token_ids": p} for p in PROMPTS]
    one_by_one = scores(llm, ids[:4], ids[4:])
    assert one_by_one == pytest.approx((vectors[:4] * vectors[4:]).sum(-1).tolist(), abs=1e-5)
    one_with_each = scores(llm, ids[2], ids)
    assert one_with_each == pytest.approx((vectors[2] @ vectors.T).tolist(), abs=1e-5)
    assert one_with_each[2] == pytest.approx(1.0)
    short = embeddings(llm, PROMPTS, dimensions=5)
    asked = PoolingParams(dimensions=5, normalize=False)
    assert scores(llm, ids[0], ids, pooling_params=asked) == pytest.approx(
        (short[0] @ short.T).tolist(), abs=1e-5
    )
    assert_at_rest(llm.engine)


def test_a_checkpoint_with_several_labels_compares_embeddings(classifier: Path):
    llm = opened(classifier)
    vectors = embeddings(llm, PROMPTS)
    mine = scores(llm, [PROMPTS[0]], PROMPTS)
    assert mine == pytest.approx((vectors[0] @ vectors.T).tolist(), abs=1e-5)


def test_texts_have_a_score(checkpoint: Path):
    llm = open_llm(checkpoint)
    same, other = scores(llm, "Why is the sky blue?", ["Why is the sky blue?", "Take the bus."])
    assert same == pytest.approx(1.0) and other < 0.999
    assert llm.score("a", "b", use_tqdm=False)[0].prompt_token_ids == [
        *llm.get_tokenizer().encode("a"),
        *llm.get_tokenizer().encode("b"),
    ]


def test_a_checkpoint_with_one_label_reads_both_texts_together(pair_reader: Path):
    llm = open_llm(pair_reader)
    one, two = "What is it?", ["The quick brown fox", "hello world! " * 40]
    ids = [llm.get_tokenizer().encode_pair(one, t, 60) for t in two]
    right = [float(reference_labels(pair_reader, i)[0]) for i in ids]
    assert [i.count(3) for i in ids] == [2, 2]  # [SEP] after each text
    chances = torch.tensor(right).sigmoid().tolist()
    assert scores(llm, one, two, truncate_prompt_tokens=60) == pytest.approx(chances, abs=1e-4)
    for raw in (PoolingParams(use_activation=False), PoolingParams(task="score", use_activation=False)):
        assert scores(llm, [one, one], two, truncate_prompt_tokens=60, pooling_params=raw) == pytest.approx(
            right, abs=1e-4
        )
    longest = llm.score(one, two[1], truncate_prompt_tokens=-1, use_tqdm=False)[0]
    assert len(longest.prompt_token_ids) == 128
    assert_at_rest(llm.engine)


def test_pairs_that_cannot_be_scored_are_refused_with_the_way_out(
    llama: Path, classifier: Path, pair_reader: Path, checkpoint: Path, tmp_path: Path
):
    llm = opened(llama)
    for one, two in ((PROMPTS[:2], PROMPTS[:3]), (PROMPTS[:3], PROMPTS[:2]), (PROMPTS[:2], [])):
        with pytest.raises(BadParameter, match=f"{len(one)} and {len(two)} texts"):
            llm.score(one, two)
    with pytest.raises(BadParameter, match="use_activation has no meaning"):
        llm.score(PROMPTS[0], PROMPTS[1], pooling_params=PoolingParams(use_activation=True))
    with pytest.raises(BadParameter, match="one PoolingParams"):
        llm.score(PROMPTS[0], PROMPTS[1], pooling_params=[PoolingParams()])  # type: ignore[arg-type]
    with pytest.raises(WrongTask, match="one label and Qwen3ForSequenceClassification has 3"):
        opened(classifier).encode(PROMPTS, pooling_task="score")
    with pytest.raises(NeedsTokenizer, match="pairs of texts need a tokenizer"):
        opened(pair_reader).score("a", "b")
    together = open_llm(pair_reader)
    with pytest.raises(RequestError, match="is of texts"):
        together.score([[1, 2]], "b")
    with pytest.raises(PromptTooLong):
        together.score("a", "b " * 500)
    unmarked = make("llama", tmp_path, head=HEAD, num_labels=1, vocab_size=500)
    with pytest.raises(WrongTask, match=r"no template for pairs of texts.*call classify"):
        open_llm(write_folder(unmarked, "byte level")).score("a", "b")


# -- what cannot be ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "ask",
    [
        lambda llm: llm.generate(PROMPTS),
        lambda llm: llm.chat([{"role": "user", "content": "hello"}]),
        lambda llm: next(llm.stream(PROMPTS[0])),
        lambda llm: next(llm.stream([{"role": "user", "content": "hello"}])),
        lambda llm: llm.beam_search(PROMPTS, BeamSearchParams(beam_width=2, max_tokens=3)),
    ],
    ids=["generate", "chat", "stream", "stream a chat", "beam_search"],
)
def test_a_classification_model_generates_nothing_and_says_what_it_can(
    classifier: Path, ask: Callable[[LLM], Any]
):
    llm = opened(classifier)
    with pytest.raises(WrongTask, match=r"classification model .*use classify, embed or encode") as caught:
        ask(llm)
    assert caught.value.status == 400
    assert_at_rest(llm.engine)


BAD: list[tuple[Callable[[LLM], Any], type[Exception], str]] = [
    (lambda llm: llm.classify(PROMPTS), WrongTask, "LlamaForCausalLM has no classification head; use a …For"),
    (lambda llm: llm.encode(PROMPTS, pooling_task="score"), WrongTask, "one label .* has none"),
    (lambda llm: llm.encode(PROMPTS, pooling_task="embedd"), BadParameter, "did you mean 'embed'"),
    (
        lambda llm: llm.embed(PROMPTS, pooling_params=PoolingParams(task="encode")),
        BadParameter,
        "ask for the task 'encode' and the call for 'embed'",
    ),
    (
        lambda llm: llm.embed(PROMPTS, pooling_params=[PoolingParams()]),
        BadParameter,
        "8 prompts and 1 pooling_params",
    ),
    (
        lambda llm: llm.embed(PROMPTS, pooling_params=SamplingParams()),
        BadParameter,
        "must be PoolingParams",
    ),
    (
        lambda llm: llm.embed(PROMPTS, pooling_params=PoolingParams(dimensions=49)),
        BadParameter,
        "dimensions is 49 .* have 48",
    ),
    (lambda llm: llm.embed(PROMPTS, truncate_prompt_tokens=-2), BadParameter, "at least -1"),
    (lambda llm: llm.embed([*PROMPTS, []]), EmptyPrompt, "at least one token"),
    (lambda llm: llm.embed([*PROMPTS, [1] * 65]), PromptTooLong, "65 tokens .* at most 64; shorten"),
    (lambda llm: llm.embed([*PROMPTS, [263]]), TokenOutOfRange, "263 .* 0 to 262"),
    (lambda llm: llm.embed("text"), NeedsTokenizer, "skip_tokenizer_init"),
    (lambda llm: llm.embed(None), RequestError, "text, token ids or a list"),
    (lambda llm: llm.generate(PROMPTS, PoolingParams()), BadParameter, "must be SamplingParams"),
    (
        lambda llm: llm.engine.add_pooling("x", [1], greedy()),  # type: ignore[arg-type]
        BadParameter,
        "pooling_params must be PoolingParams",
    ),
    (
        lambda llm: llm.engine.add("x", [1], PoolingParams()),  # type: ignore[arg-type]
        BadParameter,
        "sampling_params must be SamplingParams",
    ),
]


@pytest.mark.parametrize(("ask", "error", "message"), BAD, ids=[message[:30] for _, _, message in BAD])
def test_what_cannot_be_is_refused_before_anything_runs(
    llama: Path, ask: Callable[[LLM], Any], error: type[Exception], message: str
):
    llm = opened(llama)
    with pytest.raises(error, match=message):
        ask(llm)
    assert llm.engine.stats.steps == 0
    assert_at_rest(llm.engine)


def test_an_engine_that_is_asleep_reads_nothing(llama: Path):
    llm = opened(llama)
    before = embeddings(llm, PROMPTS)
    llm.sleep()
    with pytest.raises(RequestError, match="asleep"):
        llm.embed(PROMPTS)
    llm.wake_up()
    assert_near(embeddings(llm, PROMPTS), before)


# -- what breaks breaks alone --------------------------------------------------------------------------

POISON = 262


@pytest.mark.parametrize("task", ["embed", "encode"])
@pytest.mark.parametrize("chunk", [64, 5])
@pytest.mark.parametrize("at", [0, 11, 29])
def test_nan_fails_only_the_prompts_that_contain_it(llama: Path, task: str, chunk: int, at: int):
    good = [p for p in PROMPTS if POISON not in p]
    wanted = states(opened(llama), good, task=task)
    llm = opened(llama, block_size=4, max_num_batched_tokens=chunk, max_num_seqs=5)
    llm.engine.runner.model.embedding.weight[POISON] = math.nan
    bad = list(range(100, 130))
    bad[at] = POISON
    *fine, broken = llm.encode([*good, bad], pooling_task=task, use_tqdm=False)
    assert broken.outputs is None and isinstance(broken.error, RequestFailed) and "NaN" in str(broken.error)
    for output, right in zip(fine, wanted, strict=True):
        torch.testing.assert_close(output.outputs.data, right, atol=1e-5, rtol=0)
    assert_at_rest(llm.engine)
    for mine, right in zip(states(llm, good, task=task), wanted, strict=True):  # the blocks are used again
        torch.testing.assert_close(mine, right, atol=1e-5, rtol=0)


def test_a_head_that_says_nan_fails_requests_and_not_the_engine(classifier: Path):
    llm = opened(classifier, cpu_pack_weights=False)
    right = embeddings(llm, PROMPTS)
    llm.engine.runner.model.head.weight[1] = math.nan
    outputs = llm.classify(PROMPTS, use_tqdm=False)
    assert [o.outputs for o in outputs] == [None] * 8
    assert all("NaN" in str(o.error) for o in outputs)
    assert_at_rest(llm.engine)
    assert_near(embeddings(llm, PROMPTS), right)


def test_a_prompt_that_fails_has_no_score_and_the_others_have(llama: Path):
    llm = opened(llama)
    llm.engine.runner.model.embedding.weight[POISON] = math.nan
    fine, bad = llm.score(PROMPTS[0], [PROMPTS[0], [POISON]], use_tqdm=False)
    assert fine.outputs.score == pytest.approx(1.0) and fine.error is None
    assert bad.outputs is None and isinstance(bad.error, RequestFailed)


# -- AsyncEngine ---------------------------------------------------------------------------------------


@pytest.fixture
def engine(llama: Path) -> Iterator[AsyncEngine]:
    engine = AsyncEngine(str(llama), skip_tokenizer_init=True, max_model_len=CONTEXT, cpu_threads=1)
    yield engine
    engine.shutdown()


def test_generation_and_embedding_share_their_steps(engine: AsyncEngine, llama: Path):
    llm = opened(llama)
    answers, vectors = token_ids(llm, PROMPTS, greedy(14)), embeddings(llm, PROMPTS)

    async def story() -> None:
        said = [collect(engine.generate(p, greedy(14))) for p in PROMPTS]
        read = [collect(engine.encode(p, PoolingParams(task="embed"))) for p in PROMPTS]
        outputs = await asyncio.gather(*said, *read)
        for i in range(8):
            assert outputs[i][-1].outputs[0].token_ids == answers[i]
            [only] = outputs[8 + i]
            assert only.finished and only.prompt_token_ids == PROMPTS[i]
            torch.testing.assert_close(only.outputs.data, vectors[i], atol=1e-5, rtol=0)
        await until_idle(engine)

    run(story())


def test_encode_gives_a_vector_for_each_token_unless_told(engine: AsyncEngine):
    async def story() -> None:
        [output] = await collect(engine.encode(PROMPTS[4], request_id="mine"))
        assert output.request_id == "mine" and output.outputs.data.shape == (16, 48)

    run(story())


class Slow:
    """An executor whose steps wait until they are let go."""

    depth = 1

    def __init__(self, inner: Any):
        self.inner, self.go = inner, threading.Event()

    def submit(self, plan: Any) -> Any:
        self.go.wait(timeout=20)
        return self.inner.submit(plan)

    def close(self) -> None:
        self.inner.close()


@pytest.mark.parametrize("how", ["abort", "cancel"])
def test_a_prompt_that_is_no_longer_wanted_is_let_go(llama: Path, how: str):
    engine = AsyncEngine(
        str(llama),
        skip_tokenizer_init=True,
        max_model_len=CONTEXT,
        cpu_threads=1,
        max_num_batched_tokens=4,
        max_num_seqs=2,
    )
    slow = Slow(engine.engine.core.executor)
    engine.engine.core.executor = slow

    async def story() -> None:
        reading = asyncio.create_task(collect(engine.encode(PROMPTS[-1], request_id="mine")))
        await asyncio.sleep(0.05)
        if how == "abort":
            await engine.abort("mine")
            slow.go.set()
            [output] = await reading
            assert output.finished and output.outputs is None and output.error is None
        else:
            reading.cancel()
            slow.go.set()
            with pytest.raises(asyncio.CancelledError):
                await reading
        await until_idle(engine)

    run(story())
    assert (engine.engine.stats.aborted, engine.engine.stats.finished) == (1, 0)
    engine.shutdown()


def test_an_error_reaches_the_caller_who_made_it(engine: AsyncEngine):
    engine.engine.runner.model.embedding.weight[POISON] = math.nan

    async def story() -> None:
        calls = [
            engine.encode([1] * 65),
            engine.encode(PROMPTS[1], PoolingParams(task="classify")),
            engine.encode(PROMPTS[1], SamplingParams()),  # type: ignore[arg-type]
            engine.generate(PROMPTS[1], PoolingParams()),  # type: ignore[arg-type]
            engine.encode([5, POISON]),
            engine.encode(PROMPTS[1]),
        ]
        outcomes = await asyncio.gather(*(collect(c) for c in calls), return_exceptions=True)
        kinds = [PromptTooLong, WrongTask, BadParameter, BadParameter, RequestFailed, list]
        assert [type(o) for o in outcomes] == kinds
        await until_idle(engine)

    run(story())


def test_a_classification_model_serves_callers_at_once(classifier: Path):
    engine = AsyncEngine(str(classifier), skip_tokenizer_init=True, max_model_len=CONTEXT, cpu_threads=1)
    wanted = probabilities(opened(classifier), PROMPTS)

    async def story() -> None:
        calls = [collect(engine.encode(p, PoolingParams(task="classify"))) for p in PROMPTS]
        refused = collect(engine.generate(PROMPTS[0]))
        *outputs, error = await asyncio.gather(*calls, refused, return_exceptions=True)
        assert isinstance(error, WrongTask)
        assert_near(torch.stack([o[0].outputs.data for o in outputs]), wanted)
        await until_idle(engine)

    run(story())
    engine.shutdown()
