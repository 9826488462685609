"""How near the simulator comes to a real engine: calibrated on some work, it predicts other work.

usage: python benchmarks/simulator.py [--rounds 3] [--requests 80] [--works gpu] [--json FILE] [quire flags …]

Each round runs three works that are not among the batches of `quire bench calibrate`; before the first round
and after each, those batches are measured. A round is predicted from the batches just before and just after
it, because a machine that others use, too, is not equally fast all the time; nothing is learned from the
works. `--clock cpu` counts the seconds in which this process computes. `--works gpu` are those by which GPUs
are compared: 256 requests of 100 to 1,024 tokens in and out, 128 that share 4,096 tokens, and 512 of 128 to
2,048 tokens with answers of 64 to 512, all at once.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from pathlib import Path
from typing import Any

from quire.cli.options import HumanInt
from quire.config import all_options
from quire.engine.engine import Engine
from quire.engine.recording import room_of
from quire.simulate.calibrate import COMPARED, compared, measure, mix
from quire.simulate.fit import Sample, fit
from quire.simulate.fleet import Setup, simulate
from quire.simulate.handling import Handling, mean_of
from quire.simulate.measure import Bench
from quire.simulate.measures import figures
from quire.simulate.traffic import Ask, Drawn, drawn
from quire.tools.load.arrivals import AtOnce, Gamma
from quire.tools.load.lengths import LogNormal, Uniform

SMALL = {"max_num_seqs": 64, "kv_cache_memory_bytes": 512 << 20}  # unless flags say otherwise
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


def _batches(bench: Bench, room: Any, longest: int) -> tuple[list[Sample], Handling]:
    return measure(bench, room, min(longest, room.max_len - 16), 1, lambda batch: None)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--requests", type=int, default=80)
    parser.add_argument("--load", type=float, default=0.6, help="of what the engine could do")
    parser.add_argument("--works", choices=("small", "gpu"), default="small")
    parser.add_argument("--longest", type=int, default=1024, help="tokens of a prompt in batches")
    parser.add_argument("--clock", choices=CLOCKS, default="wall")
    parser.add_argument("--json", type=Path)
    given, more = parser.parse_known_args()
    flags = {**SMALL, **typed(more)}
    engine = Engine.of(skip_tokenizer_init=True, disable_log_stats=True, **flags)
    scheduler, kv = engine.core.scheduler, engine.core.scheduler.kv
    room = room_of(engine.config, kv.layout, kv.pool.size, scheduler.stages, engine.core.executor.depth)
    bench = Bench(engine, room, CLOCKS[given.clock])
    measured = [_batches(bench, room, given.longest)]
    whole = simulate(Setup(room, fit(measured[0][0]).table), mix(room, given.requests, float("inf"), 0))
    rate = given.load * given.requests / whole.duration_s
    told: list[tuple[str, dict[str, Any]]] = []
    fits = []
    for number in range(given.rounds):
        seen = {}
        drawn_works = works(given.requests, rate, number, room)
        for name, asks in (gpu_works(number, room) if given.works == "gpu" else drawn_works).items():
            seen[name] = asks, figures(bench.run(asks).outcome)
            print(f"round {number + 1}: {name} run", flush=True)
        measured.append(_batches(bench, room, given.longest))
        (before, first), (after, last) = measured[-2:]
        learned = fit(before + after)
        fits.append(learned.told())
        setup = Setup(room, learned.table, handling=mean_of(first, last))
        told += [
            (name, compared(figures(simulate(setup, asks)), real)) for name, (asks, real) in seen.items()
        ]
    print("median error of the fits: " + ", ".join(f"{one['median_error']:.1%}" for one in fits))
    report(told, given.rounds)
    if given.json is not None:
        kept = {"flags": flags, "clock": given.clock, "rate": rate, "fits": fits, "works": told}
        given.json.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


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
