"""Seconds from the start of a process to the first token of an engine in it, phase by phase.

A cold start finds nothing: empty caches of compiled kernels, and a checkpoint that is not in the page cache.
A warm one finds what the one before it left. Python, torch and the operating system's own files stay cached
in both: only a restart of the machine would forget them.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from quire.engine.machine import process_age
from quire.errors import QuireError, RequestFailed

CACHES = ("TRITON_CACHE_DIR", "TORCHINDUCTOR_CACHE_DIR", "CUDA_CACHE_PATH", "TORCH_EXTENSIONS_DIR")
MARK = "quire-startup "
OTHER = "other"


@contextmanager
def empty_caches() -> Iterator[dict[str, str]]:
    """Folders for what is compiled, to be set in a process's environment."""
    with tempfile.TemporaryDirectory(prefix="quire-startup-") as folder:
        places = {name: Path(folder) / name.lower() for name in CACHES}
        for place in places.values():
            place.mkdir()
        yield {name: str(place) for name, place in places.items()}


def forget(folder: Path) -> int:
    """Drops a checkpoint's files from the page cache; returns their bytes, 0 where the system cannot."""
    if not hasattr(os, "posix_fadvise"):
        return 0
    total = 0
    for path in folder.rglob("*"):
        if path.is_file():
            with path.open("rb") as file:
                os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
                total += path.stat().st_size
    return total


def start(options: Mapping[str, Any], environment: Mapping[str, str]) -> dict[str, float]:
    """Starts an engine in a process of its own and returns the seconds of each phase."""
    began = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", "quire.tools.load.startup", json.dumps(dict(options))],
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,  # Ctrl-C is for this process, which ends the other
    )
    taken = time.perf_counter() - began
    told = [line for line in done.stdout.splitlines() if line.startswith(MARK)]
    if done.returncode or not told:
        raise RequestFailed(f"the engine did not start (exit code {done.returncode}); its log is above")
    phases: dict[str, float] = json.loads(told[-1].removeprefix(MARK))
    age = phases.pop("age")
    return {**phases, OTHER: max(0.0, min(age, taken) - sum(phases.values()))}


def averages(starts: Iterable[Mapping[str, float]]) -> dict[str, float]:
    """The mean of each phase over several starts."""
    all_of_them = list(starts)
    names = dict.fromkeys(name for one in all_of_them for name in one)
    return {name: sum(one.get(name, 0.0) for one in all_of_them) / len(all_of_them) for name in names}


def _child(options: dict[str, Any]) -> None:
    from quire import LLM, SamplingParams

    llm = LLM(**options)
    ready = time.perf_counter()
    params = SamplingParams(max_tokens=1, ignore_eos=True, detokenize=False)
    llm.generate([{"prompt_token_ids": [1, 2, 3, 4]}], params, use_tqdm=False)
    first = time.perf_counter() - ready
    phases = {**llm.engine.start_s, "first token": first, "age": process_age() or 0.0}
    sys.stdout.write(MARK + json.dumps(phases) + "\n")
    llm.close()


if __name__ == "__main__":
    try:
        _child(json.loads(sys.argv[1]))
    except QuireError as e:  # the user's to mend: a traceback would hide it
        sys.exit(f"error: {e}")
