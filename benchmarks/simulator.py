"""How near the simulator comes to a real engine: calibrated on some work, it predicts other work.

usage: python benchmarks/simulator.py [--rounds 3] [--requests 80] [--clock cpu] [--json FILE] [quire flags …]

Each round measures the batches of `quire bench calibrate` and runs three works that were not among them, so
that a machine that others use, too, is slow for both alike. The cost model is fitted to the batches of all
rounds; nothing is learned from the works. `--clock cpu` counts the seconds in which this process computes.
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
from quire.simulate.measure import Bench
from quire.simulate.measures import figures
from quire.simulate.traffic import Ask, drawn
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


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--requests", type=int, default=80)
    parser.add_argument("--load", type=float, default=0.6, help="of what the engine could do")
    parser.add_argument("--clock", choices=CLOCKS, default="wall")
    parser.add_argument("--json", type=Path)
    given, more = parser.parse_known_args()
    flags = {**SMALL, **typed(more)}
    engine = Engine.of(skip_tokenizer_init=True, disable_log_stats=True, **flags)
    scheduler, kv = engine.core.scheduler, engine.core.scheduler.kv
    room = room_of(engine.config, kv.layout, kv.pool.size, scheduler.stages, engine.core.executor.depth)
    bench = Bench(engine, room, CLOCKS[given.clock])
    samples: list[Sample] = []
    seen: list[tuple[str, list[Ask], dict[str, Any]]] = []
    adding, rate = [], 0.0
    for number in range(given.rounds):
        more, add_s = measure(bench, room, min(1024, room.max_len - 16), 1, lambda batch: None)
        samples += more
        adding.append(add_s)
        if not rate:
            whole = simulate(Setup(room, fit(samples).table), mix(room, given.requests, float("inf"), 0))
            rate = given.load * given.requests / whole.duration_s
        for name, asks in works(given.requests, rate, number, room).items():
            seen.append((name, asks, figures(bench.run(asks).outcome)))
            print(f"round {number + 1}: {name} run", flush=True)
    learned = fit(samples)
    setup = Setup(room, learned.table, add_s=statistics.median(adding))
    told = [(name, compared(figures(simulate(setup, asks)), real)) for name, asks, real in seen]
    print(f"{len(samples)} steps, median error {learned.median_error:.1%}, {learned.held_up} held up")
    report(told, given.rounds)
    if given.json is not None:
        kept = {"flags": flags, "clock": given.clock, "rate": rate, "fit": learned.told(), "works": told}
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
