"""The runner of GPUs gives the CPU runner's tokens; without a GPU its kernels are interpreted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

pytest.importorskip("triton", reason="Triton is not installed")

from tests.checkpoints import make

from quire import SamplingParams
from quire.config import EngineConfig
from quire.engine.build import Parts, build
from quire.engine.core import EngineCore
from quire.engine.engine import Engine
from quire.executor.overlapped import Overlapped
from quire.ops import backend
from quire.types import Admission, BlockWrites, Plan, Request
from quire.worker.cuda import graphs, prompts
from quire.worker.cuda.kv_memory import KVMemory
from quire.worker.cuda.prompts import OFTEN, Chunks
from quire.worker.cuda.runner import CudaRunner
from quire.worker.cuda.start import everything, one_by_one
from quire.worker.drafts import NoDrafts

PROMPTS = [[7, 9, 11], [5] * 21, [100, 101, 102, 103, 104, 105, 106, 107, 108]]


@pytest.fixture(autouse=True)
def interpreted() -> Iterator[None]:
    backend.interpret = True
    yield
    backend.interpret = False


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make(
        "qwen3", tmp_path_factory.mktemp("qwen3"), num_hidden_layers=2
    )  # the interpreter takes its time


def parts_of(folder: Path, **options: Any) -> Parts:
    settings = {"max_model_len": 64, "cpu_threads": 1, "max_num_seqs": 4, "skip_tokenizer_init": True}
    settings |= {"device": "cpu", "dtype": "float32", **options}
    return build(EngineConfig.of(model=str(folder), **settings))


def on_cuda_runner(parts: Parts, **more: Any) -> Engine:
    """The same engine over the other runner, on CPU tensors."""
    old, config = parts.runner, parts.config
    asked: dict[str, Any] = {
        "rows": config.scheduler.max_num_seqs,
        "max_tokens": config.model.max_model_len,
        "budget": config.scheduler.max_num_batched_tokens,
        "vocab": 263,
        "kv_dtype": torch.float32,
        "device": torch.device("cpu"),
    }
    runner = CudaRunner(old.model, old._layers, old.cache, **asked | more)
    parts.runner = runner
    parts.core = EngineCore(parts.core.scheduler, Overlapped(runner))
    return Engine(parts)


def run(engine: Engine, params: list[SamplingParams]) -> list[Any]:
    for i, (prompt, p) in enumerate(zip(PROMPTS, params, strict=True)):
        engine.add(str(i), {"prompt_token_ids": prompt}, p)
    done = {}
    while engine.unfinished:
        done |= {o.request_id: o for o in engine.step() if o.finished}
    assert engine.core.scheduler.kv.pool.held == 0
    return [done[str(i)] for i in range(len(params))]


def tokens(outputs: list[Any]) -> list[list[int]]:
    return [list(o.outputs[0].token_ids) for o in outputs]


def greedy(n: int, **more: Any) -> SamplingParams:
    return SamplingParams(temperature=0.0, max_tokens=n, ignore_eos=True, **more)


@pytest.mark.parametrize(
    "options",
    [
        {},
        pytest.param({"max_num_batched_tokens": 5}, marks=pytest.mark.long),
        pytest.param(
            {"num_gpu_blocks_override": 9, "block_size": 4, "max_model_len": 32}, marks=pytest.mark.long
        ),
    ],
    ids=["in one go", "in chunks of 5", "preempted"],
)
def test_greedy_tokens_are_those_of_the_cpu(folder: Path, options: dict[str, Any]):
    params = [greedy(5), greedy(3), greedy(4)]
    backend.interpret = False
    expected = tokens(run(Engine(parts_of(folder, **options)), params))
    backend.interpret = True
    assert tokens(run(on_cuda_runner(parts_of(folder, **options)), params)) == expected


@pytest.mark.parametrize("fails", [False, True], ids=["there is memory", "there is none"])
def test_a_graph_that_is_captured_between_repeated_steps_changes_no_token(
    folder: Path, monkeypatch: pytest.MonkeyPatch, fails: bool
):
    """Two rows run in a graph of four until they have often missed one of two."""
    monkeypatch.setattr(graphs, "OFTEN", 3)
    params = [greedy(12), greedy(12), greedy(1)]
    backend.interpret = False
    expected = tokens(run(Engine(parts_of(folder)), params))
    backend.interpret = True
    engine = on_cuda_runner(parts_of(folder))
    runner = engine.runner
    assert isinstance(runner, CudaRunner)
    captured: list[int] = []

    def record(lines: int, shared: bool) -> graphs.Replay:
        runner.blank(lines)  # as a capture begins
        captured.append(lines)
        if fails and lines == 2:
            raise torch.OutOfMemoryError("CUDA out of memory")
        return partial(runner.decode, lines, shared)

    runner.graphs.capture = True
    monkeypatch.setattr(runner.graphs, "_record", record)
    runner.graphs.record_first()
    assert tokens(run(engine, params)) == expected
    assert captured == [4, 1, 2]


@pytest.mark.parametrize(
    ("longest", "room"),
    [pytest.param(64, 32, marks=pytest.mark.long), (24, 32)],
    ids=["shorter than a row", "longer than any row"],
)
def test_prompts_in_rooms_that_are_too_large_give_the_same_tokens(
    folder: Path, monkeypatch: pytest.MonkeyPatch, longest: int, room: int
):
    monkeypatch.setattr(prompts, "CHUNKS", (2,))  # the interpreter takes its time for each tile
    monkeypatch.setattr(prompts, "sizes_up_to", lambda most: [most])
    params = [greedy(4), greedy(2, repetition_penalty=1.4, logprobs=1), greedy(2)]
    backend.interpret = False
    options: dict[str, Any] = {"max_model_len": longest, "max_num_batched_tokens": 64}
    expected = tokens(run(Engine(parts_of(folder, **options)), params))
    backend.interpret = True
    engine = on_cuda_runner(parts_of(folder, **options), short_prompt=room)
    runner = engine.runner
    assert isinstance(runner, CudaRunner)
    alone = [runner.prepare() for _ in range(3)]
    assert alone == [True, False, False]
    found = {}
    for i, p in enumerate(params):  # one after the other: the later ones beside those that decode
        engine.add(str(i), {"prompt_token_ids": PROMPTS[i]}, p)
        if i == 1:
            beside = runner.prompt_graphs.room(1, 20, 1)
            assert beside is not None and (beside.decodes, beside.tokens) == (4, 4 + room)
            runner.prompt_graphs.capture(beside)
        found |= {o.request_id: o for o in engine.step() if o.finished}
    while engine.unfinished:
        found |= {o.request_id: o for o in engine.step() if o.finished}
    assert tokens([found[str(i)] for i in range(3)]) == expected


def test_sizes_of_rooms_waste_at_most_a_fifth_and_end_with_the_most():
    for most in (256, 300, 1000, 8192, 10_000):
        sizes = prompts.sizes_up_to(most)
        assert sizes[-1] == most and sizes == sorted(set(sizes))
        assert all(size - before <= size / 5 for before, size in pairwise(sizes) if size > 256)
    assert prompts.sizes_up_to(0) == [] and prompts.sizes_up_to(70) == [32, 64, 70]


def test_rooms_have_place_for_as_many_chunks_as_there_can_be(folder: Path):
    graphs = on_cuda_runner(parts_of(folder), short_prompt=4096).runner.prompt_graphs
    assert graphs.chunks == [24] and graphs.decodes == [0, 4]
    graphs = prompts.PromptGraphs(graphs.prompts, graphs.record, 10_000, 8192, 256)
    assert graphs.chunks == [24, 128]
    room = graphs.room(10, 8182, 17)
    assert room is not None
    assert (room.decodes, room.tokens, room.sequences, room.lines) == (32, 32 + 8192, 32 + 24 + 1, 56)
    assert graphs.room(200, 8000, 56).lines == 256, "a row draws once"
    assert graphs.room(0, 8193, 1) is None and graphs.room(0, 200, 129) is None


def captured(some: prompts.PromptGraphs, budget: int, rows: int, most: int = 10_000) -> list[tuple[int, int]]:
    """Decoding rows and tokens of rooms, in the order they are captured when a small one is asked for."""
    graphs = prompts.PromptGraphs(some.prompts, lambda blank, recipe: recipe, most, budget, rows)
    small = graphs.room(0, 20, 1)
    if small is not None:
        graphs.capture(small)
    graphs.record_full()
    return [(room.decodes, room.tokens) for room in graphs._of]


def test_the_largest_room_is_captured_first_and_full_ones_are_those_that_there_can_be(folder: Path):
    some = on_cuda_runner(parts_of(folder)).runner.prompt_graphs
    assert captured(some, 8192, 256)[:2] == [(256, 8448), (0, 32)]
    full = [(0, 32), (0, 512), (8, 520), (32, 544), (128, 640), (256, 640)]
    assert sorted(captured(some, 512, 256)) == full
    assert captured(some, 512, 1) == [(0, 512), (0, 32)] and captured(some, 16, 4) == []
    assert captured(some, 8192, 4, most=300) == [(0, 300), (0, 32)], "no graph holds all that there can be"


def test_a_room_is_captured_when_it_has_been_missed_often(folder: Path):
    runner = on_cuda_runner(parts_of(folder), short_prompt=32).runner
    assert isinstance(runner, CudaRunner)
    none = np.zeros(0, np.int32)
    chunks = Chunks(none, np.zeros(1, np.int32), none, np.array([9], np.int32), 0, none, None, none, none)
    found = [runner.prompt_graphs.find(chunks) is not None for _ in range(OFTEN + 1)]
    assert found == [False] * (OFTEN - 1) + [True] * 2


def test_a_step_that_repeats_the_one_before_sends_nothing_unless_rows_get_blocks(folder: Path):
    """The device has made its packet; and the tokens are those of the CPU."""
    engine = on_cuda_runner(parts_of(folder, block_size=4, num_gpu_blocks_override=100))
    runner = engine.runner
    assert isinstance(runner, CudaRunner)
    sent, submit = [], runner.submit

    def noted(plan: Any) -> Any:
        before = runner.staging.packets
        running = submit(plan)
        sent.append((plan.again, bool(plan.blocks), runner.staging.packets - before))
        return running

    runner.submit = noted  # type: ignore[method-assign]
    params = [greedy(n) for n in (20, 22, 17)]
    backend.interpret = False
    expected = tokens(run(Engine(parts_of(folder, block_size=4)), params))
    backend.interpret = True
    assert tokens(run(engine, params)) == expected
    repeated = Counter((blocks, packets) for again, blocks, packets in sent if again)
    assert set(repeated) <= {(False, 0), (True, 1), (False, 1)}
    assert repeated[False, 0] > 2 * (repeated[True, 1] + repeated[False, 1]), repeated
    assert all(packets == 1 for again, _, packets in sent if not again)


def test_nothing_is_captured_in_a_rehearsal(folder: Path):
    """Kernels that are not built yet would be missing in it for ever."""
    runner = on_cuda_runner(parts_of(folder), short_prompt=32).runner
    assert isinstance(runner, CudaRunner)
    none = np.zeros(0, np.int32)
    chunks = Chunks(none, np.zeros(1, np.int32), none, np.array([9], np.int32), 0, none, None, none, none)
    with one_by_one(runner):
        assert all(runner.prompt_graphs.find(chunks) is None for _ in range(2 * OFTEN))
    assert runner.prompt_graphs.find(chunks) is None, "nor was anything counted as missed"


def test_parameters_that_change_logits_do_as_on_the_cpu(folder: Path):
    """One request each for what the kernel does not do itself; the others draw as if they were alone."""
    params = [
        greedy(5, repetition_penalty=1.5, frequency_penalty=0.5, presence_penalty=0.3, logprobs=2),
        greedy(4, logit_bias={17: 60.0}, min_tokens=2),
        greedy(5, prompt_logprobs=1, allowed_token_ids=[3, 5, 7, 11]),
    ]
    backend.interpret = False
    expected = run(Engine(parts_of(folder)), params)
    backend.interpret = True
    found = run(on_cuda_runner(parts_of(folder)), params)
    assert tokens(found) == tokens(expected)
    for ours, theirs in zip(found, expected, strict=True):
        mine, told = ours.outputs[0].logprobs, theirs.outputs[0].logprobs
        assert (mine is None) == (told is None)
        for one, other in zip(mine or [], told or [], strict=True):
            assert list(one) == list(other)
            assert all(abs(one[k].logprob - other[k].logprob) < 1e-3 for k in one)
    assert len(found[2].prompt_logprobs) == len(PROMPTS[2])


def test_scores_of_a_prompt_take_its_own_steps_out_of_the_graphs_and_no_other(folder: Path):
    engine = on_cuda_runner(parts_of(folder))
    runner = engine.runner
    assert isinstance(runner, CudaRunner)
    launched, plain = [], runner._launch
    runner._launch = lambda plan: launched.append(plan) or plain(plan)
    found = run(engine, [greedy(4), greedy(4), greedy(4, prompt_logprobs=0)])
    assert len(launched) == 1
    assert len(found[2].prompt_logprobs) == len(PROMPTS[2])


def test_a_prompt_of_one_token_has_no_scores(folder: Path):
    engine = on_cuda_runner(parts_of(folder))
    engine.add("one", {"prompt_token_ids": [5]}, greedy(3, prompt_logprobs=2))
    outputs = [output for _ in range(8) for output in engine.step() if output.finished]
    assert outputs[0].prompt_logprobs == [None]


def test_a_row_that_fails_leaves_the_others_alone(folder: Path):
    nothing = greedy(5, allowed_token_ids=[5], stop_token_ids=[5], min_tokens=2)
    params = [greedy(5), nothing, greedy(5)]
    backend.interpret = False
    expected = tokens(run(Engine(parts_of(folder)), [greedy(5)] * 3))
    backend.interpret = True
    found = run(on_cuda_runner(parts_of(folder)), params)
    assert [o.outputs[0].finish_reason for o in found] == ["length", "error", "length"]
    assert tokens(found)[::2] == expected[::2]


def admission(row: int, params: SamplingParams, blocks: list[int]) -> Admission:
    prompt = np.arange(4, dtype=np.int32)
    request = Request(str(row), prompt, params, 0, 12, frozenset(params.stop_token_ids))
    return Admission(row, request, prompt, 0, [np.array(blocks, np.int32)])


def plan_of(row: int, start: int, count: int, **more: Any) -> Plan:
    start_at, counts = np.array([start], np.int32), np.array([count], np.int32)
    return Plan(1, np.array([row]), start_at, counts, np.ones(1, np.bool_), **more)


def two_rows(folder: Path, params: SamplingParams, **ended: Any) -> tuple[list[Any], int]:
    """Keys of the last step for each of two rows, of which the first may have ended, and a token of that one.

    The step is launched before the one before it is read.
    """
    runner = on_cuda_runner(parts_of(folder, block_size=4, max_model_len=16)).runner
    assert isinstance(runner, CudaRunner)
    admitted = [admission(0, params, [2, 3]), admission(1, params, [4, 5])]
    for name, value in ended.items():
        setattr(admitted[0].request, name, value)
    rows, one, true = np.arange(2), np.ones(2, np.int32), np.ones(2, np.bool_)
    runner.execute(Plan(1, rows, 0 * one, 4 * one, true, admitted=admitted))
    before, last = (runner.submit(Plan(at, rows, at * one, one, true)) for at in (4, 5))
    token = int(before.result().tokens[0, 0])
    last.result()
    assert all(kv.keys[[3, 5], 0].any(-1).any(-1).all() for kv in runner.kv.layers)
    return [kv.keys[[3, 5], 1].any(-1).any(-1).tolist() for kv in runner.kv.layers], token


def test_a_step_under_way_computes_nothing_for_a_row_that_has_ended(folder: Path):
    """The device knows it before the host has read the token."""
    goes_on, token = two_rows(folder, greedy(9))
    assert all(kv == [True, True] for kv in goes_on)
    forced = greedy(9, logit_bias={77: 100.0})
    for params, ended in (
        (greedy(9), {"limit": 6}),
        (greedy(9), {"stop_ids": frozenset({3, token})}),
        (forced, {"stop_ids": frozenset({77})}),
    ):
        found, _ = two_rows(folder, params, **ended)
        assert all(kv == [False, True] for kv in found), ended
    early, _ = two_rows(folder, greedy(9, min_tokens=3), stop_ids=frozenset({token}))
    assert early == goes_on, "it may not end yet"


def test_what_a_failed_row_wrote_is_cleared_and_nothing_of_others(folder: Path):
    """Behind its own blocks a table still names those of whoever had the row before."""
    runner = on_cuda_runner(parts_of(folder, block_size=4, max_model_len=16)).runner
    assert isinstance(runner, CudaRunner)
    runner.rows.tables[0, 0, 1] = 3  # another row has it now
    for kv in runner.kv.layers:
        kv.keys[3] = kv.values[3] = 1.0
        kv.keys[0] = kv.values[0] = torch.nan  # where padding of a row that fails is written
    bad = greedy(5, allowed_token_ids=[5], stop_token_ids=[5], min_tokens=2)
    assert runner.execute(plan_of(0, 0, 4, admitted=[admission(0, bad, [2])])).failed
    for kv in runner.kv.layers:
        assert (kv.keys[3] == 1.0).all() and (kv.values[3] == 1.0).all()
        assert not kv.keys[[0, 2]].any() and not kv.values[[0, 2]].any()


def test_a_step_under_way_of_a_row_that_fails_is_cleared_too(folder: Path):
    runner = on_cuda_runner(parts_of(folder, block_size=4, max_model_len=16)).runner
    assert isinstance(runner, CudaRunner)
    bad = greedy(5, allowed_token_ids=[5], stop_token_ids=[5], min_tokens=2)
    first = runner.submit(plan_of(0, 0, 4, admitted=[admission(0, bad, [2])]))
    grown = BlockWrites(np.array([0]), np.array([1], np.int32), np.array([5], np.int32))
    runner.submit(plan_of(0, 4, 1, blocks=[grown]))
    for kv in runner.kv.layers:
        kv.keys[5] = kv.values[5] = torch.nan
    assert first.result().failed
    assert not any(kv.keys[[2, 5]].any() or kv.values[[2, 5]].any() for kv in runner.kv.layers)


def test_scales_of_a_row_that_fails_are_cleared(folder: Path):
    old = parts_of(folder).runner
    kv = KVMemory(old.model, NoDrafts(), old._layers, old.cache, torch.float8_e4m3fn, torch.device("cpu"))
    for layer in kv.layers:
        layer.key_scales.fill_(torch.nan)
        layer.value_scales.fill_(torch.nan)
    kv.wipe(torch.full((1, 1, 2), 1, dtype=torch.int32), 0, 0, 2)
    assert not any(layer.key_scales[:2].any() or layer.value_scales[:2].any() for layer in kv.layers)


def test_a_rehearsal_touches_no_row(folder: Path):
    """It runs before the first request, over whatever the packet held before."""
    engine = on_cuda_runner(parts_of(folder, max_num_batched_tokens=8, max_num_seqs=2, max_model_len=16))
    runner = engine.runner
    assert isinstance(runner, CudaRunner)
    runner.staging.device.fill_(1)
    everything(runner, budget=8, max_tokens=16, rows=2)
    assert not runner.rows.tables.any()
    assert all(not kv.keys[1:].any() and not kv.values[1:].any() for kv in runner.kv.layers)


@pytest.mark.parametrize("family", ["qwen3_moe", pytest.param("qwen2_moe", marks=pytest.mark.long)])
def test_experts_on_the_device_give_the_tokens_of_the_cpu(family: str, tmp_path: Path):
    folder, params = make(family, tmp_path), [greedy(2), greedy(1), greedy(2)]
    backend.interpret = False
    expected = tokens(run(Engine(parts_of(folder)), params))
    backend.interpret = True
    assert tokens(run(on_cuda_runner(parts_of(folder)), params)) == expected


FEW_BLOCKS = {"num_gpu_blocks_override": 9, "block_size": 4, "max_model_len": 32}


@pytest.mark.parametrize(
    "options",
    [
        {},
        pytest.param({"max_num_batched_tokens": 7}, marks=pytest.mark.long),
        pytest.param(FEW_BLOCKS, marks=pytest.mark.long),
    ],
    ids=["in one go", "in chunks of 7", "preempted"],
)
def test_with_drafts_the_tokens_are_the_same(folder: Path, options: dict[str, Any]):
    params = [greedy(9), greedy(6), greedy(8, repetition_penalty=1.4, logprobs=2)]
    asked = {"method": "ngram", "num_speculative_tokens": 3, "prompt_lookup_min": 1, "adaptive": False}
    backend.interpret = False
    expected = run(Engine(parts_of(folder, **options)), params)
    parts = parts_of(folder, speculative_config=asked, **options)
    backend.interpret = True
    engine = on_cuda_runner(parts, proposer=parts.runner.proposer, drafts=3)
    found = run(engine, params)
    assert tokens(found) == tokens(expected)
    logprobs = [[list(at) for at in outputs[2].outputs[0].logprobs] for outputs in (found, expected)]
    assert logprobs[0] == logprobs[1]
    assert sum(engine.core.scheduler.drafting.total.accepted) > 0


def drawn_beside_drafts(folder: Path, *, ahead: bool) -> list[int]:
    """Tokens of a row with penalties and no drafts, whose neighbour has some."""
    runner = on_cuda_runner(parts_of(folder, block_size=4, max_model_len=16), drafts=1).runner
    assert isinstance(runner, CudaRunner)
    liked = greedy(5, frequency_penalty=2.0, logit_bias={17: 60.0, 18: 59.0})
    admitted = [admission(0, greedy(5), [1, 2]), admission(1, liked, [3, 4])]
    both, none = np.array([0, 1]), np.zeros(2, np.int32)
    four, draws = none + 4, np.ones(2, np.bool_)
    runner.execute(Plan(1, both, none, four, draws, admitted))
    drafted, guesses = np.array([1, 0], np.int32), np.zeros((2, 1), np.int32)
    second = Plan(2, both, four, drafted + 1, draws, drafts=guesses, drafted=drafted, want=drafted)
    running = runner.submit(second)
    if not ahead:
        running.result()
    after = runner.submit(plan_of(1, 5, 1))
    return [int(running.result().tokens[1, 0]), int(after.result().tokens[0, 0])]


def test_penalties_count_what_a_step_with_drafts_of_others_drew_before_it_is_read(folder: Path):
    expected = drawn_beside_drafts(folder, ahead=False)
    assert expected == [17, 18], "17 is liked most until it has come"
    assert drawn_beside_drafts(folder, ahead=True) == expected
