"""Speculation where a step takes next to no time: the model inside on a GPU, every method against none.

    python benchmarks/gpu/inside.py [--methods ngram eagle …] [--rounds 6] [--json FILE] [--device cpu]

Each engine has a process of its own, as a server's has, and they take turns, round by round, so that whatever
else the machine does meets all of them. A round has prompts of its own, the same for all. Told are the tokens
a second of each round, and their median against the engine that does not guess: guessing that does not pay
rests, so it should be 0.97 or more from the second round on.
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

WORKS = {"chat, one at a time": (24, 1), "long answers, one at a time": (4, 1), "chat, 64 at once": (128, 64)}


def engine(line: Connection, name: str, device: str) -> None:
    """Answers rounds: a number and a work in, tokens a second and tokens a step out."""
    from tests.speculation.asked import prompts

    from quire import LLM, SamplingParams

    llm = LLM(
        speculative_config=METHODS[name],
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
        line.send((tokens / took, tokens / max(1, steps)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--methods", nargs="+", default=list(METHODS), choices=list(METHODS))
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--device", default="auto")
    parser.add_argument("--json", type=Path, help="write all figures here")
    args = parser.parse_args()
    context = multiprocessing.get_context("spawn")
    lines: dict[str, Connection] = {}
    children = []
    for name in dict.fromkeys(["off", *args.methods]):
        lines[name], theirs = context.Pipe()
        children.append(context.Process(target=engine, args=(theirs, name, args.device), daemon=True))
        children[-1].start()
    for line in lines.values():
        line.recv()
    found: dict[str, dict[str, list[tuple[float, float]]]] = {w: {m: [] for m in lines} for w in WORKS}
    for number in range(args.rounds):
        for work in WORKS:
            for name, line in lines.items():
                line.send((number, work))
                found[work][name].append(line.recv())
    for line in lines.values():
        line.send(None)
    for child in children:
        child.join()
    for work, by_method in found.items():
        off = [rate for rate, _ in by_method["off"]]
        for name, rounds in by_method.items():
            each = [rate / plain for (rate, _), plain in zip(rounds, off, strict=True)]
            settled = statistics.median(each[1:] or each)
            rates = " ".join(f"{rate:,.0f}" for rate, _ in rounds)
            per_step = statistics.mean(n for _, n in rounds[1:] or rounds)
            print(
                f"INSIDE {work:28} {name:12} {settled:.3f} of none after the first round ({each[0]:.2f}), "
                f"{per_step:.2f} tokens a step; tokens/s {rates}",
                flush=True,
            )
    if args.json is not None:
        args.json.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
