"""The look at a body before it is parsed agrees with the parser about everything it says."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quire.errors import RequestError
from quire.server.plain_json import MAX_PARTS, MAX_VALUES, check_json

TEXT = st.text(st.characters(exclude_categories=["Cs"]) | st.sampled_from('[]{}"\\/\n\t'), max_size=8)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=30,
)


def depth(value: Any) -> int:
    if isinstance(value, dict):
        return 1 + max((depth(v) for v in value.values()), default=0)
    if isinstance(value, list):
        return 1 + max((depth(v) for v in value), default=0)
    return 0


@settings(max_examples=300, deadline=None)
@given(VALUES, st.booleans(), st.integers(0, 6))
def test_depth_is_the_parsers_depth(value, ascii_only, most):
    body = json.dumps(value, ensure_ascii=ascii_only).encode()
    if depth(value) <= most:
        check_json(body, most)
    else:
        with pytest.raises(RequestError, match=f"more than {most} levels"):
            check_json(body, most)


@settings(max_examples=300, deadline=None)
@given(st.text(st.characters(categories=["Cs", "L", "So"]) | st.sampled_from("\\u"), max_size=12))
def test_half_characters_are_found_and_whole_ones_are_not(text):
    body = json.dumps([text]).encode()
    parsed = json.loads(body)[0]  # pairs have become one
    if any(0xD800 <= ord(c) < 0xE000 for c in parsed):
        with pytest.raises(RequestError, match="half of a character"):
            check_json(body, 9)
    else:
        check_json(body, 9)


@pytest.mark.parametrize("body", [b"[NaN]", b"[-Infinity]", b'{"a": NaN, "b": "NaN"}', b'["\\"", NaN]'])
def test_words_that_are_no_numbers_are_found_outside_strings(body):
    with pytest.raises(RequestError, match="no JSON"):
        check_json(body, 9)


@pytest.mark.parametrize(
    "body", [b'["NaN"]', b'["a\\"NaN"]', b'{"Infinity": "-Infinity"}', b"{nope", b"", b'["\\']
)
def test_and_not_within_them(body):
    check_json(body, 9)


@pytest.mark.parametrize("code", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "latin-1"])
def test_other_encodings_are_refused(code):
    with pytest.raises(RequestError, match="UTF-8"):
        check_json(json.dumps(["é"], ensure_ascii=False).encode(code), 9)


def test_more_values_than_are_parsed_quickly_are_refused_and_commas_in_a_text_are_none():
    check_json(b'{"x":[' + b"1," * (MAX_VALUES - 1) + b"1]}", 9)
    with pytest.raises(RequestError, match="500,000 values"):
        check_json(b'{"x":[' + b"1," * MAX_VALUES + b"1]}", 9)
    check_json(b'{"prompt":"' + b"a," * MAX_VALUES + b'"}', 9)


@pytest.mark.parametrize("part", [b"{}", b"[]", b'{"a":1}', b'{"a":{}}'])
def test_lists_objects_and_keys_count_for_more(part):
    each = part.count(b"{") + part.count(b"[") + part.count(b":")
    check_json(b'{"x":[' + b",".join([part] * (MAX_PARTS // each - 3)) + b"]}", 9)
    with pytest.raises(RequestError, match="100,000 lists, objects and keys"):
        check_json(b'{"x":[' + b",".join([part] * (MAX_PARTS // each)) + b"]}", 9)
    check_json(b'{"prompt":"' + b"[{:" * MAX_PARTS + b'"}', 9)
