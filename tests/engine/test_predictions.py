"""What the simulator predicts, held against a machine whose every second is known.

The engine is real: its intake, scheduler, KV manager and loop. Only its steps are not computed: a made-up
machine says how long each one takes, on a clock of its own, by a law that the cost model cannot express. So
the same figures come out on every machine, however busy. What `quire bench calibrate` learns from its batches
must predict works that were not among them.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from math import hypot
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.checkpoints import make
from tests.engine.engines import assert_at_rest

from quire.engine.core import EngineCore
from quire.engine.engine import Engine
from quire.engine.recording import room_of
from quire.params import SamplingParams
from quire.record.format import Room
from quire.simulate.calibrate import compared, measure, mix
from quire.simulate.cost import Work
from quire.simulate.fit import fit
from quire.simulate.fleet import Setup, simulate
from quire.simulate.handling import Handling, handling_of
from quire.simulate.measure import Bench
from quire.simulate.measures import Outcome, figures
from quire.simulate.traffic import Ask, Drawn, drawn
from quire.tools.load.arrivals import AtOnce, Gamma
from quire.tools.load.lengths import LogNormal, Uniform
from quire.types import Plan, Result

SMALL = {"max_num_seqs": 32, "max_num_batched_tokens": 512, "num_gpu_blocks_override": 2500}
HELD_UP = 0.03  # not a hundredth: the slowest of a hundred gaps would be a held up one or not, by luck
NAMES = ("p50_ttft_ms", "p99_ttft_ms", "p50_itl_ms", "p99_itl_ms")


@dataclass(slots=True)
class Clock:
    now: float = 0.0

    def __call__(self) -> float:
        return self.now


@dataclass(frozen=True, slots=True)
class Law:
    """How long steps take, and what requests cost the loop."""

    depth: int = 1
    weights_s: float = 4e-3  # to read them, however many tokens
    token_s: float = 60e-6  # of arithmetic, where that takes longer
    key_s: float = 150e-9  # to read one token's keys and values
    pair_s: float = 12e-9
    row_s: float = 15e-6
    padded: bool = False  # to a power of two, when every row computes one token
    noise: float = 0.0  # of a step; a slow one is followed by others
    held_up: float = 0.0  # share of the steps during which something else runs
    add_s: float = 80e-6
    prompt_s: float = 200e-9
    end_s: float = 120e-6
    tell_s: float = 0.0  # for each request that hears of a step
    launch_s: float = 0.0  # of the host, for each step

    def seconds(self, work: Work) -> float:
        tokens = work.tokens
        if self.padded and tokens == work.singles:
            tokens = 1 << (tokens - 1).bit_length()
        products = hypot(self.weights_s, self.token_s * tokens)  # either, and near the bend some of both
        reads = self.key_s * work.context**0.97  # long rows use the memory better
        return products + reads + self.pair_s * work.pairs + self.row_s * work.rows


class Machine:
    """An engine with an executor that only lets time pass. It has the verbs that `Bench` asks for."""

    def __init__(self, engine: Engine, law: Law, clock: Clock):
        self._engine, self._law, self._clock = engine, law, clock
        self.core: EngineCore = engine.core
        self.core.executor = self
        self.depth = law.depth
        self._free_s = 0.0
        self._chance = self._chances()
        self.unprepared = 3  # things to do at idle

    def _chances(self) -> Iterator[tuple[float, float]]:
        rng, level = np.random.default_rng(5), 0.0
        while True:
            level = 0.8 * level + 0.6 * rng.standard_normal()
            yield float(np.exp(self._law.noise * level)), 0.02 * float(rng.random() < self._law.held_up)

    def submit(self, plan: Plan) -> Passing:
        factor, hold_s = next(self._chance)
        self._clock.now += self._law.launch_s
        self._free_s = max(self._free_s, self._clock.now) + self._law.seconds(Work.of(plan)) * factor + hold_s
        return Passing(plan, self._free_s, self._clock)

    def close(self) -> None:
        pass

    def add(self, request_id: str, prompt: Any, params: SamplingParams, *, stream: bool = False) -> None:
        self._clock.now += self._law.add_s + self._law.prompt_s * len(prompt["prompt_token_ids"])
        self._engine.add(request_id, prompt, params, stream=stream)

    def step(self) -> list[Any]:
        outputs = self._engine.step()
        self._clock.now += self._law.end_s * sum(output.finished for output in outputs)
        self._clock.now += self._law.tell_s * len(outputs)
        return outputs

    def idle(self) -> bool:
        self.unprepared = max(0, self.unprepared - 1)
        return self.unprepared > 0

    @property
    def unfinished(self) -> int:
        return self._engine.unfinished


@dataclass(frozen=True, slots=True)
class Passing:
    plan: Plan
    ends_s: float
    clock: Clock

    def result(self) -> Result:
        self.clock.now = max(self.clock.now, self.ends_s)
        return Result(np.zeros((len(self.plan.rows), 1), np.int32), self.plan.samples.astype(np.int32))


LAWS = {
    "a steady machine": Law(),
    "one that is never equally fast": Law(noise=0.06),
    "one that others use, too": Law(noise=0.06, held_up=HELD_UP),
    "one that is slow in arithmetic": Law(token_s=400e-6, weights_s=2e-3, pair_s=60e-9),
    "a GPU": Law(
        depth=2, padded=True, token_s=15e-6, weights_s=5e-3, row_s=2e-6, launch_s=300e-6, noise=0.02
    ),
}


def works(room: Room, rate: float) -> dict[str, list[Ask]]:
    """None of them is among the batches: rates, shared beginnings, heavy tails, a full engine."""
    count = 240
    return {
        "mixed": mix(room, count, rate, 7),
        "prefix": list(
            drawn(count, Uniform(8, 64), Uniform(8, 64), Gamma(1.5 * rate), 8, 320, 5, room.max_len)
        ),
        "bursts": list(drawn(count, Uniform(20, 400), Uniform(10, 90), Gamma(rate / 2, 0.3), 9)),
        "throughput": list(
            drawn(count, LogNormal(150, 0.6), LogNormal(60, 0.5), AtOnce(), 10, longest=room.max_len)
        ),
    }


@contextmanager
def machine(folder: Path, law: Law) -> Iterator[tuple[Bench, Room]]:
    """A bench as `quire bench calibrate` has it, and the room of its engine; at rest in the end."""
    options = {"skip_tokenizer_init": True, "max_model_len": 1024, "cpu_threads": 1, **SMALL}
    engine = Engine.of(model=str(make("llama", folder, max_position_embeddings=1024)), **options)
    scheduler, clock = engine.core.scheduler, Clock()
    kv = scheduler.kv
    room = room_of(engine.config, kv.layout, kv.pool.size, scheduler.stages, law.depth)
    machine = Machine(engine, law, clock)
    yield Bench(machine, room, clock), room
    assert not machine.unprepared
    assert_at_rest(engine)
    engine.close()


@pytest.mark.slow
@pytest.mark.parametrize("name", LAWS)
def test_what_was_learned_from_batches_predicts_other_works(name: str, tmp_path: Path):
    with machine(tmp_path, LAWS[name]) as (bench, room):
        samples, handling = measure(bench, room, 512, 2, lambda batch: None)
        setup = Setup(room, fit(samples).table, handling=handling)
        asks = mix(room, 160, float("inf"), 7)
        rate = 0.6 * len(asks) / simulate(setup, asks).duration_s
        for work, asked in works(room, rate).items():
            told = figures(simulate(setup, asked))
            off = compared(told, figures(bench.run(asked).outcome))["off"]
            assert abs(off["output_throughput"]) < 0.10, (work, off)
            assert all(abs(off[name]) < 0.20 for name in NAMES), (work, off)


@pytest.mark.parametrize("depth", [1, 2])
def test_with_the_true_price_of_steps_every_request_fares_as_it_did(depth: int, tmp_path: Path):
    """So all that is left to be wrong is the price."""
    law = Law(depth=depth, add_s=0.0, prompt_s=0.0)
    with machine(tmp_path, law) as (bench, room):
        setup = Setup(room, law, handling=Handling(end_s=law.end_s))
        for work, asked in works(room, 8.0).items():
            real, told = bench.run(asked).outcome, simulate(setup, asked)
            assert (told.steps, told.preemptions) == (real.steps, real.preemptions), work
            for of in ("ttft_s", "e2e_s", "cached"):
                assert by_arrival(told, of) == pytest.approx(by_arrival(real, of), abs=1e-6), (work, of)


def test_what_an_end_costs_is_told_apart_from_what_every_step_costs(tmp_path: Path):
    """Requests end in one step after the other, so ever fewer hear of a step."""
    law = Law(depth=2, end_s=40e-6, tell_s=30e-6)
    with machine(tmp_path, law) as (bench, _):
        run = bench.run([Ask(0.0, 16, 10 + i // 2, Drawn(i)) for i in range(32)])
        assert [took.requests for took in run.ended] == [2] * 16
        assert [took.seconds for took in run.ended] == pytest.approx([2 * law.end_s] * 16)
        handling = handling_of(run.added, run.ended)
        assert (handling.end_s, handling.answer_s) == pytest.approx((law.end_s, 0.0), abs=1e-9)


def by_arrival(outcome: Outcome, of: str) -> list[float]:
    order = np.lexsort((outcome.outputs, outcome.prompts, outcome.sent_s))
    found: list[float] = getattr(outcome, of)[order].tolist()
    return found
