"""A small random checkpoint, written once, for the tests that need a model."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "random_checkpoint.py"


def write_checkpoint(folder: Path) -> Path:
    size = ["--layers", "2", "--hidden", "64", "--vocab", "512", "--context", "1024"]
    subprocess.run([sys.executable, SCRIPT, folder, *size], check=True, capture_output=True)
    return folder


@pytest.fixture(scope="session")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_checkpoint(tmp_path_factory.mktemp("model"))


@pytest.fixture(scope="session")
def same_checkpoint_again(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_checkpoint(tmp_path_factory.mktemp("again"))
