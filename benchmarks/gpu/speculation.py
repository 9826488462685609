"""Speculation on one GPU with a planted draft: does it gain what its acceptance and its steps' times say?

    python benchmarks/gpu/speculation.py FOLDER [--drafts 3] [--dry | --interpreted]

FOLDER has a config.json; weights are random. A first run without speculation says what the model will say.
Then a proposer that knows it guesses each token right with probability p, on a GPU inside the step's graph,
as n-grams and Medusa heads do. --dry runs the same on a CPU, where the host guesses, and
--interpreted on the runner of GPUs without one. The speed-up should be what follows
from the expected tokens of a step, 1 + p + … + p^k, and from how long a step with k drafts takes, which is
measured with drafts that are never right. In bf16 a step of several tokens rounds otherwise than one of a
single token, and near random weights that changes answers; so on a GPU the table and the head are made such
that each token is followed by the next one by far.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import time
from itertools import pairwise
from typing import Any

import numpy as np
import torch

from quire import LLM, SamplingParams
from quire.engine.core import EngineCore
from quire.executor.overlapped import Overlapped
from quire.ops import backend
from quire.ops.guess import Places
from quire.scheduler.ahead import Ahead
from quire.types import Admission
from quire.worker.cuda.runner import CudaRunner
from quire.worker.drafts import Drafts, Ngram, Seen
from quire.worker.drafts.guessing import Moved, Simple, put

Answers = dict[tuple[int, ...], list[int]]  # by prompt


class Planted(Ngram, Simple):
    """Knows what each request will say, and says it with probability p; else another token.

    Whether it is right is settled for every position of a request when it is admitted, and the device is
    told what is guessed at each.
    """

    def __init__(
        self, p: float, answers: Answers, rows: int, tokens: int, device: torch.device, seed: int = 0
    ):
        super().__init__(1, 1)
        self.p, self.answers, self._rng = p, answers, np.random.default_rng(seed)
        self._said = np.zeros((rows + 1, tokens), np.int32)  # what is guessed at each place of a text
        self._on_device = torch.from_numpy(self._said).to(device)
        self._ahead = torch.arange(1, 65, device=device)

    def admit(self, admission: Admission) -> None:
        row, prompt = admission.row, admission.request.prompt
        truth = np.array(self.answers[tuple(prompt.tolist())], np.int32)
        wrong = self._rng.random(len(truth)) >= self.p
        self._said[row, len(prompt) : len(prompt) + len(truth)] = np.where(wrong, (truth + 1) % 200, truth)
        self._on_device[row].copy_(torch.from_numpy(self._said[row]))

    def propose(self, seen: Seen) -> Drafts:
        drafts = Drafts.room(seen.want)
        for i in seen.want.nonzero()[0].tolist():
            row = int(seen.rows[i])
            said = int(seen.start[i] + seen.kept[i]) + 1
            drafts.put(i, self._said[row, said : said + int(seen.want[i])])
        return drafts

    def guess(self, moved: Moved, places: Places) -> None:
        at = moved.rows.long()[:, None]
        index = places.position[at] + self._ahead[: places.guesses.shape[1]]
        put(moved.rows, places, self._on_device[at, index])


@torch.inference_mode()
def count_on(llm: LLM) -> LLM:
    """Makes the model of an engine say the number after each token, whatever its layers say."""
    model = llm.engine.runner.model
    table, head = model.embedding.weight.data, model.head.weight.data
    assert table.data_ptr() != head.data_ptr(), "a tied head says the token itself again"
    table.normal_(std=100.0, generator=torch.Generator(table.device).manual_seed(0))
    head.copy_(table.roll(1, 0))
    norm = model.norm
    for weights, value in (
        (norm.weight.data, 1.0),
        (norm.gain.weight, 1.0),
        (norm.gain.scaled, head.shape[1] ** 0.5),
    ):
        weights.fill_(value)
    return llm


def plant(llm: LLM, p: float, answers: Answers) -> None:
    """Lets an engine guess like that, wherever it guesses."""
    runner = llm.engine.runner
    rows, tokens = llm.engine.config.scheduler.max_num_seqs, llm.engine.config.model.max_model_len + 65
    on_gpu = isinstance(runner, CudaRunner)
    device = runner.device if on_gpu else torch.device("cpu")
    runner.proposer = Planted(p, answers, rows, tokens, device)
    if on_gpu:
        runner.guess_by(runner.proposer)


def interpreted(llm: LLM, drafts: int) -> LLM:
    """The same engine over the runner of GPUs, on a CPU."""
    backend.interpret = True
    engine, old = llm.engine, llm.engine.runner
    config, scheduler = engine.config, engine.core.scheduler
    engine.runner = CudaRunner(
        old.model,
        old._layers,
        old.cache,
        rows=config.scheduler.max_num_seqs,
        max_tokens=config.model.max_model_len,
        budget=config.scheduler.max_num_batched_tokens,
        vocab=old.model.shape.vocab_size,
        kv_dtype=torch.float32,
        device=torch.device("cpu"),
        proposer=old.proposer,
        drafts=drafts,
    )
    engine.core = EngineCore(scheduler, Overlapped(engine.runner))
    if drafts:
        asked = scheduler.drafting
        ahead = Ahead(scheduler.rows, scheduler.kv, drafts, time.perf_counter, adaptive=asked.adaptive)
        scheduler.drafting = scheduler.roster.drafting = ahead
    return llm


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--drafts", type=int, default=3)
    parser.add_argument("--tokens", type=int, default=256)
    parser.add_argument("--batches", default="1,8,64")
    parser.add_argument("--dry", action="store_true", help="on a CPU, tiny")
    parser.add_argument(
        "--interpreted", action="store_true", help="the same over the runner of GPUs; TRITON_INTERPRET=1"
    )
    args = parser.parse_args()
    k, dry = args.drafts, args.dry or args.interpreted
    chances, rounds = ((0.0, 1.0), 1) if args.interpreted else ((0.0, 0.6, 0.8, 0.9, 1.0), 3)
    common: dict[str, Any] = {
        "model": args.folder, "load_format": "dummy", "skip_tokenizer_init": True, "max_num_seqs": 64,
        "seed": 0,
    }  # fmt: skip
    if not dry:
        common |= {"max_model_len": 4096, "dtype": "bfloat16", "gpu_memory_utilization": 0.28}
    else:
        common |= {"max_model_len": 128, "device": "cpu", "dtype": "float32"}
        args.tokens, args.batches = 9 if args.interpreted else 24, "1,2"
    if args.interpreted:
        common |= {"max_num_seqs": 2, "cpu_threads": 1}

    def opened(drafts: int = 0, **more: Any) -> LLM:
        llm = LLM(**common, **more)
        return interpreted(llm, drafts) if args.interpreted else llm if dry else count_on(llm)

    rng = random.Random(0)
    prompts = [[rng.randrange(3, 200) for _ in range(16 if dry else 128)] for _ in range(64)]
    batches = [int(n) for n in args.batches.split(",")]

    def length(batch: int) -> int:
        """Tokens of an answer: of one alone more, so that as many are right as should be."""
        return args.tokens * (4 if batch == 1 and not dry else 1)

    def run(llm: LLM, batch: int) -> tuple[float, list[list[int]]]:
        """Seconds after the first token of the slowest, and the answers."""
        asked = [{"prompt_token_ids": p} for p in prompts[:batch]]
        params = SamplingParams(temperature=0.0, ignore_eos=True, max_tokens=length(batch), detokenize=False)
        outputs = llm.generate(asked, params, use_tqdm=False)
        seconds = max(o.metrics.finished_time for o in outputs) - max(
            o.metrics.first_token_time for o in outputs
        )
        llm.engine.core.reset_prefix_cache()
        return seconds, [list(o.outputs[0].token_ids) for o in outputs]

    plain = opened()
    seconds, answers = {}, {}
    for batch in batches:
        run(plain, batch)
        times = []
        for _ in range(rounds):
            took, said = run(plain, batch)
            times.append(took)
        seconds[batch], answers[batch] = statistics.median(times), said
        counts = sum(b == a + 1 for answer in said for a, b in pairwise(answer))
        print(
            f"{counts / sum(len(answer) - 1 for answer in said):.1%} of tokens are the next number",
            flush=True,
        )
    config = {"method": "ngram", "num_speculative_tokens": k, "adaptive": False}
    asking = opened(k, speculative_config=config)
    found = []
    for batch in batches:
        known = {tuple(p): a for p, a in zip(prompts[:batch], answers[batch], strict=True)}
        verify = None
        for p in chances:
            plant(asking, p, known)
            run(asking, batch)
            drafting = asking.engine.core.scheduler.drafting
            times, steps, right, tried = [], 0, 0, 0
            for _ in range(rounds):
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
            step = seconds[batch] / (length(batch) - 1) * 1e3
            line = {
                "batch": batch, "k": k, "p": p, "plain_ms": round(step, 3), "step_ms": round(each, 3),
                "verify_ratio": round(each / step, 3), "speed_up": round(seconds[batch] / took, 3),
                "tokens_a_step": round((length(batch) - 1) / max(1, steps - 1), 3),
                "accepted": round(right / max(1, tried), 3), "same": f"{same}/{batch}",
            }  # fmt: skip
            if batch == 1:
                expected = sum(p**i for i in range(k + 1))
                line["predicted"] = round(expected * step / (verify or each), 3)
            found.append(line)
            print("SPEC", json.dumps(line), flush=True)
    began = time.perf_counter()
    adapting = opened(k, speculative_config=config | {"adaptive": True})
    for name, llm in (("off", plain), ("on", adapting)):
        times = []
        for _ in range(1 + rounds):
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
