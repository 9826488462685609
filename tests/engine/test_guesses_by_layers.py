"""Steps ahead that are guessed for by layers with a cache: EAGLE heads, layers of the model, draft models.

Their forward passes are part of the step. The draft model is the model itself here, so all its guesses are
right as long as it has read all there is.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch.utils._python_dispatch import TorchDispatchMode

pytest.importorskip("triton", reason="Triton is not installed")

from tests.checkpoints import make
from tests.draft_checkpoints import eagle, mimo
from tests.engine.test_cuda_runner import greedy, on_cuda_runner, parts_of
from tests.engine.test_guesses import (
    FEW_BLOCKS,
    PROMPTS,
    Asked,
    ahead,
    begins_again_alone,
    on_cpu,
    on_runner,
    run,
)

from quire import SamplingParams
from quire.engine.engine import Engine
from quire.ops import backend
from quire.scheduler.ahead import Ahead
from quire.worker.cuda import prompts
from quire.worker.cuda.guesses import GuessesAhead
from quire.worker.cuda.runner import CudaRunner
from quire.worker.cuda.start import pretend
from quire.worker.drafts.contract import Drafts, Seen
from quire.worker.drafts.passes import DraftModelOnDevice
from quire.worker.wide import Wide

METHODS = ("draft_model", "eagle", "mtp")
Guessed = dict[tuple[int, int], list[int]]  # by first token of the prompt and position → what may come after


@pytest.fixture(autouse=True)
def interpreted() -> Iterator[None]:
    backend.interpret = True
    yield
    backend.interpret = False


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Path, dict[str, Any]]]:
    """Of each method a model and its --speculative-config."""
    model = make("qwen3", tmp_path_factory.mktemp("qwen3"), num_hidden_layers=1)
    own = mimo(tmp_path_factory.mktemp("mimo"), num_hidden_layers=1)
    other = make("llama", tmp_path_factory.mktemp("llama"), num_hidden_layers=2)  # hardly ever right
    head = eagle(tmp_path_factory.mktemp("eagle"))
    asked = {"num_speculative_tokens": 3, "adaptive": False}
    return {
        "draft_model": (model, asked | {"method": "draft_model", "model": str(model)}),
        "eagle": (model, asked | {"method": "eagle", "model": str(head)}),
        "mtp": (own, asked | {"method": "mtp"}),
        "another model": (model, asked | {"method": "draft_model", "model": str(other)}),
    }


def ahead_of(engine: Engine) -> GuessesAhead:
    runner = engine.runner
    assert isinstance(runner, CudaRunner) and runner.ahead is not None
    return runner.ahead


def all_right(engine: Engine) -> bool:
    fared = engine.core.scheduler.drafting.total
    return sum(fared.accepted) == fared.tokens > 0


@pytest.mark.parametrize("method", ["draft_model", "eagle", pytest.param("mtp", marks=pytest.mark.long)])
@pytest.mark.parametrize(
    "options",
    [
        {},
        pytest.param({"max_num_batched_tokens": 9}, marks=pytest.mark.long),
        pytest.param(FEW_BLOCKS, marks=pytest.mark.long),
    ],
    ids=["in one go", "in chunks of 9", "preempted"],
)
def test_greedy_tokens_are_those_of_the_cpu(made: Any, method: str, options: dict[str, Any]):
    """Requests come and go; who joins was read by whoever guesses, whatever kind of step did so."""
    folder, asked_for = made[method]
    lengths = (16, 11, 14, 9) if options else (10, 6, 9, 5)
    asked = [(2 * i, p, greedy(n)) for i, (p, n) in enumerate(zip(PROMPTS, lengths, strict=True))]
    expected = on_cpu(folder, asked, **options)
    engine = ahead(folder, asked_for, **options)
    assert run(engine, asked) == expected
    assert ahead_of(engine).steps > 0.3 * engine.core.scheduler.stats.steps
    assert engine.core.scheduler.drafting.total.tokens > 0
    assert method != "draft_model" or all_right(engine)
    if "num_gpu_blocks_override" in options:
        assert engine.core.scheduler.stats.preemptions > 0


@pytest.mark.long
@pytest.mark.parametrize("method", METHODS[:2])
def test_drawn_tokens_are_those_without_drafts(made: Any, method: str):
    folder, asked_for = made[method]
    drawn = [
        SamplingParams(temperature=0.3, seed=i, max_tokens=9, ignore_eos=True, top_p=0.9 if i else 1.0)
        for i in range(2)
    ]
    asked = [(0, p, params) for p, params in zip(PROMPTS, [*drawn, greedy(6)], strict=False)]
    expected = on_runner(folder, asked)
    engine = ahead(folder, asked_for)
    assert run(engine, asked) == expected
    assert ahead_of(engine).steps > 2
    assert method != "draft_model" or sum(engine.core.scheduler.drafting.total.accepted) > 0


@pytest.mark.long
@pytest.mark.parametrize("method", METHODS[:2])
def test_stops_limits_and_aborts_found_late_leave_nothing_behind(made: Any, method: str):
    folder, asked_for = made[method]
    free = on_cpu(folder, [(0, p, greedy(20)) for p in PROMPTS])
    stop = free["0"][7]
    asked = [
        (0, PROMPTS[0], greedy(20, stop_token_ids=[stop])),
        (1, PROMPTS[1], greedy(64 - len(PROMPTS[1]) - 1)),  # as far as the model reads
        (1, PROMPTS[2], greedy(1)),
        (4, PROMPTS[3], greedy(20)),
        (9, PROMPTS[2], greedy(2)),
    ]
    expected = on_cpu(folder, asked, block_size=4)
    engine = ahead(folder, asked_for, block_size=4)
    found = run(engine, asked, abort={8: "3"})
    assert found["0"] == free["0"][: free["0"].index(stop) + 1] == expected["0"]
    assert [found[i] for i in "124"] == [expected[i] for i in "124"]
    assert method != "draft_model" or all_right(engine)


@pytest.mark.long
@pytest.mark.parametrize("method", METHODS[:2])
def test_rows_that_need_the_host_change_how_not_what(made: Any, method: str):
    """The host guesses for a while, then the device goes on: what either has read the other knows."""
    folder, asked_for = made[method]
    asked = [
        (0, PROMPTS[0], greedy(24)),
        (3, PROMPTS[1], greedy(4, repetition_penalty=1.4)),
        (3, PROMPTS[2], greedy(3, logprobs=1)),
    ]
    expected = on_cpu(folder, asked)
    engine = ahead(folder, asked_for)
    assert run(engine, asked) == expected
    assert 3 < ahead_of(engine).steps < engine.core.scheduler.stats.steps - 3
    fared = engine.core.scheduler.drafting.total
    assert method != "draft_model" or sum(fared.accepted) > 0.6 * fared.tokens


@pytest.mark.long
@pytest.mark.parametrize("method", METHODS[:2])
def test_a_prefix_that_is_found_was_read_by_who_guesses(made: Any, method: str):
    folder, asked_for = made[method]
    long = [*PROMPTS[1], *PROMPTS[2]]
    asked: Asked = [(0, long, greedy(6)), (8, [*long, 9], greedy(9)), (8, long, greedy(9))]
    expected = on_cpu(folder, asked, block_size=4)
    engine = ahead(folder, asked_for, block_size=4)
    assert run(engine, asked) == expected
    assert engine.core.scheduler.stats.cached_tokens > len(long)
    assert method != "draft_model" or all_right(engine)


def of_host(engine: Engine) -> Guessed:
    """Notes what the host's proposer guesses."""
    runner, found = engine.runner, {}
    assert isinstance(runner, CudaRunner)
    propose = runner.proposer.propose

    def noted(seen: Seen) -> Drafts:
        drafts = propose(seen)
        for i, row in enumerate(seen.rows.tolist()):
            at = int(seen.start[i] + seen.kept[i])
            found[int(seen.tokens[row, 0]), at] = drafts.tokens[i, : drafts.counts[i]].tolist()
        return drafts

    runner.proposer.propose = noted  # type: ignore[method-assign]
    return found


def of_device(engine: Engine) -> Guessed:
    """Notes what is guessed on the device, after each step."""
    ahead, found = ahead_of(engine), {}
    run = ahead.run

    def noted(lines: int, width: int) -> Any:
        told = run(lines, width)
        rows = ahead.verify.rows
        for row in ahead.verify.staging.device[:lines].tolist():
            if row < rows.scratch:
                count, at = int(ahead.places.guessed[row]), int(ahead.places.position[row])
                found[int(rows.tokens[row, 0]), at] = ahead.places.guesses[row, :count].tolist()
        return told

    ahead.run = noted  # type: ignore[method-assign]
    return found


@pytest.mark.long
@pytest.mark.parametrize("method", ["another model", "eagle", "mtp"])
def test_the_device_guesses_what_the_host_would(made: Any, method: str):
    """All states, all places and all blocks are the same, so that the same tokens come out of the layers."""
    folder, asked_for = made[method]
    asked = [(0, p, greedy(n)) for p, n in zip(PROMPTS[:3], (12, 9, 14), strict=True)]
    parts = parts_of(folder, speculative_config=asked_for, block_size=4)
    by_host = on_cuda_runner(parts, proposer=parts.runner.proposer, drafts=3, ahead=False)
    by_device = ahead(folder, asked_for, block_size=4)
    host, device = of_host(by_host), of_device(by_device)
    assert run(by_host, asked) == run(by_device, asked)
    both = host.keys() & device.keys()
    assert len(both) >= 8
    for at in both:
        n = min(len(host[at]), len(device[at]))  # near the limit fewer are of use
        assert host[at][:n] == device[at][:n], at
    assert sum(len(host[at]) == len(device[at]) == 3 for at in both) >= 5


def test_a_step_is_launched_before_the_last_one_is_read(made: Any):
    folder, asked_for = made["draft_model"]
    engine = ahead(folder, asked_for)
    guesses = ahead_of(engine)
    happened: list[str] = []
    submit, take_in = guesses.submit, guesses.take_in

    def launched(plan: Any) -> Any:
        happened.append("launched")
        return submit(plan)

    def read(plan: Any, *told: Any) -> Any:
        happened.append("read")
        return take_in(plan, *told)

    guesses.submit, guesses.take_in = launched, read  # type: ignore[method-assign]
    run(engine, [(0, PROMPTS[1], greedy(24))])
    assert "llrlrlr" in "".join(what[0] for what in happened)
    assert engine.core.scheduler.stats.steps < 12 and all_right(engine)


@pytest.mark.parametrize("method", ["draft_model", pytest.param("eagle", marks=pytest.mark.long)])
def test_a_row_that_fails_ahead_fails_nobody_else(made: Any, method: str):
    """What it has written is cleared, in layers of the model and of who guesses, the null block included."""
    folder, asked_for = made[method]
    engine = ahead(folder, asked_for, block_size=4)
    begins_again_alone(folder, engine)
    assert isinstance(engine.runner, CudaRunner)
    for kv in engine.runner.kv.layers:
        assert not kv.keys[0].isnan().any() and not kv.values[0].isnan().any()


def test_behind_the_blocks_of_a_row_nothing_is_written():
    tables = torch.arange(1, 13, dtype=torch.int32).view(1, 3, 4)  # of two rows and the scratch row
    wide = Wide(tables, 4)
    rows, first = torch.tensor([1, 0, 2], dtype=torch.int32), torch.tensor([6, 3, 0], dtype=torch.int32)
    room = torch.tensor([8, 16, 0], dtype=torch.int32)
    positions, context = wide.stretch(rows, first, 3, room)
    slots = context.batches[0].slots.view(3, 3)
    assert slots.tolist() == [[26, 27, 0], [7, 8, 9], [0, 0, 0]]
    assert positions.view(3, 3).tolist() == [[6, 7, 7], [3, 4, 5], [0, 0, 0]]
    assert context.batches[0].seq_lens.tolist() == [9, 6, 3]
    singles = list(wide.singles(rows, first, 3, room))
    assert [c.batches[0].slots.tolist() for _, c in singles] == slots.T.tolist()
    assert [p.tolist() for p, _ in singles] == positions.view(3, 3).T.tolist()
    lens = np.array([c.batches[0].seq_lens.tolist() for _, c in singles])
    assert (lens.max(0) <= np.maximum(room.numpy(), 1)).all(), "and nothing is read there"


def test_a_draft_model_reads_a_prompt_once_and_nothing_twice(made: Any):
    """The steps themselves read everything: nothing is lacking when a row joins."""
    folder, asked_for = made["draft_model"]
    engine = ahead(folder, asked_for)
    guesser = ahead_of(engine).guesser
    assert isinstance(guesser, DraftModelOnDevice)
    drafts, lacked, seen = guesser.drafts, [], []
    catch_up, read = drafts.catch_up, guesser.read

    def of_a_step(what: Any) -> None:
        seen.append(len(what.token_ids))
        read(what)

    def noted(rows: Any, end: Any, *more: Any) -> None:
        lacked.extend((end - np.minimum(drafts.read[rows], end)).tolist())
        catch_up(rows, end, *more)

    drafts.catch_up = noted  # type: ignore[method-assign]
    guesser.read = of_a_step  # type: ignore[method-assign]
    run(engine, [(0, PROMPTS[1], greedy(18)), (3, PROMPTS[2], greedy(7))])
    assert lacked and not any(lacked)
    one, two = map(len, PROMPTS[1:3])
    assert seen in ([one, two], [one, two + 1]), "perhaps with a row that decodes"
    assert all_right(engine)


@pytest.mark.parametrize("method", METHODS)
def test_a_rehearsal_in_which_no_kernel_writes_anything_goes_through(
    made: Any, method: str, monkeypatch: pytest.MonkeyPatch
):
    """Kernels are found and built so: words that nobody has counted are 0."""
    folder, asked_for = made[method]
    guesses = ahead_of(ahead(folder, asked_for))
    monkeypatch.setattr("quire.worker.cuda.guesses.accept", lambda *_: None)
    with torch.inference_mode():
        guesses.blank(2)
        told = guesses.run(2, 4)
    assert not told.words.any() and not guesses.places.guessed.any()


@pytest.mark.long
@pytest.mark.parametrize("method", METHODS[:2])
def test_guessing_that_comes_and_goes_changes_no_token(made: Any, method: str):
    """Plain steps between are replays like any other; a draft model reads what came of them later."""
    folder, asked_for = made[method]
    asked = [(i, p, greedy(n)) for i, (p, n) in enumerate(zip(PROMPTS[:2], (22, 25), strict=True))]
    expected = on_cpu(folder, asked, block_size=4)
    engine = ahead(folder, asked_for, block_size=4)
    drafting, runner = engine.core.scheduler.drafting, engine.runner
    assert isinstance(drafting, Ahead) and isinstance(runner, CudaRunner)
    plain, stats = [], engine.core.scheduler.stats
    drafting.paying.asks = lambda rows: stats.steps % 7 < 4  # type: ignore[method-assign]
    drafting.paying.stretch = lambda rows: 1  # type: ignore[method-assign]
    replay, repeat = runner._replay, runner._repeat

    def noted(plan: Any, running: Any) -> Any:
        if running is not None:
            plain.append(plan.start.tolist())
        return running

    runner._replay = lambda plan: noted(plan, replay(plan))  # type: ignore[method-assign]
    runner._repeat = lambda plan: noted(plan, repeat(plan))  # type: ignore[method-assign]
    assert run(engine, asked) == expected
    assert len(plain) >= 3 and ahead_of(engine).steps >= 5
    assert method != "draft_model" or all_right(engine)


class Operations(TorchDispatchMode):  # type: ignore[misc]
    """Notes what torch is asked to do."""

    def __init__(self) -> None:
        super().__init__()
        self.names: set[str] = set()

    def __torch_dispatch__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        self.names.add(str(function.overloadpacket))
        return function(*args, **(kwargs or {}))


@pytest.mark.parametrize("method", METHODS)
def test_what_a_graph_contains_neither_reads_numbers_nor_has_shapes_that_depend_on_them(
    made: Any, method: str
):
    folder, asked_for = made[method]
    guesses = ahead_of(ahead(folder, asked_for))
    guess, noted = guesses.guesser.guess, Operations()

    def watched(moved: Any, places: Any) -> None:
        guess(moved, places)  # what is made once is made before a graph is captured
        with noted:
            guess(moved, places)

    guesses.guesser.guess = watched  # type: ignore[method-assign]
    with torch.inference_mode():
        guesses.blank(3)
        guesses.run(3, 4)
    waits = {"_local_scalar_dense", "item", "is_nonzero", "nonzero", "masked_select", "unique", "_unique2"}
    assert "aten.argmax" in noted.names
    assert not noted.names & {f"aten.{name}" for name in waits}


@pytest.mark.long
@pytest.mark.parametrize("method", METHODS[:2])
def test_prompts_in_rooms_that_are_too_large_are_read_by_who_guesses(
    made: Any, method: str, monkeypatch: pytest.MonkeyPatch
):
    """As in graphs: what is left over belongs to nobody, and rows may decode beside the prompts."""
    monkeypatch.setattr(prompts, "CHUNKS", (2,))  # the interpreter takes its time for each tile
    monkeypatch.setattr(prompts, "sizes_up_to", lambda most: [most])
    folder, asked_for = made[method]
    asked = [(2 * i, p, greedy(n)) for i, (p, n) in enumerate(zip(PROMPTS[:3], (9, 7, 4), strict=True))]
    fared, said, used = [], [], []
    for short in (0, 24):
        engine = ahead(folder, asked_for, max_num_batched_tokens=6)
        runner = engine.runner
        assert isinstance(runner, CudaRunner)
        rooms = prompts.PromptGraphs(runner.prompts, runner.graphs.record, short, 6, runner.rows.scratch)
        if short:
            for decodes in (0, 1):
                room = rooms.room(decodes, 6, 1)
                assert room is not None and room.decodes >= 2 * decodes
                rooms.capture(room)
        find = rooms.find
        rooms.find = lambda chunks, find=find, **more: used.append(find(chunks, **more)) or used[-1]
        runner.prompt_graphs = rooms
        said.append(run(engine, asked))
        fared.append(engine.core.scheduler.drafting.total)
    assert said[0] == said[1] and fared[0] == fared[1] and fared[0].tokens > 0
    found = [graph[0].decodes for graph in used if graph is not None]
    assert len(found) >= 2 and any(found) and not all(found)


def test_a_graph_without_who_guesses_is_captured_when_it_has_been_asked_for_often(
    made: Any, monkeypatch: pytest.MonkeyPatch
):
    """Until then the one that they read serves: what they write is written in vain."""
    monkeypatch.setattr(prompts, "CHUNKS", (2,))
    monkeypatch.setattr(prompts, "sizes_up_to", lambda most: [most])
    runner = ahead(*made["eagle"]).runner
    assert isinstance(runner, CudaRunner)
    read: list[int] = []
    monkeypatch.setattr(runner.prompts.guesser, "read", lambda what: read.append(len(what.token_ids)))
    rooms = prompts.PromptGraphs(runner.prompts, runner.graphs.record, 8, 8, runner.rows.scratch)
    room = rooms.room(0, 8, 1)
    assert room is not None
    rooms.capture(room)
    none, one = np.zeros(0, np.int32), np.zeros(1, np.int32)
    chunks = prompts.Chunks(none, one, none, np.array([8], np.int32), 0, none, None, none, none)
    reads = []
    for read_too in [False] * (prompts.OFTEN + 1) + [True]:
        found = rooms.find(chunks, read=read_too)
        assert found is not None and found[0] == room
        read.clear()
        with torch.inference_mode():
            runner.prompts.blank(room)
            found[1]()
        reads.append(bool(read))
    assert reads == [True] * (prompts.OFTEN - 1) + [False] * 2 + [True]


@pytest.mark.parametrize("method", METHODS[:2])
def test_what_the_host_guesses_kernel_by_kernel_is_rehearsed_too(made: Any, method: str):
    """Else its kernels would be compiled in the midst of serving: for requests that need the host."""
    folder, asked_for = made[method]
    runner = ahead(folder, asked_for).runner
    assert isinstance(runner, CudaRunner)
    guessed, propose = [], runner.proposer.propose
    runner.proposer.propose = lambda seen: guessed.append(propose(seen)) or guessed[-1]  # type: ignore[method-assign]
    pretend(runner, [1, 5], 3)
    assert [drafts.counts.tolist() for drafts in guessed] == [[3, 3]]


def test_a_head_that_guesses_a_single_token_reads_prompts_too(made: Any):
    """It writes nothing behind the known tokens, and has layers all the same."""
    folder, asked_for = made["eagle"]
    asked = [(0, PROMPTS[0], greedy(5)), (0, PROMPTS[1], greedy(4))]
    engine = ahead(folder, asked_for | {"num_speculative_tokens": 1})
    pretend(engine.runner, [5])
    assert run(engine, asked) == on_cpu(folder, asked)
    assert engine.core.scheduler.drafting.total.tokens > 0
