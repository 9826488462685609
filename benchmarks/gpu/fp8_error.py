"""How far FP8 moves a whole model's logits: against its own bf16, on the same weights and prompts.

    python benchmarks/gpu/fp8_error.py --model DIR [--real]

Weights are random (the same in every engine) unless --real reads those of the folder. Printed for FP8
weights, FP8 KV and both: the error of all prompts' logits relative to their size (root of mean squares),
and how many positions have the same likeliest token. bf16 with prompts in parts is the yardstick: what
another order of sums does to a model of this depth.
"""

from __future__ import annotations

import argparse
import gc
import random
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from quire import LLM, SamplingParams

KINDS: dict[str, dict[str, Any]] = {
    "bf16": {},
    "bf16 in parts": {"max_num_batched_tokens": 128},
    "fp8 weights": {"quantization": "fp8"},
    "fp8 KV": {"kv_cache_dtype": "fp8"},
    "fp8 both": {"quantization": "fp8", "kv_cache_dtype": "fp8"},
}


def logits_of(model: str, prompts: list[list[int]], load: str, device: str, **options: Any) -> Tensor:
    """What the engine says about every position of the prompts but the last, in float32."""
    settings = {"max_model_len": 1024, "max_num_seqs": 8, "enable_prefix_caching": False, **options}
    llm = LLM(
        model, device=device, load_format=load, skip_tokenizer_init=True,
        kv_cache_memory_bytes=1 << 30, **settings,
    )  # fmt: skip
    inner: Any = llm.engine.runner.model
    seen: list[Tensor] = []

    inner.logits = noting(inner.logits, seen)
    params, found = SamplingParams(temperature=0.0, max_tokens=1, prompt_logprobs=1, detokenize=False), []
    for prompt in prompts:
        seen.clear()
        llm.generate([{"prompt_token_ids": prompt}], params, use_tqdm=False)
        several = [some for some in seen if len(some) > 1]  # a single line is what was drawn from
        found.append(torch.cat(several)[1 - len(prompt) :].cpu())
    del llm, inner
    gc.collect()
    if device == "cuda":
        torch.cuda.empty_cache()
    return torch.cat(found)


def noting(plain: Callable[[Tensor], Tensor], seen: list[Tensor]) -> Callable[[Tensor], Tensor]:
    """The same function, which leaves what it returns in `seen`."""

    def logits(hidden: Tensor) -> Tensor:
        seen.append(plain(hidden))
        return seen[-1]

    return logits


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--model", required=True)
    parser.add_argument("--real", action="store_true")
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--kinds", nargs="+", default=list(KINDS), choices=list(KINDS))
    parser.add_argument("--vocab", type=int, default=32000, help="prompts are random tokens below it")
    args = parser.parse_args()
    rng = random.Random(1)
    prompts = [[rng.randrange(args.vocab) for _ in range(n)] for n in (33, 200, 700)]
    load = "auto" if args.real else "dummy"
    truth: Tensor | None = None
    for name in dict.fromkeys(["bf16", *args.kinds]):
        found = logits_of(args.model, prompts, load, args.device, **KINDS[name])
        if truth is None:
            truth = found
            continue
        off = (found - truth).square().mean().sqrt() / truth.square().mean().sqrt()
        same = (found.argmax(-1) == truth.argmax(-1)).float().mean()
        print(
            f"{name}: relative error {float(off):.4f}, the same likeliest token {float(same):.1%}", flush=True
        )


if __name__ == "__main__":
    main()
