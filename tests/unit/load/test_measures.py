"""What a run comes to, how noisy that is, and what a sweep proposes."""

from __future__ import annotations

import json
from array import array
from pathlib import Path

import numpy as np
import pytest

from quire.errors import BadOption
from quire.tools.load.compare import Result, compare, read_result
from quire.tools.load.dialects import Completions
from quire.tools.load.drive import Listener, Record
from quire.tools.load.measures import (
    client_lines,
    figures,
    mean_open,
    metrics_of,
    percentiles_of,
    promises_of,
)
from quire.tools.load.noise import between, within
from quire.tools.load.sweep import Point, Swept, advise, saturated


def record(sent: float, first: float, gap: float, tokens: int, error: str = "") -> Record:
    times = array("d", [sent + first + gap * i for i in range(tokens)])
    return Record(sent, sent, times[-1] + 0.001, times, 10, tokens, 2, error)


def test_figures_are_what_vllm_means_by_their_names():
    told = figures([record(0, 0.1, 0.02, 11), record(1, 0.3, 0.04, 11)], percentiles=[50, 99.9])
    assert told["mean_ttft_ms"] == pytest.approx(200)
    assert told["mean_tpot_ms"] == pytest.approx(30)
    assert told["mean_e2el_ms"] == pytest.approx((300 + 700) / 2)
    assert told["duration"] == pytest.approx(1.701)
    assert told["output_throughput"] == pytest.approx(22 / 1.701)
    assert told["total_token_throughput"] == pytest.approx(42 / 1.701)
    assert told["p99.9_itl_ms"] == pytest.approx(40, rel=0.01)
    assert (told["total_input_tokens"], told["cached_input_tokens"]) == (20, 4)
    assert told["max_concurrent_requests"] == 1


def test_requests_that_failed_count_as_failed_and_nowhere_else():
    told = figures([record(0, 0.1, 0.02, 5), record(0, 9, 9, 5, error="lost")])
    assert (told["completed"], told["failed"], told["total_output_tokens"]) == (1, 1, 5)
    assert told["p99_ttft_ms"] == pytest.approx(100)


def test_goodput_counts_who_keeps_every_promise():
    records = [record(0, 0.1, 0.02, 5), record(0, 0.3, 0.02, 5), record(0, 0.1, 0.09, 5)]
    told = figures(records, promises=promises_of(["ttft:200", "tpot:50"]))
    assert told["request_goodput"] == pytest.approx(1 / told["duration"])


NEWS = b'data: {"choices": [{"text": "a", "finish_reason": null}]}\n\n'


def heard(*reads: tuple[int, float, bool]) -> Record:
    """What comes of an answer: how many events each read brought, when, and whether they had waited."""
    record = Record(0.0)
    listener = Listener(record, Completions("m"), 0.0)
    for events, at, waited in reads:
        listener(NEWS * events, at, waited)
    record.output_tokens, record.ended_s = len(record.times), record.times[-1]
    return record


def test_a_first_token_that_waited_with_others_is_not_blamed_on_the_server():
    """The client stood still from 0.09 to 0.19 s: tokens of 0.1 to 0.18 s are read as one."""
    late = heard((5, 0.18, True), (1, 0.2, False), (1, 0.22, False))
    told = figures([late, *(heard((1, 0.1, False), (1, 0.12, False)) for _ in range(3))])
    assert told["unknown_ttft"] == 1 and told["completed"] == 4
    assert told["p99_ttft_ms"] == pytest.approx(100)
    assert [told["p99_tpot_ms"], told["p99_itl_ms"]] == pytest.approx([20, 20])
    assert told["p99_e2el_ms"] > 200  # the last token's time is known
    assert late.gaps_s == pytest.approx([0.02, 0.02])


def test_what_waited_alone_or_after_others_has_times():
    alone = heard((1, 0.1, True), (3, 0.16, True))
    assert not alone.unseen and list(alone.times) == pytest.approx([0.1, 0.12, 0.14, 0.16])
    at_once = heard((2, 0.1, False), (1, 0.2, False))  # as the server sent them
    assert not at_once.unseen and at_once.ttft_s == pytest.approx(0.1)


def test_a_run_that_knows_no_first_token_has_no_such_figures():
    told = figures([heard((5, 0.18, True))])
    assert told["unknown_ttft"] == 1 and "mean_ttft_ms" not in told and "mean_tpot_ms" not in told


def test_goodput_judges_who_is_known():
    late, good, bad = heard((5, 0.18, True)), heard((1, 0.1, False)), heard((1, 0.3, False))
    told = figures([late, good, bad], promises=promises_of(["ttft:200"]))
    assert told["request_goodput"] == pytest.approx(0.5 * told["request_throughput"])


def test_how_many_first_tokens_are_unknown_is_told():
    client = {f"{k}_{n}_lag_ms": 1.0 for k in ("median", "p99", "max") for n in ("read", "sent")}
    lines = client_lines({"arrival_times": "kernel", **client}, 20.0, 3)
    assert "3 requests" in lines[-1] and "not in ttft" in lines[-1]
    assert len(client_lines({"arrival_times": "kernel", **client}, 20.0)) == 2


@pytest.mark.parametrize("wrong", ["ttft", "ttft:x", "itl:5", "tpot:-1"])
def test_a_wrong_promise_is_refused(wrong: str):
    with pytest.raises(BadOption, match="--goodput"):
        promises_of([wrong])


def test_wrong_names_and_percentiles_are_refused():
    assert metrics_of("ttft, itl") == ["ttft", "itl"] and percentiles_of("50,99.9") == [50, 99.9]
    with pytest.raises(BadOption, match="did you mean 'ttft'"):
        metrics_of("tttf")
    with pytest.raises(BadOption, match="0 to 100"):
        percentiles_of("101")


def random_run(seed: int, scale: float = 1.0) -> list[Record]:
    rng = np.random.default_rng(seed)
    return [record(0.05 * i, scale * rng.lognormal(-2, 0.4), scale * 0.01, 8) for i in range(200)]


def test_the_noise_of_one_run_is_that_of_many():
    """The error that a single run tells of its figures is the spread of the figures of many runs."""
    keys = ["mean_ttft_ms", "median_ttft_ms", "p90_ttft_ms"]
    runs = [figures(random_run(seed)) for seed in range(60)]
    told = [within(random_run(seed), ["ttft"], [50, 90]) for seed in range(5)]
    for key in keys:
        true = float(np.std([run[key] for run in runs]))
        assert np.mean([one[key] for one in told]) == pytest.approx(true, rel=0.4)


def test_two_runs_of_the_same_are_within_noise_and_a_real_change_is_not():
    def result(seeds: range, scale: float) -> Result:
        runs = [figures(random_run(seed, scale)) for seed in seeds]
        return Result(
            "", {k: float(np.mean([r[k] for r in runs])) for k in runs[0]}, between(runs), len(runs)
        )

    a, same, slower = result(range(4), 1.0), result(range(10, 14), 1.0), result(range(20, 24), 1.3)
    verdicts = {row.figure: row.verdict for row in compare(a, same)}
    assert verdicts["mean_ttft_ms"] == verdicts["p90_ttft_ms"] == "within noise"
    assert {row.figure: row.verdict for row in compare(a, slower)}["mean_ttft_ms"] == "worse"
    assert {row.figure: row.verdict for row in compare(slower, a)}["mean_ttft_ms"] == "better"


def test_files_of_several_runs_and_of_vllm_are_read(tmp_path: Path):
    for i, value in enumerate([100.0, 104.0, 96.0]):
        (tmp_path / f"{i}.json").write_text(json.dumps({"output_throughput": value, "model_id": "m"}))
    mine = read_result([tmp_path / f"{i}.json" for i in range(3)])
    assert mine.figures["output_throughput"] == 100 and mine.runs == 3
    assert mine.errors["output_throughput"] == pytest.approx(4 / 3**0.5)
    theirs = {"completed": 100, "mean_ttft_ms": 50.0, "std_ttft_ms": 20.0, "request_throughput": 3.0}
    (tmp_path / "vllm.json").write_text(json.dumps(theirs))
    read = read_result([tmp_path / "vllm.json"])
    assert read.errors == {"mean_ttft_ms": 2.0}
    assert {row.figure: row.verdict for row in compare(read, read)} == {
        "mean_ttft_ms": "within noise",
        "request_throughput": "unknown",
    }
    (tmp_path / "bad.json").write_text("[]")
    with pytest.raises(BadOption, match="no JSON object"):
        read_result([tmp_path / "bad.json"])


def swept(fixed_ms: float, each_ms: float) -> Swept:
    """Steps of a fixed part and one for each request."""
    levels = [2.0**i for i in range(9)]
    times = [fixed_ms + each_ms * n for n in levels]
    return Swept("requests", [Point(n, 1e3 * n / t, t) for n, t in zip(levels, times, strict=True)], "")


def test_the_knee_is_where_requests_cost_as_much_as_the_step():
    assert swept(16, 1).knee.level == 16
    assert swept(1, 1).knee.level == 1


def test_a_knee_at_the_last_level_may_be_further_on():
    assert swept(16, 1).passed and swept(16, 1).knee_said == "16"
    assert not swept(1000, 1).passed and swept(1000, 1).knee_said == "256 or beyond"


def test_proposals_have_a_reason_and_keep_promises():
    decoding = swept(16, 1)
    reading = Swept("tokens", [Point(n, 1e3 * n / (5 + n / 50), 5 + n / 50) for n in (64, 512, 4096)], "")
    free = advise(decoding, reading, None)
    assert free.max_num_seqs == 256 and free.max_num_batched_tokens == 4096
    kept = advise(decoding, reading, 50.0)
    assert kept.max_num_seqs == 32  # 48 ms; 64 would take 80
    assert "within 50 ms" in kept.seqs_why
    assert kept.max_num_batched_tokens == 64 and "no chunk fits" in kept.tokens_why
    assert "more than the 3 promised" in advise(decoding, None, 3.0).seqs_why


def test_a_sweep_of_rates_proposes_how_many_requests_are_open_not_how_many_come():
    points = [
        Point(10, 200, 20, at_once=3.2),
        Point(20, 400, 20, at_once=6.4),
        Point(40, 410, 90, at_once=70),
    ]
    advice = advise(Swept("requests a second", points, ""), None, None)
    assert advice.max_num_seqs == 7
    assert "20 requests a second keep 6.4 open" in advice.seqs_why


def test_open_requests_are_those_that_come_times_how_long_they_stay():
    records = [record(i / 10, 0.099, 0.02, 11) for i in range(100)]  # ten a second, each for 0.3 s
    assert mean_open(records, 10.0) == pytest.approx(3.0)


def test_a_sweep_ends_when_a_doubling_brings_little():
    points = swept(16, 1).points
    assert not saturated(points[:2])
    assert saturated([Point(1, 100, 10), Point(2, 104, 19)])


def test_goodput_of_one_run_has_noise_also_where_nobody_keeps_a_promise():
    runs = [figures(random_run(seed), promises={"ttft": 150.0})["request_goodput"] for seed in range(60)]
    told = [within(random_run(s), [], [], {"ttft": 150.0})["request_goodput"] for s in range(5)]
    assert np.mean(told) == pytest.approx(float(np.std(runs)), rel=0.6)
    nobody = within(random_run(1), [], [], {"ttft": 0.001})["request_goodput"]
    assert 0 < nobody < 0.02 * figures(random_run(1))["request_throughput"]
