"""What a JSON schema on every request costs: the same number of tokens with it and without it.

    python benchmarks/structured.py [--backend llguidance] [--requests 32] [--tokens 128] [--repeats 5]

One engine, the embedded model. A round is a batch without a schema and a batch with one, in turns; each
answer has exactly --tokens tokens, so both compute the same. The ratio is of the best rounds' tokens per
second: on a machine with other work the best is what says most. There `--threads 1 --cpu-time` helps, which
counts the seconds of processor time that this process used instead of those that went by.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Callable

from quire import LLM, SamplingParams, StructuredOutputsParams

PERSON = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "maxLength": 40},
        "age": {"type": "integer", "minimum": 0, "maximum": 120},
        "email": {"type": "string"},
        "tags": {"type": "array", "items": {"type": "string", "maxLength": 12}, "minItems": 2},
        "address": {
            "type": "object",
            "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
            "required": ["street", "city"],
            "additionalProperties": False,
        },
    },
    "required": ["name", "age", "email", "tags", "address"],
    "additionalProperties": False,
}
# So many people that no answer is complete before its last token.
SCHEMA = {"type": "array", "items": PERSON, "minItems": 200}


def measured(
    llm: LLM, prompts: list[str], params: SamplingParams, tokens: int, clock: Callable[[], float]
) -> float:
    """Output tokens per second."""
    began = clock()
    outputs = llm.generate(prompts, params, use_tqdm=False)
    took = clock() - began
    assert all(len(o.outputs[0].token_ids) == tokens for o in outputs), "the lengths differ"
    return len(prompts) * tokens / took


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--model", default="")
    parser.add_argument("--backend", default="auto")
    parser.add_argument("--requests", type=int, default=32)
    parser.add_argument("--tokens", type=int, default=128)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--temperature", type=float, default=0.8)
    parser.add_argument("--threads", type=int)
    parser.add_argument("--cpu-time", action="store_true")
    args = parser.parse_args()
    clock = time.process_time if args.cpu_time else time.perf_counter
    llm = LLM(args.model, structured_outputs_backend=args.backend, cpu_threads=args.threads)
    prompts = [f"Number {i}: a list of people with all that is known of them." for i in range(args.requests)]
    same = {"temperature": args.temperature, "max_tokens": args.tokens, "min_tokens": args.tokens, "seed": 1}
    free = SamplingParams(**same, ignore_eos=True)
    bound = SamplingParams(**same, ignore_eos=True, structured_outputs=StructuredOutputsParams(json=SCHEMA))
    for params in (free, bound):  # compiled, and every cache warm
        measured(llm, prompts, params, args.tokens, clock)
    rates: dict[str, list[float]] = {"free": [], "schema": []}
    for _ in range(args.repeats):
        rates["free"].append(measured(llm, prompts, free, args.tokens, clock))
        rates["schema"].append(measured(llm, prompts, bound, args.tokens, clock))
    ratios = [b / a for a, b in zip(rates["free"], rates["schema"], strict=True)]
    report = {
        "requests": args.requests,
        "tokens": args.tokens,
        "backend": llm.engine.config.structured.backend,
        "free tok/s": round(max(rates["free"])),
        "schema tok/s": round(max(rates["schema"])),
        "ratio of the best": round(max(rates["schema"]) / max(rates["free"]), 3),
        "ratio, median of rounds": round(statistics.median(ratios), 3),
    }
    print(json.dumps(report, indent=2))


if __name__ == "__main__":
    main()
