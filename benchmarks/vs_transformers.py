"""Quire beside transformers on one CPU: the same checkpoint, the same prompts, the same run.

usage: python benchmarks/vs_transformers.py [--threads 2] [--repeat 3] [--work decode,batch,…] [--json FILE]

The checkpoint has SmolLM2-135M's shape and random float32 weights, written once by transformers into a
temporary folder. Runs of both engines alternate; each figure is the best of its runs, the median stands
beside it. Ratios above 1 mean that Quire is faster.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import tempfile
import time
from collections.abc import Callable
from typing import Any

parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("--threads", type=int, default=2)
parser.add_argument("--repeat", type=int, default=3)
parser.add_argument("--work", default="decode,batch,prefill,prefix")
parser.add_argument("--json", help="also write the figures to this file")
args = parser.parse_args()
os.environ["OMP_NUM_THREADS"] = str(args.threads)
os.environ.setdefault("QUIRE_LOG_LEVEL", "WARNING")

import torch  # noqa: E402
import transformers  # noqa: E402

import quire  # noqa: E402

Work = list[tuple[list[int], int]]
VOCAB = 49152


def checkpoint(folder: str) -> None:
    config = transformers.LlamaConfig(
        hidden_size=576, num_hidden_layers=30, num_attention_heads=9, num_key_value_heads=3, head_dim=64,
        intermediate_size=1536, vocab_size=VOCAB, rms_norm_eps=1e-5, tie_word_embeddings=True,
        max_position_embeddings=8192, bos_token_id=0, eos_token_id=1, initializer_range=0.02,
    )  # fmt: skip
    torch.manual_seed(0)
    transformers.LlamaForCausalLM(config).save_pretrained(folder)


def work(name: str, salt: int) -> Work:
    """Prompts and output lengths; `salt` changes the tokens so that no repeat finds another's prefix."""
    rng, lengths = random.Random(1000 + salt), random.Random(0)

    def ids(n: int) -> list[int]:
        return [rng.randrange(256, VOCAB) for _ in range(n)]

    if name == "decode":
        return [(ids(128), 128)]
    if name == "batch":
        sizes = [(lengths.randint(32, 256), lengths.randint(32, 128)) for _ in range(32)]
        return [(ids(p), o) for p, o in sizes]
    if name == "prefill":
        return [(ids(2048), 1)]
    shared = ids(512)
    return [(shared + ids(32), 32) for _ in range(32)]


class Quire:
    def __init__(self, folder: str, **options: Any):
        self.llm = quire.LLM(
            folder,
            skip_tokenizer_init=True,
            max_model_len=4096,
            cpu_threads=args.threads,
            max_num_seqs=32,
            **options,
        )

    def __call__(self, requests: Work) -> float:
        self.llm.reset_prefix_cache()
        params = [
            quire.SamplingParams(temperature=0, max_tokens=n, ignore_eos=True, detokenize=False)
            for _, n in requests
        ]
        start = time.perf_counter()
        outputs = self.llm.generate([{"prompt_token_ids": p} for p, _ in requests], params, use_tqdm=False)
        seconds = time.perf_counter() - start
        assert [len(o.outputs[0].token_ids) for o in outputs] == [n for _, n in requests]
        return seconds


class Transformers:
    def __init__(self, folder: str):
        self.model = transformers.AutoModelForCausalLM.from_pretrained(
            folder, dtype=torch.float32, attn_implementation="sdpa"
        ).eval()

    @torch.inference_mode()
    def __call__(self, requests: Work) -> float:
        """A left-padded batch that runs until its longest answer is done, as `generate` does it."""
        start = time.perf_counter()
        width, longest = max(len(p) for p, _ in requests), max(n for _, n in requests)
        ids = torch.tensor([[0] * (width - len(p)) + p for p, _ in requests])
        mask = torch.tensor([[0] * (width - len(p)) + [1] * len(p) for p, _ in requests])
        out = self.model.generate(
            ids, attention_mask=mask, max_new_tokens=longest, min_new_tokens=longest, do_sample=False,
            eos_token_id=None, pad_token_id=0,
        )  # fmt: skip
        assert out.shape[1] == width + longest
        return time.perf_counter() - start


def alternate(
    runs: dict[str, Callable[[Work], float]], name: str, cut: int | None = None
) -> dict[str, list[float]]:
    """Seconds of every engine, interleaved; `cut` shortens the answers (1: time to the first token)."""
    times: dict[str, list[float]] = {engine: [] for engine in runs}
    for salt in range(args.repeat + 1):
        for engine, run in runs.items():
            requests = [(p, cut or n) for p, n in work(name, salt)]
            seconds = run(requests)
            if salt:  # the first round warms up
                times[engine].append(seconds)
    return times


def main() -> None:
    torch.set_num_threads(args.threads)
    figures: list[dict[str, Any]] = []

    def tell(what: str, unit: str, ours: list[float], theirs: list[float], peer: str, higher: bool) -> None:
        best = max if higher else min
        ratio = best(ours) / best(theirs) if higher else best(theirs) / best(ours)
        row = {
            "what": what, "unit": unit, "peer": peer, "ratio": round(ratio, 2),
            "quire": best(ours), "quire_median": statistics.median(ours),
            "peer_best": best(theirs), "peer_median": statistics.median(theirs),
        }  # fmt: skip
        figures.append(row)
        print(
            f"{what:44} quire {best(ours):8.3f} (median {row['quire_median']:.3f})  "
            f"{peer} {best(theirs):8.3f} (median {row['peer_median']:.3f}) {unit:6} ratio {ratio:.2f}x",
            flush=True,
        )

    with tempfile.TemporaryDirectory() as folder:
        checkpoint(folder)
        ours, theirs = Quire(folder), Transformers(folder)
        engines: dict[str, Callable[[Work], float]] = {"quire": ours, "transformers": theirs}
        for name in args.work.split(","):
            requests = work(name, 0)
            if name == "decode":
                first = alternate(engines, name, cut=1)
                whole = alternate(engines, name)
                tell("time to first token, prompt of 128", "s", *first.values(), "transformers", higher=False)
                steps = requests[0][1] - 1
                rates = [[steps / (w - min(first[e])) for w in whole[e]] for e in engines]
                tell("decode, one request", "tok/s", *rates, "transformers", higher=True)
            elif name == "batch":
                tokens = sum(n for _, n in requests)
                rates = [[tokens / t for t in times] for times in alternate(engines, name).values()]
                tell("32 requests, in 32-256, out 32-128", "tok/s", *rates, "transformers", higher=True)
            elif name == "prefill":
                rates = [[2048 / t for t in times] for times in alternate(engines, name).values()]
                tell("prefill of 2,048 tokens", "tok/s", *rates, "transformers", higher=True)
            elif name == "prefix":
                without = Quire(folder, enable_prefix_caching=False)
                times = alternate({"with": ours, "without": without}, name)
                tell(
                    "32 requests sharing 512 tokens",
                    "s",
                    times["with"],
                    times["without"],
                    "no cache",
                    higher=False,
                )
    if args.json:
        with open(args.json, "w") as f:
            json.dump({"torch": torch.__version__, "threads": args.threads, "figures": figures}, f, indent=1)


if __name__ == "__main__":
    main()
