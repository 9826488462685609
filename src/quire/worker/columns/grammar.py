"""The column of structured outputs: only tokens that continue the text as a row's grammar allows.

A grammar speaks of text; the column adds the tokens that end the request (end of text, stop_token_ids) where
the grammar may end. min_tokens and ignore_eos hold those back as long as anything else can come: when the
grammar is complete they are all that is left, and the request ends.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from quire.errors import NeedsTokenizer, RequestFailed
from quire.grammar import Grammars, Matcher
from quire.types import Admission, Ints, Request
from quire.worker.columns.contract import Step, Switch


@dataclass(slots=True)
class Guide:
    """One row's way through its grammar."""

    matcher: Matcher
    stop_ids: frozenset[int]
    ends: Ints  # their bits
    eos: Ints | None  # bits of those that ignore_eos holds back
    until: int  # the position from which the request may end

    def fill(self, row: Ints, position: int) -> bool:
        """Sets the bits of what may come; tells whether there is any."""
        self.matcher.fill(row)
        if self.matcher.may_end:
            row |= self.ends
        held = self.ends if position < self.until else self.eos
        if held is not None and (row & ~held).any():
            row &= ~held
        return bool(row.any())

    def advance(self, token: int) -> bool:
        """Tells whether the token was allowed; after one that ends the request nothing counts."""
        return token in self.stop_ids or self.matcher.advance(token)


class Grammar(Switch):
    def __init__(self, rows: int, vocab: int, grammars: Grammars | None):
        super().__init__(rows)
        self.vocab = vocab
        self.grammars = grammars
        self.guides: dict[int, Guide] = {}
        self.bits: Ints = np.zeros((rows, -(-vocab // 32)), np.int32)  # untouched pages cost no memory

    def admit(self, admission: Admission) -> None:
        request = admission.request
        asked = request.params.structured_outputs
        self.on[admission.row] = asked is not None
        if asked is None:
            return
        if self.grammars is None:
            raise NeedsTokenizer("structured_outputs need a tokenizer; drop skip_tokenizer_init")
        guide = self._guide(request, self.grammars.compile(asked).matcher())
        for token in admission.tokens[len(request.prompt) :].tolist():  # from before a preemption
            if not guide.advance(token):
                raise RequestFailed(f"its grammar does not allow token {token}, which it has generated")
        self.guides[admission.row] = guide

    def _guide(self, request: Request, matcher: Matcher) -> Guide:
        params = request.params
        eos = self._bits_of(request.eos_ids) if params.ignore_eos else None
        until = len(request.prompt) + params.min_tokens
        return Guide(matcher, request.stop_ids, self._bits_of(request.stop_ids), eos, until)

    def _bits_of(self, ids: Iterable[int]) -> Ints:
        chosen = np.zeros(32 * self.bits.shape[1], np.bool_)
        chosen[[i for i in ids if i < self.vocab]] = True
        bits: Ints = np.packbits(chosen, bitorder="little").view(np.int32)
        return bits

    def release(self, row: int) -> None:
        super().release(row)
        self.guides.pop(row, None)

    def apply(self, logits: Tensor, step: Step) -> Tensor:
        lines = [line for line in self.users(step) if self._fill(step, line)]
        if lines:
            bits = self.bits[step.rows[lines]]  # [lines, words]
            allowed = np.unpackbits(bits.view(np.uint8), axis=1, count=self.vocab, bitorder="little")
            closed = torch.from_numpy(allowed) == 0
            for i, line in enumerate(lines):
                logits[line].masked_fill_(closed[i], -torch.inf)
        return logits

    def _fill(self, step: Step, line: int) -> bool:
        """Tells whether the row can go on; one that cannot has failed alone."""
        row = int(step.rows[line])
        try:
            if self.guides[row].fill(self.bits[row], int(step.positions[line])):
                return True
            step.failed[line] = "its grammar allows no token here"
        except Exception as e:  # whatever a backend raises
            step.failed[line] = f"its grammar failed: {e}"
        return False

    def advance(self, step: Step, tokens: Ints) -> None:
        for line in self.users(step):
            if line in step.failed:
                continue
            token = int(tokens[line])
            try:
                if not self.guides[int(step.rows[line])].advance(token):
                    step.failed[line] = f"its grammar does not allow token {token}, which it had allowed"
            except Exception as e:  # whatever a backend raises
                step.failed[line] = f"its grammar failed: {e}"
