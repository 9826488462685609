"""`quire bench serve` and `sweep` against servers: real ones, and one whose times are known beforehand."""

from __future__ import annotations

import itertools
import json
import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from benchmarks.independent_client import compared
from tests.serve.loads import HEAD, WHOLE, load, rude, scripted, streamed

from quire.cli import main
from quire.tools.load.address import Target
from quire.tools.load.dialects import Completions
from quire.tools.load.drive import Record
from quire.tools.load.measures import client_figures, client_lines, figures
from quire.tools.load.peer import Peer
from quire.tools.load.result import check
from quire.tools.load.workload import Ask

SMALL = ["--random-input-len", "12", "--random-output-len", "4", "--num-prompts", "6", "--disable-tqdm"]


def bench(capsys: pytest.CaptureFixture[str], *args: str) -> dict[str, Any]:
    """The JSON that a command prints."""
    code = main(["bench", *args, "--json"])
    captured = capsys.readouterr()
    assert code == 0, captured.err
    return json.loads(captured.out)


def test_a_thousand_streams_are_open_at_once():
    with scripted(2.0, 0.02) as port:
        run = load(port, 1000, 5)
    told = figures(run.records)
    assert told["completed"] == told["max_concurrent_requests"] == 1000
    assert told["total_output_tokens"] == 5000


def test_a_closed_loop_opens_no_more_than_it_may_and_uses_connections_again():
    with scripted(0.02, 0.005) as port:
        run = load(port, 30, 3, concurrency=4)
    told = figures(run.records)
    assert told["completed"] == 30 and told["max_concurrent_requests"] == 4
    waits = [b.due_s - a.due_s for a, b in zip(run.records, run.records[1:], strict=False)]
    assert min(waits) >= 0 and run.records[-1].due_s > 0.1  # due when there was room


@pytest.mark.alone
def test_the_clients_own_delay_is_told_and_not_added_to_the_servers():
    stalls = 0

    def slow(record: Record) -> None:  # 50 ms in which the client reads nothing, a few times
        nonlocal stalls
        stalls += 1
        time.sleep(0.05)

    with scripted(0.1, 0.02) as port:
        peer = Peer(Target.of(f"http://127.0.0.1:{port}"))
        long = [Ask(0.0, [1], 1, 40) for _ in range(8)]
        short = [Ask(0.15 * i, [1], 1, 2) for i in range(1, 6)]
        run = peer.run([*long, *short], Completions("scripted"), told=slow)
    assert stalls == 13
    told, client = figures(run.records[:8]), client_figures(run.lag)
    assert client["max_read_lag_ms"] > 40
    if client["arrival_times"] == "kernel":
        assert told["p99_itl_ms"] < 40 and told["median_itl_ms"] == pytest.approx(20, rel=0.05)
    assert "ms late" in client_lines(client, 20.0)[0]


@pytest.mark.alone
def test_first_tokens_that_came_while_the_client_stood_still_are_left_out_and_counted():
    with scripted(0.1, 0.01) as port:
        peer = Peer(Target.of(f"http://127.0.0.1:{port}"))
        asks = [Ask(0.03 * i, [1], 1, 10) for i in range(40)]
        run = peer.run(asks, Completions("scripted"), told=lambda record: time.sleep(0.05))
    told, client = figures(run.records), client_figures(run.lag)
    assert told["completed"] == 40
    if client["arrival_times"] == "kernel":
        assert 0 < told["unknown_ttft"] < 40
        assert told["p90_ttft_ms"] == pytest.approx(100, rel=0.1)


@pytest.mark.alone
def test_times_are_those_of_the_server():
    with scripted(0.5, 0.05) as port:
        told = figures(load(port, 5, 11).records)
    assert told["median_ttft_ms"] == pytest.approx(500, rel=0.05)
    assert told["median_tpot_ms"] == pytest.approx(50, rel=0.05)
    assert told["median_e2el_ms"] == pytest.approx(1000, rel=0.05)


def test_a_server_behind_tls_is_measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys):
    pem = tmp_path / "both.pem"
    made = subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=localhost",
         "-addext", "subjectAltName=DNS:localhost", "-keyout", "key.pem", "-out", "cert.pem"],
        cwd=tmp_path, capture_output=True,
    )  # fmt: skip
    if made.returncode:
        pytest.skip(f"openssl makes no certificate here: {made.stderr.decode()[-200:]}")
    pem.write_bytes((tmp_path / "key.pem").read_bytes() + (tmp_path / "cert.pem").read_bytes())
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "cert.pem"))
    with scripted(0.01, 0.002, str(pem)) as port:
        told = bench(capsys, "serve", "--base-url", f"https://localhost:{port}/v1", *SMALL)
    assert told["completed"] == 6 and told["total_output_tokens"] == 24


def test_what_fails_is_counted_and_named():
    with scripted(0.01, 0.002) as port:
        peer = Peer(Target.of(f"http://127.0.0.1:{port}"), timeout_s=0.5)
        asks = [Ask(0.0, [1], 1, 2), Ask(0.0, [1], 1, 10_000)]
        run = peer.run(asks, Completions("scripted"))
        lost = peer.run(asks[:1], Completions("other"))
    assert [r.ok for r in run.records] == [True, False]
    assert "not done within" in run.records[1].error
    assert lost.records[0].error == "HTTP 404: no such model"


def test_a_connection_that_the_server_has_dropped_is_opened_again():
    with rude(iter([HEAD + WHOLE] * 4)) as port:
        run = load(port, 4, 1, concurrency=1)
    assert [r.error for r in run.records] == [""] * 4
    assert [r.output_tokens for r in run.records] == [
        1
    ] * 4  # not counted by the server: one event, one token


def test_answers_that_break_off_or_make_no_sense_are_failures_with_a_reason():
    answers = [HEAD + WHOLE[:30], b"", b"SSH-2.0-OpenSSH\r\n\r\n", HEAD.replace(b"200", b"500") + WHOLE]
    broken = b"data: {broken\n\n" + b" " * (len(WHOLE) - 15)
    with rude(iter([*answers, HEAD + broken])) as port:
        run = load(port, 5, 1, concurrency=1)
    reasons = [r.error for r in run.records]
    assert "before its answer was complete" in reasons[0] and "before its answer was complete" in reasons[1]
    assert "no HTTP/1.1" in reasons[2] and "HTTP 500" in reasons[3] and "no JSON" in reasons[4]


@pytest.mark.parametrize("event", [b"5", b"[]", b'{"choices": [5]}', b'{"choices": 5}', b'{"usage": 5}'])
def test_an_event_that_is_no_answers_is_a_failure_with_a_reason(event: bytes):
    with rude(iter([streamed(b'{"choices": [{"text": "a"}]}', event)])) as port:
        record = load(port, 1, 1).records[0]
    assert "an event that makes no sense" in record.error and event.decode() in record.error


@pytest.mark.parametrize("count", [b'"many"', b"-5", b"null", b"1e400", b"true"])
def test_a_server_that_counts_nonsense_does_not_count(count: bytes):
    usage = b'{"choices": [], "usage": {"prompt_tokens": %s, "completion_tokens": %s}}' % (count, count)
    with rude(iter([streamed(b'{"choices": [{"text": "a"}]}', usage)])) as port:
        record = load(port, 1, 1).records[0]
    assert (record.error, record.prompt_tokens, record.output_tokens) == ("", 3, 1)


def test_a_server_that_never_answers_is_not_waited_for_longer_than_was_said(capsys, monkeypatch):
    monkeypatch.setattr("quire.tools.load.peer.LEAST_S", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        began = time.monotonic()
        assert main(["bench", "serve", "--base-url", url, "--ready-check-timeout-sec", "0.5"]) == 1
    assert time.monotonic() - began < 5 and "it does not answer" in capsys.readouterr().err


def test_a_server_that_lists_no_models_is_told_what_it_answered(capsys):
    with rude(refusing(0, listed=False)) as port:
        assert main(["bench", "serve", "--base-url", f"http://127.0.0.1:{port}"]) == 2
    assert "lists no model (HTTP 500: oops); name it with --model" in capsys.readouterr().err


@pytest.mark.parametrize("backend", ["openai", "openai-chat"])
def test_a_real_server_is_measured(backend: str, live: str, capsys, tmp_path: Path):
    told = bench(
        capsys, "serve", "--base-url", live, "--backend", backend, *SMALL, "--request-rate", "50",
        "--goodput", "ttft:60000", "tpot:60000", "--metadata", "tp=1", "--save-detailed",
        "--result-dir", str(tmp_path), "--result-filename", "a.json",
    )  # fmt: skip
    assert told["completed"] == 6 and told["failed"] == 0 and told["tp"] == "1"
    assert told["total_output_tokens"] == 24
    assert told["request_goodput"] == pytest.approx(told["request_throughput"])
    if backend == "openai":
        assert told["total_input_tokens"] == 72
    kept = json.loads((tmp_path / "a.json").read_text())
    assert len(kept["ttfts"]) == 6 and kept["p99_ttft_ms"] == told["p99_ttft_ms"]


def test_prompts_of_a_chat_are_nearly_as_long_as_was_asked(live: str, capsys):
    lengths = [
        "--random-input-len",
        "200",
        "--random-output-len",
        "2",
        "--num-prompts",
        "8",
        "--disable-tqdm",
    ]
    told = bench(capsys, "serve", "--base-url", live, "--backend", "openai-chat", *lengths)
    assert told["total_input_tokens"] / 8 == pytest.approx(200, rel=0.1)
    exact = bench(capsys, "serve", "--base-url", live, "--tokenizer", "quire-tiny", *lengths)
    assert exact["total_input_tokens"] / 8 == pytest.approx(200, rel=0.05)


def test_shared_beginnings_come_from_the_servers_cache(live: str, capsys):
    shared = ["--dataset-name", "prefix_repetition", "--prefix-repetition-prefix-len", "128"]
    more = ["--prefix-repetition-suffix-len", "16", "--prefix-repetition-num-prefixes", "2"]
    few = ["--prefix-repetition-output-len", "2", "--num-prompts", "8", "--max-concurrency", "1"]
    told = bench(capsys, "serve", "--base-url", live, *shared, *more, *few, "--disable-tqdm", "--seed", "7")
    assert told["cached_input_tokens"] >= 6 * 112


def test_a_trace_is_repeated_with_its_lengths_and_times(live: str, capsys, tmp_path: Path):
    rows = [{"at_s": 10 + i / 20, "prompt_tokens": 10 + i, "output_tokens": 2 + i} for i in range(5)]
    (tmp_path / "trace.jsonl").write_text("\n".join(map(json.dumps, rows)))
    given = ["--dataset-name", "trace", "--dataset-path", str(tmp_path / "trace.jsonl"), "--disable-tqdm"]
    told = bench(capsys, "serve", "--base-url", live, *given)
    assert told["total_input_tokens"] == 60 and told["total_output_tokens"] == 20
    assert told["duration"] > 0.2


def test_a_file_of_few_prompts_is_asked_once_and_counted_as_it_is(capsys, tmp_path: Path):
    (tmp_path / "two.jsonl").write_text('{"prompt": "a", "output_tokens": 2}\n{"prompt": "b"}\n')
    given = ["--dataset-name", "custom", "--dataset-path", str(tmp_path / "two.jsonl"), "--disable-tqdm"]
    with scripted(0.01, 0.002) as port:
        url = ["--base-url", f"http://127.0.0.1:{port}", "--custom-output-len", "3"]
        assert main(["bench", "serve", *url, *given]) == 0
        assert "2 of 2 answered" in capsys.readouterr().out
        told = bench(capsys, "serve", *url, *given)
        one = bench(capsys, "serve", *url, *given, "--num-prompts", "1")
    assert (told["num_prompts"], told["completed"]) == (2, 2)
    assert one["num_prompts"] == 1 and "a file of 2, 1 of them" in one["workload"]


def test_a_trace_is_repeated_whole_or_the_part_is_told(capsys, tmp_path: Path):
    rows = [{"at_s": i / 1500, "prompt_tokens": 4, "output_tokens": 1} for i in range(1200)]
    (tmp_path / "trace.jsonl").write_text("\n".join(map(json.dumps, rows)))
    given = ["--dataset-name", "trace", "--dataset-path", str(tmp_path / "trace.jsonl"), "--disable-tqdm"]
    with scripted(0.01, 0.002) as port:
        url = ["--base-url", f"http://127.0.0.1:{port}"]
        told = bench(capsys, "serve", *url, *given)
        part = bench(capsys, "serve", *url, *given, "--num-prompts", "30")
    assert told["completed"] == told["num_prompts"] == 1200
    assert part["completed"] == 30 and "1,200 recorded requests, the first 30 of them" in part["workload"]


def test_a_run_of_which_some_requests_fail_fails_and_keeps_its_result(capsys, tmp_path: Path):
    lengths = ["--random-input-len", "4", "--random-output-len", "zipf:0.1:60", "--num-prompts", "20"]
    kept = ["--result-dir", str(tmp_path), "--result-filename", "a.json", "--disable-tqdm"]
    with scripted(0.01, 0.02) as port:
        url = ["--base-url", f"http://127.0.0.1:{port}", "--request-timeout", "0.6"]
        code = main(["bench", "serve", *url, *lengths, *kept, "--json"])
    captured = capsys.readouterr()
    told = json.loads(captured.out)
    assert 0 < told["failed"] < 20 and told["completed"] + told["failed"] == 20
    assert code == 1 and f"{told['failed']} of 20 requests failed" in captured.err
    assert json.loads((tmp_path / "a.json").read_text())["failed"] == told["failed"]


@pytest.mark.parametrize(
    "where",
    [["--result-dir", "file/folder"], ["--result-filename", "file/a"], ["--result-filename", "folder"]],
)
def test_a_result_that_could_not_be_kept_is_refused_before_the_run(where: list[str], capsys, tmp_path: Path):
    (tmp_path / "file").write_text("")
    (tmp_path / "folder").mkdir()
    absent = ["--port", "1", "--ready-check-timeout-sec", "0"]  # 1 if it came to ask the server
    assert main(["bench", "serve", *absent, where[0], str(tmp_path / where[1])]) == 2
    assert "cannot be written" in capsys.readouterr().err


def test_a_check_whether_a_result_can_be_kept_leaves_nothing_behind(tmp_path: Path):
    (tmp_path / "old.json").write_text("kept")
    for name in (None, "old.json", "new.json"):
        check(str(tmp_path), name)
    assert [path.name for path in tmp_path.iterdir()] == ["old.json"]
    assert (tmp_path / "old.json").read_text() == "kept"


def test_a_sweep_of_a_server_finds_a_knee_and_proposes(live: str, capsys):
    lengths = ["--random-input-len", "8", "--random-output-len", "6", "--disable-tqdm"]
    told = bench(capsys, "sweep", "--base-url", live, "--levels", "1,2", *lengths, "--prompts-per-level", "2")
    assert [p["level"] for p in told["points"]] == [1, 2]
    assert told["proposed"]["max_num_seqs"] in (1, 2) and told["knee"] in (1, 2)


def test_a_sweep_of_rates_proposes_open_requests_and_gets_no_more_than_it_offers(capsys):
    short = ["--random-input-len", "4", "--random-output-len", "20", "--prompts-per-level", "1"]
    with scripted(0.1, 0.02) as port:
        url = ["--base-url", f"http://127.0.0.1:{port}", "--sweep-rates", "--levels", "2,8,24"]
        told = bench(capsys, "sweep", *url, *short, "--disable-tqdm")
    for point in told["points"]:
        assert point["tokens_per_s"] <= 20 * point["level"]
    busiest = told["points"][-1]
    assert busiest["mean_open_requests"] == pytest.approx(24 * 0.48 / 1.48, rel=0.5)
    assert told["proposed"]["max_num_seqs"] <= busiest["mean_open_requests"] + 1


def test_a_sweep_of_which_some_requests_fail_fails_and_tells_its_points(capsys):
    lengths = ["--random-input-len", "4", "--random-output-len", "zipf:0.1:60", "--prompts-per-level", "5"]
    with scripted(0.01, 0.02) as port:
        url = ["--base-url", f"http://127.0.0.1:{port}", "--request-timeout", "0.6", "--levels", "2,4"]
        code = main(["bench", "sweep", *url, *lengths, "--disable-tqdm", "--json"])
    captured = capsys.readouterr()
    told = json.loads(captured.out)
    assert len(told["points"]) == 2 and 0 < told["points"][1]["failed"] < 20
    assert code == 1 and re.search(r"\d+ of 30 requests failed", captured.err)
    assert "not done within" in captured.err


def refusing(answered: int, listed: bool = True) -> Iterator[bytes]:
    """Lists a model and answers so many requests, then 500."""
    models = b'{"data": [{"id": "m"}]}'
    if listed:
        yield b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(models), models)
    for _ in range(answered):
        yield HEAD + WHOLE
    while True:
        yield b"HTTP/1.1 500 Oh\r\nContent-Length: 4\r\n\r\noops"


@pytest.mark.parametrize(("answered", "levels"), [(1, 0), (3, 1)])  # one request shows that it answers
def test_a_sweep_ends_where_nobody_is_answered_any_more(answered: int, levels: int, capsys):
    few = ["--levels", "1,2", "--prompts-per-level", "2", "--random-output-len", "1", "--disable-tqdm"]
    with rude(refusing(answered)) as port:
        code = main(["bench", "sweep", "--base-url", f"http://127.0.0.1:{port}", *few, "--json"])
    captured = capsys.readouterr()
    assert code == 1 and f"level {levels + 1}: HTTP 500" in captured.err + captured.out
    if levels:
        told = json.loads(captured.out)
        assert [p["level"] for p in told["points"]] == [1] and "no request was answered" in told["ended"]


def test_a_sweep_of_a_server_that_is_sometimes_slow_proposes_nothing(capsys):
    def answers() -> Iterator[bytes]:
        yield from itertools.islice(refusing(1), 2)
        time.sleep(1.0)  # the only request of the first level
        while True:
            yield HEAD + WHOLE

    few = ["--levels", "1,2", "--prompts-per-level", "1", "--random-output-len", "1", "--disable-tqdm"]
    with rude(answers()) as port:
        told = bench(capsys, "sweep", "--base-url", f"http://127.0.0.1:{port}", *few)
    assert told["proposed"] is None and "the server or the machine was disturbed" in told["warnings"][0]


@pytest.mark.parametrize("option", [["--levels", "0.5,1"], ["--levels", "1.5"], ["--chunks", "0.5"]])
def test_a_part_of_a_request_or_a_token_is_no_level(option: list[str], capsys):
    assert main(["bench", "sweep", *option]) == 2
    assert "whole numbers" in capsys.readouterr().err


def test_where_no_server_is_one_line_says_so(capsys):
    assert main(["bench", "serve", "--port", "1", "--ready-check-timeout-sec", "0"]) == 1
    assert "no server at http://127.0.0.1:1" in capsys.readouterr().err


@pytest.mark.long  # it measures time
def test_an_independent_client_sees_the_same_of_a_server_without_chance():
    with scripted(0.2, 0.02) as port:
        ratios = compared(f"http://127.0.0.1:{port}", 60, 6, 32, 16)
    assert {key: r for key, r in ratios.items() if abs(r - 1) > 0.05} == {}


@pytest.mark.long  # it measures time
def test_an_independent_client_sees_the_same_of_a_real_server(live: str):
    ratios = compared(live, 120, 3, 32, 24)
    del ratios["mean_ttft_ms"]  # of so few requests, chance decides who comes just before a step
    assert {key: r for key, r in ratios.items() if abs(r - 1) > 0.05} == {}


def test_the_command_needs_no_torch():
    code = "import sys; from quire.cli import main; main(['bench', 'serve', '--help'])"
    code += "; print('torch' in sys.modules)"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=os.environ)
    assert out.stdout.strip().endswith("False")
