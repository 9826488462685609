"""Python, torch, the driver and the packages: whether they are there, and whether they fit each other."""

from __future__ import annotations

import json
import os
import platform
import re
import shutil
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import metadata
from pathlib import Path
from typing import Any

import quire
from quire.tools.doctor.ask import Answer, ask
from quire.tools.doctor.findings import Area, Finding

AREA = Area("software")
TORCH_LIMIT_S = 120.0
SERVER = frozenset(
    ("fastapi", "uvicorn", "uvloop", "httptools", "python-multipart", "pyzmq", "msgspec", "prometheus-client")
)
EXTRAS = {
    "ray": "engines on several machines",
    "xgrammar": "another backend for structured outputs",
    "outlines-core": "another backend for structured outputs",
    "opentelemetry-sdk": "traces",
    "matplotlib": "plots of benchmarks",
    "transformers": "exotic tokenizers",
}
Versions = Mapping[str, str]


def software(torch: Answer) -> Iterator[Finding]:
    """`torch` is what `ask_torch` answered."""
    yield AREA.ok("quire", f"{quire.__version__}, {Path(quire.__file__).parent}", version=quire.__version__)
    yield _python()
    yield from _torch(torch)
    yield from packages(requirements(), _installed())
    yield from _compiler()


def ask_torch(limit_s: float = TORCH_LIMIT_S) -> Answer:
    """The answer of torch_facts.py: JSON, or why there is none."""
    return ask_apart(["torch_facts"], limit_s)


def ask_apart(words: Sequence[str], limit_s: float = TORCH_LIMIT_S) -> Answer:
    """What one of the doctor's modules says in a process of its own; the words after its name are its own."""
    source = str(Path(quire.__file__).parents[1])
    path = os.pathsep.join(filter(None, (source, os.environ.get("PYTHONPATH"))))
    command = [sys.executable, "-P", "-m", f"quire.tools.doctor.{words[0]}", *words[1:]]
    return ask(command, limit_s, {**os.environ, "PYTHONPATH": path})


def torch_facts(answer: Answer) -> dict[str, Any]:
    """Empty if torch did not answer; libraries may have printed something before it did."""
    if not answer.came:
        return {}
    found: dict[str, Any] = json.loads(answer.text[answer.text.index("{") :])
    return found


def _python() -> Finding:
    said = f"{platform.python_version()} ({platform.python_implementation()}), {platform.platform()}"
    return AREA.ok("python", said)


def _torch(answer: Answer) -> Iterator[Finding]:
    if not answer.came:
        yield AREA.problem(
            "torch", answer.failed, "no model can run", "install torch: pip install 'torch>=2.11,<2.14'"
        )
        return
    facts = torch_facts(answer)
    build = f"CUDA {facts['cuda']}" if facts["cuda"] else "for CPUs only"
    parts = [facts["version"], build, f"cuDNN {facts['cudnn']}" if facts["cudnn"] else ""]
    parts += [f"NCCL {facts['nccl']}" if facts["nccl"] else "", f"CPU kernels {facts['cpu_capability']}"]
    yield AREA.ok("torch", ", ".join(filter(None, parts)), **facts)
    if facts["cuda"] and facts["nccl"] is None:
        yield AREA.warning(
            "nccl",
            "this torch is built for CUDA without NCCL",
            "GPUs cannot add up their shares of a layer",
            "use one GPU, or a torch from pytorch.org",
        )
    if not facts["gloo"]:
        yield AREA.warning(
            "gloo",
            "this torch has no gloo",
            "a model cannot be shared out over processes",
            "use another build",
        )


def requirements() -> list[str]:
    """What Quire asks of packages: by pyproject.toml where it runs from source, else by its metadata."""
    project = Path(quire.__file__).parents[2] / "pyproject.toml"
    if project.is_file():
        found = tomllib.loads(project.read_text(encoding="utf-8")).get("project", {})
        if found.get("name") == "quire":
            return list(found["dependencies"])
    try:
        return [line for line in metadata.requires("quire") or () if "extra ==" not in line]
    except metadata.PackageNotFoundError:
        return []


def _installed() -> dict[str, str]:
    names = [*EXTRAS, *(split(line)[0] for line in requirements())]
    out = {}
    for name in names:
        try:
            out[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return out


def split(line: str) -> tuple[str, list[tuple[str, str]]]:
    """Name and bounds of a requirement: ("torch", [(">=", "2.11"), ("<", "2.14")]).

    One that is for other systems has no name here.
    """
    asked, _, marker = line.partition(";")
    if "win32" in marker and "!=" in marker and sys.platform == "win32":
        return "", []
    found = re.match(r"\s*([\w.-]+)", asked)
    bounds = re.findall(r"(>=|<=|==|!=|<|>)\s*([\w.]+)", asked)
    return (found[1] if found else ""), bounds


def packages(asked: Iterable[str], installed: Versions) -> Iterator[Finding]:
    """One finding for all that fit, and one for each that does not."""
    fine, absent = [], []
    for line in asked:
        name, bounds = split(line)
        if not name:
            continue
        if name not in installed:
            absent.append(name)
        elif wrong := [f"{op}{bound}" for op, bound in bounds if not _holds(installed[name], op, bound)]:
            yield AREA.warning(
                name,
                f"{installed[name]} is installed",
                f"Quire is tested with {','.join(wrong)}",
                f"pip install '{line.partition(';')[0].strip()}'",
            )
        else:
            fine.append(f"{name} {installed[name]}")
    if fine:
        yield AREA.ok("packages", ", ".join(fine))
    yield from _absent(absent)
    extras = {name: why for name, why in EXTRAS.items() if name not in installed}
    if extras:
        said = ", ".join(f"{name} ({why})" for name, why in extras.items())
        yield AREA.note(
            "extras", f"not installed: {said}", "nothing else needs them", "", absent=list(extras)
        )


def _absent(names: list[str]) -> Iterator[Finding]:
    server = sorted(set(names) & SERVER)
    others = sorted(set(names) - SERVER - {"torch"})
    if server:
        yield AREA.warning(
            "server packages",
            f"not installed: {', '.join(server)}",
            "`quire serve` cannot start; LLM, `quire run`, plan and bench can",
            f"pip install {' '.join(server)}",
            absent=server,
        )
    if others:
        yield AREA.problem(
            "packages",
            f"not installed: {', '.join(others)}",
            "some models or commands cannot run",
            f"pip install {' '.join(others)}",
            absent=others,
        )


def _holds(version: str, op: str, bound: str) -> bool:
    have, want = _numbers(version), _numbers(bound)
    width = max(len(have), len(want))
    have, want = (v + [0] * (width - len(v)) for v in (have, want))
    return {
        ">=": have >= want,
        "<=": have <= want,
        "==": have == want,
        "!=": have != want,
        "<": have < want,
        ">": have > want,
    }[op]


def _numbers(version: str) -> list[int]:
    plain = re.match(r"\d+(?:\.\d+)*", version)
    return [int(part) for part in plain[0].split(".")] if plain else [0]


def _compiler() -> Iterator[Finding]:
    named = os.environ.get("CC")
    found = (
        shutil.which(named) if named else next(filter(None, map(shutil.which, ("cc", "gcc", "clang"))), None)
    )
    if found is None:
        yield AREA.note(
            "C compiler",
            f"{named or 'cc, gcc and clang'}: none is here",
            "Triton builds its launchers with one: needed on GPUs, not on CPUs",
            "install gcc, or set CC",
        )
    else:
        yield AREA.ok("C compiler", found)
