"""What a result says was asked, and what became of it: whether two of them are of the same load.

Read from Quire's files and vLLM's, older ones as well; what a file does not say is not held against it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from quire.tools.load.measures import PROMISED

GOODPUT = "request_goodput"
UNLIKE = 0.05  # by which mean lengths of two loads differ that are not the same


def _plain(value: Any) -> str:
    return (
        str(float(value)) if isinstance(value, (int, float)) and not isinstance(value, bool) else str(value)
    )


def _count(value: Any) -> str:
    return f"{value:,g}" if isinstance(value, (int, float)) else str(value)


# what a key of the JSON is called, and how its value is
FACTS: dict[str, tuple[str, Callable[[Any], str]]] = {
    "benchmark": ("what was run", str),
    "measured": ("what was measured", str),
    "model_id": ("the model", str),
    "model": ("the model", str),
    "backend": ("the route", lambda name: {"vllm": "openai"}.get(name, str(name))),
    "workload": ("the workload", str),
    "num_prompts": ("the number of prompts", _count),
    "max_concurrency": ("requests open at a time", lambda n: "not limited" if n is None else _count(n)),
    "request_rate": ("requests a second", _plain),
    "burstiness": ("--burstiness", _plain),
    "request": ("fields of a request", str),
}
IN_WORKLOAD = ("request_rate", "burstiness")  # which says more, where both sides have it


@dataclass(frozen=True, slots=True)
class Asked:
    """Of the files of one side. Several values of a fact are those of several files."""

    facts: Mapping[str, Sequence[str]] = field(default_factory=dict)  # by the key of the JSON
    promises: Sequence[str] = ()  # such as "ttft:100 tpot:50"; "" where a file does not say
    sent: int = 0
    failed: int = 0
    lengths: tuple[float, float] | None = None  # tokens of a prompt and an answer, on average

    @property
    def failing(self) -> float | None:
        """The share of requests that failed; None where a file does not tell of requests."""
        return self.failed / self.sent if self.sent else None


def asked_of(found: Sequence[Mapping[str, Any]]) -> Asked:
    """From the files of one side."""
    shared = [key for key in FACTS if all(key in one for one in found)]
    facts = {key: list(dict.fromkeys(FACTS[key][1](one[key]) for one in found)) for key in shared}
    counted = [one for one in found if GOODPUT in one]
    promises = list(dict.fromkeys(_promises(one.get("promises_ms")) for one in counted))
    runs = [(run, one) for one in found for run in _runs(one)]
    ends = [_ends(run, one) for run, one in runs]
    sent, failed = sum(done + lost for done, lost in ends), sum(lost for _, lost in ends)
    tokens = [[_number(run.get(f"total_{end}_tokens")) for run, _ in runs] for end in ("input", "output")]
    lengths = None
    if sent > failed and all(all(counts) for counts in tokens):
        lengths = (sum(tokens[0]) / (sent - failed), sum(tokens[1]) / (sent - failed))
    return Asked(facts, promises, sent, failed, lengths)


def more_fail(a: Asked, b: Asked) -> bool:
    """Whether a larger share of requests failed in `b`."""
    return a.failing is not None and b.failing is not None and b.failing > a.failing


def comparable(a: Asked, b: Asked) -> bool:
    """Whether goodput is of the same promises, as far as is known."""
    return len({said for said in (*a.promises, *b.promises) if said}) < 2


def differences(a: Asked, b: Asked) -> Iterator[str]:
    """What a reader of both must know, a line each."""
    for key in FACTS:
        if key not in a.facts or key not in b.facts or a.facts[key] == b.facts[key]:
            continue
        if key not in IN_WORKLOAD or "workload" not in a.facts or "workload" not in b.facts:
            yield _differ(FACTS[key][0], " and ".join(a.facts[key]), " and ".join(b.facts[key]))
    if a.lengths and b.lengths and not a.failed and not b.failed:
        for what, one, other in zip(("a prompt", "an answer"), a.lengths, b.lengths, strict=True):
            if abs(one - other) > UNLIKE * max(one, other):
                yield _differ(f"tokens of {what}, on average", f"{one:,.1f}", f"{other:,.1f}")
    yield from _unlike_promises(a, b)


def _differ(what: str, one: str, other: str) -> str:
    return f"the loads differ in {what}: {one} in A, {other} in B"


def _unlike_promises(a: Asked, b: Asked) -> Iterator[str]:
    if not a.promises and not b.promises:
        return
    for side, one, other in (("A", a, b), ("B", b, a)):
        if not other.promises:
            said = " or ".join(filter(None, one.promises)) or "its promises are not known"
            yield f"only {side} counts goodput ({said})"
            return
    if not comparable(a, b):
        each = (" or ".join(filter(None, side.promises)) for side in (a, b))
        yield "goodput is not compared: A promises {}, B {}".format(*each)
    unknown = [side for side, one in (("A", a), ("B", b)) if "" in one.promises]
    if unknown:
        yield f"what goodput promises is not known of {' and '.join(unknown)}; it may not be the same"


def _promises(told: Any) -> str:
    """Empty where a file does not say."""
    if not isinstance(told, dict):
        return ""
    return " ".join(f"{name}:{_short(told[name])}" for name in PROMISED if name in told)


def _short(limit: Any) -> str:
    return f"{limit:g}" if isinstance(limit, (int, float)) else str(limit)


def _runs(told: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    runs = told.get("runs")
    return [run for run in runs if isinstance(run, dict)] if isinstance(runs, list) and runs else [told]


def _ends(run: Mapping[str, Any], told: Mapping[str, Any]) -> tuple[int, int]:
    """Requests that were answered, and that failed; where nobody says so, those that were not answered."""
    done = _number(run.get("completed"))
    if "completed" not in run:
        sent, failed = _number(run.get("sent")), _number(run.get("failed"))
        return max(0, sent - failed), failed
    if "failed" in run:
        return done, _number(run["failed"])
    return done, max(0, _number(told.get("num_prompts")) - done)


def _number(value: Any) -> int:
    """0 for what is no number of things."""
    fits = isinstance(value, (int, float)) and not isinstance(value, bool) and 0 < value < 1e15
    return round(value) if fits else 0
