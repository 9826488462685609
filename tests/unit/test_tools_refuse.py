"""Tools that measure and predict: what cannot be meant is one clear line, before anything is begun."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.unit.simulate.traffic import COST, ROOM, asks

from quire.cli import main
from quire.cli.bench_sweep import _levels, _until_saturated
from quire.errors import BadOption
from quire.simulate.calibrate import way_s
from quire.simulate.calibration import Calibration
from quire.tools.load.sweep import Point

LLAMA = ("simulate", "llama-3-8b", "--gpu", "H100", "--num-prompts", "2")
SWEEP = ("bench", "sweep", "--base-url", "http://localhost:1")


def refused(capsys: pytest.CaptureFixture[str], *args: str) -> str:
    assert main(list(args)) == 2
    err = capsys.readouterr().err
    assert err.startswith("error: ") and err.count("\n") == 1
    return err


@pytest.mark.parametrize(
    "args",
    [
        ("bench", "gemm", "--device", "cpu", "--seconds", "nan"),
        ("bench", "memory", "--device", "cpu", "--seconds", "nan"),
        ("bench", "p2p", "--seconds", "nan"),
        ("bench", "allreduce", "--device", "cpu", "--seconds", "nan"),
        ("bench", "allreduce", "--device", "cpu", "--time-limit", "nan"),
        ("bench", "serve", "--request-timeout", "nan"),
        ("bench", "serve", "--ready-check-timeout-sec", "nan"),
        ("bench", "serve", "--trace-speed", "nan"),
        ("bench", "serve", "--random-range-ratio", "nan"),
        ("bench", "serve", "--temperature", "nan"),
        ("bench", "serve", "--temperature", "-1"),
        ("bench", "throughput", "--random-range-ratio", "nan"),
        ("plan", "llama-3-8b", "--gpu", "H100", "--price-per-hour", "nan"),
        ("plan", "llama-3-8b", "--gpu", "H100", "--price-per-hour", "inf"),
        ("plan", "llama-3-8b", "--gpu", "H100", "--price-per-hour", "-1"),
        (*LLAMA, "--trace-speed", "nan"),
        ("replay", "pyproject.toml", "--speed", "nan"),
    ],
    ids=lambda args: " ".join(args[-4:]),
)
def test_what_is_no_number_is_refused_by_name(args, capsys):
    assert args[-2] in refused(capsys, *args)


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("bench", "gemm", "--size", "1048576", "--device", "cpu"), "no room here"),
        (("bench", "memory", "--size", "99999T", "--device", "cpu"), "99999T is more than"),
        (("bench", "latency", "--batch-size", "99999999"), "1<=x<=65536"),
        ((*LLAMA, "--prefix-len", "99999"), "lower --prefix-len, --input-len or --output-len"),
        (("simulate", "nonesuch", "--gpu", "H100"), "`quire plan --list` names them"),
        ((*LLAMA, "--sweep", "max_num_seqs=a"), "max_num_seqs is 'a' and must be a whole number"),
        ((*LLAMA, "--sweep", "request_rate=a"), "request_rate is 'a' and must be a number"),
        ((*LLAMA, "--sweep", "data_parallel_size=0"), "data_parallel_size is 0 and must be 1 to 10,000"),
        ((*LLAMA, "--sweep", "max_concurrency=0"), "max_concurrency is 0 and must be 1 to"),
        ((*LLAMA, "--sweep", "max_num_seqs="), "--sweep has 'max_num_seqs='; say NAME=VALUE"),
        ((*LLAMA, "--request-rate", "1e-300"), "--request-rate is 1e-300, fewer than one request in a year"),
        (("bench", "serve", "--request-rate", "3e-8"), "a year; say 3.2e-08 or more"),
        ((*LLAMA, "--sweep", "request_rate=2,1e-9"), "request_rate is 1e-09, fewer than one request"),
        ((*LLAMA, "--sweep", "request_rate=2,0"), "request_rate is 0 and must be above 0"),
        ((*SWEEP, "--sweep-rates", "--levels", "1,1e-9"), "a level is 1e-09, fewer than one request"),
        ((*LLAMA, "--trace-speed", "1e-300"), "x>=1e-06"),
        (("bench", "serve", "--trace-speed", "1e-300"), "x>=1e-06"),
        (("replay", "pyproject.toml", "--speed", "1e-300"), "x>=1e-06"),
        ((*LLAMA, "--goodput", "ttft:-5"), "--goodput has 'ttft:-5'; the limit must be above 0"),
        ((*LLAMA, "--goodput", "ttf:5"), "did you mean 'ttft'?"),
    ],
    ids=str,
)
def test_a_refusal_says_what_is_wrong(args, said, capsys):
    assert said in refused(capsys, *args)


@pytest.mark.parametrize("given", ["[1]", "5", '"a"'])
def test_more_fields_of_a_request_are_an_object(given, capsys):
    assert "must be a JSON object" in refused(capsys, "bench", "serve", "--extra-body", given)


def test_who_interrupts_a_measurement_is_told_that_nothing_is_kept(capsys, monkeypatch):
    def interrupt(*given: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("quire.tools.probes.gemm.products", interrupt)
    assert main(["bench", "gemm", "--device", "cpu"]) == 130
    assert "interrupted; nothing of what was measured is kept" in capsys.readouterr().err


def test_a_refusal_is_a_sentence_of_its_own_before_the_way_to_more_help(capsys):
    err = refused(capsys, *LLAMA, "--input-len", "nine")
    assert err.endswith("zipf:1.2:4096. See quire simulate --help.\n")


def test_a_sweep_may_say_4k(capsys):
    assert main([*LLAMA, "--sweep", "max_num_batched_tokens=4k,8K"]) == 0
    assert "8192" in capsys.readouterr().out.replace(",", "")


def test_a_value_that_is_swept_twice_is_tried_once(capsys):
    given = ["--sweep", "max_num_batched_tokens=8k,4k,8000,4k", "enable_prefix_caching=on,true"]
    assert main([*LLAMA, *given, "--json"]) == 0
    tried = json.loads(capsys.readouterr().out)["sweep"]
    assert [one["max_num_batched_tokens"] for one in tried] == [8000, 4000]


def test_a_level_that_is_said_twice_is_measured_once():
    assert _levels("4,1,4.0,1", 8, whole=True) == [1.0, 4.0]


def test_a_trace_of_which_nothing_fits_predicts_nothing(tmp_path, capsys):
    trace, plot = tmp_path / "t.jsonl", str(tmp_path / "p.png")
    trace.write_text('{"at_s": 0, "prompt_tokens": 99999, "output_tokens": 3}\n')
    for more in ([], ["--plot", plot], ["--sweep", "max_num_seqs=4,8"]):
        err = refused(capsys, "simulate", "llama-3-8b", "--gpu", "H100", "--trace", str(trace), *more)
        assert "none of the 1 requests fits" in err


@pytest.mark.parametrize("at", ["1e308", "NaN", "-1e300"])
def test_a_trace_has_times_that_a_clock_can_show(at, tmp_path, capsys):
    trace = tmp_path / "t.jsonl"
    line = '{"at_s": %s, "prompt_tokens": 5, "output_tokens": 3}\n'
    trace.write_text(line % "0" + line % at)
    err = refused(capsys, "simulate", "llama-3-8b", "--gpu", "H100", "--trace", str(trace))
    assert "line 2" in err and "at_s is" in err


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ('{"tflops": {"bfloat16": 0}}', "bfloat16 of H100 is 0"),
        ('{"memory_gib": 0}', "memory_gib of H100 is 0"),
        ('{"memory_gib": 1e400}', "memory_gib of H100 is inf"),
        ('{"bandwidth_gb_s": -1}', "bandwidth_gb_s of H100 is -1"),
    ],
)
def test_a_device_of_ones_own_has_figures_above_zero(entry, said, tmp_path, capsys):
    table = tmp_path / "h.json"
    table.write_text(f'{{"H100": {entry}}}')
    assert said in refused(capsys, "plan", "llama-3-8b", "--hardware", str(table), "--gpu", "H100")


@pytest.mark.parametrize("command", ["plan", "simulate"])
@pytest.mark.parametrize("kind", ["gpu", "cpu"])
def test_a_device_of_ones_own_needs_memory_from_somewhere(command, kind, tmp_path, capsys):
    table = tmp_path / "h.json"
    table.write_text(f'{{"X": {{"kind": "{kind}", "bandwidth_gb_s": 100, "tflops": 1}}}}')
    words = [command, "qwen3-0.6b", "--hardware", str(table), f"--{kind}", "X"]
    words += ["--num-prompts", "2"] if command == "simulate" else []
    assert "nobody says how much memory X has; give --gpu-memory" in refused(capsys, *words)
    assert main([*words, "--gpu-memory", "40"]) == 0


@pytest.mark.parametrize("flag", ["--request-rate", "--burstiness", "--input-len", "--output-len",
                                  "--prefix-len", "--num-prefixes"])  # fmt: skip
def test_flags_of_drawn_requests_are_refused_beside_a_trace(flag, tmp_path, capsys):
    said = refused(capsys, *LLAMA[:-2], "--trace", _trace(tmp_path), flag, "1")
    assert f"{flag} is of requests that are drawn, and --trace has its own" in said


def test_a_simulation_takes_the_first_requests_of_a_trace(tmp_path, capsys):
    for more, completed in ((), 3), (("--num-prompts", "2"), 2):
        assert main([*LLAMA[:-2], "--trace", _trace(tmp_path), *more, "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["completed"] == completed


@pytest.mark.parametrize(
    ("args", "said"),
    [
        ((*LLAMA, "--trace-speed", "2"), "--trace-speed says how fast a trace is repeated"),
        ((*LLAMA, "--num-prefixes", "4"), "--num-prefixes are beginnings of --prefix-len tokens"),
        (("bench", "throughput", "--num-prefixes", "4"), "--num-prefixes are beginnings"),
        (("bench", "serve", "--trace-speed", "2"), "--trace-speed is for --dataset-name trace"),
        (("replay", "pyproject.toml", "--speed", "2"), "--speed is for sending; give --base-url"),
        (("replay", "pyproject.toml", "--num-prompts", "2"), "--num-prompts is for sending"),
    ],
)
def test_flags_that_would_change_nothing_are_refused(args, said, capsys):
    assert said in refused(capsys, *args)


@pytest.mark.parametrize("flag", ["--request-rate", "--burstiness"])
def test_a_load_that_repeats_a_trace_has_no_rate(flag, tmp_path, capsys):
    given = ["--dataset-name", "trace", "--dataset-path", _trace(tmp_path), flag, "100"]
    assert f"{flag} is not used with a trace" in refused(capsys, "bench", "serve", *given)


@pytest.mark.parametrize(
    ("quiet", "disable"), [(True, True), (False, None)], ids=["--disable-tqdm", "in a file"]
)
def test_a_sweep_draws_no_bar_where_none_is_wanted(quiet, disable, monkeypatch):
    """tqdm draws none outside a terminal if `disable` is None."""
    asked: list[object] = []

    def bar(levels, **how):
        asked.append(how["disable"])
        return levels

    monkeypatch.setattr("tqdm.tqdm", bar)
    points, _ = _until_saturated("a level", [1.0, 2.0], lambda level: Point(level, level, 1.0), quiet)
    assert len(points) == 2 and asked == [disable]


def test_a_clients_result_of_other_requests_is_refused(tmp_path):
    path = tmp_path / "pr.json"
    path.write_text('{"median_ttft_ms": 20.0, "completed": 20}')
    with pytest.raises(BadOption, match="is of 20 requests and the record has 1,542"):
        way_s(Calibration("tiny", "a test", ROOM, COST), asks(1542), path)
    assert way_s(Calibration("tiny", "a test", ROOM, COST), asks(21), path) >= 0.0


def _trace(folder: Path) -> str:
    path = folder / "t.jsonl"
    row = '{"at_s": 0.5, "prompt_tokens": 90, "output_tokens": 12}\n'
    path.write_text(3 * row)
    return str(path)


def test_more_ranks_than_memory_holds_are_refused_before_they_start(capsys, monkeypatch):
    monkeypatch.setattr("quire.tools.probes.allreduce.sums", lambda *asked: pytest.fail("they start"))
    said = ["bench", "allreduce", "--ranks", "1000", "--device", "cpu", "--max-bytes", "64G"]
    assert main(said) == 2
    assert "1,000 ranks are as many processes, of 128.15 GiB or more each" in capsys.readouterr().err
