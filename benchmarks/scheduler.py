"""What a decode step costs the planner: plan and commit alone, no model, no torch.

usage: python benchmarks/scheduler.py [--rounds 200]

Requests are spread over all offsets within a block, so that every step some of them begin a new block.
The last lines say how the cost grows with the number of sequences and with the length of their context.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import time

import numpy as np

from quire.kv.groups import lay_out
from quire.kv.manager import KVManager
from quire.params import SamplingParams
from quire.scheduler.policy import Fcfs
from quire.scheduler.rows import Rows
from quire.scheduler.scheduler import Scheduler
from quire.types import KVLayerSpec, Plan, Request, Result


def running(sequences: int, context: int, rounds: int, window: int | None) -> tuple[float, float]:
    """Median milliseconds of plan() and commit() with all sequences decoding."""
    rng = random.Random(0)
    prefill = sequences * (context + 16) // 8000 + 2  # steps until the last one decodes, too
    longest = context + 16 + rounds + prefill
    layout = lay_out([KVLayerSpec(8, 128, window)] * 4, 16, 2)
    kv = KVManager(layout, sequences * (longest // 16 + 1), sequences, longest)
    scheduler = Scheduler(kv, Rows(sequences, longest), max(8192, sequences), Fcfs())
    for i in range(sequences):
        prompt = np.array([rng.randrange(100_000) for _ in range(context + rng.randrange(16))], np.int32)
        scheduler.add(Request(str(i), prompt, SamplingParams(ignore_eos=True), 0, longest))
    planning, committing = [], []
    while len(planning) < rounds:
        start = time.perf_counter()
        plan = scheduler.plan()
        planned = time.perf_counter()
        assert plan is not None
        result = answer(plan)
        answered = time.perf_counter()
        scheduler.commit(plan, result)
        committed = time.perf_counter()
        if plan.tokens == sequences == len(plan.rows):
            planning.append(planned - start)
            committing.append(committed - answered)
    return statistics.median(planning) * 1e3, statistics.median(committing) * 1e3


def answer(plan: Plan) -> Result:
    return Result(plan.start[:, None] % 1000, plan.samples.astype(np.int32))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=200)
    rounds = parser.parse_args().rounds
    figures = []
    print(
        f"{'sequences':>9} {'context':>8} {'window':>7} {'plan ms':>8} {'commit ms':>10} {'plan µs/seq':>12}"
    )
    for sequences, context, window in [
        (32, 1024, None), (64, 1024, None), (128, 1024, None), (256, 1024, None), (512, 1024, None),
        (256, 128, None), (256, 4096, None), (256, 16384, None), (256, 1024, 512),
    ]:  # fmt: skip
        plan, commit = running(sequences, context, rounds, window)
        figures.append(
            {"sequences": sequences, "context": context, "window": window, "plan": plan, "commit": commit}
        )
        print(
            f"{sequences:9} {context:8} {window or '-':>7} {plan:8.3f} {commit:10.3f} "
            f"{plan / sequences * 1e3:12.2f}",
            flush=True,
        )
    cost = {(f["sequences"], f["context"], f["window"]): f["plan"] for f in figures}
    print(f"512 sequences cost {cost[512, 1024, None] / cost[256, 1024, None]:.2f}x of 256 (2 is linear)")
    print(f"context 16,384 costs {cost[256, 16384, None] / cost[256, 128, None]:.2f}x of 128 (1 is constant)")
    print("JSON " + json.dumps(figures))


if __name__ == "__main__":
    main()
