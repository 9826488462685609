"""A look at a JSON body before anything parses it: text in UTF-8, of bounded depth, in plain JSON.

Python's parser takes NaN, half surrogate pairs, UTF-16 and as many levels as its stack; what comes after it
should meet none of them. The usual body costs a microsecond: it is counted, not read.
"""

from __future__ import annotations

import re

import numpy as np

from quire.errors import RequestError

# Parsing holds up everybody else, and what it makes takes up to 25 times the bytes of the body.
MAX_VALUES = 500_000
MAX_PARTS = 100_000  # lists, objects and their keys cost several times as much
_STRING = re.compile(rb'"(?:[^"\\]++|\\.)*+"', re.S)
_NOT_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))
_STEP = np.zeros(256, np.int8)
_STEP[list(b"[{")], _STEP[list(b"]}")] = 1, -1
_NO_NUMBER = re.compile(rb"NaN|Infinity")
_WHOLE_CHARACTERS = re.compile(  # everything but half of a pair
    rb"(?:[^\\]++|\\[^u]|\\u(?![dD][89a-fA-F]).{4}|\\u[dD][89abAB]..\\u[dD][c-fC-F]..)*+", re.S
)


def check_json(body: bytes, max_depth: int) -> None:
    """Raises RequestError; what is no JSON at all is left to the parser, which says where."""
    if b"\0" in body or not body.isascii():
        _check_text(body)
    if b"\\u" in body and (b"\\ud" in body or b"\\uD" in body):
        _check_surrogates(body)
    opened, keys, values = _counts(body)
    odd = b"NaN" in body or b"Infinity" in body
    if not odd and opened <= max_depth and opened + keys <= MAX_PARTS and values <= MAX_VALUES:
        return
    bare = _STRING.sub(b"", body)
    opened, keys, values = _counts(bare)
    if opened > max_depth and _depth(bare) > max_depth:
        raise RequestError(
            f"the body is nested more than {max_depth} levels deep; make it flatter or raise --max-json-depth"
        )
    for count, most, what in (
        (values, MAX_VALUES, "values"),
        (opened + keys, MAX_PARTS, "lists, objects and keys"),
    ):
        if count > most:
            raise RequestError(f"the body holds more than {most:,} {what}; send it in several requests")
    if found := _NO_NUMBER.search(bare):
        raise RequestError(f"the body holds {found[0].decode()}, which is no JSON; give a number or null")


def _counts(body: bytes) -> tuple[int, int, int]:
    """Lists and objects, keys, values; more than there are where strings hold such characters."""
    return body.count(b"[") + body.count(b"{"), body.count(b":"), body.count(b",") + 1


def _check_text(body: bytes) -> None:
    try:
        body.decode()
    except UnicodeDecodeError as e:
        raise RequestError(f"the body is not text in UTF-8: byte {e.start:,} is wrong") from None
    if b"\0" in body:
        raise RequestError("the body holds a zero byte; send JSON as text in UTF-8")


def _check_surrogates(body: bytes) -> None:
    whole = _WHOLE_CHARACTERS.match(body)
    half = body[whole.end() : whole.end() + 6] if whole else b""
    if half[:3].lower() == b"\\ud":
        shown = half.decode("ascii", "replace")
        raise RequestError(f"the body holds {shown}, half of a character; send both halves or the character")


def _depth(bare: bytes) -> int:
    """The deepest level of brackets in a body without its strings."""
    brackets = bare.translate(None, _NOT_BRACKETS)
    steps = _STEP[np.frombuffer(brackets, np.uint8)]
    return int(np.cumsum(steps, dtype=np.int32).max(initial=0))
