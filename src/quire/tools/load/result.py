"""A run's result as one JSON object: what was asked, the figures, how noisy they are. Keys are vLLM's."""

from __future__ import annotations

import json
import math
import os
import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np

from quire.errors import BadOption
from quire.tools.load.drive import Record
from quire.tools.load.files import check_file, unwritable, written
from quire.tools.load.measures import client_figures, client_warnings, figures, held_figures
from quire.tools.load.noise import between, within
from quire.tools.load.peer import Run

OWN = (
    "date", "completed", "failed", "duration", "client", "warnings", "noise", "noise_from", "runs", "errors",
    "promises_ms",
)  # fmt: skip
LONGEST = 80  # bytes of a label or letters of a model in the name of a file


def result_of(
    runs: Sequence[Run],
    given: Mapping[str, Any],
    metrics: Sequence[str],
    percentiles: Sequence[float],
    promises: Mapping[str, float],
) -> dict[str, Any]:
    """`given` is what was asked for; figures are the means over the runs."""
    each = [figures(run.records, metrics, percentiles, promises) for run in runs]
    if len(each) == 1:
        told: dict[str, Any] = dict(each[0])
        noise, source = within(runs[0].records, metrics, percentiles, promises), "within one run"
    else:
        shared = [key for key in each[0] if all(key in one for one in each)]
        told = {key: float(np.mean([one[key] for one in each])) for key in shared}
        noise, source = between(each), f"between {len(each)} runs"
    rate = given.get("request_rate")
    every = [record for run in runs for record in run.records]
    client = client_figures(runs[-1].lag) | held_figures(every)
    return {
        "date": datetime.now().strftime("%Y%m%d-%H%M%S"),
        **given,
        "request_rate": "inf" if rate == math.inf else rate,
        "promises_ms": dict(promises),
        **told,
        "client": client,
        "warnings": client_warnings(client, told, given.get("max_concurrency")),
        "noise": noise,
        "noise_from": source,
        **({"runs": each} if len(each) > 1 else {}),
        "errors": problems(every),
    }


def detail(records: Sequence[Record]) -> dict[str, Any]:
    """Each request, in the order of the workload; seconds. None: the client read too late to know."""
    return {
        "input_lens": [r.prompt_tokens for r in records],
        "output_lens": [r.output_tokens for r in records],
        "start_times": [r.sent_s for r in records],
        "ttfts": [_first_s(r) for r in records],
        "itls": [r.gaps_s for r in records],
        "e2els": [r.latency_s if r.ok else 0.0 for r in records],
        "held_back": [r.held_s for r in records],
        "request_errors": [r.error for r in records],
    }


def _first_s(record: Record) -> float | None:
    if not record.ok:
        return 0.0
    return None if record.unseen else record.ttft_s


def check(folder: str | None, name: str | None, label: str | None = None) -> None:
    """Raises if a result of this name, or one with this label, could not be kept. Makes its folder."""
    if name is None and label and ("/" in label or os.sep in label or len(os.fsencode(label)) > LONGEST):
        raise BadOption(
            f"--label is {label!r} and begins the name of the result, where there is no room for / or more "
            f"than {LONGEST} bytes; shorten it, or say --result-filename"
        )
    path = Path(folder or ".") / (name or "a name that is not known yet")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as e:
        raise unwritable(path if name else path.parent, e) from e
    check_file(path, "--result-filename")


def save(result: Mapping[str, Any], folder: str | None, name: str | None) -> Path:
    """Writes it and returns where; without a name, one that says what it is and when it was."""
    path = Path(folder or ".") / (name or _named(result))
    with written(path) as aside:
        aside.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    return path


def _named(result: Mapping[str, Any]) -> str:
    """After what it is and when it was."""
    rate = result.get("request_rate")
    begin = result.get("label") or result.get("backend")
    many = f"-concurrency{result['max_concurrency']}" if result.get("max_concurrency") else ""
    model = str(result.get("model_id", "")).rstrip("/").rpartition("/")[2]
    model = re.sub(r"[^A-Za-z0-9_.+-]+", "_", model)[:LONGEST]
    pace = rate if rate == "trace" else f"{rate}qps"
    return f"{begin}-{pace}{many}-{model}-{result['date']}.json"


def problems(records: Sequence[Record]) -> dict[str, int]:
    """What went wrong, and how often."""
    out: dict[str, int] = {}
    for record in records:
        if record.error:
            out[record.error] = out.get(record.error, 0) + 1
    return dict(sorted(out.items(), key=lambda item: -item[1])[:20])
