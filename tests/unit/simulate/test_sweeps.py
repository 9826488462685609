"""Sweeps of a simulation by datasheet: each setting is planned as an engine would start with it."""

from __future__ import annotations

import json

import pytest
from tests.unit.simulate.traffic import setup

from quire.cli import main
from quire.simulate.cost import Table
from quire.simulate.fleet import simulate
from quire.simulate.plots import figure_of_run, plot_sweep
from quire.simulate.report import Tried, recommended, sweep_lines
from quire.simulate.traffic import Ask, Drawn

SMALL = ["simulate", "llama-3-8b", "--gpu", "L4", "--num-prompts", "40", "--json"]


def test_what_is_swept_is_planned_as_if_it_were_a_flag(capsys):
    """A larger budget takes memory, so fewer blocks are left and more is preempted."""
    assert main([*SMALL, "--sweep", "max_num_batched_tokens=2048,16384", "max_num_seqs=256"]) == 0
    swept = json.loads(capsys.readouterr().out)["sweep"]
    for one, tokens in zip(swept, ("2048", "16384"), strict=True):
        assert main([*SMALL, "--max-num-batched-tokens", tokens, "--max-num-seqs", "256"]) == 0
        alone = json.loads(capsys.readouterr().out)
        same = ("duration", "steps", "preemptions", "p99_itl_ms")
        assert [one[name] for name in same] == [alone[name] for name in same]


@pytest.mark.parametrize(
    ("swept", "said"),
    [
        (
            "max_model_len=4096,16384",
            "--sweep max_model_len=16384: max_model_len is 16,384 and the model has",
        ),
        ("num_gpu_blocks_override=600,1000000", "--sweep num_gpu_blocks_override=1000000: a KV cache of"),
        ("max_num_batched_tokens=4096,16", "--sweep max_num_batched_tokens=16 max_num_seqs=64: max_num"),
    ],
)
def test_settings_with_which_no_engine_starts_are_refused_before_the_first_run(swept, said, capsys):
    more = ["max_num_seqs=64"] if "batched" in swept else []
    assert main([*SMALL, "--sweep", swept, *more]) == 2
    assert said in capsys.readouterr().err


def test_a_sweep_keeps_the_layout_and_the_engines(capsys):
    more = ["--num-gpus", "4", "-tp", "2", "--engines", "3", "--sweep", "max_num_seqs=16,64"]
    assert main([*SMALL, *more]) == 0
    told = json.loads(capsys.readouterr().out)
    assert "3 engines of llama-3-8b on L4, --tensor-parallel-size 2" in told["simulated"]
    assert [one["engines"] for one in told["sweep"]] == [3, 3]


def test_flags_that_refuse_more_requests_are_not_recommended():
    tried = [
        Tried({"max_model_len": n}, {"output_throughput": fast, "p99_ttft_ms": 9.0, "refused": refused})
        for n, fast, refused in ((512, 900.0, 30), (4096, 500.0, 2), (8192, 490.0, 2))
    ]
    assert recommended(tried).settings == {"max_model_len": 4096}
    assert "refused" in sweep_lines(tried)[0]
    assert (
        "refused"
        not in sweep_lines([Tried({"max_num_seqs": 8}, {"output_throughput": 1.0, "refused": 0})])[0]
    )


def test_a_setting_that_answers_nobody_has_no_times_and_hides_no_columns(tmp_path, capsys):
    more = ["--input-len", "3000", "--max-num-seqs", "4", "--num-prompts", "4"]
    assert main([*SMALL[:3], "H100", *more, "--sweep", "max_model_len=1k,8k"]) == 0
    _, _, head, none, some, _ = capsys.readouterr().out.splitlines()
    assert "p50_ttft_ms" in head and none.split()[:4] == ["1000", "0.0", "–", "–"]
    assert some.split()[:2] == ["*", "8000"] and "–" not in some


def test_a_sweep_of_any_length_can_be_drawn(tmp_path):
    pytest.importorskip("matplotlib")
    figures = {"output_throughput": 5.0, "p50_ttft_ms": 3.0, "p99_ttft_ms": 4.0}
    tried = [Tried({"max_num_seqs": n}, figures) for n in range(1, 700)]
    plot_sweep(tried, tmp_path / "long.png", "a title")
    assert (tmp_path / "long.png").stat().st_size


def test_gaps_of_one_length_are_a_line(tmp_path):
    pytest.importorskip("matplotlib")
    one = [Ask(0.0, 8, 4, Drawn(0))]
    flat = setup(cost=Table([1, 64], [0.01, 0.01]))
    with figure_of_run(simulate(flat, one), "a title", {}) as figure:
        (line,) = (line for line in figure.axes[1].lines if line.get_label() == "between tokens")
        assert line.get_ydata().tolist()[0] == 0.0 and line.get_ydata().tolist()[-1] == 100.0
