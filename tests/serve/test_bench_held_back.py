"""Requests that came at their times and were held back by a limit: how long is told, as no figure has it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.serve.loads import scripted

from quire.cli import main
from quire.tools.load.address import Target
from quire.tools.load.dialects import Completions
from quire.tools.load.peer import Peer
from quire.tools.load.workload import Ask

SHORT = ["--random-input-len", "3", "--random-output-len", "2", "--num-prompts", "10", "--disable-tqdm"]


def serve(capsys: pytest.CaptureFixture[str], *args: str, first_s: float = 0.1) -> tuple[dict[str, Any], str]:
    """What `bench serve` prints of a server that answers after `first_s`: as JSON, and as text."""
    with scripted(first_s, 0.001) as port:
        asked = ["bench", "serve", "--base-url", f"http://127.0.0.1:{port}", *SHORT, *args]
        assert main([*asked, "--json"]) == 0
        told = json.loads(capsys.readouterr().out)
        assert main(asked) == 0
        return told, capsys.readouterr().out


def test_a_limit_that_holds_requests_back_is_measured_and_warned_of(capsys):
    told, out = serve(capsys, "--request-rate", "100", "--max-concurrency", "1", "--goodput", "ttft:600")
    client = told["client"]
    assert 300 < client["mean_held_back_ms"] < client["p99_held_back_ms"] <= client["max_held_back_ms"]
    assert client["max_held_back_ms"] > 700
    (warning,) = told["warnings"]
    assert "--max-concurrency 1" in warning and "goodput" in warning
    assert "were held back" in out and "this is not the load that was asked for" in out


def test_a_limit_that_is_hardly_felt_is_a_line_and_no_warning(capsys):
    told, out = serve(capsys, "--request-rate", "20", "--max-concurrency", "50", "--burstiness", "1000")
    assert told["client"]["mean_held_back_ms"] == 0 and told["warnings"] == []
    assert "held back 0.00 ms" in out


@pytest.mark.parametrize("args", [["--max-concurrency", "2"], ["--request-rate", "100"]])
def test_users_who_wait_for_their_answers_and_loads_without_a_limit_are_not_held_back(args, capsys):
    told, out = serve(capsys, *args, first_s=0.01)
    assert not any("held_back" in key for key in told["client"]) and "held back" not in out


def test_a_trace_is_held_back_too_and_each_request_tells_how_long(capsys, tmp_path: Path):
    rows = [{"at_s": i / 100, "prompt_tokens": 3, "output_tokens": 2} for i in range(6)]
    (tmp_path / "trace.jsonl").write_text("\n".join(map(json.dumps, rows)))
    given = ["--base-url", "", "--max-concurrency", "1", "--json"]
    with scripted(0.1, 0.001) as port:
        given[1] = f"http://127.0.0.1:{port}"
        kept = ["--save-detailed", "--result-dir", str(tmp_path), "--result-filename", "r.json"]
        trace = ["--dataset-name", "trace", "--dataset-path", str(tmp_path / "trace.jsonl")]
        assert main(["bench", "serve", *given, *trace, *kept, "--disable-tqdm"]) == 0
        told = json.loads(capsys.readouterr().out)
        assert main(["replay", str(tmp_path / "trace.jsonl"), *given]) == 0
    assert json.loads(capsys.readouterr().out)["client"]["max_held_back_ms"] > 300
    held = json.loads((tmp_path / "r.json").read_text())["held_back"]
    assert held[0] == 0 and held == sorted(held) and 1e3 * held[-1] == told["client"]["max_held_back_ms"]


def test_the_delay_is_from_when_a_request_was_due_until_there_was_room():
    asks = [Ask(at_s, [1], 1, 1) for at_s in (0.0, 0.05, 0.5)]
    with scripted(0.2, 0.001) as port:
        records = Peer(Target.of(f"http://127.0.0.1:{port}")).run(asks, Completions("scripted"), 1).records
    assert records[0].held_s == 0 == records[2].held_s
    assert records[1].held_s == pytest.approx(0.15, abs=0.05)
    assert records[1].due_s - records[1].held_s == pytest.approx(0.05)
