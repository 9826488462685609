"""Numbers of several processes: they add up, and never go backwards."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from quire.config import EngineConfig
from quire.server.metrics import Metrics
from quire.server.metrics_page import page_of
from quire.server.numbers import NAME, Counter, Gauge, Histogram, Sheet, Tally, Totals

OTHER = """
import sys, time
from pathlib import Path
from quire.server.numbers import *
count, open_, times, names = Counter(), Gauge(), Histogram([0.1, 1.0]), Tally(8)
sheet = Sheet([count, open_, times, names], Path(sys.argv[1]))
count.add(5); open_.add(3); times.observe(0.05); times.observe(2.0); names.add("here"); names.add("there", 2)
print("ready", flush=True)
time.sleep(60)
"""


def another(folder: Path) -> subprocess.Popen[str]:
    process = subprocess.Popen([sys.executable, "-c", OTHER, str(folder)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None and process.stdout.readline() == "ready\n"
    return process


def parts(folder: Path | None = None) -> tuple[Counter, Gauge, Histogram, Tally, Sheet]:
    count, gauge, histogram, tally = Counter(), Gauge(), Histogram([0.1, 1.0]), Tally(8)
    return count, gauge, histogram, tally, Sheet([count, gauge, histogram, tally], folder)


def test_a_sum_is_that_of_all_processes_also_of_one_that_was_killed(tmp_path):
    count, gauge, histogram, tally, sheet = parts(tmp_path)
    count.add(2)
    gauge.add(1)
    histogram.observe(0.5)
    tally.add("here")
    process = another(tmp_path)
    try:
        reading = sheet.read()
        assert reading.sum(count) == 7 and reading.sum(gauge) == 4
        assert reading.sums(histogram) == [1, 1, 1, pytest.approx(2.55)]
        assert reading.named(tally) == {"here": 2, "there": 2}
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
    reading = sheet.read()
    assert reading.sum(count) == 7, "what it counted is still true"
    assert reading.sum(gauge) == 1, "what it had open is not open any more"


def test_files_of_numbers_are_private(tmp_path):
    parts(tmp_path)
    (file,) = tmp_path.iterdir()
    assert file.stat().st_mode & 0o777 == 0o600


def test_a_process_alone_needs_no_folder():
    count, _, _, _, sheet = parts()
    count.add(3)
    assert sheet.read().sum(count) == 3


def test_a_tally_with_too_many_names_counts_the_rest_together():
    tally = Tally(4)
    sheet = Sheet([tally], None)
    for i in range(10):
        tally.add(f"name {i}")
    tally.add("x" * 500)
    found = sheet.read().named(tally)
    assert sum(found.values()) == 11 and len(found) == 4
    assert found["other"] == 8 and max(map(len, found)) <= NAME


def test_an_engines_counters_go_on_where_its_predecessor_ended(tmp_path):
    """Two front ends look at different times, and at a new engine in any order."""
    first, second = Totals(1), Totals(1)
    sheets = [Sheet([first], tmp_path), Sheet([second], tmp_path)]
    shown = []

    def look(which: int, generation: int, value: float) -> None:
        part, sheet = (first, second)[which], sheets[which]
        part.note(generation, [value], sheet.read().sheets(part))
        shown.append(part.values(sheet.read().sheets(part))[0])

    look(0, 1, 90)
    look(1, 1, 100)
    look(0, 1, 95)  # what it heard is older
    look(0, 2, 7)  # a new engine has counted to 7
    look(1, 2, 9)
    look(1, 1, 100)  # news of the dead engine, late
    look(0, 3, 0)
    assert shown == [90, 100, 100, 107, 109, 109, 109]


def test_a_front_end_that_starts_late_knows_what_earlier_engines_counted(tmp_path):
    early, late = Totals(2), Totals(2)
    a = Sheet([early], tmp_path)
    early.note(1, [50, 5], a.read().sheets(early))
    early.note(2, [10, 1], a.read().sheets(early))
    b = Sheet([late], tmp_path)
    late.note(2, [11, 1], b.read().sheets(late))
    assert late.values(b.read().sheets(late)) == [61, 6]


def metrics_line(text: bytes, name: str) -> float:
    (line,) = [line for line in text.decode().splitlines() if line.startswith(name + "{")]
    return float(line.rpartition(" ")[2])


def test_metrics_do_not_go_backwards_when_the_engine_is_replaced():
    metrics = Metrics("m", EngineConfig)
    dead = {"state": "restarting", "generation": 1, "stalled": 0.0}
    counters = {
        "steps": 40,
        "preemptions": 3,
        "prompt_tokens": 100,
        "cached_tokens": 60,
        "computed_tokens": 90,
    }
    sizes = [1, 2, *[0] * 16]
    shown = []
    for status in (
        {"state": "ready", "generation": 1, "stalled": 0.0, "counters": counters, "step_tokens": sizes},
        dead,
        {"state": "ready", "generation": 2, "stalled": 0.0, "counters": {"steps": 1}, "step_tokens": [1]},
    ):
        metrics.look(status)
        text = page_of(metrics, status, 0.0)
        shown.append(
            [metrics_line(text, n) for n in ("quire:engine_steps_total", "vllm:iteration_tokens_total_count")]
        )
        assert metrics_line(text, "vllm:num_preemptions_total") == 3
        assert metrics_line(text, "vllm:prefix_cache_hits_total") == 60
        assert metrics_line(text, "quire:engine_restarts_total") == status["generation"] - 1
        assert metrics_line(text, "quire:engine_ready") == (status is not dead)
    assert shown == [[40, 3], [40, 3], [41, 4]]


@pytest.mark.long  # it measures time
def test_an_observation_takes_about_a_microsecond():
    histogram = Histogram([0.001 * 2**i for i in range(20)])
    Sheet([histogram], None)
    best = min(_seconds(histogram) for _ in range(20))
    assert best / 1000 < 5e-6


def _seconds(histogram: Histogram) -> float:
    started = time.perf_counter()
    for _ in range(1000):
        histogram.observe(0.03)
    return time.perf_counter() - started


def test_the_file_of_a_process_has_its_number(tmp_path):
    parts(tmp_path)
    assert [f.name.split("-")[1] for f in tmp_path.iterdir()] == [str(os.getpid())]
