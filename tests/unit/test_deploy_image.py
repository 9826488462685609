"""The images, as far as they can be tried without Docker.

What is copied exists, what is installed is declared, and the entry point serves, is healthy and stops as
process 1 of a container does.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tomllib
import zipfile
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

import pytest
from tests.examples import ROOT
from tests.serve.command import until

from quire.cli.serve import command
from quire.server.gate import OPEN
from quire.server.options import ServerConfig

KNOWN = {
    "ARG",
    "FROM",
    "WORKDIR",
    "COPY",
    "RUN",
    "ENV",
    "EXPOSE",
    "HEALTHCHECK",
    "STOPSIGNAL",
    "ENTRYPOINT",
    "USER",
}
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


@dataclass(frozen=True)
class Instruction:
    stage: str
    name: str
    value: str


def instructions() -> list[Instruction]:
    """The Dockerfile's instructions, each on one line, with the stage it belongs to."""
    lines = (ROOT / "Dockerfile").read_text(encoding="utf-8").splitlines()
    text = "\n".join(line for line in lines if not line.startswith("#")).replace("\\\n", "")
    stage, found = "", []
    for line in filter(None, map(str.strip, text.splitlines())):
        name, _, value = line.partition(" ")
        if name == "FROM":
            stage = value.rsplit(" ", 1)[1]
        found.append(Instruction(stage, name, re.sub(r"\s+", " ", value.strip())))
    return found


FILE = instructions()


def of(name: str, *stages: str) -> list[str]:
    return [i.value for i in FILE if i.name == name and i.stage in stages]


def ignored(path: str) -> bool:
    """Whether .dockerignore keeps this away from the builder: of the patterns that fit, the last decides."""
    out = False
    for line in (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines():
        pattern = line.strip().removeprefix("!")
        if not pattern or pattern.startswith("#"):
            continue
        parts = Path(path).parts
        above = ["/".join(parts[: n + 1]) for n in range(len(parts))]
        anywhere = pattern.removeprefix("**/")
        if any(fnmatch(p, pattern) for p in above) or (
            anywhere != pattern and any(fnmatch(part, anywhere) for part in parts)
        ):
            out = not line.startswith("!")
    return out


def test_every_instruction_is_one_that_docker_knows_and_every_stage_has_a_base():
    assert {i.name for i in FILE} <= KNOWN
    stages = [i.stage for i in FILE if i.name == "FROM"]
    assert stages == ["wheel", "base", "cuda", "cpu"]
    bases = [i.value.split()[0] for i in FILE if i.name == "FROM"]
    assert all(base == "python:${PYTHON}-slim" or base in stages for base in bases)


def test_what_is_copied_exists_and_reaches_the_builder():
    sources = [source for value in of("COPY", "wheel") for source in value.split()[:-1]]
    assert [s for s in sources if not (ROOT / s).exists() or ignored(s)] == []
    declared = PROJECT["project"]
    assert {declared["readme"], *declared["license-files"], "pyproject.toml", "src"} == set(sources)


def test_what_is_large_or_private_does_not_reach_the_builder():
    assert [
        p for p in (".git", ".venv", "tests", "build", "src/quire/__pycache__/a.pyc") if not ignored(p)
    ] == []


def test_the_images_install_what_is_declared():
    declared = PROJECT["project"]
    torch = next(d for d in declared["dependencies"] if d.startswith("torch"))
    for stage in ("cpu", "cuda"):
        installs = [value for value in of("RUN", stage) if "pip install" in value]
        assert f'"{torch}"' in installs[0]
        assert "/wheels/quire-*.whl" in installs[1]
    extra = re.search(r"\[(\w+)\]", of("RUN", "cuda")[-1])
    assert extra is not None and extra[1] in declared["optional-dependencies"]


def test_the_images_do_not_run_as_root():
    assert of("USER", "cpu") == of("USER", "cuda") == ["1000"]
    assert "--uid 1000 quire" in of("RUN", "base")[0]


def test_the_image_asks_for_health_where_the_server_answers():
    port = ServerConfig().port
    assert of("EXPOSE", "base") == [str(port)]
    found = re.search(r'"http://127\.0\.0\.1:(\d+)(/\w+)"', of("HEALTHCHECK", "base")[0])
    assert found is not None
    assert int(found[1]) == port and found[2].encode() in OPEN


def entry_point() -> list[str]:
    given = json.loads(of("ENTRYPOINT", "base")[0])
    assert given[:4] == ["tini", "--", "quire", "serve"]
    return given[2:]


def test_the_entry_point_takes_arguments_and_a_later_host_wins():
    context = command.make_context(
        "serve", [*entry_point()[2:], "MODEL", "--host", "10.0.0.1", "--port=9000"]
    )
    assert (context.params["host"], context.params["port"]) == ("10.0.0.1", 9000)


def _copy_small(source: str, target: str) -> None:
    """Copies a file; of weights only the beginning, as packing them takes long."""
    weights = source.endswith(".safetensors")
    Path(target).write_bytes(Path(source).read_bytes()[: 64 if weights else None])


@pytest.mark.slow
def test_the_wheel_is_made_from_what_is_copied_and_holds_the_models_inside(tmp_path: Path):
    source = tmp_path / "source"
    source.mkdir()
    for name in (name for value in of("COPY", "wheel") for name in value.split()[:-1]):
        if (ROOT / name).is_dir():
            unwanted = shutil.ignore_patterns("__pycache__", "*.egg-info")
            shutil.copytree(ROOT / name, source / name, ignore=unwanted, copy_function=_copy_small)
        else:
            shutil.copy(ROOT / name, source)
    line = shlex.split(of("RUN", "wheel")[0])
    line[line.index("/wheels")] = str(tmp_path / "wheels")
    assert line[:2] == ["pip", "wheel"]
    made = subprocess.run(
        [sys.executable, "-m", *line, "--no-build-isolation", "--no-index"],
        cwd=source,
        capture_output=True,
        text=True,
    )
    assert made.returncode == 0, made.stderr
    [wheel] = (tmp_path / "wheels").glob("quire-*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert {"quire/py.typed", "quire/deploy/ray_serve.py", "quire/embedded/quire-tiny/config.json"} <= set(
        names
    )


def _namespaces_are_allowed() -> bool:
    if shutil.which("unshare") is None:
        return False
    return (
        subprocess.run(["unshare", "--pid", "--fork", "--mount-proc", "true"], capture_output=True).returncode
        == 0
    )


@pytest.mark.slow
@pytest.mark.skipif(not _namespaces_are_allowed(), reason="this machine gives no PID namespaces (unshare)")
def test_as_process_1_it_serves_is_healthy_and_leaves_when_told(tmp_path: Path):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    health = json.loads(of("HEALTHCHECK", "base")[0].split(" CMD ")[1])
    health = [part.replace(f":{ServerConfig().port}/", f":{port}/") for part in health]
    if shutil.which(health[0]) is None:
        pytest.skip(f"{health[0]} is not on this machine")
    small = ["--port", port, "--kv-cache-memory-bytes", "64M", "--cpu-threads", "1"]
    line = [sys.executable, "-m", *entry_point(), *small]
    with (tmp_path / "log").open("w") as log:
        outside = subprocess.Popen(
            ["unshare", "--pid", "--fork", "--mount-proc", "--kill-child", *line],
            stdout=log,
            stderr=log,
            env={**os.environ, "XDG_RUNTIME_DIR": str(tmp_path)},
        )
    try:
        until(lambda: subprocess.run(health, capture_output=True).returncode == 0, 60, "healthy")
        children = Path(f"/proc/{outside.pid}/task/{outside.pid}/children").read_text().split()
        [first] = map(int, children)
        assert re.search(r"^NSpid:\s+\d+\s+1$", Path(f"/proc/{first}/status").read_text(), re.M)
        os.kill(first, signal.SIGTERM)
        assert outside.wait(30) == 0, (tmp_path / "log").read_text()
        assert list(tmp_path.glob("quire-*")) == []
    finally:
        outside.kill()
        outside.wait()
