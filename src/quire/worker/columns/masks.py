"""Columns that forbid or favour tokens: allowed ids, bad words, minimum length, bias."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from quire.errors import BadParameter, TokenOutOfRange
from quire.types import Admission, RowIndex
from quire.worker.columns.contract import Step, Switch

NEVER = -np.inf
Numbers = NDArray[np.float32]


def check_ids(ids: list[int], vocab: int) -> None:
    for token in ids:
        if not 0 <= token < vocab:
            raise TokenOutOfRange(token, vocab)


class AllowedTokens(Switch):
    """allowed_token_ids: everything else is out."""

    def __init__(self, rows: int, vocab: int):
        super().__init__(rows)
        self.vocab = vocab
        self.ids: dict[int, RowIndex] = {}

    def admit(self, admission: Admission) -> None:
        ids = admission.request.params.allowed_token_ids
        self.on[admission.row] = ids is not None
        if ids is not None:
            check_ids(ids, self.vocab)
            self.ids[admission.row] = np.array(ids, np.int64)

    def apply(self, logits: Tensor, step: Step) -> Tensor:
        for line in self.users(step):
            ids = torch.from_numpy(self.ids[int(step.rows[line])])
            kept = logits[line, ids]
            logits[line] = NEVER
            logits[line, ids] = kept
        return logits


class Some(Switch):
    """Columns that speak of some tokens of a line. Subclasses say of which, and what is added to them."""

    def said(self, step: Step, line: int) -> tuple[RowIndex, Numbers] | None:
        """Different tokens, and what is added to each one's logit; None where there is nothing to say."""
        raise AssertionError("a column says what it adds")

    def apply(self, logits: Tensor, step: Step) -> Tensor:
        for line in self.users(step):
            said = self.said(step, line)
            if said is not None:
                logits[line, torch.from_numpy(said[0])] += torch.from_numpy(said[1])
        return logits


class BadWords(Some):
    """bad_words: a token that would complete one of them is out."""

    def __init__(self, rows: int, vocab: int, encode: Callable[[str], list[list[int]]] | None):
        super().__init__(rows)
        self.vocab = vocab
        self.encode = encode
        self.words: dict[int, list[np.ndarray]] = {}

    def admit(self, admission: Admission) -> None:
        words = admission.request.params.bad_words
        self.on[admission.row] = bool(words)
        if not words:
            return
        if self.encode is None:
            raise BadParameter("bad_words need a tokenizer; drop skip_tokenizer_init or use logit_bias")
        spellings = [np.array(ids, np.int32) for word in words for ids in self.encode(word) if ids]
        self.words[admission.row] = [s for s in spellings if s.max() < self.vocab]

    def said(self, step: Step, line: int) -> tuple[RowIndex, Numbers] | None:
        row, end, start = int(step.rows[line]), int(step.positions[line]), int(step.prompts[line])
        out = set()
        for word in self.words[row]:
            head = len(word) - 1
            if end - head >= start and (step.tokens[row, end - head : end] == word[:-1]).all():
                out.add(int(word[-1]))
        return never(out) if out else None


class MinTokens(Some):
    """min_tokens: no token that ends the request comes before. Rows with a grammar see to it themselves."""

    def __init__(self, rows: int, vocab: int):
        super().__init__(rows)
        self.vocab = vocab
        self.ends: dict[int, tuple[RowIndex, Numbers]] = {}
        self.until = np.zeros(rows, np.int32)

    def admit(self, admission: Admission) -> None:
        request = admission.request
        ids = {i for i in request.stop_ids if i < self.vocab}
        bound = request.params.structured_outputs is not None
        self.on[admission.row] = request.params.min_tokens > 0 and bool(ids) and not bound
        self.until[admission.row] = len(request.prompt) + request.params.min_tokens
        self.ends[admission.row] = never(ids)

    def said(self, step: Step, line: int) -> tuple[RowIndex, Numbers] | None:
        row = int(step.rows[line])
        return self.ends[row] if step.positions[line] < self.until[row] else None


class LogitBias(Some):
    """logit_bias: added before anything else is decided."""

    def __init__(self, rows: int, vocab: int):
        super().__init__(rows)
        self.vocab = vocab
        self.bias: dict[int, tuple[RowIndex, Numbers]] = {}

    def admit(self, admission: Admission) -> None:
        bias = admission.request.params.logit_bias
        self.on[admission.row] = bool(bias)
        if bias:
            check_ids(list(bias), self.vocab)
            self.bias[admission.row] = (
                np.array(list(bias), np.int64),
                np.array(list(bias.values()), np.float32),
            )

    def said(self, step: Step, line: int) -> tuple[RowIndex, Numbers] | None:
        return self.bias[int(step.rows[line])]


def never(ids: set[int]) -> tuple[RowIndex, Numbers]:
    """These tokens are out."""
    return np.array(sorted(ids), np.int64), np.full(len(ids), NEVER, np.float32)
