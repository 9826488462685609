"""Prompts from files: JSON lines of one's own, and conversations in ShareGPT's form."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from quire.errors import BadOption
from quire.tools.load.foreign import json_of
from quire.tools.load.lengths import LONGEST, Lengths
from quire.tools.load.prompts import Writer
from quire.tools.load.workload import Ask

CHARACTERS = 4  # that a token stands for, where nothing better is known


@dataclass(frozen=True, slots=True)
class Texts:
    """In random order; `output` where one does not say how long its answer is."""

    texts: Sequence[tuple[str, int | None]]
    output: Lengths

    @property
    def size(self) -> int:
        return len(self.texts)

    def draw(self, count: int, writer: Writer, rng: Random, words: Random) -> list[Ask]:
        order = list(self.texts)
        rng.shuffle(order)
        return [
            Ask(0.0, text, 0, length if length is not None else self.output.draw(rng))
            for text, length in order[:count]
        ]

    def __str__(self) -> str:
        return f"prompts from a file of {len(self.texts):,}"


def read_texts(path: Path) -> list[tuple[str, int | None]]:
    """JSON lines with a `prompt` each, and perhaps `output_tokens`."""
    found: list[tuple[str, int | None]] = []
    try:
        lines = path.read_text(encoding="utf-8-sig").split("\n")  # what other marks end is part of a prompt
    except (OSError, UnicodeDecodeError) as e:
        raise BadOption(f"{path} cannot be read: {e}") from e
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            row = json_of(line)
            prompt, length = str(row["prompt"]), row.get("output_tokens")
        except (ValueError, KeyError, TypeError, AttributeError) as e:
            told = f'{path}, line {number}: expected {{"prompt": "…"}}'
            raise BadOption(told) from e
        if length is not None and not _is_length(length):
            said = f"output_tokens is {str(length)[:50]} and must be a whole number from 1 to {LONGEST:,}"
            raise BadOption(f"{path}, line {number}: {said}")
        found.append((prompt, None if length is None else int(length)))
    if not found:
        raise BadOption(f"{path} holds no prompt")
    return found


def _is_length(value: Any) -> bool:
    if isinstance(value, bool):
        return False
    try:
        length = int(value)
    except (ValueError, TypeError, OverflowError):
        return False
    return 1 <= length <= LONGEST and (isinstance(value, str) or length == value)


def read_sharegpt(path: Path) -> list[tuple[str, int | None]]:
    """The first question of each conversation, and about as many tokens as its answer had."""
    try:
        told = json_of(path.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError) as e:
        raise BadOption(f"{path} cannot be read as JSON: {e}") from e
    found = [pair for one in (told if isinstance(told, list) else ()) if (pair := _first_turn(one))]
    if not found:
        raise BadOption(f"{path} holds no conversations of a question and an answer, as ShareGPT's do")
    return found


def _first_turn(one: Any) -> tuple[str, int | None] | None:
    turns = one.get("conversations") or one.get("conversation") if isinstance(one, dict) else None
    values = [turn.get("value") for turn in turns or () if isinstance(turn, dict)]
    if len(values) < 2 or not values[0] or not values[1]:
        return None
    return str(values[0]), max(1, len(str(values[1])) // CHARACTERS)
