"""What was measured is in its file before it is shown: nobody who stops reading can lose it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.serve.loads import scripted

from quire.cli import main
from quire.tools.load.result import save

SMALL = ["--random-input-len", "3", "--random-output-len", "2", "--num-prompts", "4", "--disable-tqdm"]
ABSENT = ["--port", "1", "--ready-check-timeout-sec", "0"]  # exit code 1 if it came to ask the server


def unread(*args: str, folder: Path) -> subprocess.CompletedProcess[bytes]:
    """A command whose output is read by nobody, as when `head` has ended."""
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-m", "quire", *args]
    done = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, cwd=folder, timeout=120)
    os.close(writing)
    return done


@pytest.mark.parametrize("form", [[], ["--json"]], ids=["table", "json"])
def test_a_result_is_kept_though_nobody_reads_the_table(form: list[str], tmp_path: Path):
    with scripted(0.01, 0.002) as port:
        url = ["--base-url", f"http://127.0.0.1:{port}", "--result-filename", "r.json"]
        done = unread("bench", "serve", *url, *SMALL, *form, folder=tmp_path)
    assert json.loads((tmp_path / "r.json").read_text())["completed"] == 4
    assert b"wrote r.json" in done.stderr and b"Error" not in done.stderr
    assert done.returncode == 141  # what a shell tells of a tool that a closed pipe has ended


def test_a_plot_is_drawn_though_nobody_reads_the_table(tmp_path: Path):
    pytest.importorskip("matplotlib", reason="plots are an extra: pip install 'quire[plot]'")
    for name, value in (("a", 100.0), ("b", 130.0)):
        (tmp_path / f"{name}.json").write_text(json.dumps({"output_throughput": value}))
    unread("bench", "compare", "a.json", "b.json", "--plot", "c.png", folder=tmp_path)
    with scripted(0.01, 0.002) as port:
        url = ["--base-url", f"http://127.0.0.1:{port}"]
        unread("bench", "serve", *url, *SMALL, "--plot", "s.png", folder=tmp_path)
        lengths = ["--random-input-len", "3", "--random-output-len", "2", "--disable-tqdm"]
        unread("bench", "sweep", *url, *lengths, "--levels", "1", "--plot", "w.png", folder=tmp_path)
    assert {path.name for path in tmp_path.glob("*.png")} == {"c.png", "s.png", "w.png"}


def test_a_calibration_is_kept_before_it_is_shown(tmp_path: Path):
    small = ["--max-num-seqs", "2", "--max-model-len", "64", "--kv-cache-memory-bytes", "64M"]
    asked = ["bench", "calibrate", *small, "--check", "0", "--repeats", "1", "--cpu-threads", "1"]
    done = unread(*asked, "--output", "c.json", folder=tmp_path)
    assert done.returncode == 141 and json.loads((tmp_path / "c.json").read_text())["table"]


@pytest.mark.parametrize("label", ["a/b", "/tmp", "..", "x" * 200])
def test_a_label_that_begins_no_files_name_is_refused_before_the_load(label: str, capsys, tmp_path: Path):
    asked = ["bench", "serve", *ABSENT, "--label", label, "--result-dir", str(tmp_path)]
    assert main(asked) == (1 if label == ".." else 2)
    if label != "..":
        assert "--label" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_label_that_begins_no_name_may_be_anything(capsys, tmp_path: Path):
    with scripted(0.01, 0.002) as port:
        url = ["--base-url", f"http://127.0.0.1:{port}", "--label", "a/b"]
        named = ["--result-dir", str(tmp_path), "--result-filename", "r.json"]
        assert main(["bench", "serve", *url, *SMALL, *named]) == 0
    assert json.loads((tmp_path / "r.json").read_text())["label"] == "a/b"


@pytest.mark.parametrize("name", ["org/a:b c", "..", "m" * 300, "\n\x00"])
def test_a_models_name_that_is_no_files_name_is_no_hindrance(name: str, tmp_path: Path):
    told = {"backend": "openai", "request_rate": "inf", "model_id": name, "date": "20260101-000000"}
    path = save(told, str(tmp_path), None)
    assert path.parent == tmp_path and path.name.startswith("openai-infqps-")
    assert json.loads(path.read_text())["model_id"] == name


@pytest.mark.parametrize("key", ["num_prompts", "completed", "errors", "workload"])
def test_a_word_for_the_result_does_not_take_the_place_of_a_figure(key: str, capsys):
    with scripted(0.01, 0.002) as port:
        url = ["--base-url", f"http://127.0.0.1:{port}"]
        assert main(["bench", "serve", *url, *SMALL, "--metadata", f"{key}=x"]) == 2
    assert f"--metadata has {key!r}, which the result has itself" in " ".join(capsys.readouterr().err.split())


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a disk that is always full")
def test_a_result_that_cannot_be_written_after_all_is_shown(capsys):
    with scripted(0.01, 0.002) as port:
        url = ["--base-url", f"http://127.0.0.1:{port}", "--result-dir", "/dev", "--result-filename", "full"]
        assert main(["bench", "serve", *url, *SMALL]) == 2
    captured = capsys.readouterr()
    assert "4 of 4 answered" in captured.out and "No space left" in captured.err


def test_a_result_says_what_was_asked_and_promised(capsys, tmp_path: Path):
    rows = [{"at_s": i / 50, "prompt_tokens": 3, "output_tokens": 2} for i in range(3)]
    (tmp_path / "t.jsonl").write_text("\n".join(map(json.dumps, rows)))
    trace = ["--dataset-name", "trace", "--dataset-path", str(tmp_path / "t.jsonl"), "--trace-speed", "2"]
    kept = ["--result-dir", str(tmp_path / "kept"), "--goodput", "ttft:600", "tpot:50"]
    with scripted(0.01, 0.002) as port:
        url = ["--base-url", f"http://127.0.0.1:{port}", "--disable-tqdm", "--json"]
        assert main(["bench", "serve", *url, *trace, *kept]) == 0
        told = json.loads(capsys.readouterr().out)
        assert main(["bench", "serve", *url, *SMALL, "--temperature", "0.5", "--request-rate", "90"]) == 0
        drawn = json.loads(capsys.readouterr().out)
    assert (told["request_rate"], told["burstiness"], told["trace_speed"]) == ("trace", None, 2.0)
    assert told["promises_ms"] == {"ttft": 600.0, "tpot": 50.0} and told["dataset_name"] == "trace"
    assert [path.name[:13] for path in (tmp_path / "kept").iterdir()] == ["openai-trace-"]
    assert (drawn["request_rate"], drawn["burstiness"], drawn["promises_ms"]) == (90.0, 1.0, {})
    assert drawn["request"] == {"temperature": 0.5, "ignore_eos": True}


def test_two_runs_of_which_one_fails_are_compared_as_such(capsys, tmp_path: Path):
    asked = ["--random-input-len", "3", "--random-output-len", "zipf:0.1:60", "--num-prompts", "20"]
    for name, timeout_s in (("a", 60), ("b", 0.6)):
        named = ["--result-dir", str(tmp_path), "--result-filename", f"{name}.json", "--disable-tqdm"]
        with scripted(0.01, 0.02) as port:
            url = ["--base-url", f"http://127.0.0.1:{port}", "--request-timeout", str(timeout_s)]
            main(["bench", "serve", *url, *asked, *named, "--goodput", "ttft:600"])
    capsys.readouterr()
    assert main(["bench", "compare", str(tmp_path / "a.json"), str(tmp_path / "b.json")]) == 1
    out = capsys.readouterr().out
    assert out.startswith("requests that failed: 0 of 20 in A, ") and "B is worse: " in out
    assert "request_goodput" in out
