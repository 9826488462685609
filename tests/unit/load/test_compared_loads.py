"""`bench compare` of loads: requests that fail, promises that nobody keeps, loads that are not the same."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from quire.cli import main
from quire.tools.load.compare import compare, read_result

WORKLOAD = "prompts of 64 tokens, answers of 16; 10 a second (Poisson)"
A = {
    "backend": "openai", "model_id": "m", "workload": WORKLOAD,
    "num_prompts": 20, "request_rate": 10.0, "max_concurrency": None, "promises_ms": {"ttft": 100.0},
    "completed": 20, "failed": 0, "total_input_tokens": 1280, "total_output_tokens": 320,
    "request_throughput": 27.3, "request_goodput": 27.3, "mean_ttft_ms": 80.0,
    "noise": {"request_throughput": 0.5, "request_goodput": 0.5, "mean_ttft_ms": 1.0},
}  # fmt: skip
HALF = {"completed": 10, "failed": 10, "total_input_tokens": 640, "total_output_tokens": 160}


@pytest.fixture
def write(tmp_path: Path):
    def write(name: str, **other: Any) -> str:
        """Like A but for these; None leaves a key out."""
        path = tmp_path / f"{name}.json"
        told = {key: value for key, value in (A | other).items() if value is not ...}
        path.write_text(json.dumps(told))
        return str(path)

    return write


def shown(capsys: pytest.CaptureFixture[str], a: str, b: str, code: int = 0) -> tuple[str, dict[str, Any]]:
    """What the command prints, as text and as JSON."""
    assert main(["bench", "compare", a, b]) == code
    text = capsys.readouterr().out
    assert main(["bench", "compare", a, b, "--json"]) == code
    return text, json.loads(capsys.readouterr().out)


def verdicts(a: str, b: str) -> dict[str, str]:
    return {row.figure: row.verdict for row in compare(read_result([Path(a)]), read_result([Path(b)]))}


def test_a_server_that_fails_more_requests_is_worse_whatever_its_times(write, capsys):
    faster = {"mean_ttft_ms": 20.0, "request_throughput": 90.0, "request_goodput": 0.0}
    a, b = write("a"), write("b", **HALF, **faster)
    text, told = shown(capsys, a, b, code=1)
    assert text.startswith("requests that failed: 0 of 20 in A, 10 of 20 in B")
    assert text.splitlines()[-1].startswith("B is worse: 50.0% of its requests failed and 0.0% of A's")
    assert told["more_fail"] and told["requests"]["b"] == {"sent": 20, "failed": 10}
    assert told["figures"][1] == {
        "figure": "request_goodput", "a": 27.3, "b": 0.0, "ratio": None, "verdict": "worse",
        "noise": pytest.approx(2 * (0.5**2 + 0.5**2) ** 0.5 / 27.3),
    }  # fmt: skip
    text, told = shown(capsys, b, a)
    assert not told["more_fail"] and "10 of 20 in A, 0 of 20 in B" in text and "B is worse" not in text


def test_as_many_failures_as_before_are_told_and_are_no_verdict(write, capsys):
    text, told = shown(capsys, write("a", **HALF), write("b", **HALF))
    assert text.startswith("requests that failed: 10 of 20 in A, 10 of 20 in B") and not told["more_fail"]


def test_failures_of_several_runs_and_files_are_added_up(write, capsys):
    runs = [
        {"completed": 18, "failed": 2, "mean_ttft_ms": 80.0},
        {"completed": 20, "failed": 0, "mean_ttft_ms": 81.0},
    ]
    a, b, c = write("a"), write("b", runs=runs, **HALF), write("c")
    text, _ = shown(capsys, f"{a},{c}", f"{b},{c}", code=1)
    assert text.startswith("requests that failed: 0 of 40 in A, 2 of 60 in B")


def test_requests_that_vllm_does_not_call_failed_are_those_that_were_not_completed(write, capsys):
    a, b = write("a", failed=...), write("b", failed=..., completed=15)
    assert shown(capsys, a, b, code=1)[0].startswith("requests that failed: 0 of 20 in A, 5 of 20 in B")


def test_a_figure_that_falls_to_nothing_is_worse_and_one_that_rises_from_it_is_better(write):
    unknown = {"noise": {}}
    some, none = write("a", **unknown), write("b", request_goodput=0.0, request_throughput=0.0, **unknown)
    assert verdicts(some, none) == {
        "request_throughput": "worse", "request_goodput": "worse", "mean_ttft_ms": "unknown"
    }  # fmt: skip
    assert verdicts(none, some)["request_goodput"] == "better"
    assert verdicts(none, none)["request_goodput"] == "within noise"


def test_nothing_within_the_noise_is_no_difference(write):
    noise = {"noise": {"request_goodput": 1.0}}
    a, b = write("a", request_goodput=0.9, **noise), write("b", request_goodput=0.0, **noise)
    assert verdicts(a, b)["request_goodput"] == "within noise"


def test_a_time_of_nothing_was_not_measured(write):
    a, b = (
        write("a", mean_tpot_ms=5.0, noise={}, std_tpot_ms=1.0),
        write("b", mean_tpot_ms=0.0, noise={}, std_tpot_ms=0.0),
    )
    assert verdicts(a, b)["mean_tpot_ms"] == "unknown"


def test_a_row_without_a_ratio_is_shown_without_one_and_can_be_drawn(write, capsys, tmp_path: Path):
    a, b = write("a"), write("b", request_goodput=0.0)
    text, _ = shown(capsys, a, b)
    row = next(line.split() for line in text.splitlines() if line.startswith("request_goodput"))
    assert row[1:4] == ["27.300", "0", "–"] and row[-1] == "worse"
    pytest.importorskip("matplotlib", reason="plots are an extra: pip install 'quire[plot]'")
    assert main(["bench", "compare", a, b, "--plot", str(tmp_path / "c.png")]) == 0


def test_goodput_of_other_promises_is_not_compared(write, capsys):
    a, b = write("a"), write("b", promises_ms={"ttft": 600.0, "tpot": 50.0}, request_goodput=90.0)
    text, told = shown(capsys, a, b)
    assert "goodput is not compared: A promises ttft:100, B ttft:600 tpot:50" in text
    assert "request_goodput" not in [row["figure"] for row in told["figures"]]
    assert any("not compared" in note for note in told["notes"])


def test_promises_that_a_file_does_not_keep_are_told(write, capsys):
    a, b = write("a", promises_ms=...), write("b")
    assert "what goodput promises is not known of A" in shown(capsys, a, b)[0]
    assert "is not known of A and B" in shown(capsys, a, a)[0]
    none = write("c", promises_ms={}, request_goodput=...)
    assert "only B counts goodput (ttft:100)" in shown(capsys, none, b)[0]


@pytest.mark.parametrize(
    ("other", "said"),
    [
        ({"workload": "prompts of 9"}, f"the workload: {WORKLOAD} in A, prompts of 9 in B"),
        ({"num_prompts": 40}, "the number of prompts: 20 in A, 40 in B"),
        ({"max_concurrency": 4}, "requests open at a time: not limited in A, 4 in B"),
        ({"backend": "openai-chat"}, "the route: openai in A, openai-chat in B"),
        ({"model_id": "other"}, "the model: m in A, other in B"),
        ({"request": {"temperature": 1.0}}, None),
        ({"backend": "vllm"}, None),
        ({"request_rate": 10}, None),
        ({"total_input_tokens": 1330}, None),
        ({"total_input_tokens": 2560}, "tokens of a prompt, on average: 64.0 in A, 128.0 in B"),
        ({"total_output_tokens": 160}, "tokens of an answer, on average: 16.0 in A, 8.0 in B"),
        ({"workload": ..., "request_rate": "inf"}, "requests a second: 10.0 in A, inf in B"),
    ],
)  # fmt: skip
def test_loads_that_are_not_the_same_are_told(other: dict[str, Any], said: str | None, write, capsys):
    text, told = shown(capsys, write("a"), write("b", **other))
    if said is None:
        assert "the loads differ" not in text and told["notes"] == []
    else:
        assert f"the loads differ in {said}" in text and f"the loads differ in {said}" in told["notes"]


def test_files_of_one_side_that_differ_are_told(write, capsys):
    a, b = write("a"), write("b", num_prompts=40)
    assert "the number of prompts: 20 in A, 20 and 40 in B" in shown(capsys, a, f"{a},{b}")[0]


def test_other_batches_of_this_process_are_told(write, capsys):
    nothing = dict.fromkeys(A, ...)
    a = write("a", **nothing | {"benchmark": "latency", "measured": "3 batches of 2", "mean_s": 1.0})
    b = write("b", **nothing | {"benchmark": "latency", "measured": "3 batches of 8", "mean_s": 4.0})
    assert (
        "the loads differ in what was measured: 3 batches of 2 in A, 3 batches of 8 in B"
        in shown(capsys, a, b)[0]
    )


def test_what_speaks_against_a_load_is_repeated(write, capsys):
    a, b = write("a"), write("b", warnings=["this is not the load that was asked for"])
    assert "B: this is not the load that was asked for" in shown(capsys, a, b)[0]


@pytest.mark.parametrize(
    "odd", [{"promises_ms": 5}, {"completed": "x"}, {"failed": -3}, {"warnings": 5}, {"model_id": [1]}]
)
def test_what_makes_no_sense_beside_the_figures_is_not_read(odd: dict[str, Any], write, capsys):
    shown(capsys, write("a"), write("b", **odd))
