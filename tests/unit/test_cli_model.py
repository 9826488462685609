"""The commands with a model: a small random checkpoint, the real engine, real processes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

QUIRE = [sys.executable, "-m", "quire.cli"]
ENVIRONMENT = {**os.environ, "QUIRE_CPU_KVCACHE_SPACE": "0.1", "QUIRE_LOG_LEVEL": "WARNING"}


def quire(*args: object, stdin: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*QUIRE, *map(str, args)], input=stdin, env=ENVIRONMENT, capture_output=True, text=True
    )


def test_the_same_arguments_write_the_same_checkpoint(checkpoint: Path, same_checkpoint_again: Path):
    for file in checkpoint.iterdir():
        assert (same_checkpoint_again / file.name).read_bytes() == file.read_bytes(), file.name


def test_run_prints_the_answer_to_stdout_and_the_figures_to_stderr(checkpoint: Path):
    first = quire("run", checkpoint, "Once upon a time", "--max-tokens", 8, "--seed", 1)
    assert first.returncode == 0, first.stderr
    assert first.stdout.strip()
    assert "8 tokens in" in first.stderr and "ended by length" in first.stderr
    again = quire("run", checkpoint, "--max-tokens", 8, "--seed", 1, "--quiet", stdin="Once upon a time")
    assert again.stdout == first.stdout
    assert again.stderr == ""


def test_a_prompt_too_long_is_one_line_and_code_1(checkpoint: Path):
    done = quire("run", checkpoint, "word " * 2000)
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.startswith("error: the prompt has") and done.stderr.count("\n") == 1


def test_a_folder_that_is_no_checkpoint_is_one_line_and_code_2(tmp_path: Path):
    done = quire("run", tmp_path, "hi")
    assert done.returncode == 2
    assert done.stderr.startswith("error: ") and done.stderr.count("\n") == 1


def test_chat_takes_one_turn_per_line_and_remembers_them(checkpoint: Path):
    turns = "Hello\nAnd again\n/stats\n/rest\n/reset\n/stats\n/quit\nnever read\n"
    done = quire("chat", checkpoint, "--max-tokens", 4, "--ignore-eos", "--system", "Be brief.", stdin=turns)
    assert done.returncode == 0, done.stderr
    assert "all 2: 8 tokens" in done.stderr
    assert "5 messages remembered" in done.stderr and "1 messages remembered" in done.stderr
    assert "did you mean '/reset'" in done.stderr


def test_a_turn_that_does_not_fit_leaves_the_conversation_as_it_was(checkpoint: Path):
    turns = "Hello\n" + "word " * 2000 + "\nAnd again\n/stats\n"
    done = quire("chat", "--model", checkpoint, "--max-tokens", 4, "--ignore-eos", stdin=turns)
    assert done.returncode == 1
    assert "error: the prompt has" in done.stderr and "/reset starts afresh" in done.stderr
    assert "all 2: 8 tokens" in done.stderr and "4 messages remembered" in done.stderr


def test_ctrl_c_stops_the_answer_and_not_the_chat(checkpoint: Path):
    command = [*QUIRE, "chat", str(checkpoint), "--max-tokens", "900", "--ignore-eos"]
    pipe = subprocess.PIPE
    chat = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, env=ENVIRONMENT)
    assert chat.stdin is not None and chat.stdout is not None
    chat.stdin.write(b"Tell me everything\n")
    chat.stdin.flush()
    chat.stdout.read(1)  # it has begun to answer
    chat.send_signal(signal.SIGINT)
    _, told = chat.communicate(b"/stats\n/quit\n", timeout=120)
    assert chat.returncode == 0, told
    assert b"ended by the keyboard" in told and b"2 messages remembered" in told


@pytest.mark.parametrize(
    ("kind", "flags", "measured"),
    [
        ("latency", ["--batch-size", 2, "--iterations", 2, "--warmup", 1], "2 batches of 2 prompts"),
        ("throughput", ["--num-prompts", 3, "--load-format", "dummy"], "48 tokens in, 12 tokens out"),
    ],
)
def test_bench_prints_a_table_or_json_and_what_was_measured(checkpoint: Path, kind, flags, measured):
    lengths = ["--input-len", 16, "--output-len", 4]
    table = quire("bench", kind, checkpoint, *lengths, *flags)
    assert table.returncode == 0, table.stderr
    assert "output tokens/s" in table.stdout and measured in table.stdout
    told = json.loads(quire("bench", kind, "--model", checkpoint, *lengths, *flags, "--json").stdout)
    assert told["benchmark"] == kind and told["output_tokens_per_s"] > 0
    assert measured in told["measured"]
