"""Columns that forbid or favour tokens: allowed ids, bad words, minimum length, bias."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import torch
from torch import Tensor

from quire.errors import BadParameter, TokenOutOfRange
from quire.types import Admission
from quire.worker.columns.contract import Step, Switch

NEVER = -torch.inf


def check_ids(ids: list[int], vocab: int) -> None:
    for token in ids:
        if not 0 <= token < vocab:
            raise TokenOutOfRange(token, vocab)


class AllowedTokens(Switch):
    """allowed_token_ids: everything else is out."""

    def __init__(self, rows: int, vocab: int, device: torch.device):
        super().__init__(rows)
        self.vocab, self.device = vocab, device
        self.ids: dict[int, Tensor] = {}

    def admit(self, admission: Admission) -> None:
        ids = admission.request.params.allowed_token_ids
        self.on[admission.row] = ids is not None
        if ids is not None:
            check_ids(ids, self.vocab)
            self.ids[admission.row] = torch.tensor(ids, device=self.device)

    def apply(self, logits: Tensor, step: Step) -> Tensor:
        for line in self.users(step):
            ids = self.ids[int(step.rows[line])]
            kept = logits[line, ids]
            logits[line] = NEVER
            logits[line, ids] = kept
        return logits


class BadWords(Switch):
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

    def apply(self, logits: Tensor, step: Step) -> Tensor:
        for line in self.users(step):
            row, end, start = int(step.rows[line]), int(step.positions[line]), int(step.prompts[line])
            for word in self.words[row]:
                head = len(word) - 1
                if end - head >= start and (step.tokens[row, end - head : end] == word[:-1]).all():
                    logits[line, int(word[-1])] = NEVER
        return logits


class MinTokens(Switch):
    """min_tokens: no token that ends the request comes before. Rows with a grammar see to it themselves."""

    def __init__(self, rows: int, vocab: int, device: torch.device):
        super().__init__(rows)
        self.vocab, self.device = vocab, device
        self.ids: dict[int, Tensor] = {}
        self.until = np.zeros(rows, np.int32)

    def admit(self, admission: Admission) -> None:
        request = admission.request
        ids = [i for i in request.stop_ids if i < self.vocab]
        bound = request.params.structured_outputs is not None
        self.on[admission.row] = request.params.min_tokens > 0 and bool(ids) and not bound
        self.until[admission.row] = len(request.prompt) + request.params.min_tokens
        self.ids[admission.row] = torch.tensor(ids, dtype=torch.int64, device=self.device)

    def apply(self, logits: Tensor, step: Step) -> Tensor:
        for line in self.users(step):
            row = int(step.rows[line])
            if step.positions[line] < self.until[row]:
                logits[line, self.ids[row]] = NEVER
        return logits


class LogitBias(Switch):
    """logit_bias: added before anything else is decided."""

    def __init__(self, rows: int, vocab: int, device: torch.device):
        super().__init__(rows)
        self.vocab, self.device = vocab, device
        self.ids: dict[int, Tensor] = {}
        self.values: dict[int, Tensor] = {}

    def admit(self, admission: Admission) -> None:
        bias = admission.request.params.logit_bias
        self.on[admission.row] = bool(bias)
        if bias:
            check_ids(list(bias), self.vocab)
            self.ids[admission.row] = torch.tensor(list(bias), device=self.device)
            self.values[admission.row] = torch.tensor(list(bias.values()), device=self.device)

    def apply(self, logits: Tensor, step: Step) -> Tensor:
        for line in self.users(step):
            row = int(step.rows[line])
            logits[line, self.ids[row]] += self.values[row]
        return logits
