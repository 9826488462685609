"""Speculation on one GPU with a planted draft: does it gain what its acceptance and its steps' times say?

    python benchmarks/gpu/speculation.py FOLDER [--drafts 3] [--dry]

FOLDER has a config.json; weights are random. A first run without speculation says what the model will say.
Then a proposer that knows it guesses each token right with probability p. The speed-up should be what follows
from the expected tokens of a step, 1 + p + … + p^k, and from how long a step with k drafts takes, which is
measured with drafts that are never right. In bf16 a step of several tokens rounds otherwise than one of a
single token, so what the model will say is taken from that run.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import time
from typing import Any

import numpy as np

from quire import LLM, SamplingParams
from quire.types import Admission
from quire.worker.drafts import Drafts, Ngram, Seen


class Planted(Ngram):
    """Knows what each request will say, and says it with probability p; else another token."""

    def __init__(self, p: float, answers: dict[tuple[int, ...], list[int]], seed: int = 0):
        super().__init__(1, 1)
        self.p, self.answers, self._rng = p, answers, np.random.default_rng(seed)
        self._of: dict[int, tuple[int, list[int]]] = {}

    def admit(self, admission: Admission) -> None:
        prompt = admission.request.prompt
        self._of[admission.row] = len(prompt), self.answers[tuple(prompt.tolist())]

    def propose(self, seen: Seen) -> Drafts:
        drafts = Drafts.room(seen.want)
        for i in seen.want.nonzero()[0].tolist():
            length, answer = self._of[int(seen.rows[i])]
            said = int(seen.start[i] + seen.kept[i]) + 1 - length
            truth = np.array(answer[said : said + int(seen.want[i])], np.int32)
            wrong = self._rng.random(len(truth)) >= self.p
            drafts.put(i, np.where(wrong, (truth + 1) % 1000, truth).astype(np.int32))
        return drafts


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--drafts", type=int, default=3)
    parser.add_argument("--tokens", type=int, default=256)
    parser.add_argument("--batches", default="1,8,64")
    parser.add_argument("--dry", action="store_true", help="on a CPU, tiny")
    args = parser.parse_args()
    k = args.drafts
    common: dict[str, Any] = {
        "model": args.folder, "load_format": "dummy", "skip_tokenizer_init": True, "max_num_seqs": 64,
        "seed": 0,
    }  # fmt: skip
    if not args.dry:
        common |= {"max_model_len": 4096, "dtype": "bfloat16", "gpu_memory_utilization": 0.28}
    else:
        common |= {"max_model_len": 128, "device": "cpu", "dtype": "float32"}
        args.tokens, args.batches = 24, "1,2"
    rng = random.Random(0)
    prompts = [[rng.randrange(3, 200) for _ in range(16 if args.dry else 128)] for _ in range(64)]
    params = SamplingParams(temperature=0.0, ignore_eos=True, max_tokens=args.tokens, detokenize=False)
    batches = [int(n) for n in args.batches.split(",")]

    def run(llm: LLM, batch: int) -> tuple[float, list[list[int]]]:
        """Seconds after the first token of the slowest, and the answers."""
        asked = [{"prompt_token_ids": p} for p in prompts[:batch]]
        outputs = llm.generate(asked, params, use_tqdm=False)
        seconds = max(o.metrics.finished_time for o in outputs) - max(
            o.metrics.first_token_time for o in outputs
        )
        llm.engine.core.reset_prefix_cache()
        return seconds, [list(o.outputs[0].token_ids) for o in outputs]

    plain = LLM(**common)
    seconds, answers = {}, {}
    for batch in batches:
        run(plain, batch)
        times = []
        for _ in range(3):
            took, said = run(plain, batch)
            times.append(took)
        seconds[batch], answers[batch] = statistics.median(times), said
    config = {"method": "ngram", "num_speculative_tokens": k, "adaptive": False}
    asking = LLM(**common, speculative_config=config)
    found = []
    for batch in batches:
        known = {tuple(p): a for p, a in zip(prompts[:batch], answers[batch], strict=True)}
        verify = None
        for p in (0.0, 0.6, 0.8, 0.9, 1.0):
            asking.engine.runner.proposer = Planted(p, known)
            run(asking, batch)
            drafting = asking.engine.core.scheduler.drafting
            times, steps, right, tried = [], 0, 0, 0
            for _ in range(3):
                before = drafting.total.steps, sum(drafting.total.accepted), drafting.total.tokens
                began = asking.engine.stats.steps
                took, said = run(asking, batch)
                times.append(took)
                steps = asking.engine.stats.steps - began
                right, tried = (
                    sum(drafting.total.accepted) - before[1], drafting.total.tokens - before[2],
                )  # fmt: skip
                same = sum(a == known[tuple(q)] for a, q in zip(said, prompts[:batch], strict=True))
            took = statistics.median(times)
            each = took / max(1, steps - 1) * 1e3
            if p == 0.0:
                verify = each
                known = {tuple(q): a for q, a in zip(prompts[:batch], said, strict=True)}
            step = seconds[batch] / (args.tokens - 1) * 1e3
            line = {
                "batch": batch, "k": k, "p": p, "plain_ms": round(step, 3), "step_ms": round(each, 3),
                "verify_ratio": round(each / step, 3), "speed_up": round(seconds[batch] / took, 3),
                "tokens_a_step": round((args.tokens - 1) / max(1, steps - 1), 3),
                "accepted": round(right / max(1, tried), 3), "same": f"{same}/{batch}",
            }  # fmt: skip
            if batch == 1:
                expected = sum(p**i for i in range(k + 1))
                line["predicted"] = round(expected * step / (verify or each), 3)
            found.append(line)
            print("SPEC", json.dumps(line), flush=True)
    began = time.perf_counter()
    for name, llm in (("off", plain), ("on", LLM(**common, speculative_config=config | {"adaptive": True}))):
        times = []
        for _ in range(4):
            t = time.perf_counter()
            run(llm, batches[-1])
            times.append(time.perf_counter() - t)
        rate = batches[-1] * args.tokens / min(times)
        print(
            "SPEC",
            json.dumps({"batch": batches[-1], "adaptive": name, "tokens_s": round(rate, 1)}),
            flush=True,
        )
    print(f"{time.perf_counter() - began:.0f} s")


if __name__ == "__main__":
    main()
