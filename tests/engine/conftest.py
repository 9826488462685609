"""Checkpoints written once: a small one with a tokenizer, and a tiny one of token ids only."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from tests.checkpoints import make
from tests.engine.pooling import HEAD, NAMES
from tests.unit.text.vocabularies import write_folder

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "random_checkpoint.py"


@pytest.fixture(scope="session")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A random Llama with a byte-level tokenizer and a chat template."""
    folder = tmp_path_factory.mktemp("model")
    size = ["--layers", "2", "--hidden", "64", "--vocab", "512", "--context", "512"]
    subprocess.run([sys.executable, SCRIPT, folder, *size], check=True, capture_output=True)
    return folder


@pytest.fixture(scope="session")
def llama(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A random Llama with full attention, 263 token ids and no tokenizer."""
    return make("llama", tmp_path_factory.mktemp("llama"))


@pytest.fixture(scope="session")
def mistral(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A random Mistral with a window of 9 tokens in every layer."""
    return make("mistral", tmp_path_factory.mktemp("mistral"))


@pytest.fixture(scope="session")
def classifier(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A random Qwen3 with three labels."""
    return make("qwen3", tmp_path_factory.mktemp("classifier"), head=HEAD, id2label=NAMES)


@pytest.fixture(scope="session")
def pair_reader(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One label, and a tokenizer that puts [SEP] between two texts."""
    folder = make("llama", tmp_path_factory.mktemp("pairs"), head=HEAD, num_labels=1, vocab_size=300)
    return write_folder(folder, "word piece")
