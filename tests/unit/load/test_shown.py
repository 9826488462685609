"""Charts in the terminal and plots in files."""

from __future__ import annotations

import itertools
import warnings
from array import array
from pathlib import Path

import numpy as np
import pytest

from quire.cli import main
from quire.cli.bench_sweep import sweep
from quire.errors import BadOption
from quire.tools.load import chart, plot
from quire.tools.load.compare import Row
from quire.tools.load.drive import Record
from quire.tools.load.sweep import Point, Swept


def test_a_bar_is_as_long_as_its_share():
    assert chart.bar(0.5, 10) == "█████"
    assert chart.bar(0.01, 10) == "▏"  # something is not nothing
    assert chart.bar(0, 10) == ""
    lines = list(chart.bars([("a", 1, "1"), ("long", 4, "4")], width=30))
    assert [line.count("█") for line in lines] == [5, 21] and {len(line) for line in lines} == {30}


def test_a_histogram_counts_everything_once():
    values = np.array([1.0, 2.0, 4.0, 8.0, 100.0, 100.0])
    lines = list(chart.histogram(values, bins=4, width=60))
    assert sum(int(line.split()[-1]) for line in lines) == 6 and len(lines) == 4
    assert list(chart.histogram(np.array([3.0]), width=60)) != []


def test_stacks_say_which_shade_is_what():
    lines = list(chart.stacks({"cold": {"imports": 3, "weights": 1}, "warm": {"imports": 2}}, width=60))
    assert "4.00 s" in lines[0] and "2.00 s" in lines[1]
    assert "█ imports" in lines[2] and "▓ weights" in lines[2]


def run() -> list[Record]:
    return [
        Record(i / 9, i / 9, i / 9 + 1, array("d", [i / 9 + 0.1 * k for k in range(1, 6)]), 10 + i, 5)
        for i in range(9)
    ]


SWEPT = Swept(
    "requests at once",
    [Point(1, 100, 10), Point(2, 180, 11)],
    "",
    [{"memory": 0.004, "arithmetic": 0.001}, {"memory": 0.004, "arithmetic": 0.002}],
)
ROWS = [Row("mean_ttft_ms", 2.0, 1.0, 0.1, "better"), Row("output_throughput", 2.0, 1.0, None, "unknown")]
DRAWINGS = {
    "load": lambda path: plot.load(run(), "a title", path),
    "swept": lambda path: plot.swept(SWEPT, "a title", path),
    "compared": lambda path: plot.compared(ROWS, ("a.json", "b.json"), path),
    "starts": lambda path: plot.starts({"cold": {"imports": 1.0}, "warm": {"imports": 0.5}}, "t", path),
    "batches": lambda path: plot.batches([0.1, 0.2], "a title", path),
    "requests": lambda path: plot.requests([(10, 5, 0.1, 0.4), (20, 1, 0.2, 0.2)], "a title", path),
}


@pytest.mark.parametrize("name", DRAWINGS)
def test_every_plot_can_be_drawn(name: str, tmp_path: Path):
    pytest.importorskip("matplotlib", reason="plots are an extra: pip install 'quire[plot]'")
    suffix = "svg" if name == "load" else "png"
    path = tmp_path / f"{name}.{suffix}"
    DRAWINGS[name](path)
    begins = path.read_bytes()[:400]
    assert begins.startswith(b"\x89PNG") or b"<svg" in begins


def run_of(tokens: int, spread: float, unseen: int = 0) -> list[Record]:
    """Forty requests whose times differ by this share of themselves, at most."""
    out = []
    for i in range(40):
        first = i / 20 + 0.102 * (1 + spread * i / 40)
        times = array("d", [first + 0.02 * k for k in range(tokens)])
        out.append(Record(i / 20, i / 20, times[-1] + 0.001, times, 10, tokens, unseen=unseen))
    return out


@pytest.mark.parametrize("tokens", [1, 2, 20])
@pytest.mark.parametrize("spread", [0.0, 0.003, 0.3, 5.0, 100.0])
def test_labels_of_an_axis_differ_and_do_not_touch(tokens: int, spread: float, monkeypatch, tmp_path: Path):
    pytest.importorskip("matplotlib", reason="plots are an extra: pip install 'quire[plot]'")
    figures = []
    monkeypatch.setattr(plot, "_save", lambda figure, path: figures.append(figure))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        plot.load(run_of(tokens, spread), "a title", tmp_path / "a.png")
        figures[0].canvas.draw()
    for axis in figures[0].axes[:2]:
        if not axis.axison:
            assert tokens == 1 and "one token" in axis.texts[0].get_text()
            continue
        labels = [tick.label1 for tick in axis.xaxis.get_major_ticks() if tick.label1.get_text()]
        boxes = [label.get_window_extent() for label in labels]
        assert 3 <= len({label.get_text() for label in labels}) == len(labels)
        assert all(a.x1 + 5 < b.x0 for a, b in itertools.pairwise(boxes))
    firsts = figures[0].axes[3]
    assert firsts.get_ylim()[1] > 1.05e3 * max(r.ttft_s for r in run_of(tokens, spread))


def test_a_run_that_knows_no_first_token_is_drawn(tmp_path: Path):
    pytest.importorskip("matplotlib", reason="plots are an extra: pip install 'quire[plot]'")
    plot.load(run_of(2, 0.1, unseen=1), "a title", tmp_path / "a.png")
    assert (tmp_path / "a.png").exists()


def test_a_plot_that_cannot_be_drawn_is_refused_before_anything_is_measured(tmp_path: Path, monkeypatch):
    with pytest.raises(BadOption, match=r"\.png or \.svg"):
        plot.check("result.pdf")
    with pytest.raises(BadOption, match="no folder"):
        plot.check(tmp_path / "none" / "a.png")
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(BadOption, match=r"quire\[plot\]"):
        plot.check(tmp_path / "a.png")


def test_results_are_compared_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    for name, value in (("a", 100.0), ("b", 130.0)):
        (tmp_path / f"{name}.json").write_text(
            f'{{"output_throughput": {value}, "noise": {{"output_throughput": 2.0}}}}'
        )
    assert main(["bench", "compare", str(tmp_path / "a.json"), str(tmp_path / "b.json")]) == 0
    out = capsys.readouterr().out
    assert "1.300" in out and "1 better" in out
    assert main(["bench", "compare", str(tmp_path / "a.json"), str(tmp_path / "none.json")]) == 2


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        (["--goodput", "ttft:200", "tpot:50", "MODEL"], (("ttft:200", "tpot:50"), "MODEL")),
        (["--goodput", "ttft:200", "--goodput", "tpot:50"], (("ttft:200", "tpot:50"), None)),
        (["--goodput=tpot:9", "MODEL", "--json"], (("tpot:9",), "MODEL")),
    ],
)
def test_an_option_may_take_several_words_and_leaves_the_others(typed: list[str], read: tuple[object, ...]):
    context = sweep.make_context("sweep", typed)
    assert (context.params["goodput"], context.params["model_here"]) == read


def test_an_option_of_several_words_wants_at_least_one(capsys: pytest.CaptureFixture[str]):
    assert main(["bench", "serve", "--goodput", "--json"]) == 2
    assert "--goodput" in capsys.readouterr().err
