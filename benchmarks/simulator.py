"""How near the simulator comes to a real engine: calibrated on some work, it predicts other work.

usage: python benchmarks/simulator.py [--rounds 3] [--requests 80] [--works gpu] [--only WORK …] [--json FILE]
       [quire flags …]

Each round runs three works that are not among the batches of `quire bench calibrate`, and each work is
predicted from those batches alone: nothing is learned from works. A machine that others use, too, is not
equally fast all the time, so both are measured at the same time. Every so often the work and its clock stand
still and one of the batches runs, on a second engine like the first, until all have run, in a random order
and spread evenly over the work. Where steps are launched ahead (a GPU) nothing can stand still: there all
batches run before and after each work, on the same engine. What is left is the simulator's own error, and
what changes within a second. A calibration of yesterday is also off by what the machine has become faster or
slower since; how much that was meanwhile is printed.

`--clock cpu` counts the seconds in which this process computes. `--works gpu` are those by which GPUs are
compared: 256 requests of 100 to 1,024 tokens in and out, 128 that share 4,096 tokens, and 512 of 128 to 2,048
tokens with answers of 64 to 512, all at once. The second takes less than a second, and the slowest of its
steps is one in sixty: it is run and simulated seven times, and the medians are compared.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any

from quire.cli.options import HumanInt
from quire.config import all_options
from quire.engine.engine import Engine
from quire.engine.recording import room_of
from quire.record.format import Room
from quire.simulate.calibrate import COMPARED, Batch, batches, compared, mix
from quire.simulate.fit import Fit, Sample, fit
from quire.simulate.fleet import Setup, simulate
from quire.simulate.handling import Took, handling_of
from quire.simulate.measure import Bench, Measured
from quire.simulate.measures import figures
from quire.simulate.traffic import Ask, Drawn, drawn
from quire.tools.load.arrivals import AtOnce, Gamma
from quire.tools.load.lengths import LogNormal, Uniform

SMALL = {"max_num_seqs": 64, "kv_cache_memory_bytes": 512 << 20}  # unless flags say otherwise
TIMES = {("gpu", "prefix"): 7}  # how often a work is run, if not once
CLOCKS = {"cpu": time.process_time, "wall": time.perf_counter}


def typed(words: list[str]) -> dict[str, Any]:
    """Flags of the engine, each with a value: --cpu-threads 1."""
    known = {option.flag: option for option in all_options()}
    return {
        known[flag].name: HumanInt().convert(value, None, None) if known[flag].kind is int else value
        for flag, value in zip(words[::2], words[1::2], strict=True)
    }


def works(requests: int, rate: float, seed: int, room: Any) -> dict[str, list[Ask]]:
    """A mix at a rate, long shared beginnings at a rate, and all at once."""
    return {
        "mixed": mix(room, requests, rate, seed),
        "prefix": list(
            drawn(requests, Uniform(8, 64), Uniform(8, 64), Gamma(2 * rate), seed, 320, 5, room.max_len)
        ),
        "throughput": list(
            drawn(requests, LogNormal(150, 0.6), LogNormal(60, 0.5), AtOnce(), seed, longest=room.max_len)
        ),
    }


def gpu_works(seed: int, room: Any) -> dict[str, list[Ask]]:
    """As large as a GPU's benchmarks are; of the shared beginning one request has been answered before."""

    def at_once(requests: int, prompt: Any, output: Any) -> list[Ask]:
        return list(drawn(requests, prompt, output, AtOnce(), seed, longest=room.max_len))

    known = Ask(0.0, 4096 + 64, 1, Drawn(0, 0, 4096))
    others = [Ask(0.5, 4096 + 64, 64, Drawn(1 + i, 0, 4096)) for i in range(128)]
    return {
        "mixed": at_once(256, Uniform(100, 1024), Uniform(100, 1024)),
        "prefix": [known, *others],
        "throughput": at_once(512, Uniform(128, 2048), Uniform(64, 512)),
    }


class Clock:
    """Another clock, but for the seconds in which it was stopped."""

    def __init__(self, real: Callable[[], float]):
        self._real, self._away = real, 0.0

    def __call__(self) -> float:
        return self._real() - self._away

    @contextmanager
    def stopped(self) -> Iterator[None]:
        began = self._real()
        yield
        self._away += self._real() - began


@dataclass(slots=True)
class Learned:
    """What batches have shown."""

    samples: list[Sample] = field(default_factory=list)
    added: list[Took] = field(default_factory=list)
    ended: list[Took] = field(default_factory=list)

    def take(self, run: Measured | Learned) -> None:
        self.samples += run.samples
        self.added += run.added
        self.ended += run.ended

    def setup(self, room: Room) -> tuple[Setup, Fit]:
        found = fit(self.samples)
        return Setup(room, found.table, handling=handling_of(self.added, self.ended)), found


def all_batches(bench: Bench, every: list[Batch]) -> Learned:
    learned = Learned()
    for batch in every:
        learned.take(batch.run(bench))
    return learned


@dataclass(slots=True)
class Between:
    """Batches run on an engine of their own, between the steps of a work whose clock stands still."""

    bench: Bench
    clock: Clock
    other: Bench
    every: list[Batch]
    how = "all batches ran on a second engine between the steps of each work, spread evenly over it"

    def run(self, asks: list[Ask], times: int, about_s: float, seed: int) -> tuple[list[Measured], Learned]:
        """A work that takes about so long, run so many times, and what the batches beside it show."""
        left, learned = Random(seed).sample(self.every, len(self.every)), Learned()
        began, each_s = self.clock(), times * about_s / (len(left) + 1)

        def beside(done: int) -> None:
            ran = len(self.every) - len(left)
            if left and self.clock() - began >= each_s * (ran + 1):
                with self.clock.stopped():
                    learned.take(left.pop().run(self.other))

        runs = [self.bench.run(asks, tell=beside) for _ in range(times)]
        for batch in left:  # it was shorter than predicted
            learned.take(batch.run(self.other))
        return runs, learned


@dataclass(slots=True)
class Around:
    """Batches run before and after a work, on the same engine; those after one are those before the next."""

    bench: Bench
    every: list[Batch]
    before: Learned
    how = "all batches ran before and after each work"

    def run(self, asks: list[Ask], times: int, about_s: float, seed: int) -> tuple[list[Measured], Learned]:
        runs = [self.bench.run(asks) for _ in range(times)]
        after = all_batches(self.bench, self.every)
        before, self.before = self.before, after
        learned = Learned()
        learned.take(before)
        learned.take(after)
        return runs, learned


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--requests", type=int, default=80)
    parser.add_argument("--load", type=float, default=0.6, help="of what the engine could do")
    parser.add_argument("--works", choices=("small", "gpu"), default="small")
    parser.add_argument("--only", nargs="+", choices=("mixed", "prefix", "throughput"), help="of its works")
    parser.add_argument("--longest", type=int, default=1024, help="tokens of a prompt in batches")
    parser.add_argument("--clock", choices=CLOCKS, default="wall")
    parser.add_argument("--json", type=Path)
    given, more = parser.parse_known_args()
    flags = {**SMALL, **typed(more)}
    engine = started(flags)
    scheduler, kv = engine.core.scheduler, engine.core.scheduler.kv
    room = room_of(engine.config, kv.layout, kv.pool.size, scheduler.stages, engine.core.executor.depth)
    clock = Clock(CLOCKS[given.clock])
    bench = Bench(engine, room, clock)
    every = list(batches(room, min(given.longest, room.max_len - 16)))
    all_batches(bench, every[:6])  # for what is built on first use
    way: Between | Around
    if engine.core.executor.depth == 1:
        other = Bench(started(flags), room, CLOCKS[given.clock])
        all_batches(other, every[:6])
        first, way = all_batches(other, every), Between(bench, clock, other, every)
    else:
        first = all_batches(bench, every)
        way = Around(bench, every, first)
    usual, _ = first.setup(room)
    known = mix(room, given.requests, float("inf"), 0)
    rate = given.load * given.requests / simulate(usual, known).duration_s
    told: list[tuple[str, dict[str, Any]]] = []
    fits, speeds = [], []
    for number in range(given.rounds):
        small = works(given.requests, rate, number, room)
        for name, asks in (gpu_works(number, room) if given.works == "gpu" else small).items():
            if given.only and name not in given.only:
                continue
            times = TIMES.get((given.works, name), 1)
            runs, learned = way.run(asks, times, simulate(usual, asks).busy_s, number)
            setup, found = learned.setup(room)
            fits.append(found.told())
            speeds.append(simulate(usual, known).duration_s / simulate(setup, known).duration_s)
            said = [figures(simulate(replace(setup, seed=i), asks)) for i in range(times)]
            told.append((name, compared(middle(said), middle([figures(run.outcome) for run in runs]))))
            print(f"round {number + 1}: {name} run, {found.samples:,} steps of batches", flush=True)
    print(f"{way.how}; each is predicted from its own")
    print("the machine's speed by its batches, the first ones 1: " + " ".join(f"{s:.2f}" for s in speeds))
    print("median error of the fits: " + ", ".join(f"{one['median_error']:.1%}" for one in fits))
    report(told, given.rounds)
    if given.json is not None:
        kept = {"flags": flags, "clock": given.clock, "how": way.how, "rate": rate, "speeds": speeds}
        given.json.write_text(
            json.dumps({**kept, "fits": fits, "works": told}, indent=1) + "\n", encoding="utf-8"
        )


def started(flags: dict[str, Any]) -> Engine:
    return Engine.of(skip_tokenizer_init=True, disable_log_stats=True, **flags)


def middle(each: list[dict[str, Any]]) -> dict[str, float]:
    return {name: statistics.median(one[name] for one in each) for name in COMPARED}


def report(told: list[tuple[str, dict[str, Any]]], rounds: int) -> None:
    print(f"{'':<12}{'':<20}{'predicted':>12}{'measured':>12}{'off':>9}   medians of {rounds} rounds")
    for work in dict.fromkeys(name for name, _ in told):
        for figure in COMPARED:
            each = [one for name, one in told if name == work]
            said, real, off = (
                statistics.median(one[kind][figure] for one in each)
                for kind in ("predicted", "measured", "off")
            )
            alone = " ".join(f"{one['off'][figure]:+.0%}" for one in each)
            print(f"{work:<12}{figure:<20}{said:>12,.2f}{real:>12,.2f}{off:>+9.1%}   {alone}")


if __name__ == "__main__":
    main()
