"""The pages tell the truth: generated ones are up to date, links lead somewhere, examples run.

A fenced block whose language is `bash` or `python` is run as it stands, in an empty folder, with a
small random checkpoint in the place of MODEL. `console` and `text` blocks are only shown.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
GENERATED = ROOT / "docs" / "reference"
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
RUNNABLE = [
    ROOT / "README.md",
    *sorted((ROOT / "docs" / "guides").glob("*.md")),
    GENERATED / "sampling.md",
    GENERATED / "pooling.md",
]


@dataclass(frozen=True)
class Block:
    page: str
    line: int
    language: str
    code: str

    def __str__(self) -> str:
        return f"{self.page}:{self.line}"


def blocks(page: Path) -> list[Block]:
    text = page.read_text(encoding="utf-8")
    return [
        Block(str(page.relative_to(ROOT)), text.count("\n", 0, m.start()) + 1, m["language"], m["code"])
        for m in re.finditer(r"^```(?P<language>\w*)\n(?P<code>.*?)^```$", text, re.M | re.S)
    ]


EXAMPLES = [b for page in RUNNABLE for b in blocks(page) if b.language in ("bash", "python")]


def run(block: Block, model: Path, folder: Path) -> subprocess.CompletedProcess[str]:
    code = re.sub(r"\bMODEL\b", str(model), block.code)
    command = ["bash", "-euo", "pipefail", "-c"] if block.language == "bash" else [sys.executable, "-c"]
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "QUIRE_CPU_KVCACHE_SPACE": "0.1"}
    return subprocess.run([*command, code], cwd=folder, env=environment, capture_output=True, text=True)


def test_the_reference_is_up_to_date():
    script = ROOT / "scripts" / "generate_docs.py"
    done = subprocess.run([sys.executable, script, "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_links_within_the_repository_lead_somewhere(page: Path):
    links = re.findall(r"\]\((?!https?:|#)([^)#]+)", page.read_text(encoding="utf-8"))
    assert [link for link in links if not (page.parent / link).exists()] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_every_block_says_its_language(page: Path):
    known = {"bash", "python", "console", "text", "json"}
    assert [str(b) for b in blocks(page) if b.language not in known] == []


def test_the_readme_and_the_guides_have_examples_to_run():
    assert {b.page for b in EXAMPLES} >= {"README.md", "docs/guides/offline.md"}


@pytest.mark.slow
@pytest.mark.parametrize("block", EXAMPLES, ids=str)
def test_an_example_runs_as_it_stands(block: Block, checkpoint: Path, tmp_path: Path):
    done = run(block, checkpoint, tmp_path)
    assert done.returncode == 0, done.stderr[-2000:]
