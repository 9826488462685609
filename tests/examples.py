"""The examples in the documentation: fenced blocks whose language is `bash` or `python`.

Other blocks (`console`, `text`, `json`) are only shown. A block with a port such as 8000 needs a server
and is run by tests/serve/test_guide.py, any other by tests/unit/test_docs.py.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
REFERENCE = ROOT / "docs" / "reference"
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
RUNNABLE = [
    ROOT / "README.md",
    *sorted((ROOT / "docs" / "guides").glob("*.md")),
    REFERENCE / "sampling.md",
    REFERENCE / "pooling.md",
]
PORT = re.compile(r"(?:(?<=localhost:)|(?<=--port ))80\d\d\b")


@dataclass(frozen=True)
class Block:
    page: str
    line: int
    language: str
    code: str

    def __str__(self) -> str:
        return f"{self.page}:{self.line}"

    @property
    def needs_server(self) -> bool:
        return PORT.search(self.code) is not None


def blocks(page: Path) -> list[Block]:
    text = page.read_text(encoding="utf-8")
    return [
        Block(str(page.relative_to(ROOT)), text.count("\n", 0, m.start()) + 1, m["language"], m["code"])
        for m in re.finditer(r"^```(?P<language>\w*)\n(?P<code>.*?)^```$", text, re.M | re.S)
    ]


EXAMPLES = [b for page in RUNNABLE for b in blocks(page) if b.language in ("bash", "python")]


def run(
    language: str, code: str, folder: Path, environment: Mapping[str, str], timeout_s: float = 120
) -> subprocess.CompletedProcess[str]:
    """Runs a block in a process of its own; one that takes too long is ended with all it has started."""
    command = ["bash", "-euo", "pipefail", "-c"] if language == "bash" else [sys.executable, "-c"]
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    process = subprocess.Popen(
        [*command, code],
        cwd=folder,
        env={**os.environ, "PATH": path, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        out, err = process.communicate(timeout=timeout_s)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        out, err = process.communicate()
        err += f"\nnot done within {timeout_s:g} seconds"
    return subprocess.CompletedProcess(process.args, process.returncode, out, err)
