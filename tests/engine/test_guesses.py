"""Steps ahead on the runner of GPUs: the device guesses, verifies and counts, and the tokens are the same."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

pytest.importorskip("triton", reason="Triton is not installed")

from tests.checkpoints import make
from tests.draft_checkpoints import medusa
from tests.engine.test_cuda_runner import greedy, on_cuda_runner, parts_of

from quire import SamplingParams
from quire.engine.engine import Engine
from quire.ops import backend
from quire.ops.guess import HEAD, Places, WideInputs
from quire.scheduler.ahead import Ahead
from quire.scheduler.speculation import Speculation
from quire.worker.cuda.runner import CudaRunner
from quire.worker.drafts.contract import Seen
from quire.worker.drafts.guessing import Moved
from quire.worker.drafts.medusa import MedusaDrafts
from quire.worker.drafts.on_device import on_device
from quire.worker.wide import Wide

NGRAM = {"method": "ngram", "num_speculative_tokens": 3, "prompt_lookup_min": 1, "adaptive": False}
PROMPTS = [[7, 9, 11] * 4, [5] * 21, [100, 101, 102, 103, 104, 105, 106, 107, 108], [3, 4] * 5]
FEW_BLOCKS = {"num_gpu_blocks_override": 13, "block_size": 4, "max_model_len": 48}
Asked = list[tuple[int, list[int], SamplingParams]]  # when it comes, by steps; prompt; parameters


@pytest.fixture(autouse=True)
def interpreted() -> Iterator[None]:
    backend.interpret = True
    yield
    backend.interpret = False


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make("qwen3", tmp_path_factory.mktemp("qwen3"), num_hidden_layers=1)


@pytest.fixture(scope="module")
def drafts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """A --speculative-config of each method that guesses on the device."""
    heads = medusa(tmp_path_factory.mktemp("medusa"))
    return {"ngram": NGRAM, "medusa": NGRAM | {"method": "medusa", "model": str(heads)}}


def ahead(folder: Path, asked: dict[str, Any], **options: Any) -> Engine:
    parts = parts_of(folder, speculative_config=asked, **options)
    scheduler = parts.core.scheduler
    most, proposer = asked["num_speculative_tokens"], parts.runner.proposer
    drafting = Ahead(
        scheduler.rows,
        scheduler.kv,
        most,
        time.perf_counter,
        adaptive=asked["adaptive"],
        lookahead=most if proposer.lookahead else 0,
    )
    scheduler.drafting = scheduler.roster.drafting = drafting
    return on_cuda_runner(parts, proposer=proposer, drafts=most)


def run(engine: Engine, asked: Asked, abort: dict[int, str] | None = None) -> dict[str, list[int]]:
    """The tokens of every request; `abort`: after which step which request is given up."""
    found: dict[str, list[int]] = {}
    step, waiting = 0, list(enumerate(asked))
    while waiting or engine.unfinished:
        for i, (when, prompt, params) in list(waiting):
            if when <= step:
                engine.add(str(i), {"prompt_token_ids": prompt}, params)
                waiting.remove((i, (when, prompt, params)))
        if abort and step in abort:
            engine.abort([abort[step]])
        for output in engine.step():
            found[output.request_id] = list(output.outputs[0].token_ids)
        step += 1
    scheduler = engine.core.scheduler
    scheduler.check(every_block=True)
    assert scheduler.kv.pool.held == 0
    return found


def on_cpu(folder: Path, asked: Asked, **options: Any) -> dict[str, list[int]]:
    backend.interpret = False
    found = run(Engine(parts_of(folder, **options)), asked)
    backend.interpret = True
    return found


def on_runner(folder: Path, asked: Asked, **options: Any) -> dict[str, list[int]]:
    """Without drafts: what is drawn at random is that of the runner's own numbers."""
    return run(on_cuda_runner(parts_of(folder, **options)), asked)


@pytest.mark.parametrize("method", ["ngram", "medusa"])
@pytest.mark.parametrize(
    "options",
    [
        {},
        pytest.param({"max_num_batched_tokens": 9}, marks=pytest.mark.long),
        pytest.param(FEW_BLOCKS, marks=pytest.mark.long),
    ],
    ids=["in one go", "in chunks of 9", "preempted"],
)
def test_greedy_tokens_are_those_of_the_cpu(folder: Path, drafts: Any, method: str, options: dict[str, Any]):
    lengths = (16, 11, 14, 9) if options else (10, 6, 9, 5)
    asked = [(2 * i, p, greedy(n)) for i, (p, n) in enumerate(zip(PROMPTS, lengths, strict=True))]
    expected = on_cpu(folder, asked, **options)
    engine = ahead(folder, drafts[method], **options)
    assert run(engine, asked) == expected
    fared = engine.core.scheduler.drafting.total
    assert fared.tokens > 0 and (method == "medusa" or sum(fared.accepted) > 3)
    if "num_gpu_blocks_override" in options:
        assert engine.core.scheduler.stats.preemptions > 0


@pytest.mark.long
def test_drawn_tokens_are_those_without_drafts(folder: Path):
    drawn = [
        SamplingParams(temperature=0.3, seed=i, max_tokens=9, ignore_eos=True, top_p=0.9 if i else 1.0)
        for i in range(2)
    ]
    asked = [(0, p, params) for p, params in zip(PROMPTS, [*drawn, greedy(6)], strict=False)]
    expected = on_runner(folder, asked)
    engine = ahead(folder, NGRAM)
    assert run(engine, asked) == expected
    assert sum(engine.core.scheduler.drafting.total.accepted) > 0


def test_stops_limits_and_aborts_found_late_leave_nothing_behind(folder: Path):
    free = on_cpu(folder, [(0, p, greedy(20)) for p in PROMPTS])
    stop = free["0"][7]
    asked = [
        (0, PROMPTS[0], greedy(20, stop_token_ids=[stop])),
        (1, PROMPTS[1], greedy(64 - len(PROMPTS[1]) - 1)),  # as far as the model reads
        (1, PROMPTS[2], greedy(1)),
        (4, PROMPTS[3], greedy(20)),
        (9, PROMPTS[2], greedy(2)),
    ]
    expected = on_cpu(folder, asked)
    found = run(ahead(folder, NGRAM), asked, abort={8: "3"})
    assert found["0"] == free["0"][: free["0"].index(stop) + 1] == expected["0"]
    assert [found[i] for i in "124"] == [expected[i] for i in "124"]


def test_rows_that_need_the_host_change_how_not_what(folder: Path):
    asked = [
        (0, PROMPTS[0], greedy(14)),
        (3, PROMPTS[1], greedy(4, repetition_penalty=1.4)),
        (3, PROMPTS[2], greedy(3, logprobs=1)),
    ]
    expected = on_cpu(folder, asked)
    engine = ahead(folder, NGRAM)
    assert run(engine, asked) == expected


def test_the_device_has_the_text_of_every_row_whatever_came_between(folder: Path):
    engine = ahead(folder, NGRAM)
    runner = engine.runner
    assert isinstance(runner, CudaRunner) and runner.ahead is not None
    texts, tokens, told = runner.ahead.texts, runner.rows.tokens, runner.ahead.texts.told
    compared: list[int] = []

    def compare(who: Any, last: Any) -> None:
        told(who, last)
        for row, end in zip(who.tolist(), (last + 1).tolist(), strict=True):
            assert texts.history[row, :end].tolist() == tokens[row, :end].tolist()
            compared.append(end)

    texts.told = compare  # type: ignore[method-assign]
    run(engine, [(3 * i, p, greedy(n)) for i, (p, n) in enumerate(zip(PROMPTS[:3], (16, 8, 6), strict=True))])
    assert len(compared) > 8


MORE: list[dict[str, Any]] = [
    {}, {"top_p": 0.5, "top_k": 3, "min_p": 0.1, "stop_token_ids": [5]}, {"min_tokens": 2},
    {"min_tokens": 2, "stop_token_ids": [5]}, {"logprobs": 0}, {"logit_bias": {3: 1.0}}, {"logit_bias": {}},
    {"allowed_token_ids": [3]}, {"presence_penalty": 0.1}, {"frequency_penalty": 0.1},
    {"repetition_penalty": 1.1},
]  # fmt: skip


def test_whoever_needs_more_than_the_kernel_that_draws_is_known_to_the_scheduler(folder: Path):
    engine = ahead(folder, NGRAM, max_num_seqs=len(MORE))
    for i, more in enumerate(MORE):
        engine.add(
            str(i), {"prompt_token_ids": [7, 8]}, SamplingParams(max_tokens=4, ignore_eos=True, **more)
        )
    plan = engine.core.scheduler.plan()
    assert plan is not None and len(plan.admitted) == len(MORE)
    sampler = engine.runner.sampler
    for admission in plan.admitted:
        sampler.admit(admission)
        assert admission.request.simple is not bool(sampler.rich[admission.row]), admission.request.params


def test_a_step_is_launched_before_the_last_one_is_read(folder: Path):
    engine = ahead(folder, NGRAM)
    runner = engine.runner
    assert isinstance(runner, CudaRunner) and runner.ahead is not None
    happened: list[str] = []
    submit, take_in = runner.ahead.submit, runner.ahead.take_in

    def launched(plan: Any) -> Any:
        happened.append("launched")
        return submit(plan)

    def read(plan: Any, *told: Any) -> Any:
        happened.append("read")
        return take_in(plan, *told)

    runner.ahead.submit, runner.ahead.take_in = launched, read  # type: ignore[method-assign]
    run(engine, [(0, PROMPTS[1], greedy(24))])
    steady = "".join(what[0] for what in happened)
    assert "llrlrlr" in steady, steady
    assert sum(engine.core.scheduler.drafting.total.accepted) > 6


def test_heads_on_the_device_guess_what_they_would_for_the_host(folder: Path, drafts: Any):
    proposer = parts_of(folder, speculative_config=drafts["medusa"]).runner.proposer
    assert isinstance(proposer, MedusaDrafts)
    guesser = on_device(proposer)
    assert guesser is not None
    rows, lines, width, most = 5, 4, 3, 3

    def zeros(*shape: int) -> torch.Tensor:
        return torch.zeros(shape, dtype=torch.int32)

    places = Places(zeros(6), zeros(6), zeros(6, most), zeros(6), zeros(6, 0))
    hidden = torch.randn(lines * width, proposer.heads.shape.hidden_size)
    who, counts = np.array([4, 0, 2]), np.array([3, 1, 2], np.int32)
    words = zeros(lines, HEAD + width)
    words[:, HEAD - 1] = torch.tensor([*counts, 1])
    lined = torch.tensor([*who, rows], dtype=torch.int32)
    inputs = WideInputs(*(zeros(0) for _ in range(8)))  # heads look at states alone
    guesser.guess(Moved(lined, inputs, words, hidden, zeros(lines), Wide(zeros(1, 6, 1), 4)), places)
    none, want = np.zeros(3, np.int32), np.full(3, most, np.int32)
    starts = np.arange(4, dtype=np.int32) * width
    tokens = np.zeros((rows, 8), np.int32)
    expected = proposer.propose(
        Seen(who, none, none + width, counts, none + 1, want, tokens, [], hidden, starts, none)
    )
    assert places.guesses[who].tolist() == expected.tokens.tolist()
    assert places.guessed.tolist() == [most, 0, most, 0, most, 0], "and nothing for padding"


def begins_again_alone(folder: Path, engine: Engine) -> None:
    """Of two rows one reads nonsense while steps are ahead: what it has written is cleared.

    It may have been a guess, so it begins again without any.
    """
    asked = [(0, p, greedy(14)) for p in PROMPTS[:2]]
    expected = on_cpu(folder, asked)
    runner, scheduler = engine.runner, engine.core.scheduler
    assert isinstance(runner, CudaRunner)
    for i, (_, prompt, params) in enumerate(asked):
        engine.add(str(i), {"prompt_token_ids": prompt}, params)
    found: dict[str, list[int]] = {}
    entry, block, left = scheduler.entries["0"], 0, False
    while engine.unfinished:
        drafting = scheduler.drafting
        if not block and isinstance(drafting, Ahead) and drafting.follows[:2].all():
            block = int(scheduler.kv.tables[0][entry.row, 0])  # of its prompt, holds nonsense all of a sudden
            for kv in runner.kv.layers:
                kv.keys[block] = float("nan")
        found |= {o.request_id: list(o.outputs[0].token_ids) for o in engine.step() if o.finished}
        if block and not left and entry.row < 0:
            left = True
            for kv in runner.kv.layers:
                kv.keys[block] = 0.0
                assert not kv.keys[1:].isnan().any() and not kv.values[1:].isnan().any()
    assert left and not entry.request.guess
    assert found == expected
    assert scheduler.kv.pool.held == 0
    for kv in runner.kv.layers:
        assert not kv.keys[1:].isnan().any() and not kv.values[1:].isnan().any()


def test_a_row_that_fails_ahead_fails_nobody_else(folder: Path):
    """What it has written is cleared, in the step that fails and in the one that is under way."""
    begins_again_alone(folder, ahead(folder, NGRAM, block_size=4))


def test_where_the_host_guesses_and_it_does_not_pay_steps_are_repeated_and_answers_remembered(folder: Path):
    asked = {"method": "suffix", "num_speculative_tokens": 3, "adaptive": True}
    parts = parts_of(folder, speculative_config=asked)
    scheduler, proposer = parts.core.scheduler, parts.runner.proposer
    drafting = Speculation(scheduler.rows, scheduler.kv, 3, time.perf_counter, overlaps=True)
    drafting.paying.asks = lambda rows: False  # type: ignore[method-assign]
    scheduler.drafting = scheduler.roster.drafting = drafting
    engine = on_cuda_runner(parts, proposer=proposer, drafts=3)
    kinds, submit = [], engine.runner.submit
    engine.runner.submit = lambda plan: (kinds.append(plan.again), submit(plan))[1]
    requests: Asked = [(0, PROMPTS[0], greedy(14)), (3, PROMPTS[2], greedy(9))]
    found = run(engine, requests)
    assert found == on_cpu(folder, requests)
    assert sum(kinds) > 8
    engine.add("last", {"prompt_token_ids": [9, 9]}, greedy(1))  # rows are released with the next step
    while engine.unfinished:
        engine.step()
    for answer in found.values():
        whole = np.array(answer[:-1], np.int32)  # nobody has seen what the last one is followed by
        assert proposer.answers.longest(whole)[1] == len(whole)
