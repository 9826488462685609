"""The simulator: what must be true of any run, and what runs must show of their settings."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from importlib.util import find_spec

import numpy as np
import pytest
from tests.unit.simulate.traffic import COST, ROOM, asks, setup

from quire.cli import main
from quire.config import EngineConfig
from quire.errors import BadOption
from quire.simulate.calibrate import batches
from quire.simulate.calibration import Calibration
from quire.simulate.cost import Planned, Table, Work
from quire.simulate.fleet import simulate
from quire.simulate.handling import Handling, Took, handling_of
from quire.simulate.measures import Gaps, figures
from quire.simulate.plots import figure_of_run
from quire.simulate.report import Tried, advice, recommended, sweep_lines
from quire.simulate.traffic import Ask, Drawn
from quire.tools.plan.plan import plan
from quire.tools.plan.site import Asked, find_site
from quire.tools.plan.subject import find_subject


def test_every_request_ends_with_all_of_its_tokens():
    given = asks(200)
    run = simulate(setup(), given)
    assert len(run.ttft_s) == 200 and run.refused == 0
    assert sorted(run.outputs) == sorted(a.output for a in given)
    assert run.gaps.number == sum(a.output - 1 for a in given)
    assert (run.ttft_s > 0).all() and (run.e2e_s >= run.ttft_s).all()


def test_the_same_seed_gives_the_same_run_and_another_seed_another():
    noisy = replace(COST, spread=[0.9, 1.0, 1.3])
    runs = [figures(simulate(setup(cost=noisy, seed=s), asks(100, seed=s))) for s in (1, 1, 2)]
    for run in runs:
        del run["simulated_in"]
    assert runs[0] == runs[1] != runs[2]


def test_a_request_alone_takes_what_its_steps_cost():
    run = simulate(setup(), [Ask(0.0, 5, 4, Drawn(0))])
    reading = COST.at_knots[0] + (COST.at_knots[1] - COST.at_knots[0]) * 4 / 7
    assert run.ttft_s[0] == pytest.approx(reading)
    writing = 3 * COST.at_knots[0] + 1e-6 * (6 + 7 + 8)
    assert run.e2e_s[0] == pytest.approx(reading + writing)


def test_what_comes_before_and_after_the_engine_is_waited_for():
    bare, slow = (
        simulate(setup(front_s=front, reply_s=reply, handling=handling), [Ask(0.0, 5, 4, Drawn(0))])
        for front, reply, handling in ((0, 0, Handling()), (0.5, 0.25, Handling(0.125, 0.0625)))
    )
    assert slow.ttft_s[0] == pytest.approx(bare.ttft_s[0] + 0.875 + 5 * 0.0625)


def test_what_requests_cost_the_loop_is_learned_by_their_length_and_by_how_many_end():
    added = [Took(1, n, 1e-4 + n * 1e-7) for n in (16, 100, 400, 2048) for _ in range(5)]
    added += [Took(1, 16, 0.5), Took(1, 2048, 0.9)]  # pauses
    ended = [Took(1, 8, 9e-4), Took(2, 8, 1e-3), Took(128, 8, 128 * 5e-5), Took(64, 64, 64 * 6.12e-5)]
    found = handling_of(added, ended)
    assert found.add_s == pytest.approx(1e-4, rel=1e-3) and found.prompt_s == pytest.approx(1e-7, rel=1e-3)
    assert found.comes(1000) == pytest.approx(2e-4, rel=1e-3)
    assert found.ends(8) == pytest.approx(5e-5) and found.ends(64) == pytest.approx(6.12e-5)
    alone = handling_of([Took(1, 7, 1e-4)], [Took(1, 3, 1e-5)])
    assert alone == Handling(1e-4, 0.0, 1e-5, 0.0)


def test_what_ends_costs_is_waited_for_with_the_last_token():
    both = [Ask(0.0, 5, 4, Drawn(0)), Ask(0.0, 5, 4, Drawn(1))]
    bare, slow = (simulate(setup(handling=Handling(end_s=end)), both) for end in (0.0, 0.5))
    assert slow.ttft_s.tolist() == bare.ttft_s.tolist()
    assert slow.e2e_s.tolist() == pytest.approx((bare.e2e_s + 1.0).tolist())  # both end in one step
    assert slow.gaps.percentile(100) == pytest.approx(bare.gaps.percentile(100) + 1.0, rel=0.1)
    assert slow.gaps.number == bare.gaps.number == 6, "no token more than was asked for"


def test_shared_beginnings_are_computed_once():
    shared = simulate(setup(), asks(60, prefix=40, prefixes=1))
    alone = simulate(setup(room=replace(ROOM, prefix_caching=False)), asks(60, prefix=40, prefixes=1))
    assert shared.cached.sum() > 0.4 * 60 * 40 and alone.cached.sum() == 0
    assert shared.busy_s < 0.9 * alone.busy_s


def test_a_full_cache_preempts():
    room = replace(ROOM, blocks=20, max_len=80)
    run = simulate(setup(room=room), asks(80, rate=200.0))
    assert run.preemptions > 0 and len(run.ttft_s) == 80


def test_more_than_an_engine_reads_is_refused():
    run = simulate(setup(), [Ask(0.0, 250, 7, Drawn(0)), Ask(0.0, 250, 6, Drawn(1))])
    assert (run.refused, len(run.ttft_s)) == (1, 1)


def test_clients_wait_for_each_other_in_a_closed_loop():
    run = simulate(setup(concurrency=1), [Ask(0.0, 5, 4, Drawn(i)) for i in range(5)])
    assert np.ptp(run.e2e_s) == pytest.approx(0)
    assert run.duration_s == pytest.approx(run.e2e_s.sum())


def test_engines_share_the_load():
    one, four = (simulate(setup(engines=n), asks(200, rate=100.0)) for n in (1, 4))
    assert np.bincount(four.engines).min() > 30
    assert np.percentile(four.ttft_s, 99) < 0.3 * np.percentile(one.ttft_s, 99)


def test_what_no_engine_has_room_for_waits_in_one_queue_and_goes_to_whichever_gets_on():
    long, short = ([Ask(0.0, 5, output, Drawn(i)) for i in range(8)] for output in (200, 4))
    crowd = [Ask(0.01, 5, 20, Drawn(100 + i)) for i in range(40)]
    mixed = [ask for both in zip(long, short, strict=True) for ask in both]  # each engine gets one kind
    run, again = (simulate(setup(engines=2, room=replace(ROOM, blocks=512)), mixed + crowd) for _ in range(2))
    late = run.sent_s > 0
    kinds = [set(run.engines[~late & (run.outputs == n)].tolist()) for n in (200, 4)]
    assert len(kinds[0]) == len(kinds[1]) == 1 and kinds[0] != kinds[1]
    assert set(run.engines[late].tolist()) == kinds[1]
    assert again.e2e_s.tolist() == run.e2e_s.tolist()


def test_affinity_brings_requests_to_what_they_share():
    rate, many = 60.0, {"prefix": 80, "prefixes": 8}
    room = replace(ROOM, blocks=256)
    spread, homed = (
        simulate(setup(engines=4, affinity=affinity, room=room), asks(200, rate, **many))
        for affinity in (False, True)
    )
    assert homed.cached.sum() > 1.2 * spread.cached.sum()


def test_steps_in_flight_change_nothing_of_what_is_answered():
    given = asks(80)
    one, two = (simulate(setup(room=replace(ROOM, depth=depth)), given) for depth in (1, 2))
    assert sorted(one.outputs) == sorted(two.outputs)
    assert two.duration_s < 1.1 * one.duration_s


@pytest.mark.parametrize(
    ("stages", "requests", "ms"),
    [
        ((0.5, 0.5), 1, 10),
        ((0.5, 0.5), 8, 10),
        ((0.75, 0.25), 1, 10),
        ((0.75, 0.25), 8, 15),
        ((0.25, 0.25, 0.25, 0.25), 2, 10),
        ((0.25, 0.25, 0.25, 0.25), 8, 10),
    ],
)
def test_steps_follow_each_other_through_the_stages_of_a_pipeline(stages, requests, ms):
    """A step takes 10 ms in all. Requests take turns, and the slowest stage decides how fast they come."""
    room = replace(ROOM, stages=len(stages), depth=len(stages))
    steady = Table([1, 64], [0.010, 0.010])
    given = [Ask(0.0, 5, 40, Drawn(i)) for i in range(requests)]
    run = simulate(setup(room=room, cost=steady, stages=stages), given)
    assert figures(run)["p50_itl_ms"] == pytest.approx(ms, rel=0.01)
    assert run.busy_s == pytest.approx(0.010 * run.steps / len(stages))
    assert len(run.ttft_s) == requests and (run.ttft_s >= 0.0099).all()


def slowest(works: Sequence[Work]) -> float:
    return max(COST.seconds(work) for work in works)


@pytest.mark.parametrize("depth", [1, 2])
def test_engines_that_share_experts_wait_for_the_slowest_of_them(depth):
    """While one reads a prompt of 192 tokens in three steps, the other one's three tokens take as long."""
    room = replace(ROOM, depth=depth)
    given = [Ask(0.0, 5, 40, Drawn(0)), Ask(0.1001, 192, 1, Drawn(1))]
    apart, both = (simulate(setup(engines=2, room=room, together=t), given) for t in (None, slowest))
    assert both.engines.tolist() == apart.engines.tolist() == [1, 0]
    reading, writing = both.ttft_s[0], 0.010
    assert 0.120 < reading < 0.120 + 2 * 0.011 + 0.001 * depth
    assert both.e2e_s[1] - apart.e2e_s[1] == pytest.approx(3 * (0.040 - writing), rel=0.02)
    assert both.steps == apart.steps and both.gaps.number == apart.gaps.number == 39


def test_an_engine_alone_among_those_that_share_experts_is_as_fast_as_alone():
    given = [Ask(0.0, 5, 40, Drawn(0)), Ask(9.0, 5, 40, Drawn(1))]
    one, four = simulate(setup(), given), simulate(setup(engines=4, together=slowest), given)
    assert sorted(four.e2e_s.tolist()) == pytest.approx(sorted(one.e2e_s.tolist()))


def test_experts_that_engines_share_take_what_the_tokens_of_all_engines_take():
    """A prompt that only one of four engines reads costs less than one that each of them reads."""
    config = EngineConfig.of(model="qwen3-30b-a3b", data_parallel_size=4, enable_expert_parallel=True)
    made = plan(find_subject(config), config, find_site(Asked("H100"), config))
    assert made.fit.runs is not None
    planned, long = Planned(made.fit.runs), Work(8000, 1, 0, 0, 4000 * 8000.0, 8000, 1, 1)
    alike = planned.together([long] * 4, 4)
    assert alike == planned.seconds(long)
    assert 0.7 * alike < planned.together([long], 4) < 0.9 * alike, "attention is its own"


LONG = ["--input-len", "1024", "--output-len", "256", "--json"]


@pytest.mark.parametrize(
    ("words", "requests"),
    [
        ("llama-3-70b --pipeline-parallel-size 4 --num-gpus 4", 128),
        ("llama-3-70b --tensor-parallel-size 4 --num-gpus 4", 128),
        ("llama-3-8b --context-parallel-size 2 --num-gpus 2", 256),
        ("mistral-7b --pipeline-parallel-size 2 --pipeline-layer-split 20,12", 64),
        ('gemma-2-9b --hf-overrides {"sliding_window":512}', 32),
        ("qwen3-30b-a3b --data-parallel-size 4 --enable-expert-parallel", 128),
    ],
)
def test_a_full_engine_is_as_fast_as_it_is_planned(words, requests, capsys):
    flags = [*words.split(), "--gpu", "H100", "--max-num-seqs", str(requests)]
    assert main(["plan", *flags, *LONG]) == 0
    planned = json.loads(capsys.readouterr().out)["decode"][-1]
    assert planned["requests"] == requests
    engines = 4 if "--enable-expert-parallel" in flags else 1
    many = ["--num-prompts", str(4 * engines * requests), "--max-concurrency", str(engines * requests)]
    assert main(["simulate", *flags, *LONG, *many]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["p50_itl_ms"] == pytest.approx(planned["ms"], rel=0.03)
    assert told["output_throughput"] == pytest.approx(planned["output_tokens_per_s"], rel=0.1)


def test_windows_and_pooling_are_simulated_too():
    given = [replace(a, pools=i % 3 == 0) for i, a in enumerate(asks(60))]
    run = simulate(setup(room=replace(ROOM, windows=(8, None), blocks=200)), given)
    assert len(run.ttft_s) == 60 and (run.outputs == 0).sum() == 20


@pytest.mark.parametrize(
    ("change", "told"),
    [({"blocks": 10}, "KV blocks"), ({"budget": 4}, "max_num_seqs"), ({"chunked": False}, "chunked")],
)
def test_what_could_never_run_is_refused(change, told):
    with pytest.raises(BadOption, match=told):
        simulate(setup(room=replace(ROOM, **change)), asks(1))


@pytest.mark.parametrize(
    ("windows", "need"),
    [((None,), 64), ((8, None), 19 + 64), ((8, 8), 19 + 19), ((200, None, None), 64 + 64 + 64)],
)
def test_fewer_blocks_than_the_longest_request_needs_are_refused_whatever_its_windows(windows, need):
    """A window of 8 tokens, read 64 at a time: 71 tokens are 18 blocks, and one more where they begin."""
    room = replace(ROOM, windows=windows)
    longest = [Ask(0.0, 200, 56, Drawn(0)), Ask(0.0, 256 - 8, 8, Drawn(1))]
    assert len(simulate(setup(room=replace(room, blocks=need)), longest).ttft_s) == 2
    with pytest.raises(BadOption, match=rf"{need - 1} KV blocks .* 256 tokens needs {need}; raise --num-gpu"):
        simulate(setup(room=replace(room, blocks=need - 1)), longest)


def test_percentiles_of_gaps_are_right_to_a_hundredth():
    values = np.random.default_rng(0).lognormal(-4, 1, 50_000)
    gaps = Gaps()
    for part in np.array_split(values, 99):
        gaps.add(part)
    for share in (1, 50, 99, 99.9):
        assert gaps.percentile(share) == pytest.approx(np.percentile(values, share), rel=0.01)


def test_the_flags_recommended_keep_most_promises():
    tried = [
        Tried({"max_num_seqs": n}, {"request_goodput": good, "output_throughput": 1, "p99_ttft_ms": first})
        for n, good, first in ((8, 5.0, 90.0), (16, 9.0, 50.0), (32, 8.95, 20.0), (64, 3.0, 10.0))
    ]
    assert recommended(tried).settings == {"max_num_seqs": 32}
    assert "--max-num-seqs 32" in advice(tried)


NEVER = [
    Tried(
        {"max_num_seqs": n, "request_rate": 9.0},
        {"request_goodput": 0.0, "output_throughput": 1, "p50_ttft_ms": first / 2, "p99_ttft_ms": first},
    )
    for n, first in ((8, 90.0), (16, 50.0))
]


def test_flags_that_keep_no_promise_are_not_recommended():
    assert recommended(NEVER) is None
    said = advice(NEVER)
    assert said.startswith("no setting keeps the promises") and "recommended" not in said
    assert "nearest comes --max-num-seqs 16, where half begin within 25 ms and 99 of 100 within 50" in said
    assert not any(line.startswith("*") for line in sweep_lines(NEVER))


def test_the_command_recommends_nothing_where_no_promise_is_kept(calibration, tmp_path, capsys):
    short = ["--input-len", "16", "--output-len", "8", "--num-prompts", "10", "--goodput", "ttft:1"]
    words = ["simulate", "--calibration", calibration, *short, "--sweep", "max_num_seqs=1,8"]
    more = ["--plot", str(tmp_path / "swept.png")] if find_spec("matplotlib") else []
    assert main([*words, *more]) == 0
    assert "no setting keeps the promises" in capsys.readouterr().out
    assert main([*words, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["advice"].startswith("no setting keeps the promises")


@pytest.mark.parametrize("promises", [{}, {"tpot": 20.0}, {"ttft": 100.0, "e2el": 900.0}])
def test_what_is_promised_is_drawn_with_what_keeps_it(promises):
    pytest.importorskip("matplotlib")
    drawn = {"ttft": "time to first token", "tpot": "time per output token", "e2el": "end to end"}
    with figure_of_run(simulate(setup(), asks(30)), "a title", promises) as figure:
        lines = figure.axes[1].lines
        colors = {line.get_label(): line.get_color() for line in lines}
        limits = {line.get_xdata()[0]: line.get_color() for line in lines if len(line.get_xdata()) == 2}
        assert limits == {limit: colors[drawn[name]] for name, limit in promises.items()}
        assert {"time to first token", "between tokens"} <= colors.keys()


@pytest.fixture
def calibration(tmp_path):
    path = tmp_path / "here.json"
    Calibration("tiny", "a test", ROOM, Table([1, 64], [0.01, 0.05])).write(path)
    return str(path)


def test_the_command_sweeps_flags_and_recommends(calibration, capsys):
    short = ["--input-len", "16", "--output-len", "8", "--num-prompts", "40", "--json"]
    sweep = ["--goodput", "ttft:100", "tpot:20", "--sweep", "max_num_seqs=1,8", "request_rate=2,30"]
    assert main(["simulate", "--calibration", calibration, *short, *sweep]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [(run["max_num_seqs"], run["request_rate"]) for run in told["sweep"]] == [
        (1, 2.0), (1, 30.0), (8, 2.0), (8, 30.0),
    ]  # fmt: skip
    assert told["advice"].startswith("recommended: --max-num-seqs 8")


def test_blocks_that_hold_no_request_are_refused_with_a_plan_and_with_a_calibration(tmp_path, capsys):
    path = tmp_path / "windowed.json"
    Calibration("tiny", "a test", replace(ROOM, windows=(8, None)), COST).write(path)
    short = ["--input-len", "16", "--output-len", "8", "--num-prompts", "4"]
    planned = ["gemma-2-9b", "--gpu", "H100", "--max-model-len", "8192"]
    planned += ["--sweep", "num_gpu_blocks_override=300,5000"]
    for words, said in (
        (["--calibration", str(path), "--num-gpu-blocks-override", "20"], "there are 20 KV blocks and one"),
        (planned, "--sweep num_gpu_blocks_override=300: one request of --max-model-len 8,192 needs"),
    ):
        assert main(["simulate", *words, *short]) == 2
        assert said in capsys.readouterr().err


@pytest.mark.parametrize("more", [[], ["--sweep", "max_num_seqs=1,8"]], ids=["run", "sweep"])
def test_the_command_draws(calibration, tmp_path, more):
    pytest.importorskip("matplotlib")
    short = ["--input-len", "16", "--output-len", "8", "--num-prompts", "30", "--request-rate", "9"]
    path = tmp_path / "fared.png"
    assert main(["simulate", "--calibration", calibration, *short, *more, "--plot", str(path)]) == 0
    assert path.read_bytes().startswith(b"\x89PNG") and path.stat().st_size > 10_000


def test_the_command_prices_steps_by_datasheet(capsys):
    short = ["--input-len", "64", "--output-len", "8", "--num-prompts", "20", "--request-rate", "50"]
    assert main(["simulate", "llama-3-8b", "--gpu", "H100", "--engines", "3", *short]) == 0
    assert "20 requests" in capsys.readouterr().out


@pytest.mark.parametrize("command", ["plan", "simulate"])
def test_devices_of_ones_own_are_planned_for_and_simulated(command, tmp_path, capsys):
    table = tmp_path / "mine.json"
    entry = {"memory_gib": 40, "bandwidth_gb_s": 1000, "tflops": {"bfloat16": 200}}
    table.write_text(json.dumps({"Mine": entry, "H100": {"bandwidth_gb_s": 300}}))
    words = [command, "llama-3-8b", "--hardware", str(table)]
    words += ["--request-rate", "1", "--num-prompts", "5"] if command == "simulate" else []
    for gpu in ("Mine", "H100"):
        assert main([*words, "--gpu", gpu]) == 0
        assert gpu in capsys.readouterr().out
    assert main([*words, "--gpu", "Yours"]) == 2
    assert "'Yours'" in capsys.readouterr().err


def test_a_device_that_is_changed_is_simulated_as_changed(tmp_path, capsys):
    table = tmp_path / "slow.json"
    table.write_text('{"H100": {"bandwidth_gb_s": 335.2}}')
    words = ["simulate", "llama-3-8b", "--gpu", "H100", "--num-prompts", "5", "--json"]
    told = []
    for more in ((), ("--hardware", str(table))):
        assert main([*words, *more]) == 0
        told.append(json.loads(capsys.readouterr().out))
    assert told[1]["p50_itl_ms"] > 5 * told[0]["p50_itl_ms"]


@pytest.mark.parametrize(
    ("flags", "told"),
    [
        (["--tensor-parallel-size", "2"], "calibrate with it"),
        (["--sweep", "max_seqs=2"], "did you mean 'max_num_seqs'"),
        (["--gpu", "H100"], "--gpu is in the calibration"),
        (["--gpu-memory", "40"], "--gpu-memory is in the calibration"),
        (["--hardware", "pyproject.toml"], "--hardware is in the calibration"),
        (["--trace", __file__], "is not a trace|none of the known|no JSON"),
    ],
)
def test_the_command_refuses_what_it_cannot_know(calibration, capsys, flags, told):
    assert main(["simulate", "--calibration", calibration, *flags]) == 2
    assert re.search(told, capsys.readouterr().err)


@pytest.mark.parametrize("command", ["plan", "simulate"])
@pytest.mark.parametrize("flag", ["--gpu-memory", "--bandwidth", "--tflops"])
def test_no_machine_has_less_than_nothing(command, flag, capsys):
    assert main([command, "llama-3-8b", "--gpu", "H100", flag, "-1"]) == 2
    assert f"{flag} is -1 and must be above 0" in capsys.readouterr().err


def test_what_all_requests_begin_with_is_read_once_where_the_device_does_so():
    """Ten requests share 200 of 210 tokens, computed before; a step costs what it reads."""
    room = replace(ROOM, rows=16, blocks=400, budget=256)
    cost = Table([1], [1e-6], context=1e-3, repeated=1e-5)
    known = Ask(0.0, 201, 1, Drawn(0, 0, 200))
    others = [Ask(10.0, 210, 20, Drawn(1 + i, 0, 200)) for i in range(10)]
    each = figures(simulate(setup(room=room, cost=cost), [known, *others]))["p50_itl_ms"]
    once = figures(simulate(setup(room=replace(room, shared=100), cost=cost), [known, *others]))["p50_itl_ms"]
    assert each == pytest.approx(10 * 220, rel=0.02)
    assert once == pytest.approx(10 * 20 + 200 + 9 * 200 * 1e-2, rel=0.02)


def test_the_prompts_of_a_batch_are_of_many_lengths_and_none_is_longer_than_the_engine_reads():
    room = replace(ROOM, rows=64, blocks=2000, max_len=500, budget=512)
    for batch in batches(room, 400):
        lengths = batch.lengths()
        assert max(lengths) == batch.prompt and min(lengths) >= batch.prompt // 4
        assert len(set(lengths)) >= min(len(lengths), batch.prompt // 2)


def test_batches_for_a_device_that_reads_a_shared_beginning_once_have_some():
    room = replace(ROOM, rows=64, blocks=2000, max_len=2000, budget=512, shared=64)
    shared = [batch for batch in batches(room, 400) if batch.shared]
    assert shared and not any(batch.shared for batch in batches(replace(room, shared=0), 400))
    assert max(batch.shared for batch in shared) > 3 * 400  # a system prompt is longer than what people ask
    for batch in shared:
        ran = simulate(setup(room=room), batch.asks())
        assert ran.cached.sum() >= batch.requests * batch.shared


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--speculative-config", '{"method": "ngram"}'], "--speculative-config is not simulated"),
        (["--record", "x.qrec"], "--record is not simulated"),
        (["--engines", "4", "--data-parallel-size", "2"], "say different things"),
        (["--sweep", "max_num_seqs=2", "--sweep", "max_num_seqs=4"], "max_num_seqs twice"),
        (["--input-len", "100000"], "the engine reads 8,192"),
        (["--prefix-len", "-500"], "-500 is less than 0"),
    ],
)
def test_what_would_be_ignored_or_shortened_is_refused(more, said, capsys):
    assert main(["simulate", "llama-3-8b", "--gpu", "H100", "--num-prompts", "20", *more]) == 2
    assert said in capsys.readouterr().err


def test_a_number_of_engines_that_share_experts_is_simulated_by_itself(capsys):
    words = ["simulate", "qwen3-30b-a3b", "--gpu", "H100", "--num-prompts", "8", "--enable-expert-parallel"]
    told = {}
    for engines in ("--engines", "--data-parallel-size"):
        assert main([*words, engines, "4", "--json"]) == 0
        told[engines] = json.loads(capsys.readouterr().out)
        del told[engines]["simulated_in"]
    assert told["--engines"] == told["--data-parallel-size"]
    assert main([*words, "--engines", "4", "--sweep", "data_parallel_size=2,4"]) == 2
    assert "where engines share experts, as these 4 do" in capsys.readouterr().err


def calls_of(work: Callable[[], object]) -> int:
    """How many functions were called: what a machine's load does not change."""
    count = 0

    def called(frame: object, event: str, about: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(called)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize("affinity", [False, True])
def test_the_work_for_a_request_does_not_grow_with_the_number_of_engines(affinity: bool):
    """Two for each engine, all alike: choosing one of hundreds is no more work than choosing one of a few."""
    simulate(setup(engines=2), asks(4))  # what is computed once
    each = {}
    for engines in (10, 200):
        made = [Ask(0.0, 9, 5, Drawn(i, i % engines, 8)) for i in range(2 * engines)]
        scene = setup(engines=engines, affinity=affinity)
        each[engines] = calls_of(lambda scene=scene, made=made: simulate(scene, made)) / len(made)
    assert each[200] < 1.02 * each[10], each
