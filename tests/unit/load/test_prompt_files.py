"""Traces and prompts as others write them: marks of encodings, empty lines, odd separators and numbers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from quire.errors import BadOption
from quire.tools.load.texts import read_sharegpt, read_texts
from quire.tools.load.trace import read_trace

ROW = '{"at_s": %d, "prompt_tokens": %d, "output_tokens": %d}\n'
LINES = ROW % (1, 8, 2) + ROW % (2, 9, 4)
TABLE = "at_s,prompt_tokens,output_tokens\n1,8,2\n2,9,4\n"


def wrote(folder: Path, text: str) -> Path:
    path = folder / "file"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("zone", ["+00:00", "Z", ""])
def test_azures_dates_may_have_a_zone(zone: str, tmp_path: Path):
    rows = [f"2024-05-10 00:00:00.009930{zone},2162,5", f"2024-05-10 00:00:01.009930{zone},2399,6"]
    trace = read_trace(wrote(tmp_path, "TIMESTAMP,ContextTokens,GeneratedTokens\n" + "\n".join(rows)))
    assert [s.prompt_tokens for s in trace] == [2162, 2399]
    assert trace[1].at_s - trace[0].at_s == pytest.approx(1)
    assert trace[0].at_s == pytest.approx(1715299200.00993)


def test_dates_of_different_zones_are_put_in_order(tmp_path: Path):
    rows = ["2024-05-10 02:00:00+02:00,1,5", "2024-05-10 00:30:00+00:00,2,5", "2024-05-09 23:00:00-02:00,3,5"]
    trace = read_trace(wrote(tmp_path, "TIMESTAMP,ContextTokens,GeneratedTokens\n" + "\n".join(rows)))
    assert [(s.prompt_tokens, s.at_s - trace[0].at_s) for s in trace] == [(1, 0), (2, 1800), (3, 3600)]


@pytest.mark.parametrize("begins", ["\ufeff", "\n", " \n\n", "\ufeff\r\n"])
@pytest.mark.parametrize("text", [LINES, TABLE], ids=["lines", "table"])
def test_a_mark_or_an_empty_line_ahead_of_a_trace_changes_nothing(begins: str, text: str, tmp_path: Path):
    trace = read_trace(wrote(tmp_path, begins + text))
    assert [(s.prompt_tokens, s.output_tokens) for s in trace] == [(8, 2), (9, 4)]


@pytest.mark.parametrize("text", [LINES, TABLE], ids=["lines", "table"])
def test_a_wrong_line_is_told_by_its_number_in_the_file(text: str, tmp_path: Path):
    path = wrote(tmp_path, "\n\n" + text.replace("9", "nine"))
    number = path.read_text().partition("nine")[0].count("\n") + 1
    with pytest.raises(BadOption, match=f"line {number}: "):
        read_trace(path)


@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000,
        '{"at_s": ' + "[" * 100_000,
        "at_s,prompt_tokens\n" + "9" * 200_000,
        TABLE + "3,99999999999,1\n",
    ],
    ids=["deep", "deep line", "long field", "long prompt"],
)
def test_a_trace_that_cannot_be_meant_is_one_line(text: str, tmp_path: Path):
    with pytest.raises(BadOption, match="line "):
        read_trace(wrote(tmp_path, text))


@pytest.mark.parametrize("mark", ["\u2028", "\u2029", "\x85", "\x0b", "\x1e"])
def test_only_a_line_feed_ends_a_line_of_prompts(mark: str, tmp_path: Path):
    line = json.dumps({"prompt": f"a{mark}b"}, ensure_ascii=mark < " ")
    assert read_texts(wrote(tmp_path, f"{line}\r\n{line}\n")) == [(f"a{mark}b", None)] * 2


def test_a_mark_ahead_of_prompts_changes_nothing(tmp_path: Path):
    assert read_texts(wrote(tmp_path, '\ufeff{"prompt": "a"}\n')) == [("a", None)]
    turns = [{"value": "Why?"}, {"value": "Because."}]
    assert read_sharegpt(wrote(tmp_path, "\ufeff" + json.dumps([{"conversations": turns}]))) == [("Why?", 2)]


@pytest.mark.parametrize("tokens", ["-3", "0", "99999999999", "2.5", '"many"', "true", "NaN", "[1]"])
def test_an_answers_length_that_is_none_is_refused_with_its_line_and_the_range(tokens: str, tmp_path: Path):
    path = wrote(tmp_path, f'{{"prompt": "a"}}\n{{"prompt": "b", "output_tokens": {tokens}}}\n')
    with pytest.raises(BadOption, match=r"line 2: output_tokens is .* from 1 to 10,000,000"):
        read_texts(path)


def test_prompts_too_deep_to_read_are_one_line(tmp_path: Path):
    with pytest.raises(BadOption, match="line 1"):
        read_texts(wrote(tmp_path, "[" * 100_000))
    with pytest.raises(BadOption, match="as JSON"):
        read_sharegpt(wrote(tmp_path, "[" * 100_000))
