"""Learns a cost model from a real engine: which steps are measured, and what is predicted to check it.

Batches of several sizes and contexts, whole prompts, chunks and both together: whatever a server would meet
lies between them. The check is a mix of requests that was not among them, run and simulated.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from quire.errors import BadOption
from quire.record.format import Room
from quire.simulate.calibration import Calibration
from quire.simulate.fit import Sample
from quire.simulate.fleet import Setup, simulate
from quire.simulate.handling import Handling, Took, handling_of
from quire.simulate.measure import Bench, Measured
from quire.simulate.measures import figures
from quire.simulate.traffic import Ask, Drawn, drawn
from quire.tools.load.arrivals import Gamma
from quire.tools.load.foreign import json_of
from quire.tools.load.lengths import Uniform

LATER_S = 60.0  # when all that came before has ended; nobody waits for it, time is skipped
ANSWER = 10  # tokens of each measured answer, at least: so many steps of a batch are seen
LONG_ANSWER = 80
WARM = 6  # batches that are run before any is measured, for what is built on first use
COMPARED = (
    "output_throughput", "p50_ttft_ms", "p99_ttft_ms", "p50_itl_ms", "p99_itl_ms",
    "p50_e2el_ms", "p99_e2el_ms",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Batch:
    """So many requests at once."""

    requests: int
    prompt: int  # tokens of the longest one
    joined: int = 0  # requests that come when the others write, with prompts of
    joined_prompt: int = 0
    shared: int = 0  # leading tokens that all prompts have in common, computed before
    answer: int = ANSWER

    def asks(self) -> list[Ask]:
        if self.shared:
            known = Ask(0.0, self.shared + 1, 1, Drawn(0, 0, self.shared))
            each = [Drawn(1 + i, 0, self.shared) for i in range(self.requests)]
            return [known, *(Ask(LATER_S, self.prompt, self.answer, own) for own in each)]
        first = [Ask(0.0, length, self.answer, Drawn(i)) for i, length in enumerate(self.lengths())]
        later = [Ask(0.0, self.joined_prompt, 2, Drawn(1000 + i)) for i in range(self.joined)]
        return first + later

    def lengths(self) -> list[int]:
        """From a quarter of the longest up to it: a server's requests are of different lengths, too, and that
        costs a device more than as many tokens in rows of one length."""
        shares = (0.25 + 0.75 * (i + 1) / self.requests for i in range(self.requests))
        return [max(1, round(self.prompt * share)) for share in shares]

    def run(self, bench: Bench) -> Measured:
        return bench.run(self.asks(), self.requests + 1 if self.joined else None)


def batches(room: Room, most_prompt: int) -> Iterator[Batch]:
    """From one short request to as many and as long ones as the engine holds."""
    tokens = room.blocks * room.block_tokens
    most_read = (32 if room.shared else 4) * room.budget  # a GPU reads prompts fast, and holds many long ones
    sizes = [n for n in (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 64, 128, 256) if n <= room.rows]
    for prompt in (16, 100, 400, most_prompt):
        if prompt > min(most_prompt, room.max_len - 1):
            continue
        for size in sizes[:: 1 if prompt < 400 else 2]:
            answer = ANSWER + size * prompt // room.budget  # the first ones wait for the last ones' prompts
            if size * (prompt + answer + room.block_tokens) <= tokens and size * prompt <= most_read:
                yield Batch(size, prompt, answer=min(answer, room.max_len - prompt))
    written = Batch(min(64, room.rows), 32, answer=min(LONG_ANSWER, room.max_len - 32))
    if written.answer > 0 and written.requests * (32 + written.answer + room.block_tokens) <= tokens:
        yield written  # what an end costs depends on how much was written
    for size in (4, 16, 64):
        for prompt in (48, 200, most_prompt // 2):
            short = min(64, most_prompt)
            need = (size + 4) * (max(short, prompt) + ANSWER + room.block_tokens)
            if size + 4 <= room.rows and need <= tokens and 0 < prompt <= most_prompt:
                yield Batch(size, short, 4, prompt)
    if room.shared and room.prefix_caching:
        long, one = most_prompt - 32, room.shared
        most = room.max_len - 32 - ANSWER
        # One that all have is read once, so it may be longer than prompts: system prompts are. Costs beyond
        # what was measured would be guessed from it, and a small error of a short one is a large one there.
        usual = (8, one), (16, 2 * one), (64, one), (128, 2 * one), (32, long), (128, long)
        for size, shared in (*usual, (32, 4 * long), (128, 4 * long)):
            common = min(most, shared) // room.block_tokens * room.block_tokens
            need = common + size * (32 + ANSWER + room.block_tokens)
            if size <= room.rows and common >= one and need <= tokens:
                yield Batch(size, common + 32, shared=common)


def measure(
    bench: Bench, room: Room, most_prompt: int, repeats: int, tell: Callable[[str], None]
) -> tuple[list[Sample], Handling]:
    """Runs all batches `repeats` times; returns their steps and what a request costs the loop."""
    samples: list[Sample] = []
    added: list[Took] = []
    ended: list[Took] = []
    every = list(batches(room, most_prompt))
    if not every:
        raise BadOption(
            f"the engine reads {room.max_len:,} tokens and keeps {room.blocks * room.block_tokens:,}, too "
            f"few to measure anything; raise --max-model-len or the memory of its KV cache"
        )
    for repeat in range(repeats + 1):
        for batch in every if repeat else every[:WARM]:
            run = batch.run(bench)
            if repeat:
                samples += run.samples
                added += run.added
                ended += run.ended
            tell(f"{batch.requests} x {batch.prompt}")
    return samples, handling_of(added, ended)


def check(
    bench: Bench, setup: Setup, requests: int, tell: Callable[[int], None], load: float = 0.6, seed: int = 1
) -> dict[str, Any]:
    """Runs a mix of requests, predicts it, and says how far the prediction is off.

    They come at `load` of what the engine could answer at most, as predicted.
    """
    room = setup.room
    asks = mix(room, requests, float("inf"), seed)
    most = simulate(setup, asks)
    rate = load * requests / most.duration_s
    asks = mix(room, requests, rate, seed)
    told = figures(simulate(setup, asks))
    seen = figures(bench.run(asks, tell=tell).outcome)
    return compared(told, seen) | {"request_rate": rate, "requests": requests, "seed": seed}


def way_s(made: Calibration, asks: list[Ask], result: Path) -> float:
    """What first tokens took longer for a client of `quire bench serve` than the engine explains."""
    try:
        told = json_of(result.read_text(encoding="utf-8"))
        seen_ms, answered = float(told["median_ttft_ms"]), int(told.get("completed", len(asks)))
    except (OSError, ValueError, KeyError, TypeError) as e:
        raise BadOption(f"{result} is no result of `quire bench serve` (--result-filename): {e!r}") from e
    if not len(asks) / 2 <= answered <= len(asks):  # the record has warm-ups and other clients' as well
        raise BadOption(
            f"{result} is of {answered:,} requests and the record has {len(asks):,}; --client must be the "
            f"result of the very requests that were recorded"
        )
    explained = float(figures(simulate(Setup(made.room, made.table), asks))["p50_ttft_ms"])
    return max(0.0, (seen_ms - explained) / 1e3)


def mix(room: Room, requests: int, rate: float, seed: int) -> list[Ask]:
    """Prompts and answers of many lengths, a quarter of each prompt shared with others."""
    long = max(8, min(room.max_len // 2, 768))
    short = max(4, long // 16)
    prompt, output = Uniform(short, long // 2), Uniform(max(4, short // 2), long // 4)
    arrivals = Gamma(min(rate, 1e9))
    return list(drawn(requests, prompt, output, arrivals, seed, long // 8, 4, room.max_len))


def compared(told: dict[str, Any], seen: dict[str, Any]) -> dict[str, Any]:
    """Predicted, measured, and the difference as a share of what was measured."""
    return {
        "predicted": {name: told[name] for name in COMPARED},
        "measured": {name: seen[name] for name in COMPARED},
        "off": {name: told[name] / seen[name] - 1 if seen[name] else 0.0 for name in COMPARED},
    }
