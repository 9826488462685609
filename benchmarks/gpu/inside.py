"""Speculation where a step takes next to no time: the model inside on a GPU, every method against none.

    python benchmarks/gpu/inside.py [--methods ngram eagle …] [--rounds 16] [--json FILE] [--device cpu]

Each engine has a process of its own, as a server's has, and they take turns, another one first in each
round, so that whatever else the machine does meets all of them. A round has prompts of its own, the same
for all. Two engines do not guess, `off` and `off again`: they tell how far two processes that do the same are
apart, and others are compared with both. Told are the tokens a second of each round, and against those two,
without the first round: all tokens by all seconds, the median of the rounds, and the best round against their
best. Guessing that does not pay rests, so they should be 0.97 or more. Single rounds are short, and hosts
whose neighbours work are up to three times as slow from one moment to the next: the more rounds, the better.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import statistics
import sys
import time
from multiprocessing.connection import Connection
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))

from benchmarks.speculation import METHODS

AGAIN = "off again"
WORKS = {"chat, one at a time": (24, 1), "long answers, one at a time": (4, 1), "chat, 64 at once": (128, 64)}


def engine(line: Connection, name: str, device: str) -> None:
    """Answers rounds: a number and a work in, tokens, seconds and steps out."""
    from tests.speculation.asked import prompts

    from quire import LLM, SamplingParams

    llm = LLM(
        speculative_config=METHODS.get(name),
        max_model_len=1024,
        dtype="float32",
        kv_cache_memory_bytes=256 << 20,
        device=device,
    )
    while llm.engine.idle():
        pass
    line.send("ready")
    while (asked := line.recv()) is not None:
        number, work = asked
        count, batch = WORKS[work]
        long = work.startswith("long")
        params = SamplingParams(temperature=0.0, max_tokens=200 if long else 100, ignore_eos=long)
        texts, tokens, steps = prompts(count, seed=1000 * number + batch), 0, 0
        began = time.perf_counter()
        for at in range(0, count, batch):
            for output in llm.generate(texts[at : at + batch], params, use_tqdm=False):
                tokens += len(output.outputs[0].token_ids)
                guesses = output.metrics.guesses
                steps += len(output.outputs[0].token_ids) if guesses is None else guesses.steps
        took = time.perf_counter() - began
        llm.reset_prefix_cache()
        line.send((tokens, took, steps))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--methods", nargs="+", default=list(METHODS), choices=list(METHODS))
    parser.add_argument("--rounds", type=int, default=16)
    parser.add_argument("--device", default="auto")
    parser.add_argument("--json", type=Path, help="write all figures here")
    args = parser.parse_args()
    if args.rounds < 2:
        parser.error("--rounds must be 2 or more: the first one does not count")
    context = multiprocessing.get_context("spawn")
    lines: dict[str, Connection] = {}
    children = []
    for name in dict.fromkeys(["off", *args.methods, AGAIN]):
        lines[name], theirs = context.Pipe()
        children.append(context.Process(target=engine, args=(theirs, name, args.device), daemon=True))
        children[-1].start()
    for line in lines.values():
        line.recv()
    found: dict[str, dict[str, list[tuple[int, float, int]]]] = {w: {m: [] for m in lines} for w in WORKS}
    names = list(lines)
    for number in range(args.rounds):
        first = number % len(names)
        for work in WORKS:
            for name in names[first:] + names[:first]:
                lines[name].send((number, work))
                found[work][name].append(lines[name].recv())
    for line in lines.values():
        line.send(None)
    for child in children:
        child.join()
    for work, by_method in found.items():
        plain = [_both(*pair) for pair in zip(by_method["off"], by_method[AGAIN], strict=True)][1:]
        off = [tokens / took for tokens, took, _ in plain]
        best = max(_rate([found]) for name in ("off", AGAIN) for found in by_method[name][1:])
        for name, rounds in by_method.items():
            rates = [tokens / took for tokens, took, _ in rounds]
            settled = rounds[1:]
            each = [rate / other for rate, other in zip(rates[1:], off, strict=True)]
            whole = _rate(settled) / _rate(plain)
            steps = sum(n for n, _, _ in settled) / max(1, sum(n for _, _, n in settled))
            print(
                f"INSIDE {work:28} {name:12} {whole:.3f} of none in all, {statistics.median(each):.3f} "
                f"median, {max(rates[1:]) / best:.3f} best; {steps:.2f} tokens a step; "
                f"tokens/s {' '.join(f'{rate:,.0f}' for rate in rates)}",
                flush=True,
            )
    if args.json is not None:
        args.json.write_text(json.dumps(found, indent=1) + "\n")


def _both(one: tuple[int, float, int], other: tuple[int, float, int]) -> tuple[int, float, int]:
    """A round of two engines, as one."""
    return one[0] + other[0], one[1] + other[1], one[2] + other[2]


def _rate(rounds: list[tuple[int, float, int]]) -> float:
    """Tokens a second over all of them."""
    return sum(tokens for tokens, _, _ in rounds) / sum(took for _, took, _ in rounds)


if __name__ == "__main__":
    main()
