"""Steady decoding on a GPU: how long the host works for a step, and whether the GPU ever waits for it.

    python benchmarks/gpu/gaps.py FOLDER [--batches 1,64,256] [--dry]

FOLDER has a config.json; weights are random. The host's time is that of the loop less what it waits for
results. Gaps are times in which no kernel runs, between the kernels of a torch trace of the same steps; what
is copied meanwhile does not count as work. All host times are taken before the first trace. $OUT receives
gaps.json.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import time
from pathlib import Path
from typing import Any

import torch
from torch.profiler import ProfilerActivity, profile

from quire import LLM, SamplingParams

WARM, STEPS, TRACED = 48, 128, 40


class Waiting:
    """Counts the seconds in which the host waits for results."""

    def __init__(self, readback: Any):
        self.seconds, self._read = 0.0, readback.read
        readback.read = self.read

    def read(self, turn: int, words: int) -> Any:
        began = time.perf_counter()
        found = self._read(turn, words)
        self.seconds += time.perf_counter() - began
        return found


def kernels(trace: Any) -> list[tuple[float, float]]:
    """Begin and end of every kernel, in microseconds, by begin."""
    found = []
    for event in trace.events():
        if event.device_type == torch.autograd.DeviceType.CUDA and not event.name.startswith(("Mem", "Iter")):
            found.append((event.time_range.start, event.time_range.end))
    found.sort()
    settled = found[0][0] + 0.15 * (found[-1][1] - found[0][0])  # the trace's own beginning is left out
    return [span for span in found if span[0] > settled]


def gaps(spans: list[tuple[float, float]]) -> list[float]:
    """Times in which nothing ran."""
    found, end = [], spans[0][1]
    for begin, stop in spans[1:]:
        if begin > end:
            found.append(begin - end)
        end = max(end, stop)
    return found


def times_of(llm: LLM, waiting: Waiting | None) -> dict[str, float]:
    """Milliseconds of steps, and of the host's work for one."""
    times, hosts = [], []
    for _ in range(STEPS):
        waited, at = 0.0 if waiting is None else waiting.seconds, time.perf_counter()
        llm.engine.step()
        times.append(time.perf_counter() - at)
        if waiting is not None:
            hosts.append(times[-1] - (waiting.seconds - waited))
    found = {"step_ms": sum(times) / STEPS * 1e3, "longest_step_ms": max(times) * 1e3}
    if hosts:
        found |= {"host_ms": sum(hosts) / STEPS * 1e3, "host_ms_median": statistics.median(hosts) * 1e3}
        found["longest_host_ms"] = max(hosts) * 1e3
    return {name: round(value, 4) for name, value in found.items()}


def gaps_of(llm: LLM) -> dict[str, float]:
    """Microseconds in which the GPU does nothing: the longest time, and the usual one between steps."""
    with profile(activities=[ProfilerActivity.CUDA]) as trace:
        for _ in range(TRACED):
            llm.engine.step()
        torch.cuda.synchronize()
    idle = gaps(kernels(trace))
    between = statistics.median([g for g in idle if g > 4] or [0.0])
    return {"largest_gap_us": round(max(idle, default=0.0), 4), "between_steps_us": round(between, 4)}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--batches", default="1,64,256")
    parser.add_argument("--prompt", type=int, default=128)
    parser.add_argument("--dry", action="store_true", help="on a CPU, tiny, without a trace")
    args = parser.parse_args()
    batches = [int(n) for n in args.batches.split(",")] if not args.dry else [1, 3]
    length = args.prompt if not args.dry else 8
    options: dict[str, Any] = {"model": args.folder, "load_format": "dummy", "skip_tokenizer_init": True}
    options |= {"max_num_seqs": max(batches), "max_model_len": length + WARM + STEPS + TRACED + 32}
    if args.dry:
        options |= {"device": "cpu", "dtype": "float32"}
    llm, rng = LLM(**options), random.Random(0)
    result: dict[str, dict[str, float]] = {}
    core, waiting = llm.engine.core, None
    if not args.dry:
        waiting = Waiting(llm.engine.runner.readback)
    params = SamplingParams(temperature=0.0, ignore_eos=True, max_tokens=WARM + STEPS + TRACED + 16)
    params.detokenize = False
    for traced in (False, True) if waiting is not None else (False,):  # tracing slows launches for good
        for batch in batches:
            prompts = [[rng.randrange(3, 200) for _ in range(length)] for _ in range(batch)]
            for i, prompt in enumerate(prompts):
                llm.engine.add(f"{batch}-{i}", {"prompt_token_ids": prompt}, params)
            for _ in range(WARM):
                llm.engine.step()
            found = result.setdefault(f"batch_{batch}", {})
            found |= gaps_of(llm) if traced else times_of(llm, waiting)
            while core.scheduler.busy:
                llm.engine.step()
            core.reset_prefix_cache()
    for batch in batches:
        print("GAPS", batch, json.dumps(result[f"batch_{batch}"]), flush=True)
    if out := os.environ.get("OUT"):
        Path(out, "gaps.json").write_text(json.dumps(result, indent=1))


if __name__ == "__main__":
    main()
