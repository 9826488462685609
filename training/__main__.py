"""Makes every model that ships with Quire, from nothing: `python -m training`.

Takes less than 20 minutes on one H200. `--only` does single parts again from what an earlier run left in the
folder; `--trial` makes models that know nothing, in a minute on a CPU, to see that all parts work.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

import torch

from training import classify, export, speculate, tokenizer
from training.data import conversation, plain_text, shards
from training.train import TINY, Run, train

PARTS = ("tokenizer", "tiny", "heads", "classify")


@dataclass(frozen=True, slots=True)
class Scale:
    texts: int  # conversations the tokenizer learns from
    tiny: Run
    answers: int  # of quire-tiny's own, that its drafters learn from
    heads: Run
    classify: Run

    def share(self, part: float) -> Scale:
        def less(run: Run) -> Run:
            return replace(run, steps=max(1, int(run.steps * part)))

        answers = max(1, int(self.answers * part))
        return replace(
            self, tiny=less(self.tiny), answers=answers, heads=less(self.heads), classify=less(self.classify)
        )


FULL = Scale(
    texts=120_000,
    tiny=Run(steps=9000, rows=96),
    answers=24_000,
    heads=Run(steps=1500, rows=64, seed=2),
    classify=Run(steps=1400, rows=1024, seed=3, dropout=0.1),
)


def trial(device: str) -> Scale:
    small = {"device": device, "processes": 1}
    return Scale(
        4_000, Run(3, 1, **small), 8, Run(2, 1, seed=2, **small), Run(2, 4, seed=3, **small)
    )  # fmt: skip


def main() -> None:
    p = argparse.ArgumentParser(prog="python -m training", description=__doc__)
    p.add_argument("--out", type=Path, default=Path("build/models"), help="where the checkpoints go")
    p.add_argument("--only", nargs="+", choices=PARTS, default=PARTS, help="make these parts alone")
    p.add_argument("--trial", action="store_true", help="a few steps of everything")
    p.add_argument("--dropout", type=float, default=0.0, help="while quire-tiny is trained")
    p.add_argument("--share", type=float, default=1.0, help="of the usual training, for a quick try")
    args = p.parse_args()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    if device == "cpu" and not args.trial:
        p.error("training needs a GPU; --trial makes models that know nothing, to see that all parts work")
    scale = trial(device) if args.trial else FULL.share(args.share)
    scale = replace(scale, tiny=replace(scale.tiny, dropout=args.dropout))
    started = time.perf_counter()

    def say(text: str) -> None:
        print(f"[{time.perf_counter() - started:6.1f} s] {text}", flush=True)

    for part in PARTS:
        if part in args.only:
            say(f"-- {part}")
            MAKERS[part](args.out, scale, device, say)
    say(f"done; the checkpoints are in {args.out}")


def make_tokenizer(out: Path, scale: Scale, device: str, say) -> None:
    rng = Random("tokenizer")
    made = tokenizer.train(plain_text(conversation(rng)) for _ in range(scale.texts))
    tokenizer.save(made, out / "quire-tiny")
    say(f"{made.get_vocab_size()} tokens")


def make_tiny(out: Path, scale: Scale, device: str, say) -> None:
    folder = out / "quire-tiny"
    ids = _special_ids(folder)
    model = train(TINY, folder / "tokenizer.json", scale.tiny, say)
    export.write(folder, TINY.config(**ids), model.state_dict())
    export.write_generation_config(folder, **ids, do_sample=False, max_new_tokens=256)


def make_heads(out: Path, scale: Scale, device: str, say) -> None:
    folder = out / "quire-tiny"
    target = export.language_model(folder, TINY).to(device)
    pairs = speculate.own_answers(folder, scale.answers, scale.heads.seed, device)
    say(f"{len(pairs)} answers of its own")
    run = scale.heads
    fresh = shards(folder / "tokenizer.json", run.seed, run.rows, run.steps // 2 + 1, run.processes)
    data = speculate.alternating(fresh, speculate.packed(pairs, run.rows, run.seed))
    draft, medusa, eagle = speculate.train_heads(target, data, run, say)
    ids = _special_ids(folder)
    export.write(out / "quire-tiny-draft", speculate.DRAFT.config(**ids), draft.state_dict())
    export.write_generation_config(out / "quire-tiny-draft", **ids, do_sample=False, max_new_tokens=256)
    export.copy_tokenizer(folder, out / "quire-tiny-draft")
    export.write(out / "quire-tiny-medusa", medusa.config(TINY), medusa.state_dict())
    export.write(out / "quire-tiny-eagle", eagle.config(), eagle.state_dict())


def make_classify(out: Path, scale: Scale, device: str, say) -> None:
    folder, ids = out / "quire-tiny-classify", _special_ids(out / "quire-tiny")
    model = classify.train(out / "quire-tiny" / "tokenizer.json", scale.classify, say)
    labels = dict(enumerate(classify.LABELS))
    config = classify.SIZE.config(
        "Qwen3ForSequenceClassification",
        id2label={str(n): label for n, label in labels.items()},
        label2id={label: n for n, label in labels.items()},
        problem_type="single_label_classification",
        **ids,
    )
    export.write(folder, config, model.tensors())
    export.copy_tokenizer(out / "quire-tiny", folder)


MAKERS = {"tokenizer": make_tokenizer, "tiny": make_tiny, "heads": make_heads, "classify": make_classify}


def _special_ids(folder: Path) -> dict[str, int]:
    from tokenizers import Tokenizer

    t = Tokenizer.from_file(str(folder / "tokenizer.json"))
    return {"eos_token_id": t.token_to_id("<|im_end|>"), "pad_token_id": t.token_to_id("<|endoftext|>")}


if __name__ == "__main__":
    main()
