"""Recorded traffic: when requests came, how long they were, and which beginnings they shared. No text.

Reads what `quire serve --record FILE` writes, lines of JSON, and tables with commas:

    {"at_s": 0.5, "prompt_tokens": 900, "output_tokens": 120}                    Quire's names
    {"timestamp": 500, "input_length": 900, "output_length": 120, "hash_ids": [1, 7]}    Mooncake's, in ms
    Timestamp,Model,Request tokens,Response tokens,…                             BurstGPT's, in seconds
    TIMESTAMP,ContextTokens,GeneratedTokens                                      Azure's, with dates

Where hashes of blocks are told, equal blocks get equal content, so a server's prefix cache finds as much
as it did when the trace was recorded.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from typing import Any

from quire.errors import BadOption
from quire.record.format import MAGIC, check_whole
from quire.record.parts import parts_of
from quire.record.reader import Added, Ended, lives
from quire.tools.load.foreign import json_of
from quire.tools.load.lengths import LONGEST

MOONCAKE_BLOCK = 512  # tokens behind each of its hashes


@dataclass(frozen=True, slots=True)
class Seen:
    """One request of a trace."""

    at_s: float
    prompt_tokens: int
    output_tokens: int
    hashes: tuple[int | str, ...] = ()  # of its blocks, in order; equal ones hold equal tokens
    block_tokens: int = MOONCAKE_BLOCK


@dataclass(frozen=True, slots=True)
class Form:
    """What a file of one origin calls things."""

    at: str
    prompt: str
    output: str
    seconds: Callable[[Any], float]


def _date(text: str) -> float:
    """Of a date without a zone, as if it were UTC."""
    found = datetime.fromisoformat(text.strip())
    return (found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp()


FORMS = (
    Form("at_s", "prompt_tokens", "output_tokens", float),
    Form("timestamp", "input_length", "output_length", lambda ms: float(ms) / 1000),
    Form("Timestamp", "Request tokens", "Response tokens", float),
    Form("TIMESTAMP", "ContextTokens", "GeneratedTokens", _date),
)

LATEST_S = 1e12  # thirty thousand years: later, a clock of 64 bits does not know a millisecond from the next


def read_trace(path: Path) -> list[Seen]:
    """The requests of a file, in order of time. Those without an answer are left out.

    A record of several engines is read whole: its parts together.
    """
    parts = parts_of(path) or [path]
    try:
        if all(_begins(part) == MAGIC for part in parts):
            seen = [one for part in parts for one in _recorded(part)]
        else:
            seen = [_seen(row, path, line) for line, row in _rows(path)]
    except OSError as e:
        raise BadOption(f"{path} cannot be read: {e.strerror or e}") from e
    except UnicodeDecodeError as e:
        raise BadOption(f"{path} is not a trace of JSON lines or a table with commas") from e
    kept = sorted((s for s in seen if s.prompt_tokens > 0 and s.output_tokens > 0), key=lambda s: s.at_s)
    if not kept:
        raise BadOption(f"{path} holds no request with a prompt and an answer")
    return kept


def _begins(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(len(MAGIC))


def _recorded(path: Path) -> Iterator[Seen]:
    """Of Quire's own records: answers are as long as they became."""
    for life in lives(path):
        asked: dict[int, Added] = {}
        for event in life.events():
            if isinstance(event, Added):
                asked[event.number] = event
            for end in [event] if isinstance(event, Ended) else getattr(event, "ended", ()):
                if (one := asked.pop(end.number, None)) is not None:
                    hashes = tuple(block.hex() for block in one.blocks)
                    at_s = life.header.began + one.at
                    yield Seen(at_s, one.prompt, end.tokens, hashes, life.header.room.block_tokens)


def _rows(path: Path) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """With the number of its line; the first that is not empty says which kind of file it is."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        begin, first = next(((i, line) for i, line in enumerate(file, 1) if line.strip()), (1, ""))
        if first.lstrip().startswith("["):
            raise BadOption(f"{path}, line {begin}: a list; write one JSON object a line")
        if not first.lstrip().startswith("{"):
            yield from _table(chain([first], file), begin, path)
            return
        for number, line in enumerate(chain([first], file), begin):
            if line.strip():
                yield number, _json(line, path, number)


def _table(lines: Iterable[str], begin: int, path: Path) -> Iterator[tuple[int, Mapping[str, Any]]]:
    rows = csv.DictReader(lines)
    try:
        for row in rows:
            yield begin - 1 + rows.line_num, row
    except csv.Error as e:
        raise BadOption(f"{path}, line {begin - 1 + rows.line_num}: no table with commas: {e}") from e


def _json(line: str, path: Path, number: int) -> Mapping[str, Any]:
    try:
        row = json_of(line)
    except ValueError as e:
        raise BadOption(f"{path}, line {number}: no JSON: {e}") from e
    if not isinstance(row, dict):
        raise BadOption(f"{path}, line {number}: not a JSON object")
    return row


def _seen(row: Mapping[str, Any], path: Path, line: int) -> Seen:
    form = next((f for f in FORMS if f.at in row and f.prompt in row), None)
    if form is None:
        names = " or ".join(f"{f.at}, {f.prompt}, {f.output}" for f in FORMS)
        raise BadOption(f"{path}, line {line}: has none of the known sets of names: {names}")
    try:
        at_s = form.seconds(row[form.at])
        if not abs(at_s) < LATEST_S:  # nan, too
            raise ValueError(f"{form.at} is {at_s}")
        block_tokens = row.get("block_tokens")
        if block_tokens is not None:
            check_whole("block_tokens", block_tokens)
        return Seen(
            at_s,
            _tokens(row, form.prompt),
            _tokens(row, form.output),
            tuple(row.get("hash_ids") or row.get("hashes") or ()),
            MOONCAKE_BLOCK if block_tokens is None else block_tokens,
        )
    except (KeyError, TypeError, ValueError, OverflowError) as e:
        raise BadOption(f"{path}, line {line}: {type(e).__name__}: {e}") from e


def _tokens(row: Mapping[str, Any], name: str) -> int:
    count = int(row[name])
    if count > LONGEST:
        raise ValueError(f"{name} is {count:,} and may be up to {LONGEST:,}")
    return count
