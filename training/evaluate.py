"""What the embedded models reach on held-out templates and words, run through Quire itself.

`python -m training.evaluate` prints a table and writes it as JSON; `--wrong` shows answers that miss.
"""

from __future__ import annotations

import argparse
import functools
import json
import re
import sys
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import quire.embedded
from training.chat import spoken
from training.conversation import Conversation, Split
from training.data import MODULES
from training.tasks import engine, extraction, tools

CALL = re.compile(r"<tool_call>\s*(\{.*?\})\s*</tool_call>", re.S)
MOST = 200  # tokens of an answer

CARD = Path(quire.embedded.__file__).with_name("README.md")
RESULTS = Path(__file__).with_name("results.json")
_MARK, _END_MARK = "<!-- evaluation -->", "<!-- /evaluation -->"

# what must be reached: (row of the table, least share)
AIMS = {
    "arithmetic": 0.95,
    "conversions": 0.90,
    "lists": 0.90,
    "extraction": 0.95,
    "tools.choice": 0.95,
    "tools.arguments": 0.90,
    "tools.none": 0.90,
    "engine": 0.90,
    "unknown": 0.85,
    "classify.sentiment": 0.95,
    "classify.injection": 0.95,
    "draft.first": 0.60,
    "medusa.first": 0.60,
    "eagle.first": 0.60,
}


def cases(count: int, seed: int) -> list[tuple[Split, Conversation]]:
    """`count` held-out conversations of each task; of some, a third as many in strangers' words besides."""
    found: list[tuple[Split, Conversation]] = []
    for module in MODULES:
        rng = Random(f"{seed}/{module.__name__}")
        found += [("held_out", module.conversation(rng, "held_out")) for _ in range(count)]
        if module in (extraction, tools):
            found += [("strangers", module.conversation(rng, "strangers")) for _ in range(count // 3)]
    return found


def marks(case: Conversation, said: str) -> dict[str, bool]:
    """Row of the table → whether the answer counts as right there."""
    wanted = spoken(case.messages[-1])
    match case.kind:
        case "tools.call" | "tools.parallel":
            found, right = _calls(said), _calls(wanted)
            names = [c.get("name") for c in found] == [c.get("name") for c in right]
            row = "tools.choice" if case.kind == "tools.call" else "tools.parallel"
            marked = {row: names}
            return marked | ({"tools.arguments": found == right} if case.kind == "tools.call" else {})
        case "tools.none":
            return {"tools.none": "<tool_call>" not in said, "tools.none.exact": said == wanted}
        case "extraction":
            return {"extraction": _json(said) == _json(wanted), "extraction.valid": _json(said) is not None}
        case "engine":
            right = nearest_family(said) == nearest_family(wanted)
            first = {"engine.first_written": right} if _was_first(case.messages[-2]["content"]) else {}
            return {"engine": right, "engine.exact": said == wanted} | first
        case "unknown":
            return {"unknown": said.startswith("I don't know"), "unknown.exact": said == wanted}
        case kind:
            return {kind: said == wanted}


def _calls(text: str) -> list[dict[str, Any]]:
    return [c for c in map(_json, CALL.findall(text)) if isinstance(c, dict)]


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None


@functools.cache
def _bags() -> list[tuple[str, frozenset[str]]]:
    return [(f.key, frozenset(f.answer.lower().split())) for f in engine.families()]


@functools.cache
def _first_written() -> frozenset[str]:
    from training.content import engine_memory, engine_quire, engine_scale

    families = (*engine_memory.FAMILIES, *engine_scale.FAMILIES, *engine_quire.FAMILIES)
    return frozenset(q for f in families for q in f.held_out)


def _was_first(question: str) -> bool:
    """Whether a phrasing was there before the families were widened after a look at a model's mistakes."""
    return question in _first_written()


def nearest_family(text: str) -> str | None:
    """The family whose answer shares most words with the text; None if that is less than half."""
    words = frozenset(text.lower().split())
    score, key = max((len(words & bag) / len(words | bag), key) for key, bag in _bags())
    return key if score >= 0.5 else None


def evaluate_chat(
    model: str, count: int, seed: int, wrong: Callable[[Conversation, str], None], **options: Any
) -> tuple[dict[str, tuple[int, int]], list[tuple[list[int], list[int]]]]:
    """Right and all per row, and (prompt, answer) in tokens of all cases; copying is only an exercise."""
    from quire import LLM, SamplingParams

    llm = LLM(model, **options)
    tokenizer = llm.get_tokenizer()
    asked = cases(count, seed)
    prompts = [
        tokenizer.apply_chat_template(
            c.messages[:-1], tools=c.tools, tokenize=False, add_generation_prompt=True
        )
        for _, c in asked
    ]
    params = SamplingParams(temperature=0, max_tokens=MOST)
    outputs = llm.generate([{"prompt": p} for p in prompts], params, use_tqdm=True)
    score: dict[str, list[bool]] = defaultdict(list)
    for (split, case), output in zip(asked, outputs, strict=True):
        said = output.outputs[0].text
        marked = marks(case, said)
        for row, right in marked.items():
            score[row if split == "held_out" else f"{row}.{split}"].append(right)
        if not all(marked.values()):
            wrong(case, said)
    for row, rights in _with_grammar(llm, prompts, asked).items():
        score[row] += rights
    pairs = [
        (o.prompt_token_ids, o.outputs[0].token_ids)
        for (_, case), o in zip(asked, outputs, strict=True)
        if case.kind != "copying"
    ]
    return {row: (sum(r), len(r)) for row, r in score.items()}, pairs


def _with_grammar(
    llm: Any, prompts: list[Any], asked: list[tuple[Split, Conversation]]
) -> dict[str, list[bool]]:
    """The extraction cases once more, held to a JSON schema that their right answers follow."""
    from quire import SamplingParams, StructuredOutputsParams

    chosen = [i for i, (split, c) in enumerate(asked) if c.kind == "extraction" and split == "held_out"]
    wanted = [_json(spoken(asked[i][1].messages[-1])) for i in chosen]
    params = [
        SamplingParams(
            temperature=0, max_tokens=MOST, structured_outputs=StructuredOutputsParams(json=schema_of(w))
        )
        for w in wanted
    ]
    outputs = llm.generate([{"prompt": prompts[i]} for i in chosen], params, use_tqdm=False)
    said = [_json(o.outputs[0].text) for o in outputs]
    return {
        "extraction.grammar": [s == w for s, w in zip(said, wanted, strict=True)],
        "extraction.grammar.valid": [follows(s, schema_of(w)) for s, w in zip(said, wanted, strict=True)],
    }


def schema_of(value: Any) -> dict[str, Any]:
    """A JSON schema that a value follows; null stands for anything plain."""
    if isinstance(value, dict):
        properties = {k: schema_of(v) for k, v in value.items()}
        fixed = {"required": list(value), "additionalProperties": False}
        return {"type": "object", "properties": properties, **fixed}
    if isinstance(value, list):
        return {"type": "array", "items": schema_of(value[0]), "minItems": 1, "maxItems": 5}
    if value is None:
        return {"type": ["null", "string", "number"]}
    return {"type": "string" if isinstance(value, str) else "number"}


def follows(value: Any, schema: dict[str, Any]) -> bool:
    """Whether a value follows a schema made by `schema_of`."""
    kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    if kinds == ["object"]:
        properties = schema["properties"]
        same = isinstance(value, dict) and set(value) == set(properties)
        return same and all(follows(value[k], s) for k, s in properties.items())
    if kinds == ["array"]:
        return isinstance(value, list) and bool(value) and all(follows(v, schema["items"]) for v in value)
    number = isinstance(value, int | float) and not isinstance(value, bool)
    found = "null" if value is None else "string" if isinstance(value, str) else "number" if number else ""
    return found in kinds


def evaluate_classify(
    model: str, held_out: int, wrong: Callable[[str, str], None], **options: Any
) -> dict[str, tuple[int, int]]:
    """Held-out and strangers' texts: the right label is the likeliest of four. Pairs: who is nearest."""
    from quire import LLM
    from training.classify_data import LABELS, example
    from training.content import classify_held_out as strangers

    llm = LLM(model, **options)
    rows: dict[str, tuple[int, int]] = {}
    rng = Random("classify")
    made = [example(rng, "held_out") for _ in range(2 * held_out)]
    kept = {name: [t for t, n in made if n == i] for i, name in enumerate(LABELS)}
    others = {name: getattr(strangers, name) for name in LABELS}
    for row, labels in (
        ("classify.sentiment", {n: kept[n] for n in ("POSITIVE", "NEGATIVE")}),
        ("classify.injection", {n: kept[n] for n in ("BENIGN", "JAILBREAK")}),
        ("classify.sentiment.strangers", {n: others[n] for n in ("POSITIVE", "NEGATIVE")}),
        ("classify.injection.strangers", {n: others[n] for n in ("BENIGN", "JAILBREAK")}),
    ):
        right = total = 0
        for label, texts in labels.items():
            for text, output in zip(texts, llm.classify(texts, use_tqdm=False), strict=True):
                total += 1
                right += output.outputs.label == label
                if output.outputs.label != label:
                    wrong(text, f"{output.outputs.label} instead of {label}")
        rows[row] = (right, total)
    rows["embed.nearest"] = _neighbours(llm, strangers.PAIRS)
    return rows


def _neighbours(llm: Any, groups: list[tuple[str, ...]]) -> tuple[int, int]:
    """Of all held-out sentences, how many have one of their own meaning as the nearest other."""
    import numpy as np

    texts = [t for group in groups for t in group]
    owner = np.array([n for n, group in enumerate(groups) for _ in group])
    vectors = np.array([o.outputs.embedding for o in llm.embed(texts, use_tqdm=False)])
    alike = vectors @ vectors.T
    np.fill_diagonal(alike, -np.inf)
    return int((owner[alike.argmax(1)] == owner).sum()), len(texts)


def main() -> None:
    p = argparse.ArgumentParser(prog="python -m training.evaluate", description=__doc__)
    p.add_argument("--models", type=Path, help="folder with the checkpoints; default: the embedded ones")
    p.add_argument("--count", type=int, default=300, help="held-out conversations of each task")
    p.add_argument("--seed", type=int, default=0)
    p.add_argument("--wrong", type=Path, help="write answers that miss into this file")
    p.add_argument("--json", type=Path, help="write the table into this file")
    p.add_argument("--card", action="store_true", help="write the table into the model card, too")
    p.add_argument(
        "--only", choices=("chat", "classify", "drafts"), nargs="+", default=("chat", "classify", "drafts")
    )
    args = p.parse_args()
    if args.models is None:
        args.models = CARD.parent
    elif args.card:
        p.error("the card speaks of the embedded models; leave --models or --card out")
    missed: list[str] = []
    table: dict[str, float] = {}
    pairs: list[tuple[list[int], list[int]]] = []
    if "chat" in args.only or "drafts" in args.only:
        rows, pairs = evaluate_chat(
            str(args.models / "quire-tiny"),
            args.count,
            args.seed,
            lambda c, said: missed.append(_told(c, said)),
        )
        _show(rows, table)
    if args.wrong:
        args.wrong.write_text("\n".join(missed))
    if "classify" in args.only:
        rows = evaluate_classify(
            str(args.models / "quire-tiny-classify"),
            args.count,
            lambda text, said: missed.append(f"[classify] {text}\n  {said}\n"),
        )
        _show(rows, table)
    if "drafts" in args.only:
        from training.acceptance import measure

        some = Random(args.seed).sample(pairs, min(len(pairs), 600))
        for name, rates in measure(args.models, some).items():
            table |= {f"{name}.{which}": rate for which, rate in rates.items()}
        for row in [r for r in table if r.endswith((".first", ".all"))]:
            _line(row, table[row], "")
    if args.wrong:
        args.wrong.write_text("\n".join(missed))
    if args.json:
        args.json.write_text(json.dumps({k: round(v, 4) for k, v in table.items()}, indent=2) + "\n")
    if args.card:
        write_card(table)
    below = [row for row, aim in AIMS.items() if row in table and table[row] < aim]
    print("below the aim: " + (", ".join(below) or "nothing"))
    sys.exit(bool(below))


def write_card(table: dict[str, float]) -> None:
    """Puts the table between the marks in the model card, and beside it as JSON."""
    known = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    table = known | {row: round(share, 4) for row, share in table.items()}
    RESULTS.write_text(json.dumps(table, indent=2) + "\n")
    before, _, rest = CARD.read_text().partition(_MARK)
    after = rest.partition(_END_MARK)[2]
    CARD.write_text(f"{before}{_MARK}\n{card_table(table)}{_END_MARK}{after}")


def card_table(table: dict[str, float]) -> str:
    lines = ["| | reached | aim |", "|---|---|---|"]
    for row, share in sorted(table.items()):
        aim = f"{AIMS[row]:.0%}" if row in AIMS else ""
        lines.append(f"| {row.replace('.', ' ')} | {share:.1%} | {aim} |")
    return "\n".join(lines) + "\n"


def _show(rows: dict[str, tuple[int, int]], table: dict[str, float]) -> None:
    for row, (right, total) in sorted(rows.items()):
        if not total:  # so few were asked for that none was of this kind
            continue
        table[row] = right / total
        _line(row, table[row], f"{right}/{total}")


def _line(row: str, share: float, counts: str) -> None:
    aim = f"aim {AIMS[row]:.0%}" if row in AIMS else ""
    print(f"{row:<22} {share:7.1%}  {counts:>9}  {aim}")


def _told(case: Conversation, said: str) -> str:
    asked = "\n".join(f"  {m['role']}: {spoken(m)}" for m in case.messages[-4:-1])
    return f"[{case.kind}]\n{asked}\n  wanted: {spoken(case.messages[-1])}\n  said:   {said}\n"


if __name__ == "__main__":
    main()
