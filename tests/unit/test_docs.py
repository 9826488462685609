"""The pages tell the truth: generated ones are up to date, links lead somewhere, flags exist, examples run.

An example is run as it stands, in an empty folder, with a small random checkpoint in the place of MODEL.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import click
import pytest
from tests.examples import EXAMPLES, PAGES, ROOT, Block, blocks, run

from quire.cli import quire

SHOWN = re.compile(r"^```.*?^```$", re.M | re.S)
SPAN = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
FLAG = re.compile(r"(?<!\S)--[a-z0-9-]+(?![a-z0-9…-])")


def test_the_reference_is_up_to_date():
    script = ROOT / "scripts" / "generate_docs.py"
    done = subprocess.run([sys.executable, script, "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_links_within_the_repository_lead_somewhere(page: Path):
    links = re.findall(r"\]\((?!https?:|#)([^)#]+)", page.read_text(encoding="utf-8"))
    assert [link for link in links if not (page.parent / link).exists()] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_links_within_a_page_lead_to_a_heading(page: Path):
    text = page.read_text(encoding="utf-8")
    headings = re.findall(r"^#+ (.+)$", SHOWN.sub("", text), re.M)
    anchors = {re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in headings}
    assert [link for link in re.findall(r"\]\(#([^)]+)\)", text) if link not in anchors] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_every_block_says_its_language(page: Path):
    known = {"bash", "python", "console", "text", "json"}
    assert [str(b) for b in blocks(page) if b.language not in known] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_every_flag_that_is_named_exists(page: Path):
    params = [param for command in _commands(quire) for param in command.get_params(click.Context(command))]
    known = {flag for param in params for flag in (*param.opts, *param.secondary_opts)}
    text = SHOWN.sub("", page.read_text(encoding="utf-8"))
    named = [flag for span in SPAN.findall(text) for flag in FLAG.findall(span)]
    assert [flag for flag in named if flag not in known] == []


def _commands(command: click.Command) -> list[click.Command]:
    if not isinstance(command, click.Group):
        return [command]
    context = click.Context(command)
    below = (command.get_command(context, name) for name in command.list_commands(context))
    return [command, *(found for one in below if one is not None for found in _commands(one))]


def test_the_readme_and_the_guides_have_examples_to_run():
    assert {b.page for b in EXAMPLES} >= {"README.md", "docs/guides/offline.md", "docs/guides/serving.md"}


def _examples() -> list[Any]:
    """All of the README, the first of each guide; the others belong to `make test-long`."""
    found, seen = [], Counter[str]()
    for block in (b for b in EXAMPLES if not b.needs_server):
        seen[block.page] += 1
        later = block.page != "README.md" and seen[block.page] > 1
        found.append(pytest.param(block, id=str(block), marks=[pytest.mark.long] if later else []))
    return found


@pytest.mark.slow
@pytest.mark.parametrize("block", _examples())
def test_an_example_runs_as_it_stands(block: Block, checkpoint: Path, tmp_path: Path):
    code = re.sub(r"\bMODEL\b", str(checkpoint), block.code)
    done = run(block.language, code, tmp_path, {"QUIRE_CPU_KVCACHE_SPACE": "0.1"})
    assert done.returncode == 0, done.stderr[-2000:]
