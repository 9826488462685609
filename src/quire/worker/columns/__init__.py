"""Sampling parameters, one column object each. `processors` and `shapers` say in which order they act."""

from __future__ import annotations

from collections.abc import Callable

from quire.grammar import Grammars
from quire.worker.columns.contract import Column, Step
from quire.worker.columns.grammar import Grammar
from quire.worker.columns.masks import AllowedTokens, BadWords, LogitBias, MinTokens
from quire.worker.columns.penalties import Frequency, History, Presence, Repetition
from quire.worker.columns.shape import MinP, Temperature, TopK, TopP

__all__ = ["Column", "History", "Step", "Temperature", "processors", "shapers"]


def processors(
    rows: int,
    vocab: int,
    history: History,
    encode: Callable[[str], list[list[int]]] | None,
    grammars: Grammars | None,
) -> list[Column]:
    """What may change the likeliest token, for greedy and sampling rows alike."""
    return [
        Grammar(rows, vocab, grammars),
        AllowedTokens(rows, vocab),
        BadWords(rows, vocab, encode),
        MinTokens(rows, vocab),
        LogitBias(rows, vocab),
        Repetition(rows, history),
        Frequency(rows, history),
        Presence(rows, history),
    ]


def shapers(rows: int, vocab: int) -> list[Column]:
    """What changes only the distribution of rows that sample; temperature has been applied."""
    return [MinP(rows), TopK(rows, vocab), TopP(rows, vocab)]
