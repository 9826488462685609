"""What it costs a decode step that requests ask for more than a draw: penalties, bias, masks, scores.

    python benchmarks/gpu/asked.py --model DIR [--requests 256] [--rounds 3]

All requests ask for the same; with --one a single one of them does and the others are greedy. Times are those
of a whole step, best and median of the rounds, beside the plain step of the same run.
"""

from __future__ import annotations

import argparse
import statistics
import time
from typing import Any

from quire import LLM, SamplingParams

ASKED: dict[str, dict[str, Any]] = {
    "plain": {},
    "sampled, top-p": {"temperature": 0.8, "top_p": 0.9, "seed": 1},
    "penalties": {"repetition_penalty": 1.1, "presence_penalty": 0.2, "frequency_penalty": 0.1},
    "bias of 100": {"logit_bias": dict.fromkeys(range(100, 200), 1.0)},
    "allowed ids": {"allowed_token_ids": list(range(0, 30_000, 30))},
    "min_tokens": {"min_tokens": 1, "stop_token_ids": [7, 8, 9], "ignore_eos": False},
    "logprobs": {"logprobs": 5},
    "all of it": {
        "repetition_penalty": 1.1,
        "logit_bias": dict.fromkeys(range(100, 200), 1.0),
        "allowed_token_ids": list(range(0, 30_000, 30)),
        "logprobs": 5,
    },
}


def step_ms(llm: LLM, requests: int, tokens: int, params: list[SamplingParams]) -> float:
    """A step's time, from what more tokens take."""
    prompts = [{"prompt_token_ids": [11 + i, 12, 13, 14]} for i in range(requests)]
    took = []
    for count in (4, 4 + tokens):
        for p in params:
            p.max_tokens = count
            p.min_tokens = count if p.min_tokens else 0
        began = time.perf_counter()
        llm.generate(prompts, params, use_tqdm=False)
        took.append(time.perf_counter() - began)
    return 1000 * (took[1] - took[0]) / tokens


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--model", required=True)
    parser.add_argument("--requests", type=int, default=256)
    parser.add_argument("--tokens", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--one", action="store_true", help="one request asks, the others are greedy")
    args = parser.parse_args()
    llm = LLM(
        args.model, device=args.device, load_format="dummy", skip_tokenizer_init=True, max_model_len=256,
        max_num_seqs=args.requests, **({"kv_cache_memory_bytes": 1 << 28} if args.device == "cpu" else {}),
    )  # fmt: skip
    common = {"temperature": 0.0, "ignore_eos": True, "detokenize": False, "max_tokens": 4 + args.tokens}
    found: dict[str, list[float]] = {name: [] for name in ASKED}
    params = {
        name: [
            SamplingParams(**{**common, **(asked if i == 0 or not args.one else {})})
            for i in range(args.requests)
        ]
        for name, asked in ASKED.items()
    }
    for turn in range(args.rounds + 1):  # the first one warms up
        for name in ASKED:
            took = step_ms(llm, args.requests, args.tokens, params[name])
            if turn:
                found[name].append(took)
    plain = statistics.median(found["plain"])
    for name, times in found.items():
        middle = statistics.median(times)
        print(
            f"ASKED {name}: {min(times):.3f} best, {middle:.3f} median ms, {middle / plain:.2f} of plain",
            flush=True,
        )


if __name__ == "__main__":
    main()
