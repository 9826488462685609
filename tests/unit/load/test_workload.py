"""Lengths, arrivals, prompts and traces: what is asked of a server, and when."""

from __future__ import annotations

import itertools
import json
import math
from pathlib import Path
from random import Random
from statistics import mean, median, pstdev

import pytest

from quire.embedded import embedded_folder
from quire.errors import BadOption
from quire.text.tokenizer import load_tokenizer
from quire.tools.load.arrivals import AtOnce, Gamma, Recorded, arrivals_of
from quire.tools.load.lengths import Fixed, Uniform, around, lengths_of
from quire.tools.load.prompts import Ids, Text, Words
from quire.tools.load.texts import Texts, read_sharegpt, read_texts
from quire.tools.load.trace import read_trace
from quire.tools.load.workload import Drawn, Replayed, laid_out


def draws(text: str, count: int = 20_000) -> list[int]:
    lengths, rng = lengths_of(text), Random(1)
    return [lengths.draw(rng) for _ in range(count)]


def test_lengths_follow_their_distribution():
    assert set(draws("512", 10)) == {512}
    uniform = draws("uniform:10:20")
    assert (min(uniform), max(uniform)) == (10, 20) and mean(uniform) == pytest.approx(15, rel=0.01)
    lognormal = draws("lognormal:500:0.8")
    assert median(lognormal) == pytest.approx(500, rel=0.03)
    assert pstdev(map(math.log, lognormal)) == pytest.approx(0.8, rel=0.03)
    zipf = draws("zipf:1:100")
    assert max(zipf) <= 100
    assert zipf.count(1) / zipf.count(4) == pytest.approx(4, rel=0.15)


@pytest.mark.parametrize(
    "text", ["", "many", "0", "uniform:5", "uniform:9:3", "lognormal:8:-1", "zipf:1.2:0", "gauss:3:4", "-5"]
)
def test_what_is_no_length_is_refused_with_the_forms_or_the_bounds(text: str):
    with pytest.raises(BadOption, match=r"is no length|number from 1"):
        lengths_of(text)


def test_a_range_spreads_plain_lengths_only():
    assert around(Fixed(100), 0.5) == Uniform(50, 150)
    assert around(Fixed(100), 0.0) == Fixed(100)
    assert around(Uniform(1, 2), 0.5) == Uniform(1, 2)


@pytest.mark.parametrize("burstiness", [0.25, 1.0, 4.0])
def test_gaps_have_the_rate_and_the_burstiness(burstiness: float):
    times = Gamma(20, burstiness).times(20_000, Random(3))
    gaps = [b - a for a, b in itertools.pairwise(times)]
    assert times[0] == 0 and mean(gaps) == pytest.approx(1 / 20, rel=0.05)
    assert (pstdev(gaps) / mean(gaps)) ** 2 == pytest.approx(1 / burstiness, rel=0.1)


@pytest.mark.parametrize("count", [1, 2, 50])
def test_exact_gaps_offer_the_rate_also_with_few_requests(count: int):
    for seed in range(20):
        times = Gamma(4, exact=True).times(count, Random(seed))
        assert times[0] == 0 and times == sorted(times) and times[-1] < count / 4
    first = Gamma(4).times(50, Random(1))
    assert first != Gamma(4, exact=True).times(50, Random(1))


def test_an_infinite_rate_sends_all_at_once_and_a_record_keeps_its_times():
    assert arrivals_of(math.inf, 1.0) == AtOnce()
    assert Recorded([5.0, 6.0, 9.0], speed=2).times(2, Random()) == [0.0, 0.5]
    with pytest.raises(BadOption, match="above 0"):
        arrivals_of(0, 1.0)


def test_the_same_seed_gives_the_same_workload_and_rates_do_not_change_lengths():
    drawn = Drawn(lengths_of("uniform:5:50"), lengths_of("zipf:1.1:30"))
    one, again = (laid_out(drawn, Gamma(3), Ids(), 20, seed=4) for _ in range(2))
    faster = laid_out(drawn, Gamma(9), Ids(), 20, seed=4)
    other = laid_out(drawn, Gamma(3), Ids(), 20, seed=5)
    assert one == again
    assert [a.prompt for a in one] == [a.prompt for a in faster]
    assert [a.prompt for a in one] != [a.prompt for a in other]
    anew = laid_out(drawn, Gamma(3), Ids(), 20, seed=4, words="other")
    assert [len(a.prompt) for a in anew] == [len(a.prompt) for a in one]
    assert not [a for a, b in zip(anew, one, strict=True) if a.prompt == b.prompt]


def test_prompts_share_as_many_beginnings_as_asked_and_nothing_else():
    asks = Drawn(Fixed(20), Fixed(1), prefix=64, prefixes=3).draw(60, Ids(), Random(0), Random(1))
    assert len({tuple(a.prompt[:64]) for a in asks}) == 3
    assert len({tuple(a.prompt[64:]) for a in asks}) == 60
    assert {a.prompt_tokens for a in asks} == {84} == {len(a.prompt) for a in asks}


def test_what_a_model_cannot_read_is_cut():
    asks = Drawn(lengths_of("lognormal:500:2"), lengths_of("lognormal:500:2"), 10, longest=300).draw(
        200, Ids(), Random(0), Random(1)
    )
    assert max(a.prompt_tokens + a.output_tokens for a in asks) == 300
    assert min(min(a.prompt_tokens - 10, a.output_tokens) for a in asks) >= 1


def test_words_are_as_many_as_the_server_has_shown_to_need():
    words = Words.learned((20, 70), (120, 320))  # 2.5 tokens a word, 20 of the template
    assert (words.per_word, words.overhead) == (2.5, 20)
    ask = Drawn(Fixed(270), Fixed(1)).draw(1, words, Random(0), Random(1))[0]
    assert len(str(ask.prompt).split()) == 100


def test_text_by_a_tokenizer_has_its_length():
    tokenizer = load_tokenizer(embedded_folder("quire-tiny") or Path())
    text = Text(tokenizer).write(300, Random(2))
    assert len(tokenizer.encode(text, add_special_tokens=False)) == pytest.approx(300, abs=6)


AZURE = """TIMESTAMP,ContextTokens,GeneratedTokens
2023-11-16 18:15:46.5000000,374,44
2023-11-16 18:15:48,396,109
"""
BURST = "Timestamp,Model,Request tokens,Response tokens,Total tokens,Log Type\n5,ChatGPT,472,18,490,Chat\n"
MOONCAKE = '{"timestamp": 3500, "input_length": 1000, "output_length": 5, "hash_ids": [0, 7]}\n'
OURS = """{"at_s": 2.5, "prompt_tokens": 9, "output_tokens": 4}

{"at_s": 1, "prompt_tokens": 8, "output_tokens": 0}
"""


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        (AZURE, [(374, 44), (396, 109)]),
        (BURST, [(472, 18)]),
        (MOONCAKE, [(1000, 5)]),
        (OURS, [(9, 4)]),
    ],
)
def test_traces_of_several_origins_are_read(text: str, seen: list[tuple[int, int]], tmp_path: Path):
    path = tmp_path / "trace"
    path.write_text(text)
    trace = read_trace(path)
    assert [(s.prompt_tokens, s.output_tokens) for s in trace] == seen
    if text == AZURE:
        assert trace[1].at_s - trace[0].at_s == pytest.approx(1.5)
    if text == MOONCAKE:
        assert (trace[0].at_s, trace[0].hashes) == (3.5, (0, 7))


@pytest.mark.parametrize("text", ["", "hello\n1\n", '{"at_s": 1}\n', '{"at_s"', "\x00\xff"])
def test_what_is_no_trace_is_refused_with_its_line(text: str, tmp_path: Path):
    path = tmp_path / "trace"
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(BadOption, match="trace"):
        read_trace(path)


def test_equal_hashes_of_a_trace_are_equal_tokens(tmp_path: Path):
    rows = [{"timestamp": i, "input_length": 1100, "output_length": 2, "hash_ids": [7, i]} for i in range(3)]
    path = tmp_path / "trace.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)))
    asks = Replayed(read_trace(path)).draw(10, Ids(), Random(0), Random(1))
    assert [len(a.prompt) for a in asks] == [1100] * 3
    assert len({tuple(a.prompt[:512]) for a in asks}) == 1
    assert len({tuple(a.prompt[512:1024]) for a in asks}) == 3


def test_prompts_of_a_file_keep_their_answers_lengths(tmp_path: Path):
    path = tmp_path / "prompts.jsonl"
    path.write_text('{"prompt": "a", "output_tokens": 3}\n{"prompt": "b"}\n')
    asks = Texts(read_texts(path), Fixed(9)).draw(5, Ids(), Random(0), Random(1))
    assert {a.prompt: a.output_tokens for a in asks} == {"a": 3, "b": 9}
    path.write_text("[1]\n")
    with pytest.raises(BadOption, match="line 1"):
        read_texts(path)


def test_conversations_in_sharegpts_form_are_asked_once(tmp_path: Path):
    path = tmp_path / "share.json"
    turns = [{"from": "human", "value": "Why?"}, {"from": "gpt", "value": "Because. " * 8}]
    path.write_text(json.dumps([{"conversations": turns}, {"conversations": turns[:1]}, {"id": 3}]))
    assert read_sharegpt(path) == [("Why?", 18)]
    path.write_text("[]")
    with pytest.raises(BadOption, match="no conversations"):
        read_sharegpt(path)
