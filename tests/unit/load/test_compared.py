"""`bench compare` of results that are tables: rows that are the same thing are held against each other."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from quire.cli import main
from quire.tools.load.compare import compare, read_result


def gemm(m: int = 64, tflops: float = 1.0, spread: float = 0.1, dtype: str = "float32") -> dict[str, Any]:
    return {"m": m, "n": m, "k": m, "dtype": dtype, "tflops": tflops, "ms": 1.0, "spread": spread}


def moved(way: str = "copy", size: int = 2**24, gb: float = 10.0, spread: float = 0.1) -> dict[str, Any]:
    return {"way": way, "bytes": size, "gb_per_s": gb, "spread": spread}


def copied(source: str, target: str, gb: float, both: bool = False) -> dict[str, Any]:
    ends = {"from": source, "to": target, "way": "pinned", "both": both}
    return {**ends, "bytes": 2**20, "gb_per_s": gb, "spread": 0.01}


def summed(size: int, us: float) -> dict[str, Any]:
    return {"bytes": size, "us": us, "bus_gb_per_s": 0.0, "spread": 0.02}


def swept(tokens: float) -> dict[str, Any]:
    points = [{"level": 1.0, "tokens_per_s": tokens, "token_ms": 1e3 / tokens}]
    return {"benchmark": "sweep", "level": "requests at once", "points": points, "reading": [], "knee": 1.0}


def started(*seconds: float) -> dict[str, Any]:
    starts = [{"imports": s, "weights": 1.0} for s in seconds]
    return {"benchmark": "startup", **{kind: {"starts": starts} for kind in ("cold", "warm")}}


def table(kind: str, *rows: dict[str, Any], measured: str = "a CPU") -> dict[str, Any]:
    return {"benchmark": kind, "measured": measured, "rows": list(rows)}


@pytest.fixture
def write(tmp_path: Path):
    def write(name: str, told: object) -> str:
        path = tmp_path / f"{name}.json"
        path.write_text(told if isinstance(told, str) else json.dumps(told))
        return str(path)

    return write


def verdicts(a: str, b: str) -> dict[str, str]:
    sides = (read_result([Path(path) for path in side.split(",")]) for side in (a, b))
    return {row.figure: row.verdict for row in compare(*sides)}


def refused(capsys: pytest.CaptureFixture[str], *paths: str) -> str:
    assert main(["bench", "compare", *paths]) == 2
    err = capsys.readouterr().err
    assert err.startswith("error: ") and err.count("\n") == 1
    return err


def test_products_are_matched_by_shape_and_type_whatever_their_order(write):
    a = write("a", table("gemm", gemm(64, 1.0), gemm(128, 4.0), gemm(128, 9.0, dtype="bfloat16")))
    b = write("b", table("gemm", gemm(128, 9.0, dtype="bfloat16"), gemm(128, 2.0), gemm(64, 2.0)))
    assert verdicts(a, b) == {
        "64 x 64 x 64 float32, tflops": "better",
        "128 x 128 x 128 float32, tflops": "worse",
        "128 x 128 x 128 bfloat16, tflops": "within noise",
    }


def test_a_difference_within_the_spread_of_rounds_is_none(write):
    a = write("a", table("memory", moved(gb=10.0, spread=0.2), moved("read", gb=10.0, spread=0.01)))
    b = write("b", table("memory", moved(gb=11.5, spread=0.2), moved("read", gb=11.5, spread=0.01)))
    assert verdicts(a, b) == {"copy 16 MiB, gb_per_s": "within noise", "read 16 MiB, gb_per_s": "better"}


def test_several_files_on_a_side_know_how_runs_differ(write):
    steady = [write(f"a{i}", table("memory", moved(gb=10.0 + 0.01 * i, spread=0.5))) for i in range(3)]
    faster = [write(f"b{i}", table("memory", moved(gb=11.0 + 0.01 * i, spread=0.5))) for i in range(3)]
    assert verdicts(",".join(steady), ",".join(faster)) == {"copy 16 MiB, gb_per_s": "better"}


def test_less_time_for_a_sum_is_better_and_both_ways_are_not_one_way(write):
    a, b = (write(name, table("allreduce", summed(1000, us))) for name, us in (("a", 50.0), ("b", 40.0)))
    assert verdicts(a, b) == {"1,000 bytes, us": "better"}
    one, both = copied("host", "GPU 0", 20.0), copied("host", "GPU 0", 40.0, both=True)
    a, b = write("a", table("p2p", one, both)), write("b", table("p2p", both, one))
    assert set(verdicts(a, b).values()) == {"within noise"} and len(verdicts(a, b)) == 2


def test_sweeps_are_matched_by_level_and_starts_by_phase(write):
    a, b = write("a", swept(100.0)), write("b", swept(50.0))
    assert verdicts(a, b) == {
        "1 requests at once, tokens_per_s": "unknown",
        "1 requests at once, token_ms": "unknown",
    }
    a, b = write("a", started(3.0, 3.1, 3.2)), write("b", started(9.0, 9.1, 9.2))
    found = verdicts(a, b)
    assert found["cold, imports, s"] == found["warm, to the first token, s"] == "worse"
    assert found["warm, weights, s"] == "within noise"


def test_the_command_shows_rows_and_says_what_it_left_out(write, capsys):
    a = write("a", table("gemm", gemm(64, 1.0, 0.01), gemm(128)))
    b = write("b", table("gemm", gemm(64, 2.0, 0.01), gemm(256), gemm(512), measured="another CPU"))
    assert main(["bench", "compare", a, b]) == 0
    out = capsys.readouterr().out
    assert "64 x 64 x 64 float32, tflops" in out and "2.000" in out and "1 better" in out
    assert "A was measured on a CPU, B on another CPU" in out
    assert "1 row of A and 2 of B have no like on the other side" in out
    assert "noise is what rounds differ by" in out and "--num-runs" not in out
    assert main(["bench", "compare", a, b, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [row["ratio"] for row in told["figures"]] == [2.0]


def test_results_of_different_kinds_or_without_a_common_row_are_refused(write, capsys):
    a, b = write("a", table("gemm", gemm())), write("b", table("memory", moved()))
    assert "a.json is of quire bench gemm and b.json of quire bench memory" in refused(capsys, a, b)
    assert "a.json is of quire bench gemm and b.json of quire bench memory" in refused(capsys, f"{a},{b}", a)
    load = write("load", {"output_throughput": 5.0})
    assert "a.json is of quire bench gemm and load.json is not" in refused(capsys, a, load)
    other = write("c", table("gemm", gemm(4096)))
    said = refused(capsys, a, other)
    assert "no row in common" in said and "64 x 64 x 64 float32" in said and "4096 x 4096" in said


@pytest.mark.parametrize(
    "told",
    [
        {"benchmark": "gemm", "rows": [{"m": 64, "tflops": 0.1}]},
        {"benchmark": "gemm", "rows": [gemm(tflops=float("nan"))]},
        {"benchmark": "gemm", "rows": [gemm() | {"spread": "wide"}]},
        {"benchmark": "gemm", "rows": [gemm() | {"tflops": True}]},
        {"benchmark": "memory", "rows": [moved() | {"bytes": "16M"}]},
        {"benchmark": "memory", "rows": 5},
        {"benchmark": "memory"},
        {"benchmark": "startup", "cold": {}},
        {"benchmark": "sweep", "points": [{}], "level": "x", "reading": []},
    ],
)
def test_a_table_that_makes_no_sense_is_one_line(told, write, capsys):
    path = write("odd", told)
    assert f"odd.json makes no sense as a result of quire bench {told['benchmark']}" in refused(
        capsys, path, path
    )


@pytest.mark.parametrize("noise", ["abc", None, -3, float("nan"), float("inf"), [1]])
def test_noise_that_makes_no_sense_is_not_known(noise, write):
    path = write("a", {"output_throughput": 5.0, "noise": {"output_throughput": noise}})
    assert verdicts(path, path) == {"output_throughput": "unknown"}


@pytest.mark.parametrize("runs", [[5], "abc", {"a": 1}, [[1, 2]]])
def test_runs_that_are_none_are_one_line(runs, write, capsys):
    path = write("a", {"output_throughput": 5.0, "runs": runs})
    assert "a.json makes no sense as a result" in refused(capsys, path, path)


def test_requests_that_are_no_number_give_no_noise(write):
    path = write("a", {"mean_ttft_ms": 5.0, "std_ttft_ms": 1.0, "completed": "many"})
    assert verdicts(path, path) == {"mean_ttft_ms": "unknown"}


def test_a_calibration_is_no_result(write, capsys):
    path = write("here", {"version": 1, "made": 1.7e9, "room": {}, "table": {}})
    assert "here.json is a calibration, for quire simulate" in refused(capsys, path, path)


def test_a_table_without_rows_holds_no_figures(write, capsys):
    path = write("empty", table("gemm"))
    assert "empty.json holds no figures" in refused(capsys, path, path)


def test_a_file_too_deep_to_read_is_no_result(write, capsys):
    path = write("deep", "[" * 100_000)
    assert "deep.json is no JSON: it is nested too deeply" in refused(capsys, path, path)


def test_sweeps_and_starts_of_other_things_are_told(write, capsys):
    a = write("a", swept(100.0) | {"workload": "prompts of 8 tokens", "model_id": "m"})
    b = write("b", swept(100.0) | {"workload": "prompts of 99 tokens", "model_id": "m"})
    assert main(["bench", "compare", a, b]) == 0
    assert "the loads differ in the workload: prompts of 8 tokens in A" in capsys.readouterr().out
    a, b = (write(name, started(3.0, 3.1) | {"model": name}) for name in ("small", "large"))
    assert main(["bench", "compare", a, b]) == 0
    assert "the loads differ in the model: small in A, large in B" in capsys.readouterr().out


def test_a_sweep_of_which_more_requests_fail_is_worse(write, capsys):
    a = write("a", swept(100.0) | {"sent": 30, "failed": 0})
    b = write("b", swept(200.0) | {"sent": 30, "failed": 6})
    assert main(["bench", "compare", a, b]) == 1
    assert "requests that failed: 0 of 30 in A, 6 of 30 in B" in capsys.readouterr().out
