"""What speculative decoding brings: every method on the embedded model, by batch size, against none.

    python benchmarks/speculation.py                         # chat and copying prompts, batches 1 to 32
    python benchmarks/speculation.py --methods ngram eagle --batches 1 --json out.json --plot out.png

All engines are open at once and take turns, so that whatever else the machine does meets all of them. Told
are tokens per step of the target, and the speed-up over an engine without speculation: of the best round, of
the median, and by processor time, which a busy machine disturbs least. Each round has prompts of its own,
the same for all methods and never asked before: who remembers answers must not know them. Answers that differ
end it.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tqdm import tqdm

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.speculation.asked import copies, prompts

from quire import LLM, SamplingParams

METHODS: dict[str, dict[str, Any] | None] = {
    "off": None,
    "ngram": {"method": "ngram"},
    "suffix": {"method": "suffix"},
    "draft_model": {"method": "draft_model", "model": "quire-tiny-draft"},
    "medusa": {"method": "medusa", "model": "quire-tiny-medusa"},
    "eagle": {"method": "eagle", "model": "quire-tiny-eagle"},
}
WORKS = {"chat": prompts, "copying": copies}


@dataclass
class Rounds:
    """Tokens and seconds of each round, by the clock and of the processor."""

    tokens: list[int] = field(default_factory=list)
    wall: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)
    row_steps: int = 0  # of all rounds; a step counts once for each request in it

    def rates(self, seconds: list[float]) -> list[float]:
        return [n / s for n, s in zip(self.tokens, seconds, strict=True)]

    def speedup(self, off: Rounds) -> dict[str, float]:
        wall, other = self.rates(self.wall), off.rates(off.wall)
        cpu, other_cpu = self.rates(self.cpu), off.rates(off.cpu)
        return {
            "best": max(wall) / max(other),
            "median": statistics.median(a / b for a, b in zip(wall, other, strict=True)),
            "processor": statistics.median(a / b for a, b in zip(cpu, other_cpu, strict=True)),
        }


def run(
    llm: LLM, asked: Sequence[str], batch: int, params: SamplingParams, rounds: Rounds
) -> list[list[int]]:
    """One round: all prompts, so many at a time."""
    llm.reset_prefix_cache()
    wall, cpu = time.perf_counter(), time.process_time()
    answers = []
    for at in range(0, len(asked), batch):
        outputs = llm.generate(list(asked[at : at + batch]), params, use_tqdm=False)
        answers += [o.outputs[0].token_ids for o in outputs]
        guesses = [o.metrics.guesses for o in outputs]
        rounds.row_steps += sum(
            len(o.outputs[0].token_ids) if g is None else g.steps
            for o, g in zip(outputs, guesses, strict=True)
        )
    rounds.wall.append(time.perf_counter() - wall)
    rounds.cpu.append(time.process_time() - cpu)
    rounds.tokens.append(sum(map(len, answers)))
    return answers


def measure(args: argparse.Namespace) -> list[dict[str, Any]]:
    given = {} if args.tokens is None else {"num_speculative_tokens": args.tokens}
    options: dict[str, Any] = {"max_model_len": 1024, "cpu_threads": args.threads, "dtype": args.dtype}
    options["kv_cache_memory_bytes"] = 64 << 20
    engines = {}
    for name in dict.fromkeys(["off", *args.methods]):
        method = METHODS[name]
        config = None if method is None else {**method, **given, "adaptive": not args.fixed}
        engines[name] = LLM(speculative_config=config, **options)
    params = SamplingParams(temperature=args.temperature, seed=1, max_tokens=args.max_tokens)
    out = []
    turns = len(args.works) * len(args.batches) * args.rounds * len(engines)
    with tqdm(total=turns, unit="round", disable=args.quiet) as bar:
        for work in args.works:
            for batch in args.batches:
                found = {name: Rounds() for name in engines}
                for llm in engines.values():  # nothing is compiled or learned during the first round
                    run(llm, WORKS[work](2 * batch, seed=0), batch, params, Rounds())
                for number in range(args.rounds):
                    asked, said = WORKS[work](args.prompts, seed=100 * batch + number), {}
                    for name, llm in engines.items():
                        bar.set_description(f"{work}, batch {batch}, {name}")
                        said[name] = run(llm, asked, batch, params, found[name])
                        bar.update()
                    different = [name for name in said if said[name] != said["off"]]
                    if different and args.dtype == "float32":  # otherwise several tokens round as they like
                        raise SystemExit(
                            f"not the tokens of an engine without drafts: {', '.join(different)}"
                        )
                out += [row(work, batch, name, rounds, found["off"]) for name, rounds in found.items()]
    return out


def row(work: str, batch: int, name: str, rounds: Rounds, off: Rounds) -> dict[str, Any]:
    return {
        "work": work,
        "batch": batch,
        "method": name,
        "tokens_per_step": sum(rounds.tokens) / rounds.row_steps,
        "tokens_per_second": max(rounds.rates(rounds.wall)),
        "speedup": rounds.speedup(off),
        "seconds": rounds.wall,
    }


def show(rows: list[dict[str, Any]]) -> None:
    widths = (("work", "8"), ("batch", ">5"), ("method", "12"), ("tokens/step", ">11"), ("tokens/s", ">9"))
    print(" ".join(f"{name:{w}}" for name, w in (*widths, ("best", ">6"), ("median", ">6"), ("cpu", ">6"))))
    for r in rows:
        s = r["speedup"]
        print(
            f"{r['work']:8} {r['batch']:5} {r['method']:12} {r['tokens_per_step']:11.2f} "
            f"{r['tokens_per_second']:9.0f} {s['best']:6.2f} {s['median']:6.2f} {s['processor']:6.2f}"
        )


def plot(rows: list[dict[str, Any]], path: Path) -> None:
    try:
        import matplotlib
    except ImportError:
        raise SystemExit("a plot needs matplotlib: pip install matplotlib") from None
    matplotlib.use("Agg")
    from matplotlib import pyplot

    works = list(dict.fromkeys(r["work"] for r in rows))
    figure, axes = pyplot.subplots(1, len(works), figsize=(5.5 * len(works), 4), squeeze=False, sharey=True)
    for axis, work in zip(axes[0], works, strict=True):
        for method in dict.fromkeys(r["method"] for r in rows):
            some = [r for r in rows if r["work"] == work and r["method"] == method]
            axis.plot(
                [r["batch"] for r in some], [r["speedup"]["median"] for r in some], marker="o", label=method
            )
        axis.set(xscale="log", xlabel="requests at once", title=work)
        axis.set_xticks(sorted({r["batch"] for r in rows}), sorted({r["batch"] for r in rows}))
        axis.minorticks_off()
        axis.grid(alpha=0.3)
    axes[0][0].set_ylabel("speed-up over no speculation")
    axes[0][-1].legend()
    figure.tight_layout()
    figure.savefig(path, dpi=130)


def main() -> None:
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--methods", nargs="+", default=list(METHODS), choices=list(METHODS))
    p.add_argument("--works", nargs="+", default=list(WORKS), choices=list(WORKS), help="kinds of prompts")
    p.add_argument("--batches", nargs="+", type=int, default=[1, 2, 4, 8, 16, 32], help="requests at once")
    p.add_argument("--prompts", type=int, default=64, help="prompts of each kind")
    p.add_argument("--rounds", type=int, default=3)
    p.add_argument("--tokens", type=int, help="num_speculative_tokens; default: each method's own")
    p.add_argument("--fixed", action="store_true", help="always draft as much as allowed")
    p.add_argument("--temperature", type=float, default=0.0)
    p.add_argument("--max-tokens", type=int, default=100)
    p.add_argument("--threads", type=int, default=2)
    p.add_argument("--dtype", default="float32")
    p.add_argument("--json", type=Path, help="write all figures here")
    p.add_argument("--plot", type=Path, help="write a plot here (PNG or SVG, with matplotlib)")
    p.add_argument("--quiet", action="store_true", help="no progress bar")
    args = p.parse_args()
    rows = measure(args)
    show(rows)
    if args.json is not None:
        args.json.write_text(json.dumps(rows, indent=1) + "\n")
    if args.plot is not None:
        plot(rows, args.plot)


if __name__ == "__main__":
    main()
