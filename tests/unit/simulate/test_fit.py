"""Cost models from measured steps: a known one is found again, through noise and interruptions."""

from __future__ import annotations

import itertools
import json
import math
import random
from dataclasses import replace

import numpy as np
import pytest
from tests.unit.simulate.traffic import ROOM

from quire.errors import BadOption
from quire.simulate.calibrate import ANSWER, batches, compared
from quire.simulate.calibration import Calibration
from quire.simulate.cost import Table, Work
from quire.simulate.engine import chance_of
from quire.simulate.fit import Sample, fit
from quire.simulate.handling import Handling
from quire.simulate.measure import Samples
from quire.simulate.works import Works
from quire.types import Plan

TRUTH = Table(
    [1, 16, 256], [2e-3, 3e-3, 20e-3], rows=1e-5, samples=2e-5, context=2e-7, pairs=3e-8, prompt_context=1e-7
)


def steps(count: int, seed: int = 0) -> list[Work]:
    """Decodes, chunks, and both."""
    rng = random.Random(seed)
    out = []
    for _ in range(count):
        singles, chunks = rng.choice([(rng.randrange(1, 64), 0), (rng.randrange(30), rng.randrange(1, 5))])
        starts = [rng.randrange(1000) for _ in range(singles + chunks)]
        counts = [1] * singles + [rng.randrange(2, 60) for _ in range(chunks)]
        rows = np.arange(singles + chunks)
        samples = np.array([True] * singles + [rng.random() < 0.5 for _ in range(chunks)])
        out.append(Work.of(Plan(1, rows, np.array(starts, np.int32), np.array(counts, np.int32), samples)))
    return out


def test_work_is_what_a_plan_computes():
    rows, start, count = np.arange(3), np.array([10, 4, 0], np.int32), np.array([1, 3, 2], np.int32)
    work = Work.of(Plan(1, rows, start, count, np.array([True, False, True])))
    assert (work.tokens, work.rows, work.singles, work.samples, work.context) == (6, 3, 1, 2, 11)
    assert work.pairs == (5 + 6 + 7) + (1 + 2) and work.prompt_context == 7 + 2


def test_a_known_cost_is_found_again():
    learned = fit([Sample(work, TRUTH.seconds(work)) for work in steps(400)]).table
    errors = [learned.seconds(w) / TRUTH.seconds(w) - 1 for w in steps(200, seed=1)]
    assert np.abs(errors).max() < 0.03


def test_steps_of_single_tokens_may_cost_otherwise_than_prompts_of_as_many():
    truth = replace(TRUTH, single_knots=[1, 64], at_single_knots=[1e-3, 1.5e-3])
    learned = fit([Sample(work, truth.seconds(work)) for work in steps(400)]).table
    errors = [learned.seconds(w) / truth.seconds(w) - 1 for w in steps(200, seed=1)]
    assert np.abs(errors).max() < 0.03


def test_many_long_rows_may_cost_less_for_each_token_that_they_read():
    truth = replace(TRUTH, context=2e-7, beyond=1e-7, bend=8000)
    learned = fit([Sample(work, truth.seconds(work)) for work in steps(400)]).table
    assert learned.bend > 0 and learned.beyond < learned.context
    errors = [learned.seconds(w) / truth.seconds(w) - 1 for w in steps(200, seed=1)]
    assert np.abs(errors).max() < 0.06


def test_what_steps_took_together_teaches_as_much():
    works = steps(900)
    groups = [works[i : i + 1 + i % 3] for i in range(0, 897, 3)]
    together = [Sample(g[-1], sum(map(TRUTH.seconds, g)), tuple(g[:-1])) for g in groups]
    learned = fit(together).table
    errors = [learned.seconds(w) / TRUTH.seconds(w) - 1 for w in steps(200, seed=1)]
    assert np.abs(errors).max() < 0.05


def test_a_step_with_prompts_counts_with_the_one_before_where_steps_are_launched_ahead():
    single, prompt = Work(4, 4, 4, 40, 0.0, 0, 4, 0), Work(60, 5, 4, 40, 9.0, 9, 5, 1)
    ahead, waiting = Samples(), Samples()
    for samples, launched_ahead in ((ahead, True), (waiting, False)):
        for work, seconds in ((single, 5.0), (single, 23.0), (prompt, 1.0), (single, 4.0)):
            samples.add(work, seconds, True, launched_ahead)
        samples.add(single, 9.0, False, launched_ahead)  # requests ended
    assert [(s.seconds, len(s.more)) for s in ahead.made()] == [(5.0, 0), (24.0, 1), (4.0, 0)]
    assert [s.seconds for s in waiting.made()] == [5.0, 23.0, 1.0, 4.0]


def test_a_step_after_a_pause_counts_by_itself():
    samples, prompt = Samples(), Work(60, 5, 0, 0, 9.0, 9, 5, 5)
    samples.add(prompt, 2.0, False, True)  # its request ended
    samples.pause()
    samples.add(prompt, 3.0, True, True)
    assert [s.seconds for s in samples.made()] == [3.0]


def test_noise_and_interruptions_are_told_apart_from_cost():
    rng = random.Random(0)
    noisy = []
    for i, work in enumerate(steps(600)):
        factor = rng.gauss(1.0, 0.05) * (8.0 if i % 40 == 0 else 1.0)
        noisy.append(Sample(work, TRUTH.seconds(work) * factor))
    found = fit(noisy)
    errors = [found.table.seconds(w) / TRUTH.seconds(w) - 1 for w in steps(200, seed=1)]
    assert abs(np.median(errors)) < 0.03 and np.quantile(np.abs(errors), 0.9) < 0.06
    assert 12 <= found.held_up <= 25
    assert found.table.spread[100] == pytest.approx(1.0, abs=0.03)
    assert found.table.held_up == found.held_up / 600 and found.table.holds[100] > 0.01


def test_steps_that_were_ready_when_a_late_host_looked_tell_nothing():
    """The one before seems longer than it was, and such a one seems to take no time at all."""
    rng = random.Random(0)
    samples, ready = [], False
    for work in steps(150):
        for _ in range(8):  # one after the other in a batch, all alike
            took = TRUTH.seconds(work) * rng.gauss(1.0, 0.02)
            if ready:
                took *= rng.choice([0.01, 0.1, 0.4])
            elif rng.random() < 0.1:
                took *= rng.uniform(2.0, 6.0)
                samples.append(Sample(work, took))
                ready = True
                continue
            ready = False
            samples.append(Sample(work, took))
    found = fit(samples)
    errors = [found.table.seconds(w) / TRUTH.seconds(w) - 1 for w in steps(200, seed=1)]
    assert abs(np.median(errors)) < 0.03 and np.quantile(np.abs(errors), 0.9) < 0.06
    assert found.median_error < 0.03 and 60 <= found.held_up <= 180
    assert min(found.table.spread) > 0.45, "they are not how steps vary"


@pytest.mark.parametrize("lasting", [0.0, 0.9])
def test_a_machine_that_stays_slow_for_a_while_is_known_by_it(lasting: float):
    rng, level, noisy = random.Random(0), 0.0, []
    for work in steps(1500):
        level = lasting * level + rng.gauss(0.0, 0.1 * (1 - lasting**2) ** 0.5)
        noisy.append(Sample(work, TRUTH.seconds(work) * math.exp(level)))
    table = fit(noisy).table
    assert table.lasting == pytest.approx(0.9, abs=0.04) if lasting else table.lasting < 0.6
    drawn = np.log([factor for factor, _ in itertools.islice(chance_of(table, seed=1), 4000)])
    assert drawn.std() == pytest.approx(0.1, rel=0.25)
    assert np.corrcoef(drawn[:-5], drawn[5:])[0, 1] == pytest.approx(lasting**5, abs=0.12)


def test_nothing_costs_less_than_nothing_and_more_tokens_never_take_less():
    rng = random.Random(1)
    found = fit([Sample(work, 1e-3 * rng.uniform(0.5, 2)) for work in steps(100)]).table
    assert min(found.rows, found.context, found.pairs, found.samples) >= 0
    assert found.at_knots == sorted(found.at_knots)


def test_what_was_not_measured_grows_with_its_tokens():
    table = Table([2, 10], [1.0, 2.0])
    one = Work(1, 1, 1, 0, 0.0, 0, 1, 0)
    many = Work(40, 1, 0, 0, 0.0, 0, 1, 0)
    assert (table.seconds(one), table.seconds(many)) == (1.0, 8.0)


def test_too_few_steps_teach_nothing():
    with pytest.raises(BadOption, match="19 steps"):
        fit([Sample(work, 1.0) for work in steps(19)])


def test_a_calibration_is_read_as_it_was_written(tmp_path):
    path = tmp_path / "c.json"
    made = Calibration("m", "here", ROOM, TRUTH, Handling(1e-4, 3e-7, 2e-5))
    made.write(path)
    again = Calibration.read(path)
    assert (again.room, again.table, again.handling) == (ROOM, TRUTH, made.handling)
    told = json.loads(path.read_text())
    del told["handling"]
    path.write_text(json.dumps(told))
    with pytest.raises(BadOption, match="older Quire"):
        Calibration.read(path)
    path.write_text('{"version": 7}')
    with pytest.raises(BadOption, match="no calibration"):
        Calibration.read(path)


def test_an_older_calibration_is_read_unless_layers_have_windows(tmp_path):
    """What a step with windows reads was counted otherwise then."""
    path = tmp_path / "c.json"
    for windows, readable in (((None,), True), ((None, None), True), ((64, None), False)):
        Calibration("m", "here", replace(ROOM, windows=windows), TRUTH, version=1).write(path)
        if readable:
            assert Calibration.read(path).table == TRUTH
        else:
            with pytest.raises(BadOption, match=r"older Quire.* windows.*bench calibrate` again"):
                Calibration.read(path)


def test_windows_bound_what_rows_and_chunks_read():
    """A window of 8 in one of three layers: of 1, 6 and 20 tokens rows read 1, 6 and 8."""
    room = replace(ROOM, windows=(None, None, 8))
    start, count = np.array([0, 5, 19, 20], np.int32), np.array([1, 1, 1, 4], np.int32)
    work = Works(room).of(Plan(1, np.arange(4), start, count, np.ones(4, np.bool_)))
    assert work.context == pytest.approx((2 * (1 + 6 + 20) + 1 + 6 + 8) / 3)
    assert work.pairs == pytest.approx((2 * (21 + 22 + 23 + 24) + 4 * 8) / 3)
    assert work.prompt_context == pytest.approx((2 * 24 + 7 + 4) / 3)
    assert (work.tokens, work.rows, work.singles, work.samples) == (7, 4, 3, 4)


def test_batches_stay_within_the_room():
    room = replace(ROOM, rows=80, blocks=2000, budget=80)
    found = list(batches(room, 100))
    assert any(batch.joined for batch in found)
    for batch in found:
        assert batch.requests + batch.joined <= room.rows
        assert max(batch.prompt, batch.joined_prompt) <= 100


@pytest.mark.parametrize("max_len", [1, 2, 11, 12, 16, 40, 100])
def test_a_batch_is_never_longer_than_the_engine_reads_nor_without_an_answer(max_len: int):
    room = replace(ROOM, rows=80, blocks=2000, budget=80, max_len=max_len)
    for batch in batches(room, max(1, max_len - ANSWER - 1)):
        assert batch.answer > 0 and batch.prompt + batch.answer <= max_len
        assert not batch.joined or batch.joined_prompt + 2 <= max_len


def test_a_prediction_is_compared_by_its_share():
    names = dict.fromkeys(compared.__globals__["COMPARED"], 110.0)
    off = compared(names, dict.fromkeys(names, 100.0))["off"]
    assert all(value == pytest.approx(0.1) for value in off.values())


@pytest.mark.parametrize(
    ("part", "name", "value", "said"),
    [
        ("room", "rows", 0, "rows is 0"),
        ("room", "rows", 2.5, "rows is 2.5"),
        ("room", "max_len", -1, "max_len is -1"),
        ("room", "block_tokens", "a", "block_tokens is 'a'"),
        ("room", "blocks", 10**9, "blocks is 1000000000"),
        ("room", "policy", "foo", "policy is 'foo'"),
        ("room", "windows", "x", "windows is"),
        ("room", "windows", [0], "windows is"),
        ("room", "windows", [], "windows is"),
        ("handling", "add_s", math.nan, "add_s is nan"),
        ("handling", "end_s", -1.0, "end_s is -1.0"),
        ("", "reply_s", "x", "reply_s is 'x'"),
        ("", "front_s", -5, "front_s is -5"),
        ("table", "at_knots", [1e308], "at_knots is"),
        ("table", "at_knots", [math.nan], "at_knots is"),
        ("table", "at_knots", [-1.0], "do not belong together"),
        ("table", "knots", [], "do not belong together"),
        ("table", "spread", [], "no steps"),
        ("table", "spread", None, "spread is None"),
        ("table", "rows", -1, r"table\.rows is -1 and must be 0 to 86,400"),
        ("table", "context", -1e-9, r"table\.context is -1e-09 and must be 0 to"),
        ("table", "pairs", 1e8, r"table\.pairs is 100000000\.0 and must be 0 to 86,400"),
        ("table", "holds", [-1], r"table\.holds is \[-1\] and must be 0 to 86,400"),
        ("table", "holds", [], "no steps"),
        ("table", "spread", [0.5, 0], r"table\.spread is \[0\.5, 0\] and must be above 0"),
        ("table", "lasting", 1.5, r"table\.lasting is 1\.5 and must be 0 to 1"),
        ("table", "held_up", 2, r"table\.held_up is 2 and must be 0 to 1"),
        ("table", "bend", -3, r"table\.bend is -3 and must be 0 to"),
        ("table", "rows", True, "rows is True"),
        ("table", "knots", [0, 16, 256], r"table\.knots is \[0, 16, 256\] and must be 1 to"),
        ("table", "at_knots", [2e-3, 0, 20e-3], r"table\.at_knots is .* and must be above 0"),
        ("room", "blocks", 0, r"room\.blocks is 0 and must be a whole number from 1 to 268,435,455"),
        ("room", "shared", -1, r"room\.shared is -1 and must be a whole number from 0 to"),
        ("room", "chunked", "yes", r"room\.chunked is 'yes' and must be true or false"),
        ("handling", "end_s", 1e6, r"handling\.end_s is 1000000\.0 and must be 0 to 86,400 seconds"),
    ],
)
def test_a_calibration_that_makes_no_sense_is_refused(part, name, value, said, tmp_path):
    path = tmp_path / "c.json"
    Calibration("m", "here", ROOM, TRUTH).write(path)
    told = json.loads(path.read_text())
    (told[part] if part else told)[name] = value
    path.write_text(json.dumps(told))
    with pytest.raises(BadOption, match=f"c.json makes no sense.*{said}"):
        Calibration.read(path)
