"""What guessing costs on one GPU where it cannot pay: heads and draft models of real sizes that know nothing.

    python benchmarks/gpu/guessing.py FOLDER [--batches 1,64,128,256] [--dry]

FOLDER has a config.json of the Llama family; all weights are random, so hardly a guess is right. Engines with
an EAGLE head of one layer, with a draft model of a sixteenth of the size and with n-grams take turns with one
that does not guess, prompts included. Each line ends with the best and the median of its tokens a second
against those of the engine that does not guess: it should be 0.97 or more, as guessing rests. --dry: a CPU,
tiny.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

from quire import LLM, SamplingParams

SMALL = {"hidden_size": 1024, "intermediate_size": 4096, "num_hidden_layers": 8, "num_attention_heads": 8,
         "num_key_value_heads": 8, "head_dim": 128}  # fmt: skip


def drafts_of(folder: Path, into: Path, dry: bool) -> dict[str, dict[str, Any] | None]:
    """Methods and their --speculative-config, with configs of drafts written on the spot."""
    config = json.loads((folder / "config.json").read_text())
    head = config | {"architectures": ["EagleLlamaForCausalLM"], "num_hidden_layers": 1}
    small = config | ({"num_hidden_layers": 1} if dry else SMALL)
    for name, said in (("eagle", head), ("draft_model", small)):
        (into / name).mkdir()
        (into / name / "config.json").write_text(json.dumps(said))
    found: dict[str, dict[str, Any] | None] = {"off": None, "ngram": {"method": "ngram"}}
    for name in ("eagle", "draft_model"):
        found[name] = {"method": name, "model": str(into / name), "num_speculative_tokens": 3}
    return found


def rate(llm: LLM, prompts: list[list[int]], tokens: int) -> float:
    """Tokens a second, from the first prompt to the last token."""
    params = SamplingParams(temperature=0.0, ignore_eos=True, max_tokens=tokens, detokenize=False)
    began = time.perf_counter()
    llm.generate([{"prompt_token_ids": p} for p in prompts], params, use_tqdm=False)
    took = time.perf_counter() - began
    llm.reset_prefix_cache()
    return len(prompts) * tokens / took


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--batches", default="1,64,128,256")
    parser.add_argument("--tokens", type=int, default=128)
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--dry", action="store_true", help="on a CPU, tiny")
    args = parser.parse_args()
    common: dict[str, Any] = {"load_format": "dummy", "skip_tokenizer_init": True, "max_num_seqs": 256}
    if args.dry:
        common |= {"device": "cpu", "max_model_len": 128, "kv_cache_memory_bytes": 64 << 20}
        args.batches, args.tokens, args.rounds = "1,4", 16, 2
    else:
        common |= {"dtype": "bfloat16", "max_model_len": 1024, "kv_cache_memory_bytes": 12 << 30}
    rng = random.Random(0)
    prompts = [[rng.randrange(3, 200) for _ in range(32 if args.dry else 128)] for _ in range(256)]
    with tempfile.TemporaryDirectory() as made:
        methods = drafts_of(args.folder, Path(made), args.dry)
        engines = {name: LLM(str(args.folder), speculative_config=s, **common) for name, s in methods.items()}
    for llm in engines.values():
        while llm.engine.idle():
            pass
    for batch in (int(n) for n in args.batches.split(",")):
        rates: dict[str, list[float]] = {name: [] for name in engines}
        for _ in range(args.rounds + 1):  # the first one warms up
            for name, llm in engines.items():
                rates[name].append(rate(llm, prompts[:batch], args.tokens * (4 if batch == 1 else 1)))
        plain = rates["off"][1:]
        for name, found in rates.items():
            own = found[1:]
            middle = statistics.median(own) / statistics.median(plain)
            print(
                f"GUESSING {name:11} {batch:3} requests: best {max(own):8,.0f} tokens/s "
                f"({max(own) / max(plain):.3f} of none), median {middle:.3f} of none; "
                f"first {found[0] / rates['off'][0]:.3f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
